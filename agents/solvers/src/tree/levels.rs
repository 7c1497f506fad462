//! The order in which a tree grows: all histories of one length, some at a time, and then those of the next.

use std::ops::{ControlFlow, Range};

use croupier_engine::{GameError, LimitError};

use super::{TreeError, builder::TreeBuilder};

/// A growing tree, and the working memory for its histories.
pub(super) trait Growth<'g> {
    /// The histories of one length that are not expanded yet.
    type Level: Default;

    /// The tree.
    fn builder(&mut self) -> &mut TreeBuilder<'g>;

    /// How many histories there are of one length.
    fn histories(level: &Self::Level) -> usize;

    /// Adds some histories of a level to the tree, and their continuations to `next`.
    ///
    /// # Errors
    /// As [`GameTree::new`](super::GameTree::new).
    fn expand(
        &mut self,
        level: &Self::Level,
        chunk: Range<usize>,
        next: &mut Self::Level,
    ) -> Result<(), TreeError>;

    /// Ends all histories of a level instead, if the tree may be cut and has no room for their continuations.
    /// Returns whether it did.
    ///
    /// # Errors
    /// As [`GameTree::of_subgame`](super::GameTree::of_subgame).
    fn cut(&mut self, _level: &Self::Level) -> Result<bool, TreeError> {
        Ok(false)
    }
}

/// Grows a whole tree from its first level.
///
/// # Errors
/// As [`GameTree::within`](super::GameTree::within).
pub(super) fn grow<'g, G: Growth<'g>>(
    growth: &mut G,
    mut level: G::Level,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<(), TreeError> {
    let turns_max = growth.builder().game.limits().turns;
    let mut turns = 0;
    while G::histories(&level) > 0 {
        if turns > turns_max {
            return Err(GameError::from(LimitError::Turns { limit: turns_max as u64 }).into());
        }
        let mut next = G::Level::default();
        let mut expanded = 0;
        growth.builder().begin_turn();
        if growth.cut(&level)? {
            return Ok(());
        }
        while expanded < G::histories(&level) {
            let chunk = expanded..G::histories(&level).min(expanded + growth.builder().chunk);
            expanded = chunk.end;
            growth.expand(&level, chunk, &mut next)?;
            if progress(growth.builder().histories).is_break() {
                return Err(TreeError::Interrupted);
            }
        }
        level = next;
        turns += 1;
    }
    Ok(())
}
