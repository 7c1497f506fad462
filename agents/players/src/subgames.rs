//! Games that are too large to be solved as a whole, solved piece by piece while they are played.
//!
//! [`Ranges`] tracks, from turn to turn, the histories that are connected through the information sets of all players,
//! weighted by chance and by everyone's moves under earlier solutions. [`Equilibrium::of_subgame`] grows a tree with all
//! of them as roots until the next full turn no longer fits, and runs CFR+ on it. A tree that reaches the end of the
//! match is solved once; at the edge of a truncated tree playouts estimate the value, and the next decision builds
//! another tree. Between two players who win what the other loses, the tree is that of a gadget game: the opponent may
//! decline the subgame for the value that the former solutions, applied to the new tree, give it ([`Resolving`]). If too
//! large a share of the match lies beyond the first subgame, the player searches instead.

use std::{cell::RefCell, ops::RangeInclusive, sync::Arc};

use croupier_belief::{Opponents, Policy};
use croupier_engine::{Game, GoalValue, InformationSet, MoveId, RoleId, Scratch, State};
use croupier_solvers::{Beyond, Equilibrium, Resolving, TreeLimits};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{
    Budget, StopReason,
    ending::OpenEnds,
    leaves::Leaves,
    ranges::{Lost, Ranges},
    work::iterate,
};

/// How much is computed for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SubgameLimits {
    /// Histories of a subgame, at most.
    pub(crate) histories: u32,
    /// Iterations of CFR+ on it.
    pub(crate) iterations: u32,
}

/// A player's subgames, from the first turn to the current one.
///
/// At each of its decisions the player builds the subgame of the histories connected with its information set
/// ([`Ranges`]), as many turns deep as there is room, and solves it by CFR+; beyond its edge the value is the mean of random
/// playouts. If others decide and no solution covers their decision yet, the same is done from there. The solutions give the
/// probabilities of the histories of later turns, including the player's own moves, with a little uniform play.
///
/// Where two players win what the other loses, a subgame is solved *safely* ([`Resolving`]). A match is played like this from the
/// first decision on or not at all: if more than [`OPEN_MAX`] of it lies beyond the first subgame, there is no solution.
///
/// # Sources
/// Solving again at each decision with ranges from earlier solutions: M. Moravčík et al.: DeepStack, Science 356, 2017.
#[derive(Debug)]
pub(crate) struct Subgames {
    game: Arc<Game>,
    role: RoleId,
    limits: SubgameLimits,
    seed: [u8; 32],
    /// The playouts beyond subgames.
    horizon: Leaves,
    scratch: Scratch,
    stage: MatchProgress,
}

/// How far the match was followed.
#[derive(Debug)]
enum MatchProgress {
    /// Not yet.
    Fresh,
    /// Up to the current turn.
    Following(Box<Following>),
    /// Up to this turn, from which nothing more can be built within the options.
    Lost(InformationSet, Iterations),
}

/// The requested iterations, or `None` if the clock decided.
type Iterations = Option<u32>;

#[derive(Debug)]
struct Following {
    ranges: Ranges,
    found: SolvedSubgames,
    /// Whether the player itself has decided by a subgame.
    has_begun: bool,
    iterations: Iterations,
}

/// What everybody does, as far as that was found; the latest last.
#[derive(Debug, Default)]
struct SolvedSubgames {
    pieces: Vec<SolvedSubgame>,
}

/// A subgame that is solved.
#[derive(Debug)]
struct SolvedSubgame {
    equilibrium: Equilibrium,
    /// The turn that it begins with.
    turn: usize,
    /// Whether it reaches the end of the match.
    is_whole: bool,
    stop: StopReason,
}

/// A mixed strategy and the work it took.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// The moves with their probabilities.
    pub(crate) strategy: Vec<(MoveId, f64)>,
    /// Iterations of CFR+.
    pub(crate) iterations: u32,
    /// Why there were no more.
    pub(crate) stop: StopReason,
}

/// Pieces that are remembered.
const PIECES_MAX: usize = 4;

/// A subgame has at most one root for this many of the histories that it may have. Omitting roots costs
/// more than omitting turns.
const HISTORIES_EACH: u32 = 4;

/// How much of a match may lie beyond the first subgame: how probable that is if everybody chooses uniformly.
const OPEN_MAX: f64 = 1.0 / 3.0;

/// With a clock, subgames have this many times the histories of those before, as long as time lasts.
const CLOCK_STEP: u32 = 4;

/// Iterations from which a larger subgame that the clock has ended is better than a smaller one that was solved.
const ITERATIONS_MIN: u64 = 100;

/// Random playouts for each history at the edge of a subgame: fewer where there are many, whose errors cancel out.
const PLAYOUTS: RangeInclusive<u32> = 4..=64;

/// Random playouts of a subgame if every one of its histories were at its edge.
const PLAYOUTS_ALL: u32 = 200_000;

/// Marks the draws of playouts; beliefs, sights and ranges have other streams.
const PLAYOUT_DRAWS: u64 = 7 << 60;

impl Policy for SolvedSubgames {
    /// The strategy of the latest piece that has the information set, mixed with a little uniform play. Uniform if none has it.
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let uniform = 1.0 / legal.len() as f64;
        let Some(strategy) = self.strategy(known) else { return vec![uniform; legal.len()] };
        let share = Opponents::UNIFORM_SHARE;
        let probability = |played: &MoveId| {
            strategy.iter().find(|(known, _)| known == played).map_or(0.0, |(_, probability)| *probability)
        };
        legal.iter().map(|played| (1.0 - share) * probability(played) + share * uniform).collect()
    }
}

impl SolvedSubgames {
    /// The strategy of the latest piece that has the information set.
    fn strategy(&self, known: &InformationSet) -> Option<Vec<(MoveId, f64)>> {
        self.pieces.iter().rev().find_map(|piece| piece.equilibrium.strategy(known))
    }

    /// Whether the last piece says what to do in an information set.
    fn covers(&self, known: &InformationSet) -> bool {
        self.pieces.last().is_some_and(|piece| piece.equilibrium.knows(known))
    }

    /// Whether recomputing it would give the same: it reaches the end of the match, or starts here.
    fn is_final(&self, known: &InformationSet) -> bool {
        let is_final = |piece: &SolvedSubgame| piece.is_whole || piece.turn == known.turns.len();
        self.pieces.last().is_some_and(is_final) && self.covers(known)
    }

    fn add(&mut self, piece: SolvedSubgame) {
        if self.pieces.len() == PIECES_MAX {
            self.pieces.remove(0);
        }
        self.pieces.push(piece);
    }
}

impl Subgames {
    /// Nothing is known yet of any match.
    pub(crate) fn new(game: Arc<Game>, role: RoleId, limits: SubgameLimits, seed: [u8; 32]) -> Self {
        Self {
            role,
            limits,
            seed,
            horizon: Leaves::new(Arc::clone(&game), *PLAYOUTS.start()),
            scratch: game.scratch(),
            stage: MatchProgress::Fresh,
            game,
        }
    }

    /// The mixed strategy in an information set; `None` if no piece has it.
    ///
    /// Unless there is a clock, it follows from the game, the limits, the seed, the budget and `known`.
    pub(crate) fn resolve(&mut self, known: &InformationSet, budget: &mut Budget<'_>) -> Option<Resolved> {
        let iterations = (!budget.is_timed()).then(|| budget.limit(self.limits.iterations));
        self.follow(known, iterations, budget).unwrap_or_else(|Lost| {
            self.stage = MatchProgress::Lost(known.clone(), iterations);
            None
        })
    }

    /// Ends that playouts met and that no match can have.
    pub(crate) fn open_ends(&self) -> Option<&OpenEnds> {
        self.horizon.open_ends()
    }

    /// Forgets the match.
    pub(crate) fn release(&mut self) {
        self.stage = MatchProgress::Fresh;
    }

    fn follow(
        &mut self,
        known: &InformationSet,
        iterations: Iterations,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Resolved>, Lost> {
        let mut following = match std::mem::replace(&mut self.stage, MatchProgress::Fresh) {
            MatchProgress::Lost(lost, of) if of == iterations && known.turns.starts_with(&lost.turns) => {
                return Err(Lost);
            }
            MatchProgress::Following(following) if following.leads_to(known, iterations) => following,
            MatchProgress::Fresh | MatchProgress::Following(_) | MatchProgress::Lost(..) => {
                Box::new(Following {
                    ranges: Ranges::new(Arc::clone(&self.game), self.role, self.seed)?,
                    found: SolvedSubgames::default(),
                    has_begun: false,
                    iterations,
                })
            }
        };
        loop {
            let turn = following.ranges.known().turns.len();
            if following.is_open() {
                let is_own = following.ranges.has_choice();
                let open_max = if following.has_begun { 1.0 } else { OPEN_MAX };
                let sizes = self.sizes(budget, turn == known.turns.len());
                match self.solve(&following, &sizes, open_max, budget) {
                    Some(piece) => following.found.add(piece),
                    None if is_own => return Err(Lost),
                    None => {}
                }
                following.has_begun |= is_own;
            }
            let Some((own_move, percepts)) = known.turns.get(turn) else { break };
            if budget.is_over() {
                return Err(Lost);
            }
            following.ranges.advance(*own_move, percepts, &following.found)?;
        }
        let resolved =
            following.found.pieces.last().and_then(|SolvedSubgame { equilibrium, stop, .. }| {
                let iterations = u32::try_from(equilibrium.iterations()).unwrap_or(u32::MAX);
                Some(Resolved { strategy: equilibrium.strategy(known)?, iterations, stop: *stop })
            });
        self.stage = MatchProgress::Following(following);
        Ok(resolved)
    }

    /// How many histories the subgames have that are solved at a turn: with a clock first few, so that there is an answer, and then
    /// more, as long as time lasts.
    fn sizes(&self, budget: &Budget<'_>, is_last: bool) -> Vec<u32> {
        let most = self.limits.histories;
        match budget {
            Budget::Own | Budget::Iterations(_) | Budget::Interruptible(_) => vec![most],
            Budget::Until(_) | Budget::Offered(_) if !is_last => vec![most / CLOCK_STEP],
            Budget::Until(_) => vec![most / CLOCK_STEP.pow(2), most / CLOCK_STEP, most],
            Budget::Offered(_) => {
                vec![most / CLOCK_STEP.pow(2), most / CLOCK_STEP, most, most.saturating_mul(CLOCK_STEP)]
            }
        }
    }

    /// Solves the subgames of these sizes that start at the current turn, and keeps the last one for which there was time.
    fn solve(
        &mut self,
        following: &Following,
        sizes: &[u32],
        open_max: f64,
        budget: &mut Budget<'_>,
    ) -> Option<SolvedSubgame> {
        let mut solved: Option<SolvedSubgame> = None;
        for &histories in sizes {
            let Some(piece) = self.solve_within(histories, following, open_max, budget) else {
                // A larger one may cover enough of the match.
                if solved.is_some() { break } else { continue }
            };
            let is_cut_short = piece.stop == StopReason::Deadline;
            if solved.is_some() && is_cut_short && piece.equilibrium.iterations() < ITERATIONS_MIN {
                break;
            }
            let is_done = piece.is_whole || is_cut_short;
            solved = Some(piece);
            if is_done {
                break;
            }
        }
        solved
    }

    /// Solves the subgame of at most this many histories that starts at the current turn; `None` if more than `open_max` of the match
    /// lies beyond it, if the rules fail in it, or if time runs out before it is built.
    fn solve_within(
        &mut self,
        histories: u32,
        Following { ranges, found, .. }: &Following,
        open_max: f64,
        budget: &mut Budget<'_>,
    ) -> Option<SolvedSubgame> {
        let turn = ranges.known().turns.len();
        let mut rng = ChaCha8Rng::from_seed(self.seed);
        rng.set_stream(PLAYOUT_DRAWS | turn as u64);
        let Self { game, role, limits, horizon, scratch, .. } = self;
        horizon.set_playouts((PLAYOUTS_ALL / histories.max(1)).clamp(*PLAYOUTS.start(), *PLAYOUTS.end()));
        let players: Vec<RoleId> = game.roles().players().collect();
        let roots = ranges.roots((histories / HISTORIES_EACH).max(1) as usize);
        let former = |known: &InformationSet| found.strategy(known);
        let opponent = players.iter().position(|player| player != role);
        let resolving = opponent.map(|opponent| Resolving { opponent, former: &former });
        let resolving = resolving.filter(|_| !found.pieces.is_empty());
        let budget = RefCell::new(budget);
        let mut is_whole = true;
        let mut beyond = |Beyond { share, states }: Beyond<'_>| {
            is_whole = false;
            if share > open_max {
                return None;
            }
            let mut goals = Vec::with_capacity(states.len() * players.len());
            for states in states.chunks(horizon.capacity()) {
                let states: Vec<&State> = states.iter().collect();
                let means = horizon.means(&states, &mut rng, &mut budget.borrow_mut(), scratch).ok()??;
                for means in &means {
                    let means: Vec<f64> = players.iter().map(|role| means[role.index()]).collect();
                    goals.extend(rounded(&means));
                }
            }
            Some(goals)
        };
        let mut progress = |_: u64| budget.borrow_mut().flow();
        let tree_limits = TreeLimits { histories_max: u64::from(histories) };
        let subgame =
            Equilibrium::of_subgame(game, &tree_limits, &roots, resolving, &mut beyond, &mut progress);
        let mut equilibrium = subgame?.ok()?;
        let budget = budget.into_inner();
        let iterations = budget.limit(limits.iterations);
        let stop = match iterate(&mut equilibrium, u64::from(iterations), budget) {
            true => StopReason::IterationLimit(iterations),
            false => StopReason::Deadline,
        };
        Some(SolvedSubgame { equilibrium, turn, is_whole, stop })
    }
}

impl Following {
    /// Whether the ranges can be tracked from here as from the first turn.
    fn leads_to(&self, known: &InformationSet, iterations: Iterations) -> bool {
        self.iterations == iterations
            && known.role == self.ranges.known().role
            && known.turns.starts_with(&self.ranges.known().turns)
    }

    /// Whether a player decides here without a solution for it, or the player itself decides and the solution can be improved.
    fn is_open(&self) -> bool {
        if self.ranges.has_choice() {
            return !self.found.is_final(self.ranges.known());
        }
        self.ranges.choosing().any(|choosing| !self.found.covers(choosing))
    }
}

/// Mean goals as goals with the same sum, up to rounding.
#[expect(clippy::cast_possible_truncation, reason = "goals are far below 2^31")]
fn rounded(means: &[f64]) -> impl Iterator<Item = GoalValue> + '_ {
    let mut before = 0.0;
    means.iter().map(move |mean| {
        let (from, to) = (before, before + mean);
        before = to;
        GoalValue::new((to.round() - from.round()) as i32)
    })
}
