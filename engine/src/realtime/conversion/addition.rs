//! Rules that a conversion adds: written as a text with names that may change.

use std::{collections::BTreeMap, fmt::Write as _};

use super::names::TextNames;
use crate::{
    game::Game,
    limits::Limits,
    syntax::{self, Description, Syntax},
};

/// A text of rules in prefix syntax in which `$name` is a placeholder for a name that the game does not use.
#[derive(Debug)]
pub(super) struct Addition {
    text: String,
    names: BTreeMap<&'static str, String>,
}

impl Addition {
    /// An empty text, with these names to be used in it.
    pub(super) fn new(names: &TextNames, wanted: &[&'static str]) -> Self {
        let names = wanted.iter().map(|&name| (name, names.unused(name))).collect();
        Self { text: String::new(), names }
    }

    /// The replacement of a name.
    ///
    /// # Panics
    /// If the name was not requested.
    pub(super) fn name(&self, name: &str) -> String {
        self.names[name].clone()
    }

    /// Whether the name was requested.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Adds rules, with the right names.
    pub(super) fn add(&mut self, rules: &str) {
        let mut parts = rules.split('$');
        self.text.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let end = part.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            self.text.push_str(&self.names[name]);
            self.text.push_str(rest);
        }
        self.text.push('\n');
    }

    /// Adds a fact for each move of each player but the first: which one it follows in canonical order.
    ///
    /// Says whether there are any; `None` if the game is no network, of which alone these moves are known.
    pub(super) fn add_order(&mut self, game: &Game) -> Option<bool> {
        let network = game.network()?;
        let mut has_any = false;
        for role in game.roles().players() {
            let name = game.roles().name(role);
            for pair in network.moves(role).windows(2) {
                let [before, after] = [pair[0], pair[1]].map(|played| game.move_text(played));
                let follows = &self.names["follows"];
                writeln!(self.text, "({follows} {name} {after} {before})").expect("text takes text");
                has_any = true;
            }
        }
        self.text.push('\n');
        Some(has_any)
    }

    /// Adds what another addition with the same names has.
    pub(super) fn append(&mut self, other: Self) {
        self.text.push_str(&other.text);
    }

    /// The rules and their comments, with locations after `end`.
    pub(super) fn placed_after(self, end: u32) -> Description {
        // The text is our own: its length is no matter, and it has no errors.
        let mut limits = Limits::STANDARD;
        (limits.source_bytes, limits.tokens, limits.rules) = (usize::MAX, usize::MAX, usize::MAX);
        let reading = syntax::read(&self.text, Syntax::Prefix, &limits);
        debug_assert!(reading.diagnostics.is_empty(), "{:?}\n{}", reading.diagnostics, self.text);
        let mut description = reading.description;
        let offset = end.saturating_add(1);
        for clause in &mut description.clauses {
            clause.span.start = clause.span.start.saturating_add(offset);
            clause.span.end = clause.span.end.saturating_add(offset);
        }
        for comment in &mut description.comments {
            comment.span.start = comment.span.start.saturating_add(offset);
            comment.span.end = comment.span.end.saturating_add(offset);
        }
        description
    }
}

/// A condition of rules that chance is not subject to.
pub(super) fn is_player(game: &Game) -> &'static str {
    match game.roles().random() {
        Some(_) => " (distinct ?r random)",
        None => "",
    }
}
