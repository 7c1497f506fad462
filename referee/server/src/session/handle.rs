//! A session that runs, as the rest of the server has it.

use std::{collections::BTreeMap, sync::Arc, time::Instant};

use croupier_engine::RoleId;
use croupier_games::GameFacts;
use croupier_referee::{Digest, Reply, match_state::REPLY_BYTES_MAX};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot, watch};
use utoipa::ToSchema;

use super::{
    books::{OpenInvitation, SessionBooks},
    command::SessionCommand,
    keys::{Guest, SessionKeys},
    timed_move::play_in_time,
    view::{ChatLine, SeatPlace, SessionStatus, SessionView},
};
use crate::{
    board::View,
    handle::{Command, MatchHandle, Timing},
    problem::{Problem, ProblemCode, Result},
    realtime::GameClock,
    receipt::{Owed, Receipt},
    rights::{Actor, Operation, TokenDigest, may},
    store::Tenure,
};

/// What a guest has to do now, as its own frames say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToMove {
    /// The turn for which a move is awaited of it; none while it waits for others, and while only one move is possible, which is
    /// played for it.
    pub(crate) turn: Option<u32>,
    /// The legal moves, if what it was told proves them.
    pub(crate) legal: Option<Vec<String>>,
    /// The moves that may be legal, as far as it can work that out: if they are proved, the same.
    pub(crate) possible: Vec<String>,
    /// When its clock is over, and its time bank begins.
    pub(crate) clock_until: Option<Instant>,
    /// When its time bank is over too, and a move is played for it.
    pub(crate) until: Option<Instant>,
}

impl ToMove {
    /// Rejects a move that is known to be illegal: another would be played for it.
    fn demand_legal(&self, own: &OwnMove) -> Result<()> {
        let canonical = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        match &self.legal {
            Some(legal) if self.turn == Some(own.turn) && !legal.contains(&canonical(&own.text)) => {
                Err(ProblemCode::BadFrame.because("that is no legal move now"))
            }
            _ => Ok(()),
        }
    }
}

/// A guest in a role of the match that is being played.
#[derive(Clone, Debug)]
pub(crate) struct GuestSeat {
    pub(crate) role: RoleId,
    /// What it has to do. The frames that say so are on its board before.
    pub(crate) to_move: watch::Receiver<ToMove>,
    /// The last turn for which its move is durable.
    pub(super) replied: watch::Sender<Option<u32>>,
    /// Whether it has asked for anything in this match: a match in real time does not wait for who is not there.
    pub(super) has_looked: watch::Sender<bool>,
}

/// The match of a session that is being played.
#[derive(Clone, Debug)]
pub(crate) struct PlayedHand {
    /// Which one, from 1.
    pub(crate) index: u64,
    pub(crate) id: String,
    pub(crate) handle: MatchHandle,
    /// The guests in it.
    pub(crate) guests: BTreeMap<SeatPlace, GuestSeat>,
}

impl PlayedHand {
    /// The frames of one player, for what those who watch may see of them: of a guest, or of the first player where agents play alone. They
    /// must not be shown as they are.
    pub(crate) fn for_watchers(&self) -> Option<watch::Receiver<View>> {
        let guest = self.guests.values().next().map(|guest| guest.role);
        let role = guest.or_else(|| self.handle.roles.players().next())?;
        Some(self.handle.boards[role].follow())
    }
}

/// The frames of one guest in the match that is being played, and nobody else's.
#[derive(Clone, Debug)]
pub(crate) struct OwnFrames {
    pub(crate) index: u64,
    pub(crate) match_id: String,
    /// Every frame that it was shown, in order.
    pub(crate) frames: watch::Receiver<View>,
    /// The clock of a real-time match, once it runs.
    pub(crate) game_time: watch::Receiver<Option<GameClock>>,
    pub(crate) to_move: watch::Receiver<ToMove>,
}

/// A request that may come twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandRequest {
    /// Who asks, and under which key.
    pub(crate) name: String,
    /// SHA-256 of what is asked for.
    pub(crate) digest: String,
}

/// A command to the task of a session, and who waits for what becomes of it.
#[derive(Debug)]
pub(crate) enum Call {
    /// A guest or the host asks for something.
    Command {
        command: SessionCommand,
        request: Option<CommandRequest>,
        done: oneshot::Sender<Result<CommandAnswer>>,
    },
    /// Somebody takes the seat of an invitation.
    Join(Joining, oneshot::Sender<Result<CommandAnswer>>),
    /// A guest did not answer in time, twice in a row.
    Missed(SeatPlace),
    /// The server stops, or the session may be another server's.
    Leave,
}

/// Somebody who takes the seat of an invitation.
#[derive(Clone, Debug)]
pub(crate) struct Joining {
    pub(crate) place: SeatPlace,
    /// The digest of the invitation.
    pub(crate) invitation: TokenDigest,
    /// That of the new key of the seat.
    pub(crate) key: TokenDigest,
    pub(crate) name: String,
}

/// What became of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct CommandAnswer {
    /// The token of a link that was made for it.
    pub(crate) token: Option<String>,
    /// The session that follows.
    pub(crate) session: Option<String>,
}

/// The keys of a session and its open invitations, by their digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionSecrets {
    pub(crate) keys: SessionKeys,
    pub(crate) invitations: BTreeMap<SeatPlace, OpenInvitation>,
}

impl SessionSecrets {
    pub(super) fn of(books: &SessionBooks) -> Self {
        Self { keys: books.keys().clone(), invitations: books.invitations().clone() }
    }
}

/// The rest of the server's view of a running session.
#[derive(Clone, Debug)]
pub(crate) struct SessionHandle {
    pub(crate) id: Arc<str>,
    /// The first of the sessions that followed each other at this table: cookies of its guests are named after it.
    pub(crate) table: Arc<str>,
    /// The words of its game.
    pub(crate) facts: Arc<GameFacts>,
    /// For how long it is this server's.
    pub(crate) tenure: Tenure,
    /// What everybody may see: it changes with every event, once that is durable.
    pub(crate) view: watch::Receiver<Arc<SessionView>>,
    /// Who may do what: for nobody but the server.
    pub(crate) secrets: watch::Receiver<Arc<SessionSecrets>>,
    /// The match that is being played; none between two matches.
    pub(crate) hand: watch::Receiver<Option<PlayedHand>>,
    /// What was said, the last lines only.
    pub(crate) chat: watch::Receiver<Arc<[ChatLine]>>,
    pub(crate) calls: mpsc::Sender<Call>,
}

impl SessionHandle {
    /// A session that is over: nobody changes it any more.
    pub(super) fn of_ended(books: &SessionBooks, tenure: Tenure) -> Self {
        let (calls, _) = mpsc::channel(1);
        Self {
            id: books.origin().id.as_str().into(),
            table: books.origin().setup.table.as_str().into(),
            facts: Arc::clone(&books.origin().facts),
            tenure,
            view: watch::Sender::new(Arc::new(books.view(None))).subscribe(),
            secrets: watch::Sender::new(Arc::new(SessionSecrets::of(books))).subscribe(),
            hand: watch::Sender::new(None).subscribe(),
            chat: watch::Sender::new(Arc::default()).subscribe(),
            calls,
        }
    }

    /// The session as everybody who may look at it sees it.
    ///
    /// # Errors
    /// [`Problem`] if it is not in the list of tables and this guest has no key of it.
    pub(crate) fn look(&self, guest: &Guest) -> Result<Arc<SessionView>> {
        let view = Arc::clone(&self.view.borrow());
        if !view.is_listed {
            let secrets = self.secrets.borrow();
            may(&Actor::Anybody, guest.keys(), Operation::Look(&secrets.keys))?;
        }
        Ok(view)
    }

    /// Asks for something, if this guest may: once it is durable, what became of it. A command with the same `key` again does nothing new.
    ///
    /// # Errors
    /// [`Problem`] without the right, or if the session does not allow it as it is now.
    pub(crate) async fn ask(
        &self,
        guest: &Guest,
        command: SessionCommand,
        key: Option<String>,
    ) -> Result<CommandAnswer> {
        let who = command.demand(&self.secrets.borrow().keys, guest.keys())?;
        let text = serde_json::to_string(&command).expect("a command is JSON");
        let digest = Digest::of(text.as_bytes()).to_string();
        let request = key.map(|key| CommandRequest { name: format!("{who}/{key}"), digest });
        self.call(|done| Call::Command { command, request, done }).await
    }

    /// Rejects who is not the host.
    ///
    /// # Errors
    /// [`Problem`] without the host's key.
    pub(crate) fn demand_host(&self, guest: &Guest) -> Result<()> {
        may(&Actor::Anybody, guest.keys(), Operation::Control(self.secrets.borrow().keys.of_host()))
    }

    /// Rejects who does not hold the key of a seat.
    ///
    /// # Errors
    /// [`Problem`] without it, or if nobody has that seat.
    pub(crate) fn demand_seat(&self, guest: &Guest, place: SeatPlace) -> Result<()> {
        let keys = &self.secrets.borrow().keys;
        may(&Actor::Anybody, guest.keys(), Operation::Sit(keys.of_seat(place).ok_or_else(no_guest)?))
    }

    /// Whether no other match will be played.
    pub(crate) fn is_over(&self) -> bool {
        self.view.borrow().status == SessionStatus::Over
    }

    /// Passes a call to the task, and waits for what becomes of it.
    pub(super) async fn call(
        &self,
        call: impl FnOnce(oneshot::Sender<Result<CommandAnswer>>) -> Call,
    ) -> Result<CommandAnswer> {
        let (done, answer) = oneshot::channel();
        let gone = || match self.view.borrow().status {
            SessionStatus::Over => ProblemCode::Over.because("the session is over"),
            _ => interrupted(),
        };
        self.calls.send(call(done)).await.map_err(|_| gone())?;
        answer.await.unwrap_or_else(|_| Err(gone()))
    }

    /// The frames of a guest in the match that is being played.
    ///
    /// # Errors
    /// [`Problem`] without the key of the seat, or if the seat is in no match now.
    pub(crate) fn frames(&self, guest: &Guest, place: SeatPlace) -> Result<OwnFrames> {
        let (hand, seat) = self.seat(guest, place)?;
        Ok(OwnFrames {
            index: hand.index,
            match_id: hand.id,
            frames: hand.handle.boards[seat.role].follow(),
            game_time: hand.handle.game_time.clone(),
            to_move: seat.to_move,
        })
    }

    /// The match that is being played and the place of a guest in it, if it holds its key.
    fn seat(&self, guest: &Guest, place: SeatPlace) -> Result<(PlayedHand, GuestSeat)> {
        let hand = self.hand.borrow().clone();
        {
            let keys = &self.secrets.borrow().keys;
            let index = hand.as_ref().map_or(keys.index, |hand| hand.index);
            let key = keys.of_hand(place, index).ok_or_else(no_guest)?;
            may(&Actor::Anybody, guest.keys(), Operation::Sit(key))?;
        }
        let hand = hand.filter(|hand| hand.handle.tenure.is_held()).ok_or_else(no_hand)?;
        let seat = hand.guests.get(&place).cloned().ok_or_else(no_hand)?;
        seat.has_looked.send_replace(true);
        Ok((hand, seat))
    }

    /// Plays a move for a guest: answered once it is durable. The same move again gets the same answer; of two different ones, the
    /// first counts.
    ///
    /// # Errors
    /// [`Problem`] without the key of the seat, if the turn is over, or if the move may be lost.
    pub(crate) async fn play(&self, guest: &Guest, place: SeatPlace, own: OwnMove) -> Result<Receipt> {
        let (hand, seat) = self.seat(guest, place)?;
        if own.index != hand.index {
            return Err(ProblemCode::Late.because("that match of the session is over"));
        }
        if hand.handle.timing == Timing::RealTime {
            return play_in_time(&hand.handle, seat.role, own).await;
        }
        let (owed, receipts) = Owed::new();
        let to = croupier_referee::Request::Play { turn: own.turn };
        if own.text.len() > REPLY_BYTES_MAX {
            return Err(ProblemCode::BadFrame.because("the move is too long"));
        }
        seat.to_move.borrow().demand_legal(&own)?;
        let reply = Reply::Text(own.text);
        let command = Command::Reply { role: seat.role, to, reply, owed: Some(owed) };
        let gone = || match hand.handle.boards[seat.role].is_over() {
            true => ProblemCode::Late.because("the match is over"),
            false => ProblemCode::Interrupted.into(),
        };
        hand.handle.commands.send(command).await.map_err(|_| gone())?;
        let receipt = receipts.await.unwrap_or_else(|_| Err(gone()))?;
        seat.replied.send_replace(Some(own.turn));
        Ok(receipt)
    }
}

/// A move of a guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnMove {
    /// Which match of the session, from 1.
    pub(crate) index: u64,
    pub(crate) turn: u32,
    pub(crate) text: String,
}

fn interrupted() -> Problem {
    ProblemCode::Interrupted.because("the session is interrupted and goes on in a moment: ask again")
}

fn no_guest() -> Problem {
    Problem::absent("there is no such seat, or nobody has taken it")
}

fn no_hand() -> Problem {
    ProblemCode::NoHand.into()
}
