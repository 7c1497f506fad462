//! Where an environment writes.

use crate::{Space, TrainingError};

/// Where an environment writes, lane by lane. Each array is as large as its shape says.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// `[lanes, players, features]`: 0 or 1; empty where features are probabilities.
    pub features: &'a mut [u8],
    /// `[lanes, players, features]`: from 0 to 1; empty where features are bits.
    pub probabilities: &'a mut [f32],
    /// `[lanes, players, moves]`: 1 for legal moves.
    pub mask: &'a mut [u8],
    /// `[lanes, players]`: 1 if a player in an open seat has a choice.
    pub acting: &'a mut [u8],
    /// `[lanes, players]`: the goal value of a match that ended in this step, otherwise 0.
    pub goals: &'a mut [f32],
    /// `[lanes]`: 1 if a match ended in this step, and the next one has started.
    pub done: &'a mut [u8],
    /// `[lanes]`: 1 if it ended because of the turn limit.
    pub truncated: &'a mut [u8],
    /// `[lanes]`: turns of the match before this moment.
    pub turn: &'a mut [u32],
}

/// The part of a lane in each array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayShape {
    pub(crate) players: usize,
    pub(crate) moves: usize,
    pub(crate) features: usize,
    pub(crate) probabilities: usize,
}

impl ArrayShape {
    pub(crate) fn of(space: &Space) -> Self {
        let (players, moves, count) = (space.players.len(), space.moves_count(), space.features_count());
        let (features, probabilities) = if space.has_probabilities() { (0, count) } else { (count, 0) };
        Self { players, moves, features, probabilities }
    }
}

impl<'a> Arrays<'a> {
    /// The same arrays, to be written by somebody else first.
    pub(crate) fn lent(&mut self) -> Arrays<'_> {
        Arrays {
            features: self.features,
            probabilities: self.probabilities,
            mask: self.mask,
            acting: self.acting,
            goals: self.goals,
            done: self.done,
            truncated: self.truncated,
            turn: self.turn,
        }
    }

    /// Whether all arrays have their sizes.
    pub(crate) fn check(&self, lanes: usize, shape: ArrayShape) -> Result<(), TrainingError> {
        let seats = lanes * shape.players;
        for (name, found, wanted) in [
            ("features", self.features.len(), seats * shape.features),
            ("probabilities", self.probabilities.len(), seats * shape.probabilities),
            ("mask", self.mask.len(), seats * shape.moves),
            ("acting", self.acting.len(), seats),
            ("goals", self.goals.len(), seats),
            ("done", self.done.len(), lanes),
            ("truncated", self.truncated.len(), lanes),
            ("turn", self.turn.len(), lanes),
        ] {
            if found != wanted {
                return Err(TrainingError::Size { name, found, wanted });
            }
        }
        Ok(())
    }

    /// Parts of this many lanes each; the last has the remainder.
    pub(crate) fn split(self, lanes: usize, shape: ArrayShape) -> Vec<Arrays<'a>> {
        let seats = lanes * shape.players;
        // A game without features or moves has empty arrays, which are in as many empty pieces.
        let count = self.done.len().div_ceil(lanes);
        let mut features = pieces(self.features, seats * shape.features, count);
        let mut probabilities = pieces(self.probabilities, seats * shape.probabilities, count);
        let mut mask = pieces(self.mask, seats * shape.moves, count);
        let mut acting = pieces(self.acting, seats, count);
        let mut goals = pieces(self.goals, seats, count);
        let mut done = pieces(self.done, lanes, count);
        let mut truncated = pieces(self.truncated, lanes, count);
        let mut turn = pieces(self.turn, lanes, count);
        let mut parts: Vec<Arrays<'a>> = Vec::with_capacity(count);
        for _ in 0..count {
            parts.push(Arrays {
                features: features.next().unwrap_or_default(),
                probabilities: probabilities.next().unwrap_or_default(),
                mask: mask.next().unwrap_or_default(),
                acting: acting.next().unwrap_or_default(),
                goals: goals.next().unwrap_or_default(),
                done: done.next().unwrap_or_default(),
                truncated: truncated.next().unwrap_or_default(),
                turn: turn.next().unwrap_or_default(),
            });
        }
        parts
    }
}

fn pieces<T>(array: &mut [T], size: usize, count: usize) -> impl Iterator<Item = &mut [T]> {
    array.chunks_mut(size.max(1)).take(count)
}
