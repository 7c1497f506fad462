//! The saved state of a solver that is interrupted.
//!
//! Regrets and averages are saved exactly; everything else is derived from them.

use std::num::NonZeroU32;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use crate::{algorithm::Algorithm, sampling::Samples, tables::Tables};

/// The member `format` of a checkpoint.
pub const CHECKPOINT_FORMAT: &str = "croupier-checkpoint/1";

/// Everything that an algorithm remembers, to the last bit.
///
/// Numbers are hexadecimal: 16 digits for each, the bytes of the 64 bits of IEEE 754 from the lowest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    format: String,
    /// The caller's identifier of the game, such as a digest of its rules.
    pub game: String,
    /// Which algorithm it is.
    pub algorithm: Algorithm,
    /// What samples are drawn from.
    #[serde(with = "hex::serde")]
    pub seed: [u8; 32],
    /// How many of them each player draws in an iteration.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub samples: NonZeroU32,
    /// How many iterations have been made.
    pub iterations: u64,
    regrets: Numbers,
    averages: Numbers,
}

/// Why a solver cannot go on from a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckpointError {
    /// It was written in another format.
    #[error("the checkpoint has the format '{found}', but this program reads {CHECKPOINT_FORMAT}")]
    Format {
        /// The format found.
        found: String,
    },
    /// It was made for another game.
    #[error("the checkpoint is from another game: {found}, not {expected}")]
    Game {
        /// The identifier found.
        found: String,
        /// The expected identifier.
        expected: String,
    },
    /// It does not have a number for each sequence of the game.
    #[error("the checkpoint has {found} numbers of one kind, but the game needs {expected}")]
    Size {
        /// How many it has.
        found: usize,
        /// How many sequences the game has.
        expected: usize,
    },
    /// A regret is not a number, or an average is negative.
    #[error("the checkpoint is damaged: its number {place} cannot result from any iteration")]
    Number {
        /// Position among the numbers of its kind.
        place: usize,
    },
}

fn one() -> NonZeroU32 {
    NonZeroU32::MIN
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one(samples: &NonZeroU32) -> bool {
    *samples == NonZeroU32::MIN
}

#[derive(Clone, Debug, PartialEq)]
struct Numbers(Vec<f64>);

impl Checkpoint {
    pub(crate) fn new(
        game: &str,
        algorithm: Algorithm,
        samples: Samples,
        iterations: u64,
        tables: &Tables,
    ) -> Self {
        Self {
            format: CHECKPOINT_FORMAT.to_owned(),
            game: game.to_owned(),
            algorithm,
            seed: samples.seed,
            samples: samples.per_iteration,
            iterations,
            regrets: Numbers(tables.regrets.clone()),
            averages: Numbers(tables.averages.clone()),
        }
    }

    /// The saved tables, if they fit a game with this many sequences.
    pub(crate) fn tables(&self, game: &str, sequences: usize) -> Result<Tables, CheckpointError> {
        if self.format != CHECKPOINT_FORMAT {
            return Err(CheckpointError::Format { found: self.format.clone() });
        }
        if self.game != game {
            return Err(CheckpointError::Game { found: self.game.clone(), expected: game.to_owned() });
        }
        let lists = [&self.regrets.0, &self.averages.0];
        if let Some(list) = lists.into_iter().find(|list| list.len() != sequences) {
            return Err(CheckpointError::Size { found: list.len(), expected: sequences });
        }
        let bad_regret = self.regrets.0.iter().position(|regret| !regret.is_finite());
        let bad_average = self.averages.0.iter().position(|&sum| !(0.0..f64::INFINITY).contains(&sum));
        match bad_regret.or(bad_average) {
            Some(place) => Err(CheckpointError::Number { place }),
            None => Ok(Tables { regrets: self.regrets.0.clone(), averages: self.averages.0.clone() }),
        }
    }
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|number| number.to_le_bytes()).collect();
        hex::serde::serialize(bytes, serializer)
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes: Vec<u8> = hex::serde::deserialize(deserializer)?;
        let (numbers, rest) = bytes.as_chunks::<8>();
        if rest.is_empty() {
            Ok(Self(numbers.iter().map(|&number| f64::from_le_bytes(number)).collect()))
        } else {
            Err(de::Error::custom("16 hexadecimal digits for each number"))
        }
    }
}
