//! Counts a game's tree by depth, by enumeration; independent descriptions of the game must give the same counts.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    game::{ByPlayer, ByRole, Game, GameError, Percepts, Scratch, State, Status},
    id::MoveId,
};

/// How many histories of one length there are, by kind.
///
/// A history is a *chance* node if `random` has more than one legal move in its state, and a *decision* node of
/// each player that has more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepthCounts {
    /// All histories.
    pub histories: u64,
    /// Those in which `random` has a choice.
    pub chance: u64,
    /// Those in which a player has a choice, once for each such player.
    pub decision: u64,
    /// Those that end in a terminal state.
    pub terminal: u64,
    /// The number of each player's information sets in which it has a choice.
    pub information_sets: ByPlayer<u64>,
}

impl DepthCounts {
    fn add(&mut self, other: &Self) {
        self.histories += other.histories;
        self.chance += other.chance;
        self.decision += other.decision;
        self.terminal += other.terminal;
        for (role, count) in self.information_sets.iter_mut() {
            *count += other.information_sets[role];
        }
    }
}

/// How many nodes a game tree has, from the root to some depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeCounts {
    /// By the length of histories; the first is that of the root.
    pub by_depth: Vec<DepthCounts>,
    /// Whether there are no longer histories.
    pub is_whole: bool,
}

impl TreeCounts {
    /// All depths together.
    ///
    /// Players recall how many turns there were, so information sets of different depths are never the same.
    ///
    /// # Panics
    /// Never: the root is always counted.
    #[must_use]
    pub fn total(&self) -> DepthCounts {
        let mut depths = self.by_depth.iter();
        let mut total = depths.next().expect("the root is counted").clone();
        depths.for_each(|depth| total.add(depth));
        total
    }
}

/// Everything that a player did and was told: an index for each information set of one depth.
type KnowledgeIndex = u32;

/// A history that may continue.
struct LevelHistory {
    state: State,
    known: ByPlayer<KnowledgeIndex>,
}

/// Counts the tree of `game`, depth by depth, as long as there are at most `histories_max` histories in total.
///
/// # Errors
/// [`GameError`] if the rules fail.
///
/// # Complexity
/// Time linear in the histories, memory in those of the two deepest levels.
///
/// ```
/// use croupier_engine::{Game, Options, game::count_tree};
///
/// # let rules = "(role me) (role you) (init (at 0)) (legal me (go left)) (legal me (go right)) (legal you wait)
/// #     (<= (next (at ?side)) (does me (go ?side))) (<= terminal (not (true (at 0)))) (<= (sees you moved) (does me (go ?s)))
/// #     (<= (goal me 100) (true (at left))) (<= (goal me 0) (not (true (at left)))) (goal you 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let counts = count_tree(&game, 100, &mut game.scratch())?;
/// // The start, and one end for each side.
/// assert_eq!(counts.total().histories, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn count_tree(game: &Game, histories_max: u64, scratch: &mut Scratch) -> Result<TreeCounts, GameError> {
    count_tree_until(game, histories_max, scratch, &|| false)
}

/// The same, but stops when `is_over` returns true, which is called for every history: only complete depths are counted,
/// at least the root.
///
/// # Errors
/// [`GameError`] if the rules fail.
pub fn count_tree_until(
    game: &Game,
    histories_max: u64,
    scratch: &mut Scratch,
    is_over: &dyn Fn() -> bool,
) -> Result<TreeCounts, GameError> {
    let roles = game.roles();
    let mut level =
        vec![LevelHistory { state: game.initial_state().clone(), known: ByPlayer::from_fn(roles, |_| 0) }];
    let mut by_depth = Vec::new();
    let mut visited = 1;
    loop {
        let is_deep_enough = || !by_depth.is_empty() && is_over();
        let Some((counts, running)) = classify(game, &level, scratch, &is_deep_enough)? else { break };
        by_depth.push(counts);
        let counts = running.iter().map(|(_, legal)| Game::joint_moves_count(legal));
        let next = counts.fold(0, u64::saturating_add);
        visited = next.saturating_add(visited);
        if next == 0 || visited > histories_max {
            return Ok(TreeCounts { by_depth, is_whole: next == 0 });
        }
        match expand(game, &level, &running, scratch, is_over)? {
            Some(next) => level = next,
            None => break,
        }
    }
    Ok(TreeCounts { by_depth, is_whole: false })
}

/// Histories of a level that continue: the index of each in the level, and its legal moves.
type ContinuingHistories = Vec<(usize, ByRole<Vec<MoveId>>)>;

/// Counts a level; `None` if interrupted.
fn classify(
    game: &Game,
    level: &[LevelHistory],
    scratch: &mut Scratch,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<(DepthCounts, ContinuingHistories)>, GameError> {
    let mut seen = ByPlayer::from_fn(game.roles(), |_| FxHashSet::default());
    let information_sets = ByPlayer::from_fn(game.roles(), |_| 0);
    let histories = level.len() as u64;
    let mut counts = DepthCounts { histories, chance: 0, decision: 0, terminal: 0, information_sets };
    let mut running = Vec::new();
    for (position, node) in level.iter().enumerate() {
        if is_over() {
            return Ok(None);
        }
        match game.status(&node.state, scratch)? {
            Status::Terminal { .. } => counts.terminal += 1,
            Status::Running { legal } => {
                for (role, _) in legal.iter().filter(|(_, moves)| moves.len() > 1) {
                    if Some(role) == game.roles().random() {
                        counts.chance += 1;
                    } else {
                        counts.decision += 1;
                        seen[role].insert(node.known[role]);
                    }
                }
                running.push((position, legal));
            }
        }
    }
    for (role, count) in counts.information_sets.iter_mut() {
        *count = seen[role].len() as u64;
    }
    Ok(Some((counts, running)))
}

/// The next level; `None` if interrupted.
fn expand(
    game: &Game,
    level: &[LevelHistory],
    running: &ContinuingHistories,
    scratch: &mut Scratch,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<Vec<LevelHistory>>, GameError> {
    let mut known: ByPlayer<FxHashMap<(KnowledgeIndex, MoveId, Percepts), KnowledgeIndex>> =
        ByPlayer::from_fn(game.roles(), |_| FxHashMap::default());
    let mut next = Vec::new();
    for (position, legal) in running {
        let node = &level[*position];
        for joint_move in game.joint_moves(legal) {
            if is_over() {
                return Ok(None);
            }
            let turn = game.turn(&node.state, &joint_move, scratch)?;
            let mut after = node.known.clone();
            for (role, knowledge) in after.iter_mut() {
                let step = (*knowledge, joint_move.of(role), turn.percepts[role].clone());
                let number =
                    KnowledgeIndex::try_from(known[role].len()).expect("histories are far below 2^32");
                *knowledge = *known[role].entry(step).or_insert(number);
            }
            next.push(LevelHistory { state: turn.successor, known: after });
        }
    }
    Ok(Some(next))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::Options;

    const RULES: &str =
        "(role a) (init (n 1)) (succ 1 2) (succ 2 3) (succ 3 4) (legal a left) (legal a right)
        (<= (next (n ?m)) (true (n ?n)) (succ ?n ?m)) (<= terminal (true (n 4))) (goal a 50)";

    #[test]
    fn counts_that_are_interrupted_are_the_first_whole_depths() {
        let game = Game::compile(RULES, &Options::PLAY).expect("sound rules").game;
        let scratch = &mut game.scratch();
        let whole = count_tree(&game, u64::MAX, scratch).expect("rules that do not fail");
        assert_eq!(whole.by_depth.iter().map(|depth| depth.histories).collect::<Vec<_>>(), [1, 2, 4, 8]);
        let mut depths = Vec::new();
        for most in 0..40 {
            let asked = Cell::new(0);
            let is_over = || asked.replace(asked.get() + 1) >= most;
            let cut = count_tree_until(&game, u64::MAX, scratch, &is_over).expect("rules that do not fail");
            assert!(whole.by_depth.starts_with(&cut.by_depth), "after {most} questions");
            assert_eq!(cut.is_whole, cut.by_depth.len() == whole.by_depth.len());
            depths.push(cut.by_depth.len());
        }
        assert!(depths.is_sorted() && depths[0] == 1 && depths.contains(&2) && depths[39] == 4, "{depths:?}");
    }
}
