//! What must be so for a pattern to fit: conditions on what somebody knows of a state.

use crate::{
    scene::Scene,
    term::{Binding, PatternTerm},
};

/// One condition behind the `if` of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Something of this form is known to be true.
    Holds(PatternTerm),
    /// `(not ...)`: nothing of this form is true, nor may be.
    Fails(PatternTerm),
    /// `(distinct ...)`: the two are not the same.
    Differ(PatternTerm, PatternTerm),
}

impl Condition {
    /// The condition that a term stands for, as in rules.
    pub(crate) fn of(term: PatternTerm) -> Self {
        match term {
            PatternTerm::List(parts) => match parts.as_slice() {
                [PatternTerm::Symbol(word), fact] if word == "not" => Self::Fails(fact.clone()),
                [PatternTerm::Symbol(word), one, other] if word == "distinct" => {
                    Self::Differ(one.clone(), other.clone())
                }
                _ => Self::Holds(PatternTerm::List(parts)),
            },
            term => Self::Holds(term),
        }
    }

    /// Whether it gives a variable its value.
    pub(crate) fn binds(&self, variable: &str) -> bool {
        matches!(self, Self::Holds(pattern) if pattern.mentions(variable))
    }
}

/// A pattern, and the conditions behind its `if`: `bet if (paid ?other 2)`.
///
/// `None` if `if` stands somewhere else, or if there is no pattern.
pub(crate) fn conditional(terms: Vec<PatternTerm>) -> Option<(PatternTerm, Vec<Condition>)> {
    let mut terms = terms.into_iter();
    let pattern = terms.next()?;
    match terms.next() {
        None => Some((pattern, Vec::new())),
        Some(PatternTerm::Symbol(word)) if word == "if" && terms.len() > 0 => {
            Some((pattern, terms.map(Condition::of).collect()))
        }
        Some(_) => None,
    }
}

/// Facts looked at for one phrase, at most: a `game.toml` of a stranger must not stop the terminal.
const LOOKS_MAX: usize = 1_000_000;

/// More solutions than these are not listed.
const SOLUTIONS_MAX: usize = 1_000;

impl Scene {
    /// All ways in which these conditions hold, in the order of the facts.
    pub(crate) fn solutions<'t>(
        &'t self,
        conditions: &[Condition],
        binding: Binding<'t>,
    ) -> Vec<Binding<'t>> {
        BindingSearch::new(self).solve(conditions, binding)
    }
}

/// A search for what the variables of conditions can be.
struct BindingSearch<'t> {
    scene: &'t Scene,
    looks: usize,
    solutions: Vec<Binding<'t>>,
}

impl<'t> BindingSearch<'t> {
    fn new(scene: &'t Scene) -> Self {
        Self { scene, looks: 0, solutions: Vec::new() }
    }

    /// All ways in which the conditions hold, in the order of the facts.
    fn solve(mut self, conditions: &[Condition], binding: Binding<'t>) -> Vec<Binding<'t>> {
        self.step(conditions, binding);
        self.solutions
    }

    fn step(&mut self, conditions: &[Condition], binding: Binding<'t>) {
        if self.looks > LOOKS_MAX || self.solutions.len() >= SOLUTIONS_MAX {
            return;
        }
        let Some((first, rest)) = conditions.split_first() else {
            self.solutions.push(binding);
            return;
        };
        match first {
            Condition::Differ(one, other) => {
                if one.filled(&binding) != other.filled(&binding) {
                    self.step(rest, binding);
                }
            }
            Condition::Fails(pattern) => {
                let Scene { certain, open, .. } = self.scene;
                self.looks += certain.len() + open.len();
                let is_it = |fact: &PatternTerm| pattern.bind(fact, &mut binding.clone());
                if !certain.iter().any(is_it) && !self.scene.leaves_open(is_it) {
                    self.step(rest, binding);
                }
            }
            Condition::Holds(pattern) => {
                for fact in &self.scene.certain {
                    self.looks += 1;
                    if self.looks > LOOKS_MAX {
                        return;
                    }
                    let mut extended = binding.clone();
                    if pattern.bind(fact, &mut extended) {
                        self.step(rest, extended);
                    }
                }
            }
        }
    }
}
