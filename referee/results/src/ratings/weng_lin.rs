//! Ratings by Weng and Lin, for any number of seats.

use serde::{Deserialize, Serialize};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::{Rating, ranks};

/// A player by the method of Weng and Lin: skill is normal with this mean and standard deviation.
///
/// Every two players of a match are compared (Bradley-Terry, full pairs), with beta = 25/6 and kappa = 0.000001.
///
/// # Sources
/// R. Weng and C. Lin, "A Bayesian approximation method for online ranking", JMLR 12, 2011, algorithm 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WengLin {
    /// The mean; initially 25.
    pub mu: f64,
    /// The standard deviation; initially 25/3.
    pub sigma: f64,
}

impl Default for WengLin {
    fn default() -> Self {
        WengLinRating::new().into()
    }
}

impl From<WengLinRating> for WengLin {
    fn from(rating: WengLinRating) -> Self {
        Self { mu: rating.rating, sigma: rating.uncertainty }
    }
}

impl Rating for WengLin {
    fn after_match(before: &[Self], goals: &[i32]) -> Vec<Self> {
        assert_eq!(before.len(), goals.len(), "each player has its goal");
        let known = |one: &Self| [WengLinRating { rating: one.mu, uncertainty: one.sigma }];
        let teams: Vec<[WengLinRating; 1]> = before.iter().map(known).collect();
        let ranked: Vec<_> = teams.iter().map(|team| &team[..]).zip(ranks(goals)).collect();
        let after = weng_lin_multi_team(&ranked, &WengLinConfig::new());
        after.into_iter().flatten().map(Self::from).collect()
    }
}
