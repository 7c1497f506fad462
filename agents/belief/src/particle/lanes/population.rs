//! The particles after one turn, as rows of bits.

use croupier_engine::{Game, State};
use rustc_hash::FxHashMap;

use crate::{
    Distribution,
    particle::{
        lanes::picks::{Group, select},
        resampling::effective_sample_size,
    },
};

/// A population. Each particle is another history.
#[derive(Clone, Debug)]
pub(super) struct Population {
    /// Words of a row.
    words: usize,
    /// The state of each particle, one row after the other.
    rows: Vec<u64>,
    /// Invariant: at least one; not negative and of sum one.
    weights: Vec<f64>,
    /// The particle of the population before that each comes from, ascending; empty before the first turn.
    parents: Vec<u32>,
    /// What each came here by: the numbers of the moves of all roles.
    moves: Vec<u32>,
    /// How many roles there are.
    roles: usize,
    /// What the modelled roles know in each particle.
    known: Vec<u32>,
    /// Whether every history that agrees with what is known is there.
    is_complete: bool,
}

/// A population in the making: weights need not have the sum one.
#[derive(Clone, Debug, Default)]
pub(super) struct Offspring {
    pub(super) rows: Vec<u64>,
    pub(super) weights: Vec<f64>,
    pub(super) parents: Vec<u32>,
    pub(super) moves: Vec<u32>,
    pub(super) known: Vec<u32>,
}

impl Population {
    /// The beginning: one particle, and nothing else is possible.
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
        }
    }

    /// What follows; `None` if nothing does.
    pub(super) fn following(&self, offspring: Offspring, is_complete: bool) -> Option<Self> {
        let Offspring { rows, mut weights, parents, moves, known } = offspring;
        let total: f64 = weights.iter().sum();
        if total <= 0.0 {
            return None;
        }
        weights.iter_mut().for_each(|weight| *weight /= total);
        let (words, roles) = (self.words, self.roles);
        Some(Self { words, rows, weights, parents, moves, roles, known, is_complete })
    }

    /// At most about `wanted` particles, drawn if there are more.
    pub(super) fn reduced(self, wanted: usize, offset: f64) -> Self {
        if self.weights.len() <= wanted {
            return self;
        }
        let groups = (0..).zip(&self.weights);
        let groups: Vec<Group> =
            groups.map(|(parent, &weight)| Group { parent, first: 0, count: 1.0, weight }).collect();
        let mut kept = Offspring::default();
        for pick in select(&groups, wanted, offset) {
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

    /// What a particle came here by; nothing before the first turn.
    pub(super) fn moves(&self, particle: usize) -> &[u32] {
        self.moves.get(particle * self.roles..(particle + 1) * self.roles).unwrap_or_default()
    }

    /// What the modelled roles know in a particle.
    pub(super) fn known(&self, particle: usize) -> &[u32] {
        let modelled = self.known.len() / self.weights.len();
        &self.known[particle * modelled..][..modelled]
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

    pub(super) fn state(&self, game: &Game, particle: usize) -> State {
        game.state_of_row(self.row(particle))
    }

    pub(super) fn distribution(&self, game: &Game) -> Distribution {
        let mut positions: FxHashMap<&[u64], usize> = FxHashMap::default();
        let mut merged: Vec<(usize, f64)> = Vec::new();
        for (particle, &weight) in self.weights.iter().enumerate() {
            let position = *positions.entry(self.row(particle)).or_insert(merged.len());
            match merged.get_mut(position) {
                Some((_, sum)) => *sum += weight,
                None => merged.push((particle, weight)),
            }
        }
        let states: Vec<State> = merged.iter().map(|&(particle, _)| self.state(game, particle)).collect();
        let weights = merged.iter().map(|&(_, weight)| weight);
        Distribution::proportional(states.iter().zip(weights))
            .expect("a population has a particle of positive weight")
    }
}
