//! The layering and the habits of the source, checked instead of promised.

mod packages;
mod imports;
mod habits;
mod names;
mod files;

use std::{fs, path::Path};

use croupier_tests::{
    corpus::{files_below, workspace},
    source::code_of,
};
use toml::Table;

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

fn manifest(path: &Path) -> Table {
    let text = fs::read_to_string(path).expect("a readable manifest");
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn assert_none(offences: &[String], rule: &str) {
    assert!(offences.is_empty(), "{rule}:\n  {}", offences.join("\n  "));
}
