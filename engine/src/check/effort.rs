//! Whether a check goes on: what takes long asks before each step, so that whoever waits for the answer can stop it.

use std::cell::{Cell, RefCell};

use super::Stopped;

/// The steps of one check.
pub(super) struct Effort<'w> {
    is_over: RefCell<&'w mut dyn FnMut() -> bool>,
    is_stopped: Cell<bool>,
}

impl<'w> Effort<'w> {
    /// Until this returns true.
    pub(super) fn until(is_over: &'w mut dyn FnMut() -> bool) -> Self {
        Self { is_over: RefCell::new(is_over), is_stopped: Cell::new(false) }
    }

    /// Whether the check stops: once true, always true.
    pub(super) fn is_over(&self) -> bool {
        let is_over = self.is_stopped.get() || (self.is_over.borrow_mut())();
        self.is_stopped.set(is_over);
        is_over
    }

    /// The next step, unless the check stops.
    pub(super) fn go_on(&self) -> Result<(), Stopped> {
        if self.is_over() { Err(Stopped) } else { Ok(()) }
    }
}
