//! All answers about a real-time game within a budget.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{FluentId, realtime::RealTimeGame};

use super::{
    classes::{Forgotten, explore_classes},
    confirmed::is_confirmed,
    expiries::expiry_answers,
    fuse::fuse_answers,
    goals::{goal_answers, used},
    instants::{explore_states, sample_states},
    question::{TimedAnswer, TimedGrounds, TimedQuestion},
    timed_graph::{GraphStyle, TimedGraph},
    timed_limits::TimedLimits,
    view::TimedView,
    zeno::zeno_answers,
};
use crate::{
    answer::RuleVerdict,
    conclusion::{self, Conclusion, Premise},
};

/// How large a real-time game is, as far as it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedSize {
    /// States, or classes of states with the same fluents and bounds on lifetimes.
    pub states: usize,
    /// Updates in all of them.
    pub updates: usize,
    /// Whether there are no more.
    pub is_whole: bool,
    /// Whether these are classes of states.
    pub are_classes: bool,
}

/// What was found about a real-time game.
#[derive(Clone, Debug)]
pub struct TimedExamination {
    /// The answers, in the order of [`TimedQuestion::ALL`].
    pub answers: Vec<TimedAnswer>,
    /// How much was looked at.
    pub size: TimedSize,
}

/// Answers every question about a real-time game as far as that is possible until `has_passed` says that a share of the time has: 1 is the end of it.
/// `None` if the first state cannot be evaluated.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Options, realtime::RealTimeGame};
/// use croupier_proofs::{RuleVerdict, TimedLimits, TimedQuestion, examine_real_time};
///
/// let chicken = croupier_games::find("chicken").ok_or("the catalogue has it")?;
/// let game = Arc::new(RealTimeGame::compile(chicken.rules, &Options::PLAY)?.game);
/// let found = examine_real_time(&game, &TimedLimits::STANDARD, &|_| false).ok_or("a small game")?;
/// let of = |question| found.answers.iter().filter(move |answer| answer.question == question);
/// assert!(of(TimedQuestion::Terminates).all(|answer| answer.bound_us == Some(1_000_000)));
/// assert!(of(TimedQuestion::NonZeno).all(|answer| answer.verdict == RuleVerdict::Proved));
/// assert!(of(TimedQuestion::ExpiresApart).all(|answer| answer.verdict == RuleVerdict::Refuted));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn examine_real_time(
    game: &Arc<RealTimeGame>,
    limits: &TimedLimits,
    has_passed: &dyn Fn(f64) -> bool,
) -> Option<TimedExamination> {
    let mut graphs = Vec::new();
    if game.network().is_some() {
        let exact = explore_classes(game, &Forgotten::default(), limits, &|| has_passed(0.3))?;
        let is_complete = exact.is_complete;
        let forgotten = if is_complete { None } else { longest_lived(&exact) };
        graphs.push(exact);
        if let Some(forgotten) = forgotten {
            graphs.extend(explore_classes(game, &forgotten, limits, &|| has_passed(0.5)));
        }
    }
    if !graphs.iter().any(|graph| graph.is_complete) {
        graphs.extend(explore_states(game, limits, &|| has_passed(0.6)));
    }
    if !graphs.iter().any(|graph| graph.is_complete) {
        graphs.extend(sample_states(game, limits, &|| has_passed(0.85)));
    }
    let first = graphs.first()?;
    let known = graphs.iter().find(|graph| graph.is_complete).unwrap_or(first);
    let size = TimedSize {
        states: known.expanded,
        updates: known.edges.len(),
        is_whole: known.is_complete,
        are_classes: known.style != GraphStyle::States,
    };
    let mut answers = Vec::new();
    for graph in &graphs {
        settle(&mut answers, answers_of(graph));
    }
    for answer in &mut answers {
        confirm(game, answer);
    }
    settle(&mut answers, fuse_answers(game));
    answers.extend(well_formed(&answers));
    answers.sort_by_key(|answer| TimedQuestion::ALL.iter().position(|&question| question == answer.question));
    Some(TimedExamination { answers, size })
}

/// The fluents that live longer than half of the longest lifetime, and that lifetime.
fn longest_lived(graph: &TimedGraph) -> Option<Forgotten> {
    let mut longest: BTreeMap<FluentId, u64> = BTreeMap::new();
    for clock in graph.nodes.iter().flat_map(|node| &node.clocks) {
        let known = longest.entry(clock.fluent).or_default();
        *known = clock.longest.max(*known);
    }
    let most = longest.values().copied().max()?;
    let fluents = longest.into_iter().filter(|(_, us)| *us > most / 2).map(|(fluent, _)| fluent).collect();
    let first = graph.game.initial_state().facts().filter_map(|(_, lifetime)| lifetime.micros());
    let longest = first.chain(graph.game.network()?.longest_lifetime()).max()?;
    Some(Forgotten { fluents, longest })
}

fn answers_of(graph: &TimedGraph) -> Vec<TimedAnswer> {
    let view = TimedView { graph };
    let mut answers = vec![view.terminates(), view.playable(), used(&view)];
    answers.extend(zeno_answers(&view));
    answers.extend(expiry_answers(&view));
    answers.extend(goal_answers(&view));
    answers
}

/// Puts settled answers in the place of open ones to the same question.
fn settle(answers: &mut Vec<TimedAnswer>, more: Vec<TimedAnswer>) {
    for new in more {
        match answers.iter_mut().find(|known| known.asks_the_same(&new)) {
            Some(known) if known.verdict == RuleVerdict::Open => *known = new,
            Some(_) => {}
            None => answers.push(new),
        }
    }
}

/// Takes back what its runs do not show when they are played with the reasoner.
fn confirm(game: &RealTimeGame, answer: &mut TimedAnswer) {
    if !answer.runs.iter().all(|run| is_confirmed(game, run)) {
        answer.verdict = RuleVerdict::Open;
        answer.grounds = TimedGrounds::Search(0);
        answer.text = format!("not confirmed: {}", answer.text);
        answer.runs.clear();
    }
}

/// An answer as others follow from it.
fn premise(answer: &TimedAnswer) -> Premise<'_> {
    Premise { role: answer.role, about: answer.about.as_deref(), verdict: answer.verdict, text: &answer.text }
}

/// The answers that a game is well-formed.
fn well_formed(answers: &[TimedAnswer]) -> Vec<TimedAnswer> {
    let of = |questions: &[TimedQuestion]| -> Vec<Premise<'_>> {
        let own = answers.iter().filter(|answer| questions.contains(&answer.question));
        own.map(premise).collect()
    };
    let parts = of(&[TimedQuestion::Terminates, TimedQuestion::Playable]);
    let wins = of(&[TimedQuestion::WeaklyWinnable]);
    let found = conclusion::well_formed(&parts, &wins, "it ends, something can always happen");
    let answer = |found: Conclusion| {
        TimedAnswer::new(TimedQuestion::WellFormed, found.verdict, TimedGrounds::Answers, found.text)
            .about(found.reading.to_owned())
    };
    found.into_iter().map(answer).collect()
}
