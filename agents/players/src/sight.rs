//! A player's view of a match: its belief, and the legal moves that follow from it.

use std::sync::Arc;

use croupier_belief::{Coverage, Distribution, Opponents, ParticleBelief, ParticleOptions};
use croupier_engine::{Game, GameError, History, InformationSet, MoveId, RoleId, Scratch};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::PlayerError;

/// A belief that is carried from turn to turn.
#[derive(Debug)]
pub(crate) struct Sight {
    pub(crate) game: Arc<Game>,
    pub(crate) scratch: Scratch,
    pub(crate) role: RoleId,
    belief: ParticleBelief,
    /// A belief of more particles, if in all states of the other one there is nothing to play.
    wider: Option<ParticleBelief>,
    options: ParticleOptions,
    opponents: Opponents,
    seed: [u8; 32],
}

/// How many times more particles a wider belief has, one after the other until there is something to play in a state.
const WIDER: [usize; 4] = [4, 16, 64, 256];

/// Marks the draws of the states of a decision.
const SIGHT: u64 = 1 << 62;

/// Marks the draws of a search for how others chose.
const INFERENCE: u64 = 1 << 61;

/// What a decision starts from: what the player believes, and what it may do.
#[derive(Debug)]
pub(crate) struct DecisionPoint {
    /// The player's belief; if it has many states, a fresh sample as large as its usual number of particles.
    pub(crate) distribution: Distribution,
    /// Its legal moves in canonical order; at least one.
    pub(crate) moves: Vec<MoveId>,
}

/// Limits of a short-lived belief: never more than this many particles.
pub(crate) fn brief_belief_options(particles: usize) -> ParticleOptions {
    ParticleOptions { complete_max: 0, ..ParticleOptions::for_play(particles) }
}

impl Sight {
    /// A belief of at most this many particles before the first move, in which the others choose uniformly: enough to find
    /// the legal moves.
    pub(crate) fn new(
        game: Arc<Game>,
        role: RoleId,
        particles: usize,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        Self::with_options(game, role, brief_belief_options(particles), Opponents::uniform(), seed)
    }

    /// A belief for decisions, with opponent policies: of all states if there are not too many, otherwise of this
    /// many particles.
    pub(crate) fn to_decide(
        game: Arc<Game>,
        role: RoleId,
        particles: usize,
        opponents: Opponents,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        Self::with_options(game, role, ParticleOptions::for_play(particles), opponents, seed)
    }

    fn with_options(
        game: Arc<Game>,
        role: RoleId,
        options: ParticleOptions,
        opponents: Opponents,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        if game.roles().random() == Some(role) {
            return Err(PlayerError::RandomRole);
        }
        let belief = ParticleBelief::with_opponents(Arc::clone(&game), role, &opponents, options, seed)?;
        let scratch = game.scratch();
        Ok(Self { game, scratch, role, belief, wider: None, options, opponents, seed })
    }

    /// The belief after `known`, and the legal moves in the first of its states that has any.
    ///
    /// In a game in which a role can infer its legal moves from what it did and was told, they are the
    /// same in all states. States in which the match is over are skipped, because a move was
    /// requested. If it is over in all of them, there were too few, and more are drawn.
    pub(crate) fn choice(&mut self, known: &InformationSet) -> Result<DecisionPoint, PlayerError> {
        self.follow(known)?;
        self.wider = None;
        let distribution = self.belief.sampled_states(self.drawn_max(), &mut self.draws(known, SIGHT));
        if let Some(moves) = self.own_moves(&distribution)? {
            return Ok(DecisionPoint { distribution, moves });
        }
        for times in WIDER {
            let particles = self.options.particles.saturating_mul(times);
            let options = ParticleOptions { particles, ..self.options };
            let (game, opponents) = (Arc::clone(&self.game), &self.opponents);
            let mut wider = ParticleBelief::with_opponents(game, self.role, opponents, options, self.seed)?;
            wider.follow(known)?;
            let distribution = wider.distribution();
            if let Some(moves) = self.own_moves(&distribution)? {
                self.wider = Some(wider);
                return Ok(DecisionPoint { distribution, moves });
            }
        }
        Err(PlayerError::NothingToPlay { turn: known.turns.len() })
    }

    fn follow(&mut self, known: &InformationSet) -> Result<(), PlayerError> {
        if known.role != self.role {
            return Err(PlayerError::OtherRole);
        }
        Ok(self.belief.follow(known)?)
    }

    /// How many turns of `known` its belief has followed; none if it has to begin again.
    pub(crate) fn turns_followed(&self, known: &InformationSet) -> usize {
        let followed = self.belief.known();
        if known.turns.starts_with(&followed.turns) { followed.turns.len() } else { 0 }
    }

    /// Histories of the belief after `known`, as many as its usual number of particles at most.
    pub(crate) fn histories_after(
        &mut self,
        known: &InformationSet,
    ) -> Result<Vec<(History, f64)>, PlayerError> {
        self.follow(known)?;
        Ok(self.belief.sampled_histories(self.options.particles, &mut self.draws(known, INFERENCE)))
    }

    /// The legal moves in the first state in which there are any.
    fn own_moves(&mut self, distribution: &Distribution) -> Result<Option<Vec<MoveId>>, GameError> {
        for (state, _) in distribution.iter() {
            if self.game.is_terminal(state, &mut self.scratch)? {
                continue;
            }
            let moves = self.game.legal_moves(state, self.role, &mut self.scratch)?;
            if !moves.is_empty() {
                return Ok(Some(moves));
            }
        }
        Ok(None)
    }

    /// Frees a wider belief: the next decision follows the other one.
    pub(crate) fn release(&mut self) {
        self.wider = None;
    }

    /// How often models that go by files had an entry.
    pub(crate) fn models_coverage(&self) -> Option<Coverage> {
        self.opponents.coverage()
    }

    fn deciding(&self) -> &ParticleBelief {
        self.wider.as_ref().unwrap_or(&self.belief)
    }

    /// Whether the belief is exact.
    pub(crate) fn is_complete(&self) -> bool {
        self.deciding().is_complete()
    }

    /// Histories of the belief: all, or as many as its usual number of particles.
    pub(crate) fn histories(&self, known: &InformationSet) -> Vec<(History, f64)> {
        let count = if self.wider.is_some() { usize::MAX } else { self.drawn_max() };
        self.deciding().sampled_histories(count, &mut self.draws(known, SIGHT))
    }

    /// How many states are drawn from the belief for a decision. A player against chance alone that has all states plans on all.
    fn drawn_max(&self) -> usize {
        let is_alone = self.game.roles().players().count() == 1;
        if is_alone && self.belief.is_complete() { usize::MAX } else { self.options.particles }
    }

    /// The draws of one decision. The belief draws from the same seed in streams without the top bit.
    pub(crate) fn rng(&self, known: &InformationSet) -> ChaCha8Rng {
        self.draws(known, 0)
    }

    /// The draws of a search for how others choose.
    pub(crate) fn inference_rng(&self, known: &InformationSet) -> ChaCha8Rng {
        self.draws(known, SIGHT | INFERENCE)
    }

    fn draws(&self, known: &InformationSet, purpose: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::from_seed(self.seed);
        rng.set_stream(1 << 63 | purpose | known.turns.len() as u64);
        rng
    }
}
