//! `croupier belief`: what a role could believe at a turn of a recorded match, and what everybody knows of it.

mod public;

use std::{io::Write, path::PathBuf, sync::Arc};

use clap::Args;
use croupier_belief::{BeliefError, Believer, Distribution, Query};
use croupier_engine::{Game, InformationSet, RoleId};
use croupier_games::Scene;
use croupier_picture::TrainerView;
use croupier_referee::{
    Record,
    record::{Entry, TurnLine},
};
use croupier_table::scene_of_certainty;

use crate::{
    arguments::{
        count::count,
        existing::Force,
        records::{self, Chosen, RecordWords, Records},
        role,
        threads::spinner,
    },
    output::{answer::Answer, failure::Failure, page::page, schema::Output},
    sessions::{
        belief::{Inquiry, LikelyAnswer, LikelyHistory, Method, PlayedMove, RoleBelief, of_models},
        signs::{Signed, Signs},
        terminal::{Stream, Wrapping},
    },
};

/// Show what a role could believe at a turn of a recorded match
///
/// The belief is made from the rules, the role's own moves and what it was told, and from nothing else in
/// the record. Chance and all other players are taken to choose each legal move with the same probability, unless --model says
/// otherwise.
///
/// With --public it shows the public belief state instead: what everybody was told, and for each player its private states, how likely each
/// is, and its range. A game will do for that, with what was public as --told.
#[derive(Args)]
#[command(after_help = "\
Turns count from 0; `--turn 12` is what the role believes when it is asked for its move of turn 12.

Examples:
  croupier belief m.jsonl --role alice --turn 12
  croupier belief m.jsonl --role bob --turn 4 --match 3 --top 3
  croupier belief m.jsonl --role bob --turn 9 --method particle --particles 10000 --json
  croupier belief m.jsonl --role bob --turn 9 --histories 5
  croupier belief m.jsonl --role bob --turn 9 --method particle --guide belief.onnx
  croupier belief m.jsonl --role bob --turn 9 --html belief.html
  croupier belief m.jsonl --public --turn 3
  croupier belief kuhn --public --turn 3 --told '2=(did alice bet)'
  croupier belief m.jsonl --role bob --turn 9 --model alice=policy:leduc.json
  croupier belief m.jsonl --role alice --turn 12 --query '(<= (query ?c) (true (hand bob ?c)))'")]
pub(crate) struct Arguments {
    /// A file written by `croupier play --record`; with --public also a game
    record: PathBuf,
    /// Whose belief
    #[arg(long, value_name = "ROLE", required_unless_present = "public")]
    role: Option<String>,
    /// Show what everybody knows: the private states of each player, and the ranges over them
    #[arg(long, conflicts_with_all = ["role", "histories", "query", "svg", "html"])]
    public: bool,
    /// With --public and a game: something that was public in a turn; nothing else was
    #[arg(long, value_name = "TURN=PERCEPT")]
    told: Vec<String>,
    /// The turn to inspect, before its moves
    #[arg(long, value_name = "TURN", value_parser = count::<usize>(0..=u64::MAX))]
    turn: usize,
    /// Which match of the file, counted from 1; without it, the first that came to this turn
    #[arg(long = "match", value_name = "N", value_parser = count::<usize>(1..=u64::MAX))]
    number: Option<usize>,
    /// How another role is taken to choose, as ROLE=MODEL: uniform, quantal or an agent; may be given for each role
    #[arg(long = "model", value_name = "ROLE=MODEL")]
    models: Vec<String>,
    /// A belief net, written by croupier.learn.BeliefRun, that leads a sample to histories it holds likely
    #[arg(long, value_name = "FILE", conflicts_with = "public")]
    guide: Option<String>,
    /// How many of the most likely states to show
    #[arg(long, value_name = "K", default_value_t = Inquiry::TOP, value_parser = count::<usize>(0..=u64::MAX))]
    top: usize,
    /// All histories, a sample, or all unless there are too many
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,
    /// How many particles a sample has
    #[arg(
        long,
        value_name = "N",
        default_value_t = Inquiry::PARTICLES,
        value_parser = count::<u32>(1..=1_000_000)
    )]
    particles: u32,
    /// What the sample is drawn with: an integer or 64 hexadecimal digits
    #[arg(long, value_name = "SEED", default_value = Inquiry::SEED)]
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
    /// Also draw it as one SVG into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Also draw it as a page of HTML into this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let Some(role) = &arguments.role else { return public::run(arguments, out) };
    arguments.check()?;
    let records = Records::read(&arguments.record)?;
    let (number, chosen) = chosen(&records, arguments)?;
    let (_, record, replayed) = chosen.replays().next().expect("one match was chosen");
    let replayed = replayed.map_err(|error| chosen.differs(number, &error))?;
    let header = replayed.header();
    let role = role::player(header.roles(), role)?;

    let role_name = header.role_name(role);
    let inquiry = arguments.inquiry();
    for path in [&arguments.svg, &arguments.html].into_iter().flatten() {
        arguments.force.existing().check(path)?;
    }
    let spinner = spinner("working out the belief");
    let game = records::network(header)?;
    let known = records::information_set(&game, &replayed, role, arguments.turn)?;
    let known = known.expect("the role is a player");
    let (mut believer, opponents) = inquiry.believer(&game, role)?;
    let words = RecordWords::new(&arguments.record, arguments.words.as_deref())?;
    let facts = words.facts(record);
    let followed = believer.follow(&known);
    let outlook = followed.map_err(|error| no_belief(&error, &known))?;
    let certainty = believer.certainty(&|fluent| facts.look(fluent));
    let is_drawn = arguments.svg.is_some() || arguments.html.is_some();
    let before = match facts.words.gather() && (is_drawn || !arguments.json) {
        // Lists on the table are in the order in which the role saw them grow.
        true => records::seen(Arc::clone(&game), &replayed, role)
            .and_then(|mut seen| seen.after(arguments.turn, &facts).map_err(records::unknowable)),
        false => Ok(Scene::nothing()),
    };
    let before = before.unwrap_or_default();
    if is_drawn {
        let scene = scene_of_certainty(&game, &facts, &certainty, &[]).after(&before);
        arguments.write_drawn(&inquiry.view(&game, &facts, &known, &scene)?)?;
    }
    spinner.finish_and_clear();

    let coverage = opponents.coverage();
    let strategy = coverage.as_ref().map(|coverage| of_models(&arguments.models, coverage));
    if let Some(strategy) = &strategy {
        strategy.check()?;
        strategy.warn();
    }
    let answers = arguments.query.as_deref();
    let answers = answers.map(|query| answers_to(query, &game, &outlook.distribution)).transpose()?;
    let mut belief = RoleBelief::new(role_name, &game, &facts, &outlook, certainty);
    belief.top = arguments.top;
    belief.before = before;
    belief.histories = histories(&game, &believer, arguments.histories)?;
    belief.answers = answers;
    belief.coverage = strategy;
    if arguments.json {
        belief.report(number, arguments.turn).write_json(out)?;
        return Ok(Answer::Yes);
    }
    let out = &mut Wrapping::new(Signed::new(out, Signs::of_output()), Stream::Output);
    let name = facts.words.symbol_text(role_name);
    writeln!(out, "match {number}, before turn {}: what {name} could believe", arguments.turn)?;
    belief.write(out)?;
    Ok(Answer::Yes)
}

impl Arguments {
    /// Refuses what does not go with the belief of a role.
    fn check(&self) -> Result<(), Failure> {
        if let Some(told) = self.told.first() {
            let failure = Failure::refuse("bad-argument", "a role was told what its record says");
            return Err(failure.at_argument("--told", told).help("--told goes with --public"));
        }
        if let (Some(guide), Method::Exact) = (&self.guide, self.method) {
            let failure =
                Failure::refuse("bad-argument", "a guide leads a sample, and --method exact takes none");
            return Err(failure.at_argument("--guide", guide).help("leave out one of them"));
        }
        Ok(())
    }

    fn inquiry(&self) -> Inquiry<'_> {
        Inquiry {
            method: self.method,
            particles: self.particles,
            seed: &self.seed,
            models: &self.models,
            has_histories: self.histories > 0,
            guide: self.guide.as_deref(),
        }
    }

    /// Writes the files of a belief that is drawn.
    fn write_drawn(&self, view: &TrainerView) -> Result<(), Failure> {
        if let Some(path) = &self.svg {
            self.force.existing().write(path, view.svg().as_bytes())?;
        }
        if let Some(path) = &self.html {
            self.force.existing().write(path, page(&view.title, &view.html()).as_bytes())?;
        }
        Ok(())
    }
}

/// The likeliest histories, by the moves that are not the same in all.
fn histories(game: &Game, believer: &Believer, count: usize) -> Result<Option<Vec<LikelyHistory>>, Failure> {
    if count == 0 {
        return Ok(None);
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
            let text = game.move_text(history.joint_moves[turn].of(role)).to_string();
            PlayedMove { turn, role: roles.name(role).to_owned(), text }
        };
        LikelyHistory { probability, moves: uncertain.iter().map(played).collect() }
    });
    Ok(Some(likely.collect()))
}

/// How likely each answer of a query is: rules, or the file that has them.
fn answers_to(query: &str, game: &Game, distribution: &Distribution) -> Result<Vec<LikelyAnswer>, Failure> {
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
    let query = Query::compile(game, &text);
    let query = query.map_err(|error| refuse(error.to_string()))?;
    let answers = query.answers(game, distribution).map_err(|error| refuse(error.to_string()))?;
    Ok(answers.into_iter().map(|(answer, probability)| LikelyAnswer { answer, probability }).collect())
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
    record.lines().iter().filter(|line| matches!(line.entry, Entry::Own(TurnLine::Turn { .. }))).count()
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
