//! Where a player stands on its way through a match: what its next search starts from.

use crate::{
    Alternative, PublicError, PublicSearch, dealt_tree::NextBoard, leaves::ValuedSearch,
    searching::Searching, state::SearchRoot,
};

/// A public belief on a player's way, and what its opponent has been found to be worth there.
///
/// A player's strategies are the average ones of its searches, and its range follows from them. It knows nothing of what the others do
/// elsewhere, nor need it: it leaves its opponent no more than the search before did. So what a player does in all information sets fits
/// together, though each of its searches is made alone. That is so with two players; with more, searches trust the ranges.
#[derive(Clone, Debug)]
pub(crate) struct PlayerStanding {
    player: usize,
    root: SearchRoot,
    alternative: Option<Alternative>,
}

impl PlayerStanding {
    /// The least share of its greatest number that an opponent's range has anywhere: it is a guess, and who is not expected may come.
    const LEAST_SHARE: f64 = 0.3;

    /// Before the first move.
    pub(crate) fn first(player: usize, root: SearchRoot) -> Self {
        Self { player, root, alternative: None }
    }

    /// The public belief, if it is all that its search starts from.
    pub(crate) fn plain_root(&self) -> Option<&SearchRoot> {
        self.alternative.is_none().then_some(&self.root)
    }

    /// The place among the players of whose standing it is.
    pub(crate) fn player(&self) -> usize {
        self.player
    }

    /// Its search, before the first iteration.
    ///
    /// # Errors
    /// As [`Searching::search`].
    pub(crate) fn search(
        &self,
        searching: &mut Searching,
        next: NextBoard<'_>,
    ) -> Result<ValuedSearch, PublicError> {
        searching.search(&self.root, self.alternative.as_ref(), next)
    }

    /// Where it stands in a public state of its search.
    pub(crate) fn after(&self, search: &PublicSearch, at: usize) -> Self {
        let mut ranges = search.average_ranges(at);
        let most = |range: &[f64]| range.iter().copied().fold(0.0, f64::max);
        let own = most(&ranges[self.player]);
        // What one opponent is worth says nothing where there is another.
        let alternative = (ranges.len() == 2).then(|| {
            let player = 1 - self.player;
            let least = Self::LEAST_SHARE * most(&ranges[player]);
            ranges[player].iter_mut().for_each(|reach| *reach = reach.max(least));
            let mut values = search.values(at, player);
            // A belief has ranges whose greatest number is one.
            values.iter_mut().for_each(|value| *value /= if own > 0.0 { own } else { 1.0 });
            Alternative { player, values }
        });
        let root = SearchRoot::of(search.tree().state(at).clone(), ranges);
        Self { player: self.player, root, alternative }
    }
}
