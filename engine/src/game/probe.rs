//! Queries that only an analysis needs.

use std::sync::Arc;

use super::{Backend, Game, GameError, JointMove, Options, PerceptReading, Scratch, State};
use crate::{
    check::CheckedRules,
    datalog::Question,
    diagnostic::{RulePlace, Strictness},
    game::ByRole,
    id::{MoveId, RoleId},
    limits::Limits,
};

impl Game {
    /// Creates a game in which few states are looked at, with percepts from the old state.
    ///
    /// # Errors
    /// [`GameError::Limit`].
    pub(crate) fn for_probes(rules: Arc<CheckedRules>, limits: &Limits) -> Result<Self, GameError> {
        let options = Options {
            limits: *limits,
            strictness: rules.strictness(),
            percepts: PerceptReading::OldState,
            backend: Backend::Datalog,
        };
        Self::build(rules, &options)
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Arc<CheckedRules> {
        &self.rules
    }

    /// Whether one of two games was forked from the other, or both from the same: they have the same rules, in the same names.
    #[must_use]
    pub fn is_fork_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules)
    }

    /// How strictly the rules were checked.
    #[must_use]
    pub fn strictness(&self) -> Strictness {
        self.options.strictness
    }

    /// Every goal that the rules give a role in `state`, as printed, in canonical order: none, one,
    /// or, if the rules are wrong, several.
    ///
    /// # Errors
    /// [`GameError::Limit`].
    pub fn goal_values(
        &self,
        state: &State,
        role: RoleId,
        scratch: &mut Scratch,
    ) -> Result<Vec<String>, GameError> {
        scratch.load(&self.engines, state);
        scratch.derive(&self.engines, Question::Goal)?;
        let values = scratch.goals(&self.engines, role);
        let mut values: Vec<String> = values.into_iter().map(|(_, value)| value).collect();
        values.sort_unstable();
        Ok(values)
    }

    /// The first rule in the text that gives a role this goal in `state`, by the lifted reasoner; `None` if there is none,
    /// or if goals depend on each other.
    ///
    /// # Errors
    /// [`GameError::Limit`].
    ///
    /// # Complexity
    /// One evaluation with separate memory: use it for messages only.
    pub fn goal_rule(
        &self,
        state: &State,
        role: RoleId,
        value: &str,
    ) -> Result<Option<RulePlace>, GameError> {
        let mut scratch = self.lifted_scratch();
        scratch.load(&self.engines, state);
        scratch.derive(&self.engines, Question::Goal)?;
        let goals = scratch.goals(&self.engines, role).into_iter();
        let rule = goals.filter(|(_, given)| given == value).find_map(|(rule, _)| rule);
        Ok(rule.map(|rule| self.engines.reasoner.place(rule).clone()))
    }

    /// A joint move from moves that were just found to be legal.
    pub(crate) fn joint_move_of_legal(&self, moves: ByRole<MoveId>) -> JointMove {
        JointMove { moves }
    }
}
