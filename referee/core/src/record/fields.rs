//! Reading one line of a record strictly: every field that is expected, and no other.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::{
    digest::{Digest, bytes_of_hex},
    record::json::Value,
};

/// A problem with a field. Nested fields are named like `game.rules`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FieldError {
    /// It is not there.
    #[error("the field {0} is missing")]
    Missing(String),
    /// It should not be there.
    #[error("unknown field {0}")]
    Unknown(String),
    /// The field has an invalid value.
    #[error("the field {field} is not {expected}")]
    Wrong {
        /// The field.
        field: String,
        /// The expected kind of value.
        expected: String,
    },
}

/// The fields of an object that have not been read yet.
#[derive(Debug)]
pub struct Fields {
    /// The prefix of each field's name: empty, or the outer field and a dot.
    prefix: String,
    unread: BTreeMap<String, Value>,
}

impl Fields {
    /// The fields of one line, its event, and the chain value that it claims to follow.
    pub(crate) fn of_line(line: Value) -> Result<(Self, String, Option<Digest>), FieldError> {
        let Value::Object(unread) = line else {
            return Err(FieldError::Missing("event".to_owned()));
        };
        let mut fields = Self { prefix: String::new(), unread };
        let event = fields.text("event")?;
        let prev = match fields.optional_text("prev")? {
            None => None,
            Some(text) => {
                let bytes = bytes_of_hex(&text);
                Some(Digest(bytes.ok_or_else(|| fields.wrong("prev", "64 lower-case hexadecimal digits"))?))
            }
        };
        Ok((fields, event, prev))
    }

    pub(crate) fn name(&self, field: &str) -> String {
        format!("{}{field}", self.prefix)
    }

    pub(crate) fn wrong(&self, field: &str, expected: &str) -> FieldError {
        FieldError::Wrong { field: self.name(field), expected: expected.to_owned() }
    }

    pub(crate) fn value(&mut self, field: &str) -> Result<Value, FieldError> {
        self.unread.remove(field).ok_or_else(|| FieldError::Missing(self.name(field)))
    }

    pub(crate) fn optional_text(&mut self, field: &str) -> Result<Option<String>, FieldError> {
        match self.value(field)? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            _ => Err(self.wrong(field, "text or null")),
        }
    }

    pub(crate) fn text(&mut self, field: &str) -> Result<String, FieldError> {
        match self.value(field)? {
            Value::Text(text) => Ok(text),
            _ => Err(self.wrong(field, "text")),
        }
    }

    pub(crate) fn count(&mut self, field: &str) -> Result<u64, FieldError> {
        let Value::Integer(number) = self.value(field)? else { return Err(self.wrong(field, "an integer")) };
        u64::try_from(number).map_err(|_| self.wrong(field, "an integer from 0"))
    }

    /// Whether a field is there that was not read yet.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.unread.contains_key(field)
    }

    /// A count that may be missing, and then is this.
    pub(crate) fn count_or(&mut self, field: &str, usual: u64) -> Result<u64, FieldError> {
        if self.has(field) { self.count(field) } else { Ok(usual) }
    }

    pub(crate) fn turn(&mut self, field: &str) -> Result<u32, FieldError> {
        u32::try_from(self.count(field)?).map_err(|_| self.wrong(field, "an integer below 2^32"))
    }

    pub(crate) fn bytes<const N: usize>(&mut self, field: &str) -> Result<[u8; N], FieldError> {
        let text = self.text(field)?;
        bytes_of_hex(&text)
            .ok_or_else(|| self.wrong(field, &format!("{} lower-case hexadecimal digits", 2 * N)))
    }

    pub(crate) fn digest(&mut self, field: &str) -> Result<Digest, FieldError> {
        self.bytes(field).map(Digest)
    }

    pub(crate) fn object(&mut self, field: &str) -> Result<Self, FieldError> {
        let Value::Object(unread) = self.value(field)? else { return Err(self.wrong(field, "an object")) };
        Ok(Self { prefix: format!("{}.", self.name(field)), unread })
    }

    pub(crate) fn texts(&mut self, field: &str) -> Result<BTreeMap<String, String>, FieldError> {
        let mut object = self.object(field)?;
        let names: Vec<String> = object.unread.keys().cloned().collect();
        names.into_iter().map(|name| Ok((name.clone(), object.text(&name)?))).collect()
    }

    pub(crate) fn names(&mut self, field: &str) -> Result<Vec<String>, FieldError> {
        let Value::List(names) = self.value(field)? else { return Err(self.wrong(field, "a list of names")) };
        let name = |name| match name {
            Value::Text(name) => Ok(name),
            _ => Err(self.wrong(field, "a list of names")),
        };
        names.into_iter().map(name).collect()
    }

    pub(crate) fn digests(&mut self, field: &str) -> Result<BTreeMap<String, Digest>, FieldError> {
        let mut object = self.object(field)?;
        let names: Vec<String> = object.unread.keys().cloned().collect();
        names.into_iter().map(|name| Ok((name.clone(), object.digest(&name)?))).collect()
    }

    /// One of a few values by its word.
    pub(crate) fn word<T: Copy>(&mut self, field: &str, words: &[(&str, T)]) -> Result<T, FieldError> {
        let text = self.text(field)?;
        words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.wrong(field, &format!("one of {}", known.join(", ")))
        })
    }

    pub(crate) fn version(&mut self, field: &str, known: u64) -> Result<(), FieldError> {
        if self.count(field)? == known { Ok(()) } else { Err(self.wrong(field, &known.to_string())) }
    }

    /// The version of a record, one of those that can be read.
    pub(crate) fn format(&mut self, known: &[u64]) -> Result<u64, FieldError> {
        let format = self.count("format")?;
        if known.contains(&format) {
            return Ok(format);
        }
        let mut known: Vec<String> = known.iter().map(u64::to_string).collect();
        let last = known.pop().unwrap_or_default();
        let known = format!("{} or {last}", known.join(", "));
        Err(self.wrong("format", &format!("{known}; a later version of Croupier may support it")))
    }

    /// Goals by name, if there are any.
    pub(crate) fn goals(&mut self, field: &str) -> Result<Option<BTreeMap<String, i64>>, FieldError> {
        let goals = match self.value(field)? {
            Value::Null => return Ok(None),
            Value::Object(goals) => goals,
            _ => return Err(self.wrong(field, "an object or null")),
        };
        let goal = |(role, value)| match value {
            Value::Integer(goal) => Ok((role, goal)),
            _ => Err(self.wrong(&format!("{field}.{role}"), "an integer")),
        };
        goals.into_iter().map(goal).collect::<Result<_, _>>().map(Some)
    }

    pub(crate) fn finish(self) -> Result<(), FieldError> {
        self.unread.keys().next().map_or(Ok(()), |field| Err(FieldError::Unknown(self.name(field))))
    }
}
