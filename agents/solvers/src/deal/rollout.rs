//! The strength of a hand: its results at the end if everyone plays the quiet line.

use croupier_engine::{batch::Plane, draw::draw_index};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::{
    machine::{DealTape, LANES, W, id},
    move_tree::MoveTree,
};

/// What a player was dealt: by chance turn, the index of what it was told among the percepts of that turn.
pub(super) type DealtHand = Vec<u32>;

/// Ways in which the rest of the deal is drawn, for a hand that is not all that will be dealt.
const RUNOUTS: usize = 16;

/// How often the lanes are filled for a complete hand: only the opponents' cards are drawn.
const LAST_PASSES: u64 = 2;

/// How often for a hand of the first round with choices: there are few, and all matches begin with them.
const FIRST_PASSES: u64 = 16;

/// Draws of a hidden move of chance before a lane is given up.
const TRIES: usize = 24;

/// Plays the rest of a match in many ways.
#[derive(Debug)]
pub(super) struct Roller {
    machine: DealTape,
    values: Vec<f32>,
}

impl Roller {
    pub(super) fn new(tree: &MoveTree) -> Self {
        Self { machine: DealTape::new(&tree.network, tree.random), values: vec![0.0; LANES] }
    }

    /// The distribution of a hand's results: for each way in which the rest of the deal may come, the mean final goal
    /// over the opponents' possible cards, in ascending order, and of many ways the means of equal parts of them.
    ///
    /// The squared distance of two such vectors is that of their distributions (2-Wasserstein), and the mean of several is
    /// their barycentre. A strong hand and a draw with the same mean differ, as in M. Johanson et al., "Evaluating
    /// State-Space Abstractions in Extensive-Form Games", AAMAS 2013, section 4. The draws depend only on what the hand
    /// [is like](super::likeness::Likeness), so a hand has the same feature everywhere, and in any order.
    pub(super) fn feature(&mut self, tree: &MoveTree, player: usize, hand: &[u32]) -> Vec<f32> {
        let hand = &tree.likeness.form(player, hand)[..];
        let is_last = hand.len() == tree.chances_count();
        let (groups, passes) = match hand.len() {
            _ if is_last => (1, LAST_PASSES),
            chances if chances == tree.first_round(player) => (RUNOUTS, FIRST_PASSES),
            _ => (RUNOUTS, 1),
        };
        let mut rng = ChaCha8Rng::from_seed(seed(player, hand));
        let mut results = Results::default();
        for pass in 0..passes {
            rng.set_stream(pass);
            let alive = self.run(tree, player, hand, groups, &mut rng);
            if !is_last || pass == 0 {
                results.add_groups(groups);
            }
            for lane in alive.lanes() {
                results.add(lane * groups / LANES, self.values[lane]);
            }
        }
        results.feature(groups)
    }

    /// Plays the quiet line with other deals of the same hand; lanes of a group share the cards still to come, as far as
    /// possible. Returns the lanes with such deals, and their results in `values`.
    fn run(
        &mut self,
        tree: &MoveTree,
        player: usize,
        hand: &[u32],
        groups: usize,
        rng: &mut ChaCha8Rng,
    ) -> Plane<W> {
        let (mut states, mut place, mut alive) = (self.machine.initial(), 0, Plane::ALL);
        for &child in &tree.quiet {
            let node = &tree.nodes[place];
            self.machine.enter(&states);
            tree.make_moves(&mut self.machine, node, child);
            if let Some(turn) = node.chance {
                let turn = turn as usize;
                match hand.get(turn) {
                    Some(&told) => {
                        let moves = &tree.hints[turn][player].moves[told as usize];
                        self.deal_again(tree, moves, &mut alive, rng);
                    }
                    None => self.deal_on(tree, groups, &mut alive, rng),
                }
            }
            states = self.machine.next();
            place = node.children[child] as usize;
        }
        self.machine.enter(&states);
        alive &= self.machine.terminal();
        self.machine.count();
        self.machine.goals(tree.players[player], &mut self.values);
        alive
    }

    /// A move of chance that told the player the same, in each lane.
    fn deal_again(&mut self, tree: &MoveTree, moves: &[u32], alive: &mut Plane<W>, rng: &mut ChaCha8Rng) {
        let random = tree.random.expect("chance has a choice");
        if let [only] = moves[..] {
            *alive &= self.machine.legal(random, only);
            self.machine.make_chance(only, *alive);
            return;
        }
        let mut choice = ChanceChoice::new(&self.machine, tree, moves);
        for lane in alive.lanes() {
            let drawn = choice.draw(lane, rng);
            alive.set(lane, choice.take(drawn, lane));
        }
        choice.make(&mut self.machine);
    }

    /// A move of chance that is still to come, the same in all lanes of a group that can make it.
    fn deal_on(&mut self, tree: &MoveTree, groups: usize, alive: &mut Plane<W>, rng: &mut ChaCha8Rng) {
        let random = tree.random.expect("chance has a choice");
        let all: Vec<u32> = (0..id(tree.network.tape().moves_count(random))).collect();
        let mut choice = ChanceChoice::new(&self.machine, tree, &all);
        let mut shared = (groups, None);
        for lane in alive.lanes() {
            let group = lane * groups / LANES;
            if shared.0 != group {
                shared = (group, choice.draw(lane, rng));
            }
            let drawn = shared.1.filter(|&place| choice.is_legal(place, lane));
            let drawn = drawn.or_else(|| choice.draw(lane, rng));
            alive.set(lane, choice.take(drawn, lane));
        }
        choice.make(&mut self.machine);
    }
}

/// What playouts came to, by the way in which the rest of the deal came.
#[derive(Default)]
struct Results {
    /// Where the groups of this pass begin.
    first: usize,
    sums: Vec<f32>,
    counts: Vec<f32>,
}

impl Results {
    /// Begins this many groups.
    fn add_groups(&mut self, groups: usize) {
        self.first = self.sums.len();
        self.sums.resize(self.first + groups, 0.0);
        self.counts.resize(self.first + groups, 0.0);
    }

    /// Adds a result to one of them.
    fn add(&mut self, group: usize, value: f32) {
        self.sums[self.first + group] += value;
        self.counts[self.first + group] += 1.0;
    }

    /// The means of all groups in ascending order, or those of `parts` equal parts of them.
    fn feature(self, parts: usize) -> Vec<f32> {
        let mean = self.sums.iter().sum::<f32>() / self.counts.iter().sum::<f32>().max(1.0);
        let each = |(sum, count): (&f32, &f32)| if *count > 0.0 { sum / count } else { mean };
        let mut means: Vec<f32> = self.sums.iter().zip(&self.counts).map(each).collect();
        means.sort_unstable_by(f32::total_cmp);
        let size = means.len() / parts;
        means.chunks_exact(size).map(|part| part.iter().sum::<f32>() / size as f32).collect()
    }
}

/// Moves of chance, by whether they are legal and where they are made.
struct ChanceChoice<'m> {
    moves: &'m [u32],
    legal: Vec<Plane<W>>,
    made: Vec<Plane<W>>,
}

impl<'m> ChanceChoice<'m> {
    fn new(machine: &DealTape, tree: &MoveTree, moves: &'m [u32]) -> Self {
        let random = tree.random.expect("chance has a choice");
        let legal = moves.iter().map(|&number| machine.legal(random, number)).collect();
        Self { moves, legal, made: vec![Plane::NONE; moves.len()] }
    }

    fn is_legal(&self, place: usize, lane: usize) -> bool {
        self.legal[place].get(lane)
    }

    /// The place of a move that is legal in a lane, each equally likely, unless few are.
    fn draw(&self, lane: usize, rng: &mut ChaCha8Rng) -> Option<usize> {
        let drawn = (0..TRIES).map(|_| draw_index(self.moves.len(), rng));
        let mut drawn = drawn.skip_while(|&place| !self.is_legal(place, lane));
        drawn.next().or_else(|| (0..self.moves.len()).find(|&place| self.is_legal(place, lane)))
    }

    /// Notes a move for a lane; whether there is one.
    fn take(&mut self, place: Option<usize>, lane: usize) -> bool {
        if let Some(place) = place {
            self.made[place].set(lane, true);
        }
        place.is_some()
    }

    fn make(self, machine: &mut DealTape) {
        for (&number, lanes) in self.moves.iter().zip(self.made) {
            machine.make_chance(number, lanes);
        }
    }
}

/// The start of the draws for a hand: the same wherever the hand occurs.
fn seed(player: usize, hand: &[u32]) -> [u8; 32] {
    // FNV-1a, four times over with other beginnings.
    let mut bytes = [0; 32];
    for (part, chunk) in bytes.chunks_exact_mut(8).enumerate() {
        let begin = 0xcbf2_9ce4_8422_2325_u64 ^ ((part as u64) << 32 | player as u64);
        let hash = hand.iter().fold(begin, |hash, &told| {
            (hash ^ u64::from(told + 1)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(17)
        });
        chunk.copy_from_slice(&hash.to_le_bytes());
    }
    bytes
}
