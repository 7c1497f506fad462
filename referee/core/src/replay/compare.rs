//! Where two lines of a record differ first.

use thiserror::Error;

use crate::record::{Kind, RecordLine, Value};

/// Longest text of a value in a difference, in characters.
const SHOWN_CHARS_MAX: usize = 200;

/// The first thing in a record that is not what its inputs give.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}{}, field {field}: expected {expected}, found {found}", turn_text(.turn))]
pub struct Difference {
    /// The line in the file, from 1.
    pub line: usize,
    /// The turn or update that the line belongs to, if it belongs to one.
    pub turn: Option<u32>,
    /// The field; a nested one as `game.rules`.
    pub field: String,
    /// The computed value, truncated to a readable length.
    pub expected: String,
    /// The recorded value, truncated to a readable length.
    pub found: String,
}

fn turn_text(turn: &Option<u32>) -> String {
    turn.map_or_else(String::new, |turn| format!(", turn {turn}"))
}

impl Difference {
    pub(crate) fn new<K: Kind>(line: &RecordLine<K>, field: &str, expected: &str, found: &str) -> Self {
        Self {
            line: line.number,
            turn: line.entry.step(),
            field: field.to_owned(),
            expected: shown(expected),
            found: shown(found),
        }
    }

    /// The first field, in their order, in which a recorded line is not the expected one; `None` if they are equal.
    pub(super) fn between<K: Kind>(expected: &str, found: &RecordLine<K>) -> Option<Self> {
        if expected == found.text {
            return None;
        }
        let (line, turn) = (found.number, found.entry.step());
        let difference = |field: String, expected: &str, found: &str| {
            Some(Self { line, turn, field, expected: shown(expected), found: shown(found) })
        };
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap_or(Value::Null);
        let (expected, recorded) = (value(expected), value(&found.text));
        let event = |value: &Value| match value {
            Value::Object(fields) => fields.get("event").map(Value::to_text),
            _ => None,
        };
        if let (Some(expected), Some(recorded)) = (event(&expected), event(&recorded))
            && expected != recorded
        {
            return difference("event".to_owned(), &expected, &recorded);
        }
        let (field, expected, recorded) = first_difference(expected, recorded);
        difference(field, &expected, &recorded)
    }
}

/// Path and texts of the first difference; descends as long as both sides are objects.
fn first_difference(mut expected: Value, mut found: Value) -> (String, String, String) {
    let mut path = Vec::new();
    let text = |value: &Option<Value>| value.as_ref().map_or_else(|| "nothing".to_owned(), Value::to_text);
    loop {
        let (Value::Object(mut left), Value::Object(mut right)) = (expected.clone(), found.clone()) else {
            return (path.join("."), expected.to_text(), found.to_text());
        };
        let mut names: Vec<String> = left.keys().chain(right.keys()).cloned().collect();
        names.sort_unstable();
        let Some(name) = names.into_iter().find(|name| left.get(name) != right.get(name)) else {
            return (path.join("."), expected.to_text(), found.to_text());
        };
        let sides = (left.remove(&name), right.remove(&name));
        path.push(name);
        match sides {
            (Some(left), Some(right)) => (expected, found) = (left, right),
            (left, right) => return (path.join("."), text(&left), text(&right)),
        }
    }
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
