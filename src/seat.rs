//! Who sits in a role: a player of `croupier-players`, a person at the terminal, or a player over HTTP.
//!
//! A seat is told what the wire would tell it, as text, and has a game of its own, compiled from the
//! text that players are sent. Nothing of the referee's is within its reach.

use std::{sync::Arc, time::Duration};

use croupier_engine::{Game, InformationSet, RoleId, game::TermError};
use croupier_players::{Budget, Player, PlayerError, PlayerKind};
use croupier_referee::{Failure, LastTurn, Message, Seat, SeatReply, event::Reply};
use croupier_remote::{Patience, RemoteSeat, TimedReply, TimedSeat};
use thiserror::Error;

use crate::{clock, human::Person, interrupt::Interrupt};

/// The word that START is answered by.
pub(crate) const READY: &str = "READY";

/// Part of the play clock that a player leaves unused, so that its move is there in time.
const RESERVE: f64 = 0.1;

/// Whoever sits in a role.
pub(crate) enum Occupant {
    /// A program.
    Player(PlayerSeat),
    /// Somebody at the terminal.
    Person(Box<Person>),
    /// A program that is reached over HTTP.
    Remote(Box<RemoteSeat>),
}

impl Occupant {
    /// Answers a message, unless `is_over` says that nobody wants the answer any more.
    fn answer(&mut self, message: &Message, is_over: &dyn Fn() -> bool) -> SeatReply {
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

/// How a seat's time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timing {
    /// Not at all: every reply counts as immediate, so that a seeded match has one record.
    Untimed,
    /// By the clock: whoever thinks longer than this is late.
    Clock(Duration),
}

impl Timing {
    /// The reply, with the time it took if that counts.
    pub(crate) fn reply(self, reply: Reply, taken: Duration) -> SeatReply {
        let elapsed_ms = match self {
            Self::Untimed => 0,
            Self::Clock(_) => u64::try_from(taken.as_millis()).unwrap_or(u64::MAX),
        };
        SeatReply::Reply { reply, elapsed_ms }
    }
}

/// What a seat knows, kept from message to message.
#[derive(Debug)]
pub(crate) struct Knowledge {
    /// The game as the seat was told it.
    pub(crate) game: Arc<Game>,
    /// Everything its role did and saw.
    pub(crate) known: InformationSet,
}

impl Knowledge {
    pub(crate) fn new(game: Arc<Game>, role: RoleId) -> Self {
        Self { game, known: InformationSet::initial(role) }
    }

    /// Takes in the turn before a message.
    ///
    /// # Errors
    /// If the referee wrote something that is no term.
    pub(crate) fn learn(&mut self, last: Option<&LastTurn>) -> Result<(), TermError> {
        if let Some(last) = last {
            let percepts = last.percepts.iter().map(|percept| &**percept);
            self.known.turns.push(self.game.own_turn(&last.own_move, percepts)?);
        }
        Ok(())
    }
}

/// Why a player gave no move.
#[derive(Clone, Debug, Error)]
pub(crate) enum SeatError {
    /// It did not know what to play.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// It was told something that is no term.
    #[error("the referee's message cannot be read: {0}")]
    Message(#[from] TermError),
}

/// A program in a role.
pub(crate) struct PlayerSeat {
    knowledge: Knowledge,
    player: Box<dyn Player>,
    timing: Timing,
    /// Why it gave no move the first time.
    error: Option<SeatError>,
}

impl PlayerSeat {
    /// A player of this kind, in a role of the game that it was told.
    ///
    /// # Errors
    /// If the role is nobody's.
    pub(crate) fn new(
        kind: &PlayerKind,
        game: &Arc<Game>,
        role: RoleId,
        seed: [u8; 32],
        timing: Timing,
    ) -> Result<Self, PlayerError> {
        let player = kind.player(Arc::clone(game), role, seed)?;
        Ok(Self { knowledge: Knowledge::new(Arc::clone(game), role), player, timing, error: None })
    }

    /// Why it gave no move the first time.
    pub(crate) fn error(&self) -> Option<&SeatError> {
        self.error.as_ref()
    }

    fn receive(&mut self, message: &Message, is_over: &dyn Fn() -> bool) -> SeatReply {
        let Message::Play { last, .. } = message else { return SeatReply::text(READY) };
        let begun = clock::now();
        let reply = match self.choose(last.as_ref(), is_over) {
            Ok(text) => Reply::Text(text),
            Err(error) => {
                self.error.get_or_insert(error);
                Reply::Failed(Failure::PlayerError)
            }
        };
        self.timing.reply(reply, begun.elapsed())
    }

    fn choose(&mut self, last: Option<&LastTurn>, is_over: &dyn Fn() -> bool) -> Result<String, SeatError> {
        self.knowledge.learn(last)?;
        // A budget that is never over is the player's own.
        let mut budget: Box<dyn FnMut() -> bool> = match self.timing {
            Timing::Untimed => Box::new(is_over),
            Timing::Clock(clock) => {
                let begun = clock::now();
                let allowed = clock.mul_f64(1.0 - RESERVE);
                Box::new(move || begun.elapsed() >= allowed || is_over())
            }
        };
        let decision = self.player.choose(&self.knowledge.known, &mut Budget::Until(&mut *budget))?;
        Ok(self.knowledge.game.move_text(decision.chosen).to_string())
    }
}
