//! Terms of a game in words: patterns with a template each, from `game.toml`.

use std::collections::BTreeMap;

use crate::{
    phrase::{Phrase, PhraseError, PhraseLines, PhrasePiece, phrases},
    printable::printable,
    said::{NamedTerm, SaidLine, SaidPiece},
    scene::{Facts, Scene},
    term::{Binding, PatternTerm},
};

/// How the terms of one game are said in words.
///
/// A term that no pattern fits is given as it is printed, so that nothing is ever lost.
///
/// ```
/// let words = croupier_games::find("kuhn").ok_or("the catalogue has it")?.facts()?.words;
/// assert_eq!(words.percept_text("(did alice bet)"), "Alice bets");
/// // What is on the table, in the order of the words. A move without words is given as it is printed.
/// let fluents = ["(folded bob)", "(to_act bob)", "(hand alice king)"];
/// assert_eq!(words.table_lines(fluents), ["Alice holds the king", "Bob has folded"]);
/// assert_eq!(words.move_text("(raise 3)"), "(raise 3)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Words {
    pub(crate) symbols: Vec<Phrase>,
    pub(crate) moves: Vec<Phrase>,
    pub(crate) percepts: Vec<Phrase>,
    pub(crate) table: Vec<Phrase>,
    /// Names that share their words with another, and the words.
    copies: BTreeMap<String, String>,
}

/// Where a move or a thing stands among others, as people list them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TermPlace {
    line: usize,
    parts: Vec<SortKey>,
}

/// Where a name stands among others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SortKey {
    Listed(usize),
    Number(i64),
    Name(String),
}

impl Words {
    /// No words at all: every term is given as it is printed.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    pub(crate) fn new(
        symbols: &PhraseLines,
        moves: &PhraseLines,
        percepts: &PhraseLines,
        table: &PhraseLines,
    ) -> Result<Self, PhraseError> {
        let is_name = |name: &str| matches!(PatternTerm::parse(name), Ok(PatternTerm::Symbol(_)));
        let names: Vec<&(String, String)> = symbols.iter().filter(|(name, _)| is_name(name)).collect();
        let is_shared = |words: &str| names.iter().filter(|(_, other)| other == words).count() > 1;
        let copies = names.iter().filter(|(_, words)| is_shared(words)).map(|&named| named.clone());
        Ok(Self {
            copies: copies.collect(),
            symbols: phrases(symbols)?,
            moves: phrases(moves)?,
            percepts: phrases(percepts)?,
            table: phrases(table)?,
        })
    }

    /// What a fluent looks like if a name in it shares its words with another.
    pub(crate) fn look(&self, fluent: &str) -> Option<String> {
        if self.copies.is_empty() {
            return None;
        }
        let term = PatternTerm::parse(fluent).ok()?;
        let mut has_copies = false;
        let look = self.with_copies_in_words(&term, &mut has_copies);
        has_copies.then_some(look)
    }

    fn with_copies_in_words(&self, term: &PatternTerm, has_copies: &mut bool) -> String {
        match term {
            PatternTerm::List(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.with_copies_in_words(part, has_copies)).collect();
                format!("({})", parts.join(" "))
            }
            PatternTerm::Symbol(name) => match self.copies.get(name) {
                Some(words) => {
                    *has_copies = true;
                    format!("\"{words}\"")
                }
                None => name.clone(),
            },
            PatternTerm::Variable(_) => term.to_string(),
        }
    }

    /// A move in words, wherever it is played.
    #[must_use]
    pub fn move_text(&self, term: &str) -> String {
        self.move_text_in(term, &Scene::nothing())
    }

    /// A move in the words that fit the situation in which it is played.
    #[must_use]
    pub fn move_text_in(&self, term: &str, scene: &Scene) -> String {
        self.say(&self.moves, term, scene).unwrap_or_else(|| self.symbol_text(term))
    }

    /// Where people put a move among others: by the line of `[moves]` that it fits, then by its parts. A number in a move is an
    /// amount and goes by its size, also where `[symbols]` has words for it, as for the nine among the ranks of cards.
    ///
    /// ```
    /// let family = croupier_games::find_family("no-limit-holdem").ok_or("the family is known")?;
    /// let table = [("stacks".to_owned(), 40.into()), ("bets".to_owned(), "all".into())].into();
    /// let words = croupier_games::GameFacts::parse(&family.facts(&table)?.ok_or("it has words")?)?.words;
    /// let mut bets = ["(bet 10)", "(bet 9)", "(bet 2)", "all_in", "check"];
    /// bets.sort_by_cached_key(|bet| words.move_place(bet));
    /// assert_eq!(bets, ["check", "(bet 2)", "(bet 9)", "(bet 10)", "all_in"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn move_place(&self, term: &str) -> TermPlace {
        let Ok(term) = PatternTerm::parse(term) else {
            return TermPlace { line: usize::MAX, parts: Vec::new() };
        };
        let fits = |phrase: &Phrase| phrase.conditions.is_empty() && phrase.pattern.matches(&term).is_some();
        let line = self.moves.iter().position(fits).unwrap_or(usize::MAX);
        let mut parts = Vec::new();
        add_places(&term, &|name| number(name).unwrap_or_else(|| self.place(name)), &mut parts);
        TermPlace { line, parts }
    }

    /// A percept in words; `(did ROLE MOVE)`, which full sight consists of, needs no pattern.
    #[must_use]
    pub fn percept_text(&self, term: &str) -> String {
        self.percept_text_in(term, &Scene::nothing())
    }

    /// A percept in the words that fit what was known before the turn that it tells of.
    #[must_use]
    pub fn percept_text_in(&self, term: &str, scene: &Scene) -> String {
        self.say(&self.percepts, term, scene)
            .or_else(|| self.say_did(term, scene))
            .unwrap_or_else(|| self.symbol_text(term))
    }

    /// Whether moves or percepts have words that depend on the situation.
    #[must_use]
    pub fn depend_on_situation(&self) -> bool {
        self.moves.iter().chain(&self.percepts).any(|phrase| !phrase.conditions.is_empty())
    }

    /// A fluent in words.
    #[must_use]
    pub fn fluent_text(&self, term: &str) -> String {
        self.say(&self.table, term, &Scene::nothing()).unwrap_or_else(|| self.symbol_text(term))
    }

    /// The fluents that are worth showing to a player who knows them, in words and in the order of the `[table]` of
    /// `game.toml`, which leaves the others out, as it does where it says `""`. Where it gathers a part, `{card*}` for instance, fluents that
    /// differ in that part alone share a line.
    #[must_use]
    pub fn table_lines<'t>(&self, fluents: impl IntoIterator<Item = &'t str>) -> Vec<String> {
        let scene = self.scene(fluents);
        self.table_lines_in(scene.certain.iter(), &scene)
    }

    /// Fluents in words, those that differ in a gathered part alone on one line; what has no words is given as it is printed.
    #[must_use]
    pub fn fluent_lines<'t>(&self, fluents: impl IntoIterator<Item = &'t str>) -> Vec<String> {
        let scene = self.scene(fluents);
        let (known, unknown): (Vec<&PatternTerm>, Vec<&PatternTerm>) = scene
            .certain
            .iter()
            .partition(|fact| self.table.iter().any(|phrase| self.fill(phrase, fact, &scene).is_some()));
        let mut lines = self.table_lines_in(known.into_iter(), &scene);
        lines.extend(unknown.into_iter().map(|fact| self.symbol_text(&fact.to_string())));
        lines
    }

    /// The same of some facts of a scene.
    pub(crate) fn table_lines_in<'t>(
        &self,
        facts: impl Iterator<Item = &'t PatternTerm>,
        scene: &'t Scene,
    ) -> Vec<String> {
        self.lines_of(&self.table, facts, scene, &Binding::new())
    }

    /// What phrases say of facts of a scene, in the order of the phrases, with some variables given.
    pub(crate) fn lines_of<'t>(
        &self,
        phrases: &[Phrase],
        facts: impl Iterator<Item = &'t PatternTerm>,
        scene: &'t Scene,
        given: &Binding<'t>,
    ) -> Vec<String> {
        self.said_of(phrases, facts, scene, given).iter().map(SaidLine::text).collect()
    }

    /// The same in pieces.
    pub(crate) fn said_of<'t>(
        &self,
        phrases: &[Phrase],
        facts: impl Iterator<Item = &'t PatternTerm>,
        scene: &'t Scene,
        given: &Binding<'t>,
    ) -> Vec<SaidLine> {
        let mut lines: Vec<(usize, SaidLine)> = Vec::new();
        for term in facts {
            let said = phrases
                .iter()
                .enumerate()
                .find_map(|(place, phrase)| Some((place, self.said(phrase, term, scene, given.clone())?)));
            let Some((place, said)) = said else { continue };
            let mut known = lines.iter_mut().filter(|(other, _)| *other == place);
            if !known.any(|(_, line)| line.gather(&said)) {
                lines.push((place, said));
            }
        }
        lines.retain(|(_, said)| !said.text().is_empty());
        lines.sort_by_key(|(place, _)| *place);
        lines.into_iter().map(|(_, said)| said).collect()
    }

    /// Whether the game says which fluents are worth showing.
    #[must_use]
    pub fn has_table(&self) -> bool {
        !self.table.is_empty()
    }

    /// Whether lines of the table gather what may grow, so that it matters in what order it came.
    #[must_use]
    pub fn gather(&self) -> bool {
        self.table.iter().any(Phrase::gathers)
    }

    /// Whether a fact shares its line with others.
    pub(crate) fn is_gathered(&self, fact: &PatternTerm) -> bool {
        self.table.iter().any(|phrase| phrase.gathers() && phrase.pattern.matches(fact).is_some())
    }

    /// A name of the game, such as a role or a card, in words.
    #[must_use]
    pub fn symbol_text(&self, term: &str) -> String {
        self.say(&self.symbols, term, &Scene::nothing()).unwrap_or_else(|| printable(term))
    }

    /// The same words, in which these names of the game, such as roles, are said as people are called. Text of any kind is
    /// said as it is, without what a terminal or page could take for more than text.
    ///
    /// ```
    /// let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?.facts()?;
    /// let words = kuhn.words.naming(&[("alice", "{Ann}")]);
    /// assert_eq!(words.percept_text("(did alice bet)"), "{Ann} bets");
    /// assert_eq!(words.percept_text("(did bob bet)"), "Bob bets");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn naming(&self, people: &[(&str, &str)]) -> Self {
        let mut words = self.clone();
        for (symbol, name) in people {
            let pattern = PatternTerm::Symbol((*symbol).to_owned());
            let template = vec![PhrasePiece::Text(printable(name))];
            match words.symbols.iter_mut().find(|phrase| phrase.pattern == pattern) {
                // In its place: names are listed in the order of `[symbols]`.
                Some(phrase) => phrase.template = template,
                None => words.symbols.push(Phrase { pattern, conditions: Vec::new(), template }),
            }
        }
        words
    }

    /// What is known of a state in which these fluents are true.
    fn scene<'t>(&self, fluents: impl IntoIterator<Item = &'t str>) -> Scene {
        let facts = Facts { certain: fluents.into_iter().collect(), ..Facts::default() };
        Scene::new(&facts, |_| {}, |term| self.order(term))
    }

    /// Where people put a thing among others of its kind: cards in the order in which `[symbols]` lists them, numbers by their size.
    ///
    /// ```
    /// let words = croupier_games::find("holdem").ok_or("the catalogue has it")?.facts()?.words;
    /// let mut cards = ["2c", "ah", "ts", "as"];
    /// cards.sort_by_cached_key(|card| words.thing_place(card));
    /// assert_eq!(cards, ["as", "ah", "ts", "2c"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn thing_place(&self, term: &str) -> TermPlace {
        let parts = PatternTerm::parse(term).map(|term| self.order(&term)).unwrap_or_default();
        TermPlace { line: 0, parts }
    }

    /// Where people put a term among others: names in the order of `[symbols]`, then numbers by their size, then other
    /// names; what has parts by its parts.
    pub(crate) fn order(&self, term: &PatternTerm) -> Vec<SortKey> {
        let mut places = Vec::new();
        add_places(term, &|name| self.place(name), &mut places);
        places
    }

    /// Where people put a name among others.
    fn place(&self, name: &str) -> SortKey {
        let is_it =
            |phrase: &Phrase| matches!(&phrase.pattern, PatternTerm::Symbol(symbol) if symbol == name);
        let listed = self.symbols.iter().position(is_it).map(SortKey::Listed);
        listed.or_else(|| number(name)).unwrap_or_else(|| SortKey::Name(name.to_owned()))
    }

    fn say(&self, phrases: &[Phrase], term: &str, scene: &Scene) -> Option<String> {
        let term = PatternTerm::parse(term).ok()?;
        phrases.iter().find_map(|phrase| self.fill(phrase, &term, scene))
    }

    fn say_did(&self, term: &str, scene: &Scene) -> Option<String> {
        match PatternTerm::parse(term).ok()? {
            PatternTerm::List(parts) => match parts.as_slice() {
                [PatternTerm::Symbol(did), role, own_move] if did == "did" => Some(format!(
                    "{} plays {}",
                    self.symbol_text(&role.to_string()),
                    self.move_text_in(&own_move.to_string(), scene)
                )),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a phrase says of a term that fits it.
    pub(crate) fn fill(&self, phrase: &Phrase, term: &PatternTerm, scene: &Scene) -> Option<String> {
        self.said(phrase, term, scene, Binding::new()).map(|line| line.text())
    }

    /// The same in pieces, with some variables given.
    fn said<'t>(
        &self,
        phrase: &Phrase,
        term: &'t PatternTerm,
        scene: &'t Scene,
        given: Binding<'t>,
    ) -> Option<SaidLine> {
        let mut binding = given;
        if !phrase.pattern.bind(term, &mut binding) {
            return None;
        }
        let solutions = scene.solutions(&phrase.conditions, binding);
        let first = solutions.first()?;
        let pieces = phrase.template.iter().map(|piece| match piece {
            PhrasePiece::Text(plain) => SaidPiece::Text(plain.clone()),
            PhrasePiece::Part(part) => SaidPiece::Part(self.named(part.filled(first), scene)),
            PhrasePiece::Gathered(part) => {
                let mut gathered: Vec<NamedTerm> = Vec::new();
                for solution in &solutions {
                    let named = self.named(part.filled(solution), scene);
                    if !gathered.iter().any(|known| known.words == named.words) {
                        gathered.push(named);
                    }
                }
                SaidPiece::Gathered(gathered)
            }
        });
        let is_there = |piece: &SaidPiece| !matches!(piece, SaidPiece::Text(text) if text.is_empty());
        Some(SaidLine { pieces: pieces.filter(is_there).collect(), facts: vec![term.to_string()] })
    }

    fn named(&self, part: PatternTerm, scene: &Scene) -> NamedTerm {
        NamedTerm { term: part.to_string(), words: self.part_text(&part, scene) }
    }

    /// What a variable stands for: a name in words, or a move, or the term as printed.
    pub(crate) fn part_text(&self, part: &PatternTerm, scene: &Scene) -> String {
        let said = |phrases: &[Phrase]| phrases.iter().find_map(|phrase| self.fill(phrase, part, scene));
        said(&self.symbols).or_else(|| said(&self.moves)).unwrap_or_else(|| printable(&part.to_string()))
    }
}
/// The places of the parts of a term, in their order.
fn add_places(term: &PatternTerm, place: &dyn Fn(&str) -> SortKey, places: &mut Vec<SortKey>) {
    match term {
        PatternTerm::List(parts) => parts.iter().for_each(|part| add_places(part, place, places)),
        PatternTerm::Variable(name) => places.push(SortKey::Name(name.clone())),
        PatternTerm::Symbol(name) => places.push(place(name)),
    }
}

fn number(name: &str) -> Option<SortKey> {
    name.parse().ok().map(SortKey::Number)
}
