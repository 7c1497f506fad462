//! Which of its ways a player decided in, as data.

use croupier_players::{Approach, Approaches};
use serde::Serialize;

/// A way in which a player that has several decided.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ApproachReport {
    #[cfg_attr(test, schemars(extend("enum" = crate::output::schema::tests::APPROACHES)))]
    approach: &'static str,
    /// Why it was this one.
    why: String,
    /// Decisions with a choice.
    #[cfg_attr(test, schemars(range(min = 1)))]
    decisions: u64,
}

/// Each way, why it was taken, and in how many decisions.
pub(crate) fn report(approaches: &Approaches) -> Vec<ApproachReport> {
    let approaches = approaches.iter();
    let report = |(approach, decisions): (Approach, u64)| ApproachReport {
        approach: approach.name(),
        why: approach.to_string(),
        decisions,
    };
    approaches.map(report).collect()
}
