//! Names and their ids.

use std::{
    collections::BTreeMap,
    hash::{Hash as _, Hasher as _},
};

use rustc_hash::FxHasher;

use crate::id::SymbolId;

/// The names of a rules text.
///
/// Look-up goes by the hash of a name in an ordered map: nearly always two numbers are compared instead of two
/// names, and it stays logarithmic whatever names an author chooses.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<String>,
    by_hash: BTreeMap<u64, SymbolId>,
    /// Names with the same hash as an earlier name.
    others: BTreeMap<String, SymbolId>,
}

impl Symbols {
    /// The id of `name`, new if it was not known.
    ///
    /// # Panics
    /// Beyond 2^32 - 2 names, which no text within [`Limits`](crate::Limits) can have.
    pub fn intern(&mut self, name: &str) -> SymbolId {
        self.intern_hashed(name, hash(name))
    }

    fn intern_hashed(&mut self, name: &str, hash: u64) -> SymbolId {
        let next = SymbolId::new(self.names.len()).expect("limits keep the number of names small");
        let mut id = *self.by_hash.entry(hash).or_insert(next);
        if id != next && self.names[id.index()] != name {
            id = match self.others.get(name) {
                Some(&known) => known,
                None => *self.others.entry(name.to_owned()).or_insert(next),
            };
        }
        if id == next {
            self.names.push(name.to_owned());
        }
        id
    }

    /// The id of `name` if it is known.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<SymbolId> {
        self.get_hashed(name, hash(name))
    }

    fn get_hashed(&self, name: &str, hash: u64) -> Option<SymbolId> {
        let &id = self.by_hash.get(&hash)?;
        if self.names[id.index()] == name { Some(id) } else { self.others.get(name).copied() }
    }

    /// The name of an id of this table.
    #[must_use]
    pub fn name(&self, id: SymbolId) -> &str {
        &self.names[id.index()]
    }

    /// How many names there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_one_hash_are_told_apart() {
        let mut symbols = Symbols::default();
        let ids = ["a", "b", "c", "b", "a"].map(|name| symbols.intern_hashed(name, 7).index());
        assert_eq!(ids, [0, 1, 2, 1, 0]);
        assert_eq!(symbols.len(), 3);
        let known = ["a", "b", "c", "d"].map(|name| symbols.get_hashed(name, 7).map(|id| symbols.name(id)));
        assert_eq!(known, [Some("a"), Some("b"), Some("c"), None]);
        assert_eq!(symbols.get_hashed("a", 8), None);
    }
}
