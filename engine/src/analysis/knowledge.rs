//! Whether players know what they may do: histories that a player cannot tell apart must agree in
//! what is legal for it and in whether the match is over.

use rustc_hash::FxHashMap;

use crate::{
    game::Percepts,
    id::{MoveId, RoleId},
};

/// The information sets of one player that playouts came through, as a tree.
#[derive(Debug, Default)]
pub(super) struct KnowledgeTree {
    /// What an own move and percepts lead to, from each information set.
    following: FxHashMap<(usize, MoveId, Percepts), usize>,
    sets: Vec<Option<FirstVisit>>,
}

/// What held at the first history of an information set.
#[derive(Clone, Debug)]
pub(super) struct FirstVisit {
    /// The legal moves; `None` at the end of a match.
    pub(super) legal: Option<Vec<MoveId>>,
    /// The playout that came there first, and after how many turns.
    pub(super) first: (usize, usize),
}

/// How two histories that a player cannot tell apart differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// One match is over, the other goes on.
    End,
    /// Both go on, with different legal moves.
    Moves,
}

/// The information set before the first move.
pub(super) const ROOT: usize = 0;

impl KnowledgeTree {
    /// The information set that follows on `set`.
    pub(super) fn follow(&mut self, set: usize, played: MoveId, percepts: &Percepts) -> usize {
        let next = self.following.len() + 1;
        *self.following.entry((set, played, percepts.clone())).or_insert(next)
    }

    /// Enters a history at an information set; what differs from the first history there.
    pub(super) fn enter(&mut self, set: usize, known: FirstVisit) -> Option<(Difference, FirstVisit)> {
        if set >= self.sets.len() {
            self.sets.resize(set + 1, None);
        }
        let Some(first) = &self.sets[set] else {
            self.sets[set] = Some(known);
            return None;
        };
        let difference = match (&first.legal, &known.legal) {
            (Some(one), Some(other)) if one != other => Difference::Moves,
            (Some(_), None) | (None, Some(_)) => Difference::End,
            (Some(_), Some(_)) | (None, None) => return None,
        };
        Some((difference, first.clone()))
    }
}

/// The players with what they know.
pub(super) type ByPlayer = Vec<(RoleId, KnowledgeTree)>;
