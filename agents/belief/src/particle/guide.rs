//! An estimate of what is true now, by which a filter chooses what to draw again.

use std::fmt;

use croupier_engine::{FluentId, InformationSet};

/// What somebody estimates of the present from what a role knows: as a rule a network that has seen many matches.
///
/// A filter that draws earlier turns again keeps those histories on their way that lead to what is estimated more often, and
/// counts them for less in return. So a good estimate makes more of as many particles, and a bad one makes less of them, but neither changes what
/// the belief is on the average.
///
/// It must be a function of its argument alone; otherwise beliefs are not reproducible for the same seed.
pub trait Guide: fmt::Debug + Send + Sync {
    /// How likely fluents are, each from 0 to 1, when a role knows `known`; nothing is assumed of others.
    fn probabilities(&self, known: &InformationSet) -> Vec<(FluentId, f64)>;
}
