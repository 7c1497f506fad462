//! The complete search: histories consistent with an information set, depth first.
//!
//! A particle belief falls back on it when drawing at random finds nothing: a consistent
//! history is found if there is one and the limit allows it.

use croupier_engine::{Game, GameError, InformationSet, JointMove, Scratch, State};
use rand_core::Rng;
use rustc_hash::FxHashSet;

use crate::continuation::{Candidates, Evidence, agrees};

/// Bounds of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimits {
    /// Histories requested; the search ends when it has found them.
    pub(crate) histories: usize,
    /// Maximum number of joint moves examined.
    pub(crate) joint_moves: u64,
}

/// A history that was found.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The joint move of each turn and the state after it.
    pub(crate) steps: Vec<(JointMove, State)>,
    /// The probability of the joint move of each turn when the others choose uniformly.
    pub(crate) probabilities: Vec<f64>,
}

/// The result of a search for histories.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundHistories {
    /// Consistent histories, all different.
    pub(crate) paths: Vec<Path>,
    /// Whether there is no other history: the search ended because everything was examined.
    pub(crate) is_exhausted: bool,
    /// Joint moves examined, if the search counts them.
    pub(crate) joint_moves_looked_at: u64,
}

/// An open node: a state, how the search reached it, and what remains to be examined from it.
struct OpenNode {
    arrived_by: Option<JointMove>,
    state: State,
    open: Box<dyn Iterator<Item = JointMove>>,
    probability: f64,
    fruitful: bool,
}

/// Looks for histories with the own moves and percepts of `known`, in an order drawn from `rng`.
///
/// A state that was found to lead nowhere is not entered again in the same turn.
///
/// # Complexity
/// Memory linear in the turns, the histories wanted and the dead ends.
pub(crate) fn consistent_histories(
    game: &Game,
    known: &InformationSet,
    limits: SearchLimits,
    rng: &mut impl Rng,
    scratch: &mut Scratch,
) -> Result<FoundHistories, GameError> {
    let turns = known.turns.len();
    let mut found = FoundHistories::default();
    let mut dead: FxHashSet<(usize, State)> = FxHashSet::default();
    let mut frames: Vec<OpenNode> = Vec::new();
    if turns == 0 {
        found.paths.push(Path { steps: Vec::new(), probabilities: Vec::new() });
        return Ok(found);
    }
    frames.extend(frame(game, evidence(known, 0), None, game.initial_state().clone(), rng, scratch)?);
    while let Some(top) = frames.last_mut() {
        let Some(joint_move) = top.open.next() else {
            close(&mut frames, &mut dead);
            continue;
        };
        if found.joint_moves_looked_at == limits.joint_moves {
            return Ok(found);
        }
        found.joint_moves_looked_at += 1;
        let depth = frames.len();
        let state = &frames[depth - 1].state;
        if !agrees(game, state, &joint_move, evidence(known, depth - 1), scratch)? {
            continue;
        }
        let successor = game.successor(state, &joint_move, scratch)?;
        if depth == turns {
            found.paths.push(path(&frames, joint_move, successor));
            if found.paths.len() == limits.histories {
                return Ok(found);
            }
            for frame in &mut frames {
                frame.fruitful = true;
            }
        } else {
            let reached = (depth, successor);
            if dead.contains(&reached) {
                continue;
            }
            let (depth, successor) = reached;
            match frame(game, evidence(known, depth), Some(joint_move), successor.clone(), rng, scratch)? {
                Some(frame) => frames.push(frame),
                None => drop(dead.insert((depth, successor))),
            }
        }
    }
    found.is_exhausted = true;
    Ok(found)
}

fn evidence(known: &InformationSet, turn: usize) -> Evidence<'_> {
    let (own_move, percepts) = &known.turns[turn];
    Evidence { role: known.role, own_move: *own_move, percepts }
}

/// The node of a state, or `None` if the own move cannot have been played there.
fn frame(
    game: &Game,
    evidence: Evidence<'_>,
    arrived_by: Option<JointMove>,
    state: State,
    rng: &mut impl Rng,
    scratch: &mut Scratch,
) -> Result<Option<OpenNode>, GameError> {
    let Some(candidates) = Candidates::of(game, &state, evidence, scratch)? else {
        return Ok(None);
    };
    let probability = candidates.probability();
    let open = candidates.shuffled(rng);
    Ok(Some(OpenNode { arrived_by, state, open, probability, fruitful: false }))
}

/// Leaves the innermost node, for good if nothing was found below it.
fn close(frames: &mut Vec<OpenNode>, dead: &mut FxHashSet<(usize, State)>) {
    if let Some(frame) = frames.pop()
        && !frame.fruitful
    {
        dead.insert((frames.len(), frame.state));
    }
}

fn path(frames: &[OpenNode], last_joint_move: JointMove, last_state: State) -> Path {
    let arrivals = frames.iter().filter_map(|frame| {
        frame.arrived_by.as_ref().map(|joint_move| (joint_move.clone(), frame.state.clone()))
    });
    Path {
        steps: arrivals.chain([(last_joint_move, last_state)]).collect(),
        probabilities: frames.iter().map(|frame| frame.probability).collect(),
    }
}

#[cfg(test)]
mod tests {
    use croupier_engine::{Game, InformationSet, Options};
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    use super::{FoundHistories, SearchLimits, consistent_histories};

    /// Chance tosses three coins; the state remembers only how many show heads.
    const HEADS: &str = "
        (role guesser) (role random)
        (side heads) (side tails)
        (then 0 1) (then 1 2) (then 2 3)
        (init (tossed 0)) (init (heads 0))
        (legal guesser wait)
        (<= (legal random (toss ?side)) (side ?side))
        (<= (next (tossed ?m)) (true (tossed ?n)) (then ?n ?m))
        (<= (next (heads ?m)) (does random (toss heads)) (true (heads ?n)) (then ?n ?m))
        (<= (next (heads ?n)) (does random (toss tails)) (true (heads ?n)))
        (<= (sees guesser all) (does random (toss ?side)) (true (tossed 2)) (true (heads 2)))
        (<= terminal (true (tossed 3)))
        (goal guesser 50)";

    /// What is found if the guesser is told nothing, but `last` in the last turn.
    fn search(last: Option<&str>, limits: SearchLimits) -> FoundHistories {
        let game = Game::compile(HEADS, &Options::PLAY).unwrap().game;
        let wait = game.move_id("wait").unwrap();
        let mut known = InformationSet::initial(game.roles().find("guesser").unwrap());
        for percept in [None, None, last] {
            known.turns.push((wait, game.percepts_of(percept).unwrap()));
        }
        let mut rng = ChaCha8Rng::from_seed([5; 32]);
        consistent_histories(&game, &known, limits, &mut rng, &mut game.scratch()).unwrap()
    }

    #[test]
    fn every_history_is_found_though_they_share_states() {
        let all = SearchLimits { histories: 100, joint_moves: 1_000 };
        // Eight histories, of which the two that begin with two heads are told of.
        for (last, histories) in [(None, 6), (Some("all"), 2)] {
            let found = search(last, all);
            assert!(found.is_exhausted);
            assert_eq!(found.paths.len(), histories);
            for (index, path) in found.paths.iter().enumerate() {
                assert_eq!(path.probabilities, [0.5; 3]);
                let moves =
                    |path: &super::Path| path.steps.iter().map(|step| step.0.clone()).collect::<Vec<_>>();
                assert!(found.paths[..index].iter().all(|other| moves(other) != moves(path)));
            }
        }
        // Nobody is told anything else.
        let found = search(Some("nothing"), all);
        assert!(found.is_exhausted && found.paths.is_empty());
        // Two children of the root, their four of which two share a state, and two looked at from each
        // of the three states: dead ends are entered once.
        assert_eq!(found.joint_moves_looked_at, 2 + 4 + 6);
    }

    #[test]
    fn bounds_end_the_search() {
        let found = search(None, SearchLimits { histories: 3, joint_moves: 1_000 });
        assert_eq!((found.paths.len(), found.is_exhausted), (3, false));
        let found = search(None, SearchLimits { histories: 100, joint_moves: 4 });
        assert_eq!((found.joint_moves_looked_at, found.is_exhausted), (4, false));
    }
}
