//! The record of one match of a session, in turns or in real time: how it is read, and what it gives when it is played again.

use std::collections::BTreeMap;

use croupier_engine::{ByPlayer, GoalValue, Roles};
use croupier_referee::{
    Outcome, Record, RecordError, Replay, ReplayError, SealCheck, Seed, read_records,
    realtime::{
        RealTime, RealTimeRecord, RealTimeReplay, is_real_time_record, read_real_time_records,
        replay_real_time, replay_real_time_after,
    },
    record::{Kind, Shared, Turns},
    replay, replay_after,
};

/// The record of a match of a session.
#[derive(Clone, Debug)]
pub(crate) struct MatchRecord {
    /// Its first line.
    pub(crate) number: usize,
    pub(crate) bytes: Vec<u8>,
    pub(crate) lines: MatchLines,
}

/// The lines of a match of either kind.
#[derive(Clone, Debug)]
pub(crate) enum MatchLines {
    Turns(Box<Record>),
    RealTime(Box<RealTimeRecord>),
}

impl MatchRecord {
    /// The records in these bytes, which begin in this line of a file, counted from 0.
    pub(crate) fn read(number: usize, bytes: &[u8]) -> Result<Vec<Self>, RecordError> {
        let of = |lines| Self { number: number + 1, bytes: bytes.to_vec(), lines };
        Ok(match is_real_time_record(bytes) {
            true => {
                let records = read_real_time_records(bytes)?.into_iter();
                records.map(|record| of(MatchLines::RealTime(Box::new(record)))).collect()
            }
            false => {
                let records = read_records(bytes)?.into_iter();
                records.map(|record| of(MatchLines::Turns(Box::new(record)))).collect()
            }
        })
    }

    /// What the first line says of the match.
    pub(crate) fn setup(&self) -> Shared<'_> {
        match &self.lines {
            MatchLines::Turns(record) => Turns::shared(&record.genesis().setup),
            MatchLines::RealTime(record) => RealTime::shared(&record.genesis().setup),
        }
    }

    /// Plays the match again; its game is not compiled again if it is that of the match before.
    pub(crate) fn replay(&self, before: Option<&PlayedMatch>) -> Result<PlayedMatch, ReplayError> {
        Ok(match (&self.lines, before) {
            (MatchLines::Turns(record), Some(PlayedMatch::Turns(before))) => {
                PlayedMatch::Turns(Box::new(replay_after(before, record)?))
            }
            (MatchLines::Turns(record), _) => PlayedMatch::Turns(Box::new(replay(record)?)),
            (MatchLines::RealTime(record), Some(PlayedMatch::RealTime(before))) => {
                PlayedMatch::RealTime(Box::new(replay_real_time_after(before, record)?))
            }
            (MatchLines::RealTime(record), _) => PlayedMatch::RealTime(Box::new(replay_real_time(record)?)),
        })
    }
}

/// A match that its record gave back.
#[derive(Clone, Debug)]
pub(crate) enum PlayedMatch {
    Turns(Box<Replay>),
    RealTime(Box<RealTimeReplay>),
}

impl PlayedMatch {
    /// The seed, if the record is of a match that is over.
    pub(crate) fn seed(&self) -> Option<&Seed> {
        match self {
            Self::Turns(replayed) => replayed.seed(),
            Self::RealTime(replayed) => replayed.seed(),
        }
    }

    /// The result of checking the seal.
    pub(crate) fn seal(&self) -> SealCheck {
        match self {
            Self::Turns(replayed) => replayed.seal(),
            Self::RealTime(replayed) => replayed.seal(),
        }
    }

    /// The goals by role, if the match ended by the rules.
    pub(crate) fn goals(&self) -> Option<BTreeMap<String, i64>> {
        match self {
            Self::Turns(replayed) => match replayed.outcome() {
                Some(Outcome::Terminal { goals, .. }) => Some(named(replayed.header().roles(), goals)),
                _ => None,
            },
            Self::RealTime(replayed) => {
                let goals = replayed.end()?.outcome.goals()?;
                Some(named(replayed.header().roles(), goals))
            }
        }
    }

    /// The fluents of the last state, without lifetimes.
    pub(crate) fn last(&self) -> Vec<String> {
        match self {
            Self::Turns(replayed) => {
                let game = replayed.header().game();
                let state = replayed.turns().last().map_or(game.initial_state(), |turn| &turn.successor);
                state.fluents().map(|fluent| game.fluent_text(fluent).to_string()).collect()
            }
            Self::RealTime(replayed) => {
                let game = replayed.header().game();
                let state = replayed.updates().last().map_or(game.initial_state(), |update| &update.state);
                game.state_terms(state).into_iter().map(|(_, fluent)| fluent.to_string()).collect()
            }
        }
    }
}

fn named(roles: &Roles, goals: &ByPlayer<GoalValue>) -> BTreeMap<String, i64> {
    goals.iter().map(|(role, goal)| (roles.name(role).to_owned(), i64::from(goal.value()))).collect()
}
