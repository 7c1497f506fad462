//! `croupier belief`: what a role could believe at a turn of a recorded match.

use std::{collections::BTreeMap, io::Write, path::PathBuf, sync::Arc};

use clap::{Args, ValueEnum};
use croupier_belief::{BeliefError, Detail, Distribution, ExactOptions, Marginal, ParticleOptions, Query};
use croupier_engine::{FluentId, Game, InformationSet, RoleId, State};
use croupier_games::GameFacts;
use croupier_referee::{Record, record::Entry};
use serde_json::{Value, json};

use crate::{
    answer::Answer,
    entropy,
    failure::Failure,
    outlook::{Basis, Believer, Methods, Outlook},
    records::{self, Chosen, Records},
    table::Table,
    threads::spinner,
};

/// Histories and joint moves a turn within which `auto` enumerates them all: some seconds of work.
const AUTO: ExactOptions =
    ExactOptions { histories_max: 100_000, joint_moves_max: 1_000_000, ..ExactOptions::STANDARD };

/// More lines of uncertain fluents than these are only counted.
const GROUPS_SHOWN_MAX: usize = 24;

/// Show what a role could believe at a turn of a recorded match
///
/// The belief is made from the rules, the role's own moves and what it was told, and from nothing else in
/// the record. Chance and all other players are taken to choose each legal move with the same probability.
#[derive(Args)]
#[command(after_help = "\
Turns count from 0; `--turn 12` is what the role believes when it is asked for its move of turn 12.

Examples:
  croupier belief m.jsonl --role alice --turn 12
  croupier belief m.jsonl --role bob --turn 4 --match 3 --top 3
  croupier belief m.jsonl --role bob --turn 9 --method particle --particles 10000 --json
  croupier belief m.jsonl --role bob --turn 9 --histories 5
  croupier belief m.jsonl --role alice --turn 12 --query '(<= (query ?c) (true (hand bob ?c)))'")]
pub(crate) struct Arguments {
    /// A file written by `croupier play --record`
    record: PathBuf,
    /// Whose belief
    #[arg(long, value_name = "ROLE")]
    role: String,
    /// Before the moves of which turn
    #[arg(long, value_name = "TURN")]
    turn: usize,
    /// Which match of the file, counted from 1; without it, the first that came to this turn
    #[arg(long = "match", value_name = "N")]
    number: Option<usize>,
    /// How many of the most likely states to show
    #[arg(long, value_name = "K", default_value_t = 5)]
    top: usize,
    /// All histories, a sample, or all unless there are too many
    #[arg(long, value_enum, default_value_t = Choice::Auto)]
    method: Choice,
    /// How many particles a sample has
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2000,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    particles: u32,
    /// What the sample is drawn with: an integer or 64 hexadecimal digits
    #[arg(long, value_name = "SEED", default_value = "0")]
    seed: String,
    /// How many of the most likely histories to show, by the moves of others that are uncertain
    #[arg(long, value_name = "K", default_value_t = 0)]
    histories: usize,
    /// Rules for `query`, or a file of them: how likely each answer is
    #[arg(long, value_name = "RULES")]
    query: Option<String>,
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

/// A belief, and of whom it is.
struct Report<'r> {
    arguments: &'r Arguments,
    number: usize,
    game: &'r Game,
    facts: &'r GameFacts,
    outlook: &'r Outlook,
    marginals: Vec<Marginal>,
    /// Where each fluent stands among them.
    places: BTreeMap<FluentId, usize>,
    histories: Vec<LikelyHistory>,
    answers: Vec<(String, f64)>,
}

/// A history by what is uncertain in it.
struct LikelyHistory {
    probability: f64,
    /// Turn, role and move, where histories differ.
    moves: Vec<(usize, String, String)>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let records = Records::read(&arguments.record)?;
    let (number, chosen) = chosen(&records, arguments)?;
    let (_, record, replayed) = chosen.replays().next().expect("one match was chosen");
    let replayed = replayed.map_err(|error| chosen.differs(number, &error))?;
    let header = replayed.header();
    let role = records::player(header.roles(), &arguments.role)?;

    let methods = methods(arguments)?;
    let spinner = spinner("working out the belief");
    let game = records::network(header)?;
    let known = records::information_set(&game, &replayed, role, arguments.turn)?;
    let known = known.expect("the role is a player");
    let believer = Believer::new(Arc::clone(&game), role, methods);
    let followed = believer.and_then(|mut believer| Ok((believer.follow(&known)?, believer)));
    spinner.finish_and_clear();
    let (outlook, believer) = followed.map_err(|error| no_belief(&error, &known))?;

    let facts = records::facts(record);
    let marginals = outlook.distribution.marginals(&game);
    let histories = histories(&game, &believer, arguments.histories)?;
    let answers = answers((&game, &header.setup().rules), &outlook.distribution, arguments.query.as_deref())?;
    let report = Report {
        arguments,
        number,
        game: &game,
        facts: &facts,
        outlook: &outlook,
        places: marginals.iter().enumerate().map(|(place, marginal)| (marginal.fluent, place)).collect(),
        marginals,
        histories,
        answers,
    };
    if arguments.json {
        writeln!(out, "{}", report.as_json())?;
    } else {
        report.write(out)?;
    }
    Ok(Answer::Yes)
}

fn methods(arguments: &Arguments) -> Result<Methods, Failure> {
    let seed = entropy::seed(Some(&arguments.seed))?.agent(&arguments.role);
    let particles = arguments.particles as usize;
    let detail = if arguments.histories > 0 { Detail::Histories } else { Detail::States };
    let sample = (ParticleOptions { particles, ..ParticleOptions::STANDARD }, seed);
    Ok(match arguments.method {
        Choice::Auto => Methods { exact: Some(ExactOptions { detail, ..AUTO }), sample: Some(sample) },
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
    (game, rules): (&Game, &str),
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

impl Report<'_> {
    fn uncertain(&self) -> Vec<&Marginal> {
        let mut uncertain: Vec<&Marginal> =
            self.marginals.iter().filter(|marginal| marginal.probability < 1.0).collect();
        uncertain.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        uncertain
    }

    /// What is true in this state and not in all, in the order of the marginals.
    fn differences(&self, state: &State) -> Vec<&Marginal> {
        let mut places: Vec<usize> =
            state.fluents().filter_map(|fluent| self.places.get(&fluent).copied()).collect();
        places.sort_unstable();
        let marginals = places.into_iter().map(|place| &self.marginals[place]);
        marginals.filter(|marginal| marginal.probability < 1.0).collect()
    }

    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Arguments { turn, role, .. } = self.arguments;
        let distribution = &self.outlook.distribution;
        writeln!(out, "match {}, before turn {turn}: what {role} could believe", self.number)?;
        match self.outlook.basis {
            Basis::Histories(count) => {
                writeln!(out, "from all {count} histories that agree with what {role} knows")?
            }
            Basis::Particles { count, effective } => {
                writeln!(
                    out,
                    "from a sample: {count} particles, as good as {effective:.0} equally heavy ones"
                )?;
            }
        }
        writeln!(
            out,
            "{} states, entropy {:.2} bits (as much as {:.1} equally likely states)",
            distribution.states_count(),
            distribution.entropy_bits(),
            distribution.effective_states()
        )?;
        let table = Table::of_belief(self.game, self.facts, distribution);
        for board in &table.boards {
            write!(out, "\n{board}")?;
        }
        if !table.lines.is_empty() {
            let certain = match self.outlook.basis {
                Basis::Histories(_) => "certain",
                Basis::Particles { .. } => "true of the whole sample",
            };
            writeln!(out, "\n{certain}: {}", table.lines.join("; "))?;
        }
        let uncertain = self.uncertain();
        if uncertain.is_empty() {
            writeln!(out, "\nnothing is hidden from {role}")?;
            return self.write_answers(out);
        }
        writeln!(out, "\nuncertain:")?;
        let groups = self.groups(&uncertain);
        for (share, lines) in groups.iter().take(GROUPS_SHOWN_MAX) {
            let each = if lines.len() == 1 { "     " } else { " each" };
            writeln!(out, "{share}{each}  {}", lines.join("; "))?;
        }
        if let Some(hidden) = groups.len().checked_sub(GROUPS_SHOWN_MAX).filter(|&hidden| hidden > 0) {
            writeln!(out, "               ... and {hidden} more lines; --json has everything")?;
        }
        self.write_top(out)?;
        self.write_histories(out)?;
        self.write_answers(out)
    }

    fn write_histories(&self, out: &mut dyn Write) -> Result<(), Failure> {
        if !self.histories.is_empty() {
            writeln!(
                out,
                "\n{} likeliest histories, by the moves that are uncertain:",
                self.histories.len()
            )?;
        }
        for history in &self.histories {
            let moves = history.moves.iter().map(|(turn, role, played)| format!("{turn}: {role} {played}"));
            writeln!(out, "{}  {}", percent(history.probability), moves.collect::<Vec<_>>().join("; "))?;
        }
        Ok(())
    }

    fn write_answers(&self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.arguments.query.is_some() {
            writeln!(out, "\nanswers to the query:")?;
            if self.answers.is_empty() {
                writeln!(out, "none holds in any state held possible")?;
            }
        }
        for (answer, probability) in &self.answers {
            writeln!(out, "{}  {answer}", percent(*probability))?;
        }
        Ok(())
    }

    /// Fluents in words by their probability as it is shown, the likeliest first.
    fn groups(&self, uncertain: &[&Marginal]) -> Vec<(String, Vec<String>)> {
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for marginal in uncertain {
            let (share, line) = (percent(marginal.probability), self.facts.words.fluent_text(&marginal.text));
            match groups.last_mut() {
                Some((last, lines)) if *last == share => lines.push(line),
                _ => groups.push((share, vec![line])),
            }
        }
        groups
    }

    fn write_top(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let distribution = &self.outlook.distribution;
        // Where states differ in one fluent each, they were just listed.
        let is_listed = distribution.iter().all(|(state, _)| self.differences(state).len() <= 1);
        let top = if is_listed { 0 } else { self.arguments.top.min(distribution.states_count()) };
        if top > 0 {
            writeln!(
                out,
                "\n{top} likeliest of the {} states, by what is uncertain:",
                distribution.states_count()
            )?;
        }
        for (state, probability) in distribution.most_likely(self.game, top) {
            let lines: Vec<String> = self
                .differences(state)
                .iter()
                .map(|marginal| self.facts.words.fluent_text(&marginal.text))
                .collect();
            let lines = if lines.is_empty() { "none of that".to_owned() } else { lines.join("; ") };
            writeln!(out, "{}  {lines}", percent(probability))?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        let distribution = &self.outlook.distribution;
        let words = &self.facts.words;
        let fluents: Vec<Value> = self
            .uncertain()
            .iter()
            .map(|marginal| {
                json!({
                    "fluent": marginal.text,
                    "words": words.fluent_text(&marginal.text),
                    "probability": marginal.probability,
                })
            })
            .collect();
        let certain: Vec<&str> = self
            .marginals
            .iter()
            .filter(|marginal| marginal.probability >= 1.0)
            .map(|marginal| &*marginal.text)
            .collect();
        let states: Vec<Value> = distribution
            .most_likely(self.game, self.arguments.top)
            .into_iter()
            .map(|(state, probability)| {
                let hidden: Vec<&str> =
                    self.differences(state).iter().map(|marginal| &*marginal.text).collect();
                json!({ "probability": probability, "fluents": hidden })
            })
            .collect();
        let mut object = json!({
            "match": self.number,
            "role": self.arguments.role,
            "turn": self.arguments.turn,
            "states": distribution.states_count(),
            "entropy_bits": distribution.entropy_bits(),
            "effective_states": distribution.effective_states(),
            "certain": certain,
            "uncertain": fluents,
            "top": states,
        });
        if self.arguments.histories > 0 {
            let played = |(turn, role, played): &(usize, String, String)| json!({ "turn": turn, "role": role, "move": played });
            let history = |history: &LikelyHistory| {
                let moves: Vec<Value> = history.moves.iter().map(played).collect();
                json!({ "probability": history.probability, "moves": moves })
            };
            object["likely_histories"] = self.histories.iter().map(history).collect();
        }
        if self.arguments.query.is_some() {
            let answer = |(answer, probability): &(String, f64)| json!({ "answer": answer, "probability": probability });
            object["answers"] = self.answers.iter().map(answer).collect();
        }
        match self.outlook.basis {
            Basis::Histories(count) => {
                object["method"] = json!("exact");
                object["histories"] = json!(count);
            }
            Basis::Particles { count, effective } => {
                object["method"] = json!("particle");
                object["particles"] = json!(count);
                object["effective_particles"] = json!(effective);
            }
        }
        object
    }
}

fn percent(probability: f64) -> String {
    format!("{:6.2} %", 100.0 * probability)
}
