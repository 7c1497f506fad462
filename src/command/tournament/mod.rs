//! `croupier tournament`: everybody against everybody.

mod contest;
mod entrants;
mod files;
mod format;
mod json;
mod plot;
mod report;

use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use croupier_engine::{Options, Roles};
use croupier_referee::{Clocks, SealKey, Seed};
use croupier_results::{FORMAT, Fixture, Heading, MatchResult, ResultsFile, Schedule, Standings};
use indicatif::ProgressBar;
use rayon::{ThreadPool, prelude::*};

use self::{
    contest::{Contest, SeatedSeries, seated},
    entrants::{Entrant, Participants, entrants, participants},
    files::Files,
    format::FormatArguments,
    json::TournamentReport,
    report::TournamentSummary,
};
use crate::{
    arguments::{
        count::count,
        entropy,
        existing::{Existing, Force},
        key_file,
        seating::{ADDRESS, agents_line},
        source::Source,
        threads::{Threads, progress},
    },
    output::{answer::Answer, failure::Failure, schema::Output, summary::GoalBounds},
    sessions::{
        conduct::SeatConduct,
        interrupt::Interrupt,
        realtime::{RealTimeSeries, RealTimeSettings, refuse_turns},
        seat::Timing,
        series::{
            Addresses, DialectOf, Ending, HouseRules, Series, SeriesSettings, UNTIMED, VOID_IN_A_ROW_MAX,
        },
        terminal::Stream,
    },
};

/// Longest play clock that can be asked for, in seconds.
const CLOCK_S_MAX: u64 = 24 * 60 * 60;

/// How a match ended that never began, in results.
const VOID: &str = "void";

/// Matches that each thread plays between two writes of results.
const MATCHES_AT_ONCE: u64 = 4;

/// Run a seat-rotated tournament and rank the players
///
/// In a round robin every group of players that fills the seats plays in every rotation of the seats. In a Swiss tournament
/// players with equal points play each other, round by round, and seats are shared out evenly. With --duplicate all rotations, and
/// all groups, play the same deals, so that luck cancels: each deal is then one observation. A tournament with --results resumes
/// where it was interrupted, and can be made longer.
#[derive(Args)]
#[command(after_help = help())]
pub(crate) struct Arguments {
    /// A name from `croupier games`, or the path of a rule file
    game: String,
    /// Who takes part, separated by commas
    #[arg(long, value_name = "AGENTS")]
    players: String,
    #[command(flatten)]
    format: FormatArguments,
    /// What chance and agents draw from [default: random]
    ///
    /// An integer or 64 hexadecimal digits.
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// Seconds for a move [default: no limit]
    ///
    /// Without it players make all their iterations.
    #[arg(long, value_name = "SECONDS", value_parser = count::<u64>(1..=CLOCK_S_MAX))]
    play_clock: Option<u64>,
    /// Keep the result of every match in this file, and resume from it
    #[arg(long, short = 'o', value_name = "FILE")]
    results: Option<PathBuf>,
    /// Write the record of every match to this file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Sign the records with this key of `croupier key new`
    #[arg(long, value_name = "FILE", requires = "record")]
    key: Option<PathBuf>,
    /// Write the table as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the table
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// How players that search expect a role to choose, whoever sits there
    ///
    /// MODEL is uniform, quantal or an agent; ROLE is a name or a number; repeatable.
    #[arg(long = "model", value_name = "ROLE=MODEL")]
    models: Vec<String>,
    /// How to write to a player at an address
    ///
    /// DIALECT is gdl1, gdl2 (the default), gdl2-2011 or sees, with +infix or +spec-2006 behind it as in `croupier play`; repeatable.
    #[arg(long = "dialect", value_name = "ADDRESS=DIALECT", hide_short_help = true)]
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
A round of --format swiss: of all ways to pair everybody that give nobody a second bye before everybody had one, one with the \
fewest repeated meetings; of those the one that brings together players with the closest points. With two seats the best is \
found, with more a good one. Each group plays --matches matches in the round. Whoever got more in them than another gets a \
point for that, for equal goals half a point; a bye scores the maximum. Equal points are ordered by Buchholz's \
number, the sum of the points of all opponents. More --rounds can be played later on the same --results.

A real-time game is played in simulated time, between agents of its own: `croupier help agents` lists them.

SIGINT (control-C), SIGTERM and SIGHUP end the tournament: what was played is kept in --results and --record and summed up.

Exit status: 0; 1 if the rules failed in a match, a match was void, or more of a player's moves than --substituted-max had to be \
drawn for it; 2 for bad usage or input; 130 if it was interrupted.

Examples:
  croupier tournament kuhn --players belief,random,first-legal
  croupier tournament holdem --players belief,random --matches 2000 --duplicate --results t.jsonl
  croupier tournament leduc --players belief,random,first-legal,ismcts --format swiss --rounds 3 --duplicate --rating glicko2
  croupier tournament chicken --players mc,random,wait
  croupier tournament leduc --players belief,belief:iterations=1000,particles=500 --svg table.svg --csv table.csv",
        agents_line(&[ADDRESS])
    )
}

impl Arguments {
    /// Who takes part in a tournament of a game.
    fn entrants(&self, source: &Source) -> Result<Vec<Entrant>, Failure> {
        let is_real_time = source.is_real_time();
        if is_real_time {
            self.refuse_turns()?;
        }
        let mut entrants = entrants(&self.players, &self.dialects, is_real_time)?;
        if !self.models.is_empty() {
            entrants::model(&mut entrants, source.compile(&Options::PLAY)?.roles(), &self.models)?;
        }
        Ok(entrants)
    }

    /// How matches in turns are played.
    fn settings(
        &self,
        seed: Seed,
        total: u64,
        seal_key: Option<SealKey>,
        interrupt: &Interrupt,
    ) -> SeriesSettings {
        SeriesSettings {
            seed,
            total,
            seal_key,
            clocks: Clocks {
                play_ms: self.play_clock.map_or(UNTIMED.play_ms, |seconds| seconds * 1000),
                grace_ms: self.house_rules.grace_ms(),
                ..UNTIMED
            },
            timing: self.play_clock.map_or(Timing::Untimed, |s| Timing::Clock(Duration::from_secs(s))),
            people_read: Stream::Nowhere,
            dialect_of: DialectOf::Address,
            house_rules: self.house_rules.clone(),
            addresses: Addresses::default(),
            interrupt: interrupt.clone(),
        }
    }

    /// Refuses options that only matches with turns have.
    fn refuse_turns(&self) -> Result<(), Failure> {
        refuse_turns([
            ("--model", self.models.first().cloned()),
            ("--dialect", self.dialects.first().cloned()),
            ("--play-clock", self.play_clock.map(|seconds| seconds.to_string())),
        ])
    }
}

/// A tournament as it is set up.
struct Tournament {
    schedule: Schedule,
    heading: Heading,
    contest: Box<dyn Contest>,
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    let entrants = arguments.entrants(&source)?;
    let known = arguments.results.as_deref().map(files::known).transpose()?.flatten();
    let mut tournament = Tournament::new(&source, &entrants, arguments, interrupt, known.as_ref())?;
    if let Some(known) = &known {
        tournament.take_known(known, arguments)?;
    }
    tournament.contest.seat(tournament.schedule.seatings())?;
    let pool = arguments.threads.pool()?;
    let (results_path, record_path) = (arguments.results.as_deref(), arguments.record.as_deref());
    // What belongs to results that are gone on from is written anew.
    let existing = if known.is_some() { Existing::Replace } else { arguments.force.existing() };
    for path in [record_path, arguments.csv.as_deref(), arguments.svg.as_deref()].into_iter().flatten() {
        existing.check(path)?;
    }
    let mut files = Files::open(results_path, record_path, &tournament.heading, known.as_ref())?;

    let mut results = known.map_or_else(Vec::new, |known| known.results);
    let bar = progress(tournament.schedule.matches_count(), "matches");
    bar.set_position(results.len() as u64);
    bar.reset_eta();
    interrupt.hold();
    let played = tournament.play(&pool, &bar, &mut results, &mut files);
    bar.finish_and_clear();
    let ending = played?;

    let standings = Standings::new(&tournament.schedule, entrants.len(), &results, arguments.format.rating());
    let goals = results.iter().filter_map(|result| result.goals.as_ref()).flatten();
    let bounds = GoalBounds::of(goals.copied());
    let summary = TournamentSummary {
        source: &source,
        heading: &tournament.heading,
        entrants: &entrants,
        schedule: &tournament.schedule,
        standings: &standings,
        bounds,
        matches: results.len() as u64,
        ending,
    };
    summary.warn();
    if let Some(path) = &arguments.csv {
        summary.write_csv(path)?;
    }
    if let Some(path) = &arguments.svg {
        plot::draw(path, &source.facts.title, &entrants, &standings, bounds)?;
    }
    if arguments.json {
        TournamentReport::of(&summary).write_json(out)?;
    } else {
        summary.write(out)?;
    }
    summary.check_coverage()?;
    if ending == Ending::Interrupted {
        return Ok(Answer::Interrupted);
    }
    let is_sound = ["game_error", "void"].iter().all(|status| !standings.unfinished.contains_key(*status))
        && standings.rows.iter().all(|row| arguments.house_rules.tolerates(&SeatConduct::from(&row.drawn)));
    Ok(if is_sound { Answer::Yes } else { Answer::No })
}

impl Tournament {
    fn new(
        source: &Source,
        entrants: &[Entrant],
        arguments: &Arguments,
        interrupt: &Interrupt,
        known: Option<&ResultsFile>,
    ) -> Result<Self, Failure> {
        let written = arguments.seed.as_deref().or_else(|| known.map(|known| known.heading.seed.as_str()));
        let seed = entropy::seed(written)?;
        let seal_key = arguments.key.as_deref().map(key_file::secret).transpose()?;
        let revealed = seed.reveal();
        let scheduled = |roles: &Roles| {
            let seats = roles.players().count();
            arguments.format.schedule(entrants.len(), seats, &arguments.players)
        };
        let first = |schedule: &Schedule| schedule.fixture(0).expect("a schedule has a match").seats;
        let (contest, schedule, swiss): (Box<dyn Contest>, _, _) = match participants(entrants) {
            Participants::InTurns(specs) => {
                let game = source.compile(&Options::PLAY)?;
                let (schedule, swiss) = scheduled(game.roles())?;
                let settings = arguments.settings(seed, schedule.matches_count(), seal_key, interrupt);
                let seats = seated(game.roles(), &first(&schedule), &specs);
                let base = Series::new(source, game, seats, settings)?;
                (Box::new(SeatedSeries::new(specs, base)), schedule, swiss)
            }
            Participants::InRealTime(specs) => {
                let game = source.compile_real_time(&Options::PLAY)?;
                let (schedule, swiss) = scheduled(game.roles())?;
                let (total, interrupt) = (schedule.matches_count(), interrupt.clone());
                let settings = RealTimeSettings::in_simulated_time(seed, total, seal_key, interrupt);
                let seats = seated(game.roles(), &first(&schedule), &specs);
                let base = RealTimeSeries::new(source, game, seats, settings)?;
                (Box::new(SeatedSeries::new(specs, base)), schedule, swiss)
            }
        };
        let heading = Heading {
            tournament: FORMAT,
            game: source.name.clone(),
            rules: contest.rules().to_string(),
            players: entrants.iter().map(|entrant| entrant.spec.to_string()).collect(),
            duplicate: arguments.format.is_duplicate(),
            swiss,
            seed: revealed,
            play_clock_ms: arguments.play_clock.map(|seconds| seconds * 1000),
        };
        Ok(Self { schedule, heading, contest })
    }

    /// Takes in the results of an earlier call, and refuses those of another tournament.
    fn take_known(&mut self, known: &ResultsFile, arguments: &Arguments) -> Result<(), Failure> {
        let path = arguments.results.as_deref().unwrap_or(Path::new("")).display().to_string();
        let refuse = |message: String| {
            Err(Failure::refuse("other-tournament", message)
                .at(&path)
                .help("name another file for this one, or call it as it was called before"))
        };
        if let Some(what) = self.heading.difference(&known.heading) {
            return refuse(format!("the file has results of a tournament with another {what}"));
        }
        let (has, asked) = (known.results.len() as u64, self.schedule.matches_count());
        if has > asked {
            return refuse(format!(
                "it has {has} matches already, more than the {asked} that were asked for"
            ));
        }
        for (result, index) in known.results.iter().zip(0..) {
            let fixture = self.schedule.fixture(index);
            if !fixture.is_some_and(|fixture| result.is_of(index, &fixture.seats)) {
                return refuse("its results are not those of this schedule, in order".to_owned());
            }
            self.schedule.take(result);
        }
        Ok(())
    }

    /// Plays what is not there yet, and writes it in order. A match that was interrupted is none: it is played the next
    /// time.
    fn play(
        &mut self,
        pool: &ThreadPool,
        bar: &ProgressBar,
        results: &mut Vec<MatchResult>,
        files: &mut Files,
    ) -> Result<Ending, Failure> {
        // Whoever is reached over HTTP takes its time, and may stay away: that is known match by match.
        let is_timed = self.contest.has_remote_players();
        let at_once = pool.current_num_threads() as u64 * if is_timed { 1 } else { MATCHES_AT_ONCE };
        while (results.len() as u64) < self.schedule.matches_count() {
            let first = results.len() as u64;
            let fixtures: Vec<Fixture> = (first..self.schedule.paired_count().min(first + at_once))
                .map_while(|index| self.schedule.fixture(index))
                .collect();
            let one = |fixture: &Fixture| {
                let played = self.contest.play(fixture, bar);
                bar.inc(1);
                played
            };
            let block: Vec<Option<(MatchResult, Vec<u8>)>> =
                pool.install(|| fixtures.par_iter().with_max_len(1).map(one).collect::<Result<_, _>>())?;
            let paired = self.schedule.paired_count();
            for played in block {
                // Results stand in the order of the schedule, without a gap.
                let Some((mut result, record)) = played else { return Ok(Ending::Interrupted) };
                files.write(&mut result, &record)?;
                self.schedule.take(&result);
                results.push(result);
            }
            if self.schedule.paired_count() > paired {
                self.contest.seat(self.schedule.seatings())?;
            }
            let last = results.iter().rev().take(VOID_IN_A_ROW_MAX);
            if last.filter(|result| result.status == VOID).count() == VOID_IN_A_ROW_MAX {
                return Ok(Ending::Absent);
            }
        }
        Ok(Ending::Played)
    }
}
