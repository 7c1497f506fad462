//! Standings from results: means, wins and ratings.

use std::{cmp::Ordering, collections::BTreeMap};

use crate::{
    mean::Mean,
    ratings::{RatingSystem, Ratings},
    results::{LookedUp, MatchResult},
    schedule::Schedule,
    swiss::SwissPlace,
};

/// One entrant after some matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its place in the list of players.
    pub entrant: usize,
    /// Seats in which it played to the end.
    pub seats: u64,
    /// The mean result. If deals are played in all rotations, each deal is one observation.
    pub mean: Option<Mean>,
    /// Matches won alone; matches with a shared best result; matches in which someone else got more.
    pub won_drawn_lost: [u64; 3],
    /// The position in a Swiss tournament.
    pub swiss: Option<SwissPlace>,
    /// How many moves it had to make, and how many were drawn for it.
    pub drawn: MovesDrawn,
    /// How often the strategy in a file that it plays by had an entry; `None` if it plays by none.
    pub looked_up: Option<LookedUp>,
}

/// The moves that an entrant had to make, and those that were drawn for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MovesDrawn {
    /// Moves that it had to make.
    pub moves: u64,
    /// Those that were drawn for it, by what its reply was, in the words of the record.
    pub substitutes: BTreeMap<String, u64>,
    /// In how many matches not one move was its own, though it had to make some.
    pub matches_without_a_move: u64,
}

/// All entrants, best first, and how they did against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// By mean goals; in a Swiss tournament by points, as [`Swiss`](crate::Swiss) says.
    pub rows: Vec<Standing>,
    /// The ratings after the last match, by entrant. They depend on the order of matches, which is that of the schedule.
    pub ratings: Ratings,
    /// `against[one][other]`: what `one` got on average where both sat.
    pub against: Vec<Vec<Option<Mean>>>,
    /// Matches without goals, by how they ended.
    pub unfinished: BTreeMap<String, u64>,
}

/// Sums of goals and how many, by group of matches.
type Observations = BTreeMap<u64, (f64, f64)>;

impl Standings {
    /// Adds up results, given in the order of the schedule, which must already contain them.
    ///
    /// # Panics
    /// If a result is of an entrant that there is not.
    #[must_use]
    pub fn new(schedule: &Schedule, entrants: usize, results: &[MatchResult], system: RatingSystem) -> Self {
        let mut own = vec![Observations::new(); entrants];
        let mut against = vec![vec![Observations::new(); entrants]; entrants];
        let mut ratings = Ratings::new(system, entrants);
        let mut unfinished = BTreeMap::new();
        let mut rows: Vec<Standing> = (0..entrants).map(Standing::new).collect();
        for result in results {
            for (seat, &entrant) in result.seats.iter().enumerate() {
                rows[entrant].drawn.take(result.turns, &drawn(result, seat));
                if let Some(LookedUp { met, known }) = result.looked_up.as_ref().and_then(|seats| seats[seat])
                {
                    let sum = rows[entrant].looked_up.get_or_insert_default();
                    sum.met += met;
                    sum.known += known;
                }
            }
            let Some(goals) = &result.goals else {
                *unfinished.entry(result.status.clone()).or_default() += 1;
                continue;
            };
            let group = schedule.sample(result.index);
            for (&entrant, &goal) in result.seats.iter().zip(goals) {
                rows[entrant].seats += 1;
                observe(&mut own[entrant], group, goal);
                for &other in result.seats.iter().filter(|other| **other != entrant) {
                    observe(&mut against[entrant][other], group, goal);
                }
            }
            for (entrant, place) in places(&result.seats, goals) {
                rows[entrant].won_drawn_lost[place] += 1;
            }
            ratings.take_match(&result.seats, goals);
        }
        for row in &mut rows {
            row.mean = mean(&own[row.entrant]);
        }
        rows.sort_by(|one, other| {
            let value = |row: &Standing| row.mean.map_or(f64::NEG_INFINITY, |mean| mean.mean);
            value(other).partial_cmp(&value(one)).unwrap_or(Ordering::Equal)
        });
        if let Schedule::Swiss(swiss) = schedule {
            let mut places = vec![0; entrants];
            swiss.order().into_iter().enumerate().for_each(|(place, entrant)| places[entrant] = place);
            rows.sort_by_key(|row| places[row.entrant]);
            rows.iter_mut().for_each(|row| row.swiss = Some(swiss.place(row.entrant)));
        }
        let against = against.iter().map(|others| others.iter().map(mean).collect()).collect();
        Self { rows, ratings, against, unfinished }
    }
}

impl Standing {
    fn new(entrant: usize) -> Self {
        Self {
            entrant,
            seats: 0,
            mean: None,
            won_drawn_lost: [0; 3],
            swiss: None,
            drawn: MovesDrawn::default(),
            looked_up: None,
        }
    }
}

impl MovesDrawn {
    /// Adds a match with this many turns, in which these moves were substituted.
    fn take(&mut self, turns: u64, drawn: &BTreeMap<String, u64>) {
        self.moves += turns;
        for (reason, times) in drawn {
            *self.substitutes.entry(reason.clone()).or_default() += times;
        }
        self.matches_without_a_move += u64::from(turns > 0 && drawn.values().sum::<u64>() == turns);
    }
}

/// The moves that were drawn for a seat, by what its reply was.
fn drawn(result: &MatchResult, seat: usize) -> BTreeMap<String, u64> {
    match &result.reasons {
        Some(reasons) => reasons[seat].clone(),
        None if result.no_moves[seat] == 0 => BTreeMap::new(),
        None => BTreeMap::from([("unrecorded".to_owned(), result.no_moves[seat])]),
    }
}

fn observe(observations: &mut Observations, group: u64, goal: i32) {
    let (sum, count) = observations.entry(group).or_default();
    *sum += f64::from(goal);
    *count += 1.0;
}

fn mean(observations: &Observations) -> Option<Mean> {
    let values: Vec<f64> = observations.values().map(|(sum, count)| sum / count).collect();
    Mean::of(&values)
}

/// For each entrant of a match against others whether it won (0), drew (1) or lost (2); its best seat counts.
fn places(seats: &[usize], goals: &[i32]) -> Vec<(usize, usize)> {
    let mut best: BTreeMap<usize, i32> = BTreeMap::new();
    for (&entrant, &goal) in seats.iter().zip(goals) {
        let known = best.entry(entrant).or_insert(goal);
        *known = goal.max(*known);
    }
    let Some(&most) = best.values().max() else { return Vec::new() };
    if best.len() == 1 {
        return Vec::new();
    }
    let leaders = best.values().filter(|goal| **goal == most).count();
    let place = |goal| match (goal == most, leaders) {
        (false, _) => 2,
        (true, 1) => 0,
        (true, _) => 1,
    };
    best.into_iter().map(|(entrant, goal)| (entrant, place(goal))).collect()
}

#[cfg(test)]
mod tests {
    use super::Standings;
    use crate::{Deals, MatchResult, RatingSystem, RoundRobin, Schedule};

    fn pair(matches: u64, deals: Deals) -> Schedule {
        Schedule::RoundRobin(RoundRobin::new(2, 2, matches, deals).expect("a pair"))
    }

    fn table(schedule: &Schedule, results: &[MatchResult]) -> Standings {
        Standings::new(schedule, 2, results, RatingSystem::WengLin)
    }

    fn result(schedule: &Schedule, index: u64, goals: &[i32]) -> MatchResult {
        MatchResult {
            index,
            match_id: index.to_string(),
            seats: schedule.fixture(index).expect("a match of the schedule").seats,
            status: "terminal".to_owned(),
            turns: 1,
            goals: Some(goals.to_vec()),
            no_moves: vec![0; goals.len()],
            reasons: None,
            looked_up: None,
            record_end: None,
        }
    }

    #[test]
    fn luck_of_the_deal_cancels_where_deals_are_duplicate() {
        // Whoever sits first wins 100 on even deals and nothing on odd ones: entrants are equal, and that is certain.
        let goals = |deal: u64| if deal.is_multiple_of(2) { [100, 0] } else { [0, 100] };
        let schedule = pair(20, Deals::Duplicate);
        let results: Vec<_> = (0..20).map(|index| result(&schedule, index, &goals(index / 2))).collect();
        let standings = table(&schedule, &results);
        for row in &standings.rows {
            let mean = row.mean.expect("ten deals");
            assert_eq!((mean.mean, mean.margin), (50.0, Some(0.0)));
            assert_eq!(row.won_drawn_lost, [10, 0, 10]);
        }
        // The same goals as twenty matches on their own prove little.
        let single = pair(20, Deals::Single);
        let spread = table(&single, &results).rows[0].mean.expect("twenty matches");
        assert!(spread.margin.expect("more than one") > 20.0);
    }

    #[test]
    fn the_better_player_stands_first_and_is_rated_higher() {
        let schedule = pair(10, Deals::Duplicate);
        let results: Vec<_> = (0..10)
            .map(|index| {
                let seats = schedule.fixture(index).expect("a match of the schedule").seats;
                result(&schedule, index, &[i32::from(seats[0] == 1) * 100, i32::from(seats[1] == 1) * 100])
            })
            .collect();
        let standings = table(&schedule, &results);
        let [first, second] = &standings.rows[..] else { panic!("two rows") };
        assert_eq!((first.entrant, second.entrant), (1, 0));
        let rating = |entrant| standings.ratings.mean_and_uncertainty(entrant).expect("a rating").0;
        assert!(rating(first.entrant) > rating(second.entrant) + 5.0);
        assert_eq!(standings.against[1][0].expect("they met").mean, 100.0);
        assert_eq!(standings.against[0][0], None);
    }

    #[test]
    fn a_match_without_goals_is_counted_apart() {
        let schedule = pair(2, Deals::Duplicate);
        let failed = MatchResult {
            goals: None,
            status: "game_error".to_owned(),
            no_moves: vec![2, 0],
            turns: 3,
            ..result(&schedule, 0, &[0, 0])
        };
        let standings = table(&schedule, &[failed, result(&schedule, 1, &[50, 50])]);
        assert_eq!(standings.unfinished.get("game_error"), Some(&1));
        assert!(standings.rows.iter().all(|row| row.won_drawn_lost == [0, 1, 0] && row.seats == 1));
        let first = standings.rows.iter().find(|row| row.entrant == 0).expect("the first entrant");
        assert_eq!((first.drawn.moves, first.drawn.substitutes["unrecorded"]), (4, 2));
    }
}
