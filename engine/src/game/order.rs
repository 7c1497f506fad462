//! The canonical order of terms: the byte order of their printed form.

use crate::{datalog::Vocabulary, id::TermId};

/// The ranks of the terms that one thread has sorted so far, so that sorting them again only compares numbers.
#[derive(Debug, Default)]
pub(crate) struct CanonicalOrder {
    /// Ascending by text.
    ranked: Vec<(String, TermId)>,
    /// By term; `None` if it was never sorted.
    ranks: Vec<Option<u32>>,
}

impl CanonicalOrder {
    /// Sorts terms into canonical order.
    pub(crate) fn sort(&mut self, mut terms: Vec<TermId>, vocabulary: &Vocabulary) -> Vec<TermId> {
        if terms.len() > 1 {
            self.rank(&terms, vocabulary);
            terms.sort_unstable_by_key(|term| self.ranks[term.index()]);
        }
        terms
    }

    /// Assigns each term a rank. New terms change the ranks of others, which is rare once a game is warm.
    fn rank(&mut self, terms: &[TermId], vocabulary: &Vocabulary) {
        let is_ranked = |term: &TermId| self.ranks.get(term.index()).is_some_and(Option::is_some);
        let unknown: Vec<TermId> = terms.iter().copied().filter(|term| !is_ranked(term)).collect();
        if unknown.is_empty() {
            return;
        }
        self.ranked.extend(unknown.into_iter().map(|term| (vocabulary.print(term), term)));
        // Stable sorting is linear on what is sorted already.
        self.ranked.sort();
        for (rank, (_, term)) in (0..).zip(&self.ranked) {
            if term.index() >= self.ranks.len() {
                self.ranks.resize(term.index() + 1, None);
            }
            self.ranks[term.index()] = Some(rank);
        }
    }
}
