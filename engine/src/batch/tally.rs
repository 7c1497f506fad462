//! The results of many playouts.

/// Playouts that did not end as a game should.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// They had made all turns allowed and were not over.
    pub turn_limit: u64,
    /// They ended, and some role that has goals had none.
    pub without_goal: u64,
    /// They were not over, and some role had no legal move.
    pub without_move: u64,
}

/// Counts over playouts. Those of two sets of playouts can be added.
///
/// ```
/// use croupier_engine::batch::Tally;
///
/// let mut total = Tally { playouts: 3, turns: 12, goals: vec![vec![2, 1]], ..Tally::default() };
/// total.merge(&Tally { playouts: 2, turns: 9, goals: vec![vec![0, 2]], ..Tally::default() });
/// assert_eq!((total.playouts, total.turns, total.goals), (5, 21, vec![vec![2, 3]]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many playouts there were, those with faults included.
    pub playouts: u64,
    /// Joint moves made in all of them together.
    pub turns: u64,
    /// For each role, and each index that its goals have in the network, how many playouts ended with it.
    pub goals: Vec<Vec<u64>>,
    /// What went wrong.
    pub faults: Faults,
}

impl Tally {
    /// Adds the results of other playouts of the same game. The order of adding does not matter.
    pub fn merge(&mut self, other: &Self) {
        self.playouts += other.playouts;
        self.turns += other.turns;
        self.faults.turn_limit += other.faults.turn_limit;
        self.faults.without_goal += other.faults.without_goal;
        self.faults.without_move += other.faults.without_move;
        if self.goals.len() < other.goals.len() {
            self.goals.resize(other.goals.len(), Vec::new());
        }
        for (counts, others) in self.goals.iter_mut().zip(&other.goals) {
            if counts.len() < others.len() {
                counts.resize(others.len(), 0);
            }
            for (count, other) in counts.iter_mut().zip(others) {
                *count += other;
            }
        }
    }
}
