//! What a player does in every information set.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_players::{Approaches, Budget, Coverage, Decision, Player, PlayerError, PlayerKind};
use croupier_results::student_quantile;
use croupier_solvers::{Evaluation, InformationSetId, Policy};
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;

use super::{Measurement, Thinking};
use crate::{
    measurement::unfolded::Unfolded,
    output::{
        coverage::{StrategyCoverage, player_refusal},
        failure::Failure,
    },
    sessions::{clock, interrupt::Interrupt},
};

/// Information sets that one player is asked in, one after another.
const SETS_AT_ONCE: usize = 16;

/// Groups of seeds that the jackknife leaves out in turn, at most.
const GROUPS_MAX: usize = 10;

/// The strategy of a player in every information set of a tree.
#[derive(Debug)]
pub(super) struct Reading {
    /// By [`InformationSetId`].
    sets: Vec<Found>,
    /// How many seeds it was asked with.
    pub(super) seeds: usize,
    /// Decisions that were made.
    pub(super) decisions: u64,
    /// Time from the first question to the last answer.
    pub(super) elapsed: Duration,
    /// What all decisions took together, each on its thread.
    pub(super) thought: Duration,
    /// The longest decision.
    pub(super) longest: Duration,
    /// Iterations of all decisions together.
    pub(super) iterations: u64,
    /// How often a strategy in a file had an entry, if the player goes by one.
    pub(super) coverage: Option<Coverage>,
    /// In which of its ways the player decided, if it has several.
    pub(super) approaches: Option<Approaches>,
}

/// What is known of one information set.
#[derive(Clone, Debug)]
enum Found {
    /// The player's own mixed strategy.
    Strategy(Vec<f64>),
    /// The place of the move that was chosen with each seed.
    Choices(Vec<u32>),
}

/// What one thread found.
struct Part {
    sets: Vec<(InformationSetId, Found)>,
    decisions: u64,
    thought: Duration,
    longest: Duration,
    iterations: u64,
    coverage: Option<Coverage>,
    approaches: Option<Approaches>,
}

/// Exploitability with unlimited seeds, by the jackknife, in goal values.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Corrected {
    /// What remains of it with unlimited seeds, to first order.
    pub(super) exploitability: f64,
    /// Half of the 95 % interval.
    #[serde(rename = "margin_95")]
    pub(super) margin: f64,
    /// Groups of seeds.
    pub(super) groups: usize,
}

impl Corrected {
    /// The same in units of so many goal values.
    pub(super) fn over(self, scale: f64) -> Self {
        Self { exploitability: self.exploitability / scale, margin: self.margin / scale, ..self }
    }
}

impl Reading {
    /// Asks a player everywhere.
    ///
    /// # Errors
    /// If the player fails somewhere, or the command is interrupted.
    pub(super) fn new(asking: &Asking<'_>, bar: &ProgressBar) -> Result<Self, Failure> {
        let Asking { unfolded, measurement, .. } = *asking;
        // Neighbours in this order share most of their turns, which a player takes in only once.
        let mut ids: Vec<InformationSetId> = unfolded.tree.information_sets().collect();
        ids.sort_by_cached_key(|&id| unfolded.tree.information_set(id));
        let mut chunks: Vec<&[InformationSetId]> = Vec::new();
        for player in 0..unfolded.tree.players().len() {
            let start = ids.partition_point(|&id| unfolded.tree.player(id) < player);
            let end = ids.partition_point(|&id| unfolded.tree.player(id) <= player);
            chunks.extend(ids[start..end].chunks(SETS_AT_ONCE));
        }
        let begun = clock::now();
        let ask = |chunk: &&[InformationSetId]| {
            let part = asking.ask(chunk)?;
            bar.inc(chunk.len() as u64);
            Ok(part)
        };
        let parts: Vec<Part> = chunks.par_iter().map(ask).collect::<Result<_, Failure>>()?;
        let mut reading = Self {
            sets: vec![Found::Choices(Vec::new()); ids.len()],
            seeds: measurement.seeds as usize,
            decisions: 0,
            elapsed: begun.elapsed(),
            thought: Duration::ZERO,
            longest: Duration::ZERO,
            iterations: 0,
            coverage: None,
            approaches: None,
        };
        for part in parts {
            reading.decisions += part.decisions;
            reading.thought += part.thought;
            reading.longest = reading.longest.max(part.longest);
            reading.iterations += part.iterations;
            reading.coverage = Coverage::sum([reading.coverage, part.coverage]);
            if let Some(approaches) = part.approaches {
                reading.approaches.get_or_insert_default().add(&approaches);
            }
            for (id, found) in part.sets {
                reading.sets[id.index()] = found;
            }
        }
        Ok(reading)
    }

    /// What is said of the strategy in a file that the player goes by.
    pub(super) fn strategy_coverage(&self, kind: &PlayerKind) -> Option<StrategyCoverage<'_>> {
        Some(StrategyCoverage::of(kind, self.coverage.as_ref()?))
    }

    /// In how many information sets the player knows its strategy.
    pub(super) fn known_count(&self) -> usize {
        self.sets.iter().filter(|found| matches!(found, Found::Strategy(_))).count()
    }

    /// The strategy, choices counted over all seeds.
    pub(super) fn policy(&self, unfolded: &Unfolded) -> Policy {
        self.policy_of(unfolded, |_| true)
    }

    /// The same with the choices of some of the seeds, of which there has to be one.
    fn policy_of(&self, unfolded: &Unfolded, is_counted: impl Fn(usize) -> bool) -> Policy {
        Policy::from_fn(&unfolded.form, |id, probabilities| match &self.sets[id.index()] {
            Found::Strategy(strategy) => probabilities.copy_from_slice(strategy),
            Found::Choices(choices) => {
                probabilities.fill(0.0);
                let counted = || (0..choices.len()).filter(|&number| is_counted(number));
                let each = 1.0 / counted().count() as f64;
                for number in counted() {
                    probabilities[choices[number] as usize] += each;
                }
            }
        })
    }

    /// Exploitability with unlimited seeds, estimated by leaving out one group of seeds after the other; `None` with one
    /// seed, and where there is nothing to estimate.
    ///
    /// # Sources
    /// M. Quenouille, "Notes on Bias in Estimation", Biometrika 43, 1956; intervals as J. Tukey's (1958), by Student's t.
    pub(super) fn corrected(&self, unfolded: &Unfolded) -> Option<Corrected> {
        let groups = self.seeds.min(GROUPS_MAX);
        if groups < 2 || self.known_count() == self.sets.len() {
            return None;
        }
        let far = |policy: &Policy| Evaluation::new(&unfolded.form, policy).exploitability();
        let without = |group: usize| far(&self.policy_of(unfolded, |number| number % groups != group));
        let parts: Vec<f64> = (0..groups).into_par_iter().map(without).collect();
        let count = groups as f64;
        let mean = parts.iter().sum::<f64>() / count;
        let spread: f64 = parts.iter().map(|part| (part - mean).powi(2)).sum();
        Some(Corrected {
            exploitability: count * far(&self.policy(unfolded)) - (count - 1.0) * mean,
            margin: student_quantile(count - 1.0) * ((count - 1.0) / count * spread).sqrt(),
            groups,
        })
    }
}

/// How a player is asked.
pub(super) struct Asking<'a> {
    pub(super) measurement: &'a Measurement<'a>,
    pub(super) unfolded: &'a Unfolded,
    pub(super) interrupt: &'a Interrupt,
}

impl Asking<'_> {
    /// Asks in some information sets of one role, with one seed after the other.
    fn ask(&self, ids: &[InformationSetId]) -> Result<Part, Failure> {
        let Measurement { kind, seed, seeds, start_time, .. } = *self.measurement;
        let tree = &self.unfolded.tree;
        let role = tree.players()[tree.player(ids[0])];
        let game = Arc::new(self.unfolded.game.fork());
        let mut part = Part {
            sets: ids.iter().map(|&id| (id, Found::Choices(Vec::new()))).collect(),
            decisions: 0,
            thought: Duration::ZERO,
            longest: Duration::ZERO,
            iterations: 0,
            coverage: None,
            approaches: None,
        };
        for number in 0..seeds {
            if part.sets.iter().all(|(_, found)| matches!(found, Found::Strategy(_))) {
                break;
            }
            let seed = seed.for_match(number.into()).agent(game.roles().name(role));
            let player = kind.player(Arc::clone(&game), role, seed);
            let mut player =
                player.map_err(|error| player_refusal(&error, "player-failed").at(&kind.to_string()))?;
            if let Some(time) = start_time {
                let begun = clock::now();
                player.prepare(&mut Budget::Until(&mut || begun.elapsed() >= time));
            }
            for place in 0..part.sets.len() {
                let (id, found) = &part.sets[place];
                if self.interrupt.is_raised() {
                    return Err(Failure::Interrupted);
                }
                if matches!(found, Found::Strategy(_)) {
                    continue;
                }
                let id = *id;
                let begun = clock::now();
                let decision = self.decide(&mut *player, id, begun)?;
                let taken = begun.elapsed();
                part.decisions += 1;
                part.thought += taken;
                part.longest = part.longest.max(taken);
                part.iterations += u64::from(decision.iterations);
                self.take(&mut part.sets[place].1, id, &decision);
            }
            part.coverage = Coverage::sum([part.coverage.take(), player.coverage()]);
            if let Some(approaches) = player.approaches() {
                part.approaches.get_or_insert_default().add(&approaches);
            }
        }
        Ok(part)
    }

    fn decide(
        &self,
        player: &mut dyn Player,
        id: InformationSetId,
        begun: Instant,
    ) -> Result<Decision, Failure> {
        let known = self.unfolded.tree.information_set(id);
        let mut is_late = || match self.measurement.thinking {
            Thinking::Time(time) => begun.elapsed() >= time,
            Thinking::Own | Thinking::Iterations(_) => false,
        };
        let mut budget = match self.measurement.thinking {
            Thinking::Own => Budget::Own,
            Thinking::Iterations(iterations) => Budget::Iterations(iterations),
            Thinking::Time(_) => Budget::Offered(&mut is_late),
        };
        player.choose(&known, &mut budget).map_err(|error| {
            failed(self.measurement.kind, &error, Some(self.unfolded.game.information_set_text(&known)))
        })
    }

    /// Takes in a decision; what it says of moves that are not legal here does not count.
    fn take(&self, found: &mut Found, id: InformationSetId, decision: &Decision) {
        let moves = self.unfolded.tree.moves(id);
        if let Some(strategy) = decision.strategy_over(moves) {
            *found = Found::Strategy(strategy);
        } else if let Found::Choices(choices) = found {
            let place = moves.iter().position(|&legal| legal == decision.chosen);
            let place = place.expect("a player chooses among its legal moves");
            choices.push(u32::try_from(place).expect("few moves"));
        }
    }
}

fn failed(kind: &PlayerKind, error: &PlayerError, at: Option<String>) -> Failure {
    let failure = Failure::refuse("player-failed", format!("{kind}: {error}"));
    match at {
        Some(information_set) => failure.at(&information_set),
        None => failure,
    }
}
