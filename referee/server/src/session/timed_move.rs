//! A move of a guest in a real-time match: sent at once, and answered when it is judged and durable.

use std::time::Duration;

use croupier_engine::RoleId;
use croupier_referee::{Digest, match_state::REPLY_BYTES_MAX};
use serde_json::Value;
use tokio::time::timeout;

use super::handle::OwnMove;
use crate::{
    board::View,
    clock,
    handle::{Command, MatchHandle},
    problem::{Problem, ProblemCode, Result},
    receipt::{Owed, Receipt},
};

/// How long a move may take to be judged: a tick is much shorter.
const JUDGED_MAX: Duration = Duration::from_secs(10);

/// Plays a move of a role. The turn of a move in real time is the number of frames that its guest had seen: the same move from the same
/// table is one move, however often it is sent, and another move from there is another.
///
/// # Errors
/// [`Problem`] if it does not count, with the reason, or may be lost.
pub(super) async fn play_in_time(handle: &MatchHandle, role: RoleId, own: OwnMove) -> Result<Receipt> {
    let at = clock::now();
    if own.text.len() > REPLY_BYTES_MAX {
        return Err(ProblemCode::BadFrame.because("the move is too long"));
    }
    let id = name_of(&own);
    let (owed, receipts) = Owed::new();
    let text = own.text;
    let command = Command::Moved { role, id, text, not_before_us: None, at, owed };
    let mut board = handle.boards[role].follow();
    let gone = |is_over: bool| match is_over {
        true => ProblemCode::Late.because("the match is over"),
        false => Problem::from(ProblemCode::Interrupted),
    };
    let is_over = || handle.boards[role].is_over();
    handle.commands.send(command).await.map_err(|_| gone(is_over()))?;
    receipts.await.unwrap_or_else(|_| Err(gone(is_over())))?;
    let is_judged = |view: &View| verdict(view, id).is_some() || view.is_over || view.is_interrupted;
    let judged = timeout(JUDGED_MAX, board.wait_for(is_judged)).await;
    let view = judged.ok().and_then(std::result::Result::ok).map(|view| view.clone());
    let view = view.ok_or_else(|| gone(is_over()))?;
    match verdict(&view, id) {
        Some(JudgedMove::Played) => Ok(Receipt::Kept),
        Some(JudgedMove::Refused(why)) => Err(ProblemCode::BadFrame.because(why)),
        None => Err(gone(view.is_over)),
    }
}

/// The name of a move for the referee, by which it knows it again.
fn name_of(own: &OwnMove) -> u64 {
    let digest = Digest::of(own.text.trim().as_bytes());
    (u64::from(own.turn) << 16) | u64::from(u16::from_be_bytes([digest.0[0], digest.0[1]]))
}

/// What became of a move.
enum JudgedMove {
    Played,
    Refused(&'static str),
}

/// What the frames of a seat say of a move.
fn verdict(view: &View, id: u64) -> Option<JudgedMove> {
    let receipts = view.frames.iter().rev().filter(|frame| frame.contains("received"));
    receipts.into_iter().find_map(|frame| {
        let told: Value = serde_json::from_str(frame).ok()?;
        (told["type"] == "received" && told["id"] == id).then(|| match told["status"].as_str() {
            None => JudgedMove::Played,
            Some("second") => JudgedMove::Refused("another move of yours came first at that instant"),
            Some("malformed") => JudgedMove::Refused("that is not a move"),
            Some(_) => JudgedMove::Refused("that was not legal when it arrived"),
        })
    })
}
