//! What a player was asked, what it has found so far, and what it said: so that who asks twice hears the same.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_referee::protocol::Notice;
use tokio::sync::watch;

use crate::{clock, margin::Margin};

/// How far a thread has come with what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Nothing yet.
    Nothing,
    /// A legal move, while a better one is looked for.
    Legal(Arc<str>),
    /// The reply.
    Done(Arc<str>),
    /// There is none; a word that says why.
    Failed(&'static str),
}

/// The messages of one match so far.
#[derive(Debug)]
pub(crate) struct Book {
    last: Option<Asked>,
    /// By turn, what was replied.
    replies: BTreeMap<u32, Arc<str>>,
    margin: Margin,
    /// When the last reply left.
    replied: Option<Instant>,
}

#[derive(Debug)]
struct Asked {
    notice: Notice,
    turn: u32,
    progress: watch::Receiver<Progress>,
}

/// What a message asks for.
#[derive(Debug)]
pub(crate) enum Question {
    /// What was replied before.
    Replied(Arc<str>),
    /// What is being thought about.
    Pending(u32, watch::Receiver<Progress>),
    /// Something new: the turn, and where its progress goes.
    New(u32, watch::Sender<Progress>, watch::Receiver<Progress>),
}

impl Book {
    pub(crate) fn new(play_clock: Duration) -> Self {
        Self { last: None, replies: BTreeMap::new(), margin: Margin::initial(play_clock), replied: None }
    }

    pub(crate) fn margin(&self) -> Margin {
        self.margin
    }

    pub(crate) fn margin_mut(&mut self) -> &mut Margin {
        &mut self.margin
    }

    /// What was replied in a turn.
    pub(crate) fn reply(&self, turn: u32) -> Option<&Arc<str>> {
        self.replies.get(&turn)
    }

    /// Whether a message is new, or was asked before.
    ///
    /// A dialect without turns gives no way to tell a repeated message from two equal turns once there was a reply;
    /// then it counts as new, but for the first message of a match, which no other is like.
    pub(crate) fn question(&mut self, notice: &Notice) -> Question {
        let is_first = notice.is_first();
        let turn = match (notice.turn, &self.last) {
            (Some(turn), _) => turn,
            (None, None) => 0,
            (None, Some(_)) if is_first => 0,
            (None, Some(last)) if last.notice == *notice && !self.replies.contains_key(&last.turn) => {
                last.turn
            }
            (None, Some(last)) => last.turn.saturating_add(1),
        };
        if let Some(reply) = self.replies.get(&turn) {
            return Question::Replied(Arc::clone(reply));
        }
        if let Some(last) = self.last.as_ref().filter(|last| last.turn == turn) {
            return Question::Pending(turn, last.progress.clone());
        }
        if let Some(replied) = self.replied.take() {
            self.margin.note_round(clock::now().saturating_duration_since(replied));
        }
        let (progress, progresses) = watch::channel(Progress::Nothing);
        self.last = Some(Asked { notice: notice.clone(), turn, progress: progresses.clone() });
        Question::New(turn, progress, progresses)
    }

    /// Notes what is replied now. What was replied first stays.
    pub(crate) fn note_reply(&mut self, turn: u32, text: Arc<str>) -> Arc<str> {
        self.replied = Some(clock::now());
        Arc::clone(self.replies.entry(turn).or_insert(text))
    }
}

#[cfg(test)]
mod tests {
    use croupier_engine::Limits;
    use croupier_referee::protocol::{Incoming, read_message};

    use super::*;

    fn notice(text: &str) -> Notice {
        match read_message(text.as_bytes(), &Limits::STANDARD).unwrap() {
            Incoming::Play(notice) => notice,
            other => panic!("{other:?}"),
        }
    }

    /// The turn of a message, and whether it is new, pending or replied.
    fn ask(book: &mut Book, text: &str) -> (Option<u32>, &'static str) {
        match book.question(&notice(text)) {
            Question::Replied(_) => (None, "replied"),
            Question::Pending(turn, _) => (Some(turn), "pending"),
            Question::New(turn, _, _) => (Some(turn), "new"),
        }
    }

    #[test]
    fn turns_tell_a_repeated_message_from_a_new_one() {
        let mut book = Book::new(Duration::from_secs(10));
        assert_eq!(ask(&mut book, "(PLAY m 0 NIL NIL)"), (Some(0), "new"));
        assert_eq!(ask(&mut book, "(play m 0 nil nil)"), (Some(0), "pending"));
        book.note_reply(0, "noop".into());
        assert_eq!(ask(&mut book, "(PLAY m 0 NIL NIL)"), (None, "replied"));
        assert_eq!(ask(&mut book, "(PLAY m 1 noop (a))"), (Some(1), "new"));
        assert_eq!(ask(&mut book, "(PLAY m 4 noop (a))"), (Some(4), "new"));
        assert_eq!(ask(&mut book, "(PLAY m 0 NIL NIL)"), (None, "replied"));
    }

    #[test]
    fn without_turns_equal_messages_are_new_once_there_was_a_reply() {
        let mut book = Book::new(Duration::from_secs(10));
        assert_eq!(ask(&mut book, "(PLAY m NIL)"), (Some(0), "new"));
        assert_eq!(ask(&mut book, "(PLAY m NIL)"), (Some(0), "pending"));
        book.note_reply(0, "move".into());
        assert_eq!(ask(&mut book, "(PLAY m NIL)"), (None, "replied"));
        assert_eq!(ask(&mut book, "(PLAY m (move))"), (Some(1), "new"));
        assert_eq!(ask(&mut book, "(PLAY m (move))"), (Some(1), "pending"));
        book.note_reply(1, "move".into());
        assert_eq!(ask(&mut book, "(PLAY m (move))"), (Some(2), "new"));
    }

    #[test]
    fn what_was_replied_first_stays() {
        let mut book = Book::new(Duration::from_secs(10));
        assert_eq!(&*book.note_reply(0, "one".into()), "one");
        assert_eq!(&*book.note_reply(0, "two".into()), "one");
    }
}
