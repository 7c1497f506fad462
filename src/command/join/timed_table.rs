//! A match in real time at a table: one match of the session of a link, played to its end.
//!
//! The server says that the guest is ready, and names its moves, as for a browser. What game time is comes with every answer to a poll.

use std::{io::Write, sync::mpsc};

use serde_json::json;

use super::{
    Left,
    connection::{Polled, SeatConnection},
    ending::Seated,
    real_time::{Player, Protocol, Start, listen, speak},
    table::{ReadSoFar, TablePolled},
};
use crate::{
    output::failure::Failure,
    sessions::{
        realtime::{RealTimeSeatSpec, clock_text},
        terminal::{Stream, Wrapping},
    },
};

/// Whether these are the first frames of a match in real time.
pub(super) fn is_timed(polled: &TablePolled) -> bool {
    polled.frames.first().is_some_and(|first| first["type"] == "start" && first["time"] == "real")
}

/// Plays the match that begins with these frames; how many frames it had, and why the player no longer sits there.
///
/// # Errors
/// If what the server sends makes no sense, or the player fails.
pub(super) fn play(
    connection: &SeatConnection,
    polled: TablePolled,
    spec: RealTimeSeatSpec,
    seed: [u8; 32],
    out: &mut dyn Write,
) -> Result<TimedHand, Failure> {
    let TablePolled { hand, after, frames, over, now_us, .. } = polled;
    let first = Polled { after, frames, over, now_us };
    let seated = Seated::at(first.frames.first());
    let (to_server, said) = mpsc::channel();
    let start = Start::read(&first.frames[0])?;
    let interrupt = connection.interrupt().clone();
    let mut player = Player::new(start, Protocol::Table { hand }, spec, seed, &interrupt, to_server)?;
    let (hears, sends) = (connection.clone(), connection.clone());
    let heard = listen(&first, move |after| poll(&hears, ReadSoFar { hand, after, moving: None }));
    speak(said, move |frame| sends.say_in_time(frame));
    let left = player.play(connection, &heard, &interrupt)?;
    let (frames, stopped) = player.into_end();
    if left == Left::Over
        && spec == RealTimeSeatSpec::Human
        && let Some(stopped) = stopped
    {
        let out = &mut Wrapping::new(out, Stream::Output);
        let goals = seated.goals(&json!(stopped.goals)).unwrap_or_else(|| "it has no result".to_owned());
        writeln!(out, "{:>12}  the match is over: {goals}", clock_text(stopped.at_us))?;
    }
    Ok(TimedHand { left, frames })
}

/// A match that its player has left.
pub(super) struct TimedHand {
    pub(super) left: Left,
    /// How many of its frames were read.
    pub(super) frames: usize,
}

/// What is new in a match of the session. If another is played or none will be, it is over: its last frames are asked for by themselves, since a
/// match that has ended is no longer polled.
fn poll(connection: &SeatConnection, read: ReadSoFar) -> Result<Option<Polled>, Failure> {
    let polled = connection.poll_table(read)?;
    Ok(polled.map(|polled| match polled.filter(|polled| polled.hand == read.hand) {
        Some(TablePolled { after, frames, over, now_us, .. }) => Polled { after, frames, over, now_us },
        None => {
            let frames = connection.earlier_frames(read.hand).into_iter().skip(read.after).collect();
            Polled { after: read.after, frames, over: true, now_us: None }
        }
    }))
}
