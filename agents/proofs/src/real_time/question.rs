//! Questions about a real-time game, and what an answer is.

use croupier_engine::{FluentId, MoveId, RoleId};

use crate::answer::{RuleQuestion, RuleVerdict};

/// What is asked about a real-time game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimedQuestion {
    /// Whatever the players do, and whatever chance draws, a terminal state is reached within a time that the rules bound.
    Terminates,
    /// There are never infinitely many updates in finite time: neither at one instant, by moves of chance, nor by ever faster moves of players.
    NonZeno,
    /// Certain fluents never expire in an update in which a player moves.
    ExpiresApart,
    /// In every state that is reached and not terminal something can happen: somebody can move, or something expires.
    Playable,
    /// Some match leads to a terminal state in which the role has its maximal goal (specification of 2006, definition 23).
    WeaklyWinnable,
    /// It terminates, is playable and weakly winnable (definition 24).
    WellFormed,
    /// In every terminal state each player has exactly one goal, a whole number from 0 to 100.
    Goals,
    /// The goals of all players have the same sum in every terminal state.
    ConstantSum,
    /// Every move and fluent that could come up does.
    Used,
}

impl TimedQuestion {
    /// All of them, in the order in which they are answered.
    pub const ALL: [Self; 9] = [
        Self::Terminates,
        Self::NonZeno,
        Self::ExpiresApart,
        Self::Playable,
        Self::WeaklyWinnable,
        Self::WellFormed,
        Self::Goals,
        Self::ConstantSum,
        Self::Used,
    ];

    /// The name, in words with hyphens: where a question is asked of games in turns too, it is the same.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Terminates => "terminates",
            Self::NonZeno => "non-zeno",
            Self::ExpiresApart => "expires-apart",
            Self::Playable => "playable",
            Self::WeaklyWinnable => "weakly-winnable",
            Self::WellFormed => "well-formed",
            Self::Goals => "goals",
            Self::ConstantSum => "constant-sum",
            Self::Used => "used",
        }
    }

    /// What is proved if it is, as a sentence without a full stop.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Terminates => "every match ends within a time that the rules bound",
            Self::NonZeno => "there are never infinitely many updates in finite time",
            Self::ExpiresApart => "certain fluents never expire in an update in which a player moves",
            Self::Playable => "something can happen in every state until the match is over",
            Self::WeaklyWinnable => RuleQuestion::WeaklyWinnable.meaning(),
            Self::WellFormed => RuleQuestion::WellFormed.meaning(),
            Self::Goals => RuleQuestion::Goals.meaning(),
            Self::ConstantSum => RuleQuestion::ConstantSum.meaning(),
            Self::Used => "every move and fluent comes up in some match",
        }
    }

    /// The question with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|question| question.name() == name)
    }
}

/// What an answer about a real-time game rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimedGrounds {
    /// Every state that can be reached, in so many classes.
    Classes(usize),
    /// Every state that can be reached, and more, in so many classes: the longest lifetimes are taken for unknown.
    Regions(usize),
    /// Every state that can be reached, one by one.
    States(usize),
    /// The rules themselves: what can be true of them at all.
    Rules,
    /// The runs that are shown.
    Runs,
    /// Answers to other questions.
    Answers,
    /// A search of so many states, or classes of states, that did not settle it.
    Search(usize),
}

/// An update of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedEvent {
    /// Its instant, in microseconds from the start of the match.
    pub at_us: u64,
    /// Who makes which move, in the order of the roles; nobody where something expires and nothing else.
    pub moves: Vec<(RoleId, MoveId)>,
    /// What expires.
    pub expired: Vec<FluentId>,
}

/// What a run shows at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Its last update.
    Update,
    /// The state after so many updates comes again after the last, with every lifetime.
    Returns(usize),
    /// What holds after so many updates holds again after the last, with less time left, and nothing expires between them.
    Repeats(usize),
    /// Nothing expires any more, and nobody has to move.
    Waits,
    /// The last update gives a fluent a lifetime that is none.
    Fails,
}

/// A match, as far as it shows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedRun {
    /// Its updates.
    pub events: Vec<TimedEvent>,
    /// What it shows at its end.
    pub end: RunEnd,
    /// The fluent that it is about, if it is about one.
    pub about: Option<FluentId>,
}

/// An answer to a question about a real-time game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedAnswer {
    /// What was asked.
    pub question: TimedQuestion,
    /// Of which role, if of one.
    pub role: Option<RoleId>,
    /// Of what, if the question is about something besides: a goal, a group of fluents, or a kind of updates.
    pub about: Option<String>,
    /// Whether it holds.
    pub verdict: RuleVerdict,
    /// What that rests on.
    pub grounds: TimedGrounds,
    /// The answer in words.
    pub text: String,
    /// In microseconds, how long a match can last at most, if that is the answer.
    pub bound_us: Option<u64>,
    /// Matches that show it.
    pub runs: Vec<TimedRun>,
}

impl TimedAnswer {
    /// An answer about the whole game, without runs.
    pub(super) fn new(
        question: TimedQuestion,
        verdict: RuleVerdict,
        grounds: TimedGrounds,
        text: String,
    ) -> Self {
        Self { question, role: None, about: None, verdict, grounds, text, bound_us: None, runs: Vec::new() }
    }

    /// Whether it answers what another does.
    pub(super) fn asks_the_same(&self, other: &Self) -> bool {
        self.question == other.question && self.role == other.role && self.about == other.about
    }

    pub(super) fn of(self, role: RoleId) -> Self {
        Self { role: Some(role), ..self }
    }

    pub(super) fn about(self, about: String) -> Self {
        Self { about: Some(about), ..self }
    }

    pub(super) fn shown_by(self, runs: Vec<TimedRun>) -> Self {
        Self { runs, ..self }
    }
}
