//! A tournament for people, and as comma-separated values.

use std::{io::Write, path::Path};

use croupier_games::printable;
use croupier_players::{Coverage, PlayerKind};
use croupier_results::{Heading, LookedUp, Mean, Schedule, Standing, Standings};

use super::entrants::{Entrant, Participant};
use crate::{
    arguments::{seating::SeatSpec, source::Source},
    output::{
        columns::write_rows,
        coverage::StrategyCoverage,
        failure::Failure,
        summary::{GoalBounds, goal_cells, goal_interval, mean_title, payoff_cells},
    },
    sessions::{conduct::SeatConduct, series::Ending},
};

/// What a tournament came to, for the terminal, CSV and JSON.
pub(super) struct TournamentSummary<'r> {
    pub(super) source: &'r Source,
    pub(super) heading: &'r Heading,
    pub(super) entrants: &'r [Entrant],
    pub(super) schedule: &'r Schedule,
    pub(super) standings: &'r Standings,
    /// The range that goals are in.
    pub(super) bounds: GoalBounds,
    /// Matches that are over, those of earlier runs included.
    pub(super) matches: u64,
    /// Why it is over.
    pub(super) ending: Ending,
}

impl TournamentSummary<'_> {
    /// How often the strategies in files had an entry.
    fn coverages(&self) -> impl Iterator<Item = (&PlayerKind, Coverage)> {
        self.standings.rows.iter().filter_map(|standing| {
            let LookedUp { met, known } = standing.looked_up?;
            let Participant::InTurns(SeatSpec::Player(kind)) = &self.entrants[standing.entrant].spec else {
                return None;
            };
            Some((kind, Coverage { met, known, ..Coverage::default() }))
        })
    }

    /// Refuses a strategy that has nothing to say in this game.
    ///
    /// # Errors
    /// If one that was asked had not one answer.
    pub(super) fn check_coverage(&self) -> Result<(), Failure> {
        self.coverages().try_for_each(|(kind, coverage)| StrategyCoverage::of(kind, &coverage).check())
    }

    fn name(&self, standing: &Standing) -> &str {
        &self.entrants[standing.entrant].name
    }

    /// Says on standard error what nobody would guess from the table.
    pub(super) fn warn(&self) {
        let mut lines = Vec::new();
        if let Some(count) = self.standings.unfinished.get("void") {
            lines.push(format!(
                "warning[void]: {count} matches did not begin, for a player could not be reached or stayed busy"
            ));
            lines.push("  help: --allow-absent plays with moves drawn for whoever is absent".to_owned());
        }
        if self.ending == Ending::Absent {
            let (played, all) = (self.matches, self.schedule.matches_count());
            lines.push(format!(
                "warning[absent]: after {played} of {all} matches the tournament ends: the last ones did not begin"
            ));
        }
        for standing in &self.standings.rows {
            let conduct = SeatConduct::from(&standing.drawn);
            if conduct.substituted() > 0 {
                let (name, drawn) = (self.name(standing), conduct.drawn());
                lines.push(format!("warning[substituted]: {name}: {drawn}"));
            }
        }
        lines.extend(self.bounds.warning(&self.source.facts));
        lines.extend(
            self.coverages().filter_map(|(kind, coverage)| StrategyCoverage::of(kind, &coverage).warning()),
        );
        let mut err = anstream::stderr().lock();
        for line in lines {
            // Nobody is left to be told if standard error is closed.
            let _ = writeln!(err, "{}", printable(&line));
        }
    }

    /// Prints the table, and who did how well against whom.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let kind = if self.heading.duplicate { ", each deal in every rotation of the seats" } else { "" };
        let groups = self.schedule.groups_count();
        let rounds = match self.schedule {
            Schedule::RoundRobin(_) => String::new(),
            Schedule::Swiss(swiss) => format!(" in {} rounds", swiss.rounds_played()),
        };
        writeln!(
            out,
            "{}: {} matches{rounds}{kind}; {} for each of {groups} group{}{}",
            self.source.facts.title,
            self.matches,
            self.schedule.matches_of_group(),
            if groups == 1 { "" } else { "s" },
            if rounds.is_empty() { "" } else { " in each round" },
        )?;
        for (status, count) in &self.standings.unfinished {
            writeln!(out, "without goals: {count} ({})", printable(&status.replace('_', " ")))?;
        }
        writeln!(out)?;
        write_rows(out, &self.rows())?;
        if self.entrants.len() > 2 && self.against().is_some() {
            writeln!(out, "\nmean goal against")?;
            write_rows(out, &self.against().unwrap_or_default())?;
        }
        if self.ending == Ending::Interrupted {
            let (played, all) = (self.matches, self.schedule.matches_count());
            writeln!(out, "\ninterrupted: {played} of {all} matches were played")?;
        }
        writeln!(out)?;
        for (kind, coverage) in self.coverages().filter(|(kind, _)| kind.name() != "resolve") {
            writeln!(out, "{}", StrategyCoverage::of(kind, &coverage).line())?;
        }
        writeln!(out, "seed {}", self.heading.seed)?;
        Ok(())
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let mut head = vec!["player"];
        if matches!(self.schedule, Schedule::Swiss(_)) {
            head.extend(["points", "Buchholz", "byes"]);
        }
        head.extend(["seats", "mean goal", "95 % interval"]);
        let unit = self.source.facts.payoff.as_ref().map(|payoff| mean_title(&payoff.unit));
        head.extend(unit.as_deref().into_iter().flat_map(|unit| [unit, "95 % interval"]));
        head.extend(["won", "drawn", "lost", "rating"]);
        // In real time nobody is asked for a move, and none is drawn.
        let has_moves = matches!(self.entrants[0].spec, Participant::InTurns(_));
        head.extend(has_moves.then_some("moves drawn"));
        let mut rows = vec![head.into_iter().map(str::to_owned).collect()];
        for standing in &self.standings.rows {
            let mut row = vec![self.name(standing).to_owned()];
            if let Some(place) = standing.swiss {
                let [points, buchholz] = [place.points, place.buchholz].map(|value| format!("{value:.1}"));
                row.extend([points, buchholz, place.byes.to_string()]);
            }
            row.push(standing.seats.to_string());
            row.extend(mean_cells(standing.mean, |mean| goal_cells(mean, self.bounds)));
            if let Some(payoff) = &self.source.facts.payoff {
                row.extend(mean_cells(standing.mean, |mean| payoff_cells(mean, self.bounds, payoff)));
            }
            row.extend(standing.won_drawn_lost.map(|count| count.to_string()));
            let rating = self.standings.ratings.mean_and_uncertainty(standing.entrant);
            row.push(rating.map_or_else(dash, |(rating, error)| format!("{rating:.1} +- {error:.1}")));
            row.extend(has_moves.then(|| SeatConduct::from(&standing.drawn).count()));
            rows.push(row);
        }
        rows
    }

    /// A row and a column for each entrant; `None` where nobody met anybody.
    fn against(&self) -> Option<Vec<Vec<String>>> {
        let order: Vec<&Standing> = self.standings.rows.iter().collect();
        let head = std::iter::once("").chain(order.iter().map(|standing| self.name(standing)));
        let mut rows: Vec<Vec<String>> = vec![head.map(str::to_owned).collect()];
        for one in &order {
            let mut row = vec![self.name(one).to_owned()];
            row.extend(order.iter().map(|other| {
                let mean = self.standings.against[one.entrant][other.entrant];
                mean.map_or_else(dash, |Mean { mean, margin }| match margin {
                    Some(margin) => format!("{mean:.2} +- {margin:.2}"),
                    None => format!("{mean:.2}"),
                })
            }));
            rows.push(row);
        }
        let has_met = self.standings.against.iter().flatten().any(Option::is_some);
        has_met.then_some(rows)
    }

    /// Writes the table for spreadsheets.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write_csv(&self, path: &Path) -> Result<(), Failure> {
        let write = || -> csv::Result<()> {
            let mut writer = csv::Writer::from_path(path)?;
            let mut head = vec![
                "player",
                "seats",
                "mean_goal",
                "low_95",
                "high_95",
                "won",
                "drawn",
                "lost",
                "rating",
                "rating_uncertainty",
                "moves",
                "substituted",
            ];
            if matches!(self.schedule, Schedule::Swiss(_)) {
                head.extend(["points", "buchholz", "byes"]);
            }
            writer.write_record(head)?;
            for standing in &self.standings.rows {
                let interval = standing.mean.and_then(|mean| goal_interval(mean, self.bounds));
                let [low, high] = [0, 1].map(|end| interval.map(|interval| interval[end]));
                let [won, drawn, lost] = standing.won_drawn_lost.map(|count| count.to_string());
                let rating = self.standings.ratings.mean_and_uncertainty(standing.entrant);
                let conduct = SeatConduct::from(&standing.drawn);
                let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
                let mut row = vec![
                    self.name(standing).to_owned(),
                    standing.seats.to_string(),
                    number(standing.mean.map(|mean| mean.mean)),
                    number(low),
                    number(high),
                    won,
                    drawn,
                    lost,
                    number(rating.map(|rating| rating.0)),
                    number(rating.map(|rating| rating.1)),
                    conduct.moves.to_string(),
                    conduct.substituted().to_string(),
                ];
                if let Some(place) = standing.swiss {
                    row.extend([
                        place.points.to_string(),
                        place.buchholz.to_string(),
                        place.byes.to_string(),
                    ]);
                }
                writer.write_record(row)?;
            }
            Ok(writer.flush()?)
        };
        write().map_err(|error| {
            Failure::refuse("unwritable-file", error.to_string()).at(&path.display().to_string())
        })
    }
}

fn mean_cells(mean: Option<Mean>, cells: impl Fn(Mean) -> [String; 2]) -> [String; 2] {
    mean.map_or_else(|| [dash(), dash()], cells)
}

fn dash() -> String {
    "-".to_owned()
}
