//! A tournament as data.

use std::collections::BTreeMap;

use croupier_results::{Glicko2, LookedUp, Mean, Ratings, Schedule, Standing, WengLin};
use serde::Serialize;

use super::report::TournamentSummary;
use crate::{
    output::{
        schema::output,
        summary::{MeanReport, PayoffEstimate},
    },
    sessions::{
        conduct::{DrawnReport, SeatConduct},
        series::Ending,
    },
};

/// The table of a tournament.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TournamentReport<'r> {
    game: &'r str,
    /// The digest of the rules.
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    rules: &'r str,
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: &'r str,
    /// Whether each deal is played in every rotation of the seats.
    duplicate: bool,
    play_clock_ms: Option<u64>,
    #[cfg_attr(test, schemars(extend("enum" = ["round-robin", "swiss"])))]
    format: &'static str,
    rounds: Option<u64>,
    matches: u64,
    matches_of_each_group: u64,
    /// Groups of players that fill the seats.
    groups: usize,
    /// Matches without a result, by status.
    unfinished: &'r BTreeMap<String, u64>,
    interrupted: bool,
    /// From the best to the worst.
    players: Vec<PlayerReport<'r>>,
}
output!(Tournament: TournamentReport<'_>);

/// How a player did.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlayerReport<'r> {
    /// As it was written.
    player: &'r str,
    /// With all its options.
    kind: &'r str,
    /// How often it sat in a seat.
    seats: u64,
    goal: Option<MeanReport>,
    payoff: Option<PayoffEstimate<'r>>,
    won: u64,
    drawn: u64,
    lost: u64,
    rating: Option<RatingReport>,
    swiss: Option<SwissReport>,
    conduct: DrawnReport,
    /// Null if it goes by no strategy in a file.
    coverage: Option<LookUpReport>,
    /// By opponent.
    against: BTreeMap<&'r str, AgainstReport<'r>>,
}

/// By Weng and Lin, or Glicko-2.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum RatingReport {
    WengLin { mean: f64, uncertainty: f64 },
    Glicko2 { rating: f64, deviation: f64, volatility: f64 },
}

/// A position in a Swiss tournament.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SwissReport {
    points: f64,
    buchholz: f64,
    byes: u64,
}

/// How much a strategy in a file knew.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LookUpReport {
    /// Information sets with a choice in which it was looked up; repeats count.
    met: u64,
    /// Those for which it has an entry.
    known: u64,
}

/// Results against another player.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AgainstReport<'r> {
    #[serde(flatten)]
    goal: MeanReport,
    payoff: Option<PayoffEstimate<'r>>,
}

impl<'r> TournamentReport<'r> {
    pub(super) fn of(summary: &TournamentSummary<'r>) -> Self {
        let TournamentSummary { heading, schedule, standings, .. } = summary;
        let (format, rounds) = match schedule {
            Schedule::RoundRobin(_) => ("round-robin", None),
            Schedule::Swiss(swiss) => ("swiss", Some(swiss.rounds_played())),
        };
        Self {
            game: &heading.game,
            rules: &heading.rules,
            seed: &heading.seed,
            duplicate: heading.duplicate,
            play_clock_ms: heading.play_clock_ms,
            format,
            rounds,
            matches: summary.matches,
            matches_of_each_group: schedule.matches_of_group(),
            groups: schedule.groups_count(),
            unfinished: &standings.unfinished,
            interrupted: summary.ending == Ending::Interrupted,
            players: standings.rows.iter().map(|standing| PlayerReport::of(summary, standing)).collect(),
        }
    }
}

impl<'r> PlayerReport<'r> {
    fn of(summary: &TournamentSummary<'r>, standing: &Standing) -> Self {
        let TournamentSummary { entrants, standings, source, .. } = summary;
        let goal = |mean| MeanReport::of_goals(mean, summary.bounds);
        let payoff = source.facts.payoff.as_ref();
        let payoff = |mean: Mean| payoff.map(|payoff| PayoffEstimate::new(mean, summary.bounds, payoff));
        let others = entrants.iter().zip(&standings.against[standing.entrant]);
        let against = others.filter_map(|(other, mean)| {
            let mean = (*mean)?;
            Some((&*other.name, AgainstReport { goal: goal(mean), payoff: payoff(mean) }))
        });
        let [won, drawn, lost] = standing.won_drawn_lost;
        Self {
            player: &entrants[standing.entrant].name,
            kind: &summary.heading.players[standing.entrant],
            seats: standing.seats,
            goal: standing.mean.map(goal),
            payoff: standing.mean.and_then(payoff),
            won,
            drawn,
            lost,
            rating: RatingReport::of(&standings.ratings, standing.entrant),
            swiss: standing.swiss.map(|place| SwissReport {
                points: place.points,
                buchholz: place.buchholz,
                byes: place.byes,
            }),
            conduct: SeatConduct::from(&standing.drawn).drawn_report(),
            coverage: standing.looked_up.map(|LookedUp { met, known }| LookUpReport { met, known }),
            against: against.collect(),
        }
    }
}

impl RatingReport {
    fn of(ratings: &Ratings, entrant: usize) -> Option<Self> {
        match ratings {
            Ratings::WengLin(ratings) => {
                let WengLin { mu: mean, sigma: uncertainty } = ratings[entrant]?;
                Some(Self::WengLin { mean, uncertainty })
            }
            Ratings::Glicko2(ratings) => {
                let Glicko2 { rating, deviation, volatility } = ratings[entrant]?;
                Some(Self::Glicko2 { rating, deviation, volatility })
            }
        }
    }
}
