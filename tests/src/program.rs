//! Random games: small programs that are safe, stratified and finite by construction, and mean nothing.
//!
//! Relations have levels. A rule uses relations of its own level and below, negated ones only from
//! below, so that negation is stratified while recursion, also mutual, is common. Function terms are
//! built only by rules without a relation of their own level, so that models are finite
//! (Definition 15 of the specification).

use std::{collections::BTreeSet, fmt};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};

/// A clause in prefix syntax, in parts that can be taken away one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    head: String,
    body: Vec<String>,
}

/// A rules text made of such clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    clauses: Vec<Clause>,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for clause in &self.clauses {
            match clause.body.is_empty() {
                true => writeln!(f, "{}", clause.head)?,
                false => writeln!(f, "(<= {} {})", clause.head, clause.body.join(" "))?,
            }
        }
        Ok(())
    }
}

impl Program {
    /// The program of a seed.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let mut generator =
            Generator { rng: ChaCha8Rng::seed_from_u64(seed), clauses: Vec::new(), scope: BTreeSet::new() };
        generator.game();
        Self { clauses: generator.clauses }
    }

    /// A program as small as can be had by taking away one clause or literal after the other while
    /// `is_failing` holds.
    #[must_use]
    pub fn shrunk(self, is_failing: impl Fn(&Self) -> bool) -> Self {
        let mut smallest = self;
        loop {
            let smaller = smallest.smaller().into_iter().find(&is_failing);
            match smaller {
                Some(program) => smallest = program,
                None => return smallest,
            }
        }
    }

    /// Every program with one clause or one literal less.
    #[must_use]
    pub fn smaller(&self) -> Vec<Self> {
        let mut programs = Vec::new();
        for index in 0..self.clauses.len() {
            let mut program = self.clone();
            program.clauses.remove(index);
            programs.push(program);
        }
        for (index, clause) in self.clauses.iter().enumerate() {
            for literal in 0..clause.body.len() {
                let mut program = self.clone();
                program.clauses[index].body.remove(literal);
                programs.push(program);
            }
        }
        programs
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Facts and rules of the game.
    Defined,
    /// Inside `true`.
    Fluent,
    /// `does` itself.
    Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Relation {
    name: &'static str,
    arity: usize,
    level: usize,
    kind: Kind,
}

const fn relation(name: &'static str, arity: usize, level: usize, kind: Kind) -> Relation {
    Relation { name, arity, level, kind }
}

/// Levels 0 and 1 are facts and the state, 2 to 5 are derived from them, 6 is the joint move, 7 and 8
/// are derived from it.
const RELATIONS: &[Relation] = &[
    relation("dom", 1, 0, Kind::Defined),
    relation("edge", 2, 0, Kind::Defined),
    relation("triple", 3, 0, Kind::Defined),
    relation("flag", 0, 0, Kind::Defined),
    relation("at", 1, 1, Kind::Fluent),
    relation("on", 2, 1, Kind::Fluent),
    relation("lit", 0, 1, Kind::Fluent),
    relation("p0", 1, 2, Kind::Defined),
    relation("p1", 2, 2, Kind::Defined),
    relation("p2", 2, 3, Kind::Defined),
    relation("p3", 0, 3, Kind::Defined),
    relation("p4", 3, 4, Kind::Defined),
    relation("p5", 1, 4, Kind::Defined),
    relation("p5", 2, 5, Kind::Defined),
    relation("does", 2, 6, Kind::Does),
    relation("d0", 1, 7, Kind::Defined),
    relation("d1", 2, 7, Kind::Defined),
    relation("d2", 2, 8, Kind::Defined),
];
const FIRST_DERIVED: usize = 2;
const LEVEL_OF_MOVES: usize = 6;
const ROLES: [&str; 3] = ["red", "blue", "random"];
const CONSTANTS: [&str; 5] = ["a", "b", "c", "1", "red"];
const VARIABLES: [&str; 4] = ["?x", "?y", "?z", "?w"];

/// Which terms may stand as arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// No variables.
    Ground,
    /// Variables and constants.
    Flat,
    /// Functions too, but few: a pattern that is matched with what there is.
    Pattern,
    /// As many functions as come.
    Any,
}

struct Generator {
    rng: ChaCha8Rng,
    clauses: Vec<Clause>,
    /// Variables of the positive literals of the rule that is being made: the rest of it is made of these
    /// rather than of others, so that it says something.
    scope: BTreeSet<String>,
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).expect("a small bound");
        usize::try_from(self.rng.next_u64() % bound).expect("it is below the bound")
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn clause(&mut self, head: impl Into<String>, body: Vec<String>) {
        self.clauses.push(Clause { head: head.into(), body });
        self.scope.clear();
    }

    fn game(&mut self) {
        let roles = if self.chance(40) { &ROLES[..] } else { &ROLES[..2] };
        for role in roles {
            self.clause(format!("(role {role})"), Vec::new());
            self.clause(format!("(legal {role} noop)"), Vec::new());
        }
        for relation in RELATIONS.iter().filter(|relation| relation.level < FIRST_DERIVED) {
            self.facts(relation);
        }
        for relation in derived() {
            self.first_rule(relation);
            for _ in 0..1 + self.below(2) {
                let shape = if self.chance(30) { Shape::Any } else { Shape::Flat };
                self.rule(relation.name, relation.arity, relation.level, shape);
            }
        }
        for relation in RELATIONS.iter().filter(|relation| relation.kind == Kind::Fluent) {
            for _ in 0..1 + self.below(3) {
                let body = self.lower_literals(LEVEL_OF_MOVES + 3);
                let head = self.applied(relation.name, relation.arity, Shape::Any);
                self.finish(format!("(next {head})"), body, LEVEL_OF_MOVES + 3);
            }
        }
        self.outputs(roles);
    }

    /// Facts of a relation, or what is true at first.
    fn facts(&mut self, relation: &Relation) {
        let count = if relation.arity == 0 { self.below(2) } else { 3 + self.below(5) };
        for _ in 0..count {
            let atom = self.applied(relation.name, relation.arity, Shape::Ground);
            match relation.kind {
                Kind::Fluent => self.clause(format!("(init {atom})"), Vec::new()),
                Kind::Defined | Kind::Does => self.clause(atom, Vec::new()),
            }
        }
    }

    /// All that can be observed: every derived relation is shown by a move or by a percept.
    fn outputs(&mut self, roles: &[&str]) {
        for relation in derived() {
            let arguments = &VARIABLES[..relation.arity];
            let atom = applied(relation.name, arguments);
            let shown = applied(&format!("show_{}_{}", relation.name, relation.arity), arguments);
            let role = self.pick(roles);
            match relation.level < LEVEL_OF_MOVES {
                true => self.clause(format!("(legal {role} {shown})"), vec![atom]),
                false => self.clause(format!("(sees ?r {shown})"), vec!["(role ?r)".to_owned(), atom]),
            }
        }
        self.clause("(sees red (did ?r ?m))", vec!["(does ?r ?m)".to_owned()]);
        for role in ["red", "blue"] {
            let value = self.pick(&["0", "50", "100"]);
            self.clause(format!("(goal {role} {value})"), Vec::new());
            self.rule_with_head(format!("(goal {role} 75)"), LEVEL_OF_MOVES - 1);
        }
        if self.chance(50) {
            self.rule_with_head("terminal".to_owned(), LEVEL_OF_MOVES - 1);
        }
    }

    /// A rule that is not recursive and asks for little, so that most relations hold of something.
    fn first_rule(&mut self, relation: &Relation) {
        let base = RELATIONS[self.below(RELATIONS.iter().filter(|base| base.level < FIRST_DERIVED).count())];
        let literal = applied(base.name, &VARIABLES[..base.arity]);
        let mut body = match base.kind {
            Kind::Fluent => vec![format!("(true {literal})")],
            Kind::Defined | Kind::Does => vec![literal],
        };
        if relation.level > LEVEL_OF_MOVES && self.chance(60) {
            body.push("(does ?w ?x)".to_owned());
        }
        self.scope.extend(body.iter().flat_map(|literal| variables(literal)));
        let head = self.applied(relation.name, relation.arity, Shape::Flat);
        self.finish(head, body, relation.level);
    }

    fn rule(&mut self, name: &str, arity: usize, level: usize, shape: Shape) {
        let mut body = self.lower_literals(level);
        let mut head_shape = shape;
        if self.chance(50) {
            head_shape = Shape::Flat;
            let own: Vec<_> = RELATIONS.iter().filter(|relation| relation.level == level).collect();
            let recursive = self.pick(&own);
            body.push(self.applied(recursive.name, recursive.arity, Shape::Flat));
        }
        let head = self.applied(name, arity, head_shape);
        let recursive =
            body.iter().filter(|literal| is_of_level(literal, level)).map(|literal| variables(literal));
        // A variable of a recursive literal is an argument of the head, or comes from below.
        let unbounded: BTreeSet<_> =
            recursive.flatten().filter(|variable| !variables(&head).contains(variable)).collect();
        body.extend(unbounded.iter().map(|variable| format!("(dom {variable})")));
        self.finish(head, body, level);
    }

    fn rule_with_head(&mut self, head: String, level: usize) {
        let body = self.lower_literals(level);
        self.finish(head, body, level);
    }

    /// One or two positive literals with relations below `level`.
    fn lower_literals(&mut self, level: usize) -> Vec<String> {
        let mut literals = Vec::new();
        for _ in 0..1 + self.below(2) {
            let literal = self.lower_literal(level);
            self.scope.extend(variables(&literal));
            literals.push(literal);
        }
        literals
    }

    fn lower_literal(&mut self, level: usize) -> String {
        let lower: Vec<_> = RELATIONS.iter().filter(|relation| relation.level < level).collect();
        let index = self.below(lower.len());
        let relation = lower[index];
        let atom = self.applied(relation.name, relation.arity, Shape::Pattern);
        match relation.kind {
            Kind::Fluent => format!("(true {atom})"),
            Kind::Defined | Kind::Does => atom,
        }
    }

    /// Adds tests, then whatever makes the rule safe, and puts the literals in any order.
    fn finish(&mut self, head: String, mut body: Vec<String>, level: usize) {
        let mut bound: BTreeSet<_> = body.iter().flat_map(|literal| variables(literal)).collect();
        if self.chance(15) {
            let variable = self.pick(&VARIABLES);
            let other = self.pick(&VARIABLES);
            body.push(format!("(or (dom {variable}) (edge {variable} {other}) (edge b {variable}))"));
            bound.insert(variable.to_owned());
        }
        let mut tests = Vec::new();
        for _ in 0..self.below(3).min(self.below(3)) {
            tests.push(self.test(level));
        }
        let wanted = tests.iter().chain([&head]).flat_map(|text| variables(text));
        let unbound: BTreeSet<_> = wanted.filter(|variable| !bound.contains(variable)).collect();
        body.extend(unbound.iter().map(|variable| format!("(dom {variable})")));
        body.extend(tests);
        for end in (1..body.len()).rev() {
            let other = self.below(end + 1);
            body.swap(end, other);
        }
        self.clause(head, body);
    }

    /// A formula that binds nothing.
    fn test(&mut self, level: usize) -> String {
        let lower = |generator: &mut Self| generator.lower_literal(level);
        match self.below(8) {
            0..=2 => format!("(not {})", lower(self)),
            3 => format!("(distinct {} {})", self.term(Shape::Pattern), self.term(Shape::Pattern)),
            4 => format!("(not (distinct {} {}))", self.term(Shape::Pattern), self.term(Shape::Flat)),
            5 => format!("(or {} (not {}))", lower(self), lower(self)),
            6 => format!("(not (or {} (and {} (not {}))))", lower(self), lower(self), lower(self)),
            _ => format!("(not (not (and {} (or {} {}))))", lower(self), lower(self), lower(self)),
        }
    }

    fn applied(&mut self, name: &str, arity: usize, shape: Shape) -> String {
        let mut arguments: Vec<_> = (0..arity).map(|_| self.term(shape)).collect();
        if name == "does" {
            arguments[0] = self.pick(&["red", "blue", "?x", "?y"]).to_owned();
            arguments[1] = self.pick(&["?z", "?w", "?z", "?w", "noop"]).to_owned();
        }
        applied(name, &arguments)
    }

    fn term(&mut self, shape: Shape) -> String {
        let is_ground = shape == Shape::Ground;
        let functions_percent = match shape {
            Shape::Flat => 0,
            Shape::Pattern => 5,
            Shape::Ground | Shape::Any => 20,
        };
        if !self.chance(functions_percent) {
            return self.argument(is_ground);
        }
        match self.below(5) {
            0 | 1 => format!("(f {})", self.argument(is_ground)),
            2 | 3 => format!("(g {} {})", self.argument(is_ground), self.argument(is_ground)),
            _ => format!("(f (f {}))", self.argument(is_ground)),
        }
    }

    fn argument(&mut self, is_ground: bool) -> String {
        if is_ground || self.chance(12) {
            return self.pick(&CONSTANTS).to_owned();
        }
        let scope: Vec<_> = self.scope.iter().cloned().collect();
        if !scope.is_empty() && self.chance(70) {
            return scope[self.below(scope.len())].clone();
        }
        self.pick(&VARIABLES).to_owned()
    }
}

/// The relations that rules define and outputs show.
fn derived() -> impl Iterator<Item = &'static Relation> {
    RELATIONS.iter().filter(|relation| relation.level >= FIRST_DERIVED && relation.kind == Kind::Defined)
}

fn applied(name: &str, arguments: &[impl AsRef<str>]) -> String {
    let arguments: Vec<_> = arguments.iter().map(AsRef::as_ref).collect();
    match arguments.is_empty() {
        true => name.to_owned(),
        false => format!("({name} {})", arguments.join(" ")),
    }
}

/// The variables in a text.
fn variables(text: &str) -> BTreeSet<String> {
    let words = text.split(['(', ')', ' ']).filter(|word| word.starts_with('?'));
    words.map(str::to_owned).collect()
}

/// Whether a literal is an atom of a derived relation of this level.
fn is_of_level(literal: &str, level: usize) -> bool {
    let words: Vec<_> = literal.trim_matches(['(', ')']).split(' ').collect();
    let mut relations = RELATIONS.iter().filter(|relation| relation.level == level);
    relations.any(|relation| relation.name == words[0])
}
