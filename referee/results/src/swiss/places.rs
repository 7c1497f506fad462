//! The entrants of a Swiss tournament after some rounds.

use std::cmp::Reverse;

use super::SwissPlace;

/// The entrants after some rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Places {
    seats: usize,
    /// Twice the points of each entrant: whole numbers.
    half_points: Vec<u64>,
    byes: Vec<u64>,
    /// `met[one][other]`: in how many rounds both were in one group.
    met: Vec<Vec<u64>>,
    /// `sat[entrant][seat]`: in how many matches it sat there.
    sat: Vec<Vec<u64>>,
}

impl Places {
    pub(super) fn new(entrants: usize, seats: usize) -> Self {
        Self {
            seats,
            half_points: vec![0; entrants],
            byes: vec![0; entrants],
            met: vec![vec![0; entrants]; entrants],
            sat: vec![vec![0; seats]; entrants],
        }
    }

    pub(super) fn entrants(&self) -> usize {
        self.half_points.len()
    }

    /// Seats of the game.
    pub(super) fn seats(&self) -> usize {
        self.seats
    }

    pub(super) fn half_points(&self, entrant: usize) -> u64 {
        self.half_points[entrant]
    }

    pub(super) fn byes(&self, entrant: usize) -> u64 {
        self.byes[entrant]
    }

    pub(super) fn met(&self, one: usize, other: usize) -> u64 {
        self.met[one][other]
    }

    pub(super) fn sat(&self, entrant: usize, seat: usize) -> u64 {
        self.sat[entrant][seat]
    }

    /// Twice the sum of the points of all opponents, once for each meeting.
    fn half_buchholz(&self, entrant: usize) -> u64 {
        self.met[entrant].iter().zip(&self.half_points).map(|(times, points)| times * points).sum()
    }

    /// All entrants, the first in the standings first.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.entrants()).collect();
        order.sort_by_key(|&entrant| {
            (Reverse(self.half_points[entrant]), Reverse(self.half_buchholz(entrant)), entrant)
        });
        order
    }

    #[expect(clippy::cast_precision_loss, reason = "points are far below 2^53")]
    pub(super) fn place(&self, entrant: usize) -> SwissPlace {
        SwissPlace {
            points: self.half_points[entrant] as f64 / 2.0,
            buchholz: self.half_buchholz(entrant) as f64 / 2.0,
            byes: self.byes[entrant],
        }
    }

    /// A match began with these entrants in the seats.
    pub(super) fn sit(&mut self, seats: &[usize]) {
        for (seat, &entrant) in seats.iter().enumerate() {
            self.sat[entrant][seat] += 1;
        }
    }

    /// A group played its round, with these sums of goals.
    pub(super) fn meet(&mut self, members: &[usize], sums: &[i64]) {
        for (&one, own) in members.iter().zip(sums) {
            for (&other, theirs) in members.iter().zip(sums).filter(|(other, _)| **other != one) {
                self.met[one][other] += 1;
                self.half_points[one] += u64::from(own > theirs) + u64::from(own >= theirs);
            }
        }
    }

    /// An entrant had a bye.
    pub(super) fn sit_out(&mut self, entrant: usize) {
        self.byes[entrant] += 1;
        self.half_points[entrant] += 2 * (self.seats as u64 - 1);
    }
}
