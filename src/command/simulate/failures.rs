//! Playouts that did not come to an end with goals: how many, what was wrong, and a first example of each.

use std::{collections::BTreeMap, io::Write};

use croupier_engine::{ByPlayer, Game, GameError, GoalValue, LimitError, RoleId, RulePlace, State};
use croupier_games::printable;
use serde::Serialize;

use crate::{
    arguments::source::Source,
    output::{
        failure::Failure,
        lines::{Lines, Place},
    },
};

/// More kinds of failure than these are only counted for people.
const SHOWN_MAX: usize = 12;

/// How a playout went: the goals and the turns it took.
pub(super) type Played = Result<(ByPlayer<GoalValue>, usize), Failed>;

/// A playout that failed.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    /// What was wrong.
    pub(super) error: GameError,
    /// Which playout it was, counted from 0.
    pub(super) playout: u64,
    /// Turns that were played before.
    pub(super) turns: usize,
    /// The state that it ended in.
    pub(super) state: State,
}

/// All playouts that failed, by what was wrong.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures {
    kinds: BTreeMap<String, FailureKind>,
}

/// Playouts that failed in the same way.
#[derive(Clone, Debug)]
struct FailureKind {
    count: u64,
    /// The one with the lowest number.
    first: Failed,
}

/// Playouts that failed in the same way.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct KindReport<'f> {
    code: &'static str,
    message: String,
    role: Option<&'f str>,
    rule: Option<RuleReport>,
    count: u64,
    first: FirstReport,
}

/// The rule that is to blame.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RuleReport {
    relation: String,
    place: Place,
}

/// The first of these playouts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FirstReport {
    /// From 0.
    playout: u64,
    turns: usize,
}

impl Failures {
    /// Counts one more.
    pub(super) fn add(&mut self, failed: Failed) {
        self.add_many(1, failed);
    }

    /// Counts those of other playouts too.
    pub(super) fn merge(&mut self, others: Self) {
        others.kinds.into_values().for_each(|FailureKind { count, first }| self.add_many(count, first));
    }

    fn add_many(&mut self, count: u64, failed: Failed) {
        // The text of an error names all that tells kinds apart: role, value, relation and limit.
        match self.kinds.get_mut(&failed.error.to_string()) {
            Some(kind) => {
                kind.count += count;
                if failed.playout < kind.first.playout {
                    kind.first = failed;
                }
            }
            None => _ = self.kinds.insert(failed.error.to_string(), FailureKind { count, first: failed }),
        }
    }

    /// How many failed.
    pub(super) fn count(&self) -> u64 {
        self.kinds.values().map(|kind| kind.count).sum()
    }

    /// How many reached a limit, which takes long.
    pub(super) fn limits(&self) -> u64 {
        let kinds = self.kinds.values().filter(|kind| kind.first.error.limit().is_some());
        kinds.map(|kind| kind.count).sum()
    }

    /// The most frequent kind first.
    fn ranked(&self) -> Vec<&FailureKind> {
        let mut kinds: Vec<&FailureKind> = self.kinds.values().collect();
        kinds.sort_by_key(|kind| (std::cmp::Reverse(kind.count), kind.first.playout));
        kinds
    }

    /// What was wrong, for people.
    pub(super) fn write(
        &self,
        game: &Game,
        source: &Source,
        playouts: u64,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        writeln!(out, "failed: {} of {playouts} playouts", self.count())?;
        let kinds = self.ranked();
        for kind in kinds.iter().take(SHOWN_MAX) {
            let FailureKind { count, first: Failed { error, playout, turns, .. } } = kind;
            let rule = kind.rule(game).map(|rule| {
                let (line, _) = Lines::of(&source.rules).start(rule.span);
                format!("; the rule for {} in line {line}", rule.relation)
            });
            let text = printable(&format!("{error}{}", rule.unwrap_or_default()));
            let turns = if *turns == 1 { "1 turn".to_owned() } else { format!("{turns} turns") };
            writeln!(out, "  {count}  {}: {text} (first in playout {playout}, after {turns})", error.code())?;
        }
        if let Some(more) = kinds.len().checked_sub(SHOWN_MAX).filter(|&more| more > 0) {
            writeln!(out, "  ... and {more} more kinds; --json has everything")?;
        }
        Ok(())
    }

    /// The same as data.
    pub(super) fn report<'f>(&'f self, game: &Game, source: &Source) -> Vec<KindReport<'f>> {
        let lines = Lines::of(&source.rules);
        let report = |kind: &'f FailureKind| {
            let FailureKind { count, first: Failed { error, playout, turns, .. } } = kind;
            let rule = kind.rule(game);
            KindReport {
                code: error.code(),
                message: error.to_string(),
                role: role_of(error),
                rule: rule.map(|RulePlace { relation, span }| RuleReport {
                    relation: relation.to_string(),
                    place: lines.place(span),
                }),
                count: *count,
                first: FirstReport { playout: *playout, turns: *turns },
            }
        };
        self.ranked().into_iter().map(report).collect()
    }
}

impl FailureKind {
    /// The rule that is to blame, where one is.
    fn rule(&self, game: &Game) -> Option<RulePlace> {
        let Failed { error, state, .. } = &self.first;
        match error {
            GameError::GoalOutOfRange { role, value } => {
                game.goal_rule(state, game.roles().find(role)?, value).ok()?
            }
            error => error.limit()?.rule().cloned(),
        }
    }
}

fn role_of(error: &GameError) -> Option<&str> {
    match error {
        GameError::NoLegalMove { role }
        | GameError::NoGoal { role }
        | GameError::SeveralGoals { role, .. }
        | GameError::GoalOutOfRange { role, .. } => Some(role),
        GameError::Limit(_) | GameError::Ground(_) | GameError::OutOfReach => None,
    }
}

/// That a playout made all turns that it may make.
pub(super) fn endless(game: &Game) -> GameError {
    LimitError::Turns { limit: game.limits().turns as u64 }.into()
}

/// That a role had nothing to play.
pub(super) fn without_move(game: &Game, role: RoleId) -> GameError {
    GameError::NoLegalMove { role: game.roles().name(role).to_owned() }
}

/// That a role had no goal.
pub(super) fn without_goal(game: &Game, role: RoleId) -> GameError {
    GameError::NoGoal { role: game.roles().name(role).to_owned() }
}
