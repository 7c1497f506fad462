//! A strategy in the making: by the tree of all histories, or by the tree of moves that all deals share.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, MoveId};
use croupier_solvers::{
    AbstractSolver, Blueprint, BlueprintEntry, DealError, DealSampling, Equilibrium, MoveTree, TreeError,
    TreeLimits, is_far_beyond,
};

use crate::{Approach, Budget, Undealt, Unsolved};

/// Which game is to be solved, and how far.
#[derive(Clone, Debug)]
pub(crate) struct SolutionRequest {
    pub(crate) game: Arc<Game>,
    pub(crate) histories_max: u64,
    /// Iterations when it is done.
    pub(crate) iterations: u64,
    /// The same if it is solved by deals; 0 if it must not be.
    pub(crate) deal_iterations: u64,
    /// Those of them that are made now, at most.
    pub(crate) deals_now: u64,
}

/// Work on a strategy for a whole game.
#[derive(Debug)]
pub(crate) enum StrategyWork {
    /// By every history.
    Whole(Box<Equilibrium>),
    /// By sampled deals, where chance only deals.
    Dealt(Box<Dealt>),
}

/// A strategy that is learnt from deals.
#[derive(Debug)]
pub(crate) struct Dealt {
    game: Arc<Game>,
    solver: AbstractSolver,
    /// Iterations of the solver in a wanted one.
    steps: u64,
}

/// What came of the beginning of work.
pub(crate) enum WorkStart {
    Begun(StrategyWork),
    /// There was no time left.
    Interrupted,
    /// The game can be solved in neither way.
    Refused(Unsolved),
}

/// Sequences updated between two checks of the clock: some milliseconds.
const SEQUENCES_BETWEEN: usize = 200_000;

/// Turns of the players' moves of a game that is solved by deals, at most: what is followed in a few seconds.
const MOVES_MAX: usize = 100_000;

/// Turns of the players' moves that one wanted iteration follows with each deal: where there are fewer, it is several iterations.
const MOVES_EACH: usize = 16_384;

/// Solver's iterations in a wanted one, at most.
const STEPS_MAX: usize = 64;

/// Buckets for each player and round: few are learnt soon.
const BUCKETS: usize = 40;

/// Iterations of deals after which a strategy is played: what fewer come to is mostly chance.
const ITERATIONS_MIN: u64 = 4;

impl StrategyWork {
    /// The beginning of work, by every history if there are few enough.
    pub(crate) fn begin(wanted: &SolutionRequest, budget: &mut Budget<'_>) -> WorkStart {
        let limits = TreeLimits { histories_max: wanted.histories_max };
        if is_far_beyond(&wanted.game, &limits, &mut wanted.game.scratch()) {
            return Self::begin_deals(wanted, budget);
        }
        match Equilibrium::new(&wanted.game, &limits, &mut |_| budget.flow()) {
            Ok(equilibrium) => WorkStart::Begun(Self::Whole(Box::new(equilibrium))),
            Err(TreeError::Interrupted) => WorkStart::Interrupted,
            Err(TreeError::TooLarge { .. }) => Self::begin_deals(wanted, budget),
            // Rules that fail somewhere may still be playable: the search meets what the match meets.
            Err(TreeError::UnknownMoves { .. } | TreeError::Game(_)) => WorkStart::Refused(Unsolved::Rules),
        }
    }

    fn begin_deals(wanted: &SolutionRequest, budget: &mut Budget<'_>) -> WorkStart {
        let refused = |by_deals| {
            WorkStart::Refused(Unsolved::TooLarge { histories_max: wanted.histories_max, by_deals })
        };
        if wanted.deal_iterations == 0 {
            return refused(Undealt::Off);
        }
        // Without chance there is no deal, and all that is hidden are moves.
        if wanted.game.roles().random().is_none() {
            return refused(Undealt::NoChance);
        }
        let tree = match MoveTree::new_until(&wanted.game, MOVES_MAX, &mut || budget.is_over()) {
            Ok(tree) => Arc::new(tree),
            Err(DealError::Interrupted) => return WorkStart::Interrupted,
            Err(error) => return refused(Undealt::Unfit(error)),
        };
        if tree.chances_count() == 0 {
            return refused(Undealt::NoChance);
        }
        let steps = (MOVES_EACH / tree.nodes_count()).clamp(1, STEPS_MAX) as u64;
        let sampling = DealSampling::Chance;
        // The seed is that of everyone: what is played must not depend on who computed it.
        let solver = AbstractSolver::new_until(tree, BUCKETS, sampling, [0; 32], &mut || budget.is_over());
        let Some(solver) = solver else { return WorkStart::Interrupted };
        WorkStart::Begun(Self::Dealt(Box::new(Dealt { game: Arc::clone(&wanted.game), solver, steps })))
    }

    /// Runs iterations up to those that are wanted, as far as the budget allows; returns whether all were run.
    pub(crate) fn advance(&mut self, wanted: &SolutionRequest, budget: &mut Budget<'_>) -> bool {
        match self {
            Self::Whole(equilibrium) => iterate(equilibrium, wanted.iterations, budget),
            Self::Dealt(dealt) => {
                let Dealt { solver, steps, .. } = &mut **dealt;
                while solver.iterations() < wanted.deals_now * *steps {
                    let is_made = match budget.clock() {
                        Some(is_over) => !is_over() && solver.advance_until(is_over),
                        None => {
                            solver.advance(1);
                            true
                        }
                    };
                    if !is_made {
                        return false;
                    }
                }
                solver.iterations() >= wanted.deal_iterations * *steps
            }
        }
    }

    /// Whether it is by every history.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(_))
    }

    /// In which way it is work.
    pub(crate) fn approach(&self, wanted: &SolutionRequest) -> Approach {
        match self {
            Self::Whole(_) => Approach::Equilibrium { histories_max: wanted.histories_max },
            Self::Dealt(dealt) => Approach::Deals { nodes: dealt.solver.tree().nodes_count() },
        }
    }

    /// The mixed strategy in an information set; `None` if there is none yet.
    pub(crate) fn strategy(&self, known: &InformationSet) -> Option<Vec<(MoveId, f64)>> {
        match self {
            Self::Whole(equilibrium) => equilibrium.strategy(known),
            Self::Dealt(dealt) => {
                dealt.playable()?.entry(known).map(|BlueprintEntry { strategy, .. }| strategy)
            }
        }
    }

    /// Deals that it has learnt from; 0 if it learns otherwise.
    pub(crate) fn deals(&self) -> u64 {
        match self {
            Self::Whole(_) => 0,
            Self::Dealt(dealt) => dealt.solver.iterations() * AbstractSolver::deals_each(),
        }
    }

    /// What it has learnt from deals, if that can be played, and the game that it is about.
    pub(crate) fn learnt(&self) -> Option<(Arc<Game>, Blueprint)> {
        match self {
            Self::Whole(_) => None,
            Self::Dealt(dealt) => Some((Arc::clone(&dealt.game), dealt.playable()?.blueprint())),
        }
    }

    /// How many iterations are made.
    pub(crate) fn iterations(&self) -> u64 {
        match self {
            Self::Whole(equilibrium) => equilibrium.iterations(),
            Self::Dealt(dealt) => dealt.solver.iterations(),
        }
    }
}

impl Dealt {
    /// The solver, once what it came to is more than chance.
    fn playable(&self) -> Option<&AbstractSolver> {
        Some(&self.solver).filter(|solver| solver.iterations() >= ITERATIONS_MIN)
    }
}

/// Runs iterations up to this number, as far as the budget allows; returns whether all were run.
pub(crate) fn iterate(equilibrium: &mut Equilibrium, iterations: u64, budget: &mut Budget<'_>) -> bool {
    let step = (SEQUENCES_BETWEEN / equilibrium.sequences_count()).max(1) as u64;
    while equilibrium.iterations() < iterations {
        if budget.is_over() {
            return false;
        }
        equilibrium.advance(step.min(iterations - equilibrium.iterations()));
    }
    true
}
