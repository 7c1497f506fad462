//! How a match ended: what each seat has now.

use std::collections::BTreeMap;

use croupier_games::FamilyRules;

use super::{SessionStage, SessionState};
use crate::{
    effect::{SessionEffect, SessionEnding, SessionFault, SessionNews},
    event::MatchOver,
    order::MatchOrder,
    refusal::SessionRefusal,
};

/// So many matches in a row without a result pause a session: something is wrong that the next match will not put right.
const VOID_IN_A_ROW_MAX: u32 = 3;

impl SessionState {
    pub(super) fn take_result(
        &mut self,
        over: &MatchOver,
        effects: &mut Vec<SessionEffect>,
    ) -> Result<(), SessionRefusal> {
        let order = self.running.take_if(|order| order.index == over.index);
        let order = order.ok_or(SessionRefusal::NotRunning { index: over.index })?;
        if let Some(record) = over.record {
            self.before = record;
        }
        effects.push(SessionEffect::Tell(SessionNews::MatchOver { index: over.index }));
        let counted = match &over.goals {
            None => self.give_back(effects),
            Some(goals) => self.count(&order, goals, over, effects),
        };
        match counted {
            Ok(()) => self.settle_seats(effects),
            Err(fault) => self.close(SessionEnding::Fault { fault }, effects),
        }
        Ok(())
    }

    /// Everybody has what they had before a match without a result.
    fn give_back(&mut self, effects: &mut Vec<SessionEffect>) -> Result<(), SessionFault> {
        for seat in &mut self.seats {
            seat.stack = seat.holds();
            seat.stake = 0;
        }
        self.void_in_a_row += 1;
        if self.void_in_a_row >= VOID_IN_A_ROW_MAX && self.stage == SessionStage::Playing {
            self.stage = SessionStage::Paused;
            effects.push(SessionEffect::Tell(SessionNews::Paused));
        }
        Ok(())
    }

    fn count(
        &mut self,
        order: &MatchOrder,
        goals: &BTreeMap<String, i64>,
        over: &MatchOver,
        effects: &mut Vec<SessionEffect>,
    ) -> Result<(), SessionFault> {
        let index = order.index;
        let is_whole =
            goals.len() == order.seats.len() && order.seats.iter().all(|seat| goals.contains_key(&seat.role));
        if !is_whole {
            return Err(SessionFault::Goals { index });
        }
        let family = self.terms.session.family.clone();
        let left = family.map(|family| left(&family, order, over).map(|left| (family, left))).transpose()?;
        self.void_in_a_row = 0;
        let best = goals.values().max().copied();
        let winners = goals.values().filter(|&&goal| Some(goal) == best).count();
        for ordered in &order.seats {
            let Some(seat) = ordered.seat.place().and_then(|place| self.seats.get_mut(place)) else {
                continue;
            };
            let goal = goals.get(&ordered.role).copied().unwrap_or_default();
            seat.matches += 1;
            seat.goals = seat.goals.saturating_add(goal);
            seat.wins += u64::from(winners == 1 && Some(goal) == best);
        }
        if let Some((family, left)) = left {
            self.pay_out(&family, order, &left)?;
            for seat in self.seats.iter_mut().filter(|seat| order.role_of(seat.number).is_some()) {
                if seat.holds() == 0 {
                    seat.out_in = Some(index);
                    effects.push(SessionEffect::Tell(SessionNews::Out { seat: seat.number }));
                }
            }
        }
        Ok(())
    }

    /// Gives every seat what it has left of what it brought.
    fn pay_out(
        &mut self,
        family: &FamilyRules,
        order: &MatchOrder,
        left: &BTreeMap<String, u64>,
    ) -> Result<(), SessionFault> {
        let staked: u64 = order.seats.iter().filter_map(|seat| seat.stake).sum();
        let found = left.values().fold(0, |sum: u64, &chips| sum.saturating_add(chips));
        if found > staked || (family.conserved && found != staked) {
            return Err(SessionFault::Chips { found, expected: staked });
        }
        self.chips.lost += staked - found;
        for ordered in &order.seats {
            let Some(seat) = ordered.seat.place().and_then(|place| self.seats.get_mut(place)) else {
                continue;
            };
            seat.stack += left.get(&ordered.role).copied().unwrap_or_default();
            seat.stake = 0;
        }
        Ok(())
    }
}

/// What the last state says that each role has left: each exactly once.
fn left(
    family: &FamilyRules,
    order: &MatchOrder,
    over: &MatchOver,
) -> Result<BTreeMap<String, u64>, SessionFault> {
    let mut left = BTreeMap::new();
    let unread = |role: &str| SessionFault::Unread { index: order.index, role: role.to_owned() };
    for (role, chips) in over.last.iter().filter_map(|fluent| family.read.read(fluent)) {
        let is_role = order.seats.iter().any(|seat| seat.role == role);
        if is_role && left.insert(role.clone(), chips).is_some_and(|before| before != chips) {
            return Err(unread(&role));
        }
    }
    match order.seats.iter().find(|seat| !left.contains_key(&seat.role)) {
        Some(seat) => Err(unread(&seat.role)),
        None => Ok(left),
    }
}
