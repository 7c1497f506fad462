//! Nets against their definition: features by their names, sums in 64 bits, the softmax over legal moves.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use croupier_belief::{ExactBelief, ExactOptions, Guide, Names, Opponents, PolicyTable};
use croupier_engine::{
    ByPlayer, Game, InformationSet, Limits, MoveId, Options, game::Looker, stages::syntax,
};
use croupier_nets::{BeliefNet, Net, NetError, ValueNet};
use croupier_players::{Brought, Budget, KindFile, KindFormat, Model, PlayerError, PlayerKind, ValueSearch};
use croupier_public::{PublicEyes, PublicLimits, PublicSpace};
use croupier_tests::{
    net::{Layer, NetFile},
    renamed::renamed,
};
use proptest::prelude::*;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use serde_json::{Value, json};

fn game(name: &str) -> Arc<Game> {
    let rules = croupier_games::find(name).expect("a game of the catalogue").rules;
    game_of(rules)
}

fn game_of(rules: &str) -> Arc<Game> {
    Arc::new(Game::compile(rules, &Options::PLAY).expect("rules that compile").game)
}

fn brought(file: &NetFile) -> Brought {
    match Net::read(&file.bytes()).expect("a net").into_kind("test.onnx") {
        PlayerKind::Brought(brought) => brought,
        other => unreachable!("{other} is no net"),
    }
}

/// What somebody with a choice knows, and its legal moves, along random matches.
fn decisions(game: &Game, matches: u8) -> Vec<(InformationSet, Vec<MoveId>)> {
    let mut scratch = game.scratch();
    let mut decisions = Vec::new();
    for number in 0..matches {
        let mut rng = ChaCha8Rng::from_seed([number; 32]);
        let mut state = game.initial_state().clone();
        let mut known = ByPlayer::from_fn(game.roles(), InformationSet::initial);
        while let Some(joint) = game.random_joint_move(&state, &mut rng, &mut scratch).expect("legal moves") {
            for (role, known) in known.iter() {
                let legal = game.legal_moves(&state, role, &mut scratch).expect("legal moves");
                decisions.extend((legal.len() > 1).then(|| (known.clone(), legal)));
            }
            let turn = game.turn(&state, &joint, &mut scratch).expect("a turn");
            for (role, known) in known.iter_mut() {
                known.turns.push((joint.of(role), turn.percepts[role].clone()));
            }
            state = turn.successor;
        }
    }
    assert!(!decisions.is_empty(), "somebody has a choice");
    decisions
}

/// The probabilities by the definition, from what the names in the file say.
fn expected(file: &NetFile, game: &Game, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
    let names = file.names.as_ref().expect("names");
    let players = names["players"].as_array().expect("players");
    let role = game.roles().name(known.role);
    let own = players.iter().position(|player| player["role"] == role).expect("a player");
    let last = names["last"].as_u64().expect("a number");
    let mut said: BTreeSet<String> = BTreeSet::new();
    for (ago, (made, percepts)) in (1..).zip(known.turns.iter().rev()) {
        let told = game.percept_terms(percepts).into_iter().map(|percept| format!("saw {percept}"));
        for event in told.chain([format!("did {}", game.move_text(*made))]) {
            said.insert(format!("{event}, ever"));
            if ago <= last {
                said.insert(format!("{event}, {ago} turns ago"));
            }
        }
    }
    let mut row: Vec<f64> = (0..players.len()).map(|player| f64::from(u8::from(player == own))).collect();
    let features = players[own]["features"].as_array().expect("features").iter();
    row.extend(features.map(|name| f64::from(u8::from(said.remove(name.as_str().expect("a text"))))));
    assert!(said.is_empty(), "features without a name: {said:?}");
    row.resize(file.layers[0].weights.len(), 0.0);
    let logits = file.logits(&row);
    let moves = players[own]["moves"].as_array().expect("moves");
    let logit = |&legal: &MoveId| {
        let column = moves.iter().position(|name| *name == *game.move_text(legal)).expect("a column");
        logits[column]
    };
    let weights: Vec<f64> = legal.iter().map(|legal| logit(legal).exp()).collect();
    weights.iter().map(|weight| weight / weights.iter().sum::<f64>()).collect()
}

fn assert_near(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    let far = found.iter().zip(wanted).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
    assert!(far < 1e-5, "{far}: {found:?} {wanted:?}");
}

#[test]
fn probabilities_are_the_softmax_of_what_the_names_say() {
    for (name, last) in [("kuhn", 0), ("leduc", 2), ("tic-tac-toe", 1), ("goofspiel-4", 3), ("liars-dice", 1)]
    {
        let game = game(name);
        let file = NetFile::new(&game, last, 16, 3);
        let brought = brought(&file);
        for (known, legal) in decisions(&game, 10) {
            let strategy = brought.strategy(&game, known.role).expect("a net of the game");
            let found = strategy.try_probabilities(&known, &legal).expect("probabilities");
            assert_near(&found, &expected(&file, &game, &known, &legal));
            assert_eq!(strategy.probabilities(&known, &legal), found, "a policy says the same");
            let mut player = PlayerKind::Brought(brought.clone())
                .player(Arc::clone(&game), known.role, [1; 32])
                .expect("a player");
            let decision = player.choose(&known, &mut Budget::Own).expect("a move");
            assert_eq!((decision.moves, decision.strategy), (legal, Some(found)), "{name}");
        }
    }
}

#[test]
fn a_net_is_played_under_other_names() {
    for name in ["kuhn", "leduc", "liars-dice"] {
        let written = game(name);
        let rules = croupier_games::find(name).expect("the catalogue has it").rules;
        let copy = game_of(&renamed(rules, 6));
        let names = Names::of(&copy, &written.rules().program().to_string()).expect("only names differ");
        let brought = brought(&NetFile::new(&written, 1, 16, 3));
        for (known, legal) in decisions(&copy, 10) {
            let strategy = brought.strategy(&copy, known.role).expect("a net of the game");
            let there = names.written_set(&copy, &known).expect("it is reached");
            let original = brought.strategy(names.written(&copy), there.role).expect("a net of the game");
            let written = |&own: &MoveId| names.written_move(&copy, own).expect("a move");
            let legal_there: Vec<MoveId> = legal.iter().map(written).collect();
            let expected = original.try_probabilities(&there, &legal_there).expect("probabilities");
            assert_eq!(strategy.try_probabilities(&known, &legal), Ok(expected), "{name}");
            assert_eq!(strategy.probabilities(&known, &legal).len(), legal.len());
        }
    }
}

#[test]
fn a_belief_believes_a_net_as_it_does_the_table_of_the_same_probabilities() {
    let game = game("kuhn");
    let [alice, bob] = ["alice", "bob"].map(|name| game.roles().find(name).expect("a role"));
    let file = NetFile::new(&game, 1, 8, 5);
    let mut table = PolicyTable::default();
    for (known, legal) in decisions(&game, 100) {
        let weights = legal.iter().copied().zip(expected(&file, &game, &known, &legal));
        table.insert_weights(&game, &known, weights).expect("a distribution");
    }
    let belief = |model: &Model| {
        let policy = model.policy(&game, alice).expect("a model").expect("not uniform");
        let opponents = Opponents::uniform().with(alice, policy);
        let options = ExactOptions::STANDARD;
        let mut belief =
            ExactBelief::with_opponents(Arc::clone(&game), bob, &opponents, options).expect("a belief");
        for percept in ["(dealt alice)", "(hole queen)", "(did alice bet)"] {
            let (made, told) = game.own_turn("noop", [percept]).expect("terms");
            belief.advance(made, &told).expect("it can come");
        }
        belief.distribution().probability(game.fluent_id("(hand alice king)").expect("a fluent"))
    };
    let kinds = [
        PlayerKind::Brought(brought(&file)),
        PlayerKind::Policy { file: "table".to_owned(), table: Arc::new(table) },
    ];
    let [net, table] = kinds.map(|kind| belief(&Model::Agent(Box::new(kind))));
    assert!((net - table).abs() < 1e-5, "{net} {table}");
    assert!((net - 0.5).abs() > 0.01, "the net says something: {net}");
}

fn refusal(file: &NetFile) -> String {
    Net::read(&file.bytes()).expect_err("refused").to_string()
}

/// The refusal of a net that was made for another game, and whose names were changed.
fn difference(game: &Arc<Game>, change: impl Fn(&mut Value)) -> String {
    let mut file = NetFile::new(game, 1, 4, 1);
    change(file.names.as_mut().expect("names"));
    let role = game.roles().players().next().expect("a player");
    match brought(&file).strategy(game, role) {
        Err(PlayerError::Brought { problem }) => problem,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn other_rules_are_refused_by_the_first_name_that_differs() {
    let kuhn = game("kuhn");
    let says = |change: &dyn Fn(&mut Value), what: &str| {
        let problem = difference(&kuhn, change);
        assert!(
            problem.starts_with("the net was made for the game of a test by other rules than these: "),
            "{problem}"
        );
        assert!(problem.contains(what) && problem.contains(&"ab".repeat(32)), "{problem}");
    };
    says(
        &|names| names["players"][1]["role"] = json!("carol"),
        "its players are alice, carol, but those of this game are alice, bob",
    );
    says(
        &|names| names["players"][0]["features"][1] = json!("saw rain, ever"),
        "alice has the feature \"saw rain, ever\" in column 1, but this game has ",
    );
    says(
        &|names| names["players"][1]["moves"][0] = json!("raise"),
        "bob has the move \"raise\" in column 0, but this game has \"bet\"",
    );
    says(&|names| names["last"] = json!(0), "alice has ");
    let leduc = NetFile::new(&game("leduc"), 1, 4, 1);
    let alice = kuhn.roles().find("alice").expect("a role");
    assert!(matches!(brought(&leduc).strategy(&kuhn, alice), Err(PlayerError::Brought { .. })));
}

#[test]
fn the_text_of_the_rules_may_have_other_spaces_and_comments() {
    let rules = croupier_games::find("kuhn").expect("a game").rules;
    let read = syntax::read(rules, syntax::Syntax::Prefix, &Limits::STANDARD);
    let printed = syntax::print_description(&read.description).replace('\n', " ").to_uppercase();
    assert!(!printed.contains(';'));
    let (game, other) = (game("kuhn"), game_of(&printed));
    let brought = brought(&NetFile::new(&game, 1, 4, 1));
    for ((known, legal), (other_known, other_legal)) in decisions(&game, 3).iter().zip(&decisions(&other, 3))
    {
        let one = brought.strategy(&game, known.role).and_then(|net| net.try_probabilities(known, legal));
        let two = brought
            .strategy(&other, other_known.role)
            .and_then(|net| net.try_probabilities(other_known, other_legal));
        assert_eq!(game.information_set_text(known), other.information_set_text(other_known));
        assert!(one.is_ok() && one == two);
    }
}

#[test]
fn what_is_no_net_is_refused_with_what_to_do() {
    let game = game("kuhn");
    let net = NetFile::new(&game, 1, 4, 1);
    let named = |key: &str, value: Value| {
        let mut file = net.clone();
        file.names.as_mut().expect("names")[key] = value;
        refusal(&file)
    };
    assert!(matches!(Net::read(b""), Err(NetError::NotOnnx { .. })));
    assert!(matches!(Net::read(b"{\"format\": \"croupier-policy/1\"}"), Err(NetError::NotOnnx { .. })));
    assert_eq!(Net::read(&NetFile { names: None, ..net.clone() }.bytes()).err(), Some(NetError::NoNames));
    assert_eq!(named("version", json!(2)), NetError::Version { found: 2 }.to_string());
    assert!(named("players", json!("alice")).contains("something else at line"));
    assert!(named("last", json!(1_000_000_000)).contains("fewer features than 1000000000 turns"));
    assert!(named("observation", json!("belief")).contains("train it with observation=\"percepts\""));
    assert!(named("players", json!([])).contains("fewer features"));
    let network = |change: &dyn Fn(&mut NetFile)| {
        let mut file = net.clone();
        change(&mut file);
        refusal(&file)
            .strip_prefix("the network in the ONNX file is not supported: ")
            .expect("its network")
            .to_owned()
    };
    assert!(network(&|file| file.operator_set = 9).contains("export it with one from 13 to 25"));
    assert!(
        network(&|file| file.between = "Loop".to_owned())
            .contains("\"Loop\"; supported operators are Add, Concat, Div, Gemm")
    );
    assert!(network(&|file| file.ends[0] = "input".to_owned()).contains("\"input\", not \"observation\""));
    assert!(network(&|file| file.ends[1] = "values".to_owned()).contains("one output, \"logits\""));
    assert!(network(&|file| drop(file.layers.remove(0))).contains("it reads 4 numbers"));
    assert!(network(&|file| drop(file.layers.pop())).contains("it writes 4 numbers"));
    assert!(!network(&|file| drop(file.layers[1].weights.pop())).is_empty());
}

#[test]
fn weights_that_are_not_finite_are_refused() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut file = NetFile::new(&game("kuhn"), 1, 4, 1);
        file.layers[1].weights[2][1] = number;
        let refused = refusal(&file);
        assert!(
            refused.ends_with("the weights \"weights1\" are not all finite; the training has diverged"),
            "{refused}"
        );
    }
}

#[test]
fn sums_that_overflow_are_an_error_and_uniform_for_beliefs() {
    let game = game("kuhn");
    let mut file = NetFile::new(&game, 1, 4, 1);
    file.layers.iter_mut().for_each(|layer| layer.biases.fill(f32::MAX));
    let brought = brought(&file);
    for (known, legal) in decisions(&game, 3) {
        let strategy = brought.strategy(&game, known.role).expect("a net of the game");
        let error = strategy.try_probabilities(&known, &legal).expect_err("no distribution");
        assert_eq!(error.to_string(), "the net fails: its numbers are not finite; the training has diverged");
        assert_eq!(strategy.probabilities(&known, &legal), [0.5, 0.5]);
    }
}

/// A file that values the public beliefs of a game, and the row that it stands for.
fn value_file(game: &Arc<Game>) -> NetFile {
    let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(game)).expect("sight"), Looker::new(game));
    let space =
        PublicSpace::new(game, &mut eyes, &mut looker, &PublicLimits::STANDARD).expect("a small game");
    let roles = game.roles();
    let private = roles.players().zip(space.private_names()).map(|(role, names)| (roles.name(role), names));
    let names = json!({
        "version": 1,
        "game": "the game of a test",
        "rules": game.rules().program().to_string(),
        "rules_sha256": "ab".repeat(32),
        "observation": "public",
        "public": space.public_names(),
        "private": private.collect::<BTreeMap<_, _>>(),
    });
    let biases: Vec<f32> = (0..space.outputs()).map(|output| (output as f32).sin()).collect();
    let weights = vec![vec![0.0; space.outputs()]; space.inputs()];
    let ends = ["beliefs", "values"].map(str::to_owned);
    NetFile {
        names: Some(names),
        layers: vec![Layer { weights, biases }],
        ends,
        ..NetFile::new(game, 0, 2, 1)
    }
}

#[test]
fn a_value_net_says_how_seats_search_with_it_unless_they_are_told() {
    let written = |said: Value, text: &str| {
        let mut file = value_file(&game("kuhn"));
        let Some(Value::Object(names)) = &mut file.names else { unreachable!("it has names") };
        names.extend(said.as_object().expect("names").clone());
        let kind = KindFile::of(text).expect("a kind").expect("a file");
        let KindFormat::Values(search) = kind.format else { unreachable!("it has values") };
        ValueNet::read(&file.bytes(), search).map(|net| net.into_kind(kind.file).to_string())
    };
    let grown = || json!({ "choices": 1, "growth": 4 });
    for (said, text, all) in [
        (json!({}), "", ",choices=2,iterations=256"),
        (grown(), "", ",choices=1,iterations=256,growth=4"),
        (grown(), ",choices=3,growth=0", ",choices=3,iterations=256,growth=0"),
        (json!({ "growth": 0 }), ",growth=9,iterations=7", ",choices=2,iterations=7,growth=9"),
    ] {
        let [text, all] = [text, all].map(|options| format!("resolve:value=k.onnx{options}"));
        assert_eq!(written(said.clone(), &text).as_ref(), Ok(&all), "{text}");
        assert_eq!(written(said, &all).as_ref(), Ok(&all), "what is written says the same again");
    }
    for said in [json!({ "choices": 0 }), json!({ "growth": 200_000 }), json!({ "growth": -1 })] {
        let error = written(said.clone(), "resolve:value=k.onnx");
        assert!(matches!(error, Err(NetError::Names { .. })), "{said}: {error:?}");
    }
}

#[test]
fn a_value_net_takes_a_seat_of_its_game_under_other_names_too_and_no_other() {
    let kuhn = game("kuhn");
    let bytes = value_file(&kuhn).bytes();
    assert_eq!(Net::read(&bytes).err(), Some(NetError::ValuesBeliefs));
    let policy = NetFile::new(&kuhn, 0, 2, 1).bytes();
    assert_eq!(ValueNet::read(&policy, ValueSearch::STANDARD).err(), Some(NetError::NoValues));
    let kind = ValueNet::read(&bytes, ValueSearch { choices: Some(1), iterations: 40, growth: None })
        .expect("a net")
        .into_kind("k.onnx");
    assert_eq!(kind.to_string(), "resolve:value=k.onnx,choices=1,iterations=40");
    let PlayerKind::Brought(brought) = kind else { unreachable!("it is brought") };
    let leduc = game("leduc");
    let alice = leduc.roles().find("alice").expect("a role");
    let error = brought.strategy(&leduc, alice).expect_err("another game").to_string();
    assert!(error.starts_with("the net was made for the game of a test by other rules"), "{error}");
    let rules = croupier_games::find("kuhn").expect("a game of the catalogue").rules;
    let copy = game_of(&renamed(rules, 6));
    let names = Names::of(&copy, &kuhn.rules().program().to_string()).expect("only names differ");
    let mut mixed = 0;
    for (known, legal) in decisions(&copy, 4) {
        let strategy = brought.strategy(&copy, known.role).expect("a net of the game");
        let found = strategy.try_probabilities(&known, &legal).expect("probabilities");
        let there = names.written_set(&copy, &known).expect("it is reached");
        let original = brought.strategy(names.written(&copy), there.role).expect("a net of the game");
        let legal_there: Vec<MoveId> =
            legal.iter().map(|&own| names.written_move(&copy, own).expect("a move")).collect();
        assert_eq!(original.try_probabilities(&there, &legal_there).as_ref(), Ok(&found));
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        mixed += usize::from(found.iter().any(|&probability| probability != 0.5));
    }
    assert!(mixed > 0, "values decide something");
}

#[test]
fn a_belief_net_says_how_likely_the_fluents_of_its_game_are_under_other_names_too() {
    let kuhn = game("kuhn");
    let bytes = NetFile::believing(&kuhn, 1).bytes();
    assert_eq!(Net::read(&bytes).err(), Some(NetError::Beliefs));
    assert_eq!(BeliefNet::read(&NetFile::new(&kuhn, 1, 2, 1).bytes()).err(), Some(NetError::NoBeliefs));
    assert_eq!(BeliefNet::read(&value_file(&kuhn).bytes()).err(), Some(NetError::ValuesBeliefs));
    let net = BeliefNet::read(&bytes).expect("a belief net");
    let fluents = kuhn.network().expect("a network").fluents();
    let texts: Vec<String> = fluents.iter().map(|&fluent| kuhn.fluent_text(fluent).to_string()).collect();
    let rules = croupier_games::find("kuhn").expect("a game of the catalogue").rules;
    let copy = game_of(&renamed(rules, 6));
    let names = Names::of(&copy, &kuhn.rules().program().to_string()).expect("only names differ");
    for game in [&kuhn, &copy] {
        let (known, _) = decisions(game, 1).swap_remove(0);
        let estimate = net.guide(game, known.role).expect("its game").probabilities(&known);
        assert_eq!(estimate.len(), texts.len());
        for (place, (fluent, probability)) in estimate.into_iter().enumerate() {
            let expected = 1.0 / (1.0 + (-f64::from((place as f32).sin())).exp());
            assert!((probability - expected).abs() < 1e-12, "{probability} for {expected}");
            let own = kuhn.fluent_id(&texts[place]).expect("a fluent");
            let known_as = if Arc::ptr_eq(game, &kuhn) {
                Some(own)
            } else {
                let written = names.written(&copy);
                names.own_fluent(&copy, written.fluent_id(&texts[place]).expect("a fluent"))
            };
            assert_eq!(known_as, Some(fluent), "{}", texts[place]);
        }
    }
    let leduc = game("leduc");
    let alice = leduc.roles().find("alice").expect("a role");
    let error = net.guide(&leduc, alice).expect_err("another game").to_string();
    assert!(error.starts_with("the net was made for the game of a test by other rules"), "{error}");
    let chance = kuhn.roles().random().expect("chance");
    assert_eq!(net.guide(&kuhn, chance).expect_err("no player"), PlayerError::RandomRole);
}

/// Whatever bytes are read, what comes out is an error or a distribution.
fn assert_harmless(bytes: &[u8], game: &Arc<Game>, decisions: &[(InformationSet, Vec<MoveId>)]) {
    let _ = BeliefNet::read(bytes);
    let Ok(net) = Net::read(bytes) else { return };
    let PlayerKind::Brought(brought) = net.into_kind("test.onnx") else { return };
    for (known, legal) in decisions {
        let Ok(strategy) = brought.strategy(game, known.role) else { continue };
        let sum: f64 = strategy.probabilities(known, legal).iter().sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_file_that_ends_too_early_is_refused() {
    let bytes = NetFile::new(&game("kuhn"), 0, 2, 1).bytes();
    for length in 0..bytes.len() {
        assert!(Net::read(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn changed_bytes_do_no_harm(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), graph in any::<bool>()) {
        let game = game_once();
        let mut bytes = NetFile::new(&game, 0, 2, 1).bytes();
        let decisions = decisions(&game, 1);
        // The graph comes first and is the smaller part.
        let end = if graph { bytes.len() / 3 } else { bytes.len() };
        for (place, byte) in changes {
            bytes[place.index(end)] = byte;
        }
        assert_harmless(&bytes, &game, &decisions);
    }
}

/// Kuhn, compiled once for all cases.
fn game_once() -> Arc<Game> {
    static KUHN: std::sync::LazyLock<Arc<Game>> = std::sync::LazyLock::new(|| game("kuhn"));
    Arc::clone(&KUHN)
}
