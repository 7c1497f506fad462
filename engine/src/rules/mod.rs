//! Normalises descriptions: interned symbols, bodies in disjunctive normal form, predicates
//! with their dependency graph.
//!
//! A [`Program`] is small and easy to reason about, but cannot be printed back as it was written: its text means the same.

mod anonymous;
mod dependency;
mod full_sight;
mod normalise;
mod ordinary;
mod parts;
mod program;
mod real_time;
mod role_sight;
mod symbols;
mod text;

pub(crate) use anonymous::without_anonymous;
pub use dependency::{DependencyGraph, Edge, Scc};
pub use full_sight::{shows_every_move, with_full_sight};
pub use normalise::{Normalised, normalise};
pub(crate) use ordinary::ordinary_words;
pub(crate) use program::OPERATORS;
pub use program::{Atom, Keyword, Literal, Predicate, Program, Rule, Term};
pub use real_time::is_real_time;
pub(crate) use real_time::{
    EXPIRED, LASTING, TimeMarks, Timed, with_canonical_decimals, with_lifetimes, written_word,
};
pub use role_sight::{roles_with_sight, with_role_sight};
pub use symbols::Symbols;
