//! Terms and names in infix text.

use super::{
    super::{
        ast::{Term, TermKind},
        excess::excess,
    },
    name::{is_writable, unquote},
    reader::{Abandoned, InfixReader, Parsed},
    token::{Token, TokenKind},
};
use crate::diagnostic::{Diagnostic, Severity, Span};

impl<'t> InfixReader<'t> {
    pub(super) fn term(&mut self) -> Parsed<Term> {
        let token = self.peek();
        match token.kind {
            TokenKind::Name | TokenKind::Quoted => self.named(),
            TokenKind::Variable | TokenKind::PrefixVariable => self.variable(),
            TokenKind::Open => self.tuple(),
            _ => Err(self.unexpected("a term")),
        }
    }

    fn named(&mut self) -> Parsed<Term> {
        let is_called = self.is_called();
        let token = self.next();
        let name = self.name(token)?;
        if !is_called {
            return Ok(Term { span: token.span, kind: TermKind::Constant(name) });
        }
        let (arguments, close) = self.arguments()?;
        let span = token.span.to(close);
        let kind = if arguments.is_empty() {
            self.warn("empty-arguments", span, &format!("`{name}()` is read as `{name}`"));
            TermKind::Constant(name)
        } else {
            TermKind::Compound(name, arguments)
        };
        Ok(Term { span, kind })
    }

    /// Whether the next token has arguments: a parenthesis after it on the same line.
    pub(super) fn is_called(&self) -> bool {
        let behind = self.tokens[self.position + 1];
        behind.kind == TokenKind::Open && !behind.starts_line
    }

    /// The parenthesis of arguments, after a name.
    pub(super) fn open_arguments(&mut self) -> Token {
        let name = self.tokens[self.position - 1];
        let open = self.next();
        if open.span.start > name.span.end {
            self.warn(
                "detached-arguments",
                open.span,
                "these are read as the arguments of the name before them",
            );
        }
        open
    }

    /// Arguments with their parentheses, and the closing one.
    pub(super) fn arguments(&mut self) -> Parsed<(Vec<Term>, Span)> {
        let open = self.open_arguments();
        self.arguments_in(open)
    }

    fn arguments_in(&mut self, open: Token) -> Parsed<(Vec<Term>, Span)> {
        let mut arguments = Vec::new();
        if let Some(close) = self.next_if(TokenKind::Close) {
            return Ok((arguments, close.span));
        }
        self.enter(open.span)?;
        loop {
            arguments.push(self.argument(open)?);
            let token = self.peek();
            match token.kind {
                TokenKind::Comma => {
                    self.next();
                }
                TokenKind::Close => {
                    self.next();
                    self.leave();
                    if arguments.len() > self.limits.arity {
                        let span = open.span.to(token.span);
                        return Err(self.report(excess(
                            "arguments",
                            self.limits.arity,
                            arguments.len(),
                            span,
                        )));
                    }
                    return Ok((arguments, token.span));
                }
                _ => return Err(self.unclosed_or_unexpected(open, "`,` or `)`")),
            }
        }
    }

    fn argument(&mut self, open: Token) -> Parsed<Term> {
        match self.peek().kind {
            TokenKind::End | TokenKind::Period | TokenKind::Arrow => Err(self.unclosed(open)),
            _ => self.term(),
        }
    }

    /// `(a, b)` is a tuple, `(a)` is `a`.
    fn tuple(&mut self) -> Parsed<Term> {
        let open = self.next();
        let (mut arguments, close) = self.arguments_in(open)?;
        let span = open.span.to(close);
        match arguments.len() {
            0 => Err(self.error("empty-list", span, "`()` is not a term", "add one, or delete it")),
            1 => Ok(arguments.remove(0)),
            _ => {
                let name = self.tuple_name();
                let message = format!("a tuple is read as `{name}(...)`");
                self.warn_once("tuple", span, &message);
                Ok(Term { span, kind: TermKind::Compound(name, arguments) })
            }
        }
    }

    /// `tuple`, or if the text has that name already, the first of `tuple_2`, `tuple_3`... that is free.
    fn tuple_name(&mut self) -> String {
        if let Some(name) = &self.tuple_name {
            return name.clone();
        }
        let names =
            self.tokens.iter().filter(|token| matches!(token.kind, TokenKind::Name | TokenKind::Quoted));
        let spellings = names.map(|token| self.spelling(token.span).trim_matches('\'').to_ascii_lowercase());
        let taken: rustc_hash::FxHashSet<String> =
            spellings.filter(|spelling| spelling.starts_with("tuple")).collect();
        let free = (1_u32..).map(|number| match number {
            1 => "tuple".to_owned(),
            _ => format!("tuple_{number}"),
        });
        let name = free.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
        self.tuple_name.insert(name).clone()
    }

    fn variable(&mut self) -> Parsed<Term> {
        let token = self.next();
        let behind = self.peek();
        if behind.kind == TokenKind::Open && behind.span.start == token.span.end {
            return Err(self.error(
                "variable-as-name",
                token.span,
                "a variable cannot name a relation or function",
                "names of relations and functions start with a lower-case letter",
            ));
        }
        let spelling = self.spelling(token.span);
        if spelling == "_" {
            let kind = TermKind::Variable(self.variables.anonymous());
            return Ok(Term { span: token.span, kind });
        }
        let name = if token.kind == TokenKind::PrefixVariable {
            let name = spelling.trim_start_matches('?').to_ascii_lowercase();
            self.warn_once(
                "mixed-notation",
                token.span,
                &format!("`{spelling}` is read as the variable {name}"),
            );
            name
        } else {
            let (name, is_renamed) = self.variables.name(spelling);
            if is_renamed {
                let message = format!(
                    "`{spelling}` differs from another variable of this rule in case alone; it is another \
                     variable, and renamed `{name}`"
                );
                self.warn("similar-variables", token.span, &message);
            }
            name
        };
        self.check_length(&name, token.span);
        Ok(Term { span: token.span, kind: TermKind::Variable(name) })
    }

    /// The name at a token, in lower case.
    fn name(&mut self, token: Token) -> Parsed<String> {
        let spelling = self.spelling(token.span);
        let name = match token.kind {
            TokenKind::Quoted => match unquote(&spelling[1..spelling.len() - 1]) {
                Some(name) if is_writable(&name) => name,
                _ => {
                    let message = "this cannot be a name";
                    let help = "a name has at least one character, no blanks, parentheses or semicolons, no `?` \
                                at its start, and no escapes but those of quotes and backslashes";
                    return Err(self.error("quoted-name", token.span, message, help));
                }
            },
            _ => spelling.to_owned(),
        };
        self.check_length(&name, token.span);
        Ok(name.to_ascii_lowercase())
    }

    fn check_length(&mut self, name: &str, span: Span) {
        if name.len() > self.limits.symbol_bytes {
            self.report(excess("bytes in one symbol", self.limits.symbol_bytes, name.len(), span));
        }
    }

    /// The next token is unexpected.
    pub(super) fn unexpected(&mut self, wanted: &str) -> Abandoned {
        let token = self.peek();
        let spelling = self.spelling(token.span);
        let (code, message, help) = match token.kind {
            TokenKind::End => {
                ("unexpected-token", format!("unexpected end of text: expected {wanted}"), String::new())
            }
            TokenKind::OpenQuote => (
                "unclosed-quote",
                "this quote is never closed".to_owned(),
                "a quoted name must end on the same line".to_owned(),
            ),
            TokenKind::Semicolon => (
                "semicolon",
                "`;` can be a comment or mean `or`".to_owned(),
                "write `%` to start a comment, or `|` for `or`".to_owned(),
            ),
            TokenKind::Close => return self.unexpected_close(token.span),
            TokenKind::Unknown | TokenKind::Name if !spelling.starts_with(char::is_alphabetic) => (
                "unexpected-token",
                format!("unexpected `{spelling}`: expected {wanted}"),
                "put a name with characters other than letters, digits and `_` in single quotes".to_owned(),
            ),
            _ => ("unexpected-token", format!("unexpected `{spelling}`: expected {wanted}"), String::new()),
        };
        let found = Diagnostic::new(code, Severity::Error, token.span, message);
        self.report(if help.is_empty() { found } else { found.with_help(help) })
    }

    pub(super) fn unclosed(&mut self, open: Token) -> Abandoned {
        let next = self.peek();
        let found = Diagnostic::new(
            "unbalanced-parenthesis",
            Severity::Error,
            open.span,
            "this parenthesis is never closed",
        );
        let found = match next.kind {
            TokenKind::End => found,
            _ => found.with_note(next.span, "this cannot occur inside it"),
        };
        self.report(found.with_help("add the closing parenthesis"))
    }

    /// A new line or a token that can only be between clauses means that a parenthesis is missing.
    pub(super) fn unclosed_or_unexpected(&mut self, open: Token, wanted: &str) -> Abandoned {
        let next = self.peek();
        let is_outside = matches!(next.kind, TokenKind::End | TokenKind::Period | TokenKind::Arrow);
        if is_outside || next.starts_line { self.unclosed(open) } else { self.unexpected(wanted) }
    }
}
