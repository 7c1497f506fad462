//! A game without variables: numbered atoms, and rules of numbers.

use crate::id::TermId;

/// An atom of a ground program.
pub type Atom = u32;

/// An atom, and whether it is positive or negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    pub(super) fn new(atom: Atom, is_negative: bool) -> Self {
        assert!(atom < 1 << 31, "limits keep ground atoms below 2^31");
        Self(atom << 1 | u32::from(is_negative))
    }

    /// The atom.
    #[must_use]
    pub fn atom(self) -> Atom {
        self.0 >> 1
    }

    /// Whether the atom must not hold.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Something that can be true in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundFluent {
    /// The fluent as a term of the game's vocabulary.
    pub term: TermId,
    /// Its atom under `true`, which comes from outside.
    pub now: Atom,
    /// Its atom under `next`; none if no rule concludes it.
    pub next: Option<Atom>,
    /// Whether it is true in the initial state.
    pub is_initial: bool,
}

/// Something that a role can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundMove {
    /// The move as a term of the game's vocabulary.
    pub term: TermId,
    /// Its atom under `does`, which comes from outside.
    pub does: Atom,
    /// Its atom under `legal`.
    pub legal: Atom,
}

/// A game without variables.
///
/// The atoms are an over-approximation: every atom that can hold in a reachable state is there, and
/// perhaps some that cannot. Atoms under `true` and `does` come from outside; every other atom holds
/// if some rule with it as head has a body that holds.
#[derive(Clone, Debug, Default)]
pub struct GroundProgram {
    /// How many atoms there are.
    pub atoms_count: usize,
    /// The fluents, in canonical order.
    pub fluents: Vec<GroundFluent>,
    /// For each role, its moves in canonical order.
    pub moves: Vec<Vec<GroundMove>>,
    /// The atom `terminal`; none if it never holds.
    pub terminal: Option<Atom>,
    /// For each role, values and their atoms; the first that holds counts.
    pub goals: Vec<Vec<(TermId, Atom)>>,
    /// For each role, percepts in canonical order and their atoms.
    pub sees: Vec<Vec<(TermId, Atom)>>,
    /// Where each atom's rules begin in `bodies`; one more than there are atoms.
    pub(super) first_body: Vec<u32>,
    /// Where each body begins in `literals`; one more than there are bodies.
    pub(super) first_literal: Vec<u32>,
    /// The literals of all bodies.
    pub(super) literals: Vec<GroundLiteral>,
}

impl GroundProgram {
    /// The bodies of the rules with this head.
    pub fn bodies(&self, head: Atom) -> impl Iterator<Item = &[GroundLiteral]> {
        let range = self.first_body[head as usize] as usize..self.first_body[head as usize + 1] as usize;
        range.map(|body| {
            &self.literals[self.first_literal[body] as usize..self.first_literal[body + 1] as usize]
        })
    }

    /// How many rules there are.
    #[must_use]
    pub fn rules_count(&self) -> usize {
        self.first_literal.len().saturating_sub(1)
    }
}
