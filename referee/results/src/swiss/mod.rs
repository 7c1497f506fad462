//! Swiss tournaments: in each round players with equal points meet.

mod arrangement;
mod cost;
mod places;
mod seating;

use std::collections::BTreeSet;

use self::{arrangement::arrange, places::Places, seating::seated};
use crate::{
    bounds::{ENTRANTS_MAX, ScheduleError},
    deals::Deals,
    fixture::Fixture,
};

/// How a Swiss tournament is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwissFormat {
    /// How many take part.
    pub entrants: usize,
    /// How many players the game has.
    pub seats: usize,
    /// How many rounds are played.
    pub rounds: u64,
    /// The number of matches of each group in a round; on duplicate deals at least this many, in whole rotations.
    pub matches: u64,
    /// Which matches are played on the same deal.
    pub deals: Deals,
}

/// A Swiss tournament so far: the results of a round decide the pairings of the next.
///
/// # Groups
/// In each round the entrants are put into groups of as many as the game has seats, and the rest get
/// a bye. The cheapest such division is sought, by four costs, of which the earlier ones take precedence:
/// 1. byes: the earlier byes of those who get one, so that nobody has a second bye before everyone had one;
/// 2. repeats: for each two in one group, how often they have met;
/// 3. points: for each two in one group, the square of the difference of their points;
/// 4. places: for each two in one group, the square of the difference of their places in the standings.
///
/// A bye counts, in 3 and 4, as a meeting with an opponent one place below the last entrant and with the same points as that entrant.
///
/// For games with two seats the cheapest round is found, by a minimum-cost matching in O(entrants^3) steps.
/// With more seats that is too hard (it contains three-dimensional matching): groups are formed down the standings, and two
/// entrants change places as long as that makes the round cheaper, for at most [`ENTRANTS_MAX`] entrants in O(entrants^2 seats)
/// steps per sweep.
///
/// # Points
/// All goals of a group's matches in a round are added up. An entrant gets a point for each other one with a lower sum, and half a point
/// for an equal one: with two seats that is a point for a win and half a point for a draw. A bye counts as much as
/// the maximum in a round. A group without any goals gets nothing, and does not count as having met.
///
/// # Standings
/// By points; among equals by Buchholz's number, the sum of the points of all opponents, once for each meeting; then by
/// the order of the list of entrants.
///
/// # Seats
/// The seating of a group minimises how often its members already sat in their seats, in total; further matches of the same group
/// rotate the seats, and on duplicate deals each deal is played in every rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swiss {
    format: SwissFormat,
    places: Places,
    /// The groups of each round that is paired.
    rounds: Vec<Vec<Vec<usize>>>,
    /// The entrants with a bye in the current round.
    byes: Vec<usize>,
    /// Sums of goals of each group in the current round; `None` as long as no match had goals.
    sums: Vec<Option<Vec<i64>>>,
    /// How many results were taken in.
    taken: u64,
}

/// An entrant's position in a Swiss tournament after the last complete round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwissPlace {
    /// Points, in halves.
    pub points: f64,
    /// The sum of the points of all opponents, once for each meeting.
    pub buchholz: f64,
    /// How many rounds it sat out.
    pub byes: u64,
}

impl Swiss {
    /// A tournament with its first round paired.
    ///
    /// # Errors
    /// If there are too few entrants for one match, or more than [`ENTRANTS_MAX`]; or if the game has one seat.
    pub fn new(format: SwissFormat) -> Result<Self, ScheduleError> {
        let SwissFormat { entrants, seats, .. } = format;
        if seats < 2 {
            return Err(ScheduleError::OneSeat);
        }
        if entrants < seats {
            return Err(ScheduleError::TooFewEntrants { entrants, seats });
        }
        if entrants > ENTRANTS_MAX {
            return Err(ScheduleError::TooManyEntrants { entrants });
        }
        let places = Places::new(entrants, seats);
        let (rounds, byes, sums) = (Vec::new(), Vec::new(), Vec::new());
        let mut swiss = Self { format, places, rounds, byes, sums, taken: 0 };
        swiss.pair();
        Ok(swiss)
    }

    /// How many groups play in each round.
    #[must_use]
    pub fn groups_count(&self) -> usize {
        self.format.entrants / self.format.seats
    }

    /// How many matches each group plays in a round.
    #[must_use]
    pub fn matches_of_group(&self) -> u64 {
        self.format.matches.div_ceil(self.rotations()) * self.rotations()
    }

    /// How many matches there are.
    #[must_use]
    pub fn matches_count(&self) -> u64 {
        self.format.rounds * self.matches_of_round()
    }

    /// How many matches there are up to the end of the last round that is paired.
    #[must_use]
    pub fn paired_count(&self) -> u64 {
        self.rounds.len() as u64 * self.matches_of_round()
    }

    /// How many rounds were played to the end.
    #[must_use]
    pub fn rounds_played(&self) -> u64 {
        self.taken / self.matches_of_round()
    }

    /// The groups of a round, each in the seats of its first match; `None` if it is not paired yet.
    #[must_use]
    pub fn groups(&self, round: usize) -> Option<&[Vec<usize>]> {
        self.rounds.get(round).map(Vec::as_slice)
    }

    /// An entrant's position after the last complete round.
    ///
    /// # Panics
    /// If there is no such entrant.
    #[must_use]
    pub fn place(&self, entrant: usize) -> SwissPlace {
        self.places.place(entrant)
    }

    /// All entrants after the last whole round, the first in the standings first.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        self.places.order()
    }

    fn matches_of_round(&self) -> u64 {
        self.groups_count() as u64 * self.matches_of_group()
    }

    /// How many matches each group plays on one deal.
    fn rotations(&self) -> u64 {
        match self.format.deals {
            Deals::Duplicate => self.format.seats as u64,
            Deals::Single => 1,
        }
    }

    /// The group of its round that plays a match, and how many matches it played before in that round.
    fn group_and_turn(&self, index: u64) -> (usize, u64) {
        let (groups, rotations) = (self.groups_count() as u64, self.rotations());
        let in_round = index % self.matches_of_round();
        let group = in_round / rotations % groups;
        let turn = in_round / (rotations * groups) * rotations + in_round % rotations;
        (usize::try_from(group).expect("a round has few groups"), turn)
    }

    /// The match at this index; `None` after the last, and while its round is not paired yet.
    #[must_use]
    pub fn fixture(&self, index: u64) -> Option<Fixture> {
        let round = usize::try_from(index / self.matches_of_round()).ok()?;
        let (group, turn) = self.group_and_turn(index);
        let seats = rotated(&self.rounds.get(round)?[group], turn);
        let deal = match self.format.deals {
            Deals::Duplicate => {
                let deals_of_round = self.matches_of_group() / self.rotations();
                index / self.matches_of_round() * deals_of_round + turn / self.rotations()
            }
            Deals::Single => index,
        };
        Some(Fixture { index, seats, deal })
    }

    /// Every seating of the round that is being played, or of the last one.
    #[must_use]
    pub fn seatings(&self) -> BTreeSet<Vec<usize>> {
        let turns = self.matches_of_group().min(self.format.seats as u64);
        let groups = self.rounds.last().into_iter().flatten();
        groups.flat_map(|group| (0..turns).map(|turn| rotated(group, turn))).collect()
    }

    /// The number of the sample that a match belongs to: matches with the same number differ in seats only.
    #[must_use]
    pub fn sample(&self, index: u64) -> u64 {
        index / self.rotations()
    }

    /// Takes in the next result: the goals of each seat, or `None` if the match has none. The last one of a round pairs the
    /// next round.
    pub fn take(&mut self, seats: &[usize], goals: Option<&[i32]>) {
        let (group, _) = self.group_and_turn(self.taken);
        self.places.sit(seats);
        if let (Some(goals), Some(members)) = (goals, self.rounds.last().map(|groups| &groups[group])) {
            let sums = self.sums[group].get_or_insert_with(|| vec![0; members.len()]);
            for (entrant, goal) in seats.iter().zip(goals) {
                let member = members.iter().position(|member| member == entrant);
                let member = member.filter(|member| *member < sums.len());
                member.into_iter().for_each(|member| sums[member] += i64::from(*goal));
            }
        }
        self.taken += 1;
        if self.taken.is_multiple_of(self.matches_of_round()) {
            self.end_round();
        }
    }

    fn end_round(&mut self) {
        let groups = self.rounds.last().into_iter().flatten();
        for (members, sums) in groups.zip(&self.sums) {
            if let Some(sums) = sums {
                self.places.meet(members, sums);
            }
        }
        for &entrant in &self.byes {
            self.places.sit_out(entrant);
        }
        if self.rounds_played() < self.format.rounds {
            self.pair();
        }
    }

    fn pair(&mut self) {
        let (groups, byes) = arrange(&self.places);
        let groups: Vec<_> = groups.iter().map(|group| seated(&self.places, group)).collect();
        self.sums = vec![None; groups.len()];
        self.rounds.push(groups);
        self.byes = byes;
    }
}

/// A group in its seats after this many rotations.
fn rotated(group: &[usize], turns: u64) -> Vec<usize> {
    let mut seats = group.to_vec();
    seats.rotate_left(usize::try_from(turns % group.len() as u64).expect("a game has few seats"));
    seats
}

#[cfg(test)]
mod tests;
