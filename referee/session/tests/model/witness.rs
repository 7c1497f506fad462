//! Follows a session beside the machine, by other means, and says what must hold after every event.

use std::collections::BTreeSet;

use croupier_referee::Seed;
use croupier_session::{
    MatchOver, SessionEffect, SessionEvent, SessionNews, SessionRefusal, SessionStage, SessionState,
    SessionTerms,
};

use crate::tables::open;

/// A session with what has happened to it.
#[derive(Clone)]
pub(crate) struct Witness {
    terms: SessionTerms,
    pub(crate) session: SessionState,
    pub(crate) events: Vec<SessionEvent>,
    pub(crate) effects: Vec<Vec<SessionEffect>>,
    created: u64,
    revealed: bool,
    /// What was bought, and what was taken away, counted from the events alone.
    bought: u64,
    taken: u64,
}

impl Witness {
    pub(crate) fn new(terms: SessionTerms) -> Self {
        let session = open(&terms);
        Self {
            terms,
            session,
            events: Vec::new(),
            effects: Vec::new(),
            created: 0,
            revealed: false,
            bought: 0,
            taken: 0,
        }
    }

    /// Gives the session an event; whether it was taken.
    pub(crate) fn step(&mut self, event: &SessionEvent) -> Result<(), SessionRefusal> {
        let before = self.session.clone();
        let effects = match self.session.step(event) {
            Ok(effects) => effects,
            Err(refusal) => {
                assert_eq!(self.session, before, "a refused event changes nothing: {event:?}");
                return Err(refusal);
            }
        };
        self.count(&before, event, &effects);
        for effect in &effects {
            self.see(effect);
        }
        self.events.push(event.clone());
        self.effects.push(effects);
        self.check();
        Ok(())
    }

    /// Counts chips by the events.
    fn count(&mut self, before: &SessionState, event: &SessionEvent, effects: &[SessionEffect]) {
        let Some(family) = &self.terms.session.family else { return };
        if matches!(event, SessionEvent::SeatTaken { .. } | SessionEvent::Rebought { .. }) {
            self.bought += u64::from(family.start);
        }
        let mut after_result = before.clone();
        for effect in effects {
            let SessionEffect::Tell(SessionNews::SeatFreed { seat }) = effect else { continue };
            let held = match event {
                // Who goes when a match is over takes what the match has left.
                SessionEvent::MatchOver(MatchOver { last, goals: Some(_), .. }) => {
                    let order = before.running().expect("a match was running");
                    let role = order.role_of(*seat).expect("only who was dealt in waits for the end");
                    let stack = before.seat(*seat).expect("a seat").stack;
                    let left = last.iter().filter_map(|fluent| family.read.read(fluent));
                    stack + left.filter(|(player, _)| player == role).map(|(_, chips)| chips).sum::<u64>()
                }
                _ => after_result.seat(*seat).expect("a seat").holds(),
            };
            self.taken += held;
            after_result = before.clone();
        }
    }

    fn see(&mut self, effect: &SessionEffect) {
        match effect {
            SessionEffect::Create(order) => {
                self.created += 1;
                assert_eq!(order.index, self.created, "matches are created in order, each once");
                assert!(!self.revealed, "nothing is dealt from a seed that is known");
                assert_eq!(self.session.running(), Some(&**order));
                let seats: BTreeSet<_> = order.seats.iter().map(|seat| seat.seat).collect();
                assert_eq!(seats.len(), order.seats.len(), "nobody is dealt in twice");
                let roles = order.seats.iter().map(|seat| &seat.role);
                assert!(roles.eq(self.terms.roles.iter().take(order.seats.len())), "roles in their order");
                for ordered in &order.seats {
                    let seat = self.session.seat(ordered.seat).expect("a seat of the session");
                    assert_eq!(seat.holder.as_ref(), Some(&ordered.holder));
                    assert_eq!(ordered.stake.unwrap_or_default(), seat.stake);
                    assert!(ordered.stake != Some(0), "who has nothing is not dealt in");
                }
            }
            SessionEffect::Reveal(seed) => {
                assert!(!self.revealed, "the seed is revealed once");
                assert_eq!(self.session.stage(), SessionStage::Over);
                assert_eq!(*seed, Seed::from_text("42").expect("a seed"));
                self.revealed = true;
            }
            SessionEffect::Tell(_) | SessionEffect::NewLink(_) | SessionEffect::Rematch(_) => {}
        }
    }

    /// What holds between two events.
    fn check(&self) {
        let session = &self.session;
        let is_over = session.stage() == SessionStage::Over;
        assert_eq!(is_over, self.revealed, "the seed is known if and only if the session is over");
        assert_eq!(is_over, session.ending().is_some());
        assert!(!is_over || session.running().is_none());
        assert_eq!(session.matches_over() + u64::from(session.running().is_some()), self.created);
        if session.stage() == SessionStage::Playing {
            assert!(
                session.running().is_some() || session.is_waiting(),
                "the next match begins as soon as it can"
            );
        }
        if self.terms.session.family.is_some() {
            let held: u64 = session.seats().iter().map(|seat| seat.holds()).sum();
            assert_eq!(held + self.taken, self.bought, "no chip is lost or made: {:?}", self.events);
        }
        for seat in session.seats() {
            let is_dealt_in = session.running().is_some_and(|order| order.role_of(seat.number).is_some());
            assert!(seat.stake == 0 || is_dealt_in);
            assert!(seat.holder.is_some() || (seat.stack == 0 && !seat.leaves && !seat.is_away));
        }
    }

    /// A server that is killed after the last event, and steps through what is stored.
    pub(crate) fn kill(&self) {
        let mut again = open(&self.terms);
        for (event, effects) in self.events.iter().zip(&self.effects) {
            // What is stored has been through JSON.
            let stored = serde_json::to_string(event).expect("an event is JSON");
            let event: SessionEvent = serde_json::from_str(&stored).expect("and is read back");
            assert_eq!(again.step(&event).as_ref(), Ok(effects));
        }
        assert_eq!(again, self.session);
    }
}
