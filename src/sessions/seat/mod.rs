//! Who sits in a role: a player of `croupier-players`, a person at the terminal, or a player over HTTP.
//!
//! A seat is told what the wire would tell it, as text, and has a game of its own, compiled from the
//! text that players are sent. Nothing of the referee's is within its reach. Programs are connected to it in `croupier-seat`.

mod choices;
mod person;
mod terminal_seat;
mod timed_player;
mod timing;
mod told;

use croupier_referee::{Failure, Message, Seat, SeatReply};
use croupier_remote::{Patience, RemoteSeat, TimedReply, TimedSeat};

pub(crate) use self::{
    choices::{Choices, NamedMove, PersonCommand, Understood},
    person::Person,
    terminal_seat::TerminalSeat,
    timed_player::TimedPlayer,
    timing::Timing,
};
use crate::sessions::interrupt::Interrupt;

/// Whoever sits in a role.
pub(crate) enum Occupant {
    /// A program.
    Player(TimedPlayer),
    /// Somebody at the terminal.
    Person(Box<Person>),
    /// A program that is reached over HTTP.
    Remote(Box<RemoteSeat>),
}

impl Occupant {
    /// Lets a program compute while others choose.
    pub(crate) fn ponder(&mut self, is_over: &(dyn Fn() -> bool + Sync)) {
        if let Self::Player(seat) = self {
            seat.ponder(is_over);
        }
    }

    /// Takes in a message that nobody waits for an answer to.
    pub(crate) fn take_in(&mut self, message: &Message) {
        // What cannot be read is said when the next move is asked for.
        let _ = match self {
            Self::Player(player) => player.take_in(message).is_ok(),
            Self::Person(person) => person.take_in(message),
            Self::Remote(_) => false,
        };
    }

    /// Answers a message, unless `is_over` says that nobody wants the answer any more.
    pub(crate) fn answer(&mut self, message: &Message, is_over: &(dyn Fn() -> bool + Sync)) -> SeatReply {
        match self {
            Self::Player(player) => player.receive(message, is_over),
            Self::Person(person) => person.receive(message, is_over),
            Self::Remote(_) => SeatReply::failed(Failure::ConnectError),
        }
    }
}

/// Somebody in a role of a match that a signal ends.
pub(crate) struct InterruptibleSeat {
    pub(crate) occupant: Occupant,
    pub(crate) interrupt: Interrupt,
}

impl Seat for InterruptibleSeat {
    fn receive(&mut self, message: &Message) -> SeatReply {
        let reply = self.occupant.answer(message, &|| self.interrupt.is_raised());
        if self.interrupt.is_raised() { SeatReply::Leave } else { reply }
    }
}

impl TimedSeat for InterruptibleSeat {
    fn connects(&self) -> bool {
        matches!(self.occupant, Occupant::Remote(_))
    }

    fn connect(&mut self, message: &Message, patience: &Patience) -> Result<(), Failure> {
        match &mut self.occupant {
            Occupant::Remote(remote) => remote.connect(message, patience),
            Occupant::Player(_) | Occupant::Person(_) => Ok(()),
        }
    }

    fn receive(&mut self, message: &Message, patience: &Patience) -> TimedReply {
        if let Occupant::Remote(remote) = &mut self.occupant {
            return remote.receive(message, patience);
        }
        match self.occupant.answer(message, &|| patience.is_cancelled()) {
            SeatReply::Reply { reply, .. } => TimedReply::Reply(reply),
            SeatReply::Leave => TimedReply::Leave,
        }
    }
}
