//! The replay of a match of a session.

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

/// `/s/ID/hands/N`.
#[derive(Clone, Debug, Template)]
#[template(path = "replay.html")]
pub struct ReplayPage {
    /// The id of the session.
    pub id: String,
    /// Which match of it, from 1.
    pub index: u64,
    /// How many matches are over.
    pub hands: u64,
    /// What is played.
    pub title: String,
    /// Whose view it is, in words.
    pub whose: String,
    /// What the addresses of other turns and matches need to show the same view, such as `&seat=2`.
    pub view: String,
    /// Other views, by what they are called.
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
