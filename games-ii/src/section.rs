//! Tables of patterns and words in a `game.toml`, in the order of the file.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};

use crate::phrase::PhraseLines;

/// A table of words in the order of the file: the first pattern that fits is used, and the table is
/// shown in this order.
#[derive(Default)]
pub(crate) struct Section(pub(crate) PhraseLines);

impl<'de> Deserialize<'de> for Section {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = PhraseLines;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of patterns, each with its words")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PhraseLines, A::Error> {
                let mut lines = PhraseLines::new();
                while let Some(line) = map.next_entry()? {
                    lines.push(line);
                }
                Ok(lines)
            }
        }

        deserializer.deserialize_map(InOrder).map(Self)
    }
}
