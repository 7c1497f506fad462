//! Just enough understanding of Rust text for the tidiness checks: what is code, which paths it
//! names, how long its functions are.

use std::collections::BTreeSet;

/// The text with comments, strings and character literals blanked; lines stay where they are.
#[must_use]
pub fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_new_word = !code.ends_with(is_word);
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => string(rest),
            'b' if is_new_word && rest.starts_with("b\"") => 1 + string(&rest[1..]),
            'r' if is_new_word && rest[1..].trim_start_matches('#').starts_with('"') => raw_string(rest),
            '\'' => character(rest),
            _ => 0,
        };
        if length == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[length..];
        }
    }
    code
}

fn block_comment(text: &str) -> usize {
    text.find("*/").map_or(text.len(), |end| end + 2)
}

fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (position, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return position + 1,
            _ => {}
        }
    }
    text.len()
}

fn raw_string(text: &str) -> usize {
    let hashes = text[1..].chars().take_while(|&c| c == '#').count();
    let end = format!("\"{}", "#".repeat(hashes));
    let start = hashes + 2;
    text[start..].find(&end).map_or(text.len(), |found| start + found + end.len())
}

/// The length of a character literal, or 0 where the quote starts a lifetime.
fn character(text: &str) -> usize {
    let mut rest = text.chars().skip(1);
    match (rest.next(), rest.next()) {
        (Some('\\'), _) => {
            text[2..].char_indices().skip(1).find(|(_, c)| *c == '\'').map_or(0, |(end, _)| end + 3)
        }
        (Some(c), Some('\'')) => c.len_utf8() + 2,
        _ => 0,
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The words of `code`, in order: identifiers, keywords and numbers.
pub fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

/// The modules that `code` declares and another file holds.
pub fn declared_modules(code: &str) -> impl Iterator<Item = &str> {
    code.lines().filter_map(|line| {
        let declared = line.trim().strip_suffix(';')?;
        let (before, name) = declared.rsplit_once(' ')?;
        (before == "mod" || before.ends_with(" mod")).then_some(name)
    })
}

/// What follows `root::` anywhere in `code`, the groups of `use` included: for the root `std`, the
/// text `std::{fs, io::Read}` gives `fs` and `io`.
#[must_use]
pub fn segments_after<'c>(code: &'c str, root: &str) -> BTreeSet<&'c str> {
    let mut found = BTreeSet::new();
    let prefix = format!("{root}::");
    for (position, _) in code.match_indices(&prefix) {
        if code[..position].ends_with(is_word) || code[..position].ends_with("::") {
            continue;
        }
        let rest = &code[position + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(group) => found.extend(leaders_of(group)),
            None => found.extend(words(rest).next()),
        }
    }
    found
}

/// The first word of every entry of a group whose opening brace has been read.
fn leaders_of(group: &str) -> Vec<&str> {
    let mut leaders = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (position, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                leaders.extend(words(&group[start..position]).next());
                start = position + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    leaders
}

/// A function of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function<'c> {
    /// Its name.
    pub name: &'c str,
    /// Line of `fn`, from 1.
    pub line: usize,
    /// Lines from `fn` to the closing brace.
    pub lines: usize,
}

/// Every function of `code` that has a body.
#[must_use]
pub fn functions(code: &str) -> Vec<Function<'_>> {
    let mut functions = Vec::new();
    for (position, _) in code.match_indices("fn ") {
        if code[..position].ends_with(is_word) {
            continue;
        }
        let Some(name) = words(&code[position + 3..]).next() else { continue };
        let Some(length) = body_end(&code[position..]) else { continue };
        functions.push(Function {
            name,
            line: code[..position].matches('\n').count() + 1,
            lines: code[position..position + length].matches('\n').count() + 1,
        });
    }
    functions
}

/// Where the body that starts in `code` ends; `None` where a semicolon comes first.
fn body_end(code: &str) -> Option<usize> {
    let (mut braces, mut brackets) = (0_i32, 0_i32);
    for (position, c) in code.char_indices() {
        match c {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            ';' if braces == 0 && brackets == 0 => return None,
            '{' => braces += 1,
            '}' => {
                braces -= 1;
                if braces == 0 {
                    return Some(position);
                }
            }
            _ => {}
        }
    }
    None
}

/// Every parameter of a function of `code` that is a tuple which its head takes apart, as in `(a, b): (A, B)`, by the name
/// of the function and the line of its `fn`.
#[must_use]
pub fn tuple_parameters(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (position, _) in code.match_indices("fn ") {
        if code[..position].ends_with(is_word) {
            continue;
        }
        let Some(name) = words(&code[position + 3..]).next() else { continue };
        let line = code[..position].matches('\n').count() + 1;
        let tuples = parameters(&code[position..]).into_iter().filter(|text| {
            let pattern = text.trim_start_matches('&').trim_start();
            pattern.strip_prefix("mut ").unwrap_or(pattern).starts_with('(')
        });
        found.extend(tuples.map(|_| (line, name)));
    }
    found
}

/// The parameters of the function that `code` starts with.
fn parameters(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    // Brackets of all kinds that are open, and where the parameter starts that is being read.
    let (mut depth, mut start) = (0, None);
    for (position, c) in code.char_indices() {
        let is_arrow = c == '>' && code[..position].ends_with(['-', '=']);
        match c {
            '(' if depth == 0 => (depth, start) = (1, Some(position + 1)),
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' if !is_arrow => depth -= 1,
            _ => {}
        }
        let Some(begun) = start else { continue };
        if depth == 0 || depth == 1 && c == ',' {
            found.push(code[begun..position].trim());
            start = Some(position + 1);
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// Public names that `code` declares, each with its line: items and fields.
#[must_use]
pub fn public_names(code: &str) -> Vec<(usize, &str)> {
    let kinds = ["fn", "struct", "enum", "trait", "mod", "const", "static", "type", "unsafe", "async"];
    let mut names = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("pub ") else { continue };
        names.extend(words(rest).find(|word| !kinds.contains(word)).map(|name| (index + 1, name)));
    }
    names
}

/// Types and traits that `code` defines, each with its line: those at the start of a line, and so none of an `impl`, of a
/// function or of a module within the file.
#[must_use]
pub fn type_names(code: &str) -> Vec<(usize, &str)> {
    let kinds = ["struct", "enum", "union", "trait", "type"];
    let mut names = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let is_before = |part: &&str| part.starts_with("pub") || part.ends_with(')') || *part == "unsafe";
        let mut parts = line.split(' ').skip_while(is_before);
        if parts.next().is_some_and(|kind| kinds.contains(&kind)) {
            names.extend(parts.next().and_then(|name| words(name).next()).map(|name| (index + 1, name)));
        }
    }
    names
}

/// The words that a name is made of, in lower case: `JointMove` and `joint_move` give the same.
#[must_use]
pub fn name_parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut was_lower = false;
    for c in name.chars() {
        if c == '_' {
            parts.push(String::new());
        } else {
            if parts.is_empty() || (c.is_uppercase() && was_lower) {
                parts.push(String::new());
            }
            let part = parts.last_mut().expect("one was pushed");
            part.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_left() {
        let text = "let a = \"fn b {\"; // fn c\nlet d = '{'; fn e<'a>() { r#\"}\"# /* } */ }";
        let code = code_of(text);
        assert_eq!(code.len(), text.len());
        assert_eq!(words(&code).collect::<Vec<_>>(), ["let", "a", "let", "d", "fn", "e", "a"]);
        assert_eq!(functions(&code), [Function { name: "e", line: 2, lines: 1 }]);
        assert_eq!(code_of("'\\'' '\\u{7b}' '\u{e9}'").trim(), "");
    }

    #[test]
    fn segments_are_found_in_paths_and_groups() {
        let code = "use std::{fs, io::{Read, Write},\n fmt}; std::env::args(); my_std::time; a::std::net";
        assert_eq!(segments_after(code, "std").into_iter().collect::<Vec<_>>(), ["env", "fmt", "fs", "io"]);
    }

    #[test]
    fn declarations_without_a_body_have_no_length() {
        let code = "trait T { fn a(&self) -> [u8; 2]; fn b(&self) {\n\n} }";
        assert_eq!(functions(code), [Function { name: "b", line: 1, lines: 3 }]);
    }

    #[test]
    fn tuples_that_a_head_takes_apart_are_found_and_those_of_closures_are_not() {
        let code = "fn a<F: Fn((u8, u8)) -> u8>(f: F, (b, c): (u8, u8)) { |(d, e): (u8, u8)| d }\n\
                    fn g(&self, pair: (u8, u8)) -> (u8, u8);\nfn h(x: [u8; 2], &(mut i, j): &(u8, u8),) {}";
        assert_eq!(tuple_parameters(code), [(1, "a"), (3, "h")]);
    }

    #[test]
    fn types_are_found_with_any_visibility_and_only_at_the_start_of_a_line() {
        let code = "struct A;\npub enum B { C }\npub(crate) trait D {\n    type E;\n}\npub(in crate::f) type G<'g> = &'g A;\n\
                    union H {}\npub unsafe trait I {}\nmod j {\n    pub struct K;\n}\npub fn union<L>() {}\nimpl D for A {}";
        assert_eq!(type_names(code), [(1, "A"), (2, "B"), (3, "D"), (6, "G"), (7, "H"), (8, "I")]);
    }

    #[test]
    fn names_are_split_into_words() {
        assert_eq!(name_parts("JointMove2Text"), ["joint", "move2", "text"]);
        assert_eq!(name_parts("max_SCORE"), ["max", "score"]);
        assert_eq!(
            public_names("  pub const fn a() {}\n    pub b: u8,\nfn c() {}\npub(crate) fn d() {}"),
            [(1, "a"), (2, "b"),]
        );
    }
}
