//! Answers by other means: all states of a real-time game, microsecond by microsecond, as sets of texts that a second interpreter computes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use croupier_tests::oracle::{
    OracleError, Terms,
    realtime::{Lifetime, RealTimeOracle, State},
};

/// States and updates beyond which a program is left out.
const STATES_MAX: usize = 500;
const UPDATES_MAX: usize = 6_000;
const INSTANTS_MAX: u64 = 100;

/// A state as text, and what follows on it.
#[derive(Debug)]
pub(crate) struct TickState {
    facts: State,
    pub(crate) is_terminal: bool,
    /// Nothing happens any more.
    pub(crate) is_stalled: bool,
    /// Nothing happens unless somebody moves.
    may_wait: bool,
    pub(crate) goals: BTreeMap<String, Terms>,
    pub(crate) edges: Vec<TickEdge>,
}

/// An update.
#[derive(Debug)]
pub(crate) struct TickEdge {
    pub(crate) elapsed: u64,
    has_moves: bool,
    expired: Terms,
    /// None where a lifetime is none.
    target: Option<usize>,
}

/// The whole graph of a real-time game.
#[derive(Debug)]
pub(crate) struct Clockwork {
    pub(crate) states: Vec<TickState>,
}

type Key = (State, Terms);

impl Clockwork {
    /// The graph of some rules; `None` if it is too large, or the interpreter gives up.
    pub(crate) fn of(rules: &str) -> Option<Self> {
        let oracle = RealTimeOracle::of(rules).ok()?;
        let first: Key = (oracle.initial_state().ok()?, Terms::new());
        let mut numbers = BTreeMap::from([(first.clone(), 0)]);
        let mut open = VecDeque::from([first]);
        let (mut states, mut updates): (Vec<TickState>, usize) = (Vec::new(), 0);
        while let Some((facts, expired)) = open.pop_front() {
            let view = oracle.view(&facts, &expired).ok()?;
            let players: BTreeMap<String, Terms> =
                view.goals.into_iter().filter(|(role, _)| role != "random").collect();
            let can_move = view.legal.values().any(|moves| !moves.is_empty());
            let has_chance = view.legal.get("random").is_some_and(|moves| !moves.is_empty());
            let expiry = RealTimeOracle::next_expiry(&facts);
            if expiry.is_some_and(|micros| micros > INSTANTS_MAX) {
                return None;
            }
            let mut edges = Vec::new();
            let choices = if view.is_terminal { Vec::new() } else { choices(&facts, &view.legal) };
            for (elapsed, moves) in choices {
                updates += 1;
                let (target, expired) = match oracle.update(&facts, elapsed, &moves) {
                    Err(OracleError::Lifetime { .. }) => (
                        None,
                        facts
                            .iter()
                            .filter(|(life, _)| life.after(elapsed).is_none())
                            .map(|(_, fluent)| fluent.clone())
                            .collect(),
                    ),
                    Err(_) => return None,
                    Ok(after) => {
                        let key = (after.successor, after.expired.clone());
                        let next = numbers.len();
                        let number = *numbers.entry(key.clone()).or_insert(next);
                        if number == next {
                            open.push_back(key);
                        }
                        (Some(number), after.expired)
                    }
                };
                edges.push(TickEdge { elapsed, has_moves: !moves.is_empty(), expired, target });
            }
            if numbers.len() > STATES_MAX || updates > UPDATES_MAX {
                return None;
            }
            let is_running = !view.is_terminal && expiry.is_none();
            states.push(TickState {
                facts,
                is_terminal: view.is_terminal,
                is_stalled: is_running && !can_move,
                may_wait: is_running && !has_chance,
                goals: players,
                edges,
            });
        }
        Some(Self { states })
    }

    fn edges(&self) -> impl Iterator<Item = (usize, &TickEdge)> {
        self.states
            .iter()
            .enumerate()
            .flat_map(|(number, state)| state.edges.iter().map(move |edge| (number, edge)))
    }

    /// Whether some of these updates lead around.
    pub(crate) fn has_ring(&self, is_wanted: &dyn Fn(&TickEdge) -> bool) -> bool {
        let edges = self.edges().filter(|(_, edge)| is_wanted(edge));
        has_ring(self.states.len(), edges.filter_map(|(from, edge)| Some((from, edge.target?))).collect())
    }

    /// Whether updates in which nothing expires can lead from some fluents to the same fluents again, with whatever is left of their lifetimes.
    /// That is looked for state by state: a way that ends in a state with the fluents that it began with.
    pub(crate) fn has_ring_of_holding(&self) -> bool {
        let holding = |number: usize| -> BTreeSet<(bool, &String)> {
            let state = &self.states[number];
            state.facts.iter().map(|(life, fluent)| (*life == Lifetime::Infinity, fluent)).collect()
        };
        (0..self.states.len()).any(|begin| {
            let wanted = holding(begin);
            let (mut seen, mut open) = (BTreeSet::new(), vec![begin]);
            while let Some(number) = open.pop() {
                for edge in self.states[number].edges.iter().filter(|edge| edge.expired.is_empty()) {
                    let Some(target) = edge.target else { continue };
                    if !self.states[target].is_terminal && holding(target) == wanted {
                        return true;
                    }
                    if seen.insert(target) {
                        open.push(target);
                    }
                }
            }
            false
        })
    }

    /// What expires in an update with a move.
    pub(crate) fn moved_expiries(&self) -> BTreeSet<&String> {
        self.edges().filter(|(_, edge)| edge.has_moves).flat_map(|(_, edge)| &edge.expired).collect()
    }

    /// The microseconds of the longest match; `None` if one need not end.
    pub(crate) fn longest(&self) -> Option<u64> {
        let fails = self.edges().any(|(_, edge)| edge.target.is_none());
        if fails || self.states.iter().any(|state| state.may_wait) || self.has_ring(&|_| true) {
            return None;
        }
        // Without a way around no match has more updates than there are states.
        let mut longest = vec![0; self.states.len()];
        for _ in 0..self.states.len() {
            let mut next = longest.clone();
            for (from, edge) in self.edges() {
                next[from] = next[from].max(edge.elapsed + longest[edge.target?]);
            }
            if next == longest {
                break;
            }
            longest = next;
        }
        longest.first().copied()
    }
}

/// Whether edges lead around: what no edge leads to is taken away until nothing is left.
fn has_ring(states: usize, edges: Vec<(usize, usize)>) -> bool {
    let mut is_left = vec![true; states];
    loop {
        let mut is_target = vec![false; states];
        edges.iter().filter(|(from, _)| is_left[*from]).for_each(|(_, to)| is_target[*to] = true);
        let next: Vec<bool> = (0..states).map(|state| is_left[state] && is_target[state]).collect();
        if next == is_left {
            return is_left.contains(&true);
        }
        is_left = next;
    }
}

/// All that can happen next: `random` alone and at once, or else at any microsecond until something expires whoever moves.
fn choices(facts: &State, legal: &BTreeMap<String, Terms>) -> Vec<(u64, BTreeMap<String, String>)> {
    if let Some(moves) = legal.get("random").filter(|moves| !moves.is_empty()) {
        return moves
            .iter()
            .map(|played| (0, BTreeMap::from([("random".to_owned(), played.clone())])))
            .collect();
    }
    let mut joint = vec![BTreeMap::new()];
    for (role, moves) in legal {
        for place in 0..joint.len() {
            for played in moves {
                let mut with: BTreeMap<String, String> = joint[place].clone();
                with.insert(role.clone(), played.clone());
                joint.push(with);
            }
        }
    }
    let expiry = RealTimeOracle::next_expiry(facts);
    let mut found = Vec::new();
    // Where nothing expires, a state lasts as it is: one instant stands for all.
    for elapsed in 1..=expiry.unwrap_or(1) {
        for moves in &joint {
            if !moves.is_empty() || expiry == Some(elapsed) {
                found.push((elapsed, moves.clone()));
            }
        }
    }
    found
}
