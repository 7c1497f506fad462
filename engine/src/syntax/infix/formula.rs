//! The body of a rule in infix text.

use super::{
    super::ast::Formula,
    layout::Layout,
    reader::{InfixReader, Parsed},
    token::{Token, TokenKind},
};
use crate::diagnostic::{Diagnostic, Severity, Span};

/// The context of conditions.
#[derive(Clone, Copy)]
enum Within {
    Body(Layout),
    /// In parentheses that this token opens.
    Parentheses(Token),
}

/// The token after a condition.
enum Connective {
    And,
    Or,
    Nothing,
}

impl InfixReader<'_> {
    /// The conditions after an arrow, with the period that ends them.
    pub(super) fn body(&mut self) -> Parsed<Vec<Formula>> {
        let mut alternatives = self.alternatives(Within::Body(self.layout()))?;
        if alternatives.len() == 1 {
            return Ok(alternatives.pop().unwrap_or_default());
        }
        Ok(vec![disjunction(alternatives)])
    }

    /// Conjunctions between `|`. What ends them is consumed if it is a token.
    fn alternatives(&mut self, within: Within) -> Parsed<Vec<Vec<Formula>>> {
        let mut alternatives = vec![Vec::new()];
        if self.ends(within) {
            return self.end(within).map(|()| alternatives);
        }
        loop {
            let condition = self.condition()?;
            let last = condition.span();
            alternatives.last_mut().expect("there is always one").push(condition);
            self.skip_unexpected_closes(within);
            match self.operator(within, last)? {
                Connective::And => {}
                Connective::Or => alternatives.push(Vec::new()),
                Connective::Nothing => return Ok(alternatives),
            }
        }
    }

    /// Whether nothing can follow in these parentheses or this body.
    fn ends(&self, within: Within) -> bool {
        match (self.peek().kind, within) {
            (TokenKind::End, _) => true,
            (TokenKind::Period, Within::Body(_)) | (TokenKind::Close, Within::Parentheses(_)) => true,
            (_, Within::Body(_)) => self.is_head(),
            (_, Within::Parentheses(_)) => false,
        }
    }

    fn end(&mut self, within: Within) -> Parsed<()> {
        match (within, self.peek().kind) {
            (Within::Body(_), TokenKind::Period) | (Within::Parentheses(_), TokenKind::Close) => {
                self.next();
                Ok(())
            }
            (Within::Body(_), _) => Ok(()),
            (Within::Parentheses(open), _) => Err(self.unclosed(open)),
        }
    }

    fn skip_unexpected_closes(&mut self, within: Within) {
        if matches!(within, Within::Body(_)) {
            while let Some(close) = self.next_if(TokenKind::Close) {
                self.unexpected_close(close.span);
            }
        }
    }

    /// The token after the condition `last`; warns if an operator is missing or superfluous.
    fn operator(&mut self, within: Within, last: Span) -> Parsed<Connective> {
        let token = self.peek();
        match (token.kind, within) {
            (TokenKind::And | TokenKind::Comma, _) => {
                self.next();
                self.warn_typeset(token);
                let is_last = self.ends(within)
                    || matches!(within, Within::Body(layout) if self.is_next_clause_in_spite_of_operator(layout));
                if !is_last {
                    return Ok(Connective::And);
                }
                let message = format!("nothing follows this `{}`", self.spelling(token.span));
                let found = Diagnostic::new("trailing-conjunction", Severity::Warning, token.span, message);
                self.report(found.with_help("delete it, or add the missing condition"));
                self.end(within).map(|()| Connective::Nothing)
            }
            (TokenKind::Or, _) => {
                self.next();
                self.warn_typeset(token);
                Ok(Connective::Or)
            }
            (TokenKind::Semicolon, Within::Parentheses(_)) => {
                self.next();
                self.warn("semicolon-as-or", token.span, "`;` is read as `|`");
                Ok(Connective::Or)
            }
            _ if self.ends(within) => self.end(within).map(|()| Connective::Nothing),
            (TokenKind::Period | TokenKind::Arrow, Within::Parentheses(open)) => Err(self.unclosed(open)),
            _ if !starts_condition(token.kind) => Err(self.unexpected("`&`, `|` or the next clause")),
            (_, Within::Body(_)) if self.is_next_clause() => Ok(Connective::Nothing),
            (_, Within::Parentheses(open)) if self.is_next_clause() => Err(self.unclosed(open)),
            _ => {
                let message = "`&` is missing after this condition";
                let found = Diagnostic::new("missing-conjunction", Severity::Warning, last, message);
                self.report(found.with_note(token.span, "this is read as another condition"));
                Ok(Connective::And)
            }
        }
    }

    fn condition(&mut self) -> Parsed<Formula> {
        let token = self.peek();
        let is_not = token.kind == TokenKind::Not || self.is_word_not(token);
        if !is_not {
            return self.positive();
        }
        self.next();
        self.warn_typeset(token);
        self.enter(token.span)?;
        let inner = self.condition()?;
        self.leave();
        Ok(Formula::Not(token.span.to(inner.span()), Box::new(inner)))
    }

    /// Says how a sign that papers print is read.
    fn warn_typeset(&mut self, token: Token) {
        let read_as = match self.spelling(token.span) {
            "¬" => "~",
            "∧" => "&",
            "∨" => "|",
            _ => return,
        };
        let message = format!("`{}` is read as `{read_as}`", self.spelling(token.span));
        self.warn("typeset-operator", token.span, &message);
    }

    /// The word `not`, quoted only where arguments follow: `'not'` alone is a relation of that name.
    fn is_word_not(&self, token: Token) -> bool {
        match token.kind {
            TokenKind::Name => self.spelling(token.span) == "not",
            TokenKind::Quoted => {
                self.spelling(token.span).eq_ignore_ascii_case("'not'")
                    && self.tokens[self.position + 1].kind == TokenKind::Open
            }
            _ => false,
        }
    }

    fn positive(&mut self) -> Parsed<Formula> {
        let first = self.peek();
        match first.kind {
            TokenKind::Open => self.group(),
            _ if !starts_condition(first.kind) => Err(self.unexpected("a condition")),
            TokenKind::Name | TokenKind::Quoted if self.is_called() => {
                let spelling = self.spelling(first.span);
                // One pair of quotes: a name may itself end in a quote, which is doubled.
                let inner = spelling.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
                match inner.unwrap_or(spelling).to_ascii_lowercase().as_str() {
                    "and" => self.connective(Formula::And),
                    "or" => self.connective(Formula::Or),
                    "distinct" => self.distinct(),
                    _ => self.atom(),
                }
            }
            _ => self.atom(),
        }
    }

    fn atom(&mut self) -> Parsed<Formula> {
        let atom = self.term()?;
        self.check_atom(&atom)?;
        Ok(Formula::Atom(atom))
    }

    /// `(a & b)` and `(a | b)` are formulas of their own, `(a)` is `a`.
    fn group(&mut self) -> Parsed<Formula> {
        let open = self.next();
        self.enter(open.span)?;
        let mut alternatives = self.alternatives(Within::Parentheses(open))?;
        self.leave();
        let span = open.span.to(self.tokens[self.position - 1].span);
        let is_conjunction = alternatives.len() == 1;
        match alternatives.last_mut() {
            Some(conjunction) if is_conjunction => match conjunction.len() {
                0 => Err(self.error("empty-list", span, "`()` is not a condition", "add one, or delete it")),
                1 => Ok(conjunction.remove(0)),
                _ => Ok(Formula::And(span, std::mem::take(conjunction))),
            },
            _ => match disjunction(alternatives) {
                Formula::Or(_, parts) => Ok(Formula::Or(span, parts)),
                other => Ok(other),
            },
        }
    }

    /// `and(...)` and `or(...)`, which have any number of parts.
    fn connective(&mut self, make: fn(Span, Vec<Formula>) -> Formula) -> Parsed<Formula> {
        let name = self.next();
        let open = self.open_arguments();
        self.enter(open.span)?;
        let mut parts = Vec::new();
        while self.peek().kind != TokenKind::Close {
            parts.push(self.condition()?);
            if self.next_if(TokenKind::Comma).is_none() && self.peek().kind != TokenKind::Close {
                return Err(self.unclosed_or_unexpected(open, "`,` or `)`"));
            }
        }
        let close = self.next();
        self.leave();
        Ok(make(name.span.to(close.span), parts))
    }

    fn distinct(&mut self) -> Parsed<Formula> {
        let name = self.next();
        let (mut arguments, close) = self.arguments()?;
        let span = name.span.to(close);
        match (arguments.pop(), arguments.pop(), arguments.is_empty()) {
            (Some(right), Some(left), true) => Ok(Formula::Distinct(span, left, right)),
            _ => {
                let help = "write distinct(TERM, TERM)";
                Err(self.error("keyword-arity", span, "`distinct` takes two terms", help))
            }
        }
    }
}

/// Conjunctions as the parts of an `or`.
fn disjunction(alternatives: Vec<Vec<Formula>>) -> Formula {
    let parts: Vec<_> = alternatives.into_iter().filter_map(conjunction).collect();
    let span = match (parts.first(), parts.last()) {
        (Some(first), Some(last)) => first.span().to(last.span()),
        _ => Span::new(0, 0),
    };
    Formula::Or(span, parts)
}

fn conjunction(mut parts: Vec<Formula>) -> Option<Formula> {
    match (parts.first().map(Formula::span), parts.last().map(Formula::span)) {
        (Some(first), Some(last)) if parts.len() > 1 => Some(Formula::And(first.to(last), parts)),
        _ => parts.pop(),
    }
}

fn starts_condition(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Open
            | TokenKind::Not
            | TokenKind::Name
            | TokenKind::Quoted
            | TokenKind::Variable
            | TokenKind::PrefixVariable
    )
}
