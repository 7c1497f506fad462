//! The replay of a match, of a session or on its own.

use askama::Template;

use crate::markup::Markup;

/// A turn of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayStep {
    /// How many turns were played.
    pub turn: usize,
    /// What happened in the last of them; empty at the beginning.
    pub text: String,
}

/// `/s/ID/hands/N`, and `/m/ID`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "replay.html")]
pub struct ReplayPage {
    /// Its address.
    pub address: String,
    /// What is played, and which match it is.
    pub title: String,
    /// Whose view it is, in words.
    pub whose: String,
    /// What the addresses of other turns and matches need to show the same view, such as `&seat=2`.
    pub view: String,
    /// Where else one may go from here: to the table, to other matches and views, by what they are called.
    pub others: Vec<crate::NamedValue>,
    /// What was proved about the record, and how.
    pub badges: Vec<crate::NamedValue>,
    /// What can be taken away, each with its address.
    pub downloads: Vec<crate::NamedValue>,
    /// Where the review of the own decisions is; empty if there is none.
    pub review: String,
    /// Turns to jump to, each with its number.
    pub moments: Vec<crate::NamedValue>,
    /// What came out, in words.
    pub result: String,
    /// The turns, from the beginning.
    pub steps: Vec<ReplayStep>,
    /// Which of them is shown.
    pub shown: usize,
    /// What was on the table then.
    pub picture: Markup,
}
