//! Files that people write, whatever is in them, and folders that must be whole.

use std::{collections::BTreeSet, fs, path::PathBuf};

use croupier_tests::corpus::{files_below, workspace};
use toml::Value;

use crate::{assert_none, manifest, relative};

/// Files that people write: sources, manifests, rules, pages and scripts.
fn text_files() -> Vec<PathBuf> {
    files_below(workspace(), |name| {
        let endings = [".rs", ".toml", ".md", ".gdl", ".kif", ".py", ".sh", ".txt", ".yml", ".yaml"];
        let names = ["run", "nightly", "LICENSE", ".gitignore"];
        endings.iter().any(|ending| name.ends_with(ending)) || names.contains(&name)
    })
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
        let is_other = ["/src", "/real-time", "/picture"].iter().any(|other| name.ends_with(other));
        if !folder.is_dir() || is_other {
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

#[test]
fn every_file_with_an_explanation_is_that_of_a_code() {
    let page = fs::read_to_string(workspace().join("docs/findings.md")).expect("a readable file");
    let mut files = files_below(workspace(), |name| name.ends_with(".txt"));
    files.retain(|file| file.parent().is_some_and(|folder| folder.ends_with("explanations")));
    assert!(files.len() > 100, "they are found: {}", files.len());
    let is_code = |file: &PathBuf| {
        file.file_stem().is_some_and(|code| page.contains(&format!("\n## {}\n", code.to_string_lossy())))
    };
    let orphans = files.iter().filter(|file| !is_code(file)).map(|file| relative(file));
    assert_none(&orphans.collect::<Vec<_>>(), "no code has this name");
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
fn the_page_about_rust_names_every_example_and_no_other() {
    let page = fs::read_to_string(workspace().join("docs/engine-in-rust.md")).expect("a readable file");
    let named: BTreeSet<&str> = page
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
