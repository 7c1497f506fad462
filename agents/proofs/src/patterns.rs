//! Fluents as answers speak of them: those with the same name, about the same roles.

use std::collections::BTreeMap;

use crate::{graph::StateGraph, groups::parts};

/// Fluents that are told apart by their name, and by the role that they are about.
#[derive(Debug)]
pub(crate) struct FluentPatterns {
    /// Of each base its group.
    pub(crate) group_of: Vec<Option<usize>>,
    pub(crate) names: Vec<String>,
}

impl FluentPatterns {
    /// The groups of the fluents of a game that can change.
    pub(crate) fn of(graph: &StateGraph) -> Self {
        let game = graph.game();
        let roles: Vec<&str> = game.roles().all().map(|role| game.roles().name(role)).collect();
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let texts = graph.network().fluents().iter().map(|&fluent| game.fluent_text(fluent));
        let names: Vec<String> = texts.map(|text| pattern(&text, &roles)).collect();
        for name in &names {
            let next = numbers.len();
            numbers.entry(name.clone()).or_insert(next);
        }
        let group_of = names.iter().map(|name| numbers.get(name).copied()).collect();
        let mut by_number: Vec<(usize, String)> =
            numbers.into_iter().map(|(name, number)| (number, name)).collect();
        by_number.sort_unstable();
        Self { group_of, names: by_number.into_iter().map(|(_, name)| name).collect() }
    }

    /// The fluents of a group.
    pub(crate) fn of_group(&self, group: usize) -> impl Iterator<Item = usize> {
        let own = self.group_of.iter().enumerate();
        own.filter(move |(_, own)| **own == Some(group)).map(|(fluent, _)| fluent)
    }
}

/// A fluent with what is neither its name nor a role left out: `(hand alice ?)` of `(hand alice king)`.
fn pattern(fluent: &str, roles: &[&str]) -> String {
    let parts = parts(fluent);
    if parts.len() == 1 {
        return fluent.to_owned();
    }
    let shown = parts
        .iter()
        .enumerate()
        .map(|(place, part)| if place == 0 || roles.contains(part) { part } else { "?" });
    format!("({})", shown.collect::<Vec<&str>>().join(" "))
}
