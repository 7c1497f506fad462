//! Traces of `croupier simulate --trace`, read line by line and recomputed by the oracle.

use std::collections::BTreeMap;

use croupier_engine::{Limits, stages::syntax};
use serde_json::{Map, Value};

use crate::oracle::{Consequence, Oracle, Terms, View};

/// How much a trace held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceSize {
    /// Playouts from the initial state to a terminal one.
    pub playouts: usize,
    /// Lines, one for each state.
    pub lines: usize,
}

/// Recomputes a whole trace: initial and later states, terminal, legal moves, goals, percepts, and that
/// every playout is complete.
///
/// # Errors
/// The first line that differs, and in what.
pub fn verify(rules: &str, trace: &str) -> Result<TraceSize, String> {
    let description = syntax::read(rules, syntax::Syntax::Auto, &Limits::STANDARD).description;
    let oracle = Oracle::new(&description, u64::MAX).map_err(|error| format!("the oracle says: {error}"))?;
    let has_sees = description.clauses.iter().any(|clause| clause.head.name() == Some("sees"));
    let mut size = TraceSize::default();
    let mut expected: Option<Terms> = None;
    let mut step = 0;
    for (index, line) in trace.lines().enumerate() {
        let at = |difference: String| format!("line {}: {difference}", index + 1);
        let row: Value = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        let row = Row { row: row.as_object().ok_or_else(|| at("not an object".to_owned()))?, has_sees };
        step = if expected.is_none() { 0 } else { step + 1 };
        let state = match expected.take() {
            Some(state) => state,
            None => oracle.initial_state().map_err(|error| at(error.to_string()))?,
        };
        row.compare_position([size.playouts, step]).map_err(at)?;
        same("state", &state, &terms(row.field("state").map_err(at)?).map_err(at)?).map_err(at)?;
        let view = oracle.view(&state).map_err(|error| at(error.to_string()))?;
        row.compare_view(&view, oracle.roles()).map_err(at)?;
        size.lines += 1;
        if view.is_terminal {
            size.playouts += 1;
            continue;
        }
        let joint_move = row.joint_move(oracle.roles()).map_err(at)?;
        let consequence = oracle.consequence(&state, &joint_move).map_err(|error| at(error.to_string()))?;
        row.compare_percepts(&consequence).map_err(at)?;
        expected = Some(consequence.successor);
    }
    match expected {
        Some(_) => Err("the last playout is not complete".to_owned()),
        None => Ok(size),
    }
}

struct Row<'r> {
    row: &'r Map<String, Value>,
    has_sees: bool,
}

impl Row<'_> {
    fn field(&self, key: &str) -> Result<&Value, String> {
        self.row.get(key).ok_or_else(|| format!("no {key}"))
    }

    fn object(&self, key: &str) -> Result<&Map<String, Value>, String> {
        self.field(key)?.as_object().ok_or_else(|| format!("{key} is not an object"))
    }

    /// Playouts are counted from 0, and so are their steps.
    fn compare_position(&self, expected: [usize; 2]) -> Result<(), String> {
        let found = [self.field("playout")?.as_u64(), self.field("step")?.as_u64()];
        same("playout and step", &expected.map(|number| u64::try_from(number).ok()), &found)
    }

    fn compare_view(&self, view: &View, roles: &[String]) -> Result<(), String> {
        same("terminal", &Some(view.is_terminal), &self.field("terminal")?.as_bool())?;
        let legal = self.object("legal")?;
        same("roles with legal moves", &roles.len(), &legal.len())?;
        for role in roles {
            let moves = legal.get(role).ok_or_else(|| format!("no legal moves of {role}"))?;
            same(&format!("legal moves of {role}"), &view.legal[role], &terms(moves)?)?;
        }
        for (role, goal) in self.object("goal")? {
            let values = view.goals.get(role).ok_or_else(|| format!("a goal of {role}, who is no role"))?;
            let is_one = match goal {
                Value::Null => values.is_empty(),
                other => values.contains(&other.to_string()),
            };
            if !is_one {
                return Err(format!("goal of {role}: the oracle has {values:?}, the trace {goal}"));
            }
        }
        let has_moves = self.row.contains_key("joint");
        same("whether there is a joint move", &!view.is_terminal, &has_moves)?;
        same("whether there are percepts", &(has_moves && self.has_sees), &self.row.contains_key("sees"))
    }

    fn joint_move(&self, roles: &[String]) -> Result<BTreeMap<String, String>, String> {
        let joint = self.object("joint")?;
        let played = joint.iter().map(|(role, played)| Some((role.clone(), played.as_str()?.to_owned())));
        let joint_move: BTreeMap<_, _> = played.collect::<Option<_>>().ok_or("a move that is no text")?;
        same("roles that move", &roles.len(), &joint_move.len())?;
        let legal = self.object("legal")?;
        for (role, played) in &joint_move {
            if !legal.get(role).is_some_and(|moves| terms(moves).is_ok_and(|moves| moves.contains(played))) {
                return Err(format!("{role} plays {played}, which is not legal"));
            }
        }
        Ok(joint_move)
    }

    fn compare_percepts(&self, consequence: &Consequence) -> Result<(), String> {
        if !self.has_sees {
            return Ok(());
        }
        let sees = self.object("sees")?;
        for (role, expected) in consequence.sees.iter().filter(|(role, _)| *role != "random") {
            let found = sees.get(role).ok_or_else(|| format!("no percepts of {role}"))?;
            same(&format!("percepts of {role}"), expected, &terms(found)?)?;
        }
        Ok(())
    }
}

/// The texts of an array, which must be in canonical order without repetition.
fn terms(value: &Value) -> Result<Terms, String> {
    let texts =
        value.as_array().and_then(|items| items.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
    let texts = texts.ok_or_else(|| format!("not an array of texts: {value}"))?;
    if !texts.is_sorted_by(|one, other| one < other) {
        return Err(format!("not in canonical order: {value}"));
    }
    Ok(texts.into_iter().map(str::to_owned).collect())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, oracle: &T, found: &T) -> Result<(), String> {
    if oracle == found {
        return Ok(());
    }
    Err(format!("{what}: the oracle has {oracle:?}, the trace {found:?}"))
}
