//! How matches of a game follow one another: `[session]` of `game.toml`.
//!
//! A session is a table with seats, and matches that are played there one after the other. What changes from match to match is
//! data: which seat has which role, what adds up, when it is over, and, for a game of a family, which of its parameters follow
//! from the last state of the match before. Nothing here knows a game.
//!
//! ```
//! use croupier_games::{Rotation, SessionRules, Until};
//!
//! let rules: SessionRules = toml::from_str("rotate = 'never'\nuntil = 'any wins >= 5 or matches = 9'")?;
//! assert_eq!(rules.rotate, Rotation::Never);
//! assert_eq!(rules.until, [Until::AnyWins(5), Until::Matches(9)]);
//! // What a file says nothing of: roles rotate, payoffs add up, and it goes on until the host ends it.
//! assert_eq!(SessionRules::default().until, [Until::Host]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod notation;

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::term::{PatternTerm, TermError};

/// Most seats of a session.
pub const SESSION_SEATS_MAX: usize = 64;

/// How the matches of a session follow one another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "notation::SessionFile", into = "notation::SessionFile")]
pub struct SessionRules {
    /// Which seat has which role.
    pub rotate: Rotation,
    /// What adds up from match to match.
    pub total: SessionTotal,
    /// What ends it: the first of these.
    pub until: Vec<Until>,
    /// What becomes of a seat whose player is away.
    pub away: Away,
    /// How each match is made from a family, if it is.
    pub family: Option<FamilyRules>,
}

/// Which seat has which role in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rotation {
    /// Every seat moves on by one role after each match.
    Each,
    /// Every seat keeps its role.
    Never,
    /// Duplicate: as many matches from one seed as there are roles, so that every seat gets every hand of a deal; then the
    /// next deal.
    Pairs,
}

/// What adds up from match to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionTotal {
    /// Payoffs, in the unit of the game; goals if it has none.
    Payoff,
    /// Goals.
    Goal,
    /// Matches won: those in which a seat alone has the highest goal.
    Wins,
}

/// What ends a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Nothing but the host, who can end every session.
    Host,
    /// So many matches.
    Matches(u64),
    /// A seat has won so many matches.
    AnyWins(u64),
    /// The total of a seat is at most this.
    AnyTotalAtMost(i64),
    /// The total of a seat is at least this.
    AnyTotalAtLeast(i64),
    /// One seat has all that there is to have.
    OneLeft,
    /// So many minutes of play.
    Minutes(u64),
}

/// What becomes of a seat whose player is away: who sits out, or did not answer twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Away {
    /// The seat is not dealt in.
    SitOut,
    /// The seat is dealt in, and played by this agent.
    Agent(String),
}

/// How each match of a session is made from a family of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyRules {
    /// The family; its parameter `players` takes how many are dealt in.
    pub name: String,
    /// The parameter that takes what each seat has, in the order of the roles.
    pub stacks: String,
    /// The fluent of the last state that says what each has left, with `?player` and `?chips`.
    pub read: StackPattern,
    /// What a seat begins with.
    pub start: u32,
    /// What stacks are counted in, in the plural.
    pub unit: String,
    /// Whether the sum of all stacks stays the same. Otherwise it may fall: a die that is lost is nobody's.
    pub conserved: bool,
    /// The parameters that take the numbers of a level.
    pub posts: Vec<String>,
    /// The levels, each with a number for each of `posts`; none if nothing is raised.
    pub blinds: Vec<Vec<u32>>,
    /// When the next level comes.
    pub raise: Option<Raise>,
    /// When a seat that has nothing left may begin again.
    pub rebuy: Rebuy,
    /// Parameters that are the same in every match.
    pub parameters: BTreeMap<String, String>,
}

/// When the next level comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raise {
    /// After so many minutes of play.
    Minutes(u64),
    /// After so many matches.
    Matches(u64),
}

/// When a seat that has nothing left may begin again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rebuy {
    /// It may not.
    Never,
    /// Whenever no match is running.
    Always,
    /// As long as the level, from 1, is below this.
    UntilLevel(usize),
}

/// Why a `[session]` was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SessionRulesError {
    /// A word is none of those that are possible there.
    #[error("`{found}` is no value of {field}: {expected}")]
    Word {
        /// The field.
        field: &'static str,
        /// As written.
        found: String,
        /// What can be written.
        expected: &'static str,
    },
    /// The pattern is not a term.
    #[error("the pattern `{pattern}` of the session is not a term: {source}")]
    Pattern {
        /// As written.
        pattern: String,
        /// What is wrong with it.
        source: TermError,
    },
    /// The pattern lacks a variable.
    #[error("the pattern `{pattern}` of the session needs ?player and ?chips")]
    Variables {
        /// As written.
        pattern: String,
    },
    /// What is said does not fit together.
    #[error("{0}")]
    Unfit(&'static str),
}

impl Default for SessionRules {
    fn default() -> Self {
        Self {
            rotate: Rotation::Each,
            total: SessionTotal::Payoff,
            until: vec![Until::Host],
            away: Away::Agent("fold".to_owned()),
            family: None,
        }
    }
}

impl SessionRules {
    /// Whether what is said fits together; a session checks it again when options have changed something.
    ///
    /// # Errors
    /// [`SessionRulesError::Unfit`] with the reason.
    pub fn check(&self) -> Result<(), SessionRulesError> {
        let unfit = |reason| Err(SessionRulesError::Unfit(reason));
        let is_one_left = self.until.contains(&Until::OneLeft);
        match &self.family {
            None if is_one_left => {
                unfit("a session until one is left needs a family, which says what each has left")
            }
            Some(_) if self.rotate == Rotation::Pairs => {
                unfit("pairs play every deal once in each role, and with stacks no two matches are the same")
            }
            _ if is_one_left && self.away == Away::SitOut => {
                unfit("in a session until one is left, who is away is dealt in: name an agent for it")
            }
            Some(family) => family.check(),
            None => Ok(()),
        }
    }
}

impl FamilyRules {
    fn check(&self) -> Result<(), SessionRulesError> {
        let unfit = |reason| Err(SessionRulesError::Unfit(reason));
        if self.start == 0 {
            return unfit("a seat begins with at least 1");
        }
        if self.blinds.iter().any(|level| level.len() != self.posts.len()) {
            return unfit("every level has one number for each parameter of `posts`");
        }
        if self.raise.is_some() && self.blinds.len() < 2 {
            return unfit("`raise` needs two levels at least: see `blinds`");
        }
        let taken = self.posts.iter().chain([&self.stacks]);
        if taken.into_iter().any(|name| self.parameters.contains_key(name) || name == "players") {
            return unfit("a parameter of the family has one source only");
        }
        Ok(())
    }

    /// Whether a seat with nothing may begin again at this level, from 1.
    #[must_use]
    pub fn allows_rebuy(&self, level: usize) -> bool {
        match self.rebuy {
            Rebuy::Never => false,
            Rebuy::Always => true,
            Rebuy::UntilLevel(end) => level < end,
        }
    }

    /// The numbers of a level, from 1, by parameter; those of the last one if there are not so many.
    #[must_use]
    pub fn level(&self, level: usize) -> Vec<(&str, u32)> {
        let numbers = self.blinds.get(level.saturating_sub(1)).or_else(|| self.blinds.last());
        let numbers = numbers.into_iter().flatten().copied();
        self.posts.iter().map(String::as_str).zip(numbers).collect()
    }
}

/// The fluent of a last state that says what a role has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackPattern(PatternTerm);

impl StackPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// [`SessionRulesError::Pattern`] and [`SessionRulesError::Variables`].
    pub fn parse(text: &str) -> Result<Self, SessionRulesError> {
        let term = PatternTerm::parse(text)
            .map_err(|source| SessionRulesError::Pattern { pattern: text.to_owned(), source })?;
        match term.mentions("player") && term.mentions("chips") {
            true => Ok(Self(term)),
            false => Err(SessionRulesError::Variables { pattern: text.to_owned() }),
        }
    }

    /// The role and what it has left, if the fluent says so.
    ///
    /// ```
    /// use croupier_games::StackPattern;
    ///
    /// let pattern = StackPattern::parse("(stack ?player ?chips)")?;
    /// assert_eq!(pattern.read("(stack alice 183)"), Some(("alice".to_owned(), 183)));
    /// assert_eq!(pattern.read("(stack alice many)"), None);
    /// # Ok::<(), croupier_games::SessionRulesError>(())
    /// ```
    #[must_use]
    pub fn read(&self, fluent: &str) -> Option<(String, u64)> {
        let term = PatternTerm::parse(fluent).ok()?;
        let binding = self.0.matches(&term)?;
        let part = |name: &str| binding.iter().find(|(known, _)| known == name);
        let (player, chips) = (part("player")?.1.to_string(), part("chips")?.1.to_string());
        Some((player, chips.parse().ok()?))
    }
}

impl fmt::Display for StackPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
