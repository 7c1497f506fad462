//! Whether every match ends: a state that comes again, or the longest line.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::graph::{StateGraph, StateKind};

/// What is known of the ends of all matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MatchEnds {
    /// Every line ends, after so many turns at least and at most.
    Within {
        /// The shortest.
        least: usize,
        /// The longest.
        most: usize,
    },
    /// These states follow on each other, and the one with this index again on the last.
    Again(Vec<usize>, usize),
}

/// A state that is being looked at, and how many of its edges were.
struct Open {
    state: usize,
    next: usize,
}

const UNSEEN: u32 = u32::MAX;
const ON_THE_WAY: u32 = u32::MAX - 1;

/// Looks for a state that comes again among those that were expanded; the others are taken for ends.
pub(crate) fn ends(graph: &StateGraph) -> MatchEnds {
    let mut longest = vec![UNSEEN; graph.expanded()];
    let mut open = vec![Open { state: 0, next: 0 }];
    if graph.expanded() > 0 {
        longest[0] = ON_THE_WAY;
    } else {
        open.clear();
    }
    while let Some(Open { state, next }) = open.last_mut() {
        let targets = graph.targets(*state);
        let Some(&target) = targets.get(*next) else {
            let following = targets.iter().map(|&target| longest.get(target as usize).copied().unwrap_or(0));
            longest[*state] = following.max().map_or(0, |most| most + 1);
            open.pop();
            continue;
        };
        *next += 1;
        let target = target as usize;
        match longest.get(target) {
            Some(&UNSEEN) => {
                longest[target] = ON_THE_WAY;
                open.push(Open { state: target, next: 0 });
            }
            Some(&ON_THE_WAY) => return again(graph, &open, target),
            Some(_) | None => {}
        }
    }
    let least = (0..graph.expanded()).find(|&state| graph.kind(state) != StateKind::Running);
    let least = least.map_or(0, |state| graph.way_to(state).len() - 1);
    MatchEnds::Within { least, most: longest.first().map_or(0, |&most| most as usize) }
}

/// The shortest way to the nearest state that comes again, and from there on the shortest way until it does; if that is hard to find, the way
/// that was taken.
fn again(graph: &StateGraph, open: &[Open], target: usize) -> MatchEnds {
    let near = (0..graph.expanded()).take(STATES_TRIED).find_map(|state| Some((state, round(graph, state)?)));
    let begin = open.iter().position(|open| open.state == target).expect("it is on the way");
    let taken = || open[begin + 1..].iter().map(|open| open.state).chain([target]).collect();
    let (first, around) = near.unwrap_or_else(|| (target, taken()));
    let mut way = graph.way_to(first);
    let returns_to = way.len() - 1;
    way.extend(around);
    MatchEnds::Again(way, returns_to)
}

/// States that are tried, and states that are looked at for each of them.
const STATES_TRIED: usize = 200;
const STATES_AROUND: usize = 20_000;

/// The shortest way from a state to itself, which ends with it.
fn round(graph: &StateGraph, state: usize) -> Option<Vec<usize>> {
    let mut before: FxHashMap<usize, usize> = FxHashMap::default();
    let mut waiting = VecDeque::from([state]);
    while let Some(from) = waiting.pop_front().filter(|_| before.len() < STATES_AROUND) {
        let targets = if from < graph.expanded() { graph.targets(from) } else { &[] };
        for &target in targets {
            let target = target as usize;
            if target == state {
                let mut way = vec![state];
                let mut last = from;
                while last != state {
                    way.push(last);
                    last = before[&last];
                }
                way.reverse();
                return Some(way);
            }
            before.entry(target).or_insert_with(|| {
                waiting.push_back(target);
                from
            });
        }
    }
    None
}
