//! One turn from one state: the joint moves that agree with what a role did and was told.
//!
//! The model of the other roles stands here (and, looking ahead, in `prediction`): each chooses
//! uniformly among its legal moves, so that every joint move with the role's own one is equally likely.

use croupier_engine::{
    ByRole, Game, GameError, JointMove, MoveId, Percepts, RoleId, Scratch, State, Status, draw::draw_index,
};
use rand_core::Rng;

/// One turn of an information set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evidence<'e> {
    /// Who moved and was told.
    pub(crate) role: RoleId,
    /// The executed own move.
    pub(crate) own_move: MoveId,
    /// What the role was told.
    pub(crate) percepts: &'e Percepts,
}

/// The joint moves of a state in which the own move is the executed one.
#[derive(Clone, Debug)]
pub(crate) struct Candidates<'c> {
    game: &'c Game,
    state: &'c State,
    evidence: Evidence<'c>,
    /// Legal moves by role, in canonical order; of the role itself only the executed one.
    legal: ByRole<Vec<MoveId>>,
    /// Invariant: how many joint moves there are, or `u64::MAX` for that many or more; at least one.
    count: u64,
}

/// The joint moves from one state that agree with the evidence, or a fair sample of them.
#[derive(Clone, Debug)]
pub(crate) struct Continuations {
    /// In canonical order if all are there.
    pub(crate) joint_moves: Vec<JointMove>,
    /// The probability of the evidence in the state, or an unbiased estimate of it.
    pub(crate) share: f64,
}

/// Whether the role is told what it was told when `joint_move` is played in `state`.
pub(crate) fn agrees(
    game: &Game,
    state: &State,
    joint_move: &JointMove,
    evidence: Evidence<'_>,
    scratch: &mut Scratch,
) -> Result<bool, GameError> {
    Ok(game.percepts(state, joint_move, evidence.role, scratch)? == *evidence.percepts)
}

impl<'c> Candidates<'c> {
    /// The joint moves from `state` with the executed own move; `None` if it cannot have been played
    /// there, because the match is over or the move is not legal.
    pub(crate) fn of(
        game: &'c Game,
        state: &'c State,
        evidence: Evidence<'c>,
        scratch: &mut Scratch,
    ) -> Result<Option<Self>, GameError> {
        // Goals are not asked for: rules may fail to give any in a state that the true one is not.
        if game.is_terminal(state, scratch)? {
            return Ok(None);
        }
        let Status::Running { mut legal } = game.status(state, scratch)? else { return Ok(None) };
        let own = &mut legal[evidence.role];
        if !own.contains(&evidence.own_move) {
            return Ok(None);
        }
        *own = vec![evidence.own_move];
        let count =
            legal.iter().fold(1_u64, |product, (_, moves)| product.saturating_mul(moves.len() as u64));
        Ok(Some(Self { game, state, evidence, legal, count }))
    }

    /// How many there are, agreeing or not; `u64::MAX` for that many or more.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The probability of each of them.
    pub(crate) fn probability(&self) -> f64 {
        1.0 / self.count as f64
    }

    /// All that agree with the evidence.
    pub(crate) fn enumerate(&self, scratch: &mut Scratch) -> Result<Continuations, GameError> {
        let joint_moves = self.agreeing(self.game.joint_moves(&self.legal), scratch)?;
        let share = joint_moves.len() as f64 / self.count as f64;
        Ok(Continuations { joint_moves, share })
    }

    /// Those that agree with the evidence among `draws` drawn ones; at least one is drawn.
    ///
    /// Their share is an unbiased estimate of the true one, since the number of draws does not depend
    /// on what is drawn.
    pub(crate) fn sample(
        &self,
        draws: u64,
        rng: &mut impl Rng,
        scratch: &mut Scratch,
    ) -> Result<Continuations, GameError> {
        let draws = draws.max(1);
        let joint_moves = self.agreeing((0..draws).map(|_| self.draw(rng)), scratch)?;
        let share = joint_moves.len() as f64 / draws as f64;
        Ok(Continuations { joint_moves, share })
    }

    /// All of them, agreeing or not, in an order drawn by shuffling the moves of each role.
    pub(crate) fn shuffled(mut self, rng: &mut impl Rng) -> Box<dyn Iterator<Item = JointMove>> {
        for (_, moves) in self.legal.iter_mut() {
            for last in (1..moves.len()).rev() {
                moves.swap(last, draw_index(last + 1, rng));
            }
        }
        Box::new(self.game.joint_moves(&self.legal))
    }

    fn agreeing(
        &self,
        joint_moves: impl Iterator<Item = JointMove>,
        scratch: &mut Scratch,
    ) -> Result<Vec<JointMove>, GameError> {
        let mut agreeing = Vec::new();
        for joint_move in joint_moves {
            if agrees(self.game, self.state, &joint_move, self.evidence, scratch)? {
                agreeing.push(joint_move);
            }
        }
        Ok(agreeing)
    }

    /// A joint move, each equally likely.
    fn draw(&self, rng: &mut impl Rng) -> JointMove {
        let drawn = ByRole::from_fn(self.game.roles(), |role| {
            let moves = &self.legal[role];
            vec![moves[draw_index(moves.len(), rng)]]
        });
        self.game.joint_moves(&drawn).next().expect("every role has a move here")
    }
}
