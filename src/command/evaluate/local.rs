//! A lower bound of exploitability for games that are too large for a tree.

use std::io::Write;

use croupier_players::{Coverage, PlayerKind};
use croupier_results::Mean;
use croupier_solvers::LocalBestResponse;
use serde::Serialize;

use super::{
    Arguments, MATCHES_LOCAL,
    opponent::{Opponent, WonReport, means},
};
use crate::{
    arguments::{entropy, threads::progress},
    output::{
        answer::Answer,
        coverage::{CoverageReport, StrategyCoverage},
        failure::Failure,
        schema::{Output, output},
    },
    sessions::{clock, interrupt::Interrupt},
};

/// Matches between two looks at the progress bar.
const STEP: u64 = 16;

/// For each match that is played, how many more deals are looked at to know what hands are worth on average.
const MORE: u64 = 8;

/// A lower bound of exploitability.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EvaluateLocalReport<'w> {
    #[serde(flatten)]
    won: WonReport<'w>,
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: String,
    /// How many deals, each in every seat.
    matches: usize,
    coverage: CoverageReport<'w>,
    seconds: f64,
}
output!(EvaluateLocal: EvaluateLocalReport<'_>);

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
    let strengths: Vec<_> = (0..seats).map(strengths).collect();
    bar.finish_and_clear();
    let strategy = StrategyCoverage::of(&opponent.kind, &coverage);
    strategy.check()?;
    strategy.warn();
    let report = EvaluateLocalReport {
        won: opponent.report(|seat| mean(&goals, &strengths, seat)),
        seed: seed.reveal(),
        matches: goals[0].len(),
        coverage: (&coverage).into(),
        seconds: begun.elapsed().as_secs_f64(),
    };
    if arguments.json {
        report.write_json(out)?;
    } else {
        let EvaluateLocalReport { won, seed, matches, seconds, .. } = &report;
        writeln!(out, "{}: a local best response to {}", won.game, won.player)?;
        writeln!(out, "{matches} deals, each in every seat, in {seconds:.1} s; seed {seed}")?;
        writeln!(out, "{}\n", strategy.line())?;
        opponent.write(won, out)?;
    }
    Ok(Answer::Yes)
}

/// What it wins in one seat, or on average over all, in goal values: from goals by player and match, and from the strength of hands by
/// player and match, [`MORE`] times as many.
fn mean(goals: &[Vec<f64>], strengths: &[Vec<Vec<f64>>], seat: Option<usize>) -> Mean {
    let seats = seat.map_or(0..goals.len(), |seat| seat..seat + 1);
    let luck = |place: usize| strengths[seats.clone()].iter().flat_map(|one| one[place].clone()).collect();
    let luck: Vec<Vec<f64>> = (0..strengths[0].len()).map(luck).collect();
    let goals = means(goals, seat);
    let (own, more) = luck.split_at(goals.len());
    Mean::controlled(&goals, own, more).expect("one match or more")
}
