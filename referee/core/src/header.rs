//! Everything that is fixed before the first message of a match: the game, its digest, the clocks, the players.

use std::{ops::RangeInclusive, sync::Arc};

use croupier_engine::{
    ByPlayer, CompileError, Diagnostic, Game, Limits, Options, RoleId, Roles, Strictness,
    game::{Backend, PerceptReading},
    stages::{
        rules::{roles_with_sight, with_full_sight},
        strict::strict_form,
        syntax,
    },
};
use thiserror::Error;

use crate::digest::Digest;

/// Longest match id, in bytes.
pub const MATCH_ID_BYTES_MAX: usize = 128;

/// Longest description of a player, in bytes.
pub const PLAYER_BYTES_MAX: usize = 4096;

/// Longest clock: a year, in milliseconds.
pub const CLOCK_MS_MAX: u64 = 366 * 24 * 60 * 60 * 1000;

/// Added to each clock before a reply counts as late, for the way over the network, unless a match says otherwise.
pub const GRACE_MS: u64 = 1000;

/// Most that can be added, in milliseconds.
pub const GRACE_MS_MAX: u64 = 60_000;

/// How long players have, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// From START to the first PLAY, unless all are ready before.
    pub start_ms: u64,
    /// From each PLAY to its reply.
    pub play_ms: u64,
    /// Added to both before a reply counts as late, for the way over the network.
    pub grace_ms: u64,
}

impl Clocks {
    /// These clocks with the usual [`GRACE_MS`] after them.
    #[must_use]
    pub const fn of(start_ms: u64, play_ms: u64) -> Self {
        Self { start_ms, play_ms, grace_ms: GRACE_MS }
    }
}

/// Which move is substituted for a player that did not reply with a legal move in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Substitution {
    /// One of its legal moves, each equally likely: what the specification of GDL-II requires.
    Drawn,
    /// The first of its legal moves in canonical order.
    First,
}

/// Whether players add nonces to the seed, so that the referee alone did not choose the deal, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nonces {
    /// At once, with the answer to START: who answers last knows those of the others. Only for matches that nobody
    /// contributes to, and for older records.
    Clear,
    /// Each player that contributes commits to its nonce with the answer to START; when all have answered, all nonces are disclosed.
    Committed,
    /// Not at all: several matches share a deal that the referee chose.
    Declined,
}

/// A match's place in its series. It is part of the record, so that removed, duplicated or reordered matches
/// are detected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesPlace {
    /// The series: one word, like a match id.
    pub id: String,
    /// Which match it is, from 1.
    pub index: u64,
    /// How many matches the series was to have when this one began, up to [`SERIES_MATCHES_MAX`].
    pub total: u64,
}

/// A match's place in its session: what was played before it at the same table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPlace {
    /// The session: one word, like a match id.
    pub id: String,
    /// Which match it is, from 1.
    pub index: u64,
    /// SHA-256 of the record of the match before it; before the first match, of the first line of the session's record.
    pub before: Digest,
}

/// Most matches of a series: the largest integer that a record can hold.
pub const SERIES_MATCHES_MAX: u64 = (1 << 53) - 1;

/// A match as anyone can write it down; [`Header`] is one that can be played.
///
/// ```
/// use croupier_engine::{Strictness, game::PerceptReading};
/// use croupier_referee::{Clocks, Header, MatchSetup, Nonces, Substitution};
///
/// let setup = MatchSetup {
///     match_id: "friday.1".to_owned(),
///     series: None,
///     session: None,
///     rules: croupier_games::find("kuhn").ok_or("the catalogue has it")?.rules.to_owned(),
///     game_name: Some("kuhn".to_owned()),
///     players: ["alice", "bob"].map(|role| (role.to_owned(), "a person".to_owned())).to_vec(),
///     clocks: Clocks::of(10_000, 5_000),
///     percepts: PerceptReading::OldState,
///     strictness: Strictness::Compatible,
///     substitution: Substitution::Drawn,
///     turns_max: 100,
///     nonces: Nonces::Clear,
/// };
/// assert!(Header::compile(setup).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSetup {
    /// One word of ASCII letters, digits, `_`, `-` and `.`, up to [`MATCH_ID_BYTES_MAX`].
    pub match_id: String,
    /// Its place in a series; `None` for a match on its own.
    pub series: Option<SeriesPlace>,
    /// Its place in a session; `None` for a match outside of sessions. No match is in both.
    pub session: Option<SessionPlace>,
    /// The rules as text in prefix syntax.
    pub rules: String,
    /// The name of the game in a catalogue, for people.
    pub game_name: Option<String>,
    /// The players: name of the role and a description for people, one for each role except `random`.
    pub players: Vec<(String, String)>,
    /// Start clock and play clock.
    pub clocks: Clocks,
    /// Which state `sees` is read in.
    pub percepts: PerceptReading,
    /// Whether departures of the rules from the specification are rejected.
    pub strictness: Strictness,
    /// Which move is substituted for a player that fails.
    pub substitution: Substitution,
    /// Joint moves after which a match that is not over ends without goals: from 1 to the turns of
    /// [`Limits::STANDARD`].
    pub turns_max: u32,
    /// Whether players add nonces to the seed.
    pub nonces: Nonces,
}

impl MatchSetup {
    /// How the rules text of this match is compiled.
    #[must_use]
    pub fn options(&self) -> Options {
        let turns = usize::try_from(self.turns_max).unwrap_or(usize::MAX);
        Options {
            limits: Limits { turns, ..Limits::STANDARD },
            strictness: self.strictness,
            percepts: self.percepts,
            // A match asks of each state once: what is quickest to build is quickest.
            backend: Backend::Datalog,
        }
    }
}

/// Why a [`MatchSetup`] cannot be played.
#[derive(Clone, Debug, Error)]
pub enum HeaderError {
    /// The match id is not one short word.
    #[error(
        "the match id {0:?} is not one word of ASCII letters, digits, '_', '-' and '.' of at most {MATCH_ID_BYTES_MAX} bytes"
    )]
    MatchId(String),
    /// The id of the series is not one short word.
    #[error(
        "the series id {0:?} is not one word of ASCII letters, digits, '_', '-' and '.' of at most {MATCH_ID_BYTES_MAX} bytes"
    )]
    SeriesId(String),
    /// The id of the session is not one short word.
    #[error(
        "the session id {0:?} is not one word of ASCII letters, digits, '_', '-' and '.' of at most {MATCH_ID_BYTES_MAX} bytes"
    )]
    SessionId(String),
    /// The match has a place in a series and in a session.
    #[error("a match is one of a series or one of a session, not both")]
    TwoPlaces,
    /// A clock, the turn limit or the place in a series is out of bounds.
    #[error("{what} is {found}, but must be from {min} to {max}")]
    OutOfBounds {
        /// The name of the quantity, with its unit.
        what: &'static str,
        /// The given value.
        found: u64,
        /// The least that is accepted.
        min: u64,
        /// The most that is accepted.
        max: u64,
    },
    /// The players named are not the roles of the game, each once and without `random`.
    #[error("players were given for {found:?}, but the game has the roles {expected:?}")]
    Players {
        /// The names given.
        found: Vec<String>,
        /// The roles that need a player.
        expected: Vec<String>,
    },
    /// A description of a player or the name of the game is too long.
    #[error("{what} has {bytes} bytes: limit {PLAYER_BYTES_MAX}")]
    TooLong {
        /// The name of the text that is too long.
        what: String,
        /// How long it is.
        bytes: usize,
    },
    /// The rules give no game.
    #[error(transparent)]
    Rules(#[from] CompileError),
}

/// A match that can be played: its setup, and the game that its rules give.
///
/// Invariant: the setup is within its bounds, and has exactly one player for each role but `random`.
///
/// ```
/// use croupier_referee::{Clocks, Header, HeaderError, MatchSetup, Nonces, Substitution};
///
/// # use croupier_engine::{Strictness, game::PerceptReading};
/// # let rules = "(role ann) (role ben) (init begun) (legal ann left) (legal ann right) (legal ben wait)
/// #     (<= (next (went ?side)) (does ann ?side)) (<= (sees ben moved) (true begun)) (<= terminal (not (true begun)))
/// #     (<= (goal ann 100) (true (went left))) (<= (goal ann 0) (not (true (went left)))) (goal ben 50)";
/// # let setup = MatchSetup {
/// #     match_id: "friday.1".to_owned(),
/// #     series: None,
/// #     session: None,
/// #     rules: rules.to_owned(),
/// #     game_name: None,
/// #     players: ["ann", "ben"].map(|role| (role.to_owned(), "a person".to_owned())).to_vec(),
/// #     clocks: Clocks::of(10_000, 5_000),
/// #     percepts: PerceptReading::OldState,
/// #     strictness: Strictness::Compatible,
/// #     substitution: Substitution::Drawn,
/// #     turns_max: 100,
/// #     nonces: Nonces::Clear,
/// # };
/// let header = Header::compile(setup.clone())?;
/// let ann = header.roles().find("ann").ok_or("a role of the game")?;
/// assert_eq!(header.players()[ann], "a person");
/// // Every role needs somebody.
/// let alone = MatchSetup { players: vec![("ann".to_owned(), "a person".to_owned())], ..setup };
/// assert!(matches!(Header::compile(alone), Err(HeaderError::Players { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Header {
    setup: MatchSetup,
    game: Arc<Game>,
    game_digest: Digest,
    sent: SentRules,
    players: ByPlayer<String>,
}

/// What players are sent of the rules of a game, which takes longer to work out than the rest of a match's header.
#[derive(Clone, Debug)]
pub struct SentRules {
    /// The rules on one line.
    rules_line: Arc<str>,
    /// The bytes of it that are the text's own.
    own_bytes: usize,
    /// Whether the text is prefix and strict GDL as it is written.
    is_as_written: bool,
    /// Names of the roles that have full sight by a rule of their own.
    full_sight: Arc<[String]>,
}

impl Header {
    /// A match with the game that the rules of `setup` give.
    ///
    /// # Errors
    /// [`HeaderError`] for the first thing that is wrong.
    pub fn compile(setup: MatchSetup) -> Result<Self, HeaderError> {
        let game = Game::compile(&setup.rules, &setup.options())?.game;
        Self::with_game(setup, Arc::new(game))
    }

    /// The same with a game that was compiled before, for many matches of one game.
    ///
    /// The game must be the result of [`Game::compile`] on `setup.rules` with [`MatchSetup::options`]; a record made
    /// with another game will not replay.
    ///
    /// # Errors
    /// [`HeaderError`] for the first thing that is wrong.
    pub fn with_game(setup: MatchSetup, game: Arc<Game>) -> Result<Self, HeaderError> {
        let sent = SentRules::of(&game);
        Self::with_sent(setup, game, sent)
    }

    /// The same where [`Header::sent`] of another match of the game is at hand.
    ///
    /// # Errors
    /// [`HeaderError`] for the first thing that is wrong.
    pub fn with_sent(setup: MatchSetup, game: Arc<Game>, sent: SentRules) -> Result<Self, HeaderError> {
        let game_digest = Digest::of(setup.rules.as_bytes());
        Self::checked(setup, game, game_digest, sent)
    }

    /// Another match; its game is compiled only if it is not the same.
    ///
    /// # Errors
    /// [`HeaderError`] for the first thing that is wrong.
    pub fn with_setup(&self, setup: MatchSetup) -> Result<Self, HeaderError> {
        if setup.rules != self.setup.rules || setup.options() != self.setup.options() {
            return Self::compile(setup);
        }
        Self::checked(setup, Arc::clone(&self.game), self.game_digest, self.sent.clone())
    }

    /// The same match under another id and in another place: for the matches of a series, which share the game.
    ///
    /// # Errors
    /// [`HeaderError::MatchId`], [`HeaderError::SeriesId`] and [`HeaderError::OutOfBounds`].
    pub fn with_place(&self, match_id: String, series: SeriesPlace) -> Result<Self, HeaderError> {
        check_match_id(&match_id)?;
        check_series(Some(&series))?;
        let mut other = self.clone();
        other.setup.match_id = match_id;
        other.setup.series = Some(series);
        Ok(other)
    }

    fn checked(
        setup: MatchSetup,
        game: Arc<Game>,
        game_digest: Digest,
        sent: SentRules,
    ) -> Result<Self, HeaderError> {
        check_match_id(&setup.match_id)?;
        check_series(setup.series.as_ref())?;
        check_session(setup.session.as_ref(), setup.series.as_ref())?;
        check_bounds("the start clock in milliseconds", setup.clocks.start_ms, 0..=CLOCK_MS_MAX)?;
        check_bounds("the play clock in milliseconds", setup.clocks.play_ms, 0..=CLOCK_MS_MAX)?;
        check_bounds("the grace after a clock in milliseconds", setup.clocks.grace_ms, 0..=GRACE_MS_MAX)?;
        let turns_max = Limits::STANDARD.turns as u64;
        check_bounds("the limit of turns", u64::from(setup.turns_max), 1..=turns_max)?;
        check_length("the name of the game", setup.game_name.as_deref().unwrap_or_default())?;
        for (role, description) in &setup.players {
            check_length(&format!("the description of {role}"), description)?;
        }
        let players = players_by_role(&setup.players, game.roles())?;
        Ok(Self { setup, game, game_digest, sent, players })
    }

    /// The setup that this was made from.
    #[must_use]
    pub fn setup(&self) -> &MatchSetup {
        &self.setup
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The roles of the game in the order of the rules.
    #[must_use]
    pub fn roles(&self) -> &Roles {
        self.game.roles()
    }

    /// The name of a role.
    ///
    /// # Panics
    /// If the role is of a game with more roles.
    #[must_use]
    pub fn role_name(&self, role: RoleId) -> &str {
        self.roles().name(role)
    }

    /// SHA-256 of the rules text.
    #[must_use]
    pub fn game_digest(&self) -> Digest {
        self.game_digest
    }

    /// The id of the match.
    #[must_use]
    pub fn match_id(&self) -> &str {
        &self.setup.match_id
    }

    /// Start clock and play clock.
    #[must_use]
    pub fn clocks(&self) -> Clocks {
        self.setup.clocks
    }

    /// The players by role.
    #[must_use]
    pub fn players(&self) -> &ByPlayer<String> {
        &self.players
    }

    /// The rules as players are sent them: strict GDL, which every system reads as the referee does
    /// ([`strict_form`]), on one line, in lower case, without comments.
    ///
    /// A game that has no `sees` is followed by the rule that gives every role full sight, as it is played.
    #[must_use]
    pub fn rules_line(&self) -> &Arc<str> {
        &self.sent.rules_line
    }

    /// What players are sent of the rules: the same in every match of the game.
    #[must_use]
    pub fn sent(&self) -> &SentRules {
        &self.sent
    }

    /// The same without the rule of full sight, which GDL-I does not have.
    pub(crate) fn own_rules_line(&self) -> &str {
        &self.sent.rules_line[..self.sent.own_bytes]
    }

    /// The text of the rules if it can be sent as it is: prefix, and strict GDL.
    pub(crate) fn strict_text(&self) -> Option<&str> {
        self.sent.is_as_written.then_some(self.setup.rules.as_str())
    }

    /// The names of the roles that get full sight by the rule of [`with_role_sight`](croupier_engine::stages::rules::with_role_sight);
    /// usually none.
    #[must_use]
    pub fn full_sight(&self) -> &Arc<[String]> {
        &self.sent.full_sight
    }
}

pub(crate) fn check_match_id(match_id: &str) -> Result<(), HeaderError> {
    if is_id(match_id) { Ok(()) } else { Err(HeaderError::MatchId(shown(match_id))) }
}

pub(crate) fn check_series(series: Option<&SeriesPlace>) -> Result<(), HeaderError> {
    let Some(SeriesPlace { id, index, total }) = series else { return Ok(()) };
    if !is_id(id) {
        return Err(HeaderError::SeriesId(shown(id)));
    }
    check_bounds("the number of matches in the series", *total, 1..=SERIES_MATCHES_MAX)?;
    check_bounds("the place in the series", *index, 1..=*total)
}

pub(crate) fn check_session(
    session: Option<&SessionPlace>,
    series: Option<&SeriesPlace>,
) -> Result<(), HeaderError> {
    let Some(SessionPlace { id, index, before: _ }) = session else { return Ok(()) };
    if series.is_some() {
        return Err(HeaderError::TwoPlaces);
    }
    if !is_id(id) {
        return Err(HeaderError::SessionId(shown(id)));
    }
    check_bounds("the place in the session", *index, 1..=SERIES_MATCHES_MAX)
}

fn is_id(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    (1..=MATCH_ID_BYTES_MAX).contains(&text.len()) && text.bytes().all(is_word)
}

fn shown(id: &str) -> String {
    id.chars().take(MATCH_ID_BYTES_MAX).collect()
}

pub(crate) fn check_bounds(
    what: &'static str,
    found: u64,
    bounds: RangeInclusive<u64>,
) -> Result<(), HeaderError> {
    if bounds.contains(&found) {
        Ok(())
    } else {
        Err(HeaderError::OutOfBounds { what, found, min: *bounds.start(), max: *bounds.end() })
    }
}

fn check_length(what: &str, text: &str) -> Result<(), HeaderError> {
    let bytes = text.len();
    if bytes <= PLAYER_BYTES_MAX {
        Ok(())
    } else {
        Err(HeaderError::TooLong { what: what.to_owned(), bytes })
    }
}

pub(crate) fn players_by_role(
    players: &[(String, String)],
    roles: &Roles,
) -> Result<ByPlayer<String>, HeaderError> {
    let unfit = || HeaderError::Players {
        found: players.iter().map(|(role, _)| role.clone()).collect(),
        expected: roles.players().map(|role| roles.name(role).to_owned()).collect(),
    };
    if players.len() != roles.players().count() {
        return Err(unfit());
    }
    ByPlayer::try_from_fn(roles, |role| {
        let of_role = players.iter().find(|(name, _)| name == roles.name(role));
        of_role.map(|(_, description)| description.clone()).ok_or_else(unfit)
    })
}

/// The rules in strict GDL, without the white space that the printer puts between clauses, and whom they give full sight.
impl SentRules {
    fn of(game: &Game) -> Self {
        let reading = game.rules().written();
        let full_sight = roles_with_sight(&reading.description);
        let own = strict_form(&reading.description, game.rules());
        let is_prefix = reading.syntax == syntax::Syntax::Prefix && reading.diagnostics.iter().all(is_harmless);
        let is_as_written = is_prefix && own == reading.description;
        let own_bytes = on_one_line(&own).len();
        let rules_line = on_one_line(&with_full_sight(own).0);
        Self { rules_line: rules_line.into(), own_bytes, is_as_written, full_sight: full_sight.into() }
    }
}

/// Whether a finding of the reader is about a form that the specification has: `(<= p)` is a fact.
fn is_harmless(found: &Diagnostic) -> bool {
    found.code == "empty-body"
}

fn on_one_line(description: &syntax::Description) -> String {
    let text = syntax::print_description(description);
    text.split_ascii_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::setup;

    fn error(change: impl FnOnce(&mut MatchSetup)) -> String {
        let mut setup = setup();
        change(&mut setup);
        Header::compile(setup).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_played_says_why() {
        for id in ["", "two words", "a(b", "ä", &"x".repeat(129)] {
            assert!(error(|setup| setup.match_id = id.to_owned()).starts_with("the match id "), "{id}");
        }
        let place = |id: &str, index, total| Some(SeriesPlace { id: id.to_owned(), index, total });
        assert!(error(|setup| setup.series = place("", 1, 1)).starts_with("the series id "));
        assert_eq!(
            error(|setup| setup.series = place("s", 0, 3)),
            "the place in the series is 0, but must be from 1 to 3"
        );
        assert_eq!(
            error(|setup| setup.series = place("s", 4, 3)),
            "the place in the series is 4, but must be from 1 to 3"
        );
        assert_eq!(
            error(|setup| setup.series = place("s", 1, 0)),
            "the number of matches in the series is 0, but must be from 1 to 9007199254740991"
        );
        assert_eq!(
            error(|setup| setup.clocks.play_ms = u64::MAX),
            "the play clock in milliseconds is 18446744073709551615, but must be from 0 to 31622400000"
        );
        assert_eq!(
            error(|setup| setup.turns_max = 0),
            "the limit of turns is 0, but must be from 1 to 10000"
        );
        assert_eq!(
            error(|setup| setup.players[1].0 = "random".to_owned()),
            "players were given for [\"alice\", \"random\"], but the game has the roles [\"alice\", \"bob\"]"
        );
        assert!(
            error(|setup| setup.players.push(setup.players[0].clone())).starts_with("players were given")
        );
        assert_eq!(
            error(|setup| setup.players[0].1 = "x".repeat(5000)),
            "the description of alice has 5000 bytes: limit 4096"
        );
        assert!(error(|setup| setup.rules.push('(')).starts_with("the rules have errors"));
    }

    #[test]
    fn another_match_of_the_same_game_shares_it() {
        let header = crate::fixture::header();
        let next = header.with_setup(MatchSetup { match_id: "cards.2".to_owned(), ..setup() }).unwrap();
        assert!(Arc::ptr_eq(header.game(), next.game()));
        assert_eq!(next.match_id(), "cards.2");
        let other = header.with_setup(MatchSetup { turns_max: 7, ..setup() }).unwrap();
        assert!(!Arc::ptr_eq(header.game(), other.game()));
    }
}
