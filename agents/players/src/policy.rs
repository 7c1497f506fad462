//! Tables that say what to play, and the player that goes by one.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Game, InformationSet, MoveId, RoleId};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::{
    Budget, Decision, Player, PlayerError, RandomPlayer,
    draw::{drawn, drawn_uniformly},
    sight::Sight,
};

/// What the member `format` of a table as JSON says.
pub const POLICY_FORMAT: &str = "croupier-policy/1";

/// For each information set, how likely each move is to be played.
///
/// As JSON it is an object with two members: `format`, which is [`POLICY_FORMAT`], and `information_sets`, an object
/// from information sets as
/// [`information_set_text`](croupier_engine::Game::information_set_text) writes them to objects from moves in canonical
/// print to probabilities, which have the sum one. Several roles may share a table.
///
/// ```
/// use croupier_players::PolicyTable;
///
/// let table = PolicyTable::from_json(
///     r#"{"format": "croupier-policy/1",
///         "information_sets": {"(alice (noop (hole king)) (noop (dealt bob)))": {"bet": 0.75, "pass": 0.25}}}"#,
/// );
/// assert_eq!(table.expect("a table").len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyTable {
    /// Invariant: probabilities are from 0 to 1 and have the sum one, but for rounding.
    sets: BTreeMap<String, BTreeMap<String, f64>>,
}

/// Why a text is no table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// It is not JSON.
    #[error("a policy is JSON: {0}")]
    Json(String),
    /// It is JSON of another kind.
    #[error(
        "a policy is an object with \"format\": \"croupier-policy/1\" and \"information_sets\": {{..}}; {0}"
    )]
    Shape(&'static str),
    /// The moves of an information set are not a distribution.
    #[error("the information set {information_set}: {problem}")]
    Distribution {
        /// Which.
        information_set: String,
        /// What is wrong there.
        problem: String,
    },
}

impl PolicyTable {
    /// How far the sum of probabilities may be from one.
    const TOLERANCE: f64 = 1e-6;

    /// Reads a table.
    ///
    /// # Errors
    /// [`PolicyError`] for the first thing that is wrong.
    pub fn from_json(text: &str) -> Result<Self, PolicyError> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| PolicyError::Json(error.to_string()))?;
        if value.get("format").and_then(Value::as_str) != Some(POLICY_FORMAT) {
            return Err(PolicyError::Shape("its format is another one or not given"));
        }
        let sets = value.get("information_sets").and_then(Value::as_object);
        let sets = sets.ok_or(PolicyError::Shape("it has no information sets"))?;
        let mut table = Self::default();
        for (information_set, moves) in sets {
            let moves = moves.as_object().ok_or_else(|| PolicyError::Distribution {
                information_set: information_set.clone(),
                problem: "its moves are not an object from moves to probabilities".to_owned(),
            })?;
            let moves =
                moves.iter().map(|(played, value)| (played.clone(), value.as_f64().unwrap_or(f64::NAN)));
            table.insert(information_set.clone(), moves.collect())?;
        }
        Ok(table)
    }

    /// The table as JSON, a line for each information set.
    #[must_use]
    pub fn to_json(&self) -> String {
        let lines = self.sets.iter().map(|(information_set, moves)| {
            let moves: Map<String, Value> =
                moves.iter().map(|(played, &probability)| (played.clone(), probability.into())).collect();
            format!("\n    {}: {}", Value::from(information_set.as_str()), Value::from(moves))
        });
        let lines: Vec<String> = lines.collect();
        format!(
            "{{\n  \"format\": \"{POLICY_FORMAT}\",\n  \"information_sets\": {{{}\n  }}\n}}\n",
            lines.join(",")
        )
    }

    /// Says what to play in an information set, instead of what was said before.
    ///
    /// # Errors
    /// [`PolicyError::Distribution`] if the probabilities are none or do not have the sum one.
    pub fn insert(
        &mut self,
        information_set: String,
        moves: BTreeMap<String, f64>,
    ) -> Result<(), PolicyError> {
        let unfit = moves.iter().find(|(_, probability)| !(0.0..=1.0).contains(*probability));
        let sum = moves.values().fold(0.0, |sum, probability| sum + probability);
        let problem = match unfit {
            Some((played, _)) => format!("the probability of {played} is not a number from 0 to 1"),
            None if (sum - 1.0).abs() > Self::TOLERANCE => {
                format!("the probabilities of its moves have the sum {sum}, not 1")
            }
            None => {
                self.sets.insert(information_set, moves);
                return Ok(());
            }
        };
        Err(PolicyError::Distribution { information_set, problem })
    }

    /// How many information sets it speaks of.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether it speaks of none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// What it says of an information set: moves with their probabilities, in canonical order.
    #[must_use]
    pub fn get(&self, information_set: &str) -> Option<&BTreeMap<String, f64>> {
        self.sets.get(information_set)
    }
}

/// Plays by a [`PolicyTable`], and each legal move with the same probability where the table is silent.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, InformationSet, Options};
/// use croupier_players::{Budget, Player, PolicyPlayer, PolicyTable};
///
/// # let rules = "(role left) (init start) (legal left (take 2)) (legal left (take 10))
/// #     (<= (next (took ?n)) (does left (take ?n))) (<= terminal (true (took ?n))) (goal left 50)";
/// let game = Arc::new(Game::compile(rules, &Options::PLAY)?.game);
/// let left = game.roles().find("left").ok_or("a role of the game")?;
/// let mut table = PolicyTable::default();
/// table.insert("(left)".to_owned(), [("(take 2)".to_owned(), 1.0)].into())?;
/// let mut player = PolicyPlayer::new(Arc::clone(&game), left, Arc::new(table), [0; 32])?;
/// let decision = player.choose(&InformationSet::initial(left), &mut Budget::Own)?;
/// assert_eq!(game.move_text(decision.chosen), "(take 2)".into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PolicyPlayer {
    sight: Sight,
    table: Arc<PolicyTable>,
}

impl PolicyPlayer {
    /// A player of `role`, whose draws depend on `seed` and the turn alone.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        table: Arc<PolicyTable>,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        Ok(Self { sight: Sight::new(game, role, RandomPlayer::PARTICLES, seed)?, table })
    }

    /// The probability of each legal move, or `None` where the table is silent.
    fn probabilities(
        &self,
        known: &InformationSet,
        moves: &[MoveId],
    ) -> Result<Option<Vec<f64>>, PlayerError> {
        let information_set = self.sight.game.information_set_text(known);
        let Some(table) = self.table.get(&information_set) else { return Ok(None) };
        let texts: Vec<Arc<str>> = moves.iter().map(|&legal| self.sight.game.move_text(legal)).collect();
        let is_legal = |played: &str| texts.iter().any(|text| **text == *played);
        if let Some((played, _)) = table.iter().find(|(played, p)| **p > 0.0 && !is_legal(played)) {
            return Err(PlayerError::PolicyMove { information_set, played: played.clone() });
        }
        Ok(Some(texts.iter().map(|text| table.get(&**text).copied().unwrap_or(0.0)).collect()))
    }
}

impl Player for PolicyPlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn choose(&mut self, known: &InformationSet, _budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        let moves = self.sight.choice(known)?.moves;
        let mut rng = self.sight.rng(known);
        Ok(match self.probabilities(known, &moves)? {
            Some(probabilities) => drawn(moves, probabilities, &mut rng),
            None => drawn_uniformly(moves, &mut rng),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{PolicyError, PolicyTable};

    #[test]
    fn a_table_is_read_as_it_is_written() {
        let mut table = PolicyTable::default();
        let moves = [("bet".to_owned(), 1.0 / 3.0), ("pass".to_owned(), 2.0 / 3.0)];
        table.insert("(alice (noop (hole \"k\")))".to_owned(), moves.into()).unwrap();
        table.insert("(bob)".to_owned(), [("noop".to_owned(), 1.0)].into()).unwrap();
        assert_eq!(PolicyTable::from_json(&table.to_json()), Ok(table));
        assert_eq!(PolicyTable::from_json(&PolicyTable::default().to_json()), Ok(PolicyTable::default()));
    }

    #[test]
    fn what_is_no_table_says_why() {
        let error = |text: &str| PolicyTable::from_json(text).unwrap_err().to_string();
        assert!(error("{").starts_with("a policy is JSON: "));
        assert!(error("{}").ends_with("; its format is another one or not given"));
        assert!(error(r#"{"format": "croupier-policy/1"}"#).ends_with("; it has no information sets"));
        let with = |moves: &str| {
            error(&format!(r#"{{"format": "croupier-policy/1", "information_sets": {{"(a)": {moves}}}}}"#))
        };
        let start = "the information set (a): ";
        assert_eq!(
            with(r#"{"x": 0.5}"#),
            format!("{start}the probabilities of its moves have the sum 0.5, not 1")
        );
        assert_eq!(with("{}"), format!("{start}the probabilities of its moves have the sum 0, not 1"));
        assert_eq!(with("[1]"), format!("{start}its moves are not an object from moves to probabilities"));
        for value in ["-0.5", "1.5", "\"1\""] {
            let message = with(&format!(r#"{{"x": {value}, "y": 0.5}}"#));
            assert_eq!(message, format!("{start}the probability of x is not a number from 0 to 1"));
        }
        let mut table = PolicyTable::default();
        let refused = table.insert("(a)".to_owned(), [("x".to_owned(), f64::NAN)].into());
        assert!(matches!(refused, Err(PolicyError::Distribution { .. })));
    }
}
