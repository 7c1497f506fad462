//! The cost of putting entrants into one group.

use std::{iter::Sum, ops::Add};

use super::places::Places;

/// The cost of a group; the fields are compared in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    /// Byes that those who sit out had before.
    pub(super) byes: u64,
    /// How often those who play each other met before.
    pub(super) repeats: u64,
    /// Squares of the differences of half points.
    pub(super) points: u64,
    /// Squares of the differences of places.
    pub(super) places: u64,
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            byes: self.byes + other.byes,
            repeats: self.repeats + other.repeats,
            points: self.points + other.points,
            places: self.places + other.places,
        }
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), Add::add)
    }
}

/// The costs of a round, over places in the standings: 0 is the first.
pub(super) struct Costs<'p> {
    places: &'p Places,
    order: Vec<usize>,
}

impl<'p> Costs<'p> {
    pub(super) fn of(places: &'p Places) -> Self {
        Self { places, order: places.order() }
    }

    /// The entrant at this place.
    pub(super) fn entrant(&self, place: usize) -> usize {
        self.order[place]
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Of two in one group.
    pub(super) fn meeting(&self, one: usize, other: usize) -> Cost {
        let (first, second) = (self.order[one], self.order[other]);
        let points = |entrant| self.places.half_points(entrant);
        Cost {
            byes: 0,
            repeats: self.places.met(first, second),
            points: points(first).abs_diff(points(second)).pow(2),
            places: (one.abs_diff(other) as u64).pow(2),
        }
    }

    /// Of a bye.
    pub(super) fn bye(&self, place: usize) -> Cost {
        let (entrant, last) = (self.order[place], self.order[self.len() - 1]);
        let points = |entrant| self.places.half_points(entrant);
        Cost {
            byes: self.places.byes(entrant),
            repeats: 0,
            points: points(entrant).abs_diff(points(last)).pow(2),
            places: (self.len().abs_diff(place) as u64).pow(2),
        }
    }

    /// Of a whole group.
    pub(super) fn group(&self, group: &[usize]) -> Cost {
        let later = |at: usize| group[at + 1..].iter().map(move |other| self.meeting(group[at], *other));
        (0..group.len()).flat_map(later).sum()
    }

    /// Of all who sit out.
    pub(super) fn byes(&self, byes: &[usize]) -> Cost {
        byes.iter().map(|place| self.bye(*place)).sum()
    }
}
