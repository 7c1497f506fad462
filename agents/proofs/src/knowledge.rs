//! What a role knows of its own affairs in every information set, and what it learns of the secrets of others.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::{
    answer::RuleQuestion,
    graph::{StateGraph, StateKind},
    interner::is_set,
    sets::SetGraph,
};

/// What a role may want to know of a state that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Its legal moves, if the match goes on.
    Moves,
    /// Whether these are several, if the match goes on.
    Choice,
    /// Whether the match is over.
    End,
    /// Its goal, if the match is over.
    Goal,
}

impl Need {
    pub(crate) const ALL: [Self; 4] = [Self::Moves, Self::Choice, Self::End, Self::Goal];

    /// The question whether a role always knows it.
    pub(crate) fn question(self) -> RuleQuestion {
        match self {
            Self::Moves => RuleQuestion::KnowsMoves,
            Self::Choice => RuleQuestion::KnowsChoice,
            Self::End => RuleQuestion::KnowsEnd,
            Self::Goal => RuleQuestion::KnowsGoal,
        }
    }

    /// The same in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Moves => "its legal moves",
            Self::Choice => "whether it has a choice",
            Self::End => "whether the match is over",
            Self::Goal => "its goal when the match is over",
        }
    }
}

/// The first information set with two states that differ in something, and these states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Doubt {
    pub(crate) set: usize,
    pub(crate) states: [usize; 2],
}

/// What is known of a state in this respect; nothing where it does not matter.
fn fact(graph: &StateGraph, player: usize, state: usize, need: Need) -> Option<Vec<u32>> {
    let role = graph.players()[player];
    match (need, graph.kind(state)) {
        (Need::Moves, StateKind::Running) => Some(vec![graph.menu(state, role)]),
        (Need::Choice, StateKind::Running) => Some(vec![u32::from(graph.has_choice(state, role))]),
        (Need::End, kind) => Some(vec![u32::from(kind == StateKind::Terminal)]),
        (Need::Goal, StateKind::Terminal) => {
            // A sign bit is as good as any other.
            Some(graph.goal(state, player).map_or(Vec::new(), |goal| vec![goal.cast_unsigned()]))
        }
        _ => None,
    }
}

/// The first information set in which a role does not know what it needs.
pub(crate) fn doubt(graph: &StateGraph, sets: &SetGraph, need: Need) -> Option<Doubt> {
    (0..sets.len()).find_map(|set| {
        let mut first: Option<(usize, Vec<u32>)> = None;
        for &state in sets.members(set) {
            let state = state as usize;
            let Some(fact) = fact(graph, sets.player, state, need) else { continue };
            match &first {
                None => first = Some((state, fact)),
                Some((other, known)) if *known != fact => {
                    return Some(Doubt { set, states: [*other, state] });
                }
                Some(_) => {}
            }
        }
        None
    })
}

/// A state of an information set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) set: usize,
    pub(crate) state: usize,
}

/// Two states after the same last own move and percepts in which a role has different moves.
pub(crate) fn history_needed(graph: &StateGraph, sets: &SetGraph) -> Option<[Member; 2]> {
    let role = graph.players()[sets.player];
    let mut by_label: FxHashMap<u32, Member> = FxHashMap::default();
    for edge in (0..sets.len()).flat_map(|set| sets.edges(set)) {
        let set = edge.target as usize;
        for state in sets.running(graph, set) {
            let found = Member { set, state };
            let first = *by_label.entry(edge.label).or_insert(found);
            if graph.menu(first.state, role) != graph.menu(state, role) {
                return Some([first, found]);
            }
        }
    }
    None
}

/// What a role learns of a group of fluents before the match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Learning {
    /// Whether it knows of each of them in every information set whether it is true.
    pub(crate) always: bool,
    /// The first information set in which it is certain that one of them is true.
    pub(crate) learned: Option<usize>,
    /// After this many turns it always knows, if so.
    pub(crate) from: Option<u32>,
}

/// What a role learns of the fluents of each group; `group_of` gives the group of each base.
pub(crate) fn learning(
    graph: &StateGraph,
    sets: &SetGraph,
    group_of: &[Option<usize>],
    groups: usize,
) -> BTreeMap<usize, Learning> {
    let mut found: Vec<Option<Learning>> = vec![None; groups];
    let mut last_doubt = vec![0; groups];
    let mut last = 0;
    for set in 0..sets.len() {
        let running: Vec<usize> = sets.running(graph, set).collect();
        let Some((&first, others)) = running.split_first() else { continue };
        last = last.max(sets.depth(set));
        let mut all = graph.row(first).to_vec();
        let mut some = all.clone();
        for &state in others {
            let row = graph.row(state);
            all.iter_mut().zip(row).for_each(|(all, word)| *all &= word);
            some.iter_mut().zip(row).for_each(|(some, word)| *some |= word);
        }
        for (base, group) in group_of.iter().enumerate() {
            let Some(group) = *group else { continue };
            let (is_certain, may_hold) = (is_set(&all, base), is_set(&some, base));
            if !may_hold {
                continue;
            }
            let learning = found[group].get_or_insert(Learning { always: true, learned: None, from: None });
            if is_certain {
                learning.learned.get_or_insert(set);
            } else {
                learning.always = false;
                last_doubt[group] = last_doubt[group].max(sets.depth(set) + 1);
            }
        }
    }
    let finish = |(group, learning): (usize, Option<Learning>)| {
        let mut learning = learning?;
        let doubted = last_doubt[group];
        let is_later = sets.is_layered() && !learning.always && doubted <= last;
        learning.from = is_later.then_some(doubted);
        Some((group, learning))
    };
    found.into_iter().enumerate().filter_map(finish).collect()
}
