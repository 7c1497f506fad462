//! Whether a role can force its best goal by what it knows, whatever the others and chance play.
//!
//! # Sources
//! Attractors of reachability games, here on information sets as sets of states: J. Reif, "The complexity of two-player games of
//! incomplete information", Journal of Computer and System Sciences 29, 1984.

use rustc_hash::FxHashMap;

use crate::{
    graph::{StateGraph, StateKind},
    sets::SetGraph,
};

/// Whether a player has a strategy on its information sets that reaches `goal` in every match: a strategy chooses one move for each set, and
/// the move must be legal in every state of it in which the match goes on.
pub(crate) fn can_force(graph: &StateGraph, sets: &SetGraph, goal: i32) -> bool {
    let mut wins = vec![false; sets.len()];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); sets.len()];
    for set in 0..sets.len() {
        for edge in sets.edges(set) {
            before[edge.target as usize].push(u32::try_from(set).expect("sets are below 2^32"));
        }
    }
    let mut open: Vec<usize> = (0..sets.len()).rev().collect();
    while let Some(set) = open.pop() {
        if !wins[set] && wins_now(graph, sets, set, goal, &wins) {
            wins[set] = true;
            open.extend(before[set].iter().map(|&earlier| earlier as usize));
        }
    }
    wins[0]
}

/// Whether a set is won if these are.
fn wins_now(graph: &StateGraph, sets: &SetGraph, set: usize, goal: i32, wins: &[bool]) -> bool {
    let mut members = sets.members(set).iter().map(|&state| state as usize);
    let is_lost = |state: usize| match graph.kind(state) {
        StateKind::Running => false,
        StateKind::Terminal => graph.goal(state, sets.player) != Some(goal),
        StateKind::Stuck => true,
    };
    if members.any(is_lost) {
        return false;
    }
    let running: Vec<usize> = sets.running(graph, set).collect();
    if running.is_empty() {
        return true;
    }
    let role = graph.players()[sets.player];
    // By own move, in how many states it can be made, and whether all that may follow is won.
    let mut moves: FxHashMap<u32, bool> = FxHashMap::default();
    for edge in sets.edges(set) {
        let own = graph.own_move(edge.label, sets.player);
        *moves.entry(own).or_insert(true) &= wins[edge.target as usize];
    }
    moves.iter().any(|(&own, &is_won)| {
        let is_legal = |&state: &usize| graph.own_moves(state, role).any(|number| number == own);
        is_won && running.iter().all(is_legal)
    })
}
