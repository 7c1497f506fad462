//! Everything that this process logs, down to the finest level.

use std::{
    io::{self, Write},
    sync::{Mutex, Once, PoisonError},
};

static LOGGED: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static BEGUN: Once = Once::new();

struct Sink;

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOGGED.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Keeps what is logged from now on.
pub(crate) fn begin() {
    BEGUN.call_once(|| {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_ansi(false)
            .with_writer(|| Sink)
            .finish();
        tracing::subscriber::set_global_default(subscriber).unwrap();
    });
}

/// How much was logged so far.
pub(crate) fn place() -> usize {
    LOGGED.lock().unwrap_or_else(PoisonError::into_inner).len()
}

/// What was logged since.
pub(crate) fn since(place: usize) -> Vec<u8> {
    LOGGED.lock().unwrap_or_else(PoisonError::into_inner)[place..].to_vec()
}
