//! `croupier belief`: what a role could believe at a turn of a recorded match.

mod report;

use std::{io::Write, path::PathBuf, sync::Arc};

use clap::{Args, ValueEnum};
use croupier_belief::{
    BeliefError, Believer, Coverage, Detail, Distribution, ExactOptions, Methods, Opponents, ParticleOptions,
    Query,
};
use croupier_engine::{Game, InformationSet, RoleId};
use croupier_referee::{Record, record::Entry};

use self::report::{LikelyHistory, Report};
use crate::{
    answer::Answer,
    count::count,
    coverage::Told,
    entropy,
    failure::Failure,
    records::{self, Chosen, RecordWords, Records},
    schema::Schema,
    seating::models,
    signs::{Signed, Signs},
    threads::spinner,
};

/// Show what a role could believe at a turn of a recorded match
///
/// The belief is made from the rules, the role's own moves and what it was told, and from nothing else in
/// the record. Chance and all other players are taken to choose each legal move with the same probability, unless --model says
/// otherwise.
#[derive(Args)]
#[command(after_help = "\
Turns count from 0; `--turn 12` is what the role believes when it is asked for its move of turn 12.

Examples:
  croupier belief m.jsonl --role alice --turn 12
  croupier belief m.jsonl --role bob --turn 4 --match 3 --top 3
  croupier belief m.jsonl --role bob --turn 9 --method particle --particles 10000 --json
  croupier belief m.jsonl --role bob --turn 9 --histories 5
  croupier belief m.jsonl --role bob --turn 9 --model alice=policy:leduc.json
  croupier belief m.jsonl --role alice --turn 12 --query '(<= (query ?c) (true (hand bob ?c)))'")]
pub(crate) struct Arguments {
    /// A file written by `croupier play --record`
    record: PathBuf,
    /// Whose belief
    #[arg(long, value_name = "ROLE")]
    role: String,
    /// The turn to inspect, before its moves
    #[arg(long, value_name = "TURN", value_parser = count::<usize>(0..=u64::MAX))]
    turn: usize,
    /// Which match of the file, counted from 1; without it, the first that came to this turn
    #[arg(long = "match", value_name = "N", value_parser = count::<usize>(1..=u64::MAX))]
    number: Option<usize>,
    /// How another role is taken to choose, as ROLE=MODEL: uniform, quantal or an agent; may be given for each role
    #[arg(long = "model", value_name = "ROLE=MODEL")]
    models: Vec<String>,
    /// How many of the most likely states to show
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = count::<usize>(0..=u64::MAX))]
    top: usize,
    /// All histories, a sample, or all unless there are too many
    #[arg(long, value_enum, default_value_t = Choice::Auto)]
    method: Choice,
    /// How many particles a sample has
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2000,
        value_parser = count::<u32>(1..=1_000_000)
    )]
    particles: u32,
    /// What the sample is drawn with: an integer or 64 hexadecimal digits
    #[arg(long, value_name = "SEED", default_value = "0")]
    seed: String,
    /// How many of the most likely histories to show, by the moves of others that are uncertain
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = count::<usize>(0..=u64::MAX))]
    histories: usize,
    /// Rules for `query`, or a file of them: how likely each answer is
    #[arg(long, value_name = "RULES")]
    query: Option<String>,
    /// The game.toml to tell it in, or the folder of one; without it, that beside the rules of the match
    #[arg(long, value_name = "FILE|FOLDER")]
    words: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// `exact`, or `particle` where that is too much
    Auto,
    /// Every history that agrees with what the role knows
    Exact,
    /// Some of them, drawn at random
    Particle,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let records = Records::read(&arguments.record)?;
    let (number, chosen) = chosen(&records, arguments)?;
    let (_, record, replayed) = chosen.replays().next().expect("one match was chosen");
    let replayed = replayed.map_err(|error| chosen.differs(number, &error))?;
    let header = replayed.header();
    let role = records::player(header.roles(), &arguments.role)?;

    let role_name = header.role_name(role);
    let methods = methods(arguments, role_name)?;
    let spinner = spinner("working out the belief");
    let game = records::network(header)?;
    let known = records::information_set(&game, &replayed, role, arguments.turn)?;
    let known = known.expect("the role is a player");
    let opponents = opponents(&game, role, &arguments.models)?;
    let believer = Believer::new(Arc::clone(&game), role, methods, &opponents);
    let followed = believer.and_then(|mut believer| Ok((believer.follow(&known)?, believer)));
    spinner.finish_and_clear();
    let (outlook, believer) = followed.map_err(|error| no_belief(&error, &known))?;

    let coverage = opponents.coverage();
    let told = coverage.as_ref().map(|coverage| told(arguments, coverage));
    if let Some(told) = told {
        told.check()?;
        told.warn();
    }
    let words = RecordWords::new(&arguments.record, arguments.words.as_deref())?;
    let facts = words.facts(record);
    let marginals = outlook.distribution.marginals(&game);
    let histories = histories(&game, &believer, arguments.histories)?;
    let answers = answers(&game, &header.setup().rules, &outlook.distribution, arguments.query.as_deref())?;
    let report = Report {
        proved: believer.proved().into_iter().collect(),
        arguments,
        role: role_name,
        number,
        game: &game,
        facts: &facts,
        outlook: &outlook,
        places: marginals.iter().enumerate().map(|(place, marginal)| (marginal.fluent, place)).collect(),
        marginals,
        histories,
        answers,
        coverage: coverage.as_ref(),
    };
    if arguments.json {
        Schema::Belief.write(out, report.as_json())?;
    } else {
        report.write(&mut Signed::new(out, Signs::of_output()))?;
    }
    Ok(Answer::Yes)
}

/// The policies of the modelled roles.
fn opponents(game: &Arc<Game>, own: RoleId, arguments: &[String]) -> Result<Opponents, Failure> {
    let mut opponents = Opponents::uniform();
    for ((role, model), argument) in models(game.roles(), arguments)?.into_iter().zip(arguments) {
        let at = |failure: Failure| failure.at_argument("--model", argument);
        if role == own {
            return Err(at(Failure::refuse("bad-model", "a belief needs no model of its own role")));
        }
        let policy = model.policy(game, role);
        let policy = policy.map_err(|error| at(Failure::refuse("bad-model", error.to_string())))?;
        if let Some(policy) = policy {
            opponents = opponents.with(role, policy);
        }
    }
    Ok(opponents)
}

/// What is said of the models in files, all together.
pub(super) fn told<'c>(arguments: &Arguments, coverage: &'c Coverage) -> Told<'c> {
    Told { who: arguments.models.join(" and "), coverage, is_model: true }
}

fn methods(arguments: &Arguments, role: &str) -> Result<Methods, Failure> {
    let seed = entropy::seed(Some(&arguments.seed))?.agent(role);
    let particles = arguments.particles as usize;
    let detail = if arguments.histories > 0 { Detail::Histories } else { Detail::States };
    let sample = (ParticleOptions { particles, ..ParticleOptions::STANDARD }, seed);
    Ok(match arguments.method {
        Choice::Auto => {
            Methods { exact: Some(ExactOptions { detail, ..Methods::EXACT }), sample: Some(sample) }
        }
        Choice::Exact => {
            Methods { exact: Some(ExactOptions { detail, ..ExactOptions::STANDARD }), sample: None }
        }
        Choice::Particle => Methods { exact: None, sample: Some(sample) },
    })
}

/// The likeliest histories, by the moves that are not the same in all.
fn histories(game: &Game, believer: &Believer, count: usize) -> Result<Vec<LikelyHistory>, Failure> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let Some(histories) = believer.histories() else {
        let message = "the first turns of the sample are not kept, so there are no histories to show";
        return Err(Failure::refuse("no-histories", message).help("leave out --histories"));
    };
    let (first, _) = histories.iter().next().expect("a belief has a history");
    let turns = first.joint_moves.len();
    let is_uncertain = |turn: usize, role: RoleId| {
        let mut moves = histories.iter().map(|(history, _)| history.joint_moves[turn].of(role));
        let known = first.joint_moves[turn].of(role);
        moves.any(|played| played != known)
    };
    let roles = game.roles();
    let uncertain: Vec<(usize, RoleId)> = (0..turns)
        .flat_map(|turn| roles.all().map(move |role| (turn, role)))
        .filter(|&(turn, role)| is_uncertain(turn, role))
        .collect();
    let likely = histories.most_likely(game, count).into_iter().map(|(history, probability)| {
        let played = |&(turn, role): &(usize, RoleId)| {
            let text = game.move_text(history.joint_moves[turn].of(role));
            (turn, roles.name(role).to_owned(), text.to_string())
        };
        LikelyHistory { probability, moves: uncertain.iter().map(played).collect() }
    });
    Ok(likely.collect())
}

/// How likely each answer of a query is: rules, or the file that has them.
fn answers(
    game: &Game,
    rules: &str,
    distribution: &Distribution,
    query: Option<&str>,
) -> Result<Vec<(String, f64)>, Failure> {
    let Some(query) = query else { return Ok(Vec::new()) };
    let text = match query.contains(['(', ':']) {
        true => query.to_owned(),
        false => std::fs::read_to_string(query).map_err(|error| {
            Failure::refuse(
                "no-query",
                format!("{query} is neither rules nor a file that can be read: {error}"),
            )
            .help("write rules, for example (<= (query ?x) (true (f ?x)))")
        })?,
    };
    let refuse = |error: String| Failure::refuse("no-query", error);
    let query = Query::compile(rules, &text, game.limits());
    let query = query.map_err(|error| refuse(error.to_string()))?;
    query.answers(game, distribution).map_err(|error| refuse(error.to_string()))
}

/// The match that was asked for, or else the first that came to the turn.
fn chosen<'r>(records: &'r Records, arguments: &Arguments) -> Result<(usize, Chosen<'r>), Failure> {
    let candidates = records.chosen(arguments.number)?;
    if let Some((number, _)) = candidates.iter().find(|(_, record)| turns(record) >= arguments.turn) {
        return Ok((number, records.chosen(Some(number))?));
    }
    let longest = candidates.iter().map(|(_, record)| turns(record)).max().unwrap_or(0);
    let who = arguments
        .number
        .map_or_else(|| "no match of the file".to_owned(), |number| format!("match {number} never"));
    Err(Failure::refuse("unknown-turn", format!("{who} came to turn {}", arguments.turn))
        .at(&records.path)
        .help(format!("--turn takes 0 to {longest}")))
}

fn turns(record: &Record) -> usize {
    record.lines().iter().filter(|line| matches!(line.entry, Entry::Turn { .. })).count()
}

fn no_belief(error: &BeliefError, known: &InformationSet) -> Failure {
    let failure = Failure::refuse("no-belief", format!("{error} (of {} turns)", known.turns.len()));
    match error {
        BeliefError::TooManyHistories { .. } | BeliefError::TooManyJointMoves { .. } => {
            failure.help("take a sample with --method particle")
        }
        BeliefError::Depleted { .. } => failure.help("try more with --particles, or another --seed"),
        _ => failure,
    }
}
