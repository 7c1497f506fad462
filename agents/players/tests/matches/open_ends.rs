//! Rules that leave out goals or legal moves: searches go on, and say so.

use std::sync::Arc;

use croupier_engine::{Game, GameError, InformationSet, Options, game::Backend};
use croupier_players::{Budget, Decision, OpenEnds, Player, StopReason};

use crate::referee::{KUHN, game, player};

/// One choice, and what comes of it a turn later: twice a goal, three times something that rules should not leave open.
const FORGETFUL: &str = "
    (role x) (role y) (init start)
    (option lost) (option open) (option stuck) (option wild) (option won)
    (legal y noop)
    (<= (legal x ?m) (option ?m) (true start))
    (<= (legal x wait) (true (chose ?m)) (distinct ?m stuck))
    (<= (next (chose ?m)) (does x ?m) (true start))
    (<= (next (over ?m)) (true (chose ?m)))
    (<= terminal (true (over ?m)))
    (<= (sees ?r (done ?m)) (role ?r) (does x ?m))
    (<= (goal x 20) (true (over lost)))
    (<= (goal x 80) (true (over won)))
    (<= (goal x many) (true (over wild)))
    (<= (goal y 50) (true (over ?m)))";

/// Every kind that searches.
const KINDS: [&str; 6] = [
    "belief:iterations=200",
    "uct:iterations=200",
    "hyperplay:iterations=200",
    "ismcts:iterations=200",
    "mo-ismcts:iterations=200",
    "hyperplay-ii:iterations=40",
];

fn compiled(rules: &str, backend: Backend) -> Arc<Game> {
    Arc::new(
        Game::compile(rules, &Options { backend, ..Options::PLAY }).expect("the rules can be played").game,
    )
}

/// What a player of a kind decides in the first turn, and what it says of the rules.
fn decided(game: &Arc<Game>, kind: &str) -> (Decision, Option<OpenEnds>) {
    let mut player: Box<dyn Player> = player(game, "x", kind, 1);
    let known = InformationSet::initial(player.role());
    assert_eq!(player.open_ends(), None, "nothing was searched yet");
    let decision = player.choose(&known, &mut Budget::Own).expect("a move");
    (decision, player.open_ends())
}

#[test]
fn an_end_without_a_goal_or_a_legal_move_is_worth_fifty_in_every_search() {
    for backend in [Backend::Propnet, Backend::Datalog] {
        let game = compiled(FORGETFUL, backend);
        for kind in KINDS {
            let (decision, open_ends) = decided(&game, kind);
            let means: Vec<_> = decision
                .estimates
                .iter()
                .map(|estimate| (game.move_text(estimate.chosen).to_string(), estimate.mean_goal))
                .collect();
            let expected = [("lost", 20.0), ("open", 50.0), ("stuck", 50.0), ("wild", 50.0), ("won", 80.0)];
            let expected = expected.map(|(played, mean)| (played.to_owned(), Some(mean)));
            // What is proved to be best need not be compared with moves whose value is still on its way.
            let is_proved = decision.stop == StopReason::Proved;
            for (mean, expected) in means.iter().zip(&expected) {
                assert!(mean == expected || is_proved && mean.1.is_none(), "{backend:?}, {kind}: {means:?}");
            }
            assert_eq!(&*game.move_text(decision.chosen), "won");
            let OpenEnds { count, first } = open_ends.expect("the rules leave much open");
            let x = || "x".to_owned();
            let faults = [
                GameError::NoGoal { role: x() },
                GameError::NoLegalMove { role: x() },
                GameError::GoalOutOfRange { role: x(), value: "many".to_owned() },
            ];
            assert!(count >= 3 && faults.contains(&first), "{count}: {first}");
        }
    }
}

#[test]
fn a_plan_goes_through_ends_that_the_rules_leave_open() {
    let alone = ["(role y)", "(legal y noop)", "(<= (goal y 50) (true (over ?m)))"];
    let rules = alone.iter().fold(FORGETFUL.to_owned(), |rules, line| rules.replace(line, ""));
    let game = compiled(&rules, Backend::Auto);
    let (decision, open_ends) = decided(&game, "ismcts");
    assert_eq!((decision.stop, &*game.move_text(decision.chosen)), (StopReason::Planned, "won"));
    assert!(open_ends.is_some());
}

#[test]
fn a_goal_that_the_rules_give_counts_where_another_role_has_none() {
    let rules = FORGETFUL.replace("(<= (goal x 80)", "(<= (goal x 90) (true (chose stuck))) (<= (goal x 80)");
    // In the state without a legal move x has a goal of its own now; y has none there, and none at all after `open`.
    let rules =
        rules.replace("(goal y 50) (true (over ?m))", "(goal y 50) (true (over ?m)) (distinct ?m open)");
    for backend in [Backend::Propnet, Backend::Datalog] {
        let game = compiled(&rules, backend);
        for kind in KINDS {
            let (decision, _) = decided(&game, kind);
            let mean = |played: &str| {
                let mut estimates = decision.estimates.iter();
                estimates
                    .find(|found| &*game.move_text(found.chosen) == played)
                    .and_then(|found| found.mean_goal)
            };
            assert_eq!((mean("stuck"), mean("open")), (Some(90.0), Some(50.0)), "{backend:?}, {kind}");
        }
    }
}

#[test]
fn rules_that_leave_nothing_out_give_no_warning() {
    let game = game(KUHN);
    for kind in KINDS {
        let mut alice = player(&game, "alice", kind, 1);
        let known = InformationSet::initial(alice.role());
        alice.choose(&known, &mut Budget::Own).expect("a move");
        assert_eq!(alice.open_ends(), None, "{kind}");
    }
}

#[test]
fn a_state_in_which_somebody_could_not_move_is_ruled_out_once_the_match_goes_on() {
    // Chance picks a state of three; in one of them x would have nothing to play.
    let rules = "
        (role x) (role random) (init start) (kind a) (kind b) (kind c)
        (<= (legal random ?k) (kind ?k) (true start)) (<= (legal random noop) (not (true start)))
        (<= (legal x wait) (true start)) (<= (legal x (go ?n)) (true (is ?k)) (distinct ?k c) (number ?n))
        (number 1) (number 2)
        (<= (next (is ?k)) (does random ?k)) (<= (next (is ?k)) (true (is ?k)) (not (true late)))
        (<= (next late) (true (is ?k))) (<= (next (went ?n)) (does x (go ?n)))
        (<= (next over) (true late)) (<= terminal (true over))
        (<= (legal x rest) (true late))
        (<= (sees x turn) (true start)) (goal x 50)";
    for backend in [Backend::Propnet, Backend::Datalog] {
        let game = compiled(rules, backend);
        let role = game.roles().find("x").expect("a role of the game");
        let percepts = |text: Option<&str>| game.percepts_of(text).expect("a term");
        let mut known = InformationSet::initial(role);
        known.turns.push((game.move_id("wait").expect("a term"), percepts(Some("turn"))));
        known.turns.push((game.move_id("(go 1)").expect("a term"), percepts(None)));
        let belief = croupier_belief::ExactBelief::of(
            Arc::clone(&game),
            &known,
            croupier_belief::ExactOptions::STANDARD,
        );
        // Not c, in which nobody could have gone; and a and b are forgotten by now.
        assert_eq!(belief.expect("two histories").histories_count(), 2, "{backend:?}");
        let mut player = player(&game, "x", "ismcts:iterations=20", 1);
        player.choose(&known, &mut Budget::Own).expect("a move");
    }
}
