//! Games without words: fluents by predicate, numbers as counters, and grids that are recognised.

use std::collections::{BTreeMap, BTreeSet};

use croupier_games::{TableLayout, parts_of_term};

use crate::{
    boards::square_label,
    cards,
    draft::Draft,
    element::{BoardElement, BoardPiece, BoardShape, BoardSquare, ElementKind},
};

/// Larger grids are not drawn.
const GRID_SIDE_MAX: usize = 40;

/// Fluents of one predicate that are listed.
const LISTED_MAX: usize = 24;

/// What stands in a square of which a game says that it is empty.
const EMPTY: [&str; 4] = ["blank", "empty", "none", "b"];

/// Fluents of one predicate, each as its arguments.
#[derive(Default)]
struct Predicate {
    known: Vec<Vec<String>>,
    open: Vec<Vec<String>>,
}

impl Draft {
    /// What is known of a game that has no words for it.
    pub(crate) fn put_plain(&mut self, layout: &TableLayout) -> Vec<BoardElement> {
        let mut predicates: BTreeMap<String, Predicate> = BTreeMap::new();
        let lists = [(&layout.plain, true), (&layout.plain_open, false)];
        for (facts, is_known) in lists {
            for fact in facts {
                let mut parts = parts_of_term(fact).into_iter();
                let Some(name) = parts.next() else { continue };
                let predicate = predicates.entry(name).or_default();
                let list = if is_known { &mut predicate.known } else { &mut predicate.open };
                list.push(parts.collect());
            }
        }
        let mut boards = Vec::new();
        for (name, predicate) in &predicates {
            match grid(predicate) {
                Some((columns, rows)) => boards.push(self.grid(name, predicate, &columns, &rows)),
                None => self.put_predicate(name, predicate),
            }
        }
        boards
    }

    fn put_predicate(&mut self, name: &str, predicate: &Predicate) {
        let title = name.replace('_', " ");
        // By player whom the fluents name, what else they say.
        let mut said: BTreeMap<Option<usize>, Vec<String>> = BTreeMap::new();
        for (arguments, is_known) in predicate
            .known
            .iter()
            .map(|known| (known, true))
            .chain(predicate.open.iter().map(|open| (open, false)))
        {
            let players: Vec<usize> = arguments.iter().filter_map(|argument| self.player(argument)).collect();
            let owner = players.first().copied().filter(|_| players.len() == 1);
            let others =
                arguments.iter().filter(|argument| owner.is_none() || self.player(argument).is_none());
            let text = others.map(String::as_str).collect::<Vec<_>>().join(" ");
            let texts = said.entry(owner).or_default();
            match is_known {
                true => texts.push(text),
                false if texts.last().is_some_and(|last| last == "?") => {}
                false => texts.push("?".to_owned()),
            }
        }
        for (owner, texts) in said {
            if name == "control"
                && texts == [""]
                && let Some(player) = owner
            {
                self.players[player].is_to_act = true;
                continue;
            }
            let kind = match texts.as_slice() {
                [text] if text.parse::<i64>().is_ok() => {
                    ElementKind::Counter { title: title.clone(), value: text.parse().unwrap_or_default() }
                }
                _ => ElementKind::Text(list(&title, &texts)),
            };
            match owner {
                Some(player) => self.note(player, name, kind),
                None => self.line(name, kind),
            }
        }
    }

    fn grid(
        &mut self,
        name: &str,
        predicate: &Predicate,
        columns: &[String],
        rows: &[String],
    ) -> BoardElement {
        let marks = |square: &[Vec<String>], column: &str, row: &str| -> Vec<String> {
            let there = square.iter().filter(|parts| parts[0] == column && parts[1] == row);
            there.map(|parts| parts[2..].join(" ")).collect()
        };
        // `b` is an empty square, where no piece is white.
        let has_white =
            predicate.known.iter().any(|parts| parts[2..].iter().any(|part| part.starts_with('w')));
        let is_empty = |mark: &String| EMPTY.contains(&mark.as_str()) && !(mark == "b" && has_white);
        let mut squares = Vec::new();
        for row in rows {
            let mut line = Vec::new();
            for column in columns {
                let known = marks(&predicate.known, column, row);
                let is_open = !marks(&predicate.open, column, row).is_empty();
                let pieces = known.iter().filter(|mark| !is_empty(mark));
                let pieces: Vec<BoardPiece> =
                    pieces.map(|mark| BoardPiece::of_mark(mark, self.colour_of(mark))).collect();
                let label = square_label(&format!("{column} {row}"), &pieces, is_open);
                let id = self.ids.take(&["p", "board", name, column, row]);
                line.push(BoardSquare { id, label, changed: false, pieces, is_open });
            }
            squares.push(line);
        }
        let short = |names: &[String]| names.iter().map(|name| cards::short(name)).collect();
        BoardElement {
            id: self.ids.take(&["p", "board", name]),
            label: format!("{name}, {} columns, {} rows", columns.len(), rows.len()),
            title: name.replace('_', " "),
            columns: short(columns),
            rows: short(rows),
            shape: BoardShape::Plain,
            is_turned: false,
            squares,
        }
    }
}

/// The columns and rows of a predicate that looks like a grid: two numbers or letters, and something that stands there.
fn grid(predicate: &Predicate) -> Option<(Vec<String>, Vec<String>)> {
    let all = || predicate.known.iter().chain(&predicate.open);
    if all().any(|parts| parts.len() < 3) {
        return None;
    }
    let columns = side(all().map(|parts| parts[0].as_str()))?;
    let rows = side(all().map(|parts| parts[1].as_str()))?;
    let squares: BTreeSet<(&str, &str)> = all().map(|parts| (parts[0].as_str(), parts[1].as_str())).collect();
    let is_grid = squares.len() >= 4 && squares.len() * 4 >= columns.len() * rows.len();
    // Rows are numbered from below, as on boards of chess.
    is_grid.then(|| (columns, rows.into_iter().rev().collect()))
}

/// The names along one side: numbers from 0 or 1 to the largest, or letters.
fn side<'n>(names: impl Iterator<Item = &'n str>) -> Option<Vec<String>> {
    let names: BTreeSet<&str> = names.collect();
    let numbers: Option<BTreeSet<usize>> = names.iter().map(|name| name.parse().ok()).collect();
    let side: Vec<String> = match numbers {
        Some(numbers) => {
            let (first, last) = (*numbers.first()?, *numbers.last()?);
            (first.min(1)..=last.min(first + GRID_SIDE_MAX)).map(|number| number.to_string()).collect()
        }
        None if names.iter().all(|name| name.chars().count() == 1) => {
            names.iter().map(|name| (*name).to_owned()).collect()
        }
        None => return None,
    };
    (2..=GRID_SIDE_MAX).contains(&side.len()).then_some(side)
}

fn list(title: &str, texts: &[String]) -> String {
    let shown: Vec<&str> =
        texts.iter().take(LISTED_MAX).map(String::as_str).filter(|text| !text.is_empty()).collect();
    let more = match texts.len().saturating_sub(LISTED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match shown.is_empty() {
        true => title.to_owned(),
        false => format!("{title}: {}{more}", shown.join(", ")),
    }
}
