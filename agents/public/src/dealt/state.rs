//! A public state of a game whose histories are pairs of hands.

use std::sync::Arc;

use croupier_engine::{InformationSet, MoveId, Percepts};
use croupier_solvers::HandGame;

use crate::{PublicEyes, dealt::ComparedHands, pairs::PairNumbers};

/// A public state of a game whose histories are pairs of hands.
#[derive(Clone, Debug)]
pub struct DealtState {
    pub(crate) game: Arc<HandGame>,
    /// Its turn in the tree of moves.
    pub(crate) place: u32,
    /// The children that lead there.
    pub(crate) way: Vec<u32>,
    /// The moves of chance after the hands were dealt.
    pub(crate) board: Vec<u32>,
    /// What was public in each turn.
    pub(crate) told: Vec<Percepts>,
    /// By player, the hands that can be dealt with the board.
    pub(crate) hands: [Arc<Vec<u32>>; 2],
    /// How those compare.
    pub(crate) compared: ComparedHands,
    /// How likely chance deals each pair of them with the board.
    pub(crate) chances: Arc<PairNumbers>,
    /// The numbers of the fluents that are true whatever the hands are.
    pub(crate) common: Vec<u32>,
}

impl DealtState {
    /// How many strengths of hands a network tells apart.
    pub(crate) const STRENGTHS: usize = 64;

    /// What was public in each turn.
    #[must_use]
    pub fn told(&self) -> &[Percepts] {
        &self.told
    }

    /// By player, the numbers of the hands that can be dealt with the board.
    #[must_use]
    pub fn hands(&self) -> &[Arc<Vec<u32>>; 2] {
        &self.hands
    }

    /// By player and hand, how strong it is among those that can be dealt, from 0 on.
    pub(crate) fn strengths(&self) -> [&Vec<usize>; 2] {
        self.compared.strengths.each_ref().map(|strengths| &**strengths)
    }

    /// By player and hand, with these ranges and the probability of chance and of the others' moves, the share of what is at stake that it
    /// gets if nobody does more than it takes until the hands decide: from -1 to 1, and 0 where shares are not known.
    pub(crate) fn shares(&self, ranges: &[f64], others: &[f64]) -> Vec<f64> {
        let mut found = vec![0.0; ranges.len()];
        if let Some(shares) = &self.compared.shares {
            let count = self.hands[0].len();
            let (to_first, to_second) = found.split_at_mut(count);
            shares.add_to_rows(&ranges[count..], 1.0, to_first);
            shares.add_to_columns(&ranges[..count], -1.0, to_second);
            let all = found.iter_mut().zip(others);
            all.for_each(|(share, &others)| *share = if others > 0.0 { *share / others } else { 0.0 });
        }
        found
    }

    pub(crate) fn chances(&self) -> &Arc<PairNumbers> {
        &self.chances
    }

    /// The place of a pair of hands, those of the second player fastest, if it can be dealt with the board.
    pub(crate) fn place_of_pair(&self, [one, other]: [u32; 2]) -> Option<usize> {
        Some(self.place_of_hand(0, one)? * self.hands[1].len() + self.place_of_hand(1, other)?)
    }

    /// The place of a hand among its player's, if it can be dealt with the board.
    pub(crate) fn place_of_hand(&self, player: usize, hand: u32) -> Option<usize> {
        self.hands[player].binary_search(&hand).ok()
    }

    /// How many numbers a tree keeps of it: hands, and pairs of them if they decide an end.
    pub(crate) fn numbers_count(&self) -> usize {
        let hands = self.hands.iter().map(|hands| hands.len()).sum();
        if self.game.is_contested(self.place) { self.chances.len() } else { hands }
    }

    pub(crate) fn common(&self) -> &[u32] {
        &self.common
    }

    /// The least and the greatest goal that the next values lie between, if nobody does more than it takes until the hands decide.
    pub(crate) fn at_stake(&self) -> (f64, f64) {
        let (least, greatest) = self.game.at_stake(self.place);
        (f64::from(least), f64::from(greatest))
    }

    /// Whether chance deals next.
    pub(crate) fn is_dealing(&self) -> bool {
        self.game.is_dealing(self.place)
    }

    /// The legal moves of a player, whatever its hand is.
    pub(crate) fn legal(&self, player: usize) -> Vec<MoveId> {
        self.game.legal(self.place, player)
    }

    /// The place of a player's private state among its hands, if it knows this here.
    pub(crate) fn place_of(
        &self,
        player: usize,
        known: &InformationSet,
        eyes: &mut PublicEyes,
    ) -> Option<usize> {
        let hand = self.game.hand(player, known, &mut |told| eyes.public(told))?;
        self.place_of_hand(player, hand)
    }
}
