//! A player in a role: reads messages, and answers with moves.

use std::sync::Arc;

use croupier_engine::{InformationSet, MoveId, game::TermError};
use croupier_players::{Approaches, Budget, Coverage, OpenEnds, Player, PlayerError, PlayerKind};
use croupier_referee::{AgentSeat, Failure, Message, Reply};
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
    /// A player of this kind that knows this; nobody else may compute with its game.
    ///
    /// # Errors
    /// [`PlayerError`] if the role is nobody's, or the player's file is for another game.
    pub fn new(kind: &PlayerKind, knowledge: Knowledge, seed: [u8; 32]) -> Result<Self, PlayerError> {
        let player = kind.player(Arc::clone(&knowledge.game), knowledge.known.role, seed)?;
        Ok(Self { knowledge, player, error: None })
    }

    /// What it knows.
    #[must_use]
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Replaces what it did and was told, in the terms of its game.
    pub fn set_known(&mut self, known: InformationSet) {
        self.knowledge.known = known;
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
            Message::Play { .. } => {
                return match self.play(message, time) {
                    Ok(chosen) => Reply::Text(self.knowledge.game.move_text(chosen).to_string()),
                    Err(error) => {
                        self.error.get_or_insert(error);
                        Reply::Failed(Failure::PlayerError)
                    }
                };
            }
            Message::Start { .. } | Message::Reveal { .. } | Message::Stop { .. } | Message::Abort { .. } => {
            }
        }
        Reply::Text(READY.to_owned())
    }

    /// The move that it chooses, after what it knows or after something else that its role may have done and been told.
    ///
    /// # Errors
    /// [`PlayerError`].
    pub fn choose(
        &mut self,
        supposed: Option<&InformationSet>,
        budget: &mut Budget<'_>,
    ) -> Result<MoveId, PlayerError> {
        let known = supposed.unwrap_or(&self.knowledge.known);
        Ok(self.player.choose(known, budget)?.chosen)
    }

    /// Frees data that the next decision recomputes.
    pub fn release(&mut self) {
        self.player.release();
    }

    fn play(&mut self, message: &Message, time: &mut Time<'_>) -> Result<MoveId, SeatError> {
        self.take_in(message)?;
        Ok(time.spend(|budget| self.choose(None, budget))?)
    }
}

impl AgentSeat for PlayerSeat {
    fn answer(&mut self, message: &Message, has_passed: &mut (dyn FnMut(f64) -> bool + Send)) -> Reply {
        Self::answer(self, message, &mut Time::Limited(has_passed))
    }
}
