//! A session as requested, and as stored.

use std::collections::BTreeMap;

use croupier_engine::Roles;
use croupier_games::{
    Family, FamilyRules, GameFacts, Raise, Rebuy, Rotation, SessionRules, SessionRulesError, SessionTotal,
    Until, find, find_family,
};
use croupier_session::{FamilyMember, SessionTerms};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wording;
use crate::{
    problem::{Problem, ProblemCode, Result},
    realtime::SPEED_PERMILLE_MAX,
    setup::Spectators,
};

/// Clocks and time banks are at most this, in milliseconds: a day.
const CLOCK_MS_MAX: u64 = 24 * 3_600_000;

/// Milliseconds for a move of a session that does not say it.
const PLAY_CLOCK_MS: u64 = 30_000;

/// Milliseconds of the time bank of a session that does not say it.
const BANK_MS: u64 = 60_000;

/// Milliseconds of game time per second of a session that does not say it.
pub(super) const SPEED_PERMILLE: u32 = 1000;

/// Milliseconds that an agent may think, and between two matches, where a session does not say it.
const AGENT_CLOCK_MS: u64 = 2_000;
const BREAK_MS: u64 = 4_000;

/// A request for a session.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionRequest {
    /// A game of the catalogue, an uploaded game, or a family of games.
    #[serde(default)]
    pub(crate) game: Option<String>,
    /// Or custom rules.
    #[serde(default)]
    pub(crate) rules: Option<String>,
    /// The words of custom rules: the text of a `game.toml`.
    #[serde(default)]
    pub(crate) words: Option<String>,
    /// What the table is called; by default as the game is.
    #[serde(default)]
    pub(crate) title: Option<String>,
    /// How many seats there are: by default as many as the game has roles.
    #[serde(default)]
    pub(crate) seats: Option<u32>,
    /// Agents of this server, in the last seats.
    #[serde(default)]
    pub(crate) agents: Vec<String>,
    /// What a seat begins with, in a session of a family.
    #[serde(default)]
    pub(crate) stack: Option<u32>,
    /// The levels of what is posted, small and big blind, in a session of a family.
    #[serde(default)]
    pub(crate) blinds: Option<Vec<Vec<u32>>>,
    /// When the next level comes: `10 min`, or `8 matches`.
    #[serde(default)]
    pub(crate) raise_blinds: Option<String>,
    /// When a seat that has nothing left may begin again: `never`, `always`, or `until level 3`.
    #[serde(default)]
    pub(crate) rebuy: Option<String>,
    /// What ends it: `host`, `matches = 9`, `any wins >= 5`, `any total >= 100`, `one left`, `minutes = 60`.
    #[serde(default)]
    pub(crate) until: Option<String>,
    /// Which seat has which role: `each` moves them on after each match, `never`, or `pairs`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub(crate) rotate: Option<Rotation>,
    /// What adds up: `payoff`, `goal` or `wins`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub(crate) total: Option<SessionTotal>,
    /// What becomes of a seat whose guest is away: `sit out`, or the agent that plays for it.
    #[serde(default)]
    pub(crate) away: Option<String>,
    /// Parameters of the family that are the same in every match.
    #[serde(default)]
    pub(crate) parameters: BTreeMap<String, String>,
    /// Milliseconds for a move: by default 30,000.
    #[serde(default)]
    pub(crate) play_clock_ms: Option<u64>,
    /// Milliseconds that a guest may use beside the clock; each match gives a fifth back. By default 60,000.
    #[serde(default)]
    pub(crate) bank_ms: Option<u64>,
    /// Milliseconds that an agent may think about a move: by default 2,000, and never longer than a guest.
    #[serde(default)]
    pub(crate) agent_clock_ms: Option<u64>,
    /// Milliseconds between two matches in which a guest sits: by default 4,000.
    #[serde(default)]
    pub(crate) break_ms: Option<u64>,
    /// In a real-time game, milliseconds of game time per second; by default 1000.
    #[serde(default)]
    pub(crate) speed_permille: Option<u32>,
    /// What watchers see of matches: `open`, the default, at once all that every player is told too; `delayed`, the same later;
    /// `after_hand`, when the match is over; `sealed`, nothing but results until the session is over.
    #[serde(default)]
    pub(crate) spectators: Option<Spectators>,
    /// Whether people can write to each other.
    #[serde(default)]
    pub(crate) chat: bool,
    /// Whether guests are shown what they could believe.
    #[serde(default)]
    pub(crate) trainer: bool,
    /// Whether it is in the list of tables, where anybody may watch it.
    #[serde(default)]
    pub(crate) listed: bool,
    /// The seed, if the server accepts seeds: for tests and replays.
    #[serde(default)]
    pub(crate) seed: Option<String>,
}

/// The stored part of a session besides its journal: what was agreed on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SessionSetup {
    pub(crate) terms: SessionTerms,
    /// The name of the game, if it has one here.
    pub(crate) game: Option<String>,
    /// The text of the `game.toml` of custom rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) words: Option<String>,
    pub(crate) title: String,
    /// What totals count.
    pub(crate) unit: String,
    pub(crate) play_clock_ms: u64,
    pub(crate) bank_ms: u64,
    pub(crate) agent_clock_ms: u64,
    pub(crate) break_ms: u64,
    /// Milliseconds of game time per second, in a session of a real-time game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) speed_permille: Option<u32>,
    /// What watchers see: of a game that hides something no more than all players are told alike.
    pub(crate) spectators: Spectators,
    /// Whether the rules hide something.
    #[serde(default)]
    pub(crate) hides_something: bool,
    pub(crate) has_chat: bool,
    pub(crate) trainer: bool,
    pub(crate) is_listed: bool,
    /// The first of the sessions that followed each other at this table: cookies of its guests are named after it.
    pub(crate) table: String,
}

/// What a session is played with.
pub(crate) struct SessionGame {
    /// The rules of every match; of a family, those of a match of all seats.
    pub(crate) rules: String,
    pub(crate) facts: GameFacts,
    pub(crate) roles: Roles,
    /// Whether the rules hide nothing.
    pub(crate) has_full_sight: bool,
    pub(crate) is_real_time: bool,
}

impl SessionRequest {
    /// Rejects numbers and texts that are out of range.
    ///
    /// # Errors
    /// [`Problem`] that names the key.
    pub(crate) fn demand_bounds(&self) -> Result<()> {
        let times = [
            ("play_clock_ms", self.play_clock_ms),
            ("bank_ms", self.bank_ms),
            ("agent_clock_ms", self.agent_clock_ms),
            ("break_ms", self.break_ms),
        ];
        for (key, value) in times {
            if value.is_some_and(|value| value > CLOCK_MS_MAX) {
                return Err(bad(format!("`{key}` must be from 0 to {CLOCK_MS_MAX}")));
            }
        }
        if self.speed_permille.is_some_and(|speed| !(1..=SPEED_PERMILLE_MAX).contains(&speed)) {
            return Err(bad(format!("`speed_permille` must be from 1 to {SPEED_PERMILLE_MAX}")));
        }
        if self.play_clock_ms.is_some_and(|clock| clock < 100) {
            return Err(bad("`play_clock_ms` must be at least 100".to_owned()));
        }
        Ok(())
    }

    /// How matches follow each other: what the game says, and what the request changes of it.
    ///
    /// # Errors
    /// [`Problem`] with what does not fit.
    pub(crate) fn session_rules(&self, of_game: &SessionRules) -> Result<SessionRules> {
        let mut rules = of_game.clone();
        let family = self.game.as_deref().and_then(find_family);
        if rules.family.is_none() && family.is_some_and(|family| family_rules(family).is_some()) {
            rules.family = family.and_then(family_rules);
        }
        if let Some(until) = &self.until {
            rules.until = Until::parse_all(until).map_err(unfit)?;
        }
        if let Some(away) = &self.away {
            rules.away = croupier_games::Away::parse(away).map_err(unfit)?;
        }
        rules.rotate = self.rotate.unwrap_or(rules.rotate);
        rules.total = self.total.unwrap_or(rules.total);
        self.change_family(rules.family.as_mut())?;
        rules.check().map_err(unfit)?;
        Ok(rules)
    }

    fn change_family(&self, family: Option<&mut FamilyRules>) -> Result<()> {
        let asks = self.stack.is_some()
            || self.blinds.is_some()
            || self.raise_blinds.is_some()
            || self.rebuy.is_some()
            || !self.parameters.is_empty();
        let Some(family) = family else {
            return match asks {
                true => Err(bad(
                    "only a game that is made for each match has stacks, blinds, rebuys and parameters"
                        .to_owned(),
                )),
                false => Ok(()),
            };
        };
        family.start = self.stack.unwrap_or(family.start);
        if let Some(blinds) = &self.blinds {
            family.blinds.clone_from(blinds);
        }
        if let Some(raise) = &self.raise_blinds {
            family.raise = Some(Raise::parse(raise).map_err(unfit)?);
        }
        if family.blinds.len() < 2 {
            family.raise = None;
        }
        if let Some(rebuy) = &self.rebuy {
            family.rebuy = Rebuy::parse(rebuy).map_err(unfit)?;
        }
        family.parameters.extend(self.parameters.clone());
        Ok(())
    }

    /// What is stored of it.
    ///
    /// # Errors
    /// [`Problem`] with what does not fit.
    pub(crate) fn setup(&self, id: &str, terms: SessionTerms, of: &SessionGame) -> Result<SessionSetup> {
        terms.check().map_err(|error| bad(error.to_string()))?;
        self.demand_kind(of.is_real_time)?;
        let title = self.title.as_deref().map(wording::name).transpose()?;
        let play_clock_ms = self.play_clock_ms.unwrap_or(PLAY_CLOCK_MS);
        Ok(SessionSetup {
            terms,
            game: self.game.clone(),
            words: self.words.clone(),
            title: title.unwrap_or_else(|| of.facts.title.clone()),
            unit: of.facts.payoff.as_ref().map_or("points", |payoff| &payoff.unit).to_owned(),
            play_clock_ms,
            bank_ms: self.bank_ms.unwrap_or(BANK_MS),
            agent_clock_ms: self.agent_clock_ms.unwrap_or(AGENT_CLOCK_MS).min(play_clock_ms),
            break_ms: self.break_ms.unwrap_or(BREAK_MS),
            speed_permille: of.is_real_time.then(|| self.speed_permille.unwrap_or(SPEED_PERMILLE)),
            spectators: self.watchers_see(of)?,
            hides_something: !of.has_full_sight,
            has_chat: self.chat,
            trainer: self.trainer,
            is_listed: self.listed,
            table: id.to_owned(),
        })
    }

    /// Rejects settings that the other kind of game has: in real time nobody waits for a move.
    fn demand_kind(&self, is_real_time: bool) -> Result<()> {
        let of_turns = [
            ("play_clock_ms", self.play_clock_ms.is_some()),
            ("bank_ms", self.bank_ms.is_some()),
            ("agent_clock_ms", self.agent_clock_ms.is_some()),
            ("trainer", self.trainer),
        ];
        match of_turns.into_iter().find(|(_, is_given)| *is_given) {
            Some((key, _)) if is_real_time => {
                Err(bad(format!("`{key}` is for games in turns, and this game is a real-time game")))
            }
            _ if !is_real_time && self.speed_permille.is_some() => {
                Err(bad("`speed_permille` is only for real-time games".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// What watchers see. In real time nothing tells what of a game that hides something is public: it stays closed until the session is over.
    fn watchers_see(&self, of: &SessionGame) -> Result<Spectators> {
        match self.spectators {
            None | Some(Spectators::Sealed) if of.is_real_time && !of.has_full_sight => Ok(Spectators::Sealed),
            Some(_) if of.is_real_time && !of.has_full_sight => Err(bad(
                "the rules of this real-time game hide something, which stays closed until the session is over: `spectators` can only be `sealed`"
                    .to_owned(),
            )),
            asked => Ok(asked.unwrap_or(Spectators::Open)),
        }
    }
}

impl SessionSetup {
    /// What those see who watch a match by itself: joint moves, where all players are told all of them.
    pub(crate) fn match_spectators(&self) -> Spectators {
        match self.hides_something {
            true => Spectators::Sealed,
            false => self.spectators,
        }
    }

    /// Whether its matches are played in real time.
    pub(crate) fn is_real_time(&self) -> bool {
        self.speed_permille.is_some()
    }

    /// The words of the game and whatever else is known of it besides its rules.
    pub(crate) fn facts(&self) -> GameFacts {
        let of_member = || full_member(self.terms.session.family.as_ref()?, self.terms.seats).facts().ok()?;
        let words = self.words.clone().or_else(of_member);
        let written = words.as_deref().and_then(|words| GameFacts::parse(words).ok());
        let entry = || find(self.game.as_deref()?)?.facts().ok();
        written.or_else(entry).unwrap_or_else(|| GameFacts::unknown(&self.title))
    }

    /// What the store has of a session.
    ///
    /// # Errors
    /// [`Problem`] if it is no session.
    pub(crate) fn read(stored: &str) -> Result<Self> {
        serde_json::from_str(stored).map_err(|_| Problem::absent("what is stored of it is not a session"))
    }
}

/// The match of a family in which every seat has what it begins with.
pub(super) fn full_member(family: &FamilyRules, seats: usize) -> FamilyMember {
    FamilyMember::of(family, 1, &vec![u64::from(family.start); seats])
}

/// How matches of a family follow each other, if a game of the catalogue says so of its family.
fn family_rules(family: &Family) -> Option<FamilyRules> {
    let entries = croupier_games::catalogue().iter();
    entries.filter_map(|entry| entry.facts().ok()?.session.family).find(|rules| rules.name == family.name)
}

pub(super) fn bad(detail: String) -> Problem {
    ProblemCode::BadSession.because(detail)
}

fn unfit(error: SessionRulesError) -> Problem {
    bad(error.to_string())
}
