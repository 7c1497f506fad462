//! The range that goals are in.

use std::io::Write;

use croupier_games::GameFacts;

/// From 0 to 100, as the language has it, or as far beyond as goals went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GoalBounds {
    pub(super) least: i32,
    pub(super) most: i32,
}

/// The range of the language.
const LANGUAGE: GoalBounds = GoalBounds { least: 0, most: 100 };

impl GoalBounds {
    /// The bounds of these goals.
    pub(crate) fn of(goals: impl IntoIterator<Item = i32>) -> Self {
        let wider = |Self { least, most }, goal: i32| Self { least: least.min(goal), most: most.max(goal) };
        goals.into_iter().fold(LANGUAGE, wider)
    }

    /// What to warn of, if goals went beyond the language and no payoff map says what they mean.
    pub(crate) fn warning(self, facts: &GameFacts) -> Option<String> {
        let beyond = if self.least < LANGUAGE.least { self.least } else { self.most };
        (self != LANGUAGE && facts.payoff.is_none()).then(|| {
            format!(
                "warning[goal-value]: the rules gave a goal of {beyond}; GDL has whole numbers from 0 to 100, and other \
                 systems may refuse this game"
            )
        })
    }

    /// Writes that warning to standard error.
    pub(crate) fn warn(self, facts: &GameFacts) {
        if let Some(line) = self.warning(facts) {
            // Nobody is left to be told if standard error is closed.
            let _ = writeln!(anstream::stderr().lock(), "{line}");
        }
    }
}
