//! A guest in a role of one match: everything that the server does for a person that a program does by itself.
//!
//! Its only source is the board of the seat, so nothing that it does or shows can depend on what the seat was not told. It says READY; it
//! plays a move that is the only one possible; it keeps the clock and the time bank; and when both are over, or while the guest is away, it
//! lets the session's stand-in choose. What is played for a guest is its reply in the record: the journal of the session says that it was away.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_engine::RoleId;
use croupier_referee::{
    Failure, Header, Insight, Message, Moment, OwnHistory, OwnTurn, Reply, Request, message,
};
use serde_json::Value;
use tokio::sync::{mpsc, watch};

use super::{
    handle::{Call, ToMove},
    view::SeatPlace,
};
use crate::{
    agent::think,
    board::View,
    clock,
    context::ServerContext,
    handle::{Command, MatchHandle},
    storing::until,
};

/// How often in a row a guest may not answer before it is away.
const MISSED_MAX: u32 = 2;

/// How long a stand-in may take.
const STAND_IN_TIME: Duration = Duration::from_secs(2);

/// A guest in a role of one match.
pub(super) struct Sitting {
    pub(super) context: Arc<ServerContext>,
    pub(super) header: Arc<Header>,
    pub(super) handle: MatchHandle,
    pub(super) place: SeatPlace,
    pub(super) role: RoleId,
    /// Who plays for the guest while it is away.
    pub(super) stand_in: Arc<str>,
    /// The seed of the stand-in in this match.
    pub(super) seed: [u8; 32],
    pub(super) clock: Duration,
    /// What is left of the time bank.
    pub(super) bank: Duration,
    /// Whether the guest is away, or about to go.
    pub(super) is_played_for: watch::Receiver<bool>,
    /// The last turn for which its move is durable.
    pub(super) replied: watch::Receiver<Option<u32>>,
    pub(super) to_move: watch::Sender<ToMove>,
    pub(super) calls: mpsc::WeakSender<Call>,
    /// What the seat can work out, once that was asked for.
    pub(super) insight: Option<Box<dyn Insight>>,
}

impl Sitting {
    /// Sits until the match is over or interrupted; what is left of the time bank.
    pub(super) async fn sit(mut self) -> Duration {
        let mut board = self.handle.boards[self.role].follow();
        let (mut seen, mut missed) = (0, 0);
        loop {
            let is_news = |view: &View| view.frames.len() > seen || view.is_over || view.is_interrupted;
            let Ok(view) = board.wait_for(is_news).await.map(|view| view.clone()) else { break };
            if view.is_interrupted || (view.is_over && view.frames.len() == seen) {
                break;
            }
            seen = view.frames.len();
            let Some(asked) = view.frames.last().and_then(|frame| asked_for(frame)) else { continue };
            match asked {
                Request::Start => self.reply(asked, Reply::Text("READY".to_owned())).await,
                Request::Reveal => {}
                Request::Play { turn } => {
                    let has_answered = self.answer(turn, &view, &mut board).await;
                    missed = if has_answered { 0 } else { missed + 1 };
                    if missed == MISSED_MAX
                        && let Some(calls) = self.calls.upgrade()
                    {
                        // A session that has just ended needs to know nothing.
                        let _ = calls.send(Call::Missed(self.place)).await;
                    }
                }
            }
        }
        self.to_move.send_replace(ToMove::default());
        self.bank
    }

    /// Sees to it that the seat has a move in a turn; whether its guest gave it, or had nothing to choose.
    async fn answer(&mut self, turn: u32, view: &View, board: &mut watch::Receiver<View>) -> bool {
        if *self.replied.borrow() >= Some(turn) {
            // Before the server died; the others have yet to move.
            return true;
        }
        let SeatMoves { legal, possible, are_alike } = self.moves(view).await;
        if let ([only], true) = (&possible[..], are_alike) {
            self.reply(Request::Play { turn }, Reply::Text(only.clone())).await;
            return true;
        }
        let begun = clock::now();
        let clock_until = clock::after(self.clock);
        let over_at = clock::after(self.clock + self.bank);
        self.to_move.send_replace(ToMove {
            turn: Some(turn),
            legal,
            possible: possible.clone(),
            clock_until: Some(clock_until),
            until: Some(over_at),
        });
        let shown = view.frames.len();
        let is_gone = |view: &View| view.frames.len() > shown || view.is_over || view.is_interrupted;
        let has_answered = tokio::select! {
            // Who has moved waits for nothing; and what was decided otherwise, such as an end of the match, is no fault of the guest.
            _ = self.replied.wait_for(|replied| *replied >= Some(turn)) => true,
            _ = board.wait_for(is_gone) => true,
            _ = self.is_played_for.wait_for(|is_played_for| *is_played_for) => false,
            () = until(Some(over_at)) => false,
        };
        self.bank = self.bank.saturating_sub(begun.elapsed().saturating_sub(self.clock));
        self.to_move.send_replace(ToMove::default());
        if has_answered {
            return true;
        }
        let is_away = *self.is_played_for.borrow();
        let reply = self.stand_in(view).await;
        let reply = reply.or_else(|| possible.into_iter().next().map(Reply::Text));
        self.reply(Request::Play { turn }, reply.unwrap_or(Reply::Failed(Failure::Timeout))).await;
        // While it is known to be away nothing is missed.
        is_away
    }

    /// The legal moves, if what the seat was told proves them; otherwise those that may be legal, as far as the seat can work that out.
    async fn moves(&mut self, view: &View) -> SeatMoves {
        match self.proved(view).await {
            Some(proved) => SeatMoves { are_alike: true, possible: proved.clone(), legal: Some(proved) },
            None => self.worked_out(view).await.unwrap_or_default(),
        }
    }

    async fn proved(&mut self, view: &View) -> Option<Vec<String>> {
        let known = Arc::clone(self.handle.known.as_ref()?);
        let (role, shown) = (self.role, view.frames.clone());
        let frame = tokio::task::spawn_blocking(move || known.with_legal(role, &shown)).await.ok()??;
        serde_json::from_value(frame["legal"].clone()).ok()?
    }

    async fn worked_out(&mut self, view: &View) -> Option<SeatMoves> {
        let (insight, known) = (self.insight.take(), Arc::clone(self.handle.known.as_ref()?));
        let (role, shown, context) = (self.role, view.frames.clone(), Arc::clone(&self.context));
        let look = move || {
            let mut insight =
                insight.unwrap_or_else(|| context.library.agents.insight(known.own_game(), role));
            let own = own_history(role, &shown)?;
            for turn in own.turns.iter().skip(insight.turns()) {
                let percepts: Vec<&str> = turn.percepts.iter().map(|percept| &**percept).collect();
                insight.take(&turn.own_move, &percepts).ok()?;
            }
            Some((insight.moves(), insight))
        };
        let (moves, insight) = tokio::task::spawn_blocking(look).await.ok()??;
        self.insight = Some(insight);
        let possible = moves.texts.iter().map(ToString::to_string).collect();
        Some(SeatMoves { legal: None, possible, are_alike: moves.are_alike })
    }

    /// The move that the stand-in makes with what the seat was told.
    async fn stand_in(&mut self, view: &View) -> Option<Reply> {
        let own = own_history(self.role, &view.frames)?;
        let asked: Message = message(&self.header, &own, Moment::Play);
        let (context, rules) = (Arc::clone(&self.context), Arc::clone(self.header.rules_line()));
        let (agent, seed) = (Arc::clone(&self.stand_in), self.seed);
        let seat = move || context.library.seat(&agent, &rules, &own, seed);
        let seated = tokio::task::spawn_blocking(seat).await.ok()?.ok()?;
        let deadline: Instant = clock::after(STAND_IN_TIME);
        match think(seated, asked, deadline, Arc::clone(&self.context.threads)).await {
            (_, Reply::Failed(_)) => None,
            (_, reply) => Some(reply),
        }
    }

    async fn reply(&mut self, to: Request, reply: Reply) {
        // A match that is over needs no reply.
        let _ = self.handle.commands.send(Command::Reply { role: self.role, to, reply, owed: None }).await;
    }
}

/// The moves of a seat, as far as it knows them.
#[derive(Debug, Default)]
struct SeatMoves {
    /// Proved.
    legal: Option<Vec<String>>,
    /// Legal in some state that agrees with what the seat was told.
    possible: Vec<String>,
    /// Whether these are legal in every state that was looked at.
    are_alike: bool,
}

/// What a frame asks for.
fn asked_for(frame: &str) -> Option<Request> {
    let told: Value = serde_json::from_str(frame).ok()?;
    match told["type"].as_str()? {
        "start" => Some(Request::Start),
        "play" => Some(Request::Play { turn: u32::try_from(told["turn"].as_u64()?).ok()? }),
        _ => None,
    }
}

/// What a seat did and was told, as its frames say.
fn own_history(role: RoleId, frames: &[Arc<str>]) -> Option<OwnHistory> {
    let mut own = OwnHistory::initial(role);
    for frame in frames {
        let told: Value = serde_json::from_str(frame).ok()?;
        let Some(own_move) = told["last_move"].as_str().filter(|_| told["type"] == "play") else { continue };
        let percepts = told["percepts"].as_array()?.iter().filter_map(Value::as_str).map(Arc::from).collect();
        own.turns.push(OwnTurn { own_move: own_move.into(), percepts });
    }
    Some(own)
}
