//! Which moves of the others can give what the role was told.

use std::sync::Arc;

use croupier_engine::{
    batch::{Plane, Possible, Selection, TernaryLanes},
    bits::Bits,
    propnet::{Phase, Tape},
};

/// Words of a plane.
pub(super) const W: usize = 8;

/// One turn of an information set, in numbers of the tape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbered<'t> {
    /// Who moved and was told.
    pub(super) role: usize,
    /// The executed own move.
    pub(super) own_move: usize,
    /// What the role was told.
    pub(super) percepts: &'t Bits,
}

/// How the others' moves of one turn are proposed.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    /// The roles that move, but for the one whose belief it is.
    pub(super) roles: Vec<RoleProposal>,
}

/// How the moves of one role are proposed.
#[derive(Clone, Debug)]
pub(super) struct RoleProposal {
    pub(super) role: usize,
    /// All its moves.
    pub(super) all: Selection<W>,
    /// The moves that are not ruled out; none if none is.
    pub(super) fitting: Option<Selection<W>>,
    /// Their numbers.
    pub(super) numbers: Vec<u32>,
}

impl Proposal {
    /// The moves that may give the percepts from a state between two bounds: the bases that are true for certain,
    /// and those that may be.
    ///
    /// A move is ruled out if the rules deny it, or deny the percepts, whatever the unknown bases and the moves of
    /// third roles are. What is left may still contradict them.
    ///
    /// # Complexity
    /// For each role, two runs over the tape for every 512 moves.
    pub(super) fn new(tape: &Arc<Tape>, turn: Numbered<'_>, (all, some): (&[u64], &[u64])) -> Self {
        let mut lanes = TernaryLanes::<W>::new(Arc::clone(tape));
        let is_in = |row: &[u64], base: usize| row[base / 64] >> (base % 64) & 1 == 1;
        let fill = |value: bool| if value { Plane::ALL } else { Plane::NONE };
        for base in 0..tape.bases_count() {
            let (may_hold, may_fail) = (fill(is_in(some, base)), fill(!is_in(all, base)));
            lanes.set_base(base, Possible { may_hold, may_fail });
        }
        for role in 0..tape.roles_count() {
            for number in 0..tape.moves_count(role) {
                let is_own = Possible::known(fill(number == turn.own_move));
                lanes.set_move(role, number, if role == turn.role { is_own } else { Possible::UNKNOWN });
            }
        }
        let others = (0..tape.roles_count()).filter(|&role| role != turn.role);
        let roles = others.map(|role| RoleProposal::new(tape, role, turn, &mut lanes)).collect();
        Self { roles }
    }
}

impl RoleProposal {
    /// The moves to choose from.
    pub(super) fn proposed(&mut self) -> &mut Selection<W> {
        self.fitting.as_mut().unwrap_or(&mut self.all)
    }

    /// The moves of one role; what is known of others stands in the lanes, and is there again afterwards.
    fn new(tape: &Arc<Tape>, role: usize, turn: Numbered<'_>, lanes: &mut TernaryLanes<W>) -> Self {
        let moves = tape.moves_count(role);
        let mut numbers: Vec<u32> = Vec::new();
        for first in (0..moves).step_by(Plane::<W>::LANES) {
            let tried = (moves - first).min(Plane::<W>::LANES);
            // Lane `l` asks what may be if the role makes the move `first + l`.
            for number in 0..moves {
                let here = (first..first + tried).contains(&number);
                let made = if here { Plane::only(number - first) } else { Plane::NONE };
                lanes.set_move(role, number, Possible::known(made));
            }
            let fitting = fitting(tape, turn, (role, first, tried), lanes);
            numbers.extend(fitting.lanes().map(|lane| (first + lane) as u32));
        }
        (0..moves).for_each(|number| lanes.set_move(role, number, Possible::UNKNOWN));
        let all = Selection::new(tape, role, |_| true);
        let is_whole = numbers.len() == moves;
        let fitting = (!is_whole)
            .then(|| Selection::new(tape, role, |number| numbers.binary_search(&(number as u32)).is_ok()));
        Self { role, all, fitting, numbers }
    }
}

/// The lanes whose move is not ruled out.
fn fitting(
    tape: &Tape,
    turn: Numbered<'_>,
    (role, first, tried): (usize, usize, usize),
    lanes: &mut TernaryLanes<W>,
) -> Plane<W> {
    let mut fitting = Plane::first(tried);
    lanes.evaluate(Phase::State);
    for lane in 0..tried {
        let may_be_legal = lanes.legal(role, first + lane).may_hold.get(lane);
        fitting.set(lane, may_be_legal);
    }
    lanes.evaluate(Phase::Next);
    lanes.evaluate(Phase::Sees);
    for percept in 0..tape.sees(turn.role).len() {
        let possible = lanes.sees(turn.role, percept);
        fitting &= if turn.percepts.contains(percept) { possible.may_hold } else { possible.may_fail };
    }
    fitting
}
