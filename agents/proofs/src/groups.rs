//! Fluents that belong together, told by their words.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use croupier_engine::{Game, game::GameNetwork};

use crate::{interner::is_set, properties::properties};

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
    /// Those with the same name, those of them that have an argument in common which has few values, such as a role, or a property of one,
    /// such as the suit of a card, and single ones of names that few have.
    pub(crate) told: Vec<Vec<usize>>,
    /// The name and arguments of each fluent.
    pub(crate) words: Vec<Vec<String>>,
}

/// How many values an argument may have to tell fluents apart by it.
const VALUES_MAX: usize = 8;

/// The most groups of those that are told apart by an argument.
const TOLD_MAX: usize = 160;

impl FluentGroups {
    /// The groups of the fluents of a game.
    pub(crate) fn of(game: &Game, network: &GameNetwork) -> Self {
        let texts = network.fluents().iter().map(|&fluent| game.fluent_text(fluent).to_string());
        let (mut groups, mut named) =
            (BTreeMap::<String, Vec<usize>>::new(), BTreeMap::<String, Vec<usize>>::new());
        let mut of_arguments = ArgumentGroups::new();
        let mut words = Vec::new();
        let properties = properties(game.rules().program());
        for (base, text) in texts.enumerate() {
            let parts = parts(&text);
            words.push(parts.iter().map(|&part| part.to_owned()).collect());
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
            for (place, part) in parts.iter().enumerate().skip(1) {
                let of_properties = properties.iter().map(|property| property.get(*part).map(String::as_str));
                for (number, value) in [Some(*part)].into_iter().chain(of_properties).enumerate() {
                    let Some(value) = value else { continue };
                    let of_values = of_arguments.entry((parts[0].to_owned(), place, number)).or_default();
                    of_values.entry(value.to_owned()).or_default().push(base);
                }
            }
        }
        let alike: BTreeSet<Vec<usize>> =
            groups.into_values().filter(|group| (2..=GROUP_MAX).contains(&group.len())).collect();
        let told = told(&named, &of_arguments);
        Self { alike: alike.into_iter().collect(), named: named.into_values().collect(), told, words }
    }

    /// The values of so many bases, and after them of each group told apart whether some of it is true.
    pub(crate) fn described(&self, row: &[u64], bases: usize) -> Vec<u64> {
        let mut described = row.to_vec();
        described.resize((bases + self.told.len()).div_ceil(64), 0);
        for (number, group) in self.told.iter().enumerate() {
            let (word, bit) = ((bases + number) / 64, (bases + number) % 64);
            described[word] |= u64::from(group.iter().any(|&base| is_set(row, base))) << bit;
        }
        described
    }
}

/// By name, place of an argument and number of a property, with 0 for the argument itself, the fluents with each value of it.
type ArgumentGroups = BTreeMap<(String, usize, usize), BTreeMap<String, Vec<usize>>>;

fn told(named: &BTreeMap<String, Vec<usize>>, of_arguments: &ArgumentGroups) -> Vec<Vec<usize>> {
    let few = of_arguments.values().filter(|of_values| (2..=VALUES_MAX).contains(&of_values.len()));
    let all = named.values().chain(few.flat_map(BTreeMap::values)).filter(|group| group.len() > 1);
    let alone = named.values().filter(|group| group.len() <= VALUES_MAX).flatten();
    let distinct: BTreeSet<Vec<usize>> = all.cloned().chain(alone.map(|&base| vec![base])).collect();
    // The largest say most.
    let mut distinct: Vec<Vec<usize>> = distinct.into_iter().collect();
    distinct.sort_by_key(|group| Reverse(group.len()));
    distinct.truncate(TOLD_MAX);
    distinct
}

/// Which of so many arguments may differ, as bits; of long terms one or all.
fn masks(arguments: usize) -> Vec<u32> {
    match arguments {
        0 => Vec::new(),
        1..=4 => (1..1 << arguments).collect(),
        more => (0..more.min(31)).map(|place| 1 << place).chain([u32::MAX]).collect(),
    }
}
