//! Tables for people: rows in columns, and numbers that are short to read.

use std::{io, io::Write};

use croupier_games::in_columns;

/// Rows in columns; the first row is the head.
pub(crate) fn write_rows(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    in_columns(rows, |_| false).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Rows of numbers in columns that end where the widest of them does; the first row is the head.
pub(crate) fn write_numbers(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    in_columns(rows, |_| true).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// A number with a thin unit a person can read: 1234567.8 is `1.23 M`.
pub(crate) fn readable(number: f64) -> String {
    match number {
        large if large >= 1e9 => format!("{:.2} G", large / 1e9),
        large if large >= 1e6 => format!("{:.2} M", large / 1e6),
        large if large >= 1e4 => format!("{:.1} k", large / 1e3),
        small => format!("{small:.0}"),
    }
}
