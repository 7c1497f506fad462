//! Searches of whole public trees find equilibria; with exact values at its leaves, so does a search that looks one turn ahead.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Game, InformationSet, Options, game::Looker};
use croupier_public::{
    LeafRanges, LeafValues, LookAhead, PublicError, PublicEyes, PublicLimits, PublicNode, PublicSearch,
    PublicSpace, PublicTree, SelfPlay, SelfPlaySettings, TreeDepth, ValueNetwork, ValueUnit, ZeroValues,
};
use croupier_solvers::{Evaluation, GameTree, Policy, SequenceForm, TreeLimits};

struct Table {
    game: Arc<Game>,
    eyes: PublicEyes,
    looker: Looker,
}

impl Table {
    fn of(name: &str) -> Self {
        let rules = croupier_games::find(name).unwrap().rules;
        let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
        let (eyes, looker) = (PublicEyes::new(Arc::clone(&game)).unwrap(), Looker::new(&game));
        Self { game, eyes, looker }
    }

    fn tree(&mut self, root: PublicNode, choices: usize) -> Arc<PublicTree> {
        let depth = TreeDepth { choices, histories: 1_000_000, boards: TreeDepth::BOARDS };
        Arc::new(PublicTree::new(root, depth, &mut self.eyes, &mut self.looker).unwrap())
    }

    fn whole(&mut self) -> Arc<PublicTree> {
        let root = PublicNode::initial(&self.game, &mut self.looker).unwrap();
        self.tree(root, usize::MAX)
    }
}

/// A public state of a tree, whose histories are listed.
fn node(tree: &PublicTree, at: usize) -> PublicNode {
    tree.state(at).listed().unwrap().clone()
}

/// No leaf is ever asked for.
struct NoLeaves;

impl LeafValues for NoLeaves {
    fn values(&mut self, _: &LeafRanges<'_>, _: &mut [f64]) -> Result<(), PublicError> {
        panic!("the whole game is in the tree")
    }
}

/// What players do in each information set.
type Strategies = BTreeMap<InformationSet, Vec<f64>>;

fn strategies(tree: &PublicTree, search: &PublicSearch) -> Strategies {
    let mut found = Strategies::new();
    for at in 0..tree.nodes_count() {
        for (player, of_player) in search.strategy(at).into_iter().enumerate() {
            let states = tree.state(at).listed().unwrap().private(player).iter().zip(of_player);
            found.extend(states.map(|(state, moves)| (state.known.clone(), moves)));
        }
    }
    found
}

/// NashConv over two, in goals.
fn exploitability(game: &Game, strategies: &Strategies) -> f64 {
    let tree = GameTree::new(game, &TreeLimits { histories_max: 1_000_000 }, &mut |_| {}).unwrap();
    let form = SequenceForm::new(&tree);
    let policy = Policy::from_fn(&form, |id, written| {
        written.copy_from_slice(&strategies[&tree.information_set(id)]);
    });
    Evaluation::new(&form, &policy).exploitability()
}

#[test]
fn a_search_of_the_whole_tree_finds_an_equilibrium() {
    for (name, iterations, most) in [("kuhn", 2_000, 0.2), ("leduc", 500, 0.3), ("goofspiel-4", 2_000, 1.5)] {
        let mut table = Table::of(name);
        let tree = table.whole();
        let mut search = PublicSearch::new(Arc::clone(&tree), &vec![vec![1.0]; tree.players_count()]);
        search.advance(iterations, &mut NoLeaves).unwrap();
        let found = exploitability(&table.game, &strategies(&tree, &search));
        assert!(found < most, "{name}: {found} goals");
    }
}

/// Solves what follows from each leaf to its end, from the ranges that it is given.
struct ExactValues<'t> {
    below: Vec<Arc<PublicTree>>,
    leaves: Vec<usize>,
    tree: &'t PublicTree,
}

impl LeafValues for ExactValues<'_> {
    fn values(&mut self, ranges: &LeafRanges<'_>, values: &mut [f64]) -> Result<(), PublicError> {
        let mut first = 0;
        for (&leaf, below) in self.leaves.iter().zip(&self.below) {
            let mut own = Vec::new();
            let begin = first;
            for player in 0..self.tree.players_count() {
                let count = self.tree.sets(leaf, player).len();
                own.push(ranges.ranges[first..first + count].to_vec());
                first += count;
            }
            let mut search = PublicSearch::new(Arc::clone(below), &own);
            search.advance(800, &mut NoLeaves)?;
            let found = search.root_values().concat();
            for (written, (found, _)) in values[begin..first].iter_mut().zip(found) {
                *written = found.unwrap_or_default();
            }
        }
        Ok(())
    }
}

#[test]
fn with_exact_values_at_its_leaves_a_search_of_one_turn_finds_the_value_of_the_game() {
    let mut table = Table::of("kuhn");
    let root = PublicNode::initial(&table.game, &mut table.looker).unwrap();
    let tree = table.tree(root, 1);
    let leaves: Vec<usize> = tree.leaves().collect();
    assert_eq!(leaves.len(), 2, "alice bets, or does not");
    let below = leaves.iter().map(|&leaf| table.tree(node(&tree, leaf), usize::MAX)).collect();
    let mut search = PublicSearch::new(Arc::clone(&tree), &vec![vec![1.0]; 2]);
    search.advance(1_000, &mut ExactValues { below, leaves, tree: &tree }).unwrap();
    // The first player loses a chip in eighteen (H. W. Kuhn, 1950), of 25 goals.
    let (found, exact) = (search.root_values()[0][0].0.unwrap(), 50.0 - 25.0 / 18.0);
    assert!((found - exact).abs() < 0.3, "{found} and {exact} goals");
    let of_king = &search.strategy(2)[0][2];
    assert!(of_king[0].max(of_king[1]) > 0.99, "with the king alice does one thing: {of_king:?}");
}

/// Solves what follows from each row to its end: the network that every network wants to be.
struct ExactNetwork {
    space: Arc<PublicSpace>,
    /// By what is public in a row.
    known: BTreeMap<Vec<u32>, Followed>,
}

/// What follows from a public state, and the places of its private states among the values.
struct Followed {
    tree: Arc<PublicTree>,
    places: Vec<Vec<usize>>,
    unit: ValueUnit,
}

impl ExactNetwork {
    fn of(table: &mut Table) -> Self {
        let limits = PublicLimits { histories: 1_000_000 };
        let space = PublicSpace::new(&table.game, &mut table.eyes, &mut table.looker, &limits).unwrap();
        let (whole, mut known) = (table.whole(), BTreeMap::new());
        for at in 0..whole.nodes_count() {
            let node = node(&whole, at);
            if node.has_choice() && !node.is_over() {
                let uniform: Vec<Vec<f64>> =
                    (0..2).map(|player| vec![1.0; node.private(player).len()]).collect();
                let state = whole.state(at);
                let row = space.row(state, &uniform, &mut table.eyes).unwrap();
                let places = space.places(state, &mut table.eyes).unwrap();
                let unit = space.unit(state);
                let tree = table.tree(node.clone(), usize::MAX);
                known.insert(Self::public(&space, &row), Followed { tree, places, unit });
            }
        }
        Self { space: Arc::new(space), known }
    }

    fn public(space: &PublicSpace, row: &[f32]) -> Vec<u32> {
        row[..space.inputs() - space.outputs()].iter().map(|number| number.to_bits()).collect()
    }
}

impl ValueNetwork for ExactNetwork {
    fn values(&mut self, rows: usize, inputs: &[f32]) -> Result<Vec<f32>, PublicError> {
        let space = &self.space;
        let mut written = vec![0.0; rows * space.outputs()];
        let each = inputs.chunks_exact(space.inputs()).zip(written.chunks_exact_mut(space.outputs()));
        for (row, written) in each {
            let Followed { tree, places, unit } = &self.known[&Self::public(space, row)];
            let range = |&place: &usize| f64::from(row[space.inputs() - space.outputs() + place]);
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

/// Zero is far from what leaves are worth; but a tree that grows comes to the ends, and needs no values.
#[test]
fn a_tree_that_grows_to_the_ends_needs_no_values() {
    for (name, most) in [("kuhn", 0.5), ("leduc", 1.0)] {
        let mut table = Table::of(name);
        let space =
            PublicSpace::new(&table.game, &mut table.eyes, &mut table.looker, &PublicLimits::STANDARD);
        let space = Arc::new(space.unwrap());
        let exploitable = [0, 8, 10_000].map(|growth| {
            let depth = TreeDepth { choices: 1, histories: 1_000_000, boards: TreeDepth::BOARDS };
            let ahead = LookAhead { depth, iterations: 400, growth };
            let game = Arc::clone(&table.game);
            let play = SelfPlay::new(game, Arc::clone(&space), ahead, SelfPlaySettings::STANDARD, [0; 32]);
            let found = play.unwrap().strategies(&mut ZeroValues { outputs: space.outputs() }).unwrap();
            let strategies = found.into_iter().map(|found| (found.known, found.probabilities)).collect();
            exploitability(&table.game, &strategies)
        });
        let [fixed, grown, whole] = exploitable;
        assert!(whole < most && whole < grown && grown < fixed, "{name}: {exploitable:?} goals");
    }
}

#[test]
fn with_exact_values_searches_that_are_made_anew_play_as_one() {
    let mut table = Table::of("leduc");
    let mut network = ExactNetwork::of(&mut table);
    let found = [16, 64].map(|iterations| {
        let depth = TreeDepth { choices: 2, histories: 1_000_000, boards: TreeDepth::BOARDS };
        let ahead = LookAhead { depth, iterations, growth: 0 };
        let space = Arc::clone(&network.space);
        let mut play =
            SelfPlay::new(Arc::clone(&table.game), space, ahead, SelfPlaySettings::STANDARD, [0; 32])
                .unwrap();
        let found = play.strategies(&mut network).unwrap();
        let strategies = found.into_iter().map(|found| (found.known, found.probabilities)).collect();
        exploitability(&table.game, &strategies)
    });
    // Three goals are a chip.
    assert!(found[0] > found[1] && found[1] < 0.5, "{found:?} goals");
}
