//! Terms of a game in words: patterns with a template each, from `game.toml`.

use thiserror::Error;

use crate::term::{Term, TermError};

/// How the terms of one game are said in words.
///
/// A term that no pattern fits is given as it is printed, so that nothing is ever lost.
///
/// ```
/// let words = croupier_games::find("kuhn").ok_or("the catalogue has it")?.facts()?.words;
/// assert_eq!(words.percept_text("(did alice bet)"), "Alice bets");
/// // What is on the table, in the order of the words. What has no words is given as it is printed.
/// let fluents = ["(to_act bob)", "(paid alice 2)", "(hand alice king)"];
/// assert_eq!(words.table_lines(fluents), ["Alice holds the king", "Alice has put in 2", "Bob to act"]);
/// assert_eq!(words.move_text("(raise 3)"), "(raise 3)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Words {
    symbols: Vec<Phrase>,
    moves: Vec<Phrase>,
    percepts: Vec<Phrase>,
    table: Vec<Phrase>,
}

/// Why a table of words was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PhraseError {
    /// The pattern is not a term.
    #[error("the pattern `{pattern}` is not a term: {source}")]
    Pattern {
        /// As written.
        pattern: String,
        /// What is wrong with it.
        source: TermError,
    },
    /// The template has a brace that is not closed.
    #[error("the words `{template}` for `{pattern}` have an open brace")]
    OpenBrace {
        /// As written.
        pattern: String,
        /// As written.
        template: String,
    },
    /// The template uses a variable that the pattern does not have.
    #[error("the words `{template}` use {{{variable}}}, and the pattern `{pattern}` has no ?{variable}")]
    Unbound {
        /// As written.
        pattern: String,
        /// As written.
        template: String,
        /// Name of the variable.
        variable: String,
    },
}

/// Pattern and template as written in `game.toml`, in its order.
pub(crate) type Lines = Vec<(String, String)>;

/// One pattern and what to say for it.
#[derive(Clone, Debug)]
pub(crate) struct Phrase {
    pub(crate) pattern: Term,
    template: Vec<Piece>,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Variable(String),
    /// `{name*}`: on the table, lines that differ here alone are one line with all that may stand here.
    Gathered(String),
}

/// What stands for gathered parts until all are known; [`printable`] text has none.
const GATHERED: char = '\0';

impl Words {
    /// No words at all: every term is given as it is printed.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    pub(crate) fn new(
        symbols: &Lines,
        moves: &Lines,
        percepts: &Lines,
        table: &Lines,
    ) -> Result<Self, PhraseError> {
        Ok(Self {
            symbols: phrases(symbols)?,
            moves: phrases(moves)?,
            percepts: phrases(percepts)?,
            table: phrases(table)?,
        })
    }

    /// A move in words.
    #[must_use]
    pub fn move_text(&self, term: &str) -> String {
        self.say(&self.moves, term).unwrap_or_else(|| self.symbol_text(term))
    }

    /// A percept in words; `(did ROLE MOVE)`, which full sight consists of, needs no pattern.
    #[must_use]
    pub fn percept_text(&self, term: &str) -> String {
        self.say(&self.percepts, term)
            .or_else(|| self.say_did(term))
            .unwrap_or_else(|| self.symbol_text(term))
    }

    /// A fluent in words.
    #[must_use]
    pub fn fluent_text(&self, term: &str) -> String {
        self.say(&self.table, term).unwrap_or_else(|| self.symbol_text(term))
    }

    /// The fluents that are worth showing to a player who knows them, in words and in the order of the `[table]` of
    /// `game.toml`, which leaves the others out, as it does where it says `""`. Where it gathers a part, `{card*}` for instance, fluents that
    /// differ in that part alone share a line.
    #[must_use]
    pub fn table_lines<'t>(&self, fluents: impl IntoIterator<Item = &'t str>) -> Vec<String> {
        let mut fluents: Vec<&str> = fluents.into_iter().collect();
        fluents.sort_unstable();
        let mut lines: Vec<(usize, String, Vec<String>)> = Vec::new();
        for term in fluents.into_iter().filter_map(|fluent| Term::parse(fluent).ok()) {
            let fits = |phrase: &Phrase| phrase.pattern.matches(&term).is_some();
            let Some(place) = self.table.iter().position(fits) else { continue };
            let mut gathered = None;
            let line = self.fill_with(&self.table[place], &term, |part| {
                gathered = Some(part);
                GATHERED.to_string()
            });
            let line = line.unwrap_or_default();
            match lines.iter_mut().find(|known| gathered.is_some() && (known.0, &known.1) == (place, &line)) {
                Some(known) => known.2.extend(gathered),
                None => lines.push((place, line, gathered.into_iter().collect())),
            }
        }
        lines.retain(|(_, line, _)| !line.is_empty());
        lines.sort_by_key(|(place, ..)| *place);
        lines.into_iter().map(|(_, line, gathered)| line.replace(GATHERED, &gathered.join(" "))).collect()
    }

    /// Whether the game says which fluents are worth showing.
    #[must_use]
    pub fn has_table(&self) -> bool {
        !self.table.is_empty()
    }

    /// A name of the game, such as a role or a card, in words.
    #[must_use]
    pub fn symbol_text(&self, term: &str) -> String {
        self.say(&self.symbols, term).unwrap_or_else(|| printable(term))
    }

    fn say(&self, phrases: &[Phrase], term: &str) -> Option<String> {
        let term = Term::parse(term).ok()?;
        phrases.iter().find_map(|phrase| self.fill(phrase, &term))
    }

    fn say_did(&self, term: &str) -> Option<String> {
        match Term::parse(term).ok()? {
            Term::List(parts) => match parts.as_slice() {
                [Term::Symbol(did), role, own_move] if did == "did" => Some(format!(
                    "{} plays {}",
                    self.symbol_text(&role.to_string()),
                    self.move_text(&own_move.to_string())
                )),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a phrase says of a term that fits it.
    pub(crate) fn fill(&self, phrase: &Phrase, term: &Term) -> Option<String> {
        self.fill_with(phrase, term, |part| part)
    }

    /// The same, with what `gather` makes of a part that is to be gathered.
    fn fill_with(
        &self,
        phrase: &Phrase,
        term: &Term,
        mut gather: impl FnMut(String) -> String,
    ) -> Option<String> {
        let binding = phrase.pattern.matches(term)?;
        let part = |variable: &String| {
            let bound = binding.iter().find(|(name, _)| name == variable);
            let (_, part) = bound.expect("templates use the variables of their pattern");
            self.part_text(part)
        };
        let mut text = String::new();
        for piece in &phrase.template {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Variable(variable) => text.push_str(&part(variable)),
                Piece::Gathered(variable) => text.push_str(&gather(part(variable))),
            }
        }
        Some(text)
    }

    /// What a variable stands for: a name in words, or a move, or the term as printed.
    fn part_text(&self, part: &Term) -> String {
        let said = |phrases: &[Phrase]| phrases.iter().find_map(|phrase| self.fill(phrase, part));
        said(&self.symbols).or_else(|| said(&self.moves)).unwrap_or_else(|| printable(&part.to_string()))
    }
}

/// The text with every control character replaced by `\u{fffd}`, so that no rule file can write escape
/// sequences to a terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char }).collect()
}

pub(crate) fn phrases(lines: &Lines) -> Result<Vec<Phrase>, PhraseError> {
    lines.iter().map(|(pattern, template)| phrase(pattern, template)).collect()
}

fn phrase(pattern: &str, template: &str) -> Result<Phrase, PhraseError> {
    let term = Term::parse(pattern)
        .map_err(|source| PhraseError::Pattern { pattern: pattern.to_owned(), source })?;
    let mut pieces = Vec::new();
    let printable = printable(template);
    let mut rest = printable.as_str();
    while let Some((plain, opened)) = rest.split_once('{') {
        let Some((variable, after)) = opened.split_once('}') else {
            return Err(PhraseError::OpenBrace {
                pattern: pattern.to_owned(),
                template: template.to_owned(),
            });
        };
        let (variable, piece): (&str, fn(String) -> Piece) = match variable.strip_suffix('*') {
            Some(gathered) => (gathered, Piece::Gathered),
            None => (variable, Piece::Variable),
        };
        if !term.mentions(variable) {
            return Err(PhraseError::Unbound {
                pattern: pattern.to_owned(),
                template: template.to_owned(),
                variable: variable.to_owned(),
            });
        }
        pieces.extend([Piece::Text(plain.to_owned()), piece(variable.to_owned())]);
        rest = after;
    }
    pieces.push(Piece::Text(rest.to_owned()));
    Ok(Phrase { pattern: term, template: pieces })
}
