//! How sources are written: their length, their names and their first lines.

use std::collections::BTreeMap;

use croupier_tests::source::{functions, name_parts, public_names, tuple_parameters, words};

use crate::{Source, assert_none, imports::pure_sources, sources};

/// Lines of a file, and of a function, that need no exception.
const FILE_LINES_MAX: usize = 800;
const FUNCTION_LINES_MAX: usize = 70;

/// Files and functions that are longer, with their length and the reason. This list only shrinks.
const LONG_FILES: &[(&str, usize, &str)] = &[];
const LONG_FUNCTIONS: &[(&str, &str, usize, &str)] = &[];

/// Words of the field that mean something else here, and what this project says.
const BANNED_WORDS: &[(&str, &str)] = &[
    ("score", "goal value"),
    ("scores", "goal values"),
    ("reward", "goal value"),
    ("sentence", "atom"),
    ("component", "gate, or SCC"),
    ("action", "move"),
    ("actions", "moves"),
    ("world", "determinisation"),
    ("worlds", "determinisations"),
    ("observation", "percepts"),
    ("util", "the noun that it is about"),
    ("utils", "the noun that it is about"),
    ("helper", "the noun that it is about"),
    ("helpers", "the noun that it is about"),
    ("manager", "the noun that it is about"),
];

#[test]
fn roles_are_named_by_their_own_type() {
    let is_bare =
        |file: &Source| ["role: usize", "role: u32", "role: u8"].iter().any(|it| file.code.contains(it));
    let offences: Vec<_> = pure_sources().into_iter().filter(is_bare).map(|file| file.path).collect();
    assert_none(&offences, "a role is a RoleId: a number could be anything's");
}

#[test]
fn every_source_file_says_what_it_holds() {
    let files = sources("").into_iter().filter(|file| !file.text.starts_with("//!"));
    // An example that is shown in the documentation starts with code instead.
    let offences: Vec<_> = files.map(|file| file.path).filter(|path| !path.contains("/examples/")).collect();
    assert_none(&offences, "the first line is `//!`");
}

#[test]
fn files_and_functions_are_short() {
    let mut offences = Vec::new();
    let long_files: BTreeMap<_, _> = LONG_FILES.iter().map(|&(path, lines, _)| (path, lines)).collect();
    let long_functions: BTreeMap<_, _> =
        LONG_FUNCTIONS.iter().map(|&(path, name, lines, _)| ((path, name), lines)).collect();
    let mut judge = |what: String, lines: usize, allowed: usize, excepted: Option<usize>| match excepted {
        None if lines > allowed => offences.push(format!("{what} has {lines} lines, {allowed} are allowed")),
        Some(exception) if lines > exception => offences.push(format!("{what} grew to {lines} lines")),
        Some(_) if lines <= allowed => offences.push(format!("{what} is short now: take it off the list")),
        _ => {}
    };
    for file in sources("") {
        let path = file.path.as_str();
        judge(path.to_owned(), file.text.lines().count(), FILE_LINES_MAX, long_files.get(path).copied());
        for function in functions(&file.code) {
            let what = format!("{path}:{}: {}", function.line, function.name);
            let excepted = long_functions.get(&(path, function.name)).copied();
            judge(what, function.lines, FUNCTION_LINES_MAX, excepted);
        }
    }
    assert_none(&offences, "look for the second noun");
}

#[test]
fn no_parameter_is_a_tuple_taken_apart() {
    let mut offences = Vec::new();
    for file in ["src", "engine", "referee", "agents", "games-ii"].into_iter().flat_map(sources) {
        let found = tuple_parameters(&file.code);
        offences.extend(found.into_iter().map(|(line, name)| format!("{}:{line}: {name}", file.path)));
    }
    assert_none(&offences, "values that travel together are a type with a name; others are parameters");
}

#[test]
fn public_names_use_the_words_of_the_glossary() {
    let banned: BTreeMap<_, _> = BANNED_WORDS.iter().copied().collect();
    let mut offences = Vec::new();
    for file in sources("").iter().filter(|file| !file.path.starts_with("tests/")) {
        let module = file.path.rsplit('/').next().expect("a path has a last part").trim_end_matches(".rs");
        for (line, name) in public_names(&file.code).into_iter().chain([(1, module)]) {
            let parts = name_parts(name);
            let wrong = parts.iter().filter_map(|part| banned.get(part.as_str()).map(|right| (part, right)));
            offences.extend(
                wrong.map(|(part, right)| format!("{}:{line}: {name}: not {part} but {right}", file.path)),
            );
        }
    }
    assert_none(&offences, "one word for each thing");
}

#[test]
fn nothing_is_left_to_do_skipped_or_expected_to_panic() {
    let unfinished = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    let skipped = [
        concat!("#[", "ignore"),
        concat!("#[", "should_panic"),
        concat!("#![", "allow("),
        concat!("#[", "allow("),
    ];
    let mut offences = Vec::new();
    for file in sources("") {
        for (index, line) in file.text.lines().enumerate() {
            let has_word = unfinished.iter().any(|word| words(line).any(|other| other == *word));
            if has_word || skipped.iter().any(|attribute| line.contains(attribute)) {
                offences.push(format!("{}:{}: {}", file.path, index + 1, line.trim()));
            }
        }
    }
    assert_none(
        &offences,
        "what is unfinished has an issue, not a comment; lints are expected with a reason",
    );
}
