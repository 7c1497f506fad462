//! Names of a rules text, and names that it does not use.

use std::collections::{BTreeMap, BTreeSet};

use super::ConversionError;
use crate::{lifetime::canonical_decimal, syntax::Description};

/// Every constant, function and relation of a text.
#[derive(Debug)]
pub(super) struct TextNames {
    used: BTreeSet<String>,
}

impl TextNames {
    /// The names in a text.
    pub(super) fn of(description: &Description) -> Self {
        let mut used = BTreeSet::new();
        for clause in &description.clauses {
            clause.for_each_term(&mut |term| used.extend(term.name().map(str::to_owned)));
        }
        Self { used }
    }

    /// The name with as many underscores appended as needed to make it new.
    pub(super) fn unused(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.used.contains(&name) {
            name.push('_');
        }
        name
    }

    /// Whether all decimals stay apart in real-time rules, where `1.0`, `01` and `1` are one constant.
    ///
    /// # Errors
    /// [`ConversionError::SameNumber`].
    pub(super) fn check_numbers(&self) -> Result<(), ConversionError> {
        let mut spelled: BTreeMap<String, &str> = BTreeMap::new();
        for name in &self.used {
            let Some(canonical) = canonical_decimal(name) else { continue };
            if let Some(known) = spelled.insert(canonical.into_owned(), name) {
                return Err(ConversionError::SameNumber { one: known.to_owned(), other: name.clone() });
            }
        }
        Ok(())
    }
}
