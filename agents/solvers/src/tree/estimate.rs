//! How large a tree is, without enumerating it.

use croupier_engine::{Game, GameError, JointMove, Scratch, Status, draw::draw_index};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

/// Descents that the estimate is the mean of: some tenths of a second for a large game.
const DESCENTS: u32 = 200;

/// About how many histories a game has: the mean over random descents of the number that each stands for.
///
/// It is unbiased, and of a large variance where branches differ much; the descents are always the same.
///
/// # Errors
/// Where the rules fail in one of the descents.
///
/// # Sources
/// D. E. Knuth: Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975).
pub fn estimate_histories(game: &Game, scratch: &mut Scratch) -> Result<f64, GameError> {
    let mut rng = ChaCha8Rng::from_seed([0; 32]);
    let mut sum = 0.0;
    for _ in 0..DESCENTS {
        let mut state = game.initial_state().clone();
        let (mut histories, mut stands_for) = (1.0, 1.0);
        for _ in 0..game.limits().turns {
            let Status::Running { legal } = game.status(&state, scratch)? else { break };
            stands_for *= legal.iter().map(|(_, moves)| moves.len() as f64).product::<f64>();
            histories += stands_for;
            let moves = legal.map(|role| legal[role][draw_index(legal[role].len(), &mut rng)]);
            let joint_move: JointMove =
                game.joint_move(&state, moves, scratch).expect("legal moves of this state");
            state = game.successor(&state, &joint_move, scratch)?;
        }
        sum += histories;
    }
    Ok(sum / f64::from(DESCENTS))
}
