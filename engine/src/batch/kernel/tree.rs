//! A tree of counters over planes: from a number to the move that it means.

use super::{
    super::Plane,
    group::{self, GROUP},
};
use crate::propnet::Operand;

/// The height of a group: 2 to this power is its size.
const GROUP_HEIGHT: usize = GROUP.ilog2() as usize;

/// Counters over the moves of a role.
#[derive(Clone, Debug)]
pub(super) struct Tree<const W: usize> {
    /// Where to read whether each move is legal, and the slot that says that it is made. The last group is filled
    /// up to 2, 4 or 8 with moves that are never legal.
    moves: Vec<(Operand, usize)>,
    /// From groups to the root, where the planes of the nodes of each height begin. A node of height `h` has up
    /// to `2^h` moves below it and `h + 1` planes.
    levels: Vec<usize>,
    /// For each node how many legal moves there are below it, lowest bit first.
    counts: Vec<Plane<W>>,
    /// For each node the lanes that are here, and then the number that they came with, lowest bit first.
    numbers: Vec<Plane<W>>,
}

impl<const W: usize> Tree<W> {
    /// A tree over two moves at least, and a slot that nobody reads.
    pub(super) fn new(mut moves: Vec<(Operand, usize)>, unread: usize) -> Self {
        let (mut levels, mut nodes, mut first) = (Vec::new(), moves.len().div_ceil(GROUP), 0);
        loop {
            levels.push(first);
            first += nodes * (GROUP_HEIGHT + levels.len());
            if nodes <= 1 {
                break;
            }
            nodes = nodes.div_ceil(2);
        }
        let rest = moves.len() % GROUP;
        if rest > 0 {
            moves.resize(moves.len() - rest + rest.next_power_of_two().max(2), (Operand::FALSE, unread));
        }
        let zero = vec![Plane::NONE; first];
        Self { moves, levels, counts: zero.clone(), numbers: zero }
    }

    /// The number of all legal moves, lowest bit first.
    #[inline(always)]
    pub(super) fn root(&self) -> &[Plane<W>] {
        &self.counts[self.levels[self.levels.len() - 1]..]
    }

    /// Counts from the moves to the root.
    #[inline(always)]
    pub(super) fn count(&mut self, slots: &[[u64; W]]) {
        let mut sums = self.counts.chunks_exact_mut(GROUP_HEIGHT + 1);
        for moves in self.moves.chunks(GROUP) {
            let Some(sum) = sums.next() else { break };
            group::count(slots, moves, sum);
        }
        for level in 1..self.levels.len() {
            let height = GROUP_HEIGHT + level;
            let (below, here) = self.counts.split_at_mut(self.levels[level]);
            let mut sums = here.chunks_exact_mut(height + 1);
            let mut pairs = below[self.levels[level - 1]..].chunks_exact(2 * height);
            while let Some(pair) = pairs.next()
                && let Some(sum) = sums.next()
            {
                let (left, right) = pair.split_at(height);
                add(left, right, sum);
            }
            let single = pairs.remainder();
            if !single.is_empty()
                && let Some(sum) = sums.next()
            {
                copy(single, sum);
                sum[height] = Plane::NONE;
            }
        }
    }

    /// Puts the number to look for at the root: what was drawn in `open` lanes, zero elsewhere.
    #[inline(always)]
    pub(super) fn start(&mut self, here: Plane<W>, open: Plane<W>, drawn: &[Plane<W>]) {
        let root = self.levels[self.levels.len() - 1];
        let number = &mut self.numbers[root..];
        number[0] = here;
        for bit in 1..number.len() {
            number[bit] = drawn[bit - 1] & open;
        }
    }

    /// Goes from the root to the moves, and writes there which lanes have arrived.
    #[inline(always)]
    pub(super) fn descend(&mut self, slots: &mut [[u64; W]]) {
        let mut level = self.levels.len() - 1;
        while level > 0 {
            let height = GROUP_HEIGHT + level;
            let (begin, end) = (self.levels[level - 1], self.levels[level]);
            let (below, here) = self.numbers.split_at_mut(end);
            let mut numbers = here.chunks_exact(height + 1);
            let mut counts = self.counts[begin..end].chunks_exact(2 * height);
            let mut pairs = below[begin..].chunks_exact_mut(2 * height);
            while let Some(pair) = pairs.next()
                && let Some(count) = counts.next()
                && let Some(number) = numbers.next()
            {
                let (left, right) = pair.split_at_mut(height);
                split(number, &count[..height], left, right);
            }
            let single = pairs.into_remainder();
            if !single.is_empty()
                && let Some(number) = numbers.next()
            {
                copy(number, single);
            }
            level -= 1;
        }
        let mut numbers = self.numbers.chunks_exact(GROUP_HEIGHT + 1);
        for moves in self.moves.chunks(GROUP) {
            let Some(number) = numbers.next() else { break };
            group::descend(slots, moves, number);
        }
    }
}

/// Copies as many planes as there are in both.
#[inline(always)]
fn copy<const W: usize>(from: &[Plane<W>], to: &mut [Plane<W>]) {
    for plane in 0..from.len().min(to.len()) {
        to[plane] = from[plane];
    }
}

/// The sum of two numbers of equal width, which has one bit more.
#[inline(always)]
fn add<const W: usize>(left: &[Plane<W>], right: &[Plane<W>], sum: &mut [Plane<W>]) {
    let width = left.len();
    let (right, sum) = (&right[..width], &mut sum[..=width]);
    sum[0] = left[0] ^ right[0];
    let mut carry = left[0] & right[0];
    for bit in 1..width {
        let differ = left[bit] ^ right[bit];
        sum[bit] = differ ^ carry;
        carry = differ.choose(carry, left[bit]);
    }
    sum[width] = carry;
}

/// Sends lanes whose number is below `count` to the left, the others to the right with the difference.
/// A child has one bit less, since its number is below its own count.
#[inline(always)]
fn split<const W: usize>(
    number: &[Plane<W>],
    count: &[Plane<W>],
    left: &mut [Plane<W>],
    right: &mut [Plane<W>],
) {
    let width = count.len();
    let (here, number) = (number[0], &number[1..=width]);
    let (left, right) = (&mut left[..width], &mut right[..width]);
    let differ = number[0] ^ count[0];
    (left[1], right[1]) = (number[0], differ);
    let mut is_below = differ & count[0];
    for bit in 1..width - 1 {
        let differ = number[bit] ^ count[bit];
        (left[bit + 1], right[bit + 1]) = (number[bit], differ ^ is_below);
        is_below = differ.choose(count[bit], is_below);
    }
    let differ = number[width - 1] ^ count[width - 1];
    left[0] = here & differ.choose(count[width - 1], is_below);
    right[0] = here ^ left[0];
}
