//! Rules drawn place by place: variables for roles, values and times, bound before they are used.

use super::{LIFETIMES, VALUES};
use crate::generator::dice::Dice;

/// What can stand in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Role,
    Value,
    Time,
}

/// What is done with times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Lifetimes are set, kept, and asked whether they are infinite.
    Clocks,
    /// Times are compared, and flow into other terms.
    Terms,
    /// Values that are none flow into lifetimes as well.
    Careless,
}

/// An atom or term with places.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// Each place is an underscore.
    text: String,
    kinds: Vec<Kind>,
}

impl Template {
    pub(super) fn new(text: &str, kinds: &[Kind]) -> Self {
        assert_eq!(text.matches('_').count(), kinds.len(), "a kind for each place of {text}");
        Self { text: text.to_owned(), kinds: kinds.to_vec() }
    }

    /// A name with these arguments.
    pub(super) fn plain(name: &str, kinds: &[Kind]) -> Self {
        match kinds.is_empty() {
            true => Self::new(name, kinds),
            false => Self::new(&format!("({name}{})", " _".repeat(kinds.len())), kinds),
        }
    }

    /// It as the only further argument of a relation.
    pub(super) fn within(&self, relation: &str) -> Self {
        Self::new(&format!("({relation} {})", self.text), &self.kinds)
    }

    /// Whether it has a place of this kind.
    pub(super) fn has(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Whether it is an atom of this relation.
    pub(super) fn is_of(&self, relation: &str) -> bool {
        self.text.split(['(', ' ', ')']).find(|word| !word.is_empty()) == Some(relation)
    }

    /// A fluent as `init`, `true` or `next` has it.
    pub(super) fn timed(&self, keyword: &str) -> Self {
        Self::new(&format!("({keyword} _ {})", self.text), &[&[Kind::Time], &self.kinds[..]].concat())
    }

    /// A move or percept of some role.
    pub(super) fn of_role(&self, keyword: &str) -> Self {
        Self::new(&format!("({keyword} _ {})", self.text), &[&[Kind::Role], &self.kinds[..]].concat())
    }

    fn filled(&self, mut argument: impl FnMut(Kind) -> String) -> String {
        let mut pieces = self.text.split('_');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for (kind, piece) in self.kinds.iter().zip(pieces) {
            text += &argument(*kind);
            text += piece;
        }
        text
    }
}

/// The conditions of one rule.
pub(super) struct Body<'d> {
    dice: &'d mut Dice,
    values: usize,
    use_of_times: Use,
    literals: Vec<String>,
    /// Variables that a positive literal binds.
    bound: Vec<(Kind, String)>,
}

impl<'d> Body<'d> {
    pub(super) fn new(dice: &'d mut Dice, values: usize, use_of_times: Use) -> Self {
        Self { dice, values, use_of_times, literals: Vec::new(), bound: Vec::new() }
    }

    /// Draws conditions, `first` among them, and the head that they lead to.
    pub(super) fn rule(&mut self, head: &Template, from: &[Template], first: Option<&Template>) -> String {
        if let Some(first) = first {
            self.positive(first);
        }
        let counts: &[usize] = if first.is_some() { &[0, 0, 0, 1, 1, 2] } else { &[1, 1, 2] };
        for _ in 0..*self.dice.pick(counts) {
            let template = self.dice.pick(from).clone();
            self.positive(&template);
        }
        for _ in 0..*self.dice.pick(&[0, 0, 0, 0, 1, 1, 2]) {
            self.test(from);
        }
        self.head(head)
    }

    /// The rule that keeps a fluent for the rest of its lifetime, mostly whatever happens.
    pub(super) fn frame(&mut self, fluent: &Template, from: &[Template]) -> String {
        let kept = self.positive(&fluent.timed("true"));
        if self.dice.chance(20) {
            self.test(from);
        }
        let head = match self.dice.chance(85) {
            true => kept.replacen("true", "next", 1),
            false => self.head(&fluent.timed("next")),
        };
        self.clause(&head)
    }

    /// The rule that keeps what is left of a fluent's lifetime when something happens.
    pub(super) fn kept(&mut self, fluent: &Template, event: &Template) -> String {
        self.positive(&fluent.timed("true"));
        self.positive(event);
        let head = self.closed(&Template::new("(next infinity (kept _))", &[Kind::Time]));
        self.clause(&head)
    }

    pub(super) fn clause(&self, head: &str) -> String {
        format!("(<= {head} {})", self.literals.join(" "))
    }

    /// Adds an atom that may bind variables, and returns it.
    fn positive(&mut self, template: &Template) -> String {
        let atom = template.filled(|kind| {
            let is_bound = self.bound.iter().any(|one| one.0 == kind);
            match self.dice.below(100) {
                _ if kind == Kind::Time && self.use_of_times == Use::Clocks => self.clock(),
                0..12 => self.constant(kind),
                12..40 if is_bound => self.bound_term(kind),
                _ => self.fresh(kind),
            }
        });
        self.literals.push(atom.clone());
        atom
    }

    /// A time of its own, or the one that lasts.
    fn clock(&mut self) -> String {
        if self.dice.chance(15) { "infinity".to_owned() } else { self.fresh(Kind::Time) }
    }

    fn fresh(&mut self, kind: Kind) -> String {
        let prefix = match kind {
            Kind::Role => "r",
            Kind::Value => "x",
            Kind::Time => "t",
        };
        let variable = format!("?{prefix}{}", self.bound.len());
        self.bound.push((kind, variable.clone()));
        variable
    }

    /// An atom that binds nothing.
    pub(super) fn closed(&mut self, template: &Template) -> String {
        template.filled(|kind| match kind {
            Kind::Time if self.use_of_times == Use::Clocks => "infinity".to_owned(),
            _ => self.bound_term(kind),
        })
    }

    fn head(&mut self, template: &Template) -> String {
        let use_of_times = self.use_of_times;
        template.filled(|kind| match kind {
            // A time may flow out of a lifetime, and a value should not flow into one.
            Kind::Value if use_of_times != Use::Clocks && self.dice.chance(18) => self.bound_term(Kind::Time),
            // A constant that is no lifetime would be found without playing.
            Kind::Time if use_of_times == Use::Careless && self.dice.chance(60) => {
                self.bound(Kind::Value).unwrap_or_else(|| self.constant(Kind::Time))
            }
            Kind::Time if self.dice.chance(40) => self.constant(Kind::Time),
            _ => self.bound_term(kind),
        })
    }

    /// A bound variable of this kind if there is one, mostly.
    fn bound_term(&mut self, kind: Kind) -> String {
        let is_constant = self.dice.chance(20);
        self.bound(kind).filter(|_| !is_constant).unwrap_or_else(|| self.constant(kind))
    }

    fn bound(&mut self, kind: Kind) -> Option<String> {
        let bound: Vec<&String> = self.bound.iter().filter(|one| one.0 == kind).map(|one| &one.1).collect();
        (!bound.is_empty()).then(|| (*self.dice.pick(&bound)).clone())
    }

    /// A constant of this kind, in one of its spellings.
    pub(super) fn constant(&mut self, kind: Kind) -> String {
        let spellings: &[&str] = match kind {
            Kind::Role => &["red", "blue"],
            Kind::Value => VALUES[self.dice.below(self.values)],
            Kind::Time => LIFETIMES[self.dice.below(LIFETIMES.len())],
        };
        (*self.dice.pick(spellings)).to_owned()
    }

    /// Adds a condition that binds nothing.
    fn test(&mut self, from: &[Template]) {
        let mut atom = || {
            let template = self.dice.pick(from).clone();
            self.closed(&template)
        };
        let (one, other) = (atom(), atom());
        let kind = *self.dice.pick(&[Kind::Role, Kind::Value, Kind::Value, Kind::Time]);
        let kind = if self.use_of_times == Use::Clocks { Kind::Value } else { kind };
        let (left, mut right) = (self.bound_term(kind), self.bound_term(kind));
        if left == right {
            right = self.constant(kind);
        }
        let literal = match self.dice.below(10) {
            0..=4 => format!("(not {one})"),
            5 | 6 => format!("(distinct {left} {right})"),
            7 => format!("(or {one} (not {other}))"),
            8 => format!("(not (or {one} (and {other} (distinct {left} {right}))))"),
            _ => format!("(not (not (and {one} (or {other} (not (distinct {left} {right}))))))"),
        };
        self.literals.push(literal);
    }
}
