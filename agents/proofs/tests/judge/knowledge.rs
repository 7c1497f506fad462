//! What roles know and learn, read off sets of states and pairs of turns.

use std::collections::{BTreeMap, BTreeSet};

use super::{Judge, JudgedState, Label};

impl Judge {
    /// The fluents of a state with this name and these roles among their arguments; `?` stands for any other argument.
    pub(crate) fn matching(&self, state: &JudgedState, pattern: &str) -> BTreeSet<String> {
        let wanted = words(pattern);
        let fits = |fluent: &&String| {
            let own = words(fluent);
            own.len() == wanted.len()
                && own.iter().zip(&wanted).enumerate().all(|(place, (own, wanted))| match wanted.as_str() {
                    "?" => place > 0 && !self.roles.contains(own),
                    wanted => own == wanted,
                })
        };
        state.fluents.iter().filter(fits).cloned().collect()
    }

    /// Whether a role is certain of one of some fluents while a match goes on.
    pub(crate) fn learns(&self, role: &str, pattern: &str) -> bool {
        self.sets(role).keys().any(|set| {
            let running =
                set.iter().map(|&state| &self.states[state]).filter(|state| !state.edges.is_empty());
            let common =
                running.map(|state| self.matching(state, pattern)).reduce(|one, other| &one & &other);
            common.is_some_and(|common| !common.is_empty())
        })
    }

    /// Whether the same last move and percepts always mean the same legal moves.
    pub(crate) fn is_told_moves(&self, role: &str) -> bool {
        let mut moves: BTreeMap<&Label, &BTreeSet<String>> = BTreeMap::new();
        let turns = self.states.iter().flat_map(|state| &state.edges);
        let running = turns.map(|(labels, target)| (&labels[role], &self.states[*target]));
        let mut running = running.filter(|(_, state)| !state.edges.is_empty());
        running.all(|(label, state)| *moves.entry(label).or_insert(&state.legal[role]) == &state.legal[role])
    }
}

/// The name and the arguments of a term.
fn words(term: &str) -> Vec<String> {
    let Some(inner) = term.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return vec![term.to_owned()];
    };
    let (mut found, mut depth) = (vec![String::new()], 0_usize);
    for letter in inner.chars() {
        match letter {
            ' ' if depth == 0 => found.push(String::new()),
            _ => {
                depth = if letter == '(' { depth + 1 } else { depth - usize::from(letter == ')') };
                found.last_mut().expect("a word").push(letter);
            }
        }
    }
    found
}
