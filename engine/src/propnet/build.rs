//! Ground program to gates: atoms in order of dependence, cycles closed over few feedback nodes.

use super::{
    Gates, Network, Wire,
    components::{Component, components},
};
use crate::ground::{Atom, GroundProgram};

/// More literals than this under one head are not searched for common factors.
const FACTORED_MAX: usize = 4096;

impl Network {
    /// The network of a ground program.
    ///
    /// # Panics
    /// If an atom depends on its own negation, which no checked rules allow.
    #[must_use]
    pub fn of(program: &GroundProgram) -> Self {
        let mut builder = NetworkBuilder::new(program);
        let goals = program.goals.iter().flatten().map(|&(_, atom)| atom);
        let sees = program.sees.iter().flatten().map(|&(_, atom)| atom);
        let legal = program.moves.iter().flatten().map(|found| found.legal);
        let next = program.fluents.iter().filter_map(|fluent| fluent.next);
        // What needs the state alone comes first, so that it does not lie among what needs moves.
        builder.define(program.terminal.into_iter().chain(legal).chain(goals));
        builder.define(next);
        builder.define(sees);
        builder.finish()
    }
}

struct NetworkBuilder<'p> {
    program: &'p GroundProgram,
    gates: Gates,
    wires: Vec<Option<Wire>>,
}

impl<'p> NetworkBuilder<'p> {
    fn new(program: &'p GroundProgram) -> Self {
        let moves = program.moves.iter().flatten().map(|found| found.does);
        let inputs: Vec<Atom> = program.fluents.iter().map(|fluent| fluent.now).chain(moves).collect();
        let gates = Gates::new(u32::try_from(inputs.len()).expect("atoms are counted in 32 bits"));
        let mut wires = vec![None; program.atoms_count];
        for (number, &atom) in inputs.iter().enumerate() {
            wires[atom as usize] = Some(gates.input(number));
        }
        Self { program, gates, wires }
    }

    fn define(&mut self, roots: impl Iterator<Item = Atom>) {
        let is_known: Vec<bool> = self.wires.iter().map(Option::is_some).collect();
        components(self.program, &is_known, roots, |component| match component {
            Component::Single(atom) => {
                let wire = self.wire_of_rules(atom);
                self.wires[atom as usize] = Some(wire);
            }
            Component::Cycle { feedback, order } => {
                let opened = self.gates.open(feedback.len());
                for (&atom, &wire) in feedback.iter().zip(&opened) {
                    self.wires[atom as usize] = Some(wire);
                }
                let mut next = vec![Wire::FALSE; feedback.len()];
                for &atom in order {
                    let wire = self.wire_of_rules(atom);
                    match feedback.iter().position(|&found| found == atom) {
                        Some(place) => next[place] = wire,
                        None => self.wires[atom as usize] = Some(wire),
                    }
                }
                self.gates.close(next);
            }
        });
    }

    /// True when some body holds.
    fn wire_of_rules(&mut self, atom: Atom) -> Wire {
        let mut bodies = Vec::new();
        for body in self.program.bodies(atom) {
            if body.iter().any(|literal| literal.atom() == atom) {
                assert!(
                    !body.iter().any(|literal| literal.atom() == atom && literal.is_negative()),
                    "stratified rules"
                );
                continue;
            }
            let wires = body.iter().map(|literal| {
                let wire = self.wires[literal.atom() as usize].expect("what is needed is defined before");
                if literal.is_negative() { !wire } else { wire }
            });
            bodies.push(wires.collect::<Vec<Wire>>());
        }
        self.sum(bodies)
    }

    /// The sum of products, with the commonest factor taken out again and again.
    fn sum(&mut self, mut bodies: Vec<Vec<Wire>>) -> Wire {
        let mut terms = Vec::new();
        while let Some(factor) = common_factor(&bodies) {
            let (with, without): (Vec<_>, Vec<_>) =
                bodies.into_iter().partition(|body| body.contains(&factor));
            let rest = with.into_iter().map(|body| body.into_iter().filter(|&wire| wire != factor).collect());
            let rest = self.sum(rest.collect());
            terms.push(self.gates.and(factor, rest));
            bodies = without;
        }
        for body in bodies {
            terms.push(self.gates.all(body));
        }
        self.gates.any(terms)
    }

    fn finish(self) -> Network {
        let wire = |atom: Atom| self.wires[atom as usize].expect("every root is defined");
        let program = self.program;
        Network {
            initial: program.fluents.iter().map(|fluent| fluent.is_initial).collect(),
            next: program.fluents.iter().map(|fluent| fluent.next.map_or(Wire::FALSE, wire)).collect(),
            terminal: program.terminal.map_or(Wire::FALSE, wire),
            legal: program
                .moves
                .iter()
                .map(|moves| moves.iter().map(|found| wire(found.legal)).collect())
                .collect(),
            goals: program
                .goals
                .iter()
                .map(|goals| (0..).zip(goals).map(|(value, &(_, atom))| (value, wire(atom))).collect())
                .collect(),
            sees: program
                .sees
                .iter()
                .map(|sees| sees.iter().map(|&(_, atom)| wire(atom)).collect())
                .collect(),
            gates: self.gates,
        }
    }
}

/// The wire that most bodies have, if two have it.
fn common_factor(bodies: &[Vec<Wire>]) -> Option<Wire> {
    let literals: usize = bodies.iter().map(Vec::len).sum();
    if bodies.len() < 2 || literals > FACTORED_MAX {
        return None;
    }
    let mut wires: Vec<Wire> = bodies.iter().flatten().copied().collect();
    wires.sort_unstable();
    let runs = wires.chunk_by(PartialEq::eq).filter(|run| run.len() > 1);
    runs.max_by_key(|run| (run.len(), std::cmp::Reverse(run[0]))).map(|run| run[0])
}
