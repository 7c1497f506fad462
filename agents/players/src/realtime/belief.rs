//! The belief of a player of a real-time game: possible matches that agree with everything it was told.

use croupier_engine::{
    ByPlayer, MoveId, RoleId,
    draw::{draw_index, shuffle},
    realtime::RealTimeError,
};

use super::{
    TimedTurn,
    walk::{TimedPosition, Timer, Walk, WalkEnd, told_of},
};

/// Ways for others to have moved at one instant that are tried for one match.
const JOINT_TRIES: usize = 64;

/// Attempts per requested match.
const ATTEMPTS: usize = 20;

/// Moves of chance in a row that are followed.
const CHANCE_RUN_MAX: usize = 1_000;

/// Possible matches that agree with what one player did and was told, with others' moves at instants that it cannot know.
///
/// Other players are assumed to move at random, at the rate used in the player's playouts; between two notices they do nothing that
/// the player would have been told. All matches have equal weight: observations of chance are not weighted by their likelihood.
#[derive(Debug)]
pub struct TimedBelief {
    role: RoleId,
    wanted: usize,
    /// Matches as they could be after the last notice.
    positions: Vec<TimedPosition>,
    /// The same, played on to just before the last question: so that the next one need not begin at the notice again.
    running: Vec<ContinuedMatch>,
    /// The number of notices already reflected in the positions.
    heard: usize,
}

/// A match that is played on from question to question.
#[derive(Clone, Debug)]
struct ContinuedMatch {
    position: TimedPosition,
    /// When others move next in it.
    timers: ByPlayer<Timer>,
}

impl TimedBelief {
    /// The belief before anything happened.
    #[must_use]
    pub fn new(role: RoleId, wanted: usize) -> Self {
        Self { role, wanted: wanted.max(1), positions: Vec::new(), running: Vec::new(), heard: 0 }
    }

    /// Matches as they could be at an instant, after all that was told; perhaps none, if none was found.
    ///
    /// # Errors
    /// [`RealTimeError`] if the rules fail in one of them.
    pub fn positions(
        &mut self,
        told: &[TimedTurn],
        now_us: u64,
        walk: &mut Walk,
    ) -> Result<Vec<TimedPosition>, RealTimeError> {
        if self.positions.is_empty() || told.len() > self.heard {
            // Where no match is left, all of them are looked for again from the beginning.
            let is_new = self.positions.is_empty();
            let from = if is_new { 0 } else { self.heard };
            self.positions = self.followed(&told[from..], is_new, walk)?;
            if self.positions.is_empty() && !is_new {
                self.positions = self.followed(told, true, walk)?;
            }
            self.running.clear();
            self.heard = told.len();
        }
        // What happens at this instant may still be told, so it is played anew each time.
        self.advance(now_us.saturating_sub(1), walk)?;
        let now = self.played_on(self.running.clone(), now_us, walk)?;
        Ok(now.into_iter().map(|running| running.position).collect())
    }

    /// Plays the matches on until an instant. One in which the player would have been told something is replaced by another;
    /// where that is all of them, they are played from the last notice again.
    fn advance(&mut self, until_us: u64, walk: &mut Walk) -> Result<(), RealTimeError> {
        let running = std::mem::take(&mut self.running);
        self.running = self.played_on(running, until_us, walk)?;
        if self.running.is_empty() {
            let start = |position: &TimedPosition| self.running_from(position.clone(), walk);
            let starts = self.positions.iter().map(start).collect();
            self.running = self.played_on(starts, until_us, walk)?;
        }
        let found = self.running.len();
        if found > 0 {
            for _ in found..self.positions.len() {
                self.running.push(self.running[draw_index(found, walk.rng())].clone());
            }
        }
        Ok(())
    }

    /// Those of some matches that agree with being told nothing until an instant, as they are then.
    fn played_on(
        &self,
        matches: Vec<ContinuedMatch>,
        until_us: u64,
        walk: &mut Walk,
    ) -> Result<Vec<ContinuedMatch>, RealTimeError> {
        let mut found = Vec::with_capacity(matches.len());
        for ContinuedMatch { mut position, mut timers } in matches {
            let end = walk.play_on(&mut position, &mut timers, until_us, Some(self.role), true)?;
            if matches!(end, WalkEnd::Until | WalkEnd::GivenUp) {
                found.push(ContinuedMatch { position, timers });
            }
        }
        Ok(found)
    }

    /// A match that others play on from its last update.
    fn running_from(&self, position: TimedPosition, walk: &mut Walk) -> ContinuedMatch {
        let timers = walk.timers(position.at_us, Some(self.role));
        ContinuedMatch { position, timers }
    }

    /// Matches after some more notices.
    fn followed(
        &self,
        told: &[TimedTurn],
        is_new: bool,
        walk: &mut Walk,
    ) -> Result<Vec<TimedPosition>, RealTimeError> {
        let mut found = Vec::new();
        for _ in 0..self.wanted * ATTEMPTS {
            let start = match (is_new, self.running.len()) {
                (true, _) => {
                    let first = TimedPosition { state: walk.game().initial_state().clone(), at_us: 0 };
                    self.running_from(first, walk)
                }
                (false, 0) => {
                    let place = draw_index(self.positions.len(), walk.rng());
                    self.running_from(self.positions[place].clone(), walk)
                }
                (false, running) => self.running[draw_index(running, walk.rng())].clone(),
            };
            found.extend(self.follow(start, told, is_new, walk)?);
            if found.len() == self.wanted {
                break;
            }
        }
        Ok(found)
    }

    /// One match after some more notices, if these draws agree with them.
    fn follow(
        &self,
        start: ContinuedMatch,
        told: &[TimedTurn],
        is_new: bool,
        walk: &mut Walk,
    ) -> Result<Option<TimedPosition>, RealTimeError> {
        let ContinuedMatch { mut position, mut timers } = start;
        let mut rest = told;
        if is_new && !self.follow_chance(&mut position, &mut rest, walk)? {
            return Ok(None);
        }
        while let Some(next) = rest.first() {
            let before = next.at_us.saturating_sub(1);
            let end = walk.play_on(&mut position, &mut timers, before, Some(self.role), true)?;
            if !matches!(end, WalkEnd::Until | WalkEnd::GivenUp)
                || !self.follow_moves(&mut position, &mut rest, walk)?
            {
                return Ok(None);
            }
            timers = walk.timers(position.at_us, Some(self.role));
        }
        Ok(Some(position))
    }

    /// Finds moves of others at the instant of the next notice that produce exactly this notice, followed by chance.
    fn follow_moves(
        &self,
        position: &mut TimedPosition,
        rest: &mut &[TimedTurn],
        walk: &mut Walk,
    ) -> Result<bool, RealTimeError> {
        let next = &rest[0];
        if next.at_us < position.at_us {
            return Ok(false);
        }
        for moves in self.joint_moves(position, next.own_move, walk)? {
            let update = walk.update(position, next.at_us, &moves)?;
            let told = told_of(self.role, next.at_us, &moves, &update.percepts);
            let successor = TimedPosition { state: update.successor, at_us: next.at_us };
            let (mut after, mut left) = (successor, *rest);
            match told {
                Some(told) if told == *next => left = &left[1..],
                Some(_) => continue,
                // What is told then may come from a move of chance behind this one.
                None => {}
            }
            if self.follow_chance(&mut after, &mut left, walk)? && left.len() < rest.len() {
                (*position, *rest) = (after, left);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The moves of others that can accompany the player's own move, in random order: all if they are few, otherwise some.
    fn joint_moves(
        &self,
        position: &TimedPosition,
        own_move: Option<MoveId>,
        walk: &mut Walk,
    ) -> Result<Vec<Vec<(RoleId, MoveId)>>, RealTimeError> {
        let roles = walk.game().roles().clone();
        let mut lists: Vec<Vec<(RoleId, MoveId)>> =
            vec![own_move.map(|own| (self.role, own)).into_iter().collect()];
        for role in roles.players().filter(|&role| role != self.role) {
            let legal = walk.legal(&position.state, role)?;
            let more = lists.len() * (legal.len() + 1) <= JOINT_TRIES;
            let mut longer = Vec::new();
            for list in &lists {
                let chosen: Vec<MoveId> = match more {
                    true => legal.clone(),
                    false => (!legal.is_empty())
                        .then(|| legal[draw_index(legal.len(), walk.rng())])
                        .into_iter()
                        .collect(),
                };
                longer.extend(chosen.into_iter().map(|played| {
                    let mut list = list.clone();
                    list.push((role, played));
                    list
                }));
            }
            lists.extend(longer);
        }
        lists.iter_mut().for_each(|list| list.sort_unstable_by_key(|(role, _)| *role));
        shuffle(&mut lists, walk.rng());
        Ok(lists)
    }

    /// Lets chance move so that the player is told exactly what it was told at this instant; returns whether that is possible.
    fn follow_chance(
        &self,
        position: &mut TimedPosition,
        rest: &mut &[TimedTurn],
        walk: &mut Walk,
    ) -> Result<bool, RealTimeError> {
        for _ in 0..CHANCE_RUN_MAX {
            let Some((random, mut legal)) = walk.chances(&position.state)? else { break };
            shuffle(&mut legal, walk.rng());
            let expected = rest.first().filter(|told| told.at_us == position.at_us);
            let mut is_followed = false;
            for drawn in legal {
                let moves = [(random, drawn)];
                let update = walk.update(position, position.at_us, &moves)?;
                let told = told_of(self.role, position.at_us, &moves, &update.percepts);
                if told.is_some() && told.as_ref() != expected {
                    continue;
                }
                if told.is_some() {
                    *rest = &rest[1..];
                }
                position.state = update.successor;
                is_followed = true;
                break;
            }
            if !is_followed {
                return Ok(false);
            }
        }
        // A match that is over tells nothing more.
        Ok(rest.is_empty() || !walk.is_over(&position.state)?)
    }
}
