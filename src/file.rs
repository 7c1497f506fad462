//! Files that commands are given, read within bounds.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use crate::failure::Failure;

/// The contents of a file of at most `bytes_max` bytes.
///
/// # Errors
/// If it cannot be read or is longer.
pub(crate) fn read_file(path: &Path, bytes_max: usize) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: io::Error| Failure::file("unreadable-file", path, &error);
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(bytes_max as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > bytes_max {
        return Err(Failure::refuse(
            "file-too-large",
            format!("limit {bytes_max} bytes, and the file has more"),
        )
        .at(&path.display().to_string()));
    }
    Ok(bytes)
}
