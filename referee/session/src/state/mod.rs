//! A session between two events.
//!
//! [`SessionState::step`] is the only way on: it works on a copy, so that an event that is refused changes nothing. Every event
//! has two parts. What it changes by itself is in `seating` (who sits where) and `results` (how a match ended); then `dealing`
//! looks whether the session is over, and otherwise whether the next match can begin. So the next match begins in one place,
//! whatever it waited for.
//!
//! Chips are counted after every event: what is in the stacks and on the table, what was taken away by those who left and what the
//! rules of the game took out of play is what was bought. If it is not, the session stops with the fault.

mod dealing;
mod results;
mod seating;

use std::sync::Arc;

use croupier_games::{Away, SessionTotal, Until};
use croupier_referee::{Digest, Seed};
use serde::Serialize;

use crate::{
    effect::{SessionEffect, SessionEnding, SessionFault, SessionNews},
    event::{SeatNumber, SessionEvent},
    order::MatchOrder,
    refusal::SessionRefusal,
    seat::SessionSeat,
    terms::{SessionTerms, TermsError},
};

/// Milliseconds of a minute.
const MINUTE_MS: u64 = 60_000;

/// Who plays for somebody who goes away in the middle of a match, where the session does not name an agent.
const STAND_IN: &str = "fold";

/// How far a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionStage {
    /// Seats are being taken; no match has begun.
    Waiting,
    /// Matches are played. If none is running, too few seats can be dealt in.
    Playing,
    /// No further match begins for now.
    Paused,
    /// It is over.
    Over,
}

/// A session between two events. Equal states have seen events of equal effect.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionState {
    terms: Arc<SessionTerms>,
    seed: Seed,
    commitment: Digest,
    stage: SessionStage,
    seats: Vec<SessionSeat>,
    host: Option<SeatNumber>,
    /// The seat that had the first role last.
    button: Option<SeatNumber>,
    /// The index of the last match that was created.
    created: u64,
    running: Option<MatchOrder>,
    /// The digest that the next match names.
    before: Digest,
    void_in_a_row: u32,
    chips: ChipCount,
    clock_ms: Option<u64>,
    played_ms: u64,
    level: usize,
    is_ending: bool,
    is_waiting: bool,
    is_rematched: bool,
    ending: Option<SessionEnding>,
}

/// Where chips come from and go to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ChipCount {
    /// What was bought.
    bought: u64,
    /// What was taken away by those who left.
    taken: u64,
    /// What the rules of the game took out of play.
    lost: u64,
}

impl SessionState {
    /// A session in which no seat is taken.
    ///
    /// # Errors
    /// [`TermsError`] if no session can open on these terms.
    pub fn open(terms: SessionTerms, seed: Seed) -> Result<Self, TermsError> {
        let (commitment, opening) =
            (terms.commitment(&seed), Digest::of(terms.opening_line(&seed).as_bytes()));
        Self::bound(terms, seed, commitment, opening)
    }

    /// A session whose seed is not known: its matches are those of the session, but for their seeds.
    ///
    /// # Errors
    /// [`TermsError`] if no session can open on these terms.
    pub(crate) fn open_sealed(
        terms: SessionTerms,
        commitment: Digest,
        opening: Digest,
    ) -> Result<Self, TermsError> {
        Self::bound(terms, Seed::from_bytes([0; 32]), commitment, opening)
    }

    fn bound(
        terms: SessionTerms,
        seed: Seed,
        commitment: Digest,
        opening: Digest,
    ) -> Result<Self, TermsError> {
        terms.check()?;
        let seats = (0..terms.seats).map(|place| SessionSeat::free(SeatNumber::at(place))).collect();
        Ok(Self {
            terms: Arc::new(terms),
            seed,
            stage: SessionStage::Waiting,
            seats,
            host: None,
            button: None,
            created: 0,
            running: None,
            commitment,
            before: opening,
            void_in_a_row: 0,
            chips: ChipCount::default(),
            clock_ms: None,
            played_ms: 0,
            level: 1,
            is_ending: false,
            is_waiting: false,
            is_rematched: false,
            ending: None,
        })
    }

    /// Takes an event. The effects are to be carried out in this order, after the event is stored.
    ///
    /// # Errors
    /// [`SessionRefusal`] if this cannot happen now; then nothing has changed.
    pub fn step(&mut self, event: &SessionEvent) -> Result<Vec<SessionEffect>, SessionRefusal> {
        let mut next = self.clone();
        let mut effects = Vec::new();
        next.apply(event, &mut effects)?;
        next.proceed(&mut effects);
        next.count_chips(&mut effects);
        *self = next;
        Ok(effects)
    }

    /// What an event changes by itself.
    fn apply(
        &mut self,
        event: &SessionEvent,
        effects: &mut Vec<SessionEffect>,
    ) -> Result<(), SessionRefusal> {
        match event {
            SessionEvent::Tick { now_ms } => return self.tick(*now_ms),
            SessionEvent::Interrupted => self.clock_ms = None,
            SessionEvent::Rematched => return self.rematch(effects),
            _ if self.stage == SessionStage::Over => return Err(SessionRefusal::Over),
            SessionEvent::SeatTaken { seat, holder } => return self.take_seat(*seat, holder, effects),
            SessionEvent::SeatLeft { seat } | SessionEvent::Kicked { seat } => {
                return self.leave_seat(*seat, effects);
            }
            SessionEvent::SatOut { seat } => return self.sit_out(*seat, effects),
            SessionEvent::CameBack { seat } => return self.come_back(*seat, effects),
            SessionEvent::Rebought { seat } => return self.buy_again(*seat, effects),
            SessionEvent::HostHanded { seat } => return self.hand_host(*seat, effects),
            SessionEvent::LinkAsked { seat } => return self.ask_link(*seat, effects),
            SessionEvent::Started => return self.start(effects),
            SessionEvent::MatchOver(over) => return self.take_result(over, effects),
            SessionEvent::Paused => return self.pause(effects),
            SessionEvent::Resumed => return self.resume(effects),
            SessionEvent::Ended => return self.end(effects),
        }
        Ok(())
    }

    fn tick(&mut self, now_ms: u64) -> Result<(), SessionRefusal> {
        let passed_ms = match self.clock_ms {
            None => 0,
            Some(before) => now_ms.checked_sub(before).ok_or(SessionRefusal::ClockBack)?,
        };
        if self.stage == SessionStage::Playing {
            self.played_ms = self.played_ms.saturating_add(passed_ms);
        }
        self.clock_ms = Some(now_ms);
        Ok(())
    }

    fn start(&mut self, effects: &mut Vec<SessionEffect>) -> Result<(), SessionRefusal> {
        if self.stage != SessionStage::Waiting {
            return Err(SessionRefusal::Begun);
        }
        let (found, needed) = (self.dealt_in().len(), self.terms.players_range().0);
        if found < needed {
            return Err(SessionRefusal::TooFew { found, needed });
        }
        self.stage = SessionStage::Playing;
        effects.push(SessionEffect::Tell(SessionNews::Started));
        Ok(())
    }

    fn pause(&mut self, effects: &mut Vec<SessionEffect>) -> Result<(), SessionRefusal> {
        match self.stage {
            SessionStage::Playing => {
                self.stage = SessionStage::Paused;
                effects.push(SessionEffect::Tell(SessionNews::Paused));
                Ok(())
            }
            SessionStage::Paused => Err(SessionRefusal::Paused),
            SessionStage::Waiting | SessionStage::Over => Err(SessionRefusal::NotBegun),
        }
    }

    fn resume(&mut self, effects: &mut Vec<SessionEffect>) -> Result<(), SessionRefusal> {
        if self.stage != SessionStage::Paused {
            return Err(SessionRefusal::NotPaused);
        }
        (self.stage, self.void_in_a_row) = (SessionStage::Playing, 0);
        effects.push(SessionEffect::Tell(SessionNews::Resumed));
        Ok(())
    }

    fn end(&mut self, effects: &mut Vec<SessionEffect>) -> Result<(), SessionRefusal> {
        if self.is_ending {
            return Err(SessionRefusal::Ending);
        }
        self.is_ending = true;
        if self.running.is_some() {
            effects.push(SessionEffect::Tell(SessionNews::Ending));
        }
        Ok(())
    }

    fn rematch(&mut self, effects: &mut Vec<SessionEffect>) -> Result<(), SessionRefusal> {
        if self.stage != SessionStage::Over {
            return Err(SessionRefusal::NotOver);
        }
        if std::mem::replace(&mut self.is_rematched, true) {
            return Err(SessionRefusal::RematchedAlready);
        }
        let stays = self.seats.iter().filter(|seat| !seat.leaves);
        let holders = stays.filter_map(|seat| Some((seat.number, seat.holder.clone()?)));
        effects.push(SessionEffect::Rematch(holders.collect()));
        Ok(())
    }

    /// Ends the session. What is on the table goes back to where it came from.
    fn close(&mut self, ending: SessionEnding, effects: &mut Vec<SessionEffect>) {
        self.running = None;
        for seat in &mut self.seats {
            seat.stack = seat.holds();
            seat.stake = 0;
        }
        self.stage = SessionStage::Over;
        self.ending = Some(ending.clone());
        effects.push(SessionEffect::Tell(SessionNews::Over { ending }));
        effects.push(SessionEffect::Reveal(self.seed.clone()));
    }

    /// Stops the session if chips were lost or made.
    fn count_chips(&mut self, effects: &mut Vec<SessionEffect>) {
        let held = self.seats.iter().fold(0, |sum: u64, seat| sum.saturating_add(seat.holds()));
        let found = held.saturating_add(self.chips.taken).saturating_add(self.chips.lost);
        let expected = self.chips.bought;
        if found != expected && self.stage != SessionStage::Over {
            self.close(SessionEnding::Fault { fault: SessionFault::Chips { found, expected } }, effects);
        }
    }
}

/// What can be known of a session.
impl SessionState {
    /// What was fixed when it opened.
    #[must_use]
    pub fn terms(&self) -> &SessionTerms {
        &self.terms
    }

    /// What binds it to its seed.
    #[must_use]
    pub fn commitment(&self) -> Digest {
        self.commitment
    }

    /// The first line of its record.
    #[must_use]
    pub fn opening_line(&self) -> String {
        self.terms.opening_line(&self.seed)
    }

    /// How far it is.
    #[must_use]
    pub fn stage(&self) -> SessionStage {
        self.stage
    }

    /// Its seats, in order.
    #[must_use]
    pub fn seats(&self) -> &[SessionSeat] {
        &self.seats
    }

    /// The seat of this number.
    #[must_use]
    pub fn seat(&self, number: SeatNumber) -> Option<&SessionSeat> {
        self.seats.get(number.place()?)
    }

    /// The seat of the host; `None` as long as it is whoever opened the session.
    #[must_use]
    pub fn host(&self) -> Option<SeatNumber> {
        self.host
    }

    /// The seat that had the first role last.
    #[must_use]
    pub fn button(&self) -> Option<SeatNumber> {
        self.button
    }

    /// The match that is running.
    #[must_use]
    pub fn running(&self) -> Option<&MatchOrder> {
        self.running.as_ref()
    }

    /// How many matches are over.
    #[must_use]
    pub fn matches_over(&self) -> u64 {
        self.created - u64::from(self.running.is_some())
    }

    /// The level, from 1.
    #[must_use]
    pub fn level(&self) -> usize {
        self.level
    }

    /// Whether the session ends when the running match is over.
    #[must_use]
    pub fn is_ending(&self) -> bool {
        self.is_ending && self.stage != SessionStage::Over
    }

    /// Whether the next match waits for more seats that can be dealt in.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.is_waiting && self.stage != SessionStage::Over
    }

    /// Why it is over, if it is.
    #[must_use]
    pub fn ending(&self) -> Option<&SessionEnding> {
        self.ending.as_ref()
    }

    /// How long was played, in milliseconds.
    #[must_use]
    pub fn played_ms(&self) -> u64 {
        self.played_ms
    }

    /// The instant of the driver's clock at which a [`Tick`](SessionEvent::Tick) makes a difference although nothing else happens.
    #[must_use]
    pub fn wakes_ms(&self) -> Option<u64> {
        let is_idle = self.stage == SessionStage::Playing && self.running.is_none();
        let now_ms = self.clock_ms.filter(|_| is_idle)?;
        let minutes = self.terms.session.until.iter().filter_map(|until| match until {
            Until::Minutes(minutes) => Some(minutes.saturating_mul(MINUTE_MS)),
            _ => None,
        });
        let end_ms = minutes.min()?;
        Some(now_ms.saturating_add(end_ms.saturating_sub(self.played_ms)))
    }

    /// The agent that plays for whoever is away, or goes, in the middle of a match.
    #[must_use]
    pub fn stand_in(&self) -> &str {
        match &self.terms.session.away {
            Away::Agent(agent) => agent,
            Away::SitOut => STAND_IN,
        }
    }

    /// What a seat has won so far, in what the session counts: chips above what it has bought, payoffs, goals or matches.
    #[must_use]
    pub fn total(&self, seat: &SessionSeat) -> f64 {
        match (self.terms.session.total, &self.terms.session.family, &self.terms.payoff) {
            (SessionTotal::Wins, ..) => seat.wins as f64,
            (SessionTotal::Payoff, Some(family), _) => {
                seat.holds() as f64 - seat.buy_ins as f64 * f64::from(family.start)
            }
            (SessionTotal::Payoff, None, Some(payoff)) => {
                (seat.goals as f64 - seat.matches as f64 * payoff.offset) / payoff.scale
            }
            (SessionTotal::Goal, ..) | (SessionTotal::Payoff, None, None) => seat.goals as f64,
        }
    }
}
