//! The frames shown to a connected seat so far, in order.

use std::sync::Arc;

use tokio::sync::watch;

/// The frames shown to one seat so far. They never change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// The frames, the first of them with the rules.
    pub(crate) frames: Vec<Arc<str>>,
    /// Whether no other will come.
    pub(crate) is_over: bool,
}

impl View {
    /// The frames after the first `seen`.
    pub(crate) fn after(&self, seen: usize) -> &[Arc<str>] {
        self.frames.get(seen..).unwrap_or_default()
    }
}

/// Shared between a match, which adds frames, and connections, which read them: any number of times, at any time.
#[derive(Clone, Debug)]
pub(crate) struct Board(watch::Sender<View>);

impl Board {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(View::default()))
    }

    /// Shows one more frame; the one that was shown last is not shown twice.
    pub(crate) fn show(&self, frame: Arc<str>, is_last: bool) {
        self.0.send_modify(|view| {
            if view.frames.last() != Some(&frame) {
                view.frames.push(frame);
            }
            view.is_over |= is_last;
        });
    }

    /// Shows one more frame, also if it is the same as the last: the same can happen twice at one instant.
    pub(crate) fn add(&self, frame: Arc<str>, is_last: bool) {
        self.0.send_modify(|view| {
            view.frames.push(frame);
            view.is_over |= is_last;
        });
    }

    /// Nothing more will come.
    pub(crate) fn close(&self) {
        self.0.send_modify(|view| view.is_over = true);
    }

    /// Follows it from now on.
    pub(crate) fn follow(&self) -> watch::Receiver<View> {
        self.0.subscribe()
    }
}
