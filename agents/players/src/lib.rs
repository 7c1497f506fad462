//! Players: programs that choose a role's next move from the rules and from what the role did and was told.
//!
//! A [`Player`] is created from a text by [`PlayerKind`], such as `random` or
//! `belief:iterations=500,particles=100`. Its types ensure that it only gets the rules, its role and
//! its [`InformationSet`](croupier_engine::InformationSet); it never sees a true state.
//!
//! # How a move is chosen
//!
//! - *Search* (`search_player.rs`): a player updates its belief, and every iteration draws a state from it and descends.
//!   The methods differ in what the nodes of their trees are. Where only one state is possible, `uct` searches in a graph
//!   of states instead (`sighted`).
//! - *Solving* (`resolve.rs`): an equilibrium of the whole game, a blueprint, the tree of moves that all deals share, or
//!   subgames, whichever the game allows; otherwise search. `approach.rs` counts which way each decision came from, and
//!   why.
//! - *Nested players* (`nested.rs`): `hyperplay-ii` simulates whole matches, with players that hold beliefs of their own.
//! - *Planning* (`plan.rs`): a role that plays against chance alone need not search; all beliefs that it can reach are
//!   enumerated, each once, if there are not too many.
//!
//! `luck.rs` adjusts results for luck after a match. `realtime` has the players of real-time games.
//!
//! A seat says whether it offers its clock ([`Budget::Offered`]): the command line and agents of the GGP protocol do,
//! except in a match with a person; agents that a server runs itself never have it. [`Budget::Interruptible`] interrupts
//! a player without a clock, and changes no move. Players read no files: strategies come in as values.
//!
//! This package is pure: no clock (a deadline is a closure passed by the caller), no entropy (a seed of 32
//! bytes is an argument), no I/O, no log.
//!
//! ```
//! use std::sync::Arc;
//! use croupier_engine::{Game, InformationSet, Options};
//! use croupier_players::{Budget, PlayerKind};
//!
//! let rules = "
//!     (role left)
//!     (init start)
//!     (legal left (take 2)) (legal left (take 10))
//!     (<= (next (took ?n)) (does left (take ?n)))
//!     (<= terminal (true (took ?n)))
//!     (<= (goal left ?n) (true (took ?n)))
//!     (<= (goal left 0) (true start))";
//! let game = Arc::new(Game::compile(rules, &Options::PLAY).expect("the rules are sound").game);
//! let left = game.roles().find("left").expect("a role of the game");
//! let kind: PlayerKind = "belief:iterations=20".parse().expect("a kind of player");
//! let mut player = kind.player(Arc::clone(&game), left, [0; 32]).expect("left is no chance role");
//! let decision = player.choose(&InformationSet::initial(left), &mut Budget::Own).expect("a move");
//! assert_eq!(&*game.move_text(decision.chosen), "(take 10)");
//! assert_eq!(decision.iterations, 20);
//! ```
#![forbid(unsafe_code)]

mod player;
mod sight;
mod sighted;
mod symmetry;
mod random;
mod first_legal;
mod role_word;
mod rules;
mod luck;
mod prospects;
mod bandit;
mod approach;
mod ending;
mod positions;
mod lane_goals;
mod inference;
mod leaves;
mod starts;
mod tree;
mod work;
mod search;
mod plan;
mod search_player;
mod nested;
mod policy;
mod blueprint;
mod brought;
mod solutions;
mod ranges;
mod subgames;
mod resolve;
mod known_strategy;
mod solved;
mod thinking;
mod kind;
mod known_moves;
mod options;
mod kind_text;
mod kind_files;
pub mod realtime;

pub use approach::{Approach, Approaches, Undealt, Unsolved};
pub use blueprint::{BlueprintFile, BlueprintPlayer};
pub use brought::{Brought, BroughtPlayer, BroughtStrategy, StrategyFile};
pub use croupier_belief::{Coverage, Names, POLICY_FORMAT, PolicyError, PolicyTable, TablePolicy};
pub use ending::OpenEnds;
pub use first_legal::FirstLegalPlayer;
pub use kind::{Model, Models, PlayerKind};
pub use kind_files::{KindFile, KindFileError, KindFormat, ValueSearch};
pub use kind_text::{KindError, KindHelp};
pub use known_moves::KnownMoves;
pub use known_strategy::KnownStrategy;
pub use luck::{Luck, LuckError, LuckMeter};
pub use nested::{NestedOptions, NestedPlayer};
pub use options::whole_number;
pub use player::{Budget, Decision, Estimate, Player, PlayerError, StopReason};
pub use policy::PolicyPlayer;
pub use prospects::StateEnds;
pub use random::RandomPlayer;
pub use resolve::{ResolveOptions, ResolvePlayer};
pub use role_word::find_player;
pub use rules::{Baseline, MoveRules, MoveRulesError, RulePlayer};
pub use search_player::{SearchMethod, SearchOptions, SearchPlayer};
pub use solutions::Solutions;
pub use solved::{PolicyTableError, policy_table};
