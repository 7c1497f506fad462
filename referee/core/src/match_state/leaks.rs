//! The effects of [mutants](crate::mutant) on a match; compiled only for tests.

use std::sync::Arc;

use croupier_engine::{RoleId, State};

use super::{MatchState, Request};
use crate::{
    event::{Effect, Outcome},
    mutant::{Mutant, is_on},
    view::{Message, Moment, OwnTurn},
};

fn last_of(message: &mut Message) -> Option<&mut OwnTurn> {
    match message {
        Message::Play { last, .. } | Message::Stop { last, .. } => last.as_mut(),
        Message::Start { .. } | Message::Reveal { .. } | Message::Abort { .. } => None,
    }
}

impl MatchState {
    fn each_message(&mut self, mut change: impl FnMut(RoleId, &mut OwnTurn)) {
        for effect in &mut self.effects {
            if let Effect::Send { role, message } = effect
                && let Some(last) = last_of(message)
            {
                change(*role, last);
            }
        }
    }

    /// Adds to the messages that are about to be sent.
    pub(super) fn leak(&mut self, moment: Moment) {
        let players: Vec<RoleId> = self.header.roles().players().collect();
        let latest = |role: RoleId| self.own[role].turns.last();
        if is_on(Mutant::StopWithJointMove) && moment == Moment::Stop {
            let moves = players.iter().filter_map(|&role| Some(Arc::clone(&latest(role)?.own_move)));
            let moves: Vec<Arc<str>> = moves.collect();
            self.each_message(|_, last| last.percepts.clone_from(&moves));
        }
        if is_on(Mutant::PerceptsOfNeighbour) {
            let next = |role: RoleId| {
                let place = players.iter().position(|other| *other == role).map_or(0, |place| place + 1);
                players[place % players.len()]
            };
            let of_next = self.own.clone();
            self.each_message(|role, last| {
                if let Some(turn) = of_next[next(role)].turns.last() {
                    last.percepts.clone_from(&turn.percepts);
                }
            });
        }
        if is_on(Mutant::ErrorsOfOthers) {
            let errors: Vec<Arc<str>> = self
                .conducts
                .iter()
                .filter_map(|(role, conduct)| {
                    let slip = conduct.first.as_ref()?;
                    let text = format!("(failed {} {})", self.header.role_name(role), slip.status.as_str());
                    Some(text.into())
                })
                .collect();
            self.each_message(|_, last| last.percepts.extend(errors.iter().cloned()));
        }
        if is_on(Mutant::RepeatedPercepts) {
            self.each_message(|_, last| last.percepts.extend(last.percepts.last().cloned()));
        }
    }

    /// Spaces by the number of fluents of a state.
    pub(super) fn leak_size(&mut self, state: &State) {
        if is_on(Mutant::SpacesByStateSize) {
            let spaces = " ".repeat(self.header.game().state_terms(state).len());
            self.each_message(|_, last| last.own_move = format!("{}{spaces}", last.own_move).into());
        }
    }

    /// Goals in the last message.
    pub(super) fn leak_goals(&mut self, outcome: &Outcome) {
        if is_on(Mutant::GoalsInStop) {
            let goals = outcome.goals().into_iter().flat_map(|goals| goals.iter());
            let goals: Vec<Arc<str>> =
                goals.map(|(role, goal)| format!("(goal {role:?} {})", goal.value()).into()).collect();
            self.each_message(|_, last| last.percepts.extend(goals.iter().cloned()));
        }
    }

    /// Another turn to draw a substitute for, if all roles share one stream.
    pub(super) fn leaked_turn(&self, turn: u32) -> u32 {
        if !is_on(Mutant::SharedSubstitutes) {
            return turn;
        }
        let before: u64 = self.conducts.iter().map(|(_, conduct)| conduct.substituted()).sum();
        u32::try_from(before).unwrap_or(turn)
    }

    /// Restarts the clock of everyone who has not replied yet.
    pub(super) fn leak_time(&mut self) {
        if is_on(Mutant::TimerAfterSlowest)
            && let Some((request, _)) = self.request()
            && request != Request::Start
        {
            self.arm_timer(request);
        }
    }
}
