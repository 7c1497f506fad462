//! How large a game is: turns, legal moves, states and deals, as numbers or as what they are between.

use croupier_engine::RoleId;

use crate::{
    answer::{Grounds, RuleAnswer, RuleQuestion, RuleVerdict},
    by_graph::{grounds, searched, turns},
    ends::{MatchEnds, ends},
    graph::{StateGraph, StateKind},
    sets::SetGraph,
};

/// How many turns a match has; `bound` is a number within which it is over.
pub(crate) fn length(graph: &StateGraph, bound: Option<usize>) -> RuleAnswer {
    // States are in the order of their distance: the first end is the nearest.
    let nearest = graph.states(StateKind::Terminal).next();
    let least = nearest.map(|state| graph.way_to(state).len() - 1);
    match (graph.is_complete().then(|| ends(graph)), least) {
        (Some(MatchEnds::Within { most, .. }), Some(least)) => {
            let text = match least == most {
                true => format!("a match has {}", turns(least)),
                false => format!("a match has {least} to {}", turns(most)),
            };
            exact(graph, RuleQuestion::Length, text)
        }
        (Some(_), Some(least)) => exact(
            graph,
            RuleQuestion::Length,
            format!("a match has {} or more, without a bound", turns(least)),
        ),
        (Some(_), None) => exact(graph, RuleQuestion::Length, "no match ends".to_owned()),
        (None, least) => {
            let least = match least {
                Some(least) => format!("the shortest match has {}", turns(least)),
                None => format!("a match has {} or more", turns(searched(graph).turns)),
            };
            let most = bound.map_or(String::new(), |most| format!(", and none has more than {most}"));
            between(graph, RuleQuestion::Length, format!("{least}{most}"))
        }
    }
}

/// How many legal moves a role has.
pub(crate) fn branching(graph: &StateGraph, role: RoleId) -> RuleAnswer {
    let counts = graph.states(StateKind::Running).map(|state| graph.own_moves(state, role).count());
    let (least, most) =
        counts.fold((usize::MAX, 0), |(least, most), count| (least.min(count), most.max(count)));
    let name = graph.game().roles().name(role);
    let named = graph.network().moves(role).len();
    let moves =
        |count: usize| if count == 1 { "1 legal move".to_owned() } else { format!("{count} legal moves") };
    let range = match (least, most) {
        (_, 0) => format!("{name} never has a legal move"),
        _ if least == most => format!("{name} has {} in each turn", moves(most)),
        _ => format!("{name} has {least} to {}", moves(most)),
    };
    let answer = match graph.is_complete() {
        true => exact(graph, RuleQuestion::Branching, range),
        false => {
            let text = format!("{range} in these states; the rules name {named}");
            between(graph, RuleQuestion::Branching, text)
        }
    };
    answer.of(role)
}

/// How many states there are, and information sets of each player.
pub(crate) fn size(graph: &StateGraph, all: &[SetGraph]) -> RuleAnswer {
    let (states, edges) = (graph.expanded(), graph.edges_count());
    if !graph.is_complete() {
        let text = format!("more than {states} states and {edges} joint moves");
        return between(graph, RuleQuestion::Size, text);
    }
    let name = |sets: &SetGraph| graph.game().roles().name(graph.players()[sets.player]);
    let sets: Vec<String> = all.iter().map(|sets| format!("{} of {}", sets.len(), name(sets))).collect();
    let sets = match &sets[..] {
        [] => String::new(),
        sets => format!("; information sets: {}", sets.join(", ")),
    };
    exact(graph, RuleQuestion::Size, format!("{states} states, {edges} joint moves{sets}"))
}

/// In how many ways chance can deal before a player first chooses, and how many of these differ.
pub(crate) fn deals(graph: &StateGraph) -> RuleAnswer {
    let is_dealing = |state: usize| {
        graph.kind(state) == StateKind::Running
            && graph.players().iter().all(|&role| !graph.has_choice(state, role))
    };
    // How many edges from states in which chance deals lead to each state that only such edges lead to.
    let (mut dealt, mut entering) = (vec![0_usize], vec![0_u32; graph.known()]);
    let mut next = 0;
    while let Some(&state) = dealt.get(next) {
        next += 1;
        if state >= graph.expanded() {
            let text = "the deals are more than the states that were looked at".to_owned();
            return between(graph, RuleQuestion::Deals, text);
        }
        if is_dealing(state) {
            for &target in graph.targets(state) {
                entering[target as usize] += 1;
                if entering[target as usize] == 1 && target != 0 {
                    dealt.push(target as usize);
                }
            }
        }
    }
    let mut ways = vec![0_u128; graph.known()];
    ways[0] = 1;
    let (mut open, mut deals, mut total, mut passed) = (vec![0_usize], 0_usize, 0_u128, 0);
    // A state is passed when all edges to it were: one that comes again never is.
    while let Some(state) = open.pop().filter(|_| entering[0] == 0) {
        passed += 1;
        if !is_dealing(state) {
            deals += 1;
            total = total.saturating_add(ways[state]);
            continue;
        }
        for &target in graph.targets(state) {
            let target = target as usize;
            ways[target] = ways[target].saturating_add(ways[state]);
            entering[target] -= 1;
            if entering[target] == 0 {
                open.push(target);
            }
        }
    }
    let text = match (passed == dealt.len(), deals, total) {
        (false, ..) => "chance may go on for ever before a player first chooses".to_owned(),
        (true, 1, 1) => "chance deals nothing before a player first chooses".to_owned(),
        (true, deals, total) if total == deals as u128 => {
            format!("chance can deal in {total} ways before a player first chooses")
        }
        (true, deals, total) => {
            format!(
                "chance can deal in {total} ways before a player first chooses, which lead to {deals} states"
            )
        }
    };
    RuleAnswer::new(RuleQuestion::Deals, RuleVerdict::Proved, Grounds::Exhaustion(dealt.len()), text)
}

fn exact(graph: &StateGraph, question: RuleQuestion, text: String) -> RuleAnswer {
    RuleAnswer::new(question, RuleVerdict::Proved, Grounds::Exhaustion(graph.expanded()), text)
}

fn between(graph: &StateGraph, question: RuleQuestion, text: String) -> RuleAnswer {
    RuleAnswer::new(question, RuleVerdict::Open, grounds(graph), text)
}
