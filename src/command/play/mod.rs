//! `croupier play`: matches between agents and people, in this process.

mod real_time;
mod report;
mod session;
mod session_report;

use std::{io::Write, path::PathBuf, time::Duration};

use clap::Args;
use croupier_engine::{Options, game::Backend};
use croupier_referee::{
    Clocks, Seed,
    record::{Kind, Turns},
};
use indicatif::ProgressBar;

use self::report::SeriesTally;
use crate::{
    arguments::{
        count::{count, speed},
        entropy, key_file,
        record_file::{Existing, RecordFile},
        seating::{HUMAN, OTHERS, agents_line, seat_models, seating},
        source::Source,
        table::TableOptions,
        threads::{Threads, progress},
    },
    output::{answer::Answer, failure::Failure},
    sessions::{
        clock,
        interrupt::Interrupt,
        seat::Timing,
        series::{Addresses, DialectOf, Ended, HouseRules, Series, SeriesSettings, UNTIMED},
        terminal::{Stream, Wrapping},
    },
};

/// Longest clock that can be asked for: a week, in seconds.
const CLOCK_S_MAX: u64 = 7 * 24 * 60 * 60;

/// Play matches between agents and people
///
/// A role that no --seat names is played by `resolve`, or by `uct` if it has full sight; `random` in the rules is the dealer, whom nobody plays.
#[derive(Args)]
#[command(after_help = help(), mut_args = TableOptions::only_in_full_help)]
pub(crate) struct Arguments {
    /// A name from `croupier games`, or the path of a rule file
    game: String,
    /// Who plays a role: 1=human, bob=random; repeatable
    ///
    /// ROLE is a name, or a number: 1 for the first player. AGENT is what `croupier help agents` lists.
    #[arg(long = "seat", value_name = "ROLE=AGENT")]
    seats: Vec<String>,
    /// How players that search expect a role to choose
    ///
    /// MODEL is uniform, quantal or an agent; repeatable.
    #[arg(long = "model", value_name = "ROLE=MODEL")]
    models: Vec<String>,
    /// Let this role see every move, by one more rule
    ///
    /// The rule is in the record. Repeatable.
    #[arg(long = "full-sight", value_name = "ROLE")]
    full_sight: Vec<String>,
    /// How to write to a player at an address
    ///
    /// DIALECT is gdl1, gdl2 (the default), gdl2-2011 or sees, and after it +infix for rules and moves in infix, or
    /// +spec-2006 for messages exactly as the specification of 2006 shows them (gdl1 only); repeatable.
    #[arg(long = "dialect", value_name = "ROLE=DIALECT", hide_short_help = true)]
    dialects: Vec<String>,
    /// What chance and agents draw from [default: random]
    ///
    /// An integer or 64 hexadecimal digits. With a seed the same matches are played every time, on any number of threads. Match 1
    /// uses the seed itself, the others seeds that are derived from it; each record reveals its own.
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// How many matches [default: 1]
    ///
    /// Several matches with a person are a session, as with --session.
    #[arg(long = "matches", short = 'n', value_name = "N", value_parser = count::<u64>(1..=1_000_000_000))]
    asked: Option<u64>,
    /// Play matches one after another at one table, as [session] of the game.toml says: seats rotate, totals or stacks go on
    #[arg(long)]
    session: bool,
    #[command(flatten)]
    table: TableOptions,
    /// Write the record of every match to this file
    #[arg(long, short = 'o', value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace the file of records if it exists
    #[arg(long, requires = "record", conflicts_with = "append")]
    force: bool,
    /// Add to the records that are in the file
    #[arg(long, requires = "record")]
    append: bool,
    /// With --append: first remove a match at the end of the file that is cut off
    #[arg(long, requires = "append", hide_short_help = true)]
    cut_torn: bool,
    /// Sign the records with this key of `croupier key new`
    #[arg(long, value_name = "FILE", requires = "record")]
    key: Option<PathBuf>,
    /// Seconds before the first move, as players are told
    #[arg(long, value_name = "SECONDS", value_parser = count::<u64>(0..=CLOCK_S_MAX))]
    start_clock: Option<u64>,
    /// Seconds for a move [default: no limit]
    ///
    /// A legal move is drawn for whoever thinks longer. A reply counts until --grace seconds after it, 1 by default, for the way over
    /// the network.
    #[arg(long, value_name = "SECONDS", value_parser = count::<u64>(1..=CLOCK_S_MAX))]
    play_clock: Option<u64>,
    /// Real-time games: seconds of a tick
    ///
    /// The instants of moves are rounded up to whole ticks.
    #[arg(long, value_name = "SECONDS")]
    tick: Option<String>,
    /// Real-time games: seconds of game time after which a match is stopped without a result [default: 86400, a day]
    #[arg(long, value_name = "SECONDS")]
    time_max: Option<String>,
    /// Real-time games: how many times faster than the clock
    ///
    /// Without it, and without people, time is simulated.
    #[arg(long, value_name = "TIMES", value_parser = speed)]
    speed: Option<f64>,
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

`croupier help clocks` says who is timed and what becomes of late moves, `croupier help records` what is in a record, \
`croupier help real-time` how real-time games are played.

SIGINT (control-C), SIGTERM and SIGHUP (the terminal is closed) end the series: running matches are aborted, their players are told, and what was played is kept \
and summed up.

Exit status: 0; 1 if the rules failed in a match, a match was void, or more than --substituted-max percent of a player's moves were \
drawn for it; 2 for bad usage or input; 130 if it was interrupted.

Examples:
  croupier play kuhn --seat alice=human
  croupier play holdem --seat 1=belief --seat 2=random --seed 7 -n 20 -o m.jsonl
  croupier play leduc --seat bob=ismcts:iterations=5000 -n 100 --json
  croupier play chicken --seat white=human
  croupier play holdem --seat alice=belief --full-sight bob -n 20
  croupier play leduc --seat 1=ismcts --seat 2=raise --model 2=raise -n 100
  croupier play tic-tac-toe --seat x=http://127.0.0.1:9147 --dialect x=gdl1
  croupier key new -o my.key && croupier play kuhn -o m.jsonl --key my.key",
        agents_line(&OTHERS)
    )
}

impl Arguments {
    /// How many matches are asked for.
    fn matches(&self) -> u64 {
        self.asked.unwrap_or(1)
    }

    /// Whether matches follow from one another at one table.
    fn is_session(&self) -> bool {
        let has_person = || self.seats.iter().any(|seat| seat.ends_with(&format!("={HUMAN}")));
        self.session || self.table.given().is_some() || (self.matches() > 1 && has_person())
    }

    /// The file for the records, if one is wanted.
    fn record_file<K: Kind>(&self) -> Result<Option<RecordFile>, Failure> {
        let existing = match (self.force, self.append) {
            (true, _) => Existing::Replace,
            (_, true) if self.cut_torn => Existing::AppendWhole,
            (_, true) => Existing::Append,
            _ => Existing::Refuse,
        };
        self.record.as_ref().map(|path| RecordFile::open::<K>(path, existing)).transpose()
    }
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    if source.is_real_time() {
        return real_time::run(&source, arguments, interrupt, out);
    }
    refuse_real_time(arguments)?;
    let source = sighted(source, &arguments.full_sight)?;
    if arguments.is_session() {
        return session::run(&source, arguments, interrupt, out);
    }
    let series = prepare(&source, arguments, interrupt)?;
    let pool = arguments.threads.pool()?;
    let mut file = arguments.record_file::<Turns>()?;
    let is_read = series.has_people() && !arguments.json;
    let mut out = Wrapping::new(out, if is_read { Stream::Output } else { Stream::Nowhere });

    let bar = if series.has_people() || arguments.matches() == 1 {
        ProgressBar::hidden()
    } else {
        progress(arguments.matches(), "matches")
    };
    interrupt.hold();
    let begun = clock::now();
    let mut tally = SeriesTally::new(&source, &series, arguments);
    let result = series.play(arguments.matches(), &pool, &bar, |ended: Ended| {
        if let Some(file) = &mut file {
            file.write(&ended.record)?;
        }
        tally.take(ended, &mut out)
    });
    bar.finish_and_clear();
    tally.finish(result?, begun.elapsed(), &mut out)
}

/// Refuses options that only real-time matches have.
fn refuse_real_time(arguments: &Arguments) -> Result<(), Failure> {
    let refused = [
        ("--tick", arguments.tick.clone()),
        ("--time-max", arguments.time_max.clone()),
        ("--speed", arguments.speed.map(|speed| speed.to_string())),
    ];
    match refused.into_iter().find_map(|(option, value)| Some((option, value?))) {
        None => Ok(()),
        Some((option, value)) => Err(Failure::refuse("no-real-time", "this game is played in turns")
            .at_argument(option, &value)
            .help("leave the option out; `croupier convert GAME --to rtgdl` makes a real-time game of it")),
    }
}

/// The rules with full sight for these roles.
fn sighted(source: Source, roles: &[String]) -> Result<Source, Failure> {
    if roles.is_empty() {
        return Ok(source);
    }
    let game = source.compile(&Options { backend: Backend::Datalog, ..Options::PLAY })?;
    if game.has_full_sight() {
        return Err(Failure::refuse("bad-seat", "every role sees every move in this game")
            .at_argument("--full-sight", &roles[0])
            .help("leave the option out"));
    }
    roles.iter().try_fold(source, |source, role| source.with_role_sight(game.roles(), role))
}

/// Everything that the matches have in common.
fn prepare(source: &Source, arguments: &Arguments, interrupt: &Interrupt) -> Result<Series, Failure> {
    let seed = entropy::seed(arguments.seed.as_deref())?;
    let game = source.compile(&Options::PLAY)?;
    let mut specs = seating(game.roles(), &arguments.seats, &arguments.dialects, &arguments.full_sight)?;
    seat_models(game.roles(), &mut specs, &arguments.models)?;
    Series::new(source, game, specs, settings(arguments, seed, interrupt)?)
}

/// How the matches are played.
fn settings(arguments: &Arguments, seed: Seed, interrupt: &Interrupt) -> Result<SeriesSettings, Failure> {
    let milliseconds = |seconds: Option<u64>, standard| seconds.map_or(standard, |seconds| seconds * 1000);
    Ok(SeriesSettings {
        seed,
        total: arguments.matches(),
        seal_key: arguments.key.as_deref().map(key_file::secret).transpose()?,
        clocks: Clocks {
            start_ms: milliseconds(arguments.start_clock, UNTIMED.start_ms),
            play_ms: milliseconds(arguments.play_clock, UNTIMED.play_ms),
            grace_ms: arguments.house_rules.grace_ms(),
        },
        timing: arguments.play_clock.map_or(Timing::Untimed, |s| Timing::Clock(Duration::from_secs(s))),
        people_read: if arguments.json { Stream::Errors } else { Stream::Output },
        dialect_of: DialectOf::Role,
        house_rules: arguments.house_rules.clone(),
        addresses: Addresses::default(),
        interrupt: interrupt.clone(),
    })
}
