//! Answers that follow from what can come of each move: whether a role matters, and whether a move is never better than another.
//!
//! # Sources
//! A move is *dominated* here if another does at least as well in every state that the role cannot tell apart, whatever all others and chance
//! do then and later, and sometimes better: stricter than weak dominance, since it compares the worst of one move with the best of the
//! other as the obvious dominance of S. Li does ("Obviously strategy-proof mechanisms", American Economic Review 107, 2017), but turn by turn.

use croupier_engine::RoleId;
use rustc_hash::FxHashMap;

use crate::{
    answer::{Grounds, Line, RuleAnswer, RuleQuestion, RuleVerdict},
    by_graph::{after, grounds},
    graph::{StateGraph, StateKind},
    prospects::{GoalRange, GoalRanges},
    sets::SetGraph,
};

/// Whether what a player does can change how a match ends.
pub(crate) fn matters(graph: &StateGraph, ranges: Option<&GoalRanges>, player: usize) -> RuleAnswer {
    let role = graph.players()[player];
    let name = graph.game().roles().name(role);
    let answer =
        |verdict, grounds, text| RuleAnswer::new(RuleQuestion::Matters, verdict, grounds, text).of(role);
    let mut choices = graph.choices(role);
    if graph.is_complete() && choices.clone().next().is_none() {
        let text = format!("{name} never has more than one legal move");
        return answer(RuleVerdict::Refuted, Grounds::Exhaustion(graph.expanded()), text);
    }
    let Some(prospects) = ranges else {
        let text = format!("whether {name} can change how a match ends was not worked out");
        return answer(RuleVerdict::Open, grounds(graph), text);
    };
    if let Some([one, other]) = choices.find_map(|state| difference(graph, prospects, state, role)) {
        let text = format!("what {name} does can change how a match ends, {}", after(one.moves.len() - 1));
        return answer(RuleVerdict::Proved, Grounds::Lines, text).shown_by(vec![one, other]);
    }
    match makes_no_difference(graph, player) {
        true => {
            let text = format!("nothing that {name} does changes how a match goes on or ends");
            answer(RuleVerdict::Refuted, Grounds::Exhaustion(graph.expanded()), text)
        }
        false => {
            let text = format!("no two moves of {name} were found after which matches end differently");
            answer(RuleVerdict::Open, grounds(graph), text)
        }
    }
}

/// Two matches that differ in the last move of a role, after which other goals are possible, or likely if all play at random.
fn difference(graph: &StateGraph, prospects: &GoalRanges, state: usize, role: RoleId) -> Option<[Line; 2]> {
    let alternatives = graph.alternatives(state, role);
    let following = |edge| prospects.of_state(graph.target(edge));
    (0..alternatives.others).find_map(|others| {
        let first = alternatives.edge(0, others);
        let edges = (1..alternatives.own).map(|own| alternatives.edge(own, others));
        let other = edges.into_iter().find(|&edge| following(edge) != following(first))?;
        Some([first, other].map(|edge| graph.line_along(state, edge)))
    })
}

/// Whether in every state all moves of a player lead to the same for all others, whatever these and chance do: matches that only differ in
/// its moves cannot be told apart, and end with the same goals.
fn makes_no_difference(graph: &StateGraph, player: usize) -> bool {
    let Some(order) = graph.backwards() else { return false };
    let role = graph.players()[player];
    let mut classes: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut class_of = vec![0; graph.expanded()];
    for state in order.into_iter().map(|state| state as usize) {
        let mut shape = vec![u32::from(graph.kind(state) == StateKind::Running)];
        if graph.kind(state) == StateKind::Running {
            let alternatives = graph.alternatives(state, role);
            let rest = (0..graph.players().len()).filter(|&other| other != player);
            let told = |edge| -> Vec<u32> {
                let labels = rest.clone().map(|other| graph.label(edge, other));
                labels.chain([class_of[graph.target(edge)]]).collect()
            };
            for others in 0..alternatives.others {
                let first = told(alternatives.edge(0, others));
                if (1..alternatives.own).any(|own| told(alternatives.edge(own, others)) != first) {
                    return false;
                }
                shape.extend(first);
            }
        } else {
            let goals = (0..graph.players().len()).map(|player| graph.goal(state, player));
            shape.extend(goals.map(|goal| goal.map_or(u32::MAX, i32::cast_unsigned)));
        }
        let next = u32::try_from(classes.len()).expect("classes are below 2^32");
        class_of[state] = *classes.entry(shape).or_insert(next);
    }
    true
}

/// A move that is never better than another, in an information set.
struct Dominated {
    set: usize,
    state: usize,
    worse: u32,
    better: u32,
}

/// Whether each move of a player is in some match better than every other; `None` if `is_over` says so first.
pub(crate) fn undominated(
    graph: &StateGraph,
    sets: &SetGraph,
    prospects: &GoalRanges,
    is_over: &dyn Fn() -> bool,
) -> Option<RuleAnswer> {
    let role = graph.players()[sets.player];
    let (name, game, network) = (graph.game().roles().name(role), graph.game(), graph.network());
    let answer =
        |verdict, grounds, text| RuleAnswer::new(RuleQuestion::Undominated, verdict, grounds, text).of(role);
    let (mut choices, mut found, mut is_settled) = (0, Vec::new(), true);
    for set in 0..sets.len() {
        if set % 64 == 0 && is_over() {
            return None;
        }
        let running: Vec<usize> = sets.running(graph, set).collect();
        let Some(&first) = running.first().filter(|&&state| graph.has_choice(state, role)) else { continue };
        if running.iter().any(|&state| graph.menu(state, role) != graph.menu(first, role)) {
            is_settled = false;
            continue;
        }
        choices += 1;
        let table = MoveTable::of(graph, prospects, sets.player, &running);
        let moves: Vec<u32> = graph.own_moves(first, role).collect();
        let dominated = table.dominated();
        is_settled &= dominated.is_some() || table.each_is_best();
        found.extend(dominated.map(|[worse, better]| Dominated {
            set,
            state: first,
            worse: moves[worse],
            better: moves[better],
        }));
    }
    let by = Grounds::InformationSets(sets.len());
    let Some(shown) = found.first() else {
        let (verdict, text) = match is_settled {
            true => (RuleVerdict::Proved, format!("each move of {name} is the best in some match")),
            false => {
                (RuleVerdict::Open, format!("no move of {name} was found that is never better than another"))
            }
        };
        return Some(answer(verdict, by, text));
    };
    let text_of = |number: u32| game.move_text(network.moves(role)[number as usize]);
    let line = Line { moves: sets.moves_to(graph, shown.set, shown.state), returns_to: None };
    let text = format!(
        "{} {} is never better for {name} than {}; so in {} of {choices} choices",
        after(line.moves.len()),
        text_of(shown.worse),
        text_of(shown.better),
        found.len(),
    );
    Some(answer(RuleVerdict::Refuted, by, text).shown_by(vec![line]))
}

/// What is said where not all matches end, or not all states and information sets are known.
pub(crate) fn uncompared(graph: &StateGraph, player: usize) -> RuleAnswer {
    let role = graph.players()[player];
    let text =
        format!("what can come of each move of {} was not worked out", graph.game().roles().name(role));
    RuleAnswer::new(RuleQuestion::Undominated, RuleVerdict::Open, grounds(graph), text).of(role)
}

/// What comes of each move of a role, by what all others do and in which state.
struct MoveTable {
    /// One row for each state and joint move of the others.
    rows: Vec<Vec<GoalRange>>,
    own: usize,
}

impl MoveTable {
    fn of(graph: &StateGraph, prospects: &GoalRanges, player: usize, states: &[usize]) -> Self {
        let role = graph.players()[player];
        let mut rows = Vec::new();
        let mut count = 0;
        for &state in states {
            let alternatives = graph.alternatives(state, role);
            count = alternatives.own;
            let prospect =
                |own, others| prospects.of_state(graph.target(alternatives.edge(own, others)))[player];
            rows.extend(
                (0..alternatives.others).map(|others| (0..count).map(|own| prospect(own, others)).collect()),
            );
        }
        Self { rows, own: count }
    }

    /// The places of a move and of one that is always at least as good, and sometimes better.
    fn dominated(&self) -> Option<[usize; 2]> {
        let pairs = (0..self.own).flat_map(|worse| (0..self.own).map(move |better| [worse, better]));
        pairs.into_iter().find(|&[worse, better]| {
            worse != better
                && self.rows.iter().all(|row| row[worse].most <= row[better].least)
                && self.rows.iter().any(|row| row[worse].least < row[better].most)
        })
    }

    /// Whether each move can turn out better than every other.
    fn each_is_best(&self) -> bool {
        (0..self.own).all(|own| {
            self.rows.iter().any(|row| {
                row.iter().enumerate().all(|(other, prospect)| other == own || prospect.most < row[own].most)
            })
        })
    }
}
