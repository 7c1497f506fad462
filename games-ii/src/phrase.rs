//! A pattern and what to say for it.

use thiserror::Error;

use crate::{
    condition::{Condition, conditional},
    printable::printable,
    term::{PatternTerm, TermError},
};

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
    /// There is more than a pattern, and it is no condition.
    #[error("the pattern `{pattern}` is not one term, or one term, `if` and conditions")]
    Conditions {
        /// As written.
        pattern: String,
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
pub(crate) type PhraseLines = Vec<(String, String)>;

/// One pattern, with conditions perhaps, and what to say for it.
#[derive(Clone, Debug)]
pub(crate) struct Phrase {
    pub(crate) pattern: PatternTerm,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) template: Vec<PhrasePiece>,
}

/// A part of the words for a pattern.
#[derive(Clone, Debug)]
pub(crate) enum PhrasePiece {
    /// Said as it is.
    Text(String),
    /// `{name}`, or a term with variables such as `{(many ?rank)}`, in words.
    Part(PatternTerm),
    /// `{name*}`: lines that differ here alone are one line with all that may stand here.
    Gathered(PatternTerm),
}

impl Phrase {
    /// Whether the pattern or a condition gives this variable its value.
    pub(crate) fn binds(&self, variable: &str) -> bool {
        self.pattern.mentions(variable) || self.conditions.iter().any(|condition| condition.binds(variable))
    }

    /// Whether it puts several facts on one line.
    pub(crate) fn gathers(&self) -> bool {
        self.template.iter().any(|piece| matches!(piece, PhrasePiece::Gathered(_)))
    }
}

pub(crate) fn phrases(lines: &PhraseLines) -> Result<Vec<Phrase>, PhraseError> {
    lines.iter().map(|(pattern, template)| phrase(pattern, template)).collect()
}

/// A pattern as it is written, with its conditions.
pub(crate) fn pattern(text: &str) -> Result<(PatternTerm, Vec<Condition>), PhraseError> {
    let terms = PatternTerm::parse_all(text);
    let terms = terms.and_then(|terms| if terms.is_empty() { Err(TermError::NotOne) } else { Ok(terms) });
    let terms = terms.map_err(|source| PhraseError::Pattern { pattern: text.to_owned(), source })?;
    conditional(terms).ok_or_else(|| PhraseError::Conditions { pattern: text.to_owned() })
}

fn phrase(text: &str, template: &str) -> Result<Phrase, PhraseError> {
    let (term, conditions) = pattern(text)?;
    let mut phrase = Phrase { pattern: term, conditions, template: Vec::new() };
    let mut pieces = Vec::new();
    let printable = printable(template);
    let mut rest = printable.as_str();
    while let Some((plain, opened)) = rest.split_once('{') {
        let Some((inside, after)) = opened.split_once('}') else {
            return Err(PhraseError::OpenBrace { pattern: text.to_owned(), template: template.to_owned() });
        };
        let (inside, piece): (&str, fn(PatternTerm) -> PhrasePiece) = match inside.strip_suffix('*') {
            Some(gathered) => (gathered, PhrasePiece::Gathered),
            None => (inside, PhrasePiece::Part),
        };
        let part = match inside.starts_with('(') {
            true => PatternTerm::parse(inside)
                .map_err(|source| PhraseError::Pattern { pattern: inside.to_owned(), source })?,
            false => PatternTerm::Variable(inside.to_owned()),
        };
        if let Some(variable) = part.variables().into_iter().find(|variable| !phrase.binds(variable)) {
            return Err(PhraseError::Unbound {
                pattern: text.to_owned(),
                template: template.to_owned(),
                variable: variable.to_owned(),
            });
        }
        pieces.extend([PhrasePiece::Text(plain.to_owned()), piece(part)]);
        rest = after;
    }
    pieces.push(PhrasePiece::Text(rest.to_owned()));
    phrase.template = pieces;
    Ok(phrase)
}
