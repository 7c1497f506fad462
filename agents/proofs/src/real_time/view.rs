//! Answers that follow from a graph: what is in none of its nodes is in no state, and what is in one is shown by a match.

use croupier_engine::{RoleId, realtime::seconds};

use super::{
    confirmed::is_confirmed,
    endings::{TimedEnds, timed_ends},
    loops::{endless_chance, endless_run},
    question::{RunEnd, TimedAnswer, TimedEvent, TimedGrounds, TimedQuestion, TimedRun},
    schedule::run_along,
    timed_graph::{GraphStyle, TimedGraph, TimedKind},
};
use crate::answer::RuleVerdict;

/// Nodes of which a match is looked for.
const NODES_TRIED: usize = 300;

/// Rings of which a match without an end is looked for.
const RINGS_TRIED: usize = 50;

/// A graph as what answers rest on.
pub(super) struct TimedView<'g> {
    pub(super) graph: &'g TimedGraph,
}

impl TimedView<'_> {
    /// What a claim about all states rests on.
    pub(super) fn all(&self) -> TimedGrounds {
        let count = self.graph.expanded;
        match self.graph.style {
            GraphStyle::States => TimedGrounds::States(count),
            GraphStyle::Classes => TimedGrounds::Classes(count),
            GraphStyle::Regions => TimedGrounds::Regions(count),
        }
    }

    pub(super) fn searched(&self) -> TimedGrounds {
        TimedGrounds::Search(self.graph.expanded)
    }

    /// Proved if nothing was left out; otherwise nothing was found against it, which proves nothing.
    pub(super) fn holds(&self, question: TimedQuestion, text: String) -> TimedAnswer {
        match self.graph.is_complete {
            true => TimedAnswer::new(question, RuleVerdict::Proved, self.all(), text),
            false => self.open(question, format!("not refuted so far: {text}")),
        }
    }

    pub(super) fn open(&self, question: TimedQuestion, text: String) -> TimedAnswer {
        TimedAnswer::new(question, RuleVerdict::Open, self.searched(), text)
    }

    /// The match to the end of a node that can be reached, the nearest first; and whether there may be another.
    pub(super) fn run_to(&self, is_wanted: &dyn Fn(usize) -> bool, end: RunEnd) -> RunFound {
        let mut wanted = (0..self.graph.nodes.len()).filter(|&node| is_wanted(node)).peekable();
        if wanted.peek().is_none() {
            return RunFound::Nothing;
        }
        let run = |node: usize| {
            let run = TimedRun { end, ..run_along(self.graph, &self.graph.way_to(node))? };
            is_confirmed(&self.graph.game, &run).then_some(RunFound::Run(node, run))
        };
        wanted.take(NODES_TRIED).find_map(run).unwrap_or(RunFound::Unsure)
    }

    pub(super) fn kind(&self, node: usize) -> TimedKind {
        self.graph.nodes[node].kind
    }

    pub(super) fn name(&self, role: RoleId) -> &str {
        self.graph.game.roles().name(role)
    }

    /// Who moves in some updates, in words.
    pub(super) fn movers(&self, events: &[TimedEvent]) -> String {
        let roles = self.graph.game.roles().all();
        let moves =
            |role: &RoleId| events.iter().any(|event| event.moves.iter().any(|(mover, _)| mover == role));
        roles.filter(moves).map(|role| self.name(role)).collect::<Vec<_>>().join(" and ")
    }

    /// Whether every match ends, and within what time.
    pub(super) fn terminates(&self) -> TimedAnswer {
        if let Some(answer) = self.stops() {
            return answer;
        }
        let shown = |run: TimedRun, text: String| {
            TimedAnswer::new(TimedQuestion::Terminates, RuleVerdict::Refuted, TimedGrounds::Runs, text)
                .shown_by(vec![run])
        };
        let open = || {
            let text = "no match was found that goes on for ever".to_owned();
            self.open(TimedQuestion::Terminates, text)
        };
        let (chance, may_chance) = endless_chance(self.graph);
        if let Some(run) = chance.filter(|run| is_confirmed(&self.graph.game, run)) {
            let at = run.events.last().map_or(0, |event| event.at_us);
            return shown(run, format!("chance can move for ever at one instant, {} s", seconds(at)));
        }
        let ends = timed_ends(self.graph);
        let endless = match &ends {
            TimedEnds::Rings(rings) => rings.iter().rev().take(RINGS_TRIED).find_map(|ring| {
                endless_run(self.graph, ring).filter(|run| is_confirmed(&self.graph.game, run))
            }),
            TimedEnds::Within(_) => None,
        };
        match (endless, ends) {
            (Some(run), _) => {
                let text = again(&run);
                shown(run, text)
            }
            (None, TimedEnds::Within(most))
                if self.graph.is_complete && !may_chance && self.never_stops() =>
            {
                let text = match most {
                    0 => "every match ends at once".to_owned(),
                    most => format!("every match ends, within {} s", seconds(most)),
                };
                TimedAnswer { bound_us: Some(most), ..self.holds(TimedQuestion::Terminates, text) }
            }
            _ => open(),
        }
    }

    fn never_stops(&self) -> bool {
        let is_stop = |kind| matches!(kind, TimedKind::Waiting | TimedKind::Stalled | TimedKind::Failed);
        !self.graph.nodes.iter().any(|node| is_stop(node.kind))
    }

    /// A match that stops without an end.
    fn stops(&self) -> Option<TimedAnswer> {
        let kinds = [
            (TimedKind::Waiting, RunEnd::Waits, "nothing expires any more, and nobody has to move"),
            (TimedKind::Stalled, RunEnd::Waits, "nothing can happen any more, and the match is not over"),
            (TimedKind::Failed, RunEnd::Fails, "the rules give a fluent a lifetime that is none"),
        ];
        kinds.into_iter().find_map(|(kind, end, what)| {
            let RunFound::Run(_, run) = self.run_to(&|node| self.kind(node) == kind, end) else {
                return None;
            };
            let text = format!("a match can stay without an end: {}, {what}", after(&run));
            let (question, grounds) = (TimedQuestion::Terminates, TimedGrounds::Runs);
            Some(TimedAnswer::new(question, RuleVerdict::Refuted, grounds, text).shown_by(vec![run]))
        })
    }

    /// Whether something can always happen until the match is over.
    pub(super) fn playable(&self) -> TimedAnswer {
        let question = TimedQuestion::Playable;
        match self.run_to(&|node| self.kind(node) == TimedKind::Stalled, RunEnd::Waits) {
            RunFound::Nothing => {
                let text = "somebody can move or something expires until the match is over";
                self.holds(question, text.to_owned())
            }
            RunFound::Run(_, run) => {
                let text = format!(
                    "{}, nobody can move and nothing expires, and the match is not over",
                    after(&run)
                );
                TimedAnswer::new(question, RuleVerdict::Refuted, TimedGrounds::Runs, text).shown_by(vec![run])
            }
            RunFound::Unsure => {
                self.open(question, "no match was found that stops without an end".to_owned())
            }
        }
    }
}

/// What came of looking for a match.
pub(super) enum RunFound {
    /// No node has what was looked for.
    Nothing,
    /// This match leads to this node.
    Run(usize, TimedRun),
    /// Nodes have it that may not be reached.
    Unsure,
}

/// A number of updates in words.
pub(super) fn updates(count: usize) -> String {
    if count == 1 { "1 update".to_owned() } else { format!("{count} updates") }
}

/// When a match is at its end, in words.
pub(super) fn after(run: &TimedRun) -> String {
    match run.events.last() {
        None => "at the start".to_owned(),
        Some(last) => format!("after {}, at {} s", updates(run.events.len()), seconds(last.at_us)),
    }
}

/// That a state comes again, in words.
fn again(run: &TimedRun) -> String {
    let RunEnd::Returns(first) = run.end else { return String::new() };
    let until = |count: usize| TimedRun { events: run.events[..count].to_vec(), ..run.clone() };
    let begin =
        if first == 0 { "the first state".to_owned() } else { format!("the state {}", after(&until(first))) };
    format!("a match can go on for ever: {begin}, comes again {}", after(run))
}
