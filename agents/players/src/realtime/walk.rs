//! Random continuation of a real-time match, with what one player is told on the way.

use std::sync::Arc;

use croupier_engine::{
    ByPlayer, GoalValue, MoveId, Percepts, RoleId,
    draw::{draw, draw_index},
    realtime::{RealTimeError, RealTimeGame, RealTimeScratch, TimedState, Update},
};
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;

use super::TimedTurn;

/// Updates of a random course before it is given up.
const UPDATES_MAX: u32 = 5_000;

/// Terms that a fork may accumulate before it is replaced: compared with that many terms a fork costs little, and they take little memory.
const TERMS_MANY: usize = 50_000;

/// Moves of chance in a row before a course is given up.
const CHANCE_RUN_MAX: u32 = 1_000;

/// A real-time match at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedPosition {
    /// The state after the last update.
    pub state: TimedState,
    /// The instant of that update, in microseconds.
    pub at_us: u64,
}

impl TimedPosition {
    /// The instant of the next expiry.
    #[must_use]
    pub fn expiry_us(&self) -> Option<u64> {
        self.state.next_expiry().map(|micros| self.at_us.saturating_add(micros))
    }
}

/// Why a walk stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// Nothing happens before the instant that it was to stop at.
    Until,
    /// The match is over.
    Over,
    /// The observer was told this, one notice after another.
    Told(Vec<TimedTurn>),
    /// It took too many updates, or nothing can happen any more.
    GivenUp,
}

/// One thread's walks through matches of a game.
#[derive(Debug)]
pub struct Walk {
    game: Arc<RealTimeGame>,
    scratch: RealTimeScratch,
    rng: ChaCha20Rng,
    /// Microseconds between two moves of a player, on average.
    mean_us: u64,
    updates: u64,
    /// Terms from which on these walks had better be forgotten.
    terms_many: usize,
}

/// A player's next move in a walk: when, and which if it is given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timer {
    pub(super) at_us: u64,
    pub(super) chosen: Option<MoveId>,
}

impl Walk {
    /// Walks in which a player moves every `mean_us` microseconds on average.
    #[must_use]
    pub fn new(game: Arc<RealTimeGame>, rng: ChaCha20Rng, mean_us: u64) -> Self {
        let scratch = game.scratch();
        Self { game, scratch, rng, mean_us: mean_us.max(1), updates: 0, terms_many: usize::MAX }
    }

    /// Random playouts whose terms are discarded afterwards: the states, moves and percepts that they produce are meaningless outside. A search
    /// whose rules carry times in terms would run out of them otherwise.
    pub fn apart<T>(&mut self, walking: impl FnOnce(&mut Self) -> T) -> T {
        if self.game.network().is_some() {
            // A network knows all of its terms from the beginning.
            return walking(self);
        }
        let mut apart = Self::new(Arc::new(self.game.fork()), self.rng.clone(), self.mean_us);
        let known = self.game.terms_count();
        let left = self.game.limits().terms.saturating_sub(known);
        apart.terms_many = known + TERMS_MANY.min(left / 2);
        let found = walking(&mut apart);
        self.rng = apart.rng;
        self.updates += apart.updates;
        found
    }

    /// Whether walks that are [`apart`](Self::apart) have met many terms, and had better be left.
    pub(super) fn has_met_many_terms(&self) -> bool {
        self.game.network().is_none() && self.game.terms_count() > self.terms_many
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Arc<RealTimeGame> {
        &self.game
    }

    /// How many updates were computed.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.updates
    }

    pub(super) fn rng(&mut self) -> &mut ChaCha20Rng {
        &mut self.rng
    }

    /// Microseconds to a player's next move.
    pub(super) fn delay_us(&mut self) -> u64 {
        1 + draw(2 * self.mean_us, || self.rng.next_u64())
    }

    /// A match at its start, after the first moves of chance.
    ///
    /// # Errors
    /// [`RealTimeError`] if the rules fail.
    pub fn beginning(&mut self) -> Result<TimedPosition, RealTimeError> {
        let mut position = TimedPosition { state: self.game.initial_state().clone(), at_us: 0 };
        self.let_chance_move(&mut position, None, &mut Vec::new())?;
        Ok(position)
    }

    /// Plays on at random to the end.
    ///
    /// # Errors
    /// [`RealTimeError`] if the rules fail.
    pub fn to_the_end(&mut self, position: &mut TimedPosition) -> Result<WalkEnd, RealTimeError> {
        if self.is_over(&position.state)? {
            return Ok(WalkEnd::Over);
        }
        let mut timers = self.timers(position.at_us, None);
        self.play_on(position, &mut timers, u64::MAX, None, false)
    }

    /// The value of a match for each player.
    ///
    /// # Errors
    /// [`RealTimeError`] if the rules do not say.
    pub fn goals(&mut self, position: &TimedPosition) -> Result<ByPlayer<GoalValue>, RealTimeError> {
        self.game.goals(&position.state, &mut self.scratch)
    }

    /// Timers for everybody but one, from an instant on.
    pub(super) fn timers(&mut self, now_us: u64, silent: Option<RoleId>) -> ByPlayer<Timer> {
        let roles = self.game.roles().clone();
        ByPlayer::from_fn(&roles, |role| match Some(role) == silent {
            true => Timer { at_us: u64::MAX, chosen: None },
            false => Timer { at_us: now_us.saturating_add(self.delay_us()), chosen: None },
        })
    }

    /// The legal moves of a role.
    pub(super) fn legal(&mut self, state: &TimedState, role: RoleId) -> Result<Vec<MoveId>, RealTimeError> {
        Ok(self.game.legal_moves(state, &mut self.scratch)?[role].clone())
    }

    /// Whether a match is over.
    pub(super) fn is_over(&mut self, state: &TimedState) -> Result<bool, RealTimeError> {
        self.game.is_terminal(state, &mut self.scratch)
    }

    /// The value of a state for a player.
    pub(super) fn goal(&mut self, state: &TimedState, role: RoleId) -> Result<i32, RealTimeError> {
        Ok(self.game.goals(state, &mut self.scratch)?[role].value())
    }

    pub(super) fn update(
        &mut self,
        position: &TimedPosition,
        at_us: u64,
        moves: &[(RoleId, MoveId)],
    ) -> Result<Update, RealTimeError> {
        self.updates += 1;
        self.game.update(&position.state, at_us - position.at_us, moves, &mut self.scratch)
    }

    /// Plays on until an instant, inclusive, the end of the match, or until the observer is told something.
    ///
    /// Draws the moves of players whose timers fire, or uses the given ones; `quiet` excludes moves of others that would tell the
    /// observer something, because it was told nothing at that instant.
    pub(super) fn play_on(
        &mut self,
        position: &mut TimedPosition,
        timers: &mut ByPlayer<Timer>,
        until_us: u64,
        observer: Option<RoleId>,
        quiet: bool,
    ) -> Result<WalkEnd, RealTimeError> {
        for _ in 0..UPDATES_MAX {
            let expiry = position.expiry_us();
            let ring = timers.iter().map(|(_, timer)| timer.at_us).min().unwrap_or(u64::MAX);
            let at_us = expiry.unwrap_or(u64::MAX).min(ring);
            if at_us == u64::MAX && until_us == u64::MAX {
                return Ok(WalkEnd::GivenUp);
            }
            if at_us > until_us {
                return Ok(WalkEnd::Until);
            }
            let mut moves = self.rung(position, timers, at_us)?;
            if quiet && !self.is_quiet(position, at_us, &moves, observer)? {
                moves.clear();
            }
            if moves.is_empty() && expiry != Some(at_us) {
                if ring == u64::MAX || self.is_stuck(position)? {
                    return Ok(WalkEnd::GivenUp);
                }
                continue;
            }
            let told = self.carry_out(position, at_us, &moves, observer)?;
            if self.is_over(&position.state)? {
                return Ok(WalkEnd::Over);
            }
            if !told.is_empty() {
                return Ok(WalkEnd::Told(told));
            }
        }
        Ok(WalkEnd::GivenUp)
    }

    /// Whether nobody can move and nothing expires, so that nothing ever happens again.
    ///
    /// # Errors
    /// [`RealTimeError`] if the rules fail.
    pub fn is_stuck(&mut self, position: &TimedPosition) -> Result<bool, RealTimeError> {
        if position.expiry_us().is_some() {
            return Ok(false);
        }
        let legal = self.game.legal_moves(&position.state, &mut self.scratch)?;
        Ok(legal.iter().all(|(_, moves)| moves.is_empty()))
    }

    /// The moves of players whose timers fire; the timers are set again.
    fn rung(
        &mut self,
        position: &TimedPosition,
        timers: &mut ByPlayer<Timer>,
        at_us: u64,
    ) -> Result<Vec<(RoleId, MoveId)>, RealTimeError> {
        let ringing: Vec<RoleId> =
            timers.iter().filter(|(_, timer)| timer.at_us == at_us).map(|(role, _)| role).collect();
        let mut moves = Vec::new();
        if ringing.is_empty() {
            return Ok(moves);
        }
        let legal = self.game.legal_moves(&position.state, &mut self.scratch)?;
        for role in ringing {
            let found = match timers[role].chosen {
                Some(chosen) => legal[role].contains(&chosen).then_some(chosen),
                None if legal[role].is_empty() => None,
                None => Some(legal[role][draw_index(legal[role].len(), &mut self.rng)]),
            };
            moves.extend(found.map(|found| (role, found)));
            let at_us = match timers[role].chosen {
                Some(_) => u64::MAX,
                None => at_us.saturating_add(self.delay_us()),
            };
            timers[role] = Timer { at_us, chosen: None };
        }
        Ok(moves)
    }

    fn is_quiet(
        &mut self,
        position: &TimedPosition,
        at_us: u64,
        moves: &[(RoleId, MoveId)],
        observer: Option<RoleId>,
    ) -> Result<bool, RealTimeError> {
        let Some(observer) = observer.filter(|_| !moves.is_empty()) else { return Ok(true) };
        Ok(self.update(position, at_us, moves)?.percepts[observer].is_empty())
    }

    /// Plays moves at an instant, followed by those of chance; returns what the observer is told.
    pub(super) fn carry_out(
        &mut self,
        position: &mut TimedPosition,
        at_us: u64,
        moves: &[(RoleId, MoveId)],
        observer: Option<RoleId>,
    ) -> Result<Vec<TimedTurn>, RealTimeError> {
        let mut told = Vec::new();
        let update = self.update(position, at_us, moves)?;
        told.extend(observer.and_then(|role| told_of(role, at_us, moves, &update.percepts)));
        *position = TimedPosition { state: update.successor, at_us };
        self.let_chance_move(position, observer, &mut told)?;
        Ok(told)
    }

    /// Lets `random` move as long as it can.
    pub(super) fn let_chance_move(
        &mut self,
        position: &mut TimedPosition,
        observer: Option<RoleId>,
        told: &mut Vec<TimedTurn>,
    ) -> Result<(), RealTimeError> {
        for _ in 0..CHANCE_RUN_MAX {
            let Some(choices) = self.chances(&position.state)? else { return Ok(()) };
            let (random, legal) = choices;
            let drawn = (random, legal[draw_index(legal.len(), &mut self.rng)]);
            let update = self.update(position, position.at_us, &[drawn])?;
            told.extend(observer.and_then(|role| told_of(role, position.at_us, &[drawn], &update.percepts)));
            position.state = update.successor;
        }
        Ok(())
    }

    /// The legal moves of chance in a state, if it has any.
    pub(super) fn chances(
        &mut self,
        state: &TimedState,
    ) -> Result<Option<(RoleId, Vec<MoveId>)>, RealTimeError> {
        let Some(random) = self.game.roles().random() else { return Ok(None) };
        if self.is_over(state)? {
            return Ok(None);
        }
        let legal = self.legal(state, random)?;
        Ok((!legal.is_empty()).then_some((random, legal)))
    }
}

/// What a role is told about an update, if anything.
pub(super) fn told_of(
    role: RoleId,
    at_us: u64,
    moves: &[(RoleId, MoveId)],
    percepts: &ByPlayer<Percepts>,
) -> Option<TimedTurn> {
    let own_move = moves.iter().find(|(mover, _)| *mover == role).map(|(_, played)| *played);
    let percepts = percepts[role].clone();
    (own_move.is_some() || !percepts.is_empty()).then_some(TimedTurn { at_us, own_move, percepts })
}
