//! Some of a role's moves: how many of them are legal in each lane, and the one with a given number.

use super::{
    Lanes, Plane, Width,
    kernel::{RoleChoice, kernels},
};
use crate::{id::RoleId, propnet::Tape};

/// Some of the moves of one role, for the owner of several [`Lanes`] of one tape.
///
/// [`Lanes::choose`] draws by itself; this type counts and takes an index from outside, for conditioned or
/// stratified choices.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, Options, batch::{Lanes, Plane, Selection}, stages::propnet::Phase};
///
/// # let rules = "(role me) (init begun) (legal me a) (legal me b) (<= (legal me c) (true never))
/// #     (<= (next never) (does me c)) (<= terminal (not (true begun))) (goal me 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let tape = game.network().ok_or("a small game is a network")?.tape();
/// let mut lanes = Lanes::<1>::new(Arc::clone(tape));
/// lanes.fill(tape.initial());
/// lanes.evaluate(Phase::State);
/// // Of the moves a and c only a is legal.
/// let mut some = Selection::new(tape, game.roles().find("me").ok_or("a role")?, &[0, 2]);
/// some.count(&lanes, Plane::first(5));
/// let mut counts = Vec::new();
/// some.read_counts(5, &mut counts);
/// assert_eq!(counts, [1; 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Selection<const W: usize> {
    choice: RoleChoice<W>,
}

impl<const W: usize> Selection<W> {
    /// The moves of a role with these numbers, which ascend; numbers that no move has count for nothing.
    ///
    /// # Panics
    /// If there is no such role.
    #[must_use]
    pub fn new(tape: &Tape, role: RoleId, numbers: &[u32]) -> Self
    where
        Plane<W>: Width<W>,
    {
        Self::of((kernels().choice_among)(tape, role, numbers))
    }

    /// The moves of a choice.
    pub(super) fn of(choice: RoleChoice<W>) -> Self {
        Self { choice }
    }

    /// Counts in each of `wanted` how many of the moves are legal, after
    /// [`Phase::State`](crate::propnet::Phase::State).
    pub fn count(&mut self, lanes: &Lanes<W>, wanted: Plane<W>) {
        (lanes.kernels.count_moves)(&mut self.choice, lanes.slots.as_planes(), wanted);
    }

    /// The lanes with at least one of the moves, after [`count`](Self::count).
    #[must_use]
    pub fn some(&self) -> Plane<W> {
        self.choice.here()
    }

    /// The number of moves to choose from in each lane, after [`count`](Self::count), appended for the first `lanes`
    /// lanes; the values of lanes that were not wanted are meaningless.
    pub fn read_counts(&self, lanes: usize, counts: &mut Vec<u32>) {
        let bound = self.choice.bound();
        let first = counts.len();
        if bound.is_empty() {
            let here = self.choice.here();
            counts.extend((0..lanes).map(|lane| u32::from(here.get(lane))));
            return;
        }
        counts.resize(first + lanes, 0);
        for (bit, plane) in bound.iter().enumerate() {
            if *plane == Plane::ALL {
                counts[first..].iter_mut().for_each(|count| *count |= 1 << bit);
            } else if plane.any() {
                for (chunk, word) in counts[first..].chunks_mut(64).zip(plane.0) {
                    for (lane, count) in chunk.iter_mut().enumerate() {
                        *count |= ((word >> lane & 1) as u32) << bit;
                    }
                }
            }
        }
    }

    /// Makes in each lane that was counted the move with the number that the lane is given, in canonical order of
    /// those that are legal there; in all other lanes none of these moves. A lane without a number takes the first.
    /// A number must be below the count. Other moves of the role stay as they are.
    pub fn make(&mut self, lanes: &mut Lanes<W>, numbers: &[u32]) {
        let mut planes = vec![Plane::NONE; self.choice.bound().len()];
        for (bit, plane) in planes.iter_mut().enumerate() {
            for (word, chunk) in plane.0.iter_mut().zip(numbers.chunks(64)) {
                for (lane, number) in chunk.iter().enumerate() {
                    *word |= u64::from(number >> bit & 1) << lane;
                }
            }
        }
        (lanes.kernels.make_moves)(&mut self.choice, lanes.slots.as_planes_mut(), &planes);
    }
}
