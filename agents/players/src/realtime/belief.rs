//! The belief of a player of a real-time game: possible matches that agree with everything it was told.

use croupier_engine::{
    MoveId, RoleId,
    draw::{draw_index, shuffle},
    realtime::RealTimeError,
};

use super::{
    Told,
    walk::{TimedPosition, Walk, WalkEnd, told_of},
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
    positions: Vec<TimedPosition>,
    /// The number of notices already reflected in the positions.
    heard: usize,
}

impl TimedBelief {
    /// The belief before anything happened.
    #[must_use]
    pub fn new(role: RoleId, wanted: usize) -> Self {
        Self { role, wanted: wanted.max(1), positions: Vec::new(), heard: 0 }
    }

    /// Matches as they could be at an instant, after all that was told; perhaps none, if none was found.
    ///
    /// # Errors
    /// [`RealTimeError`] if the rules fail in one of them.
    pub fn positions(
        &mut self,
        told: &[Told],
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
            self.heard = told.len();
        }
        let mut now = Vec::with_capacity(self.positions.len());
        for position in &self.positions {
            let mut position = position.clone();
            let mut timers = walk.timers(position.at_us, Some(self.role));
            let end = walk.play_on(&mut position, &mut timers, now_us, Some(self.role), true)?;
            if matches!(end, WalkEnd::Until | WalkEnd::GivenUp) {
                now.push(position);
            }
        }
        Ok(now)
    }

    /// Matches after some more notices.
    fn followed(
        &self,
        told: &[Told],
        is_new: bool,
        walk: &mut Walk,
    ) -> Result<Vec<TimedPosition>, RealTimeError> {
        let mut found = Vec::new();
        for _ in 0..self.wanted * ATTEMPTS {
            let start = match is_new {
                true => TimedPosition { state: walk.game().initial_state().clone(), at_us: 0 },
                false => self.positions[draw_index(self.positions.len(), walk.rng())].clone(),
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
        mut position: TimedPosition,
        told: &[Told],
        is_new: bool,
        walk: &mut Walk,
    ) -> Result<Option<TimedPosition>, RealTimeError> {
        let mut rest = told;
        if is_new && !self.follow_chance(&mut position, &mut rest, walk)? {
            return Ok(None);
        }
        while let Some(next) = rest.first() {
            let mut timers = walk.timers(position.at_us, Some(self.role));
            let before = next.at_us.saturating_sub(1);
            let end = walk.play_on(&mut position, &mut timers, before, Some(self.role), true)?;
            if !matches!(end, WalkEnd::Until | WalkEnd::GivenUp)
                || !self.follow_moves(&mut position, &mut rest, walk)?
            {
                return Ok(None);
            }
        }
        Ok(Some(position))
    }

    /// Finds moves of others at the instant of the next notice that produce exactly this notice, followed by chance.
    fn follow_moves(
        &self,
        position: &mut TimedPosition,
        rest: &mut &[Told],
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
        rest: &mut &[Told],
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
