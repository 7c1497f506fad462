//! A match in which a player has a certain goal, where random matches do not come upon one: all roles and chance work for it.
//!
//! # Sources
//! T. Cazenave, "Nested Monte-Carlo search", IJCAI 2009, at its first level: from each state of a match hundreds of others are played at
//! random, and the best of all so far is followed for a turn.

use std::sync::Arc;

use croupier_engine::{
    Game,
    game::{GameNetwork, PlayedRows, RowLooker, RowStatus, RowStatuses},
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rand_core::Rng;

use crate::{answer::Line, maximum::Maximum, walks::draw_moves};

/// The most turns of a match.
const TURNS_MAX: usize = 2_000;

/// A match to its end, and the goal that it is worth.
struct BestMatch {
    goal: i32,
    /// By role, turn after turn.
    moves: Vec<u32>,
}

struct Climb<'c> {
    looker: RowLooker,
    network: Arc<GameNetwork>,
    start: Vec<u64>,
    maximum: &'c Maximum,
    players: usize,
    roles: usize,
    rng: ChaCha8Rng,
    statuses: RowStatuses,
    played: PlayedRows,
}

/// A match with the goal, if one is found before `is_over` says so.
pub(crate) fn climb(game: &Game, maximum: &Maximum, is_over: &dyn Fn() -> bool) -> Option<Line> {
    let network = Arc::clone(game.network()?);
    let mut climb = Climb {
        looker: RowLooker::new(game)?,
        start: network.row(game.initial_state())?,
        network,
        maximum,
        players: game.roles().players().count(),
        roles: game.roles().len(),
        rng: ChaCha8Rng::seed_from_u64(0),
        statuses: RowStatuses::default(),
        played: PlayedRows::default(),
    };
    while !is_over() {
        let best = climb.round(is_over);
        if let Some(best) = best.filter(|best| best.goal == maximum.goal) {
            let moves = best.moves.chunks_exact(climb.roles);
            let moves = moves.map(|numbers| climb.network.joint_move(numbers)).collect();
            return Some(Line { moves, returns_to: None });
        }
    }
    None
}

impl Climb<'_> {
    /// One match from the beginning, and the best that was found on its way.
    fn round(&mut self, is_over: &dyn Fn() -> bool) -> Option<BestMatch> {
        let mut row = self.start.clone();
        let mut best: Option<BestMatch> = None;
        let mut taken = 0;
        while !is_over() {
            let prefix = best.as_ref().map_or(Vec::new(), |best| best.moves[..taken].to_vec());
            if let Some(new) = self.playouts(&row, &prefix, is_over)
                && best.as_ref().is_none_or(|best| new.goal > best.goal)
            {
                best = Some(new);
            }
            let Some(known) = &best else { return None };
            let is_found = known.goal == self.maximum.goal;
            if is_found || known.moves.len() == taken {
                break;
            }
            self.looker.play(&row, &[0], &known.moves[taken..][..self.roles], &mut self.played);
            row.clone_from(&self.played.states);
            taken += self.roles;
        }
        best
    }

    /// The best of as many random matches from a state as fit the vectors.
    fn playouts(&mut self, from: &[u64], prefix: &[u32], is_over: &dyn Fn() -> bool) -> Option<BestMatch> {
        let words = from.len();
        let mut states = from.repeat(RowLooker::BLOCK);
        let mut matches = vec![prefix.to_vec(); RowLooker::BLOCK];
        let preferences: Vec<Option<u64>> =
            (0..RowLooker::BLOCK).map(|lane| (lane % 2 == 1).then(|| self.rng.next_u64())).collect();
        let mut open: Vec<u32> = (0..).take(RowLooker::BLOCK).collect();
        let mut best: Option<BestMatch> = None;
        for _ in 0..TURNS_MAX {
            self.looker.look(&states, RowLooker::BLOCK, &mut self.statuses);
            let (mut moves, mut going) = (Vec::new(), Vec::new());
            for &lane in &open {
                let place = lane as usize;
                match self.statuses.kinds[place] {
                    RowStatus::Running => {
                        let begin = moves.len();
                        draw_moves(&self.statuses, place, preferences[place], &mut self.rng, &mut moves);
                        matches[place].extend(&moves[begin..]);
                        going.push(lane);
                    }
                    RowStatus::Terminal => {
                        let goal = self.statuses.goals[place * self.players + self.maximum.player].value();
                        if best.as_ref().is_none_or(|best| goal > best.goal) {
                            best = Some(BestMatch { goal, moves: matches[place].clone() });
                        }
                    }
                    RowStatus::Unclear => {}
                }
            }
            if going.is_empty() || is_over() {
                break;
            }
            self.looker.play(&states, &going, &moves, &mut self.played);
            for (place, &lane) in going.iter().enumerate() {
                let next = &self.played.states[place * words..][..words];
                states[lane as usize * words..][..words].copy_from_slice(next);
            }
            open = going;
        }
        best
    }
}
