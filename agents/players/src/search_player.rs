//! The players that search: one loop, with trees over what players can distinguish.
//!
//! An iteration draws a state from the belief and descends (`search.rs`). Every player with a choice selects a move by an
//! upper confidence bound (`bandit.rs`) at its node, chance draws, and what each observer did and was told determines its
//! next node. The methods differ only in their nodes: none (`belief`), one for each state (`uct`, `hyperplay`), one for
//! each information set of the searcher (`ismcts`), of every player (`mo-ismcts`), or of every player with a pool for
//! each of the others (`pooled-ismcts`). Moves that are equivalent under symmetries which preserve everything that the
//! searcher knows are tried as one (`symmetry.rs`); `Game::quick_symmetries` lists these symmetries once for a game and
//! its forks.
//!
//! A descent ends at the first unvisited node of a player with a choice. The leaves of a round are played out together,
//! one lane per playout (`leaves.rs`), and their mean goals are backed up. The size of a round depends only on the number
//! of iterations done, the most visited move is played, and ties are broken by the mean and then by canonical order. So a
//! budget of iterations always gives the same move; a deadline discards the round that it interrupts.
//!
//! With the option `inferred=N` the turns of others are searched before the belief goes on to them, and it weighs
//! particles by what these searches chose with what each holds (`inference.rs`).

use std::sync::Arc;

use croupier_belief::{Coverage, Opponents};
use croupier_engine::{Game, InformationSet, MoveId, RoleId, draw::draw_index};
use rand_chacha::ChaCha8Rng;

use crate::{
    Budget, Decision, Estimate, Player, PlayerError,
    ending::{OpenEnds, together},
    inference::{Inference, TurnPolicy},
    leaves::Leaves,
    plan::{self, DecisionProblem},
    positions::Positions,
    search::{Descent, DescentEnd, Search, SearchResources, SearchView, leaves},
    sight::{DecisionPoint, Sight},
    sighted::{SearchResult, Sighted, SightedDecision},
    starts::Starts,
    symmetry::{KnownSymmetries, MoveClasses},
};

/// How much a [`SearchPlayer`] computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Descents of one decision, at most.
    pub iterations: u32,
    /// Particles of the belief.
    pub particles: usize,
    /// Random playouts from the end of each descent; one if the game has no network.
    pub playouts: u32,
    /// Maximum number of evaluations with which a role that plays against chance alone may enumerate all possibilities instead
    /// of searching; 0 disables this. Only used by methods that search information sets.
    pub planned: u32,
    /// Descents at each turn of the others, from which its belief learns how they chose; 0 if they choose uniformly. Only used by methods
    /// that have trees of the others.
    pub inferred: u32,
}

impl SearchOptions {
    /// Default number of planning evaluations for methods that search information sets: less than a second.
    pub const PLANNED: u32 = 1_000_000;

    /// The default options.
    pub const STANDARD: Self =
        Self { iterations: 1_000, particles: 200, playouts: 16, planned: 0, inferred: 0 };
}

/// How a [`SearchPlayer`] looks ahead.
///
/// All of them draw a state from a belief, choose moves by upper confidence bounds on the way down, let `random`
/// choose uniformly, and value the end of each descent by random playouts. They differ in what the players of
/// the search can distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMethod {
    /// Flat Monte Carlo: only the own next move is chosen, all others are random.
    ///
    /// It is a best response to opponents who choose uniformly from here on, *if the player itself does so after this
    /// move*: it does not plan its own later moves, does not bluff, and does not value information that it would
    /// gain or reveal.
    MonteCarlo,
    /// UCT in which everybody sees every move and so every state: right for a role with full sight. In
    /// simultaneous moves each player chooses by its own statistics, without those of the others.
    ///
    /// With a single state held possible, wins, losses and draws are proved and not searched again, the same state is searched once
    /// however it is reached, and under a clock the next decision goes on with what this one found.
    ///
    /// With several states held possible, the own next move is one for all of them and everything after it
    /// is chosen as if the state were known.
    ///
    /// # Sources
    /// L. Kocsis and C. Szepesvári, "Bandit Based Monte-Carlo Planning", ECML 2006. Simultaneous moves by
    /// decoupled statistics: M. Tak, M. Lanctot and M. Winands, "Monte Carlo Tree Search Variants for Simultaneous
    /// Move Games", CIG 2014, section III. Proofs: T. Cazenave and A. Saffidine, "Score Bounded Monte-Carlo Tree Search", CG 2010.
    FullSight,
    /// HyperPlay: a UCT search for each of several states drawn from the belief; plays the move with the best mean
    /// over them. It assumes that everything is known from here on, so information has no value.
    ///
    /// # Sources
    /// M. Schofield, T. Cerexhe and M. Thielscher, "HyperPlay: A Solution to General Game Playing with
    /// Imperfect Information", AAAI 2012. There the inner player is any for full sight; here it is UCT.
    HyperPlay,
    /// SO-ISMCTS: one tree of the searcher's moves and percepts. The other players choose in it too, as if they knew
    /// what the searcher knows.
    ///
    /// # Sources
    /// P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012,
    /// section V. Moves of others that the searcher cannot distinguish share an edge, as in
    /// SO-ISMCTS+POM, but each of them keeps its own statistics instead of being drawn uniformly.
    SingleObserver,
    /// MO-ISMCTS: a tree for each player of what that one does and is told, gone down together.
    ///
    /// # Sources
    /// The same, section V. There the others' trees have a single root; here their roots are their information sets in the drawn history,
    /// so that an opponent with a good hand does not play like one with a bad hand.
    MultipleObserver,
    /// The same, in which what another player tried with anything that it may hold counts where little was tried with what it holds, so
    /// that a descent goes on where the moves are known and the cards are new. Without it, thousands of descents over a thousand
    /// hands are a few for each, and an opponent seems to move at random. All players explore less than in the other searches, because what a
    /// descent learns is the mean of several playouts.
    ///
    /// # Sources
    /// Statistics of a similar place as prior tries: S. Gelly and D. Silver, "Combining Online and Offline Knowledge in UCT", ICML 2007,
    /// section 5. The pool is the tree that MO-ISMCTS has for an opponent in the paper above.
    PooledObserver,
}

/// A player that searches.
///
/// A budget of iterations always gives the same move: descents are made in rounds whose size depends on how
/// many were made before, and the leaves of a round are played out together.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, InformationSet, Options};
/// use croupier_players::{Budget, Player, SearchMethod, SearchOptions, SearchPlayer, StopReason};
///
/// # let rules = "(role left) (init start) (legal left (take 2)) (legal left (take 10))
/// #     (<= (next (took ?n)) (does left (take ?n))) (<= terminal (true (took ?n)))
/// #     (<= (goal left ?n) (true (took ?n))) (<= (goal left 0) (true start))";
/// let game = Arc::new(Game::compile(rules, &Options::PLAY)?.game);
/// let left = game.roles().find("left").ok_or("a role of the game")?;
/// let options = SearchOptions { iterations: 40, ..SearchOptions::STANDARD };
/// let method = SearchMethod::SingleObserver;
/// let mut player = SearchPlayer::new(Arc::clone(&game), left, method, options, [0; 32])?;
/// let decision = player.choose(&InformationSet::initial(left), &mut Budget::Own)?;
/// assert_eq!(game.move_text(decision.chosen), "(take 10)".into());
/// assert_eq!(decision.stop, StopReason::IterationLimit(40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SearchPlayer {
    sight: Sight,
    method: SearchMethod,
    options: SearchOptions,
    /// So many times its iterations are made at most, where time is offered.
    offer: u32,
    positions: Positions,
    leaves: Leaves,
    /// For decisions in a single state, once there was one.
    sighted: Option<Box<Sighted>>,
    /// The last information set of which the true state was known, to go on from.
    decided: Option<InformationSet>,
    /// Not used if other players have policies: these may depend on names.
    symmetries: KnownSymmetries,
    /// How the others chose so far.
    inference: Inference,
}

impl SearchMethod {
    /// Whether it takes what will be learnt into account, so that a plan may take its place.
    pub(crate) fn plans(self) -> bool {
        matches!(self, Self::SingleObserver | Self::MultipleObserver | Self::PooledObserver)
    }

    /// Whether it searches how others choose in their own information sets, so that a belief may learn from it.
    pub(crate) fn infers(self) -> bool {
        matches!(self, Self::MultipleObserver | Self::PooledObserver)
    }

    fn view(self) -> SearchView {
        match self {
            Self::MonteCarlo => SearchView::Nothing,
            Self::FullSight => SearchView::Moves,
            Self::HyperPlay => SearchView::MovesFromEach,
            Self::SingleObserver => SearchView::Searcher,
            Self::MultipleObserver => SearchView::Everyone,
            Self::PooledObserver => SearchView::Pooled,
        }
    }
}

impl SearchPlayer {
    /// Most states that [`SearchMethod::HyperPlay`] searches, so that each gets a fair number of descents.
    pub const MODELS_MAX: usize = 32;

    /// A player of `role` whose draws depend only on `seed` and the turn.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        method: SearchMethod,
        options: SearchOptions,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        Self::with_opponents(game, role, method, options, Opponents::uniform(), seed)
    }

    /// The same, with opponent policies in its belief.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn with_opponents(
        game: Arc<Game>,
        role: RoleId,
        method: SearchMethod,
        options: SearchOptions,
        opponents: Opponents,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        let symmetries = match opponents.are_uniform() {
            true => KnownSymmetries::new(&game, role)?,
            false => KnownSymmetries::default(),
        };
        let inference = Inference::default();
        let opponents = match method.infers() && options.inferred > 0 {
            true => inference.opponents(&game, role, &opponents),
            false => opponents,
        };
        let sight = Sight::to_decide(Arc::clone(&game), role, options.particles, opponents, seed)?;
        let positions = Positions::new(Arc::clone(&game), Search::listeners(&game, role, method.view()));
        Ok(Self {
            sight,
            method,
            options,
            offer: 1,
            positions,
            leaves: Leaves::new(game, options.playouts),
            sighted: None,
            decided: None,
            symmetries,
            inference,
        })
    }

    /// The same, making up to so many times its iterations where time is [offered](Budget::Offered).
    #[must_use]
    pub fn taking_time(self, offer: u32) -> Self {
        Self { offer, ..self }
    }

    /// Its number of iterations under a budget that leaves it to choose.
    fn own(&self, budget: &Budget<'_>) -> u32 {
        let offer = if matches!(budget, Budget::Offered(_)) { self.offer } else { 1 };
        self.options.iterations.saturating_mul(offer)
    }

    /// The starting points of the search.
    fn starts(&self, known: &InformationSet, choice: &DecisionPoint, rng: &mut ChaCha8Rng) -> Starts {
        match self.method {
            SearchMethod::MultipleObserver | SearchMethod::PooledObserver => {
                Starts::of_histories(self.sight.histories(known))
            }
            SearchMethod::HyperPlay => Starts::of_states(&choice.distribution).reduced(Self::MODELS_MAX, rng),
            _ => Starts::of_states(&choice.distribution),
        }
    }

    /// The best move, if everything that may come can be gone through.
    fn plan(
        &mut self,
        starts: &Starts,
        moves: &[MoveId],
        budget: &mut Budget<'_>,
    ) -> Result<Option<Decision>, PlayerError> {
        let game = Arc::clone(&self.sight.game);
        let is_possible = plan::is_alone(&game, self.sight.role) && self.sight.is_complete();
        if self.options.planned == 0 || !is_possible {
            return Ok(None);
        }
        let (positions, scratch) = (&mut self.positions, &mut self.sight.scratch);
        let mut plan = DecisionProblem::new(&game, self.sight.role, positions, scratch, self.options.planned);
        let worths = plan.worths(starts, moves, budget)?;
        Ok(worths.map(|worths| Decision::planned(moves, &worths)))
    }

    /// Follows the match to `known`, and searches each turn in which others had a choice for how they choose.
    fn infer(&mut self, known: &InformationSet, budget: &mut Budget<'_>) -> Result<(), PlayerError> {
        let descents = if self.method.infers() { self.options.inferred } else { 0 };
        if descents == 0 {
            return Ok(());
        }
        let mut first = self.sight.turns_followed(known);
        if first == 0 {
            self.inference.forget();
        }
        if budget.is_timed() {
            // Who is asked in the middle of a match has to move in time.
            first = first.max(known.turns.len().saturating_sub(INFERRED_IN_TIME));
        }
        for turn in first..known.turns.len() {
            let before = InformationSet { role: known.role, turns: known.turns[..turn].to_vec() };
            let starts = Starts::of_histories(self.sight.histories_after(&before)?);
            self.positions.trim();
            let choosing = starts.choosing(known.role, &mut self.positions, &mut self.sight.scratch)?;
            if choosing.is_empty() {
                continue;
            }
            let game = Arc::clone(&self.sight.game);
            let mut search = Search::new(game, known.role, self.method.view(), starts.len());
            let mut rng = self.sight.inference_rng(&before);
            self.search(&mut search, &starts, descents, &mut rng, &mut budget.unnumbered())?;
            for role in choosing {
                let scratch = &mut self.sight.scratch;
                let reading = TurnPolicy::of(&search, &starts, role, &mut self.positions, scratch)?;
                self.inference.note(role, turn, reading);
            }
        }
        Ok(())
    }

    /// Searches until the budget ends.
    fn search(
        &mut self,
        search: &mut Search,
        starts: &Starts,
        own: u32,
        rng: &mut ChaCha8Rng,
        budget: &mut Budget<'_>,
    ) -> Result<(u32, crate::StopReason), PlayerError> {
        let mut done = 0;
        loop {
            if let Some(stop) = budget.stop(done, own) {
                return Ok((done, stop));
            }
            let limit = budget.limit(own);
            let end = limit.min(done + self.leaves.width().min(1 + done / ROUND_SHARE));
            let descents = self.descend(search, starts, done..end, rng)?;
            if !self.finish(search, &descents, rng, budget)? {
                return Ok((done, crate::StopReason::Deadline));
            }
            done = end;
        }
    }

    /// A round of descents: one in each state if they are kept apart, otherwise in drawn states.
    fn descend(
        &mut self,
        search: &mut Search,
        starts: &Starts,
        numbers: std::ops::Range<u32>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<Descent>, PlayerError> {
        self.positions.trim();
        let mut descents = Vec::with_capacity(numbers.len());
        for number in numbers {
            let start = match self.method {
                SearchMethod::HyperPlay => number as usize % starts.len(),
                _ => starts.draw(rng),
            };
            let scratch = &mut self.sight.scratch;
            let mut resources = SearchResources { starts, positions: &mut self.positions, rng, scratch };
            descents.push(search.descend(start, &mut resources)?);
        }
        Ok(descents)
    }

    /// Plays out the leaves of a round and backs up the values; false if time ran out first.
    fn finish(
        &mut self,
        search: &mut Search,
        descents: &[Descent],
        rng: &mut ChaCha8Rng,
        budget: &mut Budget<'_>,
    ) -> Result<bool, PlayerError> {
        let states = leaves(descents, &self.positions);
        let means = if states.is_empty() {
            Vec::new()
        } else {
            match self.leaves.means(&states, rng, budget, &mut self.sight.scratch)? {
                Some(means) => means,
                None => return Ok(false),
            }
        };
        let mut means = means.iter();
        for descent in descents {
            let values = match &descent.end {
                DescentEnd::Nowhere => None,
                DescentEnd::Over(goals) => Some(goals),
                DescentEnd::Leaf(_) => Some(means.next().expect("a mean for each leaf")),
            };
            search.note(descent, values.map(Vec::as_slice));
        }
        Ok(true)
    }

    /// A decision in the only state that is possible.
    fn choose_in_sight(
        &mut self,
        starts: &Starts,
        moves: Vec<MoveId>,
        classes: &MoveClasses,
        rng: &mut ChaCha8Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Decision, PlayerError> {
        let (limit, game) = (budget.limit(self.own(budget)), &self.sight.game);
        let sighted = self
            .sighted
            .get_or_insert_with(|| Box::new(Sighted::new(Arc::clone(game), self.options.playouts)));
        let places: Vec<usize> = classes.representatives().collect();
        let tried: Vec<MoveId> = places.iter().map(|&place| moves[place]).collect();
        let question =
            SightedDecision { state: &starts.get(0).state, role: self.sight.role, moves: &tried, limit };
        let SearchResult { best, estimates: found, done, stop } =
            sighted.choose(&question, rng, budget, &mut self.sight.scratch)?;
        let estimate = |(place, &chosen): (usize, &MoveId)| {
            let representative = classes.representative(place);
            let index = places.iter().position(|&place| place == representative);
            Estimate { chosen, ..found[index.expect("a class has a representative")].clone() }
        };
        let estimates = moves.iter().enumerate().map(estimate).collect();
        let chosen = one_of_class(classes, places[best], rng);
        Ok(Decision::searched(moves, (chosen, estimates), done, stop))
    }

    /// The index of the move to play, and the statistics of each.
    fn verdict(
        &self,
        search: &Search,
        starts: &Starts,
        moves: &[MoveId],
        classes: &MoveClasses,
    ) -> (usize, Vec<Estimate>) {
        // What was found about one move of a class holds for all of them.
        let estimate = |place: usize| {
            let tried = moves[classes.representative(place)];
            let found = match self.method {
                SearchMethod::HyperPlay => weighed(search, starts, tried),
                _ => met(search, tried),
            };
            Estimate { chosen: moves[place], ..found }
        };
        let estimates: Vec<Estimate> = (0..moves.len()).map(estimate).collect();
        let mean = |estimate: &Estimate| estimate.mean_goal.unwrap_or(f64::NEG_INFINITY);
        let is_better = |one: &Estimate, other: &Estimate| match self.method {
            SearchMethod::HyperPlay => mean(one) > mean(other),
            _ => one.visits > other.visits || one.visits == other.visits && mean(one) > mean(other),
        };
        let best = (1..estimates.len())
            .fold(0, |best, place| if is_better(&estimates[place], &estimates[best]) { place } else { best });
        (best, estimates)
    }
}

/// One of the moves that can be exchanged with the best one: nobody who knows the player shall know which of equal moves it takes.
fn one_of_class(classes: &MoveClasses, best: usize, rng: &mut ChaCha8Rng) -> usize {
    let class = classes.of(best);
    class[draw_index(class.len(), rng)]
}

/// The mean over all states that the search began in.
fn met(search: &Search, chosen: MoveId) -> Estimate {
    let (visits, total) = search.tries(0, chosen);
    Estimate { chosen, visits, mean_goal: (visits > 0).then(|| total / f64::from(visits)) }
}

/// The mean over the states in which a move was tried, by their weights.
fn weighed(search: &Search, starts: &Starts, chosen: MoveId) -> Estimate {
    let (mut visits, mut sum, mut weights) = (0, 0.0, 0.0);
    for number in 0..starts.len() {
        let (tries, total) = search.tries(number, chosen);
        if tries > 0 {
            let weight = starts.get(number).weight;
            visits += tries;
            sum += weight * total / f64::from(tries);
            weights += weight;
        }
    }
    Estimate { chosen, visits, mean_goal: (visits > 0).then(|| sum / weights) }
}

impl Player for SearchPlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn open_ends(&self) -> Option<OpenEnds> {
        let searched = together(self.positions.open_ends(), self.leaves.open_ends());
        together(searched.as_ref(), self.sighted.as_ref().and_then(|sighted| sighted.open_ends()))
    }

    fn coverage(&self) -> Option<Coverage> {
        self.sight.models_coverage()
    }

    fn choose(&mut self, known: &InformationSet, budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        self.infer(known, budget)?;
        let choice = self.sight.choice(known)?;
        if choice.moves.len() == 1 {
            return Ok(Decision::pure(choice.moves, 0));
        }
        let mut rng = self.sight.rng(known);
        let starts = self.starts(known, &choice, &mut rng);
        if let Some(decision) = self.plan(&starts, &choice.moves, budget)? {
            return Ok(decision);
        }
        let classes = self.symmetries.classes(&self.sight.game, known, &choice.moves)?;
        let tried = classes.representatives().map(|place| choice.moves[place]).collect();
        if self.method == SearchMethod::FullSight && starts.len() == 1 {
            self.decided = Some(known.clone());
            return self.choose_in_sight(&starts, choice.moves, &classes, &mut rng, budget);
        }
        let mut search =
            Search::new(Arc::clone(&self.sight.game), self.sight.role, self.method.view(), starts.len())
                .trying(&choice.moves, tried);
        let (done, stop) = self.search(&mut search, &starts, self.own(budget), &mut rng, budget)?;
        let (best, estimates) = self.verdict(&search, &starts, &choice.moves, &classes);
        let chosen = one_of_class(&classes, best, &mut rng);
        Ok(Decision::searched(choice.moves, (chosen, estimates), done, stop))
    }

    fn ponder(&mut self, budget: &mut Budget<'_>) {
        // Only the graph of states outlives a decision: it grows from the last one, mostly behind the move that was chosen.
        if let Some(known) = self.decided.take() {
            let before = self.sighted.is_some() && budget.is_timed();
            // What cannot be searched is said when the next move is asked for.
            let _ = before.then(|| self.choose(&known, budget));
        }
    }

    fn release(&mut self) {
        self.positions.release();
        if let Some(sighted) = &mut self.sighted {
            sighted.release();
        }
        self.sight.release();
    }
}

/// A round has at most one descent per this many earlier ones, because descents of a round do not know each other's
/// results.
const ROUND_SHARE: u32 = 4;

/// Under a clock, turns that are searched for how others chose before a decision, at most: the last ones.
const INFERRED_IN_TIME: usize = 4;
