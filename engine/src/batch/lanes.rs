//! Many games of one tape side by side: their states, their moves, and questions about all of them.

use std::sync::Arc;

use super::{
    Generator, Plane, Width,
    kernel::{Choice, Kernels, kernels},
    plane::Slots,
};
use crate::{
    bits::Bits,
    id::RoleId,
    propnet::{Operand, Phase, Tape},
};

/// `64 * W` games of one tape, a lane each.
///
/// States are loaded, [`evaluate`](Self::evaluate) computes a phase in every lane, results are read, moves
/// are made by [`choose`](Self::choose) and [`make`](Self::make), and [`advance`](Self::advance) continues with
/// the next states. With `W = 1` it can evaluate a single state.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, Options, batch::{Lanes, Plane}, stages::propnet::Phase};
///
/// # let rules = "(role me) (init begun) (legal me left) (legal me right)
/// #     (<= (next (went ?side)) (does me ?side)) (<= terminal (not (true begun))) (goal me 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let network = game.network().ok_or("a small game is a network")?;
/// let me = game.roles().find("me").ok_or("a role of the game")?;
/// let mut lanes = Lanes::<1>::new(Arc::clone(network.tape()));
/// lanes.fill(network.tape().initial());
/// // The first ten of 64 matches go right, the others left.
/// lanes.make(me, 0, Plane::ALL);
/// lanes.make(me, 1, Plane::first(10));
/// lanes.evaluate(Phase::State);
/// lanes.evaluate(Phase::Next);
/// lanes.advance();
/// let right = network.base(game.fluent_id("(went right)")?).ok_or("it can come up")?;
/// assert_eq!(lanes.base(right), Plane::first(10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lanes<const W: usize> {
    pub(super) tape: Arc<Tape>,
    pub(super) slots: Slots<W>,
    pub(super) kernels: &'static Kernels<W>,
    pub(super) choice: Choice<W>,
}

impl<const W: usize> Lanes<W> {
    /// Lanes in which no base is true and no move is made.
    #[must_use]
    pub fn new(tape: Arc<Tape>) -> Self
    where
        Plane<W>: Width<W>,
    {
        Self::with(kernels(), tape)
    }

    /// The same, for a kind of vector.
    pub(super) fn with(kernels: &'static Kernels<W>, tape: Arc<Tape>) -> Self {
        // One slot more than the tape has: what must be written and is never read goes there.
        let (slots, choice) = (Slots::new(tape.slots_count() + 1), (kernels.choice)(&tape));
        Self { tape, slots, kernels, choice }
    }

    /// The tape that it runs.
    #[must_use]
    pub fn tape(&self) -> &Arc<Tape> {
        &self.tape
    }

    /// Puts the same state into all lanes: for each base whether it is true.
    ///
    /// # Panics
    /// If there are not as many values as bases.
    pub fn fill(&mut self, state: &[bool]) {
        self.set_states(Plane::ALL, state);
    }

    /// Puts a state into some lanes.
    ///
    /// # Panics
    /// If there are not as many values as bases.
    pub fn set_states(&mut self, lanes: Plane<W>, state: &[bool]) {
        assert_eq!(state.len(), self.tape.bases_count(), "a value for each base");
        for (base, &value) in state.iter().enumerate() {
            let old = self.plane(self.tape.base_slot(base));
            let new = if value { old | lanes } else { old & !lanes };
            self.set_plane(self.tape.base_slot(base), new);
        }
    }

    /// Puts a state into one lane.
    ///
    /// # Panics
    /// If there is no such lane, or there are not as many values as bases.
    pub fn set_state(&mut self, lane: usize, state: &[bool]) {
        self.set_states(Plane::only(lane), state);
    }

    /// The state of a lane: for each base whether it is true.
    ///
    /// # Panics
    /// If there is no such lane.
    #[must_use]
    pub fn state(&self, lane: usize) -> Vec<bool> {
        (0..self.tape.bases_count()).map(|base| self.base(base).get(lane)).collect()
    }

    /// The lanes in which a base is true.
    ///
    /// # Panics
    /// If there is no such base.
    #[must_use]
    pub fn base(&self, base: usize) -> Plane<W> {
        assert!(base < self.tape.bases_count(), "a base that is there");
        self.plane(self.tape.base_slot(base))
    }

    /// Sets the lanes in which a base is true: the primitive for gathering, scattering and resampling lanes.
    ///
    /// # Panics
    /// If there is no such base.
    pub fn set_base(&mut self, base: usize, value: Plane<W>) {
        assert!(base < self.tape.bases_count(), "a base that is there");
        self.set_plane(self.tape.base_slot(base), value);
    }

    /// Gives each lane the state of the lane that `sources` names for it; lanes without a name keep theirs.
    ///
    /// # Panics
    /// If a source is not a lane.
    pub fn gather(&mut self, sources: &[usize]) {
        for base in 0..self.tape.bases_count() {
            let old = self.base(base);
            let mut new = old;
            for (lane, &source) in sources.iter().enumerate().take(Plane::<W>::LANES) {
                new.set(lane, old.get(source));
            }
            self.set_base(base, new);
        }
    }

    /// Computes a phase in all lanes. The phases on which it depends, see [`Phase`], must have been computed
    /// since the states changed.
    pub fn evaluate(&mut self, phase: Phase) {
        (self.kernels.evaluate)(&self.tape, phase, self.slots.as_planes_mut());
    }

    /// The lanes whose state is terminal, after [`Phase::State`].
    #[must_use]
    pub fn terminal(&self) -> Plane<W> {
        self.read(self.tape.terminal())
    }

    /// The lanes in which a role's move is legal, after [`Phase::State`].
    ///
    /// # Panics
    /// If there is no such role or move.
    #[must_use]
    pub fn legal(&self, role: RoleId, number: usize) -> Plane<W> {
        self.read(self.tape.legal(role)[number])
    }

    /// For each goal of a role in order, its index and the lanes that have it, after [`Phase::Goal`].
    /// A lane has the first that is true there, and no other.
    ///
    /// # Panics
    /// If there is no such role.
    pub fn goals(&self, role: RoleId) -> impl Iterator<Item = (u32, Plane<W>)> + '_ {
        let mut rest = Plane::ALL;
        self.tape.goals(role).iter().map(move |&(value, goal)| {
            let has = self.read(goal) & rest;
            rest &= !has;
            (value, has)
        })
    }

    /// The lanes that have the `place`-th goal of a role, first or not, after [`Phase::Goal`].
    ///
    /// # Panics
    /// If there is no such role or goal.
    #[must_use]
    pub fn has_goal(&self, role: RoleId, place: usize) -> Plane<W> {
        self.read(self.tape.goals(role)[place].1)
    }

    /// The index of the goal that a role has in a lane, after [`Phase::Goal`].
    ///
    /// # Panics
    /// If there is no such role or lane.
    #[must_use]
    pub fn goal(&self, role: RoleId, lane: usize) -> Option<u32> {
        self.goals(role).find(|(_, lanes)| lanes.get(lane)).map(|(value, _)| value)
    }

    /// Chooses moves, after [`Phase::State`]: for every role in the `wanted` lanes, each of its legal moves equally
    /// likely. In other lanes no role makes a move.
    /// Returns the lanes in which some role has no legal move, and makes none.
    pub fn choose(&mut self, wanted: Plane<W>, random: &mut Generator<W>) -> Plane<W> {
        (self.kernels.choose)(&mut self.choice, self.slots.as_planes_mut(), wanted, random)
    }

    /// Makes a role's move in some lanes, replacing its move there.
    ///
    /// # Panics
    /// If there is no such role or move.
    pub fn make(&mut self, role: RoleId, number: usize, lanes: Plane<W>) {
        assert!(number < self.tape.moves_count(role), "a move that is there");
        for other in 0..self.tape.moves_count(role) {
            let slot = self.tape.move_slot(role, other);
            let old = self.plane(slot);
            self.set_plane(slot, if other == number { old | lanes } else { old & !lanes });
        }
    }

    /// Makes a role's move in one lane in which it makes no other.
    ///
    /// # Panics
    /// If there is no such lane, role or move.
    pub fn make_in(&mut self, lane: usize, role: RoleId, number: usize) {
        let slot = self.tape.move_slot(role, number);
        let mut plane = self.plane(slot);
        plane.set(lane, true);
        self.set_plane(slot, plane);
    }

    /// Makes a role's move in some lanes in which it makes no other.
    ///
    /// # Panics
    /// If there is no such role or move.
    pub fn make_where(&mut self, role: RoleId, number: usize, lanes: Plane<W>) {
        let slot = self.tape.move_slot(role, number);
        self.set_plane(slot, self.plane(slot) | lanes);
    }

    /// Says in which lanes a role makes a move, whatever it made before.
    ///
    /// # Panics
    /// If there is no such role or move.
    pub fn set_made(&mut self, role: RoleId, number: usize, lanes: Plane<W>) {
        assert!(number < self.tape.moves_count(role), "a move that is there");
        self.set_plane(self.tape.move_slot(role, number), lanes);
    }

    /// Makes no move for any role in any lane.
    pub fn clear_moves(&mut self) {
        for role in self.tape.roles() {
            for number in 0..self.tape.moves_count(role) {
                self.set_plane(self.tape.move_slot(role, number), Plane::NONE);
            }
        }
    }

    /// The lanes in which a role makes a move.
    ///
    /// # Panics
    /// If there is no such role or move.
    #[must_use]
    pub fn made(&self, role: RoleId, number: usize) -> Plane<W> {
        assert!(number < self.tape.moves_count(role), "a move that is there");
        self.plane(self.tape.move_slot(role, number))
    }

    /// The lanes in which a role is told a percept, after [`Phase::Sees`].
    ///
    /// # Panics
    /// If there is no such role or percept.
    #[must_use]
    pub fn sees(&self, role: RoleId, percept: usize) -> Plane<W> {
        self.read(self.tape.sees(role)[percept])
    }

    /// The lanes in which a role is told exactly these percepts, after [`Phase::Sees`].
    ///
    /// # Panics
    /// If there is no such role.
    #[must_use]
    pub fn sees_exactly(&self, role: RoleId, percepts: &Bits) -> Plane<W> {
        let told = self.tape.sees(role).iter().enumerate();
        told.fold(Plane::ALL, |same, (percept, &operand)| {
            let is_told = self.read(operand);
            same & if percepts.contains(percept) { is_told } else { !is_told }
        })
    }

    /// The lanes in which a base will be true, after [`Phase::Next`].
    ///
    /// # Panics
    /// If there is no such base.
    #[must_use]
    pub fn next(&self, base: usize) -> Plane<W> {
        self.read(self.tape.next()[base])
    }

    /// Makes the next states the states, after [`Phase::Next`].
    pub fn advance(&mut self) {
        self.advance_in(Plane::ALL);
    }

    /// Makes the next states the states in some lanes, after [`Phase::Next`]; the others stay as they are.
    pub fn advance_in(&mut self, lanes: Plane<W>) {
        (self.kernels.advance)(&self.tape, self.slots.as_planes_mut(), lanes);
    }

    /// The number of words of a state as a row: a bit for each base, bit `b % 64` of word `b / 64`. Rows are
    /// copied, compared and hashed; planes are used for computation.
    #[must_use]
    pub fn row_words(&self) -> usize {
        self.tape.bases_count().div_ceil(64)
    }

    /// Puts the row of number `sources[l]` into lane `l`; lanes without a source get a state in which nothing is
    /// true.
    ///
    /// # Panics
    /// If there is no such row, or there are more sources than lanes.
    pub fn load_rows(&mut self, rows: &[u64], sources: &[u32]) {
        assert!(sources.len() <= Plane::<W>::LANES, "a lane for each source");
        (self.kernels.load_rows)(&self.tape, self.slots.as_planes_mut(), rows, sources);
    }

    /// Appends the next states of some lanes as rows, after [`Phase::Next`], in ascending order of the lanes.
    pub fn append_next_rows(&self, lanes: Plane<W>, rows: &mut Vec<u64>) {
        self.append_rows(self.tape.next(), lanes, rows);
    }

    /// Appends which moves of a role are legal in some lanes as rows with a bit for each move, after [`Phase::State`], in
    /// ascending order of the lanes.
    ///
    /// # Panics
    /// If there is no such role.
    pub fn append_legal_rows(&self, role: RoleId, lanes: Plane<W>, rows: &mut Vec<u64>) {
        self.append_rows(self.tape.legal(role), lanes, rows);
    }

    /// Appends what a role is told in some lanes as rows with a bit for each percept, after [`Phase::Sees`], in ascending
    /// order of the lanes.
    ///
    /// # Panics
    /// If there is no such role.
    pub fn append_sees_rows(&self, role: RoleId, lanes: Plane<W>, rows: &mut Vec<u64>) {
        self.append_rows(self.tape.sees(role), lanes, rows);
    }

    fn append_rows(&self, operands: &[Operand], lanes: Plane<W>, rows: &mut Vec<u64>) {
        let first = rows.len();
        rows.resize(first + operands.len().div_ceil(64) * lanes.count() as usize, 0);
        (self.kernels.store_rows)(operands, self.slots.as_planes(), lanes, &mut rows[first..]);
    }

    fn read(&self, operand: Operand) -> Plane<W> {
        let plane = self.plane(operand.slot());
        if operand.is_inverted() { !plane } else { plane }
    }

    fn plane(&self, slot: usize) -> Plane<W> {
        Plane(self.slots.as_planes()[slot])
    }

    fn set_plane(&mut self, slot: usize, plane: Plane<W>) {
        self.slots.as_planes_mut()[slot] = plane.0;
    }
}
