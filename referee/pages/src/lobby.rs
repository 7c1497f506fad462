//! The lobby, and the page that opens a table.

use askama::Template;

use crate::games::GameCard;

/// A table that waits for players, or may be watched.
#[derive(Clone, Debug)]
pub struct OpenTable {
    /// The id of its session.
    pub id: String,
    /// What is played.
    pub title: String,
    /// `waiting`, `playing`, `paused` or `over`.
    pub state: &'static str,
    /// Who sits there, in the order of the seats; nobody on a free one.
    pub seats: Vec<Option<String>>,
}

impl OpenTable {
    /// How many seats are free.
    #[must_use]
    pub fn free(&self) -> usize {
        self.seats.iter().filter(|seat| seat.is_none()).count()
    }
}

/// `/`.
#[derive(Clone, Debug, Template)]
#[template(path = "lobby.html")]
pub struct LobbyPage {
    /// The tables.
    pub tables: Vec<OpenTable>,
    /// The games.
    pub games: Vec<GameCard>,
    /// Whether the reader may open a table.
    pub can_open: bool,
}

/// An agent that can be seated.
#[derive(Clone, Debug)]
pub struct AgentOffer {
    /// Its specification.
    pub specification: &'static str,
    /// What it is, in words.
    pub words: &'static str,
}

/// `/new`: three clicks to a table.
#[derive(Clone, Debug, Template)]
#[template(path = "new.html")]
pub struct NewTablePage {
    /// The games, for the list.
    pub games: Vec<GameCard>,
    /// The one that is chosen.
    pub chosen: Option<GameCard>,
    /// The number of its seats, at least and at most.
    pub seats: std::ops::RangeInclusive<usize>,
    /// How many it has if nobody says otherwise.
    pub seats_standard: usize,
    /// Whether its matches are made from a family with stacks and blinds.
    pub has_stacks: bool,
    /// Whether blinds are posted.
    pub has_blinds: bool,
    /// What everybody begins with.
    pub stack: u32,
    /// The small and the big blind of the first level.
    pub blinds: [u32; 2],
    /// The agents that can be seated.
    pub agents: Vec<AgentOffer>,
    /// What is wrong with what was asked for last.
    pub trouble: Option<String>,
    /// What the form must carry to be the reader's own.
    pub csrf: String,
    /// Which opening it is: a form that comes twice opens one table.
    pub key: String,
}
