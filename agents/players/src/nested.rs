//! The player that simulates whole matches in which every role knows only what it would know.

use std::sync::Arc;

use croupier_belief::{BeliefError, Coverage, Opponents, ParticleBelief};
use croupier_engine::{
    ByRole, Game, GameError, InformationSet, JointMove, LimitError, MoveId, RoleId, Scratch, State,
    draw::draw_index,
};
use rand_chacha::ChaCha8Rng;
use rand_core::Rng;
use rustc_hash::FxHashMap;

use crate::{
    Budget, Decision, Estimate, Player, PlayerError, StopReason,
    ending::{OpenEnds, together},
    leaves::Leaves,
    plan::{self, DecisionProblem},
    positions::{Outlook, Positions},
    sight::{Sight, brief_belief_options},
    starts::{Start, Starts},
};

/// How much a [`NestedPlayer`] computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NestedOptions {
    /// Imagined matches of one decision, at most.
    pub iterations: u32,
    /// Particles of the player's own belief.
    pub particles: usize,
    /// Histories drawn from it in which matches are imagined, and states that a player in them decides by.
    pub models: usize,
    /// Random playouts by which a simulated player judges a move; one if the game has no network.
    pub playouts: u32,
    /// Maximum number of evaluations with which a role that plays against chance alone may enumerate all possibilities instead
    /// of simulating matches; 0 disables this.
    pub planned: u32,
}

impl NestedOptions {
    /// What `hyperplay-ii` means without options.
    pub const STANDARD: Self =
        Self { iterations: 200, particles: 100, models: 16, playouts: 32, planned: 1_000_000 };
}

/// HyperPlay-II.
///
/// Each legal move is tried in turn in each of several histories drawn from the belief. From there a match is simulated
/// to its end in which every player, this one included, is a plain HyperPlay player: it knows what its role
/// would know in that match, draws states that agree with it, and plays the move with the best mean over
/// random playouts from them. In every second match this player's own later moves are random instead, and a move counts
/// with the better of the two results: a plain HyperPlay player that cannot keep a secret would make all of its moves look alike.
/// The move with the best result is played.
///
/// So a move that leads to knowledge gets the later value of that knowledge, which playouts from known states
/// miss. The price is a belief for every decision of a simulated match. A simulated player for whose information no
/// belief is found plays at random.
///
/// # Sources
/// M. Schofield and M. Thielscher, "Lifting Model Sampling for General Game Playing to Incomplete-Information
/// Models", AAAI 2015: HyperPlay-II and its incomplete-information simulations. There the inner players are HyperPlay
/// players too; here they judge moves by flat playouts, and their decisions for an information set are cached for all
/// simulated matches of a decision. The better of several continuations: H. S. Chang, R. Givan and E. Chong,
/// "Parallel Rollout for Online Solution of Partially Observable Markov Decision Processes", Discrete Event Dynamic
/// Systems 14, 2004.
#[derive(Debug)]
pub struct NestedPlayer {
    sight: Sight,
    options: NestedOptions,
    positions: Positions,
    leaves: Leaves,
}

impl NestedPlayer {
    /// A player of `role` whose draws depend only on `seed` and the turn.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        options: NestedOptions,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        Self::with_opponents(game, role, options, Opponents::uniform(), seed)
    }

    /// The same, with opponent policies in its belief.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn with_opponents(
        game: Arc<Game>,
        role: RoleId,
        options: NestedOptions,
        opponents: Opponents,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        let sight = Sight::to_decide(Arc::clone(&game), role, options.particles, opponents, seed)?;
        let positions = Positions::new(Arc::clone(&game), game.roles().players().collect());
        Ok(Self { sight, options, positions, leaves: Leaves::new(game, options.playouts) })
    }
}

impl Player for NestedPlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn open_ends(&self) -> Option<OpenEnds> {
        together(self.positions.open_ends(), self.leaves.open_ends())
    }

    fn coverage(&self) -> Option<Coverage> {
        self.sight.models_coverage()
    }

    fn choose(&mut self, known: &InformationSet, budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        let choice = self.sight.choice(known)?;
        let moves = choice.moves;
        if moves.len() == 1 {
            return Ok(Decision::pure(moves, 0));
        }
        let game = Arc::clone(&self.sight.game);
        let is_possible = plan::is_alone(&game, self.sight.role) && self.sight.is_complete();
        if self.options.planned > 0 && is_possible {
            let starts = Starts::of_states(&choice.distribution);
            let (positions, scratch) = (&mut self.positions, &mut self.sight.scratch);
            let mut plan =
                DecisionProblem::new(&game, self.sight.role, positions, scratch, self.options.planned);
            if let Some(worths) = plan.worths(&starts, &moves, budget)? {
                return Ok(Decision::planned(&moves, &worths));
            }
        }
        let mut rng = self.sight.rng(known);
        let starts = Starts::of_histories(self.sight.histories(known));
        let starts = starts.reduced(self.options.models, &mut rng);
        let mut seed = [0; 32];
        rng.fill_bytes(&mut seed);
        let mut imagination = Imagination {
            game: Arc::clone(&self.sight.game),
            seed,
            models: self.options.models,
            positions: &mut self.positions,
            leaves: &mut self.leaves,
            scratch: &mut self.sight.scratch,
            rng,
            decisions: FxHashMap::default(),
        };
        let mut tries = vec![[Tries::default(); OwnPlay::ALL.len()]; moves.len()];
        let mut done = 0;
        let stop = loop {
            if let Some(stop) = budget.stop(done, self.options.iterations) {
                break stop;
            }
            let (place, round) = (done as usize % moves.len(), done as usize / moves.len());
            let (number, way) = (round / OwnPlay::ALL.len() % starts.len(), round % OwnPlay::ALL.len());
            let start = starts.get(number);
            match imagination.play(start, OwnPlay::ALL[way], known, moves[place], budget)? {
                Imagined::Late => break StopReason::Deadline,
                Imagined::Nothing => {}
                Imagined::Goal(goal) => tries[place][way].add(start.weight, goal),
            }
            done += 1;
        };
        let estimates: Vec<Estimate> =
            moves.iter().zip(&tries).map(|(&chosen, tries)| estimate(chosen, tries)).collect();
        let mean = |place: usize| estimates[place].mean_goal.unwrap_or(f64::NEG_INFINITY);
        let best =
            (1..moves.len()).fold(0, |best, place| if mean(place) > mean(best) { place } else { best });
        Ok(Decision::searched(moves, (best, estimates), done, stop))
    }

    fn release(&mut self) {
        self.positions.release();
        self.sight.release();
    }
}

/// Particles of each belief in a simulated match. They cost little on lanes, and more of them make it likelier that
/// all remaining states are found when there are few.
const INNER_PARTICLES: usize = 200;

/// The results of a move.
#[derive(Clone, Copy, Debug, Default)]
struct Tries {
    visits: u32,
    weights: f64,
    total: f64,
}

impl Tries {
    fn add(&mut self, weight: f64, goal: f64) {
        self.visits += 1;
        self.weights += weight;
        self.total += weight * goal;
    }

    fn mean(&self) -> Option<f64> {
        (self.visits > 0).then(|| self.total / self.weights)
    }
}

/// The result of a move with the better continuation.
fn estimate(chosen: MoveId, ways: &[Tries]) -> Estimate {
    let visits = ways.iter().map(|tries| tries.visits).sum();
    let mean_goal = ways.iter().filter_map(Tries::mean).reduce(f64::max);
    Estimate { chosen, visits, mean_goal }
}

/// How the player who imagines a match plays on in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OwnPlay {
    /// Played like everyone else in the match.
    HyperPlay,
    /// Each legal move with the same probability.
    Random,
}

impl OwnPlay {
    const ALL: [Self; 2] = [Self::HyperPlay, Self::Random];
}

/// The result of a simulated match.
enum Imagined {
    /// Time was up before its end.
    Late,
    /// The move is illegal in the state in which it should be played.
    Nothing,
    /// Its goal for the player who imagines it.
    Goal(f64),
}

/// The decisions of inner players by information set.
#[derive(Clone, Copy, Debug)]
enum Resolve {
    Play(MoveId),
    /// There is no belief on which to base a decision.
    Guess,
}

/// Imagined matches of one decision.
struct Imagination<'i> {
    game: Arc<Game>,
    /// Of the inner beliefs.
    seed: [u8; 32],
    models: usize,
    positions: &'i mut Positions,
    leaves: &'i mut Leaves,
    scratch: &'i mut Scratch,
    rng: ChaCha8Rng,
    decisions: FxHashMap<InformationSet, Resolve>,
}

impl Imagination<'_> {
    /// Simulates a match from `start`, in which the role with the knowledge `known` first plays `own_move`.
    fn play(
        &mut self,
        start: &Start,
        own_play: OwnPlay,
        known: &InformationSet,
        own_move: MoveId,
        budget: &mut Budget<'_>,
    ) -> Result<Imagined, PlayerError> {
        self.positions.trim();
        let game = Arc::clone(&self.game);
        let mut minds = ByRole::try_from_fn(game.roles(), |role| match &start.history {
            _ if role == known.role => Ok(Some(known.clone())),
            Some(history) if game.roles().random() != Some(role) => {
                self.positions.known(history, role, self.scratch).map(Some)
            }
            _ => Ok(None),
        })?;
        let mut at = self.positions.id(&start.state);
        for turn in 0..=game.limits().turns {
            let Outlook::Running(legal) = self.positions.outlook(at, self.scratch)? else {
                if turn == 0 {
                    return Ok(Imagined::Nothing);
                }
                return Ok(Imagined::Goal(self.positions.goals(at, self.scratch)?[known.role.index()]));
            };
            if turn == 0 && !legal[known.role].contains(&own_move) {
                return Ok(Imagined::Nothing);
            }
            let mut chosen = legal.map(|_| Vec::new());
            for (role, moves) in legal.iter() {
                let played = match &minds[role] {
                    Some(_) if turn == 0 && role == known.role => Some(own_move),
                    Some(_) if role == known.role && own_play == OwnPlay::Random => None,
                    Some(mind) if moves.len() > 1 => match self.decide(mind, moves, budget)? {
                        Some(resolve) => self.carry_out(resolve, moves),
                        None => return Ok(Imagined::Late),
                    },
                    _ => None,
                };
                chosen[role] = vec![played.unwrap_or_else(|| moves[draw_index(moves.len(), &mut self.rng)])];
            }
            let joint_move = only(&game, &chosen);
            let passage = self.positions.passage(at, &joint_move, self.scratch)?;
            for (role, mind) in minds.iter_mut() {
                if let Some(mind) = mind {
                    mind.turns.push((joint_move.of(role), passage.percepts[role.index()].clone()));
                }
            }
            at = passage.successor;
        }
        let limit = game.limits().turns as u64;
        Err(GameError::from(LimitError::Turns { limit }).into())
    }

    /// The move decided on, if it can be played.
    fn carry_out(&self, resolve: Resolve, moves: &[MoveId]) -> Option<MoveId> {
        match resolve {
            Resolve::Play(played) => moves.contains(&played).then_some(played),
            Resolve::Guess => None,
        }
    }

    /// The choice of a plain HyperPlay player with the knowledge `known`; `None` if time ran out.
    fn decide(
        &mut self,
        known: &InformationSet,
        moves: &[MoveId],
        budget: &mut Budget<'_>,
    ) -> Result<Option<Resolve>, PlayerError> {
        if let Some(&resolve) = self.decisions.get(known) {
            return Ok(Some(resolve));
        }
        if budget.is_over() {
            return Ok(None);
        }
        let Some(states) = self.states(known)? else {
            self.decisions.insert(known.clone(), Resolve::Guess);
            return Ok(Some(Resolve::Guess));
        };
        let Some(means) = self.means(&states, known.role, moves, budget)? else { return Ok(None) };
        let best =
            (1..moves.len()).fold(0, |best, place| if means[place] > means[best] { place } else { best });
        let resolve = Resolve::Play(moves[best]);
        self.decisions.insert(known.clone(), resolve);
        Ok(Some(resolve))
    }

    /// States that agree with what a role knows, with their weights, if any are found.
    fn states(&mut self, known: &InformationSet) -> Result<Option<Starts>, PlayerError> {
        let options = brief_belief_options(self.models.max(INNER_PARTICLES));
        let mut belief = ParticleBelief::new(Arc::clone(&self.game), known.role, options, self.seed)?;
        match belief.follow(known) {
            Ok(()) => {
                let states = Starts::of_states(&belief.distribution());
                Ok(Some(states.reduced(self.models, &mut self.rng)))
            }
            Err(BeliefError::Depleted { .. } | BeliefError::Inconsistent { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The mean of each move over states, by playouts after it; `None` if time was up.
    fn means(
        &mut self,
        states: &Starts,
        role: RoleId,
        moves: &[MoveId],
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<f64>>, PlayerError> {
        let mut totals = vec![0.0; moves.len()];
        let mut weights = vec![0.0; moves.len()];
        let mut waiting: Vec<(usize, f64, State)> = Vec::new();
        let pairs = (0..states.len()).flat_map(|number| (0..moves.len()).map(move |place| (number, place)));
        let mut pairs = pairs.peekable();
        while let Some((number, place)) = pairs.next() {
            let Start { state, weight, .. } = states.get(number);
            if let Some(after) = self.after(state, role, moves[place])? {
                waiting.push((place, *weight, after));
            }
            let is_full = waiting.len() >= self.leaves.width() as usize;
            if waiting.is_empty() || !is_full && pairs.peek().is_some() {
                continue;
            }
            let leaves: Vec<&State> = waiting.iter().map(|(_, _, after)| after).collect();
            let found = self.leaves.means(&leaves, &mut self.rng, budget, self.scratch)?;
            let Some(found) = found else { return Ok(None) };
            for ((place, weight, _), means) in waiting.drain(..).zip(found) {
                totals[place] += weight * means[role.index()];
                weights[place] += weight;
            }
        }
        // A move that could be tried nowhere is the last to be played.
        let mean =
            |(total, weight): (&f64, &f64)| if *weight > 0.0 { total / weight } else { f64::NEG_INFINITY };
        Ok(Some(totals.iter().zip(&weights).map(mean).collect()))
    }

    /// The state after a move of a role and random ones of the others, if it can be played.
    fn after(&mut self, state: &State, role: RoleId, own_move: MoveId) -> Result<Option<State>, GameError> {
        let at = self.positions.id(state);
        let Outlook::Running(legal) = self.positions.outlook(at, self.scratch)? else { return Ok(None) };
        if !legal[role].contains(&own_move) {
            return Ok(None);
        }
        let chosen = ByRole::from_fn(self.game.roles(), |other| {
            let moves = &legal[other];
            vec![if other == role { own_move } else { moves[draw_index(moves.len(), &mut self.rng)] }]
        });
        let joint_move = only(&self.game, &chosen);
        Ok(Some(self.game.successor(state, &joint_move, self.scratch)?))
    }
}

/// The joint move of one move for each role.
fn only(game: &Game, chosen: &ByRole<Vec<MoveId>>) -> JointMove {
    game.joint_moves(chosen).next().expect("every role has a move here")
}
