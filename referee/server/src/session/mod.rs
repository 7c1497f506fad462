//! Sessions on the server: a table with seats, and the matches that are played at it one after the other.
//!
//! `croupier-session` decides what follows from what; this module keeps it, plays it and shows it. Everything that happens is an entry of the
//! session's journal (`journal.rs`), and everything else follows from the journal (`books.rs`), so that a session that is killed anywhere goes on as
//! it was: a task (`live.rs`) takes one call after the other, stores the entries that it leads to, and only then does and shows what follows. The
//! match that follows from a journal has a place of its own in the store, which has one match for each: a kill between "the match is over" and
//! "the next one is made" makes it once (`dealing.rs`). How a match ended is read from its record (`ending.rs`). A session and its
//! match are claimed together by whichever server goes on with them (`taking_up.rs`).
//!
//! *Guests.* A person has no token of a match but a key of a seat (`keys.rs`), which it got for an invitation (`inviting.rs`) and that only its
//! digest is stored of. `sitting.rs` does for a person what a program does by itself: it is ready, plays what is forced, keeps the
//! clock and the time bank, and lets a stand-in choose when both are over. In real time nobody waits for it (`timed_sitting.rs`). `command.rs` lists what hosts and guests can ask for; forms and
//! programs use the same list through a [`SessionHandle`].
//!
//! *Closed until the end.* The seed of every match follows from the session's, and what was folded stays folded: records, seeds and moves of
//! matches with hidden information are closed until the session is over. A seat sees its own frames, of earlier matches too, as far as its key is
//! as old as they are.

pub(crate) mod books;
pub(crate) mod command;
mod dealing;
mod ending;
pub(crate) mod handle;
mod inviting;
mod journal;
pub(crate) mod keys;
mod live;
mod opening;
mod own_frames;
mod register;
pub(crate) mod setup;
mod sitting;
mod taking_up;
mod talk;
mod terms_line;
mod timed_move;
mod timed_sitting;
pub(crate) mod view;
mod whole_record;
mod wording;

pub(crate) use command::SessionCommand;
pub(crate) use handle::{CommandAnswer, OwnFrames, OwnMove, SessionHandle, ToMove};
pub(crate) use inviting::{Accepted, InvitationView, SessionLinks};
pub(crate) use keys::{Guest, SessionKeys};
pub(crate) use opening::OpenedSession;
pub(crate) use own_frames::EarlierFrames;
pub(crate) use register::SessionRegister;
pub(crate) use setup::SessionRequest;
pub(crate) use view::{ChatLine, SeatPlace, SeatPlace as Place, SessionView};
