//! Ratings, updated match by match.

mod glicko2;
mod weng_lin;

use serde::{Deserialize, Serialize};
use skillratings::{MultiTeamOutcome, Outcomes};

pub use self::{glicko2::Glicko2, weng_lin::WengLin};

/// A rating system's state of one player: everything that has to be stored.
///
/// The default is a player of whom nothing is known.
pub trait Rating: Copy + Default {
    /// The ratings after a match between different players, given the ratings before it and the result of each: higher is better, and equal
    /// is a draw. The order of the lists does not matter.
    ///
    /// # Panics
    /// If the lists are not of one length.
    fn after_match(before: &[Self], goals: &[i32]) -> Vec<Self>;
}

/// Which system ratings are of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RatingSystem {
    /// [`WengLin`], for any number of seats.
    #[default]
    WengLin,
    /// [`Glicko2`], for two seats; with more by every two of a match.
    Glicko2,
}

/// The ratings of the entrants of a tournament; `None` for those who have not met anyone yet.
///
/// They can be stored after any match and go on from there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "system", content = "ratings")]
pub enum Ratings {
    /// Ratings by Weng and Lin.
    WengLin(Vec<Option<WengLin>>),
    /// Ratings by Glickman.
    Glicko2(Vec<Option<Glicko2>>),
}

impl Ratings {
    /// Nobody is rated yet.
    #[must_use]
    pub fn new(system: RatingSystem, entrants: usize) -> Self {
        match system {
            RatingSystem::WengLin => Self::WengLin(vec![None; entrants]),
            RatingSystem::Glicko2 => Self::Glicko2(vec![None; entrants]),
        }
    }

    /// Adds a match: who sat where and the result of each seat. A match in which someone sat in two seats, or alone,
    /// allows no comparison and changes nothing.
    ///
    /// # Panics
    /// If a seat is an entrant's that there is not, or the lists are not of one length.
    pub fn take_match(&mut self, seats: &[usize], goals: &[i32]) {
        let is_repeated = seats.iter().enumerate().any(|(place, seat)| seats[..place].contains(seat));
        if seats.len() < 2 || is_repeated {
            return;
        }
        match self {
            Self::WengLin(ratings) => rate(ratings, seats, goals),
            Self::Glicko2(ratings) => rate(ratings, seats, goals),
        }
    }

    /// The rating of an entrant and its uncertainty, on the scale of the system; `None` if it has not met anyone yet.
    #[must_use]
    pub fn mean_and_uncertainty(&self, entrant: usize) -> Option<(f64, f64)> {
        match self {
            Self::WengLin(ratings) => ratings[entrant].map(|rating| (rating.mu, rating.sigma)),
            Self::Glicko2(ratings) => ratings[entrant].map(|rating| (rating.rating, rating.deviation)),
        }
    }
}

fn rate<R: Rating>(ratings: &mut [Option<R>], seats: &[usize], goals: &[i32]) {
    let before: Vec<R> = seats.iter().map(|&entrant| ratings[entrant].unwrap_or_default()).collect();
    for (&entrant, after) in seats.iter().zip(R::after_match(&before, goals)) {
        ratings[entrant] = Some(after);
    }
}

/// The place of each seat: 1 for the most, and one more than there are better ones for the others.
fn ranks(goals: &[i32]) -> impl Iterator<Item = MultiTeamOutcome> + '_ {
    goals.iter().map(|goal| MultiTeamOutcome::new(goals.iter().filter(|other| *other > goal).count() + 1))
}

/// The result of one player against another.
fn outcome(own: i32, theirs: i32) -> Outcomes {
    match own.cmp(&theirs) {
        std::cmp::Ordering::Greater => Outcomes::WIN,
        std::cmp::Ordering::Equal => Outcomes::DRAW,
        std::cmp::Ordering::Less => Outcomes::LOSS,
    }
}

#[cfg(test)]
mod tests;
