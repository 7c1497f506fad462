//! Lists of moves, each kept once.

use std::ops::Range;

use croupier_engine::MoveId;
use rustc_hash::FxHashMap;

/// A list of moves that is kept once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ListId(u32);

/// Lists of moves, each kept once.
#[derive(Debug, Default)]
pub(super) struct Lists {
    moves: Vec<MoveId>,
    ranges: Vec<Range<u32>>,
    known: FxHashMap<Vec<MoveId>, ListId>,
}

impl Lists {
    /// The id of a list, new if it was not known.
    pub(super) fn intern(&mut self, list: &[MoveId]) -> ListId {
        if let Some(&known) = self.known.get(list) {
            return known;
        }
        let position = |len: usize| u32::try_from(len).expect("a count below 2^32");
        let start = position(self.moves.len());
        self.moves.extend_from_slice(list);
        let id = ListId(position(self.ranges.len()));
        self.ranges.push(start..position(self.moves.len()));
        self.known.insert(list.to_vec(), id);
        id
    }

    /// How many moves a list has.
    pub(super) fn len(&self, id: ListId) -> usize {
        self.ranges[id.0 as usize].len()
    }

    /// Where the moves of a list are among those of all.
    pub(super) fn range(&self, id: ListId) -> Range<u32> {
        self.ranges[id.0 as usize].clone()
    }

    /// The moves of all lists.
    pub(super) fn into_moves(self) -> Vec<MoveId> {
        self.moves
    }
}
