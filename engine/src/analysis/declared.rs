//! What `base`, `input` and `percept` declare, as printed terms.

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    check::check,
    diagnostic::{Span, Strictness},
    game::Game,
    limits::Limits,
    rules::Keyword,
    syntax::{Clause, Description, Formula, Term, TermKind},
};

/// The sets that the rules declare; `None` for what they do not declare.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Fluents, by `base`.
    pub(super) fluents: Option<BTreeSet<String>>,
    /// Role and move, by `input`.
    pub(super) moves: Option<BTreeSet<String>>,
    /// Role and percept, by `percept`.
    pub(super) percepts: Option<BTreeSet<String>>,
}

/// More work than this for declarations is not worth it: there are games that declare millions.
const FUEL: u64 = 2_000_000;

impl Declared {
    /// The declarations of a description, without what takes too much work to compute.
    pub(super) fn of(description: &Description, game: &Game) -> Self {
        let set = |keyword| declared(description, keyword, game);
        Self { fluents: set(Keyword::Base), moves: set(Keyword::Input), percepts: set(Keyword::Percept) }
    }
}

/// What a declaration gives, read off as the first player's goals in a game with one more rule. That is
/// a detour, but no other part of the engine has to know that declarations exist.
fn declared(description: &Description, keyword: Keyword, game: &Game) -> Option<BTreeSet<String>> {
    if description.clauses.iter().all(|clause| clause.head.name() != Some(keyword.name())) {
        return None;
    }
    let variables: Vec<Term> = (0..keyword.arity()).map(|number| variable(&format!("x{number}"))).collect();
    let player = game.roles().players().next()?;
    let role = constant(game.roles().name(player));
    let keyed = compound("declared", variables.clone());
    let mut clauses: Vec<Clause> =
        description.clauses.iter().filter(|clause| clause.head.name() != Some("goal")).cloned().collect();
    clauses.push(Clause {
        span: NOWHERE,
        head: compound(Keyword::Goal.name(), vec![role, keyed]),
        body: vec![Formula::Atom(compound(keyword.name(), variables))],
    });
    let limits = Limits { fuel: FUEL, rows: FUEL, ..*game.limits() };
    let extended = Description { clauses, ..description.clone() };
    let (rules, _) = check(extended, Strictness::Compatible, &limits);
    let rules = rules?;
    // Faulty declarations declare nothing.
    let program = rules.program();
    let word = program.keyword(keyword)?;
    program.rules.iter().find(|rule| rule.head.predicate == word)?;
    let extended = Game::for_probes(Arc::clone(&rules), &limits).ok()?;
    let values = extended.goal_values(extended.initial_state(), player, &mut extended.scratch()).ok()?;
    let shape = |value: String| Some(value.strip_prefix("(declared ")?.strip_suffix(')')?.to_owned());
    values.into_iter().map(shape).collect()
}

const NOWHERE: Span = Span { start: 0, end: 0 };

fn variable(name: &str) -> Term {
    Term { span: NOWHERE, kind: TermKind::Variable(name.to_owned()) }
}

fn constant(name: &str) -> Term {
    Term { span: NOWHERE, kind: TermKind::Constant(name.to_owned()) }
}

fn compound(name: &str, arguments: Vec<Term>) -> Term {
    Term { span: NOWHERE, kind: TermKind::Compound(name.to_owned(), arguments) }
}
