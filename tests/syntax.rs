//! Laws of the prefix reader and printer: what is printed reads back the same, and no bytes whatever
//! make the reader panic, run away, or point outside its text.

use croupier_engine::{
    Limits, Severity, Span,
    diagnostic::has_errors,
    syntax::{
        Clause, Description, Formula, Term, TermKind, decode, print_clause, print_description, print_formula,
        print_term, read_ground_term, read_prefix,
    },
};
use croupier_tests::corpus;
use proptest::{collection::vec, prelude::*};

const NOWHERE: Span = Span { start: 0, end: 0 };

/// The same without places.
fn without_spans(description: &Description) -> Description {
    let clauses = description.clauses.iter().map(|clause| Clause {
        span: NOWHERE,
        head: bare_term(&clause.head),
        body: clause.body.iter().map(bare_formula).collect(),
    });
    Description { clauses: clauses.collect() }
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

/// A name that means nothing to the reader.
fn name() -> impl Strategy<Value = String> {
    let words = ["not", "and", "or", "distinct"];
    "[a-z0-9_+*.-]{1,6}".prop_filter("a keyword", move |name| !words.contains(&name.as_str()))
}

fn term() -> impl Strategy<Value = Term> {
    let leaf =
        prop_oneof![name().prop_map(TermKind::Constant), "[a-z0-9_]{1,4}".prop_map(TermKind::Variable),];
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
    vec(clause, 0..8).prop_map(|clauses| Description { clauses })
}

/// Text that has the reader's own words in senseless places.
fn word_soup() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => Just("("),
        4 => Just(")"),
        8 => prop::sample::select(vec![
            "<=", "⇐", "not", "and", "or", "distinct", "true", "does", "role", "?", "?x", "?X", "a", "B", "é",
            "(p ?x)", "(<= (p ?x) (q ?x))", "\n", "; (\n", "\r", "\t", "\u{0}", "\u{a0}", "\u{feff}", "\"",
        ]),
    ];
    vec(word, 0..40).prop_map(|words| words.join(" "))
}

/// The same with its parentheses in balance.
fn list_soup() -> impl Strategy<Value = String> {
    let words = vec!["<=", "⇐", "not", "and", "or", "distinct", "true", "role", "?x", "a", "B", "p"];
    let leaf = prop::sample::select(words).prop_map(str::to_owned);
    leaf.prop_recursive(4, 16, 4, |inner| vec(inner, 0..5).prop_map(|parts| format!("({})", parts.join(" "))))
}

/// What must hold of every reading, whatever the text.
fn check_reading(text: &str) {
    let (description, diagnostics) = read_prefix(text, &Limits::STANDARD);
    let is_inside = |span: Span| text.get(span.range()).is_some();
    for found in &diagnostics {
        assert!(is_inside(found.span), "{found} points outside {text:?}");
        assert!(found.notes.iter().all(|(span, _)| is_inside(*span)), "{found} has a note outside {text:?}");
        let (line, column) = found.line_column(text);
        assert!(line >= 1 && column >= 1);
    }
    for clause in &description.clauses {
        assert!(is_inside(clause.span), "{} has a place outside {text:?}", print_clause(clause));
    }
    if !has_errors(&diagnostics) {
        let printed = print_description(&description);
        let (again, _) = read_prefix(&printed, &Limits::STANDARD);
        assert_eq!(without_spans(&again), without_spans(&description), "from {text:?} by {printed:?}");
        assert_eq!(print_description(&again), printed);
    }
    let _ = read_ground_term(text, &Limits::STANDARD);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn what_is_printed_reads_back_the_same(description in description()) {
        let printed = print_description(&description);
        let (read, diagnostics) = read_prefix(&printed, &Limits::STANDARD);
        prop_assert_eq!(diagnostics, vec![]);
        prop_assert_eq!(&without_spans(&read), &description);
        prop_assert_eq!(print_description(&read), printed);
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
    fn a_ground_term_reads_back_the_same(term in term()) {
        let read = read_ground_term(&print_term(&term), &Limits::STANDARD);
        prop_assert_eq!(read.is_ok(), term.is_ground());
        if let Ok(read) = read {
            prop_assert_eq!(bare_term(&read), term);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in vec(any::<u8>(), 0..200)) {
        check_reading(&decode(&bytes));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,80}") {
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
}

#[test]
fn every_rule_file_reads_back_the_same_from_its_print() {
    let files = [corpus::catalogue(), corpus::shared("gdl"), corpus::shared("gdl2")].concat();
    assert!(!files.is_empty(), "the catalogue has games");
    for file in &files {
        let (description, diagnostics) = read_prefix(&file.text, &Limits::STANDARD);
        let errors: Vec<_> = diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", file.path.display());
        assert!(!description.clauses.is_empty(), "{} has clauses", file.path.display());
        check_reading(&file.text);
    }
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
    assert!(read_ground_term(&deep("(f ", 100_000), &limits).is_err());
    assert!(read_ground_term(&deep("(f ", 200), &limits).is_ok());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the claim is about time")]
fn a_megabyte_of_parentheses_is_refused_at_once() {
    let text = "(".repeat(1_000_000);
    let start = std::time::Instant::now();
    let (_, diagnostics) = read_prefix(&text, &Limits::STANDARD);
    let elapsed_ms = start.elapsed().as_millis();
    assert_eq!(diagnostics.len(), 1);
    let allowed_ms = if cfg!(debug_assertions) { 500 } else { 50 };
    assert!(elapsed_ms < allowed_ms, "{elapsed_ms} ms");
}
