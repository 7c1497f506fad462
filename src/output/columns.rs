//! Tables for people: rows in columns.

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
