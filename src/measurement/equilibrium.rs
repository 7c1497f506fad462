//! An equilibrium of a tree, and what a policy gets against it.

use croupier_solvers::{Algorithm, Evaluation, Policy, Samples, Solver};

use crate::measurement::unfolded::Unfolded;

/// NashConv that is small enough, as a share of the range of goals.
const GAP: f64 = 1e-4;

/// Iterations of CFR+, at most.
const ITERATIONS_MAX: u64 = 10_000;

/// Iterations between two looks at NashConv.
const STEP: u64 = 100;

/// What a policy gets in each seat against an equilibrium in all others.
#[derive(Debug)]
pub(super) struct Matchup {
    /// Iterations of CFR+ that were made.
    pub(super) iterations: u64,
    /// NashConv of what they came to, in goal values.
    pub(super) nash_conv: f64,
    /// By player.
    pub(super) seats: Vec<SeatValues>,
}

/// One seat, in goal values.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeatValues {
    /// What the policy is worth there.
    pub(super) value: f64,
    /// What the equilibrium is worth there.
    pub(super) equilibrium: f64,
}

impl Matchup {
    /// Solves the game, on the threads of the pool that this is called in, and seats the policy.
    pub(super) fn new(unfolded: &Unfolded, policy: &Policy) -> Self {
        let Unfolded { tree, form, .. } = unfolded;
        let mut solver = Solver::new(tree, form, Algorithm::CfrPlus, Samples::single([0; 32]));
        let (equilibrium, evaluation) = loop {
            solver.advance(STEP);
            let average = solver.average_policy();
            let evaluation = Evaluation::new(form, &average);
            let is_near = evaluation.nash_conv() <= GAP * goal_range(unfolded);
            if is_near || solver.iterations() >= ITERATIONS_MAX {
                break (average, evaluation);
            }
        };
        let seat = |player: usize| {
            let mixed = Policy::from_fn(form, |id, probabilities| {
                let whose = if tree.player(id) == player { policy } else { &equilibrium };
                probabilities.copy_from_slice(whose.of(form, id));
            });
            SeatValues {
                value: Evaluation::new(form, &mixed).players[player].value,
                equilibrium: evaluation.players[player].value,
            }
        };
        Self {
            iterations: solver.iterations(),
            nash_conv: evaluation.nash_conv(),
            seats: (0..tree.players().len()).map(seat).collect(),
        }
    }

    /// What the policy gets more than the equilibrium would, over the seats in equal parts; negative if it gets less.
    pub(super) fn mean_difference(&self) -> f64 {
        self.seats.iter().map(SeatValues::difference).sum::<f64>() / self.seats.len() as f64
    }
}

impl SeatValues {
    /// What the policy gets more than the equilibrium.
    pub(super) fn difference(&self) -> f64 {
        self.value - self.equilibrium
    }
}

/// The difference between the greatest and the least goal of all players.
fn goal_range(unfolded: &Unfolded) -> f64 {
    let terminal = |node| match node {
        croupier_solvers::Node::Terminal { outcome } => Some(outcome),
        _ => None,
    };
    let goals = unfolded.tree.nodes().filter_map(|(_, node)| terminal(node));
    let goals = goals.flat_map(|outcome| unfolded.tree.goals(outcome)).map(|goal| f64::from(goal.value()));
    let (least, greatest) = goals.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), goal| {
        (least.min(goal), greatest.max(goal))
    });
    greatest - least
}
