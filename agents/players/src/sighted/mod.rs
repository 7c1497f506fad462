//! The search for a state that its player knows, in which everybody sees every move: UCT that proves what it can.
//!
//! States form a graph: a state occurs once however it is reached (`graph.rs`). Bounds on its value are derived from its
//! ends, and a move that is proved to be no better than another is not tried again (`proofs.rs`). Where one player
//! chooses and there is no chance, a search explores less the more playouts a result is the mean of. Playouts run in
//! lanes that are refilled one by one (`lanes.rs`), so no leaf waits for the longest playout of others. Under a clock the
//! graph stays for the next decision; without one it is forgotten, because a move has to follow from rules, information
//! set, seed and budget.

mod graph;
mod lanes;
mod lifted;
mod proofs;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use croupier_engine::{Game, GameError, MoveId, RoleId, Scratch, State};
use rand_core::Rng;

use self::{
    graph::{Graph, MoveStatistics, NodeId, Root},
    lanes::Pool,
    lifted::Numbered,
    proofs::Proofs,
};
use crate::{Budget, Estimate, PlayerError, StopReason, ending::OpenEnds, lane_goals::LaneGoals};

/// The search of one player, with what it may keep between decisions.
#[derive(Debug)]
pub(crate) struct Sighted {
    game: Arc<Game>,
    graph: Graph,
    backend: TurnBackend,
    open_ends: Option<OpenEnds>,
}

/// How turns are played.
#[derive(Debug)]
enum TurnBackend {
    /// On the tape.
    Lanes { narrow: Box<Pool<1>>, wide: Box<Pool<8>>, playouts: u32 },
    /// By the game's own means.
    Lifted(Box<Numbered>),
}

/// What is to be decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SightedDecision<'q> {
    pub(crate) state: &'q State,
    pub(crate) role: RoleId,
    /// The moves to try: one of all that can be exchanged.
    pub(crate) moves: &'q [MoveId],
    /// Descents, at most.
    pub(crate) limit: u32,
}

/// What a search found.
#[derive(Clone, Debug)]
pub(crate) struct SearchResult {
    /// The index of the best move.
    pub(crate) best: usize,
    /// Of each move.
    pub(crate) estimates: Vec<Estimate>,
    pub(crate) done: u32,
    pub(crate) stop: StopReason,
}

/// A search in progress.
struct SightedSearch<'w, 'b, R> {
    graph: &'w mut Graph,
    root: &'w Root,
    rng: &'w mut R,
    scratch: &'w mut Scratch,
    budget: &'w mut Budget<'b>,
    open_ends: &'w mut Option<OpenEnds>,
    /// Descents whose value is backed up.
    done: u32,
}

/// Playouts after which a search goes on with as many at the same time as the widest lanes take: before, they would know too little
/// of each other's results.
const WIDE_FROM: u32 = 2_000;

impl Sighted {
    /// A search that knows nothing but the rules.
    pub(crate) fn new(game: Arc<Game>, playouts: u32) -> Self {
        let proofs = Proofs::new(&game);
        let (backend, words, each) = match game.network() {
            Some(network) => {
                let goals = Arc::new(LaneGoals::new(Arc::clone(&game), network));
                let (turns_max, each) = (game.limits().turns, playouts as usize);
                let narrow = Box::new(Pool::new(Arc::clone(&goals), network, turns_max, each));
                let wide = Box::new(Pool::new(goals, network, turns_max, each));
                let words = network.tape().bases_count().div_ceil(64);
                (TurnBackend::Lanes { narrow, wide, playouts }, words, each)
            }
            None => (TurnBackend::Lifted(Box::new(Numbered::new(Arc::clone(&game)))), 1, 1),
        };
        let graph = Graph::new(game.roles(), words, proofs, each.max(1));
        Self { game, graph, backend, open_ends: None }
    }

    /// Ends that were met and that no match can have.
    pub(crate) fn open_ends(&self) -> Option<&OpenEnds> {
        self.open_ends.as_ref()
    }

    /// Searches. Only under a clock does what earlier searches found count.
    pub(crate) fn choose(
        &mut self,
        question: &SightedDecision<'_>,
        rng: &mut impl Rng,
        budget: &mut Budget<'_>,
        scratch: &mut Scratch,
    ) -> Result<SearchResult, PlayerError> {
        if !budget.is_timed() || self.graph.is_half_full() {
            self.clear();
        }
        let root = self.root(question, scratch)?;
        let Self { graph, backend, open_ends, .. } = self;
        let mut work = SightedSearch { graph, root: &root, rng, scratch, budget, open_ends, done: 0 };
        let stop = match backend {
            TurnBackend::Lifted(numbered) => numbered.run(&mut work, question.limit)?,
            TurnBackend::Lanes { narrow, wide, playouts } => {
                let wide_from = (WIDE_FROM / *playouts).min(question.limit);
                match narrow.run(&mut work, wide_from)? {
                    None if wide_from < question.limit => wide.run(&mut work, question.limit)?,
                    stop => stop,
                }
            }
        };
        let (done, stop) = (work.done, stop.unwrap_or(StopReason::IterationLimit(question.limit)));
        let (best, estimates) = self.verdict(question, &root);
        Ok(SearchResult { best, estimates, done, stop })
    }

    /// Forgets everything but the ends, and frees the memory.
    pub(crate) fn release(&mut self) {
        self.graph = self.graph.anew(&self.game);
        if let TurnBackend::Lifted(numbered) = &mut self.backend {
            **numbered = Numbered::new(Arc::clone(&self.game));
        }
    }

    /// Forgets everything.
    fn clear(&mut self) {
        self.graph.clear();
        if let TurnBackend::Lifted(numbered) = &mut self.backend {
            numbered.clear();
        }
    }

    fn root(&mut self, question: &SightedDecision<'_>, scratch: &mut Scratch) -> Result<Root, PlayerError> {
        let SightedDecision { state, role, moves, .. } = question;
        let (row, network) = match &mut self.backend {
            TurnBackend::Lifted(numbered) => (numbered.row(state).to_vec(), None),
            TurnBackend::Lanes { .. } => {
                let network = self.game.network().expect("lanes are those of the network");
                (network.row(state).ok_or(GameError::OutOfReach)?, Some(network))
            }
        };
        let mut number = |role: RoleId, played: MoveId| match (&mut self.backend, network) {
            (TurnBackend::Lifted(numbered), _) => Some(numbered.number(played)),
            (_, network) => network?.move_number(role, played).map(|number| number as u32),
        };
        let mut numbers = |role: RoleId, moves: &[MoveId]| -> Result<Vec<u32>, GameError> {
            moves.iter().map(|&played| number(role, played).ok_or(GameError::OutOfReach)).collect()
        };
        let tried = numbers(*role, moves)?;
        let node: NodeId = match self.graph.find(&row) {
            Some(known) => known,
            None => {
                let legal = self.game.playable_moves(state, scratch)?.expect("there is something to play");
                let legal: Result<Vec<_>, _> =
                    self.game.roles().all().map(|role| numbers(role, &legal[role])).collect();
                self.graph.add(&row, legal?.iter().map(Vec::as_slice))
            }
        };
        Ok(self.graph.root(node, *role, &tried))
    }

    /// The index of the move to play, and what was found about each.
    fn verdict(&self, question: &SightedDecision<'_>, root: &Root) -> (usize, Vec<Estimate>) {
        let found: Vec<MoveStatistics> = self.graph.found(root).collect();
        let estimates = question.moves.iter().zip(&found).map(|(&chosen, found)| Estimate {
            chosen,
            visits: found.visits,
            mean_goal: found.mean,
        });
        (best(&found), estimates.collect())
    }
}

/// The move that was tried most often, unless another one is sure to give more than it can be expected to.
fn best(found: &[MoveStatistics]) -> usize {
    let mean = |found: &MoveStatistics| found.mean.unwrap_or(f64::NEG_INFINITY);
    let is_better = |one: &MoveStatistics, other: &MoveStatistics| {
        one.visits > other.visits || one.visits == other.visits && mean(one) > mean(other)
    };
    let most_tried = |is_allowed: &dyn Fn(&MoveStatistics) -> bool| {
        (0..found.len()).filter(|&place| is_allowed(&found[place])).fold(None, |best, place| match best {
            Some(best) if !is_better(&found[place], &found[best]) => Some(best),
            _ => Some(place),
        })
    };
    let floor = found.iter().map(|found| found.least).fold(f64::NEG_INFINITY, f64::max);
    let open = most_tried(&|found| !found.is_closed);
    let sure = most_tried(&|found| found.least >= floor);
    match (open, sure) {
        // An open move that is as sure is no worse, whether it was tried or not.
        (Some(open), Some(sure)) if found[open].least < floor && mean(&found[open]) < floor => sure,
        (Some(open), _) => open,
        (None, sure) => sure.unwrap_or(0),
    }
}
