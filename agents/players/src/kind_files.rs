//! Kinds of players that go by a file.

use std::sync::Arc;

use croupier_belief::PolicyError;
use thiserror::Error;

use crate::{
    BlueprintFile, KindError, MoveRules, MoveRulesError, PlayerKind, PolicyTable,
    kind_text::{ITERATIONS_MAX, demand_once, number_of},
    options::options,
};

/// The file that the text of a kind names, and what is to be made of it: the caller reads it.
///
/// ```
/// use croupier_players::{KindError, KindFile, KindFormat};
///
/// let file = KindFile::of("resolve:value=leduc.onnx,iterations=64")?.ok_or("a file")?;
/// assert_eq!(file.file, "leduc.onnx");
/// assert!(matches!(file.format, KindFormat::Values(search) if search.iterations == 64));
/// assert!(KindFile::of("belief:iterations=64")?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindFile<'t> {
    /// The name of the file.
    pub file: &'t str,
    /// What it is.
    pub format: KindFormat,
}

/// What a file is that a kind of player goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindFormat {
    /// `policy:FILE`, for [`PlayerKind::of_policy_file`].
    Policy,
    /// `rule:FILE`, for [`PlayerKind::of_rule_file`].
    Rule,
    /// `net:FILE`, for a [`Brought`](crate::Brought) of `croupier-nets`.
    Net,
    /// `resolve:value=FILE`, for another one.
    Values(ValueSearch),
}

/// How a seat searches with a value net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueSearch {
    /// Turns with a choice that it looks ahead; by default as many as when the net was trained.
    pub choices: Option<u32>,
    /// Iterations of each search.
    pub iterations: u32,
    /// How often the tree of a search grows; by default as often as when the net was trained.
    pub growth: Option<u32>,
}

impl ValueSearch {
    /// What is not said.
    pub const STANDARD: Self = Self { choices: None, iterations: 256, growth: None };
    /// Most turns with a choice that it looks ahead.
    pub const CHOICES_MAX: u32 = 1_000;
    /// Most that a tree grows.
    pub const GROWTH_MAX: u32 = 100_000;

    /// The options of a kind that searches with a file.
    #[must_use]
    pub fn written(&self, file: &str) -> String {
        let option = |name: &str, value: Option<u32>| {
            value.map(|value| format!(",{name}={value}")).unwrap_or_default()
        };
        let (choices, growth) = (option("choices", self.choices), option("growth", self.growth));
        format!("value={file}{choices},iterations={}{growth}", self.iterations)
    }
}

impl<'t> KindFile<'t> {
    /// The file that a text names, if it does.
    ///
    /// # Errors
    /// [`KindError`] if something else is said of it that makes no sense.
    pub fn of(text: &'t str) -> Result<Option<Self>, KindError> {
        let formats = [("policy", KindFormat::Policy), ("rule", KindFormat::Rule), ("net", KindFormat::Net)];
        let Some((name, written)) = text.split_once(':') else { return Ok(None) };
        if let Some((_, format)) = formats.into_iter().find(|(known, _)| *known == name) {
            return Ok((!written.is_empty()).then_some(Self { file: written, format }));
        }
        let said = options(written);
        let value = said.iter().find(|(option, _)| *option == "value");
        let Some(&(_, file)) = value.filter(|(_, file)| name == "resolve" && !file.is_empty()) else {
            return Ok(None);
        };
        demand_once("resolve", &said)?;
        let mut search = ValueSearch::STANDARD;
        for (option, value) in said {
            match option {
                "value" => {}
                "choices" => {
                    search.choices = Some(number_of("resolve", option, value, 1..=ValueSearch::CHOICES_MAX)?);
                }
                "iterations" => search.iterations = number_of("resolve", option, value, 1..=ITERATIONS_MAX)?,
                "growth" => {
                    search.growth = Some(number_of("resolve", option, value, 0..=ValueSearch::GROWTH_MAX)?);
                }
                _ => return Err(KindError::NotBesideValue { option: option.to_owned() }),
            }
        }
        Ok(Some(Self { file, format: KindFormat::Values(search) }))
    }
}

/// Why a file is nothing to play by.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum KindFileError {
    /// It is neither a blueprint nor text.
    #[error("a policy must be JSON in UTF-8")]
    PolicyEncoding,
    /// It is text, and no policy.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The content is not text.
    #[error("preferences must be UTF-8 text")]
    RuleEncoding,
    /// It is text without preferences.
    #[error(transparent)]
    Rule(#[from] MoveRulesError),
}

impl PlayerKind {
    /// The player that goes by the table or the blueprint in a file of this name, as [`KindFile`] says.
    ///
    /// # Errors
    /// [`KindFileError`] if the content is not a policy.
    pub fn of_policy_file(file: &str, bytes: Vec<u8>) -> Result<Self, KindFileError> {
        let bytes = match BlueprintFile::new(bytes.into()) {
            Ok(blueprint) => return Ok(Self::Blueprint { file: file.to_owned(), blueprint }),
            Err(bytes) => bytes.into_owned(),
        };
        let text = String::from_utf8(bytes).map_err(|_| KindFileError::PolicyEncoding)?;
        Ok(Self::Policy { file: file.to_owned(), table: Arc::new(PolicyTable::from_json(&text)?) })
    }

    /// The player that goes by the preferences in a file of this name, as [`KindFile`] says.
    ///
    /// # Errors
    /// [`KindFileError`] if the content has no preferences.
    pub fn of_rule_file(file: &str, bytes: Vec<u8>) -> Result<Self, KindFileError> {
        let text = String::from_utf8(bytes).map_err(|_| KindFileError::RuleEncoding)?;
        let rules: MoveRules = text.parse()?;
        Ok(Self::Rule { file: file.to_owned(), rules: Arc::new(rules) })
    }
}
