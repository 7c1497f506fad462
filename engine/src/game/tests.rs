//! The smallest games in which each promise of the interface can be seen.

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use super::*;
use crate::diagnostic::RulePlace;

/// Two players and chance: a hidden coin, a guess, an unrelated bystander.
const COIN: &str = "
    (role guesser) (role watcher) (role random)
    (init start)
    (side heads) (side tails)
    (<= (legal random (toss ?s)) (side ?s) (true start))
    (<= (legal random noop) (not (true start)))
    (<= (legal guesser noop) (true start))
    (<= (legal guesser (guess ?s)) (side ?s) (not (true start)))
    (legal watcher noop)
    (<= (next (coin ?s)) (does random (toss ?s)))
    (<= (next (coin ?s)) (true (coin ?s)))
    (<= (next (guessed ?s)) (does guesser (guess ?s)))
    (<= (sees watcher (came ?s)) (does random (toss ?s)))
    (<= (sees ?r (said ?s)) (role ?r) (does guesser (guess ?s)))
    (<= won (true (coin ?s)) (true (guessed ?s)))
    (<= terminal (true (guessed ?s)))
    (<= (goal guesser 100) won)
    (<= (goal guesser 0) (not won))
    (goal watcher 50)
";

fn compile(text: &str) -> Game {
    Game::compile(text, &Options::PLAY).expect("the game is sound").game
}

#[test]
fn a_match_goes_from_the_initial_state_to_goals() {
    let game = compile(COIN);
    let mut scratch = game.scratch();
    let [guesser, watcher, random] =
        ["guesser", "watcher", "random"].map(|name| game.roles().find(name).unwrap());
    let start = game.initial_state().clone();
    assert_eq!(game.state_terms(&start), ["start".into()]);
    let legal = game.legal_moves(&start, random, &mut scratch).unwrap();
    let texts: Vec<_> = legal.iter().map(|&id| game.move_text(id)).collect();
    assert_eq!(texts, ["(toss heads)".into(), "(toss tails)".into()]);

    let mut play = |state: &State, guess: &str, toss: &str| {
        let mut moves = ByRole::from_fn(game.roles(), |_| game.move_id("noop").unwrap());
        moves[guesser] = game.find_move(state, guesser, guess, &mut scratch).unwrap();
        moves[random] = game.find_move(state, random, toss, &mut scratch).unwrap();
        let joint_move = game.joint_move(state, moves, &mut scratch).unwrap();
        game.turn(state, &joint_move, &mut scratch).unwrap()
    };
    let first = play(&start, "noop", "(Toss  TAILS)");
    assert_eq!(game.percept_terms(&first.percepts[watcher]), ["(came tails)".into()]);
    assert!(first.percepts[guesser].is_empty());
    let second = play(&first.successor, "(guess tails)", "noop");
    assert_eq!(second.percepts[guesser], game.percepts_of(["(said tails)"]).unwrap());
    let Status::Terminal { goals } = game.status(&second.successor, &mut scratch).unwrap() else {
        panic!("the match is over");
    };
    assert_eq!((goals[guesser].value(), goals[watcher].value()), (100, 50));
}

#[test]
fn a_move_is_legal_or_says_why_not() {
    let game = compile(COIN);
    let mut scratch = game.scratch();
    let guesser = game.roles().find("guesser").unwrap();
    let mut find = |text| game.find_move(game.initial_state(), guesser, text, &mut scratch).unwrap_err();
    assert_eq!(find("(guess heads)").to_string(), "(guess heads) is not a legal move of guesser here");
    assert_eq!(find("(unheard of)").to_string(), "(unheard of) is not a legal move of guesser here");
    assert_eq!(find("(guess").to_string(), "not a move: this parenthesis is never closed");
}

#[test]
fn threads_share_a_game_and_agree() {
    let game = compile(COIN);
    let playouts = |seed: u64| {
        let mut scratch = game.scratch();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        (0..50)
            .map(|_| game.playout(game.initial_state(), &mut rng, &mut scratch).unwrap())
            .collect::<Vec<_>>()
    };
    let alone: Vec<_> = (0..4).map(playouts).collect();
    let together: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|seed| scope.spawn(move || playouts(seed))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
}

/// Numbers are given to terms as they are met: if a fork saw those of the other, they would come out shifted.
#[test]
fn a_fork_plays_as_if_compiled_anew_and_meets_terms_by_itself() {
    let (game, anew) = (compile(COIN), compile(COIN));
    let fork = game.fork();
    let numbers = |game: &Game, fluent: &str| game.state_of([fluent]).unwrap().fluents().collect::<Vec<_>>();
    let met = numbers(&game, "(never (seen before))");
    let first = numbers(&fork, "(quite another)");
    assert_eq!(first, numbers(&anew, "(quite another)"));
    assert_eq!(first, met, "both are the first that the game did not have");
    for seed in 0..10 {
        let end = |game: &Game| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            game.playout(game.initial_state(), &mut rng, &mut game.scratch()).unwrap()
        };
        assert_eq!(end(&fork), end(&anew));
        assert_eq!(end(&game), end(&anew));
    }
    assert_eq!(fork.initial_state(), anew.initial_state());
}

#[test]
fn a_state_is_its_fluents() {
    let game = compile(COIN);
    let one = game.state_of(["(coin heads)", "start"]).unwrap();
    let other = game.state_of(["start", "(COIN heads)", "start"]).unwrap();
    assert_eq!(one, other);
    assert_ne!(one, game.state_of(["start"]).unwrap());
}

#[test]
fn a_game_without_sees_is_seen_by_all() {
    let text = COIN.lines().filter(|line| !line.contains("sees")).collect::<Vec<_>>().join("\n");
    let game = compile(&text);
    assert!(game.has_full_sight());
    let mut scratch = game.scratch();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let joint_move = game.random_joint_move(game.initial_state(), &mut rng, &mut scratch).unwrap().unwrap();
    let turn = game.turn(game.initial_state(), &joint_move, &mut scratch).unwrap();
    assert!(turn.percepts.iter().all(|(_, percepts)| percepts.len() == 3));
}

#[test]
fn full_sight_is_known_when_it_is_written_out() {
    let blind = COIN.lines().filter(|line| !line.contains("sees")).collect::<Vec<_>>().join("\n");
    let with = |sees: &str| compile(&format!("{blind}\n{sees}"));
    let shows = |sees: &str| with(sees).shows_every_move();
    assert!(
        compile(&blind).shows_every_move()
            && !with("(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))").has_full_sight()
    );
    assert!(shows("(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))"));
    assert!(
        shows("(<= (sees ?x (made ?what ?who)) (does ?who ?what) (role ?x))"),
        "other names and another order"
    );
    assert!(!shows("(<= (sees ?r (did ?r ?m)) (role ?r) (does ?r ?m))"), "only its own moves");
    assert!(!shows("(<= (sees ?r (did ?q)) (role ?r) (does ?q ?m))"), "not the move");
    assert!(!shows("(<= (sees watcher (did ?q ?m)) (does ?q ?m))"), "only one role");
    assert!(!shows("(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m) (true start))"), "not always");
    let twice = "(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m)) (<= (sees watcher (did random (toss heads))) (true start))";
    assert!(!shows(twice), "what is told may be no move");
    let options = Options { percepts: PerceptReading::NewState, ..Options::PLAY };
    let written = format!("{blind}\n(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))");
    if let Ok(compiled) = Game::compile(&written, &options) {
        assert!(!compiled.game.shows_every_move(), "no move is left in the new state");
    }
}

#[test]
fn the_new_state_alone_can_be_seen() {
    let text = COIN.replace(
        "(sees watcher (came ?s)) (does random (toss ?s))",
        "(sees watcher (came ?s)) (true (coin ?s))",
    );
    let percepts_in = |reading| {
        let options = Options { percepts: reading, ..Options::PLAY };
        let game = Game::compile(&text, &options).unwrap().game;
        let mut scratch = game.scratch();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let joint_move =
            game.random_joint_move(game.initial_state(), &mut rng, &mut scratch).unwrap().unwrap();
        let watcher = game.roles().find("watcher").unwrap();
        game.percepts(game.initial_state(), &joint_move, watcher, &mut scratch).unwrap().len()
    };
    assert_eq!(percepts_in(PerceptReading::OldState), 0);
    assert_eq!(percepts_in(PerceptReading::NewState), 1);
}

#[test]
fn faults_of_the_rules_are_named() {
    let base = "(role a) (init s) (<= (legal a m) (true s)) (<= (next t) (true s))";
    let last = |lines: &str| {
        let game = compile(&format!("{base} {lines}"));
        let mut scratch = game.scratch();
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        game.playout(game.initial_state(), &mut rng, &mut scratch)
            .map(|playout| playout.goals[game.roles().all().next().unwrap()].value())
    };
    let is_over = "(<= terminal (true t))";
    assert_eq!(
        last("(goal a 1) (<= terminal (true never))"),
        Err(GameError::NoLegalMove { role: "a".into() })
    );
    assert_eq!(last(&format!("(goal b 1) {is_over}")), Err(GameError::NoGoal { role: "a".into() }));
    assert_eq!(
        last(&format!("(goal a many) {is_over}")),
        Err(GameError::GoalOutOfRange { role: "a".into(), value: "many".into() })
    );
    assert_eq!(last(&format!("(<= (goal a 9) (true t)) (<= (goal a 10) (true t)) {is_over}")), Ok(9));
}

/// The place of a rule for `next` in a text.
fn place(text: &str, rule: &str) -> Option<RulePlace> {
    let start = text.find(rule).expect("it is there");
    Some(RulePlace { relation: "next".into(), span: crate::Span::new(start, start + rule.len()) })
}

#[test]
fn terms_that_grow_for_ever_end_at_a_limit_that_names_the_rule() {
    let text = "(role a) (legal a m) (init (n z)) (<= (next (n (s ?x))) (true (n ?x))) (goal a 0) (<= terminal (true never))";
    let game = compile(text);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let result = game.playout(game.initial_state(), &mut rng, &mut game.scratch());
    let limit =
        LimitError::TermNesting { limit: 64, rule: place(text, "(<= (next (n (s ?x))) (true (n ?x)))") };
    assert_eq!(limit.to_string(), "nesting of a term for next: limit 64, and the rules need more");
    assert_eq!(result, Err(GameError::Limit(limit)));
}

#[test]
fn a_limit_before_the_first_move_is_a_finding_with_code_relation_and_place() {
    let refusal = |text: &str, limits: Limits| match Game::compile(
        text,
        &Options { limits, backend: Backend::Datalog, ..Options::PLAY },
    ) {
        Ok(compiled) => {
            let game = compiled.game;
            game.status(game.initial_state(), &mut game.scratch()).err().map(CompileError::Evaluation)
        }
        Err(error) => Some(error),
    };
    let example = crate::check::find("limit-in-evaluation").expect("it is in the table").explanation;
    assert!(refusal(example.accepted, Limits::STANDARD).is_none());
    // The last rule of each text is the one that needs more.
    let product = "(role a) (legal a noop) (goal a 0) (<= terminal (p ?x ?y ?z)) (d 0) (d 1) (d 2) (d 3) \
        (<= (p ?x ?y ?z) (d ?x) (d ?y) (d ?z))";
    let moves = "(role a) (goal a 0) (d 0) (d 1) (d 2) (d 3) (init f) (<= terminal (not (true f))) \
        (<= (legal a (m ?x ?y ?z)) (d ?x) (d ?y) (d ?z) (true f))";
    let rows = Limits { rows: 63, ..Limits::STANDARD };
    let fuel = Limits { fuel: 63, ..Limits::STANDARD };
    let cases = [
        (
            example.rejected,
            Limits::STANDARD,
            "(<= (number (s ?n)) (number ?n))",
            "nesting of a term for number: limit 64",
        ),
        (product, rows, "(<= (p ", "rows derived for p: limit 63"),
        (product, fuel, "(<= (p ", "rows examined for p: limit 63"),
        (moves, rows, "(<= (legal", "rows derived for legal: limit 63"),
    ];
    for (text, limits, rule, message) in cases {
        let found = refusal(text, limits).unwrap_or_else(|| panic!("{text}: no limit")).diagnostics();
        let [found] = &found[..] else { panic!("{found:?}") };
        assert_eq!((found.code, found.severity), ("limit-in-evaluation", crate::Severity::Error));
        assert!(found.message.starts_with(message), "{}", found.message);
        assert!(text[found.span.range()].starts_with(rule), "{}", &text[found.span.range()]);
        assert!(found.help.is_some());
    }
    // One more row is enough.
    assert!(refusal(product, Limits { rows: 64, ..Limits::STANDARD }).is_none());
}

#[test]
fn a_term_that_doubles_every_turn_ends_at_a_limit() {
    let text = "(role a) (legal a m) (goal a 0) (init (p c)) (<= (next (p (g ?x ?x))) (true (p ?x))) (<= terminal (true (p over)))";
    let game = compile(text);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let result = game.playout(game.initial_state(), &mut rng, &mut game.scratch());
    let limit = LimitError::TermSymbols {
        limit: 10_000,
        rule: place(text, "(<= (next (p (g ?x ?x))) (true (p ?x)))"),
    };
    assert_eq!(result, Err(GameError::Limit(limit)));
}

/// Found by random programs: the reasoner computes such goals once, and did not note which rule gave them.
#[test]
fn of_goals_that_are_the_same_in_every_state_the_first_in_the_text_counts() {
    let rules = "(role a) (legal a noop) p (goal a 75) (<= (goal a 100) p) (<= (goal a 0) p) terminal";
    for backend in [Backend::Datalog, Backend::Propnet] {
        let game =
            Game::compile(rules, &Options { backend, ..Options::PLAY }).expect("the game is sound").game;
        let role = game.roles().find("a").unwrap();
        let goal = game.goal(game.initial_state(), role, &mut game.scratch()).unwrap();
        assert_eq!(goal, Some(GoalValue::new(75)), "{backend:?}");
    }
}

#[test]
fn a_game_has_a_network_exactly_where_its_report_says_so() {
    let few_rows = Limits { ground_rows: 1, ..Options::PLAY.limits };
    let build = |backend, limits| {
        Game::compile(COIN, &Options { backend, limits, ..Options::PLAY }).expect("the game is sound").game
    };
    let sizes = |game: &Game| game.network().map(|network| network.sizes());
    for backend in [Backend::Auto, Backend::Propnet] {
        let game = build(backend, Options::PLAY.limits);
        let BuildReport::Grounded(reported) = game.build_report() else { panic!("a small game is grounded") };
        assert_eq!(sizes(&game), Some(*reported));
        assert_eq!(sizes(&game.fork()), Some(*reported));
    }
    let lifted = build(Backend::Datalog, Options::PLAY.limits);
    assert_eq!((sizes(&lifted), lifted.build_report()), (None, &BuildReport::Lifted));
    let stopped = build(Backend::Auto, few_rows);
    assert_eq!(sizes(&stopped), None);
    assert!(matches!(stopped.build_report(), BuildReport::NotGrounded(_)));
}
