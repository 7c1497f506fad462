//! The pairings of a Swiss round, and its byes.

use super::{
    cost::{Cost, Costs},
    places::Places,
};
use crate::matching::cheapest_matching;

/// Maximum number of sweeps over all pairs of entrants for exchanges; a few are usual.
const SWEEPS_MAX: usize = 100;

/// The groups of the next round, and the entrants with a bye, in the order of the standings.
pub(super) fn arrange(places: &Places) -> (Vec<Vec<usize>>, Vec<usize>) {
    let costs = Costs::of(places);
    let (groups, byes) = if places.seats() == 2 { pairs(&costs) } else { exchanged(&costs, places.seats()) };
    let entrants = |group: Vec<usize>| group.into_iter().map(|place| costs.entrant(place)).collect();
    (groups.into_iter().map(entrants).collect(), entrants(byes))
}

/// The cheapest pairs, as positions; a bye is a pair with an additional position after the last.
pub(super) fn pairs(costs: &Costs<'_>) -> (Vec<Vec<usize>>, Vec<usize>) {
    let count = costs.len();
    let mut edges = Vec::new();
    for one in 0..count {
        edges.extend((one + 1..count).map(|other| (one, other, costs.meeting(one, other))));
        edges.extend((count % 2 == 1).then(|| (one, count, costs.bye(one))));
    }
    let most = |field: fn(&Cost) -> u64| edges.iter().map(|(_, _, cost)| field(cost)).max().unwrap_or(0);
    // A unit of a field outweighs whatever a whole round can have of the next.
    let base = |field: fn(&Cost) -> u64| 1 + i128::from(most(field)) * count as i128;
    let bases = [base(|cost| cost.repeats), base(|cost| cost.points), base(|cost| cost.places)];
    let weight = |cost: &Cost| {
        let fields = [cost.repeats, cost.points, cost.places].map(i128::from);
        fields.iter().zip(bases).fold(i128::from(cost.byes), |sum, (field, base)| sum * base + field)
    };
    let edges: Vec<_> = edges.iter().map(|(one, other, cost)| (*one, *other, weight(cost))).collect();
    let matched = cheapest_matching(count + count % 2, &edges);
    let (byes, pairs): (Vec<_>, Vec<_>) = matched.into_iter().partition(|(_, other)| *other == count);
    let byes = byes.into_iter().map(|(place, _)| place).collect();
    (pairs.into_iter().map(|(one, other)| vec![one, other]).collect(), byes)
}

/// Groups down the standings, improved by exchanges of two entrants until none makes the round cheaper.
pub(super) fn exchanged(costs: &Costs<'_>, seats: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
    let count = costs.len();
    let mut free: Vec<usize> = (0..count).rev().collect();
    free.sort_by_key(|place| costs.bye(*place).byes);
    let mut playing = free.split_off(count % seats);
    playing.sort_unstable();
    let mut round = Round { costs, byes: playing.len() / seats, groups: Vec::new() };
    round.groups = playing.chunks(seats).map(<[usize]>::to_vec).chain([free]).collect();
    for _ in 0..SWEEPS_MAX {
        if !round.sweep() {
            break;
        }
    }
    round.groups.iter_mut().for_each(|group| group.sort_unstable());
    let byes = round.groups.pop().unwrap_or_default();
    round.groups.sort_unstable();
    (round.groups, byes)
}

/// A round that is being improved.
struct Round<'c, 'p> {
    costs: &'c Costs<'p>,
    /// The groups, as positions, followed by those with a bye.
    groups: Vec<Vec<usize>>,
    /// The index of the group with the bye.
    byes: usize,
}

impl Round<'_, '_> {
    fn cost(&self, group: usize) -> Cost {
        let members = &self.groups[group];
        if group == self.byes { self.costs.byes(members) } else { self.costs.group(members) }
    }

    /// Makes every exchange that saves something; whether there was one.
    fn sweep(&mut self) -> bool {
        let mut is_better = false;
        for one in 0..self.groups.len() {
            for other in one + 1..self.groups.len() {
                for left in 0..self.groups[one].len() {
                    for right in 0..self.groups[other].len() {
                        let (left, right) =
                            (GroupSeat { group: one, at: left }, GroupSeat { group: other, at: right });
                        let before = self.cost(one) + self.cost(other);
                        self.exchange(left, right);
                        if self.cost(one) + self.cost(other) < before {
                            is_better = true;
                        } else {
                            self.exchange(left, right);
                        }
                    }
                }
            }
        }
        is_better
    }

    fn exchange(&mut self, left: GroupSeat, right: GroupSeat) {
        let moved = self.groups[left.group][left.at];
        self.groups[left.group][left.at] = std::mem::replace(&mut self.groups[right.group][right.at], moved);
    }
}

/// Where an entrant is in a round.
#[derive(Clone, Copy, Debug)]
struct GroupSeat {
    group: usize,
    at: usize,
}
