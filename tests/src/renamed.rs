//! Copies of rules in which nothing that means anything is changed.

use std::collections::BTreeMap;

use croupier_engine::{
    draw::shuffle,
    stages::{
        rules::Keyword,
        syntax::{Clause, Formula, Term, TermKind},
    },
};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng as _, SeedableRng as _},
};

use crate::program::Program;

/// Names that are the language's.
const KEPT: [&str; 6] = ["random", "not", "or", "distinct", "expired", "infinity"];

/// A copy of rules with other names for everything that is the game's own but numbers, another order of arguments of its relations
/// and functions, and another order of clauses and conditions.
#[must_use]
pub fn renamed(rules: &str, seed: u64) -> String {
    let mut copy =
        Copy { names: BTreeMap::new(), orders: BTreeMap::new(), rng: ChaCha8Rng::seed_from_u64(seed) };
    let mut clauses: Vec<Clause> = Program::read(rules).clauses;
    clauses.iter_mut().for_each(|clause| copy.clause(clause));
    shuffle(&mut clauses, &mut copy.rng);
    Program { clauses }.to_string()
}

struct Copy {
    names: BTreeMap<String, String>,
    orders: BTreeMap<(String, usize), Vec<usize>>,
    rng: ChaCha8Rng,
}

impl Copy {
    fn clause(&mut self, clause: &mut Clause) {
        self.term(&mut clause.head);
        self.formulas(&mut clause.body);
    }

    fn formulas(&mut self, formulas: &mut [Formula]) {
        for formula in &mut *formulas {
            match formula {
                Formula::Atom(atom) => self.term(atom),
                Formula::Distinct(_, left, right) => {
                    self.term(left);
                    self.term(right);
                    std::mem::swap(left, right);
                }
                Formula::Not(_, inner) => self.formulas(std::slice::from_mut(inner)),
                Formula::And(_, parts) | Formula::Or(_, parts) => self.formulas(parts),
            }
        }
        shuffle(formulas, &mut self.rng);
    }

    fn term(&mut self, term: &mut Term) {
        match &mut term.kind {
            TermKind::Variable(name) => *name = format!("v_{name}"),
            TermKind::Constant(name) => *name = self.name(name),
            TermKind::Compound(name, arguments) => {
                arguments.iter_mut().for_each(|argument| self.term(argument));
                if Keyword::ALL.iter().all(|word| word.name() != name) {
                    let order = self.order(name, arguments.len());
                    *arguments = order.iter().map(|&place| arguments[place].clone()).collect();
                }
                *name = self.name(name);
            }
        }
    }

    fn name(&mut self, name: &str) -> String {
        let is_kept = KEPT.contains(&name)
            || Keyword::ALL.iter().any(|word| word.name() == name)
            || name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if is_kept {
            return name.to_owned();
        }
        let (number, Self { names, rng, .. }) = (self.names.len(), self);
        // The number makes it the only one, and what stands before it gives another order.
        let new = || format!("n{}x{number}", rng.next_u32() % 100_000);
        names.entry(name.to_owned()).or_insert_with(new).clone()
    }

    fn order(&mut self, name: &str, arity: usize) -> Vec<usize> {
        let Self { orders, rng, .. } = self;
        let new = || {
            let mut order: Vec<usize> = (0..arity).collect();
            shuffle(&mut order, rng);
            order
        };
        orders.entry((name.to_owned(), arity)).or_insert_with(new).clone()
    }
}
