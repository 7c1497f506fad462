//! Converts turn-based rules to real-time rules: theorem 3 of the paper, worked out, and chess clocks.
//!
//! Both conversions give every fluent of the game the lifetime `infinity`, and every fluent that they add a finite
//! lifetime or a mark, so that a rule of the game that uses *some* fluent (`(true ?f)`) never matches an added one.
//! `does` in the game's rules becomes `done`, which the added rules define, and `legal` becomes `option`. Rules for
//! `next` and `sees` apply only when a joint move is complete, the *step*; in all other updates
//! nothing changes. Added names get underscores until the game does not use them.
//!
//! # Play clock
//!
//! [`with_play_clock`] keeps joint moves: a clock ticks, and the step is the tick. These are the rules that do it, for a
//! tick of one second, without what a silent role does:
//!
//! ```text
//! (init 1 clock)                          (<= step (expired clock))
//! (<= (next 1 clock) (expired clock))     (<= (next ?t clock) (true ?t clock))
//! (<= (next infinity ?f) (true infinity ?f) (not step))
//!
//! (<= (next ?t (made ?r ?m)) (does ?r ?m) (true ?t clock) (not (moved ?r)))
//! (<= (next ?t (made ?r ?m)) (true ?t (made ?r ?m)))
//! (<= (moved ?r) (true ?t (made ?r ?m)))
//! (<= (legal ?r ?m) (option ?r ?m) (not (moved ?r)))
//!
//! (<= (done ?r ?m) step (expired (made ?r ?m)))
//! (<= (done ?r ?m) step (does ?r ?m))
//! ```
//!
//! The proof in the paper is a sketch, and its rules differ in four points:
//! - `made` has the remaining time of the clock as its lifetime and so ends with it. In the paper it lasts for ever and nothing
//!   ends it, so that a role could move only once in a match, and a frame axiom `next(f) <= true(f)` of a game would keep it.
//! - `moved` follows from `made`. As a separate fluent it would outlive the tick as well.
//! - Between ticks the clock is kept like everything else; the paper's `next(t, clock)` has a constant instead of a variable.
//! - A move at the exact instant of the tick counts for it. In the paper it would be `made` in the state after
//!   the tick.
//!
//! Nobody learns of a move before the tick: `sees` is delayed until then, and rules without `sees` get
//! `(<= (sees ?r (did ?q ?m)) (role ?r) (done ?q ?m))`. Simultaneous moves stay simultaneous.
//!
//! # Chess clocks
//!
//! [`with_chess_clocks`] has no tick. Only a role with more than one legal move may move, the step follows at once, and
//! the forced moves of the others are made for them. The clock of a role with a choice runs; between turns the remaining time
//! is a term in an endless fluent, because lifetimes cannot pause:
//!
//! ```text
//! (<= (next ?t (clock ?r)) (true infinity (remaining ?r ?t)) (starts ?r))
//! (<= (next infinity (remaining ?r ?t)) (true ?t (clock ?r)) step)
//! ```
//!
//! Whose turn it is follows from a state, so a clock cannot start in the update that creates the state. Each step
//! sets a pause of a microsecond, or the requested delay, and its end starts the clock. If nobody has a
//! choice, the end of a pause of a microsecond is the next step. The first microsecond of a turn is therefore free.
//! Times become terms, so these games run on the lifted reasoner.
//!
//! # Sources
//! J. Kowalski and A. Kisielewicz, "Towards a Real-time Game Description Language", ICAART 2016, theorem 3.

mod addition;
mod chess_clock;
mod choice;
mod error;
mod names;
mod play_clock;
mod translation;

pub use chess_clock::{ChessClock, with_chess_clocks};
pub use choice::{SharedTurn, find_shared_turn};
pub use error::ConversionError;
pub use play_clock::{PlayClock, Silence, with_play_clock};

#[cfg(test)]
mod tests;
