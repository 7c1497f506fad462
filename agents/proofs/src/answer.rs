//! Questions about a game, and what an answer is.

use croupier_engine::{JointMove, RoleId, Span};

/// What is asked about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleQuestion {
    /// Every infinite sequence of legal moves, those of `random` included, reaches a terminal state (specification of 2006, definition 21).
    Terminates,
    /// Every role, `random` too, has a legal move in every state that is reached and not terminal (definition 22).
    Playable,
    /// Some sequence of joint moves leads to a terminal state in which the role has its maximal goal (definition 23).
    WeaklyWinnable,
    /// The role can reach its maximal goal by a strategy on what it knows, whatever the others and chance play (definition 23).
    StronglyWinnable,
    /// It terminates, is playable and weakly winnable (definition 24).
    WellFormed,
    /// In every terminal state each player has exactly one goal, a whole number from 0 to 100.
    Goals,
    /// In every state each player has exactly one goal, and it never falls (revision of 2008).
    Monotonic,
    /// The goals of all players have the same sum in every terminal state.
    ConstantSum,
    /// At most one role has more than one legal move in a turn.
    Alternating,
    /// The role knows which moves it has.
    KnowsMoves,
    /// The role knows whether it has a choice.
    KnowsChoice,
    /// The role knows whether the match is over.
    KnowsEnd,
    /// The role knows its goal when the match is over.
    KnowsGoal,
    /// The last own move and percepts alone tell the role its legal moves.
    LatestPercepts,
    /// The role knows certain fluents in every state that is not terminal.
    AlwaysKnows,
    /// The role is never certain of certain fluents before the end.
    NeverLearns,
    /// Every move, fluent, percept or rule that could come up does.
    Used,
    /// How many turns a match has.
    Length,
    /// How many legal moves the role has.
    Branching,
    /// How many states and information sets there are.
    Size,
    /// In how many ways chance can deal before a player first chooses.
    Deals,
    /// An exchange of roles maps every match to a match, with the goals of who is exchanged.
    Symmetric,
    /// What the role does can change how a match ends.
    Matters,
    /// Each move of the role is in some match better than every other: none is never better than another.
    Undominated,
    /// By its moves alone the role can tell another something.
    Signals,
}

impl RuleQuestion {
    /// All of them, in the order in which they are answered.
    pub const ALL: [Self; 25] = [
        Self::Terminates,
        Self::Playable,
        Self::WeaklyWinnable,
        Self::WellFormed,
        Self::StronglyWinnable,
        Self::Goals,
        Self::Monotonic,
        Self::ConstantSum,
        Self::Alternating,
        Self::KnowsMoves,
        Self::KnowsChoice,
        Self::KnowsEnd,
        Self::KnowsGoal,
        Self::LatestPercepts,
        Self::AlwaysKnows,
        Self::NeverLearns,
        Self::Signals,
        Self::Matters,
        Self::Undominated,
        Self::Symmetric,
        Self::Used,
        Self::Deals,
        Self::Length,
        Self::Branching,
        Self::Size,
    ];

    /// The name, in words with hyphens.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Terminates => "terminates",
            Self::Playable => "playable",
            Self::WeaklyWinnable => "weakly-winnable",
            Self::StronglyWinnable => "strongly-winnable",
            Self::WellFormed => "well-formed",
            Self::Goals => "goals",
            Self::Monotonic => "monotonic",
            Self::ConstantSum => "constant-sum",
            Self::Alternating => "alternating",
            Self::KnowsMoves => "knows-moves",
            Self::KnowsChoice => "knows-choice",
            Self::KnowsEnd => "knows-end",
            Self::KnowsGoal => "knows-goal",
            Self::LatestPercepts => "latest-percepts",
            Self::AlwaysKnows => "always-knows",
            Self::NeverLearns => "never-learns",
            Self::Used => "used",
            Self::Length => "length",
            Self::Branching => "branching",
            Self::Size => "size",
            Self::Deals => "deals",
            Self::Symmetric => "symmetric",
            Self::Matters => "matters",
            Self::Undominated => "undominated",
            Self::Signals => "signals",
        }
    }

    /// What is proved if it is, as a sentence without a full stop.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Terminates => "every match ends, whatever is played (specification of 2006, definition 21)",
            Self::Playable => "every role can always move until the match is over (definition 22)",
            Self::WeaklyWinnable => {
                "each player can get its maximal goal with the help of all (definition 23)"
            }
            Self::StronglyWinnable => "a player can force its maximal goal by what it knows (definition 23)",
            Self::WellFormed => "it terminates, is playable and weakly winnable (definition 24)",
            Self::Goals => "in every end each player has exactly one goal from 0 to 100",
            Self::Monotonic => {
                "each player always has exactly one goal, and it never falls (revision of 2008)"
            }
            Self::ConstantSum => "all goals together are the same in every end",
            Self::Alternating => "at most one role has a choice in a turn",
            Self::KnowsMoves => "a role always knows its legal moves",
            Self::KnowsChoice => "a role always knows whether it has a choice",
            Self::KnowsEnd => "a role always knows whether the match is over",
            Self::KnowsGoal => "a role knows its goal when the match is over",
            Self::LatestPercepts => "the last move and percepts alone tell a role its moves",
            Self::AlwaysKnows => "a role always knows certain fluents",
            Self::NeverLearns => "a role is never certain of certain fluents before the end",
            Self::Used => "every move, fluent, percept and rule comes up in some match",
            Self::Length => "how many turns a match has",
            Self::Branching => "how many legal moves a role has",
            Self::Size => "how many states and information sets there are",
            Self::Deals => "in how many ways chance can deal before a player first chooses",
            Self::Symmetric => "roles can be exchanged without a difference",
            Self::Matters => "what a role does can change how a match ends",
            Self::Undominated => "each move of a role is the best in some match",
            Self::Signals => "a role can tell another something by its moves",
        }
    }

    /// The question with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|question| question.name() == name)
    }
}

/// Whether what is asked holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleVerdict {
    /// It does.
    Proved,
    /// It does not.
    Refuted,
    /// That was not found within the budget.
    Open,
}

impl RuleVerdict {
    /// The verdict as a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Refuted => "refuted",
            Self::Open => "open",
        }
    }
}

/// What an answer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grounds {
    /// Every state that can be reached, so many of them.
    Exhaustion(usize),
    /// Every information set of the role that can be reached, so many of them.
    InformationSets(usize),
    /// What may hold after each turn whatever is played, for so many turns.
    Bounds(usize),
    /// What holds after every turn if it held before, for every state and not only for those that can be reached.
    Induction,
    /// The rules themselves: what can be true of them at all.
    Rules,
    /// The lines that are shown.
    Lines,
    /// Answers to other questions.
    Answers,
    /// A search that did not settle it.
    Search(Searched),
}

/// What a search looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// States that were expanded, the nearest first.
    pub states: usize,
    /// Every line of fewer turns than this was looked at.
    pub turns: usize,
    /// Random matches besides.
    pub playouts: usize,
}

/// Joint moves from the first state on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// One for each turn.
    pub moves: Vec<JointMove>,
    /// The state after this many of the moves comes again after the last.
    pub returns_to: Option<usize>,
}

/// An answer to a question about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleAnswer {
    /// What was asked.
    pub question: RuleQuestion,
    /// Of which role, if of one.
    pub role: Option<RoleId>,
    /// Of what, if the question is about something besides: a goal, or a group of fluents.
    pub about: Option<String>,
    /// Whether it holds.
    pub verdict: RuleVerdict,
    /// What that rests on.
    pub grounds: Grounds,
    /// The answer in words.
    pub text: String,
    /// Rules in the text that it is about.
    pub places: Vec<Span>,
    /// Matches that show it: two for a question of knowledge, which the role cannot tell apart.
    pub lines: Vec<Line>,
}

impl RuleAnswer {
    /// An answer about the whole game, without lines.
    pub(crate) fn new(question: RuleQuestion, verdict: RuleVerdict, grounds: Grounds, text: String) -> Self {
        Self {
            question,
            role: None,
            about: None,
            verdict,
            grounds,
            text,
            places: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Whether it answers what another does. Of who cannot move only a refutation speaks.
    pub(crate) fn asks_the_same(&self, other: &Self) -> bool {
        self.question == other.question
            && (self.role == other.role || self.question == RuleQuestion::Playable)
            && self.about == other.about
    }

    pub(crate) fn of(self, role: RoleId) -> Self {
        Self { role: Some(role), ..self }
    }

    pub(crate) fn about(self, about: String) -> Self {
        Self { about: Some(about), ..self }
    }

    pub(crate) fn shown_by(self, lines: Vec<Line>) -> Self {
        Self { lines, ..self }
    }
}
