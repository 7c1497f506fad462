//! Monte Carlo search in real time: evaluates a player's next move and its time by random playouts.
//!
//! # Sources
//! UCB1: P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002. The tree over
//! the player's own moves and observations is that of ISMCTS with a single observer (P. Cowling, E. Powley, D. Whitehouse,
//! 2012), with an instant for each move.

use std::collections::BTreeMap;

use croupier_engine::{RoleId, draw::draw_index, realtime::RealTimeError};

use super::{
    TimedTurn,
    candidates::{Candidate, candidates},
    walk::{TimedPosition, Timer, Walk, WalkEnd},
};
use crate::bandit::Span;

/// The weight of exploration against exploitation, for goals as shares of the span.
const EXPLORATION: f64 = 0.7;

/// The candidates at one node of the tree, and their results.
#[derive(Debug, Default)]
struct CandidateNode {
    arms: Vec<CandidateArm>,
    visits: u32,
}

#[derive(Debug)]
struct CandidateArm {
    candidate: Candidate,
    visits: u32,
    sum: f64,
    /// The child nodes, by the observation.
    children: BTreeMap<Vec<TimedTurn>, CandidateNode>,
}

impl CandidateNode {
    /// A place where these can be done, before any is tried.
    fn of(considered: Vec<Candidate>) -> Self {
        let arm = |candidate| CandidateArm { candidate, visits: 0, sum: 0.0, children: BTreeMap::new() };
        Self { arms: considered.into_iter().map(arm).collect(), visits: 0 }
    }
}

/// A search with a tree of a few levels; one level is flat Monte Carlo.
#[derive(Debug)]
pub(super) struct TimedSearch {
    pub(super) role: RoleId,
    pub(super) iterations: u32,
    pub(super) depth: u32,
    /// The goals of the language, and beyond them those that were met.
    pub(super) span: Span,
}

impl TimedSearch {
    /// The best thing to do from matches as they can be now.
    ///
    /// # Errors
    /// [`RealTimeError`] if the rules fail in one of them.
    pub(super) fn best(
        mut self,
        positions: &[TimedPosition],
        now_us: u64,
        walk: &mut Walk,
    ) -> Result<Candidate, RealTimeError> {
        // What is chosen is a move of the player's own game.
        let first = positions[draw_index(positions.len(), walk.rng())].clone();
        let mut root = CandidateNode::of(candidates(&first, now_us, &walk.legal(&first.state, self.role)?));
        while root.visits < self.iterations {
            walk.apart(|walk| {
                while root.visits < self.iterations && !walk.has_met_many_terms() {
                    let position = match root.visits {
                        0 => first.clone(),
                        _ => positions[draw_index(positions.len(), walk.rng())].clone(),
                    };
                    self.descend(&mut root, position, now_us, self.depth, walk)?;
                }
                Ok::<(), RealTimeError>(())
            })?;
            // Deeper in the tree moves are those of the fork that is left.
            root.arms.iter_mut().for_each(|arm| arm.children.clear());
        }
        let most = root.arms.iter().max_by_key(|arm| arm.visits);
        Ok(most.map_or(Candidate::Wait { after_us: None }, |arm| arm.candidate))
    }

    /// One descent through the tree, and its value.
    fn descend(
        &mut self,
        node: &mut CandidateNode,
        mut position: TimedPosition,
        now_us: u64,
        depth: u32,
        walk: &mut Walk,
    ) -> Result<f64, RealTimeError> {
        if node.arms.is_empty() {
            let legal = walk.legal(&position.state, self.role)?;
            *node = CandidateNode::of(candidates(&position, now_us, &legal));
        }
        let chosen = choose(node, self.span);
        let arm = &mut node.arms[chosen];
        let mut timers = walk.timers(now_us, Some(self.role));
        let wake_us = arm.candidate.after_us().map_or(u64::MAX, |after_us| now_us.saturating_add(after_us));
        if let Candidate::Play { played, .. } = arm.candidate {
            timers[self.role] = Timer { at_us: wake_us, chosen: Some(played) };
        }
        let end = walk.play_on(&mut position, &mut timers, wake_us, Some(self.role), false)?;
        let value = match end {
            WalkEnd::Over | WalkEnd::GivenUp => self.value(&position, walk)?,
            WalkEnd::Until | WalkEnd::Told(_) if depth <= 1 => self.roll_out(position, walk)?,
            WalkEnd::Until | WalkEnd::Told(_) => {
                let (told, later_us) = match end {
                    WalkEnd::Told(told) => (without_instants(told), position.at_us + 1),
                    _ => (Vec::new(), wake_us),
                };
                let is_known = arm.children.contains_key(&told);
                let child = arm.children.entry(told).or_default();
                match is_known {
                    true => self.descend(child, position, later_us, depth - 1, walk)?,
                    false => self.roll_out(position, walk)?,
                }
            }
        };
        arm.visits += 1;
        arm.sum += value;
        node.visits += 1;
        Ok(value)
    }

    /// The value of a match that is continued at random.
    fn roll_out(&mut self, mut position: TimedPosition, walk: &mut Walk) -> Result<f64, RealTimeError> {
        walk.to_the_end(&mut position)?;
        self.value(&position, walk)
    }

    /// The goal of a match that has ended; 0 if it has not ended by the rules.
    fn value(&mut self, position: &TimedPosition, walk: &mut Walk) -> Result<f64, RealTimeError> {
        if !walk.is_over(&position.state)? {
            return Ok(0.0);
        }
        let goal = f64::from(walk.goal(&position.state, self.role)?);
        self.span.note(goal);
        Ok(goal)
    }
}

/// The arm to try next.
fn choose(node: &CandidateNode, span: Span) -> usize {
    let visits = f64::from(node.visits.max(1));
    let bound = |arm: &CandidateArm| match arm.visits {
        0 => f64::INFINITY,
        tried => {
            let tried = f64::from(tried);
            span.share(arm.sum / tried) + EXPLORATION * (libm::log(visits) / tried).sqrt()
        }
    };
    let bounds: Vec<f64> = node.arms.iter().map(bound).collect();
    let mut best = 0;
    for (index, &value) in bounds.iter().enumerate() {
        if value > bounds[best] {
            best = index;
        }
    }
    best
}

/// An observation without its instant: a player's next move depends on the observation, and hardly ever on the microsecond.
fn without_instants(told: Vec<TimedTurn>) -> Vec<TimedTurn> {
    told.into_iter().map(|told| TimedTurn { at_us: 0, ..told }).collect()
}
