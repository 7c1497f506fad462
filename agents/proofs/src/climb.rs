//! A match in which a player has a certain goal, where random matches do not come upon one: all roles and chance work for it.
//!
//! # Sources
//! T. Cazenave, "Nested Monte-Carlo search", IJCAI 2009, at its first level: from each state of a match hundreds of others are played at
//! random, and the best of all so far is followed for a turn.

use croupier_engine::{Game, game::RowStatus};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use crate::{
    lanes::{LANES, MatchLanes, Style},
    maximum::Maximum,
    shown::{Way, shown_by},
};

/// The most turns of a match.
const TURNS_MAX: usize = 2_000;

/// A match to its end, and the goal that it is worth.
struct BestMatch {
    goal: i32,
    /// By role, turn after turn.
    moves: Vec<u32>,
}

struct Climb {
    lanes: MatchLanes,
    start: Vec<u64>,
    maximum: Maximum,
    rng: ChaCha8Rng,
}

/// A match with the goal, if one is found before `is_over` says so.
pub(crate) fn climb(game: &Game, maximum: Maximum, is_over: &dyn Fn() -> bool) -> Option<Way> {
    let lanes = MatchLanes::new(game, LANES)?;
    let mut climb = Climb { start: lanes.row(0).to_vec(), lanes, maximum, rng: ChaCha8Rng::seed_from_u64(0) };
    while !is_over() {
        let best = climb.round(is_over);
        if let Some(best) = best.filter(|best| best.goal == maximum.goal) {
            return shown_by(game, &[maximum], &best.moves)?.wins.swap_remove(0);
        }
    }
    None
}

impl Climb {
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
            let roles = self.lanes.roles();
            self.lanes.set(0, &row);
            self.lanes.make(0, &known.moves[taken..][..roles]);
            self.lanes.play();
            row.copy_from_slice(self.lanes.row(0));
            taken += roles;
        }
        best
    }

    /// The best of as many random matches from a state as fit the vectors.
    fn playouts(&mut self, from: &[u64], prefix: &[u32], is_over: &dyn Fn() -> bool) -> Option<BestMatch> {
        let Self { lanes, maximum, rng, .. } = self;
        let mut matches = vec![prefix.to_vec(); LANES];
        let styles: Vec<Style> = (0..LANES).map(|lane| Style::of_lane(lane, rng)).collect();
        let mut open: Vec<usize> = (0..LANES).collect();
        open.iter().for_each(|&lane| lanes.set(lane, from));
        let mut best: Option<BestMatch> = None;
        for turn in 0..TURNS_MAX {
            lanes.look();
            for &lane in open.iter().filter(|&&lane| lanes.status(lane) == RowStatus::Terminal) {
                let goal = lanes.goals(lane).nth(maximum.player).expect("each player has a goal");
                if best.as_ref().is_none_or(|best| goal > best.goal) {
                    best = Some(BestMatch { goal, moves: matches[lane].clone() });
                }
            }
            open.retain(|&lane| lanes.status(lane) == RowStatus::Running);
            if open.is_empty() || is_over() {
                break;
            }
            for &lane in &open {
                matches[lane].extend(lanes.draw(lane, &styles[lane], turn, rng));
            }
            lanes.play();
        }
        best
    }
}
