//! Who answers for a role while the clock runs.

use croupier_referee::{Failure, Message, Reply};

use crate::patience::Patience;

/// Who or what chooses the moves of one role, in real time.
pub trait TimedSeat: Send {
    /// Whether [`connect`](Self::connect) does anything.
    fn connects(&self) -> bool {
        false
    }

    /// Prepares to receive `message`. The clock of the match is paused meanwhile, for all roles.
    ///
    /// # Errors
    /// If the player cannot be reached; [`receive`](Self::receive) then says so again.
    fn connect(&mut self, _message: &Message, _patience: &Patience) -> Result<(), Failure> {
        Ok(())
    }

    /// Answers a message. Replies to STOP and ABORT are ignored.
    ///
    /// A reply that comes back when patience is over is late; the match has continued.
    fn receive(&mut self, message: &Message, patience: &Patience) -> TimedReply;
}

/// The reply of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimedReply {
    /// A reply, or the lack of one.
    Reply(Reply),
    /// The match is to be aborted, as when a person leaves.
    Leave,
}
