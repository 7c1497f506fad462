//! The values of a game and their numbers on its tape.
//!
//! Every function here answers `None` for a game that is no network, and for what the tape does not have: a
//! fluent that no match can reach, a move that is never legal, a percept that nobody is ever told.

use super::{ByRole, Game, JointMove, PerceptReading, Percepts, State};
use crate::{
    bits::Bits,
    id::{FluentId, MoveId, PerceptId, RoleId},
};

impl Game {
    /// Which state `sees` is read in.
    #[must_use]
    pub fn percept_reading(&self) -> PerceptReading {
        self.options.percepts
    }

    /// The fluents that the bases of the tape are, in their order.
    #[must_use]
    pub fn fluents_of_tape(&self) -> Option<&[FluentId]> {
        Some(self.engines.grounded.as_ref()?.fluents())
    }

    /// A role's moves, by the numbers that they have on the tape.
    #[must_use]
    pub fn moves_of_tape(&self, role: RoleId) -> Option<&[MoveId]> {
        Some(self.engines.grounded.as_ref()?.moves(role))
    }

    /// A role's percepts, by the numbers that they have on the tape.
    #[must_use]
    pub fn all_percepts_of_tape(&self, role: RoleId) -> Option<&[PerceptId]> {
        Some(self.engines.grounded.as_ref()?.percepts(role))
    }

    /// A state as a row of bits, one for each base of the tape: bit `b % 64` of word `b / 64`.
    #[must_use]
    pub fn tape_row(&self, state: &State) -> Option<Vec<u64>> {
        self.engines.grounded.as_ref()?.row(state)
    }

    /// The state of a row of bits; empty for a game that is no network.
    #[must_use]
    pub fn state_of_row(&self, row: &[u64]) -> State {
        let grounded = self.engines.grounded.as_ref();
        grounded.map_or_else(|| State::of(std::iter::empty()), |grounded| grounded.state_of_row(row))
    }

    /// The base of a fluent.
    #[must_use]
    pub fn tape_base(&self, fluent: FluentId) -> Option<usize> {
        self.engines.grounded.as_ref()?.base_of(fluent)
    }

    /// The number of a role's move.
    #[must_use]
    pub fn tape_move(&self, role: RoleId, played: MoveId) -> Option<usize> {
        self.engines.grounded.as_ref()?.move_number(role, played)
    }

    /// The move of a role with this number.
    ///
    /// # Panics
    /// If there is no such move.
    #[must_use]
    pub fn move_of_tape(&self, role: RoleId, number: usize) -> Option<MoveId> {
        Some(self.engines.grounded.as_ref()?.move_of(role, number))
    }

    /// The moves with these numbers, one for each role in order.
    ///
    /// # Panics
    /// If there is no such move, or there are fewer numbers than roles.
    #[must_use]
    pub fn joint_move_of_tape(&self, numbers: &[u32]) -> Option<JointMove> {
        let grounded = self.engines.grounded.as_ref()?;
        let moves =
            ByRole::from_fn(&self.roles, |role| grounded.move_of(role, numbers[role.index()] as usize));
        Some(JointMove { moves })
    }

    /// The numbers of a role's percepts.
    #[must_use]
    pub fn tape_percepts(&self, role: RoleId, percepts: &Percepts) -> Option<Bits> {
        let grounded = self.engines.grounded.as_ref()?;
        percepts.iter().map(|percept| grounded.percept_number(role, percept)).collect()
    }

    /// The percepts with these numbers.
    ///
    /// # Panics
    /// If there is no such percept.
    #[must_use]
    pub fn percepts_of_tape(&self, role: RoleId, numbers: &Bits) -> Percepts {
        let grounded = self.engines.grounded.as_ref();
        grounded.map_or_else(Percepts::default, |grounded| grounded.percepts_of(role, numbers))
    }
}
