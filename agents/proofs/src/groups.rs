//! Fluents that belong together, told by their words.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{Game, game::GameNetwork};

/// The most bases of a group: larger ones make long proofs of little use.
const GROUP_MAX: usize = 400;

/// The parts of a printed term: its name and arguments.
pub(crate) fn parts(text: &str) -> Vec<&str> {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return vec![text];
    };
    let (mut found, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                found.push(&inner[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(&inner[begin..]);
    found
}

/// Fluents that belong together.
#[derive(Debug)]
pub(crate) struct FluentGroups {
    /// Those that differ in one argument or several, and those that speak of one thing; each has two at least.
    pub(crate) alike: Vec<Vec<usize>>,
    /// Those with the same name, some of them single.
    pub(crate) named: Vec<Vec<usize>>,
}

impl FluentGroups {
    /// The groups of the fluents of a game.
    pub(crate) fn of(game: &Game, network: &GameNetwork) -> Self {
        let texts = network.fluents().iter().map(|&fluent| game.fluent_text(fluent).to_string());
        let (mut groups, mut named) =
            (BTreeMap::<String, Vec<usize>>::new(), BTreeMap::<String, Vec<usize>>::new());
        for (base, text) in texts.enumerate() {
            let parts = parts(&text);
            named.entry(parts[0].to_owned()).or_default().push(base);
            for mask in masks(parts.len() - 1) {
                let shown = parts
                    .iter()
                    .enumerate()
                    .map(|(place, part)| if place > 0 && mask >> (place - 1) & 1 == 1 { "?" } else { part });
                let key = format!("{mask} {}", shown.collect::<Vec<_>>().join(" "));
                groups.entry(key).or_default().push(base);
            }
            for part in parts.iter().skip(1).collect::<BTreeSet<_>>() {
                groups.entry(format!("of {part}")).or_default().push(base);
            }
        }
        let alike: BTreeSet<Vec<usize>> =
            groups.into_values().filter(|group| (2..=GROUP_MAX).contains(&group.len())).collect();
        Self { alike: alike.into_iter().collect(), named: named.into_values().collect() }
    }
}

/// Which of so many arguments may differ, as bits; of long terms one or all.
fn masks(arguments: usize) -> Vec<u32> {
    match arguments {
        0 => Vec::new(),
        1..=4 => (1..1 << arguments).collect(),
        more => (0..more.min(31)).map(|place| 1 << place).chain([u32::MAX]).collect(),
    }
}
