//! The states that a role of a real-time match can be in, all of them: where the rules hide something, what is shown to it is proved by these.
//!
//! Others may move at any instant, so there are too many histories to list. But a move that the role would have been told of has not
//! happened while it was told nothing. If that holds of every move that somebody could make, nothing happens between two notices but
//! what the rules do by themselves: lifetimes end, and chance draws at once. Then the states are few, and they are all here. As soon as
//! somebody could move unseen, nothing is proved any more, and this says so.
//!
//! Whether a move is seen must not depend on the instant at which it is made. Rules that a network computes never look at lifetimes, so
//! one instant between two ends of lifetimes stands for all of them; nothing is proved of other rules.

use std::{mem, sync::Arc};

use croupier_engine::{
    MoveId, Percepts, RoleId,
    realtime::{RealTimeGame, RealTimeScratch, TimedState},
};
use croupier_players::realtime::TimedTurn;
use rustc_hash::FxHashSet;

/// States at once; with more, nothing is proved.
const STATES_MAX: usize = 2_000;

/// Updates from one notice to the next, or to an instant; with more, nothing is proved.
const UPDATES_MAX: u64 = 60_000;

/// Ways for the others to move together that are looked at in one state.
const JOINT_MAX: usize = 256;

/// How late a notice may come, in microseconds: until then the role does not take it that it was told nothing.
pub(super) const LATE_US: u64 = 250_000;

/// A state with the instant of the update that made it, in microseconds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct TimedMoment {
    pub(super) state: TimedState,
    pub(super) at_us: u64,
}

impl TimedMoment {
    /// The instant of the next end of a lifetime.
    pub(super) fn expiry_us(&self) -> Option<u64> {
        self.state.next_expiry().map(|micros| self.at_us.saturating_add(micros))
    }
}

/// All states that agree with what a role was told.
#[derive(Debug)]
pub(super) struct PossibleMoments {
    game: Arc<RealTimeGame>,
    role: RoleId,
    scratch: RealTimeScratch,
    /// Those after the last notice; in some, chance may be about to draw what the role would be told of.
    moments: FxHashSet<TimedMoment>,
    /// Those in which nobody can move unseen before something ends.
    watched: FxHashSet<TimedMoment>,
    updates: u64,
}

/// What an update tells the role, and the state after it.
struct Step {
    percepts: Percepts,
    after: TimedMoment,
}

impl PossibleMoments {
    /// Before anything happened; `None` if nothing can be proved of these rules.
    pub(super) fn new(game: Arc<RealTimeGame>, role: RoleId) -> Option<Self> {
        game.network()?;
        let first = TimedMoment { state: game.initial_state().clone(), at_us: 0 };
        let mut possible = Self {
            role,
            scratch: game.scratch(),
            game,
            moments: FxHashSet::default(),
            watched: FxHashSet::default(),
            updates: 0,
        };
        possible.moments = possible.settled(vec![first])?;
        Some(possible)
    }

    /// Takes in a notice; `None` if nothing is proved any more.
    pub(super) fn take(mut self, told: &TimedTurn) -> Option<Self> {
        self.updates = 0;
        let mut found = Vec::new();
        for moment in mem::take(&mut self.moments) {
            for before in self.run(moment, told.at_us, None)? {
                found.extend(self.told(&before, told)?);
            }
        }
        self.moments = self.settled(found)?;
        self.watched.clear();
        (!self.moments.is_empty()).then_some(self)
    }

    /// The states at an instant if the role was told nothing since the last notice, or a notice is on its way; `None` if nothing is proved.
    pub(super) fn at(&mut self, now_us: u64) -> Option<Vec<TimedMoment>> {
        self.updates = 0;
        let found = self.untold(now_us, now_us.saturating_sub(LATE_US))?;
        // A notice can be later than any state allows.
        let found = if found.is_empty() { self.untold(now_us, 0)? } else { found };
        Some(found.into_iter().collect())
    }

    /// The states at an instant if the role was told nothing, or something from `late_us` on.
    fn untold(&mut self, now_us: u64, late_us: u64) -> Option<FxHashSet<TimedMoment>> {
        let mut found = FxHashSet::default();
        for moment in self.moments.clone() {
            found.extend(self.run(moment, now_us.saturating_add(1), Some(late_us))?);
            if found.len() > STATES_MAX {
                return None;
            }
        }
        Some(found)
    }

    /// A state as it can be when everything has ended that ends before an instant, and the role was told nothing of that. What it would have
    /// been told from `late_us` on may be on its way: then the state stays as it was before.
    fn run(&mut self, moment: TimedMoment, before_us: u64, late_us: Option<u64>) -> Option<Vec<TimedMoment>> {
        let (mut open, mut found) = (vec![moment], Vec::new());
        while let Some(moment) = open.pop() {
            let is_told_late = |at_us: u64| late_us.is_some_and(|late_us| at_us >= late_us);
            if self.is_over(&moment)? {
                // The end is told to everybody.
                found.extend(Some(moment).filter(|moment| is_told_late(moment.at_us)));
                continue;
            }
            if self.draws(&moment)?.is_some() {
                // Chance draws at once, and the role would have been told.
                if moment.at_us >= before_us || is_told_late(moment.at_us) {
                    found.push(moment);
                }
                continue;
            }
            if !self.watched.contains(&moment) {
                self.demand_watched(&moment)?;
                self.watched.insert(moment.clone());
            }
            let Some(at_us) = moment.expiry_us().filter(|&at_us| at_us < before_us) else {
                found.push(moment);
                continue;
            };
            let step = self.step(&moment, at_us, &[])?;
            if step.percepts.is_empty() {
                open.extend(self.settled(vec![step.after])?);
            } else if is_told_late(at_us) {
                found.push(moment);
            }
        }
        Some(found)
    }

    /// The states after a notice, if the match was in this one just before its instant.
    fn told(&mut self, before: &TimedMoment, told: &TimedTurn) -> Option<Vec<TimedMoment>> {
        if before.at_us > told.at_us {
            return Some(Vec::new());
        }
        if let Some(draws) = self.draws(before)? {
            return if before.at_us == told.at_us {
                self.drawn(before, draws, told)
            } else {
                Some(Vec::new())
            };
        }
        if self.is_over(before)? {
            return Some(Vec::new());
        }
        let own: Vec<(RoleId, MoveId)> = told.own_move.map(|own| (self.role, own)).into_iter().collect();
        let has_expiry = before.expiry_us() == Some(told.at_us);
        let mut found = Vec::new();
        for mut moves in self.joints(before)? {
            moves.extend(&own);
            moves.sort_unstable_by_key(|(role, _)| *role);
            if moves.is_empty() && !has_expiry {
                continue;
            }
            let step = self.step(before, told.at_us, &moves)?;
            if step.percepts == told.percepts {
                found.push(step.after);
            } else if own.is_empty() && step.percepts.is_empty() {
                // What was told may come of chance, which draws behind this update.
                for behind in self.settled(vec![step.after])? {
                    if let Some(draws) = self.draws(&behind)? {
                        found.extend(self.drawn(&behind, draws, told)?);
                    }
                }
            }
        }
        Some(found)
    }

    /// The states after draws of chance of which this is told.
    fn drawn(
        &mut self,
        before: &TimedMoment,
        draws: Vec<(RoleId, MoveId)>,
        told: &TimedTurn,
    ) -> Option<Vec<TimedMoment>> {
        let mut found = Vec::new();
        for draw in draws.into_iter().filter(|_| told.own_move.is_none()) {
            let step = self.step(before, before.at_us, &[draw])?;
            if step.percepts == told.percepts {
                found.push(step.after);
            }
        }
        Some(found)
    }

    /// The states after all draws of chance that the role is told nothing of; one in which a draw may be told stays as well.
    fn settled(&mut self, moments: Vec<TimedMoment>) -> Option<FxHashSet<TimedMoment>> {
        let (mut found, mut open) = (FxHashSet::default(), moments);
        let mut seen = FxHashSet::default();
        while let Some(moment) = open.pop() {
            if !seen.insert(moment.clone()) {
                continue;
            }
            if seen.len() > STATES_MAX {
                return None;
            }
            let mut is_told = false;
            let draws = self.draws(&moment)?;
            let is_quiet = draws.is_none();
            for draw in draws.into_iter().flatten() {
                let step = self.step(&moment, moment.at_us, &[draw])?;
                match step.percepts.is_empty() {
                    true => open.push(step.after),
                    false => is_told = true,
                }
            }
            if is_quiet || is_told {
                found.insert(moment);
            }
        }
        Some(found)
    }

    /// Rejects a state in which others can move so that the role is not told: between two ends of lifetimes, or when one ends.
    fn demand_watched(&mut self, moment: &TimedMoment) -> Option<()> {
        let expiry_us = moment.expiry_us();
        let between_us = expiry_us.is_none_or(|at_us| at_us > moment.at_us + 1).then_some(moment.at_us + 1);
        let joints = self.joints(moment)?;
        for moves in joints.iter().filter(|moves| !moves.is_empty()) {
            for at_us in between_us.into_iter().chain(expiry_us) {
                if self.step(moment, at_us, moves)?.percepts.is_empty() {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Everything that the other players can do at one instant: each of them moves or does not.
    fn joints(&mut self, moment: &TimedMoment) -> Option<Vec<Vec<(RoleId, MoveId)>>> {
        let legal = self.game.legal_moves(&moment.state, &mut self.scratch).ok()?;
        let mut joints = vec![Vec::new()];
        for other in self.game.roles().players().filter(|&other| other != self.role) {
            if joints.len() * (legal[other].len() + 1) > JOINT_MAX {
                return None;
            }
            let mut more = Vec::new();
            for joint in &joints {
                more.extend(legal[other].iter().map(|&played| [&joint[..], &[(other, played)]].concat()));
            }
            joints.extend(more);
        }
        Some(joints)
    }

    /// What chance can draw; inside, `None` if it has nothing to draw.
    fn draws(&mut self, moment: &TimedMoment) -> Option<Option<Vec<(RoleId, MoveId)>>> {
        let Some(random) = self.game.roles().random() else { return Some(None) };
        if self.is_over(moment)? {
            return Some(None);
        }
        let legal = self.game.legal_moves(&moment.state, &mut self.scratch).ok()?;
        let draws: Vec<_> = legal[random].iter().map(|&drawn| (random, drawn)).collect();
        Some((!draws.is_empty()).then_some(draws))
    }

    fn step(&mut self, from: &TimedMoment, at_us: u64, moves: &[(RoleId, MoveId)]) -> Option<Step> {
        self.updates += 1;
        let elapsed = at_us.checked_sub(from.at_us).filter(|_| self.updates <= UPDATES_MAX)?;
        let mut update = self.game.update(&from.state, elapsed, moves, &mut self.scratch).ok()?;
        let percepts = mem::take(&mut update.percepts[self.role]);
        Some(Step { percepts, after: TimedMoment { state: update.successor, at_us } })
    }

    fn is_over(&mut self, moment: &TimedMoment) -> Option<bool> {
        self.game.is_terminal(&moment.state, &mut self.scratch).ok()
    }
}
