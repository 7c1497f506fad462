//! How a table goes on from match to match, as options say it: what they leave open is as `[session]` of the game has it.

use std::fmt;

use clap::{Arg, Args};
use croupier_games::{
    FamilyRules, GameFacts, Raise, Rebuy, SESSION_SEATS_MAX, SessionRules, SessionRulesError, Until,
};

use crate::{arguments::count::count, output::failure::Failure};

/// Most chips of a seat that can be asked for.
const STACK_MAX: u32 = 1_000_000;

/// How a table goes on from match to match.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TableOptions {
    /// How many seats there are, in games of any number of players
    #[arg(id = "table-seats", long = "seats", value_name = "N", value_parser = count::<usize>(2..=SESSION_SEATS_MAX as u64))]
    pub(crate) seats: Option<usize>,
    /// What each seat begins with, in games of stacks: chips, or dice
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=u64::from(STACK_MAX)))]
    pub(crate) stack: Option<u32>,
    /// Small and big blind, as in 1,2; several levels as in 1,2/2,4/5,10
    #[arg(long, value_name = "SMALL,BIG[/...]")]
    pub(crate) blinds: Option<String>,
    /// When the next blinds come, such as "10 min" or "8 matches"
    ///
    /// If --blinds gives one level, the levels of the game follow in proportion.
    #[arg(long, value_name = "WHEN")]
    pub(crate) raise_blinds: Option<String>,
    /// When who has lost all may begin again: never, always, "until level N"
    #[arg(long, value_name = "WHEN")]
    pub(crate) rebuy: Option<String>,
    /// What ends it, such as "one left", "any wins >= 5" or "matches = 9"
    ///
    /// Or "any total <= -100", or several of them with "or".
    #[arg(long, value_name = "CONDITION")]
    pub(crate) until: Option<String>,
}

impl TableOptions {
    /// One of these options leaves the help on one screen to others, in commands for which a table is one thing among many.
    pub(crate) fn only_in_full_help(argument: Arg) -> Arg {
        let command = Self::augment_args(clap::Command::new("table"));
        let is_own = command.get_arguments().any(|own| own.get_id() == argument.get_id());
        if is_own { argument.hide_short_help(true) } else { argument }
    }

    /// The first of these options that was given, with its value.
    pub(crate) fn given(&self) -> Option<(&'static str, String)> {
        let number = |value: Option<&dyn fmt::Display>| value.map(ToString::to_string);
        let given = [
            ("--seats", number(self.seats.as_ref().map(|seats| seats as _))),
            ("--stack", number(self.stack.as_ref().map(|stack| stack as _))),
            ("--blinds", self.blinds.clone()),
            ("--raise-blinds", self.raise_blinds.clone()),
            ("--rebuy", self.rebuy.clone()),
            ("--until", self.until.clone()),
        ];
        given.into_iter().find_map(|(option, value)| Some((option, value?)))
    }

    /// How the matches of a game follow one another: as its `game.toml` has it, and as these options change that.
    ///
    /// # Errors
    /// If an option cannot be read, is for games of a family and this is none, or does not fit the others.
    pub(crate) fn rules(&self, facts: &GameFacts) -> Result<SessionRules, Failure> {
        let mut rules = facts.session.clone();
        if let Some(until) = &self.until {
            rules.until =
                Until::parse_all(until).map_err(|error| refused(&error).at_argument("--until", until))?;
        }
        match &mut rules.family {
            Some(family) => self.change(family)?,
            None => self.refuse_family()?,
        }
        rules.check().map_err(|error| {
            let (option, value) = self.given().unwrap_or(("--session", String::new()));
            refused(&error).at_argument(option, &value)
        })?;
        Ok(rules)
    }

    fn change(&self, family: &mut FamilyRules) -> Result<(), Failure> {
        family.start = self.stack.unwrap_or(family.start);
        if let Some(text) = &self.blinds {
            family.blinds = levels(text, family).ok_or_else(|| {
                let names = family.posts.join(" and ");
                Failure::refuse("bad-table", format!("a level has one number for each of {names}"))
                    .at_argument("--blinds", text)
                    .help("for example --blinds 1,2 or --blinds 1,2/2,4/5,10")
            })?;
        }
        if let Some(text) = &self.raise_blinds {
            let raise = Raise::parse(text);
            family.raise = Some(raise.map_err(|error| refused(&error).at_argument("--raise-blinds", text))?);
        } else if family.blinds.len() < 2 {
            family.raise = None;
        }
        if let Some(text) = &self.rebuy {
            family.rebuy =
                Rebuy::parse(text).map_err(|error| refused(&error).at_argument("--rebuy", text))?;
        }
        Ok(())
    }

    fn refuse_family(&self) -> Result<(), Failure> {
        match self.given().filter(|(option, _)| *option != "--until") {
            None => Ok(()),
            Some((option, value)) => {
                Err(Failure::refuse("bad-table", "the matches of this game are not made from a family")
                    .at_argument(option, &value)
                    .help("leave the option out; [session.family] of a game.toml says what it changes"))
            }
        }
    }
}

/// Levels as they are given: one number for each parameter. One level alone is followed by those of the game in proportion.
fn levels(text: &str, family: &FamilyRules) -> Option<Vec<Vec<u32>>> {
    let level = |text: &str| {
        let numbers: Option<Vec<u32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        numbers
            .filter(|numbers| numbers.len() == family.posts.len() && numbers.iter().all(|&number| number > 0))
    };
    let given: Vec<Vec<u32>> = text.split('/').map(level).collect::<Option<_>>()?;
    let ([first], Some((usual, later))) = (given.as_slice(), family.blinds.split_first()) else {
        return Some(given);
    };
    let scaled = |level: &Vec<u32>| {
        let each = level.iter().zip(usual).zip(first);
        each.map(|((&number, &usual), &first)| {
            let scaled = u64::from(number) * u64::from(first) / u64::from(usual.max(1));
            u32::try_from(scaled).unwrap_or(u32::MAX)
        })
        .collect()
    };
    Some([first.clone()].into_iter().chain(later.iter().map(scaled)).collect())
}

fn refused(error: &SessionRulesError) -> Failure {
    Failure::refuse("bad-table", error.to_string())
}

#[cfg(test)]
mod tests {
    use croupier_games::{GameFacts, Raise, Until};

    use super::TableOptions;

    const HOLDEM: &str = "title = 'T'\nsummary = 'S'\n[session]\nuntil = 'one left'\n[session.family]\nname = 'no-limit-holdem'
        stacks = 'stacks'\nread = '(stack ?player ?chips)'\nstart = 200\nblinds = [[1, 2], [2, 4], [3, 6]]\nraise = '10 min'";

    fn facts() -> GameFacts {
        GameFacts::parse(HOLDEM).expect("sound facts")
    }

    #[test]
    fn options_change_what_the_game_says() {
        let options = TableOptions {
            stack: Some(500),
            blinds: Some("5,10".to_owned()),
            raise_blinds: Some("8 matches".to_owned()),
            until: Some("one left or matches = 40".to_owned()),
            ..TableOptions::default()
        };
        let rules = options.rules(&facts()).expect("sound options");
        let family = rules.family.expect("a family");
        assert_eq!((family.start, family.raise), (500, Some(Raise::Matches(8))));
        assert_eq!(family.blinds, [[5, 10], [10, 20], [15, 30]]);
        assert_eq!(rules.until, [Until::OneLeft, Until::Matches(40)]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |options: TableOptions, facts: &GameFacts| options.rules(facts).is_err();
        let blinds = |text: &str| TableOptions { blinds: Some(text.to_owned()), ..TableOptions::default() };
        for text in ["1", "1,2,3", "1,x", "0,2", "", "1,2/"] {
            assert!(refused(blinds(text), &facts()), "{text}");
        }
        assert!(!refused(blinds("1,2/2,4"), &facts()));
        let none = GameFacts::unknown("a game");
        assert!(refused(TableOptions { stack: Some(5), ..TableOptions::default() }, &none));
        assert!(refused(
            TableOptions { until: Some("one left".to_owned()), ..TableOptions::default() },
            &none
        ));
        assert!(!refused(
            TableOptions { until: Some("matches = 3".to_owned()), ..TableOptions::default() },
            &none
        ));
    }
}
