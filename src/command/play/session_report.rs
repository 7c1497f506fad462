//! What is said of a session while it is played and when it is over.

use std::{collections::BTreeMap, io::Write, path::Path};

use croupier_engine::RoleId;
use croupier_games::{SessionTotal, printable};
use croupier_referee::{Outcome, Seed};
use croupier_session::{SeatHolder, SeatNumber, SessionEnding, SessionSeat, SessionState};
use serde::Serialize;

use super::Arguments;
use crate::{
    arguments::{record_file::RecordFile, source::Source},
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
    },
    sessions::{
        session::{PlayedHand, SessionAudience},
        signs::{Signed, Signs},
        telling,
    },
};

/// A session that was played.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SessionReport<'r> {
    game: &'r str,
    session_id: &'r str,
    /// What bound the session to its seed before its first match.
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    commitment: String,
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: String,
    /// What totals are counted in, such as chips, wins or goals.
    unit: &'r str,
    /// The file of records.
    record: Option<&'r Path>,
    /// Why it ended.
    #[cfg_attr(test, schemars(extend("enum" = ENDINGS)))]
    ending: &'static str,
    interrupted: bool,
    /// The level at the end, from 1.
    level: usize,
    seats: Vec<SeatReport>,
    matches: &'r [HandReport],
}
output!(Session: SessionReport<'_>);

/// The words for why a session ended.
#[cfg(test)]
const ENDINGS: [&str; 7] = ["host", "matches", "wins", "total", "one_left", "minutes", "fault"];

/// A seat at the end.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SeatReport {
    /// From 1.
    seat: u32,
    /// Who sits there.
    player: String,
    /// What adds up, in `unit`.
    total: f64,
    /// What it has at the end; null where matches leave nothing to begin the next with.
    stack: Option<u64>,
    /// How many matches with a result it played.
    matches: u64,
    /// How many it won alone.
    wins: u64,
    /// The match in which it lost all that it had, if it has nothing.
    out_in: Option<u64>,
    /// From 1; equal ones share a place.
    place: usize,
}

/// A match of a session.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct HandReport {
    /// From 1.
    #[serde(rename = "match")]
    index: u64,
    match_id: String,
    /// As in `play`.
    #[cfg_attr(test, schemars(extend("enum" = crate::output::schema::tests::STATUSES)))]
    status: &'static str,
    turns: u32,
    level: usize,
    /// The seat of each role.
    seats: BTreeMap<String, u32>,
    /// What each role got, in goal values; null if there is no result.
    goals: Option<BTreeMap<String, i32>>,
    /// What each seat has after it, by its number; null where matches leave nothing.
    stacks: Option<BTreeMap<u32, u64>>,
}

/// Collects the matches of a session as they end.
pub(super) struct SessionTally<'t> {
    source: &'t Source,
    arguments: &'t Arguments,
    has_people: bool,
    file: Option<&'t mut RecordFile>,
    out: &'t mut dyn Write,
    matches: Vec<HandReport>,
    /// Whether every match had a result.
    is_sound: bool,
}

impl SessionAudience for SessionTally<'_> {
    fn lines(&mut self, lines: &[u8]) -> Result<(), Failure> {
        self.file.as_mut().map_or(Ok(()), |file| file.write(lines))
    }

    fn hand(&mut self, hand: PlayedHand<'_>) -> Result<(), Failure> {
        self.lines(&hand.lines)?;
        let is_left = matches!(hand.ended.outcome, Outcome::Aborted { .. });
        self.is_sound &= hand.ended.outcome.goals().is_some() || is_left;
        if self.has_people && !self.arguments.json {
            self.tell(&hand)?;
        }
        if self.arguments.json {
            self.matches.push(hand_report(&hand));
        }
        Ok(())
    }
}

impl<'t> SessionTally<'t> {
    pub(super) fn new(
        source: &'t Source,
        arguments: &'t Arguments,
        has_people: bool,
        file: Option<&'t mut RecordFile>,
        out: &'t mut dyn Write,
    ) -> Self {
        Self { source, arguments, has_people, file, out, matches: Vec::new(), is_sound: true }
    }

    /// The match as the people at the terminal saw it, and how they stand.
    fn tell(&mut self, hand: &PlayedHand<'_>) -> Result<(), Failure> {
        let unit = unit(hand.session);
        let people: Vec<RoleId> = hand.series.people().collect();
        let out = &mut Signed::new(&mut *self.out, Signs::of_output());
        telling::tell_end(out, hand.series.game(), hand.series.facts(), &hand.ended.record, &people)?;
        let session = hand.session;
        let is_person = |seat: &&SessionSeat| matches!(seat.holder, Some(SeatHolder::Person { .. }));
        let seats: Vec<&SessionSeat> = session.seats().iter().filter(is_person).collect();
        for seat in &seats {
            let who = if seats.len() == 1 { None } else { Some(holder(seat)) };
            writeln!(out, "{}", standing(session, seat, who.as_deref(), unit))?;
        }
        writeln!(out)?;
        Ok(())
    }

    /// Says what there is to say when the session is over.
    pub(super) fn finish(
        mut self,
        session: &SessionState,
        seed: &Seed,
        closing: &str,
        is_interrupted: bool,
    ) -> Result<Answer, Failure> {
        self.lines(closing.as_bytes())?;
        if self.arguments.json {
            let mut json = Vec::new();
            self.report(session, seed, is_interrupted).write_json(&mut json)?;
            self.out.write_all(&json)?;
        } else {
            self.write(session, seed)?;
        }
        let is_faulty = matches!(session.ending(), Some(SessionEnding::Fault { .. }));
        Ok(match (is_interrupted, self.is_sound && !is_faulty) {
            (true, _) => Answer::Interrupted,
            (false, true) => Answer::Yes,
            (false, false) => Answer::No,
        })
    }

    fn write(&mut self, session: &SessionState, seed: &Seed) -> Result<(), Failure> {
        let unit = unit(session);
        let matches = count(session.matches_over(), "match", "matches");
        writeln!(self.out, "{}: {matches}, {}", self.source.facts.title, ending_text(session))?;
        let has_stacks = session.terms().session.family.is_some();
        let mut seats: Vec<(usize, &SessionSeat)> = places(session);
        seats.sort_by_key(|(place, seat)| (*place, seat.number));
        for (place, seat) in seats {
            let stack = if has_stacks { format!(", has {}", seat.holds()) } else { String::new() };
            let out_in = seat.out_in.map(|index| format!(", out in match {index}")).unwrap_or_default();
            let total = signed(session.total(seat), session);
            writeln!(self.out, "  {place}. {}: {total} {unit}{stack}{out_in}", printable(&holder(seat)))?;
        }
        if let Some(SessionEnding::Fault { fault }) = session.ending() {
            writeln!(self.out, "the session was stopped: {fault}")?;
        }
        let seed = self.arguments.seed.clone().unwrap_or_else(|| seed.reveal());
        writeln!(self.out, "seed {seed}")?;
        if let Some(path) = &self.arguments.record {
            let path = printable(&path.display().to_string());
            writeln!(self.out, "record {path}; `croupier replay {path} --verify` checks it")?;
        }
        Ok(())
    }

    fn report<'r>(&'r self, session: &'r SessionState, seed: &Seed, interrupted: bool) -> SessionReport<'r> {
        let has_stacks = session.terms().session.family.is_some();
        let seat = |(place, seat): (usize, &SessionSeat)| SeatReport {
            seat: seat.number.0,
            player: holder(seat),
            total: session.total(seat),
            stack: has_stacks.then(|| seat.holds()),
            matches: seat.matches,
            wins: seat.wins,
            out_in: seat.out_in,
            place,
        };
        SessionReport {
            game: &self.source.name,
            session_id: &session.terms().id,
            commitment: session.commitment().to_string(),
            seed: seed.reveal(),
            unit: unit(session),
            record: self.arguments.record.as_deref(),
            ending: session.ending().map_or("host", ending_word),
            interrupted,
            level: session.level(),
            seats: places(session).into_iter().map(seat).collect(),
            matches: &self.matches,
        }
    }
}

fn hand_report(hand: &PlayedHand<'_>) -> HandReport {
    let PlayedHand { order, ended, series, session, .. } = hand;
    let roles = series.game().roles();
    let goals = ended.outcome.goals();
    let has_stacks = session.terms().session.family.is_some();
    let stacks = || session.seats().iter().map(|seat| (seat.number.0, seat.holds())).collect();
    HandReport {
        index: order.index,
        match_id: order.match_id.clone(),
        status: ended.outcome.status(),
        turns: ended.outcome.turns(),
        level: order.level,
        seats: order.seats.iter().map(|seat| (seat.role.clone(), seat.seat.0)).collect(),
        goals: goals.map(|goals| {
            goals.iter().map(|(role, goal)| (roles.name(role).to_owned(), goal.value())).collect()
        }),
        stacks: has_stacks.then(stacks),
    }
}

/// What totals are counted in.
fn unit(session: &SessionState) -> &str {
    let terms = session.terms();
    match (terms.session.total, &terms.session.family, &terms.payoff) {
        (SessionTotal::Wins, ..) => "wins",
        (SessionTotal::Payoff, Some(family), _) => &family.unit,
        (SessionTotal::Payoff, None, Some(payoff)) => &payoff.unit,
        (SessionTotal::Goal, ..) | (SessionTotal::Payoff, None, None) => "goals",
    }
}

/// Whether a total is what was won or lost, and not a sum of goals.
fn counts_won(session: &SessionState) -> bool {
    session.terms().session.family.is_some() || session.terms().payoff.is_some()
}

fn holder(seat: &SessionSeat) -> String {
    let SeatNumber(number) = seat.number;
    seat.holder.as_ref().map_or_else(|| format!("seat {number}"), SeatHolder::described)
}

/// The seats with their places: by what they have, and who has nothing by when that was; equal ones share a place.
fn places(session: &SessionState) -> Vec<(usize, &SessionSeat)> {
    let has_stacks = session.terms().session.family.is_some();
    let is_before = |one: &SessionSeat, other: &SessionSeat| {
        let (of_one, of_other) = match has_stacks {
            true => (one.holds() as f64, other.holds() as f64),
            false => (session.total(one), session.total(other)),
        };
        of_one > of_other || (of_one == of_other && one.out_in > other.out_in)
    };
    let seats = session.seats();
    let place = |seat: &SessionSeat| 1 + seats.iter().filter(|other| is_before(other, seat)).count();
    seats.iter().map(|seat| (place(seat), seat)).collect()
}

/// How somebody stands: "You are 41 chips down after 20 matches."
fn standing(session: &SessionState, seat: &SessionSeat, who: Option<&str>, unit: &str) -> String {
    let who = who.map_or_else(|| "You are".to_owned(), |name| format!("{} is", printable(name)));
    let after = format!("after {}", count(seat.matches, "match", "matches"));
    let total = session.total(seat);
    let amount = number(total.abs());
    let unit = if amount == "1" { unit.strip_suffix('s').unwrap_or(unit) } else { unit };
    match session.terms().session.total {
        _ if session.terms().session.family.is_some() && seat.holds() == 0 => format!("{who} out {after}."),
        SessionTotal::Payoff if total == 0.0 => format!("{who} even {after}."),
        SessionTotal::Payoff if counts_won(session) => {
            let side = if total > 0.0 { "up" } else { "down" };
            format!("{who} {amount} {unit} {side} {after}.")
        }
        _ => format!("{who} at {amount} {unit} {after}."),
    }
}

/// A total, with its sign where it is won or lost.
fn signed(total: f64, session: &SessionState) -> String {
    let is_won = session.terms().session.total == SessionTotal::Payoff && counts_won(session);
    let sign = match total {
        _ if total < 0.0 => "-",
        _ if total > 0.0 && is_won => "+",
        _ => "",
    };
    format!("{sign}{}", number(total.abs()))
}

fn number(amount: f64) -> String {
    if amount.fract() == 0.0 { format!("{amount:.0}") } else { format!("{amount:.2}") }
}

fn count(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

fn ending_word(ending: &SessionEnding) -> &'static str {
    match ending {
        SessionEnding::Host => "host",
        SessionEnding::Matches => "matches",
        SessionEnding::Wins => "wins",
        SessionEnding::Total => "total",
        SessionEnding::OneLeft => "one_left",
        SessionEnding::Minutes => "minutes",
        SessionEnding::Fault { .. } => "fault",
    }
}

fn ending_text(session: &SessionState) -> &'static str {
    match session.ending() {
        None | Some(SessionEnding::Host) => "ended",
        Some(SessionEnding::Matches) => "all that were to be played",
        Some(SessionEnding::Wins) => "until one had won enough",
        Some(SessionEnding::Total) => "until one had reached the total",
        Some(SessionEnding::OneLeft) => "until one was left",
        Some(SessionEnding::Minutes) => "until the time was over",
        Some(SessionEnding::Fault { .. }) => "stopped",
    }
}
