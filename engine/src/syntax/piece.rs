//! Functions written as `f(a, b)` inside prefix text: what belongs together in a list of forms.
//!
//! Prefix text needs no spaces, so `f(a b)` is also a symbol next to a list.
//! It is read as a call if it cannot be anything else: if the parentheses contain a comma, nothing, or a
//! variable in first position; if, after the first position of an atom or term, they contain a single form;
//! and if a keyword that needs arguments comes before them.

use super::form::{Form, FormKind};
use crate::diagnostic::{Diagnostic, Severity, Span};

/// A part of a list.
#[derive(Clone, Copy)]
pub(super) enum Piece<'f> {
    Symbol(Span),
    List(&'f Form),
    /// A name and the parentheses that touch it.
    Call {
        name: Span,
        list: &'f Form,
        /// Whether it is an argument of another call, with which it has been reported.
        is_inner: bool,
    },
}

impl Piece<'_> {
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Symbol(span) => *span,
            Self::List(form) => form.span,
            Self::Call { name, list, .. } => name.to(list.span),
        }
    }
}

/// The context of adjacent forms.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FormContext {
    /// Outside all parentheses.
    Top,
    /// After `<=`, `and`, `or` or `not`.
    Conditions,
    /// In an atom or term.
    Arguments,
    /// In the parentheses of a call, where commas separate.
    Call,
}

/// Words that mean nothing without arguments.
const NEED_ARGUMENTS: [&str; 15] = [
    "not", "and", "or", "distinct", "role", "init", "true", "does", "next", "legal", "goal", "sees", "base",
    "input", "percept",
];

/// Every form as one piece: no calls are looked for.
pub(super) fn plain_pieces(items: &[Form]) -> Vec<Piece<'_>> {
    items.iter().map(plain).collect()
}

fn plain(form: &Form) -> Piece<'_> {
    match form.kind {
        FormKind::Symbol => Piece::Symbol(form.span),
        FormKind::List(_) => Piece::List(form),
    }
}

/// The pieces of a list of forms; commas that separate nothing are reported.
pub(super) fn pieces<'f>(
    text: &str,
    items: &'f [Form],
    place: FormContext,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Piece<'f>> {
    let mut found: Vec<Piece<'f>> = Vec::with_capacity(items.len());
    // Whether a comma may stand here, and the last one with nothing behind it yet.
    let mut has_argument = false;
    let mut open_comma = None;
    for form in items {
        match &form.kind {
            FormKind::Symbol if place == FormContext::Call && text[form.span.range()].contains(',') => {
                for part in parts(text, form.span) {
                    if &text[part.range()] != "," {
                        (has_argument, open_comma) = (true, None);
                        found.push(Piece::Symbol(part));
                    } else if std::mem::take(&mut has_argument) {
                        open_comma = Some(part);
                    } else {
                        diagnostics.push(stray_comma(part));
                    }
                }
                continue;
            }
            FormKind::Symbol => found.push(Piece::Symbol(form.span)),
            FormKind::List(list) => match found.last().copied() {
                Some(Piece::Symbol(name))
                    if name.end == form.span.start && is_call(text, name, list, place, found.len() == 1) =>
                {
                    found.pop();
                    found.push(Piece::Call { name, list: form, is_inner: place == FormContext::Call });
                }
                _ => found.push(Piece::List(form)),
            },
        }
        (has_argument, open_comma) = (true, None);
    }
    diagnostics.extend(open_comma.map(stray_comma));
    found
}

fn is_call(text: &str, name: Span, list: &[Form], place: FormContext, is_first: bool) -> bool {
    let word = &text[name.range()];
    if matches!(word, "<=" | "⇐") {
        return false;
    }
    let symbol = |form: &Form| matches!(form.kind, FormKind::Symbol).then(|| &text[form.span.range()]);
    let is_no_list = match list.first() {
        None => true,
        Some(first) => symbol(first).is_some_and(|spelling| spelling.starts_with('?')),
    };
    if is_no_list || list.iter().any(|form| symbol(form).is_some_and(|spelling| spelling.contains(','))) {
        return true;
    }
    let needs_arguments = || NEED_ARGUMENTS.iter().any(|known| word.eq_ignore_ascii_case(known));
    match place {
        FormContext::Call => true,
        FormContext::Top => list.len() == 1 || needs_arguments(),
        FormContext::Arguments => !is_first && list.len() == 1,
        FormContext::Conditions => !is_first && needs_arguments(),
    }
}

/// A symbol split before and after each comma.
fn parts(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut start = span.start as usize;
    text[span.range()].split_inclusive(',').flat_map(move |piece| {
        let (from, end) = (start, start + piece.len());
        start = end;
        let name_end = if piece.ends_with(',') { end - 1 } else { end };
        [(from, name_end), (name_end, end)]
            .into_iter()
            .filter(|(from, end)| from < end)
            .map(|(from, end)| Span::new(from, end))
    })
}

fn stray_comma(span: Span) -> Diagnostic {
    Diagnostic::new("stray-comma", Severity::Error, span, "this comma separates nothing")
        .with_help("delete it, or add the missing argument")
}
