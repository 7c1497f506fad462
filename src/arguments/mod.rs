//! What commands are given: games, records, players, counts, files.
//!
//! `source.rs` and `records` parse the arguments GAME and RECORD; `seating.rs` parses `--seat ROLE=AGENT`; `count.rs` reads every
//! count. `foreign.rs` names files that are neither rules nor records; `existing.rs` decides for every command what happens to a
//! file that exists. `facts` compares a `game.toml` with the rules, for `check`.

pub(crate) mod entropy;
pub(crate) mod file;
pub(crate) mod foreign;
pub(crate) mod existing;
pub(crate) mod key_file;
pub(crate) mod token_file;
pub(crate) mod count;
pub(crate) mod report_format;
pub(crate) mod threads;
pub(crate) mod table;
pub(crate) mod effort;
pub(crate) mod engine;
pub(crate) mod facts;
pub(crate) mod role;
pub(crate) mod source;
pub(crate) mod kept;
pub(crate) mod records;
pub(crate) mod record_file;
pub(crate) mod seating;
