//! The patterns and names of a `game.toml` with their places, for whoever compares them with the rules.
//!
//! [`GameFacts`](crate::GameFacts) is what the file means; this is what is written where. It knows no rules.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::facts::FactsError;

/// What a pattern or name of a `game.toml` is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum About {
    /// Any part of a term.
    Symbol,
    /// A move.
    Move,
    /// A percept.
    Percept,
    /// Something that is known of a state: a fluent, or what the file itself works out.
    Fact,
    /// A player.
    Role,
    /// A name that stands in a fluent: a column or row of a board.
    Name,
}

/// A pattern or name, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// What it is about.
    pub about: About,
    /// The section that it stands in; the lines of a section are tried in its order.
    pub section: String,
    /// As written; a pattern may have conditions behind the word `if`.
    pub text: String,
    /// Where it stands, in bytes of the file.
    pub span: Range<usize>,
}

/// What a `game.toml` speaks of, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Every pattern and name.
    pub mentions: Vec<Mention>,
    /// Terms that the file adds to what is known of a state, such as `(pot ?chips)`.
    pub added: Vec<String>,
    /// All words, in which terms may stand in braces.
    pub words: Vec<String>,
}

/// The sections of patterns, and what these are about.
const SECTIONS: [(&str, About); 6] = [
    ("symbols", About::Symbol),
    ("moves", About::Move),
    ("percepts", About::Percept),
    ("table", About::Fact),
    ("results", About::Fact),
    ("scene", About::Fact),
];

/// The section of numbers that the file works out.
const VALUES: &str = "values";

/// Keys of `[hand_history]` that are patterns.
const HAND: [(&str, About); 4] =
    [("hole", About::Fact), ("board", About::Fact), ("paid", About::Fact), ("race", About::Move)];

impl Outline {
    /// What a `game.toml` speaks of; empty for a text that is not TOML.
    ///
    /// ```
    /// use croupier_games::{About, Outline};
    ///
    /// let outline = Outline::of("title = 'T'\n[moves]\n'(deal ?card)' = 'deal {card}'");
    /// let deal = outline.mentions.first().ok_or("it has one pattern")?;
    /// assert_eq!((deal.about, deal.text.as_str()), (About::Move, "(deal ?card)"));
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut outline = Self::default();
        let Ok(document) = DeTable::parse(text) else { return outline };
        let document = document.get_ref();
        for (section, about) in SECTIONS {
            outline.patterns(section, about, document.get(section).map(|value| value.get_ref()));
        }
        outline.added_terms(document);
        for (key, inner) in [("board", "squares"), ("column", "words")] {
            let tables = document.get(key).and_then(|value| value.get_ref().as_array());
            for (index, table) in tables.into_iter().flatten().enumerate() {
                let section = format!("{key}.{inner} {index}");
                let Some(table) = table.get_ref().as_table() else { continue };
                outline.patterns(&section, About::Fact, table.get(inner).map(|value| value.get_ref()));
                let moves = format!("{key}.moves {index}");
                outline.patterns(&moves, About::Move, table.get("moves").map(|value| value.get_ref()));
                outline.squares(&section, table);
                outline.roles_of_list(&section, table.get("turned").map(|value| value.get_ref()));
                outline.roles_of_keys(&section, table.get("players").map(|value| value.get_ref()));
            }
        }
        outline.typed_moves(document);
        if let Some(hand) = document.get("hand_history").and_then(|value| value.get_ref().as_table()) {
            outline.hand_history(hand);
        }
        outline
    }

    fn push(&mut self, about: About, section: &str, text: &str, span: Range<usize>) {
        self.mentions.push(Mention { about, section: section.to_owned(), text: text.to_owned(), span });
    }

    /// The keys of a table of words.
    fn patterns(&mut self, section: &str, about: About, table: Option<&DeValue<'_>>) {
        for (key, words) in table.and_then(DeValue::as_table).into_iter().flatten() {
            // `[scene.zones]` names zones, which are of this file alone.
            if let Some(words) = words.get_ref().as_str() {
                self.push(about, section, key.get_ref(), key.span());
                self.words.push(words.to_owned());
            }
        }
    }

    /// `[values]` and `relations`, which make facts of their own.
    fn added_terms(&mut self, document: &DeTable<'_>) {
        let values = document.get("values").and_then(|value| value.get_ref().as_table());
        for (key, sum) in values.into_iter().flatten() {
            self.added.push(key.get_ref().to_string());
            self.push(About::Fact, VALUES, key.get_ref(), key.span());
            let Some(text) = sum.get_ref().as_str() else { continue };
            // One quote before it, where it is written letter by letter.
            let start = sum.span().start + usize::from(sum.span().len() == text.len() + 2);
            for part in lists(text) {
                self.push(About::Fact, VALUES, &text[part.clone()], start + part.start..start + part.end);
            }
        }
        let relations = document.get("relations").and_then(|value| value.get_ref().as_array());
        for relation in relations.into_iter().flatten() {
            if let Some(text) = relation.get_ref().as_str() {
                self.added.push(text.to_owned());
                self.push(About::Symbol, "relations", text, relation.span());
            }
        }
    }

    /// The names of a board's columns and rows, if each stands for itself in its patterns. Squares such as `e4` have
    /// names of their own.
    fn squares(&mut self, section: &str, board: &DeTable<'_>) {
        let squares = board.get("squares").and_then(|value| value.get_ref().as_table());
        if squares.into_iter().flatten().any(|(key, _)| key.get_ref().contains("?square")) {
            return;
        }
        for key in ["columns", "rows"] {
            let names = board.get(key).and_then(|value| value.get_ref().as_array());
            for name in names.into_iter().flatten() {
                if let Some(text) = name.get_ref().as_str() {
                    self.push(About::Name, &format!("{section} {key}"), text, name.span());
                }
            }
        }
    }

    fn roles_of_list(&mut self, section: &str, list: Option<&DeValue<'_>>) {
        for role in list.and_then(DeValue::as_array).into_iter().flatten() {
            if let Some(text) = role.get_ref().as_str() {
                self.push(About::Role, &format!("{section} turned"), text, role.span());
            }
        }
    }

    fn roles_of_keys(&mut self, section: &str, table: Option<&DeValue<'_>>) {
        for (key, _) in table.and_then(DeValue::as_table).into_iter().flatten() {
            self.push(About::Role, &format!("{section} players"), key.get_ref(), key.span());
        }
    }

    /// How people type moves: which moves, and what must be on the table or must not.
    fn typed_moves(&mut self, document: &DeTable<'_>) {
        let entries = document.get("typed").and_then(|value| value.get_ref().as_array());
        for (index, entry) in entries.into_iter().flatten().enumerate() {
            let Some(entry) = entry.get_ref().as_table() else { continue };
            let section = format!("typed {index}");
            if let Some(pattern) = entry.get("move")
                && let Some(text) = pattern.get_ref().as_str()
            {
                self.push(About::Move, &section, text, pattern.span());
            }
            for key in ["while", "unless"] {
                let facts = entry.get(key).and_then(|value| value.get_ref().as_array());
                for fact in facts.into_iter().flatten() {
                    if let Some(text) = fact.get_ref().as_str() {
                        self.push(About::Fact, &format!("{section} {key}"), text, fact.span());
                    }
                }
            }
        }
    }

    fn hand_history(&mut self, hand: &DeTable<'_>) {
        for role in hand.get("players").and_then(|value| value.get_ref().as_array()).into_iter().flatten() {
            if let Some(text) = role.get_ref().as_str() {
                self.push(About::Role, "hand_history.players", text, role.span());
            }
        }
        for (key, about) in HAND {
            if let Some(pattern) = hand.get(key)
                && let Some(text) = pattern.get_ref().as_str()
            {
                self.push(about, &format!("hand_history.{key}"), text, pattern.span());
            }
        }
        let actions = hand.get("actions").and_then(|value| value.get_ref().as_table());
        for (key, _) in actions.into_iter().flatten() {
            self.push(About::Move, "hand_history.actions", key.get_ref(), key.span());
        }
    }
}

/// Where the outermost lists of a text stand.
fn lists(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (place, sign) in text.char_indices() {
        match sign {
            '(' => {
                start = if depth == 0 { place } else { start };
                depth += 1;
            }
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(start..place + 1);
                }
            }
            _ => {}
        }
    }
    found
}

impl Mention {
    /// Whether an earlier line of the section that fits is used in place of this one.
    #[must_use]
    pub fn gives_way(&self) -> bool {
        let is_pattern = !matches!(self.about, About::Role | About::Name);
        is_pattern && self.section != VALUES && self.section != "relations"
    }
}

impl FactsError {
    /// Where in the text of the `game.toml` it is: what the message quotes, or what TOML says.
    #[must_use]
    pub fn place(&self, text: &str) -> Range<usize> {
        if let Self::Toml(error) = self {
            return error.span().unwrap_or(0..0);
        }
        if matches!(self, Self::Payoff) {
            return text.find("[payoff]").map_or(0..0, |start| start..start + "[payoff]".len());
        }
        let message = self.to_string();
        let quoted = message.split('`').skip(1).step_by(2).filter(|quoted| !quoted.is_empty());
        let found = quoted.filter_map(|quoted| Some((text.find(quoted)?, quoted.len()))).next();
        found.map_or(0..0, |(start, length)| start..start + length)
    }
}

#[cfg(test)]
mod tests {
    use super::{About, Outline};
    use crate::{GameFacts, catalogue};

    #[test]
    fn every_pattern_has_its_place() {
        let text = "title = 'T'\nsummary = 'S'\n[symbols]\na = 'A'\n[table]\n\"(z ?n) if (y ?n)\" = '{n}'\n\
                    [[board]]\ncolumns = ['1']\nrows = ['2']\n[board.squares]\n'(c ?column ?row)' = 'x'\n";
        let outline = Outline::of(text);
        let shown: Vec<(About, &str)> =
            outline.mentions.iter().map(|mention| (mention.about, mention.text.as_str())).collect();
        let expected = [
            (About::Symbol, "a"),
            (About::Fact, "(z ?n) if (y ?n)"),
            (About::Fact, "(c ?column ?row)"),
            (About::Name, "1"),
            (About::Name, "2"),
        ];
        assert_eq!(shown, expected);
        for mention in &outline.mentions {
            let written = text[mention.span.clone()].trim_matches(['\'', '"']);
            assert_eq!(written, mention.text);
        }
    }

    #[test]
    fn an_error_has_the_place_of_what_it_quotes() {
        let head = "title = 'T'\nsummary = 'S'\n";
        let cases = [
            ("[moves]\n\"(deal ?card)\" = '{crad}'", "{crad}"),
            ("[moves]\n\"(deal ?card\" = 'deal'", "(deal ?card"),
            ("tagz = []", "tagz"),
            ("[payoff]\nunit = 'chips'\noffset = 0\nscale = 0", "[payoff]"),
        ];
        for (body, place) in cases {
            let text = format!("{head}{body}");
            let error = GameFacts::parse(&text).expect_err("an unsound file");
            assert_eq!(&text[error.place(&text)], place, "{error}");
        }
    }

    #[test]
    fn the_catalogue_has_patterns_in_every_file() {
        assert!(catalogue().iter().all(|entry| !Outline::of(entry.facts_toml).mentions.is_empty()));
    }
}
