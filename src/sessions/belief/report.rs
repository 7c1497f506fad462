//! A belief in words and as data.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

use croupier_belief::{Basis, Certainty, Distribution, Marginal, Outlook};
use croupier_engine::{FluentId, Game, State};
use croupier_games::{GameFacts, HandRange, Scene};
use croupier_table::{drawn, scene_of_certainty};
use serde::Serialize;

use super::hands::{self, ClassReport};
use crate::output::{
    coverage::{CoverageReport, StrategyCoverage},
    schema::output,
};

/// More lines of uncertain fluents than these are only counted.
const GROUPS_SHOWN_MAX: usize = 24;

/// Columns that the table of players may have.
const COLUMNS: usize = 100;

/// A belief, and of whom it is.
pub(crate) struct RoleBelief<'r> {
    /// The name of the role.
    pub(crate) role: &'r str,
    pub(crate) game: &'r Game,
    pub(crate) facts: &'r GameFacts,
    pub(crate) outlook: &'r Outlook,
    /// Every fluent that may be true, in canonical order.
    marginals: Vec<Marginal>,
    /// Where each fluent stands among them.
    places: BTreeMap<FluentId, usize>,
    certainty: Certainty,
    /// Hands of which there is something to say by class.
    hands: Vec<HandRange>,
    /// What is proved to be true.
    proved: BTreeSet<FluentId>,
    /// What the role knew of the table before: lists keep the order of appearance.
    pub(crate) before: Scene,
    /// How many of the likeliest states are shown.
    pub(crate) top: usize,
    /// Histories, if they were asked for.
    pub(crate) histories: Option<Vec<LikelyHistory>>,
    /// The answers of a query, if there is one.
    pub(crate) answers: Option<Vec<LikelyAnswer>>,
    /// How often models in files had an entry.
    pub(crate) coverage: Option<StrategyCoverage<'r>>,
}

/// A history by what is uncertain in it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LikelyHistory {
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1.0)))]
    pub(crate) probability: f64,
    /// Where histories differ.
    pub(crate) moves: Vec<PlayedMove>,
}

/// A move in a history.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PlayedMove {
    pub(crate) turn: usize,
    pub(crate) role: String,
    #[serde(rename = "move")]
    pub(crate) text: String,
}

/// An answer of a query.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LikelyAnswer {
    pub(crate) answer: String,
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1.0)))]
    pub(crate) probability: f64,
}

/// What a role could believe. Terms of the rules are in prefix syntax, such as `(deal king)`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BeliefReport<'r> {
    #[serde(rename = "match")]
    number: usize,
    role: &'r str,
    turn: usize,
    #[cfg_attr(test, schemars(extend("enum" = ["exact", "particle"])))]
    method: &'static str,
    /// How many states are possible.
    states: usize,
    entropy_bits: f64,
    /// 2 to the power of the entropy.
    effective_states: f64,
    /// With `exact`: how many agree with what the role knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    histories: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    particles: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effective_particles: Option<f64>,
    /// What is true in every possible state.
    certain: Vec<&'r str>,
    /// What is true in every state of the sample, and not proved.
    true_of_sample: Vec<&'r str>,
    uncertain: Vec<LikelyFluent<'r>>,
    /// Hole cards of poker by class, where many hands are possible; the strongest first.
    classes: Vec<ClassReport<'r>>,
    /// Null if no model in a file is used.
    coverage: Option<CoverageReport<'r>>,
    /// The most likely states.
    top: Vec<LikelyState<'r>>,
    /// With --histories.
    #[serde(skip_serializing_if = "Option::is_none")]
    likely_histories: Option<&'r [LikelyHistory]>,
    /// With --query.
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<&'r [LikelyAnswer]>,
}
output!(Belief: BeliefReport<'_>);

/// A fluent that may be true.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LikelyFluent<'r> {
    fluent: &'r str,
    words: String,
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1.0)))]
    probability: f64,
}

/// A state, by what is uncertain in it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LikelyState<'r> {
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1.0)))]
    probability: f64,
    fluents: Vec<&'r str>,
}

impl<'r> RoleBelief<'r> {
    /// The report of a belief without histories or a query.
    pub(crate) fn new(
        role: &'r str,
        game: &'r Game,
        facts: &'r GameFacts,
        outlook: &'r Outlook,
        certainty: Certainty,
    ) -> Self {
        let marginals = outlook.distribution.marginals(game);
        let places = marginals.iter().enumerate().map(|(place, marginal)| (marginal.fluent, place)).collect();
        let proved = certainty.proved.iter().copied().collect();
        let hands = hands::ranges(facts, &marginals, &outlook.distribution);
        let (histories, answers, coverage) = (None, None, None);
        Self {
            role,
            game,
            facts,
            outlook,
            marginals,
            places,
            certainty,
            hands,
            proved,
            before: Scene::nothing(),
            top: 0,
            histories,
            answers,
            coverage,
        }
    }

    fn distribution(&self) -> &Distribution {
        &self.outlook.distribution
    }

    /// The role in words.
    fn name(&self) -> String {
        self.facts.words.symbol_text(self.role)
    }

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

    /// How the belief came about, the table as far as it is certain, and what is uncertain.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let role = self.name();
        let distribution = self.distribution();
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
        if let Some(strategy) = &self.coverage {
            writeln!(out, "{}", strategy.line())?;
        }
        writeln!(
            out,
            "{} states, entropy {:.2} bits (as much as {:.1} equally likely states)",
            distribution.states_count(),
            distribution.entropy_bits(),
            distribution.effective_states()
        )?;
        self.write_table(out)?;
        self.write_uncertain(out)?;
        self.write_top(out)?;
        self.write_histories(out)?;
        self.write_answers(out)
    }

    /// The table as far as it is certain.
    fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let scene = scene_of_certainty(self.game, self.facts, &self.certainty, &[]).after(&self.before);
        let table = drawn(self.game, self.facts, &scene);
        for board in &table.boards {
            write!(out, "\n{board}")?;
        }
        if !table.lines.is_empty() {
            writeln!(out, "\ncertain: {}", table.lines.join("; "))?;
        }
        let players = table.player_lines(COLUMNS);
        if !players.is_empty() {
            writeln!(out)?;
        }
        players.iter().try_for_each(|line| writeln!(out, "{line}"))
    }

    /// What is uncertain, the likeliest first; what no particle contradicts is uncertain too where that is not proved.
    pub(crate) fn write_uncertain(&self, out: &mut dyn Write) -> io::Result<()> {
        let everywhere = self.marginals.iter().filter(|marginal| marginal.probability >= 1.0);
        let unproved = everywhere.filter(|marginal| !self.proved.contains(&marginal.fluent));
        let unproved = self.facts.words.fluent_lines(unproved.map(|marginal| &*marginal.text));
        let uncertain = self.uncertain();
        if uncertain.is_empty() && unproved.is_empty() {
            return match self.outlook.basis {
                Basis::Particles { .. } if !(self.certainty.open.is_empty() && self.certainty.is_closed) => {
                    writeln!(out, "\nall of the sample is in this state; others may be possible")
                }
                _ => writeln!(out, "\nnothing is hidden from {}", self.name()),
            };
        }
        if !unproved.is_empty() {
            writeln!(out, "\ntrue of the whole sample, but not proved: {}", unproved.join("; "))?;
        }
        if !uncertain.is_empty() {
            writeln!(out, "\nuncertain:")?;
        }
        let is_by_class = |marginal: &&&Marginal| {
            let holder = self.facts.holder_of(&marginal.text);
            holder.is_some_and(|holder| self.hands.iter().any(|range| range.of == holder))
        };
        let singly: Vec<&Marginal> =
            uncertain.iter().filter(|marginal| !is_by_class(marginal)).copied().collect();
        write_groups(out, &self.groups(&singly))?;
        self.hands.iter().try_for_each(|hand| write_hand(out, hand))
    }

    fn write_histories(&self, out: &mut dyn Write) -> io::Result<()> {
        let histories = self.histories.as_deref().unwrap_or_default();
        if !histories.is_empty() {
            writeln!(out, "\n{} likeliest histories, by the moves that are uncertain:", histories.len())?;
        }
        for history in histories {
            let told = |PlayedMove { turn, role, text }: &PlayedMove| format!("{turn}: {role} {text}");
            let moves = history.moves.iter().map(told);
            writeln!(out, "{}  {}", percent(history.probability), moves.collect::<Vec<_>>().join("; "))?;
        }
        Ok(())
    }

    fn write_answers(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(answers) = &self.answers else { return Ok(()) };
        writeln!(out, "\nanswers to the query:")?;
        if answers.is_empty() {
            writeln!(out, "none holds in any state held possible")?;
        }
        for LikelyAnswer { answer, probability } in answers {
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

    fn write_top(&self, out: &mut dyn Write) -> io::Result<()> {
        let distribution = self.distribution();
        // Where states differ in one fluent each, they were just listed.
        let is_listed = distribution.iter().all(|(state, _)| self.differences(state).len() <= 1);
        let top = if is_listed { 0 } else { self.top.min(distribution.states_count()) };
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

    /// All of it as data, of this match and turn.
    pub(crate) fn report(&self, number: usize, turn: usize) -> BeliefReport<'_> {
        let distribution = self.distribution();
        let (method, histories, particles, effective_particles) = match self.outlook.basis {
            Basis::Histories(count) => ("exact", Some(count), None, None),
            Basis::Particles { count, effective } => ("particle", None, Some(count), Some(effective)),
        };
        let uncertain = self.uncertain().into_iter().map(|marginal| LikelyFluent {
            fluent: &marginal.text,
            words: self.facts.words.fluent_text(&marginal.text),
            probability: marginal.probability,
        });
        let everywhere = self.marginals.iter().filter(|marginal| marginal.probability >= 1.0);
        let (certain, unproved): (Vec<&Marginal>, Vec<&Marginal>) =
            everywhere.partition(|marginal| self.proved.contains(&marginal.fluent));
        let top = distribution.most_likely(self.game, self.top).into_iter();
        let top = top
            .map(|(state, probability)| LikelyState { probability, fluents: texts(self.differences(state)) });
        BeliefReport {
            number,
            role: self.role,
            turn,
            method,
            states: distribution.states_count(),
            entropy_bits: distribution.entropy_bits(),
            effective_states: distribution.effective_states(),
            histories,
            particles,
            effective_particles,
            certain: texts(certain),
            true_of_sample: texts(unproved),
            uncertain: uncertain.collect(),
            classes: self.hands.iter().flat_map(hands::report).collect(),
            coverage: self.coverage.as_ref().map(|strategy| strategy.coverage.into()),
            top: top.collect(),
            likely_histories: self.histories.as_deref(),
            answers: self.answers.as_deref(),
        }
    }
}

fn texts(marginals: Vec<&Marginal>) -> Vec<&str> {
    marginals.into_iter().map(|marginal| &*marginal.text).collect()
}

/// Lines with their shares, and how many things each tells of.
fn write_groups(out: &mut dyn Write, groups: &[(String, usize, Vec<String>)]) -> io::Result<()> {
    for (share, count, lines) in groups.iter().take(GROUPS_SHOWN_MAX) {
        let each = if *count == 1 { "     " } else { " each" };
        writeln!(out, "{share}{each}  {}", lines.join("; "))?;
    }
    match groups.len().saturating_sub(GROUPS_SHOWN_MAX) {
        0 => Ok(()),
        hidden => writeln!(out, "               ... and {hidden} more lines; --json has everything"),
    }
}

/// How likely a hand of each kind is, then by class.
fn write_hand(out: &mut dyn Write, range: &HandRange) -> io::Result<()> {
    for (kind, probability) in range.kinds() {
        writeln!(out, "{}       {}", percent(probability), range.line(kind.text()))?;
    }
    let classes = hands::likeliest(range, percent).into_iter();
    let groups = classes.map(|(share, names)| (share, names.len(), vec![range.line(&names.join(" "))]));
    write_groups(out, &groups.collect::<Vec<_>>())
}

pub(super) fn percent(probability: f64) -> String {
    format!("{:6.2} %", 100.0 * probability)
}
