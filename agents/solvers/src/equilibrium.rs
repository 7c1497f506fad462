//! A game that is solved while it is played: its tree, the iterations, and what they come to by information set.

use std::ops::ControlFlow;

use croupier_engine::{Game, InformationSet, MoveId};
use rustc_hash::FxHashMap;

use crate::{
    form::SequenceForm,
    full::{FullIterations, Weighting},
    policy::normalise,
    tables::Tables,
    tree::{GameTree, InformationSetId, TreeError, TreeLimits},
};

/// CFR+ on the tree of a game, with the average strategy by information set. Deals that symmetries of the rules exchange are
/// enumerated once, with their number: every information set has the strategy that the whole tree gives it.
///
/// Iterations can be added at any time, so an agent solves as far as its clock allows and goes on later. The same number of
/// iterations gives the same strategy, however they were divided between calls and on any number of threads.
///
/// # Sources
/// O. Tammelin: Solving Large Imperfect Information Games Using CFR+ (arXiv:1407.5042, 2014).
///
/// ```
/// use std::ops::ControlFlow;
/// use croupier_engine::InformationSet;
/// use croupier_solvers::{Equilibrium, TreeLimits};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Game::compile(kuhn.rules, &Options::PLAY)?.game;
/// let limits = TreeLimits { histories_max: 1_000 };
/// let mut equilibrium = Equilibrium::new(&game, &limits, &mut |_| ControlFlow::Continue(()))?;
/// equilibrium.advance(1_000);
/// let alice = game.roles().find("alice").ok_or("the game has her")?;
/// let mut known = InformationSet::initial(alice);
/// for percept in ["(hole king)", "(dealt bob)"] {
///     known.turns.push(game.own_turn("noop", [percept])?);
/// }
/// // With the king Alice bets three times as often as she bluffs with the jack, whatever that is.
/// let strategy = equilibrium.strategy(&known).ok_or("she has a choice there")?;
/// assert_eq!(strategy.len(), 2);
/// assert!((strategy.iter().map(|(_, probability)| probability).sum::<f64>() - 1.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Equilibrium {
    tree: GameTree,
    form: SequenceForm,
    full: FullIterations,
    tables: Tables,
    iterations: u64,
    sets: FxHashMap<InformationSet, InformationSetId>,
}

impl Equilibrium {
    /// Enumerates the tree of `game`; no iteration is made yet.
    ///
    /// `progress` is told now and then how many histories have been enumerated, and can stop the work.
    ///
    /// # Errors
    /// As [`GameTree::within`].
    pub fn new(
        game: &Game,
        limits: &TreeLimits,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Self, TreeError> {
        let tree = GameTree::compact(game, limits, progress)?;
        let form = SequenceForm::new(&tree);
        let tables = Tables::new(form.sequences_count());
        let mut sets = FxHashMap::default();
        for id in tree.information_sets() {
            sets.extend(tree.images(game, id)?.into_iter().map(|known| (known, id)));
        }
        Ok(Self { full: FullIterations::new(&form, &tables), tree, form, tables, iterations: 0, sets })
    }

    /// How many iterations have been made.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// How many numbers an iteration computes: what its time is in proportion to.
    #[must_use]
    pub fn sequences_count(&self) -> usize {
        self.form.sequences_count()
    }

    /// How many information sets all players have together.
    #[must_use]
    pub fn information_sets_count(&self) -> usize {
        self.tree.information_sets_count()
    }

    /// Makes so many more iterations.
    ///
    /// # Complexity
    /// Linear in terminal nodes and information sets, for each player and iteration.
    pub fn advance(&mut self, iterations: u64) {
        for iteration in self.iterations + 1..=self.iterations + iterations {
            self.full.iterate(&self.form, Weighting::Plus, iteration, &mut self.tables);
        }
        self.iterations += iterations;
    }

    /// The average strategy in an information set: its moves in canonical order with their probabilities. `None` where the
    /// player has no choice, or where no match can come. Uniform before the first iteration.
    #[must_use]
    pub fn strategy(&self, known: &InformationSet) -> Option<Vec<(MoveId, f64)>> {
        let id = *self.sets.get(known)?;
        let averages = &self.tables.averages[self.form.set(id).sequences()];
        let mut probabilities = vec![0.0; averages.len()];
        normalise(averages, &mut probabilities);
        Some(self.tree.moves(id).iter().copied().zip(probabilities).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use croupier_engine::{Game, Options};

    use super::Equilibrium;
    use crate::{Algorithm, GameTree, Samples, SequenceForm, Solver, TreeError, TreeLimits};

    const LIMITS: TreeLimits = TreeLimits { histories_max: 20_000 };

    fn leduc() -> Game {
        Game::compile(croupier_games::find("leduc").unwrap().rules, &Options::PLAY).unwrap().game
    }

    #[test]
    fn it_is_the_average_policy_of_the_solver() {
        let game = leduc();
        let mut equilibrium = Equilibrium::new(&game, &LIMITS, &mut |_| ControlFlow::Continue(())).unwrap();
        equilibrium.advance(7);
        equilibrium.advance(13);
        let tree = GameTree::new(&game, &LIMITS, &mut |_| {}).unwrap();
        let form = SequenceForm::new(&tree);
        let mut solver = Solver::new(&tree, &form, Algorithm::CfrPlus, Samples::single([0; 32]));
        solver.advance(20);
        let policy = solver.average_policy();
        for id in tree.information_sets() {
            let strategy = equilibrium.strategy(&tree.information_set(id)).unwrap();
            let (moves, probabilities): (Vec<_>, Vec<_>) = strategy.into_iter().unzip();
            assert_eq!(moves, tree.moves(id));
            // Deals are added up in another order.
            let near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-9;
            assert!(probabilities.iter().zip(policy.of(&form, id)).all(near), "{probabilities:?}");
        }
    }

    #[test]
    fn work_on_the_tree_can_be_stopped() {
        let stopped = Equilibrium::new(&leduc(), &LIMITS, &mut |_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(TreeError::Interrupted)));
    }
}
