//! What follows from the rules of a real-time game: whether every match ends in time, whether infinitely much can happen in finite time, and what
//! can expire together with a move.
//!
//! # The clock
//!
//! Time is counted in whole microseconds, as referees count it. `random` moves at once; players move one microsecond after the last update
//! or later, each at most once in an update; what expires, expires at its instant. With a longer tick the instants of moves are some of
//! these, so that what is proved here holds then as well.
//!
//! # Classes of states
//!
//! Rules that only set lifetimes and keep them do the same whatever time is left. Then all states with the same fluents and certain
//! bounds on their lifetimes, and on the differences of these, are one class ([`zone`]), and what follows on a class is a few classes
//! again, one for each set of lifetimes that can end first ([`classes`]). All bounds are whole numbers, and constraints on differences of
//! whole numbers lose nothing when an instant is forgotten (their matrix is totally unimodular): a class has exactly the states that a match
//! can reach, to the microsecond. A way through classes becomes a match by solving its constraints for the instants ([`schedule`]).
//!
//! A class that lies in another need not be looked at. So a way around may lead to a smaller class and end at last, when time is up: what
//! bounds it is a lifetime that runs all the time ([`endings`]). If there are too many classes, the longest lifetimes
//! are taken for unknown: what is impossible then is impossible, and a match that is found must still have instants.
//!
//! Rules that read times are looked at state by state, at every instant if the lifetimes are that short ([`instants`]).
//!
//! Whatever is found is played again with the reasoner before it is shown ([`confirmed`]).
//!
//! # Sources
//! J. Bengtsson and W. Yi, "Timed automata: semantics, algorithms and tools", 2004 (difference bound matrices, inclusion). R. Alur and
//! D. Dill, "A theory of timed automata", 1994 (runs without end in finite time). Here clocks run down from lifetimes, in whole numbers.

mod question;
mod timed_limits;
mod zone;
mod timed_graph;
mod joint;
mod classes;
mod instants;
mod schedule;
mod confirmed;
mod rings;
mod endings;
mod loops;
mod view;
mod zeno;
mod expiries;
mod fuse;
mod goals;
mod examine;

pub use examine::{TimedExamination, TimedSize, examine_real_time};
pub use question::{RunEnd, TimedAnswer, TimedEvent, TimedGrounds, TimedQuestion, TimedRun};
pub use timed_limits::TimedLimits;
