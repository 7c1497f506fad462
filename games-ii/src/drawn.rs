//! What is on a table, for people: boards, players, and the rest in words.

use unicode_width::UnicodeWidthStr;

use crate::columns::in_columns;

/// What is on a table, drawn and in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Boards, each of several lines.
    pub boards: Vec<String>,
    /// The table of players: a row of titles, then one for each player; empty if the game has none.
    pub players: Vec<Vec<String>>,
    /// What else there is to say.
    pub lines: Vec<String>,
}

impl Drawn {
    /// Whether there is more than words: boards, or players in columns.
    #[must_use]
    pub fn has_picture(&self) -> bool {
        !self.boards.is_empty() || !self.players.is_empty()
    }

    /// All of it: boards, one line with what else there is to say, and the players, in columns if these are no wider than `width`
    /// columns of a terminal.
    #[must_use]
    pub fn text(&self, width: usize) -> String {
        let boards = self.boards.iter().flat_map(|board| board.lines()).map(str::to_owned);
        let others = (!self.lines.is_empty()).then(|| self.lines.join("; "));
        boards.chain(others).chain(self.player_lines(width)).collect::<Vec<_>>().join("\n")
    }

    /// The players in columns, or each in words where the columns are wider than `width` columns of a terminal.
    #[must_use]
    pub fn player_lines(&self, width: usize) -> Vec<String> {
        let Some((titles, players)) = self.players.split_first() else { return Vec::new() };
        let grid = grid(&self.players);
        if grid.iter().all(|line| line.width() <= width) {
            return grid;
        }
        let in_words = |row: &Vec<String>| {
            let cells = titles.iter().zip(row).skip(1).filter(|(_, cell)| !cell.is_empty());
            let cells = cells.map(|(title, cell)| format!("{title} {cell}").trim_start().to_owned());
            format!("{}: {}", row[0], cells.collect::<Vec<_>>().join("; "))
        };
        players.iter().map(in_words).collect()
    }
}

/// Rows in columns, numbers to the right; the row of titles is left out if no column has one.
fn grid(rows: &[Vec<String>]) -> Vec<String> {
    let is_number = |cell: &String| cell.is_empty() || cell.parse::<i64>().is_ok();
    let lines = in_columns(rows, |column| rows[1..].iter().all(|row| is_number(&row[column])));
    let has_titles = rows.first().is_some_and(|titles| titles.iter().any(|title| !title.is_empty()));
    lines.into_iter().skip(usize::from(!has_titles)).collect()
}

#[cfg(test)]
mod tests {
    use super::Drawn;

    fn table() -> Drawn {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let players = vec![
            row(["", "", "stack", "cards"]),
            row(["Alice", "button", "198", "A♠ K♠"]),
            row(["Bob", "", "8", "? ?"]),
        ];
        Drawn { players, ..Drawn::default() }
    }

    #[test]
    fn players_stand_in_columns_and_numbers_end_where_they_should() {
        let lines =
            ["               stack  cards", "Alice  button    198  A♠ K♠", "Bob                8  ? ?"];
        assert_eq!(table().player_lines(27), lines);
    }

    #[test]
    fn on_a_narrow_terminal_each_player_is_said_in_words() {
        let lines = ["Alice: button; stack 198; cards A♠ K♠", "Bob: stack 8; cards ? ?"];
        assert_eq!(table().player_lines(26), lines);
        assert_eq!(Drawn::default().player_lines(26), [""; 0]);
    }
}
