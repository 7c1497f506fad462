//! Ratings that are updated match by match.

use skillratings::{
    MultiTeamOutcome,
    weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team},
};

/// Ratings that are updated match by match.
pub(super) struct Ratings(Vec<Option<WengLinRating>>);

impl Ratings {
    pub(super) fn new(entrants: usize) -> Self {
        Self(vec![None; entrants])
    }

    /// Takes in a match of different entrants; more is better, and equal is a draw.
    pub(super) fn add(&mut self, seats: &[usize], goals: &[i32]) {
        let is_repeated = seats.iter().enumerate().any(|(place, seat)| seats[..place].contains(seat));
        if seats.len() < 2 || is_repeated {
            return;
        }
        let before: Vec<[WengLinRating; 1]> =
            seats.iter().map(|&entrant| [self.0[entrant].unwrap_or_default()]).collect();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
            .iter()
            .zip(goals)
            .map(|(team, goal)| {
                let better = goals.iter().filter(|other| *other > goal).count();
                (&team[..], MultiTeamOutcome::new(better + 1))
            })
            .collect();
        let after = weng_lin_multi_team(&teams, &WengLinConfig::new());
        for (&entrant, team) in seats.iter().zip(after) {
            self.0[entrant] = team.first().copied();
        }
    }

    pub(super) fn of(&self, entrant: usize) -> Option<(f64, f64)> {
        self.0[entrant].map(|rating| (rating.rating, rating.uncertainty))
    }
}
