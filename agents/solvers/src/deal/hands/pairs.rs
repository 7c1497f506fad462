//! The deals of two hands.

use std::collections::BTreeMap;

use croupier_engine::{Game, Percepts};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use super::{Hand, PublicPart, states::follow};
use crate::deal::{
    DealError,
    machine::{DealTape, Deals, LANES, States},
    move_tree::MoveTree,
};

/// Deals of two hands in any order, at most: those of hold'em are six and a half million.
const DEALS_MAX: usize = 8_000_000;

/// All pairs of hands that chance can deal.
#[derive(Debug)]
pub(super) struct HandPairs {
    /// By player.
    pub(super) hands: Vec<Vec<Hand>>,
    /// By player, the place of each hand.
    known: Vec<FxHashMap<Hand, u32>>,
    /// Whether hands say when their percepts came.
    has_turns: bool,
    /// By pair, how likely it is dealt.
    pub(super) weights: Vec<f32>,
    /// By pair, the number of a deal that deals it.
    dealt: Vec<u32>,
    /// By number, the moves of chance.
    deals: Vec<Vec<u32>>,
    /// All pairs that can be dealt, in any order that is always the same.
    pub(super) shuffled: Vec<[u32; 2]>,
}

/// Deals of two hands, and how likely each is.
type AllDeals = Vec<(Vec<u32>, f32)>;

/// No deal.
const NONE: u32 = u32::MAX;

impl HandPairs {
    /// The pairs that chance deals on the way to the first choice.
    pub(super) fn new(
        game: &Game,
        tree: &MoveTree,
        machine: &mut DealTape,
        way: &[u32],
        public: &mut PublicPart<'_>,
    ) -> Result<Self, DealError> {
        let dealt = all_deals(tree, machine, way)?;
        let told = PrivateTold::new(tree, dealt.first().map_or(0, |(deal, _)| deal.len()), public);
        for has_turns in [false, true] {
            let pairs = Self::of(game, &dealt, &told, has_turns);
            if pairs.are_all(tree, machine, way, &dealt, &told) {
                return Ok(pairs);
            }
        }
        Err(DealError::Untold)
    }

    fn of(game: &Game, dealt: &AllDeals, told: &PrivateTold, has_turns: bool) -> Self {
        let mut named: Vec<BTreeMap<String, Hand>> = vec![BTreeMap::new(); 2];
        for (player, named) in named.iter_mut().enumerate() {
            let mut seen = rustc_hash::FxHashSet::default();
            for (deal, _) in dealt {
                let hand = told.hand(player, deal, has_turns);
                if seen.insert(hand.clone()) {
                    named.insert(name(game, &hand), hand);
                }
            }
        }
        let hands: Vec<Vec<Hand>> = named.into_iter().map(|named| named.into_values().collect()).collect();
        let place = |hands: &Vec<Hand>| hands.iter().cloned().zip(0..).collect();
        let known = hands.iter().map(place).collect();
        let count = hands[0].len() * hands[1].len();
        let (weights, numbers) = (vec![0.0; count], vec![NONE; count]);
        let mut pairs =
            Self { hands, known, has_turns, weights, dealt: numbers, deals: vec![], shuffled: vec![] };
        for (deal, chance) in dealt {
            let hands = pairs.hands_of(deal, told);
            let place = pairs.place(hands);
            pairs.weights[place] += chance;
            if pairs.dealt[place] == NONE {
                pairs.dealt[place] = u32::try_from(pairs.deals.len()).expect("few deals");
                pairs.deals.push(deal.clone());
                pairs.shuffled.push(hands);
            }
        }
        croupier_engine::draw::shuffle(&mut pairs.shuffled, &mut ChaCha8Rng::from_seed([0; 32]));
        pairs
    }

    fn hands_of(&self, deal: &[u32], told: &PrivateTold) -> [u32; 2] {
        [0, 1].map(|player| self.known[player][&told.hand(player, deal, self.has_turns)])
    }

    /// Whether all deals of a pair lead to the same state, and so to the same future.
    fn are_all(
        &self,
        tree: &MoveTree,
        machine: &mut DealTape,
        way: &[u32],
        dealt: &AllDeals,
        told: &PrivateTold,
    ) -> bool {
        dealt.chunks(LANES).all(|some| {
            let deals: Vec<&[u32]> = some.iter().map(|(deal, _)| &deal[..]).collect();
            let first: Vec<&[u32]> = deals.iter().map(|deal| self.deal(self.hands_of(deal, told))).collect();
            deals == first
                || follow(tree, machine, way, &in_lanes(&deals))
                    == follow(tree, machine, way, &in_lanes(&first))
        })
    }

    /// The number of a pair.
    pub(super) fn place(&self, [first, second]: [u32; 2]) -> usize {
        first as usize * self.hands[1].len() + second as usize
    }

    /// The moves of chance that deal a pair.
    pub(super) fn deal(&self, hands: [u32; 2]) -> &[u32] {
        &self.deals[self.dealt[self.place(hands)] as usize]
    }

    /// How many turns of chance deal hands.
    pub(super) fn turns(&self) -> usize {
        self.deals.first().map_or(0, Vec::len)
    }

    /// The deals of these pairs in lanes, the last of them in all that are left, and a board in each.
    pub(super) fn deals(&self, pairs: &[[u32; 2]], board: &[u32]) -> Deals {
        let deals: Vec<&[u32]> = pairs.iter().map(|&hands| self.deal(hands)).collect();
        let mut deals = in_lanes(&deals);
        board.iter().for_each(|&number| deals.push_same(number));
        deals
    }

    /// The hand of a player who was told this in the turns until the first choice.
    pub(super) fn hand<'t>(
        &self,
        player: usize,
        told: impl Iterator<Item = &'t Percepts>,
        public: &mut PublicPart<'_>,
    ) -> Option<u32> {
        let mut hand = Hand::new();
        for (turn, told) in (1..).zip(told) {
            let own = private(told, public);
            hand.extend(own.iter().map(|percept| (if self.has_turns { turn } else { 0 }, percept)));
        }
        hand.sort_unstable();
        self.number(player, &hand)
    }

    /// The number of a hand of a player.
    pub(super) fn number(&self, player: usize, hand: &Hand) -> Option<u32> {
        self.known[player].get(hand).copied()
    }
}

/// What each player alone is told by each move of chance, by turn and player.
struct PrivateTold(Vec<Vec<FxHashMap<u32, Percepts>>>);

impl PrivateTold {
    fn new(tree: &MoveTree, turns: usize, public: &mut PublicPart<'_>) -> Self {
        let mut of_turn = |turn: usize| {
            let of_player = |(player, &role): (usize, &croupier_engine::RoleId)| {
                let hints = &tree.hints[turn][player];
                let told = |told| private(&tree.network.percepts_of(role, told), public);
                let told: Vec<Percepts> = hints.told.iter().map(told).collect();
                hints.of.iter().map(|(&number, &place)| (number, told[place as usize].clone())).collect()
            };
            tree.players.iter().enumerate().map(of_player).collect()
        };
        Self((0..turns).map(&mut of_turn).collect())
    }

    fn hand(&self, player: usize, deal: &[u32], has_turns: bool) -> Hand {
        let mut hand = Hand::new();
        for ((turn, number), told) in (1..).zip(deal).zip(&self.0) {
            let when = if has_turns { turn } else { 0 };
            hand.extend(
                told[player].get(number).into_iter().flat_map(Percepts::iter).map(|told| (when, told)),
            );
        }
        hand.sort_unstable();
        hand
    }
}

/// What is told to one player alone.
fn private(told: &Percepts, public: &mut PublicPart<'_>) -> Percepts {
    let public = public(told);
    told.only(|percept| !public.iter().any(|other| other == percept))
}

fn name(game: &Game, hand: &Hand) -> String {
    let one = |(turn, percept): &(u32, croupier_engine::PerceptId)| {
        format!("{turn} {}", game.percept_text(*percept))
    };
    let mut names: Vec<String> = hand.iter().map(one).collect();
    names.sort_unstable();
    names.join(" ")
}

/// All sequences of moves of chance on a way, and how likely each is.
fn all_deals(tree: &MoveTree, machine: &mut DealTape, way: &[u32]) -> Result<AllDeals, DealError> {
    let (mut dealt, mut place): (AllDeals, usize) = (vec![(Vec::new(), 1.0)], 0);
    for (passed, &child) in way.iter().enumerate() {
        let node = &tree.nodes[place];
        place = node.children[child as usize] as usize;
        if node.chance.is_none() {
            continue;
        }
        let mut next: AllDeals = Vec::new();
        for some in dealt.chunks(LANES) {
            let deals: Vec<&[u32]> = some.iter().map(|(deal, _)| &deal[..]).collect();
            let states: States = follow(tree, machine, &way[..passed], &in_lanes(&deals));
            machine.enter(&states);
            let legal = machine.legal_by_lane(&machine.chance_numbers());
            for ((deal, chance), legal) in some.iter().zip(legal) {
                let share = chance / legal.len() as f32;
                next.extend(legal.into_iter().map(|number| ([&deal[..], &[number]].concat(), share)));
            }
            if next.len() > DEALS_MAX {
                return Err(DealError::TooManyHands { most: DEALS_MAX });
            }
        }
        dealt = next;
    }
    Ok(dealt)
}

/// Deals in lanes, the last of them in all that are left.
fn in_lanes(deals: &[&[u32]]) -> Deals {
    let mut lanes = Deals::default();
    let turns = deals.first().map_or(0, |deal| deal.len());
    let in_turn = |turn: usize| (0..LANES).map(move |lane| deals[lane.min(deals.len() - 1)][turn]).collect();
    (0..turns).for_each(|turn| lanes.push(in_turn(turn)));
    lanes
}
