//! Seeded walks as the oracle plays them: what every engine is compared with.

use std::collections::BTreeMap;

use croupier_engine::{Limits, stages::syntax};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};

use super::Plan;
use crate::oracle::{Consequence, Oracle, OracleError, Terms, View};

/// A move of each role, by the name of the role.
pub type Moves = BTreeMap<String, String>;

/// All that the oracle says of one state, and of the joint move that was played in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The fluents that are true.
    pub state: Terms,
    /// What holds there.
    pub view: View,
    /// What was played and what came of it; none at the end of a walk. What came of it is the next position's state.
    pub turn: Option<(Moves, Consequence)>,
}

/// Walks from the initial state; each has at least one position.
#[derive(Clone, Debug, Default)]
pub struct Walks {
    /// The roles in the order of the text.
    pub roles: Vec<String>,
    /// The positions of each walk, in order.
    pub walks: Vec<Vec<Position>>,
    /// Whether the oracle's effort was spent before the plan was done.
    pub is_cut_short: bool,
}

impl Walks {
    /// Walks of a rules text. A walk ends at a terminal state, where a role has no legal move, or after the
    /// turns of the plan.
    ///
    /// # Errors
    /// What the oracle says, if it is anything but that its effort is spent.
    pub fn of(text: &str, plan: &Plan) -> Result<Self, OracleError> {
        let description = syntax::read(text, syntax::Syntax::Auto, &Limits::STANDARD).description;
        let oracle = match Oracle::new(&description, plan.effort) {
            Err(OracleError::EffortSpent) => return Ok(Self { is_cut_short: true, ..Self::default() }),
            oracle => oracle?,
        };
        let mut walks = Self { roles: oracle.roles().to_vec(), ..Self::default() };
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
        for _ in 0..plan.walks {
            let mut positions = Vec::new();
            let result = walk(&oracle, plan.turns, &mut rng, &mut positions);
            walks.walks.extend((!positions.is_empty()).then_some(positions));
            match result {
                Err(OracleError::EffortSpent) => {
                    walks.is_cut_short = true;
                    break;
                }
                result => result?,
            }
        }
        Ok(walks)
    }

    /// The first joint move of the first walk of a seed, from what holds in the initial state; none if no walk
    /// has one.
    #[must_use]
    pub fn first_moves(view: &View, seed: u64) -> Option<Moves> {
        random_joint_move(view, &mut ChaCha8Rng::seed_from_u64(seed)).filter(|_| !view.is_terminal)
    }

    /// Every position of every walk, with the numbers of both.
    pub fn positions(&self) -> impl Iterator<Item = ([usize; 2], &Position)> {
        let walks = self.walks.iter().enumerate();
        walks.flat_map(|(walk, positions)| {
            positions.iter().enumerate().map(move |(turn, position)| ([walk, turn], position))
        })
    }
}

/// Adds positions as far as they are known. The last one has no turn.
fn walk(
    oracle: &Oracle,
    turns: usize,
    rng: &mut ChaCha8Rng,
    positions: &mut Vec<Position>,
) -> Result<(), OracleError> {
    let mut state = oracle.initial_state()?;
    let mut played = None;
    loop {
        let situation = oracle.situation(&state)?;
        let view = situation.view();
        // A turn is kept when the position behind it is known.
        if let Some(before) = positions.last_mut() {
            before.turn = played.take();
        }
        let joint_move = random_joint_move(&view, rng).filter(|_| !view.is_terminal);
        positions.push(Position { state: state.clone(), view, turn: None });
        let Some(joint_move) = joint_move.filter(|_| positions.len() <= turns) else { return Ok(()) };
        let consequence = situation.consequence(&joint_move)?;
        state.clone_from(&consequence.successor);
        played = Some((joint_move, consequence));
    }
}

/// A legal move of each role; `None` where one has none.
fn random_joint_move(view: &View, rng: &mut ChaCha8Rng) -> Option<Moves> {
    let mut joint_move = Moves::new();
    for (role, moves) in &view.legal {
        let count = u64::try_from(moves.len()).expect("a count fits 64 bits");
        let index = rng.next_u64().checked_rem(count)?;
        let index = usize::try_from(index).expect("it is below the number of moves");
        joint_move.insert(role.clone(), moves.iter().nth(index)?.clone());
    }
    Some(joint_move)
}
