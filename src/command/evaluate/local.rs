//! A lower bound of exploitability for games that are too large for a tree.

use std::io::Write;

use croupier_players::{Coverage, PlayerKind};
use croupier_results::Mean;
use croupier_solvers::LocalBestResponse;
use serde::Serialize;

use super::{
    Arguments, MATCHES_LOCAL,
    opponent::{Opponent, WonReport},
};
use crate::{
    answer::Answer,
    clock,
    coverage::{CoverageReport, Told},
    entropy,
    failure::Failure,
    interrupt::Interrupt,
    schema::{Output, output},
    threads::progress,
};

/// Matches between two looks at the progress bar.
const STEP: u64 = 16;

/// For each match that is played, how many more deals are looked at to know what hands are worth on average.
const MORE: u64 = 8;

/// A lower bound of exploitability.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Report<'w> {
    #[serde(flatten)]
    won: WonReport<'w>,
    #[cfg_attr(test, schemars(extend("pattern" = crate::schema::tests::HEX)))]
    seed: &'w str,
    /// How many deals, each in every seat.
    matches: usize,
    coverage: CoverageReport<'w>,
    seconds: f64,
}
output!(EvaluateLocal: Report<'_>);

/// What a local best response wins from a player.
struct Won<'w> {
    opponent: &'w Opponent,
    seed: String,
    /// By player and match, in goal values.
    goals: Vec<Vec<f64>>,
    /// By player and match, the strength of its hands; [`MORE`] times as many.
    strengths: Vec<Vec<Vec<f64>>>,
    /// How often those who met it had an entry.
    coverage: Coverage,
    seconds: f64,
}

/// Plays a local best response in each seat against the player in all others.
pub(super) fn run(
    arguments: &Arguments,
    kind: PlayerKind,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let seed = entropy::seed(arguments.seed.as_deref())?;
    let pool = arguments.threads.pool()?;
    let opponent = Opponent::read(&arguments.game, kind, "a local best response")?;
    let response = LocalBestResponse::new(&opponent.tree, &opponent.blueprint);
    let (wanted, seats) = (u64::from(arguments.matches.unwrap_or(MATCHES_LOCAL)), opponent.seats());
    let mut goals = vec![Vec::new(); seats];
    let mut coverage = Coverage::default();
    let (bar, key) = (progress(wanted, "matches"), seed.agent("local"));
    let begun = clock::now();
    for first in (0..wanted).step_by(STEP as usize) {
        let matches = first..(first + STEP).min(wanted);
        for (seat, goals) in goals.iter_mut().enumerate() {
            if interrupt.is_raised() {
                return Err(Failure::Interrupted);
            }
            for result in pool.install(|| response.play(seat, matches.clone(), key)) {
                goals.push(result.goal);
                coverage.met += result.met;
                coverage.known += result.known;
            }
        }
        bar.set_position(matches.end);
    }
    let deals = 0..wanted * (1 + MORE);
    let strengths = |seat| pool.install(|| response.strengths(seat, deals.clone(), key));
    let strengths = (0..seats).map(strengths).collect();
    bar.finish_and_clear();
    let told = Told::of(&opponent.kind, &coverage);
    told.check()?;
    told.warn();
    let (seed, seconds) = (seed.reveal(), begun.elapsed().as_secs_f64());
    let won = Won { opponent: &opponent, seed, goals, strengths, coverage, seconds };
    if arguments.json {
        won.write_json(out)?
    } else {
        won.write(out)?
    }
    Ok(Answer::Yes)
}

impl Won<'_> {
    /// What it wins in one seat, or on average over all, in the unit of the literature if the game has one.
    fn mean(&self, seat: Option<usize>) -> Mean {
        let seats = seat.map_or(0..self.goals.len(), |seat| seat..seat + 1);
        let each = |place: usize| {
            self.goals[seats.clone()].iter().map(|goals| goals[place]).sum::<f64>() / seats.len() as f64
        };
        let goals: Vec<f64> = (0..self.goals[0].len()).map(each).collect();
        let luck =
            |place: usize| self.strengths[seats.clone()].iter().flat_map(|one| one[place].clone()).collect();
        let luck: Vec<Vec<f64>> = (0..self.strengths[0].len()).map(luck).collect();
        let (own, more) = luck.split_at(goals.len());
        let mean = Mean::controlled(&goals, own, more).expect("one match or more");
        self.opponent.in_units(mean)
    }

    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Opponent { source, kind, .. } = self.opponent;
        writeln!(out, "{}: a local best response to {kind}", source.name)?;
        let matches = self.goals[0].len();
        writeln!(out, "{matches} deals, each in every seat, in {:.1} s; seed {}", self.seconds, self.seed)?;
        writeln!(out, "{}\n", Told::of(kind, &self.coverage).line())?;
        self.opponent.write(|seat| self.mean(seat), out)
    }

    fn write_json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let report = Report {
            won: self.opponent.report(|seat| self.mean(seat)),
            seed: &self.seed,
            matches: self.goals[0].len(),
            coverage: (&self.coverage).into(),
            seconds: self.seconds,
        };
        report.write_json(out)?;
        Ok(())
    }
}
