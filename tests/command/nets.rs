//! Nets as a user seats, measures and believes them, and what is refused.

use croupier_engine::{Game, Options};
use croupier_tests::{command::Program, net::NetFile};
use serde_json::{Value, json};

use crate::program;

fn game(name: &str) -> Game {
    let rules = croupier_games::find(name).expect("a game of the catalogue").rules;
    Game::compile(rules, &Options::PLAY).expect("rules that compile").game
}

/// A net for a game, and the agent that plays it.
fn net(program: &Program, name: &str) -> String {
    let file = program.file(&format!("{name}.onnx"), NetFile::new(&game(name), 1, 16, 7).bytes());
    format!("net:{file}")
}

fn value(program: &Program, arguments: &[&str]) -> Value {
    serde_json::from_str(&program.output(&[arguments, &["--json"]].concat())).expect("JSON")
}

#[test]
fn matches_with_nets_verify_and_come_out_the_same_again() {
    let program = program("nets-play");
    let kuhn = net(&program, "kuhn");
    let (alice, bob) = (format!("alice={kuhn}"), format!("bob={kuhn}"));
    let record = |name: &str| {
        let record = program.path(name);
        let seats = ["play", "kuhn", "--seat", &alice, "--seat", &bob];
        let rest = ["--matches", "20", "--seed", "3", "--record", &record, "--substituted-max", "0"];
        program.output(&[&seats[..], &rest[..]].concat());
        record
    };
    let [one, two] = ["one.jsonl", "two.jsonl"].map(record);
    assert!(program.contents(&one) == program.contents(&two), "the same seed plays the same");
    program.output(&["replay", &one, "--verify"]);
    let models = format!("ismcts:iterations=20,model={kuhn}");
    let seats = ["play", "kuhn", "--seat", &alice, "--seat", &format!("bob={models}")];
    program.output(&[&seats[..], &["--matches", "2", "--seed", "1"]].concat());
    let players = format!("{kuhn},random");
    let table =
        program.output(&["tournament", "kuhn", "--players", &players, "--matches", "2", "--seed", "1"]);
    assert!(table.contains("kuhn.onnx"), "{table}");
}

#[test]
fn a_net_is_as_exploitable_as_the_table_of_its_probabilities() {
    let program = program("nets-evaluate");
    for name in ["kuhn", "leduc"] {
        let (net, table) = (net(&program, name), program.path(&format!("{name}.json")));
        let read = value(&program, &["evaluate", name, "--player", &net, "--policy", &table]);
        assert_eq!(read["known_exactly"], read["information_sets"], "it tells its mixed strategy");
        let again = value(&program, &["evaluate", name, "--player", &format!("policy:{table}")]);
        for key in ["nash_conv", "exploitability", "payoff", "roles"] {
            assert_eq!(read[key], again[key], "{name}");
        }
        let file = net.trim_start_matches("net:");
        for file in [file, &table] {
            let solved = value(&program, &["solve", name, "--evaluate", file]);
            assert_eq!(solved["payoff"], read["payoff"], "{file}");
        }
    }
    let kuhn = net(&program, "kuhn");
    let text = program.output(&["solve", "kuhn", "--evaluate", kuhn.trim_start_matches("net:")]);
    assert!(text.contains("its mixed strategy is known exactly in all of them"), "{text}");
    let refused = program.refusal(&["solve", "kuhn", "--evaluate", "kuhn.onnx", "--iterations", "5"]);
    assert!(refused.contains("--iterations"), "{refused}");
}

#[test]
fn a_belief_takes_a_net_for_a_model() {
    let program = program("nets-belief");
    let (net, table, record) = (net(&program, "kuhn"), program.path("kuhn.json"), program.path("m.jsonl"));
    value(&program, &["evaluate", "kuhn", "--player", &net, "--policy", &table]);
    program.output(&[
        "play",
        "kuhn",
        "--seat",
        "alice=raise",
        "--seat",
        "bob=random",
        "--seed",
        "5",
        "--record",
        &record,
    ]);
    let belief = |model: &str| {
        let model = format!("alice={model}");
        value(&program, &["belief", &record, "--role", "bob", "--turn", "3", "--model", &model])
    };
    let (with_net, with_table) = (belief(&net), belief(&format!("policy:{table}")));
    assert!(with_net["uncertain"].is_array());
    assert_eq!(with_net["uncertain"], with_table["uncertain"]);
    assert_ne!(with_net, belief("uniform"), "a net says something of her card");
}

#[test]
fn a_belief_net_leads_a_sample() {
    let program = program("nets-guide");
    let record = program.path("m.jsonl");
    let play = ["play", "royal-holdem", "--seat", "alice=call", "--seat", "bob=call", "--seed", "5"];
    program.output(&[&play[..], &["--record", &record]].concat());
    let guide = program.file("belief.onnx", NetFile::believing(&game("royal-holdem"), 1).bytes());
    let asked =
        ["belief", &record, "--role", "alice", "--turn", "6", "--method", "particle", "--particles", "50"];
    let alone = value(&program, &asked);
    let led = value(&program, &[&asked[..], &["--guide", &guide]].concat());
    assert_eq!(alone["certain"], led["certain"], "what is certain is certain");
    assert_ne!(alone["uncertain"], led["uncertain"], "another sample");
    let refused = program.refusal(&[
        "belief", &record, "--role", "alice", "--turn", "6", "--method", "exact", "--guide", &guide,
    ]);
    assert!(refused.contains("--method exact takes none"), "{refused}");
    let policy = net(&program, "royal-holdem");
    let policy = policy.trim_start_matches("net:");
    let refused = program.refusal(&[&asked[..], &["--guide", policy]].concat());
    assert!(refused.contains("does not say how likely each fact is"), "{refused}");
    let kuhn = program.file("kuhn-belief.onnx", NetFile::believing(&game("kuhn"), 1).bytes());
    let refused = program.refusal(&[&asked[..], &["--guide", &kuhn]].concat());
    assert!(refused.contains("by other rules than these"), "{refused}");
    let refused = program.refusal(&["play", "royal-holdem", "--seat", &format!("alice=net:{guide}")]);
    assert!(refused.contains("--guide FILE"), "{refused}");
}

#[test]
fn a_net_of_another_game_is_refused_wherever_it_is_named() {
    let program = program("nets-refused");
    let (kuhn, text) = (net(&program, "kuhn"), program.file("text.onnx", "no net"));
    let seat = format!("alice={kuhn}");
    let other = |arguments: &[&str]| {
        let refused = program.refusal(arguments);
        for part in [
            "the net was made for the game of a test by other rules than these: alice has",
            "train a net on these",
        ] {
            assert!(refused.contains(part), "{part:?} is missing in: {refused}");
        }
    };
    other(&["play", "leduc", "--seat", &seat, "--seed", "1"]);
    other(&["evaluate", "leduc", "--player", &kuhn]);
    other(&["solve", "leduc", "--evaluate", kuhn.trim_start_matches("net:")]);
    other(&["tournament", "leduc", "--players", &format!("{kuhn},random"), "--matches", "2", "--seed", "1"]);
    let says = |agent: &str, parts: &[&str]| {
        let refused = program.refusal(&["play", "kuhn", "--seat", &format!("alice={agent}")]);
        for part in parts {
            assert!(refused.contains(part), "{part:?} is missing in: {refused}");
        }
    };
    says(&format!("net:{text}"), &["bad-net", "not an ONNX file", "text.onnx"]);
    says(&format!("ismcts:model=net:{text}"), &["bad-net"]);
    says("net:nowhere.onnx", &["nowhere.onnx"]);
    says("net:", &["net:FILE"]);
    let mut file = NetFile::new(&game("kuhn"), 1, 16, 7);
    file.names.as_mut().expect("names")["version"] = json!(2);
    says(&format!("net:{}", program.file("later.onnx", file.bytes())), &["version 2", "update the program"]);
    let help = program.output(&["help", "play"]);
    assert!(help.contains("net:FILE"), "{help}");
}

#[test]
fn a_net_whose_numbers_are_not_finite_is_named_where_it_fails() {
    let program = program("nets-infinite");
    let refused = |number: f32| {
        let mut file = NetFile::new(&game("kuhn"), 1, 16, 7);
        file.layers.iter_mut().for_each(|layer| layer.biases.fill(number));
        let net = format!("net:{}", program.file("diverged.onnx", file.bytes()));
        program.refusal(&["evaluate", "kuhn", "--player", &net])
    };
    let (weights, sums) = (refused(f32::NAN), refused(f32::MAX));
    assert!(weights.contains("are not all finite; the training has diverged"), "{weights}");
    assert!(sums.contains("its numbers are not finite; the training has diverged"), "{sums}");
}
