//! How types are named.

use std::collections::BTreeMap;

use croupier_tests::source::type_names;

use crate::{assert_none, sources};

/// Pictures that types were once named by, and that must be learnt by heart.
const METAPHORS: [&str; 10] =
    ["House", "Deed", "Duty", "Foot", "Chair", "Means", "Manner", "Sitter", "Sitters", "Course"];

/// Types of one name that need no exception.
const TYPES_MAX: usize = 2;

/// Names that more types may have, each with the reason.
const SHARED: [(&str, &str); 1] =
    [("Arguments", "what clap derives for each command: always written with its module, `play::Arguments`")];

/// By name, where types and traits are defined that are not only for tests.
fn types() -> BTreeMap<String, Vec<String>> {
    let tests = ["tests", "benches", "examples", "tests.rs"];
    let is_test = |path: &str| path.split('/').any(|part| tests.contains(&part));
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in sources("").iter().filter(|file| !is_test(&file.path)) {
        for (line, name) in type_names(&file.code) {
            types.entry(name.to_owned()).or_default().push(format!("{}:{line}", file.path));
        }
    }
    types
}

#[test]
fn types_are_named_by_no_picture() {
    let named = types().into_iter().filter(|(name, _)| METAPHORS.contains(&name.as_str()));
    let offences: Vec<_> = named.map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    assert_none(&offences, "a type is named by a word of the field");
}

#[test]
fn no_name_is_that_of_three_types() {
    let types = types();
    assert!(types.len() > 1000, "they are found: {}", types.len());
    let excepted = SHARED.map(|(name, _)| name);
    let is_shared = |name: &str| types.get(name).is_some_and(|places| places.len() > TYPES_MAX);
    let shared = types.iter().filter(|(name, _)| is_shared(name) && !excepted.contains(&name.as_str()));
    let mut offences: Vec<_> =
        shared.map(|(name, places)| format!("{name}:\n    {}", places.join("\n    "))).collect();
    let obsolete = excepted.iter().filter(|name| !is_shared(name));
    offences.extend(
        obsolete.map(|name| format!("{name}: no exception is needed any more; take it off the list")),
    );
    assert_none(
        &offences,
        "a name is that of one type, or two; the others need a second word that says of what or for what they are",
    );
}
