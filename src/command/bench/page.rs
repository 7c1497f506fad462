//! The page of the documentation that holds a run.

use std::io::Write;

use super::{
    published::SOURCES,
    report::{Report, comparison_rows, remarks},
};
use crate::failure::Failure;

/// Prints a page of Markdown, with the plots beside it if there are any.
pub(super) fn write(out: &mut dyn Write, report: &Report, has_plots: bool) -> Result<(), Failure> {
    writeln!(
        out,
        "\
# Benchmarks

How fast games are played at random. Version {} made this page by

<!-- not run: takes minutes and downloads other programs; its rates are those of a machine and a day -->
```sh
croupier bench --peers --seconds {} --markdown --svg docs > docs/benchmarks.md
```

on one thread; it shows the best of several repetitions. `croupier help bench` says what the columns mean.
What was timed was checked as well: batches and the lifted reasoner agree on the mean goals.

{}.
",
        env!("CARGO_PKG_VERSION"),
        report.seconds,
        report.headline()
    )?;
    write_table(out, &report.game_rows())?;
    writeln!(out)?;
    for (game, reason) in report.not_grounded() {
        writeln!(out, "{game} has no network: {reason}.\n")?;
    }
    write_comparisons(out, report)?;
    if has_plots {
        writeln!(
            out,
            "\
## What it costs

A turn of one game, when more games are played at once:

![Nanoseconds for a turn against lanes](lanes.svg)

A turn of one game in playouts of 512 at once, when the game has more gates:

![Nanoseconds for a turn against operations](gates.svg)

Playouts on several threads:

![Playouts a second against threads](threads.svg)
"
        )?;
    }
    writeln!(
        out,
        "\
## What guards it

Seconds differ from machine to machine and from day to day, counts of instructions hardly do. `.ci/instructions` counts
those of some kernels and compares them with the counts that lie beside it."
    )?;
    Ok(())
}

fn write_comparisons(out: &mut dyn Write, report: &Report) -> Result<(), Failure> {
    let Some(comparisons) = &report.comparisons else { return Ok(()) };
    writeln!(
        out,
        "\
## Beside others

Measured in the same run, on one thread each, unless it says *published*. OpenSpiel's random rollouts run in C++ and begin behind
the first deal. Chess is compared by turns, since its games end earlier where draws by repetition are known.
"
    )?;
    write_table(out, &comparison_rows(comparisons))?;
    writeln!(out)?;
    for line in remarks(comparisons) {
        writeln!(out, "- {line}")?;
    }
    for (peer, source) in SOURCES {
        writeln!(out, "- {peer}: {source}")?;
    }
    writeln!(out)?;
    Ok(())
}

/// A table whose first column is text and whose others are figures.
fn write_table(out: &mut dyn Write, rows: &[Vec<String>]) -> Result<(), Failure> {
    for (number, row) in rows.iter().enumerate() {
        writeln!(out, "| {} |", row.join(" | "))?;
        if number == 0 {
            let rule: Vec<&str> =
                (0..row.len()).map(|column| if column == 0 { "---" } else { "---:" }).collect();
            writeln!(out, "| {} |", rule.join(" | "))?;
        }
    }
    Ok(())
}
