//! Infix text to clauses.

use rustc_hash::FxHashSet;

use super::{
    super::{
        ast::{Clause, Description, Formula, Term, TermKind},
        commentary::mark_trailing,
        excess::excess,
    },
    token::{Token, TokenKind, Tokens, read_tokens},
    variables::Variables,
};
use crate::{
    diagnostic::{Diagnostic, Severity, Span},
    limits::Limits,
};

/// Reads a rules text in infix syntax: every clause that can be read, and every finding.
///
/// # Complexity
/// Linear in the length of the text.
#[must_use]
pub fn read_infix(text: &str, limits: &Limits) -> (Description, Vec<Diagnostic>) {
    if text.len() > limits.source_bytes {
        let found = excess("source bytes", limits.source_bytes, text.len(), Span::new(0, 0));
        return (Description::default(), vec![found]);
    }
    let Tokens { tokens, mut comments } = read_tokens(text);
    let nesting_max = limits.nesting.min(Limits::NESTING_CEILING);
    if let Some(found) = first_excess(&tokens, limits.tokens, nesting_max) {
        return (Description { clauses: Vec::new(), comments }, vec![found]);
    }
    let mut reader = InfixReader::new(text, limits, tokens);
    let clauses = reader.clauses();
    mark_trailing(text, &clauses, &mut comments);
    (Description { clauses, comments }, reader.diagnostics)
}

fn first_excess(tokens: &[Token], tokens_max: usize, nesting_max: usize) -> Option<Diagnostic> {
    let (mut depth, mut deepest, mut first) = (0_usize, 0, None);
    for token in tokens {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
        if depth > nesting_max && first.is_none() {
            first = Some(token.span);
        }
    }
    if let Some(span) = first {
        return Some(excess("open parentheses", nesting_max, deepest, span));
    }
    let counted: Vec<_> = tokens.iter().filter(|token| counts(token.kind)).collect();
    let span = counted.get(tokens_max)?.span;
    Some(excess("tokens", tokens_max, counted.len(), span))
}

/// Tokens are counted as in prefix syntax, where what joins conditions and separates arguments is not seen.
fn counts(kind: TokenKind) -> bool {
    use TokenKind::{And, Comma, End, Or, Period};
    !matches!(kind, Comma | And | Or | Period | End)
}

/// The error has been reported; the clause is skipped.
#[derive(Debug)]
pub(super) struct Abandoned;

pub(super) type Parsed<T> = Result<T, Abandoned>;

pub(super) struct InfixReader<'t> {
    pub(super) text: &'t str,
    pub(super) limits: &'t Limits,
    pub(super) tokens: Vec<Token>,
    pub(super) position: usize,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) variables: Variables<'t>,
    /// The name for tuples, once there is one.
    pub(super) tuple_name: Option<String>,
    /// Codes that are reported once per text.
    pub(super) said: FxHashSet<&'static str>,
    /// Parentheses and negations around the current position.
    pub(super) depth: usize,
    /// Whether clauses of this text end with a point.
    pub(super) has_periods: bool,
    /// How deep the line is indented on which the clause starts.
    pub(super) clause_indent: u32,
}

impl<'t> InfixReader<'t> {
    fn new(text: &'t str, limits: &'t Limits, tokens: Vec<Token>) -> Self {
        let has_periods = tokens.iter().any(|token| token.kind == TokenKind::Period);
        Self {
            text,
            limits,
            variables: Variables::new(text, &tokens),
            tokens,
            position: 0,
            diagnostics: Vec::new(),
            tuple_name: None,
            said: FxHashSet::default(),
            depth: 0,
            has_periods,
            clause_indent: 0,
        }
    }

    /// The next token; at the end, the one that says so.
    pub(super) fn peek(&self) -> Token {
        self.tokens[self.position]
    }

    pub(super) fn next(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    pub(super) fn next_if(&mut self, kind: TokenKind) -> Option<Token> {
        (self.peek().kind == kind).then(|| self.next())
    }

    pub(super) fn spelling(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    pub(super) fn report(&mut self, found: Diagnostic) -> Abandoned {
        self.diagnostics.push(found);
        Abandoned
    }

    pub(super) fn error(&mut self, code: &'static str, span: Span, message: &str, help: &str) -> Abandoned {
        self.report(Diagnostic::new(code, Severity::Error, span, message).with_help(help))
    }

    pub(super) fn warn(&mut self, code: &'static str, span: Span, message: &str) {
        self.report(Diagnostic::new(code, Severity::Warning, span, message));
    }

    /// A warning that would otherwise be repeated at every turn.
    pub(super) fn warn_once(&mut self, code: &'static str, span: Span, message: &str) {
        if self.said.insert(code) {
            self.warn(code, span, message);
        }
    }

    /// One level deeper.
    pub(super) fn enter(&mut self, span: Span) -> Parsed<()> {
        self.depth += 1;
        let nesting_max = self.limits.nesting.min(Limits::NESTING_CEILING);
        if self.depth <= nesting_max {
            return Ok(());
        }
        // What follows would only say the same again.
        self.position = self.tokens.len() - 1;
        Err(self.report(excess("parentheses and negations", nesting_max, self.depth, span)))
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn clauses(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        while self.peek().kind != TokenKind::End {
            let start = self.position;
            self.variables.forget();
            // A rule stands in parentheses in prefix syntax, and both shall have the same bound.
            self.depth = usize::from(self.is_head());
            self.clause_indent = self.peek().indent;
            match self.clause() {
                Ok(clause) => {
                    clauses.push(clause);
                    self.check_separation();
                }
                Err(Abandoned) => self.skip_clause(start),
            }
        }
        clauses
    }

    fn clause(&mut self) -> Parsed<Clause> {
        if let Some(arrow) = self.next_if(TokenKind::Arrow) {
            return Err(self.error(
                "rule-without-head",
                arrow.span,
                "a rule needs a head",
                "write HEAD :- BODY",
            ));
        }
        let head = self.head()?;
        let mut clause = Clause { span: head.span, head, body: Vec::new() };
        let Some(arrow) = self.next_if(TokenKind::Arrow) else {
            return self.end_of_fact().map(|()| clause);
        };
        if self.spelling(arrow.span) != ":-" {
            let message = format!("`{}` is read as `:-`", self.spelling(arrow.span));
            self.warn("arrow", arrow.span, &message);
        }
        clause.body = self.body()?;
        match clause.body.last().map(Formula::span) {
            Some(last) => clause.span = clause.span.to(last),
            None => {
                clause.span = clause.span.to(arrow.span);
                self.warn("empty-body", clause.span, "this rule has no body; it is read as a fact");
            }
        }
        Ok(clause)
    }

    fn head(&mut self) -> Parsed<Term> {
        let first = self.peek();
        let is_not = first.kind == TokenKind::Name && self.spelling(first.span) == "not" && !self.is_called();
        if first.kind == TokenKind::Not || is_not {
            let help = "rules define what holds; anything else does not hold";
            return Err(self.error("unexpected-token", first.span, "a head cannot be negated", help));
        }
        let head = self.term()?;
        self.check_atom(&head)?;
        Ok(head)
    }

    /// An atom is no variable and no rule.
    pub(super) fn check_atom(&mut self, atom: &Term) -> Parsed<()> {
        match &atom.kind {
            TermKind::Variable(_) => Err(self.error(
                "variable-as-atom",
                atom.span,
                "a variable cannot be used as an atom",
                "write a relation, such as true(X); constants start with a lower-case letter",
            )),
            TermKind::Compound(name, _) if matches!(name.as_str(), "<=" | "⇐") => {
                Err(self.error("nested-rule", atom.span, "a rule inside a rule", "write HEAD :- BODY"))
            }
            TermKind::Compound(..) | TermKind::Constant(_) => Ok(()),
        }
    }

    fn end_of_fact(&mut self) -> Parsed<()> {
        while let Some(close) = self.next_if(TokenKind::Close) {
            self.unexpected_close(close.span);
        }
        let token = self.peek();
        match token.kind {
            TokenKind::Period => {
                self.next();
                Ok(())
            }
            TokenKind::Comma | TokenKind::And | TokenKind::Or => Err(self.error(
                "unexpected-token",
                token.span,
                "a fact has no conditions",
                "write HEAD :- BODY, or one fact per line",
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn unexpected_close(&mut self, span: Span) -> Abandoned {
        let help = "delete it, or add the matching opening parenthesis";
        self.error("unbalanced-parenthesis", span, "this parenthesis closes nothing", help)
    }

    /// Clauses on one line are told apart by points.
    fn check_separation(&mut self) {
        let next = self.peek();
        let follows_period =
            self.position.checked_sub(1).is_some_and(|last| self.tokens[last].kind == TokenKind::Period);
        let starts_clause = matches!(next.kind, TokenKind::Name | TokenKind::Quoted | TokenKind::Variable);
        if starts_clause && !next.starts_line && !follows_period {
            self.warn("missing-period", next.span, "a second clause starts on the same line");
        }
    }

    /// Skips to the apparent start of the next clause.
    fn skip_clause(&mut self, start: usize) {
        let indent = self.clause_indent;
        self.position = self.position.max(start + 1).min(self.tokens.len() - 1);
        loop {
            let next = self.peek();
            let follows_period = self.tokens[self.position - 1].kind == TokenKind::Period;
            if next.kind == TokenKind::End || follows_period || (next.starts_line && next.indent <= indent) {
                return;
            }
            self.position += 1;
        }
    }
}
