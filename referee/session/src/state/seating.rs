//! Who sits where, who is away, who begins again.

use croupier_games::Until;

use super::{SessionStage, SessionState};
use crate::{
    effect::{SessionEffect, SessionNews},
    event::{SeatHolder, SeatNumber},
    order::FamilyMember,
    refusal::SessionRefusal,
    seat::SessionSeat,
};

/// Longest name, in bytes.
const NAME_BYTES_MAX: usize = 200;

type Done = Result<(), SessionRefusal>;

impl SessionState {
    pub(super) fn take_seat(
        &mut self,
        number: SeatNumber,
        holder: &SeatHolder,
        effects: &mut Vec<SessionEffect>,
    ) -> Done {
        let place = self.place(number)?;
        let name = holder.name();
        if !(1..=NAME_BYTES_MAX).contains(&name.len()) || name.chars().any(char::is_control) {
            return Err(SessionRefusal::Name);
        }
        if self.seats[place].holder.is_some() {
            return Err(SessionRefusal::Taken { seat: number });
        }
        let mut holders = self.seats.iter().filter_map(|seat| seat.holder.as_ref());
        if holders.any(|other| other.name() == name) {
            return Err(SessionRefusal::NameTaken { name: name.to_owned() });
        }
        if self.stage != SessionStage::Waiting && self.is_until_one_left() && !self.allows_rebuy() {
            return Err(SessionRefusal::NoBuyIn);
        }
        // Chips belong to who bought them; without chips it is the seat that has a total, whoever sits there.
        if self.terms.session.family.is_some() {
            self.seats[place] = SessionSeat::free(number);
            self.buy_in(place)?;
        }
        self.seats[place].holder = Some(holder.clone());
        effects.push(SessionEffect::Tell(SessionNews::SeatTaken { seat: number }));
        Ok(())
    }

    pub(super) fn leave_seat(&mut self, number: SeatNumber, effects: &mut Vec<SessionEffect>) -> Done {
        let place = self.held(number)?;
        let is_dealt_in = self.running.as_ref().is_some_and(|order| order.role_of(number).is_some());
        if is_dealt_in || self.plays_to_the_end(place) {
            let seat = &mut self.seats[place];
            (seat.leaves, seat.is_away) = (true, true);
            effects.push(SessionEffect::Tell(SessionNews::SeatLeaves { seat: number }));
        } else {
            self.free_seat(place, effects);
        }
        Ok(())
    }

    pub(super) fn sit_out(&mut self, number: SeatNumber, effects: &mut Vec<SessionEffect>) -> Done {
        let place = self.held_by_person(number)?;
        if std::mem::replace(&mut self.seats[place].is_away, true) {
            return Err(SessionRefusal::AwayAlready { seat: number });
        }
        effects.push(SessionEffect::Tell(SessionNews::Away { seat: number }));
        Ok(())
    }

    pub(super) fn come_back(&mut self, number: SeatNumber, effects: &mut Vec<SessionEffect>) -> Done {
        let place = self.held_by_person(number)?;
        if !std::mem::replace(&mut self.seats[place].is_away, false) {
            return Err(SessionRefusal::NotAway { seat: number });
        }
        effects.push(SessionEffect::Tell(SessionNews::Back { seat: number }));
        Ok(())
    }

    pub(super) fn buy_again(&mut self, number: SeatNumber, effects: &mut Vec<SessionEffect>) -> Done {
        let place = self.held(number)?;
        if !self.allows_rebuy() {
            return Err(SessionRefusal::NoBuyIn);
        }
        if self.seats[place].holds() > 0 {
            return Err(SessionRefusal::NotOut { seat: number });
        }
        self.buy_in(place)?;
        effects.push(SessionEffect::Tell(SessionNews::Rebought { seat: number }));
        Ok(())
    }

    pub(super) fn hand_host(&mut self, number: SeatNumber, effects: &mut Vec<SessionEffect>) -> Done {
        self.held_by_person(number)?;
        if self.host.replace(number) == Some(number) {
            return Err(SessionRefusal::HostAlready { seat: number });
        }
        effects.push(SessionEffect::Tell(SessionNews::Host { seat: number }));
        Ok(())
    }

    /// A new link in the middle of a match would let two people see one hand.
    pub(super) fn ask_link(&mut self, number: SeatNumber, effects: &mut Vec<SessionEffect>) -> Done {
        let place = self.held_by_person(number)?;
        let is_dealt_in = self.running.as_ref().is_some_and(|order| order.role_of(number).is_some());
        if is_dealt_in {
            self.seats[place].is_link_due = true;
        } else {
            effects.push(SessionEffect::NewLink(number));
        }
        Ok(())
    }

    /// What waited for the end of a match: seats are left, links are made.
    pub(super) fn settle_seats(&mut self, effects: &mut Vec<SessionEffect>) {
        for place in 0..self.seats.len() {
            if self.seats[place].leaves && !self.plays_to_the_end(place) {
                self.free_seat(place, effects);
            } else if std::mem::take(&mut self.seats[place].is_link_due) {
                effects.push(SessionEffect::NewLink(self.seats[place].number));
            }
        }
    }

    /// Whether chips of a seat stay in play when its holder goes: in a session until one is left, somebody has to win them.
    fn plays_to_the_end(&self, place: usize) -> bool {
        self.stage != SessionStage::Waiting && self.is_until_one_left() && self.seats[place].holds() > 0
    }

    fn free_seat(&mut self, place: usize, effects: &mut Vec<SessionEffect>) {
        let seat = &mut self.seats[place];
        self.chips.taken += seat.stack;
        seat.stack = 0;
        (seat.holder, seat.is_away, seat.leaves, seat.is_link_due) = (None, false, false, false);
        let number = seat.number;
        if self.host == Some(number) {
            self.host = None;
        }
        effects.push(SessionEffect::Tell(SessionNews::SeatFreed { seat: number }));
    }

    fn buy_in(&mut self, place: usize) -> Done {
        let Some(family) = &self.terms.session.family else { return Ok(()) };
        let start = u64::from(family.start);
        let stacks = self.seats.iter().map(SessionSeat::holds).filter(|&stack| stack > 0).chain([start]);
        let stacks: Vec<u64> = stacks.collect();
        // The next match has all these chips, however they are spread by then.
        if stacks.len() >= self.terms.players_range().0 {
            let member = FamilyMember::of(family, self.level, &self.terms.capped(stacks));
            member.check().map_err(|error| SessionRefusal::TooMany { reason: error.to_string() })?;
        }
        let seat = &mut self.seats[place];
        (seat.stack, seat.out_in) = (seat.stack + start, None);
        seat.buy_ins += 1;
        self.chips.bought += start;
        Ok(())
    }

    pub(super) fn is_until_one_left(&self) -> bool {
        self.terms.session.until.contains(&Until::OneLeft)
    }

    /// Whether a seat that has nothing left may begin again now.
    #[must_use]
    pub fn allows_rebuy(&self) -> bool {
        self.terms.session.family.as_ref().is_some_and(|family| family.allows_rebuy(self.level))
    }

    fn place(&self, number: SeatNumber) -> Result<usize, SessionRefusal> {
        let place = number.place().filter(|&place| place < self.seats.len());
        place.ok_or(SessionRefusal::NoSeat { seat: number, seats: self.seats.len() })
    }

    /// The place of a seat that somebody sits in, who does not go.
    fn held(&self, number: SeatNumber) -> Result<usize, SessionRefusal> {
        let place = self.place(number)?;
        match &self.seats[place] {
            SessionSeat { holder: None, .. } => Err(SessionRefusal::Free { seat: number }),
            SessionSeat { leaves: true, .. } => Err(SessionRefusal::Leaving { seat: number }),
            _ => Ok(place),
        }
    }

    fn held_by_person(&self, number: SeatNumber) -> Result<usize, SessionRefusal> {
        let place = self.held(number)?;
        match &self.seats[place].holder {
            Some(SeatHolder::Person { .. }) => Ok(place),
            _ => Err(SessionRefusal::NoPerson { seat: number }),
        }
    }
}
