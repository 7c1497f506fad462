//! The possible values in each position of relations, fluents, moves and percepts.
//!
//! A position is an argument of a relation, or of a function inside it; `init`, `next`, `base` and `true` share theirs, as
//! do `legal`, `input` and `does`. A constant can occur where a head writes it. A variable carries into a head the values that
//! all the positions that bind it have in common. From `(p a)`, `(p b)`, `(q b)` and `(<= (r ?x) (p ?x) (q ?x))` it follows
//! that only `b` can occur in `r`. This includes all values that can ever hold, and possibly more.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    id::{PredicateId, SymbolId},
    rules::{Atom, Keyword, Literal, Program, Rule, Term, TimeMarks},
};

/// Values that are compared before everything counts as unknown.
const STEPS_MAX: usize = 4_000_000;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TermPlace {
    Argument(PredicateId, usize),
    Role,
    Fluent,
    Lifetime,
    Move,
    Percept,
    /// An argument of a function in another place.
    Inside(usize, (SymbolId, usize), usize),
}

/// Where the arguments of a function stand.
pub(super) enum Inner {
    /// The outer place can hold anything.
    Anything,
    /// The function never stands there.
    Nothing,
    /// The place of each argument.
    Places(Vec<usize>),
}

/// The values that a rule lets a variable carry into its head.
struct Flow {
    to: usize,
    from: Vec<usize>,
}

pub(super) struct Places {
    numbers: BTreeMap<TermPlace, usize>,
    inner: Vec<Vec<usize>>,
    /// The constants that can occur there; none if they are unknown.
    values: Vec<Option<BTreeSet<SymbolId>>>,
    /// Whether functions can occur there.
    has_functions: Vec<bool>,
    /// Places that a variable joins have one leader.
    leaders: Vec<usize>,
    keywords: BTreeMap<PredicateId, Keyword>,
    marks: TimeMarks,
}

impl Places {
    pub(super) fn of(program: &Program) -> Self {
        Self::with_unknown(program, |_| false)
    }

    /// The same where it is unknown what holds of some relations, for example because nothing defines them.
    pub(super) fn with_unknown(program: &Program, is_unknown: impl Fn(PredicateId) -> bool) -> Self {
        let keywords = Keyword::ALL.into_iter();
        let keywords = keywords.filter_map(|keyword| Some((program.keyword(keyword)?, keyword))).collect();
        let mut places = Self {
            numbers: BTreeMap::new(),
            inner: Vec::new(),
            values: Vec::new(),
            has_functions: Vec::new(),
            leaders: Vec::new(),
            keywords,
            marks: TimeMarks::of(program),
        };
        let mut flows = Vec::new();
        for rule in &program.rules {
            places.add(rule, &mut flows);
        }
        // What is left of a lifetime can be any number.
        let is_open = |place: &TermPlace| match place {
            TermPlace::Lifetime => true,
            TermPlace::Argument(predicate, _) => is_unknown(*predicate),
            _ => false,
        };
        let open = places.numbers.iter().filter(|(place, _)| is_open(place));
        let open: Vec<usize> = open.map(|(_, &number)| number).collect();
        for place in open {
            places.open(place);
        }
        if !places.fill(&flows) {
            places.values.fill(None);
        }
        places
    }

    /// The keyword that a predicate is.
    pub(super) fn keyword(&self, predicate: PredicateId) -> Option<Keyword> {
        self.keywords.get(&predicate).copied()
    }

    /// The constants that can occur wherever the head has the variable, if they are known and no function can.
    pub(super) fn in_head(&mut self, rule: &Rule, variable: usize) -> Option<Vec<SymbolId>> {
        let mut common: Option<BTreeSet<SymbolId>> = None;
        for place in self.places_of(&rule.head, variable) {
            let values = self.values[place].as_ref().filter(|_| !self.has_functions[place])?;
            common = Some(match common {
                Some(known) => &known & values,
                None => values.clone(),
            });
        }
        common.map(|values| values.into_iter().collect())
    }

    /// The place of an argument of a relation, whatever stands in it.
    pub(super) fn of_argument(&mut self, predicate: PredicateId, index: usize) -> usize {
        let place = Self::place(self.keyword(predicate), predicate, index);
        self.number(place)
    }

    /// The place of fluents.
    pub(super) fn of_fluents(&mut self) -> usize {
        self.number(TermPlace::Fluent)
    }

    /// The place of moves.
    pub(super) fn of_moves(&mut self) -> usize {
        self.number(TermPlace::Move)
    }

    /// The place of percepts.
    pub(super) fn of_percepts(&mut self) -> usize {
        self.number(TermPlace::Percept)
    }

    /// The constants that can stand in a place; `None` where anything can.
    pub(super) fn constants(&self, place: usize) -> Option<&BTreeSet<SymbolId>> {
        self.values[place].as_ref()
    }

    /// Whether nothing can stand there.
    pub(super) fn is_empty(&self, place: usize) -> bool {
        self.values[place].as_ref().is_some_and(BTreeSet::is_empty) && !self.has_functions[place]
    }

    /// Where the arguments of a function stand if it stands in a place.
    pub(super) fn inner(&self, place: usize, function: SymbolId, arity: usize) -> Inner {
        if self.values[place].is_none() {
            return Inner::Anything;
        }
        let places =
            (0..arity).map(|index| self.numbers.get(&TermPlace::Inside(place, (function, arity), index)));
        match places.map(|place| place.copied()).collect::<Option<Vec<usize>>>() {
            Some(places) if self.has_functions[place] => Inner::Places(places),
            _ => Inner::Nothing,
        }
    }

    /// The functions that rules write in a place, each with the places of its arguments.
    pub(super) fn functions(
        &self,
        place: usize,
    ) -> impl Iterator<Item = ((SymbolId, usize), Vec<usize>)> + '_ {
        let first = self.numbers.keys().filter_map(move |known| match known {
            TermPlace::Inside(outer, function, 0) if *outer == place => Some(*function),
            _ => None,
        });
        first.filter_map(move |(function, arity)| match self.inner(place, function, arity) {
            Inner::Places(inner) => Some(((function, arity), inner)),
            Inner::Anything | Inner::Nothing => None,
        })
    }

    /// Whether rules carry the head's value at this position to a position of roles, or from one.
    pub(super) fn is_of_roles(&mut self, rule: &Rule, variable: usize) -> bool {
        let role = self.number(TermPlace::Role);
        let role = self.leader(role);
        self.places_of(&rule.head, variable).into_iter().any(|place| self.leader(place) == role)
    }

    fn places_of(&mut self, atom: &Atom, wanted: usize) -> Vec<usize> {
        let mut found = Vec::new();
        self.walk(atom, &mut |place, term| {
            if *term == Term::Variable(wanted) {
                found.push(place);
            }
        });
        found
    }

    fn add(&mut self, rule: &Rule, flows: &mut Vec<Flow>) {
        let mut all = vec![Vec::new(); rule.variables.len()];
        let mut from = all.clone();
        for literal in &rule.body {
            let Some(atom) = literal.atom() else { continue };
            let is_positive = matches!(literal, Literal::Positive(_));
            self.walk(atom, &mut |place, term| {
                if let Term::Variable(variable) = term {
                    all[*variable].push(place);
                    if is_positive {
                        from[*variable].push(place);
                    }
                }
            });
        }
        let mut concluded = Vec::new();
        self.walk(&rule.head, &mut |place, term| concluded.push((place, term.clone())));
        for (place, term) in concluded {
            match term {
                Term::Variable(variable) => {
                    all[variable].push(place);
                    flows.push(Flow { to: place, from: from[variable].clone() });
                }
                Term::Constant(symbol) => {
                    self.values[place].get_or_insert_default().insert(symbol);
                }
                Term::Compound(..) => self.has_functions[place] = true,
            }
        }
        for joined in all {
            for pair in joined.windows(2) {
                let (one, other) = (self.leader(pair[0]), self.leader(pair[1]));
                self.leaders[one] = other;
            }
        }
    }

    /// Calls `visit` with every place of an atom and the term in it, those inside functions included.
    fn walk(&mut self, atom: &Atom, visit: &mut impl FnMut(usize, &Term)) {
        let keyword = self.keyword(atom.predicate);
        for (index, term) in atom.arguments.iter().enumerate() {
            let (lifetime, term) = self.marks.parts(term);
            if let Some(lifetime) = lifetime {
                let place = self.number(TermPlace::Lifetime);
                self.walk_term(place, lifetime, visit);
            }
            let place = Self::place(keyword, atom.predicate, index);
            let place = self.number(place);
            self.walk_term(place, term, visit);
        }
    }

    fn place(keyword: Option<Keyword>, predicate: PredicateId, index: usize) -> TermPlace {
        match (keyword, index) {
            (Some(Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base), _) => TermPlace::Fluent,
            (Some(Keyword::Role), _) => TermPlace::Role,
            (Some(Keyword::Goal | Keyword::Legal | Keyword::Does), 0) => TermPlace::Role,
            (Some(Keyword::Sees | Keyword::Input | Keyword::Percept), 0) => TermPlace::Role,
            (Some(Keyword::Legal | Keyword::Does | Keyword::Input), _) => TermPlace::Move,
            (Some(Keyword::Sees | Keyword::Percept), _) => TermPlace::Percept,
            (Some(Keyword::Goal | Keyword::Terminal) | None, _) => TermPlace::Argument(predicate, index),
        }
    }

    fn walk_term(&mut self, place: usize, term: &Term, visit: &mut impl FnMut(usize, &Term)) {
        visit(place, term);
        let Term::Compound(function, arguments) = term else { return };
        for (index, argument) in arguments.iter().enumerate() {
            let inside = self.number(TermPlace::Inside(place, (*function, arguments.len()), index));
            self.walk_term(inside, argument, visit);
        }
    }

    fn number(&mut self, place: TermPlace) -> usize {
        let next = self.inner.len();
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.inner.push(Vec::new());
            self.values.push(Some(BTreeSet::new()));
            self.has_functions.push(false);
            self.leaders.push(next);
            if let TermPlace::Inside(outer, ..) = place {
                self.inner[outer].push(next);
            }
        }
        number
    }

    fn leader(&mut self, mut place: usize) -> usize {
        while self.leaders[place] != place {
            self.leaders[place] = self.leaders[self.leaders[place]];
            place = self.leaders[place];
        }
        place
    }

    /// Lets values flow until nothing changes; whether that took no more steps than allowed.
    fn fill(&mut self, flows: &[Flow]) -> bool {
        let mut steps = 0;
        loop {
            let mut has_changed = false;
            for flow in flows.iter().filter(|flow| !flow.from.is_empty() && !flow.from.contains(&flow.to)) {
                if flow.from.iter().all(|&from| self.has_functions[from]) {
                    has_changed |= self.open(flow.to);
                }
                let known = flow.from.iter().filter_map(|&from| self.values[from].as_ref());
                let Some(fewest) = known.clone().min_by_key(|values| values.len()) else {
                    has_changed |= self.open(flow.to);
                    continue;
                };
                steps += 1 + fewest.len() * flow.from.len();
                if steps > STEPS_MAX {
                    return false;
                }
                let new: Vec<SymbolId> = match &self.values[flow.to] {
                    None => continue,
                    Some(old) => {
                        let is_new = |value: &&SymbolId| {
                            !old.contains(value) && known.clone().all(|values| values.contains(value))
                        };
                        fewest.iter().filter(is_new).copied().collect()
                    }
                };
                has_changed |= !new.is_empty();
                self.values[flow.to].get_or_insert_default().extend(new);
            }
            if !has_changed {
                return true;
            }
        }
    }

    /// Marks that anything can occur there from now on, and inside it; returns whether that is new.
    fn open(&mut self, place: usize) -> bool {
        let mut has_changed = false;
        let mut open = vec![place];
        while let Some(place) = open.pop() {
            if self.values[place].take().is_some() || !self.has_functions[place] {
                self.has_functions[place] = true;
                has_changed = true;
                open.extend(&self.inner[place]);
            }
        }
        has_changed
    }
}
