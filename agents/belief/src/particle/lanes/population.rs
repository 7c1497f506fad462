//! The particles after one turn, as rows of bits.

use croupier_engine::{State, draw::unit_interval, game::GameNetwork, stages::bits::ones};
use rand_core::Rng;
use rustc_hash::FxHashMap;

use crate::{
    Distribution,
    particle::{
        lanes::picks::{Group, select},
        past::{Past, PastTurn},
        resampling::effective_sample_size,
    },
};

/// A population. Each particle is another history, or where histories are merged, another state.
#[derive(Clone, Debug)]
pub(in crate::particle) struct Population {
    /// Words of a row.
    words: usize,
    /// The state of each particle, one row after the other.
    rows: Vec<u64>,
    /// Invariant: at least one; not negative and of sum one.
    weights: Vec<f64>,
    /// The particle of the population before that each comes from, ascending; empty before the first turn.
    parents: Vec<u32>,
    /// The moves by which each was reached: the indices of the moves of all roles.
    moves: Vec<u32>,
    /// How many roles there are.
    roles: usize,
    /// The information sets of the modelled roles in each particle.
    known: Vec<u32>,
    /// Whether every history that agrees with what is known is present, or represented by another one in the same state.
    is_complete: bool,
    /// The number of histories per state in the last turn in which that was measured.
    histories_each: f64,
}

/// A population in the making: weights need not have the sum one.
#[derive(Clone, Debug, Default)]
pub(super) struct Offspring {
    pub(super) rows: Vec<u64>,
    pub(super) weights: Vec<f64>,
    pub(super) parents: Vec<u32>,
    pub(super) moves: Vec<u32>,
    pub(super) known: Vec<u32>,
    /// The number of histories per state, if that was measured.
    pub(super) histories_each: Option<f64>,
}

/// Maximum number of histories examined per requested particle, however many share a state.
const HISTORIES_EACH_MAX: f64 = 8.0;

impl Population {
    /// The start: one particle, and nothing else is possible.
    pub(super) fn initial(row: Vec<u64>, roles: usize, known: Vec<u32>) -> Self {
        Self {
            words: row.len(),
            rows: row,
            weights: vec![1.0],
            parents: Vec::new(),
            moves: Vec::new(),
            roles,
            known,
            is_complete: true,
            histories_each: 1.0,
        }
    }

    /// The same particles without their origins.
    pub(super) fn alone(&self) -> Self {
        let (words, rows, weights) = (self.words, self.rows.clone(), self.weights.clone());
        let (parents, moves, known) = (Vec::new(), Vec::new(), self.known.clone());
        let Self { roles, is_complete, histories_each, .. } = *self;
        Self { words, rows, weights, parents, moves, roles, known, is_complete, histories_each }
    }

    /// The probability of each base.
    pub(super) fn base_probabilities(&self, bases: usize) -> Vec<f64> {
        let mut sums = vec![0.0; bases];
        for (row, &weight) in self.rows.chunks_exact(self.words.max(1)).zip(&self.weights) {
            ones(row).for_each(|base| sums[base] += weight);
        }
        sums
    }

    /// Bytes that it takes, about.
    pub(in crate::particle) fn bytes(&self) -> usize {
        size_of_val(&*self.rows) + size_of_val(&*self.weights) + size_of_val(&*self.known)
    }

    /// The successors; `None` if there are none.
    pub(super) fn following(&self, offspring: Offspring, is_complete: bool) -> Option<Self> {
        let Offspring { rows, mut weights, parents, moves, known, histories_each } = offspring;
        let histories_each = histories_each.unwrap_or(self.histories_each);
        let total: f64 = weights.iter().sum();
        if total <= 0.0 {
            return None;
        }
        weights.iter_mut().for_each(|weight| *weight /= total);
        let (words, roles) = (self.words, self.roles);
        Some(Self { words, rows, weights, parents, moves, roles, known, is_complete, histories_each })
    }

    /// The same with one particle for all that are in one state and in which modelled roles have the same information sets: one of them,
    /// drawn by weight, with the total weight.
    pub(super) fn merged(&self, offspring: Offspring, rng: &mut impl Rng) -> Offspring {
        let count = offspring.weights.len();
        let modelled = offspring.known.len() / count.max(1);
        let row = |index: usize| &offspring.rows[index * self.words..][..self.words];
        let known = |index: usize| &offspring.known[index * modelled..][..modelled];
        let mut places: FxHashMap<(&[u64], &[u32]), usize> = FxHashMap::default();
        let mut merged: Vec<(usize, f64)> = Vec::new();
        for (index, &weight) in offspring.weights.iter().enumerate() {
            let place = *places.entry((row(index), known(index))).or_insert(merged.len());
            match merged.get_mut(place) {
                Some((drawn, sum)) => {
                    *sum += weight;
                    if unit_interval(rng) * *sum < weight {
                        *drawn = index;
                    }
                }
                None => merged.push((index, weight)),
            }
        }
        let histories_each = Some(count as f64 / merged.len().max(1) as f64);
        if merged.len() == count {
            return Offspring { histories_each, ..offspring };
        }
        merged.sort_unstable_by_key(|&(drawn, _)| drawn);
        let mut kept = Offspring { histories_each, ..Offspring::default() };
        for (drawn, sum) in merged {
            kept.rows.extend_from_slice(row(drawn));
            kept.weights.push(sum);
            kept.parents.push(offspring.parents[drawn]);
            kept.moves.extend_from_slice(&offspring.moves[drawn * self.roles..][..self.roles]);
            kept.known.extend_from_slice(known(drawn));
        }
        kept
    }

    /// How many histories to examine for each requested particle, if those in the same state are merged.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small number, at least one"
    )]
    pub(super) fn histories_each(&self) -> usize {
        self.histories_each.clamp(1.0, HISTORIES_EACH_MAX).ceil() as usize
    }

    /// No more than are kept, or are kept if they are all.
    pub(super) fn at_most(self, kept: usize, kept_if_complete: usize, rng: &mut impl Rng) -> Self {
        let most = if self.is_complete { kept_if_complete } else { kept };
        if self.weights.len() <= most { self } else { self.reduced(kept, rng) }
    }

    /// At most about `wanted` particles, sampled if there are more.
    pub(super) fn reduced(self, wanted: usize, rng: &mut impl Rng) -> Self {
        if self.weights.len() <= wanted {
            return self;
        }
        let groups = (0..).zip(&self.weights);
        let groups: Vec<Group> =
            groups.map(|(parent, &weight)| Group { parent, first: 0, count: 1.0, weight }).collect();
        let mut kept = Offspring::default();
        for pick in select(&groups, wanted, rng) {
            let index = pick.parent as usize;
            kept.rows.extend_from_slice(self.row(index));
            kept.weights.push(pick.weight);
            kept.parents.push(self.parents[index]);
            kept.moves.extend_from_slice(self.moves(index));
            kept.known.extend_from_slice(self.known(index));
        }
        self.following(kept, false).expect("a population has a particle of positive weight")
    }

    pub(super) fn particles_count(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Words of the row of a particle.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }

    pub(super) fn row(&self, particle: usize) -> &[u64] {
        &self.rows[particle * self.words..][..self.words]
    }

    /// The parent of a particle; nothing before the first turn.
    pub(super) fn parent(&self, particle: usize) -> Option<usize> {
        self.parents.get(particle).map(|&parent| parent as usize)
    }

    /// The moves by which a particle was reached; empty before the first turn.
    pub(super) fn moves(&self, particle: usize) -> &[u32] {
        self.moves.get(particle * self.roles..(particle + 1) * self.roles).unwrap_or_default()
    }

    /// The information sets of the modelled roles in a particle.
    pub(super) fn known(&self, particle: usize) -> &[u32] {
        let modelled = self.known.len() / self.weights.len();
        &self.known[particle * modelled..][..modelled]
    }

    /// Who came from whom; nothing before the first turn.
    pub(super) fn into_past(self) -> Option<PastTurn<u32>> {
        (!self.parents.is_empty()).then_some(PastTurn { parents: self.parents, moves: self.moves })
    }

    /// Adds the turn before this population to the past.
    pub(super) fn keep_past(&mut self, past: &mut Past<u32>, turn: PastTurn<u32>) {
        past.push(turn, &mut self.parents);
    }

    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    pub(super) fn effective_sample_size(&self) -> f64 {
        effective_sample_size(self.weights.iter().copied())
    }

    /// The bases that are true in all particles, and those that are true in some.
    pub(super) fn bounds(&self) -> (Vec<u64>, Vec<u64>) {
        let (mut all, mut some) = (vec![u64::MAX; self.words], vec![0; self.words]);
        for row in self.rows.chunks_exact(self.words.max(1)) {
            for (word, &bits) in row.iter().enumerate() {
                all[word] &= bits;
                some[word] |= bits;
            }
        }
        (all, some)
    }

    pub(super) fn state(&self, network: &GameNetwork, particle: usize) -> State {
        network.state_of_row(self.row(particle))
    }

    pub(super) fn distribution(&self, network: &GameNetwork) -> Distribution {
        let mut positions: FxHashMap<&[u64], usize> = FxHashMap::default();
        let mut merged: Vec<(usize, f64)> = Vec::new();
        for (particle, &weight) in self.weights.iter().enumerate() {
            let position = *positions.entry(self.row(particle)).or_insert(merged.len());
            match merged.get_mut(position) {
                Some((_, sum)) => *sum += weight,
                None => merged.push((particle, weight)),
            }
        }
        let states: Vec<State> = merged.iter().map(|&(particle, _)| self.state(network, particle)).collect();
        let weights = merged.iter().map(|&(_, weight)| weight);
        Distribution::proportional(states.iter().zip(weights))
            .expect("a population has a particle of positive weight")
    }
}
