//! The entry point for both syntaxes: detects the syntax of a text and parses it.

use super::{ast::Description, infix::read_infix, prefix::read_prefix};
use crate::{diagnostic::Diagnostic, limits::Limits};

/// How rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Syntax {
    /// Whichever the text looks like.
    Auto,
    /// S-expressions: `(<= (p ?x) (q ?x))`.
    Prefix,
    /// As in the Stanford chapter and in Prolog: `p(X) :- q(X)`.
    Infix,
}

/// A text that has been read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The syntax that it was read in: never [`Syntax::Auto`].
    pub syntax: Syntax,
    /// Every clause that could be read.
    pub description: Description,
    /// Every finding.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a rules text.
///
/// For [`Syntax::Auto`] the text outside comments decides: if it starts with `(`, or one of its lines starts with `(<=` or
/// `(` and a keyword, it is prefix; otherwise it is infix if it has `:-` or `←`, or if its first parenthesis
/// directly follows a name. A text with neither means the same in both,
/// unless it starts with a comment in `%`, which only infix has.
///
/// ```
/// use croupier_engine::{Limits, stages::syntax::{Syntax, print_infix, print_description, read}};
///
/// let infix = read("wins(P) :- line(P) & ~true(over)", Syntax::Auto, &Limits::STANDARD);
/// assert_eq!(infix.syntax, Syntax::Infix);
/// let prefix = read("(<= (wins ?p) (line ?p) (not (true over)))", Syntax::Auto, &Limits::STANDARD);
/// assert_eq!(print_description(&infix.description), print_description(&prefix.description));
/// // What cannot be read is said with its place.
/// let open = read("(role me", Syntax::Prefix, &Limits::STANDARD);
/// assert_eq!(open.diagnostics[0].span.range(), 0..1);
/// ```
#[must_use]
pub fn read(text: &str, syntax: Syntax, limits: &Limits) -> Reading {
    let syntax = match syntax {
        Syntax::Auto => syntax_of(text),
        chosen => chosen,
    };
    let (description, diagnostics) = match syntax {
        Syntax::Infix => read_infix(text, limits),
        Syntax::Auto | Syntax::Prefix => read_prefix(text, limits),
    };
    Reading { syntax, description, diagnostics }
}

fn syntax_of(text: &str) -> Syntax {
    let mut first_parenthesis = None;
    let mut starts_with_percent = None;
    for line in text.split(['\n', '\r']) {
        let code = line.split([';', '%']).next().unwrap_or_default().trim();
        if code.is_empty() {
            if !line.trim().is_empty() {
                starts_with_percent.get_or_insert(line.trim_start().starts_with('%'));
            }
            continue;
        }
        starts_with_percent.get_or_insert(false);
        let parenthesis = code.find('(');
        if first_parenthesis.is_none() && parenthesis == Some(0) {
            return Syntax::Prefix;
        }
        if opens_clause(code) {
            return Syntax::Prefix;
        }
        if code.contains(":-") || code.contains('←') {
            return Syntax::Infix;
        }
        if let Some(position) = parenthesis.filter(|_| first_parenthesis.is_none()) {
            let touches_name =
                code[..position].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '\''));
            first_parenthesis = Some(if touches_name { Syntax::Infix } else { Syntax::Prefix });
        }
    }
    let without_parenthesis = if starts_with_percent == Some(true) { Syntax::Infix } else { Syntax::Prefix };
    first_parenthesis.unwrap_or(without_parenthesis)
}

/// Whether a line starts as clauses can only start in prefix syntax: infix has no space after such a word.
fn opens_clause(code: &str) -> bool {
    let Some(inner) = code.strip_prefix('(') else { return false };
    let inner = inner.trim_start();
    let word = inner.split([' ', '\t', '(']).next().unwrap_or_default();
    let words = ["role", "init", "legal", "next", "goal", "sees", "base", "input", "percept"];
    let is_word = words.iter().any(|known| word.eq_ignore_ascii_case(known));
    inner.starts_with("<=") || is_word && inner[word.len()..].starts_with([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_outside_comments_tells_its_syntax() {
        let cases = [
            ("", Syntax::Prefix),
            ("; p(X) :- q\n% r\n  (role a)", Syntax::Prefix),
            ("% (role a)\nrole(a)", Syntax::Infix),
            ("terminal :- p", Syntax::Infix),
            ("terminal ← p", Syntax::Infix),
            ("terminal\n(role a)\n(init(p a))", Syntax::Prefix),
            ("'a b'(c)", Syntax::Infix),
            ("% only words", Syntax::Infix),
            ("; only words", Syntax::Prefix),
            ("open", Syntax::Prefix),
            ("(<= (p (:- a)) (q :-))", Syntax::Prefix),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text, Syntax::Auto, &Limits::STANDARD).syntax, expected, "{text}");
        }
    }

    #[test]
    fn prefix_text_without_its_first_parenthesis_is_still_prefix_and_has_no_semicolon_finding() {
        let rest = "; the players\n(role b)\n(<= (legal ?r m) (role ?r)) ; any\n";
        for start in ["role(a))", "init(cell 1 b)) ", "p(role a)", "role a) (init(f))"] {
            let reading = read(&format!("{start}{rest}"), Syntax::Auto, &Limits::STANDARD);
            assert_eq!(reading.syntax, Syntax::Prefix, "{start}");
            assert!(reading.diagnostics.iter().all(|found| found.code != "semicolon"), "{start}");
        }
        let infix = "role(a) % one\nlegal(a, X) :-\n  (p(X) | q(X))\n";
        assert_eq!(read(infix, Syntax::Auto, &Limits::STANDARD).syntax, Syntax::Infix);
    }
}
