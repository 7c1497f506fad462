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

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    printable::printable,
    term::{PatternTerm, TermError},
};

/// Most seats of a session.
pub const SESSION_SEATS_MAX: usize = 64;

/// How the matches of a session follow one another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SessionFile", into = "SessionFile")]
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

/// `[session]` as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionFile {
    #[serde(default = "each")]
    rotate: Rotation,
    #[serde(default = "payoff")]
    total: SessionTotal,
    #[serde(default = "host")]
    until: String,
    #[serde(default = "fold")]
    away: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    family: Option<SessionFamilyFile>,
}

/// `[session.family]` as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionFamilyFile {
    name: String,
    #[serde(default = "seated")]
    players: String,
    stacks: String,
    read: String,
    start: u32,
    #[serde(default = "chips")]
    unit: String,
    #[serde(default = "yes")]
    conserved: bool,
    #[serde(default)]
    posts: Vec<String>,
    #[serde(default)]
    blinds: Vec<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    raise: Option<String>,
    #[serde(default = "never")]
    rebuy: String,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
}

fn each() -> Rotation {
    Rotation::Each
}

fn payoff() -> SessionTotal {
    SessionTotal::Payoff
}

fn host() -> String {
    "host".to_owned()
}

fn fold() -> String {
    "fold".to_owned()
}

fn seated() -> String {
    SEATED.to_owned()
}

fn never() -> String {
    "never".to_owned()
}

fn chips() -> String {
    "chips".to_owned()
}

fn yes() -> bool {
    true
}

/// The one way to say how many players a match of a family has.
const SEATED: &str = "seated";

/// The parameters of a level that no file names.
const POSTS: [&str; 2] = ["small_blind", "big_blind"];

impl Default for SessionRules {
    fn default() -> Self {
        Self {
            rotate: Rotation::Each,
            total: SessionTotal::Payoff,
            until: vec![Until::Host],
            away: Away::Agent(fold()),
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

impl Until {
    const EXPECTED: &str = "host, matches = N, any wins >= N, any total <= N, any total >= N, one left or minutes = N, \
        several with ` or ` between them";

    /// Reads what ends a session: one of these, or several with ` or ` between them.
    ///
    /// # Errors
    /// [`SessionRulesError::Word`] with what can be written.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, SessionRulesError> {
        text.split(" or ").map(Self::parse).collect()
    }

    fn parse(text: &str) -> Result<Self, SessionRulesError> {
        let refused =
            || SessionRulesError::Word { field: "until", found: text.to_owned(), expected: Self::EXPECTED };
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let count = |text: &str| text.parse().ok().filter(|&count: &u64| count > 0).ok_or_else(refused);
        let total = |text: &str| text.parse().map_err(|_| refused());
        Ok(match words[..] {
            ["host"] => Self::Host,
            ["one", "left"] => Self::OneLeft,
            ["matches", "=", number] => Self::Matches(count(number)?),
            ["minutes", "=", number] => Self::Minutes(count(number)?),
            ["any", "wins", ">=", number] => Self::AnyWins(count(number)?),
            ["any", "total", "<=", number] => Self::AnyTotalAtMost(total(number)?),
            ["any", "total", ">=", number] => Self::AnyTotalAtLeast(total(number)?),
            _ => return Err(refused()),
        })
    }
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.write_str("host"),
            Self::Matches(count) => write!(f, "matches = {count}"),
            Self::AnyWins(count) => write!(f, "any wins >= {count}"),
            Self::AnyTotalAtMost(total) => write!(f, "any total <= {total}"),
            Self::AnyTotalAtLeast(total) => write!(f, "any total >= {total}"),
            Self::OneLeft => f.write_str("one left"),
            Self::Minutes(count) => write!(f, "minutes = {count}"),
        }
    }
}

impl Away {
    /// Reads what becomes of who is away: `sit out`, or an agent.
    ///
    /// # Errors
    /// [`SessionRulesError::Word`] if it is empty.
    pub fn parse(text: &str) -> Result<Self, SessionRulesError> {
        match text.trim() {
            "" => Err(SessionRulesError::Word {
                field: "away",
                found: text.to_owned(),
                expected: "sit out, or an agent such as fold or first-legal",
            }),
            "sit out" => Ok(Self::SitOut),
            agent => Ok(Self::Agent(agent.to_owned())),
        }
    }
}

impl fmt::Display for Away {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SitOut => f.write_str("sit out"),
            Self::Agent(agent) => f.write_str(agent),
        }
    }
}

impl Raise {
    /// Reads when the next level comes: `10 min` or `8 matches`.
    ///
    /// # Errors
    /// [`SessionRulesError::Word`] with what can be written.
    pub fn parse(text: &str) -> Result<Self, SessionRulesError> {
        let refused = || SessionRulesError::Word {
            field: "raise",
            found: text.to_owned(),
            expected: "10 min, or 8 matches",
        };
        let text = text.trim();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let count = text[..digits].parse().ok().filter(|&count: &u64| count > 0).ok_or_else(refused)?;
        match text[digits..].trim() {
            "min" | "m" | "minutes" | "minute" => Ok(Self::Minutes(count)),
            "matches" | "match" | "hands" | "hand" => Ok(Self::Matches(count)),
            _ => Err(refused()),
        }
    }
}

impl fmt::Display for Raise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Minutes(count) => write!(f, "{count} min"),
            Self::Matches(count) => write!(f, "{count} matches"),
        }
    }
}

impl Rebuy {
    /// Reads when a seat may begin again: `never`, `always` or `until level 3`.
    ///
    /// # Errors
    /// [`SessionRulesError::Word`] with what can be written.
    pub fn parse(text: &str) -> Result<Self, SessionRulesError> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let level = |text: &str| text.parse().ok().filter(|&level: &usize| level > 1).map(Self::UntilLevel);
        let rebuy = match words[..] {
            ["never"] => Some(Self::Never),
            ["always"] => Some(Self::Always),
            ["until", "level", number] => level(number),
            _ => None,
        };
        rebuy.ok_or_else(|| SessionRulesError::Word {
            field: "rebuy",
            found: text.to_owned(),
            expected: "never, always or until level N, with N from 2",
        })
    }
}

impl fmt::Display for Rebuy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => f.write_str("never"),
            Self::Always => f.write_str("always"),
            Self::UntilLevel(level) => write!(f, "until level {level}"),
        }
    }
}

impl TryFrom<SessionFile> for SessionRules {
    type Error = SessionRulesError;

    fn try_from(file: SessionFile) -> Result<Self, SessionRulesError> {
        let rules = Self {
            rotate: file.rotate,
            total: file.total,
            until: Until::parse_all(&file.until)?,
            away: Away::parse(&file.away)?,
            family: file.family.map(FamilyRules::try_from).transpose()?,
        };
        rules.check().map(|()| rules)
    }
}

impl TryFrom<SessionFamilyFile> for FamilyRules {
    type Error = SessionRulesError;

    fn try_from(file: SessionFamilyFile) -> Result<Self, SessionRulesError> {
        if file.players != SEATED {
            let (found, expected) = (file.players, "seated, who is dealt in");
            return Err(SessionRulesError::Word { field: "players", found, expected });
        }
        let posts = match file.posts.is_empty() && !file.blinds.is_empty() {
            true => POSTS.map(str::to_owned).to_vec(),
            false => file.posts,
        };
        Ok(Self {
            name: file.name,
            stacks: file.stacks,
            read: StackPattern::parse(&file.read)?,
            start: file.start,
            unit: printable(&file.unit),
            conserved: file.conserved,
            posts,
            blinds: file.blinds,
            raise: file.raise.as_deref().map(Raise::parse).transpose()?,
            rebuy: Rebuy::parse(&file.rebuy)?,
            parameters: file.parameters,
        })
    }
}

impl From<SessionRules> for SessionFile {
    fn from(rules: SessionRules) -> Self {
        let until: Vec<String> = rules.until.iter().map(Until::to_string).collect();
        Self {
            rotate: rules.rotate,
            total: rules.total,
            until: until.join(" or "),
            away: rules.away.to_string(),
            family: rules.family.map(SessionFamilyFile::from),
        }
    }
}

impl From<FamilyRules> for SessionFamilyFile {
    fn from(rules: FamilyRules) -> Self {
        Self {
            name: rules.name,
            players: seated(),
            stacks: rules.stacks,
            read: rules.read.to_string(),
            start: rules.start,
            unit: rules.unit,
            conserved: rules.conserved,
            posts: rules.posts,
            blinds: rules.blinds,
            raise: rules.raise.map(|raise| raise.to_string()),
            rebuy: rules.rebuy.to_string(),
            parameters: rules.parameters,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Away, Raise, Rebuy, Rotation, SessionRules, SessionTotal, StackPattern, Until};

    const HOLDEM: &str = "
        total = 'payoff'
        until = 'one left'
        [family]
        name = 'no-limit-holdem'
        players = 'seated'
        stacks = 'stacks'
        read = '(stack ?player ?chips)'
        start = 200
        blinds = [[1, 2], [2, 4], [3, 6]]
        raise = '10 min'
        rebuy = 'until level 3'
        parameters = { bets = 'all' }";

    #[test]
    fn a_family_says_what_follows_from_the_match_before() {
        let rules: SessionRules = toml::from_str(HOLDEM).expect("sound rules");
        let family = rules.family.clone().expect("a family");
        assert_eq!(
            (family.start, family.raise, family.rebuy),
            (200, Some(Raise::Minutes(10)), Rebuy::UntilLevel(3))
        );
        assert_eq!(family.level(2), [("small_blind", 2), ("big_blind", 4)]);
        assert_eq!(family.level(9), [("small_blind", 3), ("big_blind", 6)]);
        assert!(family.allows_rebuy(2) && !family.allows_rebuy(3));
        assert_eq!(family.read, StackPattern::parse("(stack ?player ?chips)").expect("a pattern"));
        assert_eq!((rules.rotate, rules.total), (Rotation::Each, SessionTotal::Payoff));
        assert_eq!(rules.away, Away::Agent("fold".to_owned()));
    }

    #[test]
    fn rules_that_are_written_are_the_rules_that_are_read() {
        let texts = [
            HOLDEM,
            "",
            "until = 'host'\nrotate = 'pairs'\naway = 'sit out'",
            "until = 'any total <= -100 or any total >= 50 or minutes = 60'\ntotal = 'wins'",
        ];
        for text in texts {
            let rules: SessionRules = toml::from_str(text).expect("sound rules");
            let written = toml::to_string(&rules).expect("rules are TOML");
            assert_eq!(toml::from_str::<SessionRules>(&written), Ok(rules), "{written}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |text: &str| toml::from_str::<SessionRules>(text).expect_err(text).to_string();
        for (text, reason) in [
            ("until = 'matches = 0'", "is no value of until"),
            ("until = 'one left'", "needs a family"),
            ("away = ''", "is no value of away"),
            ("rotate = 'sometimes'", "unknown variant"),
            ("rebuy = 'never'", "unknown field"),
            (&HOLDEM.replace("'one left'", "'one left'\naway = 'sit out'"), "name an agent"),
            (&HOLDEM.replace("'one left'", "'host'\nrotate = 'pairs'"), "pairs play"),
            (&HOLDEM.replace("?chips", "?some"), "needs ?player and ?chips"),
            (&HOLDEM.replace("[2, 4]", "[2]"), "every level has one number"),
            (&HOLDEM.replace("'10 min'", "'10 years'"), "is no value of raise"),
            (&HOLDEM.replace("level 3", "level 1"), "is no value of rebuy"),
            (&HOLDEM.replace("bets", "stacks"), "one source only"),
            (&HOLDEM.replace("'seated'", "'all'"), "is no value of players"),
        ] {
            assert!(refused(text).contains(reason), "{text}: {}", refused(text));
        }
    }
}
