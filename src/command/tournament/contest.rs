//! The matches of a tournament, in turns or in real time: who sits down where, and what became of it.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{ByPlayer, RoleId, Roles};
use croupier_players::Coverage;
use croupier_referee::{Digest, Outcome, realtime::RealTimeOutcome};
use croupier_results::{Fixture, LookedUp, MatchResult};
use indicatif::ProgressBar;

use crate::{
    arguments::seating::SeatSpec,
    output::{coverage::StrategyCoverage, failure::Failure},
    sessions::{
        conduct::reasons,
        realtime::{RealTimeEnded, RealTimeSeatSpec, RealTimeSeries},
        series::{Ended, Series},
    },
};

/// The matches of a tournament, of whatever kind they are.
pub(super) trait Contest: Sync {
    /// SHA-256 of the rules.
    fn rules(&self) -> Digest;
    /// Whether anybody is reached over HTTP, who takes time and may stay away.
    fn has_remote_players(&self) -> bool;
    /// Gets ready for these seatings: the entrant in each seat.
    ///
    /// # Errors
    /// If a record cannot hold what the players are called.
    fn seat(&mut self, seatings: BTreeSet<Vec<usize>>) -> Result<(), Failure>;
    /// Plays a match of one of these seatings; its result and its record, or `None` if it was interrupted.
    ///
    /// # Errors
    /// If it cannot be played.
    fn play(&self, fixture: &Fixture, bar: &ProgressBar) -> Result<Option<(MatchResult, Vec<u8>)>, Failure>;
}

/// Matches of some kind: who takes part, the first of them, and one series for each seating that is played now.
pub(super) struct SeatedSeries<P, S> {
    players: Vec<P>,
    base: S,
    series: BTreeMap<Vec<usize>, S>,
}

impl<P, S> SeatedSeries<P, S> {
    pub(super) fn new(players: Vec<P>, base: S) -> Self {
        Self { players, base, series: BTreeMap::new() }
    }

    fn series(&self, fixture: &Fixture) -> &S {
        self.series.get(&fixture.seats).expect("every seating that is played now has a series")
    }

    /// Makes the series of these seatings, and forgets those of others.
    fn seat_with(
        &mut self,
        seatings: BTreeSet<Vec<usize>>,
        series: impl Fn(&S, &[P], &[usize]) -> Result<S, Failure>,
    ) -> Result<(), Failure> {
        let made = |seats: Vec<usize>| {
            let series = series(&self.base, &self.players, &seats)?;
            Ok((seats, series))
        };
        self.series = seatings.into_iter().map(made).collect::<Result<_, Failure>>()?;
        Ok(())
    }
}

/// Who sits where, by the entrant in each seat.
pub(super) fn seated<P: Clone>(roles: &Roles, seats: &[usize], players: &[P]) -> ByPlayer<P> {
    let known: Vec<RoleId> = roles.players().collect();
    ByPlayer::from_fn(roles, |role| {
        let seat = known.iter().position(|known| *known == role).expect("the role is a player's");
        players[seats[seat]].clone()
    })
}

impl Contest for SeatedSeries<SeatSpec, Series> {
    fn rules(&self) -> Digest {
        self.base.header.game_digest()
    }

    fn has_remote_players(&self) -> bool {
        self.series.values().any(Series::has_remote_players)
    }

    fn seat(&mut self, seatings: BTreeSet<Vec<usize>>) -> Result<(), Failure> {
        self.seat_with(seatings, |base, players, seats| {
            base.with_specs(seated(base.header.roles(), seats, players))
        })
    }

    fn play(&self, fixture: &Fixture, bar: &ProgressBar) -> Result<Option<(MatchResult, Vec<u8>)>, Failure> {
        let played = self.series(fixture).play_match(fixture.deal, fixture.index + 1, bar)?;
        let is_whole = |ended: &Ended| !matches!(ended.outcome, Outcome::Aborted { .. });
        let Some(ended) = played.filter(is_whole) else { return Ok(None) };
        let Ended { match_id, record, outcome, conducts, coverages, .. } = ended;
        for ((_, coverage), &entrant) in coverages.iter().zip(&fixture.seats) {
            if let (Some(coverage), SeatSpec::Player(kind)) = (coverage, &self.players[entrant]) {
                StrategyCoverage::of(kind, coverage).check_playable()?;
            }
        }
        let looked_up = coverages.iter().map(|(_, coverage)| coverage.as_ref().map(looked_up));
        let looked_up: Vec<Option<LookedUp>> = looked_up.collect();
        let result = MatchResult {
            index: fixture.index,
            match_id,
            seats: fixture.seats.clone(),
            status: outcome.status().to_owned(),
            turns: u64::from(outcome.turns()),
            goals: outcome.goals().map(|goals| goals.iter().map(|(_, goal)| goal.value()).collect()),
            no_moves: conducts.iter().map(|(_, conduct)| conduct.substituted()).collect(),
            reasons: Some(conducts.iter().map(|(_, conduct)| reasons(conduct)).collect()),
            looked_up: looked_up.iter().any(Option::is_some).then_some(looked_up),
            record_end: None,
        };
        Ok(Some((result, record)))
    }
}

/// The counts of a strategy in a file.
fn looked_up(coverage: &Coverage) -> LookedUp {
    LookedUp { met: coverage.met, known: coverage.known }
}

impl Contest for SeatedSeries<RealTimeSeatSpec, RealTimeSeries> {
    fn rules(&self) -> Digest {
        self.base.header.game_digest()
    }

    fn has_remote_players(&self) -> bool {
        false
    }

    fn seat(&mut self, seatings: BTreeSet<Vec<usize>>) -> Result<(), Failure> {
        self.seat_with(seatings, |base, players, seats| {
            base.with_specs(seated(base.header.roles(), seats, players))
        })
    }

    fn play(&self, fixture: &Fixture, _: &ProgressBar) -> Result<Option<(MatchResult, Vec<u8>)>, Failure> {
        let ended = self.series(fixture).play_match(fixture.deal, fixture.index + 1, false)?;
        let is_whole = |ended: &RealTimeEnded| ended.end.outcome != RealTimeOutcome::Aborted;
        let Some(ended) = ended.filter(is_whole) else { return Ok(None) };
        let RealTimeEnded { match_id, record, end, errors, .. } = ended;
        if let Some((role, error)) = errors.first() {
            let (name, match_id) = (self.base.header.roles().name(*role), &match_id);
            return Err(Failure::refuse(
                "agent-failed",
                format!("{match_id}: {name} stopped playing: {error}"),
            ));
        }
        let result = MatchResult {
            index: fixture.index,
            match_id,
            seats: fixture.seats.clone(),
            status: end.outcome.status().to_owned(),
            turns: 0,
            goals: end.outcome.goals().map(|goals| goals.iter().map(|(_, goal)| goal.value()).collect()),
            no_moves: vec![0; fixture.seats.len()],
            reasons: None,
            looked_up: None,
            record_end: None,
        };
        Ok(Some((result, record)))
    }
}
