//! What a role can believe about a match: a distribution over the possible states.
//!
//! A belief is computed only from the rules and an [`InformationSet`](croupier_engine::InformationSet),
//! what one role did and was told: no function here takes a true state.
//!
//! [`ExactBelief`] enumerates every history that the role cannot tell from the true one;
//! [`ParticleBelief`] draws some of them, for games where there are too many. Both answer through a
//! [`Distribution`].
//!
//! *The opponent model.* By default every other role, `random` included, is assumed to choose uniformly
//! among its legal moves. For `random` the language guarantees that; for players it is an assumption, and the
//! belief is only as good as the assumption. [`Opponents`] replaces it by policies.
//!
//! This package is pure: no clock, no entropy, no I/O, no log. Random draws depend only on a seed of 32
//! bytes and the turn.
//!
//! ```
#![doc = include_str!("../examples/belief.rs")]
//! ```
#![forbid(unsafe_code)]

mod error;
mod weighted;
mod distribution;
mod histories;
mod knowledge;
mod query;
mod coverage;
mod answers;
mod by_game;
mod names;
mod policy;
mod table;
mod prediction;
mod continuation;
mod exact;
mod search;
mod questions;
mod formula;
mod rescue;
mod particle;
mod certainty;
mod believer;

pub use answers::Answers;
pub use believer::{Basis, Believer, Methods, Outlook};
pub use by_game::ByGame;
pub use certainty::Certainty;
pub use coverage::Coverage;
pub use distribution::{Distribution, Marginal};
pub use error::BeliefError;
pub use exact::{Detail, ExactBelief, ExactOptions, ExactReport, Possibility};
pub use formula::{BoundedSolver, Conflicts, Formula};
pub use histories::Histories;
pub use knowledge::{Knowledge, KnowledgeBasis};
pub use names::{Names, NamesByGame};
pub use particle::{CompleteBelief, FilterReport, Guide, ParticleBelief, ParticleOptions};
pub use policy::{Opponents, Policy, PolicyQuestion, mixed};
pub use query::{Query, QueryError};
pub use questions::{Asked, Looks};
pub use table::{POLICY_FORMAT, PolicyError, PolicyTable, TablePolicy};
