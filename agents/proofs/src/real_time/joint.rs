//! Who can move together.

use croupier_engine::{ByRole, MoveId, RoleId, Roles};

/// Joint moves of one state beyond which they are not listed.
const JOINT_MOVES_MAX: usize = 100_000;

/// A move for each of some players, or for nobody.
pub(super) type SomeMoves = Vec<(RoleId, MoveId)>;

/// All joint moves of players, that of nobody first: each player makes a legal move or none. `None` if there are too many.
pub(super) fn joint_moves(roles: &Roles, legal: &ByRole<Vec<MoveId>>) -> Option<Vec<SomeMoves>> {
    let mut joint: Vec<SomeMoves> = vec![Vec::new()];
    for role in roles.players() {
        let known = joint.len();
        if known.saturating_mul(legal[role].len() + 1) > JOINT_MOVES_MAX {
            return None;
        }
        for &played in &legal[role] {
            for place in 0..known {
                let mut moves = joint[place].clone();
                moves.push((role, played));
                joint.push(moves);
            }
        }
    }
    joint.sort_by_key(Vec::len);
    Some(joint)
}
