//! Rules in strict GDL: they pass the strict check, and every match goes as it does by the rules as they are written.

use std::collections::BTreeSet;

use croupier_engine::{
    Game, Limits, Options, Severity, Span, Strictness,
    draw::draw_index,
    stages::{
        check::check_text,
        strict::strict_form,
        syntax::{self, Clause, Description, Formula, Syntax, Term, TermKind},
    },
};
use croupier_tests::{
    comparison::{Plan, compare},
    corpus::{self, RuleFile},
    generator::grow,
    size,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

use crate::left_out::playout;

/// What no rewriting removes: it is not in the form of a rule, but in what the rules say.
const LEFT: [&str; 10] = [
    "goal-value",
    "keyword-as-function",
    "limit",
    "missing-keyword",
    "role-without-goal",
    "role-without-moves",
    "several-arities",
    "stratified-by-constants",
    "unbounded-growth",
    "unbounded-recursion",
];

/// The strict form of rules, and the codes of the errors that are left; none for what is no game.
fn strict(rules: &str) -> Option<(String, BTreeSet<&'static str>)> {
    let checked = check_text(rules, Strictness::Compatible, &Limits::STANDARD).0?;
    let text = syntax::print_description(&strict_form(&checked.written().description, &checked));
    let (_, found) = check_text(&text, Strictness::Strict, &Limits::STANDARD);
    let errors = found.iter().filter(|found| found.severity == Severity::Error);
    let left = errors.map(|found| found.code).collect();
    Some((text, left))
}

/// Plays both and compares.
fn assert_same_matches(name: &str, rules: &str, strict: &str, turns: usize) {
    let options = Options { limits: Plan::LIMITS, ..Options::PLAY };
    let compiled = [rules, strict].map(|text| Game::compile(text, &options));
    let [Ok(written), Ok(strict_game)] = compiled else {
        panic!("{name} compiles in one form alone:\n{strict}");
    };
    for seed in 0..3 {
        let [one, other] = [&written.game, &strict_game.game].map(|game| playout(game, seed, turns));
        let first = one.iter().zip(&other).find(|(one, other)| one != other);
        assert!(one == other, "{name}, seed {seed}: {first:?}\n{rules}\n{strict}");
    }
}

#[test]
fn other_peoples_rules_in_strict_gdl_are_the_same_games() {
    let files: Vec<RuleFile> = ["gdl", "gdl2", "infix"].into_iter().flat_map(corpus::shared).collect();
    if files.is_empty() {
        croupier_tests::skipped("corpus: no games of other people are there");
    }
    // Hex by lists of all cells, which takes long in any form.
    for file in files.iter().filter(|file| file.name != "laikLee_hex") {
        let Some((text, left)) = strict(&file.text) else { continue };
        let unknown: Vec<_> = left.iter().filter(|code| !LEFT.contains(code)).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}\n{text}", file.name);
        assert_same_matches(&file.name, &file.text, &text, 60);
    }
}

#[test]
fn bundled_rules_are_strict_as_they_are_written() {
    for file in corpus::catalogue() {
        let (text, left) = strict(&file.text).unwrap_or_else(|| panic!("{} is a game", file.name));
        assert_eq!(left, BTreeSet::new(), "{}", file.name);
        let written = syntax::read(&file.text, Syntax::Auto, &Limits::STANDARD).description;
        let written = syntax::print_description(&written);
        let first = written.lines().zip(text.lines()).find(|(written, strict)| written != strict);
        assert_eq!(first, None, "{}", file.name);
    }
}

/// `CROUPIER_PROGRAMS` sets how many random games are disguised and written in strict GDL.
#[test]
fn random_rules_in_lax_forms_are_the_same_games_in_strict_gdl() {
    let count = std::env::var("CROUPIER_PROGRAMS")
        .map_or_else(|_| size(100, 300), |text| text.parse().expect("a number"));
    let (mut games, mut changed) = (0, 0);
    for seed in 0..count {
        let mut disguise = Disguise(ChaCha8Rng::seed_from_u64(seed));
        let clauses = grow(seed).program.clauses.iter().map(|clause| disguise.clause(clause)).collect();
        let lax = Description { clauses, comments: Vec::new() };
        let rules = syntax::print_description(&lax);
        // A variable that occurs nowhere but under `not` may depend on what is negated: such rules are no game.
        let Some((text, left)) = strict(&rules) else { continue };
        assert!(left.iter().all(|code| LEFT.contains(code)), "seed {seed}: {left:?}\n{rules}\n{text}");
        assert_same_matches(&format!("seed {seed}"), &rules, &text, 5);
        let plan = Plan { seed, walks: 1, turns: 4, effort: 1_000_000, limits: Plan::LIMITS };
        compare(&text, &plan).unwrap_or_else(|difference| panic!("seed {seed}: {difference}\n{text}"));
        games += 1;
        changed += u64::from(text != rules);
    }
    assert!(games * 4 > count * 3 && changed * 2 > games, "{changed} of {games} of {count} were rewritten");
}

/// Says the same in a form that other systems read differently, or not at all.
struct Disguise(ChaCha8Rng);

impl Disguise {
    fn one_in(&mut self, count: usize) -> bool {
        draw_index(count, &mut self.0) == 0
    }

    fn clause(&mut self, clause: &Clause) -> Clause {
        let mut body: Vec<Formula> = clause.body.iter().map(|formula| self.formula(formula)).collect();
        for place in (1..body.len()).rev() {
            body.swap(place, draw_index(place + 1, &mut self.0));
        }
        if body.len() > 1 && self.one_in(4) {
            body = vec![Formula::And(NOWHERE, body)];
        }
        Clause { body, ..clause.clone() }
    }

    fn formula(&mut self, formula: &Formula) -> Formula {
        let formula = match formula {
            Formula::Atom(_) | Formula::Distinct(..) => formula.clone(),
            Formula::Not(span, inner) => match &**inner {
                Formula::Atom(atom) if self.one_in(3) => {
                    Formula::Not(*span, Box::new(self.without_one(atom)))
                }
                inner => Formula::Not(*span, Box::new(inner.clone())),
            },
            Formula::And(span, parts) => Formula::And(*span, self.all(parts)),
            Formula::Or(span, parts) if self.one_in(2) => {
                let parts = self.all(parts).into_iter().map(not).collect();
                not(Formula::And(*span, parts))
            }
            Formula::Or(span, parts) => Formula::Or(*span, self.all(parts)),
        };
        if self.one_in(4) { not(not(formula)) } else { formula }
    }

    fn all(&mut self, parts: &[Formula]) -> Vec<Formula> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    /// The atom with an anonymous variable in place of an argument.
    fn without_one(&mut self, atom: &Term) -> Formula {
        let mut atom = atom.clone();
        if let TermKind::Compound(_, arguments) = &mut atom.kind {
            let place = draw_index(arguments.len(), &mut self.0);
            arguments[place].kind = TermKind::Variable("_".to_owned());
        }
        Formula::Atom(atom)
    }
}

fn not(formula: Formula) -> Formula {
    Formula::Not(NOWHERE, Box::new(formula))
}

const NOWHERE: Span = Span { start: 0, end: 0 };
