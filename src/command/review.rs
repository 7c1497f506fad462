//! `croupier review`: what each decision of a role in a recorded match gave up, and what the best player would have done.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use croupier_games::{GameFacts, ReviewGrounds, ReviewedDecision, ReviewedMove, SeatReview};
use croupier_picture::ReviewView;
use croupier_trainer::TrainerOptions;
use serde::Serialize;

use crate::{
    arguments::{
        count::count,
        entropy,
        existing::Force,
        records::{self, RecordWords, Records},
        role,
        threads::{Threads, spinner},
    },
    output::{
        answer::Answer,
        columns::write_rows,
        failure::Failure,
        page::page,
        schema::{Output, output},
    },
    sessions::{belief::reviewed, interrupt::Interrupt},
};

/// The seed where nobody says which.
const SEED: &str = "0";

/// Show what each decision gave up against the best player
///
/// Every decision is judged by what the role knew at the time, not by the cards that were hidden from it. The best player of the
/// game is `resolve`: an equilibrium where the game is small enough, a blueprint where there is one, otherwise a search. What a move
/// gave up is the difference between its value and that of the best move, if everybody goes by that player's strategy before and after.
#[derive(Args)]
#[command(after_help = "\
Values rest on all histories where there are few, otherwise on playouts, with their standard error; where only a search knows
the game, they are its estimates.

Examples:
  croupier review m.jsonl --role alice
  croupier review m.jsonl --role bob --match 3 --html review.html
  croupier review m.jsonl --role bob --playouts 10000 --json")]
pub(crate) struct Arguments {
    /// A file written by `croupier play --record`
    record: PathBuf,
    /// Whose decisions
    #[arg(long, value_name = "ROLE")]
    role: String,
    /// Which match of the file, counted from 1
    #[arg(
        long = "match",
        value_name = "N",
        default_value_t = 1,
        value_parser = count::<usize>(1..=u64::MAX)
    )]
    number: usize,
    /// Playouts for each move where not all histories can be counted
    #[arg(
        long,
        value_name = "N",
        default_value_t = TrainerOptions::thorough([0; 32]).playouts,
        value_parser = count::<u32>(1..=1_000_000)
    )]
    playouts: u32,
    /// What playouts and searches are drawn with: an integer or 64 hexadecimal digits
    #[arg(long, value_name = "SEED", default_value = SEED)]
    seed: String,
    /// Also write it as a page of HTML into this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// The game.toml to tell it in, or the folder of one; without it, that beside the rules of the match
    #[arg(long, value_name = "FILE|FOLDER")]
    words: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The decisions of a role. Goals are goal values; `payoff` maps of the game are not applied.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReviewReport<'r> {
    #[serde(rename = "match")]
    number: usize,
    role: &'r str,
    decisions: Vec<DecisionReport<'r>>,
    /// By turn, from 0 on: how much the role did not know of the state, in bits. It ends early where no belief could be worked out.
    entropy_bits: &'r [f64],
}
output!(Review: ReviewReport<'_>);

/// A decision.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DecisionReport<'r> {
    turn: usize,
    played: &'r str,
    /// How the best player comes to its strategy: `equilibrium`, `blueprint`, or the method of a search.
    approach: &'r str,
    /// How the others are taken to have chosen before.
    model: &'r str,
    #[cfg_attr(test, schemars(extend("enum" = ["exact", "playouts", "search"])))]
    method: &'static str,
    /// Histories that agree with what the role knew; null for a search.
    histories: Option<u64>,
    /// Playouts for each move, or iterations of the search; null if all histories were counted.
    playouts: Option<u32>,
    /// By move, the share of the best player and the mean goal; null if unknown.
    moves: BTreeMap<&'r str, MoveReport>,
    /// In goals, against the best move; null if it was not worked out.
    given_up: Option<f64>,
    /// The standard error of that; null if it rests on no playouts.
    error: Option<f64>,
}

/// A move of a decision.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MoveReport {
    share: Option<f64>,
    goal: Option<f64>,
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    if let Some(path) = &arguments.html {
        arguments.force.existing().check(path)?;
    }
    let records = Records::read(&arguments.record)?;
    let chosen = records.chosen(Some(arguments.number))?;
    let (_, record, replayed) = chosen.replays().next().expect("one match was chosen");
    let replayed = replayed.map_err(|error| chosen.differs(arguments.number, &error))?;
    let header = replayed.header();
    let role = role::player(header.roles(), &arguments.role)?;
    let spinner = spinner("reviewing decisions");
    let game = records::network(header)?;
    let known = records::information_set(&game, &replayed, role, replayed.turns().len())?;
    let seed = entropy::seed(Some(&arguments.seed))?.agent(header.role_name(role));
    let options = TrainerOptions { playouts: arguments.playouts, ..TrainerOptions::thorough(seed) };
    let known = known.expect("the role is a player");
    let pool = arguments.threads.pool()?;
    let review = pool.install(|| reviewed(&game, &known, options, interrupt))?;
    spinner.finish_and_clear();
    let facts = RecordWords::new(&arguments.record, arguments.words.as_deref())?.facts(record);
    let view = ReviewView::of(&facts, &review);
    if let Some(path) = &arguments.html {
        arguments.force.existing().write(path, page(&facts.title, &view.html()).as_bytes())?;
    }
    let name = header.role_name(role);
    match arguments.json {
        true => report(arguments.number, name, &review).write_json(out)?,
        false => write(out, &facts, name, &view)?,
    }
    Ok(Answer::Yes)
}

fn write(out: &mut dyn Write, facts: &GameFacts, role: &str, view: &ReviewView) -> io::Result<()> {
    let name = facts.words.symbol_text(role);
    match (view.decisions.is_empty(), view.total.as_str()) {
        (true, _) => writeln!(out, "{name} had nothing to decide")?,
        (false, "") => writeln!(out, "{name}: {}", decisions(view))?,
        (false, total) => writeln!(out, "{name}: {}, {total} given up in all", decisions(view))?,
    }
    for decision in &view.decisions {
        let given_up = match decision.given_up.as_str() {
            "" => String::new(),
            given_up => format!(", which gave up {given_up} {}", view.unit),
        };
        writeln!(out, "\nturn {}: {}{given_up}", decision.turn, decision.played)?;
        let mut rows = vec![["move".to_owned(), "best player".to_owned(), view.unit.clone()]];
        rows.extend(decision.moves.iter().cloned());
        let rows: Vec<Vec<String>> = rows.into_iter().map(Vec::from).collect();
        write_rows(out, &rows)?;
        writeln!(out, "  {}", decision.grounds)?;
    }
    Ok(())
}

fn decisions(view: &ReviewView) -> String {
    match view.decisions.len() {
        1 => "1 decision".to_owned(),
        count => format!("{count} decisions"),
    }
}

fn report<'r>(number: usize, role: &'r str, review: &'r SeatReview) -> ReviewReport<'r> {
    let decisions = review.decisions.iter().map(decision_report).collect();
    ReviewReport { number, role, decisions, entropy_bits: &review.entropy_bits }
}

fn decision_report(decision: &ReviewedDecision) -> DecisionReport<'_> {
    let (method, histories, playouts) = match decision.grounds {
        ReviewGrounds::Exact { histories } => ("exact", Some(histories), None),
        ReviewGrounds::Playouts { playouts, histories } => ("playouts", Some(histories), Some(playouts)),
        ReviewGrounds::Search { iterations } => ("search", None, Some(iterations)),
    };
    let of = |of: &'_ ReviewedMove| MoveReport { share: of.share, goal: of.goal };
    DecisionReport {
        turn: decision.turn,
        played: &decision.played,
        approach: &decision.approach,
        model: &decision.model,
        method,
        histories,
        playouts,
        moves: decision.moves.iter().map(|found| (found.term.as_str(), of(found))).collect(),
        given_up: decision.given_up,
        error: decision.error,
    }
}
