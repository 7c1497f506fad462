//! The particles after one turn, and how the particles after the next come from them.

use croupier_engine::{
    Game, GameError, InformationSet, JointMove, Scratch, State,
    draw::{draw_index, unit_interval},
};
use rand_core::Rng;
use rustc_hash::FxHashMap;

use crate::{
    Distribution,
    continuation::{Candidates, Continuations, Evidence, JointMoveClass, Telling},
    particle::{
        past::{Past, PastTurn},
        resampling::{effective_sample_size, systematic},
    },
    search::Path,
};

fn index(particle: usize) -> u32 {
    u32::try_from(particle).expect("particles are fewer than 2^32")
}

/// A population. Particles in one state share it.
#[derive(Clone, Debug)]
pub(super) struct Generation {
    /// Invariant: distinct.
    states: Vec<State>,
    /// Invariant: at least one; weights not negative and of sum one.
    particles: Vec<Particle>,
    /// What particles came here by; empty before the first turn.
    joint_moves: Vec<JointMove>,
    /// The information sets of the roles with a policy in each particle; empty if there are none, or before the first turn.
    known: Vec<Vec<InformationSet>>,
}

#[derive(Clone, Copy, Debug)]
struct Particle {
    /// Index in the states.
    state: usize,
    weight: f64,
    /// Index in the particles of the generation before.
    parent: usize,
    /// Index in the joint moves.
    joint_move: usize,
}

/// Bounds of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepLimits {
    /// Particles after a resampling.
    pub(super) particles: usize,
    /// Maximum number of joint moves of one state that are all examined; beyond it this many are drawn.
    pub(super) enumerated_max: u64,
}

/// The result of one step.
#[derive(Debug)]
pub(super) struct GenerationStep {
    /// `None` if no particle could explain the evidence.
    pub(super) generation: Option<Generation>,
    /// Joint moves whose percepts were examined.
    pub(super) joint_moves_looked_at: u64,
    /// Whether the parents were resampled.
    pub(super) is_resampled: bool,
}

impl Generation {
    /// All particles in the initial state.
    pub(super) fn initial(game: &Game, particles: usize) -> Self {
        let particle = Particle { state: 0, weight: 1.0 / particles as f64, parent: 0, joint_move: 0 };
        Self {
            states: vec![game.initial_state().clone()],
            particles: vec![particle; particles],
            joint_moves: Vec::new(),
            known: Vec::new(),
        }
    }

    /// The information sets of the roles with a policy in a particle.
    pub(super) fn known(&self, particle: usize) -> &[InformationSet] {
        self.known.get(particle).map_or(&[], Vec::as_slice)
    }

    /// Sets the information sets of the roles with a policy in each particle.
    pub(super) fn note_known(&mut self, known: Vec<Vec<InformationSet>>) {
        self.known = known;
    }

    /// The same particles with their weights multiplied; `None` if nothing is left of them.
    pub(super) fn reweighted(mut self, factors: &[f64]) -> Option<Self> {
        let weigh = |(particle, factor): (&mut Particle, &f64)| {
            particle.weight *= factor;
            particle.weight
        };
        let total: f64 = self.particles.iter_mut().zip(factors).map(weigh).sum();
        if total <= 0.0 {
            return None;
        }
        // What no policy can have done is no survivor.
        let is_alive: Vec<bool> = self.particles.iter().map(|particle| particle.weight > 0.0).collect();
        let mut alive = is_alive.iter();
        self.known.retain(|_| *alive.next().expect("a set of each particle"));
        self.particles.retain(|particle| particle.weight > 0.0);
        self.particles.iter_mut().for_each(|particle| particle.weight /= total);
        Some(self)
    }

    /// Who came from whom; nothing before the first turn.
    pub(super) fn into_past(self) -> Option<PastTurn<JointMove>> {
        let joint_move = |particle: &Particle| self.joint_moves[particle.joint_move].clone();
        (!self.joint_moves.is_empty()).then(|| PastTurn {
            parents: self.particles.iter().map(|particle| index(particle.parent)).collect(),
            moves: self.particles.iter().map(joint_move).collect(),
        })
    }

    /// Adds the turn before this generation to the past.
    pub(super) fn keep_past(&mut self, past: &mut Past<JointMove>, turn: PastTurn<JointMove>) {
        let mut parents: Vec<u32> = self.particles.iter().map(|particle| index(particle.parent)).collect();
        past.push(turn, &mut parents);
        for (particle, parent) in self.particles.iter_mut().zip(parents) {
            particle.parent = parent as usize;
        }
    }

    /// One generation for each turn of `paths`, with a particle for each of them. The weights are
    /// proportional to the probabilities of the whole paths.
    pub(super) fn lineage(paths: &[Path]) -> Vec<Self> {
        let weights = relative_weights(paths);
        let turns = paths.first().map_or(0, |path| path.steps.len());
        let generation = |turn: usize| {
            let mut next = Nursery::default();
            for (index, path) in paths.iter().enumerate() {
                let (joint_move, state) = &path.steps[turn];
                let born = next.born(state.clone(), joint_move.clone());
                next.add(born, weights[index], if turn == 0 { 0 } else { index });
            }
            next.generation
        };
        (0..turns).map(generation).collect()
    }

    pub(super) fn particles_count(&self) -> usize {
        self.particles.len()
    }

    pub(super) fn weight(&self, particle: usize) -> f64 {
        self.particles[particle].weight
    }

    pub(super) fn state(&self, particle: usize) -> &State {
        &self.states[self.particles[particle].state]
    }

    /// The parent of a particle and the joint move from it; `None` before the first turn.
    pub(super) fn origin(&self, particle: usize) -> Option<(usize, &JointMove)> {
        let particle = &self.particles[particle];
        self.joint_moves.get(particle.joint_move).map(|joint_move| (particle.parent, joint_move))
    }

    pub(super) fn effective_sample_size(&self) -> f64 {
        effective_sample_size(self.particles.iter().map(|particle| particle.weight))
    }

    pub(super) fn distribution(&self) -> Distribution {
        let weights = self.particles.iter().map(|particle| (&self.states[particle.state], particle.weight));
        Distribution::proportional(weights).expect("a generation has a particle of positive weight")
    }

    /// The particles after a turn in which the role did and was told as in `evidence`.
    pub(super) fn step(
        &self,
        game: &Game,
        evidence: Evidence<'_>,
        limits: StepLimits,
        rng: &mut impl Rng,
        scratch: &mut Scratch,
    ) -> Result<GenerationStep, GameError> {
        let mut joint_moves_looked_at = 0;
        let mut telling = Telling::new(game, evidence.percepts);
        let mut decks = Vec::with_capacity(self.states.len());
        for state in &self.states {
            let continuations = match Candidates::of(game, state, evidence, scratch)? {
                None => Continuations { parts: Vec::new() },
                Some(candidates) if candidates.count() <= limits.enumerated_max => {
                    joint_moves_looked_at += candidates.count();
                    candidates.enumerate(scratch)?
                }
                Some(candidates) => {
                    joint_moves_looked_at += limits.enumerated_max;
                    candidates.sample(limits.enumerated_max, &mut telling, rng, scratch)?
                }
            };
            decks.push(Deck::new(continuations));
        }
        let weights = self.particles.iter().map(|particle| particle.weight * decks[particle.state].share);
        let weights: Vec<f64> = weights.collect();
        let total: f64 = weights.iter().sum();
        if total <= 0.0 {
            return Ok(GenerationStep { generation: None, joint_moves_looked_at, is_resampled: false });
        }
        let is_resampled = effective_sample_size(weights.iter().copied()) < limits.particles as f64 / 2.0;
        let parents: Vec<(usize, f64)> = if is_resampled {
            let weight = 1.0 / limits.particles as f64;
            systematic(&weights, limits.particles, rng).map(|parent| (parent, weight)).collect()
        } else {
            let living = weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
            living.map(|(parent, weight)| (parent, weight / total)).collect()
        };
        let generation = Some(self.children(game, decks, parents, rng, scratch)?);
        Ok(GenerationStep { generation, joint_moves_looked_at, is_resampled })
    }

    /// A child for each parent, by a joint move dealt from the deck of its state.
    fn children(
        &self,
        game: &Game,
        mut decks: Vec<Deck>,
        parents: Vec<(usize, f64)>,
        rng: &mut impl Rng,
        scratch: &mut Scratch,
    ) -> Result<Self, GameError> {
        let mut next = Nursery::default();
        for (parent, weight) in parents {
            let state = self.particles[parent].state;
            let (pile, card) = decks[state].deal(rng);
            let born = match pile.born[card] {
                Some(born) => born,
                None => {
                    let joint_move = pile.joint_moves[card].clone();
                    let successor = game.successor(&self.states[state], &joint_move, scratch)?;
                    let born = next.born(successor, joint_move);
                    pile.born[card] = Some(born);
                    born
                }
            };
            next.add(born, weight, parent);
        }
        Ok(next.generation)
    }
}

/// The consistent joint moves of one state.
#[derive(Debug)]
struct Deck {
    share: f64,
    /// The parts that they are in, and the share of each.
    piles: Vec<(Pile, f64)>,
}

/// Joint moves that are equally likely, dealt without putting back until all have come.
#[derive(Debug)]
struct Pile {
    joint_moves: Vec<JointMove>,
    /// A permutation of the indices of the joint moves.
    order: Vec<usize>,
    /// How many at the front of the order have not been dealt.
    left: usize,
    /// The result of each joint move, once it was dealt.
    born: Vec<Option<Born>>,
}

/// A successor that some particle reached.
#[derive(Clone, Copy, Debug)]
struct Born {
    state: usize,
    joint_move: usize,
}

impl Deck {
    fn new(continuations: Continuations) -> Self {
        let pile = |part: JointMoveClass| {
            let order: Vec<usize> = (0..part.joint_moves.len()).collect();
            let (left, born) = (order.len(), vec![None; order.len()]);
            (Pile { joint_moves: part.joint_moves, order, left, born }, part.share)
        };
        let parts = continuations.parts.into_iter().filter(|part| part.share > 0.0);
        let piles: Vec<(Pile, f64)> = parts.map(pile).collect();
        Self { share: piles.iter().map(|(_, share)| share).sum(), piles }
    }

    /// The pile of the next joint move and its index there; the deck must not be empty.
    fn deal(&mut self, rng: &mut impl Rng) -> (&mut Pile, usize) {
        let mut chosen = 0;
        if self.piles.len() > 1 {
            let mut point = unit_interval(rng) * self.share;
            while chosen + 1 < self.piles.len() && point >= self.piles[chosen].1 {
                point -= self.piles[chosen].1;
                chosen += 1;
            }
        }
        let pile = &mut self.piles[chosen].0;
        if pile.left == 0 {
            pile.left = pile.order.len();
        }
        let drawn = draw_index(pile.left, rng);
        pile.left -= 1;
        pile.order.swap(drawn, pile.left);
        let card = pile.order[pile.left];
        (pile, card)
    }
}

/// A generation in the making.
#[derive(Debug)]
struct Nursery {
    generation: Generation,
    positions: FxHashMap<State, usize>,
}

impl Default for Nursery {
    fn default() -> Self {
        let generation = Generation {
            states: Vec::new(),
            particles: Vec::new(),
            joint_moves: Vec::new(),
            known: Vec::new(),
        };
        Self { generation, positions: FxHashMap::default() }
    }
}

impl Nursery {
    fn born(&mut self, state: State, joint_move: JointMove) -> Born {
        let Generation { states, joint_moves, .. } = &mut self.generation;
        joint_moves.push(joint_move);
        let position = *self.positions.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            states.len() - 1
        });
        Born { state: position, joint_move: joint_moves.len() - 1 }
    }

    fn add(&mut self, born: Born, weight: f64, parent: usize) {
        let Born { state, joint_move } = born;
        self.generation.particles.push(Particle { state, weight, parent, joint_move });
    }
}

/// Weights of sum one, proportional to the products of the probabilities of each path.
///
/// Quotients to the first path are multiplied, since the products themselves are soon too small for
/// a double.
pub(super) fn relative_weights(paths: &[Path]) -> Vec<f64> {
    let Some(first) = paths.first() else { return Vec::new() };
    let quotient = |path: &Path| {
        let pairs = path.probabilities.iter().zip(&first.probabilities);
        pairs.fold(1.0_f64, |product, (own, other)| (product * (own / other)).clamp(1e-200, 1e200))
    };
    let quotients: Vec<f64> = paths.iter().map(quotient).collect();
    let total: f64 = quotients.iter().sum();
    quotients.iter().map(|quotient| quotient / total).collect()
}
