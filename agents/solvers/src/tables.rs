//! The tables that an algorithm keeps from iteration to iteration.

/// Numbers for each sequence of a [`SequenceForm`](crate::SequenceForm).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tables {
    /// The cumulative regret of not having made the last move more often.
    pub(crate) regrets: Vec<f64>,
    /// The sum of how likely the sequence was made, with the weights of the iterations.
    pub(crate) averages: Vec<f64>,
}

impl Tables {
    /// Nothing is remembered.
    pub(crate) fn new(sequences: usize) -> Self {
        Self { regrets: vec![0.0; sequences], averages: vec![0.0; sequences] }
    }
}
