//! A token in a file that only its owner can read.

use std::path::Path;

use crate::{
    arguments::file::{create_private, read_file},
    output::failure::Failure,
};

/// Longest file with a token, in bytes.
const TOKEN_BYTES_MAX: usize = 4096;

/// Fewest characters of a token: what cannot be guessed.
const TOKEN_CHARS_MIN: usize = 32;

/// Writes a token to a file that was not there.
///
/// # Errors
/// If the file is there, or cannot be written.
pub(crate) fn write(path: &Path, secret: &[u8; 32]) -> Result<(), Failure> {
    let text = format!("{}\n", hex::encode(secret));
    create_private(path, &text).map_err(|error| Failure::file("unwritable-file", path, &error))
}

/// The token in a file.
///
/// # Errors
/// If the file cannot be read, or what it holds can be guessed.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let bytes = read_file(path, TOKEN_BYTES_MAX)?;
    let text = String::from_utf8_lossy(&bytes).trim().to_owned();
    if text.len() >= TOKEN_CHARS_MIN && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(text);
    }
    let message = format!("a token is one word of at least {TOKEN_CHARS_MIN} characters");
    Err(Failure::refuse("bad-token", message)
        .at(&path.display().to_string())
        .help("delete the file, and the server makes one"))
}
