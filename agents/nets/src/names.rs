//! The game that a net was made for: what its columns mean.

use croupier_engine::Game;
use croupier_training::{Features, PlayerSpace, Space, TrainingError};
use serde::Deserialize;
use thiserror::Error;

use crate::NetError;

/// The game of a net, by the names of its inputs and outputs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Names {
    /// The name of the game.
    pub game: String,
    /// The text of its rules, if the file has it.
    #[serde(default)]
    pub rules: Option<String>,
    /// SHA-256 of the text of the rules, as hexadecimal digits. Other texts of the same rules have another.
    pub rules_sha256: String,
    /// Which part of a match features show: always `percepts`.
    #[serde(rename = "observation")]
    pub features: String,
    /// How many recent turns features distinguish.
    pub last: usize,
    /// In the order of the rules, without `random`.
    pub players: Vec<PlayerNames>,
    /// By column of the output, the fluent whose probability it is the logit of; `None` if columns are moves.
    #[serde(default)]
    pub fluents: Option<Vec<String>>,
}

/// The names of one player.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct PlayerNames {
    /// Its role.
    pub role: String,
    /// By feature, its meaning if it is 1.
    pub features: Vec<String>,
    /// By column of the output, the move as canonical text.
    pub moves: Vec<String>,
}

/// The only part of the names that every version has.
#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

/// The only part that those of every network of this version have.
#[derive(Deserialize)]
struct Observing {
    #[serde(default)]
    observation: String,
}

/// What the network of these names reads.
///
/// # Errors
/// [`NetError::Names`], and [`NetError::Version`] if the names are of another version.
pub(crate) fn observation(json: &str) -> Result<String, NetError> {
    let unreadable = |error: serde_json::Error| NetError::Names { problem: misread(&error) };
    let Versioned { version } = serde_json::from_str(json).map_err(unreadable)?;
    if version != 1 {
        return Err(NetError::Version { found: version });
    }
    let Observing { observation } = serde_json::from_str(json).map_err(unreadable)?;
    Ok(observation)
}

/// Why a net cannot be played in a game.
#[derive(Clone, Debug, PartialEq, Error)]
pub(crate) enum SpaceError {
    #[error("a net needs rules that can be compiled to a network of gates, and these are too large")]
    NoNetwork,
    #[error(transparent)]
    Space(#[from] TrainingError),
    #[error(
        "the net was made for {game} by other rules than these: {difference}; play the rules with the SHA-256 {rules_sha256}, or \
         train a net on these"
    )]
    OtherRules { game: String, rules_sha256: String, difference: String },
}

/// The features that a seat has.
const PERCEPTS: &str = "percepts";

/// What a network of values reads.
pub(crate) const PUBLIC: &str = "public";

/// Where JSON is not what the names of a net are.
pub(crate) fn misread(error: &serde_json::Error) -> String {
    format!("it is something else at line {}, column {}", error.line(), error.column())
}

impl Names {
    /// Reads the names from JSON.
    pub(crate) fn read(json: &str) -> Result<Self, NetError> {
        let unreadable = |problem: String| NetError::Names { problem };
        if observation(json)? == PUBLIC {
            return Err(NetError::ValuesBeliefs);
        }
        let names: Self = serde_json::from_str(json).map_err(|error| unreadable(misread(&error)))?;
        if names.features != PERCEPTS {
            return Err(NetError::Features { found: names.features });
        }
        // Every player has a move, and every turn its features; so no file can ask for more turns than it names features.
        if names.last >= names.widest_features() {
            return Err(unreadable(format!("it names fewer features than {} turns have", names.last)));
        }
        Ok(names)
    }

    /// Numbers that the network reads: the player and its features.
    pub(crate) fn inputs_count(&self) -> usize {
        self.players.len() + self.widest_features()
    }

    /// Numbers that it writes.
    pub(crate) fn outputs_count(&self) -> usize {
        let moves = || self.players.iter().map(|player| player.moves.len()).max().unwrap_or(0);
        self.fluents.as_ref().map_or_else(moves, Vec::len)
    }

    fn widest_features(&self) -> usize {
        self.players.iter().map(|player| player.features.len()).max().unwrap_or(0)
    }

    /// The space of a game, if its names are these.
    ///
    /// # Errors
    /// [`SpaceError`].
    pub(crate) fn space(&self, game: &Game) -> Result<Space, SpaceError> {
        game.network().ok_or(SpaceError::NoNetwork)?;
        let space = |last: usize| Space::new(game, Features::Percepts { last });
        // The sizes first: features of many turns are only named if the file names as many.
        self.check_sizes(game, &space(0)?)?;
        let space = space(self.last)?;
        self.check(&space)?;
        Ok(space)
    }

    /// Compares the names of roles, and the numbers of features, with a space of a game that distinguishes no turns.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    fn check_sizes(&self, game: &Game, space: &Space) -> Result<(), SpaceError> {
        let roles = || space.players.iter().map(|player| game.roles().name(player.role));
        if !self.players.iter().map(|player| player.role.as_str()).eq(roles()) {
            let theirs: Vec<&str> = self.players.iter().map(|player| player.role.as_str()).collect();
            let (theirs, ours) = (theirs.join(", "), roles().collect::<Vec<&str>>().join(", "));
            return Err(self.refusal(format!("its players are {theirs}, but those of this game are {ours}")));
        }
        for (theirs, ours) in self.players.iter().zip(&space.players) {
            let (found, wanted) =
                (theirs.features.len(), ours.feature_names.len().checked_mul(self.last + 1));
            if Some(found) != wanted {
                let wanted = wanted.unwrap_or(usize::MAX);
                return Err(
                    self.refusal(format!("{} has {found} features, but needs {wanted} here", theirs.role))
                );
            }
        }
        Ok(())
    }

    /// Compares all names with those of a space that distinguishes as many turns and passed [`check_sizes`](Self::check_sizes).
    ///
    /// # Errors
    /// [`SpaceError`] with the first difference.
    fn check(&self, space: &Space) -> Result<(), SpaceError> {
        let mut pairs = self.players.iter().zip(&space.players);
        let difference = pairs.find_map(|(theirs, ours)| theirs.difference(ours));
        difference.map_or(Ok(()), |difference| Err(self.refusal(difference)))
    }

    fn refusal(&self, difference: String) -> SpaceError {
        let (game, rules_sha256) = (self.game.clone(), self.rules_sha256.clone());
        SpaceError::OtherRules { game, rules_sha256, difference }
    }
}

impl PlayerNames {
    /// The first thing in which a player of a game differs.
    fn difference(&self, ours: &PlayerSpace) -> Option<String> {
        let features = differing("feature", &self.features, &ours.feature_names);
        let of = |difference: String| format!("{} {difference}", self.role);
        features.or_else(|| differing("move", &self.moves, &ours.move_names)).map(of)
    }
}

/// The first place in which names differ, as a clause.
fn differing<N: AsRef<str>>(what: &str, theirs: &[String], ours: &[N]) -> Option<String> {
    let ours = || ours.iter().map(AsRef::as_ref);
    let place = theirs.iter().map(String::as_str).zip(ours()).position(|(theirs, ours)| theirs != ours);
    match place {
        Some(place) => {
            let ours = ours().nth(place).unwrap_or_default();
            Some(format!("has the {what} {:?} in column {place}, but this game has {ours:?}", theirs[place]))
        }
        None if theirs.len() != ours().len() => {
            Some(format!("has {} {what}s, and here {}", theirs.len(), ours().len()))
        }
        None => None,
    }
}
