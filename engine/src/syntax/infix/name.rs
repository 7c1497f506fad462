//! Names and variables in infix text, and the escapes that make every name writable.
//!
//! A constant is bare if it is a lower-case letter followed by lower-case letters, digits and `_`, or a whole
//! number; all others are written in single quotes, in which quotes and backslashes are doubled, so that
//! Prolog reads them in the same way.
//!
//! A variable `?x` is `X`: its first letter in upper case. One that starts with `_` and is longer is unchanged;
//! `_` alone is anonymous in infix. All others are `V__` followed by their name, in which each byte except
//! lower-case letters and digits is `_` and two hexadecimal digits: `?n++` is `V__n_2b_2b`, `?1` is `V__1`.
//! A variable that starts with `v__` itself is escaped as well, so no two names share a spelling.

use std::fmt::Write as _;

use super::super::form::ends_symbol;

const ESCAPE: &str = "V__";

/// Writes the name of a constant, function or relation.
pub(super) fn write_name(out: &mut String, name: &str) {
    if is_bare(name) {
        out.push_str(name);
        return;
    }
    out.push('\'');
    for c in name.chars() {
        if matches!(c, '\'' | '\\') {
            out.push(c);
        }
        out.push(c);
    }
    out.push('\'');
}

fn is_bare(name: &str) -> bool {
    let is_word = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(is_word_byte);
    let digits = name.strip_prefix('-').unwrap_or(name);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_word && name != "not") || is_number
}

/// The value of a quoted name: `None` if it has an unknown escape.
pub(super) fn unquote(quoted: &str) -> Option<String> {
    let mut chars = quoted.chars();
    let mut name = String::with_capacity(quoted.len());
    while let Some(c) = chars.next() {
        match c {
            '\'' | '\\' => {
                let escaped = chars.next()?;
                if escaped != '\'' && (c == '\'' || escaped != '\\') {
                    return None;
                }
                name.push(escaped);
            }
            _ => name.push(c),
        }
    }
    Some(name)
}

/// Whether prefix syntax can write it, too.
pub(super) fn is_writable(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('?') && !name.starts_with("//") && !name.contains(ends_symbol)
}

/// Writes a variable.
pub(super) fn write_variable(out: &mut String, name: &str) {
    if !is_plain(name) {
        out.push_str(ESCAPE);
        for byte in name.bytes() {
            if byte.is_ascii_lowercase() || byte.is_ascii_digit() {
                out.push(char::from(byte));
            } else {
                let _ = write!(out, "_{byte:02x}");
            }
        }
        return;
    }
    let mut chars = name.chars();
    out.extend(chars.next().map(|first| first.to_ascii_uppercase()));
    out.push_str(chars.as_str());
}

/// Whether a variable is written as its name but for the case of its first letter.
fn is_plain(name: &str) -> bool {
    let is_word = match name.as_bytes() {
        [b'_', _, ..] => true,
        [first, ..] => first.is_ascii_lowercase() && !name.starts_with("v__"),
        [] => false,
    };
    is_word && name.bytes().all(is_word_byte)
}

/// The name of the variable that is spelled so.
pub(super) fn variable_name(spelling: &str) -> String {
    let escaped = spelling.strip_prefix(ESCAPE).and_then(unescape);
    let is_canonical = |name: &String| {
        let mut again = String::new();
        write_variable(&mut again, name);
        again.eq_ignore_ascii_case(spelling)
    };
    escaped
        .filter(|name| !name.is_empty() && !is_plain(name) && !name.contains(ends_symbol))
        .filter(|name| !name.bytes().any(|byte| byte.is_ascii_uppercase()))
        .filter(is_canonical)
        .unwrap_or_else(|| spelling.to_ascii_lowercase())
}

fn unescape(escaped: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        if first == b'_' {
            let digits = std::str::from_utf8(behind.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &behind[2..];
        } else {
            bytes.push(first.to_ascii_lowercase());
            rest = behind;
        }
    }
    String::from_utf8(bytes).ok()
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_comes_back_from_its_spelling() {
        let cases = [
            ("x", "X"),
            ("row1", "Row1"),
            ("_c", "_c"),
            ("_", "V___5f"),
            ("1", "V__1"),
            ("n++", "V__n_2b_2b"),
            ("v__n", "V__v_5f_5fn"),
            ("?x", "V___3fx"),
            ("é", "V___c3_a9"),
        ];
        for (name, spelling) in cases {
            let mut written = String::new();
            write_variable(&mut written, name);
            assert_eq!(written, spelling);
            assert_eq!(variable_name(spelling), name);
        }
    }

    #[test]
    fn what_is_no_escape_is_a_name() {
        for spelling in ["V__foo", "V___41", "V___20", "V__a_2", "V__a_+1", "V___ff", "V__"] {
            assert_eq!(variable_name(spelling), spelling.to_ascii_lowercase());
        }
    }

    #[test]
    fn names_are_quoted_as_in_prolog() {
        let cases = [("a1_b", "a1_b"), ("-10", "-10"), ("-", "'-'"), ("not", "'not'"), ("1.5", "'1.5'")];
        for (name, written) in cases.into_iter().chain([("o'", "'o'''"), ("\\", "'\\\\'"), ("2p", "'2p'")]) {
            let mut out = String::new();
            write_name(&mut out, name);
            assert_eq!(out, written);
            let inner = out.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
            assert_eq!(inner.map_or(Some(out.clone()), unquote).as_deref(), Some(name));
        }
        assert_eq!(unquote("a\\n"), None);
    }
}
