//! Games of two players in which chance deals each a hand before anybody has a choice, and afterwards only what all are told.
//!
//! In hold'em the cards in the hand are dealt first, and all later cards lie face up. So what everybody has seen is a place in the tree of
//! moves and the *board*, the later moves of chance, and what a player knows beside it is its hand: everywhere one of the same. What of a
//! pair of hands depends on the board is whether chance can deal it, and the goals.
//!
//! `pairs.rs` lists the deals of two hands, `boards.rs` finds which hands a later move of chance excludes, `places.rs` what is told and at
//! stake in the tree of moves, `symmetries.rs` which hands and boards are alike, `states.rs` follows many pairs of hands on lanes, and
//! `strengths.rs` compares hands.

mod boards;
mod pairs;
mod places;
mod states;
mod strengths;
mod symmetries;

use croupier_engine::{FluentId, Game, InformationSet, MoveId, PerceptId, Percepts, RoleId};

use rustc_hash::FxHashSet;

use super::{
    DealError,
    machine::{DealTape, id},
    move_tree::MoveTree,
};
use boards::HandBoards;
use pairs::HandPairs;
use places::MovePlaces;
use symmetries::HandSymmetries;

pub use states::{HandStates, HandTape};
pub use symmetries::BoardForm;

/// What of a player's percepts is public: told to all players or to none.
pub type PublicPart<'p> = dyn FnMut(&Percepts) -> Percepts + 'p;

/// What a player alone is told before anybody has a choice: percepts in ascending order, each with its turn of chance from 1 on, or with 0
/// where the order in which they came makes no difference.
type Hand = Vec<(u32, PerceptId)>;

/// A game of two players in which chance deals each a hand before anybody has a choice, and afterwards only what all are told.
///
/// As in the [`MoveTree`], what holds in all deals is found by playing hundreds of them at once: the hands, how likely they are and that
/// their order makes no difference from all deals of two hands; which hands a later move of chance excludes from as many of them as fit.
#[derive(Debug)]
pub struct HandGame {
    tree: MoveTree,
    pairs: HandPairs,
    boards: HandBoards,
    places: MovePlaces,
    symmetries: HandSymmetries,
    /// The numbers of the fluents that are true with some hands and not with others, as soon as they are dealt.
    dealt: FxHashSet<u32>,
}

/// Turns of the tree of moves, at most.
const NODES_MAX: usize = 200_000;

impl HandGame {
    /// Takes a game apart into hands and what is public.
    ///
    /// # Errors
    /// [`DealError`] if the game is of another kind, or there are too many deals of two hands.
    pub fn new(game: &Game, public: &mut PublicPart<'_>) -> Result<Self, DealError> {
        let tree = MoveTree::new(game, NODES_MAX)?;
        if tree.players.len() != 2 {
            return Err(DealError::Players { count: tree.players.len() });
        }
        let mut machine = DealTape::new(&tree.network, tree.random);
        let places = MovePlaces::new(&tree, &mut machine, public)?;
        let pairs = HandPairs::new(game, &tree, &mut machine, &places.way, public)?;
        let boards = HandBoards::new(&tree, &mut machine, &pairs, public)?;
        let symmetries = HandSymmetries::new(game, &tree, &pairs, &boards);
        let mut hands = Self { tree, pairs, boards, places, symmetries, dealt: FxHashSet::default() };
        let (_, way) = hands.first();
        let states = hands.states(&mut hands.tape(), way, &[], hands.witnesses(&[]));
        hands.dealt = states.differing().collect();
        Ok(hands)
    }

    /// The players.
    #[must_use]
    pub fn players(&self) -> &[RoleId] {
        &self.tree.players
    }

    /// What a state may consist of.
    #[must_use]
    pub fn fluents(&self) -> &[FluentId] {
        self.tree.network.fluents()
    }

    /// How many hands a player can be dealt; they are numbered from 0 on.
    #[must_use]
    pub fn hands_count(&self, player: usize) -> u32 {
        id(self.pairs.hands[player].len())
    }

    /// The number of the hand of a player who knows this.
    #[must_use]
    pub fn hand(&self, player: usize, known: &InformationSet, public: &mut PublicPart<'_>) -> Option<u32> {
        let told = known.turns.get(..self.places.way.len())?.iter().map(|(_, told)| told);
        self.pairs.hand(player, told, public)
    }

    /// How likely chance deals each pair of hands: those of the second player fastest.
    #[must_use]
    pub fn chances(&self) -> &[f32] {
        &self.pairs.weights
    }

    /// The turn in which the hands have been dealt, in the tree of moves, and the children that lead to it.
    #[must_use]
    pub fn first(&self) -> (u32, &[u32]) {
        (self.places.first, &self.places.way)
    }

    /// What became public in each turn until then.
    #[must_use]
    pub fn first_told(&self) -> &[Percepts] {
        &self.places.first_told
    }

    /// Whether a match is over in a turn of the tree of moves.
    #[must_use]
    pub fn is_over(&self, place: u32) -> bool {
        self.tree.nodes[place as usize].children.is_empty()
    }

    /// Whether chance deals in a turn.
    #[must_use]
    pub fn is_dealing(&self, place: u32) -> bool {
        self.tree.nodes[place as usize].chance.is_some()
    }

    /// The turns that follow, after each combination of the players' moves.
    #[must_use]
    pub fn children(&self, place: u32) -> &[u32] {
        &self.tree.nodes[place as usize].children
    }

    /// Which move of each player leads to a child, by its place among the player's legal moves.
    #[must_use]
    pub fn made(&self, place: u32, child: usize) -> [usize; 2] {
        let node = &self.tree.nodes[place as usize];
        let mut made = [0; 2];
        for (&(player, _), digit) in node.choosers.iter().zip(self.tree.digits(node, child)) {
            made[player] = digit;
        }
        made
    }

    /// The legal moves of a player in a turn, whatever the hands are.
    #[must_use]
    pub fn legal(&self, place: u32, player: usize) -> Vec<MoveId> {
        let (node, role) = (&self.tree.nodes[place as usize], self.tree.players[player]);
        let chosen = node.choosers.iter().find(|(chooser, _)| *chooser == player);
        let moves = self.tree.network.moves(role);
        match chosen {
            Some(&(_, set)) => {
                self.tree.sets[set as usize].moves.iter().map(|&number| moves[number as usize]).collect()
            }
            None => node.fixed.get(role.index()).map(|&number| moves[number as usize]).into_iter().collect(),
        }
    }

    /// What becomes public in a turn without chance, by child.
    #[must_use]
    pub fn told(&self, place: u32) -> &[Percepts] {
        &self.places.told[place as usize]
    }

    /// What becomes public as chance makes this move in its turn: the number of turns before is that of the board.
    #[must_use]
    pub fn told_by_chance(&self, board: &[u32], number: u32) -> Option<&Percepts> {
        self.boards.told(board.len(), number)
    }

    /// Whether chance deals anything after the hands.
    #[must_use]
    pub fn has_boards(&self) -> bool {
        self.tree.chances_count() > self.pairs.turns()
    }

    /// The board that stands for all that are like this one by a symmetry of the rules that is found quickly.
    #[must_use]
    pub fn form(&self, board: &[u32]) -> BoardForm<'_> {
        self.symmetries.form(board)
    }

    /// Whether chance can deal a hand together with a board.
    #[must_use]
    pub fn is_possible(&self, player: usize, hand: u32, board: &[u32]) -> bool {
        self.boards.is_possible(player, hand, board)
    }

    /// The least and the greatest goal of any player if from a turn on nobody does more than it takes until the deal decides.
    #[must_use]
    pub fn at_stake(&self, place: u32) -> (f32, f32) {
        self.places.at_stake[place as usize]
    }

    /// Whether the hands decide what a match that is over in this turn is worth.
    #[must_use]
    pub fn is_contested(&self, place: u32) -> bool {
        self.tree.nodes[place as usize].spread > 0.0
    }

    /// Whether a fluent depends on the hands as they are dealt.
    #[must_use]
    pub fn is_dealt(&self, fluent: u32) -> bool {
        self.dealt.contains(&fluent)
    }

    /// What the goals of both players always add up to, as far as it was played; `None` if not to the same.
    #[must_use]
    pub fn sum_of_goals(&self) -> Option<f32> {
        self.places.sum
    }
}
