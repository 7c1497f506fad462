//! Every code of a semantic check with an accepted and a rejected neighbour.

use super::*;
use crate::syntax::{Decoded, decode};

/// The smallest game, to which each case adds its lines.
const BASE: &str = "(role a) (init f) (<= (legal a m) (true f)) (<= (next f) (does a m)) (goal a 50) (<= terminal (not (true f)))";

fn codes(lines: &str, strictness: Strictness) -> Vec<&'static str> {
    let text = format!("{BASE}\n{lines}");
    let (_, diagnostics) = check_text(&text, strictness, &Limits::STANDARD);
    diagnostics.iter().filter(|found| found.severity == Severity::Error).map(|found| found.code).collect()
}

#[test]
fn each_check_tells_neighbours_apart() {
    let cases = [
        ("(<= (p ?x) (true ?x))", "(<= (p ?y) (true ?x))", "unsafe-variable"),
        ("(<= (p ?x) (true ?x) (distinct ?x a))", "(<= p (true f) (distinct ?x a))", "unsafe-variable"),
        ("(<= (p ?x) (true (g ?x)))", "(<= (p ?x) (not (true (g ?x))))", "unsafe-variable"),
        ("(<= (p ?x) (or (true ?x) (role ?x)))", "(<= (p ?x) (or (true ?x) (role a)))", "unbound-in-head"),
        ("(p a)", "(p ?x)", "variable-in-fact"),
        ("(<= p (not q)) (<= q (true f))", "(<= p (not q)) (<= q p)", "unstratified-negation"),
        ("(<= (p ?x) (p ?x)) (p a)", "(<= (p ?x) (not (p ?x)) (true ?x))", "unstratified-negation"),
        ("(<= (p (g ?x)) (p ?x) (role ?x)) (p a)", "(<= (p (g ?x)) (p ?x)) (p a)", "unbounded-recursion"),
        ("(<= p (true f))", "(<= (true f) p) p", "keyword-in-head"),
        ("(<= p (legal a m))", "(<= p (next f))", "keyword-in-body"),
        ("(<= (init g) p) p", "(<= (init g) (legal a m))", "depends-on-state"),
        ("(<= (base f) p) p", "(<= (base f) (true f))", "declaration-depends-on-state"),
        ("(<= (goal b 1) p) p", "(<= (goal b 1) p) (<= p (does a m))", "depends-on-does"),
        ("(<= (legal a n) (true f))", "(<= (legal a) (true f))", "keyword-arity"),
        ("(<= (r b) (true f))", "(<= (role b) (true f))", "role-not-fact"),
        ("(p a) (q a b)", "(p a) (p a b)", "several-arities"),
        ("(p (g a))", "(p (g a) (g a b))", "several-arities"),
    ];
    for (accepted, rejected, code) in cases {
        assert_eq!(codes(accepted, Strictness::Strict), [""; 0], "{accepted}");
        assert!(codes(rejected, Strictness::Strict).contains(&code), "{rejected}: {code} expected");
    }
}

#[test]
fn compatible_reading_plays_what_has_one_meaning() {
    for lines in ["(<= p (not (distinct a b)))", "(<= p (next f))", "(p a) (p a b)", "(<= p (not (not q))) q"]
    {
        assert_eq!(codes(lines, Strictness::Compatible), [""; 0], "{lines}");
        assert_ne!(codes(lines, Strictness::Strict), [""; 0], "{lines}");
    }
}

#[test]
fn base_input_percept_and_sees_are_ordinary_relations_where_a_text_is_plainly_gdl_i() {
    for word in ["base", "input", "percept", "sees"] {
        let text = format!("{BASE} ({word} a b c) (<= (legal a go) ({word} a b c))");
        let (rules, found) = check_text(&text, Strictness::Compatible, &Limits::STANDARD);
        let rules = rules.unwrap_or_else(|| panic!("{word}: {found:?}"));
        assert!(rules.has_full_sight(), "{word}");
        assert!(found.iter().any(|found| found.code == "keyword-as-relation"), "{word}: {found:?}");
        assert!(
            codes(&format!("({word} a b c) (<= (legal a go) ({word} a b c))"), Strictness::Strict)
                .contains(&"keyword-as-relation")
        );
        let game = crate::Game::compile(&text, &crate::Options::PLAY).expect("a sound game").game;
        let legal =
            game.legal_moves(game.initial_state(), game.roles().all().next().unwrap(), &mut game.scratch());
        assert_eq!(legal.expect("small rules").len(), 2, "{word}: go and m");
    }
    // What only declares or tells something is a slip, and so is everything in a text of GDL-II.
    for lines in [
        "(<= (sees f) (true f))",
        "(<= p (sees a b c)) (sees a b c) (role random)",
        "(<= p (base a b)) (base a b) (<= (sees a f) (true f))",
        "(<= p (base a b)) (base a b) (base f)",
    ] {
        assert!(codes(lines, Strictness::Compatible).contains(&"keyword-arity"), "{lines}");
    }
    // A declaration that no rule uses decides nothing.
    assert_eq!(codes("(base a b)", Strictness::Compatible), [""; 0]);
    assert_eq!(codes("(base a b)", Strictness::Strict), ["keyword-arity"]);
}

#[test]
fn a_text_without_players_is_no_game() {
    let text = "(role random) (legal random m) (goal random 0) terminal";
    let (rules, diagnostics) = check_text(text, Strictness::Compatible, &Limits::STANDARD);
    assert!(rules.is_none());
    assert!(diagnostics.iter().any(|found| found.code == "no-role"));
}

#[test]
fn def_15_and_growth_from_state_to_state_are_two_codes_with_two_explanations() {
    let cases = [
        ("(<= (p (g ?x)) (p ?x)) (p a)", "unbounded-recursion", "unbounded-growth"),
        ("(init (c z)) (<= (next (c (s ?x))) (true (c ?x)))", "unbounded-growth", "unbounded-recursion"),
    ];
    for (lines, code, other) in cases {
        let found = codes(lines, Strictness::Strict);
        assert!(found.contains(&code) && !found.contains(&other), "{lines}: {found:?}");
    }
    let source = |code| find(code).expect("it is in the table").explanation.source;
    assert!(source("unbounded-recursion").contains("LG-2006-01, Def. 15"));
    assert!(source("unbounded-growth").contains("Croupier, beyond LG-2006-01"));
}

#[test]
fn an_empty_or_is_underlined_and_not_its_rule() {
    for lines in
        ["(<= p (not (true f)) (or))", "(<= p (or (and (true f) (or)) (or)))", "(<= p (not (not (or))))"]
    {
        let text = format!("{BASE}\n{lines}");
        let (_, found) = check_text(&text, Strictness::Strict, &Limits::STANDARD);
        let found = found.iter().find(|found| found.code == "empty-disjunction").expect("it is found");
        assert_eq!(&text[found.span.range()], "(or)", "{lines}");
    }
}

#[test]
fn messages_show_variables_as_the_text_writes_them() {
    let cases = [
        ("p(Row) :- q(Rwo)", "Row occurs in the head", "did you mean Rwo?"),
        ("p(A) :- q(a)", "A occurs in the head", "did you mean A?"),
        ("p(a)\np(f(_)) :- p(_)", "_ occurs in the head", "defines the range of _"),
        (
            "p(a)\np(B) :- p(f(A, c)) & q(A) & r(B)",
            " but f(A, c) is neither",
            "that has f(A, c) as an argument",
        ),
        ("(p a) (<= (p ?B) (p (f ?A c)) (q ?A) (r ?B))", " but (f ?A c) is neither", "that has (f ?A c) as"),
        ("next(n(s(M))) :- true(n(M))", " M is nested deeper", "binds M, or"),
        ("(<= (p ?row) (q ?rwo))", "?row occurs", "did you mean ?rwo?"),
    ];
    for (text, message, help) in cases {
        let (_, found) = check_text(text, Strictness::Strict, &Limits::STANDARD);
        let shows = |found: &Diagnostic| {
            found.message.contains(message) && found.help.as_ref().is_some_and(|shown| shown.contains(help))
        };
        assert!(found.iter().any(shows), "{text}: {found:?}");
    }
}

#[test]
fn what_is_missing_is_not_said_of_a_text_that_cannot_be_read() {
    let (_, diagnostics) = check_text("((((", Strictness::Strict, &Limits::STANDARD);
    let codes: Vec<_> = diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["unbalanced-parenthesis"]);
}

#[test]
fn codes_are_unique_words() {
    let mut names: Vec<_> = CODES.iter().map(|code| code.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CODES.len());
    assert!(
        names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || b"-8".contains(&byte)))
    );
}

#[test]
fn the_examples_of_every_code_are_whole_games_and_the_right_one_has_no_finding_at_all() {
    for code in CODES {
        let Explanation { rejected, accepted, .. } = code.explanation;
        let (rules, found) = check_text(accepted, Strictness::Strict, &Limits::STANDARD);
        assert!(rules.is_some() && found.is_empty(), "{}: {found:?}\n{accepted}", code.name);
        let game = crate::Game::compile(accepted, &crate::Options::PLAY).map(|_| ());
        let game = match game {
            Err(crate::CompileError::RealTime) => {
                crate::realtime::RealTimeGame::compile(accepted, &crate::Options::PLAY).map(|_| ())
            }
            game => game,
        };
        assert!(game.is_ok(), "{}: {game:?}", code.name);
        // What stands on one line fits a terminal, but for the example of what is too large.
        let is_narrow = |text: &str| text.lines().all(|line| line.chars().count() <= 76);
        assert!(code.name == "limit" || is_narrow(rejected) && is_narrow(accepted), "{}", code.name);
        assert!(accepted.lines().count() <= 13, "{}", code.name);
    }
}

#[test]
fn slips_of_a_first_rule_file_are_named_with_what_was_meant() {
    let cases = [
        ("(init (to_act a)) (<= (legal a bet) (to_act a))", "undefined-relation", "write (true (to_act a))"),
        ("(<= p (does a m)) (<= (next g) p) (<= (next h) (m))", "undefined-relation", "write (does ROLE m)"),
        ("(<= (won a) (does a m)) (<= (goal a 70) (true (won a)))", "undefined-fluent", "inside (next ...)"),
        (
            "(<= (won a) (does a m)) (<= (goal a 70) (true (won a)))",
            "unused-relation",
            "write (next (won a))",
        ),
        ("((legal a bet) (true f))", "list-as-name", "write (<= (legal a bet) ...)"),
        ("(legal a bet (true f))", "keyword-arity", "write (<= (legal a bet) (true f))"),
        ("(terminal (true f))", "keyword-arity", "write (<= terminal (true f))"),
        ("<= (legal a bet) (true f)", "keyword-in-head", "put a parenthesis before it"),
        ("(legal a bet) (true f)", "keyword-in-head", "belongs inside a rule"),
        ("(=> (legal a bet) (true f))", "unused-relation", "a rule begins with `<=`"),
        ("(wins a (true f))", "keyword-as-function", "conditions follow its head"),
        ("(<= (legal a bet) (true f) (does a m))", "depends-on-does", "ask for (true FLUENT)"),
        (
            "(w 1 2) (<= (goal a ?won) (w ?chips ?won) (w ?chpis ?won))",
            "lone-variable",
            "did you mean ?chips?",
        ),
        ("// who bets first\n", "foreign-comment", "write `;`"),
    ];
    for (lines, code, help) in cases {
        let text = format!("{BASE}\n{lines}");
        let (_, found) = check_text(&text, Strictness::Compatible, &Limits::STANDARD);
        let is_named = |found: &Diagnostic| {
            found.code == code && found.help.as_ref().is_some_and(|said| said.contains(help))
        };
        assert!(found.iter().any(is_named), "{lines}: {code}, {help}: {found:#?}");
    }
}

#[test]
fn comments_of_other_languages_are_one_finding_and_no_rules() {
    let text = format!("// the game\n# of one (role\n{BASE} // and its end\n-- over\n%% and out\n");
    let (rules, found) = check_text(&text, Strictness::Compatible, &Limits::STANDARD);
    let codes: Vec<_> = found.iter().map(|found| found.code).collect();
    assert_eq!((rules.is_some(), codes.as_slice()), (true, &["foreign-comment"][..]), "{found:?}");
    assert!(found[0].message.ends_with("and 4 more lines"), "{}", found[0].message);
    // What may be a name stays one.
    let named = format!("{BASE} (init (mark #)) (<= terminal (true (mark #)) (true (mark --)))");
    let (_, found) = check_text(&named, Strictness::Compatible, &Limits::STANDARD);
    assert!(found.iter().all(|found| found.code != "foreign-comment"), "{found:?}");
}

/// The text as a file in Latin-1, if that has all of its characters.
fn latin_1(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|character| u8::try_from(character).ok()).collect()
}

#[test]
fn every_code_is_explained_by_two_neighbours_of_which_one_has_it() {
    let mut failures = Vec::new();
    for code in CODES {
        let Explanation { meaning, rejected, accepted, cure, source } = code.explanation;
        let has = |text: &str| {
            let file = latin_1(text);
            let Decoded { text, finding } = decode(file.as_deref().unwrap_or(text.as_bytes()));
            let (_, diagnostics) = check_text(&text, Strictness::Strict, &Limits::STANDARD);
            diagnostics.iter().chain(&finding).any(|found| found.code == code.name)
        };
        // What only play finds has its test in `analysis`, and what is proved in the tests of the command.
        let is_had = has(rejected) == (code.finder == Finder::Text);
        let slips = strsim::osa_distance(rejected, accepted);
        let is_finished =
            cure.ends_with('.') && !source.is_empty() && !meaning.contains('\n') && !cure.contains('\n');
        if !is_had || has(accepted) || slips > 60 || !is_finished {
            failures.push(format!("{}: {slips} characters apart\n  {rejected}\n  {accepted}", code.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// One rule with as many variables, each in a literal of its own.
fn wide(literals: usize) -> String {
    let body: String = (0..literals).map(|number| format!("(c ?x{number})")).collect();
    format!("(role a) (c 1) (<= (legal a m) {body}) (<= (goal a 0) (c 1)) (<= terminal (c 1))")
}

fn many_roles(roles: usize) -> String {
    let roles: String = (0..roles).map(|number| format!("(role r{number}) (goal r{number} 0)")).collect();
    format!("{roles} (<= (legal ?r m) (role ?r)) (init a) (<= terminal (true a))")
}

#[test]
fn a_rule_beyond_the_limits_is_named_and_costs_nothing_else() {
    let limits = Limits::STANDARD;
    for (literals, said) in [
        (limits.variables, None),
        (limits.variables + 1, Some("variables in one rule for `legal`: limit 64, 65 needed")),
        (5_000, Some("literals in one body for `legal`: limit 256, 257 needed")),
    ] {
        let text = wide(literals);
        let (checked, found) = check_text(&text, Strictness::Compatible, &limits);
        assert_eq!(checked.is_some(), said.is_none(), "{found:#?}");
        let Some(said) = said else { continue };
        assert_eq!(found.iter().map(|found| found.message.as_str()).collect::<Vec<_>>(), [said]);
        assert!(text[found[0].span.range()].starts_with("(<= (legal a m)"));
    }
}

#[test]
fn roles_beyond_the_limit_are_refused_at_the_first_that_is_too_many() {
    let text = many_roles(20_000);
    let (checked, found) = check_text(&text, Strictness::Compatible, &Limits::STANDARD);
    assert!(checked.is_none());
    let errors: Vec<_> = found.iter().filter(|found| found.severity == Severity::Error).collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert_eq!(errors[0].message, "roles: limit 256, more needed");
    assert_eq!(&text[errors[0].span.range()], "(role r256)");
    let within = many_roles(Limits::STANDARD.roles);
    assert!(check_text(&within, Strictness::Compatible, &Limits::STANDARD).0.is_some());
}

#[test]
fn alternatives_of_many_rules_together_have_a_limit() {
    let body = "(or a b)".repeat(14);
    let text = format!("(role r) {}", format!("(<= p {body} (or c d))").repeat(400));
    let (_, found) = check_text(&text, Strictness::Compatible, &Limits::STANDARD);
    let last = "literals of all alternatives of all rules: limit 2000000, more needed";
    assert!(found.iter().any(|found| found.message == last), "{found:#?}");
}

#[test]
fn a_check_stops_soon_after_it_is_told_to() {
    let variables: String = (0..60).map(|number| format!("?x{number} ")).collect();
    let text = format!("(role a) {}", format!("(<= (p {variables}) (q a))").repeat(100));
    let mut asked = 0;
    let checked = check_text_until(&text, Strictness::Strict, &Limits::STANDARD, &mut || {
        asked += 1;
        asked > 50
    });
    assert_eq!(checked.unwrap_err(), Stopped);
    assert_eq!(asked, 51, "it asks no more once it stops");
    let mut asked = 0;
    let checked = check_text_until(&text, Strictness::Strict, &Limits::STANDARD, &mut || {
        asked += 1;
        false
    });
    assert_eq!(checked.unwrap().1, check_text(&text, Strictness::Strict, &Limits::STANDARD).1);
    assert!(asked > 100, "{asked}");
}

/// How often a check without limits on rules asks whether it goes on. Between two questions it goes over the literals of a rule a
/// fixed number of times.
fn steps(text: &str) -> usize {
    let limits = Limits { literals: usize::MAX, variables: usize::MAX, ..Limits::STANDARD };
    let mut steps = 0;
    let checked = check_text_until(text, Strictness::Compatible, &limits, &mut || {
        steps += 1;
        false
    });
    assert!(checked.unwrap().1.iter().all(|found| found.code != "limit"));
    steps
}

#[test]
fn the_cost_of_a_rule_is_at_most_quadratic_in_its_literals() {
    let many = |literals: usize, one: &dyn Fn(usize) -> String| (0..literals).map(one).collect::<String>();
    let shapes: [(&str, &dyn Fn(usize) -> String); 4] = [
        ("(<= (legal a m) LITERALS)", &|number| format!("(c ?x{number})")),
        ("(<= (legal a m) LITERALS)", &|number| format!("(not (c ?x{number}))")),
        ("(<= (legal a m) (c ?x0) LITERALS)", &|number| format!("(distinct ?x{number} ?x{})", number + 1)),
        ("(<= (q ?x0 ?x1) LITERALS)", &|number| format!("(c ?x{number} ?x{})", number + 1)),
    ];
    for (rule, one) in shapes {
        let text = |literals: usize| {
            let rule = rule.replace("LITERALS", &many(literals, one));
            format!("(role a) (c 1) {rule} (<= (goal a 0) (c 1)) (<= terminal (c 1))")
        };
        let counted = [200, 400, 800, 1_600].map(|literals| steps(&text(literals)));
        // As many steps as literals, each of which goes over all literals, are quadratic together.
        for pair in counted.windows(2) {
            assert!(pair[1] <= 2 * pair[0], "{rule}: {counted:?}");
        }
    }
}
