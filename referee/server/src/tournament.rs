//! A tournament as requested, and as stored.

use std::collections::BTreeMap;

use croupier_referee::Agents;
use croupier_results::{
    Deals, FORMAT, Fixture, GROUPS_MAX, Heading, RoundRobin, Schedule, ScheduleError, Swiss, SwissFormat,
    SwissHeading,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    names,
    problem::{Problem, ProblemCode, Result},
    seat::SeatSetup,
    setup::{MatchRequest, demand_times, play_clock_ms, start_clock_ms},
    store::StoredTournament,
};

/// Maximum number of matches of a tournament.
const MATCHES_MAX: u64 = 20_000;

/// Maximum number of concurrent matches of a tournament.
const AT_ONCE_MAX: u64 = 1_000;

/// Maximum number of rounds.
const ROUNDS_MAX: u64 = 1_000;

/// The format of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Format {
    /// Every group of entrants that fills the seats.
    #[default]
    RoundRobin,
    /// In each round, entrants with equal points.
    Swiss,
}

/// A request for a tournament.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TournamentRequest {
    /// Its name: letters, digits and hyphens.
    pub(crate) name: String,
    /// A game of the catalogue, or an uploaded one.
    pub(crate) game: Option<String>,
    /// Or custom rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<String>,
    #[serde(default)]
    pub(crate) format: Format,
    /// Rounds of a Swiss tournament.
    pub(crate) rounds: Option<u64>,
    /// Matches of each group of entrants; in a Swiss tournament, of each group and round. Rounded up to whole rotations of the seats, except
    /// in a Swiss tournament on single deals.
    #[serde(default = "one")]
    pub(crate) matches: u64,
    /// Whether each deal is played in every rotation of the seats, so that luck cancels out.
    #[serde(default)]
    pub(crate) duplicate: bool,
    /// The entrants: registered players and agents.
    pub(crate) entrants: Vec<SeatSetup>,
    #[serde(default = "start_clock_ms")]
    pub(crate) start_clock_ms: u64,
    #[serde(default = "play_clock_ms")]
    pub(crate) play_clock_ms: u64,
    /// Seconds within which players have to connect, in each match: by default 120.
    #[serde(default = "join_s")]
    pub(crate) join_s: u64,
    /// Maximum number of concurrent matches.
    #[serde(default = "at_once")]
    pub(crate) matches_at_once: u64,
    /// Whether its matches change the ratings of the entrants; the default is as for a single match.
    pub(crate) rated: Option<bool>,
    /// The seed, if the server accepts seeds: for tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<String>,
}

fn one() -> u64 {
    1
}

fn join_s() -> u64 {
    120
}

fn at_once() -> u64 {
    8
}

impl TournamentRequest {
    /// The stored part.
    pub(crate) fn of(stored: &StoredTournament) -> Result<Self> {
        serde_json::from_str(&stored.setup).map_err(|_| Self::lost())
    }

    /// What is stored of a tournament is damaged.
    pub(crate) fn lost() -> Problem {
        Problem::absent("what is stored of it is not a tournament")
    }

    /// Rejects values out of range, and invalid entrants.
    pub(crate) fn demand_bounds(&self, agents: &dyn Agents) -> Result<()> {
        names::demand("a tournament", &self.name)?;
        demand_times(ProblemCode::BadTournament, self.start_clock_ms, self.play_clock_ms, self.join_s)?;
        let bad = |what: String| Err(ProblemCode::BadTournament.because(what));
        match (self.format, self.rounds) {
            (Format::RoundRobin, Some(_)) => {
                return bad(
                    "a round robin has no `rounds`; `matches` is the number of matches per group".to_owned()
                );
            }
            (Format::Swiss, None) => return bad("a Swiss tournament needs `rounds`".to_owned()),
            (Format::Swiss, Some(rounds)) if !(1..=ROUNDS_MAX).contains(&rounds) => {
                return bad(format!("`rounds` are 1 to {ROUNDS_MAX}"));
            }
            _ => {}
        }
        if !(1..=MATCHES_MAX).contains(&self.matches) {
            return bad(format!("`matches` are 1 to {MATCHES_MAX}"));
        }
        if !(1..=AT_ONCE_MAX).contains(&self.matches_at_once) {
            return bad(format!("`matches_at_once` is 1 to {AT_ONCE_MAX}"));
        }
        if self.entrants.len() > GROUPS_MAX {
            return bad(format!("{} entrants are too many", self.entrants.len()));
        }
        let mut names = BTreeMap::new();
        for (entrant, name) in self.entrants.iter().zip(self.full_names(agents)) {
            match entrant {
                SeatSetup::Agent { .. } | SeatSetup::Player { .. } => {}
                _ => return bad("entrants must be registered players or agents".to_owned()),
            }
            if names.insert(name.clone(), ()).is_some() {
                return bad(format!("{name} takes part twice"));
            }
        }
        Ok(())
    }

    /// The names of the entrants.
    pub(crate) fn names(&self) -> Vec<String> {
        self.entrants.iter().map(SeatSetup::description).collect()
    }

    /// The same with all options of agents.
    fn full_names(&self, agents: &dyn Agents) -> Vec<String> {
        let full = |entrant: &SeatSetup| {
            let full_name = match entrant {
                SeatSetup::Agent { agent } => agents.full_name(agent).ok(),
                _ => None,
            };
            full_name.unwrap_or_else(|| entrant.description())
        };
        self.entrants.iter().map(full).collect()
    }

    /// The schedule for a game with this many seats.
    ///
    /// # Errors
    /// [`Problem`] if there are too few or too many entrants, or matches.
    pub(crate) fn schedule(&self, seats: usize) -> Result<Schedule> {
        let deals = if self.duplicate { Deals::Duplicate } else { Deals::Single };
        let (entrants, matches) = (self.entrants.len(), self.matches);
        let refuse = |error: ScheduleError| ProblemCode::BadEntrants.because(error.to_string());
        let schedule = match self.format {
            Format::RoundRobin => {
                Schedule::RoundRobin(RoundRobin::new(entrants, seats, matches, deals).map_err(refuse)?)
            }
            Format::Swiss => {
                let rounds = self.rounds.unwrap_or(1);
                let format = SwissFormat { entrants, seats, rounds, matches, deals };
                Schedule::Swiss(Swiss::new(format).map_err(refuse)?)
            }
        };
        let count = schedule.matches_count();
        if count > MATCHES_MAX {
            let detail = format!("{count} matches are too many; a tournament can have at most {MATCHES_MAX}");
            return Err(ProblemCode::BadTournament.because(detail));
        }
        Ok(schedule)
    }

    /// The match of a fixture.
    pub(crate) fn match_of(&self, roles: &[String], fixture: &Fixture) -> MatchRequest {
        let seat = |(role, entrant): (&String, &usize)| (role.clone(), self.entrants[*entrant].clone());
        MatchRequest {
            game: self.game.clone(),
            seats: roles.iter().zip(&fixture.seats).map(seat).collect(),
            start_clock_ms: self.start_clock_ms,
            play_clock_ms: self.play_clock_ms,
            join_s: self.join_s,
            seed: self.seed.clone(),
            rated: self.rated,
            ..MatchRequest::default()
        }
    }

    /// The first line of its results; it includes `seed` once nothing depends on it any more.
    pub(crate) fn heading(
        &self,
        rules: &str,
        schedule: &Schedule,
        seed: Option<String>,
        agents: &dyn Agents,
    ) -> Heading {
        Heading {
            tournament: FORMAT,
            game: self.game.clone().unwrap_or_else(|| self.name.clone()),
            rules: rules.to_owned(),
            players: self.full_names(agents),
            duplicate: self.duplicate,
            swiss: match schedule {
                Schedule::Swiss(swiss) => Some(SwissHeading { matches: swiss.matches_of_group() }),
                Schedule::RoundRobin(_) => None,
            },
            seed: seed.unwrap_or_else(|| "secret until the end".to_owned()),
            play_clock_ms: Some(self.play_clock_ms),
        }
    }
}
