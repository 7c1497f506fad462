//! All randomness in a match, as a function of its seed, the domain, the turn and the role.
//!
//! A draw depends on nothing else: not on scheduling, crashes, or the number of earlier draws.
//!
//! # Sources
//! Keys: HKDF with SHA-256 (RFC 5869), no salt. Words: `ChaCha20` in Bernstein's layout, 64-bit block counter
//! from 0 and 64-bit stream. Draws: [`croupier_engine::draw`]. Together `chacha20-djb/hkdf-sha256/lemire64/1`.

#[cfg(test)]
mod tests;

use std::fmt;

use croupier_engine::{RoleId, draw::draw};
use hkdf::Hkdf;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::digest::Digest;

/// The name of this way of drawing, as records have it.
pub const RNG: &str = "chacha20-djb/hkdf-sha256/lemire64/1";

const PREFIX: &str = "croupier/v1/";
const CHANCE: &str = "chance";
const SUBSTITUTE: &str = "substitute";
const AGENT: &str = "agent/";
const MATCH: &str = "match/";
const SESSION_MATCH: &str = "session/match/";
const JOINT: &str = "joint";
const NONCE_TAG: &[u8] = b"croupier-nonce-v1";

/// Streams of one turn in a domain that has one stream for each role.
const ROLES_PER_TURN: u64 = 1 << 16;

/// The secret that all chance of a match comes from.
///
/// It reveals every hidden card until the match is over, so it prints as `Seed(..)`;
/// only [`reveal`](Self::reveal) returns its text.
///
/// ```
/// use croupier_referee::Seed;
///
/// let seed = Seed::from_text("42")?;
/// assert_eq!(format!("{seed:?}"), "Seed(..)");
/// assert_eq!(seed.reveal(), format!("2a{}", "0".repeat(62)));
/// // One seed gives a series, and each of its players a seed that tells nothing of the others.
/// assert_ne!(seed.for_match(0), seed.for_match(1));
/// assert_ne!(seed.agent("alice"), seed.agent("bob"));
/// # Ok::<(), croupier_referee::SeedError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

/// Why a text is not a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SeedError {
    /// It is neither 64 hexadecimal digits nor an integer.
    #[error("not a seed: write 64 hexadecimal digits, or an integer such as 42")]
    Malformed,
    /// It is an integer of 2^128 or more.
    #[error("not a seed: an integer must be below 2^128; write 64 hexadecimal digits instead")]
    TooLarge,
}

impl Seed {
    /// The seed with these bytes, which should come from the operating system.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses a seed: 64 hexadecimal digits in either case, or an integer `n` from 0 to
    /// 2^128 - 1, which means `n` as 32 little-endian bytes.
    ///
    /// Sixty-four decimal digits are read as hexadecimal ones.
    ///
    /// # Errors
    /// [`SeedError`], which says what to write.
    pub fn from_text(text: &str) -> Result<Self, SeedError> {
        let mut bytes = [0; 32];
        if hex::decode_to_slice(text, &mut bytes).is_ok() {
            return Ok(Self(bytes));
        }
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(SeedError::Malformed);
        }
        let number: u128 = text.parse().map_err(|_| SeedError::TooLarge)?;
        bytes = [0; 32];
        bytes[..16].copy_from_slice(&number.to_le_bytes());
        Ok(Self(bytes))
    }

    /// The seed as 64 hexadecimal digits: for its owner, and for everyone once the match is over.
    #[must_use]
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }

    /// The seed of one match of a series: this one for index 0, derived ones for the others.
    ///
    /// So one seed determines a whole series, and each match can be rerun on its own from the seed that its record reveals.
    #[must_use]
    pub fn for_match(&self, index: u64) -> Self {
        if index == 0 { self.clone() } else { Self(self.key(&format!("{MATCH}{index}"))) }
    }

    /// The seed of one deal of a session, from 1. That of the first is derived like all others: a match reveals its own seed
    /// when it is over, and nobody can go back from there to the seed of the session.
    ///
    /// ```
    /// use croupier_referee::Seed;
    ///
    /// let session = Seed::from_text("42")?;
    /// assert_ne!(session.for_session_match(1), session);
    /// assert_ne!(session.for_session_match(1), session.for_session_match(2));
    /// # Ok::<(), croupier_referee::SeedError>(())
    /// ```
    #[must_use]
    pub fn for_session_match(&self, deal: u64) -> Self {
        Self(self.key(&format!("{SESSION_MATCH}{deal}")))
    }

    /// The seed for the agent that sits in the role of this name.
    #[must_use]
    pub fn agent(&self, role_name: &str) -> [u8; 32] {
        self.key(&format!("{AGENT}{role_name}"))
    }

    /// The seed that a match is dealt from once players have added their nonces, in the order of the rules.
    ///
    /// Nobody who lacks one of them can choose the deal, not even the referee: it is bound to its seed by the
    /// commitment before it receives the first nonce, and every player to its nonce before any is disclosed.
    pub(crate) fn joined(&self, nonces: &[(&str, Nonce)]) -> Self {
        let mut salt = Sha256::new();
        for (role, nonce) in nonces {
            salt.update((role.len() as u64).to_le_bytes());
            salt.update(role.as_bytes());
            salt.update(nonce.0);
        }
        let mut key = [0; 32];
        Hkdf::<Sha256>::new(Some(&salt.finalize()), &self.0)
            .expand(format!("{PREFIX}{JOINT}").as_bytes(), &mut key)
            .expect("32 bytes are within the reach of HKDF");
        Self(key)
    }

    /// The independent key of one domain.
    pub(crate) fn key(&self, domain: &str) -> [u8; 32] {
        let mut key = [0; 32];
        Hkdf::<Sha256>::new(None, &self.0)
            .expand(format!("{PREFIX}{domain}").as_bytes(), &mut key)
            .expect("32 bytes are within the reach of HKDF");
        key
    }

    /// The seed as bytes, for a store that is as secret as the match.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(..)")
    }
}

/// A player's contribution to the seed of a match, which ensures that the referee alone did not choose the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nonce(pub [u8; 32]);

impl Nonce {
    /// What a player commits to before any nonce is disclosed: SHA-256 of `croupier-nonce-v1` and then, each after its
    /// length as eight little-endian bytes, the match id, the name of the player's role, and the nonce.
    ///
    /// ```
    /// use croupier_referee::Nonce;
    ///
    /// let nonce = Nonce([7; 32]);
    /// // Copied from another seat, or from another match, it is the commitment to nothing.
    /// assert_ne!(nonce.commitment("m1", "alice"), nonce.commitment("m1", "bob"));
    /// assert_ne!(nonce.commitment("m1", "alice"), nonce.commitment("m2", "alice"));
    /// ```
    #[must_use]
    pub fn commitment(&self, match_id: &str, role_name: &str) -> Digest {
        let mut hasher = Sha256::new();
        hasher.update(NONCE_TAG);
        for field in [match_id.as_bytes(), role_name.as_bytes(), &self.0] {
            hasher.update((field.len() as u64).to_le_bytes());
            hasher.update(field);
        }
        Digest(hasher.finalize().into())
    }

    /// The nonce that a player wrote as 64 hexadecimal digits.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok().map(|()| Self(bytes))
    }
}

/// The draws of one match.
///
/// ```
/// use croupier_referee::{Chance, Seed};
///
/// let chance = Chance::new(&Seed::from_text("42")?);
/// let fifth = chance.draw(5, 52);
/// // What else is drawn, and when, changes nothing.
/// let others: Vec<u64> = (0..5).map(|turn| chance.draw(turn, 52)).collect();
/// assert!(others.iter().all(|&drawn| drawn < 52));
/// assert_eq!(chance.draw(5, 52), fifth);
/// # Ok::<(), croupier_referee::SeedError>(())
/// ```
#[derive(Clone)]
pub struct Chance {
    chance_key: [u8; 32],
    substitute_key: [u8; 32],
}

impl Chance {
    /// The draws that `seed` gives.
    #[must_use]
    pub fn new(seed: &Seed) -> Self {
        Self { chance_key: seed.key(CHANCE), substitute_key: seed.key(SUBSTITUTE) }
    }

    /// The index, from 0, of the move that `random` plays in a turn, among its `n` legal moves.
    ///
    /// # Panics
    /// If `n` is 0.
    #[must_use]
    pub fn draw(&self, turn: u32, n: u64) -> u64 {
        let mut words = stream(&self.chance_key, u64::from(turn));
        draw(n, || words.next_u64())
    }

    /// The index of the move that is substituted for a player in a turn, among its `n` legal moves.
    ///
    /// # Panics
    /// If `n` is 0.
    #[must_use]
    pub fn substitute(&self, turn: u32, role: RoleId, n: u64) -> u64 {
        let mut words = stream(&self.substitute_key, u64::from(turn) * ROLES_PER_TURN + role.index() as u64);
        draw(n, || words.next_u64())
    }
}

impl fmt::Debug for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Chance(..)")
    }
}

/// A key's stream from its start; a 64-bit word is two 32-bit words, the low one first.
fn stream(key: &[u8; 32], number: u64) -> ChaCha20Rng {
    let mut words = ChaCha20Rng::from_seed(*key);
    words.set_stream(number);
    words
}
