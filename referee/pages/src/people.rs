//! Tournaments and players.

use askama::Template;

/// An entrant in the standings.
#[derive(Clone, Debug)]
pub struct StandingLine {
    /// From 1; those that cannot be told apart share a place.
    pub place: usize,
    /// Its name.
    pub name: String,
    /// Matches that count.
    pub matches: u64,
    /// The mean, in the unit of the tournament.
    pub mean: String,
    /// The interval in which the true mean lies, with the confidence that the page names.
    pub interval: String,
    /// Points of a Swiss tournament.
    pub points: Option<String>,
}

/// A match of a tournament.
#[derive(Clone, Debug)]
pub struct FixtureLine {
    /// The id of its match, once it has one.
    pub match_id: Option<String>,
    /// Who plays.
    pub entrants: Vec<String>,
    /// How far it is, or what came out.
    pub status: String,
}

/// `/t/ID`.
#[derive(Clone, Debug, Template)]
#[template(path = "tournament.html")]
pub struct TournamentPage {
    /// Its id.
    pub id: String,
    /// Its name, or what is played.
    pub title: String,
    /// How it is played, in words.
    pub schedule: String,
    /// Matches that are over, and all.
    pub done: u64,
    /// All matches.
    pub all: u64,
    /// What means are counted in.
    pub unit: String,
    /// The standings.
    pub standings: Vec<StandingLine>,
    /// The latest matches.
    pub fixtures: Vec<FixtureLine>,
}

/// `/p/NAME`.
#[derive(Clone, Debug, Template)]
#[template(path = "player.html")]
pub struct PlayerPage {
    /// The name of a player, or the specification of an agent.
    pub name: String,
    /// Whether it is an agent of the server.
    pub is_agent: bool,
    /// By game, what it is rated.
    pub ratings: Vec<crate::games::NamedValue>,
    /// Its latest matches: of each the id, and in words what it is.
    pub matches: Vec<crate::games::NamedValue>,
}
