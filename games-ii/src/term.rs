//! Terms as printed, and patterns over them: just enough to put a move or percept into words.

use std::fmt;

use thiserror::Error;

/// Nesting beyond this is refused, so that walking a term by recursion has a bounded stack.
const NESTING_MAX: usize = 64;

/// A pattern of terms, or a term, which is a pattern without variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PatternTerm {
    /// A name or number.
    Symbol(String),
    /// `?name`, kept without the question mark; only in patterns.
    Variable(String),
    /// `(f a b)`.
    List(Vec<PatternTerm>),
}

/// What is wrong with the text of a term.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TermError {
    /// There is no term, or more than one.
    #[error("expected one term")]
    NotOne,
    /// A parenthesis too few or too many.
    #[error("unbalanced parentheses")]
    Unbalanced,
    /// Deeper than any term of a game.
    #[error("nested deeper than {NESTING_MAX}")]
    TooDeep,
}

/// What the variables of a pattern stand for, in the order of their first use.
pub(crate) type Binding<'t> = Vec<(String, &'t PatternTerm)>;

impl PatternTerm {
    /// Reads one term; variables are allowed.
    pub(crate) fn parse(text: &str) -> Result<Self, TermError> {
        let mut terms = Self::parse_all(text)?;
        match (terms.pop(), terms.is_empty()) {
            (Some(term), true) => Ok(term),
            _ => Err(TermError::NotOne),
        }
    }

    /// Reads any number of terms; variables are allowed.
    pub(crate) fn parse_all(text: &str) -> Result<Vec<Self>, TermError> {
        let mut open: Vec<Vec<Self>> = vec![Vec::new()];
        for token in tokens(text) {
            match token {
                "(" if open.len() > NESTING_MAX => return Err(TermError::TooDeep),
                "(" => open.push(Vec::new()),
                ")" => {
                    let closed = open.pop().ok_or(TermError::Unbalanced)?;
                    open.last_mut().ok_or(TermError::Unbalanced)?.push(Self::List(closed));
                }
                word => {
                    let term = word
                        .strip_prefix('?')
                        .map_or_else(|| Self::Symbol(word.into()), |name| Self::Variable(name.into()));
                    open.last_mut().ok_or(TermError::Unbalanced)?.push(term);
                }
            }
        }
        let outermost = open.pop().ok_or(TermError::Unbalanced)?;
        if open.is_empty() { Ok(outermost) } else { Err(TermError::Unbalanced) }
    }

    /// What this pattern's variables are if it is `term`; a variable used twice must agree.
    pub(crate) fn matches<'t>(&self, term: &'t Self) -> Option<Binding<'t>> {
        let mut binding = Binding::new();
        self.bind(term, &mut binding).then_some(binding)
    }

    /// The same where some variables are known already.
    pub(crate) fn matches_with<'t>(&self, term: &'t Self, known: &Binding<'t>) -> Option<Binding<'t>> {
        let mut binding = known.clone();
        self.bind(term, &mut binding).then_some(binding)
    }

    /// Whether this pattern is `term` with what is bound already; binds what is not. A binding that failed is of no
    /// further use.
    pub(crate) fn bind<'t>(&self, term: &'t Self, binding: &mut Binding<'t>) -> bool {
        match (self, term) {
            (Self::Variable(name), _) => match binding.iter().find(|(known, _)| known == name) {
                Some((_, bound)) => *bound == term,
                None => {
                    binding.push((name.clone(), term));
                    true
                }
            },
            (Self::Symbol(own), Self::Symbol(other)) => own == other,
            (Self::List(own), Self::List(other)) => {
                own.len() == other.len()
                    && own.iter().zip(other).all(|(pattern, part)| pattern.bind(part, binding))
            }
            _ => false,
        }
    }

    /// The term with what its variables are bound to; others stay.
    pub(crate) fn filled(&self, binding: &Binding<'_>) -> Self {
        match self {
            Self::Symbol(_) => self.clone(),
            Self::Variable(name) => {
                let bound = binding.iter().find(|(known, _)| known == name);
                bound.map_or_else(|| self.clone(), |(_, part)| (*part).clone())
            }
            Self::List(parts) => Self::List(parts.iter().map(|part| part.filled(binding)).collect()),
        }
    }

    /// The names of its variables, in order, each as often as it occurs.
    pub(crate) fn variables(&self) -> Vec<&str> {
        match self {
            Self::Symbol(_) => Vec::new(),
            Self::Variable(name) => vec![name],
            Self::List(parts) => parts.iter().flat_map(Self::variables).collect(),
        }
    }

    /// Whether one of these terms is this one or a part of it.
    pub(crate) fn contains_any(&self, terms: &[Self]) -> bool {
        terms.contains(self)
            || matches!(self, Self::List(parts) if parts.iter().any(|part| part.contains_any(terms)))
    }

    /// Whether the pattern has this variable.
    pub(crate) fn mentions(&self, variable: &str) -> bool {
        match self {
            Self::Symbol(_) => false,
            Self::Variable(name) => name == variable,
            Self::List(parts) => parts.iter().any(|part| part.mentions(variable)),
        }
    }
}

impl fmt::Display for PatternTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbol(name) => f.write_str(name),
            Self::Variable(name) => write!(f, "?{name}"),
            Self::List(parts) => {
                f.write_str("(")?;
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        f.write_str(" ")?;
                    }
                    part.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Parentheses one by one, and the words between them.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .flat_map(|chunk| {
            chunk.split_inclusive(['(', ')']).flat_map(|part| match part.strip_suffix(['(', ')']) {
                Some(word) => [word, &part[word.len()..]],
                None => [part, ""],
            })
        })
        .filter(|token| !token.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{PatternTerm, TermError};

    #[test]
    fn a_term_prints_as_it_is_canonically_written() {
        for text in ["pass", "(deal king)", "(f (g a ?x) 10 (h))"] {
            assert_eq!(PatternTerm::parse(text).map(|term| term.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(PatternTerm::parse(" ( f\n(g) ) ").map(|term| term.to_string()), Ok("(f (g))".to_owned()));
    }

    #[test]
    fn what_is_not_one_term_is_refused() {
        assert_eq!(PatternTerm::parse(""), Err(TermError::NotOne));
        assert_eq!(PatternTerm::parse("a b"), Err(TermError::NotOne));
        assert_eq!(PatternTerm::parse("(a"), Err(TermError::Unbalanced));
        assert_eq!(PatternTerm::parse("a)"), Err(TermError::Unbalanced));
        assert_eq!(PatternTerm::parse(&"(".repeat(1_000_000)), Err(TermError::TooDeep));
    }

    #[test]
    fn a_variable_used_twice_must_agree() {
        let pattern = PatternTerm::parse("(move ?x ?x)").expect("a pattern");
        assert!(pattern.matches(&PatternTerm::parse("(move (c 1) (c 1))").expect("a term")).is_some());
        assert!(pattern.matches(&PatternTerm::parse("(move (c 1) (c 2))").expect("a term")).is_none());
    }
}
