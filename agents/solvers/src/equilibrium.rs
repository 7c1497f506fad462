//! A game that is solved while it is played: its tree, the iterations, and the strategy by information set.

use std::ops::ControlFlow;

use croupier_engine::{Game, InformationSet, MoveId};
use rustc_hash::FxHashMap;

use crate::{
    form::SequenceForm,
    full::{FullIterations, Weighting},
    policy::normalise,
    resolving::Resolving,
    tables::Tables,
    tree::{GameTree, Horizon, InformationSetId, Root, TreeError, TreeLimits},
};

/// CFR+ on the tree of a game, with the average strategy by information set. Deals that symmetries of the rules exchange are
/// enumerated once, with their number: every information set has the strategy that the whole tree gives it.
///
/// Iterations can be added at any time, so an agent solves as far as its clock allows and continues later. The same number of
/// iterations gives the same strategy, however they are divided between calls and on any number of threads.
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
        Self::of_tree(game, GameTree::compact(game, limits, progress)?)
    }

    /// Enumerates a subgame: the continuations of several histories, as far as the limits allow. `horizon` gives the value of what
    /// lies beyond; no iteration is run yet. `None` if the game has no network, or a very large one.
    ///
    /// Only the given histories of an information set count, with their weights, so the value of a strategy
    /// depends on their choice. A strategy for a subgame that is solved on its own may be easier to exploit than
    /// one for the whole game, unless former strategies are given as what is `resolving` it, and two players win what the other loses.
    ///
    /// # Errors
    /// [`TreeError::UnknownMoves`] and [`TreeError::Game`] as for a whole game, [`TreeError::Interrupted`] if `progress`
    /// stops the work or the horizon says nothing.
    pub fn of_subgame(
        game: &Game,
        limits: &TreeLimits,
        roots: &[Root<'_>],
        resolving: Option<Resolving<'_>>,
        horizon: &mut Horizon<'_>,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Option<Result<Self, TreeError>> {
        let tree = GameTree::of_subgame(game, limits, roots, horizon, progress)?;
        Some(tree.and_then(|tree| {
            let gadget = resolving.and_then(|resolving| resolving.form(&tree, roots));
            let form = gadget.unwrap_or_else(|| SequenceForm::new(&tree));
            Self::of_form(game, tree, form)
        }))
    }

    fn of_tree(game: &Game, tree: GameTree) -> Result<Self, TreeError> {
        let form = SequenceForm::new(&tree);
        Self::of_form(game, tree, form)
    }

    fn of_form(game: &Game, tree: GameTree, form: SequenceForm) -> Result<Self, TreeError> {
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

    /// Runs this many more iterations.
    ///
    /// # Complexity
    /// Linear in terminal nodes and information sets, for each player and iteration.
    pub fn advance(&mut self, iterations: u64) {
        for iteration in self.iterations + 1..=self.iterations + iterations {
            self.full.iterate(&self.form, Weighting::Plus, iteration, &mut self.tables);
        }
        self.iterations += iterations;
    }

    /// Whether it has a strategy in an information set.
    #[must_use]
    pub fn knows(&self, known: &InformationSet) -> bool {
        self.sets.contains_key(known)
    }

    /// The average strategy in an information set: its moves in canonical order with their probabilities. `None` if the
    /// player has no choice, or no match can reach it. Uniform before the first iteration.
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

    use croupier_engine::{Game, GoalValue, InformationSet, Options, State, Status};

    use super::Equilibrium;
    use crate::{
        Algorithm, Beyond, Evaluation, GameTree, Horizon, Policy, Resolving, Root, Samples, SequenceForm,
        Solver, TreeError, TreeLimits,
    };

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

    /// What two players know and hold after the deals of Leduc, by all deals.
    fn deals(game: &Game) -> Vec<(State, Vec<InformationSet>)> {
        let mut scratch = game.scratch();
        let players: Vec<InformationSet> = game.roles().players().map(InformationSet::initial).collect();
        let mut dealt = vec![(game.initial_state().clone(), players)];
        for _ in 0..2 {
            let mut next = Vec::new();
            for (state, known) in &dealt {
                let Status::Running { legal } = game.status(state, &mut scratch).unwrap() else { continue };
                for joint_move in game.joint_moves(&legal) {
                    let turn = game.turn(state, &joint_move, &mut scratch).unwrap();
                    let mut known = known.clone();
                    for known in &mut known {
                        known.turns.push((joint_move.of(known.role), turn.percepts[known.role].clone()));
                    }
                    next.push((turn.successor, known));
                }
            }
            dealt = next;
        }
        dealt
    }

    fn subgame(game: &Game, histories_max: u64, horizon: &mut Horizon<'_>) -> Equilibrium {
        let deals = deals(game);
        assert_eq!(deals.len(), 30);
        let roots: Vec<Root<'_>> = deals
            .iter()
            .map(|(state, known)| Root {
                state: state.clone(),
                known: known.iter().collect(),
                weight: 2.0,
                reach: vec![1.0; 2],
            })
            .collect();
        let limits = TreeLimits { histories_max };
        let subgame =
            Equilibrium::of_subgame(game, &limits, &roots, None, horizon, &mut |_| ControlFlow::Continue(()));
        subgame.unwrap().unwrap()
    }

    #[test]
    fn what_follows_on_all_deals_is_the_whole_game() {
        let game = leduc();
        let mut part = subgame(&game, 20_000, &mut |_| panic!("there is room for all"));
        let mut whole = Equilibrium::new(&game, &LIMITS, &mut |_| ControlFlow::Continue(())).unwrap();
        part.advance(30);
        whole.advance(30);
        let tree = GameTree::new(&game, &LIMITS, &mut |_| {}).unwrap();
        assert_eq!(part.information_sets_count(), tree.information_sets_count());
        for id in tree.information_sets() {
            let known = tree.information_set(id);
            let (part, whole) = (part.strategy(&known).unwrap(), whole.strategy(&known).unwrap());
            for (one, other) in part.iter().zip(&whole) {
                assert_eq!(one.0, other.0);
                assert!((one.1 - other.1).abs() < 1e-9, "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn a_subgame_is_cut_at_a_turn_and_says_how_much_lies_beyond() {
        let game = leduc();
        // Alice checks or bets, Bob answers by check or bet, or by fold, call or raise: of these one ends the match.
        let (mut shares, mut states_count) = (Vec::new(), 0);
        let half = GoalValue::new(50);
        let mut part = subgame(&game, 300, &mut |Beyond { share, states }| {
            shares.push(share);
            states_count += states.len();
            Some(vec![half; 2 * states.len()])
        });
        assert!(shares.iter().all(|share| (share - 5.0 / 6.0).abs() < 1e-12), "{shares:?}");
        assert_eq!(states_count, 30 * 4);
        // With her six cards Alice has a choice, and Bob with each of his after either of her moves.
        assert_eq!(part.information_sets_count(), 6 + 12);
        part.advance(10);
        // Nobody wants to fold where everything else is worth as much to both.
        for (_, known) in deals(&game) {
            assert!(part.strategy(&known[0]).is_some());
        }
    }

    /// Leduc after the deal, solved with a range in which Bob hardly ever holds anything but a jack, and how much Bob can win in the whole
    /// game against what Alice then does.
    fn lost_to_unexpected_cards(resolving: bool) -> f64 {
        let game = leduc();
        let mut whole = Equilibrium::new(&game, &LIMITS, &mut |_| ControlFlow::Continue(())).unwrap();
        whole.advance(400);
        let deals = deals(&game);
        let is_jack = |known: &InformationSet| {
            let mut percepts = known.turns.iter().flat_map(|(_, percepts)| game.percept_terms(percepts));
            percepts.any(|text| text.contains("(hole j"))
        };
        let root = |(state, known): &'_ (State, Vec<InformationSet>)| {
            let bobs = if is_jack(&known[1]) { 1.0 } else { 1e-4 };
            (state.clone(), bobs)
        };
        let dealt: Vec<(State, f64)> = deals.iter().map(root).collect();
        let roots: Vec<Root<'_>> = dealt
            .iter()
            .zip(&deals)
            .map(|((state, bobs), (_, known))| Root {
                state: state.clone(),
                known: known.iter().collect(),
                weight: *bobs,
                reach: vec![1.0, *bobs],
            })
            .collect();
        let former = |known: &InformationSet| whole.strategy(known);
        let resolving = resolving.then_some(Resolving { opponent: 1, former: &former });
        let horizon: &mut Horizon<'_> = &mut |_| panic!("there is room for all");
        let part = Equilibrium::of_subgame(&game, &LIMITS, &roots, resolving, horizon, &mut |_| {
            ControlFlow::Continue(())
        });
        let mut part = part.unwrap().unwrap();
        part.advance(400);
        let tree = GameTree::new(&game, &LIMITS, &mut |_| {}).unwrap();
        let form = SequenceForm::new(&tree);
        let policy = Policy::from_fn(&form, |id, probabilities| {
            let known = tree.information_set(id);
            for (probability, (_, of_part)) in probabilities.iter_mut().zip(part.strategy(&known).unwrap()) {
                *probability = of_part;
            }
        });
        Evaluation::new(&form, &policy).players[1].best_response
    }

    #[test]
    fn a_subgame_that_is_solved_safely_loses_nothing_to_cards_that_nobody_expected() {
        let game = leduc();
        let tree = GameTree::new(&game, &LIMITS, &mut |_| {}).unwrap();
        let form = SequenceForm::new(&tree);
        let mut solver = Solver::new(&tree, &form, Algorithm::CfrPlus, Samples::single([0; 32]));
        solver.advance(1_000);
        let bobs = Evaluation::new(&form, &solver.average_policy()).players[1].value;
        let (safe, unsafely) = (lost_to_unexpected_cards(true), lost_to_unexpected_cards(false));
        assert!(safe < bobs + 0.3, "{safe} instead of {bobs} goals");
        assert!(unsafely > bobs + 1.0, "{unsafely} instead of {bobs} goals");
    }
}
