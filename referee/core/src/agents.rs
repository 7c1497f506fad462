//! Players that a referee runs itself: what it needs of them, whoever brings them.

use std::{fmt, sync::Arc};

use croupier_engine::{Game, RoleId, game::TermError, realtime::RealTimeGame};
use thiserror::Error;

use crate::{
    event::Reply,
    realtime::RealTimeSeat,
    view::{Message, OwnHistory},
};

/// The agents that a referee can seat. A referee depends on no package of agents; whoever runs it brings an implementation.
pub trait Agents: fmt::Debug + Send + Sync {
    /// The specification of an agent, such as `ismcts`, with all its options.
    ///
    /// # Errors
    /// [`AgentError`] if there is no such agent.
    fn full_name(&self, agent: &str) -> Result<String, AgentError>;

    /// An agent in a role of a match that did and was told `own` so far.
    ///
    /// Its `game` is compiled from what players are sent, and shares no numbers of terms with the referee or another player. Its
    /// choices are functions of the arguments and of the messages, except for time.
    ///
    /// # Errors
    /// [`AgentError`] if there is no such agent, or it cannot play.
    fn seat(
        &self,
        agent: &str,
        game: Arc<Game>,
        own: &OwnHistory,
        seed: [u8; 32],
    ) -> Result<Box<dyn AgentSeat>, AgentError>;

    /// The specification of an agent of real-time games, such as `mc`, with all its options.
    ///
    /// # Errors
    /// [`AgentError`] if there is no such agent.
    fn real_time_name(&self, agent: &str) -> Result<String, AgentError>;

    /// An agent in a role of a real-time match, which is told from the beginning what its role is told. Its `game` shares no numbers
    /// of terms with the referee or another player.
    ///
    /// # Errors
    /// [`AgentError`] if there is no such agent.
    fn real_time_seat(
        &self,
        agent: &str,
        game: Arc<RealTimeGame>,
        role: RoleId,
        seed: [u8; 32],
    ) -> Result<Box<dyn RealTimeSeat + Send>, AgentError>;

    /// Lists the legal moves that `role` can prove, from the beginning of a match. The game shares no working memory with the referee's.
    fn provable_moves(&self, game: Arc<Game>, role: RoleId) -> Box<dyn ProvableMoves>;

    /// Works out what `role` can know, from the beginning of a match. The game shares no working memory with the referee's.
    fn insight(&self, game: Arc<Game>, role: RoleId) -> Box<dyn Insight>;

    /// Works out what `role` of a real-time match can know, from its beginning. The game shares no terms with the referee's.
    fn timed_insight(&self, game: Arc<RealTimeGame>, role: RoleId) -> Box<dyn TimedInsight>;

    /// Works out what `role` could believe, and afterwards what its moves were worth, from the beginning of a match. The game shares no
    /// working memory with the referee's. Nobody's move may wait for it.
    fn trainer(&self, game: Arc<Game>, role: RoleId) -> Box<dyn SeatTrainer>;
}

/// An agent in a role of one match.
pub trait AgentSeat: fmt::Debug + Send {
    /// Answers a message: START with `READY`, PLAY with a move. `has_passed` says whether a share of the time for the reply has
    /// passed: 1 is the deadline.
    fn answer(&mut self, message: &Message, has_passed: &mut (dyn FnMut(f64) -> bool + Send)) -> Reply;
}

/// The legal moves of a role, where what it did and was told proves them.
pub trait ProvableMoves: fmt::Debug + Send {
    /// Turns that were taken in.
    fn turns(&self) -> usize;

    /// Takes in a turn: the executed move of the role, and what it was told.
    ///
    /// # Errors
    /// [`TermError`] if one of these is no term.
    fn take(&mut self, own_move: &str, percepts: &[&str]) -> Result<(), TermError>;

    /// The legal moves in canonical order; `None` if what the role knows does not prove them.
    fn texts(&mut self) -> Option<Vec<String>>;
}

/// What a role can work out from what it did and was told: what a person in its place is shown.
///
/// All answers are functions of the rules, the role and the turns that were taken in, to the byte.
pub trait Insight: fmt::Debug + Send {
    /// Turns that were taken in.
    fn turns(&self) -> usize;

    /// Takes in a turn: the executed move of the role, and what it was told.
    ///
    /// # Errors
    /// [`TermError`] if one of these is no term.
    fn take(&mut self, own_move: &str, percepts: &[&str]) -> Result<(), TermError>;

    /// What the role is certain of, and what it holds possible; `look` says what a fluent looks like if others look the same, and `asked`
    /// whether anybody asks about it: what nobody asks about may be left open.
    fn facts(&mut self, look: &dyn Fn(&str) -> Option<String>, asked: &dyn Fn(&str) -> bool) -> ProvedFacts;

    /// The moves that may be legal, in canonical order.
    fn moves(&mut self) -> PossibleMoves;

    /// The players of which it is proved that they have something to choose in this turn, and no other has.
    fn to_move(&mut self) -> Option<Vec<RoleId>>;
}

/// What a role of a real-time match can work out from what it did and was told, with the instants: what a person in its place is shown.
///
/// All answers are functions of the rules, the role, what was taken in and the instant that is asked for, to the byte.
pub trait TimedInsight: fmt::Debug + Send {
    /// Takes in what the role was told at an instant, which is none before the last one.
    ///
    /// # Errors
    /// [`TermError`] if a part of it is no term.
    fn take(&mut self, told: &TimedNews) -> Result<(), TermError>;

    /// What the role knows at an instant, if it was told everything that there was to tell until then.
    fn outlook(&mut self, now_us: u64) -> TimedOutlook;
}

/// What a role of a real-time match was told at an instant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedNews {
    /// The instant, in microseconds of game time.
    pub at_us: u64,
    /// Who moved: everybody with full sight, otherwise the role itself or nobody.
    pub moves: Vec<(String, String)>,
    /// What it saw; with full sight nothing besides the moves.
    pub percepts: Vec<String>,
}

/// What a role of a real-time match knows at an instant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedOutlook {
    /// What is on the table.
    pub facts: ProvedFacts,
    /// What is certain to end, the first first, with its instant in microseconds of game time, unless somebody moves before.
    pub ends: Vec<(u64, Arc<str>)>,
    /// What the role can play.
    pub moves: PossibleMoves,
    /// When the table changes by itself, if somebody who knew more does not change it before.
    pub next_us: Option<u64>,
    /// When the match is over if nobody moves, where that is proved.
    pub over_us: Option<u64>,
}

/// What a role could believe, and what its moves were worth: the trainer's view of a seat.
///
/// All answers are functions of the rules, the role and the turns that were taken in, to the byte. They are JSON, which a referee passes
/// on: those who compute them and those who draw them know their format (`SeatBelief` and `SeatReview` of `croupier-games`).
pub trait SeatTrainer: fmt::Debug + Send {
    /// Turns that were taken in.
    fn turns(&self) -> usize;

    /// Takes in a turn: the executed move of the role, and what it was told.
    ///
    /// # Errors
    /// [`TermError`] if one of these is no term.
    fn take(&mut self, own_move: &str, percepts: &[&str]) -> Result<(), TermError>;

    /// What the role could believe now. `is_over` says that nobody wants the answer any more.
    ///
    /// # Errors
    /// [`AgentError`] if there is no belief, or it was interrupted.
    fn belief(
        &mut self,
        words: &FluentWords<'_>,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<String, AgentError>;

    /// The decisions of the role so far: what the best player would have done, and what each move gave up. Only for a match that is over:
    /// while it runs, it would be advice.
    ///
    /// # Errors
    /// [`AgentError`] if they cannot be judged, or it was interrupted.
    fn review(&mut self, is_over: &mut (dyn FnMut() -> bool + Send)) -> Result<String, AgentError>;
}

/// What the words of a game say of fluents.
#[derive(Clone, Copy)]
pub struct FluentWords<'w> {
    /// What a fluent looks like, if others look the same.
    pub look: &'w dyn Fn(&str) -> Option<String>,
    /// Whose hand a fluent is about, where whole hands count.
    pub holder: &'w dyn Fn(&str) -> Option<String>,
    /// Whether anything that is shown can depend on a fluent.
    pub tells: &'w dyn Fn(&str) -> bool,
}

impl fmt::Debug for FluentWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FluentWords").finish_non_exhaustive()
    }
}

/// What a role knows of the fluents of a state, as texts in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProvedFacts {
    /// What is true in every history that agrees with what the role knows.
    pub certain: Vec<Arc<str>>,
    /// What may be true.
    pub open: Vec<Arc<str>>,
    /// Of what may be true and looks alike, as many as are true for certain.
    pub alike: Vec<Arc<str>>,
    /// Of what may be true and looks alike, that of which the number is certain.
    pub copies: Vec<Arc<str>>,
    /// Whether anything else may be true as well; otherwise it is false.
    pub is_vague: bool,
}

/// The moves of a role, as far as it knows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PossibleMoves {
    /// As texts in canonical order.
    pub texts: Vec<Arc<str>>,
    /// Whether these are legal in every state that was looked at; otherwise each is legal in some.
    pub are_alike: bool,
}

/// Why an agent cannot be seated, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct AgentError(pub String);
