//! The table of players: a row for each, with columns that `[[column]]` of a `game.toml` describes.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

use crate::{
    phrase::{Phrase, PhraseError, phrases},
    printable::printable,
    said::SaidLine,
    scene::Scene,
    section::Section,
    term::{Binding, PatternTerm},
    words::Words,
};

/// A column of the table of players.
#[derive(Clone, Debug)]
pub struct Column {
    title: String,
    /// Said of each player as long as a match lasts, by role.
    fixed: BTreeMap<String, String>,
    /// What it shows of `?player`.
    pub(crate) words: Vec<Phrase>,
    /// What stands for something that the viewer does not know.
    unknown: String,
}

/// Why a column was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ColumnError {
    /// A pattern or its words do not fit together.
    #[error(transparent)]
    Words(#[from] PhraseError),
    /// A pattern does not say whom it is about.
    #[error("the pattern `{pattern}` of a column needs ?player")]
    NoPlayer {
        /// As written.
        pattern: String,
    },
    /// There is nothing in it.
    #[error("a column needs words or players")]
    Empty,
}

/// A column as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ColumnFile {
    #[serde(default)]
    title: String,
    #[serde(default)]
    players: BTreeMap<String, String>,
    #[serde(default)]
    words: Section,
    #[serde(default)]
    unknown: String,
}

/// The variable that is the player whose row it is.
const PLAYER: &str = "player";

impl Column {
    pub(crate) fn new(file: &ColumnFile) -> Result<Self, ColumnError> {
        if file.players.is_empty() && file.words.0.is_empty() {
            return Err(ColumnError::Empty);
        }
        let words = phrases(&file.words.0)?;
        for ((pattern, _), phrase) in file.words.0.iter().zip(&words) {
            if !phrase.binds(PLAYER) {
                return Err(ColumnError::NoPlayer { pattern: pattern.clone() });
            }
        }
        let fixed = file.players.iter().map(|(role, text)| (role.clone(), printable(text)));
        Ok(Self {
            title: printable(&file.title),
            fixed: fixed.collect(),
            words,
            unknown: printable(&file.unknown),
        })
    }

    /// Whether it shows a fact in the row of one of these players.
    pub(crate) fn shows(&self, fact: &PatternTerm, players: &[PatternTerm]) -> bool {
        let fits = |phrase: &Phrase| {
            let of = |player: &PatternTerm| phrase.pattern.bind(fact, &mut vec![(PLAYER.to_owned(), player)]);
            phrase.pattern.mentions(PLAYER) && players.iter().any(of)
        };
        self.words.iter().any(fits)
    }

    /// What it says of a player.
    fn cell(&self, words: &Words, scene: &Scene, name: &str, player: &PatternTerm) -> ColumnCell {
        let given: Binding<'_> = vec![(PLAYER.to_owned(), player)];
        let may_be = |fact: &PatternTerm| {
            self.words.iter().any(|phrase| phrase.pattern.bind(fact, &mut given.clone()))
        };
        let hides = !self.unknown.is_empty() && scene.hides(may_be);
        let hidden = scene.open.iter().find(|fact| hides && may_be(fact));
        ColumnCell {
            fixed: self.fixed.get(name).cloned(),
            lines: words.said_of(&self.words, scene.shown.iter(), scene, &given),
            hides,
            hidden: hidden.and_then(|fact| {
                words.said_of(&self.words, [fact].into_iter(), scene, &given).into_iter().next()
            }),
        }
    }

    /// What it says of these players.
    pub(crate) fn layout(&self, words: &Words, scene: &Scene, players: &[&str]) -> ColumnLayout {
        let cell = |name: &&str| self.cell(words, scene, name, &PatternTerm::Symbol((*name).to_owned()));
        ColumnLayout {
            title: self.title.clone(),
            unknown: self.unknown.clone(),
            cells: players.iter().map(cell).collect(),
        }
    }
}

/// A column of the table of players as far as somebody knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnLayout {
    /// What stands above it; empty if nothing does.
    pub title: String,
    /// What stands for something that the viewer does not know, with blanks between several things.
    pub unknown: String,
    /// One for each player.
    pub cells: Vec<ColumnCell>,
}

/// What a column says of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnCell {
    /// What it says all the time.
    pub fixed: Option<String>,
    /// What it says of what is known.
    pub lines: Vec<SaidLine>,
    /// Whether there may be more.
    pub hides: bool,
    /// One of the things that may be there, to see what kind of thing it is.
    pub hidden: Option<SaidLine>,
}

impl ColumnLayout {
    /// What it says of a player, in one text.
    fn text(&self, cell: &ColumnCell) -> String {
        let lines = cell.lines.iter().map(SaidLine::text);
        let said = cell.fixed.iter().cloned().chain(lines).collect::<Vec<String>>().join(", ");
        match cell.hides {
            true if said.is_empty() => self.unknown.clone(),
            true => format!("{said} {}", self.unknown),
            false => said,
        }
    }
}

/// The table of players: the titles of its columns, and a row for each player that begins with the name. Columns that are empty
/// are left out; there are no rows where there is nothing to say.
pub(crate) fn rows(columns: &[Column], words: &Words, scene: &Scene, players: &[&str]) -> Vec<Vec<String>> {
    let layouts = columns.iter().map(|column| column.layout(words, scene, players));
    let cells = layouts.map(|column| {
        let texts: Vec<String> = column.cells.iter().map(|cell| column.text(cell)).collect();
        (column.title, texts)
    });
    let cells: Vec<_> = cells.filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty())).collect();
    if cells.is_empty() {
        return Vec::new();
    }
    let head = [String::new()].into_iter().chain(cells.iter().map(|(title, _)| title.clone()));
    let row = |(index, name): (usize, &&str)| {
        let row = cells.iter().map(|(_, cells)| cells[index].clone());
        [words.symbol_text(name)].into_iter().chain(row).collect::<Vec<String>>()
    };
    let rows = players.iter().enumerate().map(row);
    [head.collect::<Vec<String>>()].into_iter().chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use crate::facts::GameFacts;

    const GAME: &str = "title = 'T'\nsummary = 'S'\n[symbols]\nace = 'A'\nking = 'K'\na = 'Ann'\n
        [table]\n'(hand ?player ?card)' = '{player} holds {card*}'\nnight = 'it is night'
        [[column]]\nplayers = { b = 'dealer' }
        [[column]]\ntitle = 'cards'\nunknown = '?'\nwords = { '(hand ?player ?card)' = '{card*}' }
        [[column]]\ntitle = 'bet'\nwords = { '(paid ?player ?chips)' = '{chips}' }";

    #[test]
    fn each_player_has_a_row_and_cards_stand_in_the_order_of_the_symbols() {
        let facts = GameFacts::parse(GAME).expect("sound facts");
        let scene = facts.scene(["(hand a king)", "(hand a ace)", "night"], ["(hand b ace)"]);
        let drawn = facts.draw(&scene, &["a", "b"]);
        assert_eq!(drawn.players, [["", "", "cards"], ["Ann", "", "A K"], ["b", "dealer", "?"]]);
        // What a column shows is not said again.
        assert_eq!(drawn.lines, ["it is night"]);
    }

    #[test]
    fn a_column_without_player_or_words_is_refused() {
        let refused = |column: &str| {
            let text = format!("title = 'T'\nsummary = 'S'\n[[column]]\n{column}");
            GameFacts::parse(&text).expect_err("an unsound column").to_string()
        };
        assert!(refused("words = { '(paid ?who ?n)' = '{n}' }").contains("needs ?player"));
        assert!(refused("title = 'bet'").contains("needs words or players"));
    }
}
