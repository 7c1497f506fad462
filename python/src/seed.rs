//! Seeds as Python writes them: an integer, or text.

use croupier_referee::Seed;
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyString};

use crate::errors::refused;

/// The seed that a caller wrote: an integer from 0 to 2^128 - 1, or 64 hexadecimal digits.
///
/// # Errors
/// `TypeError` for other types, `CroupierError` for other values.
pub(crate) fn seed(written: &Bound<'_, PyAny>) -> PyResult<Seed> {
    if let Ok(text) = written.cast::<PyString>() {
        return Seed::from_text(&text.to_cow()?).map_err(refused);
    }
    // NumPy's integers are taken too: whatever has `__index__`.
    let number = written.py().import("operator")?.call_method1("index", (written,));
    let number = number.map_err(|_| {
        PyTypeError::new_err(
            "a seed must be an integer from 0 to 2**128 - 1, or a string of 64 hexadecimal digits",
        )
    })?;
    Seed::from_text(&number.str()?.to_cow()?).map_err(|_| {
        refused("a seed must be an integer from 0 to 2**128 - 1, or a string of 64 hexadecimal digits")
    })
}

/// The seed that a caller wrote, or one from the operating system.
///
/// # Errors
/// As [`seed`].
pub(crate) fn seed_or_drawn(py: Python<'_>, written: Option<&Bound<'_, PyAny>>) -> PyResult<Seed> {
    match written {
        Some(written) => seed(written),
        None => seed(&py.import("secrets")?.call_method1("token_hex", (32,))?),
    }
}
