//! The tokens of infix text, each with its layout.

use super::super::{
    comment::Comment,
    form::{is_blank, width},
};
use crate::diagnostic::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Open,
    Close,
    Comma,
    And,
    Or,
    Not,
    Arrow,
    Period,
    /// `;`: or in Prolog, a comment in prefix syntax. Outside parentheses it takes its line along.
    Semicolon,
    Name,
    /// In single quotes.
    Quoted,
    /// A single quote without a partner on its line.
    OpenQuote,
    Variable,
    /// A variable as in prefix syntax, with a question mark.
    PrefixVariable,
    Unknown,
    /// From `%` to the end of its line; never among the tokens.
    Comment,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
    /// How deep its line is indented.
    pub(super) indent: u32,
    pub(super) starts_line: bool,
    /// For an opening parenthesis, the index of the token that closes it.
    pub(super) partner: Option<u32>,
}

#[derive(Default)]
pub(super) struct Tokens {
    /// Ends with one [`TokenKind::End`].
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Comment>,
}

/// All tokens of a text.
///
/// # Complexity
/// Linear in the length of the text.
pub(super) fn read_tokens(text: &str) -> Tokens {
    let mut found = Tokens::default();
    let mut open: Vec<usize> = Vec::new();
    let (mut position, mut indent, mut starts_line) = (0, 0, true);
    loop {
        let rest = &text[position..];
        let start = position + rest.find(|c: char| !is_blank(c)).unwrap_or(rest.len());
        if let Some(newline) = text[position..start].rfind(['\n', '\r']) {
            position += newline + 1;
            starts_line = true;
        }
        if starts_line {
            indent = u32::try_from(width(&text[position..start])).unwrap_or(u32::MAX);
        }
        let (kind, length) = token_at(&text[start..]);
        position = start + length;
        let span = Span::new(start, position);
        if kind == TokenKind::Comment {
            found.comments.push(Comment::at(span, text, '%'));
            continue;
        }
        let index = found.tokens.len();
        match kind {
            TokenKind::Open => open.push(index),
            TokenKind::Close => {
                if let Some(opening) = open.pop() {
                    found.tokens[opening].partner = u32::try_from(index).ok();
                }
            }
            TokenKind::Semicolon if open.is_empty() => {
                position += text[position..].find(['\n', '\r']).unwrap_or(text.len() - position);
            }
            _ => {}
        }
        found.tokens.push(Token { kind, span, indent, starts_line, partner: None });
        starts_line = false;
        if kind == TokenKind::End {
            return found;
        }
    }
}

/// What `rest` starts with, and how long that is.
fn token_at(rest: &str) -> (TokenKind, usize) {
    let mut chars = rest.chars();
    let Some(first) = chars.next() else { return (TokenKind::End, 0) };
    let second = chars.next();
    let word = |start: usize| start + rest[start..].find(|c| !is_word(c)).unwrap_or(rest.len() - start);
    match (first, second) {
        ('%', _) => (TokenKind::Comment, rest.find(['\n', '\r']).unwrap_or(rest.len())),
        ('(', _) => (TokenKind::Open, 1),
        (')', _) => (TokenKind::Close, 1),
        (',', _) => (TokenKind::Comma, 1),
        ('&', _) => (TokenKind::And, 1),
        ('∧', _) => (TokenKind::And, first.len_utf8()),
        ('|', _) => (TokenKind::Or, 1),
        ('∨', _) => (TokenKind::Or, first.len_utf8()),
        ('~', _) => (TokenKind::Not, 1),
        ('¬', _) => (TokenKind::Not, first.len_utf8()),
        ('\\', Some('+')) => (TokenKind::Not, 2),
        (':', Some('-')) | ('<', Some('=' | '-')) => (TokenKind::Arrow, 2),
        ('⇐' | '←', _) => (TokenKind::Arrow, first.len_utf8()),
        ('.', _) => (TokenKind::Period, 1),
        (';', _) => (TokenKind::Semicolon, 1),
        ('\'', _) => quoted(rest),
        ('?', Some(c)) if is_word(c) => (TokenKind::PrefixVariable, word(1)),
        ('-', Some(c)) if c.is_ascii_digit() => (TokenKind::Name, number(rest, word(1))),
        (c, _) if c.is_ascii_digit() => (TokenKind::Name, number(rest, word(0))),
        (c, _) if c == '_' || c.is_uppercase() => (TokenKind::Variable, word(0)),
        (c, _) if is_word(c) => (TokenKind::Name, word(0)),
        _ => {
            let others = chars_behind(rest, first);
            let run = others.find(|c| !is_unknown(c)).unwrap_or(others.len());
            (TokenKind::Unknown, first.len_utf8() + run)
        }
    }
}

fn chars_behind(rest: &str, first: char) -> &str {
    &rest[first.len_utf8()..]
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a character can be in a run of those that mean nothing here.
fn is_unknown(c: char) -> bool {
    !is_word(c) && !is_blank(c) && !"()',&|~\\:<⇐←¬∧∨.;?%-".contains(c)
}

/// The end of a number whose whole part ends at `end`: a point between digits belongs to it.
fn number(rest: &str, end: usize) -> usize {
    let is_whole = rest[..end].trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    let fraction = rest[end..].strip_prefix('.').unwrap_or_default();
    let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
    if is_whole && digits > 0 { end + 1 + digits } else { end }
}

/// A quoted name: a doubled quote, or one after a backslash, does not end it.
fn quoted(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let mut position = 1;
    while let Some(byte) = bytes.get(position) {
        match byte {
            b'\n' | b'\r' => break,
            b'\\' if matches!(bytes.get(position + 1), Some(b'\\' | b'\'')) => position += 2,
            b'\'' if bytes.get(position + 1) == Some(&b'\'') => position += 2,
            b'\'' => return (TokenKind::Quoted, position + 1),
            _ => position += 1,
        }
    }
    (TokenKind::OpenQuote, position)
}
