//! The catalogue, and one game of it.

use askama::Template;
use croupier_games::GameFacts;

/// A game among others.
#[derive(Clone, Debug)]
pub struct GameCard {
    /// Its name, which is its address.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// One sentence.
    pub summary: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Whether it is played in real time.
    pub is_real_time: bool,
    /// The address of a picture of it, if there is one.
    pub picture: Option<String>,
    /// Who uploaded it, if it is not of the catalogue.
    pub uploaded_by: Option<String>,
}

impl GameCard {
    /// A game of which this is known.
    #[must_use]
    pub fn of(name: &str, facts: &GameFacts, is_real_time: bool) -> Self {
        Self {
            name: name.to_owned(),
            title: facts.title.clone(),
            summary: facts.summary.clone(),
            tags: facts.tags.clone(),
            is_real_time,
            picture: (!is_real_time).then(|| format!("/games/{name}/picture.svg")),
            uploaded_by: None,
        }
    }
}

/// `/games`.
#[derive(Clone, Debug, Template)]
#[template(path = "games.html")]
pub struct GamesPage {
    /// All games, or those with the tag.
    pub games: Vec<GameCard>,
    /// All tags.
    pub tags: Vec<String>,
    /// The tag that was asked for.
    pub tag: Option<String>,
}

/// Something with a name.
#[derive(Clone, Debug)]
pub struct NamedValue {
    /// What it is.
    pub name: String,
    /// What it is worth.
    pub value: String,
}

/// `/games/NAME`.
#[derive(Clone, Debug, Template)]
#[template(path = "game.html")]
pub struct GamePage {
    /// What the catalogue says of it.
    pub card: GameCard,
    /// Its players, in words.
    pub players: Vec<String>,
    /// Where the rules are from.
    pub source: Option<String>,
    /// What is known of it: values that others have computed, and its size.
    pub facts: Vec<NamedValue>,
    /// Its rules.
    pub rules: String,
    /// Whether this server lets the reader open a table.
    pub can_open: bool,
}
