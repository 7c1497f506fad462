//! Which hands and boards are alike: the symmetries of the rules, as permutations of their numbers.

use croupier_engine::{Game, PerceptId, RoleId, game::Symmetry};
use rustc_hash::FxHashMap;

use super::{Hand, boards::HandBoards, pairs::HandPairs};
use crate::deal::{machine::id, move_tree::MoveTree};

/// The symmetries of the rules that leave every player in its seat, the identity among them.
#[derive(Debug)]
pub(super) struct HandSymmetries(Vec<HandSymmetry>);

/// A symmetry, by number.
#[derive(Debug)]
struct HandSymmetry {
    /// By player, the image of each hand.
    hands: [Vec<u32>; 2],
    /// The images of later moves of chance.
    moves: FxHashMap<u32, u32>,
}

/// A board that stands for all that are alike, and which of their hands are its.
#[derive(Clone, Debug)]
pub struct BoardForm<'g> {
    /// The moves of chance, in the order of the turns.
    pub board: Vec<u32>,
    symmetry: &'g HandSymmetry,
}

impl BoardForm<'_> {
    /// The number that a player's hand has beside this board.
    #[must_use]
    pub fn hand(&self, player: usize, hand: u32) -> u32 {
        self.symmetry.hands[player][hand as usize]
    }

    /// The same whatever the order in which chance made its moves: what it deals first is as good as what it deals last.
    #[must_use]
    pub fn key(&self) -> Vec<u32> {
        sorted(self.board.clone())
    }
}

impl HandSymmetries {
    /// Those that are found quickly.
    pub(super) fn new(game: &Game, tree: &MoveTree, pairs: &HandPairs, boards: &HandBoards) -> Self {
        let identity = HandSymmetry {
            hands: [0, 1].map(|player| (0..id(pairs.hands[player].len())).collect()),
            moves: boards.numbers().map(|number| (number, number)).collect(),
        };
        let found = game.quick_symmetries().iter();
        let others = found.filter_map(|symmetry| HandSymmetry::of(game, symmetry, tree, pairs, boards));
        Self(std::iter::once(identity).chain(others).collect())
    }

    /// The board that stands for all that are like this one.
    pub(super) fn form(&self, board: &[u32]) -> BoardForm<'_> {
        let image = |symmetry: &HandSymmetry| -> Vec<u32> {
            board.iter().map(|number| symmetry.moves.get(number).copied().unwrap_or(*number)).collect()
        };
        let least = self.0.iter().min_by_key(|symmetry| sorted(image(symmetry)));
        let symmetry = least.expect("the identity is a symmetry");
        BoardForm { board: image(symmetry), symmetry }
    }
}

impl HandSymmetry {
    /// `None` if it exchanges players, or leads out of what is known.
    fn of(
        game: &Game,
        symmetry: &Symmetry,
        tree: &MoveTree,
        pairs: &HandPairs,
        boards: &HandBoards,
    ) -> Option<Self> {
        let stays = |role: &RoleId| symmetry.role(*role) == *role;
        if !tree.players.iter().all(stays) {
            return None;
        }
        let percept = |told: PerceptId| symmetry.percept(game, told).ok();
        let image = |hand: &Hand| -> Option<Hand> {
            let image = hand.iter().map(|&(turn, told)| Some((turn, percept(told)?)));
            let mut image = image.collect::<Option<Hand>>()?;
            image.sort_unstable();
            Some(image)
        };
        let of = |player: usize| -> Option<Vec<u32>> {
            pairs.hands[player].iter().map(|hand| pairs.number(player, &image(hand)?)).collect()
        };
        let (hands, random) = ([of(0)?, of(1)?], tree.random?);
        let made = tree.network.moves(random);
        let moves = boards.numbers().map(|number| {
            let image = symmetry.played(game, made[number as usize]).ok()?;
            Some((number, u32::try_from(tree.network.move_number(random, image)?).ok()?))
        });
        Some(Self { hands, moves: moves.collect::<Option<_>>()? })
    }
}

/// Numbers in ascending order.
pub(super) fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers
}
