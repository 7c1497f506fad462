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
    ("croupier-picture", &["croupier-games"]),
    ("croupier-referee", &["croupier-engine"]),
    ("croupier-results", &["croupier-engine", "croupier-games", "croupier-referee"]),
    ("croupier-remote", &["croupier-engine", "croupier-referee"]),
    ("croupier-session", &["croupier-engine", "croupier-games", "croupier-referee"]),
    ("croupier-pages", &["croupier-games", "croupier-picture"]),
    (
        "croupier-server",
        &[
            "croupier-engine",
            "croupier-games",
            "croupier-picture",
            "croupier-referee",
            "croupier-remote",
            "croupier-results",
            "croupier-session",
            "croupier-pages",
        ],
    ),
    ("croupier-belief", &["croupier-engine"]),
    ("croupier-players", &["croupier-engine", "croupier-belief", "croupier-solvers"]),
    ("croupier-solvers", &["croupier-engine"]),
    ("croupier-proofs", &["croupier-engine", "croupier-belief"]),
    ("croupier-public", &["croupier-engine", "croupier-belief", "croupier-solvers"]),
    ("croupier-training", &["croupier-engine", "croupier-belief"]),
    (
        "croupier-nets",
        &["croupier-engine", "croupier-belief", "croupier-players", "croupier-public", "croupier-training"],
    ),
    ("croupier-trainer", &["croupier-engine", "croupier-games", "croupier-belief", "croupier-players"]),
    ("croupier-table", &["croupier-engine", "croupier-games", "croupier-belief"]),
    (
        "croupier-seat",
        &["croupier-engine", "croupier-referee", "croupier-belief", "croupier-players", "croupier-trainer"],
    ),
    (
        "croupier-agent-server",
        &["croupier-engine", "croupier-referee", "croupier-belief", "croupier-players", "croupier-seat"],
    ),
    (
        "croupier",
        &[
            "croupier-engine",
            "croupier-games",
            "croupier-referee",
            "croupier-results",
            "croupier-remote",
            "croupier-session",
            "croupier-server",
            "croupier-belief",
            "croupier-players",
            "croupier-nets",
            "croupier-solvers",
            "croupier-proofs",
            "croupier-public",
            "croupier-trainer",
            "croupier-table",
            "croupier-picture",
            "croupier-seat",
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
            "croupier-public",
            "croupier-training",
            "croupier-nets",
            "croupier-table",
            "croupier-picture",
            "croupier-seat",
            "croupier-results",
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
    ("croupier-laboratory", &["croupier-engine", "croupier-games"]),
];

/// Manifests of the packages, by name.
fn packages() -> BTreeMap<String, Table> {
    packages_below("")
}

/// Manifests of the packages in a folder, by name.
fn packages_below(folder: &str) -> BTreeMap<String, Table> {
    let mut manifests = files_below(&workspace().join(folder), |name| name == "Cargo.toml");
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
fn no_package_of_the_referee_depends_on_a_package_of_agents_even_in_tests() {
    let agents = packages_below("agents");
    assert!(agents.len() >= 5 && agents.contains_key("croupier-players"), "{:?}", agents.keys());
    let mut offences = Vec::new();
    for (name, package) in packages_below("referee") {
        let in_tests = package.get("dev-dependencies").and_then(Value::as_table);
        let in_tests = in_tests.into_iter().flat_map(|table| table.keys().cloned());
        let used = dependencies(&package).into_iter().chain(in_tests);
        let used = used.filter(|other| agents.contains_key(other));
        offences.extend(used.map(|other| format!("{name} depends on {other}")));
    }
    assert_none(&offences, "agents depend on the referee's messages, and the referee on no agent");
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
        .args(["--format", "{p} {f}", "--prefix", "none", "--package", "croupier", "--features", "cluster"])
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
fn every_package_but_the_tests_and_the_laboratory_is_ready_to_be_published() {
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
        if private(package) != ["croupier-tests", "croupier-laboratory"].contains(&name.as_str()) {
            offences.push(format!("{name}: only the tests and the laboratory stay here"));
        }
        if !private(package) {
            let missing = fields.iter().filter(|field| !says(package, field));
            offences.extend(missing.map(|field| format!("{name} says nothing of its {field}")));
        }
    }
    let root = manifest(&workspace().join("Cargo.toml"));
    let shared = root["workspace"]["dependencies"].as_table().expect("a table of versions");
    let unpublished = shared.iter().filter(|(name, value)| {
        // The tests stay here, and the program depends on itself for its own tests alone.
        let is_ours = value.get("path").is_some() && !["croupier-tests", "croupier"].contains(&name.as_str());
        is_ours && value.get("version") != root["workspace"]["package"].get("version")
    });
    offences.extend(unpublished.map(|(name, _)| format!("{name} is depended on without its version")));
    assert_none(&offences, "a package says what it is, and which versions of its siblings it needs");
}

/// What a program prints; empty if it fails, which says nothing of its own.
fn printed(program: &str, arguments: &[&str]) -> String {
    let ended = Command::new(program).args(arguments).current_dir(workspace()).output().expect("it runs");
    assert!(ended.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).expect("text in UTF-8")
}

/// Whether a licence expression can be met by licences of a list. `A OR B AND C` is read as `(A OR B) AND C`, which asks for more.
fn is_allowed(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let expression = expression.replace(" / ", " OR ").replace('/', " OR ");
    let mut all = expression.split(" AND ");
    all.all(|part| {
        part.trim_matches(['(', ')']).split(" OR ").any(|licence| allowed.contains(licence.trim()))
    })
}

#[test]
fn every_package_that_is_used_has_a_licence_that_deny_toml_allows() {
    let policy = manifest(&workspace().join("deny.toml"));
    let allowed = policy["licenses"]["allow"].as_array().expect("a list of licences");
    let allowed: BTreeSet<&str> = allowed.iter().filter_map(Value::as_str).collect();
    assert!(!allowed.iter().any(|licence| licence.contains("GPL")), "nothing under GPL is linked");
    let host = printed("rustc", &["--print", "host-tuple"]);
    let arguments =
        ["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", host.trim()];
    let answer: serde_json::Value =
        serde_json::from_str(&printed("cargo", &arguments)).expect("metadata in JSON");
    let packages = answer["packages"].as_array().expect("packages");
    assert!(packages.len() > 200, "packages of others are among them: {}", packages.len());
    let offences = packages.iter().filter_map(|package| {
        let licence = package["license"].as_str().unwrap_or("none");
        (!is_allowed(licence, &allowed)).then(|| format!("{}: {licence}", package["name"]))
    });
    assert_none(&offences.collect::<Vec<_>>(), "deny.toml says which licences are allowed");
}

#[test]
fn licence_expressions_are_read_as_asking_for_all_of_and_and_one_of_or() {
    let allowed = BTreeSet::from(["MIT", "ISC"]);
    for good in ["MIT", "GPL-3.0 OR MIT", "MIT/Apache-2.0", "(MIT OR GPL-3.0) AND ISC"] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in ["GPL-3.0", "MIT AND GPL-3.0", "none", "(GPL-3.0 OR Apache-2.0) AND MIT"] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}

#[test]
fn the_oldest_compiler_that_is_promised_is_the_one_that_everything_is_tested_with() {
    let root = manifest(&workspace().join("Cargo.toml"));
    let promised = root["workspace"]["package"]["rust-version"].as_str().expect("a version").to_owned();
    let toolchain = manifest(&workspace().join("rust-toolchain.toml"));
    let tested = toolchain["toolchain"]["channel"].as_str().expect("a version");
    assert_eq!(tested, format!("{promised}.0"), "rust-version and rust-toolchain.toml");
    let compiler = printed("rustc", &["--version"]);
    assert!(compiler.starts_with(&format!("rustc {tested}")), "this is {compiler}");
}
