//! What a role can believe about a match: a distribution over the states it may be in.
//!
//! A belief is made from the rules and an [`InformationSet`](croupier_engine::InformationSet), which
//! is what one role did and was told, and from nothing else: no function here takes a true state.
//!
//! [`ExactBelief`] enumerates every history that the role cannot tell from the true one;
//! [`ParticleBelief`] draws some of them, for games where there are too many. Both answer through a
//! [`Distribution`].
//!
//! *The model of the others.* Every other role, `random` included, is taken to choose uniformly
//! among its legal moves. For `random` that is the language; for players it is an assumption, and the
//! belief is only as good as it. [`Opponents`] replaces it by policies.
//!
//! This package is pure: no clock, no entropy, no I/O, no log. What is drawn depends on a seed of 32
//! bytes and the turn alone.
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
mod policy;
mod table;
mod prediction;
mod continuation;
mod exact;
mod search;
mod rescue;
mod particle;
mod believer;

pub use believer::{Basis, Believer, Methods, Outlook};
pub use distribution::{Distribution, Marginal};
pub use error::BeliefError;
pub use exact::{Detail, ExactBelief, ExactOptions, ExactReport};
pub use histories::Histories;
pub use knowledge::{Knowledge, KnowledgeBasis};
pub use particle::{FilterReport, ParticleBelief, ParticleOptions};
pub use policy::{Opponents, Policy, mixed};
pub use query::{Query, QueryError};
pub use table::{POLICY_FORMAT, PolicyError, PolicyTable, TablePolicy};
