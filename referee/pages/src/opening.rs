//! `/new`: three clicks to a table. The form that opens one, and the page that has it.

use std::ops::RangeInclusive;

use askama::Template;

use crate::games::GameCard;

/// An agent that can be seated.
#[derive(Clone, Debug)]
pub struct AgentOffer {
    /// Its specification.
    pub specification: &'static str,
    /// What it is, in words.
    pub words: &'static str,
}

/// What is played at a table that a form opens.
#[derive(Clone, Debug)]
pub enum TableGame {
    /// A game of the server.
    Named(String),
    /// Rules that the reader wrote, with the text of their `game.toml`, which may be empty.
    Written {
        /// The rules.
        rules: String,
        /// The words.
        words: String,
    },
}

/// The form that opens a table.
#[derive(Clone, Debug)]
pub struct TableForm {
    /// What is played.
    pub game: TableGame,
    /// The number of seats, at least and at most.
    pub seats: RangeInclusive<usize>,
    /// How many there are if nobody says otherwise.
    pub seats_standard: usize,
    /// Whether it is played in real time: then nobody has a clock for a move, and time has a speed.
    pub is_real_time: bool,
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
    /// What the form must carry to be the reader's own.
    pub csrf: String,
    /// Which opening it is: a form that comes twice opens one table.
    pub key: String,
}

/// `/new`.
#[derive(Clone, Debug, Template)]
#[template(path = "new.html")]
pub struct NewTablePage {
    /// The games, for the list.
    pub games: Vec<GameCard>,
    /// The one that is chosen, with the form that opens a table of it.
    pub chosen: Option<(GameCard, TableForm)>,
    /// What is wrong with what was asked for last.
    pub trouble: Option<String>,
}
