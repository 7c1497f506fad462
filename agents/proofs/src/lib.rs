//! What follows from the rules of a game: questions, and answers that are proved, refuted with a witness, or open.
//!
//! [`examine`] answers every [`RuleQuestion`] about a game as far as a budget allows. All states that can be reached are explored once each, in
//! the bits of vectors; claims about them are then read off the graph. What a role knows is read off its information sets, as sets of
//! states that its own moves and percepts do not tell apart; where these are too many, by induction over pairs of matches. An answer says
//! what it rests on ([`Grounds`]), and shows lines of joint moves where these are the proof or the refutation. What was not settled is
//! [`Open`](RuleVerdict::Open), with what was searched; nothing that was only sampled is ever called proved. [`examine_real_time`] answers every [`TimedQuestion`] about a real-time game in the same way.
//!
//! # Sources
//! N. Love, T. Hinrichs, D. Haley, E. Schkufza, M. Genesereth: Game Description Language specification, 2006 and 2008, definitions 21 to
//! 24. Knowledge: M. Thielscher, "A general game description language for incomplete information games", AAAI 2010; J. Ruan and
//! M. Thielscher, "The epistemic logic behind the game description language", AAAI 2011.
#![forbid(unsafe_code)]

mod answer;
mod conclusion;
mod limits;
mod inductive;
mod interner;
mod goals;
mod growth;
mod graph;
mod maximum;
mod partial;
mod ends;
mod sets;
mod strategy;
mod circuit;
mod prover;
mod properties;
mod groups;
mod counting;
mod invariants;
mod sums;
mod sum_guesses;
mod constant;
mod guesses;
mod relations;
mod components;
mod turns;
mod ranking;
mod cube;
mod sample;
mod frames;
mod reach;
mod knowledge;
mod pairs;
mod patterns;
mod agreed;
mod by_graph;
mod by_sets;
mod by_pairs;
mod by_exchange;
mod prospects;
mod by_prospects;
mod by_signals;
mod by_roles;
mod by_counts;
mod used;
mod lanes;
mod shown;
mod walks;
mod shorten;
mod wanderer;
mod climb;
mod bounds;
mod time_left;
mod by_search;
mod claims;
mod by_induction;
mod examine;
mod real_time;

pub use answer::{Grounds, Line, RuleAnswer, RuleQuestion, RuleVerdict, Searched};
pub use examine::{Examination, GameSize, examine};
pub use limits::GraphLimits;
pub use real_time::{
    RunEnd, TimedAnswer, TimedEvent, TimedExamination, TimedGrounds, TimedLimits, TimedQuestion, TimedRun,
    TimedSize, examine_real_time,
};
