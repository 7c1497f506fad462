//! The frames shown to a connected seat so far, in order.

use std::sync::Arc;

use croupier_engine::ByPlayer;
use tokio::sync::watch;

/// The frames shown to one seat so far. They never change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// The frames, the first of them with the rules.
    pub(crate) frames: Vec<Arc<str>>,
    /// Whether no other will come: the match is over, and its end is stored.
    pub(crate) is_over: bool,
    /// Whether the match stands still, or goes on elsewhere: whoever waits asks again.
    pub(crate) is_interrupted: bool,
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

    /// Nothing more will come: the end of the match is stored.
    pub(crate) fn close(&self) {
        self.0.send_modify(|view| view.is_over = true);
    }

    /// The match stands still, or goes on elsewhere: nothing more will come here. After the end there is nothing to interrupt.
    pub(crate) fn interrupt(&self) {
        self.0.send_modify(|view| view.is_interrupted = !view.is_over);
    }

    /// Whether the match is over, and its end is stored.
    pub(crate) fn is_over(&self) -> bool {
        self.0.borrow().is_over
    }

    /// Follows it from now on.
    pub(crate) fn follow(&self) -> watch::Receiver<View> {
        self.0.subscribe()
    }
}

/// The boards of a match while its task runs. However the task ends, nobody goes on waiting; and unless the end of the match is
/// stored, nobody is told that it is over.
pub(crate) struct Boards(ByPlayer<Board>);

impl Boards {
    pub(crate) fn new(boards: ByPlayer<Board>) -> Self {
        Self(boards)
    }

    /// The end of the match is stored.
    pub(crate) fn close(&self) {
        self.0.iter().for_each(|(_, board)| board.close());
    }
}

impl Drop for Boards {
    fn drop(&mut self) {
        self.0.iter().for_each(|(_, board)| board.interrupt());
    }
}
