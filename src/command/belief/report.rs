//! A belief in words and as data.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
};

use croupier_belief::{Basis, Coverage, Marginal, Outlook};
use croupier_engine::{FluentId, Game, State};
use croupier_games::GameFacts;
use serde_json::{Value, json};

use super::{Arguments, told};
use crate::{coverage, failure::Failure, table::Table};

/// More lines of uncertain fluents than these are only counted.
const GROUPS_SHOWN_MAX: usize = 24;

/// Columns that the table of players may have.
const COLUMNS: usize = 100;

/// A belief, and of whom it is.
pub(super) struct Report<'r> {
    pub(super) arguments: &'r Arguments,
    /// The name of the role.
    pub(super) role: &'r str,
    pub(super) number: usize,
    pub(super) game: &'r Game,
    pub(super) facts: &'r GameFacts,
    pub(super) outlook: &'r Outlook,
    pub(super) marginals: Vec<Marginal>,
    /// What is proved to be true.
    pub(super) proved: BTreeSet<FluentId>,
    /// Where each fluent stands among them.
    pub(super) places: BTreeMap<FluentId, usize>,
    pub(super) histories: Vec<LikelyHistory>,
    pub(super) answers: Vec<(String, f64)>,
    /// How often models in files had an entry.
    pub(super) coverage: Option<&'r Coverage>,
}

/// A history by what is uncertain in it.
pub(super) struct LikelyHistory {
    pub(super) probability: f64,
    /// Turn, role and move, where histories differ.
    pub(super) moves: Vec<(usize, String, String)>,
}

impl Report<'_> {
    fn uncertain(&self) -> Vec<&Marginal> {
        let mut uncertain: Vec<&Marginal> =
            self.marginals.iter().filter(|marginal| marginal.probability < 1.0).collect();
        uncertain.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        uncertain
    }

    /// What is true in this state and not in all, in the order of the marginals.
    fn differences(&self, state: &State) -> Vec<&Marginal> {
        let mut places: Vec<usize> =
            state.fluents().filter_map(|fluent| self.places.get(&fluent).copied()).collect();
        places.sort_unstable();
        let marginals = places.into_iter().map(|place| &self.marginals[place]);
        marginals.filter(|marginal| marginal.probability < 1.0).collect()
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (Arguments { turn, .. }, role) = (self.arguments, self.role);
        let distribution = &self.outlook.distribution;
        writeln!(out, "match {}, before turn {turn}: what {role} could believe", self.number)?;
        match self.outlook.basis {
            Basis::Histories(count) => {
                writeln!(out, "from all {count} histories that agree with what {role} knows")?
            }
            Basis::Particles { count, effective } => {
                writeln!(
                    out,
                    "from a sample: {count} particles, as good as {effective:.0} equally heavy ones"
                )?;
            }
        }
        if let Some(coverage) = self.coverage {
            writeln!(out, "{}", told(self.arguments, coverage).line())?;
        }
        writeln!(
            out,
            "{} states, entropy {:.2} bits (as much as {:.1} equally likely states)",
            distribution.states_count(),
            distribution.entropy_bits(),
            distribution.effective_states()
        )?;
        let table = Table::of_belief(self.game, self.facts, distribution);
        for board in &table.boards {
            write!(out, "\n{board}")?;
        }
        if !table.lines.is_empty() {
            let certain = match self.outlook.basis {
                Basis::Histories(_) => "certain",
                Basis::Particles { .. } => "true of the whole sample",
            };
            writeln!(out, "\n{certain}: {}", table.lines.join("; "))?;
        }
        let players = table.player_lines(COLUMNS);
        if !players.is_empty() {
            writeln!(out)?;
        }
        for line in players {
            writeln!(out, "{line}")?;
        }
        let uncertain = self.uncertain();
        if uncertain.is_empty() {
            match self.outlook.basis {
                Basis::Histories(_) => writeln!(out, "\nnothing is hidden from {role}")?,
                Basis::Particles { .. } => {
                    writeln!(out, "\nall of the sample is in this state; others may be possible")?
                }
            }
            return self.write_answers(out);
        }
        writeln!(out, "\nuncertain:")?;
        let groups = self.groups(&uncertain);
        for (share, count, lines) in groups.iter().take(GROUPS_SHOWN_MAX) {
            let each = if *count == 1 { "     " } else { " each" };
            writeln!(out, "{share}{each}  {}", lines.join("; "))?;
        }
        if let Some(hidden) = groups.len().checked_sub(GROUPS_SHOWN_MAX).filter(|&hidden| hidden > 0) {
            writeln!(out, "               ... and {hidden} more lines; --json has everything")?;
        }
        self.write_top(out)?;
        self.write_histories(out)?;
        self.write_answers(out)
    }

    fn write_histories(&self, out: &mut dyn Write) -> Result<(), Failure> {
        if !self.histories.is_empty() {
            writeln!(
                out,
                "\n{} likeliest histories, by the moves that are uncertain:",
                self.histories.len()
            )?;
        }
        for history in &self.histories {
            let moves = history.moves.iter().map(|(turn, role, played)| format!("{turn}: {role} {played}"));
            writeln!(out, "{}  {}", percent(history.probability), moves.collect::<Vec<_>>().join("; "))?;
        }
        Ok(())
    }

    fn write_answers(&self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.arguments.query.is_some() {
            writeln!(out, "\nanswers to the query:")?;
            if self.answers.is_empty() {
                writeln!(out, "none holds in any state held possible")?;
            }
        }
        for (answer, probability) in &self.answers {
            writeln!(out, "{}  {answer}", percent(*probability))?;
        }
        Ok(())
    }

    /// Fluents by their probability as it is shown, the likeliest first: how many there are of each, and in words.
    fn groups(&self, uncertain: &[&Marginal]) -> Vec<(String, usize, Vec<String>)> {
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for marginal in uncertain {
            let share = percent(marginal.probability);
            match groups.last_mut() {
                Some((last, texts)) if *last == share => texts.push(&marginal.text),
                _ => groups.push((share, vec![&marginal.text])),
            }
        }
        let in_words = |(share, texts): (String, Vec<&str>)| {
            let count = texts.len();
            (share, count, self.facts.words.fluent_lines(texts))
        };
        // What has empty words is bookkeeping.
        groups.into_iter().map(in_words).filter(|(.., lines)| !lines.is_empty()).collect()
    }

    fn write_top(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let distribution = &self.outlook.distribution;
        // Where states differ in one fluent each, they were just listed.
        let is_listed = distribution.iter().all(|(state, _)| self.differences(state).len() <= 1);
        let top = if is_listed { 0 } else { self.arguments.top.min(distribution.states_count()) };
        if top > 0 {
            writeln!(
                out,
                "\n{top} likeliest of the {} states, by what is uncertain:",
                distribution.states_count()
            )?;
        }
        for (state, probability) in distribution.most_likely(self.game, top) {
            let differences = self.differences(state);
            let lines = self.facts.words.fluent_lines(differences.iter().map(|marginal| &*marginal.text));
            let lines = if lines.is_empty() { "none of that".to_owned() } else { lines.join("; ") };
            writeln!(out, "{}  {lines}", percent(probability))?;
        }
        Ok(())
    }

    pub(super) fn as_json(&self) -> Value {
        let distribution = &self.outlook.distribution;
        let words = &self.facts.words;
        let fluents: Vec<Value> = self
            .uncertain()
            .iter()
            .map(|marginal| {
                json!({
                    "fluent": marginal.text,
                    "words": words.fluent_text(&marginal.text),
                    "probability": marginal.probability,
                })
            })
            .collect();
        let everywhere = self.marginals.iter().filter(|marginal| marginal.probability >= 1.0);
        let (certain, unproved): (Vec<&Marginal>, Vec<&Marginal>) =
            everywhere.partition(|marginal| self.proved.contains(&marginal.fluent));
        let texts = |marginals: &[&Marginal]| -> Vec<Value> {
            marginals.iter().map(|marginal| json!(&*marginal.text)).collect()
        };
        let states: Vec<Value> = distribution
            .most_likely(self.game, self.arguments.top)
            .into_iter()
            .map(|(state, probability)| {
                let hidden: Vec<&str> =
                    self.differences(state).iter().map(|marginal| &*marginal.text).collect();
                json!({ "probability": probability, "fluents": hidden })
            })
            .collect();
        let mut object = json!({
            "match": self.number,
            "role": self.role,
            "turn": self.arguments.turn,
            "states": distribution.states_count(),
            "entropy_bits": distribution.entropy_bits(),
            "effective_states": distribution.effective_states(),
            "certain": texts(&certain),
            "true_of_sample": texts(&unproved),
            "uncertain": fluents,
            "top": states,
            "coverage": coverage::as_json(self.coverage),
        });
        if self.arguments.histories > 0 {
            let played = |(turn, role, played): &(usize, String, String)| json!({ "turn": turn, "role": role, "move": played });
            let history = |history: &LikelyHistory| {
                let moves: Vec<Value> = history.moves.iter().map(played).collect();
                json!({ "probability": history.probability, "moves": moves })
            };
            object["likely_histories"] = self.histories.iter().map(history).collect();
        }
        if self.arguments.query.is_some() {
            let answer = |(answer, probability): &(String, f64)| json!({ "answer": answer, "probability": probability });
            object["answers"] = self.answers.iter().map(answer).collect();
        }
        match self.outlook.basis {
            Basis::Histories(count) => {
                object["method"] = json!("exact");
                object["histories"] = json!(count);
            }
            Basis::Particles { count, effective } => {
                object["method"] = json!("particle");
                object["particles"] = json!(count);
                object["effective_particles"] = json!(effective);
            }
        }
        object
    }
}

fn percent(probability: f64) -> String {
    format!("{:6.2} %", 100.0 * probability)
}
