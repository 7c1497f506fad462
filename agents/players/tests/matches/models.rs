//! Models of the others in the beliefs of players.

use std::sync::Arc;

use croupier_belief::{ExactBelief, ExactOptions};
use croupier_engine::{Game, InformationSet};
use croupier_players::{Budget, KindError, Model, Models, PlayerError, PlayerKind};

use crate::referee::{KUHN, LEDUC, game, play, player, role};

/// How likely bob, who has the queen, holds a king to be after alice bet.
fn king_after_a_bet(game: &Arc<Game>, models: &Models) -> f64 {
    let bob = role(game, "bob");
    let opponents = models.opponents(game, bob).unwrap();
    let belief = ExactBelief::with_opponents(Arc::clone(game), bob, &opponents, ExactOptions::STANDARD);
    let mut belief = belief.unwrap();
    for percept in ["(dealt alice)", "(hole queen)", "(did alice bet)"] {
        belief.advance(game.move_id("noop").unwrap(), &game.percepts_of([percept]).unwrap()).unwrap();
    }
    belief.distribution().probability(game.fluent_id("(hand alice king)").unwrap())
}

/// A policy of alice that bets with a king alone.
fn honest() -> Model {
    let sets = [("king", r#"{"bet": 1.0}"#), ("jack", r#"{"pass": 1.0}"#)];
    let sets =
        sets.map(|(card, moves)| format!(r#""(alice (noop (hole {card})) (noop (dealt bob)))": {moves}"#));
    let sets = sets.join(",");
    let text = format!(r#"{{"format": "croupier-policy/1", "information_sets": {{{sets}}}}}"#);
    let table = Arc::new(croupier_players::PolicyTable::from_json(&text).unwrap());
    Model::Agent(Box::new(PlayerKind::Policy { file: "honest.json".to_owned(), table }))
}

#[test]
fn a_belief_is_weighed_by_the_model_and_a_tenth_of_uniform_play() {
    let game = game(KUHN);
    let near = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
    assert!(near(king_after_a_bet(&game, &Models::default()), 0.5));
    assert!(near(king_after_a_bet(&game, &Models::of_everyone(Model::Uniform)), 0.5));
    // A bet has the probability 0.9 + 0.05 with a king, and 0.05 with a jack.
    assert!(near(king_after_a_bet(&game, &Models::of_everyone(honest())), 0.95));
    let mut models = Models::of_everyone(honest());
    models.insert("alice", Model::Uniform);
    assert!(near(king_after_a_bet(&game, &models), 0.5));
    models.insert("bob", honest());
    assert!(near(king_after_a_bet(&game, &models), 0.5), "a model of the role itself does not count");
    models.insert("carol", Model::Quantal);
    let refused = models.opponents(&game, role(&game, "bob")).unwrap_err();
    assert_eq!(refused, PlayerError::ModelledRole { role: "carol".to_owned() });
}

#[test]
fn no_model_makes_what_happens_impossible() {
    // First-legal players always bet: a model without uniform play has no belief after a pass.
    for model in ["first-legal", "raise", "quantal", "uniform", "belief:iterations=10"] {
        let kind = format!("belief:iterations=10,particles=20,model={model}");
        for (rules, kinds) in [(KUHN, ["random", &*kind]), (LEDUC, ["random", &*kind])] {
            let game = game(rules);
            for seed in 0..10 {
                play(&game, &kinds, seed, |_, _| ());
            }
        }
    }
}

#[test]
fn a_quantal_response_prefers_what_is_worth_more_and_is_the_same_every_time() {
    let rules = "
        (role left) (role right) (init start)
        (legal left (take 2)) (legal left (take 10)) (legal left (take 90)) (legal right noop)
        (<= (next (took ?n)) (does left (take ?n)))
        (<= terminal (true (took ?n)))
        (<= (goal left ?n) (true (took ?n))) (<= (goal left 0) (true start)) (goal right 0)";
    let game = game(rules);
    let left = role(&game, "left");
    let legal = ["(take 10)", "(take 2)", "(take 90)"].map(|text| game.move_id(text).unwrap());
    let ask = || {
        let policy = Model::Quantal.policy(&game, left).unwrap().unwrap();
        policy.probabilities(&InformationSet::initial(left), &legal)
    };
    let found = ask();
    // Goals 10, 2 and 90: the temperature is 88/3 goals, so the weights are e^(-80/29.3), e^-3 and 1.
    let weights = [(-240.0 / 88.0_f64).exp(), (-3.0_f64).exp(), 1.0];
    let sum: f64 = weights.iter().sum();
    for (found, weight) in found.iter().zip(weights) {
        assert!((found - (0.9 * weight / sum + 0.1 / 3.0)).abs() < 1e-3, "{found}");
    }
    assert_eq!(found, ask());
}

#[test]
fn models_are_read_as_they_are_written() {
    for written in [
        "belief:iterations=5,particles=7,playouts=16,model=quantal",
        "belief:iterations=5,particles=7,playouts=16,model=uniform,model.bob=raise",
        "ismcts:iterations=5,particles=7,playouts=16,planned=9,model=(belief:iterations=3,particles=2,playouts=1)",
    ] {
        let kind: PlayerKind = written.parse().unwrap();
        assert_eq!(kind.to_string(), written);
        let game = game(KUHN);
        let mut player = kind.player(Arc::clone(&game), role(&game, "alice"), [1; 32]).unwrap();
        assert!(player.choose(&InformationSet::initial(role(&game, "alice")), &mut Budget::Own).is_ok());
    }
    let error =
        |text: &str| text.parse::<PlayerKind>().map_err(|error: KindError| error.to_string()).unwrap_err();
    assert_eq!(error("random:model=quantal"), "the player random has no option \"model\"; it has none");
    assert!(error("belief:model=nobody").contains("unknown player \"nobody\""));
    assert!(error("belief:model=raise,model=call").contains("is given twice"));
    assert!(error("belief:model=(belief:model=raise)").starts_with("a model cannot have a model of its own"));
    assert!(error("belief:model=policy:f.json").contains("\"f.json\" was not read"));
}

/// Alice holds a card that bob does not see. With a weak one a bet loses whatever bob does, so a bet means a strong one.
const HONEST_BET: &str = "
    (role random) (role alice) (role bob) (init dealing) (card strong) (card weak)
    (<= (legal random (deal ?c)) (true dealing) (card ?c)) (<= (legal random noop) (not (true dealing)))
    (<= (legal alice bet) (true betting)) (<= (legal alice pass) (true betting))
    (<= (legal alice noop) (not (true betting)))
    (<= (legal bob call) (true asked)) (<= (legal bob fold) (true asked)) (<= (legal bob noop) (not (true asked)))
    (<= (next (holds ?c)) (does random (deal ?c))) (<= (next (holds ?c)) (true (holds ?c)))
    (<= (next betting) (true dealing)) (<= (next asked) (does alice bet)) (<= (next passed) (does alice pass))
    (<= (next called) (does bob call)) (<= (next folded) (does bob fold))
    (<= (sees alice ?c) (does random (deal ?c))) (<= (sees bob bet) (does alice bet))
    (<= over (true passed)) (<= over (true called)) (<= over (true folded)) (<= terminal over)
    (<= (goal ?r 50) (true passed) (player ?r)) (<= (goal ?r 0) (not over) (player ?r))
    (player alice) (player bob)
    (<= (goal alice 60) (true folded) (true (holds strong))) (<= (goal bob 20) (true folded) (true (holds strong)))
    (<= (goal alice 30) (true folded) (true (holds weak))) (<= (goal bob 20) (true folded) (true (holds weak)))
    (<= (goal alice 100) (true called) (true (holds strong))) (<= (goal bob 0) (true called) (true (holds strong)))
    (<= (goal alice 0) (true called) (true (holds weak))) (<= (goal bob 100) (true called) (true (holds weak)))";

#[test]
fn a_move_tells_what_its_player_holds_to_who_infers() {
    let game = game(HONEST_BET);
    let mut known = InformationSet::initial(role(&game, "bob"));
    for percepts in [&[][..], &["bet"]] {
        known.turns.push(game.own_turn("noop", percepts.iter().copied()).unwrap());
    }
    for kind in ["mo-ismcts", "pooled-ismcts"] {
        let chosen = |options: &str| {
            let mut bob = player(&game, "bob", &format!("{kind}:{options}"), 1);
            let decision = bob.choose(&known, &mut Budget::Own).unwrap();
            // Who goes from turn to turn believes the same as who is told everything at once.
            let mut gradual = player(&game, "bob", &format!("{kind}:{options}"), 1);
            for turns in 1..known.turns.len() {
                let before = InformationSet { turns: known.turns[..turns].to_vec(), ..known.clone() };
                gradual.choose(&before, &mut Budget::Own).unwrap();
            }
            assert_eq!(gradual.choose(&known, &mut Budget::Own), Ok(decision.clone()));
            game.move_text(decision.chosen).to_string()
        };
        assert_eq!(chosen("inferred=200"), "fold", "{kind}");
        assert_eq!(
            chosen("inferred=0"),
            "call",
            "taken for a matter of chance, a call is worth 50 and a fold 20"
        );
    }
    // Who is asked about another role says so, and goes on with its own.
    let mut bob = player(&game, "bob", "mo-ismcts:inferred=200", 1);
    let mut others = known.clone();
    others.role = role(&game, "alice");
    assert_eq!(bob.choose(&others, &mut Budget::Own), Err(PlayerError::OtherRole));
    assert_eq!(game.move_text(bob.choose(&known, &mut Budget::Own).unwrap().chosen), "fold".into());
    // Where nobody sees what others see, there is nothing to infer with.
    assert!("ismcts:inferred=200".parse::<PlayerKind>().is_err());
}
