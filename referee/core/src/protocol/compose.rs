//! Messages to text and bytes.

use croupier_engine::{Limits, stages::syntax};
use thiserror::Error;

use super::{
    form::{Dialect, HeaderStyle, WireForm},
    items::squeeze,
    notation::{Notation, on_one_line},
};
use crate::{
    header::Header,
    match_state::first_expression,
    view::{Message, OwnTurn},
};

/// Why a seat cannot be written to in its dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ComposeError {
    /// The messages of GDL-I tell everyone every move.
    #[error("the dialect gdl1 is only for games of full sight, whose rules do not define sees")]
    HiddenInformation,
}

/// Whether a match can be written in a form.
///
/// # Errors
/// [`ComposeError::HiddenInformation`] for GDL-I in any other game than one of full sight.
pub fn check_form(header: &Header, form: WireForm) -> Result<(), ComposeError> {
    let is_hidden = form.dialect == Dialect::Gdl1 && !header.game().has_full_sight();
    if is_hidden { Err(ComposeError::HiddenInformation) } else { Ok(()) }
}

/// The body of a message in the form that its receiver understands.
///
/// # Errors
/// [`ComposeError::HiddenInformation`] for GDL-I in any other game than one of full sight.
pub fn compose(header: &Header, message: &Message, form: WireForm) -> Result<String, ComposeError> {
    check_form(header, form)?;
    let writer = Writer { header, form, limits: header.game().limits() };
    let text = match message {
        Message::Start { match_id, role, start_clock_s, play_clock_s, .. } => {
            let (start, play) = (start_clock_s.to_string(), play_clock_s.to_string());
            writer.call("START", &[match_id, &writer.term(role), &writer.rules(), &start, &play])
        }
        // Nobody who is called has committed to a nonce.
        Message::Reveal { match_id, .. } => writer.call("REVEAL", &[match_id]),
        Message::Play { match_id, turn, last } if form.dialect == Dialect::Sees => {
            writer.told("SEES", match_id, *turn, last.as_ref())
        }
        Message::Play { match_id, turn, last } => writer.told("PLAY", match_id, *turn, last.as_ref()),
        Message::Stop { match_id, turn, last } => writer.told("STOP", match_id, *turn, last.as_ref()),
        Message::Abort { match_id } => writer.call("ABORT", &[match_id]),
    };
    Ok(match form.headers {
        HeaderStyle::Spec2006 => text.to_ascii_uppercase(),
        HeaderStyle::GameServer | HeaderStyle::GameController => text,
    })
}

/// The complete HTTP request for a body, in one piece, without anything that depends on the time or on other messages.
///
/// `receiver` is the player's name; characters that are not allowed in a header are dropped.
#[must_use]
pub fn http_request(body: &str, receiver: &str, headers: HeaderStyle) -> Vec<u8> {
    let (sender, content_type, content_length) = match headers {
        HeaderStyle::GameServer => ("GAMESERVER", "Content-Type", "Content-Length"),
        HeaderStyle::GameController => ("Gamecontroller", "Content-Type", "Content-Length"),
        HeaderStyle::Spec2006 => ("GAMEMASTER", "Content-type", "Content-length"),
    };
    let receiver: String = receiver.chars().filter(|c| c.is_ascii_graphic()).collect();
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: {sender}\r\nReceiver: {receiver}\r\n{content_type}: text/acl\r\n\
         {content_length}: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The first expression of a player's reply in prefix text, whatever notation the player writes in.
///
/// Text that cannot be parsed is returned unchanged: the match judges it, and its record says why.
#[must_use]
pub fn reply_to_prefix(text: &str, notation: Notation, limits: &Limits) -> String {
    let read = match notation {
        Notation::Prefix => None,
        // A term in infix has no blanks of its own outside its parentheses.
        Notation::Infix => super::items::first_infix_item(text)
            .and_then(|term| notation.read_term(term, limits))
            .or_else(|| first_expression(text).map(str::to_owned)),
    };
    read.unwrap_or_else(|| text.to_owned())
}

struct Writer<'w> {
    header: &'w Header,
    form: WireForm,
    limits: &'w Limits,
}

impl Writer<'_> {
    fn call(&self, kind: &str, arguments: &[&str]) -> String {
        match self.form.notation {
            Notation::Prefix => format!("({kind} {})", arguments.join(" ")),
            Notation::Infix => format!("{}({})", kind.to_ascii_lowercase(), arguments.join(", ")),
        }
    }

    fn term(&self, canonical: &str) -> String {
        self.form.notation.print_term(canonical, self.limits)
    }

    fn list<'t>(&self, terms: impl IntoIterator<Item = &'t str>) -> String {
        let terms: Vec<String> = terms.into_iter().map(|term| self.term(term)).collect();
        match self.form.notation {
            Notation::Prefix => format!("({})", terms.join(" ")),
            Notation::Infix => format!("[{}]", terms.join(", ")),
        }
    }

    fn nil(&self) -> &'static str {
        match self.form.notation {
            Notation::Prefix => "NIL",
            Notation::Infix => "nil",
        }
    }

    /// PLAY, SEES or STOP.
    fn told(&self, kind: &str, match_id: &str, turn: u32, last: Option<&OwnTurn>) -> String {
        let list = last.map_or_else(|| self.nil().to_owned(), |last| self.told_list(last));
        match self.form.dialect {
            Dialect::Gdl1 | Dialect::Gdl2Of2011 | Dialect::Sees => self.call(kind, &[match_id, &list]),
            Dialect::Gdl2 => {
                let own_move = last.map_or_else(|| self.nil().to_owned(), |last| self.term(&last.own_move));
                self.call(kind, &[match_id, &turn.to_string(), &own_move, &list])
            }
        }
    }

    fn told_list(&self, last: &OwnTurn) -> String {
        if self.form.dialect != Dialect::Gdl1 {
            return self.list(last.percepts.iter().map(|percept| &**percept));
        }
        let roles = self.header.roles();
        self.list(roles.all().filter_map(|role| {
            let opening = format!("(did {} ", roles.name(role));
            last.percepts.iter().find_map(|percept| percept.strip_prefix(opening.as_str())?.strip_suffix(')'))
        }))
    }

    fn rules(&self) -> String {
        // The sample of the specification has facts that are written as rules.
        if let Some(text) = self.header.strict_text().filter(|_| self.form.headers == HeaderStyle::Spec2006) {
            return format!("({})", squeeze(text));
        }
        let line = match self.form.dialect {
            Dialect::Gdl1 => self.header.own_rules_line(),
            Dialect::Gdl2 | Dialect::Gdl2Of2011 | Dialect::Sees => self.header.rules_line(),
        };
        match self.form.notation {
            Notation::Prefix => format!("({line})"),
            Notation::Infix => {
                let (description, _) = syntax::read_prefix(line, self.limits);
                let clauses = description.clauses.iter();
                let clauses: Vec<String> =
                    clauses.map(|clause| on_one_line(&syntax::print_infix_clause(clause))).collect();
                format!("[{}]", clauses.join(", "))
            }
        }
    }
}
