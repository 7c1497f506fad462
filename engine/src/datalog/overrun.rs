//! What takes too much already when a program is compiled.

use crate::limits::LimitError;

/// A component of the dependency graph that exceeds a limit when it is computed for all states.
#[derive(Clone, Debug)]
pub(super) struct Overrun {
    /// Its position in the graph; `None` if it is not in the graph.
    pub(super) scc: Option<usize>,
    pub(super) limit: LimitError,
}

impl From<LimitError> for Overrun {
    fn from(limit: LimitError) -> Self {
        Self { scc: None, limit }
    }
}
