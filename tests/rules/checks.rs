//! The table of cases: texts with the verdict of both readings and the place of every finding.
//!
//! Each file of `cases` has texts about one kind of check. What is expected comes from the
//! specification, from the test files of other programs, and from papers; where this project departs
//! from them, a comment at the case says why.

use std::{collections::BTreeMap, fs};

use croupier_engine::{
    CompileError, Diagnostic, Game, Limits, Options, Severity, Strictness,
    analysis::{Budget, analyse},
    game::Backend,
    realtime::RealTimeGame,
    stages::check::{CODES, check_text},
};
use croupier_tests::corpus::{self, files_below, workspace};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};
use toml::{Table, Value};

/// The smallest game, which stands behind the text of a case unless the case is a text of its own.
const FRAME: &str = "(role a) (init f) (<= (legal a m) (true f)) (<= (next f) (does a m)) (goal a 50) \
                     (<= terminal (not (true f)))";

/// The same where fluents have lifetimes.
const REAL_TIME: &str = "(role a) (init 1 f) (<= (legal a m) (true ?t f)) \
                         (<= (next ?t f) (true ?t f) (does a m)) (goal a 50) (<= terminal (expired f))";

/// The same in infix syntax.
const REAL_TIME_INFIX: &str = "role(a). init(1, f). legal(a, m) :- true(T, f). \
                               next(T, f) :- true(T, f) & does(a, m). goal(a, 50). terminal :- expired(f).";

/// What stands behind the text of a case: its key `frame`, or that of its file.
fn frame(name: Option<&str>) -> &'static str {
    match name {
        None | Some("turns") => FRAME,
        Some("real-time") => REAL_TIME,
        Some("real-time-infix") => REAL_TIME_INFIX,
        Some(other) => panic!("no frame is called {other}"),
    }
}

struct Case {
    name: String,
    text: String,
    strict: Vec<String>,
    compatible: Vec<String>,
    warnings: Vec<String>,
    ignored: Vec<String>,
    frame: &'static str,
}

fn strings(table: &Table, key: &str) -> Vec<String> {
    let values = table.get(key).and_then(Value::as_array).into_iter().flatten();
    values.map(|value| value.as_str().expect("a string").to_owned()).collect()
}

fn cases() -> Vec<Case> {
    let files = files_below(&workspace().join("tests/cases"), |name| name.ends_with(".toml"));
    files
        .iter()
        .flat_map(|file| {
            let text = fs::read_to_string(file).expect("a readable file");
            let table: Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let group = file.file_stem().expect("a name").to_string_lossy().into_owned();
            let (ignored, frame) = (strings(&table, "ignored"), named(&table, "frame"));
            let cases = table["case"].as_array().expect("a list of cases").clone();
            cases.into_iter().map(move |case| {
                let case = case.as_table().expect("a case");
                let name = named(case, "frame").or_else(|| frame.clone());
                case_of(&group, &ignored, self::frame(name.as_deref()), case)
            })
        })
        .collect()
}

fn named(table: &Table, key: &str) -> Option<String> {
    Some(table.get(key)?.as_str().expect("a name").to_owned())
}

fn case_of(group: &str, ignored: &[String], frame: &'static str, case: &Table) -> Case {
    let text = case["text"].as_str().expect("a text");
    let is_alone = case.get("alone").and_then(Value::as_bool) == Some(true);
    Case {
        name: format!("{group}: {}", case["name"].as_str().expect("a name")),
        text: if is_alone { text.to_owned() } else { format!("{text}\n{frame}") },
        strict: strings(case, "strict"),
        compatible: strings(case, "compatible"),
        warnings: strings(case, "warnings"),
        ignored: ignored.to_vec(),
        frame,
    }
}

fn shown(diagnostic: &Diagnostic) -> String {
    format!("{}@{}..{}", diagnostic.code, diagnostic.span.start, diagnostic.span.end)
}

/// Findings of one weight, in order and each once.
fn found(case: &Case, strictness: Strictness, severity: Severity) -> Vec<String> {
    let (rules, diagnostics) = check_text(&case.text, strictness, &Limits::STANDARD);
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(rules.is_none(), has_errors, "{}: rules exactly where nothing is an error", case.name);
    let wanted = diagnostics.iter().filter(|diagnostic| {
        diagnostic.severity == severity && !case.ignored.iter().any(|code| code == diagnostic.code)
    });
    let mut found: Vec<String> = wanted.map(shown).collect();
    found.dedup();
    found
}

#[test]
fn every_case_has_its_verdict_and_its_places() {
    let cases = cases();
    let mut failures = Vec::new();
    for case in &cases {
        let expected = [&case.strict, &case.compatible, &case.warnings];
        let found = [
            found(case, Strictness::Strict, Severity::Error),
            found(case, Strictness::Compatible, Severity::Error),
            found(case, Strictness::Strict, Severity::Warning),
        ];
        for ((what, expected), found) in ["strict", "compatible", "warnings"].iter().zip(expected).zip(found)
        {
            let (mut one, mut other) = (expected.clone(), found.clone());
            one.sort();
            other.sort();
            if one != other {
                let text = case.text.strip_suffix(case.frame).unwrap_or(&case.text).trim_end();
                failures.push(format!(
                    "{}\n    {text}\n    {what}: {expected:?} expected, {found:?} found",
                    case.name
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {} cases:\n  {}", failures.len(), cases.len(), failures.join("\n  "));
    assert!(cases.len() >= 250, "there are {} cases", cases.len());
    println!("{} cases", cases.len());
}

#[test]
fn names_of_cases_are_unique_and_codes_are_known() {
    let cases = cases();
    let mut names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), cases.len());
    let codes = cases.iter().flat_map(|case| case.strict.iter().chain(&case.warnings));
    for finding in codes {
        let code = finding.split('@').next().expect("a code");
        assert!(CODES.iter().any(|known| known.name == code), "{finding}");
    }
}

/// The names that the engine has for what no text names have a blank in them, as no name of a text has.
#[test]
fn no_finding_shows_a_name_that_only_the_engine_has() {
    for case in cases() {
        for strictness in [Strictness::Strict, Strictness::Compatible] {
            for found in check_text(&case.text, strictness, &Limits::STANDARD).1 {
                let notes = found.notes.iter().map(|(_, note)| note.as_str());
                let said: Vec<&str> =
                    notes.chain([found.message.as_str()]).chain(found.help.as_deref()).collect();
                let is_internal =
                    |said: &&str| ["lasting fluent", "expired fluent"].iter().any(|name| said.contains(name));
                assert!(!said.iter().any(is_internal), "{}: {said:?}", case.name);
            }
        }
    }
}

#[test]
fn a_case_with_no_error_becomes_a_game() {
    let mut failures = Vec::new();
    let cases = cases();
    let is_whole = |case: &&Case| !case.ignored.iter().any(|code| code == "no-role");
    // Whether a lifetime is one shows when it is computed, for `init` at once.
    let is_sure = |case: &&Case| !case.warnings.iter().any(|found| found.starts_with("variable-lifetime"));
    let sound = cases.iter().filter(is_whole).filter(is_sure).filter(|case| case.compatible.is_empty());
    for case in sound {
        let error = match Game::compile(&case.text, &Options::PLAY).err() {
            Some(CompileError::RealTime) => RealTimeGame::compile(&case.text, &Options::PLAY).err(),
            error => error,
        };
        if let Some(error @ CompileError::Rules(_)) = error {
            failures.push(format!("{}: {error}", case.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_chain_of_ten_thousand_rules_is_accepted_and_a_cycle_of_a_hundred_is_stratified() {
    let chain: String = (0..10_000).map(|link| format!("(<= (c{} ?x) (c{link} ?x))\n", link + 1)).collect();
    let text = format!("(c0 x)\n{chain}(<= terminal (c10000 x))\n{FRAME}");
    let (rules, found) = check_text(&text, Strictness::Strict, &Limits::STANDARD);
    assert!(rules.is_some() && found.is_empty(), "{found:?}");
    let cycle: String =
        (0..100).map(|link| format!("(<= (c{} ?x) (c{link} ?x))\n", (link + 1) % 100)).collect();
    let text = format!("(c0 x)\n{cycle}(<= terminal (c50 x))\n{FRAME}");
    let (rules, found) = check_text(&text, Strictness::Strict, &Limits::STANDARD);
    assert!(rules.is_some() && found.is_empty(), "{found:?}");
}

#[test]
fn other_peoples_games_are_read_and_every_refusal_is_explained() {
    let files = ["gdl", "gdl2", "infix"].map(corpus::shared).concat();
    if files.is_empty() {
        croupier_tests::skipped("corpus: no such games are there");
        return;
    }
    let mut by_code: BTreeMap<(&str, Severity), Vec<&str>> = BTreeMap::new();
    for file in &files {
        let (rules, found) = check_text(&file.text, Strictness::Compatible, &Limits::STANDARD);
        assert!(rules.is_some(), "{} is played: {found:?}", file.name);
        let (rules, diagnostics) = check_text(&file.text, Strictness::Strict, &Limits::STANDARD);
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
        assert_eq!(rules.is_none(), errors > 0, "{}: a refusal names its reason", file.name);
        for diagnostic in &diagnostics {
            let names = by_code.entry((diagnostic.code, diagnostic.severity)).or_default();
            if names.last() != Some(&file.name.as_str()) {
                names.push(&file.name);
            }
        }
    }
    println!("{} files in the strict reading; files by code:", files.len());
    for ((code, severity), names) in by_code {
        println!("{severity:?} {code}: {} ({})", names.len(), names.join(", "));
    }
}

#[test]
fn check_plays_mummymaze1p_to_the_end_of_all_its_playouts_within_the_quick_budget() {
    let Some(file) = corpus::shared("gdl").into_iter().find(|file| file.name == "mummymaze1p") else {
        croupier_tests::skipped("corpus: no such game is there");
        return;
    };
    let options = Options { backend: Backend::Datalog, ..Options::PLAY };
    let game = Game::compile(&file.text, &options).expect("rules that can be played").game;
    let analysis = analyse(&game, &Budget::QUICK, &mut ChaCha8Rng::seed_from_u64(0));
    assert_eq!((analysis.playouts, analysis.failed, analysis.is_cut_short), (50, 0, false), "{analysis:?}");
}
