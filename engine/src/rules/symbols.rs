//! Names and their ids.

use std::collections::BTreeMap;

use crate::id::SymbolId;

/// The names of a rules text. Ordered maps keep look-up logarithmic whatever names an author chooses.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<String>,
    ids: BTreeMap<String, SymbolId>,
}

impl Symbols {
    /// The id of `name`, new if it was not known.
    ///
    /// # Panics
    /// Beyond 2^32 - 2 names, which no text within [`Limits`](crate::Limits) can have.
    pub fn intern(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = SymbolId::new(self.names.len()).expect("limits keep the number of names small");
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// The id of `name` if it is known.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<SymbolId> {
        self.ids.get(name).copied()
    }

    /// The name behind an id of this table.
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
