//! How strong hands are with a board.

use croupier_engine::draw::draw_index;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rustc_hash::FxHashSet;

use super::{HandGame, HandTape, states::follow, symmetries::sorted};
use crate::deal::{
    abstraction::deal_by,
    machine::{Deals, LANES, id},
};

/// Hands of the other player, each with the rest of a board, that every hand is compared with.
const COMPARED: usize = 48;

/// How often whole boards are drawn, as many as lanes at once.
const ROUNDS: u64 = 4;

/// A deal that hands are compared with: a hand of each player, and a whole board.
struct Rest {
    hands: [u32; 2],
    board: Vec<u32>,
}

impl HandGame {
    /// By player and hand, the mean goal if nobody does more than it takes to compare hands, over some hands of the other player and ways in
    /// which chance may go on, the same for all; `None` of a hand that cannot be dealt with the board.
    #[must_use]
    pub fn strengths(&self, tape: &mut HandTape, board: &[u32]) -> [Vec<Option<f32>>; 2] {
        let rests = self.rests(tape, board, COMPARED, 0);
        [0, 1].map(|player| {
            let hands = 0..id(self.pairs.hands[player].len());
            let possible: Vec<u32> =
                hands.filter(|&hand| self.boards.is_possible(player, hand, board)).collect();
            let mut asked: Vec<(u32, [u32; 2], &Rest)> = Vec::new();
            for &hand in &possible {
                for rest in &rests {
                    let mut pair = rest.hands;
                    pair[player] = hand;
                    let is_possible = self.boards.is_possible(player, hand, &rest.board);
                    if is_possible && self.pairs.weights[self.pairs.place(pair)] > 0.0 {
                        asked.push((hand, pair, rest));
                    }
                }
            }
            let mut sums = vec![(0.0_f32, 0_u32); self.pairs.hands[player].len()];
            for some in asked.chunks(LANES) {
                let goals = self.quiet_goals(tape, player, some);
                for (&(hand, ..), goal) in some.iter().zip(goals) {
                    let (sum, count) = &mut sums[hand as usize];
                    (*sum, *count) = (*sum + goal, *count + 1);
                }
            }
            let mut found = vec![None; sums.len()];
            for hand in possible {
                let (sum, count) = sums[hand as usize];
                found[hand as usize] = Some(sum / count.max(1) as f32);
            }
            found
        })
    }

    /// Some whole boards that chance can make of this one, each once in any order: all, if there are some hundreds, but for rare ones.
    #[must_use]
    pub fn whole_boards(&self, tape: &mut HandTape, board: &[u32]) -> Vec<Vec<u32>> {
        if board.len() == self.tree.chances_count() - self.pairs.turns() {
            return vec![board.to_vec()];
        }
        let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
        for round in 0..ROUNDS {
            for Rest { board, .. } in self.rests(tape, board, LANES, round) {
                if seen.insert(sorted(board.clone())) {
                    found.push(board);
                }
            }
        }
        found
    }

    /// For each pair of hands that chance can deal with a whole board, what share the first player gets of what is at stake if nobody does
    /// more than it takes to compare hands: from -1, the least goal, to 1, the greatest.
    #[must_use]
    pub fn shares(&self, tape: &mut HandTape, board: &[u32]) -> Vec<([u32; 2], f32)> {
        let way: Vec<u32> = self.tree.quiet.iter().map(|&child| id(child)).collect();
        let end = way.iter().fold(0, |place, &child| self.children(place)[child as usize]);
        let (least, greatest) = self.at_stake(end);
        let middle = f32::midpoint(least, greatest);
        let states = self.states(tape, &way, board, self.possible(board).collect());
        let share =
            |goal: f32| if greatest > least { 2.0 * (goal - middle) / (greatest - least) } else { 0.0 };
        self.goals(tape, &states).into_iter().map(|(hands, [first, _])| (hands, share(first))).collect()
    }

    /// So many deals with this board, drawn anew for each and in every round, at most as many as lanes.
    fn rests(&self, tape: &mut HandTape, board: &[u32], count: usize, round: u64) -> Vec<Rest> {
        let seed = sorted(board.to_vec())
            .iter()
            .fold(1_u64, |seed, &number| seed.wrapping_mul(1_009).wrapping_add(u64::from(number)));
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(round);
        let possible: Vec<[u32; 2]> = self.possible(board).collect();
        if possible.is_empty() {
            return Vec::new();
        }
        let drawn: Vec<[u32; 2]> =
            (0..count).map(|_| possible[draw_index(possible.len(), &mut rng)]).collect();
        let known = self.pairs.deals(&drawn, board);
        let deals = deal_by(&self.tree, &mut tape.0, |machine, turn| match known.numbers.get(turn) {
            Some(numbers) => numbers.clone(),
            None => machine.deal(&mut rng),
        });
        let rest = |(lane, hands): (usize, [u32; 2])| Rest {
            hands,
            board: deals.numbers[self.pairs.turns()..].iter().map(|numbers| numbers[lane]).collect(),
        };
        drawn.into_iter().enumerate().map(rest).collect()
    }

    /// A player's goals at the end of the quiet line, with these pairs and boards.
    fn quiet_goals(&self, tape: &mut HandTape, player: usize, some: &[(u32, [u32; 2], &Rest)]) -> Vec<f32> {
        let lane = |lane: usize| &some[lane.min(some.len() - 1)];
        let mut deals = Deals::default();
        for turn in 0..self.pairs.turns() {
            deals.push((0..LANES).map(|place| self.pairs.deal(lane(place).1)[turn]).collect());
        }
        for turn in 0..self.tree.chances_count() - self.pairs.turns() {
            deals.push((0..LANES).map(|place| lane(place).2.board[turn]).collect());
        }
        let way: Vec<u32> = self.tree.quiet.iter().map(|&child| id(child)).collect();
        let states = follow(&self.tree, &mut tape.0, &way, &deals);
        let mut goals = vec![0.0; LANES];
        tape.0.enter(&states);
        tape.0.count();
        tape.0.goals(self.tree.players[player], &mut goals);
        goals
    }
}
