//! Which hands are the same but for names and the order of their cards.

use std::collections::BTreeMap;

use croupier_engine::{Game, game::Symmetry, stages::bits::Bits};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use super::{
    abstraction::deal,
    machine::{DealTape, Deals, LANES, States},
    move_tree::MoveTree,
    rollout::DealtHand,
};

/// Hands that symmetries of the rules map to each other, or that differ only in the order in which they were dealt, have one
/// form: in hold'em 169 before the flop instead of 1,326 in two orders.
#[derive(Debug, Default)]
pub(super) struct Likeness {
    /// By player.
    of: Vec<PlayerLikeness>,
}

#[derive(Debug, Default)]
struct PlayerLikeness {
    /// By chance turn, the first turn that it can be exchanged with.
    firsts: Vec<usize>,
    /// By chance turn and what is told there, a number that means the same in all turns that can be exchanged.
    common: Vec<Vec<u32>>,
    /// By chance turn, what is told there by common number.
    local: Vec<BTreeMap<u32, u32>>,
    /// Symmetries: by common number, that of its image.
    images: Vec<Vec<u32>>,
}

impl Likeness {
    /// `None` as soon as `is_over` returns true.
    pub(super) fn new(
        tree: &MoveTree,
        game: &Game,
        rng: &mut ChaCha8Rng,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let mut exchanges = Exchanges::new(tree, rng);
        let mut of = Vec::with_capacity(tree.players.len());
        for player in 0..tree.players.len() {
            of.push(PlayerLikeness::new(tree, game, player, &mut exchanges, is_over)?);
        }
        Some(Self { of })
    }

    /// The form that a hand shares with those that are like it, and that is its own form: with some symmetries of a group that is too large to be
    /// listed, not all that are like it have the same.
    pub(super) fn form(&self, player: usize, hand: &[u32]) -> DealtHand {
        let Some(likeness) = self.of.get(player) else { return hand.to_vec() };
        let common: Vec<u32> =
            hand.iter().zip(&likeness.common).map(|(&told, common)| common[told as usize]).collect();
        let mut least = likeness.in_order(common);
        while let Some(image) = likeness.least_image(&least).filter(|image| *image < least) {
            least = image;
        }
        least.iter().zip(&likeness.local).map(|(told, local)| local[told]).collect()
    }
}

impl PlayerLikeness {
    fn new(
        tree: &MoveTree,
        game: &Game,
        player: usize,
        exchanges: &mut Exchanges<'_>,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let told: Vec<&Vec<Bits>> = tree.hints.iter().map(|hints| &hints[player].told).collect();
        let mut numbers: BTreeMap<&Bits, u32> = BTreeMap::new();
        for percepts in told.iter().copied().flatten() {
            let next = u32::try_from(numbers.len()).expect("few percepts");
            numbers.entry(percepts).or_insert(next);
        }
        let common: Vec<Vec<u32>> =
            told.iter().map(|told| told.iter().map(|percepts| numbers[percepts]).collect()).collect();
        let local = common.iter().map(|common| common.iter().copied().zip(0..).collect()).collect();
        let sorted = |common: &Vec<u32>| {
            let mut common = common.clone();
            common.sort_unstable();
            common
        };
        let possible: Vec<Vec<u32>> = common.iter().map(sorted).collect();
        let mut firsts: Vec<usize> = Vec::with_capacity(told.len());
        for turn in 0..told.len() {
            if is_over() {
                return None;
            }
            let mut classes = (0..turn).filter(|&first| firsts[first] == first);
            let first =
                classes.find(|&first| possible[first] == possible[turn] && exchanges.are_free(first, turn));
            firsts.push(first.unwrap_or(turn));
        }
        let images = game.quick_symmetries().iter();
        let images =
            images.filter_map(|symmetry| images_of(tree, game, player, symmetry, &numbers)).collect();
        let likeness = Self { firsts, common, local, images };
        Some(likeness.checked())
    }

    /// Without symmetries that lead from one turn to what is never told there.
    fn checked(mut self) -> Self {
        let Self { common, local, images, .. } = &mut self;
        let is_closed = |images: &Vec<u32>| {
            let mut turns = common.iter().zip(local.iter());
            turns.all(|(common, local)| common.iter().all(|&told| local.contains_key(&images[told as usize])))
        };
        images.retain(is_closed);
        self
    }

    /// The least of the images of a hand in common numbers.
    fn least_image(&self, common: &[u32]) -> Option<Vec<u32>> {
        let image = |images: &Vec<u32>| common.iter().map(|&told| images[told as usize]).collect();
        self.images.iter().map(|images| self.in_order(image(images))).min()
    }

    /// A hand with what was told in exchangeable turns in ascending order.
    fn in_order(&self, mut common: Vec<u32>) -> Vec<u32> {
        for turn in 1..common.len() {
            // Insertion among the turns of the same class.
            let mut at = turn;
            for earlier in (0..turn).rev().filter(|&earlier| self.firsts[earlier] == self.firsts[turn]) {
                if common[earlier] <= common[at] {
                    break;
                }
                common.swap(earlier, at);
                at = earlier;
            }
        }
        common
    }
}

/// What a symmetry maps all that a player can be told of the deal to; `None` if it exchanges the player with another.
fn images_of(
    tree: &MoveTree,
    game: &Game,
    player: usize,
    symmetry: &Symmetry,
    numbers: &BTreeMap<&Bits, u32>,
) -> Option<Vec<u32>> {
    let (role, network) = (tree.players[player], &tree.network);
    if !symmetry.keeps_roles() {
        return None;
    }
    let mut images = vec![0; numbers.len()];
    for (percepts, &number) in numbers {
        let image = symmetry.percepts(game, &network.percepts_of(role, percepts)).ok()?;
        images[number as usize] = *numbers.get(&network.percept_numbers(role, &image)?)?;
    }
    Some(images)
}

/// Which chance turns can be exchanged.
struct Exchanges<'t> {
    tree: &'t MoveTree,
    machine: DealTape,
    deals: Deals,
    /// By chance turn, how many turns with a choice of a player come before it.
    choices: Vec<usize>,
    known: FxHashMap<(usize, usize), bool>,
}

impl<'t> Exchanges<'t> {
    fn new(tree: &'t MoveTree, rng: &mut ChaCha8Rng) -> Self {
        let mut machine = DealTape::new(&tree.network, tree.random);
        let deals = deal(tree, &mut machine, rng);
        let (mut place, mut passed, mut choices) = (0, 0, Vec::new());
        for &child in &tree.quiet {
            let node = &tree.nodes[place];
            passed += usize::from(!node.choosers.is_empty());
            choices.extend(node.chance.map(|_| passed));
            place = node.children[child] as usize;
        }
        Self { tree, machine, deals, choices, known: FxHashMap::default() }
    }

    /// Whether no player has a choice between two chance turns, and the state after the second does not depend on which of two draws
    /// came first. That is found by trying it in some hundreds of deals: enough to group hands, which proves nothing.
    fn are_free(&mut self, first: usize, second: usize) -> bool {
        if self.choices[first] != self.choices[second] {
            return false;
        }
        if let Some(&known) = self.known.get(&(first, second)) {
            return known;
        }
        let mut exchanged = self.deals.numbers.clone();
        exchanged.swap(first, second);
        let dealt = self.deals.numbers.clone();
        let found = self.after(&dealt, second);
        let are_free = found.is_some() && found == self.after(&exchanged, second);
        self.known.insert((first, second), are_free);
        are_free
    }

    /// The states after a chance turn on the quiet line; `None` if a draw is illegal.
    fn after(&mut self, numbers: &[Vec<u32>], last: usize) -> Option<States> {
        let Self { tree, machine, .. } = self;
        let random = tree.random?;
        let (mut states, mut place, mut deals) = (machine.initial(), 0, Deals::default());
        for &child in &tree.quiet {
            let node = &tree.nodes[place];
            machine.enter(&states);
            if let Some(turn) = node.chance {
                let drawn = &numbers[turn as usize];
                if !(0..LANES).all(|lane| machine.legal(random, drawn[lane]).get(lane)) {
                    return None;
                }
                deals.push(drawn.clone());
            }
            states = tree.after(machine, &deals, node, child);
            if deals.turns() > last {
                return Some(states);
            }
            place = node.children[child] as usize;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use croupier_engine::Options;
    use rand_core::SeedableRng;

    use super::*;
    use crate::deal::abstraction::hand;

    const HOLDEM: &str = include_str!("../../../../games-ii/holdem/rules.gdl");
    const LEDUC: &str = include_str!("../../../../games-ii/leduc/rules.gdl");

    fn tree(rules: &str) -> (Game, MoveTree) {
        let game = Game::compile(rules, &Options::PLAY).unwrap().game;
        let tree = MoveTree::new(&game, 100_000).unwrap();
        (game, tree)
    }

    /// The forms of what a player holds after some chance turns, in this many batches of deals.
    fn forms(tree: &MoveTree, player: usize, chances: u32, batches: usize) -> BTreeSet<DealtHand> {
        let (mut machine, mut rng) =
            (DealTape::new(&tree.network, tree.random), ChaCha8Rng::from_seed([1; 32]));
        let mut forms = BTreeSet::new();
        for _ in 0..batches {
            let deals = deal(tree, &mut machine, &mut rng);
            let form = |lane| tree.likeness.form(player, &hand(tree, &deals, player, chances, lane));
            forms.extend((0..LANES).map(form));
        }
        forms
    }

    #[test]
    fn holdem_has_169_hands_before_the_flop() {
        // 13 pairs, 78 suited and 78 unsuited hands; counted by every book about the game.
        let (_, tree) = tree(HOLDEM);
        for player in 0..2 {
            assert_eq!(forms(&tree, player, 4, 40).len(), 169);
        }
    }

    #[test]
    fn a_flop_has_one_form_in_any_order_and_suits() {
        let (game, tree) = tree(HOLDEM);
        let local = |turn: usize, percept: &str| {
            let percepts = game.percepts_of([percept]).unwrap();
            let numbers = tree.network.percept_numbers(tree.players[0], &percepts).unwrap();
            let place = tree.hints[turn][0].told.iter().position(|told| *told == numbers);
            u32::try_from(place.unwrap()).unwrap()
        };
        let hand = |cards: [&str; 5]| {
            let mut hand = vec![0; 7];
            for (turn, card) in [0, 2, 4, 5, 6].into_iter().zip(cards) {
                let kind = if turn < 4 { "hole" } else { "board" };
                hand[turn] = local(turn, &format!("({kind} {card})"));
            }
            tree.likeness.form(0, &hand)
        };
        let form = hand(["as", "kd", "7s", "2h", "ks"]);
        assert_eq!(form, hand(["kd", "as", "ks", "7s", "2h"]));
        assert_eq!(form, hand(["kc", "ah", "kh", "2d", "7h"]));
        // The seven is of another suit, or a card of the board is in the hand.
        assert_ne!(form, hand(["as", "kd", "7d", "2h", "ks"]));
        assert_ne!(form, hand(["as", "ks", "7s", "2h", "kd"]));
    }

    #[test]
    fn a_form_is_its_own_form_also_with_a_part_of_the_symmetries() {
        // Of the rotations of nine cards only the one by a card is listed.
        let of = PlayerLikeness {
            firsts: vec![0],
            common: vec![(0..9).collect()],
            local: vec![(0..9).map(|told| (told, told)).collect()],
            images: vec![(0..9).map(|told| (told + 8) % 9).collect()],
        };
        let likeness = Likeness { of: vec![of] };
        assert!((0..9).all(|told| likeness.form(0, &[told]) == [0]));
    }

    #[test]
    fn leduc_has_three_hands_and_nine_with_a_board() {
        // The two cards of a rank can be exchanged: three hands, and with a board six of two ranks and three pairs.
        let (_, tree) = tree(LEDUC);
        for player in 0..2 {
            assert_eq!(forms(&tree, player, 2, 1).len(), 3);
            assert_eq!(forms(&tree, player, 3, 2).len(), 9);
        }
    }
}
