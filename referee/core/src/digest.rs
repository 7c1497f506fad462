//! SHA-256 digests, and bytes as text: everything that an auditor can recompute with any tool.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sha2::{Digest as _, Sha256};

/// A SHA-256 value; prints as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest that prints like this; `None` if none does.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok().map(|()| Self(bytes))
    }

    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of the lines `terms`, joined by one newline each; of the empty text if there are none.
    #[must_use]
    pub fn of_terms<T: AsRef<str>>(terms: &[T]) -> Self {
        let mut hasher = Sha256::new();
        for (index, term) in terms.iter().enumerate() {
            if index > 0 {
                hasher.update(b"\n");
            }
            hasher.update(term.as_ref().as_bytes());
        }
        Self(hasher.finalize().into())
    }

    /// The digest of this value followed by `bytes`: one link of a chain.
    #[must_use]
    pub fn followed_by(&self, bytes: &[u8]) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(self.0);
        hasher.update(bytes);
        Self(hasher.finalize().into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// As it prints.
impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        bytes_of_hex(&text)
            .map(Self)
            .ok_or_else(|| D::Error::custom("expected 64 lower-case hexadecimal digits"))
    }
}

/// The bytes written as lower-case hexadecimal digits in `text`, or `None` for anything else.
///
/// Upper case is rejected so that each value has exactly one text, and no change to a record goes unnoticed.
pub(crate) fn bytes_of_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}
