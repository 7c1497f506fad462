//! The panels of a session: who sits where, what the host may do, what was said.

use askama::Template;

/// A seat of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    /// From 1.
    pub place: u32,
    /// Who sits there; nobody on a free seat.
    pub name: Option<String>,
    /// Whether it is a program.
    pub is_agent: bool,
    /// Whether the reader sits there.
    pub is_own: bool,
    /// Whether whoever sits there is away, or sits out.
    pub is_away: bool,
    /// Whether the rotation begins there.
    pub has_button: bool,
    /// The stack or the total, in words.
    pub holds: String,
    /// The role in the match that is played, in words.
    pub role: Option<String>,
}

/// A match that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandRow {
    /// From 1.
    pub index: u32,
    /// What came out, in words.
    pub result: String,
}

/// The panel of the session.
#[derive(Clone, Debug, Template)]
#[template(path = "session.html")]
pub struct SessionPanel<'s> {
    /// The id of the session.
    pub id: &'s str,
    /// `waiting`, `playing`, `paused` or `over`, and why, in words.
    pub state: String,
    /// How it goes on and when it ends, in words.
    pub terms: String,
    /// The seats.
    pub seats: Vec<SeatRow>,
    /// The matches so far, the latest first.
    pub hands: Vec<HandRow>,
    /// What the reader's own seat may ask for.
    pub own: Vec<TableControl>,
    /// The session that follows, once there is one.
    pub next: Option<NextSession>,
}

/// The session that follows one that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextSession {
    /// The way to it.
    pub address: String,
    /// Whether it began while the page was open, which then goes on to it by itself.
    pub is_new: bool,
}

/// Something that a button asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableControl {
    /// What the form sends: `pause`, `kick:2`.
    pub value: String,
    /// What the button says.
    pub label: String,
}

impl TableControl {
    /// A button that says `label` and asks for `value`.
    #[must_use]
    pub fn new(value: impl Into<String>, label: impl Into<String>) -> Self {
        Self { value: value.into(), label: label.into() }
    }
}

/// A link to hand on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedLink {
    /// For whom it is, in words.
    pub label: String,
    /// What tells it from the others on the page.
    pub name: String,
    /// The address.
    pub url: String,
    /// The address as a picture that a phone reads, as SVG.
    pub code: Option<crate::Markup>,
}

/// A seat, and what the host may do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostSeat {
    /// From 1.
    pub place: u32,
    /// Who sits there.
    pub name: Option<String>,
    /// What may be asked for.
    pub requests: Vec<TableControl>,
    /// Whether an agent can be seated there.
    pub takes_agent: bool,
}

/// The panel of the host.
#[derive(Clone, Debug, Template)]
#[template(path = "host.html")]
pub struct HostPanel {
    /// What may be asked for about the table.
    pub requests: Vec<TableControl>,
    /// The seats.
    pub seats: Vec<HostSeat>,
    /// The links.
    pub links: Vec<SharedLink>,
    /// The agents that can be seated.
    pub agents: Vec<crate::AgentOffer>,
}

impl HostPanel {
    fn takes_agents(&self) -> bool {
        self.seats.iter().any(|seat| seat.takes_agent)
    }
}

/// A line of the chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatRow {
    /// Which line, from the beginning.
    pub number: u64,
    /// Who said it.
    pub name: String,
    /// What was said.
    pub text: String,
}

/// The panel of the chat.
#[derive(Clone, Debug, Template)]
#[template(path = "chat.html")]
pub struct ChatPanel {
    /// The latest lines.
    pub lines: Vec<ChatRow>,
}
