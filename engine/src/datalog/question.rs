//! The questions about a state, or a state and a joint move.

use crate::rules::Keyword;

/// A question about a state, or a state and a joint move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Is the match over?
    Terminal,
    /// What may be played?
    Legal,
    /// What are the goals?
    Goal,
    /// What is true next?
    Next,
    /// Who is told what?
    Sees,
}

impl Question {
    pub(super) const ALL: [Self; 5] = [Self::Terminal, Self::Legal, Self::Goal, Self::Next, Self::Sees];

    pub(super) fn keyword(self) -> Keyword {
        match self {
            Self::Terminal => Keyword::Terminal,
            Self::Legal => Keyword::Legal,
            Self::Goal => Keyword::Goal,
            Self::Next => Keyword::Next,
            Self::Sees => Keyword::Sees,
        }
    }

    pub(super) fn bit(self) -> u8 {
        1 << self as u8
    }
}
