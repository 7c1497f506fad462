//! How long the disk takes to make a small write durable: what every message of every match waits for.

use std::{fs::File, io::Write as _, path::Path};

use super::latency::Latencies;
use crate::{output::failure::Failure, sessions::clock};

/// Writes that are measured, and the bytes of each: a page of the store.
const WRITES: usize = 100;
const BYTES: usize = 4_096;

/// Times of `fdatasync` after an appended page, in this folder.
///
/// # Errors
/// If nothing can be written there.
pub(super) fn sync_times(folder: &Path) -> Result<Latencies, Failure> {
    let path = folder.join("sync");
    let failed = |error| Failure::file("unwritable-file", &path, &error);
    let mut file = File::create(&path).map_err(failed)?;
    let mut times = Latencies::default();
    for _ in 0..WRITES {
        file.write_all(&[0x55; BYTES]).map_err(failed)?;
        let begun = clock::now();
        file.sync_data().map_err(failed)?;
        times.add(begun.elapsed());
    }
    Ok(times)
}
