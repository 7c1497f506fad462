//! Who meets whom, in which seats and on which deal.

/// Every group of entrants that fills the seats meets on every deal, in every rotation of the seats.
///
/// Deals come first: however early a tournament stops, nobody has played much more than anybody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Schedule {
    pairings: Vec<Vec<usize>>,
    seats: usize,
    deals: u64,
    is_duplicate: bool,
}

/// One match of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fixture {
    /// Its place in the schedule, from 0.
    pub(super) index: u64,
    /// Which group of entrants plays it.
    pub(super) pairing: usize,
    /// How far they have moved on from the seats of the first rotation.
    pub(super) rotation: usize,
    /// The entrant in each seat, in the order of the players' roles.
    pub(super) seats: Vec<usize>,
    /// Which seed of the series it is played with.
    pub(super) seed: u64,
    /// Matches of the same group differ in seats only: together they are one observation.
    pub(super) group: u64,
}

/// More groups of entrants than these are a mistake.
pub(super) const PAIRINGS_MAX: usize = 10_000;

impl Schedule {
    /// At least `matches` matches for each group, as many as whole rotations make. Where there are fewer entrants than seats,
    /// some sit in several; a group of one entrant alone has nothing to decide. `None` if there is no group, or more than
    /// [`PAIRINGS_MAX`].
    pub(super) fn new(entrants: usize, seats: usize, matches: u64, is_duplicate: bool) -> Option<Self> {
        let mut pairings = Vec::new();
        let with_repetition = entrants < seats;
        extend(&mut Vec::new(), entrants, seats, with_repetition, &mut pairings);
        pairings.retain(|group| seats == 1 || group.iter().any(|entrant| *entrant != group[0]));
        let is_sound = (1..=PAIRINGS_MAX).contains(&pairings.len());
        is_sound.then(|| Self { pairings, seats, deals: matches.div_ceil(seats as u64), is_duplicate })
    }

    /// How many groups of entrants there are.
    pub(super) fn pairings_count(&self) -> usize {
        self.pairings.len()
    }

    /// How many matches each group plays.
    pub(super) fn matches_of_pairing(&self) -> u64 {
        self.deals * self.seats as u64
    }

    /// How many matches there are.
    pub(super) fn len(&self) -> u64 {
        self.deals * self.matches_of_deal()
    }

    fn matches_of_deal(&self) -> u64 {
        (self.pairings.len() * self.seats) as u64
    }

    /// The match at this place.
    pub(super) fn fixture(&self, index: u64) -> Fixture {
        let deal = index / self.matches_of_deal();
        let in_deal = usize::try_from(index % self.matches_of_deal()).expect("a deal has few matches");
        let (pairing, rotation) = (in_deal / self.seats, in_deal % self.seats);
        let group = &self.pairings[pairing];
        let mut seats = group.clone();
        seats.rotate_left(rotation);
        let (seed, group) = if self.is_duplicate {
            (deal, deal * self.pairings.len() as u64 + pairing as u64)
        } else {
            (index, index)
        };
        Fixture { index, pairing, rotation, seats, seed, group }
    }

    /// Every group with each rotation of its seats, in the order of [`Fixture::pairing`] and [`Fixture::rotation`].
    pub(super) fn seatings(&self) -> impl Iterator<Item = Vec<Vec<usize>>> + '_ {
        self.pairings.iter().map(|group| {
            let rotated = |rotation| {
                let mut seats = group.clone();
                seats.rotate_left(rotation);
                seats
            };
            (0..self.seats).map(rotated).collect()
        })
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
    if groups.len() > PAIRINGS_MAX {
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
    use super::{PAIRINGS_MAX, Schedule};

    #[test]
    fn everybody_meets_everybody_in_every_seat_on_the_same_deals() {
        let schedule = Schedule::new(3, 2, 4, true).expect("three pairs");
        assert_eq!((schedule.pairings_count(), schedule.len()), (3, 12));
        let seats: Vec<_> = (0..6).map(|index| schedule.fixture(index).seats).collect();
        assert_eq!(seats, [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert!((0..12).all(|index| schedule.fixture(index).seed == index / 6));
        assert_eq!(
            (0..12).map(|index| schedule.fixture(index).group).collect::<Vec<_>>(),
            [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
        );
    }

    #[test]
    fn without_duplicate_deals_no_two_matches_share_a_seed_or_a_group() {
        let schedule = Schedule::new(4, 3, 10, false).expect("four groups");
        assert_eq!(schedule.matches_of_pairing(), 12, "whole rotations");
        for index in 0..schedule.len() {
            let fixture = schedule.fixture(index);
            assert_eq!((fixture.seed, fixture.group), (index, index));
        }
    }

    #[test]
    fn two_entrants_share_out_three_seats() {
        let schedule = Schedule::new(2, 3, 3, true).expect("two groups");
        let seatings: Vec<_> = schedule.seatings().collect();
        assert_eq!(seatings, [[[0, 0, 1], [0, 1, 0], [1, 0, 0]], [[0, 1, 1], [1, 1, 0], [1, 0, 1]]]);
    }

    #[test]
    fn games_of_one_player_are_played_by_each_and_a_group_needs_two() {
        assert_eq!(Schedule::new(2, 1, 5, true).expect("two").len(), 10);
        assert_eq!(Schedule::new(1, 2, 5, true), None);
        assert_eq!(Schedule::new(PAIRINGS_MAX, 2, 5, true), None);
    }
}
