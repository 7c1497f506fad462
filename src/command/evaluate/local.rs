//! A lower bound of exploitability for games that are too large for a tree.

use std::io::Write;

use croupier_engine::RoleId;
use croupier_players::{BlueprintFile, Coverage, PlayerKind};
use croupier_results::Mean;
use croupier_solvers::{Blueprint, LocalBestResponse, MoveTree};
use serde_json::{Map, Value, json};

use super::Arguments;
use crate::{
    answer::Answer,
    clock,
    columns::write_rows,
    coverage::{self, Told},
    engine::Engine,
    entropy,
    failure::Failure,
    interrupt::Interrupt,
    schema::Schema,
    source::Source,
    summary::mean_title,
    threads::progress,
};

/// Matches between two looks at the progress bar.
const STEP: u64 = 16;

/// For each match that is played, how many more deals are looked at to know what hands are worth on average.
const MORE: u64 = 8;

/// What a local best response wins from a player.
struct Won<'w> {
    source: &'w Source,
    /// By player, the name of its role.
    roles: Vec<String>,
    kind: &'w PlayerKind,
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
    let source = Source::find(&arguments.game)?;
    let seed = entropy::seed(arguments.seed.as_deref())?;
    let pool = arguments.threads.pool()?;
    let game = source.compile(&Engine::Auto.options())?;
    let file = kind.blueprint(&game).ok_or_else(|| unknown_strategy(&kind))?;
    let unfit = |problem: String| Failure::refuse("bad-policy", problem).at(&source.origin);
    // A file may know the game by other names.
    let names = file.names(&game).map_err(|error| unfit(error.to_string()))?;
    let tree = MoveTree::new(names.written(&game), BlueprintFile::NODES_MAX)
        .map_err(|error| unfit(error.to_string()))?;
    let blueprint = Blueprint::from_bytes(file.bytes(), &tree).map_err(|error| unfit(error.to_string()))?;
    let response = LocalBestResponse::new(&tree, &blueprint);
    let (wanted, seats) = (u64::from(arguments.matches), tree.players().len());
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
    let told = Told::of(&kind, &coverage);
    told.check()?;
    told.warn();
    let name = |&role: &RoleId| game.roles().name(names.own_role(role)).to_owned();
    let roles = tree.players().iter().map(name).collect();
    let (seed, seconds) = (seed.reveal(), begun.elapsed().as_secs_f64());
    let won = Won { source: &source, roles, kind: &kind, seed, goals, strengths, coverage, seconds };
    if arguments.json {
        won.write_json(out)?
    } else {
        won.write(out)?
    }
    Ok(Answer::Yes)
}

fn unknown_strategy(kind: &PlayerKind) -> Failure {
    let message = format!("a local best response has to know the strategy, and {kind} has no file with one");
    Failure::refuse("unknown-strategy", message)
        .help("use --player policy:FILE with a file of `croupier solve --abstract --policy FILE`, or resolve in hold'em")
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
        self.source.facts.payoff.as_ref().map_or(mean, |payoff| mean.in_units(payoff))
    }

    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (matches, unit) = (self.goals[0].len(), self.source.facts.unit());
        writeln!(out, "{}: a local best response to {}", self.source.name, self.kind)?;
        writeln!(out, "{matches} deals, each in every seat, in {:.1} s; seed {}", self.seconds, self.seed)?;
        writeln!(out, "{}\n", Told::of(self.kind, &self.coverage).line())?;
        let words = &self.source.facts.words;
        let mut rows = vec![["role", &mean_title(unit), "95 % interval"].map(str::to_owned).to_vec()];
        let names = self.roles.iter().enumerate().map(|(seat, role)| (words.symbol_text(role), Some(seat)));
        for (name, seat) in names.chain([("all".to_owned(), None)]) {
            let mean = self.mean(seat);
            let interval =
                mean.interval().map_or(String::new(), |[least, most]| format!("{least:+.4} to {most:+.4}"));
            rows.push(vec![name, format!("{:+.4}", mean.mean), interval]);
        }
        write_rows(out, &rows)?;
        writeln!(out, "\na best response wins at least as much")?;
        Ok(())
    }

    fn write_json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let object = |seat: Option<usize>| {
            let mean = self.mean(seat);
            json!({ "mean": mean.mean, "interval_95": mean.interval() })
        };
        let role = |(seat, role): (usize, &String)| (role.clone(), object(Some(seat)));
        let roles: Map<String, Value> = self.roles.iter().enumerate().map(role).collect();
        let report = json!({
            "game": self.source.name,
            "player": self.kind.to_string(),
            "seed": self.seed,
            "matches": self.goals[0].len(),
            "coverage": coverage::as_json(Some(&self.coverage)),
            "seconds": self.seconds,
            "unit": self.source.facts.unit(),
            "roles": roles,
            "all": object(None),
        });
        Schema::EvaluateLocal.write(out, report)?;
        Ok(())
    }
}
