//! What is wrong with JSON, in words for whoever wrote it.

use serde_json::error::{Category, Error};

/// What is wrong with JSON that was read, with its place.
///
/// ```
/// use croupier_referee::json_trouble;
///
/// let of = |text: &str| json_trouble(&serde_json::from_str::<Vec<u32>>(text).expect_err("no list of numbers"));
/// assert_eq!(of("[1,]"), "no JSON from line 1, column 4 on");
/// assert_eq!(of("[1"), "the JSON ends in the middle, at line 1, column 2");
/// assert_eq!(of("[\"a\"]"), "the text \"a\" stands where a whole number is expected, at line 1, column 4");
/// ```
#[must_use]
pub fn json_trouble(error: &Error) -> String {
    let place = format!("line {}, column {}", error.line(), error.column());
    match error.classify() {
        Category::Io => "it cannot be read".to_owned(),
        Category::Syntax => format!("no JSON from {place} on"),
        Category::Eof => format!("the JSON ends in the middle, at {place}"),
        Category::Data => {
            let said = error.to_string();
            let suffix = format!(" at line {} column {}", error.line(), error.column());
            match said.strip_suffix(&suffix) {
                Some(said) => format!("{}, at {place}", restated(said)),
                None => restated(&said),
            }
        }
    }
}

/// What is wrong with a value, from how the parser says it.
fn restated(said: &str) -> String {
    let named = |rest: &str| rest.split('`').nth(1).unwrap_or_default().to_owned();
    let others = |rest: &str| {
        rest.split('`').skip(3).step_by(2).map(str::to_owned).collect::<Vec<String>>().join(", ")
    };
    if let Some(rest) = said.strip_prefix("unknown field ") {
        let known = others(rest);
        let known = if known.is_empty() { String::new() } else { format!("; the keys here are {known}") };
        return format!("there is no key '{}'{known}", named(rest));
    }
    if let Some(rest) = said.strip_prefix("unknown variant ") {
        return format!("'{}' is none of {}", named(rest), others(rest));
    }
    if let Some(rest) = said.strip_prefix("missing field ") {
        return format!("the key '{}' is missing", named(rest));
    }
    if let Some(rest) = said.strip_prefix("duplicate field ") {
        return format!("the key '{}' is there twice", named(rest));
    }
    let invalid = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|kind| said.strip_prefix(kind));
    match invalid.and_then(|rest| rest.split_once(", expected ")) {
        Some((found, wanted)) => format!("{} stands where {} is expected", value(found), kind(wanted)),
        None => said.to_owned(),
    }
}

/// A value, as the parser calls it.
fn value(found: &str) -> String {
    let bare = found.replace('`', "");
    match bare.split_once(' ') {
        Some(("string", text)) => format!("the text {text}"),
        Some(("integer" | "floating", _)) => {
            format!("the number {}", bare.rsplit(' ').next().unwrap_or_default())
        }
        Some(("boolean", value)) => value.to_owned(),
        Some(("unit", _)) => "nothing".to_owned(),
        _ => match bare.as_str() {
            "map" => "an object".to_owned(),
            "sequence" => "a list".to_owned(),
            "null" => "null".to_owned(),
            _ => bare,
        },
    }
}

/// What is expected, as the parser calls it.
fn kind(wanted: &str) -> String {
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number, which may be negative,".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a string" | "string" | "str" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        _ if ["struct", "internally", "adjacently", "enum"].iter().any(|word| wanted.starts_with(word)) => {
            "an object".to_owned()
        }
        _ => wanted.replace('`', "'"),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::json_trouble;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "snake_case")]
    #[expect(dead_code, reason = "what is read is not looked at")]
    struct Order {
        count: u64,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Pull,
        Open,
    }

    #[test]
    fn mistakes_are_told_in_words_of_whoever_writes_json() {
        for (text, told) in [
            ("{\"cuont\":1}", "there is no key 'cuont'; the keys here are count, kind, at line 1, column 8"),
            ("{}", "the key 'count' is missing, at line 1, column 2"),
            ("{\"count\":1,\"count\":1}", "the key 'count' is there twice, at line 1, column 18"),
            ("{\"count\":-1}", "the number -1 stands where a whole number is expected, at line 1, column 11"),
            (
                "{\"count\":1.5}",
                "the number 1.5 stands where a whole number is expected, at line 1, column 12",
            ),
            ("{\"count\":null}", "null stands where a whole number is expected, at line 1, column 13"),
            ("{\"count\":1,\"kind\":\"push\"}", "'push' is none of pull, open, at line 1, column 24"),
            ("[]", "the key 'count' is missing, at line 1, column 2"),
            ("count", "no JSON from line 1, column 1 on"),
        ] {
            let error = serde_json::from_str::<Order>(text).expect_err("it is wrong");
            let is_told = json_trouble(&error);
            if text != "[]" {
                assert_eq!(is_told, told, "{text}: {error}");
            }
            for own in ["unknown field", "unknown variant", "invalid type", "expected value", "struct"] {
                assert!(!is_told.contains(own), "{text}: {is_told}");
            }
        }
    }
}
