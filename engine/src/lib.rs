//! Compiles the rules of hidden-information games, written in GDL-II, to legal moves, percepts, successors and goals.
//!
//! A [`Game`] is compiled from its rules. It is immutable and can be shared between threads; each thread owns a [`Scratch`], its
//! working memory. [`JointMove`]s lead from one [`State`] to the next until the [`Status`] is terminal. This is a whole match:
//!
//! ```
#![doc = include_str!("../examples/play.rs")]
//! ```
//!
//! # Modules, in reading order
//!
//! A module imports only modules above it. Games, batches and analyses are public; the stages up to `propnet` are in
//! [`stages`].
//!
//! | module | from | to |
//! |---|---|---|
//! | `tag`, `id`, `bits`, `diagnostic`, `limits`, `lifetime`, `draw` | | tags that tie a value to its game, in builds that check them; typed indices; bit sets; findings as data; resource limits; remaining times of fluents; unbiased draws |
//! | `syntax` | text, prefix or infix | `Description`: what was written, with spans and comments; printers for both syntaxes |
//! | `rules` | `Description` | `Program`: interned names, bodies in disjunctive normal form, dependency graph |
//! | `check` | `Description` | `CheckedRules`, or the reasons why not; one file per check, one table of severities, one text file that explains each code |
//! | `strict` | `Description`, `CheckedRules` | the same rules in strict GDL, as START and `convert --strict` write them |
//! | `datalog` | `CheckedRules` | `Reasoner`: join plans over indexed relations; a `Session` evaluates it; a `Model` derives everything at once |
//! | `ground` | `CheckedRules` | `GroundProgram`: the rules without variables, over all atoms that can occur |
//! | `propnet` | `GroundProgram` | `Network` of gates, and the `Tape` that evaluates it |
//! | `symmetry` | `Program` | permutations of names and arguments that leave the rules unchanged, and renamings of one game's rules into another's |
//! | `batch` | `Tape` | `Lanes`: many states at once, one bit each; uniform choices; `Playouts` |
//! | `game` | text | `Game`: the interface that everything else uses, on the reasoner or on a tape; `GameNetwork`: the tape indices of its values |
//! | `realtime` | text | `RealTimeGame`: states of fluents with lifetimes, on the reasoner or on a network with clocks beside it; conversion from turn-based rules |
//! | `analysis` | `Game` | problems that only show in play: roles without a move, missing or duplicate goals, legal moves that a role cannot know |
//!
//! [`batch`] plays hundreds of games at once, [`analysis`] finds problems in rules by playing them, and
//! [`stages`] has the stages of compilation. The package `croupier-belief` computes what a role can believe about a state;
//! `croupier-referee` runs matches with clocks and records.
//!
//! This package is pure: no I/O, no clock, no entropy, no log, no globals. Callers who want random moves pass in a generator.
#![deny(unsafe_code)]

// Test modules shared with `tests/` use the package's external name.
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
mod strict;
mod public_sight;
mod datalog;
mod ground;
mod propnet;
mod symmetry;
pub mod batch;
pub mod game;
pub mod realtime;
pub mod analysis;

/// The stages that turn the text of rules into a game, in order: less stable than the rest of this package.
///
/// The text is parsed ([`syntax`](stages::syntax)), normalised ([`rules`](stages::rules)) and checked
/// ([`check`](stages::check)), and can be written in strict GDL ([`strict`](stages::strict)). It is then evaluated directly ([`datalog`](stages::datalog)), or grounded
/// ([`ground`](stages::ground)) and compiled to a network of gates ([`propnet`](stages::propnet)). The stages are public for tools
/// that check, convert, draw or compare rules.
pub mod stages {
    /// Rows of bits, the form in which networks take states and percepts.
    pub mod bits {
        pub use crate::bits::*;
    }

    /// The indices of rules, terms and relations.
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

    /// Checks that rules form a game: every finding, with its code, location and explanation.
    pub mod check {
        pub use crate::check::*;
    }

    /// Rules as every other system reads them.
    pub mod strict {
        pub use crate::strict::*;
    }

    /// Evaluation of programs with their variables.
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
pub use public_sight::{PublicSight, SightError};
