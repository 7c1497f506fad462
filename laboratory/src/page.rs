//! The page of the documentation that holds a run.

use std::{fs, path::Path, process::Command};

use crate::{Measured, Outcome, bench::Bench, peers::Comparisons, plot, sweep::Sweep, tapes::Tapes};

/// Measures everything, and writes `benchmarks.md` and its plots to a folder.
///
/// # Errors
/// If something cannot be measured or written.
pub(crate) fn write(folder: &Path, measured: &Measured) -> Outcome<()> {
    fs::create_dir_all(folder)?;
    let bench = Bench::run(measured)?;
    let tapes = Tapes::measure(measured)?;
    let comparisons = Comparisons::measure(&bench, measured.seconds)?;
    plot::draw(folder, &bench, &Sweep::measure(measured)?)?;
    let processor = &bench.machine.processor;
    let commit = commit().map_or_else(String::new, |commit| format!(", commit {commit}"));
    let (version, seconds) = (env!("CARGO_PKG_VERSION"), measured.seconds);
    let page = format!(
        "\
# Benchmarks

How fast games are played at random: {processor}, one thread, version {version}{commit}. This measures it anew, and writes the page:

<!-- not run: takes minutes; its rates are those of a machine and a day -->
```sh
laboratory/install                          # OpenSpiel and Pgx, half a gigabyte
cargo laboratory page --seconds {seconds}
```

Every rate is the best of several repetitions. `croupier help bench` says what the columns mean.
What was timed was checked as well: batches and the lifted reasoner agree on the mean goals.

{bench}
## The limit

What the processor can do at most: two planes are read, combined and written in the first-level cache, and nothing else is done.
Beside it the tapes of the games, without choosing moves.

{tapes}
## Beside others

Measured in the same run, on one thread each, unless it says *published*. OpenSpiel's random rollouts run in C++ and begin behind
the first deal. Chess is compared by turns, since its games end earlier where draws by repetition are known.

{comparisons}
## What it costs

A turn of one game, when more games are played at once:

![Nanoseconds for a turn against lanes](lanes.svg)

A turn of one game in playouts of 512 at once, when the game has more gates:

![Nanoseconds for a turn against operations](gates.svg)

Playouts on several threads:

![Playouts a second against threads](threads.svg)

## What guards it

Seconds differ from machine to machine and from day to day, counts of instructions hardly do. `.ci/instructions` counts
those of some kernels and compares them with the counts that lie beside it.
"
    );
    Ok(fs::write(folder.join("benchmarks.md"), page)?)
}

/// The commit of the folder that this runs in, and whether files differ from it.
fn commit() -> Option<String> {
    let git =
        Command::new("git").args(["describe", "--always", "--dirty", "--exclude", "*"]).output().ok()?;
    git.status.success().then(|| String::from_utf8_lossy(&git.stdout).trim().to_owned())
}
