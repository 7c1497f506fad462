//! A tournament as anybody may see it.

use std::collections::BTreeMap;

use croupier_results::{Mean, Schedule, Standings};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    problem::Result,
    store::{StoredFixture, StoredTournament},
    tables::Table,
    tournament::{Format, TournamentRequest},
};

/// Most entrants of a table of everybody against everybody.
const CROSSTABLE_MAX: usize = 32;

/// A tournament, as a list has it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TournamentView {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The name of the game, if it has one here.
    pub(crate) game: Option<String>,
    pub(crate) format: Format,
    pub(crate) rounds: Option<u64>,
    /// Whether each deal is played in every rotation of the seats.
    pub(crate) duplicate: bool,
    /// Who chose the deals: `operator` where several matches share one, and `nobody` where players may add nonces to the seed of
    /// each match.
    deals: &'static str,
    /// Who takes part.
    entrants: Vec<String>,
    /// `running`, `over` or `aborted`.
    pub(crate) status: String,
    /// Matches that run.
    matches_running: u64,
    /// Whether its matches change the ratings of the entrants.
    rated: bool,
    created_ms: i64,
}

impl TournamentView {
    /// A tournament.
    ///
    /// # Errors
    /// [`Problem`] if the stored data is invalid.
    pub(crate) fn of(stored: &StoredTournament) -> Result<Self> {
        let request = TournamentRequest::of(stored)?;
        Ok(Self {
            id: stored.id.clone(),
            entrants: request.names(),
            name: request.name,
            game: request.game,
            format: request.format,
            rounds: request.rounds,
            duplicate: request.duplicate,
            deals: if request.duplicate { "operator" } else { "nobody" },
            status: stored.status.clone(),
            matches_running: stored.live,
            rated: request.rated.unwrap_or(false),
            created_ms: stored.created_ms,
        })
    }
}

/// An entrant in the table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StandingView {
    pub(crate) entrant: String,
    /// Seats in which it played to the end.
    pub(crate) seats: u64,
    /// Its mean result; if deals are played in all rotations, each deal is one observation.
    pub(crate) mean: Option<f64>,
    /// Both ends of the 95 % interval of the mean, by Student's t.
    pub(crate) interval: Option<[f64; 2]>,
    pub(crate) won: u64,
    pub(crate) drawn: u64,
    pub(crate) lost: u64,
    /// Points of a Swiss tournament.
    pub(crate) points: Option<f64>,
    /// The sum of the points of all opponents.
    buchholz: Option<f64>,
    /// Rounds that it sat out.
    byes: Option<u64>,
    /// Moves that it had to make.
    moves: u64,
    /// Those that were played for it, and why.
    substituted: BTreeMap<String, u64>,
}

/// A match of the schedule.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FixtureView {
    /// Its place in the schedule, from 0.
    pub(crate) place: u64,
    /// The round of a Swiss tournament, from 1.
    round: Option<u64>,
    /// The number of its deal, from 0.
    pub(crate) deal: u64,
    /// The player of each role.
    pub(crate) seats: BTreeMap<String, String>,
    /// Its match, once that is made.
    #[serde(rename = "match")]
    pub(crate) match_id: Option<String>,
    /// `waiting`, `running`, or how it ended.
    pub(crate) status: String,
    /// The goal of each role, once all matches on the same deal are over.
    pub(crate) goals: Option<BTreeMap<String, i32>>,
}

/// A tournament with its table and a page of its fixtures.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WholeTournament {
    #[serde(flatten)]
    pub(crate) tournament: TournamentView,
    /// Matches of the whole schedule.
    pub(crate) matches: u64,
    /// Matches that the standings count: those before the first that is not over, or whose deal is still being played.
    pub(crate) matches_counted: u64,
    /// Rounds of a Swiss tournament that were played to the end.
    rounds_played: Option<u64>,
    pub(crate) standings: Vec<StandingView>,
    /// Matches without goals, by how they ended.
    unfinished: BTreeMap<String, u64>,
    pub(crate) fixtures: Vec<FixtureView>,
    /// What `after` is for the next page of fixtures; nothing on the last.
    pub(crate) next: Option<u64>,
    /// What each entrant got on average where another sat, in the order of the standings; nothing where there are too many for a
    /// table. Programs have the results themselves.
    #[serde(skip)]
    pub(crate) against: Vec<Vec<Option<Mean>>>,
}

impl WholeTournament {
    /// A tournament with its table and these fixtures.
    ///
    /// # Errors
    /// [`Problem`] if the stored data is invalid.
    pub(crate) fn of(
        stored: &StoredTournament,
        table: &mut Table,
        fixtures: &[StoredFixture],
        next: Option<u64>,
    ) -> Result<Self> {
        let tournament = TournamentView::of(stored)?;
        let standings = table.standings();
        let schedule = &table.schedule;
        let view = |fixture| FixtureView::of(fixture, schedule, &stored.roles, &tournament.entrants);
        Ok(Self {
            matches: schedule.matches_count(),
            matches_counted: table.results.len() as u64,
            rounds_played: match schedule {
                Schedule::Swiss(swiss) => Some(swiss.rounds_played()),
                Schedule::RoundRobin(_) => None,
            },
            standings: rows(&standings, &tournament.entrants),
            unfinished: standings.unfinished.clone(),
            against: against(&standings),
            fixtures: fixtures.iter().map(view).collect(),
            next,
            tournament,
        })
    }
}

/// What each got against each, in the order of the standings.
fn against(standings: &Standings) -> Vec<Vec<Option<Mean>>> {
    let order = || standings.rows.iter().map(|row| row.entrant);
    if standings.rows.len() > CROSSTABLE_MAX {
        return Vec::new();
    }
    order().map(|one| order().map(|other| standings.against[one][other]).collect()).collect()
}

fn rows(standings: &Standings, entrants: &[String]) -> Vec<StandingView> {
    let row = |row: &croupier_results::Standing| {
        let [won, drawn, lost] = row.won_drawn_lost;
        StandingView {
            entrant: entrants[row.entrant].clone(),
            seats: row.seats,
            mean: row.mean.map(|mean| mean.mean),
            interval: row.mean.and_then(croupier_results::Mean::interval),
            won,
            drawn,
            lost,
            points: row.swiss.map(|place| place.points),
            buchholz: row.swiss.map(|place| place.buchholz),
            byes: row.swiss.map(|place| place.byes),
            moves: row.drawn.moves,
            substituted: row.drawn.substitutes.clone(),
        }
    };
    standings.rows.iter().map(row).collect()
}

impl FixtureView {
    fn of(stored: &StoredFixture, schedule: &Schedule, roles: &[String], entrants: &[String]) -> Self {
        let fixture = &stored.fixture;
        let seat = |(role, entrant): (&String, &usize)| (role.clone(), entrants[*entrant].clone());
        let status = match (&stored.result, &stored.match_id) {
            (Some(result), _) => &result.status,
            (None, Some(_)) => "running",
            (None, None) => "waiting",
        };
        let goals = stored.result.as_ref().filter(|_| !stored.is_deal_open);
        let goals = goals.and_then(|result| result.goals.as_ref());
        Self {
            place: fixture.index,
            round: match schedule {
                Schedule::Swiss(swiss) => {
                    Some(fixture.index / (swiss.groups_count() as u64 * swiss.matches_of_group()) + 1)
                }
                Schedule::RoundRobin(_) => None,
            },
            deal: fixture.deal,
            seats: roles.iter().zip(&fixture.seats).map(seat).collect(),
            match_id: stored.match_id.clone(),
            status: status.to_owned(),
            goals: goals.map(|goals| roles.iter().cloned().zip(goals.iter().copied()).collect()),
        }
    }
}
