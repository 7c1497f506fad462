//! Classes of states of rules that only set lifetimes and keep them.

use std::sync::Arc;

use croupier_engine::{
    FluentId, Lifetime, RoleId,
    realtime::{ClockSource, RealTimeError, RealTimeGame, RealTimeScratch, TimedState},
};
use rustc_hash::FxHashMap;

use super::{
    joint::{SomeMoves, joint_moves},
    timed_graph::{GraphStyle, NodeClock, TimedEdge, TimedGraph, TimedKind, TimedNode},
    timed_limits::TimedLimits,
    zone::{InstantSource, Zone},
};

/// Lifetimes that a state may have at the same time.
const CLOCKS_MAX: usize = 10;

/// Parts of one class with different lifetimes that end first.
const SPLITS_MAX: usize = 1_024;

/// Fluents whose lifetimes are taken for unknown, and how long any lifetime lasts at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Forgotten {
    /// Ascending.
    pub(super) fluents: Vec<FluentId>,
    pub(super) longest: u64,
}

/// What holds in all states of a class.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Holding {
    /// Fluents that never expire, ascending.
    endless: Vec<FluentId>,
    /// Fluents that do, in the order of their clocks, ascending.
    pub(super) ending: Vec<FluentId>,
    /// What expired in the update before: of a terminal state only, where it matters.
    expired: Vec<FluentId>,
    is_terminal: bool,
}

/// What holds after an update, and where each lifetime comes from.
#[derive(Clone, Debug)]
pub(super) struct After {
    pub(super) holding: Holding,
    pub(super) sources: Vec<InstantSource>,
    /// Fluents that keep the lifetimes that they have.
    pub(super) kept: Vec<FluentId>,
}

/// Says what follows on what holds.
pub(super) struct Follower<'g> {
    game: &'g RealTimeGame,
    scratch: RealTimeScratch,
}

impl Holding {
    /// A state in which this holds, without what has just expired unless the match is over.
    fn state(&self) -> TimedState {
        let any = Lifetime::of_micros(1).expect("a microsecond");
        let endless = self.endless.iter().map(|&fluent| (fluent, Lifetime::INFINITY));
        let ending = self.ending.iter().map(|&fluent| (fluent, any));
        TimedState::new(endless.chain(ending).collect(), self.expired.clone())
    }
}

impl<'g> Follower<'g> {
    pub(super) fn new(game: &'g RealTimeGame) -> Self {
        Self { game, scratch: game.scratch() }
    }

    /// What holds at first, and the lifetimes of what ends.
    pub(super) fn first(&mut self) -> Result<(Holding, Vec<u64>), RealTimeError> {
        let state = self.game.initial_state();
        let facts = || state.facts().map(|(fluent, lifetime)| (fluent, lifetime.micros()));
        let endless = facts().filter(|(_, us)| us.is_none()).map(|(fluent, _)| fluent).collect();
        let ends: Vec<(FluentId, u64)> = facts().filter_map(|(fluent, us)| Some((fluent, us?))).collect();
        let (ending, lifetimes) = ends.into_iter().unzip();
        let is_terminal = self.game.is_terminal(state, &mut self.scratch)?;
        Ok((Holding { endless, ending, expired: Vec::new(), is_terminal }, lifetimes))
    }

    /// What holds after an update in which some of the clocks end.
    pub(super) fn after(
        &mut self,
        before: &Holding,
        expires: &[bool],
        moves: &SomeMoves,
    ) -> Result<After, RealTimeError> {
        let any = Lifetime::of_micros(1).expect("a microsecond");
        let clocks = || before.ending.iter().copied().zip(expires.iter().copied()).enumerate();
        let endless = before.endless.iter().map(|&fluent| (fluent, Lifetime::INFINITY));
        let ending = clocks().filter(|(_, (_, ends))| !ends).map(|(_, (fluent, _))| (fluent, any));
        let mut expired: Vec<FluentId> =
            clocks().filter(|(_, (_, ends))| *ends).map(|(_, (fluent, _))| fluent).collect();
        expired.dedup();
        let left = TimedState::new(endless.chain(ending).collect(), expired.clone());
        let changes = self.game.clock_changes(&left, moves, &mut self.scratch)?.unwrap_or_default();
        let mut endless = Vec::new();
        let mut ending: Vec<(FluentId, InstantSource)> = Vec::new();
        let mut kept = Vec::new();
        for change in changes {
            match change.source {
                ClockSource::Set(lifetime) => match lifetime.micros() {
                    None => endless.push(change.fluent),
                    Some(us) => ending.push((change.fluent, InstantSource::After(us))),
                },
                ClockSource::Kept(from) => {
                    if before.endless.binary_search(&from).is_ok() {
                        endless.push(change.fluent);
                    }
                    let places = clocks().filter(|(_, (fluent, ends))| *fluent == from && !ends);
                    ending.extend(places.map(|(place, _)| (change.fluent, InstantSource::Of(place + 1))));
                    if from == change.fluent && !expired.contains(&from) {
                        kept.push(from);
                    }
                }
            }
        }
        endless.sort_unstable();
        endless.dedup();
        ending.sort_unstable();
        ending.dedup();
        let (ending, sources) = ending.into_iter().unzip();
        let mut holding = Holding { endless, ending, expired, is_terminal: false };
        holding.is_terminal = self.game.is_terminal(&holding.state(), &mut self.scratch)?;
        if !holding.is_terminal {
            holding.expired.clear();
        }
        kept.sort_unstable();
        kept.dedup();
        Ok(After { holding, sources, kept })
    }
}

/// The classes that were met.
struct Exploration<'l> {
    graph: TimedGraph,
    /// By node.
    holdings: Vec<Holding>,
    zones: Vec<Zone>,
    nodes_of: FxHashMap<Holding, Vec<usize>>,
    forgotten: &'l Forgotten,
    limits: &'l TimedLimits,
}

/// An edge whose end is not known yet.
struct Update {
    moves: SomeMoves,
    ends: Vec<usize>,
    longest: Option<u64>,
}

/// Explores classes, the nearest first, until there are no more, a limit is reached, or `is_over` says so; `None` where the rules fail.
pub(super) fn explore_classes(
    game: &Arc<RealTimeGame>,
    forgotten: &Forgotten,
    limits: &TimedLimits,
    is_over: &dyn Fn() -> bool,
) -> Option<TimedGraph> {
    let style = if forgotten.fluents.is_empty() { GraphStyle::Classes } else { GraphStyle::Regions };
    let graph = TimedGraph::new(game, style);
    let mut exploration = Exploration {
        graph,
        holdings: Vec::new(),
        zones: Vec::new(),
        nodes_of: FxHashMap::default(),
        forgotten,
        limits,
    };
    let mut follower = Follower::new(game);
    let (holding, lifetimes) = follower.first().ok()?;
    exploration.node(holding, Zone::begin(&lifetimes), None);
    while exploration.graph.expanded < exploration.graph.nodes.len() {
        let graph = &exploration.graph;
        if graph.nodes.len() > limits.states || is_over() {
            return Some(exploration.graph);
        }
        let is_whole = exploration.expand(&mut follower).ok()?;
        if !is_whole {
            return Some(exploration.graph);
        }
    }
    exploration.graph.is_complete = true;
    Some(exploration.graph)
}

impl Exploration<'_> {
    /// The number of a node that has these states: one that is there, or a new one.
    fn node(&mut self, holding: Holding, mut zone: Zone, found_by: Option<usize>) -> usize {
        for (place, fluent) in holding.ending.iter().enumerate() {
            if self.forgotten.fluents.binary_search(fluent).is_ok() {
                zone.forget(place + 1, self.forgotten.longest);
            }
        }
        let known = self.nodes_of.entry(holding.clone()).or_default();
        // When a match is over no time is left for anything.
        let covers = |&&node: &&usize| holding.is_terminal || zone.is_within(&self.zones[node]);
        if let Some(&node) = known.iter().find(covers) {
            return node;
        }
        let number = self.graph.nodes.len();
        known.push(number);
        let clocks = holding.ending.iter().enumerate();
        let clocks = clocks.map(|(place, &fluent)| NodeClock { fluent, longest: zone.longest_to(place + 1) });
        self.graph.nodes.push(TimedNode {
            state: holding.state(),
            kind: TimedKind::Unknown,
            clocks: clocks.collect(),
            first_edge: 0,
            edges_count: 0,
            found_by,
        });
        self.holdings.push(holding);
        self.zones.push(zone);
        number
    }

    /// Looks at the next node; false if there is too much to look at.
    fn expand(&mut self, follower: &mut Follower<'_>) -> Result<bool, RealTimeError> {
        let node = self.graph.expanded;
        let holding = self.holdings[node].clone();
        let first_edge = self.graph.edges.len();
        let game = Arc::clone(&self.graph.game);
        let kind = if holding.is_terminal {
            TimedKind::Terminal
        } else {
            let legal = game.legal_moves(&self.graph.nodes[node].state, &mut follower.scratch)?;
            let random = game.roles().random().filter(|&random| !legal[random].is_empty());
            match random {
                Some(random) => {
                    self.expand_chance(random, &legal[random], follower)?;
                    TimedKind::Chance
                }
                None => {
                    let Some(joint) = joint_moves(game.roles(), &legal) else { return Ok(false) };
                    if !self.expand_players(&joint, follower)? {
                        return Ok(false);
                    }
                    match (holding.ending.is_empty(), joint.len()) {
                        (false, _) => TimedKind::Running,
                        (true, 1) => TimedKind::Stalled,
                        (true, _) => TimedKind::Waiting,
                    }
                }
            }
        };
        let edges_count = self.graph.edges.len() - first_edge;
        let expanded = &mut self.graph.nodes[node];
        (expanded.kind, expanded.first_edge, expanded.edges_count) = (kind, first_edge, edges_count);
        self.graph.expanded += 1;
        Ok(true)
    }

    fn expand_chance(
        &mut self,
        random: RoleId,
        legal: &[croupier_engine::MoveId],
        follower: &mut Follower<'_>,
    ) -> Result<(), RealTimeError> {
        let node = self.graph.expanded;
        let holding = self.holdings[node].clone();
        let quiet = vec![false; holding.ending.len()];
        for &played in legal {
            let moves = vec![(random, played)];
            let after = follower.after(&holding, &quiet, &moves)?;
            let zone = self.zones[node].at_once(&after.sources);
            self.edge(Update { moves, ends: Vec::new(), longest: Some(0) }, after, zone);
        }
        Ok(())
    }

    fn expand_players(
        &mut self,
        joint: &[SomeMoves],
        follower: &mut Follower<'_>,
    ) -> Result<bool, RealTimeError> {
        let node = self.graph.expanded;
        let holding = self.holdings[node].clone();
        if holding.ending.len() > CLOCKS_MAX {
            return Ok(false);
        }
        let splits = self.zones[node].splits();
        let updates = splits.len().saturating_mul(joint.len());
        if splits.len() > SPLITS_MAX || self.graph.edges.len().saturating_add(updates) > self.limits.updates {
            return Ok(false);
        }
        for split in splits {
            let ends: Vec<usize> = (0..holding.ending.len()).filter(|&place| split.expires[place]).collect();
            // Something must happen.
            for moves in joint.iter().filter(|moves| !moves.is_empty() || !ends.is_empty()) {
                let after = follower.after(&holding, &split.expires, moves)?;
                let zone = split.after(&after.sources);
                let update = Update { moves: moves.clone(), ends: ends.clone(), longest: split.longest };
                self.edge(update, after, zone);
            }
        }
        Ok(true)
    }

    fn edge(&mut self, update: Update, after: After, zone: Zone) {
        let number = self.graph.edges.len();
        let from = self.graph.expanded;
        let to = self.node(after.holding, zone, Some(number));
        let Update { moves, ends, longest } = update;
        self.graph.edges.push(TimedEdge { from, to, moves, ends, kept: after.kept, longest });
    }
}
