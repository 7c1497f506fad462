//! Checks that the seal of a record matches its lines, and who signed it.

use super::SealCheck;
use crate::{
    chance::Seed,
    digest::Digest,
    record::{SealKey, is_signature},
};

/// The line that seals a record.
pub(crate) struct Seal<'l> {
    /// The chain value that the line claims to follow.
    pub(crate) prev: Option<Digest>,
    /// The chain value that it signs.
    pub(crate) head: Digest,
    pub(crate) public_key: &'l [u8; 32],
    pub(crate) signature: &'l [u8; 64],
}

/// The first field of a seal that is wrong.
pub(crate) struct WrongSeal {
    pub(crate) field: &'static str,
    pub(crate) expected: String,
    pub(crate) found: String,
}

impl Seal<'_> {
    /// The result of checking the seal of a chain with the value `expected` in a match with this seed.
    pub(crate) fn check(&self, expected: Option<Digest>, seed: &Seed) -> Result<SealCheck, WrongSeal> {
        for (field, found) in [("prev", self.prev), ("head", Some(self.head))] {
            if found != expected {
                let text =
                    |head: Option<Digest>| head.map_or_else(|| "null".to_owned(), |head| head.to_string());
                return Err(WrongSeal { field, expected: text(expected), found: text(found) });
            }
        }
        if !is_signature(self.head, self.public_key, self.signature) {
            return Err(WrongSeal {
                field: "signature",
                expected: "the signature of head by public_key".to_owned(),
                found: hex::encode(self.signature),
            });
        }
        let is_from_seed = SealKey::from_seed(seed).public_key() == *self.public_key;
        Ok(if is_from_seed {
            SealCheck::FromSeed
        } else {
            SealCheck::Signed { public_key: *self.public_key }
        })
    }
}
