//! Who sits in a role: a player of `croupier-players`, a person at the terminal, or a player over HTTP.
//!
//! A seat is told what the wire would tell it, as text, and has a game of its own, compiled from the
//! text that players are sent. Nothing of the referee's is within its reach.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_engine::{Game, InformationSet, RoleId, game::TermError};
use croupier_players::{Budget, OpenEnds, Player, PlayerError, PlayerKind};
use croupier_referee::{Failure, LastTurn, Message, Seat, SeatReply, event::Reply};
use croupier_remote::{RemoteSeat, TimedReply, TimedSeat};
use thiserror::Error;

use crate::{clock, human::Person};

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

impl Seat for Occupant {
    fn receive(&mut self, message: &Message) -> SeatReply {
        match self {
            Self::Player(player) => player.receive(message),
            Self::Person(person) => person.receive(message),
            Self::Remote(_) => SeatReply::failed(Failure::ConnectError),
        }
    }
}

impl TimedSeat for Occupant {
    fn connects(&self) -> bool {
        matches!(self, Self::Remote(_))
    }

    fn connect(&mut self, message: &Message) {
        if let Self::Remote(remote) = self {
            remote.connect(message);
        }
    }

    fn receive(&mut self, message: &Message, deadline: Instant) -> TimedReply {
        let reply = match self {
            Self::Remote(remote) => return remote.receive(message, deadline),
            Self::Player(player) => player.receive(message),
            Self::Person(person) => person.receive(message),
        };
        match reply {
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
    /// How often it gave no move, and why the first time.
    failures: Option<(u32, SeatError)>,
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
        Ok(Self { knowledge: Knowledge::new(Arc::clone(game), role), player, timing, failures: None })
    }

    /// How often it gave no move, and why the first time.
    pub(crate) fn failures(&self) -> Option<&(u32, SeatError)> {
        self.failures.as_ref()
    }

    /// The ends that its searches met and that no match can have.
    pub(crate) fn open_ends(&self) -> Option<OpenEnds> {
        self.player.open_ends()
    }

    fn receive(&mut self, message: &Message) -> SeatReply {
        let Message::Play { last, .. } = message else { return SeatReply::text(READY) };
        let begun = clock::now();
        let reply = match self.choose(last.as_ref()) {
            Ok(text) => Reply::Text(text),
            Err(error) => {
                self.failures.get_or_insert((0, error)).0 += 1;
                Reply::Failed(Failure::ConnectError)
            }
        };
        self.timing.reply(reply, begun.elapsed())
    }

    fn choose(&mut self, last: Option<&LastTurn>) -> Result<String, SeatError> {
        self.knowledge.learn(last)?;
        let decision = match self.timing {
            Timing::Untimed => self.player.choose(&self.knowledge.known, &mut Budget::Own)?,
            Timing::Clock(clock) => {
                let begun = clock::now();
                let allowed = clock.mul_f64(1.0 - RESERVE);
                let mut is_over = || begun.elapsed() >= allowed;
                self.player.choose(&self.knowledge.known, &mut Budget::Until(&mut is_over))?
            }
        };
        Ok(self.knowledge.game.move_text(decision.chosen).to_string())
    }
}
