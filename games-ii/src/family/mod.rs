//! Games of any size: rules with parameters, and the members of the catalogue made from them.

mod fit;
mod list;
mod parameter;
mod template;

use thiserror::Error;

pub use list::families;
pub use parameter::{Parameter, ParameterKind, ParameterValue, ParameterValues};

use parameter::ParameterSettings;

/// Games whose rules differ by numbers only, and sometimes by a word.
///
/// ```
/// use croupier_games::find_family;
///
/// let family = find_family("monty-hall").ok_or("there is such a family")?;
/// let rules = |doors: u32| family.rules(&[("doors".to_owned(), doors.into())].into());
/// assert_eq!(rules(3)?, family.rules(&[].into())?);
/// assert_ne!(rules(4)?, rules(3)?);
/// let refused = rules(2).map_err(|error| error.to_string());
/// assert_eq!(refused, Err("doors must be from 3 to 1000, and is 2".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What its games have in common, in one sentence.
    pub summary: &'static str,
    /// What tells its members apart.
    pub parameters: &'static [Parameter],
    /// What fluents and moves of its rules say, for those who write words and programs for its games; empty where the rules of one
    /// member say it as well.
    pub terms: &'static str,
    /// The rules, as a template in the language of Jinja.
    template: &'static str,
    /// The `game.toml` of its games, as another template.
    facts: Option<&'static str>,
}

/// Why a family has no such game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FamilyError {
    /// There is no such parameter.
    #[error("{family} has no parameter '{name}'")]
    UnknownParameter {
        /// The family.
        family: &'static str,
        /// As given.
        name: String,
    },
    /// A value is out of range.
    #[error("{name} must be from {} to {}, and is {value}", range.0, range.1)]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// What is possible.
        range: (u32, u32),
        /// What was given.
        value: u32,
    },
    /// A word is not one of those that are possible.
    #[error("{name} must be {}, and is '{word}'", choices.join(" or "))]
    UnknownWord {
        /// The parameter.
        name: &'static str,
        /// What is possible.
        choices: &'static [&'static str],
        /// What was given.
        word: String,
    },
    /// The values do not fit together.
    #[error("{0}")]
    Unfit(String),
}

/// A small game with chance and a percept, commented, for someone who writes rules for the first time.
#[must_use]
pub fn starter() -> &'static str {
    include_str!("../families/starter.gdl")
}

/// Words for [`starter`]: its `game.toml`.
#[must_use]
pub fn starter_facts() -> &'static str {
    include_str!("../families/starter.toml")
}

/// The family with this name.
#[must_use]
pub fn find_family(name: &str) -> Option<&'static Family> {
    families().iter().find(|family| family.name == name)
}

impl Family {
    /// The rules of one of its games. Parameters that `values` does not have take their standard values; those of
    /// [`each_of`](ParameterKind::Number::each_of) may have several numbers, all others have one.
    ///
    /// # Errors
    /// [`FamilyError`] if there is no such game.
    ///
    /// # Panics
    /// If the template is unsound, which a test of this package excludes.
    pub fn rules(&self, values: &ParameterValues) -> Result<String, FamilyError> {
        Ok(self.rendered(self.template, &self.settings(values)?))
    }

    /// Words and other facts for one of its games: a `game.toml`. None if the family has none of its own; those of a game
    /// of the catalogue may fit.
    ///
    /// # Errors
    /// [`FamilyError`] if there is no such game.
    ///
    /// # Panics
    /// If the template is unsound, which a test of this package excludes.
    pub fn facts(&self, values: &ParameterValues) -> Result<Option<String>, FamilyError> {
        let settings = self.settings(values)?;
        let facts = self.facts.map(|template| self.rendered(template, &settings));
        Ok(facts.filter(|text| !text.trim().is_empty()))
    }

    /// Whether it has such a game.
    ///
    /// # Errors
    /// [`FamilyError`] if it has none.
    pub fn check(&self, values: &ParameterValues) -> Result<(), FamilyError> {
        self.settings(values).map(drop)
    }

    fn settings(&self, values: &ParameterValues) -> Result<ParameterSettings, FamilyError> {
        let known = |name: &String| self.parameters.iter().any(|parameter| parameter.name == name);
        if let Some(name) = values.keys().find(|name| !known(name)) {
            return Err(FamilyError::UnknownParameter { family: self.name, name: name.clone() });
        }
        if values.contains_key("stacks") && values.contains_key("big-blinds") {
            let reason = "stacks are given in chips or in big blinds, not in both";
            return Err(FamilyError::Unfit(reason.to_owned()));
        }
        let settings = ParameterSettings::new(self.parameters, values)?;
        match fit::unfit(self.name, &settings) {
            Some(reason) => Err(FamilyError::Unfit(reason)),
            None => Ok(settings),
        }
    }

    fn rendered(&self, template: &str, settings: &ParameterSettings) -> String {
        let text = template::rendered(template, self.parameters, settings);
        text.unwrap_or_else(|error| panic!("the template of {}: {error:#}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::{FamilyError, ParameterKind, ParameterValues, families, find_family};
    use crate::catalogue;

    fn values<const N: usize>(values: [(&str, u32); N]) -> ParameterValues {
        values.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
    }

    fn table(big_blinds: &[u32]) -> ParameterValues {
        let players = u32::try_from(big_blinds.len()).expect("few players");
        [("players", players.into()), ("big-blinds", big_blinds.to_vec().into())]
            .map(|(name, value)| (name.to_owned(), value))
            .into()
    }

    #[test]
    fn games_of_the_catalogue_are_what_their_families_say() {
        let members: [(&str, &str, ParameterValues); 16] = [
            ("dark-hex-3x3", "dark-hex", values([])),
            ("goofspiel-13", "goofspiel", values([])),
            ("goofspiel-4", "goofspiel-descending", values([])),
            ("hanabi-small", "hanabi", values([])),
            ("krieg-tic-tac-toe-4x4", "krieg-tic-tac-toe", values([])),
            ("krieg-tic-tac-toe-5x5", "krieg-tic-tac-toe", values([("size", 5), ("line", 4)])),
            ("liars-dice", "liars-dice", values([])),
            ("liars-dice-2", "liars-dice", values([("dice", 2)])),
            ("blind-breakthrough-5x5", "blind-breakthrough", values([("size", 5)])),
            ("blind-breakthrough-6x6", "blind-breakthrough", values([])),
            ("monty-hall", "monty-hall", values([])),
            ("no-limit-holdem-3", "no-limit-holdem", table(&[20, 10, 15])),
            ("no-limit-holdem-4", "no-limit-holdem", values([("players", 4)])),
            ("no-limit-holdem-6", "no-limit-holdem", table(&[20, 12, 16, 20, 4, 8])),
            ("number-guessing", "number-guessing", values([])),
            ("phantom-tic-tac-toe", "phantom-tic-tac-toe", values([])),
        ];
        for (game, family, values) in members {
            let rules = find_family(family).expect("a family").rules(&values).expect("a member");
            let known = catalogue().iter().find(|entry| entry.name == game).expect("a game").rules;
            for (number, (line, known)) in (1..).zip(rules.lines().zip(known.lines())) {
                assert_eq!(line, known, "{game}, line {number}");
            }
            assert_eq!(rules, known, "{game}");
        }
    }

    #[test]
    fn every_family_has_its_smallest_and_its_standard_game() {
        for family in families() {
            let least = family.parameters.iter().filter_map(|parameter| match parameter.kind {
                ParameterKind::Number { range, standard: Some(_), .. } => {
                    Some((parameter.name.to_owned(), range.0.max(1).into()))
                }
                _ => None,
            });
            let smallest = family.rules(&least.collect()).expect("the smallest game");
            let standard = family.rules(&ParameterValues::new()).expect("the standard game");
            assert!(
                !smallest.contains(['{', '}']) && smallest.len() < standard.len() + 2_000,
                "{}",
                family.name
            );
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let family = find_family("krieg-tic-tac-toe").expect("a family");
        let refused = |values| family.rules(&values).expect_err("no game");
        assert!(matches!(refused(values([("sise", 4)])), FamilyError::UnknownParameter { .. }));
        assert_eq!(refused(values([("size", 99)])).to_string(), "size must be from 2 to 12, and is 99");
        assert!(matches!(refused(values([("size", 3), ("line", 4)])), FamilyError::Unfit(_)));
        let several = [("size".to_owned(), vec![4, 5].into())].into();
        assert_eq!(refused(several).to_string(), "size needs one number, and has 2");
        let hanabi = find_family("hanabi").expect("a family");
        let few = [("players", 5), ("hand", 4)];
        let refused = hanabi.rules(&values(few)).expect_err("20 cards for five hands of four");
        assert_eq!(refused.to_string(), "of 20 cards 20 are in hands, and none is left for the deck");
        let family = find_family("no-limit-holdem").expect("a family");
        let mut crowded = table(&[20, 10, 15]);
        crowded.remove("players");
        let refused = family.rules(&crowded).expect_err("no game").to_string();
        assert_eq!(refused, "big-blinds needs one number, or one for each of 2 players, and has 3");
    }

    fn refused(family: &str, values: &[(&str, &str)]) -> String {
        let value = |text: &str| match text.split(',').map(str::parse).collect::<Result<Vec<u32>, _>>() {
            Ok(numbers) => numbers.into(),
            Err(_) => text.into(),
        };
        let values = values.iter().map(|&(name, text)| (name.to_owned(), value(text))).collect();
        find_family(family).expect("a family").rules(&values).expect_err("no game").to_string()
    }

    #[test]
    fn tables_that_cannot_be_are_refused() {
        let table = |values: &[(&str, &str)]| refused("no-limit-holdem", values);
        assert_eq!(table(&[("bets", "al")]), "bets must be fractions or all, and is 'al'");
        assert_eq!(table(&[("bets", "7")]), "bets must be fractions or all, and is '7'");
        assert_eq!(table(&[("stacks", "all")]), "stacks needs a number, and is 'all'");
        assert_eq!(table(&[("stacks", "0")]), "stacks must be from 1 to 10000, and is 0");
        let both = table(&[("stacks", "40"), ("big-blinds", "20")]);
        assert_eq!(both, "stacks are given in chips or in big blinds, not in both");
        let three = table(&[("stacks", "4,5,6")]);
        assert_eq!(three, "stacks needs one number, or one for each of 2 players, and has 3");
        let small = table(&[("small-blind", "5"), ("big-blind", "4")]);
        assert_eq!(small, "a small blind of 5 is more than the big blind of 4");
        let chips = table(&[("stacks", "6000,6000")]);
        assert_eq!(chips, "12000 chips are too many: a table has at most 10000");
        let blinds = table(&[("big-blinds", "200"), ("big-blind", "10000")]);
        assert_eq!(blinds, "4000000 chips are too many: a table has at most 10000");
        let dice = refused("liars-dice", &[("players", "3"), ("dice", "0,2,0")]);
        assert_eq!(dice, "two players or more need dice");
    }
}
