//! A legal move for each role in each lane, every one equally likely.
//!
//! A tree of counters stands over the moves of a role: each of its nodes knows, in every lane, how many
//! legal moves are below it, as a binary number of planes. A number below the count at the root is drawn by
//! rejection. Then it goes down: where it is below the count of the left child it goes left, elsewhere it
//! is reduced by that count and goes right. The work is linear in the moves.

use std::ops::Range;

use super::{Plane, Planes, draw::Draw, evaluation::read, tree::Tree};
use crate::propnet::{Operand, Tape};

/// How the moves of each role are chosen, and the counters for it.
#[derive(Clone, Debug)]
pub(super) struct Choice<const W: usize> {
    roles: Vec<RoleChoice<W>>,
    draw: Draw<W>,
}

/// The moves of one role that can ever be legal.
#[derive(Clone, Debug)]
enum Moves<const W: usize> {
    None,
    /// Where to read whether it is legal, and the slot that says that it is made.
    One(Operand, usize),
    Many(Tree<W>),
}

/// A role while it chooses.
#[derive(Clone, Debug)]
pub(super) struct RoleChoice<const W: usize> {
    moves: Moves<W>,
    /// Lanes that choose here.
    here: Plane<W>,
    /// Lanes that choose here between two at least.
    open: Plane<W>,
}

impl<const W: usize> Choice<W> {
    pub(super) fn new(tape: &Tape) -> Self {
        let roles: Vec<_> = (0..tape.roles_count()).map(|role| RoleChoice::new(tape, role)).collect();
        let width = roles.iter().map(|role| role.bound().len()).max().unwrap_or(0);
        Self { roles, draw: Draw::new(width) }
    }

    /// Chooses in the lanes that `wanted` gives for each role; in other lanes the role makes no move.
    /// Returns the lanes in which some role that should choose has nothing to choose from.
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        slots: &mut [[u64; W]],
        wanted: impl Fn(usize) -> Plane<W>,
        random: &mut impl Planes<W>,
    ) -> Plane<W> {
        let mut stuck = Plane::NONE;
        let mut first = 0;
        self.draw.clear();
        for role in 0..self.roles.len() {
            let wanted = wanted(role);
            stuck |= self.roles[role].count(slots, wanted);
            // Roles that never choose in the same lane share one draw.
            if (self.roles[role].open & self.draw.open).any() {
                self.descend(first..role, slots, random);
                self.draw.clear();
                first = role;
            }
            let role = &self.roles[role];
            self.draw.add(role.bound(), role.open);
        }
        self.descend(first..self.roles.len(), slots, random);
        stuck
    }

    #[inline(always)]
    fn descend(&mut self, roles: Range<usize>, slots: &mut [[u64; W]], random: &mut impl Planes<W>) {
        self.draw.draw(random);
        for role in &mut self.roles[roles] {
            role.descend(slots, &self.draw.number);
        }
    }
}

impl<const W: usize> RoleChoice<W> {
    fn new(tape: &Tape, role: usize) -> Self {
        Self::among(tape, role, |_| true)
    }

    /// A choice among some of a role's moves.
    pub(super) fn among(tape: &Tape, role: usize, is_wanted: impl Fn(usize) -> bool) -> Self {
        let moves = tape.legal(role).iter().enumerate();
        let moves = moves.filter(|&(number, &legal)| legal != Operand::FALSE && is_wanted(number));
        let moves: Vec<_> = moves.map(|(number, &legal)| (legal, tape.move_slot(role, number))).collect();
        let moves = match moves[..] {
            [] => Moves::None,
            [(legal, slot)] => Moves::One(legal, slot),
            _ => Moves::Many(Tree::new(moves, tape.slots_count())),
        };
        Self { moves, here: Plane::NONE, open: Plane::NONE }
    }

    /// The planes of the number of legal moves; none where there is one move or no move at all to choose from.
    #[inline(always)]
    pub(super) fn bound(&self) -> &[Plane<W>] {
        match &self.moves {
            Moves::Many(tree) => tree.root(),
            Moves::None | Moves::One(..) => &[],
        }
    }

    /// The lanes that choose here, after [`count`](Self::count).
    pub(super) fn here(&self) -> Plane<W> {
        self.here
    }

    /// Counts the legal moves. Returns the lanes of `wanted` that have none.
    #[inline(always)]
    pub(super) fn count(&mut self, slots: &[[u64; W]], wanted: Plane<W>) -> Plane<W> {
        match &mut self.moves {
            Moves::None => {}
            Moves::One(legal, _) => self.here = wanted & read(slots, *legal),
            Moves::Many(tree) => {
                tree.count(slots);
                let (low, high) = tree.root().split_first().expect("a root has planes");
                let two = high[1..].iter().fold(high[0], |two, &plane| two | plane);
                (self.here, self.open) = (wanted & (*low | two), wanted & two);
            }
        }
        wanted & !self.here
    }

    /// Makes the moves with the numbers drawn, of which those in open lanes count.
    #[inline(always)]
    pub(super) fn descend(&mut self, slots: &mut [[u64; W]], number: &[Plane<W>]) {
        match &mut self.moves {
            Moves::None => {}
            Moves::One(_, slot) => slots[*slot] = self.here.0,
            Moves::Many(tree) => {
                tree.start(self.here, self.open, number);
                tree.descend(slots);
            }
        }
    }
}
