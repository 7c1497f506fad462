//! Kinds of players that go by a file.

use std::sync::Arc;

use croupier_belief::PolicyError;
use thiserror::Error;

use crate::{BlueprintFile, MoveRules, MoveRulesError, PlayerKind, PolicyTable};

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
    /// The player that goes by the table or the blueprint in a file of this name, as [`policy_file`](Self::policy_file) says.
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

    /// The player that goes by the preferences in a file of this name, as [`rule_file`](Self::rule_file) says.
    ///
    /// # Errors
    /// [`KindFileError`] if the content has no preferences.
    pub fn of_rule_file(file: &str, bytes: Vec<u8>) -> Result<Self, KindFileError> {
        let text = String::from_utf8(bytes).map_err(|_| KindFileError::RuleEncoding)?;
        let rules: MoveRules = text.parse()?;
        Ok(Self::Rule { file: file.to_owned(), rules: Arc::new(rules) })
    }
}
