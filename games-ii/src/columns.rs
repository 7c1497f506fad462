//! Rows of text in columns.

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
