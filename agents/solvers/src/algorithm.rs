//! The algorithms there are, by name.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::full::Weighting;

/// A way to find an equilibrium.
///
/// All of them keep a cumulative regret for each move of each information set, play in proportion to positive regrets,
/// and average the strategies. In two-player zero-sum games the averages converge to an equilibrium; in
/// other games they need not, and [`Evaluation`](crate::Evaluation) shows how close they are.
///
/// # Sources
/// - [`Cfr`](Self::Cfr): M. Zinkevich, M. Johanson, M. Bowling, C. Piccione: Regret Minimization in Games with Incomplete
///   Information, NIPS 2007; players are updated in turn, as has become usual.
/// - [`CfrPlus`](Self::CfrPlus): O. Tammelin: Solving Large Imperfect Information Games Using CFR+, arXiv:1407.5042, 2014,
///   without delay of the averages.
/// - [`LinearCfr`](Self::LinearCfr), [`DiscountedCfr`](Self::DiscountedCfr): N. Brown, T. Sandholm: Solving
///   Imperfect-Information Games via Discounted Regret Minimization, AAAI 2019; alpha 1.5, beta 0, gamma 2.
/// - [`ExternalSampling`](Self::ExternalSampling), [`OutcomeSampling`](Self::OutcomeSampling): M. Lanctot, K. Waugh,
///   M. Zinkevich, M. Bowling: Monte Carlo Sampling for Regret Minimization in Extensive Games, NIPS 2009.
///
/// ```
/// use croupier_solvers::Algorithm;
///
/// assert_eq!("cfr+".parse(), Ok(Algorithm::CfrPlus));
/// assert!(Algorithm::ALL.iter().all(|algorithm| algorithm.name().parse() == Ok(*algorithm)));
/// assert!("simplex".parse::<Algorithm>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Algorithm {
    /// Counterfactual regret minimisation.
    Cfr,
    /// Regrets never fall below zero; iteration t has the weight t in the averages.
    CfrPlus,
    /// Iteration t has the weight t in regrets and averages.
    LinearCfr,
    /// Old regrets are discounted, negative ones more; iteration t has the weight t squared in the averages.
    DiscountedCfr,
    /// Regrets from one sampled move of chance and of every opponent, and all moves of the player.
    ExternalSampling,
    /// Regrets from one sampled match.
    OutcomeSampling,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Cfr,
        Self::CfrPlus,
        Self::LinearCfr,
        Self::DiscountedCfr,
        Self::ExternalSampling,
        Self::OutcomeSampling,
    ];

    /// Its name: `cfr`, `cfr+`, `linear-cfr`, `discounted-cfr`, `external-sampling`, `outcome-sampling`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cfr => "cfr",
            Self::CfrPlus => "cfr+",
            Self::LinearCfr => "linear-cfr",
            Self::DiscountedCfr => "discounted-cfr",
            Self::ExternalSampling => "external-sampling",
            Self::OutcomeSampling => "outcome-sampling",
        }
    }

    /// How iterations over the whole game weigh, if it makes such.
    pub(crate) fn weighting(self) -> Option<Weighting> {
        match self {
            Self::Cfr => Some(Weighting::Plain),
            Self::CfrPlus => Some(Weighting::Plus),
            Self::LinearCfr => Some(Weighting::Linear),
            Self::DiscountedCfr => Some(Weighting::Discounted),
            Self::ExternalSampling | Self::OutcomeSampling => None,
        }
    }

    /// Whether it draws samples, and so depends on a seed.
    #[must_use]
    pub fn is_sampling(self) -> bool {
        self.weighting().is_none()
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no algorithm has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown algorithm '{name}'; known algorithms are {}", Algorithm::ALL.map(Algorithm::name).join(", "))]
pub struct UnknownAlgorithm {
    /// The name.
    pub name: String,
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        let found = Self::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        found.ok_or_else(|| UnknownAlgorithm { name: name.to_owned() })
    }
}

impl From<Algorithm> for String {
    fn from(algorithm: Algorithm) -> Self {
        algorithm.name().to_owned()
    }
}

impl TryFrom<String> for Algorithm {
    type Error = UnknownAlgorithm;

    fn try_from(name: String) -> Result<Self, UnknownAlgorithm> {
        name.parse()
    }
}
