//! The layering and the habits of the source, checked instead of promised.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use croupier_tests::{
    corpus::{files_below, workspace},
    source::{
        code_of, declared_modules, functions, name_parts, public_names, segments_after, tuple_parameters,
        words,
    },
};
use toml::{Table, Value};

/// Lines of a file, and of a function, that need no exception.
const FILE_LINES_MAX: usize = 800;
const FUNCTION_LINES_MAX: usize = 70;

/// Files and functions that are longer, with their length and the reason. This list only shrinks.
const LONG_FILES: &[(&str, usize, &str)] = &[];
const LONG_FUNCTIONS: &[(&str, &str, usize, &str)] = &[];

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

/// Folders of packages that compute and nothing else.
const PURE: &[&str] = &[
    "engine",
    "referee/core",
    "referee/results",
    "agents/belief",
    "agents/players",
    "agents/solvers",
    "agents/training",
    "agents/nets",
];

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

#[derive(Debug)]
struct Source {
    path: String,
    text: String,
    code: String,
}

/// All Rust files below a folder of the workspace, by their path in it.
fn sources(folder: &str) -> Vec<Source> {
    let files = files_below(&workspace().join(folder), |name| name.ends_with(".rs"));
    files.iter().map(|file| source(file)).collect()
}

fn source(file: &Path) -> Source {
    let text = fs::read_to_string(file).expect("a source file in UTF-8");
    Source { path: relative(file), code: code_of(&text), text }
}

fn relative(file: &Path) -> String {
    let path = file.strip_prefix(workspace()).expect("a file of the workspace");
    path.to_string_lossy().replace('\\', "/")
}

/// The sources of the packages that only compute; their tests, examples and benches may do more.
fn pure_sources() -> Vec<Source> {
    let all = PURE.iter().flat_map(|folder| sources(&format!("{folder}/src")));
    all.filter(|file| !file.path.ends_with("/tests.rs")).collect()
}

fn manifest(path: &Path) -> Table {
    let text = fs::read_to_string(path).expect("a readable manifest");
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

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

fn assert_none(offences: &[String], rule: &str) {
    assert!(offences.is_empty(), "{rule}:\n  {}", offences.join("\n  "));
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

/// The files that cargo builds first, of every package: libraries, programs, tests, examples and benches.
fn crate_roots() -> Vec<PathBuf> {
    let mut roots = Vec::new();
    for folder in ["", "tests/fuzz"] {
        let manifest = workspace().join(folder).join("Cargo.toml");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let asked = Command::new(cargo)
            .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
            .arg(manifest)
            .output()
            .expect("cargo runs");
        let answer: serde_json::Value = serde_json::from_slice(&asked.stdout).expect("metadata in JSON");
        let packages = answer["packages"].as_array().expect("packages").iter();
        let targets = packages.flat_map(|package| package["targets"].as_array().expect("targets"));
        roots.extend(targets.map(|target| PathBuf::from(target["src_path"].as_str().expect("a path"))));
    }
    roots
}

#[test]
fn no_source_file_is_left_out_of_the_build() {
    let mut built: BTreeSet<String> = BTreeSet::new();
    let mut waiting: Vec<_> = crate_roots().into_iter().map(|root| (root, true)).collect();
    while let Some((file, is_root)) = waiting.pop() {
        if !built.insert(relative(&file)) {
            continue;
        }
        let is_root = is_root || file.ends_with("mod.rs");
        let folder = if is_root { file.with_file_name("") } else { file.with_extension("") };
        for module in declared_modules(&source(&file).code) {
            let places = [folder.join(format!("{module}.rs")), folder.join(module).join("mod.rs")];
            waiting.extend(places.into_iter().filter(|place| place.is_file()).map(|place| (place, false)));
        }
    }
    let orphans = sources("").into_iter().map(|file| file.path).filter(|path| !built.contains(path));
    assert_none(&orphans.collect::<Vec<_>>(), "every file is a crate or a module of one");
}

#[test]
fn a_module_of_the_engine_imports_only_modules_above_it() {
    let root = source(&workspace().join("engine/src/lib.rs"));
    // What is indented, `stages`, only gives modules another name.
    let declared =
        root.code.lines().filter_map(|line| line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod "));
    let order: Vec<_> = declared.filter_map(|line| Some(line.strip_suffix(';')?.to_owned())).collect();
    assert!(order.len() >= 5, "the modules of the engine are declared in lib.rs: {order:?}");
    // An item that lib.rs exports again counts as the module that it comes from.
    let mut home: BTreeMap<String, usize> = BTreeMap::new();
    for (rank, module) in order.iter().enumerate() {
        home.insert(module.clone(), rank);
        let exports =
            root.code.split("pub use ").filter_map(|rest| rest.strip_prefix(&format!("{module}::")));
        for export in exports {
            let names = words(export.split(';').next().expect("a split has a first part"));
            home.extend(names.map(|name| (name.to_owned(), rank)));
        }
    }
    let mut offences = Vec::new();
    // A test may judge by what is made of a result further down.
    for file in sources("engine/src").iter().filter(|file| !file.path.ends_with("/tests.rs")) {
        let module =
            file.path["engine/src/".len()..].split(['/', '.']).next().expect("a path has a first part");
        let Some(&rank) = home.get(module) else { continue };
        for segment in segments_after(&file.code, "crate") {
            match home.get(segment) {
                Some(&other) if other <= rank => {}
                Some(_) => offences.push(format!("{} uses crate::{segment}, which is below it", file.path)),
                None => offences
                    .push(format!("{} uses crate::{segment}, which lib.rs does not declare", file.path)),
            }
        }
    }
    assert_none(&offences, "the modules of the engine are in reading order");
}

#[test]
fn a_command_imports_what_commands_share_and_no_other_command() {
    let root = source(&workspace().join("src/command/mod.rs"));
    let commands: BTreeSet<_> = declared_modules(&root.code).collect();
    assert!(commands.len() >= 10, "the commands are declared in src/command/mod.rs: {commands:?}");
    let mut offences = Vec::new();
    for file in sources("src") {
        let below = file.path.strip_prefix("src/command/");
        let own = below.and_then(|path| path.split(['/', '.']).next());
        let is_deep = below.is_some_and(|path| path.contains('/') && !path.ends_with("/mod.rs"));
        let parent = if is_deep { "super::super" } else { "super" };
        let named = ["crate::command", "command", parent];
        let named: BTreeSet<_> =
            named.into_iter().flat_map(|root| segments_after(&file.code, root)).collect();
        let others = named.intersection(&commands).filter(|command| own != Some(**command));
        offences.extend(others.map(|command| format!("{} uses the command {command}", file.path)));
        let is_shared = own.is_none() && file.path != "src/main.rs";
        if is_shared && segments_after(&file.code, "crate").contains("command") {
            offences.push(format!("{} uses crate::command, which is below it", file.path));
        }
    }
    assert_none(&offences, "what commands share knows no command, and commands do not know each other");
}

#[test]
fn pure_packages_touch_neither_clock_nor_disk_nor_network_nor_console() {
    let outside = ["time", "fs", "net", "env", "io", "process", "thread", "os"];
    let banned = ["getrandom", "SystemTime", "Instant"];
    let macros = ["println!", "print!", "dbg!", "thread_local!"];
    let mut offences = Vec::new();
    for file in pure_sources() {
        let paths = segments_after(&file.code, "std");
        let paths = outside.iter().filter(|segment| paths.contains(**segment));
        offences.extend(paths.map(|segment| format!("{} uses std::{segment}", file.path)));
        let used: BTreeSet<_> = words(&file.code).collect();
        let used = banned.iter().filter(|word| used.contains(**word));
        let called = macros.iter().filter(|name| file.code.contains(**name));
        offences.extend(used.chain(called).map(|word| format!("{} uses {word}", file.path)));
    }
    assert_none(&offences, "clock and entropy are arguments, and only shells do I/O");
}

#[test]
fn kernels_take_no_closures_and_only_their_table_knows_vectors() {
    const TABLE: &str = "engine/src/batch/kernel/table.rs";
    let mut offences = Vec::new();
    for file in sources("").iter().filter(|file| file.path != TABLE) {
        let used: BTreeSet<_> = words(&file.code).collect();
        let used =
            ["target_feature", "is_x86_feature_detected"].into_iter().filter(|word| used.contains(word));
        offences.extend(used.map(|word| format!("{} uses {word}", file.path)));
    }
    // What takes a closure is compiled where the closure is written, and so with another package's profile.
    let files = sources("engine/src/batch").into_iter().filter(|file| !file.path.contains("/kernel/"));
    for file in files.collect::<Vec<_>>() {
        for function in file.code.split("fn ").skip(1) {
            let (name, head) = (words(function).next(), function.split('{').next());
            if ["impl Fn", "dyn Fn"].iter().any(|closure| head.unwrap_or_default().contains(closure)) {
                offences.push(format!("{}: {} takes a closure", file.path, name.unwrap_or_default()));
            }
        }
    }
    assert_none(
        &offences,
        "only the engine compiles kernels: others call them through their table, with data",
    );
}

#[test]
fn roles_are_named_by_their_own_type() {
    let is_bare =
        |file: &Source| ["role: usize", "role: u32", "role: u8"].iter().any(|it| file.code.contains(it));
    let offences: Vec<_> = pure_sources().into_iter().filter(is_bare).map(|file| file.path).collect();
    assert_none(&offences, "a role is a RoleId: a number could be anything's");
}

#[test]
fn nothing_is_kept_in_an_order_that_differs_between_processes() {
    let mut offences = Vec::new();
    for file in sources("") {
        let used: BTreeSet<_> = words(&file.code).collect();
        let used = ["HashMap", "HashSet", "RandomState"].into_iter().filter(|word| used.contains(word));
        offences.extend(used.map(|word| format!("{} uses {word}", file.path)));
    }
    assert_none(&offences, "BTreeMap, or FxHashMap that nobody iterates");
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
fn text_has_no_trailing_blanks_tabs_or_foreign_line_ends() {
    let mut offences = Vec::new();
    for path in text_files() {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = relative(&path);
        if !text.is_empty() && !text.ends_with('\n') {
            offences.push(format!("{name} does not end with a newline"));
        }
        for (index, line) in text.split('\n').enumerate() {
            if line.ends_with([' ', '\t', '\r']) {
                offences.push(format!("{name}:{}: blanks at the end", index + 1));
            }
            if line.contains('\t') {
                offences.push(format!("{name}:{}: a tab", index + 1));
            }
        }
    }
    assert_none(&offences, "text is plain");
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

#[test]
fn no_file_names_a_place_on_somebodys_machine() {
    let places = ["work", "tmp", "root", "home", "Users"].map(|folder| format!("/{folder}/"));
    let mut offences = Vec::new();
    for path in text_files() {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for (index, line) in text.lines().enumerate() {
            let is_place = |place: &String| {
                line.match_indices(place.as_str()).any(|(at, _)| {
                    !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._~})".contains(c))
                })
            };
            if places.iter().any(is_place) {
                offences.push(format!("{}:{}: {}", relative(&path), index + 1, line.trim()));
            }
        }
    }
    assert_none(&offences, "paths are relative");
}

#[test]
fn every_game_has_its_rules_and_its_facts() {
    let mut offences = Vec::new();
    let mut games = 0;
    let folders = fs::read_dir(workspace().join("games-ii")).expect("the catalogue's folder");
    for folder in folders.map(|entry| entry.expect("a readable folder").path()) {
        let name = relative(&folder);
        if !folder.is_dir() || name.ends_with("/src") || name.ends_with("/real-time") {
            continue;
        }
        games += 1;
        for file in ["rules.gdl", "game.toml"] {
            if !folder.join(file).is_file() {
                offences.push(format!("{name} has no {file}"));
            }
        }
        let facts = folder.join("game.toml");
        if facts.is_file() && !manifest(&facts).contains_key("title") {
            offences.push(format!("{name}/game.toml has no title"));
        }
    }
    assert!(games > 0, "the catalogue has games");
    assert_none(&offences, "a game is a folder with rules.gdl and game.toml");
}

/// Files that people write: sources, manifests, rules, pages and scripts.
fn text_files() -> Vec<PathBuf> {
    files_below(workspace(), |name| {
        let endings = [".rs", ".toml", ".md", ".gdl", ".kif", ".py", ".sh", ".yml", ".yaml"];
        let names = ["run", "nightly", "LICENSE", ".gitignore"];
        endings.iter().any(|ending| name.ends_with(ending)) || names.contains(&name)
    })
}

#[test]
fn the_container_is_built_from_files_that_are_there_and_lets_no_other_in() {
    let folder = workspace().join("referee/server/contrib");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a readable file");
    let (recipe, ignored) = (read("Dockerfile"), read("Dockerfile.dockerignore"));
    let copies =
        recipe.lines().filter_map(|line| line.strip_prefix("COPY ")).filter(|line| !line.starts_with("--"));
    let mut copied: BTreeSet<&str> = BTreeSet::new();
    for line in copies {
        let mut paths: Vec<&str> = line.split_ascii_whitespace().collect();
        let place = paths.pop().expect("a place");
        assert!(place == "./" || paths == [place], "a folder keeps its name: {line}");
        copied.extend(paths);
    }
    let let_in: BTreeSet<&str> = ignored.lines().filter_map(|line| line.strip_prefix('!')).collect();
    assert_eq!(copied, let_in, "what is copied is what the builder is sent");
    let mut offences: Vec<String> = Vec::new();
    offences.extend(copied.iter().filter(|path| !workspace().join(path).exists()).map(ToString::to_string));
    let members = manifest(&workspace().join("Cargo.toml"))["workspace"]["members"].clone();
    let members = members.as_array().expect("a list").iter().filter_map(Value::as_str);
    let missing = members.filter(|member| !copied.contains(member.split('/').next().unwrap_or_default()));
    offences.extend(missing.map(|member| format!("{member} is not copied")));
    assert_none(&offences, "the container is built from the workspace");
    assert!(recipe.contains("\nUSER ") && recipe.contains("\nVOLUME ") && recipe.contains("\nHEALTHCHECK "));
}

#[test]
fn the_readme_names_every_example_and_no_other() {
    let readme = fs::read_to_string(workspace().join("README.md")).expect("a readable file");
    let named: BTreeSet<&str> = readme
        .lines()
        .filter_map(|line| line.split_once(" --example "))
        .filter_map(|(_, rest)| rest.split_ascii_whitespace().next())
        .collect();
    let folders = ["engine", "referee", "agents", "games-ii"];
    let files = folders
        .iter()
        .flat_map(|folder| files_below(&workspace().join(folder), |name| name.ends_with(".rs")));
    let examples = files.filter(|file| file.parent().is_some_and(|folder| folder.ends_with("examples")));
    let examples: BTreeSet<String> =
        examples.filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())).collect();
    assert_eq!(named, examples.iter().map(String::as_str).collect::<BTreeSet<_>>());
}
