//! Names, ground terms, and patterns that match them.

use std::{collections::BTreeMap, rc::Rc};

use croupier_engine::{Span, stages::syntax};

/// A name of the rules, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name(usize);

/// Every name that the rules mention.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    texts: Vec<String>,
    numbers: BTreeMap<String, Name>,
}

impl Names {
    pub(super) fn add(&mut self, text: &str) -> Name {
        if let Some(&name) = self.numbers.get(text) {
            return name;
        }
        let name = Name(self.texts.len());
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), name);
        name
    }

    pub(super) fn find(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied()
    }

    pub(super) fn text(&self, name: Name) -> &str {
        &self.texts[name.0]
    }

    /// The ground term that the parser read, or `None` where a name is not in the rules.
    pub(super) fn ground(&self, term: &syntax::Term) -> Option<Term> {
        let name = self.find(term.name()?)?;
        if term.arguments().is_empty() {
            return Some(Term::Constant(name));
        }
        let arguments = term.arguments().iter().map(|argument| self.ground(argument));
        Some(Term::Compound(name, arguments.collect::<Option<_>>()?))
    }

    /// The term as the parser would read it.
    pub(super) fn written(&self, term: &Term) -> syntax::Term {
        let kind = match term {
            Term::Constant(name) => syntax::TermKind::Constant(self.text(*name).to_owned()),
            Term::Compound(name, arguments) => {
                let arguments = arguments.iter().map(|argument| self.written(argument)).collect();
                syntax::TermKind::Compound(self.text(*name).to_owned(), arguments)
            }
        };
        syntax::Term { span: Span::new(0, 0), kind }
    }

    /// Canonical print: lower case, single spaces.
    pub(super) fn print(&self, term: &Term) -> String {
        match term {
            Term::Constant(name) => self.text(*name).to_owned(),
            Term::Compound(name, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|argument| self.print(argument)).collect();
                format!("({} {})", self.text(*name), arguments.join(" "))
            }
        }
    }
}

/// A ground term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term {
    Constant(Name),
    Compound(Name, Rc<[Term]>),
}

/// A term of a rule; variables are numbered within the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Variable(usize),
    Constant(Name),
    Compound(Name, Vec<Pattern>),
}

/// What each variable of a rule stands for so far.
pub(super) type Substitution = Vec<Option<Term>>;

impl Pattern {
    /// The term that this stands for, or `None` where a variable stands for nothing yet.
    pub(super) fn apply(&self, substitution: &Substitution) -> Option<Term> {
        match self {
            Self::Variable(variable) => substitution[*variable].clone(),
            Self::Constant(name) => Some(Term::Constant(*name)),
            Self::Compound(name, arguments) => {
                let arguments = arguments.iter().map(|argument| argument.apply(substitution));
                Some(Term::Compound(*name, arguments.collect::<Option<_>>()?))
            }
        }
    }

    /// Extends `substitution` so that this stands for `term`. On failure some variables may be set.
    pub(super) fn matches(&self, term: &Term, substitution: &mut Substitution) -> bool {
        match (self, term) {
            (Self::Variable(variable), _) => match &substitution[*variable] {
                Some(known) => known == term,
                None => {
                    substitution[*variable] = Some(term.clone());
                    true
                }
            },
            (Self::Constant(name), Term::Constant(other)) => name == other,
            (Self::Compound(name, patterns), Term::Compound(other, terms)) => {
                name == other && match_all(patterns, terms, substitution)
            }
            _ => false,
        }
    }

    /// Every variable in it, perhaps several times.
    pub(super) fn variables(&self) -> Vec<usize> {
        match self {
            Self::Variable(variable) => vec![*variable],
            Self::Constant(_) => Vec::new(),
            Self::Compound(_, arguments) => arguments.iter().flat_map(Self::variables).collect(),
        }
    }
}

/// Matches argument by argument.
pub(super) fn match_all(patterns: &[Pattern], terms: &[Term], substitution: &mut Substitution) -> bool {
    patterns.len() == terms.len()
        && patterns.iter().zip(terms).all(|(pattern, term)| pattern.matches(term, substitution))
}
