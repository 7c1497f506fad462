//! What fluents, moves and percepts of a game can look like, without playing it.
//!
//! [`Places`] says which constants and functions can stand in each place of the rules: more than what can ever hold, and
//! never less. So what does not fit here never comes up in a match.

use super::places::{Inner, Places};
use crate::{
    rules::{Program, Symbols},
    syntax::{Term, TermKind as Written},
};

/// What a term is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermKind {
    /// Something that can be true in a state.
    Fluent,
    /// Something that a role can play.
    Move,
    /// Something that a role can be told.
    Percept,
}

/// A name that can stand somewhere, and its number of arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    /// The name of a constant or function.
    pub name: String,
    /// Its arguments; a constant has none.
    pub arity: usize,
}

/// The part of a pattern that cannot stand where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The part.
    pub part: Term,
    /// What can stand there, in order; empty if it is unknown, or nothing can.
    pub possible: Vec<Shape>,
}

/// What the fluents, moves and percepts of a game can look like.
///
/// ```
/// use croupier_engine::{Limits, Strictness, stages::{check::{Shapes, TermKind, check_text}, syntax::{Syntax, read}}};
///
/// let rules = "(role me) (card king) (card queen) (<= (legal me (take ?c)) (card ?c)) (<= (next (has ?c)) (does me (take ?c)))
///     (<= terminal (true (has ?c))) (goal me 50)";
/// let (checked, _) = check_text(rules, Strictness::Compatible, &Limits::STANDARD);
/// let checked = checked.ok_or("sound rules")?;
/// let mut shapes = Shapes::of(checked.program());
/// let mut misfit = |pattern| {
///     let term = read(pattern, Syntax::Prefix, &Limits::STANDARD).description.clauses.remove(0).head;
///     shapes.misfit(TermKind::Move, &term)
/// };
/// assert!(misfit("(take ?card)").is_none());
/// let never = misfit("(take jack)").ok_or("nobody can take a jack")?;
/// assert_eq!(never.possible.iter().map(|shape| shape.name.as_str()).collect::<Vec<_>>(), ["king", "queen"]);
/// # Ok::<(), &str>(())
/// ```
pub struct Shapes<'p> {
    places: Places,
    symbols: &'p Symbols,
}

impl<'p> Shapes<'p> {
    /// The shapes of what a program can make true, legal or seen.
    #[must_use]
    pub fn of(program: &'p Program) -> Self {
        Self { places: Places::of(program), symbols: &program.symbols }
    }

    /// The first part of a pattern that keeps it from ever being such a term; a variable stands for any part.
    pub fn misfit(&mut self, kind: TermKind, pattern: &Term) -> Option<Misfit> {
        let place = match kind {
            TermKind::Fluent => self.places.of_fluents(),
            TermKind::Move => self.places.of_moves(),
            TermKind::Percept => self.places.of_percepts(),
        };
        self.misfit_at(place, pattern)
    }

    /// What such terms can be, by name and number of arguments; empty if it is unknown.
    pub fn possible(&mut self, kind: TermKind) -> Vec<Shape> {
        let place = match kind {
            TermKind::Fluent => self.places.of_fluents(),
            TermKind::Move => self.places.of_moves(),
            TermKind::Percept => self.places.of_percepts(),
        };
        self.possible_at(place)
    }

    fn misfit_at(&self, place: usize, pattern: &Term) -> Option<Misfit> {
        let misfit = || Some(Misfit { part: pattern.clone(), possible: self.possible_at(place) });
        let (name, arguments) = match &pattern.kind {
            Written::Variable(_) => return if self.places.is_empty(place) { misfit() } else { None },
            Written::Constant(name) => (name, &[][..]),
            Written::Compound(name, arguments) => (name, arguments.as_slice()),
        };
        let Some(symbol) = self.symbols.get(name) else { return misfit() };
        if arguments.is_empty() {
            let can_be = self.places.constants(place).is_none_or(|values| values.contains(&symbol));
            return if can_be { None } else { misfit() };
        }
        match self.places.inner(place, symbol, arguments.len()) {
            Inner::Anything => arguments.iter().find_map(|argument| self.unknown_part(argument)),
            Inner::Nothing => misfit(),
            Inner::Places(inner) if inner.iter().any(|&inner| self.places.is_empty(inner)) => misfit(),
            Inner::Places(inner) => {
                let mut parts = inner.iter().zip(arguments);
                parts.find_map(|(&inner, argument)| self.misfit_at(inner, argument))
            }
        }
    }

    /// Where anything can stand, a name that the rules do not have still cannot.
    fn unknown_part(&self, pattern: &Term) -> Option<Misfit> {
        let is_unknown = pattern.name().is_some_and(|name| self.symbols.get(name).is_none());
        if is_unknown {
            return Some(Misfit { part: pattern.clone(), possible: Vec::new() });
        }
        pattern.arguments().iter().find_map(|argument| self.unknown_part(argument))
    }

    fn possible_at(&self, place: usize) -> Vec<Shape> {
        let constants = self.places.constants(place).into_iter().flatten();
        let constants = constants.map(|&symbol| (symbol, 0));
        let functions = self
            .places
            .functions(place)
            .filter(|(_, inner)| inner.iter().all(|&inner| !self.places.is_empty(inner)));
        let functions = functions.map(|((symbol, arity), _)| (symbol, arity));
        let shape = |(symbol, arity)| Shape { name: self.symbols.name(symbol).to_owned(), arity };
        let mut shapes: Vec<Shape> = constants.chain(functions).map(shape).collect();
        shapes.sort();
        shapes.dedup();
        shapes
    }
}
