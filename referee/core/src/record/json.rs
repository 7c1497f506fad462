//! The part of JSON that records use: objects with sorted keys, lists, text, integers, null.
//!
//! Each value has exactly one text, so that a line can be compared with its own re-serialisation. Own type
//! because the order of `serde_json`'s objects depends on features that any crate in a build may switch on.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, MapAccess, SeqAccess, Visitor},
};

/// The largest integer in a record: beyond it, readers that use floating point would lose digits.
pub(crate) const INTEGER_MAX: u64 = (1 << 53) - 1;

/// A value in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    Integer(i64),
    Text(String),
    List(Vec<Value>),
    Object(BTreeMap<String, Value>),
}

impl Value {
    /// A count, cut to [`INTEGER_MAX`].
    pub(crate) fn count(number: u64) -> Self {
        Self::Integer(i64::try_from(number.min(INTEGER_MAX)).expect("at most 2^53 - 1"))
    }

    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Self {
        Self::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// The same object with one field more, if there is a value for it.
    pub(crate) fn with(mut self, name: &str, value: Option<Self>) -> Self {
        if let (Self::Object(fields), Some(value)) = (&mut self, value) {
            fields.insert(name.to_owned(), value);
        }
        self
    }

    /// The one text of this value.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("text keys and no fallible values")
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(fields) => serializer.collect_map(fields),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object, a list, text, an integer or null")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Value, E> {
        if number.unsigned_abs() > INTEGER_MAX {
            return Err(E::custom("an integer beyond 2^53 - 1"));
        }
        Ok(Value::Integer(number))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Value, E> {
        if number > INTEGER_MAX {
            return Err(E::custom("an integer beyond 2^53 - 1"));
        }
        Ok(Value::count(number))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::text(text))
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = BTreeMap::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            if fields.insert(name, value).is_some() {
                return Err(A::Error::custom("a duplicate field"));
            }
        }
        Ok(Value::Object(fields))
    }
}

/// An object with a value for each name.
pub(crate) fn by_name<T>(values: &BTreeMap<String, T>, value: impl Fn(&T) -> Value) -> Value {
    Value::Object(values.iter().map(|(name, entry)| (name.clone(), value(entry))).collect())
}
