//! S-expressions with places: the first half of reading prefix syntax.
//!
//! The reader keeps its own stack, so that no input can exhaust the machine's.

use super::{comment::Comment, excess::excess};
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

/// A list whose closing parenthesis has not been found yet.
struct OpenList {
    start: usize,
    items: Vec<Form>,
}

/// An element of a text in prefix syntax.
#[derive(Default)]
pub(super) struct Forms {
    pub(super) top: Vec<Form>,
    pub(super) comments: Vec<Comment>,
}

/// Parses all forms of `text`. Unbalanced or too large forms are reported and skipped.
///
/// # Complexity
/// Linear in the length of the text.
pub(super) fn read_forms(text: &str, limits: &Limits, diagnostics: &mut Vec<Diagnostic>) -> Forms {
    let mut forms = Forms::default();
    if text.len() > limits.source_bytes {
        diagnostics.push(excess("source bytes", limits.source_bytes, text.len(), Span::new(0, 0)));
        return forms;
    }
    let nesting_max = limits.nesting.min(Limits::NESTING_CEILING);
    let Forms { top, comments } = &mut forms;
    let mut open: Vec<OpenList> = Vec::new();
    let mut count = 0;
    let mut foreign = ForeignComments::default();
    for token in FormTokens::new(text) {
        if foreign.covers(token.start) {
            continue;
        }
        let span = Span::new(token.start, token.end);
        if !matches!(token.kind, FormTokenKind::Comment) {
            if count >= limits.tokens {
                let demand = count + tokens_from(text, token.start);
                diagnostics.push(excess("tokens", limits.tokens, demand, span));
                return forms;
            }
            count += 1;
        }
        match token.kind {
            FormTokenKind::Comment => comments.push(Comment::at(span, text, ';')),
            FormTokenKind::Open if open.len() >= nesting_max => {
                diagnostics.push(excess("open parentheses", nesting_max, deepest_nesting(text), span));
                return forms;
            }
            FormTokenKind::Open => open.push(OpenList { start: token.start, items: Vec::new() }),
            FormTokenKind::Close => match open.pop() {
                Some(list) => {
                    let span = Span::new(list.start, token.end);
                    let form = Form { span, kind: FormKind::List(list.items) };
                    open.last_mut().map_or(&mut *top, |outer| &mut outer.items).push(form);
                }
                None => diagnostics.push(unexpected_close(span)),
            },
            FormTokenKind::Symbol if foreign.begins(text, span, open.is_empty()) => {
                let line = Span::new(token.start, foreign.end);
                comments.push(Comment { signs: 1, ..Comment::at(line, text, foreign.sign) });
            }
            FormTokenKind::Symbol => {
                let length = token.end - token.start;
                if length > limits.symbol_bytes {
                    diagnostics.push(excess("bytes in one symbol", limits.symbol_bytes, length, span));
                }
                let form = Form { span, kind: FormKind::Symbol };
                open.last_mut().map_or(&mut *top, |outer| &mut outer.items).push(form);
            }
        }
    }
    if !open.is_empty() {
        diagnostics.push(unclosed(text, &open));
    }
    diagnostics.extend(foreign.finding());
    forms
}

/// Comments with the sign of another language: `// ...` anywhere, and `# ...`, `% ...` or `-- ...` outside of lists.
/// Read as names, every word of them would be a fact. A sign that nothing follows in its line is a name: so a fact is printed.
#[derive(Default)]
struct ForeignComments {
    /// Where the last of them ends.
    end: usize,
    /// What it begins with.
    sign: char,
    /// The sign of the first.
    first: Option<Span>,
    count: usize,
}

impl ForeignComments {
    /// Whether what begins here is part of the last one.
    fn covers(&self, start: usize) -> bool {
        start < self.end
    }

    /// Whether a symbol begins a comment, which is noted then.
    fn begins(&mut self, text: &str, symbol: Span, is_outside: bool) -> bool {
        let spelling = &text[symbol.range()];
        // Almost every symbol is none, and this is asked for each.
        if !spelling.starts_with(['/', '#', '%', '-']) {
            return false;
        }
        let start = symbol.start as usize;
        // Only looked for where there is a sign, so that reading stays linear.
        let line_end = || text[start..].find(['\n', '\r']).map_or(text.len(), |length| start + length);
        let (sign, end) = match foreign_sign(spelling) {
            _ if spelling.starts_with("//") => ("//", line_end()),
            Some(sign) if is_outside => (sign, line_end()),
            _ => return false,
        };
        if sign != "//" && text[symbol.end as usize..end].trim().is_empty() {
            return false;
        }
        self.end = end;
        self.sign = sign.chars().next().unwrap_or_default();
        self.first.get_or_insert(Span::new(start, start + sign.len()));
        self.count += 1;
        true
    }

    fn finding(&self) -> Option<Diagnostic> {
        let first = self.first?;
        let others = match self.count {
            1 => String::new(),
            2 => ", and 1 more line".to_owned(),
            more => format!(", and {} more lines", more - 1),
        };
        let message = format!("comments begin with `;`: this line is read as a comment{others}");
        let found = Diagnostic::new("foreign-comment", Severity::Warning, first, message);
        Some(found.with_help("write `;` before every comment"))
    }
}

/// The sign of another language for comments that a name consists of.
fn foreign_sign(name: &str) -> Option<&'static str> {
    let consists_of = |sign: &&str| name.len() >= sign.len() && name.chars().all(|c| sign.starts_with(c));
    ["#", "%", "--"].into_iter().find(consists_of)
}

fn unexpected_close(span: Span) -> Diagnostic {
    Diagnostic::new("unbalanced-parenthesis", Severity::Error, span, "this parenthesis closes nothing")
        .with_help("delete it, or add the matching opening parenthesis")
}

/// Lists that never end. A form that starts a line no deeper than the list that holds it is the likely
/// place of the slip.
fn unclosed(text: &str, open: &[OpenList]) -> Diagnostic {
    let paren = |start: usize| Span::new(start, start + 1);
    let message = match open.len() {
        1 => "this parenthesis is never closed".to_owned(),
        depth => format!("this parenthesis is never closed, and neither are {} inside it", depth - 1),
    };
    let mut found = Diagnostic::new("unbalanced-parenthesis", Severity::Error, paren(open[0].start), message);
    for (depth, list) in open.iter().enumerate() {
        let inner = open.get(depth + 1).map(|inner| inner.start);
        let Some(swallowed) = first_swallowed(text, list.start, &list.items, inner) else { continue };
        if depth > 0 {
            found = found.with_note(paren(list.start), "nor is this one");
        }
        found = found.with_note(paren(swallowed), "this starts a line inside it");
        if found.notes.len() >= NOTES_MAX {
            break;
        }
    }
    if found.notes.is_empty() {
        let closed = open.iter().flat_map(|list| &list.items).find_map(|item| first_in_closed(text, item));
        if let Some((list, swallowed)) = closed {
            found = found.with_note(paren(list), "this parenthesis is closed late");
            found = found.with_note(paren(swallowed), "this starts a line inside it");
        }
    }
    let help = match found.notes.len() {
        0 => "add the closing parenthesis",
        1 | 2 => "a closing parenthesis is probably missing before that line",
        _ => "a closing parenthesis is probably missing before each of those lines",
    };
    found.with_help(help)
}

/// How many places a missing parenthesis is shown at.
const NOTES_MAX: usize = 5;

/// The start of the first list inside another that begins a line and is indented no deeper than the outer one.
fn first_swallowed(text: &str, outer: usize, items: &[Form], inner: Option<usize>) -> Option<usize> {
    let lists = items.iter().filter(|item| matches!(item.kind, FormKind::List(_)));
    let starts = lists.map(|item| item.span.start as usize).chain(inner);
    let blanks = |start: usize| {
        let line = text[..start].trim_end_matches([' ', '\t']);
        (line.is_empty() || line.ends_with('\n')).then(|| width(&text[line.len()..start]))
    };
    // Found only where a list starts a line, so that a long line is not walked again and again.
    let mut own_depth = None;
    starts.into_iter().find(|&start| {
        blanks(start).is_some_and(|depth| {
            let line_start = || text[..outer].rfind('\n').map_or(0, |newline| newline + 1);
            depth <= *own_depth.get_or_insert_with(|| width(&text[line_start()..outer]))
        })
    })
}

/// The same for a list that is closed, or for one inside it.
fn first_in_closed(text: &str, form: &Form) -> Option<(usize, usize)> {
    let FormKind::List(items) = &form.kind else { return None };
    let start = form.span.start as usize;
    let own = first_swallowed(text, start, items, None).map(|swallowed| (start, swallowed));
    own.or_else(|| items.iter().find_map(|item| first_in_closed(text, item)))
}

/// How far to the right a line starts that begins with `blanks`: characters, with tabs to every eighth.
pub(super) fn width(blanks: &str) -> usize {
    blanks.chars().fold(0, |width, c| if c == '\t' { (width / 8 + 1) * 8 } else { width + 1 })
}

fn tokens_from(text: &str, position: usize) -> usize {
    let tokens = FormTokens { text, position };
    tokens.filter(|token| !matches!(token.kind, FormTokenKind::Comment)).count()
}

fn deepest_nesting(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for token in FormTokens::new(text) {
        match token.kind {
            FormTokenKind::Open => depth += 1,
            FormTokenKind::Close => depth = depth.saturating_sub(1),
            FormTokenKind::Symbol | FormTokenKind::Comment => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[derive(Clone, Copy)]
enum FormTokenKind {
    Open,
    Close,
    Symbol,
    Comment,
}

#[derive(Clone, Copy)]
struct Token {
    kind: FormTokenKind,
    start: usize,
    end: usize,
}

/// The tokens of a text, comments (`;` to the end of the line) among them; white space is between them.
struct FormTokens<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> FormTokens<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, position: 0 }
    }
}

impl Iterator for FormTokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = &self.text[self.position..];
        let start = self.position + rest.find(|c: char| !is_blank(c))?;
        let rest = &self.text[start..];
        let (kind, length) = match rest.as_bytes()[0] {
            b';' => (FormTokenKind::Comment, rest.find(['\n', '\r']).unwrap_or(rest.len())),
            b'(' => (FormTokenKind::Open, 1),
            b')' => (FormTokenKind::Close, 1),
            _ => (FormTokenKind::Symbol, rest.find(ends_symbol).unwrap_or(rest.len())),
        };
        self.position = start + length;
        Some(Token { kind, start, end: start + length })
    }
}

/// Whether it only separates.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Whether it can be no part of a symbol.
pub(super) fn ends_symbol(c: char) -> bool {
    matches!(c, '(' | ')' | ';') || is_blank(c)
}
