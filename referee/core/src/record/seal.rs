//! What makes damage to a record visible: its chain, the commitment to its seed, its signature.

use std::fmt;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::{
    chance::Seed,
    digest::Digest,
    record::{Genesis, entry::Entry, kind::Kind},
};

const COMMIT_TAG: &[u8] = b"croupier-commit-v1";
const SEAL_TAG: &[u8] = b"croupier-seal-v1";
const COMMITMENT_TAG: &[u8] = b"croupier-commitment-v1";
const SESSION_COMMIT_TAG: &[u8] = b"croupier-session-commit-v1";
const SESSION_SEAL_TAG: &[u8] = b"croupier-session-seal-v1";
const NONCES_TAG: &[u8] = b"croupier-nonces-v1";
const NONCE: &str = "nonce";
const SEAL: &str = "seal";
const TOKEN: &str = "token/";

/// The key that signs records.
///
/// A key that its owner keeps shows who sealed a record. The key [`from_seed`](Self::from_seed) does not: the
/// record reveals the seed, so anyone can then make that seal. It shows damage, not authorship.
#[derive(Clone)]
pub struct SealKey(SigningKey);

impl SealKey {
    /// The key with these secret bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(bytes))
    }

    /// The key for those who have none: derived from the seed of the match.
    #[must_use]
    pub fn from_seed(seed: &Seed) -> Self {
        Self::from_bytes(&seed.key(SEAL))
    }

    /// The public half, for those who verify.
    #[must_use]
    pub fn public_key(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    /// A token that only the owner of this key can make again: 32 bytes that say nothing about the key.
    #[must_use]
    pub fn token(&self, purpose: &str) -> [u8; 32] {
        Seed::from_bytes(self.0.to_bytes()).key(&format!("{TOKEN}{purpose}"))
    }

    /// The signature of a match's commitment, for clients who need it before the first message.
    #[must_use]
    pub fn sign_commitment(&self, commitment: Digest) -> [u8; 64] {
        self.0.sign(&commitment_bytes(commitment)).to_bytes()
    }

    /// The signature of all players' commitments to nonces, for each of them to keep before it discloses its own: of
    /// `croupier-nonces-v1`, the 32 bytes of the match's commitment, and by role, each after its length as eight
    /// little-endian bytes, the role and the 32 bytes of its commitment.
    #[must_use]
    pub fn sign_nonces(&self, commitment: Digest, nonces: &[(String, Digest)]) -> [u8; 64] {
        self.0.sign(&nonces_bytes(commitment, nonces)).to_bytes()
    }

    /// The signature of a whole session whose record has this chain value.
    #[must_use]
    pub fn sign_session(&self, head: Digest) -> [u8; 64] {
        self.0.sign(&session_bytes(head)).to_bytes()
    }

    /// The line that ends a record whose chain value is `head`.
    pub(crate) fn seal<K: Kind>(&self, head: Digest) -> Entry<K> {
        let signature = self.0.sign(&sealed_bytes(head)).to_bytes();
        Entry::Seal { head, public_key: self.public_key(), signature }
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealKey(..)")
    }
}

/// Whether these bytes are a public key that a seal can be checked with.
#[must_use]
pub fn is_public_key(bytes: &[u8; 32]) -> bool {
    VerifyingKey::from_bytes(bytes).is_ok_and(|key| !key.is_weak())
}

/// Whether `signature` is that of `head` by the owner of `public_key`; no weak key is accepted.
pub(crate) fn is_signature(head: Digest, public_key: &[u8; 32], signature: &[u8; 64]) -> bool {
    is_signed(&sealed_bytes(head), public_key, signature)
}

/// Whether `signature` is that of [`SealKey::sign_commitment`] by the owner of `public_key`; no weak key is accepted.
#[must_use]
pub fn is_signed_commitment(commitment: Digest, public_key: &[u8; 32], signature: &[u8; 64]) -> bool {
    is_signed(&commitment_bytes(commitment), public_key, signature)
}

/// Whether `signature` is that of [`SealKey::sign_nonces`] by the owner of `public_key`; no weak key is accepted.
#[must_use]
pub fn are_signed_nonces(
    commitment: Digest,
    nonces: &[(String, Digest)],
    public_key: &[u8; 32],
    signature: &[u8; 64],
) -> bool {
    is_signed(&nonces_bytes(commitment, nonces), public_key, signature)
}

/// Whether `signature` is that of [`SealKey::sign_session`] by the owner of `public_key`; no weak key is accepted.
#[must_use]
pub fn is_signed_session(head: Digest, public_key: &[u8; 32], signature: &[u8; 64]) -> bool {
    is_signed(&session_bytes(head), public_key, signature)
}

fn is_signed(message: &[u8], public_key: &[u8; 32], signature: &[u8; 64]) -> bool {
    VerifyingKey::from_bytes(public_key)
        .is_ok_and(|key| key.verify_strict(message, &Signature::from_bytes(signature)).is_ok())
}

fn commitment_bytes(commitment: Digest) -> Vec<u8> {
    [COMMITMENT_TAG, &commitment.0].concat()
}

fn nonces_bytes(commitment: Digest, nonces: &[(String, Digest)]) -> Vec<u8> {
    let mut signed = [NONCES_TAG, &commitment.0].concat();
    for field in nonces.iter().flat_map(|(role, digest)| [role.as_bytes(), &digest.0]) {
        signed.extend((field.len() as u64).to_le_bytes());
        signed.extend(field);
    }
    signed
}

fn session_bytes(head: Digest) -> Vec<u8> {
    [SESSION_SEAL_TAG, &head.0].concat()
}

fn sealed_bytes(head: Digest) -> Vec<u8> {
    [SEAL_TAG, &head.0].concat()
}

/// What hides a seed in its commitment; derived from the seed, so that the same match gives the same record.
pub(crate) fn nonce(seed: &Seed) -> [u8; 32] {
    seed.key(NONCE)
}

/// The commitment to a seed: SHA-256 of `croupier-commit-v1` and then, each after its length as eight little-endian
/// bytes, the match id, the 32 bytes of the game's digest, each role in order, the seed and the nonce.
///
/// Two lists of fields that differ give different bytes: the roles come after their number, written like a length.
#[must_use]
pub fn commitment(genesis: &Commitment<'_>, seed: &Seed, nonce: &[u8; 32]) -> Digest {
    let mut hasher = Sha256::new();
    hasher.update(COMMIT_TAG);
    let mut field = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    field(genesis.match_id.as_bytes());
    field(&genesis.game_digest.0);
    field(&(genesis.roles.len() as u64).to_le_bytes());
    for role in genesis.roles {
        field(role.as_bytes());
    }
    field(seed.as_bytes());
    field(nonce);
    Digest(hasher.finalize().into())
}

/// The commitment to the seed of a session: SHA-256 of `croupier-session-commit-v1` and then, each after its length as eight
/// little-endian bytes, the id of the session, the 32 bytes of the digest of its terms, the seed, and what hides the seed, which is
/// derived from it.
#[must_use]
pub fn session_commitment(session_id: &str, terms: Digest, seed: &Seed) -> Digest {
    let mut hasher = Sha256::new();
    hasher.update(SESSION_COMMIT_TAG);
    for field in [session_id.as_bytes(), &terms.0, seed.as_bytes(), &nonce(seed)] {
        hasher.update((field.len() as u64).to_le_bytes());
        hasher.update(field);
    }
    Digest(hasher.finalize().into())
}

/// The commitment of a match that is dealt from a seed, as its record will have it.
#[must_use]
pub fn commitment_of<K: Kind>(header: &K::Header, seed: &Seed) -> Digest {
    let names = K::roles(header);
    let roles: Vec<String> = names.all().map(|role| names.name(role).to_owned()).collect();
    let match_id = K::shared(K::setup(header)).match_id;
    let bound = Commitment { match_id, game_digest: K::game_digest(header), roles: &roles };
    commitment(&bound, seed, &nonce(seed))
}

/// The data to which a commitment binds a seed.
#[derive(Clone, Copy, Debug)]
pub struct Commitment<'a> {
    /// Id of the match.
    pub match_id: &'a str,
    /// SHA-256 of the rules text.
    pub game_digest: Digest,
    /// The roles in the order of the rules, `random` included.
    pub roles: &'a [String],
}

impl<'a, K: Kind> From<&'a Genesis<K>> for Commitment<'a> {
    fn from(genesis: &'a Genesis<K>) -> Self {
        let match_id = K::shared(&genesis.setup).match_id;
        Self { match_id, game_digest: genesis.game_digest, roles: &genesis.roles }
    }
}

/// The chain of a record: the digest of its first line, then of the value so far and each further line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chain {
    head: Option<Digest>,
}

impl Chain {
    /// The value so far; `None` before the first line.
    pub(crate) fn head(self) -> Option<Digest> {
        self.head
    }

    /// The line for `entry`, which extends the chain.
    pub(crate) fn append<K: Kind>(&mut self, entry: &Entry<K>) -> String {
        let line = entry.line(self.head);
        self.absorb(line.as_bytes());
        line
    }

    /// Extends the chain by a line that is already stored, given without its newline.
    pub(crate) fn absorb(&mut self, line: &[u8]) {
        self.head = Some(match self.head {
            None => Digest::of(line),
            Some(head) => head.followed_by(line),
        });
    }
}
