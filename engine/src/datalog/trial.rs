//! A few lines of play by which the sizes of relations are measured.

use super::{LimitError, estimate::Estimate, question::Question, reasoner::Reasoner, session::Session};
use crate::id::{RoleId, TermId};

/// Lines of play that are sampled, and how long each may be, if a match may be so long.
const LINES: usize = 3;
const TURNS: usize = 48;

/// The mean size of every relation over those states of a few lines of play in which it has rows;
/// `None` for one that never had. Nothing at all if even those lines take more fuel than the
/// reasoner was given.
///
/// Empty states do not count, because a plan only matters where there is something to join: what a
/// showdown derives is to be joined well at the showdown.
///
/// The lines are chosen by arithmetic, not by chance: the same rules always give the same plans.
pub(super) fn measure(reasoner: &Reasoner, turns: usize) -> Option<Vec<Option<Estimate>>> {
    let mut session = Session::new(reasoner);
    let mut sums: Vec<(f64, Estimate)> = session.sizes().map(|size| (0.0, size)).collect();
    for line in 0..LINES {
        let mut state = reasoner.initial().to_vec();
        for turn in 0..TURNS.min(turns) {
            let is_sampled = turn % LINES == line;
            let next = step(reasoner, &mut session, &state, line * 31 + turn * 7, is_sampled).ok()?;
            if is_sampled || next.is_none() {
                add(&mut sums, session.sizes());
            }
            match next {
                Some(next) => state = next,
                None => break,
            }
        }
    }
    let mean = |(count, sum): (f64, Estimate)| {
        let distinct = sum.distinct.iter().map(|values| (values / count).max(1.0)).collect();
        (count > 0.0).then(|| Estimate { rows: sum.rows / count, distinct })
    };
    Some(sums.into_iter().map(mean).collect())
}

/// Plays the `choice`-th moves; `None` where the match is over or somebody cannot move.
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

fn add(sums: &mut [(f64, Estimate)], sizes: impl Iterator<Item = Estimate>) {
    for ((count, sum), size) in sums.iter_mut().zip(sizes).filter(|(_, size)| size.rows > 0.0) {
        if *count == 0.0 {
            *sum = Estimate { rows: 0.0, distinct: vec![0.0; size.distinct.len()] };
        }
        *count += 1.0;
        sum.rows += size.rows;
        for (column, values) in sum.distinct.iter_mut().zip(size.distinct) {
            *column += values;
        }
    }
}
