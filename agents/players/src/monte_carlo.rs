//! The player that tries its moves in histories that agree with what it was told.

use std::sync::Arc;

use croupier_belief::Distribution;
use croupier_engine::{
    ByRole, Game, GameError, GoalValue, InformationSet, MoveId, RoleId, Scratch, State, Status,
    draw::draw_index,
};
use rand_core::Rng;

use crate::{
    Budget, Decision, Estimate, Player, PlayerError,
    bandit::Bandit,
    sight::{Choice, Sight},
};

/// How much a [`MonteCarloPlayer`] computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonteCarloOptions {
    /// Playouts of one decision, at most.
    pub iterations: u32,
    /// Particles of the belief.
    pub particles: usize,
}

impl MonteCarloOptions {
    /// What `belief` means without options.
    pub const STANDARD: Self = Self { iterations: 300, particles: 200 };
}

/// Flat Monte Carlo over a belief.
///
/// Each iteration draws a state from the belief, picks an own move by UCB1, lets all others choose
/// uniformly, plays on uniformly to the end and notes the goal. The move tried most is played, the
/// first in canonical order of equals.
///
/// It is a best answer to opponents who choose uniformly from here on, *if it did so itself after this
/// move*: it does not plan its own later moves, does not bluff, and does not value what it would
/// learn or give away.
#[derive(Debug)]
pub struct MonteCarloPlayer {
    sight: Sight,
    options: MonteCarloOptions,
}

impl MonteCarloPlayer {
    /// A player of `role`, whose draws depend on `seed` and the turn alone.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        options: MonteCarloOptions,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        Ok(Self { sight: Sight::new(game, role, options.particles, seed)?, options })
    }
}

impl Player for MonteCarloPlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn choose(&mut self, known: &InformationSet, budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        let Choice { distribution, moves } = self.sight.choice(known)?;
        if moves.len() == 1 {
            return Ok(Decision::at_once(moves[0]));
        }
        let mut rng = self.sight.rng(known);
        let mut tries = Tries::new(&self.sight, &distribution);
        let mut bandit = Bandit::new(moves.len());
        let mut iterations = 0;
        let stop = loop {
            if let Some(stop) = budget.stop(iterations, self.options.iterations) {
                break stop;
            }
            let position = distribution.sample_position(&mut rng);
            let index = bandit.next();
            if let Some(goal) = tries.goal(position, moves[index], &mut rng, &mut self.sight.scratch)? {
                bandit.note(index, goal);
            }
            iterations += 1;
        };
        let estimate = |(index, &chosen): (usize, &MoveId)| Estimate {
            chosen,
            visits: bandit.visits(index),
            mean_goal: bandit.mean_goal(index),
        };
        let estimates = moves.iter().enumerate().map(estimate).collect();
        Ok(Decision { chosen: moves[bandit.most_visited()], estimates, iterations, stop })
    }
}

/// The states of a belief, and the legal moves of those that were drawn.
struct Tries<'b> {
    game: Arc<Game>,
    role: RoleId,
    states: Vec<&'b State>,
    /// By state, what there is to play once it was asked: nothing where the match is over.
    legal: Vec<Option<Option<ByRole<Vec<MoveId>>>>>,
}

impl<'b> Tries<'b> {
    fn new(sight: &Sight, distribution: &'b Distribution) -> Self {
        let states: Vec<&State> = distribution.iter().map(|(state, _)| state).collect();
        let legal = vec![None; states.len()];
        Self { game: Arc::clone(&sight.game), role: sight.role, states, legal }
    }

    /// The goal at the end of a playout that begins with `own_move`; `None` in a state where that
    /// cannot be played.
    fn goal(
        &mut self,
        position: usize,
        own_move: MoveId,
        rng: &mut impl Rng,
        scratch: &mut Scratch,
    ) -> Result<Option<GoalValue>, GameError> {
        let state = self.states[position];
        let legal = match &mut self.legal[position] {
            Some(legal) => legal,
            unknown => unknown.insert(playable(&self.game, state, scratch)?),
        };
        let Some(legal) = legal else { return Ok(None) };
        if !legal[self.role].contains(&own_move) {
            return Ok(None);
        }
        let drawn = ByRole::from_fn(self.game.roles(), |role| {
            let moves = &legal[role];
            vec![if role == self.role { own_move } else { moves[draw_index(moves.len(), rng)] }]
        });
        let joint_move = self.game.joint_moves(&drawn).next().expect("every role has a move here");
        let successor = self.game.successor(state, &joint_move, scratch)?;
        let playout = self.game.playout(&successor, rng, scratch)?;
        Ok(playout.goals.get(self.role).copied())
    }
}

/// The legal moves of all roles, or `None` where the match is over.
fn playable(
    game: &Game,
    state: &State,
    scratch: &mut Scratch,
) -> Result<Option<ByRole<Vec<MoveId>>>, GameError> {
    // Goals are not asked for: rules may fail to give any in a state that the true one is not.
    if game.is_terminal(state, scratch)? {
        return Ok(None);
    }
    match game.status(state, scratch)? {
        Status::Running { legal } => Ok(Some(legal)),
        Status::Terminal { .. } => Ok(None),
    }
}
