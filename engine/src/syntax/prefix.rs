//! S-expressions to clauses: the second half of reading prefix syntax.

use super::{
    ast::{Clause, Description, Formula, Term, TermKind},
    commentary::mark_trailing,
    excess::excess,
    form::{FormKind, read_forms},
    piece::{FormContext, Piece, pieces, plain_pieces},
};
use crate::{
    diagnostic::{Diagnostic, Severity, Span, has_errors},
    limits::Limits,
};

/// Reads a rules text in prefix syntax: every clause that can be read, and every finding.
#[must_use]
pub fn read_prefix(text: &str, limits: &Limits) -> (Description, Vec<Diagnostic>) {
    let mut reader = PrefixReader { text, limits, diagnostics: Vec::new(), notation: Notation::Mixed };
    let mut forms = read_forms(text, limits, &mut reader.diagnostics);
    let pieces = pieces(text, &forms.top, FormContext::Top, &mut reader.diagnostics);
    let clauses: Vec<_> = pieces.into_iter().filter_map(|piece| reader.clause(piece)).collect();
    mark_trailing(text, &clauses, &mut forms.comments);
    (Description { clauses, comments: forms.comments }, reader.diagnostics)
}

/// Reads one ground term, such as a move or percept. No tolerance for functions written as `f(a, b)`.
///
/// # Errors
/// The problem with the text, in a few words.
pub fn read_ground_term(text: &str, limits: &Limits) -> Result<Term, String> {
    let mut reader = PrefixReader { text, limits, diagnostics: Vec::new(), notation: Notation::Prefix };
    let forms = read_forms(text, limits, &mut reader.diagnostics).top;
    let term = plain_pieces(&forms).first().and_then(|piece| reader.term(*piece));
    if has_errors(&reader.diagnostics) {
        let first = reader.diagnostics.iter().find(|found| found.severity == Severity::Error);
        return Err(first.map(|found| found.message.clone()).unwrap_or_default());
    }
    match term {
        None => Err("the text is empty".to_owned()),
        Some(_) if forms.len() > 1 => Err("the text has more than one term".to_owned()),
        Some(term) if !term.is_ground() => Err("the term has a variable".to_owned()),
        Some(term) => Ok(term),
    }
}

/// Whether functions may also be written as `f(a, b)`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notation {
    Prefix,
    Mixed,
}

/// The interpretation of a piece: a call is a list, too.
enum Shape<'f> {
    Symbol(Span),
    List(Span, Vec<Piece<'f>>),
}

impl Shape<'_> {
    fn span(&self) -> Span {
        match self {
            Self::Symbol(span) | Self::List(span, _) => *span,
        }
    }
}

struct PrefixReader<'t> {
    text: &'t str,
    limits: &'t Limits,
    diagnostics: Vec<Diagnostic>,
    notation: Notation,
}

impl<'t> PrefixReader<'t> {
    fn spelling(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.report(Diagnostic::new(code, Severity::Error, span, message))
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(code, Severity::Warning, span, message));
    }

    fn report(&mut self, found: Diagnostic) -> &mut Diagnostic {
        self.diagnostics.push(found);
        self.diagnostics.last_mut().expect("one was just pushed")
    }

    /// Looks into a piece, once.
    fn open<'f>(&mut self, piece: Piece<'f>) -> Shape<'f> {
        let (name, list, place) = match piece {
            Piece::Symbol(span) => return Shape::Symbol(span),
            Piece::List(list) => (None, list, FormContext::Arguments),
            Piece::Call { name, list, is_inner } => {
                if !is_inner {
                    let name = self.spelling(name);
                    let message = format!("`{name}(...)` is read as `({name} ...)`");
                    self.warn("mixed-notation", piece.span(), message);
                }
                (Some(name), list, FormContext::Call)
            }
        };
        let FormKind::List(items) = &list.kind else { return Shape::Symbol(list.span) };
        if self.notation == Notation::Prefix {
            return Shape::List(list.span, plain_pieces(items));
        }
        let leader = items.first().filter(|first| matches!(first.kind, FormKind::Symbol));
        let leads_conditions = leader.is_some_and(|leader| {
            let words = ["<=", "⇐", "and", "or", "not"];
            words.iter().any(|word| self.spelling(leader.span).eq_ignore_ascii_case(word))
        });
        let place =
            if place == FormContext::Arguments && leads_conditions { FormContext::Conditions } else { place };
        let mut found = pieces(self.text, items, place, &mut self.diagnostics);
        match (name, found.as_slice()) {
            (Some(name), _) => {
                found.insert(0, Piece::Symbol(name));
                Shape::List(piece.span(), found)
            }
            // Parentheses around a call say nothing.
            (None, [inner @ Piece::Call { .. }]) => match self.open(*inner) {
                Shape::List(_, found) => Shape::List(list.span, found),
                symbol @ Shape::Symbol(_) => symbol,
            },
            _ => Shape::List(list.span, found),
        }
    }

    /// The first symbol of a list, in lower case.
    fn leader(&self, shape: &Shape<'_>) -> Option<String> {
        match shape {
            Shape::List(_, pieces) => match pieces.first() {
                Some(Piece::Symbol(first)) => Some(self.spelling(*first).to_ascii_lowercase()),
                _ => None,
            },
            Shape::Symbol(_) => None,
        }
    }

    fn clause(&mut self, piece: Piece<'_>) -> Option<Clause> {
        let shape = self.open(piece);
        let leader = self.leader(&shape);
        match (shape, leader.as_deref()) {
            (Shape::List(span, pieces), Some(arrow @ ("<=" | "⇐"))) => {
                if arrow == "⇐" {
                    self.warn("arrow", pieces[0].span(), "`⇐` is read as `<=`");
                }
                self.rule(span, &pieces[1..])
            }
            (Shape::List(_, pieces), None) if is_rule_without_arrow(&pieces) => {
                let head = self.spelling(pieces[0].span()).lines().next().unwrap_or_default();
                let help = format!("write (<= {head} ...)");
                let message = "a list cannot name a relation: a rule begins with `<=`";
                self.error("list-as-name", pieces[0].span(), message).help = Some(help);
                None
            }
            (shape, _) => {
                let span = shape.span();
                self.atom(shape).map(|head| Clause { span, head, body: Vec::new() })
            }
        }
    }

    fn rule(&mut self, span: Span, pieces: &[Piece<'_>]) -> Option<Clause> {
        let Some((head, conditions)) = pieces.split_first() else {
            self.error("rule-without-head", span, "a rule needs a head").help =
                Some("write (<= HEAD BODY...)".to_owned());
            return None;
        };
        if conditions.is_empty() {
            self.warn("empty-body", span, "this rule has no body; it is read as a fact");
        }
        let head = self.open(*head);
        let head = self.atom(head);
        let body = self.formulas(conditions);
        Some(Clause { span, head: head?, body: body? })
    }

    fn formula(&mut self, piece: Piece<'_>) -> Option<Formula> {
        let shape = self.open(piece);
        let leader = self.leader(&shape);
        let Shape::List(span, pieces) = &shape else { return self.atom(shape).map(Formula::Atom) };
        let (span, arguments) = (*span, pieces.get(1..).unwrap_or_default());
        match leader.as_deref() {
            Some("not") => match arguments {
                [inner] => Some(Formula::Not(span, Box::new(self.formula(*inner)?))),
                _ => self.wrong_count(span, "not", "one formula", "(not FORMULA)"),
            },
            Some("distinct") => match arguments {
                [left, right] => {
                    let (left, right) = (self.term(*left), self.term(*right));
                    Some(Formula::Distinct(span, left?, right?))
                }
                _ => self.wrong_count(span, "distinct", "two terms", "(distinct TERM TERM)"),
            },
            Some("and") => self.formulas(arguments).map(|parts| Formula::And(span, parts)),
            Some("or") => self.formulas(arguments).map(|parts| Formula::Or(span, parts)),
            _ => self.atom(shape).map(Formula::Atom),
        }
    }

    fn formulas(&mut self, pieces: &[Piece<'_>]) -> Option<Vec<Formula>> {
        let parts: Vec<_> = pieces.iter().map(|piece| self.formula(*piece)).collect();
        parts.into_iter().collect()
    }

    fn wrong_count(&mut self, span: Span, word: &str, wanted: &str, shape: &str) -> Option<Formula> {
        self.error("keyword-arity", span, format!("`{word}` takes {wanted}")).help =
            Some(format!("write {shape}"));
        None
    }

    /// An atom has the shape of a term, but cannot be a variable or a rule.
    fn atom(&mut self, shape: Shape<'_>) -> Option<Term> {
        if matches!(self.leader(&shape).as_deref(), Some("<=" | "⇐")) {
            self.error("nested-rule", shape.span(), "a rule inside a rule").help =
                Some("a closing parenthesis is probably missing before this rule".to_owned());
            return None;
        }
        let atom = self.term_of(shape)?;
        if matches!(atom.kind, TermKind::Variable(_)) {
            self.error("variable-as-atom", atom.span, "a variable cannot be used as an atom").help =
                Some("write a relation, such as (true ?x)".to_owned());
            return None;
        }
        Some(atom)
    }

    fn term(&mut self, piece: Piece<'_>) -> Option<Term> {
        let shape = self.open(piece);
        self.term_of(shape)
    }

    fn term_of(&mut self, shape: Shape<'_>) -> Option<Term> {
        let (span, pieces) = match shape {
            Shape::Symbol(span) => return self.symbol(span),
            Shape::List(span, pieces) => (span, pieces),
        };
        let Some((first, arguments)) = pieces.split_first() else {
            self.error("empty-list", span, "`()` is neither a term nor an atom");
            return None;
        };
        if arguments.len() > self.limits.arity {
            self.report(excess("arguments", self.limits.arity, arguments.len(), span));
            return None;
        }
        let Piece::Symbol(first) = first else {
            self.error("list-as-name", first.span(), "a list cannot name a relation or function").help =
                Some("there is probably an extra parenthesis here".to_owned());
            return None;
        };
        if self.spelling(*first).starts_with('?') {
            self.error("variable-as-name", *first, "a variable cannot name a relation or function");
            return None;
        }
        let name = self.name(*first);
        if arguments.is_empty() {
            self.warn("empty-arguments", span, format!("`({name})` is read as `{name}`"));
            return Some(Term { span, kind: TermKind::Constant(name) });
        }
        let arguments: Vec<_> = arguments.iter().map(|argument| self.term(*argument)).collect();
        let arguments = arguments.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Term { span, kind: TermKind::Compound(name, arguments) })
    }

    fn symbol(&mut self, span: Span) -> Option<Term> {
        if self.spelling(span) == "?" {
            self.error("variable-without-name", span, "a variable needs a name after `?`");
            return None;
        }
        let name = self.name(span);
        let kind = match name.strip_prefix('?') {
            Some(variable) => TermKind::Variable(variable.to_owned()),
            None => TermKind::Constant(name),
        };
        Some(Term { span, kind })
    }

    fn name(&mut self, span: Span) -> String {
        let spelling = self.spelling(span);
        if spelling.contains(',') {
            let message = format!(
                "the comma is part of the name `{spelling}`: in prefix syntax only spaces separate terms"
            );
            self.warn("comma-in-name", span, message);
        }
        spelling.to_ascii_lowercase()
    }
}

/// Whether a clause is a list of lists: a head and conditions, most likely.
fn is_rule_without_arrow(pieces: &[Piece<'_>]) -> bool {
    let is_list = |piece: &Piece<'_>| !matches!(piece, Piece::Symbol(_));
    pieces.first().is_some_and(is_list) && pieces.iter().skip(1).any(is_list)
}

#[cfg(test)]
mod tests;
