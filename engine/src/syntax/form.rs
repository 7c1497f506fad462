//! S-expressions with places: the first half of reading prefix syntax.
//!
//! The reader keeps its own stack, so that no input can exhaust the machine's.

use crate::{
    diagnostic::{Diagnostic, Severity, Span},
    limits::Limits,
};

/// A symbol or a parenthesised list.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) span: Span,
    pub(super) kind: FormKind,
}

#[derive(Clone, Debug)]
pub(super) enum FormKind {
    Symbol,
    List(Vec<Form>),
}

/// A list whose closing parenthesis has not been met.
struct OpenList {
    start: usize,
    items: Vec<Form>,
}

/// Reads all forms of `text`. What is unbalanced or too large is reported and left out.
///
/// # Complexity
/// Linear in the length of the text.
pub(super) fn read_forms(text: &str, limits: &Limits, diagnostics: &mut Vec<Diagnostic>) -> Vec<Form> {
    if text.len() > limits.source_bytes {
        diagnostics.push(limit("source bytes", limits.source_bytes, text.len(), Span::new(0, 1)));
        return Vec::new();
    }
    let nesting_max = limits.nesting.min(Limits::NESTING_CEILING);
    let mut top = Vec::new();
    let mut open: Vec<OpenList> = Vec::new();
    for (count, token) in Tokens::new(text).enumerate() {
        if count >= limits.tokens {
            let demand = count + Tokens { text, position: token.start }.count();
            diagnostics.push(limit("tokens", limits.tokens, demand, Span::new(token.start, token.end)));
            return top;
        }
        match token.kind {
            TokenKind::Open if open.len() >= nesting_max => {
                let demand = deepest_nesting(text);
                let span = Span::new(token.start, token.end);
                diagnostics.push(limit("open parentheses", nesting_max, demand, span));
                return top;
            }
            TokenKind::Open => open.push(OpenList { start: token.start, items: Vec::new() }),
            TokenKind::Close => match open.pop() {
                Some(list) => {
                    let span = Span::new(list.start, token.end);
                    let form = Form { span, kind: FormKind::List(list.items) };
                    open.last_mut().map_or(&mut top, |outer| &mut outer.items).push(form);
                }
                None => diagnostics.push(unexpected_close(token)),
            },
            TokenKind::Symbol => {
                let length = token.end - token.start;
                let span = Span::new(token.start, token.end);
                if length > limits.symbol_bytes {
                    diagnostics.push(limit("bytes in one symbol", limits.symbol_bytes, length, span));
                }
                let form = Form { span, kind: FormKind::Symbol };
                open.last_mut().map_or(&mut top, |outer| &mut outer.items).push(form);
            }
        }
    }
    if let Some(outermost) = open.first() {
        diagnostics.push(unclosed(text, outermost, open.len()));
    }
    top
}

fn unexpected_close(token: Token) -> Diagnostic {
    let span = Span::new(token.start, token.end);
    Diagnostic::new("unbalanced-parenthesis", Severity::Error, span, "this parenthesis closes nothing")
        .with_help("delete it, or add the opening one that it belongs to")
}

/// A list that never ends. A form that starts a line inside it is the likely place of the slip.
fn unclosed(text: &str, list: &OpenList, depth: usize) -> Diagnostic {
    let span = Span::new(list.start, list.start + 1);
    let message = match depth {
        1 => "this parenthesis is never closed".to_owned(),
        _ => format!("this parenthesis is never closed, and {} inside it are not either", depth - 1),
    };
    let found = Diagnostic::new("unbalanced-parenthesis", Severity::Error, span, message);
    let swallowed = list.items.iter().find(|item| {
        matches!(item.kind, FormKind::List(_)) && text[..item.span.start as usize].ends_with('\n')
    });
    match swallowed {
        Some(item) => found
            .with_note(
                Span::new(item.span.start as usize, item.span.start as usize + 1),
                "this starts a line inside it",
            )
            .with_help("a closing parenthesis is probably missing before that line"),
        None => found.with_help("add the closing parenthesis"),
    }
}

fn limit(what: &str, limit: usize, demand: usize, span: Span) -> Diagnostic {
    let message = format!("{what}: limit {limit}, {demand} needed");
    Diagnostic::new("limit", Severity::Error, span, message)
}

fn deepest_nesting(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for token in Tokens::new(text) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Symbol => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[derive(Clone, Copy)]
enum TokenKind {
    Open,
    Close,
    Symbol,
}

#[derive(Clone, Copy)]
struct Token {
    kind: TokenKind,
    start: usize,
    end: usize,
}

/// The tokens of a text; white space and comments (`;` to the end of the line) are between them.
struct Tokens<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, position: 0 }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let rest = &self.text[self.position..];
            let start = self.position + rest.find(|c: char| !is_blank(c))?;
            let rest = &self.text[start..];
            let (kind, length) = match rest.as_bytes()[0] {
                b';' => {
                    self.position = start + rest.find(['\n', '\r']).unwrap_or(rest.len());
                    continue;
                }
                b'(' => (TokenKind::Open, 1),
                b')' => (TokenKind::Close, 1),
                _ => (TokenKind::Symbol, rest.find(ends_symbol).unwrap_or(rest.len())),
            };
            self.position = start + length;
            return Some(Token { kind, start, end: start + length });
        }
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

fn ends_symbol(c: char) -> bool {
    matches!(c, '(' | ')' | ';') || is_blank(c)
}
