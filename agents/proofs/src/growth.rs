//! Whether an exploration can come to an end.

use crate::limits::GraphLimits;

/// How many states are expanded before growth is judged.
const BEGIN: usize = 1 << 14;

/// So many new states for each that is expanded are many.
const MANY: usize = 2;

/// How often in a row, while twice as many are expanded, they must be many.
const IN_A_ROW: usize = 3;

/// How the states that are known grow in number with those that are expanded. It is judged by counts, so that it is the same on every machine.
#[derive(Debug)]
pub(crate) struct StateGrowth {
    /// The states that were expanded and known when it was judged.
    expanded: usize,
    known: usize,
    /// How often in a row the new ones were many.
    in_a_row: usize,
}

impl StateGrowth {
    pub(crate) const NONE: Self = Self { expanded: 0, known: 0, in_a_row: 0 };

    /// Whether there is no hope that all states fit: a quarter of the limit is known, and each state that was expanded has long brought
    /// several new ones.
    pub(crate) fn is_hopeless(&mut self, [expanded, known]: [usize; 2], limits: &GraphLimits) -> bool {
        if expanded < BEGIN.max(2 * self.expanded) {
            return false;
        }
        let are_many = known - self.known >= MANY * (expanded - self.expanded);
        self.in_a_row = if are_many { self.in_a_row + 1 } else { 0 };
        (self.expanded, self.known) = (expanded, known);
        self.in_a_row >= IN_A_ROW && known > limits.states / 4
    }
}

/// Shares of the time after which its end is foreseen: if more than so many times as many states are known then as were expanded, the rest is
/// too short for them.
const EARLY: [(f64, usize); 3] = [(0.1, 12), (0.25, 5), (0.5, 3)];

/// Whether the states that are known cannot all be expanded before the time is over, even if there are no others.
pub(crate) fn is_too_slow([expanded, known]: [usize; 2], has_passed: &dyn Fn(f64) -> bool) -> bool {
    EARLY.iter().any(|&(share, times)| known > times * expanded && has_passed(share))
}
