//! Fluents on which all states agree that a role cannot tell apart.

use croupier_engine::RoleId;

use crate::{
    inductive::unbroken,
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
pub(crate) fn agreed_fluents(circuit: &mut PairCircuit, is_over: &dyn Fn() -> bool) -> Option<Vec<usize>> {
    let mut wires = agreements(&mut circuit.gates, &circuit.before);
    let bases = wires.len();
    wires.extend(agreements(&mut circuit.gates, &circuit.after));
    match Prover::new(&circuit.gates, &circuit.clauses, &wires) {
        Some(prover) => unbroken(prover, bases, None, is_over),
        None => Some((0..bases).collect()),
    }
}
