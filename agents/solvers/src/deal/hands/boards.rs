//! What chance deals face up, and which hands that excludes.

use croupier_engine::{Percepts, RoleId, batch::Plane, draw::draw_index};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use super::{PublicPart, pairs::HandPairs, states::follow};
use crate::deal::{
    DealError,
    machine::{DealTape, LANES, W, id},
    move_tree::MoveTree,
};

/// Pairs that are looked at beside a board, at most.
const PAIRS: usize = 64 * LANES;

/// Boards that are looked at until every move of chance was seen beside every hand, at most.
const ROUNDS_MAX: usize = 64;

/// The later turns of chance.
#[derive(Debug, Default)]
pub(super) struct HandBoards {
    turns: Vec<BoardTurn>,
}

/// A later turn of chance.
#[derive(Debug, Default)]
struct BoardTurn {
    /// By move, what becomes public.
    told: FxHashMap<u32, Percepts>,
    /// By move, player and hand, whether it can be dealt with the hand, once that is known.
    possible: FxHashMap<u32, [Vec<Option<bool>>; 2]>,
}

/// Which moves of chance are legal after a board, for pairs of hands that are possible with it.
struct LegalDeals<'p> {
    numbers: Vec<u32>,
    /// By block of lanes, the pairs and by move the lanes in which it is legal.
    blocks: Vec<(&'p [[u32; 2]], Vec<Plane<W>>)>,
}

impl HandBoards {
    pub(super) fn new(
        tree: &MoveTree,
        machine: &mut DealTape,
        pairs: &HandPairs,
        public: &mut PublicPart<'_>,
    ) -> Result<Self, DealError> {
        let mut boards = Self::default();
        let Some(random) = tree.random else { return Ok(boards) };
        let mut rng = ChaCha8Rng::from_seed([0; 32]);
        for chance in pairs.turns()..tree.chances_count() {
            let mut turn = BoardTurn { told: public_told(tree, chance, public)?, ..BoardTurn::default() };
            for _ in 0..ROUNDS_MAX {
                let mut board: Vec<u32> = Vec::new();
                while board.len() < boards.turns.len() {
                    let some: Vec<[u32; 2]> = boards.possible(pairs, &board).take(LANES).collect();
                    let legal = LegalDeals::new(tree, machine, pairs, &some, &board, random);
                    let dealable: Vec<u32> = legal.some().collect();
                    board.push(
                        *dealable
                            .get(draw_index(dealable.len().max(1), &mut rng))
                            .ok_or(DealError::Boards)?,
                    );
                }
                let some: Vec<[u32; 2]> = boards.possible(pairs, &board).take(PAIRS).collect();
                turn.take(pairs, &LegalDeals::new(tree, machine, pairs, &some, &board, random))?;
                if turn.is_known() {
                    break;
                }
            }
            if !turn.is_known() {
                return Err(DealError::Rare);
            }
            boards.turns.push(turn);
        }
        Ok(boards)
    }

    /// The moves that chance makes in any of the turns.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        let all: std::collections::BTreeSet<u32> =
            self.turns.iter().flat_map(|turn| turn.told.keys().copied()).collect();
        all.into_iter()
    }

    /// The pairs that chance can deal with a board.
    pub(super) fn possible<'p>(
        &self,
        pairs: &'p HandPairs,
        board: &[u32],
    ) -> impl Iterator<Item = [u32; 2]> + use<'p> {
        let [of_first, of_second] = [0, 1].map(|player| self.possible_hands(pairs, player, board));
        let is_possible = move |&[one, other]: &[u32; 2]| of_first[one as usize] && of_second[other as usize];
        pairs.shuffled.iter().copied().filter(is_possible)
    }

    pub(super) fn told(&self, turn: usize, number: u32) -> Option<&Percepts> {
        self.turns.get(turn)?.told.get(&number)
    }

    /// By hand of a player, whether it can be dealt with a board.
    fn possible_hands(&self, pairs: &HandPairs, player: usize, board: &[u32]) -> Vec<bool> {
        let hands = 0..id(pairs.hands[player].len());
        hands.map(|hand| self.is_possible(player, hand, board)).collect()
    }

    /// Whether a hand can be dealt with a board.
    pub(super) fn is_possible(&self, player: usize, hand: u32, board: &[u32]) -> bool {
        board.iter().zip(&self.turns).all(|(number, turn)| {
            turn.possible.get(number).is_some_and(|by| by[player][hand as usize] == Some(true))
        })
    }
}

impl BoardTurn {
    /// Whether it is known of every move and hand whether they can be dealt together.
    fn is_known(&self) -> bool {
        let is_known = |by: &[Vec<Option<bool>>; 2]| by.iter().flatten().all(Option::is_some);
        self.told.keys().all(|number| self.possible.get(number).is_some_and(is_known))
    }

    /// Takes in which moves are legal after a board: those that neither hand excludes, and as many beside any two hands.
    fn take(&mut self, pairs: &HandPairs, legal: &LegalDeals<'_>) -> Result<(), DealError> {
        let counts =
            legal.each().map(|(lane, _, planes)| planes.iter().filter(|plane| plane.get(lane)).count());
        let counts: std::collections::BTreeSet<usize> = counts.collect();
        if counts.len() > 1 {
            return Err(DealError::Boards);
        }
        for (place, &number) in legal.numbers.iter().enumerate() {
            let mut here = [0, 1].map(|player| vec![None; pairs.hands[player].len()]);
            for (lane, hands, planes) in legal.each() {
                let is_legal = planes[place].get(lane);
                for (here, hand) in here.iter_mut().zip(hands) {
                    let known = &mut here[hand as usize];
                    *known = Some(known.unwrap_or(false) || is_legal);
                }
            }
            if !here.iter().flatten().any(|known| *known == Some(true)) {
                continue;
            }
            let is_so = |(lane, hands, planes): (usize, [u32; 2], &Vec<Plane<W>>)| {
                let both = (0..2).all(|player| here[player][hands[player] as usize] == Some(true));
                planes[place].get(lane) == both
            };
            let known = self.possible.entry(number).or_insert_with(|| here.clone());
            let mut agree = legal.each().all(is_so);
            for (known, here) in known.iter_mut().flatten().zip(here.into_iter().flatten()) {
                agree &= known.is_none() || here.is_none() || *known == here;
                *known = known.or(here);
            }
            if !agree {
                return Err(DealError::Boards);
            }
        }
        Ok(())
    }
}

impl<'p> LegalDeals<'p> {
    fn new(
        tree: &MoveTree,
        machine: &mut DealTape,
        pairs: &HandPairs,
        some: &'p [[u32; 2]],
        board: &[u32],
        random: RoleId,
    ) -> Self {
        let way = way_to(tree, pairs.turns() + board.len());
        let numbers = machine.chance_numbers();
        let mut blocks = Vec::new();
        for some in some.chunks(LANES) {
            let states = follow(tree, machine, &way, &pairs.deals(some, board));
            machine.enter(&states);
            blocks.push((some, numbers.iter().map(|&number| machine.legal(random, number)).collect()));
        }
        Self { numbers, blocks }
    }

    /// Each pair: its lane, its hands, and the lanes of each move.
    fn each(&self) -> impl Iterator<Item = (usize, [u32; 2], &Vec<Plane<W>>)> {
        self.blocks.iter().flat_map(|(some, planes)| {
            some.iter().enumerate().map(move |(lane, &hands)| (lane, hands, planes))
        })
    }

    /// The moves that are legal for some pair.
    fn some(&self) -> impl Iterator<Item = u32> + '_ {
        let numbers = self.numbers.iter().enumerate();
        numbers
            .filter(|(place, _)| self.blocks.iter().any(|(_, planes)| planes[*place].any()))
            .map(|(_, &number)| number)
    }
}

/// What becomes public by each move of a turn of chance, which tells nobody anything else.
fn public_told(
    tree: &MoveTree,
    turn: usize,
    public: &mut PublicPart<'_>,
) -> Result<FxHashMap<u32, Percepts>, DealError> {
    let mut told = FxHashMap::default();
    for (player, &role) in tree.players.iter().enumerate() {
        let hints = &tree.hints[turn][player];
        for (&number, &place) in &hints.of {
            let all = tree.network.percepts_of(role, &hints.told[place as usize]);
            if public(&all) != all || told.insert(number, all.clone()).is_some_and(|other| other != all) {
                return Err(DealError::LateHands { role });
            }
        }
    }
    Ok(told)
}

/// The children on the quiet line until a turn of chance.
fn way_to(tree: &MoveTree, chance: usize) -> Vec<u32> {
    let (mut place, mut way) = (0, Vec::new());
    for &child in &tree.quiet {
        let node = &tree.nodes[place];
        if node.chance.is_some_and(|turn| turn as usize == chance) {
            break;
        }
        way.push(id(child));
        place = node.children[child] as usize;
    }
    way
}
