//! The end of a body, as determined by the layout.

use super::{
    reader::InfixReader,
    token::{Token, TokenKind},
};

/// How the conditions of one body are laid out.
#[derive(Clone, Copy)]
pub(super) enum Layout {
    /// On the line of the head, or deeper.
    Deeper,
    /// The first condition starts a line that is not indented deeper than the head.
    Flush,
}

impl InfixReader<'_> {
    /// The layout of the body whose first condition is the next token.
    pub(super) fn layout(&self) -> Layout {
        let first = self.peek();
        if first.starts_line && !self.is_deeper(first) { Layout::Flush } else { Layout::Deeper }
    }

    /// Whether the next token, after a complete condition, starts another clause.
    pub(super) fn is_next_clause(&self) -> bool {
        let next = self.peek();
        self.is_head() || (next.starts_line && !self.is_deeper(next))
    }

    /// Whether the next token, after an operator, starts another clause nevertheless.
    pub(super) fn is_next_clause_in_spite_of_operator(&self, layout: Layout) -> bool {
        let next = self.peek();
        let continues =
            !next.starts_line || self.is_deeper(next) || self.has_periods || matches!(layout, Layout::Flush);
        self.is_head() || !continues
    }

    fn is_deeper(&self, token: Token) -> bool {
        token.indent > self.clause_indent
    }

    /// Whether an arrow follows the next term.
    pub(super) fn is_head(&self) -> bool {
        if !matches!(self.peek().kind, TokenKind::Name | TokenKind::Quoted | TokenKind::Variable) {
            return false;
        }
        let behind = self.tokens[self.position + 1];
        let end = match behind.kind {
            TokenKind::Open => match behind.partner {
                Some(close) => close as usize + 1,
                None => return false,
            },
            _ => self.position + 1,
        };
        self.tokens[end].kind == TokenKind::Arrow
    }
}
