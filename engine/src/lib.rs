//! Games of imperfect information from their rules: text in GDL-II to legal moves, percepts, successors and goals.
//!
//! A [`Game`] is compiled from its rules, and immutable: share it. Each thread owns a [`Scratch`], the memory it computes in.
//! A [`State`] is played on by [`JointMove`]s until its [`Status`] is terminal. This is a whole match:
//!
//! ```
#![doc = include_str!("../examples/play.rs")]
//! ```
//!
//! [`batch`] plays hundreds of games at once, [`analysis`] looks for what is wrong with rules by playing them, and
//! [`stages`] has what a game is made by. What hides in a state from one role, `croupier-belief` tells; matches with
//! clocks and records are the business of `croupier-referee`.
//!
//! This package is pure: no I/O, no clock, no entropy, no log, no globals. Whoever wants random moves brings a generator.
#![deny(unsafe_code)]

// Modules of tests that are shared with `tests/` name the package as they do there.
#[cfg(test)]
extern crate self as croupier_engine;

pub mod id;
pub mod bits;
pub mod diagnostic;
pub mod limits;
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

/// The stages that a rules text goes through to become a game, in order: less stable than the rest of this package.
///
/// Text becomes a [`Description`](syntax::Description), that becomes [`CheckedRules`](check::CheckedRules), and those are
/// evaluated as they are ([`datalog`](stages::datalog)), or without variables ([`ground`](stages::ground)) as a network of
/// gates ([`propnet`](stages::propnet)). They are public for tools that check, convert, draw or compare rules.
pub mod stages {
    pub use crate::{bits, check, datalog, ground, id, propnet, rules, syntax};
}

pub use diagnostic::{Diagnostic, RulePlace, Severity, Span, Strictness};
pub use game::{
    ByPlayer, ByRole, CompileError, Compiled, Game, GameError, GoalValue, History, InformationSet, JointMove,
    Options, Percepts, Roles, Scratch, State, Status, Turn,
};
pub use id::{FluentId, MoveId, PerceptId, RoleId};
pub use limits::{LimitError, Limits};
