//! A legal move for each role in each lane, every one equally likely.
//!
//! There is a tree of counters over the moves of a role: each of its nodes stores, for every lane, the number of
//! legal moves below it, as a binary number of planes. A number below the count at the root is drawn by
//! rejection. Then it descends: where it is below the count of the left child it goes left, elsewhere it
//! is reduced by that count and goes right. The work is linear in the moves.

use super::{super::Plane, draw::Draw, evaluation::read, random::Generator, tree::Tree};
use crate::{
    id::RoleId,
    propnet::{Operand, Tape},
};

/// How the moves of each role are chosen, and the counters for it.
#[derive(Clone, Debug)]
pub(in crate::batch) struct Choice<const W: usize> {
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
pub(in crate::batch) struct RoleChoice<const W: usize> {
    moves: Moves<W>,
    /// Lanes that choose here.
    here: Plane<W>,
    /// Lanes that choose here between two at least.
    open: Plane<W>,
}

/// A choice for every role of a tape.
pub(super) fn choice<const W: usize>(tape: &Tape) -> Choice<W> {
    let roles: Vec<_> = tape.roles().map(|role| RoleChoice::new(tape, role, |_| true)).collect();
    let width = roles.iter().map(|role| role.bound().len()).max().unwrap_or(0);
    Choice { roles, draw: Draw::new(width) }
}

/// A choice among some of a role's moves, by their numbers in ascending order.
pub(super) fn choice_among<const W: usize>(tape: &Tape, role: RoleId, numbers: &[u32]) -> RoleChoice<W> {
    RoleChoice::new(tape, role, |number| {
        u32::try_from(number).is_ok_and(|number| numbers.binary_search(&number).is_ok())
    })
}

/// The address of [`choose`] as it is compiled for some kind of vector.
pub(super) type Choose<const W: usize> =
    fn(&mut Choice<W>, &mut [[u64; W]], Plane<W>, &mut Generator<W>) -> Plane<W>;

/// Chooses for each role in the `wanted` lanes; in other lanes no role makes a move.
/// Returns the lanes in which some role has no legal move.
#[inline(always)]
pub(super) fn choose<const W: usize>(
    choice: &mut Choice<W>,
    slots: &mut [[u64; W]],
    wanted: Plane<W>,
    random: &mut Generator<W>,
) -> Plane<W> {
    let Choice { roles, draw } = choice;
    let mut stuck = Plane::NONE;
    let (mut first, mut role) = (0, 0);
    draw.clear();
    loop {
        let is_behind = role == roles.len();
        if !is_behind {
            stuck |= roles[role].count(slots, wanted);
        }
        // Roles that never choose in the same lane share one draw.
        if is_behind || (roles[role].open & draw.open).any() {
            draw.draw(random);
            while first < role {
                roles[first].descend(slots, &draw.number);
                first += 1;
            }
            draw.clear();
        }
        if is_behind {
            return stuck;
        }
        draw.add(roles[role].bound(), roles[role].open);
        role += 1;
    }
}

/// Counts the legal moves of a choice in the `wanted` lanes.
#[inline(always)]
pub(super) fn count<const W: usize>(choice: &mut RoleChoice<W>, slots: &[[u64; W]], wanted: Plane<W>) {
    choice.count(slots, wanted);
}

/// Makes the moves with these indices, whose bits are planes, in the lanes that were counted.
#[inline(always)]
pub(super) fn make<const W: usize>(choice: &mut RoleChoice<W>, slots: &mut [[u64; W]], numbers: &[Plane<W>]) {
    choice.descend(slots, numbers);
}

impl<const W: usize> RoleChoice<W> {
    fn new(tape: &Tape, role: RoleId, is_wanted: impl Fn(usize) -> bool) -> Self {
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

    /// The planes of the number of legal moves; none if there is at most one move to choose from.
    #[inline(always)]
    pub(in crate::batch) fn bound(&self) -> &[Plane<W>] {
        match &self.moves {
            Moves::Many(tree) => tree.root(),
            Moves::None | Moves::One(..) => &[],
        }
    }

    /// The lanes that choose here, after [`count`](Self::count).
    #[inline(always)]
    pub(in crate::batch) fn here(&self) -> Plane<W> {
        self.here
    }

    /// Counts the legal moves. Returns the lanes of `wanted` that have none.
    #[inline(always)]
    fn count(&mut self, slots: &[[u64; W]], wanted: Plane<W>) -> Plane<W> {
        match &mut self.moves {
            Moves::None => {}
            Moves::One(legal, _) => self.here = wanted & read(slots, *legal),
            Moves::Many(tree) => {
                tree.count(slots);
                // A root has two planes at least.
                let number = tree.root();
                let mut two = number[1];
                for bit in 2..number.len() {
                    two |= number[bit];
                }
                (self.here, self.open) = (wanted & (number[0] | two), wanted & two);
            }
        }
        wanted & !self.here
    }

    /// Makes the moves with the drawn indices, which count in open lanes.
    #[inline(always)]
    fn descend(&mut self, slots: &mut [[u64; W]], number: &[Plane<W>]) {
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
