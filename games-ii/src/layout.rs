//! What is on a table in pieces, for whoever draws it: boards, columns of players, things of `[scene]`, and lines of words.

use std::collections::BTreeMap;

use crate::{
    board::BoardLayout,
    depiction::{Depicted, DepictedKind, ZonePlace},
    facts::GameFacts,
    players::ColumnLayout,
    said::{SaidLine, SaidPiece},
    scene::Scene,
    term::PatternTerm,
};

/// What is on a table as far as somebody knows it, in pieces. Everything known stands in one place: on a board, among the things that
/// `[scene]` depicts, in a column, or in a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableLayout {
    /// In the order of the `game.toml`.
    pub boards: Vec<BoardLayout>,
    /// What `[scene]` depicts, in the order in which people name things; what is only possible comes last.
    pub things: Vec<Depicted>,
    /// Where zones lie, by their names.
    pub zones: BTreeMap<String, ZonePlace>,
    /// The columns of the table of players, without what is among the things.
    pub columns: Vec<ColumnLayout>,
    /// What else there is to say, in words.
    pub lines: Vec<SaidLine>,
    /// What is known, as fluents, where the game does not say what is worth showing; empty otherwise.
    pub plain: Vec<String>,
    /// What may be true and has no words either.
    pub plain_open: Vec<String>,
    /// Whether anything else may be true as well.
    pub is_vague: bool,
}

impl GameFacts {
    /// What is on the table, in pieces. What is true of [`draw`](Self::draw) is true of this: it is the same knowledge.
    #[must_use]
    pub fn layout(&self, scene: &Scene, players: &[&str]) -> TableLayout {
        let terms: Vec<PatternTerm> =
            players.iter().map(|name| PatternTerm::Symbol((*name).to_owned())).collect();
        let things = self.things(scene);
        let is_thing = |fact: &str| things.iter().any(|thing| thing.is_certain && thing.fact == fact);
        let is_shown = |fact: &PatternTerm| {
            self.boards.iter().any(|board| board.shows(fact))
                || self.columns.iter().any(|column| column.shows(fact, &terms))
                || self.depictions.of(&self.words, scene, fact, true).is_some()
        };
        let is_public_list = |fact: &PatternTerm| self.words.is_gathered(fact) && !fact.contains_any(&terms);
        let others = scene.shown.iter().filter(|fact| !is_shown(fact));
        let others = scene.as_they_came(others, is_public_list);
        let says = self.words.has_table() || !self.boards.is_empty();
        let plain: Vec<String> = match says {
            true => Vec::new(),
            false => others.iter().map(ToString::to_string).collect(),
        };
        let plain_open = scene.open.iter().filter(|fact| !says && !is_shown(fact));
        let columns = self.columns.iter().map(|column| {
            let mut column = column.layout(&self.words, scene, players);
            for cell in &mut column.cells {
                cell.lines.retain(|line| !line.facts.iter().all(|fact| is_thing(fact)));
            }
            column
        });
        TableLayout {
            boards: self.boards.iter().map(|board| board.layout(&self.words, scene)).collect(),
            is_vague: scene.is_vague,
            zones: self.depictions.zones.clone(),
            columns: columns.collect(),
            lines: self.words.said_of(&self.words.table, others.into_iter(), scene, &Vec::new()),
            plain_open: plain_open.map(ToString::to_string).collect(),
            plain,
            things,
        }
    }

    /// What `[scene]` depicts of a scene.
    fn things(&self, scene: &Scene) -> Vec<Depicted> {
        if self.depictions.lines.is_empty() {
            return Vec::new();
        }
        // A pile of common cards is in the order in which they came, and hands are sorted.
        let shown = scene.as_they_came(scene.shown.iter(), |fact| self.is_common_card(scene, fact));
        let certain = shown.into_iter().map(|fact| (fact, true));
        let possible = scene.open.iter().filter(|fact| !scene.is_copy(fact)).map(|fact| (fact, false));
        let thing = |(fact, is_certain): (&PatternTerm, bool)| {
            self.depictions.of(&self.words, scene, fact, is_certain)
        };
        certain.chain(possible).filter_map(thing).collect()
    }

    fn is_common_card(&self, scene: &Scene, fact: &PatternTerm) -> bool {
        let depicted = self.depictions.of(&self.words, scene, fact, true);
        depicted.is_some_and(|thing| thing.kind == DepictedKind::Card && thing.owner.is_none())
    }

    /// Words for the number in moves that differ in one: what stands before it and after it, as in `raise to {n} chips`.
    /// `None` if the words say nothing of it.
    #[must_use]
    pub fn words_around(&self, term: &str, number: &str, scene: &Scene) -> Option<(String, String)> {
        let term = PatternTerm::parse(term).ok()?;
        let line = self.words.said_of(&self.words.moves, [&term].into_iter(), scene, &Vec::new());
        let pieces = line.into_iter().next()?.pieces;
        let place = pieces.iter().position(|piece| match piece {
            SaidPiece::Part(part) => part.term == number && part.words == number,
            _ => false,
        })?;
        let text = |pieces: &[SaidPiece]| SaidLine { facts: Vec::new(), pieces: pieces.to_vec() }.text();
        Some((text(&pieces[..place]), text(&pieces[place + 1..])))
    }
}

/// The name of a term and its parts, each as it is printed: `(cell 1 2 x)` is `cell`, `1`, `2`, `x`. Empty for what is no term.
#[must_use]
pub fn parts_of_term(term: &str) -> Vec<String> {
    match PatternTerm::parse(term) {
        Ok(PatternTerm::List(parts)) => parts.iter().map(ToString::to_string).collect(),
        Ok(name) => vec![name.to_string()],
        Err(_) => Vec::new(),
    }
}
