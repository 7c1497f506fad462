//! Whether every match ends: a state that comes again, or the longest line.

use crate::graph::{StateGraph, StateKind};

/// What is known of the ends of all matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
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
pub(crate) fn ends(graph: &StateGraph) -> Ends {
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
    Ends::Within { least, most: longest.first().map_or(0, |&most| most as usize) }
}

/// The shortest way to a state on the way that was taken, and from there on as it was taken until that state comes again.
fn again(graph: &StateGraph, open: &[Open], target: usize) -> Ends {
    let begin = open.iter().position(|open| open.state == target).expect("it is on the way");
    let mut way = graph.way_to(target);
    let returns_to = way.len() - 1;
    way.extend(open[begin + 1..].iter().map(|open| open.state));
    way.push(target);
    Ends::Again(way, returns_to)
}
