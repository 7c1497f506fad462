//! The move to play when a message contradicts earlier ones: the most likely legal move.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Game, InformationSet, MoveId};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

use crate::small_belief::small_belief;

/// Number of continuations examined.
const WAYS: usize = 64;

/// Maximum number of turns to continue: after that many, a guess does not get worse.
const TURNS_MAX: u32 = 32;

/// The move that is legal most often `turns` turns after `known`, if everybody chooses uniformly until then; the first
/// in canonical order of those that are so equally often.
///
/// For each continuation the last states that are not over count, so there is a move unless there never was one. `None` if there is no
/// belief, or the rules fail in every continuation.
pub(crate) fn likely_legal(
    game: &Arc<Game>,
    known: &InformationSet,
    turns: u32,
    seed: [u8; 32],
) -> Option<MoveId> {
    let states = small_belief(game, known, seed)?.distribution();
    let mut rng = ChaCha8Rng::from_seed(seed);
    let mut scratch = game.scratch();
    let mut counts: BTreeMap<Arc<str>, (u32, MoveId)> = BTreeMap::new();
    for _ in 0..WAYS {
        let mut state = states.sample(&mut rng).clone();
        for _ in 0..turns.min(TURNS_MAX) {
            let Ok(Some(joint_move)) = game.random_joint_move(&state, &mut rng, &mut scratch) else { break };
            match game.successor(&state, &joint_move, &mut scratch) {
                Ok(successor) if game.is_terminal(&successor, &mut scratch) == Ok(false) => state = successor,
                Ok(_) | Err(_) => break,
            }
        }
        for legal in game.legal_moves(&state, known.role, &mut scratch).unwrap_or_default() {
            counts.entry(game.move_text(legal)).or_insert((0, legal)).0 += 1;
        }
    }
    // Of equal counts the last is taken: so the moves go backwards.
    counts.into_values().rev().max_by_key(|(count, _)| *count).map(|(_, legal)| legal)
}

#[cfg(test)]
mod tests {
    use croupier_engine::Options;

    use super::*;

    fn guess(rules: &str, turns: u32) -> Option<String> {
        let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
        let role = game.roles().find("r").unwrap();
        let guess = likely_legal(&game, &InformationSet::initial(role), turns, [1; 32]);
        guess.map(|legal| game.move_text(legal).to_string())
    }

    #[test]
    fn the_guess_is_legal_on_most_ways() {
        // Of three cards two let the role stay.
        let rules = "(role r) (role random) (card 1) (card 2) (card 3) (init start)
            (<= (legal random (deal ?c)) (true start) (card ?c)) (<= (legal random noop) (not (true start)))
            (<= (legal r wait) (true start)) (<= (legal r go) (true (dealt ?c)))
            (<= (legal r stay) (true (dealt ?c)) (distinct ?c 1))
            (<= (legal r attack) (true (dealt 3)))
            (<= (next (dealt ?c)) (does random (deal ?c))) (<= (next done) (true (dealt ?c)))
            (<= (sees r told) (does r go)) (<= terminal (true done)) (goal r 50)";
        assert_eq!(guess(rules, 0).as_deref(), Some("wait"));
        assert_eq!(guess(rules, 1).as_deref(), Some("go"));
        assert_eq!(guess(rules, 7).as_deref(), Some("go"), "as before the match was over");
    }

    #[test]
    fn equal_guesses_are_decided_by_canonical_order() {
        let rules = "(role r) (init (s 0)) (legal r b) (legal r a) (<= (next (s ?x)) (true (s ?x)))
            (<= terminal (true (s 1))) (goal r 50)";
        assert_eq!(guess(rules, 3).as_deref(), Some("a"));
    }
}
