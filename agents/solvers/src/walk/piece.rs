//! Information sets of one player with their histories, a piece of one length.

use std::ops::Range;

use crate::tree::knowledge::KnowledgeId;

/// Information sets of one player, all after the same number of turns, and the histories of each.
#[derive(Debug, Default)]
pub(super) struct WalkPiece {
    /// Words of a state.
    pub(super) words: usize,
    /// The number of the others' ids per history: none if knowledge does not matter.
    pub(super) others: usize,
    /// A row of bits for each history.
    pub(super) states: Vec<u64>,
    /// How probable chance and the others make each history.
    pub(super) weights: Vec<f64>,
    /// The others' information sets in each history.
    pub(super) known: Vec<KnowledgeId>,
    /// The end of the histories of each information set.
    pub(super) ends: Vec<usize>,
    /// The player's knowledge in each information set, if that matters.
    pub(super) own: Vec<KnowledgeId>,
}

impl WalkPiece {
    /// No histories yet.
    pub(super) fn new(words: usize, others: usize) -> Self {
        Self { words, others, ..Self::default() }
    }

    /// How many histories there are.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// How many information sets there are.
    pub(super) fn sets(&self) -> usize {
        self.ends.len()
    }

    /// The histories of an information set.
    pub(super) fn histories(&self, set: usize) -> Range<usize> {
        let start = set.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[set]
    }

    /// The state of a history.
    pub(super) fn state(&self, history: usize) -> &[u64] {
        &self.states[history * self.words..(history + 1) * self.words]
    }

    /// The others' information sets in a history.
    pub(super) fn known(&self, history: usize) -> &[KnowledgeId] {
        &self.known[history * self.others..(history + 1) * self.others]
    }

    /// Information sets in order, in parts of about `size` histories.
    pub(super) fn parts(&self, size: usize) -> Vec<Range<usize>> {
        let (mut parts, mut start) = (Vec::new(), 0);
        for set in 0..self.sets() {
            let first = self.histories(start).start;
            if set > start && self.ends[set] - first > size {
                parts.push(start..set);
                start = set;
            }
        }
        if start < self.sets() {
            parts.push(start..self.sets());
        }
        parts
    }

    /// Some of the information sets, with their histories.
    pub(super) fn part(&self, sets: Range<usize>) -> Self {
        let (first, end) = (self.histories(sets.start).start, self.ends[sets.end - 1]);
        Self {
            words: self.words,
            others: self.others,
            states: self.states[first * self.words..end * self.words].to_vec(),
            weights: self.weights[first..end].to_vec(),
            known: self.known[first * self.others..end * self.others].to_vec(),
            ends: self.ends[sets.clone()].iter().map(|end| end - first).collect(),
            own: self.own.get(sets).unwrap_or_default().to_vec(),
        }
    }
}
