//! One real-time match: nobody waits for a turn, and every move has an instant.
//!
//! [`RealTimeMatch::step`] turns events (moves with the instants at which they arrive) into effects (lines of the record,
//! notices to players). Game time is the referee's own and counts microseconds from the start of the match. The driver
//! decides how the match runs: [`run_real_time`] uses simulated time, in which an hour takes a moment and gives the
//! same result bit for bit; [`RealTimeDriver`] is that of a driver with a clock of its own.
//!
//! Rules for an instant:
//!
//! - All moves that arrive at one instant form one joint move, processed in the same update as whatever expires then.
//! - A move is judged in the state at its instant, before that update. An illegal move, or a second move of a role at one
//!   instant, is ignored, recorded, and reported only to its sender.
//! - `random` moves at once: if it has legal moves it makes one, drawn uniformly, in an update of its own that takes
//!   no time, before anybody else can act.
//! - A move with a requested instant that arrives earlier is held until that instant.
//! - A role that did nothing in an update and sees nothing is not notified.
//!
//! This module has a state machine of its own, because turn requests and deadlines have no meaning in real time.
//! Everything else is shared with matches in turns: a record is generic in its kind of match (`Kind` in `record/kind.rs`;
//! `record/turns.rs` and `lines.rs` say what each kind adds), and so are ledger, reader, series and replay (`Machine` in
//! `replay/lockstep.rs`). A move is judged when its instant is closed: until then another move may arrive for it.
//!
//! `wire` serialises notices as `croupier-rt/1`. `client` is the player's side of lag compensation, without a clock, and
//! its tests simulate a network; `croupier join` provides both a clock and a server.
//!
//! # The record
//!
//! Lines are chained and sealed as those of turn-based matches are.
//!
//! | event | further fields |
//! |---|---|
//! | `genesis` | `format` (3; 5 where players may commit to nonces, with `nonces_ms`; 6 in a series and 7 in a session, with or without that), `series` (`id`, `index`, `total`; in format 6), `session` (`id`, `index`, `before`; in format 7), `time` (`real`), `semantics`, `protocol`, `rng`, `match_id`, `game` (`name`, `rules`, `sha256`), `roles`, `players`, `strictness`, `tick_us`, `updates_max`, `time_max_us`, `commitment` |
//! | `ready` | in format 5: `role`, `status` (`ready` or `timeout`), `commitment` if the player commits to a nonce |
//! | `nonce` | in format 5: `role`, `status` (`revealed`, `timeout` or `malformed`), `nonce` |
//! | `move` | `at_us`, `arrived_us` where it arrived at another instant, `role`, `id`, `status` (`legal`, `illegal`, `malformed` or `second`), `move` |
//! | `pause` | `at_us`, `lasted_us`: for how long game time stood still while the clock went on |
//! | `draw` | `update`, `n`, `index` |
//! | `update` | `update`, `at_us`, `moves`, `state`, `percepts` |
//! | `end` | `updates`, `at_us`, `status`, `goals`, `error` |
//! | `reveal` | `seed`, `nonce` |
//! | `seal` | `head`, `public_key`, `signature` |

pub mod client;
mod driver;
mod event;
mod header;
#[cfg(feature = "mutants")]
mod leaks;
mod lines;
mod machine;
mod opening;
mod replay;
#[cfg(test)]
pub(crate) mod tests;
pub mod wire;

pub use driver::{Plan, RealTimeDriver, RealTimePlayed, RealTimeSeat, Watched, run_real_time};
pub use event::{
    MoveStatus, Notice, RealTimeEffect, RealTimeEnd, RealTimeEvent, RealTimeOutcome, ReplayUpdate,
};
pub use header::{RealTimeHeader, RealTimeSetup, TICK_US_MAX, TIME_US_MAX, UPDATES_MAX};
pub use lines::{RealTime, RealTimeLine, RealTimeRecord, is_real_time_record, read_real_time_records};
pub use machine::RealTimeMatch;
pub use opening::Awaited;
pub use replay::{
    RealTimeReplay, ResumedRealTime, replay_all_real_time, replay_real_time, replay_real_time_after,
    resume_real_time,
};
