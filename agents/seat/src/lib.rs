//! A player of `croupier-players` in a role of a match, whoever runs the match.
//!
//! A referee sends a role messages: its own moves and its percepts, as text. [`Knowledge`] collects them to an information set of
//! the role's own game; [`PlayerSeat`] asks a player for its moves and answers, and [`RealTimePlayerSeat`] is the same for
//! real-time matches. [`SeatedPlayers`] are the agents of a server of matches.
//!
//! This package is pure: how much time has passed is an argument ([`Time`]).
//!
//! ```
//! use std::sync::Arc;
//! use croupier_engine::{Game, Options};
//! use croupier_players::PlayerKind;
//! use croupier_referee::{Message, Reply};
//! use croupier_seat::{Knowledge, PlayerSeat, Time};
//!
//! let rules = "(role ann) (init start) (legal ann wait) (<= (next over) (true start)) (<= terminal (true over)) (goal ann 50)";
//! let game = Arc::new(Game::compile(rules, &Options::PLAY)?.game);
//! let ann = game.roles().find("ann").ok_or("a role")?;
//! let kind: PlayerKind = "random".parse()?;
//! let mut seat = PlayerSeat::new(&kind, Knowledge::new(game, ann), [1; 32])?;
//! let message = Message::Play { match_id: "m".to_owned(), turn: 0, last: None };
//! let reply = seat.answer(&message, &mut Time::Untimed(&mut || false));
//! assert_eq!(reply, Reply::Text("wait".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod knowledge;
mod time;
mod player_seat;
mod real_time_seat;
mod insight;
mod timed_insight;
mod timed_possible;
mod trainer;
mod seated_players;

pub use insight::RoleInsight;
pub use knowledge::{Knowledge, information_set, information_set_of_turns};
pub use player_seat::{PlayerSeat, READY, SeatError};
pub use real_time_seat::RealTimePlayerSeat;
pub use seated_players::SeatedPlayers;
pub use time::{RESERVE, Time};
pub use timed_insight::RoleTimedInsight;
