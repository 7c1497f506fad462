//! The state of a match of full sight, computed from notices that may be late.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use croupier_engine::{
    MoveId, RoleId,
    realtime::{RealTimeError, RealTimeGame, RealTimeScratch, TimedState},
};
use thiserror::Error;

/// A player's own copy of a match of full sight.
///
/// Players are only told moves, and compute expiries themselves. A late notice invalidates the states that were computed
/// without it: they are dropped and recomputed with it. For this the states of the last seconds are kept.
#[derive(Debug)]
pub struct Track {
    game: Arc<RealTimeGame>,
    scratch: RealTimeScratch,
    /// States after updates, the youngest last; never empty.
    past: VecDeque<Position>,
    /// Joint moves by instant, in the order in which they were told.
    heard: BTreeMap<u64, Vec<Vec<(RoleId, MoveId)>>>,
    kept_us: u64,
}

#[derive(Clone, Debug)]
struct Position {
    state: TimedState,
    at_us: u64,
    /// How many of the joint moves of this instant are in it.
    taken: usize,
    is_over: bool,
}

/// Why a match cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrackError {
    /// A notice is older than the states that are kept.
    #[error("a notice for {at_us} us came too late: states before {kept_from_us} us are no longer kept")]
    TooLate {
        /// The instant of the notice.
        at_us: u64,
        /// The instant of the oldest state.
        kept_from_us: u64,
    },
    /// The rules fail.
    #[error(transparent)]
    Game(#[from] RealTimeError),
}

impl Track {
    /// A match before its first update. States are kept for `kept_us` microseconds of game time.
    #[must_use]
    pub fn new(game: Arc<RealTimeGame>, kept_us: u64) -> Self {
        let state = game.initial_state().clone();
        let start = Position { state, at_us: 0, taken: 0, is_over: false };
        let scratch = game.scratch();
        Self { game, scratch, past: VecDeque::from([start]), heard: BTreeMap::new(), kept_us }
    }

    /// Takes in who moved at an instant; how many states were computed without it and are dropped. Notices of different instants
    /// may come in any order, those of one instant come in their own.
    ///
    /// # Errors
    /// [`TrackError::TooLate`] if no state from before that instant is kept; then nothing changes.
    pub fn hear(&mut self, at_us: u64, moves: Vec<(RoleId, MoveId)>) -> Result<usize, TrackError> {
        let oldest = &self.past[0];
        let is_first = oldest.at_us == 0 && oldest.taken == 0;
        if at_us <= oldest.at_us && !is_first {
            return Err(TrackError::TooLate { at_us, kept_from_us: oldest.at_us });
        }
        let groups = self.heard.entry(at_us).or_default();
        groups.push(moves);
        let taken = groups.len() - 1;
        // What chance does at an instant comes behind everything else there, and so does a state with all of it.
        let is_behind = groups[taken].iter().all(|(role, _)| self.game.roles().random() == Some(*role));
        let kept = self.past.iter().take_while(|position| {
            position.at_us < at_us || (is_behind && position.at_us == at_us && position.taken <= taken)
        });
        let kept = kept.count().max(1);
        let dropped = self.past.len() - kept;
        self.past.truncate(kept);
        Ok(dropped)
    }

    /// The state at an instant, after all that happened at it as far as it was told, and the instant of its last update.
    ///
    /// # Errors
    /// [`TrackError`] if the rules fail, or the instant is older than the states that are kept.
    ///
    /// # Complexity
    /// An update for each move or expiry since the last state that is kept before that instant.
    pub fn state_at(&mut self, now_us: u64) -> Result<(&TimedState, u64), TrackError> {
        while self.advance(now_us)? {}
        let youngest_us = self.past.back().map_or(0, |position| position.at_us);
        let horizon_us = youngest_us.min(now_us).saturating_sub(self.kept_us);
        while self.past.len() > 1 && self.past[1].at_us <= horizon_us {
            self.past.pop_front();
            self.heard = self.heard.split_off(&self.past[0].at_us);
        }
        let kept_from_us = self.past[0].at_us;
        let found = self.past.iter().rev().find(|position| position.at_us <= now_us);
        let position = found.ok_or(TrackError::TooLate { at_us: now_us, kept_from_us })?;
        Ok((&position.state, position.at_us))
    }

    /// Computes one more state, if anything happens until an instant.
    fn advance(&mut self, until_us: u64) -> Result<bool, TrackError> {
        let Some(last) = self.past.back().filter(|last| !last.is_over) else { return Ok(false) };
        let rest = self.heard.get(&last.at_us).and_then(|groups| groups.get(last.taken));
        let (at_us, moves, taken) = match rest {
            Some(moves) => (last.at_us, moves.clone(), last.taken + 1),
            None => {
                let expiry = last.state.next_expiry().map(|micros| last.at_us.saturating_add(micros));
                let told = self.heard.range(last.at_us + 1..).next();
                let next = expiry.into_iter().chain(told.map(|(at_us, _)| *at_us)).min();
                let Some(at_us) = next else { return Ok(false) };
                let first =
                    told.filter(|(told_us, _)| **told_us == at_us).and_then(|(_, groups)| groups.first());
                // Chance moves behind what expires, in an update of its own.
                let random = self.game.roles().random();
                let is_chance =
                    |moves: &&Vec<(RoleId, MoveId)>| moves.iter().all(|(role, _)| random == Some(*role));
                let joined = first.filter(|moves| expiry != Some(at_us) || !is_chance(moves));
                (at_us, joined.cloned().unwrap_or_default(), usize::from(joined.is_some()))
            }
        };
        if at_us > until_us {
            return Ok(false);
        }
        let update = self.game.update(&last.state, at_us - last.at_us, &moves, &mut self.scratch)?;
        let is_over = self.game.is_terminal(&update.successor, &mut self.scratch)?;
        self.past.push_back(Position { state: update.successor, at_us, taken, is_over });
        Ok(true)
    }
}
