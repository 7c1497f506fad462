//! The next match: whether there is one, who is dealt in, and with what.

use croupier_games::{Away, Raise, Rotation, Until};
use croupier_referee::SessionPlace;

use super::{MINUTE_MS, SessionStage, SessionState};
use crate::{
    effect::{SessionEffect, SessionEnding, SessionNews},
    order::{FamilyMember, MatchGame, MatchOrder, OrderedSeat},
    seat::SessionSeat,
};

impl SessionState {
    /// Ends the session if it is over, and otherwise begins the next match if it can.
    pub(super) fn proceed(&mut self, effects: &mut Vec<SessionEffect>) {
        if self.running.is_some() || self.stage == SessionStage::Over {
            return;
        }
        if self.is_ending {
            return self.close(SessionEnding::Host, effects);
        }
        if self.stage == SessionStage::Waiting {
            return;
        }
        if let Some(ending) = self.due_ending() {
            return self.close(ending, effects);
        }
        if self.stage == SessionStage::Playing {
            self.raise_level(effects);
            self.deal(effects);
        }
    }

    /// The first of the conditions that hold.
    fn due_ending(&self) -> Option<SessionEnding> {
        self.terms.session.until.iter().find_map(|until| self.is_due(*until))
    }

    fn is_due(&self, until: Until) -> Option<SessionEnding> {
        let any_total = |reached: &dyn Fn(f64) -> bool| {
            self.seats.iter().any(|seat| seat.matches > 0 && reached(self.total(seat)))
        };
        let (is_due, ending) = match until {
            Until::Host => (false, SessionEnding::Host),
            Until::Matches(count) => (self.created >= count, SessionEnding::Matches),
            Until::AnyWins(count) => (self.seats.iter().any(|seat| seat.wins >= count), SessionEnding::Wins),
            Until::AnyTotalAtMost(bound) => (any_total(&|total| total <= bound as f64), SessionEnding::Total),
            Until::AnyTotalAtLeast(bound) => {
                (any_total(&|total| total >= bound as f64), SessionEnding::Total)
            }
            Until::OneLeft => (self.is_one_left(), SessionEnding::OneLeft),
            Until::Minutes(minutes) => {
                (self.played_ms >= minutes.saturating_mul(MINUTE_MS), SessionEnding::Minutes)
            }
        };
        is_due.then_some(ending)
    }

    /// Whether one seat has everything, and nobody who is out can still begin again.
    fn is_one_left(&self) -> bool {
        let held = || self.seats.iter().filter(|seat| seat.holder.is_some());
        let can_return = self.allows_rebuy() && held().any(|seat| seat.holds() == 0 && !seat.leaves);
        held().filter(|seat| seat.holds() > 0).count() <= 1 && !can_return
    }

    fn raise_level(&mut self, effects: &mut Vec<SessionEffect>) {
        let Some(family) = &self.terms.session.family else { return };
        let raised = match family.raise {
            None => 0,
            Some(Raise::Minutes(minutes)) => self.played_ms / minutes.saturating_mul(MINUTE_MS).max(1),
            Some(Raise::Matches(matches)) => self.created / matches.max(1),
        };
        let last = family.blinds.len().max(1);
        let level = usize::try_from(raised).unwrap_or(usize::MAX).saturating_add(1).min(last);
        if level > self.level {
            self.level = level;
            effects.push(SessionEffect::Tell(SessionNews::Level { level }));
        }
    }

    /// The places of the seats that the next match has, in the order of the table.
    pub(super) fn dealt_in(&self) -> Vec<usize> {
        let is_in = |seat: &SessionSeat| {
            seat.holder.is_some()
                && !(seat.is_away && self.terms.session.away == Away::SitOut)
                && (self.terms.session.family.is_none() || seat.holds() > 0)
        };
        (0..self.seats.len()).filter(|&place| is_in(&self.seats[place])).collect()
    }

    /// Creates the next match, if enough seats can be dealt in.
    fn deal(&mut self, effects: &mut Vec<SessionEffect>) {
        let mut places = self.dealt_in();
        let needed = self.terms.players_range().0;
        if places.len() < needed {
            if !std::mem::replace(&mut self.is_waiting, true) {
                effects.push(SessionEffect::Tell(SessionNews::Waiting { needed }));
            }
            return;
        }
        self.is_waiting = false;
        self.created += 1;
        let first = self.first_of(&places);
        places.rotate_left(first);
        self.button = Some(self.seats[places[0]].number);
        let order = self.order(&places);
        for ordered in &order.seats {
            let Some(seat) = ordered.seat.place().and_then(|place| self.seats.get_mut(place)) else {
                continue;
            };
            seat.stake = ordered.stake.unwrap_or_default();
            seat.stack -= seat.stake;
        }
        self.running = Some(order.clone());
        effects.push(SessionEffect::Create(Box::new(order)));
    }

    /// Which of these places has the first role.
    fn first_of(&self, places: &[usize]) -> usize {
        let after_button =
            |place: usize| self.button.and_then(|button| button.place()).is_none_or(|it| place > it);
        match self.terms.session.rotate {
            Rotation::Never => 0,
            // Beyond the last seat it begins again with the first.
            Rotation::Each => places.iter().position(|&place| after_button(place)).unwrap_or(0),
            Rotation::Pairs => ((self.created - 1) % places.len() as u64) as usize,
        }
    }

    fn order(&self, places: &[usize]) -> MatchOrder {
        let index = self.created;
        let family = self.terms.session.family.as_ref();
        let (_, stake_max) = self.terms.stake_range();
        let seats = places.iter().zip(&self.terms.roles).filter_map(|(&place, role)| {
            let seat = &self.seats[place];
            Some(OrderedSeat {
                role: role.clone(),
                seat: seat.number,
                holder: seat.holder.clone()?,
                is_away: seat.is_away,
                // What the family has no number for stays in the stack.
                stake: family.map(|_| seat.stack.min(u64::from(stake_max))),
            })
        });
        let seats: Vec<OrderedSeat> = seats.collect();
        let stakes: Vec<u64> = seats.iter().map(|seat| seat.stake.unwrap_or_default()).collect();
        let deal = match self.terms.session.rotate {
            Rotation::Pairs => (index - 1) / seats.len() as u64 + 1,
            Rotation::Each | Rotation::Never => index,
        };
        let id = &self.terms.id;
        MatchOrder {
            index,
            match_id: format!("{id}-{index}"),
            place: SessionPlace { id: id.clone(), index, before: self.before },
            game: family.map_or(MatchGame::Same, |family| {
                MatchGame::Member(FamilyMember::of(family, self.level, &stakes))
            }),
            seats,
            seed: self.seed.for_session_match(deal),
            level: self.level,
        }
    }
}
