//! Which states of a graph are settled, for whom they are quiet, and how many histories go on from them.

use super::graph::{StateGraph, StateId};

/// The graph with what follows from its joint moves; `None` if the game can come back to a state.
pub(super) fn judged(mut graph: StateGraph) -> Option<StateGraph> {
    graph.histories = vec![0.0; graph.len()];
    for state in sorted(&graph)?.into_iter().rev() {
        judge(&mut graph, state);
    }
    Some(graph)
}

/// Judges a state by those that it leads to.
fn judge(graph: &mut StateGraph, state: StateId) {
    let mut place = graph.place(state);
    let nexts = &graph.nexts[graph.edges(state)];
    if let [first, ..] = *nexts {
        let outcome = graph.place(first).outcome;
        if nexts.iter().all(|&next| graph.place(next).outcome == outcome) {
            place.outcome = outcome;
        }
    }
    if place.is_settled() {
        place.quiet = u64::MAX;
    } else {
        let quiet = nexts.iter().fold(u64::MAX, |quiet, &next| quiet & graph.place(next).quiet);
        let after: f64 = nexts.iter().map(|&next| graph.histories(next)).sum();
        place.quiet = quiet & without_choice(graph, state);
        graph.histories[state.index()] = 1.0 + after;
    }
    graph.places[state.index()] = place;
}

/// A bit for each player who has one legal move.
fn without_choice(graph: &StateGraph, state: StateId) -> u64 {
    let players = graph.players.iter().zip(0..);
    players.fold(0, |bits, (&role, player)| bits | u64::from(graph.choice(state, role).count == 1) << player)
}

/// All states, each before those that it leads to; `None` if there is no such order.
fn sorted(graph: &StateGraph) -> Option<Vec<StateId>> {
    let mut waiting = vec![0_u32; graph.len()];
    graph.nexts.iter().for_each(|next| waiting[next.index()] += 1);
    let (mut sorted, mut done) = (vec![StateId::INITIAL], 0);
    if waiting[0] > 0 {
        return None;
    }
    while let Some(&state) = sorted.get(done) {
        for next in &graph.nexts[graph.edges(state)] {
            waiting[next.index()] -= 1;
            if waiting[next.index()] == 0 {
                sorted.push(*next);
            }
        }
        done += 1;
    }
    (sorted.len() == graph.len()).then_some(sorted)
}
