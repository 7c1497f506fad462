//! `croupier replay`: a match as it was, as one role saw it, or verified.

use std::{io::Write, path::PathBuf, sync::Arc};

use clap::Args;
use croupier_belief::BeliefError;
use croupier_engine::{Game, RoleId};
use croupier_games::printable;
use croupier_referee::{Outcome, Record, Replay, ReplayError, ReplayTurn, SealCheck};
use serde_json::{Map, Value, json};

use crate::{
    Answer,
    failure::Failure,
    outlook::{Believer, Methods},
    records::{self, Chosen, Records},
    story::Story,
    table::Table,
};

/// Show recorded matches, as they were or as one role saw them, or verify them
///
/// A match is recomputed from its rules, seed and replies, and everything in the record is compared.
#[derive(Args)]
#[command(after_help = "\
Exit status of --verify: 0 if every match is what its record says, 1 if one is not or is cut off, 2 if the file \
is no record.

Examples:
  croupier replay m.jsonl
  croupier replay m.jsonl --match 3 --role bob      only what bob did and saw
  croupier replay m.jsonl --table                   with boards, or cards and chips, after every turn
  croupier replay m.jsonl --verify
  croupier replay m.jsonl --json | jq '.matches[0].turns[4].moves'")]
pub(crate) struct Arguments {
    /// A file written by `croupier play --record`
    record: PathBuf,
    /// Only this match of the file, counted from 1
    #[arg(long = "match", value_name = "N")]
    number: Option<usize>,
    /// Only what this role did and saw
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Show what is on the table after every turn; with --role what the role knows of it
    #[arg(long, conflicts_with = "json")]
    table: bool,
    /// Say of each match whether it is what its record says; with --role show it too
    #[arg(long)]
    verify: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let records = Records::read(&arguments.record)?;
    let chosen = records.chosen(arguments.number)?;
    if arguments.verify {
        let answer = verify(chosen, arguments, out)?;
        if arguments.role.is_none() || answer == Answer::No {
            return Ok(answer);
        }
    }
    // Nothing is shown of a file in which anything is wrong.
    let mut text = Vec::new();
    let mut shown = Vec::new();
    for (number, record, replayed) in chosen.replays() {
        let replayed = replayed.map_err(|error| chosen.differs(number, &error))?;
        let role = arguments.role.as_deref();
        let role = role.map(|name| records::player(replayed.header().roles(), name)).transpose()?;
        if arguments.json {
            shown.push(as_json(number, &replayed, role));
        } else {
            write_match(&mut text, (number, record), &replayed, role, arguments.table)?;
        }
    }
    if arguments.json {
        writeln!(out, "{}", json!({ "matches": shown }))?;
    } else {
        out.write_all(&text)?;
    }
    Ok(Answer::Yes)
}

fn write_match(
    out: &mut dyn Write,
    (number, record): (usize, &Record),
    replayed: &Replay,
    role: Option<RoleId>,
    has_table: bool,
) -> Result<(), Failure> {
    let header = replayed.header();
    let facts = records::facts(record);
    let story = Story::of(replayed, &facts);
    let players: Vec<String> = header
        .players()
        .iter()
        .map(|(role, description)| format!("{} ({})", story.role(role), printable(description)))
        .collect();
    if number > 1 {
        writeln!(out)?;
    }
    writeln!(
        out,
        "match {number} of {}, {}: {}",
        printable(&facts.title),
        header.match_id(),
        players.join(", ")
    )?;
    if let Some(role) = role {
        return write_seen(out, &story, replayed, role, has_table);
    }
    for turn in replayed.turns() {
        story.write_turn(out, turn, !has_table)?;
        if has_table {
            story.write_table(out, &Table::of_state(header.game(), &facts, &turn.successor))?;
        }
    }
    writeln!(out, "{}", story.outcome(replayed.outcome()))?;
    Ok(())
}

/// A match as one role saw it.
fn write_seen(
    out: &mut dyn Write,
    story: &Story<'_>,
    replayed: &Replay,
    role: RoleId,
    has_table: bool,
) -> Result<(), Failure> {
    let game = replayed.header().game();
    writeln!(out, "as {} saw it", story.role(role))?;
    let mut believer = Believer::new(Arc::clone(game), role, Methods::brief([0; 32])).map_err(unknowable)?;
    for turn in replayed.turns() {
        story.write_seen_turn(out, turn, role, &turn.percepts[role])?;
        let known = replayed.information_set(role, turn.turn as usize + 1).filter(|_| has_table);
        if let Some(known) = known {
            let outlook = believer.follow(&known).map_err(unknowable)?;
            story.write_table(out, &Table::of_belief(game, story.facts, &outlook.distribution))?;
        }
    }
    // What a match was worth is no percept: a role that cannot work it out is not told.
    let end = replayed.outcome().map_or("the record ends here", |_| "the match is over");
    writeln!(out, "{end}")?;
    Ok(())
}

fn unknowable(error: BeliefError) -> Failure {
    Failure::refuse("no-belief", error.to_string()).help("leave out --table")
}

fn as_json(number: usize, replayed: &Replay, role: Option<RoleId>) -> Value {
    let header = replayed.header();
    let game = header.game();
    let players: Map<String, Value> = header
        .players()
        .iter()
        .map(|(role, description)| (header.role_name(role).to_owned(), json!(description)))
        .collect();
    let turns: Vec<Value> = replayed
        .turns()
        .iter()
        .map(|turn| role.map_or_else(|| turn_json(game, turn), |role| seen_json(game, turn, role)))
        .collect();
    let mut object = json!({
        "match": number,
        "match_id": header.match_id(),
        "game": header.setup().game_name,
        "players": players,
        "turns": turns,
    });
    match role {
        Some(role) => object["role"] = json!(header.role_name(role)),
        None => object["outcome"] = outcome_json(replayed),
    }
    object
}

fn turn_json(game: &Game, turn: &ReplayTurn) -> Value {
    let name = |role| game.roles().name(role).to_owned();
    let moves = turn.joint_move.moves().iter().map(|(role, &id)| (name(role), json!(game.move_text(id))));
    let percepts = turn.percepts.iter().map(|(role, seen)| (name(role), json!(game.percept_terms(seen))));
    json!({
        "turn": turn.turn,
        "state": game.state_terms(&turn.state),
        "moves": moves.collect::<Map<_, _>>(),
        "percepts": percepts.collect::<Map<_, _>>(),
    })
}

fn seen_json(game: &Game, turn: &ReplayTurn, role: RoleId) -> Value {
    json!({
        "turn": turn.turn,
        "move": game.move_text(turn.joint_move.of(role)),
        "percepts": game.percept_terms(&turn.percepts[role]),
    })
}

fn outcome_json(replayed: &Replay) -> Value {
    let Some(outcome) = replayed.outcome() else { return Value::Null };
    let goals = outcome.goals().map(|goals| {
        let roles = replayed.header().roles();
        goals
            .iter()
            .map(|(role, goal)| (roles.name(role).to_owned(), json!(goal.value())))
            .collect::<Map<_, _>>()
    });
    let error = match outcome {
        Outcome::GameError { error, .. } => Some(error.to_string()),
        _ => None,
    };
    json!({ "status": outcome.status(), "turns": outcome.turns(), "goals": goals, "error": error })
}

fn verify(chosen: Chosen<'_>, arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let mut verdicts = Vec::new();
    let mut differing = 0;
    for (number, record, result) in chosen.replays() {
        differing += usize::from(!is_whole(&result));
        if arguments.json {
            verdicts.push(verdict_json(number, record, &result));
        } else {
            writeln!(out, "match {number}: {}", verdict(&result))?;
        }
    }
    if arguments.json {
        writeln!(out, "{}", json!({ "verified": differing == 0, "matches": verdicts }))?;
    } else if chosen.iter().len() > 1 {
        let count = chosen.iter().len();
        match differing {
            0 => writeln!(out, "all {count} matches are what their records say")?,
            _ => writeln!(out, "{differing} of {count} matches differ from their records, or were cut off")?,
        }
    }
    Ok(if differing == 0 { Answer::Yes } else { Answer::No })
}

/// Whether a match is what its record says, from beginning to end.
fn is_whole(result: &Result<Replay, ReplayError>) -> bool {
    result.as_ref().is_ok_and(|replayed| replayed.seal() != SealCheck::Missing)
}

fn verdict(result: &Result<Replay, ReplayError>) -> String {
    match result {
        Err(error) => format!("DIFFERS at {}", printable(&error.to_string())),
        Ok(replayed) => {
            let turns = replayed.turns().len();
            match replayed.seal() {
                SealCheck::Missing => format!("INCOMPLETE: {turns} turns agree, then the record is cut off"),
                SealCheck::FromSeed => format!("OK, {turns} turns; sealed without a key"),
                SealCheck::Signed { public_key } => {
                    format!("OK, {turns} turns; signed by {}", hex::encode(public_key))
                }
            }
        }
    }
}

fn verdict_json(number: usize, record: &Record, result: &Result<Replay, ReplayError>) -> Value {
    let mut object = json!({
        "match": number,
        "match_id": record.genesis().setup.match_id,
        "verified": is_whole(result),
    });
    match result {
        Ok(replayed) => {
            object["turns"] = json!(replayed.turns().len());
            object["seal"] = match replayed.seal() {
                SealCheck::Missing => json!("missing"),
                SealCheck::FromSeed => json!("from_seed"),
                SealCheck::Signed { .. } => json!("signed"),
            };
            if let SealCheck::Signed { public_key } = replayed.seal() {
                object["public_key"] = json!(hex::encode(public_key));
            }
        }
        Err(error) => {
            object["error"] = json!(error.to_string());
            if let ReplayError::Difference(difference) = error {
                object["difference"] = json!({
                    "line": difference.line,
                    "turn": difference.turn,
                    "field": difference.field,
                    "expected": difference.expected,
                    "found": difference.found,
                });
            }
        }
    }
    object
}
