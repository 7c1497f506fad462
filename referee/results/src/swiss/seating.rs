//! Who of a group sits where.

use super::places::Places;
use crate::matching::cheapest_matching;

/// The group, each in its seat: together they sat in these seats as seldom as possible so far, which keeps the sum of the
/// squares of all such counts as small as one match can. Takes O(seats^3) steps.
pub(super) fn seated(places: &Places, group: &[usize]) -> Vec<usize> {
    let count = group.len();
    let mut edges = Vec::with_capacity(count * count);
    for (member, &entrant) in group.iter().enumerate() {
        let cost = |seat| i128::from(places.sat(entrant, seat));
        edges.extend((0..count).map(|seat| (member, count + seat, cost(seat))));
    }
    let mut seats = group.to_vec();
    for (member, seat) in cheapest_matching(2 * count, &edges) {
        seats[seat - count] = group[member];
    }
    seats
}
