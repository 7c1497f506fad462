//! `croupier replay`: a match as it was, as one role saw it, in other formats, or verified.

mod ggp;
mod json;
mod own_moves;
mod page;
mod playthrough;
mod real_time;
mod session;
mod text;
mod verify;

use std::{io::Write, path::PathBuf};

use clap::{Args, ValueEnum};
use croupier_results::{Hand, HandError};
use croupier_session::is_session_record;

use crate::{
    arguments::{
        count::count,
        existing::Force,
        file::read_file,
        key_file::{self, PublicKey},
        records::{Chosen, FILE_BYTES_MAX, Networks, RecordWords, Records, real_time_matches},
        role,
    },
    output::{answer::Answer, failure::Failure, schema::Output},
    sessions::{
        interrupt::Interrupt,
        relations::Relations,
        signs::{Signed, Signs},
    },
};
use verify::Replayed;

/// Show or verify recorded matches, whole or as one role saw them
///
/// A match is recomputed from its rules, seed and replies, and everything in the record is compared.
#[derive(Args)]
#[command(after_help = "\
--verify looks at each match, and at whether they are the matches of their series: each once, in order, none missing, and \
all sealed by one key. It calls a file ALTERED if somebody must have changed it, or if its seals are of different keys, and INCOMPLETE if a match is cut off or \
missing, as after an interruption. A seal without a key shows damage, but not whose record it is: anyone can make \
it. With --signed-by every match must be signed by that key.

Of a session --verify proves more: no match was dropped, doubled, swapped or altered, stacks follow from the last states of the matches, \
and all seeds from the one that the session was bound to before its first match.

Exit status of --verify: 0 if all of that is so, 1 if not, 2 if the file is no record.

Examples:
  croupier replay m.jsonl
  croupier replay m.jsonl --match 3 --role bob      only what bob did and saw
  croupier replay m.jsonl --table                   with boards, or cards and chips, after every turn
  croupier replay m.jsonl --verify
  croupier replay m.jsonl --verify --signed-by my.pub
  croupier replay m.jsonl --html m.html             a page that plays the match, in one file
  croupier replay m.jsonl --html bob.html --role bob --trainer
  croupier replay m.jsonl --format svg --turn 12    the table after 12 turns, as a picture
  croupier replay m.jsonl --format playthrough      with states, legal moves and percepts
  croupier replay m.jsonl --format phh > hands.phhs
  croupier replay m.jsonl --json | jq '.matches[0].turns[4].moves'")]
pub(crate) struct Arguments {
    /// A file written by `croupier play --record`
    record: PathBuf,
    /// Only this match of the file, counted from 1
    #[arg(long = "match", value_name = "N", value_parser = count::<usize>(1..=u64::MAX))]
    number: Option<usize>,
    /// Only what this role did and saw
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Show what is on the table after every turn; with --role what the role knows of it
    #[arg(long, conflicts_with = "json")]
    table: bool,
    /// Say whether each match is what its record says, and whether the series is whole; with --role show it too
    #[arg(long)]
    verify: bool,
    /// Verify that this key signed every match: a public key of 64 hexadecimal digits, or a file with it
    #[arg(long, value_name = "KEY", requires = "verify")]
    signed_by: Option<String>,
    /// The game.toml to tell matches in, or the folder of one; without it, that beside the rules of the matches
    #[arg(long, value_name = "FILE|FOLDER", conflicts_with = "json")]
    words: Option<PathBuf>,
    /// In which format
    #[arg(long, value_enum, default_value_t = ReplayFormat::Text, conflicts_with_all = ["verify", "table"])]
    format: ReplayFormat,
    /// Print JSON, as --format json does
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// With --format svg: the picture after this many turns [default: after the last]
    #[arg(long, value_name = "N", value_parser = count::<usize>(0..=u64::MAX))]
    turn: Option<usize>,
    /// Write one match as a page that plays it, in one file that needs no network. Without --role it holds the record to take away,
    /// and the hand history of poker
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "format", "verify", "table"])]
    html: Option<PathBuf>,
    /// With --html and --role: what each decision gave up, below, as `croupier review` says it; that may take a while
    #[arg(long, requires_all = ["html", "role"])]
    trainer: bool,
    #[command(flatten)]
    force: Force,
}

/// What is shown of tables, and what is made once for matches in a row that share a game.
struct Lookups {
    /// Whether the table is shown after every turn.
    has_table: bool,
    /// For the words in which matches are told.
    words: RecordWords,
    /// For what roles knew.
    networks: Networks,
    /// For what the end of a match looks like.
    relations: Relations,
}

/// How matches are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReplayFormat {
    /// In words, for people
    Text,
    /// Every turn with its state, moves and percepts
    Json,
    /// Every turn with states, tables, legal moves, moves and percepts, to read and to compare
    Playthrough,
    /// The match JSON of ggp.org, an object a line; finished matches only
    Ggp,
    /// Poker Hand History, for games that are poker; finished matches only
    Phh,
    /// A picture of the table after a turn, of one match
    Svg,
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let bytes = read_file(&arguments.record, FILE_BYTES_MAX)?;
    let words = RecordWords::new(&arguments.record, arguments.words.as_deref())?.of_file(&bytes);
    if let Some(matches) = real_time_matches(&bytes) {
        return match session_verdict(arguments, &bytes, out)? {
            Some(answer) if arguments.role.is_none() || answer != Answer::Yes => Ok(answer),
            _ => real_time::run(arguments, &matches, &words, interrupt, out),
        };
    }
    if let Some(answer) = verdict(arguments, &bytes, interrupt, out)? {
        return Ok(answer);
    }
    let records = Records::of(&arguments.record, &bytes)?;
    let chosen = records.chosen(arguments.number)?;
    if !arguments.verify {
        records.warn();
    }
    let format = fitting_format(arguments, &chosen)?;
    // Nothing is shown of a file in which anything is wrong.
    let (mut text, mut shown, signs) = (Vec::new(), Vec::new(), Signs::of_output());
    let (networks, relations) = (Networks::default(), Relations::default());
    let mut lookups = Lookups { has_table: arguments.table, words, networks, relations };
    for (number, record, replayed) in chosen.replays() {
        let replayed = replayed.map_err(|error| chosen.differs(number, &error))?;
        let named = |name: &String| role::player(replayed.header().roles(), name);
        let role = arguments.role.as_ref().map(named).transpose()?;
        let unfit = |failure: Failure| failure.at(&format!("match {number}"));
        if let Some(path) = &arguments.html {
            let reviewed = role.filter(|_| arguments.trainer);
            let review = reviewed.map(|role| page::review(record, &replayed, role, &mut lookups, interrupt));
            let review = review.transpose()?.unwrap_or_default();
            let page = page::page(record, &replayed, role, &review, &mut lookups).map_err(unfit)?;
            arguments.force.existing().write(path, page.as_bytes())?;
            continue;
        }
        match format {
            ReplayFormat::Text => {
                let out = &mut Signed::new(&mut text, signs);
                text::write_match(out, number, record, &replayed, role, &mut lookups)?;
            }
            ReplayFormat::Json => {
                let facts = lookups.words.facts(record);
                shown.push(json::MatchReport::new(number, &replayed, &facts, role, &mut lookups.networks)?);
            }
            ReplayFormat::Playthrough => {
                let out = &mut Signed::new(&mut text, signs);
                playthrough::write(out, number, record, &replayed, &mut lookups)?;
            }
            ReplayFormat::Ggp => writeln!(text, "{}", ggp::as_json(record, &replayed).map_err(unfit)?)?,
            ReplayFormat::Svg => {
                let svg = page::picture(record, &replayed, role, arguments.turn, &mut lookups);
                writeln!(text, "{}", svg.map_err(unfit)?)?;
            }
            ReplayFormat::Phh => {
                let facts = lookups.words.facts(record);
                let hand = Hand::of(record, &replayed, &facts).map_err(|error| unfit(no_hand(&error)))?;
                text.extend(in_file(&hand, number, chosen.iter().len()).into_bytes());
            }
        }
    }
    match format {
        ReplayFormat::Json => json::ReplayReport { matches: shown }.write_json(out)?,
        _ => out.write_all(&text)?,
    }
    Ok(Answer::Yes)
}

/// A hand as it stands in a file of so many: alone it has no number.
fn in_file(hand: &Hand, number: usize, hands: usize) -> String {
    if hands == 1 { hand.to_string() } else { hand.numbered(number).to_string() }
}

/// Whether a record is sound, as `--verify` says it; `None` if it was not asked for, or what was chosen is to be shown as well.
fn verdict(
    arguments: &Arguments,
    bytes: &[u8],
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Option<Answer>, Failure> {
    if !arguments.verify {
        return Ok(None);
    }
    let answer = match session_verdict(arguments, bytes, out)? {
        Some(answer) => answer,
        None => {
            let signer = arguments.signed_by.as_deref().map(key_file::public).transpose()?;
            let records = Records::of(&arguments.record, bytes)?;
            verified(arguments, records.chosen(arguments.number)?, signer, interrupt, out)?
        }
    };
    Ok((arguments.role.is_none() || answer != Answer::Yes).then_some(answer))
}

/// Whether a session is as it was played, if that was asked of all its matches; `None` of anything else.
fn session_verdict(
    arguments: &Arguments,
    bytes: &[u8],
    out: &mut dyn Write,
) -> Result<Option<Answer>, Failure> {
    if !arguments.verify || arguments.number.is_some() || !is_session_record(bytes) {
        return Ok(None);
    }
    let signer = arguments.signed_by.as_deref().map(key_file::public).transpose()?;
    session::verify(bytes, signer, arguments.json, out).map(Some)
}

/// What `--verify` says.
fn verified(
    arguments: &Arguments,
    chosen: Chosen<'_>,
    signer: Option<PublicKey>,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let replays = chosen.replays().map(|(_, _, replay)| {
        replay.map(|replay| Replayed { steps: replay.turns().len(), seal: replay.seal() })
    });
    verify::verify(chosen, replays, signer, arguments.json, interrupt, out)
}

/// The format that was asked for, if everything else that was asked for fits it.
fn fitting_format(arguments: &Arguments, chosen: &Chosen<'_>) -> Result<ReplayFormat, Failure> {
    let format = if arguments.json { ReplayFormat::Json } else { arguments.format };
    if arguments.turn.is_some() && format != ReplayFormat::Svg {
        return Err(Failure::refuse("bad-format", "--turn is for pictures").help("use --format svg --turn N"));
    }
    let has_pictures = format == ReplayFormat::Svg || arguments.html.is_some();
    if has_pictures && chosen.iter().len() > 1 {
        let told = format!("a picture is of one match, and the file has {}", chosen.iter().len());
        return Err(Failure::refuse("bad-format", told).help("choose one with --match"));
    }
    if let Some(path) = &arguments.html {
        arguments.force.existing().check(path)?;
    }
    if arguments.role.is_some()
        && !matches!(format, ReplayFormat::Text | ReplayFormat::Json | ReplayFormat::Svg)
    {
        return Err(Failure::refuse("bad-format", "this format shows everything to everyone")
            .at_argument("--role", arguments.role.as_deref().unwrap_or_default())
            .help("leave out --role, or use --format text or json"));
    }
    Ok(format)
}

/// Why a match is no hand of poker, and what can be done.
fn no_hand(error: &HandError) -> Failure {
    let refuse = |code| Failure::refuse(code, error.to_string());
    match error {
        HandError::NoPoker => refuse("no-poker").help("its game.toml needs a [hand_history]; holdem has one"),
        HandError::Unfinished => {
            refuse("unfinished").help("the format shows every card: it is for finished matches")
        }
        _ => refuse("bad-match"),
    }
}
