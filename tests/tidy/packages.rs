//! What packages say of themselves, and which others they use.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    process::Command,
};

use croupier_tests::corpus::{files_below, workspace};
use toml::{Table, Value};

use crate::{assert_none, manifest};

/// Every package, and the packages of this workspace that it may use. A package that is not here fails.
const LAYERS: &[(&str, &[&str])] = &[
    ("croupier-engine", &[]),
    ("croupier-games", &[]),
    ("croupier-referee", &["croupier-engine"]),
    ("croupier-results", &["croupier-engine", "croupier-games", "croupier-referee"]),
    ("croupier-remote", &["croupier-engine", "croupier-referee"]),
    (
        "croupier-server",
        &[
            "croupier-engine",
            "croupier-games",
            "croupier-referee",
            "croupier-remote",
            "croupier-results",
            "croupier-players",
        ],
    ),
    ("croupier-belief", &["croupier-engine"]),
    ("croupier-players", &["croupier-engine", "croupier-belief", "croupier-solvers"]),
    ("croupier-solvers", &["croupier-engine"]),
    ("croupier-training", &["croupier-engine", "croupier-belief"]),
    ("croupier-nets", &["croupier-engine", "croupier-belief", "croupier-players", "croupier-training"]),
    (
        "croupier-agent-server",
        &["croupier-engine", "croupier-referee", "croupier-belief", "croupier-players"],
    ),
    (
        "croupier",
        &[
            "croupier-engine",
            "croupier-games",
            "croupier-referee",
            "croupier-results",
            "croupier-remote",
            "croupier-server",
            "croupier-belief",
            "croupier-players",
            "croupier-nets",
            "croupier-solvers",
            "croupier-agent-server",
        ],
    ),
    (
        "croupier-python",
        &[
            "croupier-engine",
            "croupier-games",
            "croupier-referee",
            "croupier-belief",
            "croupier-players",
            "croupier-solvers",
            "croupier-training",
            "croupier-nets",
        ],
    ),
    (
        "croupier-tests",
        &[
            "croupier-engine",
            "croupier-games",
            "croupier-referee",
            "croupier-belief",
            "croupier-players",
            "croupier-training",
        ],
    ),
];

/// Manifests of the packages, by name.
fn packages() -> BTreeMap<String, Table> {
    let mut manifests = files_below(workspace(), |name| name == "Cargo.toml");
    // The fuzzer is a workspace of its own: it needs a nightly compiler, which nothing else does.
    manifests.retain(|path| !path.ends_with("tests/fuzz/Cargo.toml"));
    let tables = manifests.iter().map(|path| manifest(path));
    tables
        .filter_map(|table| {
            let name = table.get("package")?.get("name")?.as_str()?.to_owned();
            Some((name, table))
        })
        .collect()
}

/// Names of the dependencies that a package is built with, those for some platforms included.
fn dependencies(package: &Table) -> BTreeSet<String> {
    let sections = ["dependencies", "build-dependencies"];
    let platforms = package.get("target").and_then(Value::as_table);
    let tables = platforms.into_iter().flat_map(|target| target.values()).filter_map(Value::as_table);
    tables
        .chain([package])
        .flat_map(|table| sections.iter().filter_map(|section| table.get(*section)?.as_table()))
        .flat_map(|section| section.keys().cloned())
        .collect()
}

#[test]
fn packages_depend_only_on_those_below_them() {
    let layers: BTreeMap<_, _> = LAYERS.iter().copied().collect();
    let mut offences = Vec::new();
    for (name, package) in packages() {
        let Some(allowed) = layers.get(name.as_str()) else {
            offences.push(format!("{name} is not in the table of layers"));
            continue;
        };
        let ours = dependencies(&package).into_iter().filter(|other| other.starts_with("croupier"));
        let upward = ours.filter(|other| !allowed.contains(&other.as_str()));
        offences.extend(upward.map(|other| format!("{name} depends on {other}")));
    }
    assert_none(&offences, "data moves one way");
}

#[test]
fn the_engine_has_no_threads_statistics_server_or_entropy() {
    let banned =
        ["rayon", "statrs", "actix-web", "actix", "getrandom", "rand", "tokio", "serde", "tracing", "log"];
    let used = dependencies(&packages()["croupier-engine"]);
    let offences: Vec<_> =
        banned.iter().filter(|name| used.contains(**name)).map(ToString::to_string).collect();
    assert_none(&offences, "dependencies that the engine does without");
}

#[test]
fn versions_stand_once_each_with_a_reason() {
    let mut offences = Vec::new();
    for (name, package) in packages() {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let table = package.get(section).and_then(Value::as_table);
            for (dependency, value) in table.into_iter().flatten() {
                if value.get("workspace").and_then(Value::as_bool) != Some(true) {
                    offences.push(format!("{name} gives {dependency} a version of its own"));
                }
            }
        }
    }
    let root = fs::read_to_string(workspace().join("Cargo.toml")).expect("a readable manifest");
    let section = root.split("[workspace.dependencies]").nth(1).expect("the root manifest has the versions");
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let third_party = lines.filter(|line| line.contains('=') && !line.contains("path ="));
    offences.extend(third_party.filter(|line| !line.contains('#')).map(|line| format!("no reason: {line}")));
    assert_none(&offences, "versions are in the root manifest, each with a reason beside it");
}

#[test]
fn ways_to_tell_too_much_are_in_no_program() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let asked = Command::new(cargo)
        .args(["tree", "--edges", "normal,build", "--offline"])
        .args(["--format", "{p} {f}", "--prefix", "none", "--package", "croupier"])
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    let tree = String::from_utf8_lossy(&asked.stdout);
    assert!(tree.contains("croupier-server"), "{}", String::from_utf8_lossy(&asked.stderr));
    let with = tree.lines().filter(|line| line.contains("mutants"));
    assert_none(&with.map(str::to_owned).collect::<Vec<_>>(), "the program is built without the feature");
}

/// What a manifest says of its package itself, or inherits.
fn says(package: &Table, field: &str) -> bool {
    let value = package.get("package").and_then(|about| about.get(field));
    match value {
        Some(Value::Table(inherited)) => inherited.get("workspace").and_then(Value::as_bool) == Some(true),
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(list)) => (1..=5).contains(&list.len()),
        _ => false,
    }
}

#[test]
fn every_package_but_the_tests_is_ready_to_be_published() {
    let fields = [
        "description",
        "version",
        "edition",
        "rust-version",
        "license",
        "readme",
        "documentation",
        "keywords",
        "categories",
    ];
    let packages = packages();
    let private = |package: &Table| package["package"].get("publish").and_then(Value::as_bool) == Some(false);
    let mut offences: Vec<String> = Vec::new();
    for (name, package) in &packages {
        if private(package) != (name == "croupier-tests") {
            offences.push(format!("{name}: only the tests stay here"));
        }
        if !private(package) {
            let missing = fields.iter().filter(|field| !says(package, field));
            offences.extend(missing.map(|field| format!("{name} says nothing of its {field}")));
        }
    }
    let root = manifest(&workspace().join("Cargo.toml"));
    let shared = root["workspace"]["dependencies"].as_table().expect("a table of versions");
    let unpublished = shared.iter().filter(|(name, value)| {
        let is_ours = value.get("path").is_some() && *name != "croupier-tests";
        is_ours && value.get("version") != root["workspace"]["package"].get("version")
    });
    offences.extend(unpublished.map(|(name, _)| format!("{name} is depended on without its version")));
    assert_none(&offences, "a package says what it is, and which versions of its siblings it needs");
}
