//! Public states of hands are those whose histories are listed, in games that are small enough for both.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Game, Options, game::Looker};
use croupier_solvers::{Evaluation, GameTree, Policy, SequenceForm, TreeLimits};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use super::{DealtTrees, NextBoard, contests::Contests};
use crate::{
    LeafRanges, LeafValues, LookAhead, PrivateState, PublicError, PublicEyes, PublicNode, PublicSearch,
    PublicSpace, PublicState, PublicTree, SearchingSeat, SelfPlay, SelfPlaySettings, TreeDepth, ValueNetwork,
    ValueUnit,
    dealt::{DealtNumbers, DealtState},
    tree::PairEnd,
};

const WHOLE: TreeDepth = TreeDepth { choices: usize::MAX, histories: 1_000_000, boards: TreeDepth::BOARDS };

/// A game in both ways.
struct Both {
    game: Arc<Game>,
    eyes: PublicEyes,
    looker: Looker,
    numbers: DealtNumbers,
    trees: DealtTrees,
}

impl Both {
    fn of(rules: &str) -> Self {
        let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
        let mut eyes = PublicEyes::new(Arc::clone(&game)).unwrap();
        let (numbers, _) = DealtNumbers::new(&game, &mut eyes).unwrap();
        let trees = DealtTrees::new(&numbers);
        Self { looker: Looker::new(&game), game, eyes, numbers, trees }
    }

    fn dealt(&mut self, root: &DealtState) -> Arc<PublicTree> {
        let mut rng = ChaCha8Rng::from_seed([0; 32]);
        Arc::new(self.trees.tree(root, WHOLE, NextBoard::Drawn(&mut rng)).unwrap())
    }

    fn listed(&mut self, root: PublicNode) -> Arc<PublicTree> {
        Arc::new(PublicTree::new(root, WHOLE, &mut self.eyes, &mut self.looker).unwrap())
    }

    /// The listed public state in which the same was public as in another.
    fn alike(&mut self, state: &DealtState) -> PublicNode {
        let mut node = PublicNode::initial(&self.game, &mut self.looker).unwrap();
        for told in state.told() {
            let limits = crate::PublicLimits::STANDARD;
            node = node.after(told, &mut self.eyes, &mut self.looker, &limits).unwrap().unwrap();
        }
        node
    }

    /// By player and private state, ranges that differ everywhere, and the hand of each.
    fn ranges(&mut self, node: &PublicNode, state: &DealtState) -> [Vec<Vec<f64>>; 2] {
        let range = |player: usize, place: usize| 0.1 + ((place * 5 + player * 3) % 7) as f64;
        let of_hands =
            |player: usize| (0..state.hands()[player].len()).map(|place| range(player, place)).collect();
        let hands: Vec<Vec<f64>> = (0..2).map(of_hands).collect();
        let mut of_listed = |player: usize| {
            let place = |state_of: &PrivateState| {
                hands[player][state.place_of(player, &state_of.known, &mut self.eyes).unwrap()]
            };
            node.private(player).iter().map(place).collect()
        };
        [(0..2).map(&mut of_listed).collect(), hands.clone()]
    }

    /// Compares two searches of trees with the same root, by hand; and how many hands there are.
    fn compare(&mut self, listed: &PublicSearch, dealt: &PublicSearch) -> usize {
        let (node, PublicState::Dealt(state)) = (listed.tree().state(0), dealt.tree().state(0)) else {
            panic!()
        };
        let node = node.listed().unwrap();
        let (one, other) = (listed.root_values(), dealt.root_values());
        let mut compared = 0;
        for player in 0..2 {
            for (private, (value, weight)) in node.private(player).iter().zip(&one[player]) {
                let place = state.place_of(player, &private.known, &mut self.eyes).unwrap();
                let (other_value, other_weight) = other[player][place];
                let off = value.unwrap() - other_value.unwrap();
                assert!(off.abs() < 1e-2, "{} goals of {value:?}", off);
                // Chances have a common factor.
                let scale = one[0][0].1
                    / other[0][state.place_of(0, &node.private(0)[0].known, &mut self.eyes).unwrap()].1;
                assert!((weight - other_weight * scale).abs() < 1e-5 * weight, "{weight} and {other_weight}");
                compared += 1;
            }
        }
        compared
    }
}

fn rules(name: &str) -> &'static str {
    croupier_games::find(name).unwrap().rules
}

/// No leaf is ever asked for.
struct NoLeaves;

impl LeafValues for NoLeaves {
    fn values(&mut self, _: &LeafRanges<'_>, _: &mut [f64]) -> Result<(), PublicError> {
        panic!("the tree reaches the end")
    }
}

#[test]
fn a_search_of_kuhn_by_hands_is_the_search_by_histories() {
    let mut both = Both::of(rules("kuhn"));
    let first = both.trees.first();
    let node = both.alike(&first);
    let [ranges, of_hands] = both.ranges(&node, &first);
    let (listed, dealt) = (both.listed(node), both.dealt(&first));
    let (mut one, mut other) = (PublicSearch::new(listed, &ranges), PublicSearch::new(dealt, &of_hands));
    // Longer searches differ, because few bits decide between moves that are as good.
    one.advance(15, &mut NoLeaves).unwrap();
    other.advance(15, &mut NoLeaves).unwrap();
    assert_eq!(both.compare(&one, &other), 6);
}

/// From a state, the first leaf in which chance deals.
fn dealing(tree: &PublicTree) -> DealtState {
    let leaf = tree.leaves().find_map(|leaf| match tree.state(leaf) {
        PublicState::Dealt(state) if state.is_dealing() => Some(state.clone()),
        _ => None,
    });
    leaf.unwrap()
}

#[test]
fn searches_of_leduc_after_each_board_and_before_it_are_those_by_histories() {
    let mut both = Both::of(rules("leduc"));
    let first = both.trees.first();
    assert_eq!(first.hands().each_ref().map(|hands| hands.len()), [6, 6]);
    let before = dealing(&both.dealt(&first));
    let boards = both.dealt(&before);
    // All six cards, each with the pairs of hands that leave it; and the hands of five cards beside it.
    let leaves: Vec<usize> = boards.leaves().collect();
    assert_eq!(leaves.len(), 6);
    let mut sums: [BTreeMap<u32, (f64, f64)>; 2] = [BTreeMap::new(), BTreeMap::new()];
    let node = both.alike(&before);
    let [ranges, of_hands] = both.ranges(&node, &before);
    let mut whole = PublicSearch::new(both.listed(node.clone()), &ranges);
    whole.advance(30, &mut NoLeaves).unwrap();
    for leaf in leaves {
        let PublicState::Dealt(state) = boards.state(leaf).clone() else { panic!() };
        assert_eq!(state.hands().each_ref().map(|hands| hands.len()), [5, 5]);
        let node = both.alike(&state);
        let [ranges, of_board] = both.ranges(&node, &state);
        let (listed, dealt) = (both.listed(node), both.dealt(&state));
        let mut one = PublicSearch::new(listed, &ranges);
        let mut other = PublicSearch::new(Arc::clone(&dealt), &of_board);
        one.advance(30, &mut NoLeaves).unwrap();
        other.advance(30, &mut NoLeaves).unwrap();
        assert_eq!(both.compare(&one, &other), 10);
        // With the ranges of before, for the mean over boards.
        let kept = |player: usize| {
            let place = |hand: &u32| of_hands[player][before.hands()[player].binary_search(hand).unwrap()];
            state.hands()[player].iter().map(place).collect::<Vec<f64>>()
        };
        let mut on_board = PublicSearch::new(dealt, &[kept(0), kept(1)]);
        on_board.advance(30, &mut NoLeaves).unwrap();
        for (player, values) in on_board.root_values().into_iter().enumerate() {
            for (&hand, (value, weight)) in state.hands()[player].iter().zip(values) {
                let sum = sums[player].entry(hand).or_default();
                *sum = (sum.0 + value.unwrap() * weight, sum.1 + weight);
            }
        }
    }
    for (player, values) in whole.root_values().into_iter().enumerate() {
        for (private, (value, _)) in node.private(player).iter().zip(values) {
            let place = before.place_of(player, &private.known, &mut both.eyes).unwrap();
            let (sum, weight) = sums[player][&before.hands()[player][place]];
            assert!((value.unwrap() - sum / weight).abs() < 1e-2, "{value:?} and {}", sum / weight);
        }
    }
}

#[test]
fn royal_holdem_has_190_hands_and_24_symmetries() {
    // C(20, 2) pairs of cards; after a flop C(17, 2), and four suits that can be exchanged.
    let mut both = Both::of(rules("royal-holdem"));
    let first = both.trees.first();
    assert_eq!(first.hands().each_ref().map(|hands| hands.len()), [190, 190]);
    let mut numbers = vec![0.0; 190];
    let mut of_row = |row| {
        first.chances().write_row(row, &mut numbers);
        numbers.iter().sum::<f32>()
    };
    let total: f32 = (0..190).map(&mut of_row).sum();
    assert!((total - 1.0).abs() < 1e-3, "{total}");
    let tree = both.trees.tree(&first, TreeDepth { choices: 2, ..WHOLE }, NextBoard::Told(&[])).unwrap();
    assert_eq!(
        tree.leaves().count() + tree.pair_ends.len(),
        6,
        "folded twice, called and checked, raised, called, raised again"
    );
    let before = dealing(&tree);
    let boards = both.dealt(&before);
    let leaves: Vec<usize> = boards.leaves().collect();
    assert_eq!(leaves.len(), TreeDepth::BOARDS);
    let PublicState::Dealt(state) = boards.state(leaves[0]) else { panic!() };
    assert_eq!(state.hands().each_ref().map(|hands| hands.len()), [136, 136]);
    let space = PublicSpace::by_hands(&both.game, &mut both.eyes).unwrap();
    assert_eq!(space.symmetries(&both.game).unwrap().len(), 24);
    // The worst hand is ten and jack, the best two aces.
    let strengths = both.numbers.hands(&before);
    assert!(strengths[1].iter().all(|place| (64..128).contains(place)));
}

/// Leaves that are worth nothing.
struct Nothing;

impl LeafValues for Nothing {
    fn values(&mut self, _: &LeafRanges<'_>, values: &mut [f64]) -> Result<(), PublicError> {
        values.fill(0.0);
        Ok(())
    }
}

#[test]
fn a_tree_of_hands_that_grows_everywhere_is_the_deeper_tree() {
    let mut both = Both::of(rules("royal-holdem"));
    let first = both.trees.first();
    let mut tree =
        |choices| both.trees.tree(&first, TreeDepth { choices, ..WHOLE }, NextBoard::Told(&[])).unwrap();
    let (mut grown, deeper) = (tree(1), tree(3));
    for _ in 1..3 {
        for leaf in grown.leaves().collect::<Vec<usize>>() {
            if !grown.can_grow(leaf) {
                continue;
            }
            let PublicState::Dealt(state) = grown.state(leaf).clone() else { panic!("by hands") };
            both.trees.grow(&mut grown, leaf, &state, WHOLE).unwrap();
        }
    }
    let told = |tree: &PublicTree| {
        let mut told: Vec<_> = (0..tree.nodes_count()).map(|at| tree.state(at).told().to_vec()).collect();
        told.sort();
        told
    };
    assert_eq!(told(&grown), told(&deeper));
    assert_eq!(grown.leaves().count(), deeper.leaves().count());
    assert_eq!(grown.pair_ends.len(), deeper.pair_ends.len());
    let [one, other] = [grown, deeper].map(|tree| {
        let mut search = PublicSearch::new(Arc::new(tree), &[vec![1.0; 190], vec![1.0; 190]]);
        search.advance(20, &mut Nothing).unwrap();
        search.root_values().concat()
    });
    for ((one, _), (other, _)) in one.into_iter().zip(other) {
        assert!((one.unwrap() - other.unwrap()).abs() < 1e-6, "{one:?} and {other:?}");
    }
}

#[test]
fn ends_with_the_same_board_are_as_if_each_was_played_with_all_hands() {
    let mut both = Both::of(rules("royal-holdem"));
    let mut state = both.trees.first();
    // Everybody checks and calls until all cards lie there.
    while state.is_dealing() || state.board.len() < 5 {
        let tree = both.dealt(&state);
        let leaf = tree.leaves().find(|&leaf| {
            let PublicState::Dealt(after) = tree.state(leaf) else { panic!() };
            state.is_dealing() || after.is_dealing()
        });
        let PublicState::Dealt(after) = tree.state(leaf.unwrap()).clone() else { panic!() };
        state = after;
    }
    let tree = both.dealt(&state);
    let contested: Vec<DealtState> = (0..tree.nodes_count())
        .filter_map(|at| match tree.state(at) {
            PublicState::Dealt(end) if both.numbers.game().is_contested(end.place) => Some(end.clone()),
            _ => None,
        })
        .collect();
    assert!(contested.len() > 4, "{}", contested.len());
    let game = Arc::clone(both.numbers.game());
    let (mut tape, mut known) = (game.tape(), Contests::default());
    for end in contested {
        let states = game.states(&mut tape, &end.way, &end.board, game.witnesses(&end.board));
        let some = game.goals(&mut tape, &states);
        let worths = [&mut known, &mut Contests::default()].map(|contests| {
            let worth = contests.worth(&game, &mut tape, &end, &some);
            let count = end.hands[0].len();
            let reach: Vec<f64> = (0..2 * count).map(|place| (place * 7 % 5) as f64).collect();
            let mut values = vec![0.0; 2 * count];
            PairEnd { first: [0, count], worth }.add_values(&reach, &mut values);
            values
        });
        let [of_known, of_all] = worths;
        // Hands of every pair, played one by one.
        let all = game.states(&mut tape, &end.way, &end.board, game.possible(&end.board).collect());
        let mut played = vec![0.0; of_all.len()];
        let mut chances = vec![0.0; end.hands[1].len()];
        for (hands, goals) in game.goals(&mut tape, &all) {
            let [one, other] = [0, 1].map(|player| end.place_of_hand(player, hands[player]).unwrap());
            end.chances().write_row(one, &mut chances);
            let count = end.hands[0].len();
            let reach = |place: usize| (place * 7 % 5) as f64 * f64::from(chances[other]);
            played[one] += reach(count + other) * f64::from(goals[0]);
            played[count + other] += reach(one) * f64::from(goals[1]);
        }
        let most = played.iter().copied().fold(0.0, f64::max);
        for ((of_known, of_all), played) in of_known.into_iter().zip(of_all).zip(played) {
            assert!((of_known - played).abs() < 1e-4 * most, "{of_known} and {played}");
            assert!((of_all - played).abs() < 1e-4 * most, "{of_all} and {played}");
        }
    }
}

/// A network that is never asked.
struct NeverAsked {
    is_beyond_shares: bool,
}

impl ValueNetwork for NeverAsked {
    fn values(&mut self, _rows: usize, _inputs: &[f32]) -> Result<Vec<f32>, PublicError> {
        panic!("the trees reach the end")
    }

    fn is_beyond_shares(&self) -> bool {
        self.is_beyond_shares
    }
}

#[test]
fn what_is_learned_of_kuhn_is_what_cards_are_worth_beyond_winning_if_nobody_bets() {
    let mut both = Both::of(rules("kuhn"));
    let space = Arc::new(PublicSpace::by_hands(&both.game, &mut both.eyes).unwrap());
    assert!(space.has_shares());
    let first = |is_beyond_shares| {
        let (game, settings) = (Arc::clone(&both.game), SelfPlaySettings::STANDARD);
        let ahead = LookAhead { depth: WHOLE, iterations: 16, growth: 0 };
        let mut play = SelfPlay::new(game, Arc::clone(&space), ahead, settings, [0; 32]).unwrap();
        play.play(&mut NeverAsked { is_beyond_shares }, 1).unwrap().swap_remove(0)
    };
    let (whole, beyond) = (first(false), first(true));
    assert_eq!((&whole.row, &whole.weights), (&beyond.row, &beyond.weights));
    // The jack always loses, the queen to the king and not to the jack, and the king always wins.
    for (strength, share) in [(10, -1.0), (32, 0.0), (53, 1.0)] {
        for place in [strength, DealtState::STRENGTHS + strength] {
            let (value, left) = (whole.values[place], beyond.values[place]);
            assert!((value - left - share).abs() < 1e-4, "{strength}: {value} and {left}");
        }
    }
}

/// Solves what follows from each row to its end, by histories: the network that every network wants to be.
struct ExactNetwork {
    space: Arc<PublicSpace>,
    /// By what is public in a row.
    known: BTreeMap<Vec<u32>, Followed>,
}

/// What follows from a public state; the places of its private states among the values, and what these stand for.
struct Followed {
    tree: Arc<PublicTree>,
    places: Vec<Vec<usize>>,
    unit: ValueUnit,
}

impl ExactNetwork {
    fn of(both: &mut Both) -> Self {
        let space = Arc::new(PublicSpace::by_hands(&both.game, &mut both.eyes).unwrap());
        let (mut known, mut waiting) = (BTreeMap::new(), vec![both.trees.first()]);
        while let Some(state) = waiting.pop() {
            let below = both.dealt(&state);
            let states = (1..below.nodes_count()).filter_map(|at| match below.state(at) {
                PublicState::Dealt(next) if !both.numbers.game().is_over(next.place) => Some(next.clone()),
                _ => None,
            });
            waiting.extend(states.filter(|next| state.is_dealing() || next.is_dealing()));
            let all = (0..below.nodes_count()).filter_map(|at| match below.state(at) {
                PublicState::Dealt(next) if !both.numbers.game().is_over(next.place) => Some(next.clone()),
                _ => None,
            });
            for state in all.collect::<Vec<DealtState>>() {
                let node = both.alike(&state);
                let hands = both.numbers.hands(&state);
                let mut places = Vec::new();
                for player in 0..2 {
                    let place = |private: &PrivateState| {
                        hands[player][state.place_of(player, &private.known, &mut both.eyes).unwrap()]
                    };
                    places.push(node.private(player).iter().map(place).collect());
                }
                let state = PublicState::Dealt(state);
                let mut row = vec![0.0; space.inputs()];
                space.write_public(&state, &mut row);
                let followed = Followed { tree: both.listed(node), places, unit: space.unit(&state) };
                known.insert(Self::public(&space, &row), followed);
            }
        }
        Self { space, known }
    }

    fn public(space: &PublicSpace, row: &[f32]) -> Vec<u32> {
        row[..space.inputs() - space.outputs()].iter().map(|number| number.to_bits()).collect()
    }
}

impl ValueNetwork for ExactNetwork {
    fn is_beyond_shares(&self) -> bool {
        false
    }

    fn values(&mut self, rows: usize, inputs: &[f32]) -> Result<Vec<f32>, PublicError> {
        let space = &self.space;
        let mut written = vec![0.0; rows * space.outputs()];
        let each = inputs.chunks_exact(space.inputs()).zip(written.chunks_exact_mut(space.outputs()));
        for (row, written) in each {
            let Followed { tree, places, unit } = &self.known[&Self::public(space, row)];
            let range = |&place: &usize| {
                let alike = places.iter().flatten().filter(|&&other| other == place).count();
                f64::from(row[space.inputs() - space.outputs() + place]) / alike as f64
            };
            let ranges: Vec<Vec<f64>> = places.iter().map(|own| own.iter().map(range).collect()).collect();
            let mut search = PublicSearch::new(Arc::clone(tree), &ranges);
            search.advance(40, &mut NoLeaves)?;
            for (&place, (value, _)) in places.iter().flatten().zip(search.root_values().concat()) {
                written[place] = value.map_or(0.0, |value| unit.scaled(value) as f32);
            }
        }
        Ok(written)
    }
}

#[test]
fn with_exact_values_a_seat_by_hands_is_as_hard_to_exploit_as_one_by_histories() {
    let mut both = Both::of(rules("leduc"));
    let mut network = ExactNetwork::of(&mut both);
    let ahead = LookAhead { depth: TreeDepth { choices: 2, ..WHOLE }, iterations: 64, growth: 0 };
    let mut seat = SearchingSeat::new(Arc::clone(&both.game), Arc::clone(&network.space), ahead).unwrap();
    let first = PublicNode::initial(&both.game, &mut both.looker).unwrap();
    let whole = both.listed(first);
    let tree = GameTree::new(&both.game, &TreeLimits { histories_max: 1_000_000 }, &mut |_| {}).unwrap();
    let mut asked: Vec<(usize, &PublicNode)> = Vec::new();
    for node in (0..whole.nodes_count()).filter_map(|at| whole.state(at).listed()) {
        asked.extend(
            (0..2)
                .filter(|&player| node.private(player).iter().any(PrivateState::has_choice))
                .map(|player| (player, node)),
        );
    }
    // One way after the other: a seat goes on from its last search.
    asked.sort_by(|(player, one), (other, another)| {
        player.cmp(other).then_with(|| one.told().cmp(another.told()))
    });
    let mut found = BTreeMap::new();
    for (player, node) in asked {
        for state in node.private(player) {
            let moves = seat.probabilities(&mut network, &state.known, &state.legal).unwrap();
            found.insert(state.known.clone(), moves);
        }
    }
    let form = SequenceForm::new(&tree);
    let policy =
        Policy::from_fn(&form, |id, written| written.copy_from_slice(&found[&tree.information_set(id)]));
    let exploitability = Evaluation::new(&form, &policy).exploitability();
    // Three goals are a chip; the bound is that of the test of searches by histories.
    assert!(exploitability < 0.5, "{exploitability} goals");
}
