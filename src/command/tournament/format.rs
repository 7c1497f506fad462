//! The arguments that say who plays whom, and how players are rated.

use clap::{Args, ValueEnum};
use croupier_results::{
    Deals, RatingSystem, RoundRobin, Schedule, ScheduleError, Swiss, SwissFormat, SwissHeading,
};

use crate::{arguments::count::count, output::failure::Failure};

/// Matches of each group of a round robin, if nothing else is asked for.
const ROUND_ROBIN_MATCHES: u64 = 100;

/// Who plays whom, and how players are rated.
#[derive(Args)]
pub(super) struct FormatArguments {
    /// Who plays whom
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    format: Format,
    /// Play this many rounds of a Swiss tournament
    #[arg(
        long,
        value_name = "N",
        required_if_eq("format", "swiss"),
        value_parser = count::<u64>(1..=1000)
    )]
    rounds: Option<u64>,
    /// Matches of each group of players [default: 100]
    ///
    /// In a Swiss tournament these are the matches of a round [default: 1]. The number is rounded up to whole rotations of the
    /// seats, but not in a Swiss tournament without --duplicate.
    #[arg(long, short = 'n', value_name = "N", value_parser = count::<u64>(1..=100_000_000))]
    matches: Option<u64>,
    /// Play each deal in every rotation of the seats
    #[arg(long)]
    duplicate: bool,
    /// Rate players by this system
    #[arg(long, value_enum, default_value_t = System::WengLin)]
    rating: System,
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Every group of players that fills the seats
    RoundRobin,
    /// In each round, players with equal points who have not met yet; ranked by points
    Swiss,
}

/// How players are rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum System {
    /// By Weng and Lin: 25 +- 8.3 at the beginning
    WengLin,
    /// By Glickman, for games with two seats: 1500 +- 350 at the beginning, each match a rating period; with more seats a match
    /// counts as one against each opponent
    Glicko2,
}

impl FormatArguments {
    /// Whether each deal is played in every rotation of the seats.
    pub(super) fn is_duplicate(&self) -> bool {
        self.duplicate
    }

    /// The system of ratings.
    pub(super) fn rating(&self) -> RatingSystem {
        match self.rating {
            System::WengLin => RatingSystem::WengLin,
            System::Glicko2 => RatingSystem::Glicko2,
        }
    }

    /// The schedule for so many entrants and seats, and what results say of it; `list` is what was written of `--players`.
    ///
    /// # Errors
    /// If there are too few or too many entrants, or rounds were asked for where there are none.
    pub(super) fn schedule(
        &self,
        entrants: usize,
        seats: usize,
        list: &str,
    ) -> Result<(Schedule, Option<SwissHeading>), Failure> {
        let refuse = |error: ScheduleError| refusal(&error).at_argument("--players", list);
        let deals = if self.duplicate { Deals::Duplicate } else { Deals::Single };
        match (self.format, self.rounds) {
            (Format::RoundRobin, None) => {
                let matches = self.matches.unwrap_or(ROUND_ROBIN_MATCHES);
                let all = RoundRobin::new(entrants, seats, matches, deals).map_err(refuse)?;
                Ok((Schedule::RoundRobin(all), None))
            }
            (Format::RoundRobin, Some(rounds)) => {
                Err(Failure::refuse("bad-format", "a round robin has no rounds to be counted")
                    .at_argument("--rounds", &rounds.to_string())
                    .help("add --format swiss, or say with --matches how many matches each group plays"))
            }
            (Format::Swiss, rounds) => {
                let (rounds, matches) = (rounds.unwrap_or(1), self.matches.unwrap_or(1));
                let swiss = Swiss::new(SwissFormat { entrants, seats, rounds, matches, deals });
                let swiss = swiss.map_err(refuse)?;
                let heading = SwissHeading { matches: swiss.matches_of_group() };
                Ok((Schedule::Swiss(swiss), Some(heading)))
            }
        }
    }
}

fn refusal(error: &ScheduleError) -> Failure {
    let refused = Failure::refuse("bad-players", error.to_string());
    match error {
        ScheduleError::Alone { .. } => refused.help("for example --players belief,random"),
        ScheduleError::TooManyGroups { .. } => {
            refused.help("name fewer players, or let them play a Swiss tournament: --format swiss --rounds N")
        }
        ScheduleError::TooManyEntrants { .. } => refused.help("name fewer players"),
        ScheduleError::TooFewEntrants { .. } | ScheduleError::OneSeat => {
            refused.help("leave out --format swiss")
        }
    }
}
