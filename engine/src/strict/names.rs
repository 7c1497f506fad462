//! Names that a text does not have yet.

use std::collections::BTreeSet;

use crate::{
    rules::{Keyword, OPERATORS},
    syntax::{Description, Term},
};

/// Relations that mean something in other languages of the family: GDL-III and rtGDL.
const FOREIGN: [&str; 2] = ["knows", "expired"];

/// The names of a text, and those that were made for it.
pub(super) struct FreshNames {
    used: BTreeSet<String>,
}

impl FreshNames {
    pub(super) fn of(written: &Description) -> Self {
        let keywords = Keyword::ALL.into_iter().map(Keyword::name);
        let mut used: BTreeSet<String> =
            keywords.chain(OPERATORS).chain(FOREIGN).map(str::to_owned).collect();
        for clause in &written.clauses {
            clause.for_each_term(&mut |term: &Term| used.extend(term.name().map(str::to_owned)));
        }
        Self { used }
    }

    /// The word itself or with the first number behind it that makes it new, without characters that some system cannot read.
    pub(super) fn fresh(&mut self, word: &str) -> String {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let plain: String = word.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let mut candidates = std::iter::once(plain.clone()).chain(numbered);
        let name = candidates.find(|name| !self.used.contains(name)).unwrap_or(plain);
        self.used.insert(name.clone());
        name
    }
}
