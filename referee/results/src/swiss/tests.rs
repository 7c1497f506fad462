//! Swiss rounds beside the enumeration of all rounds, and whole tournaments.

use proptest::prelude::*;

use super::{
    Swiss, SwissFormat,
    arrangement::{exchanged, pairs},
    cost::{Cost, Costs},
    places::Places,
    seating::seated,
};
use crate::{Deals, ScheduleError};

/// Points, byes and meetings of some entrants that no tournament need have led to.
fn any_places(entrants: usize, seats: usize) -> impl Strategy<Value = Places> {
    let rounds = prop::collection::vec((0..entrants, 0..entrants, -1..=1_i64, 0..entrants), 0..3 * entrants);
    rounds.prop_map(move |rounds| {
        let mut places = Places::new(entrants, seats);
        for (one, other, sum, free) in rounds {
            if one != other {
                places.meet(&[one, other], &[sum, 0]);
            }
            if sum == 0 {
                places.sit_out(free);
            }
        }
        places
    })
}

/// The cost of the cheapest way to put these places into groups, by trying all.
fn cheapest(costs: &Costs<'_>, free: &[usize], seats: usize, byes_left: usize) -> Option<Cost> {
    let Some((&first, rest)) = free.split_first() else { return Some(Cost::default()) };
    let bye = (byes_left > 0).then(|| cheapest(costs, rest, seats, byes_left - 1)).flatten();
    let bye = bye.map(|others| costs.bye(first) + others);
    let mut best = bye;
    for chosen in (0..1_u32 << rest.len()).filter(|chosen| chosen.count_ones() as usize == seats - 1) {
        let (group, others): (Vec<_>, Vec<_>) =
            rest.iter().enumerate().partition(|(at, _)| chosen >> at & 1 == 1);
        let others: Vec<usize> = others.into_iter().map(|(_, place)| *place).collect();
        let group: Vec<usize> =
            [first].into_iter().chain(group.into_iter().map(|(_, place)| *place)).collect();
        let cost = cheapest(costs, &others, seats, byes_left).map(|others| costs.group(&group) + others);
        best = best.into_iter().chain(cost).min();
    }
    best
}

fn cost(costs: &Costs<'_>, round: &(Vec<Vec<usize>>, Vec<usize>)) -> Cost {
    round.0.iter().map(|group| costs.group(group)).sum::<Cost>() + costs.byes(&round.1)
}

proptest! {
    #[test]
    fn pairs_cost_as_little_as_the_cheapest_of_all_pairings(places in (2..9_usize).prop_flat_map(|n| any_places(n, 2))) {
        let costs = Costs::of(&places);
        let all: Vec<usize> = (0..costs.len()).collect();
        let found = pairs(&costs);
        prop_assert_eq!(Some(cost(&costs, &found)), cheapest(&costs, &all, 2, costs.len() % 2));
    }

    #[test]
    fn two_groups_of_three_cost_as_little_as_the_cheapest_of_all(places in any_places(6, 3)) {
        // Any two ways to halve six differ by one exchange, so exchanges find the best there.
        let costs = Costs::of(&places);
        let found = exchanged(&costs, 3);
        prop_assert_eq!(Some(cost(&costs, &found)), cheapest(&costs, &[0, 1, 2, 3, 4, 5], 3, 0));
    }

    #[test]
    fn larger_groups_are_never_dearer_than_chunks_of_the_standings_and_give_the_fewest_second_byes(
        places in (3..10_usize).prop_flat_map(|n| any_places(n, 3)),
    ) {
        let costs = Costs::of(&places);
        let (groups, byes) = exchanged(&costs, 3);
        let mut all: Vec<usize> = groups.iter().flatten().chain(&byes).copied().collect();
        all.sort_unstable();
        prop_assert_eq!(&all, &(0..costs.len()).collect::<Vec<_>>());
        let best = cheapest(&costs, &all, 3, all.len() % 3).expect("a round");
        prop_assert_eq!(costs.byes(&byes).byes, best.byes);
        if byes.is_empty() {
            let chunks: Cost = all.chunks(3).map(|group| costs.group(group)).sum();
            prop_assert!(cost(&costs, &(groups, byes)) <= chunks);
        }
    }

    #[test]
    fn a_group_sits_where_it_sat_least_often(counts in prop::collection::vec(prop::collection::vec(0..5_usize, 3), 3)) {
        let mut places = Places::new(3, 3);
        for (entrant, counts) in counts.iter().enumerate() {
            for (seat, times) in counts.iter().enumerate() {
                for _ in 0..*times {
                    let mut seats = [(entrant + 1) % 3; 3];
                    seats[seat] = entrant;
                    // Only the seat in question counts: the others are made good below.
                    places.sit(&seats);
                }
            }
        }
        let sat = |seats: &[usize]| -> u64 {
            seats.iter().enumerate().map(|(seat, entrant)| places.sat(*entrant, seat)).sum()
        };
        let all = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let least = all.iter().map(|seats| sat(seats)).min().expect("six ways");
        prop_assert_eq!(sat(&seated(&places, &[0, 1, 2])), least);
    }
}

/// Plays a whole tournament, in which the goal of an entrant is `goal(index, entrant)`.
fn play(format: SwissFormat, goal: impl Fn(u64, usize) -> i32) -> Swiss {
    let mut swiss = Swiss::new(format).expect("enough entrants");
    for index in 0..swiss.matches_count() {
        let seats = swiss.fixture(index).expect("the round is paired").seats;
        let goals: Vec<i32> = seats.iter().map(|entrant| goal(index, *entrant)).collect();
        swiss.take(&seats, Some(&goals));
    }
    swiss
}

fn format(entrants: usize, seats: usize, rounds: u64) -> SwissFormat {
    SwissFormat { entrants, seats, rounds, matches: 1, deals: Deals::Single }
}

/// A goal that looks as if it were drawn.
fn luck(index: u64, entrant: usize) -> i32 {
    let mixed = (index * 1009 + entrant as u64 * 9176 + 17).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    i32::try_from(mixed >> 61).expect("three bits")
}

#[test]
fn everyone_plays_once_a_round_or_sits_out_and_byes_are_fair() {
    for (entrants, seats) in [(2, 2), (5, 2), (8, 2), (9, 2), (3, 3), (7, 3), (11, 4), (5, 5)] {
        let rounds = 2 * entrants as u64;
        let swiss = play(format(entrants, seats, rounds), luck);
        let mut byes = vec![0; entrants];
        for round in 0..usize::try_from(rounds).expect("few rounds") {
            let mut played = vec![0; entrants];
            let groups = swiss.groups(round).expect("a round");
            assert!(groups.iter().all(|group| group.len() == seats));
            groups.iter().flatten().for_each(|entrant| played[*entrant] += 1);
            assert!(played.iter().all(|times| *times <= 1), "{entrants} in round {round}: {groups:?}");
            assert_eq!(played.iter().sum::<usize>(), entrants - entrants % seats);
            byes.iter_mut().zip(played).for_each(|(byes, times)| *byes += 1 - times);
            let most = byes.iter().max().zip(byes.iter().min());
            assert!(
                most.is_some_and(|(most, least)| most - least <= 1),
                "{entrants} in {seats} seats: {byes:?}"
            );
        }
        assert!((0..entrants).all(|entrant| swiss.place(entrant).byes == byes[entrant] as u64));
    }
}

#[test]
fn nobody_meets_anybody_again_while_a_round_without_that_is_possible() {
    for entrants in [4, 5, 6, 7, 8] {
        let rounds = entrants as u64 - 1;
        let mut swiss = Swiss::new(format(entrants, 2, rounds)).expect("enough entrants");
        for index in 0..swiss.matches_count() {
            if index.is_multiple_of(swiss.groups_count() as u64) {
                let costs = Costs::of(&swiss.places);
                let all: Vec<usize> = (0..entrants).collect();
                let found = pairs(&costs);
                let best = cheapest(&costs, &all, 2, entrants % 2).expect("a round");
                assert_eq!(cost(&costs, &found).repeats, best.repeats, "{entrants} entrants, match {index}");
            }
            let seats = swiss.fixture(index).expect("the round is paired").seats;
            let goals: Vec<i32> = seats.iter().map(|entrant| luck(index, *entrant)).collect();
            swiss.take(&seats, Some(&goals));
        }
    }
}

#[test]
fn everybody_sits_about_equally_often_in_each_seat() {
    for (entrants, seats) in [(8, 2), (9, 2), (30, 2), (12, 3), (12, 4)] {
        let swiss = play(format(entrants, seats, 24), luck);
        for entrant in 0..entrants {
            let counts = (0..seats).map(|seat| swiss.places.sat(entrant, seat));
            let (least, most) = (counts.clone().min(), counts.max());
            let spread = most.zip(least).map(|(most, least)| most - least).expect("seats");
            assert!(spread <= 4, "{entrants} in {seats} seats: {spread}");
        }
    }
}

#[test]
fn who_is_always_better_stands_first_and_points_add_up() {
    // Of sixteen, the one that wins every match is alone in front after four rounds.
    let swiss = play(format(16, 2, 4), |_, entrant| i32::try_from(entrant).expect("few"));
    assert_eq!(swiss.order()[0], 15);
    let points: Vec<f64> = (0..16).map(|entrant| swiss.place(entrant).points).collect();
    assert_eq!(points.iter().filter(|points| **points == 4.0).count(), 1);
    assert_eq!(points.iter().sum::<f64>(), 4.0 * 8.0, "a point a match");
}

#[test]
fn points_byes_and_buchholz_are_those_of_a_tournament_worked_out_by_hand() {
    // Three players, two rounds, all meetings drawn. Round 1: the last sits out and has a point; 0 and 1 have half a point.
    // Round 2: 0 and 1 have had no bye; 2 must play; 1, the lower of them, sits out.
    let swiss = play(format(3, 2, 2), |_, _| 50);
    assert_eq!(swiss.groups(0).map(|groups| groups[0].len()), Some(2));
    let places = [0, 1, 2].map(|entrant| swiss.place(entrant));
    assert_eq!(places.map(|place| place.byes), [0, 1, 1]);
    assert_eq!(places.map(|place| place.points), [1.0, 1.5, 1.5]);
    assert_eq!(places.map(|place| place.buchholz), [3.0, 1.0, 1.0]);
    assert_eq!(swiss.order(), [1, 2, 0]);
}

#[test]
fn duplicate_deals_are_played_by_all_groups_of_a_round_in_every_rotation() {
    let format = SwissFormat { entrants: 6, seats: 3, rounds: 2, matches: 4, deals: Deals::Duplicate };
    let swiss = play(format, luck);
    assert_eq!((swiss.matches_of_group(), swiss.matches_count()), (6, 24));
    for index in 0..swiss.matches_count() {
        let fixture = swiss.fixture(index).expect("a match");
        assert_eq!((fixture.deal, swiss.sample(index)), (index / 6, index / 3));
        let first = swiss.fixture(index / 3 * 3).expect("a match").seats;
        let mut turned = first.clone();
        turned.rotate_left(usize::try_from(index % 3).expect("small"));
        assert_eq!(fixture.seats, turned);
        assert!(swiss.fixture(index / 12 * 12).is_some());
    }
    assert_eq!(swiss.fixture(24), None);
}

#[test]
fn a_round_is_paired_by_results_of_earlier_rounds_alone_and_more_rounds_change_nothing() {
    let short = play(format(7, 2, 3), luck);
    let long = play(format(7, 2, 6), luck);
    assert_eq!(short.matches_count() * 2, long.matches_count());
    for index in 0..short.matches_count() {
        assert_eq!(short.fixture(index), long.fixture(index));
    }
    let fresh = Swiss::new(format(7, 2, 6)).expect("enough entrants");
    assert_eq!((fresh.paired_count(), fresh.fixture(3)), (3, None), "round 2 waits for round 1");
}

#[test]
fn a_group_without_goals_gets_no_points_and_has_not_met() {
    let mut swiss = Swiss::new(format(2, 2, 2)).expect("two");
    let seats = swiss.fixture(0).expect("a match").seats;
    swiss.take(&seats, None);
    assert_eq!([0, 1].map(|entrant| swiss.place(entrant).points), [0.0, 0.0]);
    assert_eq!(swiss.places.met(0, 1), 0);
    assert_eq!(swiss.paired_count(), 2);
}

#[test]
fn too_few_too_many_and_games_for_one_are_refused() {
    assert_eq!(Swiss::new(format(2, 3, 1)), Err(ScheduleError::TooFewEntrants { entrants: 2, seats: 3 }));
    assert_eq!(Swiss::new(format(501, 2, 1)), Err(ScheduleError::TooManyEntrants { entrants: 501 }));
    assert_eq!(Swiss::new(format(5, 1, 1)), Err(ScheduleError::OneSeat));
}

#[test]
fn the_largest_tournaments_are_paired() {
    for seats in [2, 5] {
        let swiss = play(format(super::ENTRANTS_MAX, seats, 3), luck);
        assert_eq!(swiss.rounds_played(), 3);
    }
}
