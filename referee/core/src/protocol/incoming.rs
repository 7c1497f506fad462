//! The player's side: parses the bytes of a message.

use croupier_engine::{Limits, stages::syntax};
use thiserror::Error;

use super::{
    Notation,
    items::{Item, infix_items, prefix_items},
};
use crate::header::MATCH_ID_BYTES_MAX;

/// A message as a player meets it, in any dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// `(INFO)`: who are you, and are you free?
    Info,
    /// `(PING)`, of the Stanford notes: are you there?
    Ping,
    /// `(PREVIEW (rules) clock)`: a game that may be played soon.
    Preview {
        /// The rules text, without the parentheses around it.
        rules: String,
        /// Seconds to look at it.
        clock_s: u64,
    },
    /// `(START id role (rules) startclock playclock)`.
    Start {
        /// Id of the match, as the referee spells it.
        match_id: String,
        /// The receiver's role as canonical text.
        role: String,
        /// The rules text, without the parentheses around it.
        rules: String,
        /// How rules and terms of this match are written.
        notation: Notation,
        /// Seconds from START to the first PLAY.
        start_clock_s: u64,
        /// Seconds for each reply.
        play_clock_s: u64,
    },
    /// `(PLAY id ...)` or `(SEES id ...)`: a request for a move.
    Play(Notice),
    /// `(STOP id ...)`: the match is over.
    Stop(Notice),
    /// `(ABORT id)`: the match ends without a result.
    Abort {
        /// Id of the match.
        match_id: String,
    },
}

/// What PLAY and STOP say. Terms are cut out but not read: how they are written depends on the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Id of the match, as the referee spells it.
    pub match_id: String,
    /// The turn, in the official dialect of GDL-II.
    pub turn: Option<u32>,
    /// The receiver's executed move, in the official dialect of GDL-II; `None` for `NIL`.
    last_move: Option<String>,
    /// The text inside the list of moves or percepts; `None` for `NIL`.
    list: Option<String>,
    /// How the message around the terms is written.
    envelope: Notation,
}

/// The terms of a [`Notice`] in canonical text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The receiver's executed move, if the dialect sends it.
    pub last_move: Option<String>,
    /// Percepts, or the moves of all roles in GDL-I, in the order of the message.
    pub terms: Vec<String>,
}

/// Why a message cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MessageError {
    /// There is nothing in it.
    #[error("the message is empty; expected one like (PLAY id NIL)")]
    Empty,
    /// It is longer than rules may be.
    #[error("the message has {bytes} bytes: limit {bytes_max}")]
    TooLong {
        /// How long it is.
        bytes: usize,
        /// The bound.
        bytes_max: usize,
    },
    /// Not a list, or an incomplete one.
    #[error("the message is not a list with matching parentheses; expected one like (PLAY id NIL)")]
    NotAList,
    /// The first word is not a known kind of message.
    #[error(
        "unknown kind of message; known kinds are START, PLAY, SEES, STOP, ABORT, INFO, PING and PREVIEW"
    )]
    UnknownKind,
    /// It has another number of parts than its kind has.
    #[error("{kind} has {found} parts after its name, which matches none of its forms")]
    Parts {
        /// The kind.
        kind: &'static str,
        /// How many parts there are.
        found: usize,
    },
    /// A part has the wrong form.
    #[error("cannot parse {what} of {kind}")]
    Part {
        /// The kind.
        kind: &'static str,
        /// Which part.
        what: &'static str,
    },
}

impl MessageError {
    /// A word for logs that reveals nothing of the content.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong { .. } => "too-long",
            Self::NotAList => "not-a-list",
            Self::UnknownKind => "unknown-kind",
            Self::Parts { .. } => "wrong-parts",
            Self::Part { .. } => "unreadable-part",
        }
    }
}

/// Maximum clock: a year, in seconds.
const CLOCK_S_MAX: u64 = 366 * 24 * 60 * 60;

/// Reads a message in any dialect, case and layout.
///
/// # Errors
/// [`MessageError`], for bytes that are not a message.
///
/// # Complexity
/// Linear in the length of the message.
pub fn read_message(bytes: &[u8], limits: &Limits) -> Result<Incoming, MessageError> {
    // The parts around the rules are small beside them.
    let bytes_max = limits.source_bytes.saturating_add(4096);
    if bytes.len() > bytes_max {
        return Err(MessageError::TooLong { bytes: bytes.len(), bytes_max });
    }
    let decoded = syntax::decode(bytes);
    let text: &str = &decoded.text;
    let (word, parts) = envelope(text, limits)?;
    let (kind, meaning) = KINDS
        .into_iter()
        .find(|(name, _)| word.eq_ignore_ascii_case(name))
        .ok_or(MessageError::UnknownKind)?;
    meaning(&Message { kind, parts, limits })
}

type Meaning = fn(&Message<'_>) -> Result<Incoming, MessageError>;

const KINDS: [(&str, Meaning); 8] = [
    ("START", |message| message.start()),
    ("PLAY", |message| message.notice().map(Incoming::Play)),
    ("SEES", |message| message.notice().map(Incoming::Play)),
    ("STOP", |message| message.notice().map(Incoming::Stop)),
    ("ABORT", |message| match message.items() {
        [id] => Ok(Incoming::Abort { match_id: message.match_id(id)? }),
        _ => Err(message.wrong_parts()),
    }),
    // Some referees add a time stamp or an id.
    ("INFO", |_| Ok(Incoming::Info)),
    ("PING", |_| Ok(Incoming::Ping)),
    ("PREVIEW", |message| match message.items() {
        [rules, clock] => Ok(Incoming::Preview {
            rules: message.inside(rules, "the rules")?.to_owned(),
            clock_s: message.number(clock, "the clock")?,
        }),
        _ => Err(message.wrong_parts()),
    }),
];

/// The parts of a message after its kind.
struct Parts<'t> {
    notation: Notation,
    items: Vec<Item<'t>>,
    /// Everything between the outermost parentheses.
    inside: &'t str,
}

struct Message<'t> {
    kind: &'static str,
    parts: Parts<'t>,
    limits: &'t Limits,
}

/// The kind of a message and its parts, in whichever notation it is written.
fn envelope<'t>(text: &'t str, limits: &Limits) -> Result<(&'t str, Parts<'t>), MessageError> {
    let outer = prefix_items(text, false, limits.tokens).ok_or(MessageError::NotAList)?;
    // An expression that follows the message is not read, as in replies.
    match outer.as_slice() {
        [] => Err(MessageError::Empty),
        [list, ..] if list.starts_with('(') => {
            let inside = list[1..].strip_suffix(')').ok_or(MessageError::NotAList)?;
            let mut items = prefix_items(inside, false, limits.tokens).ok_or(MessageError::NotAList)?;
            if items.is_empty() {
                return Err(MessageError::Empty);
            }
            let word = items.remove(0);
            Ok((word, Parts { notation: Notation::Prefix, items, inside }))
        }
        [word, list, ..] if list.starts_with('(') => {
            let inside = list[1..].strip_suffix(')').ok_or(MessageError::NotAList)?;
            let items = infix_items(inside, limits.tokens).ok_or(MessageError::NotAList)?;
            Ok((word, Parts { notation: Notation::Infix, items, inside }))
        }
        _ => Err(MessageError::NotAList),
    }
}

impl<'t> Message<'t> {
    fn items(&self) -> &[Item<'t>] {
        &self.parts.items
    }

    fn wrong_parts(&self) -> MessageError {
        MessageError::Parts { kind: self.kind, found: self.items().len() }
    }

    fn unreadable(&self, what: &'static str) -> MessageError {
        MessageError::Part { kind: self.kind, what }
    }

    fn start(&self) -> Result<Incoming, MessageError> {
        let [id, role, rules, start_clock, play_clock] = self.items() else { return Err(self.wrong_parts()) };
        let rules = self.inside(rules, "the rules")?;
        let (rules, notation) = match self.parts.notation {
            Notation::Prefix => (rules.to_owned(), Notation::of_rules(rules)),
            Notation::Infix => {
                let clauses =
                    infix_items(rules, self.limits.tokens).ok_or_else(|| self.unreadable("the rules"))?;
                (clauses.join("\n"), Notation::Infix)
            }
        };
        let role = notation.read_term(role, self.limits).ok_or_else(|| self.unreadable("the role"))?;
        Ok(Incoming::Start {
            match_id: self.match_id(id)?,
            role,
            rules,
            notation,
            start_clock_s: self.number(start_clock, "the start clock")?,
            play_clock_s: self.number(play_clock, "the play clock")?,
        })
    }

    /// PLAY, SEES and STOP: only the list, or preceded by turn and own move.
    fn notice(&self) -> Result<Notice, MessageError> {
        let mut items = self.items().to_vec();
        if !matches!(items.len(), 2 | 4) && self.parts.notation == Notation::Prefix {
            // The own move may be `bet(3)`, which is one part for who writes infix.
            items = prefix_items(self.parts.inside, true, self.limits.tokens).unwrap_or_default();
            items.drain(..items.len().min(1));
        }
        let (id, turn, last_move, list) = match items.as_slice() {
            [id, list] => (id, None, None, list),
            [id, turn, last_move, list] => {
                let turn = self.number(turn, "the turn")?;
                let turn = u32::try_from(turn).map_err(|_| self.unreadable("the turn"))?;
                (id, Some(turn), Some(*last_move).filter(|text| !is_nil(text)), list)
            }
            _ => return Err(self.wrong_parts()),
        };
        let list = if is_nil(list) { None } else { Some(self.inside(list, "the list")?.to_owned()) };
        Ok(Notice {
            match_id: self.match_id(id)?,
            turn,
            last_move: last_move.map(str::to_owned),
            list,
            envelope: self.parts.notation,
        })
    }

    fn match_id(&self, text: &str) -> Result<String, MessageError> {
        let is_word = !text.is_empty() && !text.contains(['(', ')', '[', ']']);
        if is_word && text.len() <= MATCH_ID_BYTES_MAX {
            Ok(text.to_owned())
        } else {
            Err(self.unreadable("the match id"))
        }
    }

    fn number(&self, text: &str, what: &'static str) -> Result<u64, MessageError> {
        let number = text.parse().ok().filter(|&number| number <= CLOCK_S_MAX);
        number.ok_or_else(|| self.unreadable(what))
    }

    /// The text of a list without what encloses it.
    fn inside<'i>(&self, item: &'i str, what: &'static str) -> Result<&'i str, MessageError> {
        let inside = |open: char, close: char| item.strip_prefix(open)?.strip_suffix(close);
        inside('(', ')').or_else(|| inside('[', ']')).ok_or_else(|| self.unreadable(what))
    }
}

impl Notice {
    /// Whether nothing is told: `NIL`, as before the first turn.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.list.is_none()
    }

    /// The terms of the message, or `None` if it is `NIL`, as before the first turn.
    ///
    /// # Errors
    /// [`MessageError::Part`] if an element is not a ground term.
    pub fn told(&self, notation: Notation, limits: &Limits) -> Result<Option<Told>, MessageError> {
        let Some(list) = &self.list else { return Ok(None) };
        let unreadable = |what| MessageError::Part { kind: "PLAY", what };
        let is_infix = notation == Notation::Infix;
        let items = match self.envelope {
            Notation::Prefix => prefix_items(list, is_infix, limits.tokens),
            Notation::Infix => infix_items(list, limits.tokens),
        };
        let terms = items.ok_or_else(|| unreadable("the list"))?;
        let read = |text: &str| notation.read_term(text, limits);
        let terms: Option<Vec<String>> = terms.into_iter().map(read).collect();
        let last_move = match &self.last_move {
            None => None,
            Some(text) => Some(read(text).ok_or_else(|| unreadable("the last move"))?),
        };
        Ok(Some(Told { last_move, terms: terms.ok_or_else(|| unreadable("a term"))? }))
    }
}

fn is_nil(text: &str) -> bool {
    text.eq_ignore_ascii_case("nil")
}
