//! Rows of public beliefs: what they leave out, and what becomes of them under symmetries of the rules.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use croupier_engine::{Game, Options, game::Looker};
use croupier_public::{
    LeafRanges, LeafValues, LookAhead, PublicError, PublicEyes, PublicLimits, PublicNode, PublicSearch,
    PublicSpace, PublicState, PublicTree, SelfPlay, SelfPlaySettings, TreeDepth, ZeroValues,
};

const LIMITS: PublicLimits = PublicLimits { histories: 100_000 };

/// No leaf is ever asked for.
struct NoLeaves;

impl LeafValues for NoLeaves {
    fn values(&mut self, _: &LeafRanges<'_>, _: &mut [f64]) -> Result<(), PublicError> {
        panic!("the whole game is in the tree")
    }
}

/// Liar's dice with one die each of three faces: what matters of the bids is the last one.
fn dice() -> String {
    let values = [("faces".to_owned(), 3_u32.into())].into();
    croupier_games::find_family("liars-dice").expect("a family").rules(&values).expect("a member")
}

/// What is far too large is not counted for minutes; what may fit is, and the count is exact.
#[test]
fn games_that_are_too_large_are_refused_by_an_estimate_or_by_their_count() {
    let refused = |name: &str, histories: usize| {
        let rules = croupier_games::find(name).unwrap().rules;
        let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
        let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(&game)).unwrap(), Looker::new(&game));
        PublicSpace::new(&game, &mut eyes, &mut looker, &PublicLimits { histories }).unwrap_err()
    };
    let far = refused("goofspiel-13", 10_000);
    assert!(far.is_of_size(), "{far}");
    assert!(far.to_string().contains("as estimated by random descents, but the limit is 10000"), "{far}");
    // Tic-tac-toe has 549,946 histories.
    let near = refused("tic-tac-toe", 10_000);
    assert!(near.to_string().contains("there are more than 10000 histories"), "{near}");
}

/// Rows say as little as they can: not by which bids a match came to the last. Where everything is as likely, whatever has the same row
/// is worth the same, solved to the end.
#[test]
fn public_states_that_look_alike_are_worth_the_same() {
    for (name, rules) in
        [("dice", dice()), ("leduc", croupier_games::find("leduc").unwrap().rules.to_owned())]
    {
        let game = Arc::new(Game::compile(&rules, &Options::PLAY).unwrap().game);
        let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(&game)).unwrap(), Looker::new(&game));
        let space = PublicSpace::new(&game, &mut eyes, &mut looker, &LIMITS).unwrap();
        let mut waiting = vec![PublicNode::initial(&game, &mut looker).unwrap()];
        let (mut known, mut alike) = (BTreeMap::new(), 0);
        while let Some(node) = waiting.pop() {
            waiting.extend(node.expand(&mut eyes, &mut looker, &LIMITS).unwrap());
            if node.is_over() {
                continue;
            }
            let ranges: Vec<Vec<f64>> = (0..2).map(|player| vec![1.0; node.private(player).len()]).collect();
            let state = PublicState::Listed(node.clone());
            let row = space.row(&state, &ranges, &mut eyes).unwrap();
            let row: Vec<u32> = row.into_iter().map(f32::to_bits).collect();
            let places = space.places(&state, &mut eyes).unwrap().concat();
            let depth = TreeDepth { choices: usize::MAX, histories: 100_000, boards: TreeDepth::BOARDS };
            let tree = Arc::new(PublicTree::new(node, depth, &mut eyes, &mut looker).unwrap());
            let mut search = PublicSearch::new(tree, &ranges);
            search.advance(20, &mut NoLeaves).unwrap();
            let values = search.root_values().concat().into_iter().map(|(value, _)| value.unwrap());
            let values: BTreeMap<usize, f64> = places.into_iter().zip(values).collect();
            let Some(others) = known.insert(row, values.clone()) else { continue };
            alike += 1;
            assert!(values.keys().eq(others.keys()), "{name}: the same private states");
            for (value, other) in values.values().zip(others.values()) {
                assert!((value - other).abs() < 1e-6, "{name}: {value} and {other}");
            }
        }
        // Of the sets of bids that a player may answer, 63 are not empty; each of the six bids is the last of some, alice's or bob's.
        assert!(name != "dice" || alike >= 63 - 2 * 6, "{name}: {alike} public states look as others do");
        assert!(alike > 10, "{name}: {alike}");
    }
}

/// A coin of three sides is thrown, and one side on which it did not fall is called out. The state does not say which: rows must.
#[test]
fn rows_say_what_was_public_where_states_do_not() {
    let rules = "(role alice) (role bob) (role random) (init (phase 1)) (succ 1 2) (succ 2 3) (succ 3 4) (side 1) (side 2) (side 3)
        (<= (legal random (throw ?s)) (true (phase 1)) (side ?s))
        (<= (legal random (exclude ?s)) (true (phase 2)) (side ?s) (not (true (coin ?s))))
        (<= (legal random noop) (true (phase 3)))
        (<= (legal alice noop) (not (true (phase 3)))) (<= (legal alice (guess ?s)) (true (phase 3)) (side ?s)) (legal bob noop)
        (<= (next (phase ?n)) (true (phase ?m)) (succ ?m ?n))
        (<= (next (coin ?s)) (does random (throw ?s))) (<= (next (coin ?s)) (true (coin ?s)))
        (<= (next right) (does alice (guess ?s)) (true (coin ?s)))
        (player alice) (player bob) (<= (sees ?p (excluded ?s)) (does random (exclude ?s)) (player ?p))
        (<= terminal (true (phase 4)))
        (<= (goal alice 100) (true right)) (<= (goal alice 0) (not (true right)))
        (<= (goal bob 0) (true right)) (<= (goal bob 100) (not (true right)))";
    let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
    let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(&game)).unwrap(), Looker::new(&game));
    let space = PublicSpace::new(&game, &mut eyes, &mut looker, &LIMITS).unwrap();
    let named: BTreeSet<&str> = space.public_names().iter().map(String::as_str).collect();
    let wanted = [1, 2, 3].map(|side| format!("(excluded {side}), turn 2"));
    assert_eq!(named, wanted.iter().map(String::as_str).collect());
}

/// Suits of Leduc can be exchanged rank by rank: eight symmetries. A search finds the same values for the image of a public belief.
#[test]
fn values_of_an_image_are_the_image_of_the_values() {
    for (name, count) in [("leduc", 8), ("kuhn", 1)] {
        let rules = croupier_games::find(name).unwrap().rules;
        let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
        let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(&game)).unwrap(), Looker::new(&game));
        let space = Arc::new(PublicSpace::new(&game, &mut eyes, &mut looker, &LIMITS).unwrap());
        let symmetries = space.symmetries(&game).unwrap();
        assert_eq!(symmetries.len(), count, "{name}");
        let all: BTreeSet<usize> = (0..space.inputs()).collect();
        assert!(symmetries.iter().all(|places| places.iter().copied().collect::<BTreeSet<_>>() == all));
        let depth = TreeDepth { choices: usize::MAX, histories: 100_000, boards: TreeDepth::BOARDS };
        let ahead = LookAhead { depth, iterations: 30, growth: 0 };
        let mut play =
            SelfPlay::new(Arc::clone(&game), Arc::clone(&space), ahead, SelfPlaySettings::STANDARD, [0; 32])
                .unwrap();
        let outputs = space.outputs();
        // From the beginning of the match everything is as likely: its values are their own image.
        let found = play.play(&mut ZeroValues { outputs }, 1).unwrap();
        let first = space.inputs() - outputs;
        for places in &symmetries {
            for example in &found {
                let mut image = vec![0.0; space.inputs()];
                places.iter().zip(&example.row).for_each(|(&place, &number)| image[place] = number);
                assert_eq!(image, example.row, "{name}: the initial public belief is its own image");
                for (&place, value) in places[first..].iter().zip(&example.values) {
                    let other = example.values[place - first];
                    assert!((other - value).abs() < 1e-5, "{name}: {value} and {other}");
                }
            }
        }
    }
}
