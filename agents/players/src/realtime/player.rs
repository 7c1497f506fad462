//! A player of one role of one real-time match.

use std::sync::Arc;

use croupier_engine::{
    MoveId, Percepts, RoleId,
    draw::draw_index,
    realtime::{RealTimeError, RealTimeGame},
};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

use super::{
    RealTimeKind, TimedBelief,
    candidates::Candidate,
    search::TimedSearch,
    walk::{TimedPosition, Walk},
};
use crate::bandit::Span;

/// Matches in the belief of players that only need to find the legal moves.
const PARTICLES: usize = 4;

/// Levels of the tree of a search that has one.
const DEPTH: u32 = 4;

/// Microseconds after which a player looks again when no match agrees with what it was told.
const RETRY_US: u64 = 100_000;

/// What a player is told: its own move, its percepts, and the instant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimedTurn {
    /// The instant, in microseconds.
    pub at_us: u64,
    /// Its own move then.
    pub own_move: Option<MoveId>,
    /// Its percepts.
    pub percepts: Percepts,
}

/// A player's plan, valid until it is told something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Nothing.
    Wait,
    /// This move at this instant.
    Move {
        /// The move.
        played: MoveId,
        /// When, in microseconds.
        at_us: u64,
    },
    /// Plan again at this instant.
    Think {
        /// When, in microseconds.
        at_us: u64,
    },
}

/// A player of one role of one real-time match. The same seed and notices give the same intents on every machine.
#[derive(Debug)]
pub struct RealTimePlayer {
    kind: RealTimeKind,
    role: RoleId,
    walk: Walk,
    belief: TimedBelief,
    told: Vec<TimedTurn>,
    /// When it next moves at random, or by its beat.
    due_us: Option<u64>,
}

impl RealTimePlayer {
    /// A player before its match.
    #[must_use]
    pub fn new(kind: RealTimeKind, game: Arc<RealTimeGame>, role: RoleId, seed: [u8; 32]) -> Self {
        let (particles, every_us) = match kind {
            RealTimeKind::Wait => (1, 1_000_000),
            RealTimeKind::Random { every_us } | RealTimeKind::FirstLegal { every_us } => {
                (PARTICLES, every_us)
            }
            RealTimeKind::Search { particles, every_us, .. } => (particles as usize, every_us),
        };
        let walk = Walk::new(game, ChaCha20Rng::from_seed(seed), every_us);
        Self { kind, role, walk, belief: TimedBelief::new(role, particles), told: Vec::new(), due_us: None }
    }

    /// The game that it plays.
    #[must_use]
    pub fn game(&self) -> &Arc<RealTimeGame> {
        self.walk.game()
    }

    /// Processes a notice. Several notices of one instant come one after another; the player plans after the last.
    pub fn hear(&mut self, told: TimedTurn) {
        self.told.push(told);
    }

    /// The plan from this instant on, which must be later than every notice.
    ///
    /// # Errors
    /// [`RealTimeError`] if the rules fail in a match as it could be.
    pub fn plan(&mut self, now_us: u64) -> Result<Intent, RealTimeError> {
        match self.kind {
            RealTimeKind::Wait => Ok(Intent::Wait),
            RealTimeKind::Random { .. } => {
                let due_us = match self.due_us {
                    Some(due_us) => due_us,
                    None => now_us.saturating_add(self.walk.delay_us()),
                };
                self.beat(now_us, due_us)
            }
            RealTimeKind::FirstLegal { .. } => self.beat(now_us, self.due_us.unwrap_or(now_us)),
            RealTimeKind::Search { has_tree, iterations, .. } => {
                let depth = if has_tree { DEPTH } else { 1 };
                let search = TimedSearch { role: self.role, iterations, depth, span: Span::LANGUAGE };
                self.search(now_us, search)
            }
        }
    }

    /// Moves when it is due, and then sets the next time.
    fn beat(&mut self, now_us: u64, due_us: u64) -> Result<Intent, RealTimeError> {
        if due_us > now_us {
            self.due_us = Some(due_us);
            return Ok(Intent::Think { at_us: due_us });
        }
        let every_us = match self.kind {
            RealTimeKind::FirstLegal { every_us } => every_us,
            _ => self.walk.delay_us(),
        };
        self.due_us = Some(now_us.saturating_add(every_us.max(2)));
        let positions = self.belief.positions(&self.told, now_us, &mut self.walk)?;
        let Some(position) = self.any(&positions) else {
            return Ok(Intent::Think { at_us: now_us + RETRY_US });
        };
        let legal = self.walk.legal(&position.state, self.role)?;
        let chosen = match self.kind {
            RealTimeKind::FirstLegal { .. } => 0,
            _ if legal.is_empty() => 0,
            _ => draw_index(legal.len(), self.walk.rng()),
        };
        Ok(match legal.get(chosen) {
            Some(&played) => Intent::Move { played, at_us: now_us + 1 },
            None => Intent::Think { at_us: self.due_us.unwrap_or(now_us + RETRY_US) },
        })
    }

    fn any(&mut self, positions: &[TimedPosition]) -> Option<TimedPosition> {
        (!positions.is_empty()).then(|| positions[draw_index(positions.len(), self.walk.rng())].clone())
    }

    fn search(&mut self, now_us: u64, search: TimedSearch) -> Result<Intent, RealTimeError> {
        let positions = self.belief.positions(&self.told, now_us, &mut self.walk)?;
        if positions.is_empty() {
            return Ok(Intent::Think { at_us: now_us + RETRY_US });
        }
        let best = search.best(&positions, now_us, &mut self.walk)?;
        let at_us = best.after_us().map(|after_us| now_us.saturating_add(after_us));
        Ok(match (best, at_us) {
            (Candidate::Play { played, .. }, Some(at_us)) => Intent::Move { played, at_us },
            (_, Some(at_us)) => Intent::Think { at_us },
            (_, None) => Intent::Wait,
        })
    }
}
