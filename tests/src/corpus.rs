//! Where rule files are: the catalogue of this repository, and a folder of other people's games that
//! may lie beside it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use croupier_engine::stages::syntax;

/// A rules text and where it comes from.
#[derive(Clone, Debug)]
pub struct RuleFile {
    /// Name of the game, from the folder or file.
    pub name: String,
    /// Where it was read.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// The folder of the workspace.
#[must_use]
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package is a folder of the workspace")
}

/// The games of this project, by name.
#[must_use]
pub fn catalogue() -> Vec<RuleFile> {
    entries(&workspace().join("games-ii"))
        .into_iter()
        .filter(|folder| folder.join("rules.gdl").is_file())
        .map(|folder| read(&folder.join("rules.gdl"), &folder))
        .collect()
}

/// One game of this project.
///
/// # Panics
/// If there is none of this name.
#[must_use]
pub fn catalogue_game(name: &str) -> RuleFile {
    let game = catalogue().into_iter().find(|game| game.name == name);
    game.unwrap_or_else(|| panic!("the catalogue has no game {name}"))
}

/// Other people's games: `gdl` (full sight), `gdl2` or `infix`. Empty where the folder is absent.
#[must_use]
pub fn shared(folder: &str) -> Vec<RuleFile> {
    let files = entries(&workspace().join("../shared/corpus").join(folder));
    files.iter().filter(|file| file.is_file()).map(|file| read(file, file)).collect()
}

/// A page about the language that others wrote, if it lies beside the checkout.
#[must_use]
pub fn seed(name: &str) -> Option<String> {
    fs::read_to_string(workspace().join("../shared/seeds").join(name)).ok()
}

/// Every `.rs`, `Cargo.toml` or other file below `folder` with a name that `is_wanted`, in order;
/// hidden folders and build output are left out.
#[must_use]
pub fn files_below(folder: &Path, is_wanted: fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in entries(&folder) {
            let name = file_name(&entry);
            if entry.is_dir() {
                if name != "target" && (!name.starts_with('.') || name == ".ci") {
                    open.push(entry);
                }
            } else if is_wanted(&name) {
                found.push(entry);
            }
        }
    }
    found.sort();
    found
}

/// The rule files of a folder, in order, or the file itself; of a game's own folder, its rules.
///
/// # Errors
/// If the folder cannot be read.
pub fn rule_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    if path.join("rules.gdl").is_file() {
        return Ok(vec![path.join("rules.gdl")]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?.path();
        let inside = entry.join("rules.gdl");
        if inside.is_file() {
            files.push(inside);
        } else if entry.extension().is_some_and(|extension| {
            ["gdl", "kif", "hrf", "pl", "rulesheet"].iter().any(|known| extension == *known)
        }) {
            files.push(entry);
        }
    }
    files.sort();
    Ok(files)
}

/// The name of a game: of its file, or of the folder that is its own.
#[must_use]
pub fn name_of(file: &Path) -> String {
    let is_inside = file.file_name().is_some_and(|name| name == "rules.gdl");
    let named = file.parent().filter(|_| is_inside).unwrap_or(file);
    named.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    paths
}

fn read(file: &Path, named: &Path) -> RuleFile {
    let bytes = fs::read(file).expect("a readable file");
    let name = named.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    RuleFile { name, path: file.to_owned(), text: syntax::decode(&bytes).text.into_owned() }
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("an entry of a folder has a name").to_string_lossy().into_owned()
}
