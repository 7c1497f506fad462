//! Time that several threads share, and that one of them asks for now and then.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
};

type IsOver<'c> = &'c mut (dyn FnMut() -> bool + Send);

/// Whether time is up. Once it is, it stays so.
pub(super) struct Clock<'c> {
    is_over: Option<Mutex<IsOver<'c>>>,
    was_over: AtomicBool,
}

impl<'c> Clock<'c> {
    /// A clock that never runs out without `is_over`.
    pub(super) fn new(is_over: Option<IsOver<'c>>) -> Self {
        Self { is_over: is_over.map(Mutex::new), was_over: AtomicBool::new(false) }
    }

    /// Whether time is up; one thread at a time asks, and the others go by the last answer.
    pub(super) fn is_over(&self) -> bool {
        let Some(is_over) = &self.is_over else { return false };
        if let Ok(mut is_over) = is_over.try_lock()
            && is_over()
        {
            self.was_over.store(true, Ordering::Relaxed);
        }
        self.was_over.load(Ordering::Relaxed)
    }
}
