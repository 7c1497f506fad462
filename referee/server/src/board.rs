//! What a seat that connects is shown: its first frame, the latest, and a number that grows.

use std::sync::Arc;

use tokio::sync::watch;

/// What one seat has been told so far, as far as it matters to whoever connects now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// How many frames there were.
    pub(crate) frames: u64,
    /// The first one, with the rules.
    pub(crate) start: Option<Arc<str>>,
    /// The latest one.
    pub(crate) latest: Option<Arc<str>>,
    /// Whether no other will come.
    pub(crate) is_over: bool,
}

/// Where a match puts what a seat is told, and whoever connects reads it: any number of times, at any time.
#[derive(Clone, Debug)]
pub(crate) struct Board(watch::Sender<View>);

impl Board {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(View::default()))
    }

    /// Shows one more frame.
    pub(crate) fn show(&self, frame: Arc<str>, is_last: bool) {
        self.0.send_modify(|view| {
            view.frames += 1;
            view.start.get_or_insert_with(|| Arc::clone(&frame));
            view.latest = Some(frame);
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
