//! Ratings by Glickman, for two seats.

use serde::{Deserialize, Serialize};
use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period},
};

use super::{Rating, outcome};

/// A player by Glicko-2, on the scale of Elo's ratings.
///
/// Each match is a rating period for those who sit in it; nothing changes for the others. The method is made for two
/// seats. A match with more counts as one match against each opponent, all within its period: so is Glicko-2's own way with
/// several matches in a period, but matches of one table do not have chance apart, and ratings become certain sooner than they
/// should. [`WengLin`](super::WengLin) is meant for such games.
///
/// The constant tau, by which volatility may change, is 0.5. Glickman recommends periods of ten to fifteen matches; shorter
/// ones follow a player faster.
///
/// # Sources
/// M. Glickman, "Example of the Glicko-2 system", <http://www.glicko.net/glicko/glicko2.pdf>, 2022.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Glicko2 {
    /// The rating; initially 1500.
    pub rating: f64,
    /// Its standard deviation; initially 350.
    pub deviation: f64,
    /// The expected volatility of the player's strength; initially 0.06.
    pub volatility: f64,
}

impl Default for Glicko2 {
    fn default() -> Self {
        Glicko2Rating::new().into()
    }
}

impl From<Glicko2Rating> for Glicko2 {
    fn from(known: Glicko2Rating) -> Self {
        let Glicko2Rating { rating, deviation, volatility } = known;
        Self { rating, deviation, volatility }
    }
}

impl From<Glicko2> for Glicko2Rating {
    fn from(known: Glicko2) -> Self {
        let Glicko2 { rating, deviation, volatility } = known;
        Self { rating, deviation, volatility }
    }
}

impl Rating for Glicko2 {
    fn after_match(before: &[Self], goals: &[i32]) -> Vec<Self> {
        assert_eq!(before.len(), goals.len(), "each player has its goal");
        let after = |(place, (one, own)): (usize, (&Self, &i32))| {
            let others = before.iter().zip(goals).enumerate().filter(|(other, _)| *other != place);
            let faced: Vec<(Glicko2Rating, Outcomes)> =
                others.map(|(_, (other, theirs))| ((*other).into(), outcome(*own, *theirs))).collect();
            glicko2_rating_period(&(*one).into(), &faced, &Glicko2Config::new()).into()
        };
        before.iter().zip(goals).enumerate().map(after).collect()
    }
}
