//! What can expire together with a move: the cases that rules must decide.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::FluentId;
use rustc_hash::FxHashMap;

use super::{
    confirmed::is_confirmed,
    loops::longer_run,
    question::{TimedAnswer, TimedGrounds, TimedQuestion, TimedRun},
    rings::rings,
    schedule::run_along,
    view::TimedView,
};
use crate::{answer::RuleVerdict, groups::parts};

/// Updates that are tried to show one fluent.
const EDGES_TRIED: usize = 50;

/// Updates before which ways around are gone until the time has come.
const ROUND_TRIED: usize = 10;

/// Fluents that are named in one answer.
const NAMED_MAX: usize = 3;

/// The updates in which players move and a fluent expires, the nearest first.
#[derive(Debug, Default)]
struct Together {
    edges: Vec<usize>,
    /// Those from where a way leads around.
    round: Vec<usize>,
}

/// An answer for each group of fluents that can expire, by their name.
pub(super) fn expiry_answers(view: &TimedView<'_>) -> Vec<TimedAnswer> {
    let graph = view.graph;
    let (all, ring_of) = rings(graph, &|_| true);
    let mut together: FxHashMap<FluentId, Together> = FxHashMap::default();
    for (number, edge) in graph.edges.iter().enumerate().filter(|(_, edge)| !edge.moves.is_empty()) {
        for fluent in graph.expired(edge) {
            let Together { edges, round } = together.entry(fluent).or_default();
            if edges.len() < EDGES_TRIED {
                edges.push(number);
            }
            if round.len() < ROUND_TRIED && all[ring_of[edge.from]].is_round {
                round.push(number);
            }
        }
    }
    let ending: BTreeSet<FluentId> =
        graph.nodes.iter().flat_map(|node| node.clocks.iter().map(|clock| clock.fluent)).collect();
    let mut groups: BTreeMap<String, Vec<FluentId>> = BTreeMap::new();
    for fluent in ending {
        groups.entry(group_of(&graph.game.fluent_text(fluent))).or_default().push(fluent);
    }
    let answer = |(name, mut fluents): (String, Vec<FluentId>)| {
        fluents.sort_by_key(|&fluent| graph.game.fluent_text(fluent));
        group_answer(view, &name, &fluents, &together)
    };
    groups.into_iter().map(answer).collect()
}

/// The name of a fluent, and a question mark for each argument.
fn group_of(fluent: &str) -> String {
    match &parts(fluent)[..] {
        [name] => (*name).to_owned(),
        [name, arguments @ ..] => format!("({name}{})", " ?".repeat(arguments.len())),
        [] => String::new(),
    }
}

fn group_answer(
    view: &TimedView<'_>,
    name: &str,
    fluents: &[FluentId],
    together: &FxHashMap<FluentId, Together>,
) -> TimedAnswer {
    let answer = |verdict, grounds, text| {
        TimedAnswer::new(TimedQuestion::ExpiresApart, verdict, grounds, text).about(name.to_owned())
    };
    let met: Vec<FluentId> = fluents.iter().copied().filter(|fluent| together.contains_key(fluent)).collect();
    let run = |&fluent: &FluentId| Some(TimedRun { about: Some(fluent), ..shown(view, &together[&fluent])? });
    let runs: Vec<TimedRun> = met.iter().filter_map(run).collect();
    if runs.is_empty() {
        let is_proved = met.is_empty() && view.graph.is_complete;
        let text = match is_proved {
            true => format!("{name} never expires together with a move"),
            false => format!("no match was found in which {name} expires together with a move"),
        };
        return match is_proved {
            true => answer(RuleVerdict::Proved, view.all(), text),
            false => answer(RuleVerdict::Open, view.searched(), text),
        };
    }
    let names = runs.iter().filter_map(|run| run.about);
    let names: Vec<String> = names.map(|fluent| view.graph.game.fluent_text(fluent).to_string()).collect();
    let more = match names.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = names.iter().take(NAMED_MAX).cloned().collect::<Vec<_>>().join(", ");
    let last = runs.iter().find_map(|run| run.events.last());
    let movers = last.map_or(String::new(), |event| view.movers(std::slice::from_ref(event)));
    let text = format!("{named}{more} can expire together with a move, first of {movers}");
    answer(RuleVerdict::Refuted, TimedGrounds::Runs, text).shown_by(runs)
}

/// The first match with one of some updates at its end.
fn shown(view: &TimedView<'_>, together: &Together) -> Option<TimedRun> {
    let way = |edge: usize| [view.graph.way_to(view.graph.edges[edge].from), vec![edge]].concat();
    let is_sound = |run: &TimedRun| is_confirmed(&view.graph.game, run);
    let mut runs = together.edges.iter().filter_map(|&edge| run_along(view.graph, &way(edge)));
    runs.find(is_sound).or_else(|| {
        let mut longer = together.round.iter().filter_map(|&edge| longer_run(view.graph, &way(edge)));
        longer.find(is_sound)
    })
}
