//! A player in a role: reads messages, and answers with moves.

use std::sync::Arc;

use croupier_engine::{Game, MoveId, RoleId, game::TermError};
use croupier_players::{Approaches, Budget, Coverage, OpenEnds, Player, PlayerError, PlayerKind};
use croupier_referee::{AgentSeat, Failure, Message, OwnHistory, Reply};
use thiserror::Error;

use crate::{knowledge::Knowledge, time::Time};

/// The word that START is answered with.
pub const READY: &str = "READY";

/// Why a player gave no move.
#[derive(Clone, Debug, Error)]
pub enum SeatError {
    /// It did not know what to play.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// It was told something that is no term.
    #[error("the referee's message cannot be read: {0}")]
    Message(#[from] TermError),
}

/// A player in a role of one match. It has a game of its own, and gets only what the role may know.
#[derive(Debug)]
pub struct PlayerSeat {
    knowledge: Knowledge,
    player: Box<dyn Player>,
    /// Why it gave no move the first time.
    error: Option<SeatError>,
}

impl PlayerSeat {
    /// A player of this kind before the first move, with a game that nobody else computes with.
    ///
    /// # Errors
    /// [`PlayerError`] if the role is nobody's, or the player's file is for another game.
    pub fn new(
        kind: &PlayerKind,
        game: Arc<Game>,
        role: RoleId,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        let player = kind.player(Arc::clone(&game), role, seed)?;
        Ok(Self { knowledge: Knowledge::new(game, role), player, error: None })
    }

    /// The same player after it did and was told `own`.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`SeatError::Message`] if a move or percept is no term.
    pub fn resumed(
        kind: &PlayerKind,
        game: Arc<Game>,
        own: &OwnHistory,
        seed: [u8; 32],
    ) -> Result<Self, SeatError> {
        let player = kind.player(Arc::clone(&game), own.role, seed)?;
        Ok(Self { knowledge: Knowledge::of(game, own)?, player, error: None })
    }

    /// Why it gave no move the first time.
    #[must_use]
    pub fn error(&self) -> Option<&SeatError> {
        self.error.as_ref()
    }

    /// The ends that its searches met and that no match can have.
    #[must_use]
    pub fn open_ends(&self) -> Option<OpenEnds> {
        self.player.open_ends()
    }

    /// How often the strategy in a file that it goes by had an entry.
    #[must_use]
    pub fn coverage(&self) -> Option<Coverage> {
        self.player.coverage()
    }

    /// In which of its ways it decided.
    #[must_use]
    pub fn approaches(&self) -> Option<Approaches> {
        self.player.approaches()
    }

    /// Takes in a message that nobody waits for an answer to.
    ///
    /// # Errors
    /// [`TermError`] if it says something that is no term.
    pub fn take_in(&mut self, message: &Message) -> Result<(), TermError> {
        self.knowledge.take_in(message).map(drop)
    }

    /// Lets the player compute while others choose, until the closure says that it is over.
    pub fn ponder(&mut self, is_over: &mut (dyn FnMut() -> bool + Send)) {
        self.player.ponder(&mut Budget::Offered(is_over));
    }

    /// Answers a message: PLAY with a move, everything else with [`READY`]. The time for START is spent only if a clock counts.
    pub fn answer(&mut self, message: &Message, time: &mut Time<'_>) -> Reply {
        match message {
            Message::Start { .. } if time.is_timed() => time.spend(|budget| self.player.prepare(budget)),
            Message::Play { .. } => return self.play(message, time),
            Message::Start { .. } | Message::Reveal { .. } | Message::Stop { .. } | Message::Abort { .. } => {
            }
        }
        Reply::Text(READY.to_owned())
    }

    fn play(&mut self, message: &Message, time: &mut Time<'_>) -> Reply {
        match self.choose(message, time) {
            Ok(chosen) => Reply::Text(self.knowledge.game().move_text(chosen).to_string()),
            Err(error) => {
                self.error.get_or_insert(error);
                Reply::Failed(Failure::PlayerError)
            }
        }
    }

    fn choose(&mut self, message: &Message, time: &mut Time<'_>) -> Result<MoveId, SeatError> {
        self.knowledge.take_in(message)?;
        let decision = time.spend(|budget| self.player.choose(self.knowledge.known(), budget))?;
        Ok(decision.chosen)
    }
}

impl AgentSeat for PlayerSeat {
    fn answer(&mut self, message: &Message, passed: &mut (dyn FnMut() -> f64 + Send)) -> Reply {
        Self::answer(self, message, &mut Time::Limited(passed))
    }
}
