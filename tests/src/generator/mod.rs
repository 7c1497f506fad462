//! Random games, grown rule by rule: small programs that are safe, stratified and finite, and mean nothing.
//!
//! Each relation is drawn, and looked at once for what it holds of; one that holds of nothing is thrown away, mostly,
//! and drawn again. So the relations stay filled however far a program is grown, and what the whole program says of
//! the first turn is known without reading it. Relations are finished before others use them, so that negation is
//! stratified, while recursion stays inside what is drawn at once. Functions are built of values of the domain.
//!
//! # Sources
//! The growth by single rules and the redrawing of empty ones: Finding Cross-Rule Optimization Bugs in Datalog Engines
//! (OOPSLA 2024). Relations of games, joint moves and functions are not in it.

mod body;
mod dice;
mod outputs;
pub mod realtime;
mod relation;
mod term;

use croupier_engine::stages::syntax::{Clause, Formula, Term, print_term};

use crate::{
    comparison::{Moves, Position},
    oracle::{Growth, Moment},
    program::Program,
};

use body::Body;
use dice::Dice;
use relation::{Relation, Relations};
use term::{applied, constant, fact, rule, variable, variables};

/// A random game, and what is known of it.
#[derive(Clone, Debug)]
pub struct Grown {
    /// Its rules.
    pub program: Program,
    /// The initial state, what holds there, and what one joint move leads to.
    pub first: Position,
    /// Every relation that rules define, by the output that shows it.
    pub results: Vec<Output>,
}

/// What shows a relation that rules define: a move, percept or fluent with a name of its own, or a goal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Output {
    /// The name of legal moves.
    Legal(String),
    /// The name of percepts.
    Sees(String),
    /// The name of fluents.
    Next(String),
    /// A role's goal values.
    Goal(String),
}

impl Output {
    /// Whether it holds of something at a position; none where nothing was played and it depends on that.
    #[must_use]
    pub fn is_filled(&self, position: &Position) -> Option<bool> {
        let consequence = position.turn.as_ref().map(|(_, consequence)| consequence);
        let has_name = |term: &String, name: &str| {
            let rest = term.trim_start_matches('(').strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        match self {
            Self::Legal(name) => {
                Some(position.view.legal.values().flatten().any(|term| has_name(term, name)))
            }
            Self::Goal(role) => Some(!position.view.goals[role].is_empty()),
            Self::Sees(name) => {
                consequence.map(|turn| turn.sees.values().flatten().any(|term| has_name(term, name)))
            }
            Self::Next(name) => {
                consequence.map(|turn| turn.successor.iter().any(|term| has_name(term, name)))
            }
        }
    }
}

/// The game of a seed.
#[must_use]
pub fn grow(seed: u64) -> Grown {
    let mut generator = Generator::new(seed);
    generator.roles();
    generator.facts();
    generator.relations_of(1);
    generator.initial_state();
    generator.relations_of(2);
    generator.legal();
    generator.goals();
    generator.terminal();
    let moves = generator.joint_move();
    generator.relations_of(1);
    generator.next();
    generator.end();
    generator.sees();
    generator.finish(moves)
}

const CONSTANTS: [&str; 4] = ["a", "10", "2", "b"];
const PLAYERS: [&str; 2] = ["red", "blue"];
const RANDOM: &str = "random";

/// Atoms that one addition may look at. What takes more is drawn again: no engine is to be slow on it.
const EFFORT: u64 = 4_000;
/// Rows that a relation may have.
const ROWS_MAX: usize = 40;
/// How often something is drawn that holds of nothing before it is given up.
const DRAWS: usize = 6;
/// How many percent of what holds of nothing is kept.
const EMPTY_PERCENT: usize = 4;

struct Generator {
    seed: u64,
    dice: Dice,
    growth: Growth,
    relations: Relations,
    clauses: Vec<Clause>,
    roles: Vec<String>,
    /// Relations that nothing shows yet.
    hidden: Vec<(String, usize)>,
    results: Vec<Output>,
    /// Whether functions are built of anything, so that terms may grow from state to state.
    is_free: bool,
    has_sees: bool,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let (is_free, has_sees) = (dice.chance(2), !dice.chance(5));
        Self {
            seed,
            dice,
            growth: Growth::new(EFFORT),
            relations: Relations::default(),
            clauses: Vec::new(),
            roles: Vec::new(),
            hidden: Vec::new(),
            results: Vec::new(),
            is_free,
            has_sees,
        }
    }

    /// Adds clauses for good.
    fn add(&mut self, clauses: Vec<Clause>) {
        self.growth.add(&clauses).expect("safe rules of small relations");
        self.clauses.extend(clauses);
    }

    /// Adds a relation of which is known what it holds of.
    fn know(&mut self, name: &str, arity: usize) {
        let rows = self.growth.rows(name, arity);
        self.relations.add(Relation { name: name.to_owned(), arity, is_fluent: false, rows });
    }

    fn roles(&mut self) {
        let players = self.dice.between(1, 2);
        self.roles = PLAYERS[..players].iter().map(|role| (*role).to_owned()).collect();
        if self.dice.chance(40) {
            let place = self.dice.below(self.roles.len() + 1);
            self.roles.insert(place, RANDOM.to_owned());
        }
        self.add(self.roles.iter().map(|role| fact(applied("role", vec![constant(role)]))).collect());
    }

    /// The domain, and other relations that are given.
    fn facts(&mut self) {
        let mut values: Vec<Term> =
            CONSTANTS[..self.dice.between(2, 4)].iter().map(|name| constant(name)).collect();
        if self.dice.chance(25) {
            values.push(applied("f", vec![self.dice.pick(&values).clone()]));
        }
        if self.dice.chance(15) {
            values.push(constant(PLAYERS[0]));
        }
        self.add(values.iter().map(|value| fact(applied("dom", vec![value.clone()]))).collect());
        self.know("dom", 1);
        self.know("role", 1);
        for number in 0..self.dice.between(1, 2) {
            let (name, arity) = (format!("e{number}"), self.dice.below(4));
            let facts = self.ground_facts(&name, arity, &values);
            self.add(facts);
            self.know(&name, arity);
        }
    }

    fn ground_facts(&mut self, name: &str, arity: usize, values: &[Term]) -> Vec<Clause> {
        let count = if arity == 0 { 1 } else { self.dice.between(1, 4) };
        let mut facts: Vec<Clause> = Vec::new();
        for _ in 0..count {
            let arguments = (0..arity).map(|_| self.dice.pick(values).clone()).collect();
            let one = fact(applied(name, arguments));
            if !facts.contains(&one) {
                facts.push(one);
            }
        }
        facts
    }

    /// Fluents, and which of them are true at first, by facts and by rules.
    fn initial_state(&mut self) {
        let values: Vec<Term> = self.relations.domain().rows.iter().map(|row| row[0].clone()).collect();
        let mut fluents = Vec::new();
        for name in &["at", "lit", "on"][..*self.dice.pick(&[1, 2, 2, 3])] {
            let arity = if *name == "lit" { 0 } else { self.dice.between(1, 2) };
            fluents.push(((*name).to_owned(), arity));
            for one in self.ground_facts(name, arity, &values) {
                self.add(vec![fact(applied("init", vec![one.head]))]);
            }
        }
        if self.dice.chance(25) {
            let (name, arity) = self.dice.pick(&fluents).clone();
            let clause = self.rule_for(|body| {
                let fluent = applied(&name, body.head(arity, true, false));
                applied("init", vec![fluent])
            });
            let _ = self.grown(vec![clause], |growth| growth.rows("init", 1).len());
        }
        let initial = self.growth.rows("init", 1);
        let held: Vec<Clause> = initial.iter().map(|row| fact(applied("true", row.clone()))).collect();
        self.growth.add(&held).expect("facts");
        for (name, arity) in fluents {
            let rows = initial
                .iter()
                .filter(|row| row[0].name() == Some(&name) && row[0].arguments().len() == arity);
            let rows = rows.map(|row| row[0].arguments().to_vec()).collect();
            self.relations.add(Relation { name, arity, is_fluent: true, rows });
        }
    }

    /// Up to so many relations, alone or in pairs that depend on each other.
    fn relations_of(&mut self, most: usize) {
        for _ in 0..self.dice.below(most + 1) {
            let mut heads = vec![self.fresh_relation()];
            if self.dice.chance(12) {
                let other = self.fresh_relation();
                heads.extend((other != heads[0]).then_some(other));
            }
            self.group(&heads);
        }
    }

    /// A name that is new with its arity; seldom one that means something else too.
    fn fresh_relation(&mut self) -> (String, usize) {
        let arity = *self.dice.pick(&[0, 1, 1, 1, 2, 2, 2, 3]);
        let name = match self.dice.below(100) {
            0..4 => "f".to_owned(),
            4..8 => "at".to_owned(),
            8..16 => "p0".to_owned(),
            _ => format!("p{}", self.relations.iter().count()),
        };
        let is_known = self.relations.contains(&name, arity);
        (if is_known { format!("p{}", self.relations.iter().count()) } else { name }, arity)
    }

    /// Relations that are defined together: each by a rule that uses finished relations only, and by others.
    fn group(&mut self, heads: &[(String, usize)]) {
        let before = self.growth.now();
        for _ in 0..DRAWS {
            let mut clauses = Vec::new();
            for (name, arity) in heads {
                for _ in 0..*self.dice.pick(&[1, 1, 2]) {
                    clauses.push(self.rule_for(|body| applied(name, body.head(*arity, true, false))));
                }
            }
            let mut is_filled = self.fills(&before, &clauses, heads);
            if is_filled && self.dice.chance(40) {
                let recursive = self.recursive_rules(heads);
                let longer = [clauses.clone(), recursive].concat();
                if self.fills(&before, &longer, heads) {
                    clauses = longer;
                }
                // Whatever was tried last is taken back.
                is_filled = self.fills(&before, &clauses, heads);
            }
            if is_filled || self.dice.chance(EMPTY_PERCENT) && self.is_small(&before, &clauses, heads) {
                self.clauses.extend(clauses);
                for (name, arity) in heads {
                    self.know(name, *arity);
                    self.hidden.push((name.clone(), *arity));
                }
                return;
            }
        }
        self.growth.take_back(&before);
    }

    /// Whether the clauses give each relation something, and not too much; they are added to what was before.
    fn fills(&mut self, before: &Moment, clauses: &[Clause], heads: &[(String, usize)]) -> bool {
        self.is_small(before, clauses, heads)
            && heads.iter().all(|(name, arity)| !self.growth.rows(name, *arity).is_empty())
    }

    fn is_small(&mut self, before: &Moment, clauses: &[Clause], heads: &[(String, usize)]) -> bool {
        self.growth.take_back(before);
        self.growth.add(clauses).is_ok()
            && heads.iter().all(|(name, arity)| self.growth.rows(name, *arity).len() <= ROWS_MAX)
    }

    /// A rule with whatever head.
    fn rule_for(&mut self, head: impl FnOnce(&mut Body<'_>) -> Term) -> Clause {
        let mut body = Body::new(&mut self.dice, &self.relations);
        body.draw();
        let head = head(&mut body);
        body.draw_tests();
        rule(head, body.shuffled())
    }

    /// Rules for relations from these relations and finished ones. No term in them grows.
    fn recursive_rules(&mut self, heads: &[(String, usize)]) -> Vec<Clause> {
        let known: Vec<Relation> = heads
            .iter()
            .map(|(name, arity)| {
                let rows = self.growth.rows(name, *arity);
                Relation { name: name.clone(), arity: *arity, is_fluent: false, rows }
            })
            .collect();
        let mut clauses = Vec::new();
        for (name, arity) in heads {
            let used = self.dice.pick(&known).clone();
            let mut body = Body::new(&mut self.dice, &self.relations);
            let recursive = body.positive(&used);
            body.draw();
            body.literals.push(recursive.clone());
            let arguments = body.head(*arity, false, false);
            let head = applied(name, arguments);
            // A variable of a recursive literal is an argument of the head, or comes from below.
            let Formula::Atom(recursive) = recursive else { unreachable!("a positive literal is an atom") };
            let of_head = variables(&head);
            for name in variables(&recursive).iter().filter(|name| !of_head.contains(name)) {
                body.guard(name);
            }
            body.draw_tests();
            clauses.push(rule(head, body.shuffled()));
        }
        clauses
    }

    /// Adds clauses if they give more of something; mostly only then.
    fn grown(&mut self, clauses: Vec<Clause>, count: impl Fn(&Growth) -> usize) -> bool {
        let (before, had) = (self.growth.now(), count(&self.growth));
        let is_added = self.growth.add(&clauses).is_ok() && count(&self.growth) <= had + ROWS_MAX;
        let is_grown = is_added && count(&self.growth) > had;
        if is_grown || is_added && self.dice.chance(EMPTY_PERCENT) {
            self.clauses.extend(clauses);
            return true;
        }
        self.growth.take_back(&before);
        false
    }

    fn finish(self, moves: Option<Moves>) -> Grown {
        let roles = &self.roles;
        let turn = moves.map(|moves| (moves, self.growth.consequence(roles)));
        let state = self.growth.rows("init", 1).iter().map(|row| print_term(&row[0])).collect();
        let mut results = self.results;
        results.sort_unstable();
        results.dedup();
        Grown {
            program: Program { clauses: self.clauses },
            first: Position { state, view: self.growth.view(roles), turn },
            results,
        }
    }
}
