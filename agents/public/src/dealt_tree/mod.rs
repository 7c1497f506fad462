//! Trees of public states whose histories are pairs of hands.

mod contests;
mod trees;

#[cfg(test)]
mod tests;

pub(crate) use trees::{DealtTrees, NextBoard};
