//! Everybody plays everybody.

use std::collections::BTreeSet;

use crate::{
    bounds::{GROUPS_MAX, ScheduleError},
    deals::Deals,
    fixture::Fixture,
};

/// Every group of entrants that fills the seats plays every deal, in every rotation of the seats.
///
/// Matches are ordered by deals: however early a tournament stops, all entrants have played about the same number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRobin {
    groups: Vec<Vec<usize>>,
    seats: usize,
    deals_count: u64,
    deals: Deals,
}

impl RoundRobin {
    /// At least `matches` matches for each group, rounded up to whole rotations. If there are fewer entrants than seats,
    /// some sit in several; a group with only one entrant has nothing to decide.
    ///
    /// # Errors
    /// If there is no group, or more than [`GROUPS_MAX`].
    pub fn new(entrants: usize, seats: usize, matches: u64, deals: Deals) -> Result<Self, ScheduleError> {
        let mut groups = Vec::new();
        let with_repetition = entrants < seats;
        extend(&mut Vec::new(), entrants, seats, with_repetition, &mut groups);
        groups.retain(|group| seats == 1 || group.iter().any(|entrant| *entrant != group[0]));
        if groups.is_empty() {
            return Err(ScheduleError::Alone { seats });
        }
        if groups.len() > GROUPS_MAX {
            return Err(ScheduleError::TooManyGroups { entrants, seats });
        }
        Ok(Self { groups, seats, deals_count: matches.div_ceil(seats as u64), deals })
    }

    /// How many groups of entrants there are.
    #[must_use]
    pub fn groups_count(&self) -> usize {
        self.groups.len()
    }

    /// How many matches each group plays.
    #[must_use]
    pub fn matches_of_group(&self) -> u64 {
        self.deals_count * self.seats as u64
    }

    /// How many matches there are.
    #[must_use]
    pub fn matches_count(&self) -> u64 {
        self.deals_count * self.matches_of_deal()
    }

    fn matches_of_deal(&self) -> u64 {
        (self.groups.len() * self.seats) as u64
    }

    /// The match at this index; `None` after the last.
    #[must_use]
    pub fn fixture(&self, index: u64) -> Option<Fixture> {
        if index >= self.matches_count() {
            return None;
        }
        let in_deal = usize::try_from(index % self.matches_of_deal()).expect("a deal has few matches");
        let mut seats = self.groups[in_deal / self.seats].clone();
        seats.rotate_left(in_deal % self.seats);
        let deal = match self.deals {
            Deals::Duplicate => index / self.matches_of_deal(),
            Deals::Single => index,
        };
        Some(Fixture { index, seats, deal })
    }

    /// Every seating of the schedule.
    #[must_use]
    pub fn seatings(&self) -> BTreeSet<Vec<usize>> {
        let deal = (0..self.matches_of_deal()).map_while(|index| self.fixture(index));
        deal.map(|fixture| fixture.seats).collect()
    }

    /// The number of the sample that a match belongs to: matches with the same number differ in seats only.
    #[must_use]
    pub fn sample(&self, index: u64) -> u64 {
        match self.deals {
            Deals::Duplicate => index / self.seats as u64,
            Deals::Single => index,
        }
    }
}

/// All ways to go on with a group, in ascending order.
fn extend(
    group: &mut Vec<usize>,
    entrants: usize,
    seats: usize,
    with_repetition: bool,
    groups: &mut Vec<Vec<usize>>,
) {
    if groups.len() > GROUPS_MAX {
        return;
    }
    if group.len() == seats {
        groups.push(group.clone());
        return;
    }
    let first = group.last().map_or(0, |last| last + usize::from(!with_repetition));
    for entrant in first..entrants {
        group.push(entrant);
        extend(group, entrants, seats, with_repetition, groups);
        group.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::{GROUPS_MAX, RoundRobin};
    use crate::{Deals, ScheduleError};

    fn seats(schedule: &RoundRobin, index: u64) -> Vec<usize> {
        schedule.fixture(index).expect("a match of the schedule").seats
    }

    #[test]
    fn everybody_meets_everybody_in_every_seat_on_the_same_deals() {
        let schedule = RoundRobin::new(3, 2, 4, Deals::Duplicate).expect("three pairs");
        assert_eq!((schedule.groups_count(), schedule.matches_count()), (3, 12));
        let first: Vec<_> = (0..6).map(|index| seats(&schedule, index)).collect();
        assert_eq!(first, [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert!((0..12).all(|index| schedule.fixture(index).is_some_and(|it| it.deal == index / 6)));
        let samples = (0..12).map(|index| schedule.sample(index));
        assert_eq!(samples.collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(schedule.fixture(12), None);
    }

    #[test]
    fn without_duplicate_deals_no_two_matches_share_a_deal_or_a_sample() {
        let schedule = RoundRobin::new(4, 3, 10, Deals::Single).expect("four groups");
        assert_eq!(schedule.matches_of_group(), 12, "whole rotations");
        for index in 0..schedule.matches_count() {
            let deal = schedule.fixture(index).expect("a match of the schedule").deal;
            assert_eq!((deal, schedule.sample(index)), (index, index));
        }
    }

    #[test]
    fn two_entrants_share_out_three_seats() {
        let schedule = RoundRobin::new(2, 3, 3, Deals::Duplicate).expect("two groups");
        let seatings: Vec<_> = (0..6).map(|index| seats(&schedule, index)).collect();
        assert_eq!(seatings, [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 1, 0], [1, 0, 1]]);
    }

    #[test]
    fn games_of_one_player_are_played_by_each_and_a_group_needs_two() {
        assert_eq!(RoundRobin::new(2, 1, 5, Deals::Duplicate).expect("two").matches_count(), 10);
        assert_eq!(RoundRobin::new(1, 2, 5, Deals::Duplicate), Err(ScheduleError::Alone { seats: 2 }));
        let many = ScheduleError::TooManyGroups { entrants: GROUPS_MAX, seats: 2 };
        assert_eq!(RoundRobin::new(GROUPS_MAX, 2, 5, Deals::Duplicate), Err(many));
    }
}
