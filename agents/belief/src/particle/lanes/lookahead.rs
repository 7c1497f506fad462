//! Which moves of earlier turns can give all that the role was told since.
//!
//! A card that a player shows in the last turn was dealt to that player, and to nobody else, in one of the first: drawing
//! the deal again should take that into account. So the match is run from its start with all unknowns left open, and a move
//! of another role is ruled out if some later percept, the end of the match or the role's own legal moves contradict it
//! whatever else happens.
//!
//! # Sources
//! Ternary simulation: see [`TernaryLanes`]. Ruling out what later constraints forbid before anything is drawn: R. Haralick and
//! G. Elliott, "Increasing tree search efficiency for constraint satisfaction problems", Artificial Intelligence 14, 1980.

use std::sync::Arc;

use croupier_engine::{
    RoleId,
    batch::{Plane, Possible, TernaryLanes},
    stages::bits::Bits,
    stages::propnet::{Phase, Segment, Tape},
};

use crate::particle::lanes::proposal::{Numbered, Open, Proposer};

/// Moves that are tried at once.
const V: usize = 1;

/// Operations that one lookahead may take: a tenth of a second.
const OPS_MAX: u64 = 100_000_000;

/// One turn of an information set, in numbers of the tape.
#[derive(Clone, Debug)]
pub(super) struct KnownTurn {
    /// The executed own move.
    pub(super) own_move: usize,
    /// What the role was told.
    pub(super) percepts: Bits,
}

/// What is ruled out, and what is known of the last turn.
#[derive(Debug)]
pub(super) struct LookaheadResult {
    /// By turn, the moves of the other roles that are not ruled out; `None` if all moves of one role are ruled out in some turn, so that
    /// no history agrees with what is known.
    pub(super) open: Option<Vec<Open>>,
    /// What is known about each base after the last turn; `None` with `open`.
    pub(super) bounds: Option<Vec<Bound>>,
    /// Runs of the tape that it took.
    pub(super) runs: u64,
}

/// What is known about a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) may_hold: bool,
    pub(crate) may_fail: bool,
}

/// What runs the tape.
struct Lookahead<'t> {
    tape: Arc<Tape>,
    lanes: TernaryLanes<V>,
    role: RoleId,
    turns: &'t [KnownTurn],
    /// By turn, the moves that are not ruled out.
    open: Vec<Open>,
    /// Runs of the tape that were made, and that may be made.
    runs: u64,
    runs_max: u64,
}

/// The moves of the other roles that are not ruled out in each of `turns`, the first turns of a match, and what is certain
/// after them.
///
/// What is ruled out is impossible; what is left may be impossible too.
///
/// # Complexity
/// For each turn and each 64 moves that are not ruled out by its own percepts, a run of the tape for every turn from there to
/// the last; beyond `runs_max` runs or [`OPS_MAX`] operations nothing more is ruled out.
pub(super) fn look_ahead(
    tape: &Arc<Tape>,
    proposer: &mut Proposer,
    role: RoleId,
    turns: &[KnownTurn],
    runs_max: u64,
) -> LookaheadResult {
    let lanes = TernaryLanes::new(Arc::clone(tape));
    let ops =
        [Phase::State, Phase::Next, Phase::Sees].iter().flat_map(|&phase| tape.segments(phase)).map(ops);
    let runs_max = runs_max.min(OPS_MAX / ops.sum::<u64>().max(1));
    let mut lookahead =
        Lookahead { tape: Arc::clone(tape), lanes, role, turns, open: Vec::new(), runs: 0, runs_max };
    let bounds = lookahead.look(proposer);
    let bound =
        |value: &Possible<V>| Bound { may_hold: value.may_hold.get(0), may_fail: value.may_fail.get(0) };
    let bounds: Option<Vec<Bound>> = bounds.map(|bounds| bounds.iter().map(bound).collect());
    let Lookahead { open, runs, .. } = lookahead;
    LookaheadResult { open: bounds.is_some().then_some(open), bounds, runs }
}

impl Lookahead<'_> {
    /// Finds the possible moves of each turn on its own, then those that the later turns allow, and what is known after the last turn.
    fn look(&mut self, proposer: &mut Proposer) -> Option<Vec<Possible<V>>> {
        let mut bounds = self.beginning();
        for (number, turn) in self.turns.iter().enumerate() {
            let (all, some) = rows(&bounds);
            let evidence = Numbered { role: self.role, own_move: turn.own_move, percepts: &turn.percepts };
            let proposals = proposer.propose(evidence, &all, &some, None);
            self.open.push(proposals.into_iter().map(|proposal| (proposal.role, proposal.numbers)).collect());
            bounds = self.after(number, &bounds);
        }
        let mut bounds = self.beginning();
        for turn in 0..self.turns.len() {
            self.refine(turn, &bounds)?;
            bounds = self.after(turn, &bounds);
        }
        Some(bounds)
    }

    /// What is known about each base before the first turn.
    fn beginning(&self) -> Vec<Possible<V>> {
        let known = |&is_true: &bool| Possible::known(if is_true { Plane::ALL } else { Plane::NONE });
        self.tape.initial().iter().map(known).collect()
    }

    /// What is known about each base after a turn, given what is known before it.
    fn after(&mut self, turn: usize, bounds: &[Possible<V>]) -> Vec<Possible<V>> {
        self.enter(turn, bounds, None);
        self.play(turn);
        self.next()
    }

    /// Rules out moves of one turn by means of the turns after it.
    fn refine(&mut self, turn: usize, bounds: &[Possible<V>]) -> Option<()> {
        for place in 0..self.open[turn].len() {
            let (role, numbers) = self.open[turn][place].clone();
            if numbers.len() > 1 && self.runs < self.runs_max {
                let mut left = Vec::new();
                for tried in numbers.chunks(Plane::<V>::LANES) {
                    let possible = self.possible(turn, bounds, role, tried);
                    left.extend(possible.lanes().map(|lane| tried[lane]));
                }
                self.open[turn][place].1 = left;
            }
            if self.open[turn][place].1.is_empty() {
                return None;
            }
        }
        Some(())
    }

    /// The lanes whose tried move is allowed by all later turns.
    fn possible(&mut self, turn: usize, bounds: &[Possible<V>], role: RoleId, tried: &[u32]) -> Plane<V> {
        let mut alive = Plane::first(tried.len());
        let mut bases = bounds.to_vec();
        for now in turn..self.turns.len() {
            let tries = (now == turn).then_some((role, tried));
            alive &= self.enter(now, &bases, tries);
            alive &= self.play(now);
            if !alive.any() || now + 1 == self.turns.len() || self.runs >= self.runs_max {
                break;
            }
            bases = self.next();
        }
        alive
    }

    /// Sets what is known about a turn, where lane `l` of `tries` plays the move with index `l`. Returns the lanes in
    /// which the match can continue.
    fn enter(&mut self, turn: usize, bases: &[Possible<V>], tries: Option<(RoleId, &[u32])>) -> Plane<V> {
        let tape = Arc::clone(&self.tape);
        for (base, &value) in bases.iter().enumerate() {
            self.lanes.set_base(base, value);
        }
        self.lanes.evaluate(Phase::State);
        let own_move = self.turns[turn].own_move;
        let mut alive = self.lanes.terminal().may_fail & self.lanes.legal(self.role, own_move).may_hold;
        for role in tape.roles() {
            for number in 0..tape.moves_count(role) {
                let is_own = role == self.role && number == own_move;
                let value = Possible::known(if is_own { Plane::ALL } else { Plane::NONE });
                self.lanes.set_move(role, number, value);
            }
        }
        for (role, numbers) in &self.open[turn] {
            if let Some((_, tried)) = tries.filter(|(tried, _)| tried == role) {
                let mut some = Plane::NONE;
                for (lane, &number) in tried.iter().enumerate() {
                    self.lanes.set_move(*role, number as usize, Possible::known(Plane::only(lane)));
                    some |= Plane::only(lane) & self.lanes.legal(*role, number as usize).may_hold;
                }
                alive &= some;
                continue;
            }
            let may_be: Vec<Plane<V>> =
                numbers.iter().map(|&number| self.lanes.legal(*role, number as usize).may_hold).collect();
            // The lanes with one move at least, and with two.
            let (mut some, mut several) = (Plane::NONE, Plane::NONE);
            for &may_be in &may_be {
                several |= some & may_be;
                some |= may_be;
            }
            for (&number, &may_hold) in numbers.iter().zip(&may_be) {
                let may_fail = several | !may_hold;
                self.lanes.set_move(*role, number as usize, Possible { may_hold, may_fail });
            }
            alive &= some;
        }
        alive
    }

    /// Plays a turn that was set. Returns the lanes in which the role may be told the observed percepts.
    fn play(&mut self, turn: usize) -> Plane<V> {
        self.runs += 1;
        self.lanes.evaluate(Phase::Next);
        self.lanes.evaluate(Phase::Sees);
        let told = &self.turns[turn].percepts;
        let percepts = 0..self.tape.sees(self.role).len();
        percepts.fold(Plane::ALL, |alive, percept| {
            let possible = self.lanes.sees(self.role, percept);
            alive & if told.contains(percept) { possible.may_hold } else { possible.may_fail }
        })
    }

    /// What is known about each base after a turn that was played.
    fn next(&self) -> Vec<Possible<V>> {
        (0..self.tape.bases_count()).map(|base| self.lanes.next(base)).collect()
    }
}

/// Operations of a segment, in one round.
fn ops(segment: &Segment) -> u64 {
    let ops: usize = match segment {
        Segment::Run(run) => run.ops.len(),
        Segment::Loop(knot) => knot.body.iter().map(|run| run.ops.len()).sum(),
    };
    ops as u64
}

/// The bases that are true for certain, and those that may be, as rows.
fn rows(bounds: &[Possible<V>]) -> (Vec<u64>, Vec<u64>) {
    let words = bounds.len().div_ceil(64);
    let (mut all, mut some) = (vec![0; words], vec![0; words]);
    for (base, value) in bounds.iter().enumerate() {
        all[base / 64] |= u64::from(!value.may_fail.get(0)) << (base % 64);
        some[base / 64] |= u64::from(value.may_hold.get(0)) << (base % 64);
    }
    (all, some)
}
