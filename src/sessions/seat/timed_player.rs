//! A player of `croupier-players` in a role, with the clock that it has.

use std::time::Duration;

use croupier_engine::game::TermError;
use croupier_referee::{Message, SeatReply};
use croupier_seat::{PlayerSeat, Time};

use super::timing::Timing;
use crate::sessions::clock;

/// A program in a role, and how its time is measured.
pub(crate) struct TimedPlayer {
    pub(crate) seat: PlayerSeat,
    timing: Timing,
    /// Whether a person waits for its answers.
    is_awaited: bool,
}

impl TimedPlayer {
    pub(crate) fn new(seat: PlayerSeat, timing: Timing) -> Self {
        Self { seat, timing, is_awaited: false }
    }

    /// The same in a match in which a person waits: it answers as soon as its own iterations are made, however much time is left.
    pub(crate) fn awaited(self, is_awaited: bool) -> Self {
        Self { is_awaited, ..self }
    }

    /// Takes in a message that nobody waits for an answer to.
    ///
    /// # Errors
    /// If the referee wrote something that is no term.
    pub(crate) fn take_in(&mut self, message: &Message) -> Result<(), TermError> {
        self.seat.take_in(message)
    }

    /// Answers a message; `is_over` says that nobody wants the answer any more.
    pub(crate) fn receive(&mut self, message: &Message, is_over: &(dyn Fn() -> bool + Sync)) -> SeatReply {
        let begun = clock::now();
        let clock = match (self.timing, message) {
            (Timing::Untimed, _) => None,
            (Timing::Clock(_), Message::Start { start_clock_s, .. }) => {
                Some(Duration::from_secs(*start_clock_s))
            }
            (Timing::Clock(clock), _) => Some(clock),
        };
        let mut has_passed =
            |share: f64| is_over() || clock.is_some_and(|clock| begun.elapsed() >= clock.mul_f64(share));
        let mut is_interrupted = || is_over();
        let mut time = match clock {
            None => Time::Untimed(&mut is_interrupted),
            Some(_) if self.is_awaited => Time::Limited(&mut has_passed),
            Some(_) => Time::Offered(&mut has_passed),
        };
        let reply = self.seat.answer(message, &mut time);
        match message {
            Message::Play { .. } => self.timing.reply(reply, begun.elapsed()),
            // Nobody is late with these.
            Message::Start { .. } | Message::Reveal { .. } | Message::Stop { .. } | Message::Abort { .. } => {
                SeatReply::Reply { reply, elapsed_ms: 0 }
            }
        }
    }

    /// Lets the player compute while others choose, if time counts.
    pub(crate) fn ponder(&mut self, is_over: &(dyn Fn() -> bool + Sync)) {
        if self.timing != Timing::Untimed {
            self.seat.ponder(&mut || is_over());
        }
    }
}
