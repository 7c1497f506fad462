//! Determines which moves of the other roles can give the observed percepts.

use std::sync::Arc;

use croupier_engine::{
    RoleId,
    batch::{Plane, Possible, Selection, TernaryLanes, Width},
    stages::bits::Bits,
    stages::propnet::{Phase, Tape},
};

/// Words of a plane.
pub(super) const W: usize = 8;

/// Words of a plane when few moves are in question.
const NARROW: usize = 1;

/// One turn of an information set, in numbers of the tape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbered<'t> {
    /// Who moved and was told.
    pub(super) role: RoleId,
    /// The executed own move.
    pub(super) own_move: usize,
    /// What the role was told.
    pub(super) percepts: &'t Bits,
}

/// The moves of the other roles in one turn that are not ruled out: by role, ascending.
pub(super) type Open = Vec<(RoleId, Vec<u32>)>;

/// How the moves of one other role are proposed.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    pub(super) role: RoleId,
    /// The moves that can be legal.
    pub(super) all: Selection<W>,
    /// Those that are not ruled out; nothing if none is.
    pub(super) fitting: Option<Selection<W>>,
    /// Their numbers.
    pub(super) numbers: Vec<u32>,
}

impl Proposal {
    /// The moves to choose from.
    pub(super) fn proposed(&mut self) -> &mut Selection<W> {
        self.fitting.as_mut().unwrap_or(&mut self.all)
    }
}

/// What finds proposals.
#[derive(Clone, Debug)]
pub(super) struct Proposer {
    narrow: Tester<NARROW>,
    wide: Option<Tester<W>>,
}

impl Proposer {
    pub(super) fn new(tape: &Arc<Tape>) -> Self {
        Self { narrow: Tester::new(tape), wide: None }
    }

    /// For each other role the moves that may give the percepts from a state between two bounds: the bases that are
    /// true for certain, and those that may be.
    ///
    /// A move is ruled out if it is illegal, or contradicts the percepts, whatever the unknown bases and the moves of
    /// third roles are. The remaining moves may still contradict them.
    ///
    /// # Complexity
    /// One run over a part of the tape, and a run for every 512 moves of each role that has a choice.
    ///
    /// If `open` says which moves of each role are not ruled out otherwise, no others are proposed.
    pub(super) fn propose(
        &mut self,
        turn: Numbered<'_>,
        all: &[u64],
        some: &[u64],
        open: Option<&Open>,
    ) -> Vec<Proposal> {
        let tape = Arc::clone(&self.narrow.tape);
        self.narrow.enter(turn, all, some);
        let others = tape.roles().filter(|&role| role != turn.role);
        let possible: Vec<(RoleId, Vec<u32>)> =
            others.map(|role| (role, self.narrow.may_be_legal(role))).collect();
        let mut wide_is_ready = false;
        let mut proposals = Vec::new();
        for (role, possible) in possible {
            let open = open.and_then(|open| open.iter().find(|(known, _)| *known == role));
            let is_open = |number: &u32| open.is_none_or(|(_, open)| open.binary_search(number).is_ok());
            let tried: Vec<u32> = possible.iter().copied().filter(is_open).collect();
            let numbers = if tried.len() <= 1 {
                tried
            } else if tried.len() <= Plane::<NARROW>::LANES {
                self.narrow.fitting(turn, role, &tried)
            } else {
                let wide = self.wide.get_or_insert_with(|| Tester::new(&tape));
                if !wide_is_ready {
                    wide.enter(turn, all, some);
                    wide_is_ready = true;
                }
                wide.fitting(turn, role, &tried)
            };
            let fitting = (numbers.len() < possible.len()).then(|| Selection::new(&tape, role, &numbers));
            proposals.push(Proposal { role, all: Selection::new(&tape, role, &possible), fitting, numbers });
        }
        proposals
    }
}

/// Lanes in which moves are tried.
#[derive(Clone, Debug)]
struct Tester<const V: usize> {
    tape: Arc<Tape>,
    lanes: TernaryLanes<V>,
}

impl<const V: usize> Tester<V>
where
    Plane<V>: Width<V>,
{
    fn new(tape: &Arc<Tape>) -> Self {
        Self { tape: Arc::clone(tape), lanes: TernaryLanes::new(Arc::clone(tape)) }
    }

    /// Sets what is known: the bases, the role's own move, and nothing about other moves.
    fn enter(&mut self, turn: Numbered<'_>, all: &[u64], some: &[u64]) {
        let is_in = |row: &[u64], base: usize| row[base / 64] >> (base % 64) & 1 == 1;
        for base in 0..self.tape.bases_count() {
            let (may_hold, may_fail) = (everywhere(is_in(some, base)), everywhere(!is_in(all, base)));
            self.lanes.set_base(base, Possible { may_hold, may_fail });
        }
        for role in self.tape.roles() {
            for number in 0..self.tape.moves_count(role) {
                let is_own = Possible::known(everywhere(number == turn.own_move));
                self.lanes.set_move(role, number, if role == turn.role { is_own } else { Possible::UNKNOWN });
            }
        }
        self.lanes.evaluate(Phase::State);
    }

    /// The moves of a role that some state between the bounds may allow.
    fn may_be_legal(&self, role: RoleId) -> Vec<u32> {
        let moves = 0..self.tape.moves_count(role);
        let possible = moves.filter(|&number| self.lanes.legal(role, number).may_hold.get(0));
        possible.map(|number| u32::try_from(number).expect("moves are below 2^32")).collect()
    }

    /// The moves of a role that are not ruled out. Everything else that is known is restored afterwards.
    fn fitting(&mut self, turn: Numbered<'_>, role: RoleId, moves: &[u32]) -> Vec<u32> {
        let known = (0..self.tape.moves_count(role)).collect::<Vec<usize>>();
        known.iter().for_each(|&number| self.lanes.set_move(role, number, Possible::known(Plane::NONE)));
        let mut fitting = Vec::new();
        for tried in moves.chunks(Plane::<V>::LANES) {
            // Lane `l` asks what may be if the role makes the move `tried[l]`.
            for (lane, &number) in tried.iter().enumerate() {
                self.lanes.set_move(role, number as usize, Possible::known(Plane::only(lane)));
            }
            let mut is_fitting = Plane::<V>::first(tried.len());
            // What is computed of the moves stands on what is computed of the state.
            self.lanes.evaluate(Phase::State);
            self.lanes.evaluate(Phase::Next);
            self.lanes.evaluate(Phase::Sees);
            for percept in 0..self.tape.sees(turn.role).len() {
                let possible = self.lanes.sees(turn.role, percept);
                is_fitting &=
                    if turn.percepts.contains(percept) { possible.may_hold } else { possible.may_fail };
            }
            fitting.extend(is_fitting.lanes().map(|lane| tried[lane]));
            for &number in tried {
                self.lanes.set_move(role, number as usize, Possible::known(Plane::NONE));
            }
        }
        known.iter().for_each(|&number| self.lanes.set_move(role, number, Possible::UNKNOWN));
        fitting
    }
}

fn everywhere<const V: usize>(value: bool) -> Plane<V> {
    if value { Plane::ALL } else { Plane::NONE }
}
