//! Policies as tables: for each information set, how likely each move is.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use croupier_engine::{Game, InformationSet, MoveId};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::{
    Answers, Coverage,
    names::{Names, NamesByGame},
    policy::{Policy, uniform},
};

/// The member `format` of a table in JSON.
pub const POLICY_FORMAT: &str = "croupier-policy/1";

/// For each information set, how likely each move is to be played.
///
/// As JSON it is an object with three members: `format`, which is [`POLICY_FORMAT`]; `rules`, those of the game, which may be missing;
/// and `information_sets`, an object from information sets as
/// [`information_set_text`](croupier_engine::Game::information_set_text) writes them to objects from moves in canonical
/// print to probabilities, which have the sum one. Several roles may share a table.
///
/// ```
/// use croupier_belief::PolicyTable;
///
/// let table = PolicyTable::from_json(
///     r#"{"format": "croupier-policy/1",
///         "information_sets": {"(alice (noop (hole king)) (noop (dealt bob)))": {"bet": 0.75, "pass": 0.25}}}"#,
/// );
/// assert_eq!(table.expect("a table").len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PolicyTable {
    /// Those of the game that it was made for, in normal form, if that is known.
    rules: Option<String>,
    names: NamesByGame,
    /// Invariant: probabilities are from 0 to 1 and have the sum one, but for rounding.
    sets: BTreeMap<String, BTreeMap<String, f64>>,
}

/// Tables are the same if they say the same of the same rules.
impl PartialEq for PolicyTable {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules && self.sets == other.sets
    }
}

/// Why a text is not a table, or a table none for a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// It is not JSON.
    #[error("a policy must be JSON: {0}")]
    Json(String),
    /// It is JSON of another kind.
    #[error(
        "a policy must be an object with \"format\": \"croupier-policy/1\" and \"information_sets\": {{..}}; {0}"
    )]
    Shape(&'static str),
    /// The rules that it was made for are not those of the game.
    #[error("the policy is for another game: its rules differ in more than names and order")]
    OtherGame,
    /// The moves of an information set are not a distribution.
    #[error("the information set {information_set}: {problem}")]
    Distribution {
        /// Which.
        information_set: String,
        /// The problem.
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
        let value: Value = serde_json::from_str(text).map_err(|error| {
            PolicyError::Json(format!("it is not, at line {}, column {}", error.line(), error.column()))
        })?;
        if value.get("format").and_then(Value::as_str) != Some(POLICY_FORMAT) {
            return Err(PolicyError::Shape("its format is missing or different"));
        }
        let sets = value.get("information_sets").and_then(Value::as_object);
        let sets = sets.ok_or(PolicyError::Shape("it has no information sets"))?;
        let text = |rules: &Value| rules.as_str().map(str::to_owned);
        let unread = PolicyError::Shape("its rules are not a text");
        let rules = value.get("rules").map(|rules| text(rules).ok_or(unread)).transpose()?;
        let mut table = Self { rules, ..Self::default() };
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
        let rules = self.rules.as_deref().map(|rules| format!(",\n  \"rules\": {}", Value::from(rules)));
        format!(
            "{{\n  \"format\": \"{POLICY_FORMAT}\",\n  \"information_sets\": {{{}\n  }}{}\n}}\n",
            lines.join(","),
            rules.unwrap_or_default()
        )
    }

    /// Sets the strategy in an information set, replacing any earlier one.
    ///
    /// # Errors
    /// [`PolicyError::Distribution`] if there are no probabilities or they do not add up to one.
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
                format!("the probabilities of its moves add up to {sum}, not 1")
            }
            None => {
                self.sets.insert(information_set, moves);
                return Ok(());
            }
        };
        Err(PolicyError::Distribution { information_set, problem })
    }

    /// Says the same of an information set of a game: moves and weights, which are taken in proportion.
    ///
    /// # Errors
    /// [`PolicyError::Distribution`] if a weight is negative or no number, or all are zero.
    pub fn insert_weights(
        &mut self,
        game: &Game,
        known: &InformationSet,
        weights: impl IntoIterator<Item = (MoveId, f64)>,
    ) -> Result<(), PolicyError> {
        let moves: BTreeMap<String, f64> = weights
            .into_iter()
            .map(|(played, weight)| (game.move_text(played).to_string(), weight))
            .collect();
        let sum: f64 = moves.values().sum();
        let moves = moves.into_iter().map(|(played, weight)| (played, weight / sum)).collect();
        self.insert(game.information_set_text(known), moves)
    }

    /// An empty table for a game: under other names, and in another order, it will be one for the same game.
    #[must_use]
    pub fn of_game(game: &Game) -> Self {
        Self { rules: Some(game.rules().program().to_string()), ..Self::default() }
    }

    /// The table as a policy of a game: uniform if it has no entry, or none for a legal move. The game may have other names than the
    /// rules of the table; a table without rules is taken for one of any game.
    ///
    /// # Errors
    /// [`PolicyError::OtherGame`] if the table has the rules of another.
    pub fn into_policy(self: Arc<Self>, game: Arc<Game>) -> Result<TablePolicy, PolicyError> {
        let names = match &self.rules {
            None => Names::OWN,
            Some(rules) => self.names.of(&game, rules).ok_or(PolicyError::OtherGame)?,
        };
        Ok(TablePolicy { game, names, table: self, answers: Answers::default(), coverage: Mutex::default() })
    }

    /// The number of information sets in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether the table is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The entry of an information set: moves with their probabilities, in canonical order.
    #[must_use]
    pub fn get(&self, information_set: &str) -> Option<&BTreeMap<String, f64>> {
        self.sets.get(information_set)
    }
}

/// A [`PolicyTable`] with the game that it is of.
///
/// ```
/// use std::sync::Arc;
/// use croupier_belief::{Policy, PolicyTable};
/// use croupier_engine::InformationSet;
/// # use croupier_engine::{Game, Options};
///
/// # let game = Game::compile("(role me) (legal me a) (legal me b) (goal me 0) terminal", &Options::PLAY)?.game;
/// # let game = Arc::new(game);
/// # let me = game.roles().find("me").ok_or("a role of the game")?;
/// # let (a, b) = (game.move_id("a")?, game.move_id("b")?);
/// let mut table = PolicyTable::default();
/// table.insert_weights(&game, &InformationSet::initial(me), [(a, 3.0), (b, 1.0)])?;
/// let policy = Arc::new(table).into_policy(Arc::clone(&game))?;
/// assert_eq!(policy.probabilities(&InformationSet::initial(me), &[a, b]), [0.75, 0.25]);
/// // Where it has no entry, choices are uniform.
/// let mut later = InformationSet::initial(me);
/// later.turns.push(game.own_turn("a", [])?);
/// assert_eq!(policy.probabilities(&later, &[a, b]), [0.5, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TablePolicy {
    game: Arc<Game>,
    names: Names,
    table: Arc<PolicyTable>,
    /// Because printing an information set costs more than finding it here.
    answers: Answers,
    coverage: Mutex<Coverage>,
}

impl TablePolicy {
    /// The entry of an information set of the game: its moves, by the names of the game, with their probabilities.
    #[must_use]
    pub fn entry(&self, known: &InformationSet) -> Option<Cow<'_, BTreeMap<String, f64>>> {
        let Self { game, names, table, .. } = self;
        let written = names.written(game);
        let entry = table.get(&written.information_set_text(&*names.written_set(game, known)?))?;
        if names.are_own() {
            return Some(Cow::Borrowed(entry));
        }
        let own = |played: &String| {
            let own = names.own_move(game, written.move_id(played).ok()?)?;
            Some(game.move_text(own).to_string())
        };
        // What is no move of the game keeps its name, by which it is reported.
        let named = entry.iter().map(|(played, &p)| (own(played).unwrap_or_else(|| played.clone()), p));
        Some(Cow::Owned(named.collect()))
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &PolicyTable {
        &self.table
    }
}

impl Policy for TablePolicy {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        if let Some(answer) = self.answers.get(known, legal.len()) {
            return answer;
        }
        let entry = self.entry(known);
        let probability = |&played: &MoveId| {
            let entry = entry.as_ref().and_then(|entry| entry.get(&*self.game.move_text(played)));
            entry.copied().unwrap_or(0.0)
        };
        let weights: Vec<f64> = legal.iter().map(probability).collect();
        let sum: f64 = weights.iter().sum();
        let probabilities = match sum > 0.0 {
            true => weights.iter().map(|weight| weight / sum).collect(),
            false => uniform(legal.len()),
        };
        if legal.len() > 1 {
            let mut coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
            coverage.note(sum > 0.0, || self.game.information_set_text(known));
        }
        self.answers.keep(known, probabilities)
    }

    fn coverage(&self) -> Option<Coverage> {
        Some(self.coverage.lock().unwrap_or_else(PoisonError::into_inner).clone())
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
        assert!(error("{").starts_with("a policy must be JSON: "));
        assert!(error("{}").ends_with("; its format is missing or different"));
        assert!(error(r#"{"format": "croupier-policy/1"}"#).ends_with("; it has no information sets"));
        let unread = r#"{"format": "croupier-policy/1", "information_sets": {}, "rules": 5}"#;
        assert!(error(unread).ends_with("; its rules are not a text"));
        let with = |moves: &str| {
            error(&format!(r#"{{"format": "croupier-policy/1", "information_sets": {{"(a)": {moves}}}}}"#))
        };
        let start = "the information set (a): ";
        assert_eq!(
            with(r#"{"x": 0.5}"#),
            format!("{start}the probabilities of its moves add up to 0.5, not 1")
        );
        assert_eq!(with("{}"), format!("{start}the probabilities of its moves add up to 0, not 1"));
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
