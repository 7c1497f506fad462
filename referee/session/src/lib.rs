//! Sessions: seats, and the matches that are played in them one after the other.
//!
//! A session is a pure state machine, as a match is. [`SessionState::step`] turns an event (somebody takes a seat, a match is over, an
//! hour has passed) into effects: create this match, tell this, end. How one match follows from the other is data, the
//! [`SessionRules`](croupier_games::SessionRules) of the game; nothing here knows a game.
//!
//! The modules are in reading order; each imports only those above it. [`SessionTerms`] say what is fixed when a session opens,
//! [`SessionEvent`] what can happen, [`SessionEffect`] what is to be done, and [`SessionRefusal`] why something cannot happen now.
//! [`SessionLedger`] writes the record of a session, and [`verify_session`] proves from it and the records of the matches that no
//! match was dropped, doubled, swapped or altered.
//!
//! # What a driver does
//! 1. It gives the machine an event. If the machine refuses it, nothing has changed.
//! 2. It stores the event, and only then carries out the effects: events before effects.
//! 3. After a kill it opens the session again from terms and seed, and steps through the stored events: the same events
//!    give the same effects, in the same order. What is there already is not done again: [`MatchOrder::index`] and
//!    [`MatchOrder::match_id`] name a match, so creating it is idempotent.
//!
//! This package is pure: no I/O, no clock, no entropy. Time is an event, [`SessionEvent::Tick`].
//!
//! # Examples
//! A best of three at tic-tac-toe:
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use croupier_games::SessionRules;
//! use croupier_referee::{Digest, Seed};
//! use croupier_session::{
//!     MatchOver, SeatHolder, SeatNumber, SessionEffect, SessionEvent, SessionState, SessionTerms,
//! };
//!
//! let game = croupier_games::find("tic-tac-toe").ok_or("the catalogue has it")?;
//! let terms = SessionTerms {
//!     id: "friday".to_owned(),
//!     game: game.name.to_owned(),
//!     rules: Some(Digest::of(game.rules.as_bytes())),
//!     roles: vec!["x".to_owned(), "o".to_owned()],
//!     seats: 2,
//!     payoff: None,
//!     session: SessionRules { until: croupier_games::Until::parse_all("any wins >= 2")?, ..Default::default() },
//! };
//! let mut session = SessionState::open(terms, Seed::from_text("42")?)?;
//! for (place, name) in ["Ann", "Ben"].into_iter().enumerate() {
//!     let holder = SeatHolder::Person { name: name.to_owned() };
//!     session.step(&SessionEvent::SeatTaken { seat: SeatNumber::at(place), holder })?;
//! }
//! let mut effects = session.step(&SessionEvent::Started)?;
//! // Ann wins whichever role she has.
//! while let Some(order) = effects.iter().find_map(|effect| match effect {
//!     SessionEffect::Create(order) => Some(order.clone()),
//!     _ => None,
//! }) {
//!     let ann = order.role_of(SeatNumber(1)).ok_or("she is dealt in")?;
//!     let goals: BTreeMap<String, i64> =
//!         ["x", "o"].map(|role| (role.to_owned(), if role == ann { 100 } else { 0 })).into();
//!     let over = MatchOver { index: order.index, goals: Some(goals), last: Vec::new(), record: None };
//!     effects = session.step(&SessionEvent::MatchOver(over))?;
//! }
//! assert_eq!((session.matches_over(), session.seats()[0].wins), (2, 2));
//! assert!(effects.iter().any(|effect| matches!(effect, SessionEffect::Reveal(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod event;
mod order;
mod terms;
mod effect;
mod refusal;
mod seat;
mod state;
mod record;
mod match_record;
mod reading;
mod verification;

pub use effect::{SessionEffect, SessionEnding, SessionFault, SessionNews};
pub use event::{MatchOver, SeatHolder, SeatNumber, SessionEvent};
pub use order::{FamilyMember, MatchGame, MatchOrder, OrderedSeat};
pub use reading::{SessionFile, SessionRecordError, SessionRecordProblem, is_session_record};
pub use record::SessionLedger;
pub use refusal::SessionRefusal;
pub use seat::SessionSeat;
pub use state::{SessionStage, SessionState};
pub use terms::{SessionTerms, TermsError};
pub use verification::{VerifiedSession, verify_session};
