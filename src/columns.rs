//! Tables for people: rows in columns, and numbers that are short to read.

use std::{io, io::Write};

/// Rows in columns, each as wide as its widest cell; the first row is the head.
pub(crate) fn write_rows(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    write_columns(out, rows, |cell, width| format!("{cell:width$}"))
}

/// Rows of numbers in columns that end where the widest of them does; the first row is the head.
pub(crate) fn write_numbers(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    write_columns(out, rows, |cell, width| format!("{cell:>width$}"))
}

fn write_columns(
    out: &mut dyn Write,
    rows: &[Vec<String>],
    padded: fn(&str, usize) -> String,
) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| padded(cell, width)).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
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
