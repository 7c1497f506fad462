//! What sources are built, and what they use of each other and of the world outside.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    process::Command,
};

use croupier_tests::{
    corpus::workspace,
    source::{declared_modules, segments_after, words},
};

use crate::{Source, assert_none, relative, source, sources};

/// Folders of packages that compute and nothing else.
const PURE: &[&str] = &[
    "engine",
    "referee/core",
    "referee/results",
    "referee/session",
    "referee/pages",
    "agents/belief",
    "agents/players",
    "agents/solvers",
    "agents/public",
    "agents/training",
    "agents/nets",
    "agents/trainer",
    "agents/table",
    "agents/seat",
    "games-ii/picture",
];

/// The sources of the packages that only compute; their tests, examples and benches may do more.
pub(crate) fn pure_sources() -> Vec<Source> {
    let all = PURE.iter().flat_map(|folder| sources(&format!("{folder}/src")));
    all.filter(|file| !file.path.ends_with("/tests.rs")).collect()
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

/// Packages besides the pure ones whose modules do not import each other in a circle. In `referee/server` they do: a match is run
/// by what starts matches, and starts the next one of its tournament when it ends.
const ORDERED: [&str; 4] = ["src", "games-ii", "agents/server", "referee/remote"];

/// By module of a package, which others of it its code imports.
fn module_imports(package: &str) -> BTreeMap<String, BTreeSet<String>> {
    let folder = if package == "src" { package.to_owned() } else { format!("{package}/src") };
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in sources(&folder)
        .iter()
        .filter(|file| !file.path.ends_with("/tests.rs") && !file.path.contains("/tests/"))
    {
        let module = file.path[folder.len() + 1..].split(['/', '.']).next().expect("a path has a first part");
        let code = file.code.split("#[cfg(test)]\nmod ").next().expect("a split has a first part");
        let others = segments_after(code, "crate").into_iter().filter(|&other| other != module);
        imports.entry(module.to_owned()).or_default().extend(others.map(str::to_owned));
    }
    // `lib.rs` declares them all, and what is exported from there has no place of its own.
    imports.remove("lib");
    imports
}

/// The modules that import each other in a circle, and those between two circles.
fn circle(mut imports: BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    loop {
        let left: BTreeSet<String> = imports.keys().cloned().collect();
        let used: BTreeSet<String> = imports.values().flatten().cloned().collect();
        imports.retain(|module, others| {
            used.contains(module) && others.iter().any(|other| left.contains(other))
        });
        if imports.len() == left.len() {
            return left;
        }
    }
}

#[test]
fn modules_of_a_package_do_not_import_each_other_in_a_circle() {
    let mut offences = Vec::new();
    for package in PURE.iter().chain(&ORDERED) {
        let found = circle(module_imports(package));
        if !found.is_empty() {
            offences.push(format!("{package}: {}", Vec::from_iter(found).join(", ")));
        }
    }
    assert_none(&offences, "what two modules need of each other stands in a third");
}

#[test]
fn a_circle_of_modules_is_found() {
    let imports =
        [("a", ["b", "x"]), ("b", ["c", "x"]), ("c", ["b", "d"]), ("d", ["x", "x"]), ("e", ["a", "c"])];
    let imports = imports.map(|(module, others)| (module.to_owned(), others.map(str::to_owned).into()));
    assert_eq!(circle(imports.into()), BTreeSet::from(["b".to_owned(), "c".to_owned()]));
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
        let is_shared = own.is_none() && file.path != "src/lib.rs";
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
fn nothing_is_kept_in_an_order_that_differs_between_processes() {
    let mut offences = Vec::new();
    for file in sources("") {
        let used: BTreeSet<_> = words(&file.code).collect();
        let used = ["HashMap", "HashSet", "RandomState"].into_iter().filter(|word| used.contains(word));
        offences.extend(used.map(|word| format!("{} uses {word}", file.path)));
    }
    assert_none(&offences, "BTreeMap, or FxHashMap that nobody iterates");
}
