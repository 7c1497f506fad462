//! Real-time games (rtGDL): fluents have lifetimes, nobody waits for a turn, and the time of a move matters.
//!
//! A state is a set of fluents with lifetimes. It does not change until somebody moves or a lifetime ends; then one
//! [update](RealTimeGame::update) computes the next state. Times are whole microseconds, so all results are exact.
//!
//! ```
//! use croupier_engine::{Options, realtime::RealTimeGame};
//!
//! let rules = "(role ann) (init 2.0 light) (legal ann press)
//!     (<= (next ?t light) (true ?t light))
//!     (<= (next infinity pressed) (does ann press)) (<= (next infinity pressed) (true ?t pressed))
//!     (<= terminal (expired light))
//!     (<= (goal ann 100) (true ?t pressed)) (<= (goal ann 0) (not pressed_before_end))
//!     (<= pressed_before_end (true ?t pressed))";
//! let game = RealTimeGame::compile(rules, &Options::PLAY)?.game;
//! let mut scratch = game.scratch();
//! let start = game.initial_state();
//! assert_eq!(start.next_expiry(), Some(2_000_000));
//! let ann = game.roles().find("ann").expect("a role");
//! let press = game.find_move(start, ann, "press", &mut scratch)?;
//! let pressed = game.update(start, 500_000, &[(ann, press)], &mut scratch)?.successor;
//! assert_eq!(game.state_terms(&pressed), [("1.5".into(), "light".into()), ("infinity".into(), "pressed".into())]);
//! let over = game.update(&pressed, 1_500_000, &[], &mut scratch)?.successor;
//! assert!(game.is_terminal(&over, &mut scratch)?);
//! assert_eq!(game.goals(&over, &mut scratch)?[ann].value(), 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it is computed
//!
//! `rules/real_time.rs` translates rtGDL to ordinary rules, in which a lifetime is a part of its fluent. So checks and
//! reasoner are those of turn-based games, and an update is one joint move in which some roles do nothing (`lifted.rs`).
//! A lifetime that neither a rule nor a term mentions is represented by a placeholder (`numbers.rs`), so that the number
//! of terms does not grow with the instants of moves.
//!
//! Rules that only set lifetimes and hand them on are rewritten without them (`clocks.rs`): a fluent *holds*, is
//! *endless*, comes *fresh* with a lifetime, or *carried* from another fluent. These rules become a network like any
//! other. `network.rs` maps its bases to these cases, and `lanes.rs` keeps a clock beside each fluent in each lane, each
//! lane at its own instant. `changes.rs` says of one update where each clock comes from, whatever the lifetimes are.
//!
//! If rules carry times in fluents, every instant creates new terms, so searches run in forks of the game and replace a
//! fork that has accumulated many (`Walk::apart` in `agents/players/src/realtime`).
//!
//! # What the paper leaves open
//!
//! `legal` is evaluated in the state alone, as in definition 1. `terminal` and `goal` are evaluated in the new state together
//! with what has expired in the update that made it: in the paper's own example `terminal` follows from `expired`.
//!
//! # Sources
//! J. Kowalski and A. Kisielewicz, "Towards a Real-time Game Description Language", ICAART 2016, definition 1.

mod changes;
mod clocks;
pub mod conversion;
mod error;
mod game;
mod lanes;
mod lifted;
mod network;
mod numbers;
mod scratch;
mod state;

pub use crate::lifetime::seconds;
pub use changes::{ClockChange, ClockSource};
pub use error::{RealTimeError, RealTimeIllegalMove};
pub use game::{RealTimeGame, RealTimeReport, Update};
pub use lanes::{LaneCounts, RealTimeLanes};
pub use network::ClockNetwork;
pub use scratch::RealTimeScratch;
pub use state::TimedState;

#[cfg(test)]
mod tests;
