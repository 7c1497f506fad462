//! The work of the threads: one turn of one match after another.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use croupier_engine::Game;
use croupier_players::PlayerKind;

use crate::{
    answer::{Progress, Turn},
    clock,
    no_move::NoMove,
    pool::{Pool, Urgency},
    seat::ServedSeat,
    session::{Basis, Session},
    sessions::Sessions,
};

/// A seat with turns to be thought about, and its game.
#[derive(Debug)]
struct Job {
    seat: Arc<ServedSeat>,
    game: Arc<Game>,
}

/// The threads that compute moves, for all matches.
#[derive(Debug)]
pub(crate) struct Thinkers {
    pool: Pool<Job>,
    kind: PlayerKind,
    sessions: Sessions,
}

impl Thinkers {
    /// This many threads, and players of this kind, of which `sessions_max` stay in memory between their turns.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn new(kind: PlayerKind, threads: usize, sessions_max: usize) -> std::io::Result<Arc<Self>> {
        let pool = Pool::new(threads);
        let thinkers = Arc::new(Self { pool, kind, sessions: Sessions::new(sessions_max) });
        // Not to hold what holds them: the threads end when nobody else has the thinkers.
        let weak = Arc::downgrade(&thinkers);
        thinkers.pool.start("thinker", move |job| {
            if let Some(thinkers) = weak.upgrade() {
                thinkers.work(job);
            }
        })?;
        Ok(thinkers)
    }

    /// Has the turns of a seat thought about, if there are any and that is not under way.
    pub(crate) fn wake(&self, seat: &Arc<ServedSeat>, game: Arc<Game>) {
        let Some((received, has_legal)) = seat.book().waiting() else { return };
        if seat.enter_queue() {
            let urgency = if has_legal { Urgency::Wanted } else { Urgency::Needed };
            self.pool.push(Job { seat: Arc::clone(seat), game }, urgency, received + seat.play_clock);
        }
    }

    /// Frees the session of a seat that is over.
    pub(crate) fn forget(&self, seat: &ServedSeat) {
        drop(self.sessions.take(seat.number));
    }

    /// Stops computing.
    pub(crate) fn close(&self) {
        self.pool.close();
    }

    /// One turn of a seat; then the seat waits its turn again if there are more.
    fn work(&self, Job { seat, game }: Job) {
        let turn = seat.book().next_turn();
        if let Some(turn) = turn.filter(|_| !seat.is_over()) {
            // A panic of a player ends its session and no other; the next turn begins with a new one.
            let thought = catch_unwind(AssertUnwindSafe(|| self.think(&seat, &game, &turn)));
            let thought = thought.unwrap_or_else(|_| {
                tracing::error!(turn = turn.turn, "the player panicked");
                Some(legal_or(NoMove::Panicked, &turn))
            });
            let mut book = seat.book();
            match thought {
                Some(progress) => book.conclude(&turn, progress),
                None => book.put_back(turn),
            }
        }
        if seat.is_over() {
            self.forget(&seat);
        }
        seat.leave_queue();
        // Who asked while the seat was here found it queued.
        self.wake(&seat, game);
    }

    /// The result, or `None` if a legal move was found and other matches have none yet.
    fn think(&self, seat: &ServedSeat, game: &Game, turn: &Turn) -> Option<Progress> {
        let kept = self.sessions.take(seat.number);
        let session = kept.map_or_else(|| Session::new(seat, &self.kind, game).map(Box::new), Ok);
        let mut session = match session {
            Ok(session) => session,
            Err(why) => return Some(Progress::Failed(why)),
        };
        let progress = self.answer(&mut session, seat, turn);
        session.release();
        self.sessions.put(seat.number, session);
        progress
    }

    /// Processes the message, and computes a move until it is found, the time is up, or nobody waits for it.
    fn answer(&self, session: &mut Session, seat: &ServedSeat, turn: &Turn) -> Option<Progress> {
        let begun = clock::now();
        let margin = seat.book().margin().of_thinking(seat.play_clock);
        let deadline = turn.received + seat.play_clock.saturating_sub(margin);
        let is_moot = || seat.is_over() || !turn.asking.is_wanted();
        let is_over = || is_moot() || clock::now() >= self.pool.share(begun, deadline);
        let basis = match session.take_in(seat, turn, &is_over) {
            Ok(basis) => basis,
            Err(why) => return Some(legal_or(why, turn)),
        };
        let (guessed, legal) = match basis {
            Basis::Known(legal) => (None, legal),
            Basis::Guess(Some(guessed), legal) => (Some(guessed), legal),
            Basis::Guess(None, legal) => return Some(Progress::Done(session.text(seat, legal))),
            Basis::Repeated => {
                let last = seat.book().last_reply().cloned();
                return Some(last.map_or(Progress::Failed(NoMove::NothingTold), Progress::Repeated));
            }
        };
        let legal = session.text(seat, legal);
        turn.asking.publish(Progress::Legal(Arc::clone(&legal)));
        if is_moot() {
            return Some(Progress::Done(legal));
        }
        // What is known now is known when the turn is taken up again; a guess is not.
        if guessed.is_none() && !turn.has_legal && self.pool.is_behind() {
            return None;
        }
        let chosen = session.choose(guessed.as_ref(), &mut || is_over());
        if begun < deadline {
            seat.book().margin_mut().note_overrun(clock::now().saturating_duration_since(deadline));
        }
        Some(match chosen {
            Ok(chosen) => Progress::Done(session.text(seat, chosen)),
            Err(why) => legal_or(why, turn),
        })
    }
}

/// The legal move that was found, or that there is none.
fn legal_or(why: NoMove, turn: &Turn) -> Progress {
    tracing::warn!(code = why.code(), turn = turn.turn, "the player chose no move");
    turn.asking.legal().map_or(Progress::Failed(why), Progress::Done)
}
