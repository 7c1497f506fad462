//! Lines of play: a state with what each player knows in it.

use croupier_belief::Policy;
use croupier_engine::{
    ByPlayer, ByRole, Game, GameError, GoalValue, History, InformationSet, JointMove, MoveId, RoleId,
    Scratch, State, Status,
};

/// A history as its players know it.
#[derive(Clone, Debug)]
pub(crate) struct PlayLine {
    pub(crate) state: State,
    pub(crate) known: ByPlayer<InformationSet>,
}

/// What comes next on a line.
#[derive(Debug)]
pub(crate) enum NextTurn {
    /// The match is over with these goals.
    Over(ByPlayer<GoalValue>),
    /// By role the moves that are played with a probability above 0, and these; empty for a move that is illegal here.
    Choices(ByRole<Vec<(MoveId, f64)>>),
}

impl PlayLine {
    /// The line of a history from the beginning of a match.
    pub(crate) fn of(game: &Game, history: &History, scratch: &mut Scratch) -> Result<Self, GameError> {
        let known = ByPlayer::from_fn(game.roles(), InformationSet::initial);
        let line = Self { state: game.initial_state().clone(), known };
        history.joint_moves.iter().try_fold(line, |line, joint_move| line.after(game, joint_move, scratch))
    }

    /// The line after a joint move.
    pub(crate) fn after(
        self,
        game: &Game,
        joint_move: &JointMove,
        scratch: &mut Scratch,
    ) -> Result<Self, GameError> {
        let Self { state, mut known } = self;
        let turn = game.turn(&state, joint_move, scratch)?;
        for (role, known) in known.iter_mut() {
            known.turns.push((joint_move.of(role), turn.percepts[role].clone()));
        }
        Ok(Self { state: turn.successor, known })
    }

    /// What comes next if all players go by a policy and chance chooses uniformly. `forced` is a move that its role plays instead.
    pub(crate) fn next(
        &self,
        game: &Game,
        policy: &dyn Policy,
        forced: Option<(RoleId, MoveId)>,
        scratch: &mut Scratch,
    ) -> Result<NextTurn, GameError> {
        let legal = match game.status(&self.state, scratch)? {
            Status::Terminal { goals } => return Ok(NextTurn::Over(goals)),
            Status::Running { legal } => legal,
        };
        let random = game.roles().random();
        Ok(NextTurn::Choices(ByRole::from_fn(game.roles(), |role| {
            if let Some((_, played)) = forced.filter(|&(of, _)| of == role) {
                // It may be illegal in some histories, if the rules leave the role in the dark.
                return if legal[role].contains(&played) { vec![(played, 1.0)] } else { Vec::new() };
            }
            let moves = &legal[role];
            let shares = match Some(role) == random {
                true => vec![1.0 / moves.len() as f64; moves.len()],
                false => policy.probabilities(&self.known[role], moves),
            };
            let chosen = moves.iter().copied().zip(shares);
            chosen.filter(|&(_, share)| share > 0.0).collect()
        })))
    }
}
