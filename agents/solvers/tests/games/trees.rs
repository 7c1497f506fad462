//! Trees against the engine's own counts, and what has no tree.

use croupier_engine::{
    Game, GameError, Limits, MoveId, Options,
    game::{Backend, count_tree},
};
use croupier_solvers::{GameTree, Node, TreeError, TreeLimits, estimate_histories};

use crate::subject::{KUHN, LEDUC, MONTY_HALL, Subject, TIC_TAC_TOE, game, tree};

#[test]
fn a_tree_has_the_sizes_that_are_counted_without_it() {
    for rules in [KUHN, LEDUC, MONTY_HALL] {
        let Subject { game, tree, .. } = Subject::new(rules);
        let counts = count_tree(&game, 1_000_000, &mut game.scratch()).unwrap().total();
        let sizes = tree.sizes();
        assert_eq!(
            (sizes.chance, sizes.decision, sizes.terminal),
            (counts.chance, counts.decision, counts.terminal)
        );
        assert_eq!(sizes.histories, counts.histories);
        let sets: Vec<u64> = counts.information_sets.iter().map(|(_, count)| *count).collect();
        assert_eq!(sizes.information_sets, sets);
    }
}

/// Everything that a tree says, without the numbers that a game gives its terms.
fn told(game: &Game, tree: &GameTree) -> Vec<String> {
    let moves = |moves: &[MoveId]| moves.iter().map(|&id| game.move_text(id)).collect::<Vec<_>>().join(" ");
    let line = |node: Node| match node {
        Node::Chance { menu, first_child } => format!("chance {} {first_child:?}", moves(tree.menu(menu))),
        Node::Decision { information_set, first_child } => {
            let text = game.information_set_text(&tree.information_set(information_set));
            format!("{text} {} {first_child:?}", moves(tree.moves(information_set)))
        }
        Node::Terminal { outcome } => format!("{:?}", tree.goals(outcome)),
    };
    tree.nodes().map(|(_, node)| line(node)).collect()
}

#[test]
fn lanes_and_the_lifted_reasoner_give_the_same_tree() {
    // Roles that choose at once, rows of more than one word, and chance among players.
    let others =
        ["exploding-bomb", "goofspiel-4", "mastermind-2x3", "muddy-children", "tiny-hanabi", "kuhn-3"];
    let others = others.map(|name| croupier_games::find(name).unwrap().rules);
    for rules in [KUHN, LEDUC, MONTY_HALL].into_iter().chain(others) {
        let with = |backend: Backend| {
            let game = Game::compile(rules, &Options { backend, ..Options::PLAY }).unwrap().game;
            assert_eq!(game.network().is_some(), backend == Backend::Propnet);
            told(&game, &tree(&game, 100_000).unwrap())
        };
        assert_eq!(with(Backend::Propnet), with(Backend::Datalog));
    }
}

#[test]
fn what_the_rules_leave_out_is_an_error_on_lanes_too() {
    // Sixteen histories and more are looked at on lanes; in one of them a goal or a move is missing.
    let rules = |rest: &str| {
        format!(
            "(role a) (role random) (init start)
            (n 0) (n 1) (n 2) (n 3) (n 4) (n 5)
            (<= (legal random (roll ?x ?y)) (n ?x) (n ?y) (true start))
            (<= (next (rolled ?x ?y)) (does random (roll ?x ?y)))
            (<= (legal a noop) (true start))
            (<= (sees a (rolled ?x ?y)) (does random (roll ?x ?y)))
            (<= odd (true (rolled 3 4)))
            {rest}"
        )
    };
    let no_goal = rules("(<= terminal (true (rolled ?x ?y))) (<= (goal a 7) (not odd))");
    let goals = rules("(<= terminal (true (rolled ?x ?y))) (goal a 7) (<= (goal a 101) odd)");
    let no_move = rules(
        "(<= (legal random noop) (true (rolled ?x ?y))) (<= (next over) (true (rolled ?x ?y)))
         (<= (legal a noop) (true (rolled ?x ?y)) (not odd)) (<= terminal (true over)) (goal a 7)",
    );
    for backend in [Backend::Propnet, Backend::Datalog] {
        let error = |rules: &str| {
            let game = Game::compile(rules, &Options { backend, ..Options::PLAY }).unwrap().game;
            tree(&game, 1_000).map(|tree| tree.outcomes_count())
        };
        let role = "a".to_owned();
        assert_eq!(error(&no_goal), Err(GameError::NoGoal { role: role.clone() }.into()), "{backend:?}");
        // The compatible reading takes the first of several goals.
        assert_eq!(error(&goals), Ok(1), "{backend:?}");
        assert_eq!(error(&no_move), Err(GameError::NoLegalMove { role }.into()), "{backend:?}");
    }
}

#[test]
fn every_node_but_the_root_is_the_child_of_one_node_before_it() {
    let Subject { tree, .. } = Subject::new(LEDUC);
    let mut parents = vec![0; tree.nodes_count()];
    for (id, node) in tree.nodes() {
        for child in tree.children(node) {
            assert!(child > id);
            parents[child.index()] += 1;
        }
        assert_eq!(tree.children(node).next().is_none(), matches!(node, Node::Terminal { .. }));
    }
    assert_eq!(parents[0], 0);
    assert!(parents[1..].iter().all(|&parents| parents == 1));
}

#[test]
fn players_that_choose_at_once_do_not_see_each_other() {
    let Subject { tree, .. } = Subject::new(
        "(role a) (role b) (role random)
         (init start)
         (<= (legal ?r ?n) (role ?r) (number ?n) (true start))
         (number 1) (number 2) (number 3)
         (<= (next (did ?r ?n)) (does ?r ?n))
         (<= terminal (true (did a ?n)))
         (<= (sees a (b ?n)) (does b ?n))
         (<= (goal a ?n) (true (did b ?n)))
         (<= (goal b ?n) (true (did a ?n)))
         (<= (goal ?r 0) (role ?r) (true start))",
    );
    let sizes = tree.sizes();
    assert_eq!((sizes.decision, sizes.chance, sizes.terminal), (1 + 3, 9, 27));
    assert_eq!(sizes.information_sets, [1, 1]);
    // Histories are states: the root and one for each joint move.
    assert_eq!(sizes.histories, 28);
}

#[test]
fn a_tree_beyond_the_limit_is_refused_with_limit_and_demand() {
    let kuhn = game(KUHN);
    assert!(tree(&kuhn, 58).is_ok());
    let Err(TreeError::TooLarge { limit: 57, estimate }) = tree(&kuhn, 57) else { panic!("58 histories") };
    assert!((10_f64.powf(estimate.log10()) - 58.0).abs() < 10.0, "{estimate}");
    // 549,946 histories, by many programs.
    let error = tree(&game(TIC_TAC_TOE), 10_000).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("the game has about ") && text.ends_with("but the limit is 10000"), "{text}");
    let TreeError::TooLarge { estimate, .. } = error else { panic!("{error}") };
    assert!((300_000.0..900_000.0).contains(&10_f64.powf(estimate.log10())), "{estimate}");
}

#[test]
fn the_estimate_is_exact_where_all_branches_are_alike() {
    let rules = "(role a) (init (turn 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (legal a x) (legal a y)
        (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
        (<= terminal (true (turn 3)))
        (goal a 0)";
    let game = game(rules);
    let estimate = estimate_histories(&game, &mut game.scratch());
    assert_eq!((estimate.to_string(), estimate.is_cut_short()), ("about 15".to_owned(), false));
}

#[test]
fn a_player_that_cannot_know_its_moves_is_named() {
    let rules = "(role a) (role random) (init start)
        (<= (legal random ?c) (coin ?c) (true start))
        (coin heads) (coin tails)
        (<= (legal random noop) (not (true start)))
        (<= (legal a noop) (true start))
        (<= (legal a stop) (not (true start)))
        (<= (legal a go) (true heads))
        (<= (next ?c) (does random ?c) (true start))
        (<= (next over) (not (true start)))
        (<= terminal (true over))
        (<= (sees a told) (true start))
        (goal a 50)";
    let error = tree(&game(rules), 100).unwrap_err();
    let expected =
        TreeError::UnknownMoves { role: "a".to_owned(), information_set: "(a (noop told))".to_owned() };
    assert_eq!(error, expected);
}

#[test]
fn a_match_without_end_is_refused() {
    let endless = "(role a) (init on) (legal a go) (next on) (<= terminal (true off)) (<= (next off) (true off)) (goal a 0)";
    let error = tree(&game(endless), u64::MAX).unwrap_err();
    let limit = Limits::STANDARD.turns;
    assert_eq!(error.to_string(), format!("turns of a match: limit {limit}, and the rules need more"));
}

/// Rules in which each role chooses among so many moves in each of two turns.
fn wide(roles: &[&str], moves: usize) -> String {
    let mut rules = String::from(
        "(init (turn 0)) (<= (legal ?r (pick ?n)) (role ?r) (number ?n))
         (<= (next (turn 1)) (true (turn 0))) (<= (next (turn 2)) (true (turn 1)))
         (<= terminal (true (turn 2))) (<= (goal ?r 50) (role ?r)) (<= (sees ?r told) (role ?r))",
    );
    roles.iter().for_each(|role| rules.push_str(&format!("(role {role})")));
    (0..moves).for_each(|number| rules.push_str(&format!("(number {number})")));
    rules
}

#[test]
fn joint_moves_are_counted_before_any_is_played() {
    // The limit, the histories that are looked at, and all that there are. Who plays first and counts afterwards
    // plays two million joint moves in the first case, nine in the second, and has no memory for the third.
    let cases: [(&[&str], usize, u64, u64); 4] = [
        (&["a"], 1_500, 1_600, 1_501),
        (&["a"], 3_000, 5_000, 3_001),
        (&["a", "b", "c"], 80, 500_000, 1),
        (&["a", "b", "c"], 80, 1_000_000, 512_001),
    ];
    for (roles, moves, limit, looked_at) in cases {
        let game = game(&wide(roles, moves));
        let limits = TreeLimits { histories_max: limit };
        let mut progress = 0;
        let error = GameTree::new(&game, &limits, &mut |histories| progress = histories).unwrap_err();
        let TreeError::TooLarge { limit: named, estimate } = error else { panic!("{error}") };
        assert_eq!((named, progress.max(1)), (limit, looked_at), "{roles:?} with {moves} moves");
        let joint_moves = (moves as f64).powi(i32::try_from(roles.len()).unwrap());
        let all = 1.0 + joint_moves + joint_moves * joint_moves;
        assert!((estimate.log10() - all.log10()).abs() < 1e-9 && !estimate.is_cut_short(), "{estimate}");
    }
}

#[test]
fn a_wide_tree_within_the_limit_is_whole() {
    let game = game(&wide(&["a", "b"], 20));
    let tree = tree(&game, 200_000).unwrap();
    let sizes = tree.sizes();
    assert_eq!((sizes.histories, sizes.terminal), (1 + 400 + 160_000, 160_000));
    // A node for each history of the first turn, and for each choice of the one who goes first in a turn.
    assert_eq!(sizes.decision, 1 + 20 + 400 + 400 * 20);
}

#[test]
fn a_long_game_is_estimated_within_tenths_of_a_second_and_never_infinite() {
    // A counter of 64 bits, and two moves in every turn: 2^10000 histories within the limit of turns.
    let mut rules = String::from(
        "(role a) (legal a tick) (legal a tock) (<= (init (off ?i)) (bit ?i)) (carry 0)
         (<= (carry ?j) (after ?i ?j) (carry ?i) (true (on ?i)))
         (<= (next (on ?i)) (true (off ?i)) (carry ?i)) (<= (next (off ?i)) (true (on ?i)) (carry ?i))
         (<= (next (on ?i)) (true (on ?i)) (not (carry ?i)))
         (<= (next (off ?i)) (true (off ?i)) (not (carry ?i)))
         (<= zero (true (off ?i))) (<= terminal (not zero)) (goal a 50)",
    );
    (0..64).for_each(|bit| rules.push_str(&format!("(bit {bit})")));
    (0..63).for_each(|bit| rules.push_str(&format!("(after {bit} {})", bit + 1)));
    for backend in [Backend::Propnet, Backend::Datalog] {
        let game = Game::compile(&rules, &Options { backend, ..Options::PLAY }).unwrap().game;
        let mut scratch = game.scratch();
        let estimate = estimate_histories(&game, &mut scratch);
        assert!(estimate.is_cut_short() && estimate.log10().is_finite(), "{estimate}");
        // Work is counted in rows, so that the test does not depend on the machine.
        assert!(scratch.rows_looked_at() < 5_000_000, "{} rows", scratch.rows_looked_at());
        let text = estimate.to_string();
        assert!(text.starts_with("more than ") && !text.contains("inf"), "{backend:?}: {text}");
    }
    let error = tree(&game(&rules), 1_000).unwrap_err().to_string();
    assert!(
        error.starts_with("the game has more than 10^3010 histories, ") && error.ends_with("limit is 1000"),
        "{error}"
    );
}

#[test]
fn a_goal_that_is_given_twice_is_the_one_whose_rule_comes_first() {
    let rules = "(role a) (role random) (init begun) (legal a wait) (legal random left) (legal random right)
        (<= (next (went ?m)) (does random ?m)) (<= terminal (not (true begun))) (<= (sees a ?m) (does random ?m))
        (<= (goal a 70) (true (went left))) (goal a 30)";
    let goals = [Backend::Propnet, Backend::Datalog].map(|backend| {
        let game = Game::compile(rules, &Options { backend, ..Options::PLAY }).unwrap().game;
        told(&game, &tree(&game, 100).unwrap())
    });
    assert_eq!(goals[0][1..], ["[GoalValue(70)]", "[GoalValue(30)]"]);
    assert_eq!(goals[0], goals[1]);
}
