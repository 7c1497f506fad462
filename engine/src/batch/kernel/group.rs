//! The lowest levels of a tree of counters: up to eight moves at once, without memory between their levels.

use super::{super::Plane, evaluation::read};
use crate::propnet::Operand;

/// How many moves a group has, missing ones included.
pub(super) const GROUP: usize = 8;

/// How many legal moves a group has: four planes, lowest bit first.
#[inline(always)]
pub(super) fn count<const W: usize>(slots: &[[u64; W]], moves: &[(Operand, usize)], sum: &mut [Plane<W>]) {
    match moves.len() {
        2 => {
            let [ones, twos] = count_two([read(slots, moves[0].0), read(slots, moves[1].0)]);
            (sum[0], sum[1], sum[2], sum[3]) = (ones, twos, Plane::NONE, Plane::NONE);
        }
        4 => {
            let [ones, twos, fours] = read_four(slots, &moves[..4]);
            (sum[0], sum[1], sum[2], sum[3]) = (ones, twos, fours, Plane::NONE);
        }
        _ => {
            let ([a0, a1, a2], [b0, b1, b2]) =
                (read_four(slots, &moves[..4]), read_four(slots, &moves[4..8]));
            let (carry, differ) = (a0 & b0, a1 ^ b1);
            let next = differ.choose(carry, a1);
            let high = a2 ^ b2;
            (sum[0], sum[1], sum[2], sum[3]) = (a0 ^ b0, differ ^ carry, high ^ next, high.choose(next, a2));
        }
    }
}

#[inline(always)]
fn count_two<const W: usize>([a, b]: [Plane<W>; 2]) -> [Plane<W>; 2] {
    [a ^ b, a & b]
}

#[inline(always)]
fn read_four<const W: usize>(slots: &[[u64; W]], moves: &[(Operand, usize)]) -> [Plane<W>; 3] {
    let [a0, a1] = count_two([read(slots, moves[0].0), read(slots, moves[1].0)]);
    let [b0, b1] = count_two([read(slots, moves[2].0), read(slots, moves[3].0)]);
    let (carry, differ) = (a0 & b0, a1 ^ b1);
    [a0 ^ b0, differ ^ carry, differ.choose(carry, a1)]
}

/// Writes which lanes make which move of the group. `number` has the lanes that are here, and then the
/// number that they came with, lowest bit first, which is below the count.
#[inline(always)]
pub(super) fn descend<const W: usize>(
    slots: &mut [[u64; W]],
    moves: &[(Operand, usize)],
    number: &[Plane<W>],
) {
    let here = number[0];
    match moves.len() {
        2 => descend_two(slots, [moves[0], moves[1]], here, number[1]),
        4 => descend_four(slots, [moves[0], moves[1], moves[2], moves[3]], here, [number[1], number[2]]),
        _ => {
            let (left, right) =
                ([moves[0], moves[1], moves[2], moves[3]], [moves[4], moves[5], moves[6], moves[7]]);
            let [c0, c1, c2] = read_four(slots, &moves[..4]);
            let (d0, d1, d2) = (number[1] ^ c0, number[2] ^ c1, number[3] ^ c2);
            let below0 = c0 & d0;
            let below1 = d1.choose(c1, below0);
            let below = here & d2.choose(c2, below1);
            descend_four(slots, left, below, [number[1], number[2]]);
            descend_four(slots, right, here ^ below, [d0, d1 ^ below0]);
        }
    }
}

#[inline(always)]
fn descend_four<const W: usize>(
    slots: &mut [[u64; W]],
    [a, b, c, d]: [(Operand, usize); 4],
    here: Plane<W>,
    [low, high]: [Plane<W>; 2],
) {
    let [c0, c1] = count_two([read(slots, a.0), read(slots, b.0)]);
    let (d0, d1) = (low ^ c0, high ^ c1);
    let below = here & d1.choose(c1, c0 & d0);
    descend_two(slots, [a, b], below, low);
    descend_two(slots, [c, d], here ^ below, d0);
}

#[inline(always)]
fn descend_two<const W: usize>(
    slots: &mut [[u64; W]],
    [a, b]: [(Operand, usize); 2],
    here: Plane<W>,
    is_second: Plane<W>,
) {
    let first = here & !is_second & read(slots, a.0);
    slots[a.1] = first.0;
    slots[b.1] = (here ^ first).0;
}
