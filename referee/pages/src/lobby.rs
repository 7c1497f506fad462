//! The lobby: tables that are open, and games.

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
