//! Grounds rules: generates every instance of every rule that can ever matter, without variables.
//!
//! A sequence of transformations, one file each, leads to a relaxed program. The lifted reasoner evaluates it, and its
//! model contains every fluent, move and rule instance that could ever occur:
//!
//! - Functions that always occur in the same argument of a relation become columns (`unpack.rs`).
//! - Each function under `true`, `init`, `next`, `does` and `legal` becomes a predicate of its own (`flatten.rs`);
//!   `signature.rs` computes which functions a variable for a whole fluent or move can stand for.
//! - Bodies with many variables are split by repeatedly eliminating the variable that joins the fewest others; parts that
//!   rules share are computed once (`split.rs`).
//! - The relaxed program (`relax.rs`) determines what can ever be true: `next` feeds `true`, `legal` feeds `does`, and
//!   negation of anything that changes is ignored. For each rule that changes, an additional relation holds its
//!   instances.
//! - `datalog::Model` derives all of these relations semi-naively. Where that explodes, relations that are only queried
//!   with known values are computed on demand (`demand.rs`), in up to three attempts; all but the last may use a quarter
//!   of the fuel and rows.
//! - `instantiate.rs` reads the ground rules from the instances.
//!
//! # Sources
//! Grounding by relaxed reachability: M. Helmert, "Concise finite-domain representations for PDDL
//! planning tasks", Artificial Intelligence 173, 2009, section 6.

mod demand;
mod flatten;
mod instantiate;
mod name;
mod program;
mod relax;
mod signature;
mod split;
mod unpack;

use std::{fmt, sync::Arc};

use thiserror::Error;

use demand::{DemandedRelations, Demands};
use flatten::Flat;
use instantiate::Instantiation;
use relax::Relaxed;

pub use name::{AtomName, AtomNames, Subject};
pub use program::{Atom, GroundFluent, GroundLiteral, GroundMove, GroundProgram};

use crate::{
    check::CheckedRules,
    datalog::{Model, ModelError, Vocabulary},
    diagnostic::RulePlace,
    id::TermId,
    limits::{LimitError, Limits},
    rules::{DependencyGraph, Rule},
};

/// Rules that cannot be grounded within the limits.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct GroundError {
    /// The limit that was exceeded, and the rule that was being instantiated, if any.
    pub limit: LimitError,
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit } = self;
        f.write_str("grounding stops")?;
        if let Some(rule) = limit.rule() {
            write!(f, " at {}", rule.relation)?;
        }
        write!(f, ": {}: limit {}, and more are needed", limit.unit(), limit.limit())
    }
}

/// Grounds checked rules into terms of a vocabulary that was made for them.
///
/// # Errors
/// [`GroundError`] if there are more instances, or finding them takes more work, than `limits` allow, or more than takes
/// about a second if the rules may build ever larger terms.
pub fn ground(
    rules: &CheckedRules,
    roles: &[TermId],
    vocabulary: &Arc<Vocabulary>,
    limits: &Limits,
) -> Result<GroundProgram, GroundError> {
    ground_named(rules, roles, vocabulary, limits).map(|(program, _)| program)
}

/// The same, with the meaning of each atom.
///
/// # Errors
/// As [`ground`].
pub fn ground_named(
    rules: &CheckedRules,
    roles: &[TermId],
    vocabulary: &Arc<Vocabulary>,
    limits: &Limits,
) -> Result<(GroundProgram, AtomNames), GroundError> {
    ground_on_demand(rules, roles, vocabulary, limits, |_, _| DemandedRelations::new())
}

/// The same, with the relations that the first attempt computes on demand.
fn ground_on_demand(
    rules: &CheckedRules,
    roles: &[TermId],
    vocabulary: &Arc<Vocabulary>,
    limits: &Limits,
    wanted: impl Fn(&Flat, &[bool]) -> DemandedRelations,
) -> Result<(GroundProgram, AtomNames), GroundError> {
    // Terms that grow without end reach any limit: it may as well be a small one.
    let limits = if rules.has_growing_terms() { &limits.with_brief_grounding() } else { limits };
    let mut flat = flatten::flatten(&unpack::unpack(rules.program()));
    let graph = DependencyGraph::of(&flat.program);
    let is_dynamic = relax::dynamic_predicates(&flat, &graph);
    split::split(&mut flat, |rule| is_dynamic[rule.head.predicate.index()]);
    let graph = DependencyGraph::of(&flat.program);
    let is_dynamic = relax::dynamic_predicates(&flat, &graph);
    let is_needed = relax::needed_predicates(&flat, &graph);
    let mut wanted = wanted(&flat, &is_dynamic);
    let mut attempts = ATTEMPTS_MAX;
    loop {
        let demands = Demands::of(&flat.program, &wanted);
        let relaxed = relax::relax(&flat, is_dynamic.clone(), &is_needed, &demands);
        let is_last = attempts == 1;
        let error = match evaluate(&relaxed, vocabulary, limits, if is_last { 1 } else { FIRST_SHARE }) {
            Ok(model) => return finish(&flat, &relaxed, model, roles),
            Err(error) => error,
        };
        if is_last {
            return Err(explain(rules, &flat, &relaxed, &error));
        }
        let before = wanted.len();
        wanted.extend(relaxed.heavy(&flat, &error));
        attempts = if wanted.len() == before { 1 } else { attempts - 1 };
    }
}

/// How often grounding is tried, each time with more relations computed on demand.
const ATTEMPTS_MAX: usize = 3;

/// What all attempts but the last may use of the limits, as their part.
const FIRST_SHARE: u64 = 4;

fn evaluate(
    relaxed: &Relaxed,
    vocabulary: &Arc<Vocabulary>,
    limits: &Limits,
    share: u64,
) -> Result<Model, ModelError> {
    let mut graph = DependencyGraph::of(&relaxed.program);
    if graph.has_negative_cycle() {
        graph = DependencyGraph::split_by_constants(&relaxed.program);
    }
    Model::of(
        &relaxed.program,
        &graph,
        vocabulary.reader(),
        limits.ground_fuel / share,
        limits.ground_rows / share,
    )
}

fn finish(
    flat: &Flat,
    relaxed: &Relaxed,
    mut model: Model,
    roles: &[TermId],
) -> Result<(GroundProgram, AtomNames), GroundError> {
    let instantiation = Instantiation::new(flat, relaxed, &mut model);
    let first = instantiation.first_atoms().to_vec();
    let program = instantiation.finish(roles).map_err(|limit| GroundError { limit })?;
    Ok((program, AtomNames::new(flat, &first, model)))
}

/// The error in terms of the rules as they were written.
fn explain(rules: &CheckedRules, flat: &Flat, relaxed: &Relaxed, error: &ModelError) -> GroundError {
    let program = rules.program();
    let origin = relaxed.origins[error.rule.index()].and_then(|id| flat.origins[id.index()]);
    let rule = origin.map(|id| &program.rules[id.index()]);
    let place =
        |rule: &Rule| RulePlace { relation: program.name(rule.head.predicate).into(), span: rule.span };
    GroundError {
        limit: match rule {
            Some(rule) => error.limit.clone().by(place(rule)),
            None => error.limit.clone(),
        },
    }
}

#[cfg(test)]
mod tests;
