//! Splits long bodies, so that a rule has as many instances as its largest part instead of their product.
//!
//! A variable that the head does not have is eliminated: the literals that mention it become a rule of
//! their own over their other variables. Which one comes next, the fewest other variables decide.
//! This is a tree decomposition of the join graph of the body by the min-degree heuristic.
//!
//! # Sources
//! M. Morak, S. Woltran, "Preprocessing of complex non-ground rules in answer set programming",
//! Technical communications of ICLP 2012; M. Bichler, "Optimizing non-ground answer set programs via
//! rule decomposition", TU Wien 2015 (lpopt).

use std::collections::{BTreeMap, BTreeSet};

use super::flatten::Flat;
use crate::{
    diagnostic::Span,
    id::PredicateId,
    rules::{Atom, Literal, Rule, Term},
};

/// Splits the rules for which `is_wanted` returns true.
pub(super) fn split(flat: &mut Flat, is_wanted: impl Fn(&Rule) -> bool) {
    let mut splitting = Splitting { parts: BTreeMap::new() };
    for index in 0..flat.program.rules.len() {
        if is_wanted(&flat.program.rules[index]) {
            splitting.split(flat, index);
        }
    }
}

struct Splitting {
    /// The predicate of each part, so that equal parts of several rules are one.
    parts: BTreeMap<String, PredicateId>,
}

impl Splitting {
    fn split(&mut self, flat: &mut Flat, index: usize) {
        while let Some(bag) = next_bag(&flat.program.rules[index]) {
            let call = self.part(flat, index, &bag);
            let rule = &mut flat.program.rules[index];
            let mut place = 0;
            rule.body.retain(|_| {
                place += 1;
                !bag.literals.contains(&(place - 1))
            });
            rule.body.push(Literal::Positive(call));
        }
    }

    /// An atom that holds for those values of the bag's other variables for which its literals have a solution.
    fn part(&mut self, flat: &mut Flat, index: usize, bag: &Bag) -> Atom {
        let (rule, others) = (&flat.program.rules[index], &bag.others);
        let mut numbers: BTreeMap<usize, usize> =
            others.iter().enumerate().map(|(number, &variable)| (variable, number)).collect();
        let inside = bag.literals.iter().map(|&place| renumber(&rule.body[place], &mut numbers));
        let body: Vec<Literal> = inside.collect();
        let mut variables = vec![String::new(); numbers.len()];
        for (&variable, &number) in &numbers {
            variables[number].clone_from(&rule.variables[variable]);
        }
        let span = Span::new(0, 0);
        let number = self.parts.len();
        let mut is_new = false;
        let predicate = *self.parts.entry(format!("{body:?} {}", others.len())).or_insert_with(|| {
            is_new = true;
            flat.program.predicate(&format!("part {number}"), others.len())
        });
        if is_new {
            let head = Atom { predicate, arguments: (0..others.len()).map(Term::Variable).collect(), span };
            flat.program.rules.push(Rule { head, body, variables, span });
            flat.origins.push(flat.origins[index]);
        }
        Atom { predicate, arguments: others.iter().copied().map(Term::Variable).collect(), span }
    }
}

/// The literals that a variable connects, and the other variables that they have.
struct Bag {
    literals: Vec<usize>,
    others: Vec<usize>,
}

/// The smallest part that is worth a separate rule.
fn next_bag(rule: &Rule) -> Option<Bag> {
    let variables: Vec<BTreeSet<usize>> =
        rule.body.iter().map(|literal| variables_of(literal.terms())).collect();
    let head = variables_of(rule.head.arguments.iter());
    let all: BTreeSet<usize> = variables.iter().flatten().chain(&head).copied().collect();
    let bags = all.difference(&head).filter_map(|variable| {
        let literals: Vec<usize> =
            (0..variables.len()).filter(|&place| variables[place].contains(variable)).collect();
        let inside: BTreeSet<usize> = literals.iter().flat_map(|&place| &variables[place]).copied().collect();
        let is_smaller = inside.len() < all.len() && literals.len() < rule.body.len();
        let is_bound = is_safe(rule, &literals, &inside);
        let others = inside.into_iter().filter(|other| other != variable).collect();
        (is_smaller && is_bound).then_some(Bag { literals, others })
    });
    bags.min_by_key(|bag| (bag.others.len(), bag.literals.len()))
}

/// Whether the positive literals among these bind all these variables.
fn is_safe(rule: &Rule, literals: &[usize], variables: &BTreeSet<usize>) -> bool {
    let positive = literals.iter().filter_map(|&place| match &rule.body[place] {
        Literal::Positive(atom) => Some(&atom.arguments),
        Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => None,
    });
    variables_of(positive.flatten()).is_superset(variables)
}

fn variables_of<'t>(terms: impl Iterator<Item = &'t Term>) -> BTreeSet<usize> {
    let mut variables = BTreeSet::new();
    terms.for_each(|term| term.for_each_variable(&mut |variable| _ = variables.insert(variable)));
    variables
}

/// The literal with variables in order of first sight, and no place in the text.
fn renumber(literal: &Literal, numbers: &mut BTreeMap<usize, usize>) -> Literal {
    let span = Span::new(0, 0);
    let mut term = |term: &Term| renumber_term(term, numbers);
    let mut atom = |atom: &Atom| Atom {
        predicate: atom.predicate,
        arguments: atom.arguments.iter().map(&mut term).collect(),
        span,
    };
    match literal {
        Literal::Positive(found) => Literal::Positive(atom(found)),
        Literal::Negative(found) => Literal::Negative(atom(found)),
        Literal::Distinct(left, right, _) => Literal::Distinct(term(left), term(right), span),
        Literal::Same(left, right, _) => Literal::Same(term(left), term(right), span),
    }
}

fn renumber_term(term: &Term, numbers: &mut BTreeMap<usize, usize>) -> Term {
    match term {
        Term::Variable(variable) => {
            let next = numbers.len();
            Term::Variable(*numbers.entry(*variable).or_insert(next))
        }
        Term::Constant(_) => term.clone(),
        Term::Compound(symbol, arguments) => {
            let arguments = arguments.iter().map(|argument| renumber_term(argument, numbers));
            Term::Compound(*symbol, arguments.collect())
        }
    }
}
