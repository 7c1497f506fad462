//! Whoever is in a role of a real-time match, and leaves when a signal comes.

use std::sync::Arc;

use croupier_engine::{RoleId, realtime::RealTimeGame};
use croupier_games::GameFacts;
use croupier_referee::realtime::{Notice, Plan, RealTimeSeat};
use croupier_seat::RealTimePlayerSeat;

use super::{
    RealTimeSeatSpec,
    person::{RealTimePerson, Typed},
};
use crate::{output::failure::Failure, sessions::interrupt::Interrupt};

/// Who chooses the moves of a role.
pub(crate) struct RealTimeOccupant {
    chooser: Chooser,
    interrupt: Interrupt,
}

enum Chooser {
    Agent(Box<RealTimePlayerSeat>),
    Person(Box<RealTimePerson>),
    /// A person whose terminal can no longer be read or written.
    Gone,
}

impl RealTimeOccupant {
    /// Whoever a seat names, with a game that is not the referee's; an agent decides by its seed.
    ///
    /// # Errors
    /// If the terminal does not give its keys.
    pub(crate) fn new(
        spec: RealTimeSeatSpec,
        game: Arc<RealTimeGame>,
        facts: &Arc<GameFacts>,
        role: RoleId,
        seed: [u8; 32],
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let interrupt = interrupt.clone();
        let chooser = match spec {
            RealTimeSeatSpec::Player(kind) => {
                Chooser::Agent(Box::new(RealTimePlayerSeat::new(kind, game, role, seed)))
            }
            RealTimeSeatSpec::Human => Chooser::Person(Box::new(RealTimePerson::new(
                game,
                Arc::clone(facts),
                role,
                interrupt.clone(),
            )?)),
        };
        Ok(Self { chooser, interrupt })
    }

    /// Whether somebody types the moves, or did.
    pub(crate) fn is_person(&self) -> bool {
        !matches!(self.chooser, Chooser::Agent(_))
    }

    /// Why it no longer plays, if it failed.
    pub(crate) fn error(&self) -> Option<&str> {
        match &self.chooser {
            Chooser::Agent(agent) => agent.error(),
            Chooser::Person(_) | Chooser::Gone => None,
        }
    }
}

impl RealTimeSeat for RealTimeOccupant {
    /// A person plans by typing, whenever it is asked without a notice.
    fn plan(&mut self, now_us: u64, notice: Option<&Notice>) -> Plan {
        if self.interrupt.is_raised() {
            return Plan::Leave;
        }
        let person = match &mut self.chooser {
            Chooser::Agent(agent) => return agent.plan(now_us, notice),
            Chooser::Person(person) => person,
            Chooser::Gone => return Plan::Leave,
        };
        let shown = match notice {
            Some(notice) => person.hear(notice),
            None => person.show(now_us),
        };
        match shown.and_then(|()| if notice.is_none() { person.typed() } else { Ok(None) }) {
            Ok(None) => Plan::Wait,
            Ok(Some(Typed::Move(text))) => Plan::Move { text, at_us: now_us },
            Ok(Some(Typed::Quit)) => Plan::Leave,
            Err(_) => {
                self.chooser = Chooser::Gone;
                Plan::Leave
            }
        }
    }
}
