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

mod tag;
mod id;
mod bits;
mod diagnostic;
mod limits;
mod lifetime;
pub mod draw;
mod syntax;
mod rules;
mod check;
mod datalog;
mod ground;
mod propnet;
mod symmetry;
pub mod batch;
pub mod game;
pub mod realtime;
pub mod analysis;

/// The stages that a rules text goes through to become a game, in order: less stable than the rest of this package.
///
/// Text is read ([`syntax`](stages::syntax)), put into normal form ([`rules`](stages::rules)) and checked
/// ([`check`](stages::check)). It is evaluated as it is ([`datalog`](stages::datalog)), or without variables
/// ([`ground`](stages::ground)) as a network of gates ([`propnet`](stages::propnet)). All of that is public for tools that
/// check, convert, draw or compare rules.
pub mod stages {
    /// Rows of bits, as networks take states and percepts.
    pub mod bits {
        pub use crate::bits::*;
    }

    /// What rules, terms and relations are numbered by.
    pub mod id {
        pub use crate::id::*;
    }

    /// Text to a [`Description`](syntax::Description) and back, in prefix and infix syntax.
    pub mod syntax {
        pub use crate::syntax::*;
    }

    /// Descriptions to a [`Program`](rules::Program) of rules in normal form.
    pub mod rules {
        pub use crate::rules::*;
    }

    /// Whether rules are a game: every finding, with its code, place and explanation.
    pub mod check {
        pub use crate::check::*;
    }

    /// Programs evaluated as they are, with their variables.
    pub mod datalog {
        pub use crate::datalog::*;
    }

    /// Programs without variables.
    pub mod ground {
        pub use crate::ground::*;
    }

    /// Ground programs as networks of gates, and as the tapes that run them.
    pub mod propnet {
        pub use crate::propnet::*;
    }
}

pub use diagnostic::{Diagnostic, RulePlace, Severity, Span, Strictness, has_errors};
pub use game::{
    ByPlayer, ByRole, CompileError, Compiled, Game, GameError, GoalValue, History, InformationSet, JointMove,
    Options, Percepts, Roles, Scratch, State, Status, Turn,
};
pub use id::{FluentId, MoveId, PerceptId, RoleId};
pub use lifetime::{Lifetime, LifetimeError};
pub use limits::{LimitError, Limits};
