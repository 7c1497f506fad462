//! Every answer is true: of small random programs and of small games, beside an enumeration that shares nothing with them but the rules.

mod judge;

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use croupier_engine::{Game, Limits, Options, RoleId};
use croupier_games::{catalogue, find};
use croupier_proofs::{
    Examination, GraphLimits, Grounds, Line, RuleAnswer, RuleQuestion, RuleVerdict, examine,
};
use croupier_tests::{generator::grow, renamed::renamed};
use judge::{Judge, JudgedState};

/// So few states that nothing but bounds, random matches and induction can settle anything.
const TOO_FEW: GraphLimits = GraphLimits { states: 2, edges: 100_000, members: 100_000 };

fn compile(rules: &str) -> Option<Arc<Game>> {
    let limits = Limits {
        term_depth: 16,
        term_nodes: 100,
        ground_fuel: 300_000,
        ground_rows: 30_000,
        ..Limits::STANDARD
    };
    let compiled = Game::compile(rules, &Options { limits, ..Options::PLAY }).ok()?;
    Some(Arc::new(compiled.game))
}

/// Asked so often whether time has passed, it has: random matches would go on for ever.
fn patience(times: u32) -> impl Fn(f64) -> bool + Sync {
    let asked = AtomicU32::new(0);
    move |share| f64::from(asked.fetch_add(1, Ordering::Relaxed) + 1) > share * f64::from(times)
}

/// The first answer that is wrong, if there is one; how many were settled.
fn wrong(judge: &Judge, game: &Game, found: &Examination) -> (Option<String>, usize) {
    let mut settled = 0;
    for answer in found.answers.iter().filter(|answer| answer.verdict != RuleVerdict::Open) {
        let Some(truth) = truth(judge, game, answer) else { continue };
        settled += 1;
        if truth != (answer.verdict == RuleVerdict::Proved) {
            return (Some(format!("{answer:?}")), settled);
        }
        if let Some(trouble) = trouble_of_lines(game, answer) {
            return (Some(format!("{trouble}: {answer:?}")), settled);
        }
    }
    (None, settled)
}

/// What an answer should be; `None` for what the judge does not judge.
fn truth(judge: &Judge, game: &Game, answer: &RuleAnswer) -> Option<bool> {
    let role = answer.role.map(|role| game.roles().name(role));
    let goal = answer.about.as_deref();
    let is_fine = |state: &JudgedState| {
        judge.players().all(|role| {
            let mut goals = state.goals[role].iter();
            let is_valid = |goal: &String| goal.parse::<i32>().is_ok_and(|goal| (0..=100).contains(&goal));
            goals.next().is_some_and(is_valid) && goals.next().is_none()
        })
    };
    let mut ends = judge.states.iter().filter(|state| state.is_terminal);
    match answer.question {
        RuleQuestion::Terminates => Some(judge.terminates()),
        RuleQuestion::Playable => Some(judge.playable()),
        RuleQuestion::WeaklyWinnable | RuleQuestion::StronglyWinnable if judge.has_several_goals(role?) => {
            None
        }
        RuleQuestion::WeaklyWinnable => Some(judge.can_win(role?, goal?)),
        RuleQuestion::StronglyWinnable => Some(judge.can_force(role?, goal?)),
        RuleQuestion::Goals => Some(ends.all(is_fine)),
        RuleQuestion::Alternating => Some(judge.states.iter().all(|state| {
            state.edges.is_empty() || state.legal.values().filter(|moves| moves.len() > 1).count() <= 1
        })),
        RuleQuestion::KnowsMoves => {
            let role = role?;
            agree(judge, role, |state| (!state.edges.is_empty()).then(|| state.legal[role].clone()))
        }
        RuleQuestion::KnowsChoice => {
            let role = role?;
            agree(judge, role, |state| (!state.edges.is_empty()).then(|| state.legal[role].len() > 1))
        }
        RuleQuestion::KnowsEnd => agree(judge, role?, |state| Some(state.is_terminal)),
        RuleQuestion::KnowsGoal if judge.has_several_goals(role?) => None,
        RuleQuestion::KnowsGoal => {
            let role = role?;
            agree(judge, role, |state| state.is_terminal.then(|| state.goals[role].clone()))
        }
        RuleQuestion::LatestPercepts => Some(judge.is_told_moves(role?)),
        RuleQuestion::AlwaysKnows => agree(judge, role?, |state| {
            (!state.edges.is_empty()).then(|| judge.matching(state, goal.unwrap_or_default()))
        }),
        RuleQuestion::NeverLearns => Some(!judge.learns(role?, goal?)),
        _ => truth_of_moves(judge, role, answer),
    }
}

/// What an answer about moves, roles and sizes should be.
fn truth_of_moves(judge: &Judge, role: Option<&str>, answer: &RuleAnswer) -> Option<bool> {
    let about = answer.about.as_deref();
    match answer.question {
        RuleQuestion::Matters => judge.matters(role?),
        RuleQuestion::Undominated => judge.dominated(role?).map(|count| count == 0),
        RuleQuestion::Signals => match about {
            Some(hearer) => judge.can_tell(role?, hearer),
            None => {
                let others = judge.players().filter(|hearer| Some(&***hearer) != role);
                let told: Vec<_> =
                    others.map(|hearer| judge.can_tell(role.unwrap_or_default(), hearer)).collect();
                told.windows(2).all(|pair| pair[0] == pair[1]).then(|| told[0]).flatten()
            }
        },
        RuleQuestion::Symmetric if about.is_some() || answer.verdict == RuleVerdict::Proved => {
            let named = |role: &&String| about.is_none_or(|pair| pair.split(' ').any(|name| name == *role));
            let profiles: Vec<_> = judge.players().filter(named).map(|role| judge.profile(role)).collect();
            Some(profiles.windows(2).all(|pair| pair[0] == pair[1]))
        }
        RuleQuestion::Length => judge.lengths().map(|[least, most]| {
            let count = |count| if count == 1 { "1 turn".to_owned() } else { format!("{count} turns") };
            let range = if least == most { count(most) } else { format!("{least} to {}", count(most)) };
            answer.text == format!("a match has {range}")
        }),
        RuleQuestion::Deals => Some(match judge.deals() {
            None => answer.text.contains("for ever"),
            Some(1) => answer.text.contains("nothing") || answer.text.contains(" 1 ways"),
            Some(count) => answer.text.contains(&format!("in {count} ways")),
        }),
        RuleQuestion::Branching => Some({
            let counts = judge.states.iter().filter(|state| !state.edges.is_empty());
            let name = role?;
            let counts: Vec<usize> = counts.map(|state| state.legal[name].len()).collect();
            let most = counts.iter().max().copied().unwrap_or(0);
            let moves = if most == 1 { "1 legal move".to_owned() } else { format!("{most} legal moves") };
            answer.text
                == match counts.iter().min().copied().unwrap_or(0) {
                    _ if most == 0 => format!("{name} never has a legal move"),
                    least if least == most => format!("{name} has {moves} in each turn"),
                    least => format!("{name} has {least} to {moves}"),
                }
        }),
        _ => None,
    }
}

/// Whether something is the same in all states that a role cannot tell apart, of those in which it matters.
fn agree<T: PartialEq>(judge: &Judge, role: &str, fact: impl Fn(&JudgedState) -> Option<T>) -> Option<bool> {
    let same = |(one, other): (usize, usize)| {
        let [one, other] = [one, other].map(|state| fact(&judge.states[state]));
        one.zip(other).is_none_or(|(one, other)| one == other)
    };
    Some(judge.pairs(role)?.into_iter().all(same))
}

/// What is wrong with the lines of an answer: each is played with the game itself.
fn trouble_of_lines(game: &Game, answer: &RuleAnswer) -> Option<String> {
    let mut known = Vec::new();
    for line in &answer.lines {
        match played(game, line, answer.role) {
            Ok(told) => known.push(told),
            Err(trouble) => return Some(trouble),
        }
    }
    let is_of_knowledge = matches!(
        answer.question,
        RuleQuestion::KnowsMoves | RuleQuestion::KnowsEnd | RuleQuestion::KnowsChoice
    );
    (is_of_knowledge && known.windows(2).any(|pair| pair[0] != pair[1]))
        .then(|| "the role can tell them apart".to_owned())
}

/// What a role did and was told along a line; an error if a move is not legal, or a state does not come again that should.
fn played(game: &Game, line: &Line, role: Option<RoleId>) -> Result<Vec<String>, String> {
    let mut scratch = game.scratch();
    let mut states = vec![game.initial_state().clone()];
    let mut told = Vec::new();
    for joint_move in &line.moves {
        let state = states.last().expect("the first").clone();
        game.joint_move(&state, joint_move.moves().clone(), &mut scratch)
            .map_err(|error| error.to_string())?;
        if let Some(role) = role.filter(|&role| game.roles().random() != Some(role)) {
            let percepts =
                game.percepts(&state, joint_move, role, &mut scratch).map_err(|error| error.to_string())?;
            told.push(format!("{} {:?}", game.move_text(joint_move.of(role)), game.percept_terms(&percepts)));
        }
        states.push(game.successor(&state, joint_move, &mut scratch).map_err(|error| error.to_string())?);
    }
    match line.returns_to {
        Some(turn) if states.get(turn) != states.last() || turn == line.moves.len() => {
            Err("it does not come again".to_owned())
        }
        _ => Ok(told),
    }
}

#[test]
fn no_answer_about_a_random_program_is_wrong() {
    let programs: usize =
        std::env::var("CROUPIER_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(120);
    let (mut judged, mut settled, mut without_states) = (0_usize, 0, 0);
    for seed in 0..programs {
        let rules = grow(seed as u64).program.to_string();
        let Some(game) = compile(&rules) else { continue };
        let Some(judge) = Judge::of(&rules) else { continue };
        judged += 1;
        for limits in [GraphLimits::STANDARD, TOO_FEW] {
            let Some(found) = examine(&game, &RuleQuestion::ALL, &limits, &patience(400)) else { continue };
            let (trouble, count) = wrong(&judge, &game, &found);
            assert_eq!(trouble, None, "program {seed}:\n{rules}");
            settled += count;
            if limits == TOO_FEW {
                without_states += count;
            }
        }
    }
    assert!(judged * 3 > programs, "{judged} of {programs} programs are small enough");
    assert!(
        settled > 8 * judged && without_states > judged,
        "{settled} answers, {without_states} without all states"
    );
}

#[test]
fn no_answer_about_a_small_game_or_its_renamed_copy_is_wrong() {
    let mut judged = 0;
    for entry in catalogue() {
        for rules in [entry.rules.to_owned(), renamed(entry.rules, 7)] {
            let Some(judge) = Judge::of(&rules) else { continue };
            let game = compile(&rules).expect("a game of the catalogue");
            for limits in [GraphLimits::STANDARD, TOO_FEW] {
                let found = examine(&game, &RuleQuestion::ALL, &limits, &patience(400)).expect("a network");
                assert_eq!(wrong(&judge, &game, &found).0, None, "{}", entry.name);
            }
            judged += 1;
        }
    }
    assert!(judged >= 12, "{judged}");
}

fn verdicts(name: &str, question: RuleQuestion) -> Vec<(String, RuleVerdict)> {
    let entry = find(name).expect("a game of the catalogue");
    let game = compile(entry.rules).expect("sound rules");
    let found =
        examine(&game, &RuleQuestion::ALL, &GraphLimits::STANDARD, &patience(100_000)).expect("a network");
    let of = |answer: &RuleAnswer| {
        let role = answer.role.map_or("", |role| game.roles().name(role));
        (role.to_owned(), answer.verdict)
    };
    found.answers.iter().filter(|answer| answer.question == question).map(of).collect()
}

#[test]
fn what_is_known_of_famous_games_is_proved() {
    let of = |role: &str, verdict| (role.to_owned(), verdict);
    assert_eq!(verdicts("tic-tac-toe", RuleQuestion::WellFormed), [of("", RuleVerdict::Proved)]);
    // Both can hold the draw.
    let draw = [of("x", RuleVerdict::Refuted), of("o", RuleVerdict::Refuted)];
    assert_eq!(verdicts("tic-tac-toe", RuleQuestion::StronglyWinnable), draw);
    // Bouton 1901: 1 xor 3 xor 5 xor 7 is 0, so who moves first loses.
    let second = [of("first", RuleVerdict::Refuted), of("second", RuleVerdict::Proved)];
    assert_eq!(verdicts("nim", RuleQuestion::StronglyWinnable), second);
    assert_eq!(verdicts("monty-hall", RuleQuestion::NeverLearns), [of("candidate", RuleVerdict::Proved)]);
    // A secret that its holder knows, and nobody else before the showdown.
    assert_eq!(
        verdicts("kuhn", RuleQuestion::NeverLearns),
        [of("alice", RuleVerdict::Proved), of("bob", RuleVerdict::Proved)]
    );
}

/// A game of one player and `turns` coins; `rules` may look at the coins that came up heads.
fn coins(turns: usize, rules: &str) -> String {
    let mut text = String::from(
        "(role random) (role me) (init (step 0)) (side heads) (side tails) (<= (legal random (toss ?s)) (side ?s)) (legal me wait)
         (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= (next (run ?m)) (true (run ?n)) (succ ?n ?m) (does random (toss heads)))
         (init (run 0)) (<= (sees me ?s) (does random (toss ?s)))",
    );
    for turn in 0..=turns {
        text.push_str(&format!(" (succ {turn} {})", turn + 1));
    }
    text.push_str(rules);
    text
}

fn examined(rules: &str) -> (Arc<Game>, Vec<RuleAnswer>) {
    let game = compile(rules).expect("sound rules");
    let found =
        examine(&game, &RuleQuestion::ALL, &GraphLimits::STANDARD, &patience(100_000)).expect("a network");
    (game, found.answers)
}

#[test]
fn what_one_line_in_many_shows_is_found() {
    // No move on one path of 2^14, by 14 heads in a row.
    let stuck = coins(14, " (<= terminal (true (step 14)) (not (true (run 14)))) (goal me 50)")
        .replace("(legal me wait)", "(<= (legal me wait) (not (true (run 14))))");
    let (_, answers) = examined(&stuck);
    let playable =
        answers.iter().find(|answer| answer.question == RuleQuestion::Playable).expect("it is asked");
    assert_eq!((playable.verdict, playable.lines[0].moves.len()), (RuleVerdict::Refuted, 14), "{playable:?}");
    // A match that goes on for ever on one path of 2^20.
    let endless = coins(
        20,
        " (<= terminal (true (step 20)) (not (true (run 20)))) (goal me 50)
          (<= (next (run 20)) (true (run 20))) (<= (next (step 20)) (true (step 20)))",
    )
    .replace(
        "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))",
        "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m) (distinct ?n 20))",
    );
    let (game, answers) = examined(&endless);
    let terminates =
        answers.iter().find(|answer| answer.question == RuleQuestion::Terminates).expect("it is asked");
    assert_eq!(terminates.verdict, RuleVerdict::Refuted, "{terminates:?}");
    assert_eq!(played(&game, &terminates.lines[0], None).map(|told| told.len()), Ok(0));
    // The best goal is out of reach: it needs more heads than there are coins.
    let unreachable = coins(
        6,
        " (<= terminal (true (step 6))) (<= (goal me 100) (true (run 7))) (<= (goal me 0) (not (true (run 7))))",
    );
    let (_, answers) = examined(&unreachable);
    let wins =
        answers.iter().find(|answer| answer.question == RuleQuestion::WeaklyWinnable).expect("it is asked");
    assert_eq!(wins.verdict, RuleVerdict::Refuted, "{wins:?}");
}

/// The verdict of a game of which hardly any state is looked at.
fn by_induction(rules: &str, question: RuleQuestion) -> RuleVerdict {
    let game = compile(rules).expect("sound rules");
    let found = examine(&game, &[question], &TOO_FEW, &patience(3_000)).expect("a network");
    found.answers[0].verdict
}

#[test]
fn counts_that_fall_and_numbers_that_add_up_are_proofs() {
    // Stones hop about as long as three hops in a row take none away. No fluent of a square settles.
    let stones = "(role me) (square a) (square b) (square c) (square d) (square e) (init (stone a)) (init (stone b)) (init (stone c)) (init (quiet 0))
        (succ 0 1) (succ 1 2) (succ 2 3) (<= (free ?s) (square ?s) (not (true (stone ?s))))
        (<= (legal me (take ?s)) (true (stone ?s))) (<= (legal me (hop ?s ?t)) (true (stone ?s)) (free ?t)) (<= (legal me rest) (true (stone ?s)))
        (<= (leaves ?s) (does me (take ?s))) (<= (leaves ?s) (does me (hop ?s ?t))) (<= takes (does me (take ?s)))
        (<= (next (stone ?s)) (true (stone ?s)) (not (leaves ?s))) (<= (next (stone ?t)) (does me (hop ?s ?t)))
        (<= (next (quiet 0)) takes) (<= (next (quiet ?m)) (true (quiet ?n)) (succ ?n ?m) (not takes))
        (<= some (true (stone ?s))) (<= terminal (not some)) (<= terminal (true (quiet 3))) (goal me 100)";
    // A stone more whenever one is taken: it need not end.
    let more = stones.replace("(init (stone a))", "(<= (next (stone a)) takes)");
    // Cards are drawn to a sum of five or more; there are never too few of them.
    let cards = "(role random) (role me) (legal me wait) (goal me 100) (card c1 1) (card c2 2) (card c3 2) (card c4 1) (card c5 3) (init (sum 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (succ 5 6) (succ 6 7) (number 0) (<= (number ?m) (succ ?n ?m)) (plus 0 0 0) (<= (plus ?m 0 ?m) (succ ?n ?m))
        (<= (plus ?n ?j ?m) (plus ?n ?i ?l) (succ ?i ?j) (succ ?l ?m))
        (<= (legal random (draw ?c)) (card ?c ?v) (not (true (drawn ?c)))) (<= (next (drawn ?c)) (does random (draw ?c))) (<= (next (drawn ?c)) (true (drawn ?c)))
        (<= (next (sum ?m)) (true (sum ?n)) (does random (draw ?c)) (card ?c ?v) (plus ?n ?v ?m))
        (<= terminal (true (sum 5))) (<= terminal (true (sum 6))) (<= terminal (true (sum 7)))";
    for seed in 0..2 {
        let of = |rules: &str, question| {
            by_induction(&if seed == 0 { rules.to_owned() } else { renamed(rules, seed) }, question)
        };
        assert_eq!(of(stones, RuleQuestion::Terminates), RuleVerdict::Proved);
        assert_ne!(of(&more, RuleQuestion::Terminates), RuleVerdict::Proved);
        assert_eq!(of(cards, RuleQuestion::Playable), RuleVerdict::Proved);
    }
}

#[test]
fn players_with_the_same_goals_are_not_told_apart_by_which_rule_comes_first() {
    let rules = "(role red) (role blue) (init lit) (<= terminal (true lit)) (legal red noop) (legal blue noop)
        (goal red 100) (<= (goal red 0) (true lit)) (<= (goal blue 0) (true lit)) (<= (goal ?r 100) (role ?r))";
    let verdict = |rules: &str| {
        let (_, answers) = examined(rules);
        let answer = answers.iter().find(|answer| answer.question == RuleQuestion::Symmetric);
        answer.expect("it is asked").verdict
    };
    assert_ne!(verdict(rules), RuleVerdict::Refuted);
    assert_eq!(verdict(&rules.replace("(role ?r))", "(distinct ?r blue) (role ?r))")), RuleVerdict::Refuted);
}

/// How many turns the first match has that shows an answer to this question, where hardly any state is looked at.
fn turns_shown(rules: &str, question: RuleQuestion) -> Option<usize> {
    let game = compile(rules).expect("sound rules");
    let found = examine(&game, &[question], &TOO_FEW, &patience(3_000)).expect("a network");
    let line = found.answers.iter().find_map(|answer| answer.lines.first())?;
    Some(line.moves.len())
}

#[test]
fn a_match_that_shows_something_has_no_detours() {
    // Thirty steps lead to the end of a corridor, and back and forth as long as one likes; random matches take hundreds.
    let corridor = |end: &str| {
        let mut rules = String::from(
            "(role me) (init (at 0)) (<= (legal me forth) (true (at ?n)) (open ?n)) (<= (legal me rest) (true (at ?n)) (open ?n))
             (<= (legal me back) (true (at ?n)) (open ?n) (succ ?l ?n)) (open 0) (<= (open ?m) (succ ?n ?m) (distinct ?m 30))
             (<= (next (at ?m)) (does me forth) (true (at ?n)) (succ ?n ?m)) (<= (next (at ?l)) (does me back) (true (at ?n)) (succ ?l ?n))
             (<= (next (at ?n)) (does me rest) (true (at ?n)))",
        );
        (0..30).for_each(|step| rules.push_str(&format!(" (succ {step} {})", step + 1)));
        rules + end
    };
    let ends = corridor(" (<= terminal (true (at 30))) (goal me 100)");
    let stuck = corridor(" (<= terminal (true (at 31))) (goal me 100)");
    let faulty = corridor(" (<= terminal (true (at 30))) (<= (goal me 100) (true (at 0)))");
    for seed in 0..3 {
        let of = |rules: &str, question| {
            turns_shown(&if seed == 0 { rules.to_owned() } else { renamed(rules, seed) }, question)
        };
        assert_eq!(of(&ends, RuleQuestion::WeaklyWinnable), Some(30));
        assert_eq!(of(&stuck, RuleQuestion::Playable), Some(30));
        assert_eq!(of(&faulty, RuleQuestion::Goals), Some(30));
        assert!(of(&ends, RuleQuestion::Terminates).is_some_and(|turns| turns <= 2));
    }
}

#[test]
fn what_a_role_knows_is_proved_though_its_information_sets_are_not_looked_at() {
    for (name, seed) in [("leduc", 0), ("leduc", 5), ("kuhn-3", 0)] {
        let rules = find(name).expect("a game of the catalogue").rules;
        let game =
            compile(&if seed == 0 { rules.to_owned() } else { renamed(rules, seed) }).expect("sound rules");
        let found = examine(&game, &RuleQuestion::ALL, &TOO_FEW, &patience(30_000)).expect("a network");
        let players = game.roles().players().count();
        let proved = |question| {
            let own = found.answers.iter().filter(move |answer| answer.question == question);
            own.filter(|answer| (answer.verdict, answer.grounds) == (RuleVerdict::Proved, Grounds::Induction))
                .count()
        };
        for question in [
            RuleQuestion::KnowsMoves,
            RuleQuestion::KnowsChoice,
            RuleQuestion::KnowsEnd,
            RuleQuestion::KnowsGoal,
        ] {
            assert_eq!(proved(question), players, "{name}: {question:?}");
        }
        // Each its own card, and nobody that of another.
        assert_eq!(proved(RuleQuestion::AlwaysKnows), players, "{name}");
        assert_eq!(proved(RuleQuestion::NeverLearns), players * (players - 1), "{name}");
    }
}

#[test]
fn who_does_not_know_its_moves_is_not_told_them_by_its_latest_percepts() {
    // Nobody sees how the coin falls, and what can be called depends on it.
    let (_, answers) = examined(
        "(role me) (role random) (side heads) (side tails) (init tossing) (<= (legal random (toss ?s)) (side ?s) (true tossing))
         (<= (legal random noop) (not (true tossing))) (<= (legal me noop) (true tossing)) (<= (legal me (call ?s)) (true (up ?s)))
         (<= (next (up ?s)) (does random (toss ?s))) (<= (next called) (does me (call ?s))) (<= terminal (true called))
         (goal me 50) (<= (sees me begin) (true tossing))",
    );
    let of = |question| answers.iter().find(|answer| answer.question == question).expect("it is asked");
    for question in [RuleQuestion::KnowsMoves, RuleQuestion::LatestPercepts] {
        assert_eq!(
            (of(question).verdict, of(question).lines.len()),
            (RuleVerdict::Refuted, 2),
            "{question:?}"
        );
    }
}

#[test]
fn a_hidden_card_is_called_hidden_only_where_it_could_be_another() {
    // A card for each, and the match goes on for a turn.
    let deal = |cards: usize, told: &str| {
        let mut rules = String::from(
            "(role random) (role alice) (role bob) (init (dealing alice)) (goal alice 50) (goal bob 50) (<= (taken ?c) (true (hand ?p ?c)))
             (<= (legal random (deal ?c)) (true (dealing ?p)) (card ?c) (not (taken ?c))) (<= (legal random noop) (true asking))
             (legal alice wait) (legal bob wait) (<= (next (dealing bob)) (true (dealing alice))) (<= (next asking) (true (dealing bob)))
             (<= (next (hand ?p ?c)) (does random (deal ?c)) (true (dealing ?p))) (<= (next (hand ?p ?c)) (true (hand ?p ?c)))
             (<= (next over) (true asking)) (<= terminal (true over)) (<= (sees ?p (got ?c)) (does random (deal ?c)) (true (dealing ?p)))",
        );
        (1..=cards).for_each(|card| rules.push_str(&format!(" (card c{card})")));
        rules + told
    };
    let kept = |rules: &str| -> Vec<String> {
        let game = compile(rules).expect("sound rules");
        let judge = Judge::of(rules).expect("a small game");
        let found =
            examine(&game, &[RuleQuestion::NeverLearns], &TOO_FEW, &patience(3_000)).expect("a network");
        assert_eq!(wrong(&judge, &game, &found).0, None);
        // What is not proved is said to be open; the second hand is no secret if it is told or the only other card.
        let is_told = rules.contains("(dealt ?c)") || !rules.contains("(card c3)");
        let secrets = if is_told { 1 } else { 2 };
        assert_eq!(found.answers.len(), secrets);
        let proved = found.answers.iter().filter(|answer| answer.verdict == RuleVerdict::Proved);
        proved.map(|answer| answer.text.split(" before").next().unwrap_or_default().to_owned()).collect()
    };
    let [of_bob, of_alice] =
        ["alice is never certain of any (hand bob ?)", "bob is never certain of any (hand alice ?)"];
    assert_eq!(kept(&deal(3, "")), [of_bob, of_alice]);
    // Of two cards the other has the one that is not the own.
    assert!(kept(&deal(2, "")).is_empty());
    // One card is told; all of them are; all are as the match ends, where that is no more before the end.
    let of_four = |told: &str| kept(&deal(4, told));
    let lucky = " (<= (sees alice lucky) (does random (deal c1)) (true (dealing bob)))";
    assert!(!of_four(lucky).contains(&of_bob.to_owned()));
    let dealt = " (<= (sees alice (dealt ?c)) (does random (deal ?c)) (true (dealing bob)))";
    assert_eq!(of_four(dealt), [of_alice]);
    let shown = " (<= (sees alice (shown ?c)) (true asking) (true (hand bob ?c)))";
    assert_eq!(of_four(shown), [of_bob, of_alice]);
    // The same with a turn after it.
    let goes_on =
        "(<= (next later) (true asking)) (<= (legal random noop) (true later)) (<= (next over) (true later))";
    assert_eq!(kept(&deal(4, shown).replace("(<= (next over) (true asking))", goes_on)), [of_alice]);
}
