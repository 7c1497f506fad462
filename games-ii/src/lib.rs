//! The games that come with Croupier: rules, facts about them, and words for their terms.
//!
//! Each game is a folder beside `src` with `rules.gdl` and `game.toml`; both are embedded here.
//! This package knows no engine: rules are text, and terms are canonical printed terms.
//!
//! ```
//! let kuhn = croupier_games::find("kuhn").expect("Kuhn poker is in the catalogue");
//! let facts = kuhn.facts()?;
//! assert_eq!(facts.words.move_text("(deal king)"), "deal the king");
//! assert_eq!(facts.payoff.map(|map| map.payoff(100.0)), Some(2.0));
//! # Ok::<(), croupier_games::FactsError>(())
//! ```
#![forbid(unsafe_code)]

mod alike;
mod printable;
mod term;
mod scene;
mod condition;
mod phrase;
mod said;
mod words;
mod value;
mod section;
mod board;
mod players;
mod depiction;
mod hand;
mod hand_history;
mod typed;
mod columns;
mod drawn;
mod predicates;
mod session;
mod facts;
mod layout;
mod touch;
mod outline;
mod catalogue;
mod family;
mod seat_belief;
mod hand_range;
mod seat_review;
mod square;

pub use alike::alike;
pub use board::{Board, BoardError, BoardLayout, BoardLook, SquareLayout, SquareMark};
pub use catalogue::{Entry, blueprints, catalogue, find, real_time_catalogue};
pub use columns::{in_columns, readable};
pub use depiction::{Depicted, DepictedKind, DepictionError, ZonePlace};
pub use drawn::Drawn;
pub use facts::{Counts, FactsError, GameFacts, Known, Payoff};
pub use family::{
    Family, FamilyError, Parameter, ParameterKind, ParameterValue, ParameterValues, families, find_family,
    starter, starter_facts,
};
pub use hand::{HandClass, HandKind, HeldCard};
pub use hand_history::{HandHistory, HandHistoryError, PokerMove};
pub use hand_range::{HandEquity, HandRange, HandShare};
pub use layout::{TableLayout, parts_of_term};
pub use outline::{About, Mention, Outline};
pub use phrase::PhraseError;
pub use players::{Column, ColumnCell, ColumnError, ColumnLayout};
pub use printable::printable;
pub use said::{NamedTerm, SaidLine, SaidPiece};
pub use scene::{Facts, Scene};
pub use seat_belief::{
    BeliefGrounds, GoalShare, HeldHands, HeldStep, LikelyFact, LikelyHand, Prospects, SeatBelief,
};
pub use seat_review::{ReviewGrounds, ReviewedDecision, ReviewedMove, SeatReview};
pub use session::{
    Away, FamilyRules, Raise, Rebuy, Rotation, SESSION_SEATS_MAX, SessionRules, SessionRulesError,
    SessionTotal, StackPattern, Until,
};
pub use square::FactSquare;
pub use term::TermError;
pub use touch::TouchedSquare;
pub use typed::TypedForms;
pub use value::ValueError;
pub use words::{TermPlace, Words};
