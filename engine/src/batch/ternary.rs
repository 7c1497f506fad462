//! Runs a tape with partly unknown inputs, and computes what may result.
//!
//! # Sources
//! Ternary simulation with two rails: C.-J. H. Seger and R. E. Bryant, "Formal verification by symbolic evaluation of
//! partially-ordered trajectories", Formal Methods in System Design 6, 1995.

use std::sync::Arc;

use super::{
    Plane, Width,
    kernel::{Kernels, Rails, kernels},
    plane::Slots,
};
use crate::{
    id::RoleId,
    propnet::{Operand, Phase, Tape},
};

/// What may be, in each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Possible<const W: usize> {
    /// The lanes in which it may be true.
    pub may_hold: Plane<W>,
    /// The lanes in which it may be false.
    pub may_fail: Plane<W>,
}

impl<const W: usize> Possible<W> {
    /// Nothing is known in any lane.
    pub const UNKNOWN: Self = Self { may_hold: Plane::ALL, may_fail: Plane::ALL };

    /// True in these lanes and false elsewhere.
    #[must_use]
    pub fn known(holds: Plane<W>) -> Self {
        Self { may_hold: holds, may_fail: !holds }
    }
}

/// Lanes in which a base or a move is true, false or unknown.
///
/// The result is a bound: an answer that is false cannot be true whatever the unknown inputs are. The
/// converse is not guaranteed, because dependencies between the unknown inputs are not tracked.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, Options, batch::{Plane, Possible, TernaryLanes}, stages::propnet::Phase};
///
/// # let rules = "(role me) (init (coin heads)) (side heads) (side tails) (<= (legal me (call ?side)) (true (coin ?side)))
/// #     (legal me wait) (<= (next (coin ?side)) (side ?side) (does me wait)) (<= terminal (true (coin tails))) (goal me 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let network = game.network().ok_or("a small game is a network")?;
/// let me = game.roles().find("me").ok_or("a role of the game")?;
/// let mut lanes = TernaryLanes::<1>::new(Arc::clone(network.tape()));
/// // Nobody knows whether it is heads; it is not tails.
/// lanes.set_base(network.base(game.fluent_id("(coin heads)")?).ok_or("it can come up")?, Possible::UNKNOWN);
/// lanes.evaluate(Phase::State);
/// let may_be_legal = |text| game.move_id(text).map(|id| network.move_number(me, id).map(|number| lanes.legal(me, number)));
/// assert_eq!(may_be_legal("(call heads)")?, Some(Possible::UNKNOWN));
/// assert_eq!(may_be_legal("(call tails)")?, Some(Possible::known(Plane::NONE)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TernaryLanes<const W: usize> {
    tape: Arc<Tape>,
    may_hold: Slots<W>,
    may_fail: Slots<W>,
    kernels: &'static Kernels<W>,
}

impl<const W: usize> TernaryLanes<W> {
    /// Lanes in which every base and move is false.
    #[must_use]
    pub fn new(tape: Arc<Tape>) -> Self
    where
        Plane<W>: Width<W>,
    {
        Self::with(kernels(), tape)
    }

    /// The same, for a kind of vector.
    pub(super) fn with(kernels: &'static Kernels<W>, tape: Arc<Tape>) -> Self {
        let may_hold = Slots::new(tape.slots_count());
        let mut may_fail = Slots::new(tape.slots_count());
        may_fail.as_planes_mut()[..tape.slots_count()].fill(Plane::ALL.0);
        Self { tape, may_hold, may_fail, kernels }
    }

    /// Sets what is known about a base.
    ///
    /// # Panics
    /// If there is no such base.
    pub fn set_base(&mut self, base: usize, value: Possible<W>) {
        assert!(base < self.tape.bases_count(), "a base that is there");
        self.set(self.tape.base_slot(base), value);
    }

    /// Sets what is known about whether a role makes a move.
    ///
    /// # Panics
    /// If there is no such role or move.
    pub fn set_move(&mut self, role: RoleId, number: usize, value: Possible<W>) {
        assert!(number < self.tape.moves_count(role), "a move that is there");
        self.set(self.tape.move_slot(role, number), value);
    }

    /// Computes a phase in all lanes; the phases on which it depends must have been computed.
    pub fn evaluate(&mut self, phase: Phase) {
        let Self { tape, may_hold, may_fail, kernels } = self;
        let rails = Rails { may_hold: may_hold.as_planes_mut(), may_fail: may_fail.as_planes_mut() };
        (kernels.evaluate_ternary)(tape, phase, rails);
    }

    /// Whether a role's move may be legal, after [`Phase::State`].
    ///
    /// # Panics
    /// If there is no such role or move.
    #[must_use]
    pub fn legal(&self, role: RoleId, number: usize) -> Possible<W> {
        self.read(self.tape.legal(role)[number])
    }

    /// Whether a role may be told a percept, after [`Phase::Sees`].
    ///
    /// # Panics
    /// If there is no such role or percept.
    #[must_use]
    pub fn sees(&self, role: RoleId, percept: usize) -> Possible<W> {
        self.read(self.tape.sees(role)[percept])
    }

    /// Whether a base may be true after the turn, after [`Phase::Next`].
    ///
    /// # Panics
    /// If there is no such base.
    #[must_use]
    pub fn next(&self, base: usize) -> Possible<W> {
        self.read(self.tape.next()[base])
    }

    /// Whether the state may be terminal, after [`Phase::State`].
    #[must_use]
    pub fn terminal(&self) -> Possible<W> {
        self.read(self.tape.terminal())
    }

    fn set(&mut self, slot: usize, value: Possible<W>) {
        self.may_hold.as_planes_mut()[slot] = value.may_hold.0;
        self.may_fail.as_planes_mut()[slot] = value.may_fail.0;
    }

    fn read(&self, operand: Operand) -> Possible<W> {
        let slot = operand.slot();
        let (hold, fail) = (Plane(self.may_hold.as_planes()[slot]), Plane(self.may_fail.as_planes()[slot]));
        let (may_hold, may_fail) = if operand.is_inverted() { (fail, hold) } else { (hold, fail) };
        Possible { may_hold, may_fail }
    }
}
