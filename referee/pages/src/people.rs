//! Tournaments and players.

use askama::Template;

use crate::games::NamedValue;

/// An entrant in the standings.
#[derive(Clone, Debug)]
pub struct StandingLine {
    /// From 1.
    pub place: usize,
    /// Its name.
    pub name: String,
    /// Matches that count.
    pub matches: u64,
    /// The mean goal.
    pub mean: String,
    /// The interval in which the true mean lies, with the confidence that the page names.
    pub interval: String,
    /// Matches won, drawn and lost.
    pub won_drawn_lost: [u64; 3],
    /// Points of a Swiss tournament.
    pub points: Option<String>,
}

/// What an entrant got against each of the others.
#[derive(Clone, Debug)]
pub struct CrossLine {
    /// Its place in the standings, from 1.
    pub place: usize,
    /// Its name.
    pub name: String,
    /// Its mean goal against the entrant at each place; nothing where they did not meet, and against itself.
    pub means: Vec<Option<String>>,
}

/// A match of a tournament.
#[derive(Clone, Debug)]
pub struct FixtureLine {
    /// Its number in the schedule, from 1.
    pub number: u64,
    /// The address of its replay, if it may be seen.
    pub address: Option<String>,
    /// Who plays, and the goal of each, if that is known.
    pub entrants: Vec<(String, Option<i32>)>,
    /// How far it is, or how it ended.
    pub status: String,
}

/// `/t/ID`.
#[derive(Clone, Debug, Template)]
#[template(path = "tournament.html")]
pub struct TournamentPage {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// The game, if it has a page here.
    pub game: Option<String>,
    /// How it is played, in words.
    pub schedule: String,
    /// `running`, `over` or `aborted`.
    pub status: String,
    /// Matches that count.
    pub done: u64,
    /// All matches.
    pub all: u64,
    /// The standings.
    pub standings: Vec<StandingLine>,
    /// Everybody against everybody, in the order of the standings; nothing where they are too many for a page.
    pub crosstable: Vec<CrossLine>,
    /// Matches in the order of the schedule.
    pub fixtures: Vec<FixtureLine>,
    /// The address of the matches that follow.
    pub next: Option<String>,
}

/// A rating in a game.
#[derive(Clone, Debug)]
pub struct RatingLine {
    /// The game.
    pub game: String,
    /// Rated matches.
    pub matches: i64,
    /// By each system, the rating and the interval in which the true one lies, with the confidence that the page names.
    pub values: Vec<NamedValue>,
}

/// A match of a player.
#[derive(Clone, Debug)]
pub struct PlayedLine {
    /// What is played.
    pub game: String,
    /// The address of its replay, if it may be seen.
    pub address: Option<String>,
    /// Who else sits there.
    pub others: Vec<String>,
    /// What came out for the player, in words, or how far the match is.
    pub result: String,
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
    pub ratings: Vec<RatingLine>,
    /// Of the latest matches that ended with goals, how many were won, drawn and lost.
    pub won_drawn_lost: [u64; 3],
    /// Its latest matches.
    pub matches: Vec<PlayedLine>,
}
