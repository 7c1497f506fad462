//! `[session]` as it is written: the notation of its values, and the tables of the file.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use super::{
    Away, FamilyRules, Raise, Rebuy, Rotation, SessionRules, SessionRulesError, SessionTotal, StackPattern,
    Until,
};
use crate::printable::printable;

/// `[session]` as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SessionFile {
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

#[cfg(test)]
mod tests {
    use crate::session::{Away, Raise, Rebuy, Rotation, SessionRules, SessionTotal, StackPattern};

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
