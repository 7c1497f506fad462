//! `croupier evaluate`: how far a player is from an equilibrium, exactly.

mod exploiter;
mod local;
mod opponent;
mod walked;

use std::{io::Write, path::PathBuf, time::Duration};

use clap::{ArgGroup, Args};
use croupier_players::PlayerKind;

use crate::{
    arguments::{
        count::{count, minutes},
        entropy,
        existing::Force,
        seating::{SeatSpec, agents_line, spec},
        threads::Threads,
    },
    measurement::{Measurement, Thinking, unfolded::TreeArguments},
    output::{answer::Answer, failure::Failure},
    sessions::interrupt::Interrupt,
};

/// How many deals a local best response plays, unless something else is asked for.
const MATCHES_LOCAL: u32 = 1_000;

/// The same for an exploiter, which plays five hundred deals at once.
const MATCHES_EXPLOITER: u32 = 10_000;

/// What is only for players that are asked in every information set of a tree.
const OF_THE_TREE: [&str; 7] =
    ["seeds", "iterations", "move_time", "start_time", "against_equilibrium", "policy", "histories_max"];

/// Longest time for a move, in seconds.
const MOVE_TIME_MAX: f64 = 3_600.0;

/// Measure how exploitable a player is, exactly
///
/// The whole tree of the game is enumerated. The player is asked in every information set of every role, once where it
/// knows its mixed strategy, else once with each of --seeds seeds, and its choices are counted. A best response of each role to
/// that strategy is computed exactly: NashConv is the sum of what these gain, exploitability their mean, and zero only in
/// equilibrium.
///
/// A strategy counted over few seeds is worse than the player's own: the best response knows which choices the seeds
/// came to. So what is printed is an upper bound in expectation. The jackknife over groups of seeds estimates how much of it
/// remains with unlimited seeds, with a 95 % interval.
#[derive(Args)]
#[command(after_help = help(), group = ArgGroup::new("responder").args(["local_best_response", "exploiter"]))]
pub(crate) struct Arguments {
    /// A name from `croupier games`, or the path of a rule file
    game: String,
    /// Which agent is measured, in all roles
    #[arg(long, short, value_name = "AGENT")]
    player: String,
    /// How many seeds it is asked with where it does not know its strategy
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count::<u32>(1..=100_000))]
    seeds: u32,
    /// What the seeds are derived from: an integer or 64 hexadecimal digits; without it one from the operating system, which is shown
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// Iterations for each move, instead of the player's own number
    #[arg(
        long,
        short = 'n',
        value_name = "N",
        conflicts_with = "move_time",
        value_parser = count::<u32>(1..=1_000_000_000)
    )]
    iterations: Option<u32>,
    /// Seconds for each move, measured for real; the player's own number of iterations is the limit too, of descents of `resolve` 64 times as many
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    move_time: Option<Duration>,
    /// Seconds before the first move, as a start clock gives them: for what depends on the rules alone
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "move_time")]
    start_time: Option<Duration>,
    /// Solve the game by CFR+ too, and compute what the player gets in each seat against the equilibrium in the others
    #[arg(long)]
    against_equilibrium: bool,
    /// Measure a player with a strategy in a file by what a local best response wins from it, for games whose tree does not fit
    #[arg(
        long,
        conflicts_with_all = OF_THE_TREE
    )]
    local_best_response: bool,
    /// The same by what an exploiter wins from it: a best response learnt from sampled deals
    #[arg(
        long,
        conflicts_with_all = OF_THE_TREE,
        conflicts_with = "local_best_response"
    )]
    exploiter: bool,
    /// Compute best responses without keeping the tree, for games whose tree does not fit: for players that know their mixed strategy
    #[arg(
        long,
        conflicts_with_all = OF_THE_TREE,
        conflicts_with_all = ["local_best_response", "exploiter", "minutes", "exploiter_iterations", "buckets", "matches", "seed"]
    )]
    walk: bool,
    /// Minutes that an exploiter learns, evaluating hands included
    #[arg(long, value_name = "MINUTES", requires = "exploiter", conflicts_with = "exploiter_iterations", value_parser = minutes)]
    minutes: Option<Duration>,
    /// How many iterations an exploiter learns, of 1024 deals each  [default: 500]
    #[arg(
        long,
        value_name = "N",
        requires = "exploiter",
        hide_short_help = true,
        value_parser = count::<u64>(1..=1_000_000_000_000)
    )]
    exploiter_iterations: Option<u64>,
    /// How many buckets an exploiter has for each player and round  [default: four times as many as the strategy]
    #[arg(
        long,
        value_name = "N",
        requires = "exploiter",
        hide_short_help = true,
        value_parser = count::<u32>(1..=65_535)
    )]
    buckets: Option<u32>,
    /// How many deals a local best response or an exploiter plays, each in every seat  [default: 1000, or 10000 for an exploiter]
    #[arg(
        long,
        value_name = "N",
        requires = "responder",
        hide_short_help = true,
        value_parser = count::<u32>(1..=1_000_000_000)
    )]
    matches: Option<u32>,
    /// Write the strategy that was read off to this file, as `--seat ROLE=policy:FILE` reads it
    #[arg(long, short = 'o', value_name = "FILE")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    tree: TreeArguments,
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
Without --move-time the figures are the same for the same seed on any machine and number of threads. Each move is thought about \
on one thread. A game whose tree does not fit is refused. There --walk goes through all histories and keeps none: that is exact, \
takes as long as there are histories that differ in what can follow, and needs rules that become a network. --local-best-response \
bounds exploitability from below, for strategies that `croupier solve --abstract` made; --exploiter does so too, by a best response \
that it learns; and `croupier tournament` measures players on duplicate deals.

Examples:
  croupier evaluate kuhn --player random
  croupier evaluate leduc --player ismcts:iterations=500 --seeds 50 --seed 1 --against-equilibrium
  croupier evaluate leduc --player ismcts:iterations=1000000 --move-time 0.1 --json
  croupier evaluate tiny-bridge --player random --walk
  croupier evaluate holdem --player resolve --local-best-response --matches 2000
  croupier evaluate holdem --player resolve --exploiter --minutes 10
  croupier solve leduc --policy leduc.json && croupier evaluate leduc --player policy:leduc.json
  croupier evaluate leduc --player net:leduc.onnx --policy net-as-table.json",
        agents_line(&[])
    )
}

fn seconds(text: &str) -> Result<Duration, String> {
    let parsed = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds <= MOVE_TIME_MAX);
    parsed.map(Duration::from_secs_f64).ok_or_else(|| format!("a number of seconds up to {MOVE_TIME_MAX}"))
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let kind = kind(&arguments.player)?;
    if arguments.local_best_response {
        return local::run(arguments, kind, interrupt, out);
    }
    if arguments.exploiter {
        return exploiter::run(arguments, kind, interrupt, out);
    }
    if arguments.walk {
        return walked::run(arguments, &kind, interrupt, out);
    }
    let seed = entropy::seed(arguments.seed.as_deref())?;
    let measurement = Measurement {
        game: &arguments.game,
        kind: &kind,
        seed: &seed,
        seeds: arguments.seeds,
        thinking: match (arguments.iterations, arguments.move_time) {
            (Some(iterations), _) => Thinking::Iterations(iterations),
            (None, Some(time)) => Thinking::Time(time),
            (None, None) => Thinking::Own,
        },
        start_time: arguments.start_time,
        against_equilibrium: arguments.against_equilibrium,
        policy: arguments.policy.as_deref(),
        existing: arguments.force.existing(),
        tree: &arguments.tree,
        threads: &arguments.threads,
        as_json: arguments.json,
    };
    measurement.print(interrupt, out)?;
    Ok(Answer::Yes)
}

/// The program of this machine that is measured.
fn kind(text: &str) -> Result<PlayerKind, Failure> {
    let at = |failure: Failure| failure.at_argument("--player", text);
    match spec(text).map_err(at)? {
        SeatSpec::Player(kind) => Ok(kind),
        SeatSpec::Human | SeatSpec::Remote(..) => {
            Err(at(Failure::refuse("bad-agent", "only a program of this machine can be asked everywhere")))
        }
    }
}
