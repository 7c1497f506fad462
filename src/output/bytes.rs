//! Amounts of memory in words.

/// A number of bytes as a person reads it.
pub(crate) fn bytes(count: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let count = count as f64;
    match count {
        large if large >= 1e9 => format!("{:.2} GB", large / 1e9),
        large if large >= 1e6 => format!("{:.1} MB", large / 1e6),
        large if large >= 1e3 => format!("{:.0} kB", large / 1e3),
        small => format!("{small} bytes"),
    }
}
