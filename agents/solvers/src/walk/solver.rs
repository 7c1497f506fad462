//! Counterfactual regret minimisation on numbered states.

use std::ops::ControlFlow;

use croupier_engine::{Game, InformationSet, MoveId, RoleId};

use super::{
    OnProgress, Walk, WalkError, WalkProgress, counting, explorer::explore, graph::StateGraph,
    growth::Growth, regrets::Regrets, response::Response, sets::SetTree,
};
use crate::{
    algorithm::Algorithm,
    evaluation::Evaluation,
    full::{Weighting, match_regrets},
    policy::normalise,
};

/// Iterations of an algorithm on a game whose states can be numbered and whose histories are too many for a
/// [`GameTree`](crate::GameTree): every iteration walks through them again, and what is kept are states and information sets.
///
/// Averages have single precision. All else is as with [`Solver`](crate::Solver), and so are results until ties are
/// broken by rounding.
///
/// ```
/// use std::ops::ControlFlow;
/// use croupier_solvers::{Algorithm, Walk, WalkSolver};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Game::compile(kuhn.rules, &Options::PLAY)?.game;
/// let mut solver = WalkSolver::new(&Walk::new(&game)?, Algorithm::CfrPlus, &mut |_| ControlFlow::Continue(()))?;
/// solver.advance(200, &mut |_| {})?;
/// // The value of the game is -1/18 of a chip for the first player (Kuhn 1950); a chip is worth 25.
/// let evaluation = solver.evaluate(&mut |_| ControlFlow::Continue(()))?;
/// assert!(evaluation.exploitability() / 25.0 < 0.005);
/// assert!((evaluation.players[0].value - 50.0 + 25.0 / 18.0).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WalkSolver<'g> {
    game: &'g Game,
    graph: StateGraph,
    algorithm: Algorithm,
    weighting: Weighting,
    split_from: f64,
    iterations: u64,
    /// By player, its information sets with its strategy in the next iteration.
    sets: Vec<SetTree>,
    regrets: Vec<Regrets>,
    /// By player and probability, the sum of those of all iterations with their weights.
    averages: Vec<Vec<f32>>,
}

impl<'g> WalkSolver<'g> {
    /// An algorithm before its first iteration. `progress` is called now and then, and can stop the work.
    ///
    /// # Errors
    /// If the algorithm draws samples, states cannot be numbered, there are too many information sets, a player cannot know its
    /// legal moves, the rules fail somewhere, or `progress` stops it.
    pub fn new(
        walk: &Walk<'g>,
        algorithm: Algorithm,
        progress: &mut OnProgress<'_>,
    ) -> Result<Self, WalkError> {
        let weighting = algorithm.weighting().ok_or(WalkError::Sampling { algorithm })?;
        let count = counting(walk.game.roles().players().count(), progress);
        let mut go_on = || count(WalkProgress::default());
        let graph = explore(walk.game, &walk.lookers, walk.states_max, &mut go_on)?;
        let graph = graph.ok_or(WalkError::NotNumbered { limit: walk.states_max })?;
        let uniform = |_: &InformationSet, moves: &[MoveId]| Ok(vec![1.0 / moves.len() as f64; moves.len()]);
        let sets = |player| Growth::new(walk.game, &graph, player, &uniform, &count).tree();
        let sets = (0..graph.players.len()).map(sets).collect::<Result<Vec<SetTree>, _>>()?;
        Ok(Self {
            game: walk.game,
            algorithm,
            weighting,
            split_from: walk.split_from(),
            iterations: 0,
            regrets: sets.iter().map(|sets| Regrets::new(sets.places())).collect(),
            averages: sets.iter().map(|sets| vec![0.0; sets.places()]).collect(),
            sets,
            graph,
        })
    }

    /// Which algorithm it is.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How many iterations have been made.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> usize {
        self.graph.len()
    }

    /// The players, in the order of all that is told of each.
    pub fn players(&self) -> impl Iterator<Item = RoleId> + '_ {
        self.graph.players.iter().copied()
    }

    /// By player, how many information sets there are in which it has a choice that can matter.
    #[must_use]
    pub fn information_sets(&self) -> Vec<usize> {
        self.sets.iter().map(SetTree::choices).collect()
    }

    /// Memory of information sets, strategies, regrets and averages, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let of = |sets: &SetTree| sets.bytes() + (size_of::<f64>() + size_of::<f32>()) * sets.places();
        self.sets.iter().map(of).sum::<usize>() as u64
    }

    /// Makes this many more iterations; `progress` is called now and then with the number of histories walked through in them.
    /// The result does not depend on the threads of the calling rayon pool.
    ///
    /// # Errors
    /// If a player cannot know its legal moves somewhere: then the strategies are of no use.
    ///
    /// # Complexity
    /// One walk through the histories of each player, as [`Walk::evaluate`]; what a strategy avoids is not walked through.
    pub fn advance(
        &mut self,
        iterations: u64,
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<(), WalkError> {
        let mut told = |done: WalkProgress| {
            progress(done.histories);
            ControlFlow::Continue(())
        };
        let count = counting(self.sets.len(), &mut told);
        for _ in 0..iterations {
            self.iterations += 1;
            let t = self.iterations as f64;
            for player in 0..self.sets.len() {
                let response =
                    Response::new(self.game, &self.graph, &self.sets, player, self.split_from, &count);
                response.learning(&self.regrets[player], self.weighting.kept(t)).worth()?;
                self.average(player, self.weighting.average(t));
                self.follow(player);
            }
        }
        Ok(())
    }

    /// The value of the average strategy for every player, and of a best response against it. `progress` is as with
    /// [`Walk::evaluate`].
    ///
    /// # Errors
    /// As [`Walk::evaluate`].
    pub fn evaluate(&mut self, progress: &mut OnProgress<'_>) -> Result<Evaluation, WalkError> {
        let count = counting(self.sets.len(), progress);
        self.take_averages();
        let value = |player| {
            Response::new(self.game, &self.graph, &self.sets, player, self.split_from, &count).value()
        };
        let players = (0..self.sets.len()).map(value).collect::<Result<_, WalkError>>();
        (0..self.sets.len()).for_each(|player| self.follow(player));
        Ok(Evaluation { players: players? })
    }

    /// Calls `visit` with each information set in which its player has a choice that can matter, and gets to with at least the
    /// probability `reach_min` if nobody else prevents it: with the legal moves and the average strategy.
    ///
    /// # Errors
    /// Those of `visit`.
    pub fn each_average<E>(
        &mut self,
        reach_min: f64,
        mut visit: impl FnMut(&InformationSet, &[MoveId], &[f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.take_averages();
        let mut players = self.graph.players.iter().zip(&self.sets);
        let all = players.try_for_each(|(&role, sets)| sets.each(&self.graph, role, reach_min, &mut visit));
        (0..self.sets.len()).for_each(|player| self.follow(player));
        all
    }

    /// Adds a player's strategy to its averages.
    fn average(&mut self, player: usize, weight: f64) {
        let Self { graph, sets, averages, .. } = self;
        let (sets, averages) = (&sets[player], &mut averages[player]);
        sets.reached(graph, |row, strategy, reach| {
            for (average, probability) in averages[row].iter_mut().zip(strategy) {
                *average += (weight * reach * probability) as f32;
            }
        });
    }

    /// Makes a player's strategy follow its regrets.
    fn follow(&mut self, player: usize) {
        let Self { graph, sets, regrets, .. } = self;
        let mut read = Vec::new();
        sets[player].change(graph, |row, strategy| {
            regrets[player].read(row, &mut read);
            match_regrets(&read, strategy);
        });
    }

    /// Makes the strategies the average ones, until they [`follow`](Self::follow) regrets again.
    fn take_averages(&mut self) {
        let Self { graph, sets, averages, .. } = self;
        let mut weights = Vec::new();
        for (sets, averages) in sets.iter_mut().zip(averages) {
            sets.change(graph, |row, strategy| {
                weights.clear();
                weights.extend(averages[row].iter().map(|&average| f64::from(average)));
                normalise(&weights, strategy);
            });
        }
    }
}
