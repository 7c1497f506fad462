//! From the rules of a game in GDL-II to its legal moves, percepts and successors.
//!
//! The modules are the stages of a pipeline, in reading order; each imports only those above it.
//! Text becomes a [`Description`](syntax::Description), that becomes
//! [`CheckedRules`](check::CheckedRules), and those become a [`Game`].
//!
//! This package is pure: no I/O, no clock, no entropy, no log, no globals.
//! A [`Game`] is immutable and shared; each thread owns a [`Scratch`].
//!
//! ```
#![doc = include_str!("../examples/kuhn_deal.rs")]
//! ```
#![deny(unsafe_code)]

// Modules of tests that are shared with `tests/` name the package as they do there.
#[cfg(test)]
extern crate self as croupier_engine;

pub mod id;

pub mod bits;
pub mod limits;

pub mod diagnostic;

pub mod draw;

pub mod syntax;

pub mod rules;

pub mod check;

pub mod datalog;

pub mod ground;

pub mod propnet;

pub mod batch;

pub mod game;

pub mod analysis;

pub use diagnostic::{Diagnostic, Severity, Span, Strictness};
pub use game::{
    ByPlayer, ByRole, CompileError, Compiled, Game, GameError, GoalValue, History, InformationSet, JointMove,
    Options, Percepts, Roles, Scratch, State, Status, Turn,
};
pub use id::{FluentId, MoveId, PerceptId, RoleId};
pub use limits::Limits;
