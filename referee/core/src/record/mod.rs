//! Records of matches: JSON Lines, one event per line, chained by digests, sealed at the end.
//!
//! A line is an object with sorted keys and no spaces; its values are integers, text, null, and lists and objects of
//! those. Every line has `event` and `prev`, the previous chain value (null in the first line). The chain starts with
//! the SHA-256 of the first line's bytes, and each further value is the SHA-256 of the previous value followed by the next line's
//! bytes, without newlines.
//!
//! | event | further fields |
//! |---|---|
//! | `genesis` | `format`, `semantics`, `protocol`, `rng`, `match_id`, `series` (`id`, `index`, `total`; not in formats 1 and 7), `session` (`id`, `index`, `before`; only in format 7), `game` (`name`, `rules`, `sha256`, and `full_sight` if the rules give it to some roles by a rule of their own), `roles`, `players`, `clocks` (`start_ms`, `play_ms`, and `grace_ms` if it is not 1000), `percepts`, `strictness`, `substitution`, `turns_max`, `commitment` |
//! | `ready` | `role`, `status` (`ready` or a failure), `elapsed_ms`; `commitment` if the player commits to a nonce |
//! | `nonce` | `role`, `status` (`revealed` or a failure), `nonce`, `elapsed_ms` |
//! | `reply` | `turn`, `role`, `status`, `move`, `elapsed_ms` |
//! | `draw` | `turn`, `n`, `index` |
//! | `substitute` | `turn`, `role`, `n`, `index` |
//! | `turn` | `turn`, `moves`, `state`, `percepts` |
//! | `end` | `turns`, `status` (`terminal`, `turn_limit`, `game_error`, `aborted`, `void` or `withheld`), `goals`, `role`, `error` |
//! | `reveal` | `seed`, `nonce` |
//! | `seal` | `head`, `public_key`, `signature` |
//!
//! A match on its own is written in format 1, a match of a series in format 2, which has an additional field in the genesis. A match
//! of a server is written in format 4, whose genesis has the field `nonces`: `committed` if players add nonces to the seed, each
//! committed to before any is disclosed, or `declined`. A match of a session is written in format 7: `session` says which, which of its
//! matches it is, and the SHA-256 of the record of the match before it, or of the first line of the session's record; `nonces` is there as in
//! format 4, or missing as in format 1. All can be read. A reply's `status` is `legal`, `illegal` or a failure; a failure is `timeout`, `connect_error`, `closed`, `too_large`,
//! `malformed`, `busy`, `player_error` or `interrupted`. A match that a referee resumes after an interruption has the line
//! `resume`, `epoch`; a `ready` line of format 1 or 2 has a `nonce` if the player contributed one in the clear, as servers once
//! took them. A match that is `void` never began, because of the
//! failure in `error` of the player in `role`; one that is `withheld` was not dealt, because that player, and whoever else the
//! lines `nonce` say, did not disclose its nonce.
//!
//! Before the end of a match its record is as secret as its hidden cards: digests of states and percepts can be guessed.

mod entry;
mod fields;
mod json;
mod kind;
mod ledger;
mod order;
mod reader;
mod seal;
#[cfg(test)]
mod tests;
mod turns;

pub use entry::{Entry, Genesis, SEMANTICS};
pub use fields::FieldError;
pub use kind::{Kind, Shared};
pub use ledger::Secrets;
pub use order::{Disorder, disorders};
pub use reader::{
    LINE_BYTES_MAX, Record, RecordError, RecordLine, RecordProblem, Tear, read_records, read_records_of,
    whole_matches_bytes, without_tear,
};
pub use seal::{
    Commitment, SealKey, are_signed_nonces, commitment, commitment_of, is_public_key, is_signed_commitment,
    is_signed_session, session_commitment,
};
pub use turns::{
    FORMAT, FORMAT_IN_SESSION, FORMAT_WITH_NONCES, FORMAT_WITHOUT_SERIES, PROTOCOL, PROTOCOL_WITH_NONCES,
    TurnLine, Turns,
};

pub(crate) use fields::Fields;
pub(crate) use json::{Value, by_name};
pub(crate) use ledger::Ledger;
pub(crate) use reader::read_value;
pub(crate) use seal::{Chain, is_signature, nonce};
