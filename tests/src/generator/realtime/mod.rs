//! Random games in rtGDL, as text: small programs that are safe and stratified, and mean nothing.
//!
//! An atom is drawn from a template with places of three kinds: roles, values of a small domain, and times. Variables
//! are shared between places of one kind, so lifetimes are carried over from fluent to fluent; now and then one flows
//! into a place for values. In four of ten games lifetimes are only set and kept. A relation is used only after it is finished, so negation is stratified.
//!
//! Numerals are spelled in several ways: `1`, `1.0` and `1.00` must be one constant to whoever reads them.

mod body;
mod clockwork;
pub mod course;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use super::dice::Dice;
use body::{Body, Kind, Template, Use};
pub use clockwork::clockwork;

/// Lifetimes, each in one of its spellings.
const LIFETIMES: [&[&str]; 5] =
    [&["0.5", "0.50"], &["1", "1.0", "1.00"], &["1.5"], &["2", "2.0", "02"], &["infinity"]];
const VALUES: [&[&str]; 5] = [&["a"], &["b"], &["7", "007", "7.0"], &["1", "1.0"], &["0.25", "0.250"]];
const GOALS: [&str; 6] = ["0", "25", "50", "075", "90.0", "100"];

/// The game of a seed, in prefix syntax.
#[must_use]
pub fn program(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    writer.facts();
    writer.initial_state();
    writer.relations();
    writer.legal();
    writer.ends();
    writer.next();
    writer.sees();
    writer.text
}

struct Writer {
    dice: Dice,
    text: String,
    has_random: bool,
    /// Values of the domain.
    values: usize,
    use_of_times: Use,
    /// Fluents without their lifetimes.
    fluents: Vec<Template>,
    /// Moves of players.
    moves: Vec<Template>,
    /// Relations that depend on no move.
    of_state: Vec<Template>,
    /// Those, and relations that depend on moves.
    of_moves: Vec<Template>,
}

impl Writer {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let has_random = dice.chance(35);
        let use_of_times = match dice.below(100) {
            0..40 => Use::Clocks,
            40..94 => Use::Terms,
            _ => Use::Careless,
        };
        let values = dice.between(2, VALUES.len());
        let template = |text: &str, kinds: &[Kind]| Template::new(text, kinds);
        let mut fluents = vec![
            template("lamp", &[]),
            template("bell", &[]),
            template("(at _)", &[Kind::Value]),
            template("(link _ _)", &[Kind::Value, Kind::Value]),
            template("(best _)", &[Kind::Time]),
            template("(of _)", &[Kind::Role]),
        ];
        let mut moves = vec![
            template("wait", &[]),
            template("(push _)", &[Kind::Value]),
            template("(stop _)", &[Kind::Time]),
        ];
        if use_of_times == Use::Clocks {
            fluents.retain(|fluent| !fluent.has(Kind::Time));
            moves.retain(|played| !played.has(Kind::Time));
        }
        while fluents.len() > 4 || dice.chance(50) && fluents.len() > 2 {
            let dropped = dice.below(fluents.len());
            fluents.remove(dropped);
        }
        moves.remove(dice.below(moves.len()));
        let (of_state, of_moves) = (Vec::new(), Vec::new());
        let text = String::new();
        Self { dice, text, has_random, values, use_of_times, fluents, moves, of_state, of_moves }
    }

    fn add(&mut self, clause: &str) {
        let _ = writeln!(self.text, "{clause}");
    }

    /// Adds a rule whose head is drawn from a template, with conditions from relations.
    fn add_rule(&mut self, head: &Template, from: &[Template], first: Option<&Template>) {
        let mut body = Body::new(&mut self.dice, self.values, self.use_of_times);
        let head = body.rule(head, from, first);
        let clause = body.clause(&head);
        self.add(&clause);
    }

    fn facts(&mut self) {
        self.add("(role red)\n(role blue)");
        if self.has_random {
            self.add("(role random)");
        }
        for spellings in &VALUES[..self.values] {
            let spelling = self.dice.pick::<&str>(spellings).to_owned();
            self.add(&format!("(dom {spelling})"));
        }
        self.of_state.push(Template::new("(dom _)", &[Kind::Value]));
        self.of_state.push(Template::new("(role _)", &[Kind::Role]));
        if self.dice.chance(60) {
            let edge = Template::new("(edge _ _)", &[Kind::Value, Kind::Value]);
            for _ in 0..self.dice.between(1, 4) {
                let fact = self.ground(&edge);
                self.add(&fact);
            }
            self.of_state.push(edge);
            if self.dice.chance(30) {
                self.add("(<= (reach ?x ?y) (edge ?x ?y))");
                self.add("(<= (reach ?x ?z) (reach ?x ?y) (edge ?y ?z))");
                self.of_state.push(Template::new("(reach _ _)", &[Kind::Value, Kind::Value]));
            }
        }
    }

    /// The template with constants.
    fn ground(&mut self, template: &Template) -> String {
        Body::new(&mut self.dice, self.values, self.use_of_times).closed(template)
    }

    fn initial_state(&mut self) {
        for fluent in self.fluents.clone() {
            for _ in 0..*self.dice.pick(&[0, 1, 1, 1, 1, 1, 2, 2]) {
                let fluent = self.ground(&fluent);
                for _ in 0..*self.dice.pick(&[1, 1, 1, 1, 1, 2]) {
                    let lifetime = self.lifetime();
                    self.add(&format!("(init {lifetime} {fluent})"));
                }
            }
        }
        if self.has_random && self.dice.chance(60) {
            let lifetime = self.lifetime();
            self.add(&format!("(init {lifetime} coin)"));
        }
        if self.dice.chance(20) {
            let fluent = self.dice.pick(&self.fluents).clone();
            let head = fluent.timed("init");
            let from = self.of_state.clone();
            self.add_rule(&head, &from, None);
        }
    }

    fn lifetime(&mut self) -> String {
        Body::new(&mut self.dice, self.values, self.use_of_times).constant(Kind::Time)
    }

    /// What rules may ask of a state, of expiries and of moves, and relations made of that.
    fn relations(&mut self) {
        let mut of_state = Vec::new();
        for fluent in &self.fluents {
            // More often than others: most conditions are about the state.
            of_state.extend([fluent.timed("true"), fluent.timed("true"), fluent.within("expired")]);
        }
        if self.has_random {
            of_state.extend([
                Template::new("(true _ coin)", &[Kind::Time]),
                Template::new("(expired coin)", &[]),
            ]);
        }
        self.of_state.extend(of_state);
        let mut of_moves: Vec<Template> = self.moves.iter().map(|played| played.of_role("does")).collect();
        of_moves.extend(of_moves.clone());
        if self.has_random {
            of_moves.push(Template::new("(does random (flip _))", &[Kind::Value]));
            of_moves.push(Template::new("flipped", &[]));
            self.add("(<= flipped (does random (flip ?x)))");
        }
        self.of_moves = of_moves;
        for number in 0..self.dice.below(4) {
            let kinds = [Kind::Value, Kind::Value, Kind::Time, Kind::Role];
            let arity = self.dice.below(3);
            let mut kinds: Vec<Kind> = (0..arity).map(|_| *self.dice.pick(&kinds)).collect();
            kinds.retain(|kind| *kind != Kind::Time || self.use_of_times != Use::Clocks);
            let relation = Template::plain(&format!("h{number}"), &kinds);
            let is_of_moves = self.dice.chance(40);
            let from = if is_of_moves { self.all() } else { self.of_state.clone() };
            for _ in 0..self.dice.between(1, 2) {
                self.add_rule(&relation, &from, None);
            }
            if is_of_moves { &mut self.of_moves } else { &mut self.of_state }.push(relation);
        }
    }

    fn all(&self) -> Vec<Template> {
        [&self.of_state[..], &self.of_moves[..]].concat()
    }

    fn legal(&mut self) {
        let mut from = self.of_state.clone();
        if self.dice.chance(85) {
            // Nothing is expired where legality is judged.
            from.retain(|template| !template.is_of("expired"));
        }
        for played in self.moves.clone() {
            for role in ["red", "blue"] {
                if self.dice.chance(20) {
                    continue;
                }
                let head = played.within(&format!("legal {role}"));
                let first = self.dice.pick(&self.fluents).timed("true");
                self.add_rule(&head, &from, Some(&first));
            }
        }
        if self.has_random {
            self.add("(<= (legal random (flip ?x)) (true ?t coin) (dom ?x))");
        }
        if self.dice.chance(15) {
            self.add("(<= can (legal red ?m))");
            self.of_state.push(Template::new("can", &[]));
        }
    }

    /// Goals and the end.
    fn ends(&mut self) {
        let from = self.of_state.clone();
        for role in ["red", "blue"] {
            for _ in 0..self.dice.between(1, 3) {
                let head = Template::new(&format!("(goal {role} {})", self.dice.pick(&GOALS)), &[]);
                self.add_rule(&head, &from, None);
            }
        }
        for _ in 0..*self.dice.pick(&[0, 1, 1, 2]) {
            let fluent = self.dice.pick(&self.fluents).clone();
            let first = if self.dice.chance(60) { fluent.within("expired") } else { fluent.timed("true") };
            self.add_rule(&Template::new("terminal", &[]), &from, Some(&first));
        }
    }

    /// What lasts on, and what begins.
    fn next(&mut self) {
        let mut from = self.all();
        // What never changes makes poor conditions.
        from.retain(|template| !template.is_of("role"));
        for fluent in self.fluents.clone() {
            if self.dice.chance(80) {
                let mut body = Body::new(&mut self.dice, self.values, self.use_of_times);
                let clause = body.frame(&fluent, &from);
                self.add(&clause);
            }
            for _ in 0..self.dice.between(0, 2) {
                let first = match self.dice.below(4) {
                    0 => self.dice.pick(&self.fluents).within("expired"),
                    1 => self.dice.pick(&self.fluents).timed("true"),
                    _ => self.dice.pick(&self.of_moves).clone(),
                };
                self.add_rule(&fluent.timed("next"), &from, Some(&first));
            }
        }
        if self.use_of_times != Use::Clocks && self.dice.chance(50) {
            // The time that is left is kept, as a term that lasts.
            let fluent = self.dice.pick(&self.fluents).clone();
            let event = self.dice.pick(&self.moves).of_role("does");
            let clause = Body::new(&mut self.dice, self.values, Use::Terms).kept(&fluent, &event);
            self.add(&clause);
        }
        if self.dice.chance(60) {
            // Something that comes back, so that the match goes on.
            let (fluent, lifetime) = (self.dice.pick(&self.fluents).clone(), self.lifetime());
            let fluent = self.ground(&fluent);
            self.add(&format!("(<= (next {lifetime} {fluent}) (expired {fluent}))"));
        }
        if self.has_random {
            self.add("(<= (next ?t coin) (true ?t coin) (not flipped))");
            let (lifetime, fluent) = (self.lifetime(), self.dice.pick(&self.fluents).clone());
            let head = Template::new(&format!("(next {lifetime} coin)"), &[]);
            self.add_rule(&head, &self.of_state.clone(), Some(&fluent.within("expired")));
        }
    }

    fn sees(&mut self) {
        if self.dice.chance(15) {
            return;
        }
        let from = self.all();
        for number in 0..self.dice.between(1, 3) {
            let kind = match self.use_of_times {
                Use::Clocks => *self.dice.pick(&[Kind::Value, Kind::Role]),
                _ => *self.dice.pick(&[Kind::Value, Kind::Time, Kind::Role]),
            };
            let head = Template::plain(&format!("s{number}"), &[kind]).of_role("sees");
            self.add_rule(&head, &from, None);
        }
    }
}
