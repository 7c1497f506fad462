//! States that were met: what some of them have is not excluded.

use crate::{
    cube::{BaseValue, Cube},
    interner::{is_set, row_of},
};

/// States that are looked at.
const STATES_MAX: usize = 4_096;

/// How many small sets of values are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleLimits {
    /// The largest set of which all pairs are.
    pub(crate) pairs_of: usize,
    /// The largest set of which all triples are.
    pub(crate) triples_of: usize,
    /// The most that are given.
    pub(crate) sets: usize,
}

impl SampleLimits {
    /// For one of thousands of sets.
    pub(crate) const QUICK: Self = Self { pairs_of: 80, triples_of: 24, sets: 150 };
}

/// A bit for each state, and what it should be.
#[derive(Clone, Copy)]
pub(crate) struct SampleBits<'b> {
    pub(crate) bits: &'b [u64],
    pub(crate) is_true: bool,
}

/// Some states that can be reached.
#[derive(Debug)]
pub(crate) struct StateSample {
    /// By base, a bit for each state in which it is true.
    holds: Vec<Vec<u64>>,
    words: usize,
    states: usize,
}

impl StateSample {
    /// The values of so many bases in some of these states.
    pub(crate) fn new(bases: usize, states: impl Iterator<Item = Vec<u64>>) -> Self {
        let states: Vec<Vec<u64>> = states.collect();
        let step = states.len().div_ceil(STATES_MAX).max(1);
        let chosen: Vec<Vec<u64>> = states.into_iter().step_by(step).collect();
        let words = chosen.len().div_ceil(64);
        let mut holds = vec![vec![0; words]; bases];
        for (place, row) in chosen.iter().enumerate() {
            for (base, bits) in holds.iter_mut().enumerate() {
                bits[place / 64] |= u64::from(is_set(row, base)) << (place % 64);
            }
        }
        Self { holds, words, states: chosen.len() }
    }

    /// Sets of one, two or three of the values of a set that no state here has, each without a smaller one.
    pub(crate) fn absent_within(&self, cube: &Cube, limits: &SampleLimits) -> Vec<Cube> {
        let values = &cube.0;
        let bits: Vec<Vec<u64>> = values.iter().map(|&value| self.bits(value)).collect();
        let is_empty = |bits: &[u64]| bits.iter().all(|&word| word == 0);
        let mut found: Vec<Cube> = Vec::new();
        let is_alone: Vec<bool> = bits.iter().map(|bits| is_empty(bits)).collect();
        found.extend((0..values.len()).filter(|&one| is_alone[one]).map(|one| Cube(vec![values[one]])));
        let pairs_of = if values.len() <= limits.pairs_of { values.len() } else { 0 };
        let mut met: Vec<Vec<usize>> = vec![Vec::new(); values.len()];
        for one in (0..pairs_of).filter(|&one| !is_alone[one]) {
            for other in (one + 1..pairs_of).filter(|&other| !is_alone[other]) {
                if is_empty(&both(&bits[one], &bits[other])) {
                    found.push(Cube(vec![values[one], values[other]]));
                } else {
                    met[one].push(other);
                }
            }
        }
        if values.len() <= limits.triples_of {
            for one in 0..values.len() {
                for (place, &other) in met[one].iter().enumerate() {
                    let pair = both(&bits[one], &bits[other]);
                    for &third in met[one][place + 1..].iter().filter(|third| met[other].contains(third)) {
                        if is_empty(&both(&pair, &bits[third])) {
                            found.push(Cube(vec![values[one], values[other], values[third]]));
                        }
                    }
                }
            }
        }
        found.truncate(limits.sets);
        found
    }

    /// Whether no state here has all of these values.
    pub(crate) fn is_absent(&self, values: &[BaseValue]) -> bool {
        let all = vec![u64::MAX; self.words];
        let left = values.iter().fold(all, |left, &value| both(&left, &self.bits(value)));
        left.iter().all(|&word| word == 0)
    }

    /// A bit for each state in which some base of a group is true.
    pub(crate) fn some(&self, group: &[usize]) -> Vec<u64> {
        let mut some = vec![0; self.words];
        for &base in group {
            some.iter_mut().zip(&self.holds[base]).for_each(|(some, holds)| *some |= holds);
        }
        some
    }

    /// Whether in some state two bases of a group are true.
    pub(crate) fn has_two(&self, group: &[usize]) -> bool {
        let mut some = vec![0; self.words];
        group.iter().any(|&base| {
            let own = some.iter_mut().zip(&self.holds[base]);
            own.fold(false, |two, (some, holds)| {
                let both = *some & holds;
                *some |= holds;
                two || both != 0
            })
        })
    }

    /// So many of the states at most, as rows.
    pub(crate) fn rows(&self, most: usize) -> impl Iterator<Item = Vec<u64>> {
        let step = self.states.div_ceil(most).max(1);
        (0..self.states)
            .step_by(step)
            .map(|state| row_of(self.holds.len(), |base| is_set(&self.holds[base], state)))
    }

    /// Whether in some state all of these bits are as they should be.
    pub(crate) fn has(&self, wanted: &[SampleBits<'_>]) -> bool {
        let of = |word: usize| {
            let flipped = wanted.iter().map(|own| if own.is_true { own.bits[word] } else { !own.bits[word] });
            flipped.fold(self.all(word), |left, bits| left & bits)
        };
        (0..self.words).any(|word| of(word) != 0)
    }

    fn bits(&self, value: BaseValue) -> Vec<u64> {
        let holds = &self.holds[value.base];
        if value.is_true {
            return holds.clone();
        }
        (0..self.words).map(|word| !holds[word] & self.all(word)).collect()
    }

    /// A bit for each state of a word.
    fn all(&self, word: usize) -> u64 {
        match self.states - word * 64 {
            64.. => u64::MAX,
            few => (1 << few) - 1,
        }
    }
}

fn both(one: &[u64], other: &[u64]) -> Vec<u64> {
    one.iter().zip(other).map(|(one, other)| one & other).collect()
}
