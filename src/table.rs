//! What is on the table, for people: boards, players, and the rest in words.

use std::sync::Arc;

use croupier_belief::Certainty;
use croupier_engine::{FluentId, Game, State};
use croupier_games::{Facts, GameFacts, Scene};
use croupier_referee::ReplayTurn;

/// The table of a game, as far as somebody knows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Table {
    /// Boards as they are drawn, each of several lines.
    pub(crate) boards: Vec<String>,
    /// A row of titles and one for each player, where the game has columns for them.
    players: Vec<Vec<String>>,
    /// What else is known, a line for each; everything that is known where the game does not say what is
    /// worth showing.
    pub(crate) lines: Vec<String>,
}

/// What somebody knows who knows the state.
pub(crate) fn scene_of_state(game: &Game, facts: &GameFacts, state: &State) -> Scene {
    let terms = game.state_terms(state);
    facts.scene(terms.iter().map(|term| &**term), [])
}

/// What somebody knows after a match so far who saw all of it: lists are in the order of appearance.
pub(crate) fn scene_of_turns(game: &Game, facts: &GameFacts, turns: &[ReplayTurn]) -> Scene {
    let turns = if facts.words.gather() { turns } else { &turns[turns.len().saturating_sub(1)..] };
    turns
        .iter()
        .fold(Scene::nothing(), |scene, turn| scene_of_state(game, facts, &turn.successor).after(&scene))
}

/// What somebody knows who is certain of this; `more` is known beside it.
pub(crate) fn scene_of_certainty(
    game: &Game,
    facts: &GameFacts,
    certainty: &Certainty,
    more: &[String],
) -> Scene {
    let texts = |fluents: &[FluentId]| -> Vec<Arc<str>> {
        fluents.iter().map(|&fluent| game.fluent_text(fluent)).collect()
    };
    let (certain, open) = (texts(&certainty.proved), texts(&certainty.open));
    let (alike, copies) = (texts(&certainty.alike), texts(&certainty.copies));
    facts.scene_of(&Facts {
        certain: certain.iter().map(|text| &**text).chain(more.iter().map(String::as_str)).collect(),
        open: open.iter().map(|text| &**text).collect(),
        alike: alike.iter().map(|text| &**text).collect(),
        copies: copies.iter().map(|text| &**text).collect(),
        is_vague: !certainty.is_closed,
    })
}

impl Table {
    /// The table as far as a scene has it.
    pub(crate) fn of_scene(game: &Game, facts: &GameFacts, scene: &Scene) -> Self {
        let roles = game.roles();
        let players: Vec<&str> = roles.players().map(|role| roles.name(role)).collect();
        let drawn = facts.draw(scene, &players);
        Self { boards: drawn.boards, players: drawn.players, lines: drawn.lines }
    }

    /// Whether there is more than words: boards, or players in columns.
    pub(crate) fn is_drawn(&self) -> bool {
        !self.boards.is_empty() || !self.players.is_empty()
    }

    /// The players in columns, or each in words where the columns are wider than `width` characters.
    pub(crate) fn player_lines(&self, width: usize) -> Vec<String> {
        let Some((titles, players)) = self.players.split_first() else { return Vec::new() };
        let grid = grid(&self.players);
        if grid.iter().all(|line| line.chars().count() <= width) {
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
    let columns = rows.first().map_or(0, Vec::len);
    let is_number = |cell: &String| cell.is_empty() || cell.parse::<i64>().is_ok();
    let shape = |column: usize| {
        let width = rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        (width, rows[1..].iter().all(|row| is_number(&row[column])))
    };
    let shapes: Vec<(usize, bool)> = (0..columns).map(shape).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&shapes).map(|(cell, &(width, is_numeric))| match is_numeric {
            true => format!("{cell:>width$}"),
            false => format!("{cell:width$}"),
        });
        cells.collect::<Vec<String>>().join("  ").trim_end().to_owned()
    };
    let has_titles = rows.first().is_some_and(|titles| titles.iter().any(|title| !title.is_empty()));
    rows.iter().skip(usize::from(!has_titles)).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::Table;

    fn table() -> Table {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let players = vec![
            row(["", "", "stack", "cards"]),
            row(["Alice", "button", "198", "A♠ K♠"]),
            row(["Bob", "", "8", "? ?"]),
        ];
        Table { players, ..Table::default() }
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
        assert_eq!(Table::default().player_lines(26), [""; 0]);
    }
}
