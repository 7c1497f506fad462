//! A few lines of play by which the sizes of relations are measured.

use super::{
    estimate::Estimate, plan::RelationId, question::Question, reasoner::Reasoner, relation::Relation,
    session::Session,
};
use crate::{
    id::{RoleId, TermId},
    limits::LimitError,
};

/// How many lines are played, and how long each may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrialLimits {
    lines: usize,
    turns: usize,
}

impl TrialLimits {
    /// A few matches; one state in three of each is evaluated completely.
    pub(super) const FEW: Self = Self { lines: 3, turns: 48 };
    /// Shorter ones, for comparing ways to compute a game whose states take long.
    pub(super) const SHORT: Self = Self { lines: 3, turns: 24 };
    /// Only the initial state.
    pub(super) const FIRST_STATE: Self = Self { lines: 1, turns: 1 };
}

/// The measurements of a few sample matches.
pub(super) struct Trial {
    /// The mean size of every relation over those states in which it has rows; `None` for one that
    /// never had, and for those that hold in every state.
    ///
    /// Empty states do not count, because a plan only matters if there is something to join: the relations
    /// derived at a showdown should be joined well at the showdown.
    pub(super) sizes: Vec<Option<Estimate>>,
    /// The relations that were being computed when a state took more fuel than the reasoner was given.
    pub(super) stopped: Vec<RelationId>,
    /// Whether the lines were played to their end: no state took more fuel than the reasoner was given.
    is_whole: bool,
    rows_looked_at: u64,
    states: u32,
}

impl Trial {
    /// Whether a whole state at least was computed.
    pub(super) fn is_telling(&self) -> bool {
        self.is_whole || self.states > 1
    }

    /// Rows examined in a state, or at least this many.
    pub(super) fn rows_per_state(&self) -> f64 {
        self.rows_looked_at as f64 / f64::from(self.states)
    }
}

/// Plays a few lines.
///
/// The lines are chosen by arithmetic, not by chance: the same rules always give the same plans.
pub(super) fn measure(reasoner: &Reasoner, TrialLimits { lines, turns }: TrialLimits) -> Trial {
    let mut session = Session::new(reasoner);
    let none = |relation: &Relation| Estimate { rows: 0.0, distinct: vec![0.0; relation.arity()] };
    let relations = reasoner.layout.relations.iter();
    let mut sums: Vec<(f64, Estimate)> = relations.map(|relation| (0.0, none(relation))).collect();
    let (mut is_whole, mut states) = (true, 0);
    for line in 0..lines {
        let mut state = reasoner.initial().to_vec();
        for turn in 0..turns {
            let is_sampled = turn % lines == line;
            let next = step(reasoner, &mut session, &state, line * 31 + turn * 7, is_sampled);
            states += 1;
            is_whole &= next.is_ok();
            let next = next.unwrap_or_default();
            if is_sampled || next.is_none() {
                add(&mut sums, session.sizes(reasoner));
            }
            match next {
                Some(next) => state = next,
                None => break,
            }
        }
        if !is_whole {
            break;
        }
    }
    let mean = |(count, sum): (f64, Estimate)| {
        let distinct = sum.distinct.iter().map(|values| (values / count).max(1.0)).collect();
        (count > 0.0).then(|| Estimate { rows: sum.rows / count, distinct })
    };
    let sizes = sums.into_iter().map(mean).collect();
    let stopped = if is_whole { Vec::new() } else { session.last_heads(reasoner) };
    Trial { sizes, stopped, is_whole, rows_looked_at: session.rows_looked_at(), states }
}

/// Plays the `choice`-th moves; `None` if the match is over or a role cannot move.
fn step(
    reasoner: &Reasoner,
    session: &mut Session,
    state: &[TermId],
    choice: usize,
    is_sampled: bool,
) -> Result<Option<Vec<TermId>>, LimitError> {
    let fluents: Vec<_> = state.iter().map(|&term| session.terms().fluent(term)).collect();
    session.load_state(reasoner, fluents.into_iter());
    session.derive(reasoner, Question::Terminal)?;
    let is_over = session.answers(reasoner, Question::Terminal).next().is_some();
    if is_sampled || is_over {
        session.derive(reasoner, Question::Goal)?;
    }
    if is_over {
        return Ok(None);
    }
    session.derive(reasoner, Question::Legal)?;
    let mut moves = Vec::new();
    for (index, role) in reasoner.roles().iter().enumerate() {
        let rows = session.answers(reasoner, Question::Legal).filter(|row| row[0] == role.raw());
        let legal: Vec<u32> = rows.map(|row| row[1]).collect();
        let (Some(role), false) = (RoleId::new(index), legal.is_empty()) else { return Ok(None) };
        moves.push((role, TermId::from_raw(legal[(choice + index * 13) % legal.len()])));
    }
    session.load_joint(reasoner, moves.into_iter());
    session.derive(reasoner, Question::Next)?;
    if is_sampled {
        session.derive(reasoner, Question::Sees)?;
    }
    let next = session.answers(reasoner, Question::Next).map(|row| TermId::from_raw(row[0]));
    Ok(Some(next.collect()))
}

fn add(sums: &mut [(f64, Estimate)], sizes: impl Iterator<Item = Option<Estimate>>) {
    for ((count, sum), size) in sums.iter_mut().zip(sizes) {
        let Some(size) = size.filter(|size| size.rows > 0.0) else { continue };
        *count += 1.0;
        sum.rows += size.rows;
        for (column, values) in sum.distinct.iter_mut().zip(size.distinct) {
            *column += values;
        }
    }
}
