//! Rows of text in columns, and numbers that are short to read.

use unicode_width::UnicodeWidthStr;

/// Rows in columns, each as wide on a terminal as its widest cell, with two blanks between columns and none at the ends of lines.
/// `is_right` says which columns have their blanks before the text, as numbers do.
#[must_use]
pub fn in_columns(rows: &[Vec<String>], is_right: impl Fn(usize) -> bool) -> Vec<String> {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    let widths: Vec<usize> = (0..).map_while(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let blanks = " ".repeat(widths[column] - cell.width());
            if is_right(column) { blanks + cell } else { cell.clone() + &blanks }
        });
        cells.collect::<Vec<String>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A number that a person reads at a glance, with the unit of its thousands: 1234567.8 is `1.23 M`.
#[must_use]
pub fn readable(number: f64) -> String {
    match number {
        large if large >= 1e9 => format!("{:.2} G", large / 1e9),
        large if large >= 1e6 => format!("{:.2} M", large / 1e6),
        large if large >= 1e4 => format!("{:.1} k", large / 1e3),
        small => format!("{small:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::in_columns;

    #[test]
    fn columns_are_as_wide_as_a_terminal_shows_their_text() {
        let rows = [vec!["王将", "10"], vec!["king", "9", "check"], vec!["", ""]];
        let rows = rows.map(|row| row.into_iter().map(str::to_owned).collect());
        assert_eq!(in_columns(&rows, |column| column == 1), ["王将  10", "king   9  check", ""]);
        assert_eq!(in_columns(&rows, |_| false), ["王将  10", "king  9   check", ""]);
        assert_eq!(in_columns(&[], |_| true), [""; 0]);
    }
}
