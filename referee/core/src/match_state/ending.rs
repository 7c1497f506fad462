//! How a match ended, as its record says it.

use std::collections::BTreeMap;

use croupier_engine::{GameError, RoleId};

use crate::{
    event::Outcome,
    header::Header,
    record::{Entry, TurnLine},
};

/// The line that ends a match, but for its seal.
pub(crate) fn end_entry(header: &Header, outcome: &Outcome) -> Entry {
    let name = |role: RoleId| header.role_name(role).to_owned();
    let goals = outcome.goals().map(|goals| {
        goals.iter().map(|(role, goal)| (name(role), i64::from(goal.value()))).collect::<BTreeMap<_, _>>()
    });
    let (role, error) = match outcome {
        Outcome::GameError { role, error, .. } => (role.map(name), Some(error_word(error).to_owned())),
        Outcome::Void { role, failure } => (Some(name(*role)), Some(failure.as_str().to_owned())),
        Outcome::Withheld { by } => {
            let first = by.first();
            (first.map(|(role, _)| name(*role)), first.map(|(_, failure)| failure.as_str().to_owned()))
        }
        Outcome::Terminal { .. } | Outcome::TurnLimit { .. } | Outcome::Aborted { .. } => (None, None),
    };
    Entry::Own(TurnLine::End {
        turns: outcome.turns(),
        status: outcome.status().to_owned(),
        goals,
        role,
        error,
    })
}

/// A word rather than the text of the error, so that records outlive its wording.
pub(crate) fn error_word(error: &GameError) -> &'static str {
    match error {
        GameError::NoLegalMove { .. } => "no_legal_move",
        GameError::NoGoal { .. } => "no_goal",
        GameError::SeveralGoals { .. } => "several_goals",
        GameError::GoalOutOfRange { .. } => "goal_out_of_range",
        GameError::Limit { .. } | GameError::Ground(_) | GameError::OutOfReach => "limit",
    }
}
