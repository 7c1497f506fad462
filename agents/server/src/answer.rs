//! What a player was asked, what it has found so far, and what it replied, so that a repeated request gets the same reply.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use croupier_referee::{
    Digest,
    protocol::{Notice, Told},
};
use tokio::sync::watch;

use crate::{clock, margin::Margin, no_move::NoMove};

/// The progress of the computation for a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Nothing yet.
    Nothing,
    /// A legal move, while a better one is looked for.
    Legal(Arc<str>),
    /// The reply.
    Done(Arc<str>),
    /// The message was the last one again, which a dialect without turns cannot say: the reply to that.
    Repeated(Arc<str>),
    /// There is no move.
    Failed(NoMove),
}

impl Progress {
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Repeated(_) | Self::Failed(_))
    }
}

/// What a message says about the previous turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Nothing, as before the first turn.
    First,
    /// The terms.
    Told(Told),
    /// Something that is not a list of ground terms.
    Unreadable,
}

/// One turn to be thought about.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) turn: u32,
    /// Whether the dialect numbers turns; otherwise they are counted.
    pub(crate) is_numbered: bool,
    /// Whether the message may be the last one again.
    pub(crate) may_repeat: bool,
    pub(crate) word: Word,
    pub(crate) received: Instant,
    pub(crate) asking: Arc<Asking>,
    /// Whether it was taken up before, and a legal move was found.
    pub(crate) has_legal: bool,
}

/// A turn that is thought about, and who waits for it.
#[derive(Debug)]
pub(crate) struct Asking {
    progress: watch::Sender<Progress>,
    /// The number of connected clients.
    present: AtomicUsize,
    /// Set when the referee has moved on to another turn.
    is_past: AtomicBool,
}

impl Asking {
    fn new() -> Self {
        let (progress, _) = watch::channel(Progress::Nothing);
        Self { progress, present: AtomicUsize::new(0), is_past: AtomicBool::new(false) }
    }

    /// Whether further computation is useful to anyone.
    pub(crate) fn is_wanted(&self) -> bool {
        self.present.load(Ordering::Relaxed) > 0 && !self.is_past.load(Ordering::Relaxed)
    }

    pub(crate) fn publish(&self, progress: Progress) {
        self.progress.send_replace(progress);
    }

    /// The legal move that was found, if it was.
    pub(crate) fn legal(&self) -> Option<Arc<str>> {
        match &*self.progress.borrow() {
            Progress::Legal(text) => Some(Arc::clone(text)),
            Progress::Nothing | Progress::Done(_) | Progress::Repeated(_) | Progress::Failed(_) => None,
        }
    }
}

/// A client that waits for a move. It is counted until it is dropped, or leaves.
#[derive(Debug)]
pub(crate) struct Waiter {
    asking: Arc<Asking>,
    pub(crate) progress: watch::Receiver<Progress>,
    has_left: bool,
}

impl Waiter {
    fn new(asking: &Arc<Asking>) -> Self {
        asking.present.fetch_add(1, Ordering::Relaxed);
        Self { asking: Arc::clone(asking), progress: asking.progress.subscribe(), has_left: false }
    }

    /// The connection appears to be gone; the client takes what has been found.
    pub(crate) fn leave(&mut self) {
        if !std::mem::replace(&mut self.has_left, true) {
            self.asking.present.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.leave();
    }
}

/// The messages of one match so far.
#[derive(Debug)]
pub(crate) struct Book {
    last: Option<LastRequest>,
    /// The replies of the latest turns, by turn.
    replies: VecDeque<(u32, Arc<str>)>,
    margin: Margin,
    /// When the last reply left.
    replied: Option<Instant>,
    /// Requests that have not been started, the oldest first.
    queue: VecDeque<Turn>,
}

/// The last message that requested a move.
#[derive(Debug)]
struct LastRequest {
    digest: Digest,
    turn: u32,
    /// None as soon as there is nothing more to be found.
    asking: Option<Arc<Asking>>,
}

/// Number of replies kept. The player's moves of earlier turns are in the transcript, as executed.
const REPLIES_KEPT: usize = 16;

/// Maximum number of pending turns: a referee that requests more at once is not waiting for the first.
const QUEUE_MAX: usize = 8;

/// The interpretation of a message.
#[derive(Debug)]
pub(crate) enum Question {
    /// It was answered before, with this.
    Replied(Arc<str>),
    /// It is thought about.
    Asked(u32, Waiter),
}

impl Book {
    pub(crate) fn new(play_clock: Duration) -> Self {
        Self {
            last: None,
            replies: VecDeque::new(),
            margin: Margin::initial(play_clock),
            replied: None,
            queue: VecDeque::new(),
        }
    }

    pub(crate) fn margin(&self) -> Margin {
        self.margin
    }

    pub(crate) fn margin_mut(&mut self) -> &mut Margin {
        &mut self.margin
    }

    /// Whether a move has been requested.
    pub(crate) fn has_begun(&self) -> bool {
        self.last.is_some()
    }

    /// The reply in a turn.
    pub(crate) fn reply(&self, turn: u32) -> Option<&Arc<str>> {
        self.replies.iter().find(|(of, _)| *of == turn).map(|(_, text)| text)
    }

    /// The last reply.
    pub(crate) fn last_reply(&self) -> Option<&Arc<str>> {
        self.replies.back().map(|(_, text)| text)
    }

    /// Adds a message that requests a move: a new turn is queued.
    ///
    /// In a dialect without turns a message equal to the last one may be a repetition, or a turn like the one before.
    /// Before a reply was sent, and before the first turn, it is a repetition; afterwards [`Turn::may_repeat`] is set,
    /// and the player's knowledge decides.
    pub(crate) fn ask(&mut self, notice: &Notice, word: Word, received: Instant) -> Question {
        let digest = digest(notice, &word);
        let last = self.last.as_ref().map(|last| (last.turn, last.digest == digest));
        let (turn, may_repeat) = match (notice.turn, last) {
            (Some(turn), _) => (turn, false),
            (None, None) => (0, false),
            (None, Some(_)) if notice.is_first() => (0, false),
            (None, Some((turn, true))) if self.reply(turn).is_none() => (turn, false),
            (None, Some((turn, is_same))) => (turn.saturating_add(1), is_same),
        };
        if let Some(reply) = self.reply(turn) {
            return Question::Replied(Arc::clone(reply));
        }
        if let Some(last) = self.last.as_ref().filter(|last| last.turn == turn)
            && let Some(asking) = &last.asking
        {
            return Question::Asked(turn, Waiter::new(asking));
        }
        let asking = Arc::new(Asking::new());
        let waiter = Waiter::new(&asking);
        if last.is_none_or(|(last, _)| turn >= last) {
            if let Some(replied) = self.replied.take() {
                self.margin.note_round(clock::now().saturating_duration_since(replied));
            }
            if let Some(asking) = self.last.as_ref().and_then(|last| last.asking.as_ref()) {
                asking.is_past.store(true, Ordering::Relaxed);
            }
            self.last = Some(LastRequest { digest, turn, asking: Some(Arc::clone(&asking)) });
        }
        let is_numbered = notice.turn.is_some();
        self.queue.push_back(Turn {
            turn,
            is_numbered,
            may_repeat,
            word,
            received,
            asking,
            has_legal: false,
        });
        if self.queue.len() > QUEUE_MAX
            && let Some(oldest) = self.queue.pop_front()
        {
            oldest.asking.publish(Progress::Failed(NoMove::TooManyTurns));
        }
        Question::Asked(turn, waiter)
    }

    /// The next turn to be thought about.
    pub(crate) fn next_turn(&mut self) -> Option<Turn> {
        self.queue.pop_front()
    }

    /// Puts a turn back for which a legal move was found, to be thought about later.
    pub(crate) fn put_back(&mut self, turn: Turn) {
        self.queue.push_front(Turn { has_legal: true, ..turn });
    }

    /// When the oldest pending message arrived, and whether a legal move was found; `None` if there is none.
    pub(crate) fn waiting(&self) -> Option<(Instant, bool)> {
        self.queue.front().map(|turn| (turn.received, turn.has_legal))
    }

    /// Ends the computation for a turn with its result; a result that is no longer wanted does not count, so
    /// that a client that comes back gets a new computation.
    pub(crate) fn conclude(&mut self, turn: &Turn, progress: Progress) {
        let is_last = |last: &&mut LastRequest| {
            last.asking.as_ref().is_some_and(|asking| Arc::ptr_eq(asking, &turn.asking))
        };
        if let Some(last) = self.last.as_mut().filter(is_last) {
            if matches!(progress, Progress::Repeated(_)) {
                last.turn = last.turn.saturating_sub(1);
                last.asking = None;
            } else if turn.asking.progress.receiver_count() == 0 {
                last.asking = None;
            }
        }
        turn.asking.publish(progress);
    }

    /// Records the reply. The first reply of a turn is kept.
    pub(crate) fn note_reply(&mut self, turn: u32, text: Arc<str>) -> Arc<str> {
        self.replied = Some(clock::now());
        if let Some(first) = self.reply(turn) {
            return Arc::clone(first);
        }
        self.replies.push_back((turn, Arc::clone(&text)));
        if self.replies.len() > REPLIES_KEPT {
            self.replies.pop_front();
        }
        if let Some(last) = self.last.as_mut().filter(|last| last.turn == turn) {
            last.asking = None;
        }
        text
    }
}

/// Equal for messages with the same content, regardless of their formatting.
fn digest(notice: &Notice, word: &Word) -> Digest {
    match word {
        Word::First => Digest::of(b"first"),
        Word::Told(told) => Digest::of_terms(&told.terms),
        Word::Unreadable => Digest::of(format!("{notice:?}").as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use croupier_engine::Limits;
    use croupier_referee::protocol::{Incoming, Notation, read_message};

    use super::*;

    fn asked(book: &mut Book, text: &str) -> Question {
        let notice = match read_message(text.as_bytes(), &Limits::STANDARD).unwrap() {
            Incoming::Play(notice) => notice,
            other => panic!("{other:?}"),
        };
        let told = notice.told(Notation::Prefix, &Limits::STANDARD).unwrap();
        book.ask(&notice, told.map_or(Word::First, Word::Told), clock::now())
    }

    /// The interpretation of a message, and its turn.
    fn ask(book: &mut Book, text: &str) -> (Option<u32>, &'static str) {
        let before = book.queue.len();
        match asked(book, text) {
            Question::Replied(_) => (None, "replied"),
            Question::Asked(turn, _) if book.queue.len() == before => (Some(turn), "pending"),
            Question::Asked(turn, _) if book.queue[before].may_repeat => (Some(turn), "new, or repeated"),
            Question::Asked(turn, _) => (Some(turn), "new"),
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
    fn without_turns_an_equal_message_may_be_a_new_turn_once_there_was_a_reply() {
        let mut book = Book::new(Duration::from_secs(10));
        assert_eq!(ask(&mut book, "(PLAY m NIL)"), (Some(0), "new"));
        assert_eq!(ask(&mut book, "(PLAY m NIL)"), (Some(0), "pending"));
        book.note_reply(0, "move".into());
        assert_eq!(ask(&mut book, "(PLAY m NIL)"), (None, "replied"));
        assert_eq!(ask(&mut book, "(PLAY m (move (to a)))"), (Some(1), "new"));
        assert_eq!(ask(&mut book, "( play M ( MOVE\n(to A) ) )"), (Some(1), "pending"));
        book.note_reply(1, "move".into());
        assert_eq!(ask(&mut book, "(PLAY m (move (to a)))"), (Some(2), "new, or repeated"));
        assert_eq!(ask(&mut book, "(PLAY m (move (to b)))"), (Some(3), "new"));
    }

    #[test]
    fn a_repetition_that_was_found_out_counts_as_no_turn() {
        let mut book = Book::new(Duration::from_secs(10));
        ask(&mut book, "(PLAY m NIL)");
        book.note_reply(0, "a".into());
        ask(&mut book, "(PLAY m (a))");
        book.note_reply(1, "b".into());
        for _ in 0..3 {
            while book.queue.len() > 1 {
                book.next_turn();
            }
            book.next_turn();
            assert_eq!(ask(&mut book, "(PLAY m (a))"), (Some(2), "new, or repeated"));
            let turn = book.next_turn().unwrap();
            book.conclude(&turn, Progress::Repeated("b".into()));
        }
        assert_eq!(ask(&mut book, "(PLAY m (b))"), (Some(2), "new"));
    }

    #[test]
    fn what_was_replied_first_stays() {
        let mut book = Book::new(Duration::from_secs(10));
        assert_eq!(&*book.note_reply(0, "one".into()), "one");
        assert_eq!(&*book.note_reply(0, "two".into()), "one");
    }

    #[test]
    fn thinking_is_wanted_as_long_as_somebody_waits_and_the_turn_is_the_last() {
        let mut book = Book::new(Duration::from_secs(10));
        let Question::Asked(0, mut first) = asked(&mut book, "(PLAY m 0 NIL NIL)") else { panic!("new") };
        let Question::Asked(0, second) = asked(&mut book, "(PLAY m 0 NIL NIL)") else { panic!("pending") };
        let turn = book.next_turn().unwrap();
        assert!(turn.asking.is_wanted());
        first.leave();
        first.leave();
        assert!(turn.asking.is_wanted(), "who leaves twice has left once");
        drop(second);
        assert!(!turn.asking.is_wanted());
        let Question::Asked(0, third) = asked(&mut book, "(PLAY m 0 NIL NIL)") else { panic!("pending") };
        assert!(turn.asking.is_wanted());
        let Question::Asked(1, _fourth) = asked(&mut book, "(PLAY m 1 a (b))") else { panic!("new") };
        assert!(!turn.asking.is_wanted(), "the referee went on");
        drop((first, third));
    }

    #[test]
    fn who_comes_back_after_everybody_left_is_thought_for_anew() {
        let mut book = Book::new(Duration::from_secs(10));
        ask(&mut book, "(PLAY m 0 NIL NIL)");
        let turn = book.next_turn().unwrap();
        book.conclude(&turn, Progress::Done("hasty".into()));
        assert_eq!(ask(&mut book, "(PLAY m 0 NIL NIL)"), (Some(0), "new"));
        // Who waits gets what was found.
        let Question::Asked(0, waiter) = asked(&mut book, "(PLAY m 0 NIL NIL)") else { panic!("pending") };
        let turn = book.next_turn().unwrap();
        book.conclude(&turn, Progress::Done("good".into()));
        assert_eq!(*waiter.progress.borrow(), Progress::Done("good".into()));
        assert_eq!(ask(&mut book, "(PLAY m 0 NIL NIL)"), (Some(0), "pending"));
    }

    #[test]
    fn what_is_kept_of_a_match_is_bounded() {
        let mut book = Book::new(Duration::from_secs(10));
        for turn in 0..1000 {
            ask(&mut book, &format!("(PLAY m {turn} a (b))"));
            book.note_reply(turn, "a".into());
        }
        assert_eq!((book.queue.len(), book.replies.len()), (QUEUE_MAX, REPLIES_KEPT));
    }
}
