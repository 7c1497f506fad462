//! `croupier tournament`: everybody against everybody.

mod entrants;
mod files;
mod plot;
mod ratings;
mod report;
mod results;
mod schedule;
mod standings;

use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use croupier_engine::{ByPlayer, Options, RoleId};
use croupier_referee::{Clocks, Outcome};
use indicatif::ProgressBar;
use rayon::{ThreadPool, prelude::*};

use self::{
    entrants::{Entrant, entrants},
    files::Files,
    report::Report,
    results::{FORMAT, Heading, Known, MatchResult},
    schedule::{Fixture, PAIRINGS_MAX, Schedule},
    standings::Standings,
};
use crate::{
    answer::Answer,
    conduct::reasons,
    entropy,
    failure::Failure,
    interrupt::Interrupt,
    key_file,
    record_file::refuse_to_replace,
    seat::Timing,
    seating::entrants_help,
    series::{Addresses, DialectOf, Ended, Ending, HouseRules, Series, Settings, UNTIMED, VOID_IN_A_ROW_MAX},
    source::Source,
    threads::{Threads, progress},
};

/// Longest play clock that can be asked for, in seconds.
const CLOCK_S_MAX: u64 = 24 * 60 * 60;

/// How a match ended that never began, in results.
const VOID: &str = "void";

/// Matches that each thread plays between two writes of results.
const MATCHES_AT_ONCE: u64 = 4;

/// Let players meet in every seat, and rank them
///
/// Every group of players that fills the seats plays in every rotation of the seats. With --duplicate all rotations, and all
/// groups, play the same deals, so that luck cancels: each deal is then one observation. A tournament with --results goes on
/// where it was interrupted, and can be made longer.
#[derive(Args)]
#[command(after_help = help())]
pub(crate) struct Arguments {
    /// A name from `croupier games`, or the path of a rule file
    game: String,
    /// Who takes part, separated by commas
    #[arg(long, value_name = "AGENTS")]
    players: String,
    /// How many matches each group plays, rounded up to whole rotations
    #[arg(
        long,
        short = 'n',
        value_name = "N",
        default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..=100_000_000)
    )]
    matches: u64,
    /// Play each deal in every rotation of the seats
    #[arg(long)]
    duplicate: bool,
    /// An integer or 64 hexadecimal digits; without it one from the operating system, which is shown
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// Seconds for each move, measured for real; without it players do all their iterations
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=CLOCK_S_MAX))]
    play_clock: Option<u64>,
    /// Keep the result of every match in this file, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Write the record of every match to this file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace the file of records if it is there and belongs to no results that are gone on from
    #[arg(long, requires = "record")]
    force: bool,
    /// Sign the records with the secret key in this file, which `croupier key new` writes
    #[arg(long, value_name = "FILE", requires = "record")]
    key: Option<PathBuf>,
    /// Write the table as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the table
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// How a player at an address is written to, as ADDRESS=DIALECT: gdl1, gdl2 (what is usual), gdl2-2011 or sees; may be
    /// repeated
    #[arg(long = "dialect", value_name = "ADDRESS=DIALECT")]
    dialects: Vec<String>,
    #[command(flatten)]
    house_rules: HouseRules,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    format!(
        "\
{}
SIGINT (control-C) and SIGTERM end the tournament: what was played is kept in --results and --record and summed up.

Exit status: 0; 1 if the rules failed in a match, a match was void, or more of a player's moves than --substituted-max had to be \
drawn for it; 2 for bad usage or input; 130 if it was interrupted.

Examples:
  croupier tournament kuhn --players belief,random,first-legal
  croupier tournament holdem --players belief,random --matches 2000 --duplicate --results t.jsonl
  croupier tournament leduc --players belief,belief:iterations=1000,particles=500 --svg table.svg --csv table.csv",
        entrants_help()
    )
}

/// A tournament as it is set up.
struct Tournament {
    schedule: Schedule,
    heading: Heading,
    /// For each group of entrants and rotation of its seats.
    series: Vec<Vec<Series>>,
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    let entrants = entrants(&arguments.players, &arguments.dialects)?;
    let known = arguments.results.as_deref().map(results::read).transpose()?.flatten();
    let tournament = Tournament::new(&source, &entrants, arguments, interrupt, known.as_ref())?;
    if let Some(known) = &known {
        tournament.demand_same(known, arguments)?;
    }
    let pool = arguments.threads.pool()?;
    let (results_path, record_path) = (arguments.results.as_deref(), arguments.record.as_deref());
    if let Some(path) = record_path.filter(|_| known.is_none() && !arguments.force) {
        refuse_to_replace(path, "--force replaces it")?;
    }
    let mut files = Files::open(results_path, record_path, &tournament.heading, known.as_ref())?;

    let mut results = known.map_or_else(Vec::new, |known| known.results);
    let bar = progress(tournament.schedule.len(), "matches");
    bar.set_position(results.len() as u64);
    bar.reset_eta();
    interrupt.hold();
    let played = tournament.play(&pool, &bar, &mut results, &mut files);
    bar.finish_and_clear();
    let ending = played?;

    let standings = Standings::new(&tournament.schedule, entrants.len(), &results);
    let report = Report {
        source: &source,
        heading: &tournament.heading,
        entrants: &entrants,
        schedule: &tournament.schedule,
        standings: &standings,
        matches: results.len() as u64,
        ending,
    };
    report.warn();
    if let Some(path) = &arguments.csv {
        report.write_csv(path)?;
    }
    if let Some(path) = &arguments.svg {
        plot::draw(path, &source.facts.title, &entrants, &standings)?;
    }
    if arguments.json {
        writeln!(out, "{}", report.as_json())?;
    } else {
        report.write(out)?;
    }
    if ending == Ending::Interrupted {
        return Ok(Answer::Interrupted);
    }
    let is_sound = ["game_error", "void"].iter().all(|status| !standings.unfinished.contains_key(*status))
        && standings.rows.iter().all(|row| arguments.house_rules.tolerates(&row.conduct));
    Ok(if is_sound { Answer::Yes } else { Answer::No })
}

impl Tournament {
    fn new(
        source: &Source,
        entrants: &[Entrant],
        arguments: &Arguments,
        interrupt: &Interrupt,
        known: Option<&Known>,
    ) -> Result<Self, Failure> {
        let written = arguments.seed.as_deref().or_else(|| known.map(|known| known.heading.seed.as_str()));
        let seed = entropy::seed(written)?;
        let game = source.compile(&Options::PLAY)?;
        let seats = game.roles().players().count();
        let schedule = Schedule::new(entrants.len(), seats, arguments.matches, arguments.duplicate)
            .ok_or_else(|| too_few_or_many(entrants.len(), seats, &arguments.players))?;
        let play_clock_ms = arguments.play_clock.map(|seconds| seconds * 1000);
        let settings = Settings {
            seed,
            total: schedule.len(),
            seal_key: arguments.key.as_deref().map(key_file::secret).transpose()?,
            clocks: Clocks { play_ms: play_clock_ms.unwrap_or(UNTIMED.play_ms), ..UNTIMED },
            timing: arguments.play_clock.map_or(Timing::Untimed, |s| Timing::Clock(Duration::from_secs(s))),
            people_read: || Box::new(std::io::sink()),
            dialect_of: DialectOf::Address,
            house_rules: arguments.house_rules.clone(),
            addresses: Addresses::default(),
            interrupt: interrupt.clone(),
        };
        let revealed = settings.seed.reveal();
        let roles: Vec<RoleId> = game.roles().players().collect();
        let sitters = |seats: &[usize]| {
            ByPlayer::from_fn(game.roles(), |role| {
                let seat = roles.iter().position(|known| *known == role).expect("the role is a player's");
                entrants[seats[seat]].sitter.clone()
            })
        };
        let first = schedule.seatings().next().expect("a schedule has a group");
        let base = Series::new(source, game.clone(), sitters(&first[0]), settings)?;
        let rotations = |seatings: Vec<Vec<usize>>| -> Result<Vec<Series>, Failure> {
            seatings.iter().map(|seats| base.with_sitters(sitters(seats))).collect()
        };
        let series = schedule.seatings().map(rotations).collect::<Result<_, _>>()?;
        let heading = Heading {
            tournament: FORMAT,
            game: source.name.clone(),
            rules: base.header.game_digest().to_string(),
            players: entrants.iter().map(|entrant| entrant.sitter.to_string()).collect(),
            duplicate: arguments.duplicate,
            seed: revealed,
            play_clock_ms,
        };
        Ok(Self { schedule, heading, series })
    }

    /// Refuses results of another tournament.
    fn demand_same(&self, known: &Known, arguments: &Arguments) -> Result<(), Failure> {
        let path = arguments.results.as_deref().unwrap_or(Path::new("")).display().to_string();
        let refuse = |message: String| {
            Err(Failure::refuse("other-tournament", message)
                .at(&path)
                .help("name another file for this one, or call it as it was called before"))
        };
        let (ours, theirs) = (&self.heading, &known.heading);
        let differs = [
            ("game", ours.game != theirs.game || ours.rules != theirs.rules),
            ("players", ours.players != theirs.players),
            ("--duplicate", ours.duplicate != theirs.duplicate),
            ("seed", ours.seed != theirs.seed),
            ("play clock", ours.play_clock_ms != theirs.play_clock_ms),
        ];
        if let Some((what, _)) = differs.iter().find(|(_, differs)| *differs) {
            return refuse(format!("the file has results of a tournament with another {what}"));
        }
        let is_ours = |(place, result): (usize, &MatchResult)| {
            let index = place as u64;
            let seats = self.schedule.fixture(index).seats;
            let goals = result.goals.as_ref().map_or(seats.len(), Vec::len);
            result.index == index
                && result.seats == seats
                && goals == seats.len()
                && result.no_moves.len() == goals
                && result.reasons.as_ref().is_none_or(|reasons| reasons.len() == goals)
        };
        if !known.results.iter().enumerate().all(is_ours) {
            return refuse("its results are not those of this schedule, in order".to_owned());
        }
        if known.results.len() as u64 > self.schedule.len() {
            let (has, asked) = (known.results.len(), self.schedule.len());
            return refuse(format!(
                "it has {has} matches already, more than the {asked} that were asked for"
            ));
        }
        Ok(())
    }

    /// Plays what is not there yet, and writes it in order. A match that was interrupted is none: it is played the next
    /// time.
    fn play(
        &self,
        pool: &ThreadPool,
        bar: &ProgressBar,
        results: &mut Vec<MatchResult>,
        files: &mut Files,
    ) -> Result<Ending, Failure> {
        // Whoever is reached over HTTP takes its time, and may stay away: that is known match by match.
        let is_timed = self.series.iter().flatten().any(Series::has_remote_players);
        let at_once = pool.current_num_threads() as u64 * if is_timed { 1 } else { MATCHES_AT_ONCE };
        while (results.len() as u64) < self.schedule.len() {
            let first = results.len() as u64;
            let block: Vec<u64> = (first..self.schedule.len().min(first + at_once)).collect();
            let one = |index: u64| {
                let played = self.play_match(&self.schedule.fixture(index), bar);
                bar.inc(1);
                played
            };
            let block: Vec<Option<(MatchResult, Vec<u8>)>> =
                pool.install(|| block.into_par_iter().with_max_len(1).map(one).collect::<Result<_, _>>())?;
            for played in block {
                // Results stand in the order of the schedule, without a gap.
                let Some((mut result, record)) = played else { return Ok(Ending::Interrupted) };
                files.write(&mut result, &record)?;
                results.push(result);
            }
            let last = results.iter().rev().take(VOID_IN_A_ROW_MAX);
            if last.filter(|result| result.status == VOID).count() == VOID_IN_A_ROW_MAX {
                return Ok(Ending::Absent);
            }
        }
        Ok(Ending::Played)
    }

    /// Plays one match; `None` if it was interrupted.
    fn play_match(
        &self,
        fixture: &Fixture,
        bar: &ProgressBar,
    ) -> Result<Option<(MatchResult, Vec<u8>)>, Failure> {
        let series = &self.series[fixture.pairing][fixture.rotation];
        let played = series.play_match(fixture.seed, fixture.index + 1, bar)?;
        let is_whole = |ended: &Ended| !matches!(ended.outcome, Outcome::Aborted { .. });
        let Some(ended) = played.filter(is_whole) else { return Ok(None) };
        let Ended { match_id, record, outcome, conducts, .. } = ended;
        let result = MatchResult {
            index: fixture.index,
            match_id,
            seats: fixture.seats.clone(),
            status: outcome.status().to_owned(),
            turns: u64::from(outcome.turns()),
            goals: outcome.goals().map(|goals| goals.iter().map(|(_, goal)| goal.value()).collect()),
            no_moves: conducts.iter().map(|(_, conduct)| conduct.substituted()).collect(),
            reasons: Some(conducts.iter().map(|(_, conduct)| reasons(conduct)).collect()),
            record_end: None,
        };
        Ok(Some((result, record)))
    }
}

fn too_few_or_many(entrants: usize, seats: usize, list: &str) -> Failure {
    let failure = if entrants < 2 {
        Failure::refuse("bad-players", format!("one player cannot meet others in a game with {seats} seats"))
            .help("for example --players belief,random")
    } else {
        Failure::refuse(
            "bad-players",
            format!("{entrants} players make more than {PAIRINGS_MAX} groups of {seats}"),
        )
        .help("name fewer players")
    };
    failure.at_argument("--players", list)
}
