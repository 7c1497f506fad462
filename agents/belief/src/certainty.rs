//! What is certain about a state: what is true in every history that a role cannot tell from the true one, and proved to be.
//!
//! Where every history is there, that is all of it. Otherwise it is what a run of the tape with unknown inputs proves,
//! and what a SAT solver proves of the rest within a budget (`rescue/backbone.rs`). Tables for people show that and
//! nothing else as known; `src/belief` reports it, for the command `belief` and at the prompt.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{
    FluentId, Game, InformationSet, State,
    game::{GameNetwork, PerceptReading},
};

use crate::{
    Distribution,
    particle::Bound,
    questions::{FluentQuestions, Looks},
    rescue::{Claim, ProofLimits, proved},
};

/// What is certain about a state, and what is not. Nothing in it is a guess: what merely no sample contradicts is open.
///
/// ```
/// use std::sync::Arc;
/// use croupier_belief::{Believer, Methods, Opponents};
/// use croupier_engine::InformationSet;
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// let bob = game.roles().find("bob").ok_or("a role of the game")?;
/// let mut believer = Believer::new(Arc::clone(&game), bob, Methods::brief([0; 32]), &Opponents::uniform())?;
/// let mut known = InformationSet::initial(bob);
/// known.turns.push(game.own_turn("noop", ["(dealt alice)"])?);
/// known.turns.push(game.own_turn("noop", ["(hole queen)"])?);
/// believer.follow(&known)?;
/// let certainty = believer.certainty(&|_| None);
/// assert!(certainty.proved.contains(&game.fluent_id("(hand bob queen)")?));
/// assert!(certainty.open.contains(&game.fluent_id("(hand alice king)")?));
/// assert!(certainty.is_closed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certainty {
    /// Fluents that are true in every history, in canonical order.
    pub proved: Vec<FluentId>,
    /// Fluents that may be true, and may be false as far as is proved, in canonical order.
    pub open: Vec<FluentId>,
    /// Of open fluents that look alike, as many as are true in every history: which of them are is what is open.
    pub alike: Vec<FluentId>,
    /// Of open fluents that look alike, those of which it is certain how many are true.
    pub copies: Vec<FluentId>,
    /// Whether every other fluent is proved to be false; otherwise any may be true.
    pub is_closed: bool,
}

/// Bounds of a proof for a table that somebody waits for: a second, as a rule far less.
const LIMITS: ProofLimits = ProofLimits { nodes: 3_000_000, conflicts: 5_000, conflicts_each: 500 };

impl Certainty {
    /// Nothing is certain but what no fluent contradicts: these may be true, and others too.
    pub(crate) fn unproved(game: &Game, sample: &Distribution) -> Self {
        let open = sample.marginals(game).into_iter().map(|marginal| marginal.fluent);
        Self { open: open.collect(), ..Self::default() }
    }

    /// What is certain if these states are all that there are.
    pub(crate) fn complete(game: &Game, all: &Distribution, looks: Looks<'_>) -> Self {
        let marginals = all.marginals(game);
        let (proved, open): (Vec<_>, Vec<_>) =
            marginals.into_iter().partition(|marginal| marginal.probability >= 1.0);
        let texts: Vec<(FluentId, &str)> = open.iter().map(|open| (open.fluent, &*open.text)).collect();
        let (mut alike, mut copies) = (Vec::new(), Vec::new());
        for group in groups(&texts, looks) {
            let (least, most) = numbers(all, &group);
            alike.extend(group.iter().copied().take(least));
            if least == most {
                copies.extend(group);
            }
        }
        Self {
            alike,
            copies,
            proved: proved.iter().map(|marginal| marginal.fluent).collect(),
            open: open.iter().map(|marginal| marginal.fluent).collect(),
            is_closed: true,
        }
    }

    /// What can be proved where these states are some of those that there are: by `bounds` of a lookahead, and beyond them by a
    /// solver that looks for a history in which something else holds.
    pub(crate) fn sampled(
        game: &Game,
        network: &GameNetwork,
        known: &InformationSet,
        bounds: Option<&[Bound]>,
        sample: &Distribution,
        words: FluentQuestions<'_>,
    ) -> Self {
        let mut texts: Vec<(String, usize)> = (0..network.fluents().len())
            .map(|base| (game.fluent_text(network.fluents()[base]).to_string(), base))
            .collect();
        texts.sort_unstable();
        let is_solved = game.percept_reading() == PerceptReading::OldState;
        let mut trial = SampledBases::default();
        for &(ref text, base) in &texts {
            let bound = bounds.map_or(Bound { may_hold: true, may_fail: true }, |bounds| bounds[base]);
            let probability = sample.probability(network.fluents()[base]);
            match (bound.may_hold, bound.may_fail) {
                (true, false) => drop(trial.proved.insert(base)),
                (false, _) => {}
                (true, true)
                    if is_solved && (probability >= 1.0 || probability <= 0.0) && (words.asked)(text) =>
                {
                    trial.claims.push(Claim::Is(base, probability >= 1.0));
                }
                (true, true) => drop(trial.open.insert(base)),
            }
        }
        let unsettled = trial.unsettled();
        let unsettled: Vec<(FluentId, &str)> = texts
            .iter()
            .filter(|(text, base)| unsettled.contains(base) && (words.asked)(text))
            .map(|(text, base)| (network.fluents()[*base], &**text))
            .collect();
        for group in groups(&unsettled, words.looks) {
            let (least, most) = numbers(sample, &group);
            let bases: Vec<usize> = group.into_iter().filter_map(|fluent| network.base(fluent)).collect();
            trial.claims.extend((least > 0).then(|| Claim::AtLeast(least, bases.clone())));
            // Only where no fewer are shown it matters that there are no more.
            trial.claims.extend((0 < least && least == most).then_some(Claim::AtMost(most, bases)));
        }
        let outcome = trial.settle(game, known);
        let in_order = |bases: &BTreeSet<usize>| -> Vec<FluentId> {
            let listed = texts.iter().filter(|(_, base)| bases.contains(base));
            listed.map(|(_, base)| network.fluents()[*base]).collect()
        };
        Self {
            proved: in_order(&outcome.proved),
            open: in_order(&outcome.open),
            alike: in_order(&outcome.alike),
            copies: in_order(&outcome.copies),
            is_closed: true,
        }
    }
}

/// The bases of a sample.
#[derive(Debug, Default)]
struct SampledBases {
    proved: BTreeSet<usize>,
    open: BTreeSet<usize>,
    /// What the sample says alike of all states, and a solver shall confirm.
    claims: Vec<Claim>,
}

/// What became of the bases of a sample.
struct SampleOutcome {
    proved: BTreeSet<usize>,
    open: BTreeSet<usize>,
    alike: BTreeSet<usize>,
    copies: BTreeSet<usize>,
}

impl SampledBases {
    fn unsettled(&self) -> BTreeSet<usize> {
        let claimed = self.claims.iter().filter_map(|claim| match claim {
            Claim::Is(base, _) => Some(*base),
            Claim::AtLeast(..) | Claim::AtMost(..) => None,
        });
        self.open.iter().copied().chain(claimed).collect()
    }

    fn settle(self, game: &Game, known: &InformationSet) -> SampleOutcome {
        let is_proved = proved(game, known, &self.claims, LIMITS);
        let mut outcome = SampleOutcome {
            proved: self.proved,
            open: self.open,
            alike: BTreeSet::new(),
            copies: BTreeSet::new(),
        };
        let mut is_counted = false;
        for (claim, is_proved) in self.claims.iter().zip(is_proved) {
            match claim {
                Claim::Is(base, true) if is_proved => drop(outcome.proved.insert(*base)),
                Claim::Is(_, false) if is_proved => {}
                Claim::Is(base, _) => drop(outcome.open.insert(*base)),
                Claim::AtLeast(count, bases) if is_proved => {
                    let certain = bases.iter().filter(|base| outcome.proved.contains(base)).count();
                    let open = bases.iter().filter(|base| outcome.open.contains(base));
                    outcome.alike.extend(open.take(count.saturating_sub(certain)));
                    is_counted = true;
                }
                // It stands behind the claim that there are no fewer.
                Claim::AtMost(_, bases) if is_proved && is_counted => {
                    outcome.copies.extend(bases.iter().filter(|base| outcome.open.contains(base)));
                }
                Claim::AtLeast(..) => is_counted = false,
                Claim::AtMost(..) => {}
            }
        }
        outcome
    }
}

/// Fluents that look alike, at least two of each kind.
fn groups(fluents: &[(FluentId, &str)], looks: Looks<'_>) -> Vec<Vec<FluentId>> {
    let mut groups: BTreeMap<String, Vec<FluentId>> = BTreeMap::new();
    for (fluent, text) in fluents {
        if let Some(look) = looks(text) {
            groups.entry(look).or_default().push(*fluent);
        }
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// How many of these fluents are true in each of these states: at least, and at most.
fn numbers(states: &Distribution, fluents: &[FluentId]) -> (usize, usize) {
    let count = |(state, _): (&State, f64)| fluents.iter().filter(|fluent| state.contains(**fluent)).count();
    let counts: Vec<usize> = states.iter().map(count).collect();
    (counts.iter().copied().min().unwrap_or(0), counts.iter().copied().max().unwrap_or(0))
}
