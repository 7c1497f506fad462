//! Fluents on which all states agree that a role cannot tell apart.

use croupier_engine::{RoleId, stages::propnet::Tape};

use crate::{
    inductive::unbroken,
    invariants::Invariant,
    pairs::{PairCircuit, agreements},
    patterns::FluentPatterns,
    prover::Prover,
};

/// What a role always knows.
pub(crate) struct AgreedFluents {
    pub(crate) role: RoleId,
    pub(crate) fluents: Vec<usize>,
}

impl AgreedFluents {
    pub(crate) fn has(&self, fluent: usize) -> bool {
        self.fluents.binary_search(&fluent).is_ok()
    }

    /// Whether it has all fluents of a group.
    pub(crate) fn has_all(&self, patterns: &FluentPatterns, group: usize) -> bool {
        patterns.of_group(group).all(|fluent| self.has(fluent))
    }
}

/// The fluents on which all states agree that a role cannot tell apart, as far as that is found.
pub(crate) fn agreed_fluents(
    tape: &Tape,
    role: RoleId,
    known: &[Invariant],
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<usize>> {
    let mut circuit = PairCircuit::of_turn(tape, role, known)?;
    let mut wires = agreements(&mut circuit.gates, &circuit.before);
    wires.extend(agreements(&mut circuit.gates, &circuit.after));
    match Prover::new(&circuit.gates, &circuit.clauses, &wires) {
        Some(prover) => unbroken(prover, tape.bases_count(), None, is_over),
        None => Some((0..tape.bases_count()).collect()),
    }
}
