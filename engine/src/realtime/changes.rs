//! Where the clocks of a state come from, for rules that only set lifetimes and keep them.
//!
//! What such an update does is the same whatever time is left for anything: it can be asked once for all lifetimes.

use super::{RealTimeError, RealTimeGame, RealTimeScratch, TimedState};
use crate::{
    id::{FluentId, MoveId, RoleId},
    lifetime::Lifetime,
};

/// What sets the lifetime of a fluent in an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClockSource {
    /// A rule that names it.
    Set(Lifetime),
    /// Each lifetime that is left of this fluent.
    Kept(FluentId),
}

/// A fluent that holds after an update, and where its lifetime comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClockChange {
    /// The fluent.
    pub fluent: FluentId,
    /// What sets its lifetime.
    pub source: ClockSource,
}

impl RealTimeGame {
    /// What holds after an update, if `left` is what still holds at its instant, with what expires there as expired, and some roles make
    /// `moves`. Of the lifetimes of `left` it only matters which are infinite. `None` if the game has no [`network`](Self::network).
    ///
    /// ```
    /// use croupier_engine::{Options, realtime::{ClockSource, RealTimeGame}};
    ///
    /// let rules = "(role ann) (init 2.0 light) (legal ann press) (<= terminal (expired light)) (goal ann 0)
    ///     (<= (next ?t light) (true ?t light) (not (does ann press))) (<= (next 3.0 light) (does ann press))";
    /// let game = RealTimeGame::compile(rules, &Options::PLAY)?.game;
    /// let (mut scratch, start) = (game.scratch(), game.initial_state());
    /// let light = start.facts().next().ok_or("a fluent")?.0;
    /// let changes = game.clock_changes(start, &[], &mut scratch)?.ok_or("a network")?;
    /// assert_eq!(changes[0].source, ClockSource::Kept(light));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RealTimeError::Game`] for fluents that no match can reach.
    pub fn clock_changes(
        &self,
        left: &TimedState,
        moves: &[(RoleId, MoveId)],
        scratch: &mut RealTimeScratch,
    ) -> Result<Option<Vec<ClockChange>>, RealTimeError> {
        scratch.check(self.mark());
        scratch.changes(left, moves)
    }

    /// Every goal that the rules give a role in a state, as printed, in the order in which they count: none, one, or, if the rules are wrong,
    /// several.
    ///
    /// # Errors
    /// [`RealTimeError::Game`] for a limit.
    pub fn goal_values(
        &self,
        state: &TimedState,
        role: RoleId,
        scratch: &mut RealTimeScratch,
    ) -> Result<Vec<String>, RealTimeError> {
        let values = self.goals_with_rules(state, role, scratch)?;
        Ok(values.into_iter().map(|(_, value)| value).collect())
    }
}
