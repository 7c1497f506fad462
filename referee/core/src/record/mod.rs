//! Records of matches: JSON Lines, one event a line, chained by digests, sealed at the end.
//!
//! A line is an object with sorted keys and no spaces; its values are integers, text, null, and lists and objects of
//! those. Every line has `event` and `prev`, the chain value before it (null in the first): the chain begins with
//! the SHA-256 of the first line's bytes, and goes on with that of the value so far followed by the next line's bytes,
//! newlines left out.
//!
//! | event | further fields |
//! |---|---|
//! | `genesis` | `format`, `semantics`, `protocol`, `rng`, `match_id`, `game` (`name`, `rules`, `sha256`, and `full_sight` if the rules give it to some roles by a rule of their own), `roles`, `players`, `clocks` (`start_ms`, `play_ms`), `percepts`, `strictness`, `substitution`, `turns_max`, `commitment` |
//! | `ready` | `role`, `status` (`ready` or a failure), `elapsed_ms` |
//! | `reply` | `turn`, `role`, `status`, `move`, `elapsed_ms` |
//! | `draw` | `turn`, `n`, `index` |
//! | `substitute` | `turn`, `role`, `n`, `index` |
//! | `turn` | `turn`, `moves`, `state`, `percepts` |
//! | `end` | `turns`, `status` (`terminal`, `turn_limit`, `game_error`, `aborted` or `void`), `goals`, `role`, `error` |
//! | `reveal` | `seed`, `nonce` |
//! | `seal` | `head`, `public_key`, `signature` |
//!
//! A reply's `status` is `legal`, `illegal` or a failure; a failure is `timeout`, `connect_error`, `too_large`, `malformed`,
//! `busy` or `player_error`. A match that is `void` never began, for the failure in `error` of the player in `role`.
//!
//! Before the end of a match its record is as secret as its hidden cards: digests of states and percepts can be guessed.

mod entry;
mod fields;
mod json;
mod reader;
mod seal;
#[cfg(test)]
mod tests;

pub use entry::{Entry, FORMAT, Genesis, PROTOCOL, SEMANTICS};
pub use fields::FieldError;
pub use reader::{LINE_BYTES_MAX, Record, RecordError, RecordLine, RecordProblem, read_records};
pub use seal::{Commitment, SealKey, commitment};

pub(crate) use json::Value;
pub(crate) use seal::{Chain, is_signature, nonce};
