//! Which players can be exchanged: an automorphism of the rules maps one to the other, or the states show that none can.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    answer::{Grounds, RuleAnswer, RuleQuestion, RuleVerdict},
    by_graph::grounds,
    goals::goals_of,
    graph::{StateGraph, StateKind},
};

/// Whether each two players can be exchanged; one answer where it is the same for all.
pub(crate) fn symmetry_answers(graph: &StateGraph) -> Vec<RuleAnswer> {
    let players = graph.players();
    let orbits = orbits(graph);
    let counts: Vec<_> = (0..players.len()).map(|player| counts(graph, player)).collect();
    let mut answers = Vec::new();
    for second in 1..players.len() {
        for first in 0..second {
            let names = [first, second].map(|player| graph.game().roles().name(players[player]));
            let of = |verdict, grounds, text| {
                RuleAnswer::new(RuleQuestion::Symmetric, verdict, grounds, text).about(names.join(" "))
            };
            let both = names.join(" and ");
            answers.push(if orbits[first] == orbits[second] {
                let text = format!("{both} can be exchanged: the rules stay the same with other names");
                of(RuleVerdict::Proved, Grounds::Rules, text)
            } else if graph.is_complete() && counts[first] != counts[second] {
                let text = format!("{both} cannot be exchanged: they have choices and goals at other times");
                of(RuleVerdict::Refuted, Grounds::Exhaustion(graph.expanded()), text)
            } else {
                let text = format!("no names were found to exchange so that {both} can be");
                of(RuleVerdict::Open, grounds(graph), text)
            });
        }
    }
    if answers.len() > 1 && answers.iter().all(|answer| answer.verdict == answers[0].verdict) {
        let text = match answers[0].verdict {
            RuleVerdict::Proved => {
                "any two players can be exchanged: the rules stay the same with other names"
            }
            RuleVerdict::Refuted => {
                "no two players can be exchanged: they have choices and goals at other times"
            }
            RuleVerdict::Open => "no names were found to exchange so that players can be",
        };
        answers.truncate(1);
        answers[0] = RuleAnswer { about: None, text: text.to_owned(), ..answers[0].clone() };
    }
    answers
}

/// For each player the first one that symmetries of the rules map it to.
fn orbits(graph: &StateGraph) -> Vec<usize> {
    let players = graph.players();
    let place = |role| players.iter().position(|&player| player == role);
    let mut orbit: Vec<usize> = (0..players.len()).collect();
    for symmetry in graph.game().quick_symmetries() {
        for (player, &role) in players.iter().enumerate() {
            let Some(image) = place(symmetry.role(role)) else { continue };
            let (one, other) = (orbit[player], orbit[image]);
            orbit
                .iter_mut()
                .filter(|known| **known == one.max(other))
                .for_each(|known| *known = one.min(other));
        }
    }
    orbit
}

/// What a count is of: the same in all states that symmetries map to each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Aspect {
    /// Legal moves.
    Moves(usize),
    /// The goal at the end.
    Goal(Option<i32>),
    /// The goals at an end at which some player has none or several: the rules do not say which counts.
    Goals(BTreeSet<String>),
    /// The match is not over, and cannot go on.
    Stuck,
}

/// In how many states of each depth a player has so many legal moves or such a goal.
fn counts(graph: &StateGraph, player: usize) -> BTreeMap<(u32, Aspect), usize> {
    let (role, mut counts) = (graph.players()[player], BTreeMap::new());
    for (state, depth) in graph.depths().into_iter().take(graph.expanded()).enumerate() {
        let aspect = match graph.kind(state) {
            StateKind::Running => Aspect::Moves(graph.own_moves(state, role).count()),
            StateKind::Terminal if graph.is_faulty(state) => {
                Aspect::Goals(goals_of(graph.game(), &graph.state(state), role).into_iter().collect())
            }
            StateKind::Terminal => Aspect::Goal(graph.goal(state, player)),
            StateKind::Stuck => Aspect::Stuck,
        };
        *counts.entry((depth, aspect)).or_default() += 1;
    }
    counts
}
