//! A guest in a role of one real-time match.
//!
//! Nobody waits for a guest, and nobody plays for it in the middle of a match; from the next one on who was not there is away. All that the server does is what a program does before game time begins: it connects, and
//! says that it is ready a moment after the table is in sight, so that nobody is surprised by the first second.

use std::time::{Duration, Instant};

use croupier_engine::RoleId;
use tokio::sync::watch;

use super::handle::ToMove;
use crate::{
    board::View,
    clock,
    handle::{Command, MatchHandle},
    receipt::Owed,
    storing::until,
};

/// Between the moment at which a guest sees the table and the beginning of game time, at most.
pub(super) const LEAD_MAX: Duration = Duration::from_secs(3);

/// Who plays for whoever is away, if the session names nobody who plays in real time.
pub(super) const STAND_IN_IN_TIME: &str = "mc";

/// A guest in a role of one real-time match.
pub(super) struct TimedSitting {
    pub(super) handle: MatchHandle,
    pub(super) role: RoleId,
    /// How long the guest sees the table before game time begins.
    pub(super) lead: Duration,
    /// The time bank, which no match in real time uses.
    pub(super) bank: Duration,
    pub(super) to_move: watch::Sender<ToMove>,
}

impl TimedSitting {
    /// Sits until the match is over or interrupted; the time bank.
    pub(super) async fn sit(self) -> Duration {
        self.say(Command::Joined { role: self.role }).await;
        let mut board = self.handle.boards[self.role].follow();
        let is_left = |view: &View| view.is_over || view.is_interrupted;
        // The first frame has the rules; the next says that game time runs.
        let seen = board.wait_for(|view| !view.frames.is_empty() || is_left(view)).await;
        if seen.is_ok_and(|view| view.frames.len() == 1 && !is_left(&view)) {
            let begins_at: Instant = clock::after(self.lead);
            self.to_move.send_replace(ToMove { clock_until: Some(begins_at), ..ToMove::default() });
            until(Some(begins_at)).await;
            let (owed, _) = Owed::new();
            self.say(Command::Ready { role: self.role, commitment: None, owed }).await;
            self.to_move.send_replace(ToMove::default());
        }
        // Without a task of the match there is nothing to wait for.
        drop(board.wait_for(is_left).await);
        self.bank
    }

    async fn say(&self, command: Command) {
        // A match that is over needs to hear nothing.
        let _ = self.handle.commands.send(command).await;
    }
}
