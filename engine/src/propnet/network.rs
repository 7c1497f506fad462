//! A game as gates: inputs are what is true and what is played, outputs what follows.

use super::{Gates, Wire};

/// A game as gates.
///
/// Inputs `0..initial.len()` of the gates are the bases, one per fluent; those after them are the moves
/// of the first role, then of the second, and so on, as counted by [`moves`](Self::moves).
#[derive(Clone, Debug)]
pub struct Network {
    /// All gates.
    pub gates: Gates,
    /// For each fluent, whether it is true in the initial state.
    pub initial: Vec<bool>,
    /// For each fluent, whether it will be true: needs state and moves.
    pub next: Vec<Wire>,
    /// Whether the state is terminal.
    pub terminal: Wire,
    /// For each role, its moves in canonical order, and whether each is legal.
    pub legal: Vec<Vec<Wire>>,
    /// For each role, its goals, in the order in which the first that is true counts: an index into a
    /// list of values that the owner keeps, and whether the state has this value.
    pub goals: Vec<Vec<(u32, Wire)>>,
    /// For each role, its percepts in canonical order, and whether it is told each: needs state and moves.
    pub sees: Vec<Vec<Wire>>,
}

impl Network {
    /// How many moves each role has.
    pub fn moves(&self) -> impl Iterator<Item = usize> + '_ {
        self.legal.iter().map(Vec::len)
    }
}
