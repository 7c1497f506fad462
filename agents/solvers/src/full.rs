//! Iterations over the whole game: CFR and its variants.
//!
//! An iteration reads the sequence form (`form.rs`), a sparse matrix for each player, whose rows are the player's last
//! moves and whose columns are the others', and visits information sets from the deepest up. The results equal those of a
//! walk through the tree, which OpenSpiel confirms iteration by iteration.

use std::ops::Range;

use rayon::prelude::*;

use crate::{
    form::{PlayerForm, SequenceForm},
    tables::Tables,
};

/// Information sets that one thread takes at once. Results do not depend on it: an information set is updated from those
/// after it, which were all done before.
const BLOCK: usize = 2_048;

/// What becomes of regrets, and what iterations weigh in the averages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weighting {
    /// All regrets are kept, and all iterations weigh the same.
    Plain,
    /// Regrets below zero are forgotten, and iterations weigh as much as their number.
    Plus,
    /// Regrets and averages weigh as much as the number of the iteration.
    Linear,
    /// Old regrets are discounted with alpha 1.5 and beta 0, averages with gamma 2.
    Discounted,
}

impl Weighting {
    /// The weight of an iteration in the averages: of discounting every older one before it is added, what remains but for
    /// a common factor.
    pub(crate) fn average(self, t: f64) -> f64 {
        match self {
            Self::Plain => 1.0,
            Self::Plus | Self::Linear => t,
            Self::Discounted => t * t,
        }
    }

    /// What is kept of regrets after an iteration.
    pub(crate) fn kept(self, t: f64) -> RegretDiscount {
        let share = |weight: f64| weight / (weight + 1.0);
        let (positive, negative) = match self {
            Self::Plain => (1.0, 1.0),
            Self::Plus => (1.0, 0.0),
            Self::Linear => (share(t), share(t)),
            Self::Discounted => (share(t * t.sqrt()), 0.5),
        };
        RegretDiscount { positive, negative }
    }
}

impl RegretDiscount {
    #[inline]
    pub(crate) fn of(self, regret: f64) -> f64 {
        regret * if regret > 0.0 { self.positive } else { self.negative }
    }
}

/// How much of a regret is kept for the next iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegretDiscount {
    positive: f64,
    negative: f64,
}

/// What all iterations share.
#[derive(Debug)]
pub(crate) struct FullIterations {
    /// By sequence: its reach probability under the current strategy.
    reach: Vec<f64>,
    /// By sequence: the probability of its last move under the current strategy.
    strategy: Vec<f64>,
    /// By information set: its counterfactual value.
    values: Vec<f64>,
}

/// A part of a level of information sets, and its tables.
struct LevelBlock<'t> {
    sets: Range<usize>,
    /// The first sequence of the first set.
    first: usize,
    regrets: &'t mut [f64],
    values: &'t mut [f64],
}

impl FullIterations {
    /// The strategy that follows from the regrets.
    pub(crate) fn new(form: &SequenceForm, tables: &Tables) -> Self {
        let mut iterations = Self {
            reach: vec![1.0; form.sequences_count()],
            strategy: vec![1.0; form.sequences_count()],
            values: vec![0.0; form.sets_count()],
        };
        for player in &form.players {
            iterations.follow(form, player, &tables.regrets);
        }
        iterations
    }

    /// One iteration: each player in turn updates its regrets, and then plays by them.
    pub(crate) fn iterate(
        &mut self,
        form: &SequenceForm,
        weighting: Weighting,
        iteration: u64,
        tables: &mut Tables,
    ) {
        let t = iteration as f64;
        let weight = weighting.average(t);
        for player in &form.players {
            self.regret(form, player, tables, weighting.kept(t));
            let range = player.sequences.clone();
            for (average, reach) in tables.averages[range.clone()].iter_mut().zip(&self.reach[range]) {
                *average += weight * reach;
            }
            self.follow(form, player, &tables.regrets);
        }
    }

    /// Adds a player's regrets of this iteration.
    fn regret(
        &mut self,
        form: &SequenceForm,
        player: &PlayerForm,
        tables: &mut Tables,
        kept: RegretDiscount,
    ) {
        let Self { reach, strategy, values } = self;
        let (reach, strategy) = (reach.as_slice(), strategy.as_slice());
        for level in player.levels.iter().rev() {
            let first = form.sets[level.start].first as usize;
            let end = form.sets[level.end - 1].sequences().end;
            let (level_values, deeper) = values[level.start..].split_at_mut(level.len());
            let deeper = Deeper { from: level.end, values: deeper };
            let whole = LevelBlock {
                sets: level.clone(),
                first,
                regrets: &mut tables.regrets[first..end],
                values: level_values,
            };
            let update = |block: LevelBlock<'_>| block.update(form, reach, strategy, &deeper, kept);
            if level.len() < 2 * BLOCK {
                update(whole);
            } else {
                whole.cut(form).into_par_iter().for_each(update);
            }
        }
    }

    /// Makes a player's strategy follow its regrets.
    fn follow(&mut self, form: &SequenceForm, player: &PlayerForm, regrets: &[f64]) {
        let Self { reach, strategy, .. } = self;
        for set in &form.sets[player.sets.clone()] {
            let sequences = set.sequences();
            let before = reach[set.parent as usize];
            let strategy = &mut strategy[sequences.clone()];
            match_regrets(&regrets[sequences.clone()], strategy);
            for (reach, probability) in reach[sequences].iter_mut().zip(strategy) {
                *reach = before * *probability;
            }
        }
    }
}

/// The values of the information sets from one on.
struct Deeper<'v> {
    from: usize,
    values: &'v [f64],
}

impl LevelBlock<'_> {
    fn update(
        self,
        form: &SequenceForm,
        reach: &[f64],
        strategy: &[f64],
        deeper: &Deeper<'_>,
        kept: RegretDiscount,
    ) {
        for (set, value) in form.sets[self.sets].iter().zip(self.values) {
            let sequences = set.sequences();
            let regrets = &mut self.regrets[sequences.start - self.first..sequences.end - self.first];
            let strategy = &strategy[sequences.clone()];
            let mut expected = 0.0;
            for ((regret, probability), sequence) in regrets.iter_mut().zip(strategy).zip(sequences) {
                let next = form.next(sequence);
                let next = &deeper.values[next.start - deeper.from..next.end - deeper.from];
                let value = next.iter().fold(form.value(sequence, reach), |sum, value| sum + value);
                expected += probability * value;
                *regret += value;
            }
            for regret in regrets {
                *regret = kept.of(*regret - expected);
            }
            *value = expected;
        }
    }
}

impl<'t> LevelBlock<'t> {
    /// The same in parts of at most [`BLOCK`] information sets.
    fn cut(self, form: &SequenceForm) -> Vec<Self> {
        let Self { sets, mut first, mut regrets, mut values } = self;
        let mut blocks = Vec::with_capacity(sets.len().div_ceil(BLOCK));
        let mut start = sets.start;
        while start < sets.end {
            let end = sets.end.min(start + BLOCK);
            let last = form.sets[end - 1].sequences().end;
            let (block_regrets, rest_regrets) = regrets.split_at_mut(last - first);
            let (block_values, rest_values) = values.split_at_mut(end - start);
            blocks.push(LevelBlock { sets: start..end, first, regrets: block_regrets, values: block_values });
            (regrets, values, first, start) = (rest_regrets, rest_values, last, end);
        }
        blocks
    }
}

/// Moves in proportion to their regrets as far as those are positive; uniform where none is.
#[inline]
pub(crate) fn match_regrets(regrets: &[f64], strategy: &mut [f64]) {
    let sum = regrets.iter().fold(0.0, |sum, regret| sum + regret.max(0.0));
    if sum > 0.0 {
        for (probability, regret) in strategy.iter_mut().zip(regrets) {
            *probability = regret.max(0.0) / sum;
        }
    } else {
        strategy.fill(1.0 / regrets.len() as f64);
    }
}
