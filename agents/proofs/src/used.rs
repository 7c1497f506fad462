//! Whether every move, fluent, percept and rule comes up in some match.

use std::fmt::Display;

use croupier_engine::{RoleId, Span, analysis::RuleWatch};

use crate::{
    answer::{Grounds, Line, RuleAnswer, RuleQuestion, RuleVerdict},
    by_graph::grounds,
    graph::{StateGraph, StateKind},
    interner::is_set,
};

/// How many of those that never come up are named.
const NAMED_MAX: usize = 3;

/// Whether all moves, fluents and percepts that the rules can derive come up.
pub(crate) fn used_answers(graph: &StateGraph) -> Vec<RuleAnswer> {
    let (game, network) = (graph.game(), graph.network());
    let name = |role: RoleId| game.roles().name(role);
    let mut moves = Vec::new();
    for (role, bits) in game.roles().all().zip(graph.legal_somewhere()) {
        let never = (0..network.moves(role).len()).filter(|&number| !is_set(bits, number));
        moves.extend(never.map(|number| {
            format!("{} never has {}", name(role), game.move_text(network.moves(role)[number]))
        }));
    }
    let mut ever = graph.row(0).to_vec();
    for state in 0..graph.expanded() {
        ever.iter_mut().zip(graph.row(state)).for_each(|(ever, word)| *ever |= word);
    }
    let never = (0..network.fluents().len()).filter(|&base| !is_set(&ever, base));
    let fluents: Vec<String> =
        never.map(|base| format!("{} is never true", game.fluent_text(network.fluents()[base]))).collect();
    let mut percepts = Vec::new();
    for (player, &role) in graph.players().iter().enumerate() {
        let told = graph.told_somewhere(player);
        let never = (0..network.percepts(role).len()).filter(|&number| !is_set(&told, number));
        percepts.extend(never.map(|number| {
            format!("{} never sees {}", name(role), game.percept_text(network.percepts(role)[number]))
        }));
    }
    vec![
        came_up(graph, "move", &moves),
        came_up(graph, "fluent", &fluents),
        came_up(graph, "percept", &percepts),
    ]
}

/// The answer about one kind, of which these do not come up.
fn came_up(graph: &StateGraph, kind: &str, unused: &[String]) -> RuleAnswer {
    let (verdict, text) = match (unused.is_empty(), graph.is_complete()) {
        // Every one was seen, whatever was left out.
        (true, _) => (RuleVerdict::Proved, format!("every {kind} that the rules can derive comes up")),
        (false, true) => (RuleVerdict::Refuted, listed(unused)),
        (false, false) => (RuleVerdict::Open, format!("in these states {}", listed(unused))),
    };
    RuleAnswer::new(RuleQuestion::Used, verdict, grounds(graph), text).about(format!("{kind}s"))
}

/// Some of several, and how many more there are.
fn listed(all: &[impl Display]) -> String {
    let shown: Vec<String> = all.iter().take(NAMED_MAX).map(ToString::to_string).collect();
    match all.len().saturating_sub(NAMED_MAX) {
        0 => shown.join("; "),
        more => format!("{}; and {more} more", shown.join("; ")),
    }
}

/// Whether every rule with conditions applies in some state or turn, with the match in which the last of them does; `None` if they are too large.
pub(crate) fn rules_answer(graph: &StateGraph, is_over: &dyn Fn() -> bool) -> Option<RuleAnswer> {
    let game = graph.game();
    let mut watch = RuleWatch::new(game)?;
    let (mut last, mut looked, mut is_whole) = (0, 0, graph.is_complete());
    for state in 0..graph.expanded() {
        if watch.open().is_empty() || is_over() {
            break;
        }
        let (open, full) = (watch.open().len(), graph.state(state));
        is_whole &= watch.look(game, &full);
        if graph.kind(state) == StateKind::Running && watch.waits_for_moves() {
            for edge in graph.edges(state) {
                is_whole &= watch.look_at_move(game, &full, &graph.joint_move(state, edge));
                if !watch.waits_for_moves() {
                    break;
                }
            }
        }
        if watch.open().len() < open {
            last = state;
        }
        looked += 1;
    }
    let unused: Vec<Span> = watch.open().iter().map(|&number| watch.clauses()[number]).collect();
    let answer = |verdict, grounds, text| {
        RuleAnswer::new(RuleQuestion::Used, verdict, grounds, text).about("rules".to_owned())
    };
    if unused.is_empty() {
        let text = "every rule applies in some match";
        let line = Line { moves: graph.moves_along(&graph.way_to(last)), returns_to: None };
        return Some(answer(RuleVerdict::Proved, Grounds::Lines, text.to_owned()).shown_by(vec![line]));
    }
    let rules = match unused.len() {
        1 => "a rule applies".to_owned(),
        count => format!("{count} rules apply"),
    };
    let found = match is_whole && looked == graph.expanded() {
        true => answer(RuleVerdict::Refuted, Grounds::Exhaustion(looked), format!("{rules} in no match")),
        false => answer(RuleVerdict::Open, grounds(graph), format!("{rules} in none of these states")),
    };
    Some(RuleAnswer { places: unused, ..found })
}
