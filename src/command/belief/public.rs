//! `croupier belief --public`: what everybody knows at a turn of a match.

use std::{fs::File, io::Read as _, io::Write, path::Path, sync::Arc};

use croupier_engine::{Game, Percepts};
use croupier_games::GameFacts;
use croupier_public::{PublicBeliever, PublicError, PublicEyes};

use super::{Arguments, chosen};
use crate::{
    arguments::{
        engine::Engine,
        records::{self, RecordWords, Records},
        source::Source,
        threads::spinner,
    },
    output::{answer::Answer, failure::Failure, schema::Output},
    sessions::{
        belief::{PublicTable, of_models},
        signs::{Signed, Signs},
        terminal::{Stream, Wrapping},
    },
};

/// A match as far as everybody knows it.
struct PublicMatch {
    /// Its number in a file.
    number: Option<usize>,
    game: Arc<Game>,
    facts: GameFacts,
    /// What was public in each turn.
    told: Vec<Percepts>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let PublicMatch { number, game, facts, told } = match is_record(&arguments.record) {
        true => of_record(arguments)?,
        false => of_game(arguments)?,
    };
    let spinner = spinner("working out the public belief state");
    let (mut believer, opponents) = arguments.inquiry().public_believer(&game)?;
    for told in &told {
        believer.advance(told).map_err(|error| refused(&error, &game, &mut believer))?;
    }
    let outlook = believer.outlook().map_err(|error| refused(&error, &game, &mut believer))?;
    spinner.finish_and_clear();
    let coverage = opponents.coverage();
    let coverage = coverage.as_ref().map(|coverage| of_models(&arguments.models, coverage));
    if let Some(strategy) = &coverage {
        strategy.check()?;
        strategy.warn();
    }
    let (game, facts) = (&game, &facts);
    let table = PublicTable { number, game, facts, outlook: &outlook, top: arguments.top, coverage };
    if arguments.json {
        table.report().write_json(out)?;
        return Ok(Answer::Yes);
    }
    let out = &mut Wrapping::new(Signed::new(out, Signs::of_output()), Stream::Output);
    let of = number.map_or_else(String::new, |number| format!("match {number}, "));
    writeln!(out, "{of}before turn {}: what everybody knows", arguments.turn)?;
    table.write(out)?;
    Ok(Answer::Yes)
}

/// Whether a file begins as records do, and rules never.
fn is_record(path: &Path) -> bool {
    let mut first = [0];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && &first == b"{"
}

fn of_record(arguments: &Arguments) -> Result<PublicMatch, Failure> {
    if let Some(told) = arguments.told.first() {
        let failure = Failure::refuse("bad-argument", "a record says itself what was public");
        return Err(failure.at_argument("--told", told).help("give the name of a game, or leave out --told"));
    }
    let records = Records::read(&arguments.record)?;
    let (number, chosen) = chosen(&records, arguments)?;
    let (_, record, replayed) = chosen.replays().next().expect("one match was chosen");
    let replayed = replayed.map_err(|error| chosen.differs(number, &error))?;
    let game = records::network(replayed.header())?;
    let player = game.roles().players().next();
    let known = player.map(|player| records::information_set(&game, &replayed, player, arguments.turn));
    let known = known.transpose()?.flatten();
    let eyes = PublicEyes::new(Arc::clone(&game));
    let mut eyes = eyes.map_err(|error| Failure::refuse("no-belief", error.to_string()))?;
    let turns = known.map(|known| known.turns).unwrap_or_default();
    let told = turns.iter().map(|(_, percepts)| eyes.public(percepts)).collect();
    let facts = RecordWords::new(&arguments.record, arguments.words.as_deref())?.facts(record);
    Ok(PublicMatch { number: Some(number), game, facts, told })
}

fn of_game(arguments: &Arguments) -> Result<PublicMatch, Failure> {
    let name = arguments.record.to_string_lossy();
    if let Some(number) = arguments.number {
        let failure = Failure::refuse("bad-argument", "a game has no recorded matches");
        return Err(failure.at_argument("--match", &number.to_string()));
    }
    if arguments.turn > TURNS_MAX {
        let failure = Failure::refuse("unknown-turn", format!("a match has at most {TURNS_MAX} turns here"));
        return Err(failure.at_argument("--turn", &arguments.turn.to_string()));
    }
    let source = Source::find(&name)?;
    let game = source.compile(&Engine::Auto.options())?;
    let mut texts: Vec<Vec<&str>> = Vec::new();
    for argument in &arguments.told {
        let at = |problem: String| Failure::refuse("bad-argument", problem).at_argument("--told", argument);
        let (turn, percept) = argument
            .split_once('=')
            .and_then(|(turn, percept)| Some((turn.trim().parse::<usize>().ok()?, percept)))
            .ok_or_else(|| {
                at("what was public is written TURN=PERCEPT".to_owned())
                    .help("for example --told '2=(did alice bet)'")
            })?;
        if turn >= arguments.turn {
            return Err(at(format!("turn {turn} is not before turn {}", arguments.turn)));
        }
        game.percepts_of([percept]).map_err(|error| at(error.to_string()))?;
        texts.resize(texts.len().max(turn + 1), Vec::new());
        texts[turn].push(percept);
    }
    let mut told = Vec::new();
    for turn in 0..arguments.turn {
        let texts = texts.get(turn).map_or(&[][..], Vec::as_slice).iter().copied();
        let percepts = game.percepts_of(texts);
        told.push(percepts.map_err(|error| Failure::refuse("bad-argument", error.to_string()))?);
    }
    let facts = match &arguments.words {
        Some(words) => crate::arguments::source::facts_at(words)?,
        None => source.facts,
    };
    Ok(PublicMatch { number: None, game, facts, told })
}

/// No public belief state comes to a later turn than this.
const TURNS_MAX: usize = 1 << 16;

/// Outcomes that an error names.
const OUTCOMES_SHOWN: usize = 8;

fn refused(error: &PublicError, game: &Game, believer: &mut PublicBeliever) -> Failure {
    let failure = |message: String| Failure::refuse("no-belief", message);
    match error {
        PublicError::Impossible { turn } => {
            let turn = turn - 1;
            let impossible = failure(format!("what is said to be public in turn {turn} cannot be"));
            match believer.outcomes() {
                Ok(Some(outcomes)) if outcomes.is_empty() => {
                    failure(format!("every match is over before turn {}", turn + 1))
                }
                Ok(Some(outcomes)) => {
                    impossible.help(format!("in turn {turn} this can: {}", listed(game, &outcomes)))
                }
                Ok(None) | Err(_) => impossible,
            }
        }
        error if error.is_of_size() => {
            failure(error.to_string()).help("take a sample with --method particle")
        }
        PublicError::Sample(_) => {
            failure(error.to_string()).help("try more with --particles, or another --seed")
        }
        other => failure(other.to_string()),
    }
}

/// What can become public in a turn, in words.
fn listed(game: &Game, outcomes: &[Percepts]) -> String {
    let text = |told: &Percepts| match told.is_empty() {
        true => "nothing".to_owned(),
        false => game.percept_terms(told).join(" "),
    };
    let shown: Vec<String> = outcomes.iter().take(OUTCOMES_SHOWN).map(text).collect();
    let more = match outcomes.len().saturating_sub(OUTCOMES_SHOWN) {
        0 => String::new(),
        more => format!(", and {more} others"),
    };
    format!("{}{more}", shown.join(", or "))
}
