//! The player that approximates an equilibrium, against opponents who may know its strategy.
//!
//! [`Solutions`] advances the `Equilibrium` of the whole game as far as each decision's time allows, and shares it among
//! players of the same kind. A blueprint is matched to a game by its rules, wherever they were read from and whatever
//! they call things (`names.rs` in `agents/belief`). Where chance only deals, a game is solved before the match as long
//! as the start clock allows (`work.rs`); names decide nothing there either.
//!
//! Under a clock the player uses a strategy of earlier work instead, if that was learnt from more deals
//! ([`Solutions::with_kept`]). Such strategies are in the folder `CROUPIER_SOLUTIONS`, which `src/arguments/kept.rs` reads.
//! `join --ponder` lets the player learn while others choose. `Game::shows_every_move` decides whether it searches as
//! `uct`, because what a referee sends for a game of full sight has the rule of sight written out.

use std::sync::Arc;

use croupier_belief::Coverage;
use croupier_engine::{Game, InformationSet, MoveId, RoleId};
use croupier_solvers::{AbstractSolver, BlueprintEntry};

use crate::{
    Approach, Approaches, Budget, Decision, Player, PlayerError, SearchMethod, SearchOptions, SearchPlayer,
    StopReason, Unsolved,
    blueprint::Strategy,
    ending::{OpenEnds, together},
    sight::Sight,
    solutions::{Solution, Solutions},
    subgames::{Resolved, SubgameLimits, Subgames},
    work::SolutionRequest,
};

/// How much a [`ResolvePlayer`] computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolveOptions {
    /// Iterations of CFR+ on the whole game, at most.
    pub iterations: u32,
    /// Histories of a game that is solved as a whole, at most.
    pub histories: u32,
    /// Histories of a subgame of a larger game, at most; one for none, so that it is searched.
    pub subgame: u32,
    /// Maximum number of descents per decision when a game is searched; up to 64 times as many where a clock
    /// [offers](Budget::Offered) time for them.
    pub descents: u32,
    /// Iterations on a game in which chance only deals and that is too large to be solved as a whole, of a thousand deals each, and more
    /// in games with few moves; 0 for none. A start clock pays for up to four times as many.
    pub deals: u32,
}

impl ResolveOptions {
    /// The default options.
    pub const STANDARD: Self =
        Self { iterations: 1_000, histories: 400_000, subgame: 50_000, descents: 4_000, deals: 64 };
}

/// Plays a mixed strategy that approaches an equilibrium, if the game is small enough to be solved.
///
/// The whole game is enumerated and solved by CFR+, over as many decisions as that takes: a player with a clock plays the current
/// solution when time runs out, and continues solving at its next decision. All players of one [`Solutions`] share the work. An
/// equilibrium strategy of a two-player zero-sum game loses nothing on average against any opponent, even one that
/// knows it; in other games the strategies are only learned against each other, and nothing more is claimed.
///
/// A game with more histories than [`ResolveOptions::histories`] is played by the blueprint of
/// [`Solutions::with_blueprints`], if there is one for it. Otherwise, if chance only deals, as in hold'em, the tree of
/// moves that all deals share is solved on sampled deals, with hands of like strength played alike
/// ([`ResolveOptions::deals`]). Otherwise, if a subgame of at most [`ResolveOptions::subgame`] histories covers most of
/// the match from the first decision on, the game is solved subgame by subgame: the ranges of all players are tracked
/// from turn to turn, weighted by the solutions. Otherwise the game is searched, by [`SearchMethod::PooledObserver`],
/// or [`SearchMethod::FullSight`] if everyone sees everything.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, InformationSet, Options};
/// use croupier_players::{Budget, Player, ResolveOptions, ResolvePlayer, Solutions};
///
/// // Matching pennies: each side has to be chosen every other time.
/// let rules = "(role even) (role odd) (init fresh) (side heads) (side tails)
///     (<= (legal even ?s) (side ?s)) (<= (legal odd ?s) (side ?s))
///     (<= (next same) (does even ?s) (does odd ?s)) (<= (next over) (does even ?s)) (<= terminal (true over))
///     (<= (goal even 100) (true same)) (<= (goal even 0) (not (true same)))
///     (<= (goal odd 0) (true same)) (<= (goal odd 100) (not (true same)))";
/// let game = Arc::new(Game::compile(rules, &Options::PLAY)?.game);
/// let even = game.roles().find("even").ok_or("a role of the game")?;
/// let options = ResolveOptions::STANDARD;
/// let mut player = ResolvePlayer::new(Arc::clone(&game), even, options, Solutions::default(), [0; 32])?;
/// let decision = player.choose(&InformationSet::initial(even), &mut Budget::Own)?;
/// let strategy = decision.strategy.ok_or("the game was solved")?;
/// assert!((strategy[0] - 0.5).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ResolvePlayer {
    sight: Sight,
    options: ResolveOptions,
    seed: [u8; 32],
    solutions: Solutions,
    solution: Solution,
    /// The solution in progress.
    wanted: SolutionRequest,
    /// A strategy of earlier work and the deals that it was learnt from, once it was looked for.
    kept: Option<Option<(Arc<Strategy>, u64)>>,
    /// How the game is played if it is too large, once that was determined.
    blueprint: Option<Option<Arc<Strategy>>>,
    /// How often the blueprint had an entry.
    coverage: Coverage,
    /// Pieces of a game that is too large, if there is something to hide in it.
    subgames: Option<Box<Subgames>>,
    search: Option<Box<SearchPlayer>>,
    /// Whether there is a blueprint of the game, once that was asked.
    has_blueprint: Option<bool>,
    /// Whether it goes on with deals while others choose.
    ponders: bool,
    /// How often time was up before work on a solution had begun.
    interruptions: u32,
    approaches: Approaches,
}

/// Beginnings on deals that are interrupted before the game is searched instead.
const INTERRUPTIONS_MAX: u32 = 2;

/// Before a match with a start clock, so many times the iterations on deals are made, as far as there is time.
const PREPARATION: u64 = 4;

/// Particles of the belief that gives the legal moves.
const PARTICLES: usize = 8;

/// Descents for each one without a clock, at most, where a clock offers time for them.
const OFFER: u32 = 64;

/// Particles of the search.
const SEARCH_PARTICLES: usize = 200;

impl ResolvePlayer {
    /// A player of `role` whose draws depend only on `seed` and the turn.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        options: ResolveOptions,
        solutions: Solutions,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        let sight = Sight::new(Arc::clone(&game), role, PARTICLES, seed)?;
        let wanted = SolutionRequest {
            game,
            histories_max: u64::from(options.histories),
            iterations: u64::from(options.iterations),
            deal_iterations: u64::from(options.deals),
            deals_now: 0,
        };
        Ok(Self {
            sight,
            options,
            seed,
            solutions,
            solution: Solution::Unknown,
            wanted,
            kept: None,
            blueprint: None,
            coverage: Coverage::default(),
            subgames: None,
            search: None,
            has_blueprint: None,
            ponders: false,
            interruptions: 0,
            approaches: Approaches::default(),
        })
    }

    /// Solves as much as the budget allows; deals are played mostly before the match.
    fn solve(&mut self, budget: &mut Budget<'_>, is_before: bool) {
        let iterations = u64::from(budget.limit(self.options.iterations));
        let deal_iterations = self.deal_iterations(budget, is_before);
        let is_other = iterations != self.wanted.iterations
            || deal_iterations != self.wanted.deal_iterations && !self.solution.is_whole();
        if is_other {
            let solution = std::mem::replace(&mut self.solution, Solution::Unknown);
            self.solutions.leave(solution, &self.wanted);
            self.wanted.iterations = iterations;
            self.wanted.deal_iterations = deal_iterations;
        }
        let in_match = u64::from(self.options.deals);
        self.wanted.deals_now = if is_before { deal_iterations } else { deal_iterations.min(in_match) };
        let solution = std::mem::replace(&mut self.solution, Solution::Unknown);
        self.solution = self.solutions.advance(solution, &self.wanted, budget);
        self.interruptions += u32::from(matches!(self.solution, Solution::Unknown));
    }

    /// The strategy of earlier work and the deals that it was learnt from, for a player with a clock.
    fn kept(&mut self, budget: &Budget<'_>) -> Option<(Arc<Strategy>, u64)> {
        if !budget.is_timed() || self.options.deals == 0 {
            return None;
        }
        let Self { kept, solutions, wanted, .. } = self;
        kept.get_or_insert_with(|| solutions.kept(&wanted.game)).clone()
    }

    /// Iterations on deals: more if there is, or was, a start clock; none if there is a blueprint, or clocks have been too short to begin,
    /// or earlier work came further.
    fn deal_iterations(&mut self, budget: &Budget<'_>, is_before: bool) -> u64 {
        let kept_deals = self.kept(budget).map_or(0, |(_, deals)| deals);
        let Self { has_blueprint, solutions, wanted, interruptions, .. } = self;
        let has_blueprint =
            *has_blueprint.get_or_insert_with(|| solutions.blueprint_file(&wanted.game).is_some());
        let deals = u64::from(self.options.deals);
        let is_prepared = is_before || wanted.deal_iterations > deals;
        match budget {
            _ if has_blueprint => 0,
            timed if timed.is_timed() && *interruptions >= INTERRUPTIONS_MAX => 0,
            _ if kept_deals >= deals * PREPARATION * AbstractSolver::deals_each() => 0,
            timed if timed.is_timed() && self.ponders => deals * PREPARATION * u64::from(OFFER),
            timed if timed.is_timed() && is_prepared => deals * PREPARATION,
            _ => deals,
        }
    }

    /// The blueprint's strategy, if the game is too large and there is a blueprint.
    fn blueprint_strategy(&mut self, known: &InformationSet) -> Option<(Vec<MoveId>, Vec<f64>)> {
        let Self { solutions, wanted, .. } = self;
        let blueprint = self.blueprint.get_or_insert_with(|| solutions.blueprint(&wanted.game));
        let BlueprintEntry { strategy, is_computed } = blueprint.as_ref()?.of(&wanted.game, known)?;
        if strategy.len() > 1 {
            self.coverage.note(is_computed, || wanted.game.information_set_text(known));
        }
        Some(strategy.into_iter().unzip())
    }

    /// What earlier work would do, if it came further than this player's.
    fn kept_strategy(
        &mut self,
        known: &InformationSet,
        budget: &Budget<'_>,
    ) -> Option<(Vec<MoveId>, Vec<f64>)> {
        let (strategy, deals) = self.kept(budget)?;
        if self.solution.is_whole() || deals <= self.solution.deals() {
            return None;
        }
        let entry = strategy.of(&self.wanted.game, known)?;
        entry.is_computed.then(|| entry.strategy.into_iter().unzip())
    }

    /// The result of the subgame that starts here.
    fn resolved(&mut self, known: &InformationSet, budget: &mut Budget<'_>) -> Option<Resolved> {
        let Self { options, seed, wanted, sight, subgames, .. } = self;
        if options.subgame <= 1 || wanted.game.shows_every_move() {
            return None;
        }
        let subgames = subgames.get_or_insert_with(|| {
            let limits = SubgameLimits { histories: options.subgame, iterations: options.iterations };
            Box::new(Subgames::new(Arc::clone(&wanted.game), sight.role, limits, *seed))
        });
        subgames.resolve(known, budget)
    }

    /// A decision in a game without a solution.
    fn unsolved(
        &mut self,
        known: &InformationSet,
        unsolved: Unsolved,
        budget: &mut Budget<'_>,
    ) -> Result<Decision, PlayerError> {
        if let Some((moves, strategy)) = self.blueprint_strategy(known) {
            let decision = Decision::drawn(moves, strategy, &mut self.sight.rng(known));
            return Ok(self.noted(Approach::Blueprint, decision));
        }
        if let Some(Resolved { strategy, iterations, stop }) = self.resolved(known, budget) {
            let (moves, strategy) = strategy.into_iter().unzip();
            let decision = Decision::drawn(moves, strategy, &mut self.sight.rng(known));
            let approach = Approach::Subgames { histories_max: self.options.subgame };
            return Ok(self.noted(approach, Decision { iterations, stop, ..decision }));
        }
        self.searched(known, unsolved, &mut budget.unnumbered())
    }

    /// A decision by search; `unsolved` is why it is not by a solution.
    fn searched(
        &mut self,
        known: &InformationSet,
        unsolved: Unsolved,
        budget: &mut Budget<'_>,
    ) -> Result<Decision, PlayerError> {
        let decision = self.searcher()?.choose(known, budget)?;
        let approach = Approach::Search(self.method(), unsolved);
        Ok(self.noted(approach, decision))
    }

    /// The same decision, counted if there was a choice.
    fn noted(&mut self, approach: Approach, decision: Decision) -> Decision {
        if decision.moves.len() > 1 {
            self.approaches.note(approach);
        }
        decision
    }

    /// How it searches.
    fn method(&self) -> SearchMethod {
        match self.wanted.game.shows_every_move() {
            true => SearchMethod::FullSight,
            false => SearchMethod::PooledObserver,
        }
    }

    /// The searching player, for games that cannot be solved, or not yet.
    fn searcher(&mut self) -> Result<&mut SearchPlayer, PlayerError> {
        if self.search.is_none() {
            let game = Arc::clone(&self.wanted.game);
            let method = self.method();
            let options = SearchOptions {
                iterations: self.options.descents,
                particles: SEARCH_PARTICLES,
                planned: SearchOptions::PLANNED,
                ..SearchOptions::STANDARD
            };
            let player = SearchPlayer::new(game, self.sight.role, method, options, self.seed)?;
            self.search = Some(Box::new(player.taking_time(OFFER)));
        }
        Ok(self.search.as_mut().expect("it was made"))
    }
}

impl Player for ResolvePlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn prepare(&mut self, budget: &mut Budget<'_>) {
        self.solve(budget, true);
    }

    fn ponder(&mut self, budget: &mut Budget<'_>) {
        if let Some(search) = &mut self.search {
            search.ponder(budget);
        } else if self.solution.deals() > 0 {
            let solution = std::mem::replace(&mut self.solution, Solution::Unknown);
            self.solution = self.solutions.reopen(solution, &self.wanted);
            if matches!(self.solution, Solution::Begun(_)) {
                self.ponders = true;
                self.wanted.deal_iterations = self.deal_iterations(budget, true);
                self.solve(budget, true);
            }
        }
    }

    fn choose(&mut self, known: &InformationSet, budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        self.solve(budget, false);
        if let Some((moves, strategy)) = self.kept_strategy(known, budget) {
            let decision = Decision::drawn(moves, strategy, &mut self.sight.rng(known));
            return Ok(self.noted(Approach::Kept, decision));
        }
        let approach = match self.solution.approach(&self.wanted) {
            Ok(approach) => approach,
            Err(unsolved) => return self.unsolved(known, unsolved, budget),
        };
        let moves = self.sight.choice(known)?.moves;
        let Some(strategy) = self.solution.strategy(known).filter(|_| moves.len() > 1) else {
            return match moves.len() {
                1 => Ok(Decision::pure(moves, 0)),
                _ => self.searched(known, self.solution.gap(), &mut Budget::Own),
            };
        };
        let (moves, strategy) = strategy.into_iter().unzip();
        let iterations = u32::try_from(self.solution.iterations()).unwrap_or(u32::MAX);
        let stop = match self.solution {
            Solution::Done(_) => StopReason::IterationLimit(iterations),
            _ => StopReason::Deadline,
        };
        let decision =
            Decision { iterations, stop, ..Decision::drawn(moves, strategy, &mut self.sight.rng(known)) };
        Ok(self.noted(approach, decision))
    }

    fn open_ends(&self) -> Option<OpenEnds> {
        let searched = self.search.as_ref().and_then(|search| search.open_ends());
        let resolved = self.subgames.as_ref().and_then(|subgames| subgames.open_ends());
        together(resolved, searched.as_ref())
    }

    fn coverage(&self) -> Option<Coverage> {
        matches!(self.blueprint, Some(Some(_))).then(|| self.coverage.clone())
    }

    fn approaches(&self) -> Option<Approaches> {
        Some(self.approaches.clone())
    }

    fn release(&mut self) {
        self.sight.release();
        if let Some(subgames) = &mut self.subgames {
            subgames.release();
        }
        if let Some(search) = &mut self.search {
            search.release();
        }
        // Nobody else can use the solution of a game that is no network.
        if self.wanted.game.network().is_some() {
            let solution = std::mem::replace(&mut self.solution, Solution::Unknown);
            self.solutions.leave(solution, &self.wanted);
        }
    }
}

impl Drop for ResolvePlayer {
    fn drop(&mut self) {
        let solution = std::mem::replace(&mut self.solution, Solution::Unknown);
        self.solutions.leave(solution, &self.wanted);
    }
}
