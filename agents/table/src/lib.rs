//! What somebody knows of the table of a game, for people to look at.
//!
//! A [`Scene`] is what somebody knows: who sees the state knows all of it, a role knows what it is certain of. [`drawn`] makes
//! boards, columns of players and words of it, with the facts about the game that its `game.toml` has.
//!
//! ```
//! use croupier_engine::{Game, Options};
//! use croupier_games::find;
//! use croupier_table::{drawn, scene_of_state};
//!
//! let entry = find("tic-tac-toe").ok_or("a bundled game")?;
//! let (game, facts) = (Game::compile(entry.rules, &Options::PLAY)?.game, entry.facts()?);
//! let scene = scene_of_state(&game, &facts, game.initial_state());
//! assert!(drawn(&game, &facts, &scene).text(80).contains("· · ·"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod scenes;
mod seen;

pub use scenes::{drawn, scene_of_certainty, scene_of_state, scene_of_states};
pub use seen::Seen;

#[cfg(doc)]
use croupier_games::Scene;
