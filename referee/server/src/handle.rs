//! A match that runs, as the rest of the server has it.

use std::{sync::Arc, time::Instant};

use croupier_engine::{ByPlayer, RoleId, Roles};
use croupier_referee::{Digest, Nonce, Nonces, Reply, Request};
use tokio::sync::{broadcast, mpsc, watch};

use crate::{
    agent::SeatedAgent, audience::Progress, board::Board, feed::FeedEvent, known::KnownToSeats,
    realtime::GameClock, receipt::Owed, rights::TokenDigest, store::Tenure,
};

/// What happens to a match from outside.
#[derive(Debug)]
pub(crate) enum Command {
    /// A player replied; one that connects waits for a receipt.
    Reply { role: RoleId, to: Request, reply: Reply, owed: Option<Owed> },
    /// An agent of this server replied, and is free for the next turn.
    Thought { role: RoleId, to: Request, reply: Reply, seated: Option<SeatedAgent> },
    /// The player of a seat has connected.
    Joined { role: RoleId },
    /// The player of a seat is ready for a real-time match, and may commit to a nonce.
    Ready { role: RoleId, commitment: Option<Digest>, owed: Owed },
    /// The player of a seat of a real-time match disclosed its nonce.
    Revealed { role: RoleId, nonce: Nonce, owed: Owed },
    /// A player moved in a real-time match.
    Moved { role: RoleId, id: u64, text: String, not_before_us: Option<u64>, at: Instant, owed: Owed },
    /// A request to end it.
    Abort,
    /// The server stops: the match stays as it is stored, and resumes when the server restarts.
    Leave,
}

impl Command {
    /// The role of the reply, if it is one.
    pub(crate) fn role(&self) -> Option<RoleId> {
        match self {
            Self::Reply { role, .. } | Self::Thought { role, .. } => Some(*role),
            Self::Joined { .. }
            | Self::Ready { .. }
            | Self::Revealed { .. }
            | Self::Moved { .. }
            | Self::Abort
            | Self::Leave => None,
        }
    }
}

/// Whether players of a match wait for turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timing {
    /// Waiting for replies of players.
    Turns,
    /// They move whenever they like.
    RealTime,
}

/// The rest of the server's view of a running match.
#[derive(Clone, Debug)]
pub(crate) struct MatchHandle {
    pub(crate) roles: Roles,
    /// For how long it is this server's.
    pub(crate) tenure: Tenure,
    pub(crate) timing: Timing,
    /// When game time began, or began again, in a real-time match: nothing that happens in the match changes it.
    pub(crate) game_time: watch::Receiver<Option<GameClock>>,
    pub(crate) boards: ByPlayer<Board>,
    /// By role, the turn for which it had moved already when this server took the match up.
    pub(crate) moved: ByPlayer<Option<u32>>,
    /// Boards of seats whose players connect.
    pub(crate) tokens: ByPlayer<Option<TokenDigest>>,
    /// What seats know of their legal moves; nobody asks in real time.
    pub(crate) known: Option<Arc<KnownToSeats>>,
    /// Whether other matches are played on the same deal.
    pub(crate) shares_deal: bool,
    /// Whether players add nonces to the seed, and how.
    pub(crate) nonces: Nonces,
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) progress: watch::Receiver<Progress>,
    /// For spectators.
    pub(crate) events: broadcast::Sender<Arc<FeedEvent>>,
}

impl MatchHandle {
    /// Whether the handle is that of the same task.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.commands.same_channel(&other.commands)
    }

    /// Takes a match from those who wait for it, and ends its task: it is no longer known whose it is.
    pub(crate) fn drop_match(&self) {
        self.boards.iter().for_each(|(_, board)| board.interrupt());
        // A task whose commands pile up finds out by itself before it tells anybody anything.
        let _ = self.commands.try_send(Command::Leave);
    }
}
