//! A seat at a table, by its link: a session of matches that a server plays one after the other.
//!
//! The server plays a move that is the only one possible, and asks for all others; what it asks for stands beside the frames.

use std::{io::Write, time::Duration};

use croupier_referee::{Message, Reply, SeatReply};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Arguments, Frame, JoinedSeats, Left,
    connection::SeatConnection,
    message, poll_with, read, seat,
    timed_table::{self, TimedHand},
};
use crate::{
    output::{answer::Answer, failure::Failure},
    sessions::{
        interrupt::Interrupt,
        seat::{Occupant, Timing},
        terminal::Stream,
    },
};

/// A link: the address of a server, and what it opens there.
pub(super) struct Link {
    server: String,
    token: String,
}

impl Link {
    /// The link that this is: `http://HOST:PORT/i/TOKEN`.
    pub(super) fn of(written: &str) -> Option<Self> {
        let url = if written.contains("://") { written.to_owned() } else { format!("http://{written}") };
        let (server, token) = url.split_once("/i/")?;
        let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_token.then(|| Self { server: server.to_owned(), token: token.to_owned() })
    }

    /// A key of it as a link.
    fn with(&self, token: &str) -> String {
        format!("{}/i/{token}", self.server)
    }
}

/// What a link was exchanged for.
#[derive(Deserialize)]
struct Exchanged {
    session: String,
    opens: String,
    #[serde(default)]
    place: u32,
    token: String,
}

/// What a poll of a seat at a table gives.
#[derive(Debug, Deserialize)]
pub(super) struct TablePolled {
    pub(super) hand: u64,
    pub(super) after: usize,
    pub(super) frames: Vec<Value>,
    pub(super) over: bool,
    to_move: Option<MoveAsked>,
    /// What game time is, in microseconds, in real time.
    pub(super) now_us: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct MoveAsked {
    turn: u32,
}

/// How far a guest has read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReadSoFar {
    pub(super) hand: u64,
    pub(super) after: usize,
    /// The turn for which it has moved.
    pub(super) moving: Option<u32>,
}

/// The match that is being played, as the seat has it.
struct HandSeat {
    match_id: String,
    occupant: Occupant,
    /// The last message, as long as nobody knows whether it asks for a move.
    pending: Option<(u32, Message)>,
}

/// Takes the seat of a link, and plays until the session is over.
pub(super) fn run(
    link: &Link,
    arguments: &Arguments,
    specs: JoinedSeats,
    seed: [u8; 32],
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    if arguments.json {
        let help = "GET /v1/sessions/ID on the server shows how it ended";
        return Err(Failure::refuse("bad-seat", "a table has no JSON summary").at("--json").help(help));
    }
    let name = arguments.name.clone().unwrap_or_else(|| "guest".to_owned());
    let exchanged = SeatConnection::exchange(arguments, &link.server, &link.token, &name)?;
    let exchanged: Exchanged = serde_json::from_value(exchanged).map_err(|_| {
        Failure::refuse("no-referee", "the server's answer opens nothing").at(&arguments.seat)
    })?;
    if exchanged.opens != "seat" {
        let help = "an invitation to a seat, or the link of a seat, is played; other links are for a browser";
        return Err(Failure::refuse("bad-seat", "this link opens no seat").at(&arguments.seat).help(help));
    }
    let Exchanged { session, place, token, .. } = exchanged;
    writeln!(out, "You have seat {place}. This link returns to it, from anywhere: {}", link.with(&token))?;
    let session = format!("{}/v1/sessions/{session}", link.server);
    let connection = SeatConnection::at(arguments, format!("{session}/seats/{place}"), token, interrupt)?;
    let so_far = ReadSoFar::default();
    let mut guest =
        Guest { connection: &connection, specs, seed, interrupt, read: so_far, hand: None, timed: 0 };
    let left = guest.play(out)?;
    if left == Left::Over {
        let view = connection.session_view(&session)?.unwrap_or_default();
        writeln!(out, "The session is over. {}", view["ending"].as_str().unwrap_or_default())?;
        write_totals(&view, place, out)?;
    }
    Ok(match left {
        Left::Over => Answer::Yes,
        Left::Early => Answer::No,
        Left::Interrupted => Answer::Interrupted,
    })
}

/// The totals of all seats.
fn write_totals(view: &Value, place: u32, out: &mut dyn Write) -> Result<(), Failure> {
    for seat in view["seats"].as_array().into_iter().flatten() {
        let Some(name) = seat["name"].as_str() else { continue };
        let own = if seat["place"] == place { " (you)" } else { "" };
        writeln!(out, "  {name}{own}: {}", seat["total"])?;
    }
    Ok(())
}

/// Whoever plays in a seat at a table.
struct Guest<'g> {
    connection: &'g SeatConnection,
    specs: JoinedSeats,
    seed: [u8; 32],
    interrupt: &'g Interrupt,
    read: ReadSoFar,
    hand: Option<HandSeat>,
    /// The last match in real time, which is over.
    timed: u64,
}

impl Guest<'_> {
    fn play(&mut self, out: &mut dyn Write) -> Result<Left, Failure> {
        let is_person = self.specs.has_person();
        let told = if is_person { Stream::Output } else { Stream::Nowhere };
        loop {
            let so_far = self.read;
            let asks = move |connection: &SeatConnection| connection.poll_table(so_far);
            let polled = poll_with(self.connection, asks, told, "waiting for the others", |_| {})?;
            let polled = match polled {
                None => return Ok(Left::Interrupted),
                Some(None) => return Ok(Left::Over),
                Some(Some(polled)) => polled,
            };
            if polled.hand != self.read.hand {
                self.hand = None;
                if is_person {
                    writeln!(out, "Match {} of the session.", polled.hand)?;
                }
            }
            (self.read.hand, self.read.after, self.read.moving) = (polled.hand, polled.after, None);
            let left = match timed_table::is_timed(&polled) {
                true => self.play_in_time(polled, out)?,
                // What was said behind its end.
                false if polled.hand == self.timed => None,
                false => self.take_in(polled)?,
            };
            if let Some(left) = left {
                return Ok(left);
            }
            if self.interrupt.is_raised() {
                return Ok(Left::Interrupted);
            }
        }
    }

    /// Plays a match in real time to its end.
    fn play_in_time(&mut self, polled: TablePolled, out: &mut dyn Write) -> Result<Option<Left>, Failure> {
        let spec = self.specs.in_real_time()?;
        let TimedHand { left, frames } = timed_table::play(self.connection, polled, spec, self.seed, out)?;
        (self.read.after, self.timed) = (frames, self.read.hand);
        Ok(Some(left).filter(|left| *left != Left::Over))
    }

    /// Takes in what is new, and moves if that is asked.
    fn take_in(&mut self, polled: TablePolled) -> Result<Option<Left>, Failure> {
        for frame in read(polled.frames).map_err(|error| self.connection.foreign(&error))? {
            if let Frame::Start { match_id, role, rules, play_clock_ms, .. } = &frame {
                let clock = Timing::Clock(Duration::from_millis(*play_clock_ms));
                let spec = self.specs.in_turns()?;
                let (_, occupant) = seat(&spec, rules, role, self.seed, clock, self.interrupt)?;
                self.hand = Some(HandSeat { match_id: match_id.clone(), occupant, pending: None });
            }
            let Some(hand) = &mut self.hand else { continue };
            if let Some((_, message)) = hand.pending.take() {
                hand.occupant.take_in(&message);
            }
            let message = message(frame, &hand.match_id);
            match message {
                Message::Play { turn, .. } => hand.pending = Some((turn, message)),
                Message::Start { .. } => drop(hand.occupant.answer(&message, &|| false)),
                message => hand.occupant.take_in(&message),
            }
        }
        let asked = polled.to_move.map(|asked| asked.turn).filter(|_| !polled.over);
        let Some(hand) = &mut self.hand else { return Ok(None) };
        let Some((turn, message)) = hand.pending.take_if(|(turn, _)| Some(*turn) == asked) else {
            return Ok(None);
        };
        let interrupt = self.interrupt;
        let reply = hand.occupant.answer(&message, &|| interrupt.is_raised());
        match reply {
            SeatReply::Leave if !interrupt.is_raised() => return Ok(Some(Left::Early)),
            SeatReply::Reply { reply: Reply::Text(text), .. } => {
                self.connection.say(&json!({ "hand": self.read.hand, "turn": turn, "move": text }))?;
            }
            _ => {}
        }
        self.read.moving = Some(turn);
        Ok(None)
    }
}
