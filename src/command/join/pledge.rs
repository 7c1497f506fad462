//! What the server has signed: proof in the hands of the player, so it is checked before anything is answered.

use std::collections::BTreeMap;

use croupier_engine::Roles;
use croupier_referee::{
    Digest,
    record::{are_signed_nonces, is_signed_commitment},
};

use crate::arguments::key_file::PublicKey;

/// The commitment of a server to the seed of a match, which it has signed.
pub(super) struct Pledge {
    commitment: Digest,
    public_key: PublicKey,
}

impl Pledge {
    /// The pledge of a `start`: its commitment, the signature of that, and the key which is to check it, in hexadecimal digits.
    /// `known` is the key of the server, wherever that is known from.
    ///
    /// # Errors
    /// If it proves nothing: it has another key, or the signature is not by the key.
    pub(super) fn new([commitment, signature, key]: [&str; 3], known: &PublicKey) -> Result<Self, String> {
        let public_key =
            bytes::<32>(key).ok_or("the public key in its `start` is not 64 hexadecimal digits")?;
        if public_key != *known {
            return Err(format!(
                "its `start` is of the key {key}, which is not the server's, {}",
                hex::encode(known)
            ));
        }
        let commitment = Digest::from_hex(commitment)
            .ok_or("the commitment in its `start` is not 64 hexadecimal digits")?;
        if !bytes(signature).is_some_and(|it| is_signed_commitment(commitment, &public_key, &it)) {
            return Err(format!("the signature of its commitment is not by its key, {key}"));
        }
        Ok(Self { commitment, public_key })
    }

    /// Checks the signature of what all players have committed to, by role.
    ///
    /// # Errors
    /// If it is not by the key of the pledge, or not of these commitments.
    pub(super) fn check(
        &self,
        roles: &Roles,
        commitments: &BTreeMap<String, String>,
        signature: &str,
    ) -> Result<(), String> {
        let in_order = roles.all().map(|role| roles.name(role)).filter_map(|role| {
            let digest = Digest::from_hex(commitments.get(role)?)?;
            Some((role.to_owned(), digest))
        });
        let in_order: Vec<(String, Digest)> = in_order.collect();
        let is_whole = in_order.len() == commitments.len();
        let is_signed = |it| are_signed_nonces(self.commitment, &in_order, &self.public_key, it);
        if is_whole && bytes(signature).as_ref().is_some_and(is_signed) {
            return Ok(());
        }
        let key = hex::encode(self.public_key);
        Err(format!("the signature of the players' commitments to nonces is not by its key, {key}"))
    }
}

/// The bytes that hexadecimal digits write.
fn bytes<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(digits, &mut bytes).ok().map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use croupier_referee::SealKey;

    use super::*;

    const COMMITMENT: Digest = Digest([3; 32]);

    #[test]
    fn a_commitment_is_a_pledge_only_by_the_servers_key() {
        let [key, other] = [[7; 32], [8; 32]].map(|bytes| SealKey::from_bytes(&bytes));
        let text = COMMITMENT.to_string();
        let pledge = |signer: &SealKey, shown: &SealKey, known: &SealKey| {
            let (signature, shown) = (signer.sign_commitment(COMMITMENT), shown.public_key());
            Pledge::new([&text, &hex::encode(signature), &hex::encode(shown)], &known.public_key())
        };
        assert!(pledge(&key, &key, &key).is_ok());
        let error = pledge(&other, &key, &key).err().unwrap_or_default();
        assert!(error.starts_with("the signature of its commitment is not by its key"), "{error}");
        let error = pledge(&other, &other, &key).err().unwrap_or_default();
        assert!(error.contains("which is not the server's"), "{error}");
        let signature = hex::encode(key.sign_commitment(Digest([4; 32])));
        let shown = hex::encode(key.public_key());
        assert!(
            Pledge::new([&text, &signature, &shown], &key.public_key()).is_err(),
            "of another commitment"
        );
    }

    #[test]
    fn what_all_have_committed_to_is_signed_in_the_order_of_the_roles_whatever_their_names() {
        let key = SealKey::from_bytes(&[7; 32]);
        let pledge = Pledge { commitment: COMMITMENT, public_key: key.public_key() };
        let roles = Roles::new(["zoe", "random", "ann"].map(str::to_owned).to_vec()).expect("three roles");
        let committed = [("zoe", Digest([1; 32])), ("ann", Digest([2; 32]))];
        let signature =
            key.sign_nonces(COMMITMENT, &committed.map(|(role, digest)| (role.to_owned(), digest)));
        let signature = hex::encode(signature);
        let by_role: BTreeMap<String, String> =
            committed.iter().map(|(role, digest)| ((*role).to_owned(), digest.to_string())).collect();
        assert_eq!(pledge.check(&roles, &by_role, &signature), Ok(()));
        let others = [("zoe", 9), ("ann", 9), ("random", 9), ("eve", 9)];
        for (role, byte) in others {
            let mut by_role = by_role.clone();
            by_role.insert(role.to_owned(), Digest([byte; 32]).to_string());
            assert!(pledge.check(&roles, &by_role, &signature).is_err(), "{role}");
        }
        let elsewhere = Pledge { commitment: Digest([4; 32]), public_key: key.public_key() };
        assert!(elsewhere.check(&roles, &by_role, &signature).is_err(), "of another match");
    }
}
