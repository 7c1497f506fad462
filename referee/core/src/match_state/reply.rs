//! Parses a reply: the first term in it, and whether that is a legal move.

use croupier_engine::{Game, Limits, MoveId, stages::syntax};

use crate::event::{Failure, Reply, ReplyStatus};

/// Longest reply that is read, in bytes.
pub const REPLY_BYTES_MAX: usize = 64 << 10;

/// A player's reply to START.
pub(crate) const READY: &str = "READY";

/// The reply to START of a player that is busy with another match.
const BUSY: &str = "busy";

/// A reply to PLAY after reading.
pub(super) struct ReadMove {
    pub(super) status: ReplyStatus,
    /// The move, if it is legal.
    pub(super) legal_move: Option<MoveId>,
    /// Its canonical text, legal or not.
    pub(super) text: Option<String>,
}

/// Reads a reply to PLAY against the legal moves of its role, which are in canonical order.
///
/// Illegal terms are compared as text and never enter the vocabulary of the game, which its matches share.
pub(super) fn read_move(game: &Game, legal: &[MoveId], reply: Reply) -> ReadMove {
    let text = match canonical_reply(reply, game.limits()) {
        Ok(text) => text,
        Err(failure) => {
            return ReadMove { status: ReplyStatus::Failed(failure), legal_move: None, text: None };
        }
    };
    let found = legal.binary_search_by(|&id| game.move_text(id).as_ref().cmp(&text));
    let legal_move = found.ok().map(|index| legal[index]);
    let status = if legal_move.is_some() { ReplyStatus::Legal } else { ReplyStatus::Illegal };
    ReadMove { status, legal_move, text: Some(text) }
}

/// Reads a reply to START: why the player is not ready, if it is not.
#[must_use]
pub fn read_ready(reply: Reply, limits: &Limits) -> Option<Failure> {
    match canonical_reply(reply, limits) {
        Ok(text) if text.eq_ignore_ascii_case(READY) => None,
        Ok(text) if text == BUSY => Some(Failure::Busy),
        Ok(_) => Some(Failure::Malformed),
        Err(failure) => Some(failure),
    }
}

/// The canonical text of a reply.
pub(super) fn canonical_reply(reply: Reply, limits: &Limits) -> Result<String, Failure> {
    match reply {
        Reply::Failed(failure) => Err(failure),
        Reply::Ready(_) | Reply::Committed(_) => Ok(READY.to_lowercase()),
        Reply::Revealed(_) => Err(Failure::Malformed),
        Reply::Text(text) if text.len() > REPLY_BYTES_MAX => Err(Failure::TooLarge),
        Reply::Text(text) => first_term(&text, limits).ok_or(Failure::Malformed),
    }
}

/// The canonical form of the first ground term in `text`; the rest is ignored.
fn first_term(text: &str, limits: &Limits) -> Option<String> {
    let term = syntax::read_ground_term(first_expression(text)?, limits).ok()?;
    Some(syntax::print_term(&term))
}

/// The first symbol or list of `text` after any comments; `None` if there is none or it is incomplete.
pub(crate) fn first_expression(text: &str) -> Option<&str> {
    let mut start = None;
    let mut depth = 0_usize;
    let mut is_comment = false;
    for (position, c) in text.char_indices() {
        let is_blank = c.is_whitespace() || c.is_control();
        match c {
            '\n' | '\r' => is_comment = false,
            _ if is_comment => continue,
            ';' => is_comment = true,
            _ => {}
        }
        if let Some(start) = start.filter(|_| depth == 0)
            && (is_blank || matches!(c, '(' | ')' | ';'))
        {
            return Some(&text[start..position]);
        }
        match c {
            '(' => {
                start.get_or_insert(position);
                depth += 1;
            }
            ')' if depth <= 1 => return start.map(|start: usize| &text[start..=position]),
            ')' => depth -= 1,
            _ if is_blank || is_comment => {}
            _ => {
                start.get_or_insert(position);
            }
        }
    }
    start.filter(|_| depth == 0).map(|start| &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_answers_start_by_busy_is_told_apart_from_who_answers_nonsense() {
        let read = |text: &str| read_ready(Reply::Text(text.to_owned()), &Limits::STANDARD);
        for (text, failure) in [
            ("READY", None),
            (" ready ; and willing", None),
            ("busy", Some(Failure::Busy)),
            ("BUSY ; with another match", Some(Failure::Busy)),
            ("(busy)", Some(Failure::Busy)),
            ("hello", Some(Failure::Malformed)),
            ("", Some(Failure::Malformed)),
        ] {
            assert_eq!(read(text), failure, "{text:?}");
        }
        assert_eq!(read_ready(Reply::Failed(Failure::Timeout), &Limits::STANDARD), Some(Failure::Timeout));
    }

    #[test]
    fn only_the_first_expression_of_a_reply_is_read() {
        let first = |text: &str| first_term(text, &Limits::STANDARD);
        for (text, term) in [
            ("noop", Some("noop")),
            ("  NoOp because (of this)", Some("noop")),
            ("(Bet  ( chips\t3))trailing (", Some("(bet (chips 3))")),
            ("; a remark\n (mark 1 ; here\n 2)", Some("(mark 1 2)")),
            ("noop;why", Some("noop")),
            ("noop(why)", Some("noop")),
            ("(noop)", Some("noop")),
            ("", None),
            (" ; nothing", None),
            (")", None),
            ("()", None),
            ("(bet", None),
            ("(bet ?x)", None),
            ("((a) b)", None),
        ] {
            assert_eq!(first(text).as_deref(), term, "{text:?}");
        }
        assert_eq!(first(&"(a ".repeat(20_000)), None);
        assert_eq!(first(&("(a ".repeat(20_000) + &")".repeat(20_000))), None);
    }
}
