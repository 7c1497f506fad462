//! Lifetimes as terms, and back.
//!
//! Rules can only ask whether two times are the same. So a lifetime that no rule and no term
//! has mentioned so far is represented by a placeholder for the length of an update: its actual value cannot matter. If a rule
//! carries a time from a lifetime into another position, the placeholder is replaced by the number, which from then on
//! is a term of the game. So the number of terms does not grow with the instants of moves.

use rustc_hash::FxHashMap;

use crate::{
    datalog::{Terms, Vocabulary},
    diagnostic::Span,
    id::TermId,
    lifetime::{INFINITY, Lifetime},
    limits::LimitError,
    rules::Symbols,
    syntax::{self, TermKind},
};

/// Which terms are times.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// The term of each lifetime that some rule or term mentions.
    terms: FxHashMap<Lifetime, TermId>,
    lifetimes: FxHashMap<TermId, Lifetime>,
    /// Placeholder terms for lifetimes that nothing mentions.
    placeholders: Vec<TermId>,
    places: FxHashMap<TermId, usize>,
}

impl Numbers {
    /// The numbers among the names of rules, whose terms have the same indices as their symbols.
    pub(super) fn of(symbols: &Symbols, vocabulary: &Vocabulary) -> Result<Self, LimitError> {
        let mut numbers = Self::default();
        for index in 0..symbols.len() {
            let term = TermId::new(index).expect("symbols were counted when interned");
            let name = vocabulary.print(term);
            if let Ok(lifetime) = name.parse::<Lifetime>() {
                numbers.add(lifetime, term);
            }
        }
        let infinity = vocabulary.intern(&constant(INFINITY.to_owned()))?;
        numbers.add(Lifetime::INFINITY, infinity);
        Ok(numbers)
    }

    fn add(&mut self, lifetime: Lifetime, term: TermId) {
        self.terms.insert(lifetime, term);
        self.lifetimes.insert(term, lifetime);
    }

    /// The lifetime that a term is, or that it represents in this update.
    pub(super) fn lifetime(&self, term: TermId, used: &Placeholders) -> Option<Lifetime> {
        match self.places.get(&term) {
            Some(&place) => used.lifetimes.get(place).copied(),
            None => self.lifetimes.get(&term).copied(),
        }
    }

    /// The term to give to a lifetime in this update.
    pub(super) fn term(
        &mut self,
        lifetime: Lifetime,
        used: &mut Placeholders,
        vocabulary: &Vocabulary,
    ) -> Result<TermId, LimitError> {
        if let Some(&term) = self.terms.get(&lifetime) {
            return Ok(term);
        }
        let place = used.place(lifetime);
        if place == self.placeholders.len() {
            let term = vocabulary.intern(&constant(format!("time {place}")))?;
            self.placeholders.push(term);
            self.places.insert(term, place);
        }
        Ok(self.placeholders[place])
    }

    /// The number that is written for a lifetime: a term of the game from now on.
    fn number(&mut self, lifetime: Lifetime, vocabulary: &Vocabulary) -> Result<TermId, LimitError> {
        if let Some(&term) = self.terms.get(&lifetime) {
            return Ok(term);
        }
        let term = vocabulary.intern(&constant(lifetime.to_string()))?;
        self.add(lifetime, term);
        Ok(term)
    }

    /// Adds the times among the constants of a term.
    pub(super) fn add_written(
        &mut self,
        term: &syntax::Term,
        vocabulary: &Vocabulary,
    ) -> Result<(), LimitError> {
        match &term.kind {
            TermKind::Variable(_) => Ok(()),
            TermKind::Constant(name) => match name.parse::<Lifetime>() {
                Ok(lifetime) => self.number(lifetime, vocabulary).map(|_| ()),
                Err(_) => Ok(()),
            },
            TermKind::Compound(_, arguments) => {
                arguments.iter().try_for_each(|argument| self.add_written(argument, vocabulary))
            }
        }
    }

    /// A term with numbers for the placeholders in it.
    pub(super) fn written(
        &mut self,
        term: TermId,
        used: &Placeholders,
        terms: &mut Terms,
    ) -> Result<TermId, LimitError> {
        if used.lifetimes.is_empty() {
            return Ok(term);
        }
        if let Some(&place) = self.places.get(&term) {
            let number = self.number(used.lifetimes[place], &terms.vocabulary().clone())?;
            terms.catch_up();
            return Ok(number);
        }
        let (symbol, arguments) = terms.parts(term.raw());
        if arguments.is_empty() {
            return Ok(term);
        }
        let arguments = arguments.to_vec();
        let mut written = Vec::with_capacity(arguments.len());
        for &argument in &arguments {
            written.push(self.written(TermId::from_raw(argument), used, terms)?.raw());
        }
        if written == arguments { Ok(term) } else { terms.intern(symbol, written.iter().copied()) }
    }
}

/// The values of the placeholders in one update.
#[derive(Debug, Default)]
pub(super) struct Placeholders {
    lifetimes: Vec<Lifetime>,
}

impl Placeholders {
    pub(super) fn clear(&mut self) {
        self.lifetimes.clear();
    }

    fn place(&mut self, lifetime: Lifetime) -> usize {
        let known = self.lifetimes.iter().position(|&known| known == lifetime);
        known.unwrap_or_else(|| {
            self.lifetimes.push(lifetime);
            self.lifetimes.len() - 1
        })
    }
}

fn constant(name: String) -> syntax::Term {
    syntax::Term { span: Span::new(0, 0), kind: TermKind::Constant(name) }
}
