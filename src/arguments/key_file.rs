//! Keys in files: the secret one that signs records, and the public one that they are checked with.

use std::path::Path;

use croupier_referee::{SealKey, record::is_public_key};

use crate::{
    arguments::{
        existing::file_exists,
        file::{create_private, read_file},
    },
    output::failure::Failure,
};

/// A public ed25519 key.
pub(crate) type PublicKey = [u8; 32];

/// Longest file with a key, in bytes.
const KEY_BYTES_MAX: usize = 4096;

/// The first line of a file with a secret key: so that nobody takes it for a public one.
const SECRET: &str = "croupier secret key";

/// Writes a secret key to a file that only its owner can read, and that was not there.
///
/// # Errors
/// If the file is there, or cannot be written.
pub(crate) fn write_secret(path: &Path, secret: &[u8; 32]) -> Result<(), Failure> {
    let failed = |error: &std::io::Error| Failure::file("unwritable-file", path, error);
    let text = format!("{SECRET}\n{}\n", hex::encode(secret));
    create_private(path, &text).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => file_exists(
            path,
            "a key is never replaced: what it signed could not be signed again; name another file",
        ),
        _ => failed(&error),
    })
}

/// The secret key in a file: as [`write_secret`] writes it, or 32 bytes. Digits alone are taken for a public key.
///
/// # Errors
/// If the file cannot be read, or holds no key.
pub(crate) fn secret(path: &Path) -> Result<SealKey, Failure> {
    let bytes = read_file(path, KEY_BYTES_MAX)?;
    if digits(&bytes).is_some() {
        let message = "these digits are a public key, or a secret one that does not say so";
        return Err(Failure::refuse("bad-key", message)
            .at(&path.display().to_string())
            .help(format!("the first line of a file with a secret key is `{SECRET}`")));
    }
    let key = labelled(&bytes).and_then(digits).or_else(|| <[u8; 32]>::try_from(bytes.as_slice()).ok());
    key.map(|key| SealKey::from_bytes(&key)).ok_or_else(|| {
        Failure::refuse("bad-key", "there is no secret key in the file")
            .at(&path.display().to_string())
            .help("`croupier key new -o my.key` makes one")
    })
}

/// The public key that an argument gives: 64 hexadecimal digits, or a file that has them, or a file with the secret key
/// that it belongs to.
///
/// # Errors
/// If it is neither.
pub(crate) fn public(argument: &str) -> Result<PublicKey, Failure> {
    let refuse = |message: &str| {
        Failure::refuse("bad-key", message)
            .at_argument("--signed-by", argument)
            .help("`croupier key show my.key` prints a public key: 64 hexadecimal digits")
    };
    let key = match digits(argument.as_bytes()) {
        Some(key) => key,
        None => {
            let path = Path::new(argument);
            if !path.exists() {
                return Err(refuse("this is neither a public key nor a file"));
            }
            let bytes = read_file(path, KEY_BYTES_MAX)?;
            match labelled(&bytes) {
                Some(_) => return secret(path).map(|key| key.public_key()),
                None => digits(&bytes).ok_or_else(|| refuse("there is no public key in the file"))?,
            }
        }
    };
    if is_public_key(&key) { Ok(key) } else { Err(refuse("these digits are no public key")) }
}

/// The public key that 64 hexadecimal digits write.
pub(crate) fn published(text: &str) -> Option<PublicKey> {
    digits(text.as_bytes()).filter(is_public_key)
}

/// What follows the first line that says that a secret key does.
fn labelled(bytes: &[u8]) -> Option<&[u8]> {
    bytes.strip_prefix(SECRET.as_bytes()).filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
}

/// The 32 bytes that 64 hexadecimal digits write.
fn digits(text: &[u8]) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    hex::decode_to_slice(text.trim_ascii(), &mut key).ok().map(|()| key)
}
