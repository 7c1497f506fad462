//! The mixed strategy of the best player of a game, to be asked in any information set.

use std::sync::Arc;

use croupier_belief::Policy;
use croupier_engine::{Game, InformationSet, MoveId};

use crate::{
    Approach, Budget, ResolveOptions, Unsolved,
    blueprint::Strategy,
    solutions::{Solution, Solutions},
    work::SolutionRequest,
};

/// What a [`ResolvePlayer`](crate::ResolvePlayer) goes by where it needs neither a search nor a subgame: an equilibrium of the whole
/// game, a blueprint, or what it learns from sampled deals. Unlike the player it has no turn and no seed, and answers for every role.
///
/// As a [`Policy`] it is uniform where it has no entry.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::InformationSet;
/// use croupier_players::{Budget, KnownStrategy, ResolveOptions, Solutions};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// # let alice = game.roles().find("alice").ok_or("a role")?;
/// let (options, solutions) = (ResolveOptions::STANDARD, Solutions::default());
/// let strategy = KnownStrategy::new(&game, options, &solutions, &mut Budget::Own).map_err(|why| why.to_string())?;
/// let mut known = InformationSet::initial(alice);
/// known.turns.push(game.own_turn("noop", ["(hole queen)"])?);
/// known.turns.push(game.own_turn("noop", ["(dealt bob)"])?);
/// // With the queen it is best to pass first: only worse cards fold, and only better ones call.
/// let entry = strategy.entry(&known).ok_or("an entry")?;
/// assert!(entry.iter().any(|&(played, share)| *game.move_text(played) == *"pass" && share > 0.99));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct KnownStrategy {
    game: Arc<Game>,
    approach: Approach,
    origin: StrategyOrigin,
}

#[derive(Debug)]
enum StrategyOrigin {
    Solved(Solution),
    Blueprint(Arc<Strategy>),
}

impl KnownStrategy {
    /// The strategy for a game, worked out as far as the options say unless there is one.
    ///
    /// # Errors
    /// Why there is none: [`Unsolved`]; [`Unsolved::NotInTime`] if the budget ended before.
    pub fn new(
        game: &Arc<Game>,
        options: ResolveOptions,
        solutions: &Solutions,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Unsolved> {
        let has_blueprint = solutions.blueprint_file(game).is_some();
        let deals = if has_blueprint { 0 } else { u64::from(options.deals) };
        let wanted = SolutionRequest {
            game: Arc::clone(game),
            histories_max: u64::from(options.histories),
            iterations: u64::from(options.iterations),
            deal_iterations: deals,
            deals_now: deals,
        };
        let solution = solutions.advance(Solution::Unknown, &wanted, budget);
        let (approach, origin) = match solution {
            Solution::Done(_) => (solution.approach(&wanted)?, StrategyOrigin::Solved(solution)),
            Solution::Refused(why) => {
                let strategy = solutions.blueprint(game).ok_or(why)?;
                (Approach::Blueprint, StrategyOrigin::Blueprint(strategy))
            }
            Solution::Begun(_) | Solution::Unknown => {
                solutions.leave(solution, &wanted);
                return Err(Unsolved::NotInTime);
            }
        };
        Ok(Self { game: Arc::clone(game), approach, origin })
    }

    /// In which way the game is solved.
    #[must_use]
    pub fn approach(&self) -> Approach {
        self.approach
    }

    /// The legal moves in an information set of any player with their probabilities, in canonical order; `None` if it has no entry.
    #[must_use]
    pub fn entry(&self, known: &InformationSet) -> Option<Vec<(MoveId, f64)>> {
        match &self.origin {
            StrategyOrigin::Solved(solution) => solution.strategy(known),
            StrategyOrigin::Blueprint(strategy) => Some(strategy.of(&self.game, known)?.strategy),
        }
    }
}

impl Policy for KnownStrategy {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let uniform = || vec![1.0 / legal.len() as f64; legal.len()];
        // Who has no choice need not be looked up.
        let Some(entry) = (legal.len() > 1).then(|| self.entry(known)).flatten() else { return uniform() };
        let share = |played: &MoveId| {
            let found = entry.iter().find(|(known, _)| known == played);
            found.map_or(0.0, |&(_, probability)| probability)
        };
        let shares: Vec<f64> = legal.iter().map(share).collect();
        let sum: f64 = shares.iter().sum();
        if sum > 0.0 { shares.into_iter().map(|share| share / sum).collect() } else { uniform() }
    }
}
