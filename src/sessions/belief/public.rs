//! A public belief state in words and as data.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use croupier_belief::Basis;
use croupier_engine::{Game, MoveId, PerceptId};
use croupier_games::GameFacts;
use croupier_public::{PrivateState, PublicOutlook};
use serde::Serialize;

use super::report::percent;
use crate::output::{
    columns::write_rows,
    coverage::{CoverageReport, StrategyCoverage},
    schema::output,
};

/// A public belief state, and how it is told.
pub(crate) struct PublicTable<'t> {
    /// Which match of a file it is of.
    pub(crate) number: Option<usize>,
    pub(crate) game: &'t Game,
    pub(crate) facts: &'t GameFacts,
    pub(crate) outlook: &'t PublicOutlook,
    /// How many of the likeliest private states of each player are shown.
    pub(crate) top: usize,
    /// How often models in files had an entry.
    pub(crate) coverage: Option<StrategyCoverage<'t>>,
}

/// What everybody knows of a match: what was public, and how likely each player is to have each of its private states. Terms of the rules
/// are in prefix syntax, such as `(did alice bet)`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PublicReport<'t> {
    /// Null for a game without a record.
    #[serde(rename = "match")]
    number: Option<usize>,
    turn: usize,
    #[cfg_attr(test, schemars(extend("enum" = ["exact", "particle"])))]
    method: &'static str,
    /// With `exact`: how many have the same public percepts. Histories that lead to the same state and to the same private states are
    /// one.
    #[serde(skip_serializing_if = "Option::is_none")]
    histories: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    particles: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effective_particles: Option<f64>,
    /// What was public in each turn.
    told: Vec<Vec<String>>,
    players: Vec<PrivateRange<'t>>,
    /// Null if no model in a file is used.
    coverage: Option<CoverageReport<'t>>,
}
output!(PublicBelief: PublicReport<'_>);

/// The private states of a player, the likeliest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PrivateRange<'t> {
    role: &'t str,
    /// How many private states are possible, or were found.
    states: usize,
    entropy_bits: f64,
    /// 2 to the power of the entropy.
    effective_states: f64,
    private: Vec<PrivateReport>,
}

/// A private state of a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PrivateReport {
    /// How likely the player is to have it, given what is public.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1.0)))]
    probability: f64,
    /// How likely the player's own moves lead to it, beside the private state for which that is the likeliest.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1.0)))]
    range: f64,
    /// Its own moves and percepts, turn by turn.
    information_set: String,
    /// What is not the same in all private states of the player, in words.
    words: String,
}

/// What all private states of a player have in common, by turn.
struct Common {
    moves: Vec<Option<MoveId>>,
    percepts: Vec<BTreeSet<PerceptId>>,
}

impl Common {
    fn of(states: &[PrivateState]) -> Self {
        let Some((first, others)) = states.split_first() else {
            return Self { moves: Vec::new(), percepts: Vec::new() };
        };
        let turns = first.known.turns.iter();
        let mut common = Self {
            moves: turns.clone().map(|(own, _)| Some(*own)).collect(),
            percepts: turns.map(|(_, percepts)| percepts.iter().collect()).collect(),
        };
        for state in others {
            let known = common.moves.iter_mut().zip(&mut common.percepts);
            for ((own, percepts), (other, told)) in known.zip(&state.known.turns) {
                if *own != Some(*other) {
                    *own = None;
                }
                let told: BTreeSet<PerceptId> = told.iter().collect();
                percepts.retain(|percept| told.contains(percept));
            }
        }
        common
    }

    /// What a private state has besides, in words.
    fn rest(&self, state: &PrivateState, table: &PublicTable<'_>) -> String {
        let words = &table.facts.words;
        let mut parts = Vec::new();
        for (turn, (own, percepts)) in state.known.turns.iter().enumerate() {
            if self.moves[turn].is_none() {
                parts.push(format!("turn {turn}: {}", words.move_text(&table.game.move_text(*own))));
            }
            let private = percepts.iter().filter(|percept| !self.percepts[turn].contains(percept));
            parts.extend(private.map(|percept| words.percept_text(&table.game.percept_text(percept))));
        }
        parts.retain(|part| !part.is_empty());
        parts.join("; ")
    }
}

impl PublicTable<'_> {
    /// The private states of a player by its place, each with its share, the likeliest first.
    fn ranked(&self, player: usize) -> Vec<(usize, f64)> {
        let shares = self.outlook.belief.private_probabilities(player);
        let mut ranked: Vec<(usize, f64)> = shares.into_iter().enumerate().collect();
        ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        ranked
    }

    /// What was public, and the likeliest private states of each player.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_told(out)?;
        match self.outlook.basis {
            Basis::Histories(1) => writeln!(out, "from the only history that agrees with that")?,
            Basis::Histories(count) => writeln!(out, "from all {count} histories that agree with that")?,
            Basis::Particles { count, effective } => writeln!(
                out,
                "from a sample: {count} particles, as good as {effective:.0} equally heavy ones; private states of small weight may be missing"
            )?,
        }
        if let Some(strategy) = &self.coverage {
            writeln!(out, "{}", strategy.line())?;
        }
        let players = self.outlook.belief.node().players();
        (0..players.len()).try_for_each(|player| self.write_range(out, player))
    }

    fn write_told(&self, out: &mut dyn Write) -> io::Result<()> {
        let told = self.outlook.belief.node().told();
        for (turn, percepts) in told.iter().enumerate() {
            let words = percepts.iter().map(|percept| {
                let percept = self.game.percept_text(percept);
                self.facts.words.percept_text(&percept)
            });
            let words: Vec<String> = words.filter(|words| !words.is_empty()).collect();
            if !words.is_empty() {
                writeln!(out, "turn {turn:>2}  {}", words.join("; "))?;
            }
        }
        if told.iter().all(croupier_engine::Percepts::is_empty) {
            writeln!(out, "nothing was public")?;
        }
        Ok(())
    }

    fn write_range(&self, out: &mut dyn Write, player: usize) -> io::Result<()> {
        let belief = &self.outlook.belief;
        let (states, role) = (belief.node().private(player), belief.node().players()[player]);
        let name = self.facts.words.symbol_text(self.game.roles().name(role));
        let ranked = self.ranked(player);
        if let [_] = ranked.as_slice() {
            return writeln!(out, "\n{name}: 1 private state");
        }
        let bits = entropy_bits(&ranked);
        writeln!(out, "\n{name}: {} private states, entropy {bits:.2} bits", states.len())?;
        let common = Common::of(states);
        let head = ["   share", "range", "what is private"].map(str::to_owned).to_vec();
        let shown = ranked.iter().take(self.top).map(|&(place, share)| {
            let range = format!("{:.3}", belief.range(player)[place]);
            vec![percent(share), range, common.rest(&states[place], self)]
        });
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(shown).collect();
        write_rows(out, &rows)?;
        match ranked.len().saturating_sub(self.top) {
            0 => Ok(()),
            hidden => writeln!(out, "... and {hidden} more; --json has everything"),
        }
    }

    /// All of it as data.
    pub(crate) fn report(&self) -> PublicReport<'_> {
        let node = self.outlook.belief.node();
        let (method, histories, particles, effective_particles) = match self.outlook.basis {
            Basis::Histories(count) => ("exact", Some(count), None, None),
            Basis::Particles { count, effective } => ("particle", None, Some(count), Some(effective)),
        };
        let told = node.told().iter().map(|told| {
            let terms = self.game.percept_terms(told);
            terms.iter().map(ToString::to_string).collect()
        });
        PublicReport {
            number: self.number,
            turn: node.told().len(),
            method,
            histories,
            particles,
            effective_particles,
            told: told.collect(),
            players: (0..node.players().len()).map(|player| self.range(player)).collect(),
            coverage: self.coverage.as_ref().map(|strategy| strategy.coverage.into()),
        }
    }

    fn range(&self, player: usize) -> PrivateRange<'_> {
        let belief = &self.outlook.belief;
        let (states, role) = (belief.node().private(player), belief.node().players()[player]);
        let (ranked, common) = (self.ranked(player), Common::of(states));
        let entropy_bits = entropy_bits(&ranked);
        let private = ranked.into_iter().map(|(place, probability)| PrivateReport {
            probability,
            range: belief.range(player)[place],
            information_set: self.game.information_set_text(&states[place].known),
            words: common.rest(&states[place], self),
        });
        PrivateRange {
            role: self.game.roles().name(role),
            states: states.len(),
            entropy_bits,
            effective_states: entropy_bits.exp2(),
            private: private.collect(),
        }
    }
}

/// The uncertainty about a private state.
fn entropy_bits(ranked: &[(usize, f64)]) -> f64 {
    let shares = ranked.iter().map(|(_, share)| *share).filter(|share| *share > 0.0);
    // Not -0 where there is none.
    shares.map(|share| -share * share.log2()).sum::<f64>().max(0.0)
}
