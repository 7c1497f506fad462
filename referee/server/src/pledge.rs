//! What binds the server to the seed of a match, signed for those who play it.

use croupier_referee::{Digest, SealKey};

/// The commitment of one match, and the key that signs what players are to hold in their hands.
///
/// Signatures of ed25519 are a function of key and message: a frame with one is the same whenever it is made.
#[derive(Clone, Debug)]
pub(crate) struct Pledge {
    commitment: Digest,
    key: SealKey,
}

impl Pledge {
    pub(crate) fn new(commitment: Digest, key: SealKey) -> Self {
        Self { commitment, key }
    }

    /// The commitment, its signature and the key that checks it, in hexadecimal digits.
    pub(crate) fn texts(&self) -> [String; 3] {
        let signature = self.key.sign_commitment(self.commitment);
        [self.commitment.to_string(), hex::encode(signature), hex::encode(self.key.public_key())]
    }

    /// The signature of what all players have committed to.
    pub(crate) fn of_nonces(&self, commitments: &[(String, Digest)]) -> String {
        hex::encode(self.key.sign_nonces(self.commitment, commitments))
    }
}
