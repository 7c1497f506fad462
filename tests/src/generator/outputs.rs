//! What a random game says: legal moves, goals, its end, the next state and percepts.

use croupier_engine::stages::syntax::{Clause, Formula, Term, print_term};

use super::{
    Body, DRAWS, EMPTY_PERCENT, Generator, Output, RANDOM, Relation, applied, constant, fact, rule, variable,
    variables,
};
use crate::{
    comparison::{Moves, Walks},
    oracle::Growth,
};

const VALUES: [&str; 5] = ["0", "25", "50", "75", "100"];

impl Generator {
    /// Moves by facts and by rules.
    pub(super) fn legal(&mut self) {
        for role in self.roles.clone() {
            if self.dice.chance(85) {
                self.add(vec![fact(applied("legal", vec![constant(&role), constant("noop")]))]);
            }
        }
        for number in 0..self.dice.between(1, 2) {
            self.output_rules("legal", &format!("m{number}"));
        }
        let shown: Vec<_> = self.hidden.iter().filter(|_| self.dice.chance(40)).cloned().collect();
        for (name, arity) in shown {
            self.show("legal", &name, arity);
        }
        // What is legal may be asked for, but not by what it depends on.
        self.know("legal", 2);
    }

    /// Rules for moves or percepts of one name; nothing if all that is drawn holds of nothing.
    fn output_rules(&mut self, keyword: &str, name: &str) {
        let arity = self.dice.below(4);
        let named = |row: &Vec<Term>| row[1].name() == Some(name);
        for _ in 0..DRAWS {
            let role = self.some_role();
            // What is played can be true next: a move around a fluent would be a term that grows.
            let is_flat = keyword == "legal" && !self.is_free && self.dice.chance(90);
            let clause = self.rule_for(|body| {
                let role = role_argument(body, role);
                let shown = applied(name, body.head(arity, true, false));
                if is_flat {
                    variables(&shown).iter().for_each(|name| body.guard(name));
                }
                applied(keyword, vec![role, shown])
            });
            let count = |growth: &Growth| growth.rows(keyword, 2).iter().filter(|row| named(row)).count();
            if self.grown(vec![clause], count) {
                self.results.push(output(keyword, name));
                if !self.dice.chance(30) {
                    return;
                }
            }
        }
    }

    /// Shows a relation as it is.
    fn show(&mut self, keyword: &str, name: &str, arity: usize) {
        self.hidden.retain(|hidden| *hidden != (name.to_owned(), arity));
        let arguments: Vec<Term> = ["x", "y", "z"][..arity].iter().map(|name| variable(name)).collect();
        let shown = format!("show_{name}_{arity}");
        let role = self.dice.pick(&self.roles).clone();
        let head = applied(keyword, vec![constant(&role), applied(&shown, arguments.clone())]);
        let body = vec![Formula::Atom(applied(name, arguments))];
        self.add(vec![rule(head, body)]);
        self.results.push(output(keyword, &shown));
    }

    /// A role by its name, or none for any role.
    fn some_role(&mut self) -> Option<String> {
        let role = self.dice.pick(&self.roles).clone();
        self.dice.chance(60).then_some(role)
    }

    /// Goals by facts and by rules, one or several.
    pub(super) fn goals(&mut self) {
        for role in self.roles.clone().iter().filter(|role| *role != RANDOM) {
            let is_given = self.dice.chance(40);
            if is_given {
                let value = *self.dice.pick(&VALUES);
                self.add(vec![fact(applied("goal", vec![constant(role), constant(value)]))]);
            }
            for _ in 0..self.dice.between(1, 2) {
                self.goal_rule(role);
            }
            if !is_given {
                self.results.push(Output::Goal(role.clone()));
            }
        }
        // The end may depend on what a state is worth.
        self.know("goal", 2);
    }

    /// A rule for the goals of a role or of all, whose value is seldom whatever a condition says.
    fn goal_rule(&mut self, role: &str) {
        let (value, is_any, is_bound) =
            (*self.dice.pick(&VALUES), self.dice.chance(20), self.dice.chance(15));
        for _ in 0..DRAWS {
            let role = (!is_any).then(|| role.to_owned());
            let clause = self.rule_for(|body| {
                let value = if is_bound { body.bound_term(None) } else { constant(value) };
                applied("goal", vec![role_argument(body, role), value])
            });
            if self.grown(vec![clause], |growth| growth.rows("goal", 2).len()) {
                return;
            }
        }
    }

    /// An end, mostly not at once.
    pub(super) fn terminal(&mut self) {
        for _ in 0..self.dice.below(3) {
            let clause = self.rule_for(|_| constant("terminal"));
            let before = self.growth.now();
            if self.growth.add(std::slice::from_ref(&clause)).is_err() {
                self.growth.take_back(&before);
                continue;
            }
            let ends_at_once = !self.growth.rows("terminal", 0).is_empty();
            if ends_at_once && !self.dice.chance(EMPTY_PERCENT) {
                self.growth.take_back(&before);
                continue;
            }
            self.clauses.push(clause);
        }
        self.know("terminal", 0);
    }

    /// Plays what the first walk of the seed will play; none where some role has no move or the match is over.
    pub(super) fn joint_move(&mut self) -> Option<Moves> {
        let moves = Walks::first_moves(&self.growth.view(&self.roles), self.seed);
        let legal = self.growth.rows("legal", 2);
        let is_played = |row: &&Vec<Term>| {
            let role = row[0].name().unwrap_or_default();
            moves
                .as_ref()
                .and_then(|moves| moves.get(role))
                .is_some_and(|played| print_term(&row[1]) == *played)
        };
        let played: Vec<Clause> =
            legal.iter().filter(is_played).map(|row| fact(applied("does", row.clone()))).collect();
        self.growth.add(&played).expect("facts");
        self.know("does", 2);
        moves
    }

    /// Rules for fluents: some that keep what is true, others that say what becomes true.
    pub(super) fn next(&mut self) {
        let fluents: Vec<Relation> =
            self.relations.iter().filter(|relation| relation.is_fluent).cloned().collect();
        let is_free = self.is_free;
        for fluent in fluents {
            let (name, arity) = (fluent.name.clone(), fluent.arity);
            let named = |row: &Vec<Term>| row[0].name() == Some(&name) && row[0].arguments().len() == arity;
            let count = |growth: &Growth| growth.rows("next", 1).iter().filter(|row| named(row)).count();
            let mut is_defined = false;
            if self.dice.chance(50) {
                let mut body = Body::new(&mut self.dice, &self.relations);
                let kept = body.positive(&fluent);
                body.literals.push(kept.clone());
                body.draw_tests();
                let Formula::Atom(kept) = kept else { unreachable!("a positive literal is an atom") };
                let clause = rule(applied("next", kept.arguments().to_vec()), body.shuffled());
                is_defined |= self.grown(vec![clause], count);
            }
            let wanted = self.dice.between(1, 2);
            for _ in 0..wanted * DRAWS / 2 {
                let clause = self.rule_for(|body| {
                    let fluent = applied(&name, body.head(arity, true, is_free));
                    applied("next", vec![fluent])
                });
                is_defined |= self.grown(vec![clause], count);
                if self.clauses.iter().filter(|clause| clause.head.name() == Some("next")).count() >= 6 {
                    break;
                }
            }
            if is_defined {
                self.results.push(Output::Next(name));
            }
        }
    }

    /// An end when something becomes true that is not true at first.
    pub(super) fn end(&mut self) {
        if !self.dice.chance(35) {
            return;
        }
        let initial = self.growth.rows("init", 1);
        let mut new = self.growth.rows("next", 1);
        new.retain(|row| !initial.contains(row));
        if new.is_empty() {
            return;
        }
        let fluent = self.dice.pick(&new)[0].clone();
        let name = fluent.name().expect("a fluent has a name").to_owned();
        let row = fluent.arguments().to_vec();
        let relation = Relation { name, arity: row.len(), is_fluent: true, rows: vec![row] };
        let mut body = Body::new(&mut self.dice, &self.relations);
        let becomes_true = body.positive(&relation);
        body.literals.push(becomes_true);
        // No tests: they might depend on moves, which an end must not.
        let clause = rule(constant("terminal"), body.shuffled());
        let before = self.growth.now();
        let is_added = self.growth.add(std::slice::from_ref(&clause)).is_ok();
        // What the first turn says must stay as it is.
        if is_added && before == self.growth.now() {
            self.clauses.push(clause);
        }
        self.growth.take_back(&before);
    }

    /// Percepts by rules, and whatever nothing has shown yet.
    pub(super) fn sees(&mut self) {
        if !self.has_sees {
            return;
        }
        for number in 0..self.dice.between(1, 2) {
            self.output_rules("sees", &format!("s{number}"));
        }
        for (name, arity) in self.hidden.clone() {
            self.show("sees", &name, arity);
        }
    }
}

fn output(keyword: &str, name: &str) -> Output {
    match keyword {
        "legal" => Output::Legal(name.to_owned()),
        _ => Output::Sees(name.to_owned()),
    }
}

/// The role of a head: the one that is named, or one that a condition binds.
fn role_argument(body: &mut Body<'_>, role: Option<String>) -> Term {
    match role {
        Some(role) => constant(&role),
        None => {
            let role = variable("r");
            body.literals.push(Formula::Atom(applied("role", vec![role.clone()])));
            role
        }
    }
}
