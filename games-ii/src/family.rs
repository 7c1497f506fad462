//! Games of any size: rules with parameters, and the members of the catalogue made from them.

use std::collections::BTreeMap;

use minijinja::{Environment, UndefinedBehavior, Value, syntax::SyntaxConfig};
use thiserror::Error;

/// Games whose rules differ by numbers only.
///
/// ```
/// use croupier_games::find_family;
///
/// let family = find_family("monty-hall").ok_or("there is such a family")?;
/// let rules = |doors| family.rules(&[("doors".to_owned(), vec![doors])].into());
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
    /// The numbers that tell its members apart.
    pub parameters: &'static [Parameter],
    /// The rules, as a template in the language of Jinja.
    template: &'static str,
}

/// A number that a game of a family has, or one for each of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it counts.
    pub meaning: &'static str,
    /// The least and the greatest value.
    pub range: (u32, u32),
    /// Its value if none is given.
    pub standard: u32,
    /// The parameter that says for how many this one may have a number of its own; one number is for all of them.
    pub each_of: Option<&'static str>,
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
    /// The values do not fit together.
    #[error("{0}")]
    Unfit(String),
}

macro_rules! family {
    ($name:literal, $summary:literal, [$($parameter:expr),+ $(,)?]) => {
        Family {
            name: $name,
            summary: $summary,
            parameters: &[$($parameter),+],
            template: include_str!(concat!("families/", $name, ".gdl.jinja")),
        }
    };
}

const fn parameter(name: &'static str, meaning: &'static str, range: (u32, u32), standard: u32) -> Parameter {
    Parameter { name, meaning, range, standard, each_of: None }
}

const fn parameter_each(parameter: Parameter, of: &'static str) -> Parameter {
    Parameter { each_of: Some(of), ..parameter }
}

/// All families, by name.
#[must_use]
pub fn families() -> &'static [Family] {
    const BIG_BLINDS: &str = "big blinds of each player, or of alice, bob and so on";
    const SIZE: &str = "rows and columns of the board";
    const FAMILIES: &[Family] = &[
        family!(
            "blind-breakthrough",
            "Breakthrough in which neither sees the other's pawns.",
            [parameter("size", SIZE, (4, 12), 6)]
        ),
        family!(
            "goofspiel",
            "Hidden bids for prizes that are turned up in any order.",
            [parameter("cards", "cards of each player, and prizes", (2, 20), 13)]
        ),
        family!(
            "goofspiel-descending",
            "Hidden bids for prizes that come in a known order, the largest first.",
            [parameter("cards", "cards of each player, and prizes", (2, 20), 4)]
        ),
        family!(
            "hanabi",
            "Fireworks built together by players who see all cards but their own.",
            [
                parameter("players", "players", (2, 5), 2),
                parameter("colours", "colours of the cards", (1, 5), 2),
                parameter("ranks", "ranks of the cards", (2, 5), 5),
                parameter("hand", "cards in a hand", (1, 5), 2),
                parameter("hints", "hints at the start, and at most", (1, 8), 3),
                parameter("lives", "cards lost by playing them that end the game", (1, 9), 1),
            ]
        ),
        family!(
            "krieg-tic-tac-toe",
            "Marks on an unseen board, at the same time; attempts may fail.",
            [
                parameter("size", SIZE, (2, 12), 4),
                parameter("line", "marks in a row or a column that win", (2, 12), 3),
            ]
        ),
        family!(
            "liars-dice",
            "Ever higher bids on the dice of two players, who see their own; sixes are wild.",
            [parameter("dice", "dice of each player", (1, 6), 1)]
        ),
        family!(
            "monty-hall",
            "A car behind one of several doors, of which the host opens all but two.",
            [parameter("doors", "doors", (3, 1_000), 3)]
        ),
        family!(
            "no-limit-holdem",
            "One hand of Texas hold'em without limit, with side pots.",
            [
                parameter("players", "players", (2, 6), 2),
                parameter_each(parameter("big-blinds", BIG_BLINDS, (2, 50), 20), "players"),
            ]
        ),
        family!(
            "number-guessing",
            "A number that so many questions are just enough to find.",
            [parameter("questions", "questions that may be asked", (1, 8), 5)]
        ),
    ];
    FAMILIES
}

/// A small game with chance and a percept, commented, for someone who writes rules for the first time.
#[must_use]
pub fn starter() -> &'static str {
    include_str!("families/starter.gdl")
}

/// Words for [`starter`]: its `game.toml`.
#[must_use]
pub fn starter_facts() -> &'static str {
    include_str!("families/starter.toml")
}

/// The family with this name.
#[must_use]
pub fn find_family(name: &str) -> Option<&'static Family> {
    families().iter().find(|family| family.name == name)
}

impl Family {
    /// The rules of one of its games. Parameters that `values` does not have take their standard values; those of
    /// [`each_of`](Parameter::each_of) may have several numbers, all others have one.
    ///
    /// # Errors
    /// [`FamilyError`] if there is no such game.
    ///
    /// # Panics
    /// If the template is unsound, which a test of this package excludes.
    pub fn rules(&self, values: &BTreeMap<String, Vec<u32>>) -> Result<String, FamilyError> {
        let known = |name: &String| self.parameters.iter().any(|parameter| parameter.name == name);
        if let Some(name) = values.keys().find(|name| !known(name)) {
            return Err(FamilyError::UnknownParameter { family: self.name, name: name.clone() });
        }
        let mut numbers: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for parameter in self.parameters {
            numbers.insert(parameter.name, parameter.numbers(values, &numbers)?);
        }
        if let Some(reason) = unfit(&numbers) {
            return Err(FamilyError::Unfit(reason));
        }
        let context = self.parameters.iter().map(|parameter| {
            let numbers = &numbers[parameter.name];
            let value = match parameter.each_of {
                Some(_) => Value::from(numbers.clone()),
                None => Value::from(numbers[0]),
            };
            (parameter.name.replace('-', "_"), value)
        });
        let rules = environment().render_str(self.template, Value::from_pairs(context));
        Ok(rules.unwrap_or_else(|error| panic!("the template of {}: {error}", self.name)))
    }
}

/// Why numbers that are possible each for itself are no game together.
fn unfit(numbers: &BTreeMap<&str, Vec<u32>>) -> Option<String> {
    let number = |name: &str| Some(numbers.get(name)?[0]);
    if let (Some(size), Some(line)) = (number("size"), number("line")) {
        return (line > size).then(|| format!("a line of {line} does not fit a board of size {size}"));
    }
    // Of each rank there are two cards in a colour: three of the lowest, one of the highest.
    let deck = 2 * number("colours")? * number("ranks")?;
    let dealt = number("players")? * number("hand")?;
    (dealt >= deck).then(|| format!("of {deck} cards {dealt} are in hands, and none is left for the deck"))
}

impl Parameter {
    /// The numbers that were given for it, as many as `before`, the parameters before it, ask for.
    fn numbers(
        &self,
        given: &BTreeMap<String, Vec<u32>>,
        before: &BTreeMap<&str, Vec<u32>>,
    ) -> Result<Vec<u32>, FamilyError> {
        let &Self { name, range, standard, each_of, .. } = self;
        let mut numbers = given.get(name).cloned().unwrap_or_else(|| vec![standard]);
        if let Some(&value) = numbers.iter().find(|value| !(range.0..=range.1).contains(value)) {
            return Err(FamilyError::OutOfRange { name, range, value });
        }
        let count = each_of.map_or(1, |of| before[of][0]);
        if let [number] = numbers[..] {
            numbers = vec![number; count as usize];
        }
        if numbers.len() != count as usize {
            let wanted = each_of.map_or_else(
                || "one number".to_owned(),
                |of| format!("one number, or one for each of {count} {of}"),
            );
            return Err(FamilyError::Unfit(format!("{name} needs {wanted}, and has {}", numbers.len())));
        }
        Ok(numbers)
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder().trim_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.expect("the usual delimiters"));
    environment.add_filter("word", |number: u32| {
        let words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        let word = usize::try_from(number).ok().and_then(|number| words.get(number));
        Ok::<_, minijinja::Error>(word.map_or_else(|| number.to_string(), |word| (*word).to_owned()))
    });
    environment
}

#[cfg(test)]
mod tests {
    use super::{BTreeMap, FamilyError, families, find_family};
    use crate::catalogue;

    type Values = BTreeMap<String, Vec<u32>>;

    fn values<const N: usize>(values: [(&str, u32); N]) -> Values {
        values.into_iter().map(|(name, value)| (name.to_owned(), vec![value])).collect()
    }

    fn table(big_blinds: &[u32]) -> Values {
        let players = u32::try_from(big_blinds.len()).expect("few players");
        [("players", vec![players]), ("big-blinds", big_blinds.to_vec())]
            .map(|(name, numbers)| (name.to_owned(), numbers))
            .into()
    }

    #[test]
    fn games_of_the_catalogue_are_what_their_families_say() {
        let members: [(&str, &str, Values); 14] = [
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
            let smallest = family
                .parameters
                .iter()
                .map(|parameter| (parameter.name.to_owned(), vec![parameter.range.0]));
            let smallest = family.rules(&smallest.collect()).expect("the smallest game");
            let standard = family.rules(&BTreeMap::new()).expect("the standard game");
            assert!(
                !smallest.contains(['{', '}']) && smallest.len() < standard.len() + 200,
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
        let several = [("size".to_owned(), vec![4, 5])].into();
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
}
