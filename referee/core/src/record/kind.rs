//! The two kinds of match, as far as their records differ.

use std::fmt::Debug;

use croupier_engine::{Roles, Strictness};

use crate::{
    digest::Digest,
    header::{HeaderError, SeriesPlace, SessionPlace},
    record::{
        fields::{FieldError, Fields},
        json::Value,
    },
};

/// A kind of match, in turns or in real time: how its record describes it, and the lines that no other kind has.
///
/// Chain, seal, commitment, chance, nonces, series and replay are the same for all kinds.
pub trait Kind: Copy + Debug + Eq + 'static {
    /// Everything that is fixed before the match starts, as anyone can write it down.
    type Setup: Clone + Debug + Eq;
    /// The same for a match that can be played.
    type Header: Debug;
    /// The lines that only this kind has.
    type Line: Clone + Debug + Eq;

    /// The name of the field that counts the steps of a match: its turns or its updates.
    const STEP: &'static str;
    /// The versions of its records that can be read.
    const FORMATS: &'static [u64];
    /// Whether the record says how long players took to get ready and to disclose their nonces.
    const TIMES_ANSWERS: bool;

    /// What every kind of match has in its setup.
    fn shared(setup: &Self::Setup) -> Shared<'_>;
    /// The match that a setup describes; its game is compiled only if it is not that of `other`.
    ///
    /// # Errors
    /// [`HeaderError`] for the first thing that is wrong.
    fn header(setup: Self::Setup, other: Option<&Self::Header>) -> Result<Self::Header, HeaderError>;
    /// The setup of a header.
    fn setup(header: &Self::Header) -> &Self::Setup;
    /// The roles in the order of the rules.
    fn roles(header: &Self::Header) -> &Roles;
    /// SHA-256 of the rules text.
    fn game_digest(header: &Self::Header) -> Digest;
    /// The roles that the rules give full sight by a rule of their own, if the record says so.
    fn full_sight(header: &Self::Header) -> &[String];

    /// The word for the event of a line.
    fn event(line: &Self::Line) -> &'static str;
    /// The turn or update that a line belongs to.
    fn step(line: &Self::Line) -> Option<u32>;
    /// Turn, role and index of a move that was drawn for a player, if this is the line of one.
    fn substituted(line: &Self::Line) -> Option<((u32, Option<String>), u64)>;
    /// The fields of a line.
    #[doc(hidden)]
    fn write(line: &Self::Line) -> Value;
    /// A line from its fields.
    #[doc(hidden)]
    fn read(event: &str, fields: &mut Fields) -> Result<Self::Line, FieldError>;
    /// The fields of the first line that only this kind has.
    #[doc(hidden)]
    fn write_setup(setup: &Self::Setup) -> Value;
    /// A setup from these fields, in one of [`FORMATS`](Self::FORMATS).
    #[doc(hidden)]
    fn read_setup(format: u64, fields: &mut Fields, shared: Shared<'_>) -> Result<Self::Setup, FieldError>;
}

/// What the setups of all kinds of match have.
#[derive(Clone, Copy, Debug)]
pub struct Shared<'s> {
    /// The id of the match.
    pub match_id: &'s str,
    /// Its place in a series.
    pub series: Option<&'s SeriesPlace>,
    /// Its place in a session.
    pub session: Option<&'s SessionPlace>,
    /// The rules as text.
    pub rules: &'s str,
    /// The name of the game in a catalogue.
    pub game_name: Option<&'s str>,
    /// The name of each role with a description of its player.
    pub players: &'s [(String, String)],
    /// Whether departures of the rules from the specification are rejected.
    pub strictness: Strictness,
}
