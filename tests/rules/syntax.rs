//! Laws of the readers and printers: what is printed reads back the same, in either syntax and across
//! both, and no bytes whatever make a reader panic, run away, or point outside its text.

use croupier_engine::{
    Diagnostic, Limits, Severity, Span, Strictness, has_errors,
    stages::check::{CODES, check_text, severity},
    stages::syntax::{
        Clause, Description, Formula, Reading, Syntax, Term, TermKind, decode, print_clause, print_commented,
        print_description, print_formula, print_infix, print_infix_clause, print_infix_commented, print_term,
        read, read_ground_term, read_infix, read_prefix,
    },
};
use croupier_tests::corpus;
use proptest::{collection::vec, prelude::*};

const NOWHERE: Span = Span { start: 0, end: 0 };

/// The same without places and comments.
fn without_spans(description: &Description) -> Description {
    let clauses = description.clauses.iter().map(|clause| Clause {
        span: NOWHERE,
        head: bare_term(&clause.head),
        body: clause.body.iter().map(bare_formula).collect(),
    });
    Description { clauses: clauses.collect(), comments: Vec::new() }
}

fn bare_formula(formula: &Formula) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(bare_formula).collect();
    match formula {
        Formula::Atom(atom) => Formula::Atom(bare_term(atom)),
        Formula::Distinct(_, left, right) => Formula::Distinct(NOWHERE, bare_term(left), bare_term(right)),
        Formula::Not(_, inner) => Formula::Not(NOWHERE, Box::new(bare_formula(inner))),
        Formula::And(_, parts) => Formula::And(NOWHERE, all(parts)),
        Formula::Or(_, parts) => Formula::Or(NOWHERE, all(parts)),
    }
}

fn bare_term(term: &Term) -> Term {
    let kind = match &term.kind {
        TermKind::Compound(name, arguments) => {
            TermKind::Compound(name.clone(), arguments.iter().map(bare_term).collect())
        }
        other => other.clone(),
    };
    Term { span: NOWHERE, kind }
}

fn term_of(kind: TermKind) -> Term {
    Term { span: NOWHERE, kind }
}

/// A name that means nothing to the readers, often one that infix must quote.
fn name() -> impl Strategy<Value = String> {
    let words = ["not", "and", "or", "distinct", "<="];
    let name = prop_oneof![
        3 => "[a-z][a-z0-9_]{0,5}",
        2 => "[a-z0-9_+*.<>=:%&|~'\"\\\\-]{1,6}",
        1 => "-?[0-9]{1,3}",
        1 => "[éßαЖ][a-z]{0,2}",
    ];
    name.prop_filter("a keyword", move |name| !words.contains(&name.as_str()))
}

fn variable() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z][a-z0-9_]{0,3}",
        2 => "[a-z0-9_?+'é-]{1,5}",
        1 => "v?_{0,3}[a-z0-9]{0,2}_?[0-9a-f]{1,2}",
    ]
}

fn term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![name().prop_map(TermKind::Constant), variable().prop_map(TermKind::Variable)];
    leaf.prop_map(term_of).prop_recursive(4, 24, 4, |inner| {
        (name(), vec(inner, 1..4)).prop_map(|(name, arguments)| term_of(TermKind::Compound(name, arguments)))
    })
}

fn atom() -> impl Strategy<Value = Term> {
    term().prop_filter("an atom is no variable", |term| !matches!(term.kind, TermKind::Variable(_)))
}

fn formula() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        3 => atom().prop_map(Formula::Atom),
        1 => (term(), term()).prop_map(|(left, right)| Formula::Distinct(NOWHERE, left, right)),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|formula| Formula::Not(NOWHERE, Box::new(formula))),
            vec(inner.clone(), 0..4).prop_map(|parts| Formula::And(NOWHERE, parts)),
            vec(inner, 0..4).prop_map(|parts| Formula::Or(NOWHERE, parts)),
        ]
    })
}

fn description() -> impl Strategy<Value = Description> {
    let clause = (atom(), vec(formula(), 0..5)).prop_map(|(head, body)| Clause { span: NOWHERE, head, body });
    vec(clause, 0..8).prop_map(|clauses| Description { clauses, comments: Vec::new() })
}

/// Text that has the readers' own words in senseless places.
fn word_soup() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => Just("("),
        4 => Just(")"),
        8 => prop::sample::select(vec![
            "<=", "⇐", "not", "and", "or", "distinct", "true", "does", "role", "?", "?x", "?X", "a", "B", "é",
            "(p ?x)", "(<= (p ?x) (q ?x))", "\n", "; (\n", "\r", "\t", "\u{0}", "\u{a0}", "\u{feff}", "\"",
        ]),
        8 => prop::sample::select(vec![
            ":-", "&", ",", "|", "~", "\\+", ".", ";", "%", "'", "''", "_", "X", "p(", "p(X, a)", "f(a,b)", "-1",
            "1.5", "\n  ", "% c\n", "; c\n", "p :- q\n", "(a, b)", "not(", "and(", "a,", ",b", "'<='(", "V___5f",
        ]),
    ];
    let blank = prop_oneof![Just(""), Just(" ")];
    vec((word, blank), 0..40)
        .prop_map(|words| words.into_iter().flat_map(|(word, blank)| [word, blank]).collect())
}

/// Lists of words, with their parentheses in balance.
fn list_soup() -> impl Strategy<Value = String> {
    let words =
        ["<=", "⇐", "not", "and", "or", "distinct", "true", "role", "?x", "a", "B", "p", "f(a,?x)", "a,b"];
    let leaf = prop::sample::select(words.to_vec()).prop_map(str::to_owned);
    leaf.prop_recursive(4, 16, 4, |inner| {
        let list = vec(inner, 0..5);
        prop_oneof![
            3 => list.clone().prop_map(|parts| format!("({})", parts.join(" "))),
            1 => list.prop_map(|parts| format!("f({})", parts.join(","))),
        ]
    })
}

/// Conditions of infix, some of them in parentheses, with and without their operators.
fn infix_soup() -> impl Strategy<Value = String> {
    let words =
        ["p", "X", "q(X, a)", "r((a, b))", "distinct(X, Y)", "'a b'", "'+'", "and", "not", "f(", "-1"];
    let joints = [" & ", ", ", " | ", " ; ", " :- ", ".\n", "\n", "\n  ", " &\n", " ", "~"];
    let joint = prop::sample::select(joints.to_vec());
    let leaf = prop::sample::select(words.to_vec()).prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let open = prop::sample::select(vec!["(", "~(", "and(", "", ""]);
        (vec((inner, joint.clone()), 0..5), open).prop_map(|(parts, open)| {
            let text: String = parts.into_iter().flat_map(|(part, joint)| [part, joint.to_owned()]).collect();
            let close = if open.is_empty() { "" } else { ")" };
            format!("{open}{text}{close}")
        })
    })
}

/// What must hold of every reading, whatever the text and in whichever syntax.
fn check_reading(text: &str) {
    for syntax in [Syntax::Auto, Syntax::Prefix, Syntax::Infix] {
        let reading = read(text, syntax, &Limits::STANDARD);
        check_places(text, &reading);
        if !has_errors(&reading.diagnostics) {
            check_prints(text, &reading);
        }
    }
    let _ = read_ground_term(text, &Limits::STANDARD);
}

fn check_places(text: &str, reading: &Reading) {
    let is_inside = |span: Span| text.get(span.range()).is_some();
    for found in &reading.diagnostics {
        assert!(is_inside(found.span), "{found} points outside {text:?}");
        assert!(found.notes.iter().all(|(span, _)| is_inside(*span)), "{found} has a note outside {text:?}");
        let (line, column) = found.line_column(text);
        assert!(line >= 1 && column >= 1);
        assert!(CODES.iter().any(|code| code.name == found.code), "{} is in no table", found.code);
        assert_eq!(found.severity, severity(found.code, Strictness::Compatible), "{found}");
    }
    for clause in &reading.description.clauses {
        assert!(is_inside(clause.span), "{} has a place outside {text:?}", print_clause(clause));
        assert!(is_inside(clause.head.span));
        assert!(clause.body.iter().all(|formula| is_inside(formula.span())));
    }
    assert!(reading.description.comments.iter().all(|comment| is_inside(comment.span)));
}

/// Whatever was read is the same read from any print of it, and comments settle where they are printed.
fn check_prints(text: &str, reading: &Reading) {
    let description = &reading.description;
    let bare = without_spans(description);
    let prefix = print_description(description);
    let infix = print_infix(description);
    let (from_prefix, found) = read_prefix(&prefix, &Limits::STANDARD);
    assert!(found.iter().all(|found| found.code == "comma-in-name"), "{prefix:?}: {found:?}");
    let (from_infix, found) = read_infix(&infix, &Limits::STANDARD);
    assert_eq!(found, [], "{infix:?}");
    assert_eq!(without_spans(&from_prefix), bare, "from {text:?} by {prefix:?}");
    assert_eq!(without_spans(&from_infix), bare, "from {text:?} by {infix:?}");
    assert_eq!(print_description(&from_infix), prefix);
    assert_eq!(print_infix(&from_prefix), infix);

    let commented = print_commented(description);
    let (again, _) = read_prefix(&commented, &Limits::STANDARD);
    assert_eq!(without_spans(&again), bare, "from {text:?} by {commented:?}");
    assert_eq!(print_commented(&again), commented, "from {text:?}");
    let commented = print_infix_commented(&again);
    let (again, _) = read_infix(&commented, &Limits::STANDARD);
    assert_eq!(without_spans(&again), bare, "from {text:?} by {commented:?}");
    assert_eq!(print_infix_commented(&again), commented, "from {text:?}");
    assert_eq!(again.comments.len(), description.comments.len(), "from {text:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn what_is_printed_reads_back_the_same(description in description()) {
        let printed = print_description(&description);
        let (read, diagnostics) = read_prefix(&printed, &Limits::STANDARD);
        prop_assert_eq!(diagnostics, vec![]);
        prop_assert_eq!(&without_spans(&read), &description);
        prop_assert_eq!(print_description(&read), printed);
    }

    #[test]
    fn what_is_printed_in_infix_reads_back_the_same(description in description()) {
        let printed = print_infix(&description);
        let (read, diagnostics) = read_infix(&printed, &Limits::STANDARD);
        prop_assert_eq!(diagnostics, vec![], "{}", printed);
        prop_assert_eq!(&without_spans(&read), &description, "{}", printed);
        prop_assert_eq!(print_infix(&read), printed);
    }

    #[test]
    fn both_syntaxes_say_the_same(description in description()) {
        let (from_prefix, _) = read_prefix(&print_description(&description), &Limits::STANDARD);
        let (from_infix, _) = read_infix(&print_infix(&from_prefix), &Limits::STANDARD);
        let (back, _) = read_prefix(&print_description(&from_infix), &Limits::STANDARD);
        prop_assert_eq!(without_spans(&back), description);
    }

    #[test]
    fn the_text_at_a_place_is_what_was_read_there(description in description()) {
        let printed = print_description(&description);
        let (read, _) = read_prefix(&printed, &Limits::STANDARD);
        for clause in &read.clauses {
            prop_assert_eq!(&printed[clause.span.range()], print_clause(clause));
            prop_assert_eq!(&printed[clause.head.span.range()], print_term(&clause.head));
            for formula in &clause.body {
                prop_assert_eq!(&printed[formula.span().range()], print_formula(formula));
            }
        }
        let printed = print_infix(&description);
        let (read, _) = read_infix(&printed, &Limits::STANDARD);
        for clause in &read.clauses {
            prop_assert_eq!(&printed[clause.span.range()], print_infix_clause(clause));
        }
    }

    #[test]
    fn layout_case_and_comments_change_nothing(description in description()) {
        let printed = print_description(&description);
        let noisy = printed.to_ascii_uppercase().replace('(', "\r\n( ").replace(')', " ; (\n\t) ");
        let (read, diagnostics) = read_prefix(&noisy, &Limits::STANDARD);
        prop_assert_eq!(diagnostics, vec![]);
        prop_assert_eq!(print_description(&read), printed);
    }

    #[test]
    fn points_commas_and_line_ends_change_nothing_in_infix(description in description()) {
        let mut noisy = String::new();
        for clause in &description.clauses {
            noisy.push_str(&print_infix_clause(clause).replace(" &\n", ",\r\n\r\n").replace(" :-\n", "%:-\n:-"));
            noisy.push_str(" . % p :-\n");
        }
        let (read, diagnostics) = read_infix(&noisy, &Limits::STANDARD);
        prop_assert_eq!(diagnostics, vec![], "{}", noisy);
        prop_assert_eq!(print_infix(&read), print_infix(&description));
    }

    #[test]
    fn a_ground_term_reads_back_the_same(term in term()) {
        let read = read_ground_term(&print_term(&term), &Limits::STANDARD);
        prop_assert_eq!(read.is_ok(), term.is_ground());
        if let Ok(read) = read {
            prop_assert_eq!(bare_term(&read), term);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in vec(any::<u8>(), 0..200)) {
        check_reading(&decode(&bytes).text);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC{0,80}") {
        check_reading(&text);
    }

    #[test]
    fn words_in_senseless_places_are_read_or_refused(text in word_soup()) {
        check_reading(&text);
    }

    #[test]
    fn words_in_senseless_lists_are_read_or_refused(text in list_soup()) {
        check_reading(&text);
    }

    #[test]
    fn conditions_in_senseless_bodies_are_read_or_refused(text in infix_soup()) {
        check_reading(&text);
    }
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    diagnostics.iter().filter(|found| found.severity == Severity::Error).collect()
}

#[test]
fn every_rule_file_reads_back_the_same_from_its_print() {
    let files = [corpus::catalogue(), corpus::shared("gdl"), corpus::shared("gdl2")].concat();
    assert!(!files.is_empty(), "the catalogue has games");
    for file in &files {
        let reading = read(&file.text, Syntax::Auto, &Limits::STANDARD);
        assert_eq!(reading.syntax, Syntax::Prefix, "{}", file.path.display());
        let errors = errors(&reading.diagnostics);
        assert!(errors.is_empty(), "{}: {errors:?}", file.path.display());
        assert!(!reading.description.clauses.is_empty(), "{} has clauses", file.path.display());
        let mixed = reading.diagnostics.iter().find(|found| found.code == "mixed-notation");
        assert_eq!(mixed, None, "{}", file.path.display());
        check_reading(&file.text);
    }
}

#[test]
fn every_infix_file_of_the_corpus_is_read() {
    for file in corpus::shared("infix") {
        let reading = read(&file.text, Syntax::Auto, &Limits::STANDARD);
        assert_eq!(reading.syntax, Syntax::Infix, "{}", file.path.display());
        let tolerated: Vec<_> = reading.diagnostics.iter().map(|found| found.code).collect();
        assert!(tolerated.is_empty() || tolerated == ["tuple"], "{}: {tolerated:?}", file.path.display());
        // These files end every clause with a point and use none otherwise.
        let points = file.text.matches('.').count();
        assert_eq!(reading.description.clauses.len(), points, "{}", file.path.display());
        check_reading(&file.text);
    }
}

/// What is indented in section 3 of the chapter is its listing.
fn stanford_listing() -> Option<String> {
    let chapter = corpus::seed("gdl-stanford-chapter.txt")?;
    let section =
        chapter.split("\n3. Game Description Example\n").nth(1)?.split("\n4. Game").next()?.to_owned();
    let lines = section.lines().filter(|line| line.starts_with("    ") || line.is_empty());
    Some(lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn the_listing_of_the_stanford_chapter_loads_with_warnings_where_it_slips() {
    let Some(text) = stanford_listing() else {
        return croupier_tests::skipped("corpus: no seeds beside the checkout");
    };
    let reading = read(&text, Syntax::Auto, &Limits::STANDARD);
    assert_eq!(reading.syntax, Syntax::Infix);
    let lines: Vec<_> = text.lines().collect();
    let places = reading.diagnostics.iter().map(|found| {
        let (line, _) = found.line_column(&text);
        (found.code, lines[line - 1].trim())
    });
    let slips = [
        ("missing-conjunction", "does(W,mark(J,K))"),
        ("missing-conjunction", "does(W,mark(J,K))"),
        ("trailing-conjunction", "true(cell(3,3,X)) &"),
        ("trailing-conjunction", "true(cell(3,1,X)) &"),
    ];
    assert_eq!(places.collect::<Vec<_>>(), slips);

    // A third slip is no matter of syntax: `column(M,X)` speaks of `N` in its body.
    let (_, found) = check_text(&text, Strictness::Compatible, &Limits::STANDARD);
    let wrong =
        errors(&found).into_iter().map(|found| (found.code, lines[found.line_column(&text).0 - 1].trim()));
    assert_eq!(wrong.collect::<Vec<_>>(), [("unsafe-variable", "column(M,X) :-")]);
    let mended = text.replace("column(M,X) :-\n", "column(N,X) :-\n");
    let (rules, found) = check_text(&mended, Strictness::Compatible, &Limits::STANDARD);
    assert!(rules.is_some(), "{:?}", errors(&found));
    check_reading(&text);
}

#[test]
fn a_truncated_rule_file_is_refused_or_read_but_never_fatal() {
    for file in corpus::catalogue() {
        let ends = (0..file.text.len()).step_by(file.text.len() / 200 + 1);
        for end in ends.filter(|&end| file.text.is_char_boundary(end)) {
            check_reading(&file.text[..end]);
        }
    }
}

#[test]
fn nesting_is_refused_by_its_limit_whatever_surrounds_it() {
    let limits = Limits { source_bytes: 1 << 24, tokens: 1 << 24, ..Limits::STANDARD };
    let deep = |open: &str, depth: usize| format!("{}a{}", open.repeat(depth), ")".repeat(depth));
    for open in ["(", "(not ", "(f ", "(or (and ", "(<= (p) "] {
        let (_, diagnostics) = read_prefix(&deep(open, 100_000), &limits);
        assert!(has_errors(&diagnostics), "{open}");
        assert!(diagnostics.len() < 10, "{open}: {} diagnostics", diagnostics.len());
    }
    for open in ["(", "~", "not ", "p(", "~(", "p :- (", "p :- ~", "and("] {
        let (_, diagnostics) = read_infix(&deep(open, 100_000), &limits);
        assert!(has_errors(&diagnostics), "{open}");
        assert!(diagnostics.len() < 10, "{open}: {} diagnostics", diagnostics.len());
    }
    assert!(read_ground_term(&deep("(f ", 100_000), &limits).is_err());
    assert!(read_ground_term(&deep("(f ", 200), &limits).is_ok());
}

/// Milliseconds that it takes to read a text, and what was read.
#[expect(clippy::disallowed_methods, reason = "the claim is about time")]
fn timed(text: &str, syntax: Syntax, limits: &Limits) -> (u128, Reading) {
    let start = std::time::Instant::now();
    let reading = read(text, syntax, limits);
    (start.elapsed().as_millis(), reading)
}

/// What a release takes at most; the tests themselves may be built to be debugged.
fn allowed_ms(in_release: u128) -> u128 {
    if cfg!(debug_assertions) { 10 * in_release } else { in_release }
}

#[test]
fn a_megabyte_of_parentheses_is_refused_at_once() {
    let text = "(".repeat(1_000_000);
    for syntax in [Syntax::Auto, Syntax::Prefix, Syntax::Infix] {
        let (elapsed_ms, reading) = timed(&text, syntax, &Limits::STANDARD);
        assert_eq!(reading.diagnostics.len(), 1);
        assert_eq!(reading.diagnostics[0].message, "open parentheses: limit 256, 1000000 needed");
        assert!(elapsed_ms < allowed_ms(50), "{syntax:?}: {elapsed_ms} ms");
    }
}

#[test]
fn a_megabyte_of_rules_is_read_in_a_tenth_of_a_second() {
    let clause = "(<= (next (cell ?first_column ?row ?mark)) (does ?player (mark ?other_column ?row)) \
                  (distinct ?first_column ?other_column))\n";
    let (description, _) = read_prefix(clause, &Limits::STANDARD);
    for (clause, syntax) in [(clause, Syntax::Prefix), (&print_infix(&description), Syntax::Infix)] {
        let text = clause.repeat((1 << 20) / clause.len());
        let (elapsed_ms, reading) = timed(&text, syntax, &Limits::STANDARD);
        assert_eq!(reading.diagnostics, []);
        assert!(reading.description.clauses.len() > 7_000);
        assert!(elapsed_ms < allowed_ms(100), "{syntax:?}: {elapsed_ms} ms");
        println!("{syntax:?}: {elapsed_ms} ms");
    }
}

#[test]
fn no_text_is_read_in_more_than_linear_time() {
    let units = [
        ")",
        "( ",
        "a ",
        "a\n",
        "a,",
        "f(",
        "f(a,b)",
        "; \n",
        "% \n",
        "'",
        "''",
        "a.",
        "~ ",
        "?a ",
        "X ",
        "p(X,x)\n",
        "a :- b &\n",
        "a :- b ",
        "p (",
        "p :- (a\n",
        "p :- a)\n",
        "(a\n",
        ";",
        "\\",
        "-",
        "1.",
        "_ ",
        "(_,_)",
        "p :- q(XY, Xy, xY)\n",
        "(a)\n",
        "a(\n",
    ];
    let limits = Limits { tokens: 1 << 22, ..Limits::STANDARD };
    for unit in units {
        for start in ["", "p :- ", "p :- p(", "(p ", "(<= p "] {
            let text = format!("{start}{}", unit.repeat((1 << 18) / unit.len()));
            for syntax in [Syntax::Prefix, Syntax::Infix] {
                let (elapsed_ms, _) = timed(&text, syntax, &limits);
                assert!(elapsed_ms < allowed_ms(400), "{start}{unit:?} {syntax:?}: {elapsed_ms} ms");
            }
        }
    }
}
