//! A player of `croupier-players` in a role.

use std::{sync::Arc, time::Duration};

use croupier_engine::{Game, RoleId, game::TermError};
use croupier_players::{Approaches, Budget, Coverage, OpenEnds, Player, PlayerError, PlayerKind};
use croupier_referee::{Failure, LastTurn, Message, SeatReply, event::Reply};
use thiserror::Error;

use super::{
    knowledge::{Knowledge, READY},
    timing::Timing,
};
use crate::clock;

/// Part of the play clock that a player leaves unused, so that its move is there in time.
const RESERVE: f64 = 0.1;

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
    /// Whether a person waits for its answers.
    is_awaited: bool,
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
        let knowledge = Knowledge::new(Arc::clone(game), role);
        Ok(Self { knowledge, player, timing, is_awaited: false, error: None })
    }

    /// The same in a match in which a person waits: it answers as soon as its own iterations are made, however much time is left.
    pub(crate) fn awaited(self, is_awaited: bool) -> Self {
        Self { is_awaited, ..self }
    }

    /// Why it gave no move the first time.
    pub(crate) fn error(&self) -> Option<&SeatError> {
        self.error.as_ref()
    }

    /// The ends that its searches met and that no match can have.
    pub(crate) fn open_ends(&self) -> Option<OpenEnds> {
        self.player.open_ends()
    }

    /// How often the strategy in a file that it goes by had an entry.
    pub(crate) fn coverage(&self) -> Option<Coverage> {
        self.player.coverage()
    }

    /// In which of its ways it decided.
    pub(crate) fn approaches(&self) -> Option<Approaches> {
        self.player.approaches()
    }

    /// Takes in a message that nobody waits for an answer to.
    ///
    /// # Errors
    /// If the referee wrote something that is no term.
    pub(crate) fn take_in(&mut self, message: &Message) -> Result<(), TermError> {
        match message {
            Message::Play { last, .. } => self.knowledge.learn(last.as_ref()),
            Message::Start { .. } | Message::Reveal { .. } | Message::Stop { .. } | Message::Abort { .. } => {
                Ok(())
            }
        }
    }

    /// Answers a message; `is_over` says that nobody wants the answer any more.
    pub(crate) fn receive(&mut self, message: &Message, is_over: &(dyn Fn() -> bool + Sync)) -> SeatReply {
        let last = match message {
            Message::Play { last, .. } => last,
            Message::Start { start_clock_s, .. } => {
                self.prepare(Duration::from_secs(*start_clock_s), is_over);
                return SeatReply::text(READY);
            }
            Message::Reveal { .. } | Message::Stop { .. } | Message::Abort { .. } => {
                return SeatReply::text(READY);
            }
        };
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

    /// Lets the player compute while others choose, if time counts.
    pub(crate) fn ponder(&mut self, is_over: &(dyn Fn() -> bool + Sync)) {
        if self.timing != Timing::Untimed {
            self.player.ponder(&mut Budget::Offered(&mut || is_over()));
        }
    }

    /// Lets the player compute ahead while the start clock runs, if time counts.
    fn prepare(&mut self, start_clock: Duration, is_over: &(dyn Fn() -> bool + Sync)) {
        if matches!(self.timing, Timing::Untimed) {
            return;
        }
        let mut is_time_up = self.deadline(start_clock, is_over);
        self.player.prepare(&mut Budget::Until(&mut *is_time_up));
    }

    /// Whether nobody wants an answer any more or, where time counts, a clock that begins now has come to its end.
    fn deadline<'o>(
        &self,
        clock: Duration,
        is_over: &'o (dyn Fn() -> bool + Sync),
    ) -> Box<dyn FnMut() -> bool + Send + 'o> {
        match self.timing {
            Timing::Untimed => Box::new(is_over),
            Timing::Clock(_) => {
                let begun = clock::now();
                let allowed = clock.mul_f64(1.0 - RESERVE);
                Box::new(move || begun.elapsed() >= allowed || is_over())
            }
        }
    }

    fn choose(
        &mut self,
        last: Option<&LastTurn>,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<String, SeatError> {
        self.knowledge.learn(last)?;
        let clock = match self.timing {
            Timing::Untimed => Duration::ZERO,
            Timing::Clock(clock) => clock,
        };
        let mut is_time_up = self.deadline(clock, is_over);
        let mut budget = match self.timing {
            Timing::Untimed => Budget::Interruptible(&mut *is_time_up),
            Timing::Clock(_) if self.is_awaited => Budget::Until(&mut *is_time_up),
            Timing::Clock(_) => Budget::Offered(&mut *is_time_up),
        };
        let decision = self.player.choose(&self.knowledge.known, &mut budget)?;
        Ok(self.knowledge.game.move_text(decision.chosen).to_string())
    }
}
