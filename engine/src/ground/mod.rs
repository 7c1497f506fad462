//! Rules to a ground program: every instance of every rule that can ever matter, without variables.
//!
//! The rules are made flat ([`flatten`](self)), long bodies are split, and a relaxed program is evaluated
//! by the lifted reasoner: its model has every fluent, move and instance of a rule that could come up.
//!
//! # Sources
//! Grounding by relaxed reachability: M. Helmert, "Concise finite-domain representations for PDDL
//! planning tasks", Artificial Intelligence 173, 2009, section 6.

mod flatten;
mod instantiate;
mod program;
mod relax;
mod signature;
mod split;

use thiserror::Error;

pub use program::{Atom, GroundFluent, GroundLiteral, GroundMove, GroundProgram};

use crate::{
    check::CheckedRules,
    datalog::{LimitError, Model, ModelError, Terms},
    diagnostic::Span,
    id::TermId,
    limits::Limits,
    rules::DependencyGraph,
};

/// Rules that cannot be grounded within the limits.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("grounding stops at {relation}: {limit}")]
pub struct GroundError {
    /// The relation of the rule that was being instantiated.
    pub relation: String,
    /// Where the rule stands in the text.
    pub span: Span,
    /// What was exceeded.
    pub limit: LimitError,
}

/// Grounds checked rules into terms of a vocabulary that was made for them.
///
/// # Errors
/// [`GroundError`] if there are more instances, or finding them takes more work, than `limits` allow.
pub fn ground(
    rules: &CheckedRules,
    roles: &[TermId],
    terms: Terms,
    limits: &Limits,
) -> Result<GroundProgram, GroundError> {
    let mut flat = flatten::flatten(rules.program());
    let graph = DependencyGraph::of(&flat.program);
    let is_dynamic = relax::dynamic_predicates(&flat, &graph);
    split::split(&mut flat, |rule| is_dynamic[rule.head.predicate.index()]);
    let graph = DependencyGraph::of(&flat.program);
    let is_dynamic = relax::dynamic_predicates(&flat, &graph);
    let is_needed = relax::needed_predicates(&flat, &graph);
    let relaxed = relax::relax(&flat, is_dynamic, &is_needed);
    let mut graph = DependencyGraph::of(&relaxed.program);
    if graph.has_negative_cycle() {
        graph = DependencyGraph::split_by_constants(&relaxed.program);
    }
    let explain = |error: ModelError| {
        let rule = relaxed.origins[error.rule.index()].map(|id| &flat.program.rules[id.index()]);
        let relation = rule.map_or("true", |rule| flat.program.name(rule.head.predicate).trim_end());
        let span = rule.map_or(Span::new(0, 0), |rule| rule.span);
        GroundError { relation: relation.to_owned(), span, limit: error.limit }
    };
    let mut model = Model::of(&relaxed.program, &graph, terms, limits.ground_fuel, limits.ground_rows)
        .map_err(explain)?;
    instantiate::Instantiation::new(&flat, &relaxed, &mut model).finish(roles).map_err(|limit| GroundError {
        relation: "true".to_owned(),
        span: Span::new(0, 0),
        limit,
    })
}
