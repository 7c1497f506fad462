//! What tells the games of a family apart: numbers and words, with what each may be.

use std::{collections::BTreeMap, fmt};

use super::FamilyError;

/// What one game of a family has that others have not: a number, one for each of its players, or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it counts or says.
    pub meaning: &'static str,
    /// What it may be.
    pub kind: ParameterKind,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A number.
    Number {
        /// The least and the greatest value.
        range: (u32, u32),
        /// Its value if none is given; none for a parameter that can be left out.
        standard: Option<u32>,
        /// The parameter that says for how many this one may have a number of its own; one number is for all of them.
        each_of: Option<&'static str>,
    },
    /// One of these words; the first if none is given.
    Word(&'static [&'static str]),
}

impl Parameter {
    /// Whether it may have a number for each player.
    #[must_use]
    pub const fn has_several(&self) -> bool {
        matches!(self.kind, ParameterKind::Number { each_of: Some(_), .. })
    }
}

/// What was given for a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterValue {
    /// A number, or one for each of several.
    Numbers(Vec<u32>),
    /// A word.
    Word(String),
}

/// The parameters that were given, by name.
pub type ParameterValues = BTreeMap<String, ParameterValue>;

impl From<u32> for ParameterValue {
    fn from(number: u32) -> Self {
        Self::Numbers(vec![number])
    }
}

impl From<Vec<u32>> for ParameterValue {
    fn from(numbers: Vec<u32>) -> Self {
        Self::Numbers(numbers)
    }
}

impl From<&str> for ParameterValue {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

/// As on a command line: `6`, `20,10` or `all`.
impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(numbers) => {
                f.write_str(&numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
            }
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// The parameters of a game, checked each for itself: as many numbers as there are players, and words that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct ParameterSettings {
    numbers: BTreeMap<&'static str, Vec<u32>>,
    words: BTreeMap<&'static str, &'static str>,
}

impl ParameterSettings {
    /// What was given, and the standard values of the rest.
    pub(super) fn new(
        parameters: &'static [Parameter],
        given: &ParameterValues,
    ) -> Result<Self, FamilyError> {
        let mut settings = Self::default();
        for parameter in parameters {
            settings.take(parameter, given.get(parameter.name))?;
        }
        Ok(settings)
    }

    fn take(&mut self, parameter: &Parameter, given: Option<&ParameterValue>) -> Result<(), FamilyError> {
        let &Parameter { name, kind, .. } = parameter;
        match kind {
            ParameterKind::Number { range, standard, each_of } => {
                let numbers = match given {
                    Some(ParameterValue::Numbers(numbers)) => numbers.clone(),
                    Some(ParameterValue::Word(word)) => return Err(no_number(name, word)),
                    None => match standard {
                        Some(number) => vec![number],
                        None => return Ok(()),
                    },
                };
                if let Some(&value) = numbers.iter().find(|value| !(range.0..=range.1).contains(value)) {
                    return Err(FamilyError::OutOfRange { name, range, value });
                }
                let numbers = self.one_for_each(name, numbers, each_of)?;
                self.numbers.insert(name, numbers);
            }
            ParameterKind::Word(choices) => {
                let word = given.map_or_else(|| choices[0].to_owned(), ToString::to_string);
                let known = choices.iter().find(|choice| **choice == word);
                let known = known.ok_or(FamilyError::UnknownWord { name, choices, word })?;
                self.words.insert(name, known);
            }
        }
        Ok(())
    }

    /// The numbers, as many as the parameter that counts them says.
    fn one_for_each(
        &self,
        name: &'static str,
        numbers: Vec<u32>,
        each_of: Option<&'static str>,
    ) -> Result<Vec<u32>, FamilyError> {
        let count = each_of.and_then(|of| self.number(of)).unwrap_or(1);
        if let [number] = numbers[..] {
            return Ok(vec![number; count as usize]);
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

    /// The numbers of a parameter, if it has some.
    pub(super) fn numbers(&self, name: &str) -> Option<&[u32]> {
        self.numbers.get(name).map(Vec::as_slice)
    }

    /// The number of a parameter that has one.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        self.numbers(name)?.first().copied()
    }

    /// The word of a parameter that has one.
    pub(super) fn word(&self, name: &str) -> Option<&'static str> {
        self.words.get(name).copied()
    }
}

fn no_number(name: &'static str, word: &str) -> FamilyError {
    FamilyError::Unfit(format!("{name} needs a number, and is '{word}'"))
}
