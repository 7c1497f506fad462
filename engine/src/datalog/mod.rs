//! The lifted reasoner: stratified, semi-naive evaluation of the rules as they are written.
//!
//! Each rule becomes a plan, a loop nest over indexed relations (`plan.rs`). A fluent such as `(cell ?x ?y b)` under
//! `true` is stored in columns, in a relation of its own function (`layout.rs`), so that joins can use its arguments. The
//! join order is based on relation sizes, which are measured in a few sample matches when the game is built (`trial.rs`).
//! After a conclusion the search resumes at the last step that the head depends on, so an existential condition is
//! satisfied only once.
//!
//! Relations that depend on neither `true` nor `does` are computed once; the others in two phases, first those determined
//! by a state, then those determined by a joint move, and only as far as the current question needs them (`session.rs`).
//!
//! # Sources
//! Semi-naive evaluation: F. Bancilhon, "Naive evaluation of recursively defined relations", 1986.

mod addresses;
mod builder;
mod call;
mod callee;
mod calls;
mod choice;
mod compile;
mod entries;
mod estimate;
mod index;
mod layout;
mod machine;
mod model;
mod overrun;
mod phase;
mod plan;
mod planner;
mod question;
mod reasoner;
mod relation;
mod session;
mod stage;
mod terms;
mod trial;

pub use model::{Model, ModelError};
pub use question::Question;
pub use reasoner::{Reasoner, ReasonerStatistics};
pub use session::Session;
pub use terms::{Terms, Vocabulary};
