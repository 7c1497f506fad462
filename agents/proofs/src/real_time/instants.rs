//! States one by one: all of them at every instant where lifetimes are that short, and those of random matches.

use std::sync::Arc;

use croupier_engine::{
    FluentId, MoveId, RoleId,
    draw::{draw, draw_index},
    realtime::{RealTimeError, RealTimeGame, RealTimeScratch, TimedState},
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};
use rand_core::Rng as _;
use rustc_hash::FxHashMap;

use super::{
    joint::{SomeMoves, joint_moves},
    timed_graph::{GraphStyle, NodeClock, TimedEdge, TimedGraph, TimedKind, TimedNode},
    timed_limits::TimedLimits,
};

/// Microseconds until the next expiry up to which players can be looked at in each of them.
const INSTANTS_MAX: u64 = 64;

/// Random matches, and updates of each.
const MATCHES_MAX: u64 = 20_000;
const MATCH_UPDATES_MAX: usize = 3_000;

/// Terms that random matches may make where rules carry times in terms.
const TERMS_MAX: usize = 300_000;

/// The states that were met.
struct StateSearch {
    graph: TimedGraph,
    scratch: RealTimeScratch,
    nodes_of: FxHashMap<(TimedState, bool), usize>,
    is_exhaustive: bool,
    updates_max: usize,
    made: FxHashMap<(RoleId, MoveId), u32>,
}

/// Explores states, the nearest first, until there are no more, a limit is reached, or `is_over` says so; `None` where the first state
/// cannot be evaluated.
pub(super) fn explore_states(
    game: &Arc<RealTimeGame>,
    limits: &TimedLimits,
    is_over: &dyn Fn() -> bool,
) -> Option<TimedGraph> {
    let mut search = StateSearch::new(game, limits);
    search.node(game.initial_state(), None).ok()?;
    while search.graph.expanded < search.graph.nodes.len() {
        let graph = &search.graph;
        if graph.nodes.len() > limits.states || is_over() {
            return Some(search.graph);
        }
        // What takes too much memory to evaluate is left out.
        if !search.expand().unwrap_or(false) {
            return Some(search.graph);
        }
    }
    search.graph.is_complete = search.is_exhaustive;
    Some(search.graph)
}

/// The states of random matches, until they are many or `is_over` says so; `None` where the first state cannot be evaluated. Nothing but the
/// ways to them is there.
pub(super) fn sample_states(
    game: &Arc<RealTimeGame>,
    limits: &TimedLimits,
    is_over: &dyn Fn() -> bool,
) -> Option<TimedGraph> {
    let mut search = StateSearch::new(game, limits);
    search.node(game.initial_state(), None).ok()?;
    let known = game.terms_count();
    for number in 0..MATCHES_MAX {
        let rng = ChaCha8Rng::seed_from_u64(number);
        let made = std::mem::take(&mut search.made);
        let mut walk = RandomWalk { rng, made, is_curious: number % 2 == 1 };
        let mut node = 0;
        for _ in 0..MATCH_UPDATES_MAX {
            // What takes too much memory to evaluate ends a match.
            let Ok(Some(next)) = search.step(node, &mut walk) else { break };
            node = next;
            if search.graph.edges.len() >= limits.updates || is_over() {
                break;
            }
        }
        search.made = walk.made;
        let graph = &search.graph;
        let is_much = graph.nodes.len() > limits.states || graph.edges.len() >= limits.updates;
        if is_much || game.terms_count() > known + TERMS_MAX || is_over() {
            break;
        }
    }
    search.graph.expanded = search.graph.nodes.len();
    Some(search.graph)
}

/// What a random match draws from.
struct RandomWalk {
    rng: ChaCha8Rng,
    /// How often each move was made.
    made: FxHashMap<(RoleId, MoveId), u32>,
    /// Whether players prefer moves that were made least.
    is_curious: bool,
}

impl RandomWalk {
    fn below(&mut self, count: u64) -> u64 {
        draw(count, || self.rng.next_u64())
    }

    /// A place in a list, 0 if there is none.
    fn index(&mut self, count: usize) -> usize {
        if count == 0 { 0 } else { draw_index(count, &mut self.rng) }
    }

    fn choose(&mut self, role: RoleId, legal: &[MoveId]) -> MoveId {
        let first = self.index(legal.len());
        let mut chosen = legal[first];
        if self.is_curious {
            let count = |played: &MoveId| self.made.get(&(role, *played)).copied().unwrap_or(0);
            let around = legal[first..].iter().chain(&legal[..first]);
            chosen = around.copied().min_by_key(count).unwrap_or(chosen);
        }
        *self.made.entry((role, chosen)).or_default() += 1;
        chosen
    }
}

/// The instants at which players are looked at, and whether there are no others that differ.
fn instants(expiry: Option<u64>) -> (Vec<u64>, bool) {
    match expiry {
        // Where nothing expires it does not matter how much time has passed.
        None => (vec![1], true),
        Some(expiry) if expiry <= INSTANTS_MAX => ((1..=expiry).collect(), true),
        Some(expiry) => (vec![1, expiry / 2, expiry - 1, expiry], false),
    }
}

impl StateSearch {
    fn new(game: &Arc<RealTimeGame>, limits: &TimedLimits) -> Self {
        Self {
            graph: TimedGraph::new(game, GraphStyle::States),
            scratch: game.scratch(),
            nodes_of: FxHashMap::default(),
            is_exhaustive: true,
            updates_max: limits.updates,
            made: FxHashMap::default(),
        }
    }

    fn node(&mut self, state: &TimedState, found_by: Option<usize>) -> Result<usize, RealTimeError> {
        let game = Arc::clone(&self.graph.game);
        let is_terminal = game.is_terminal(state, &mut self.scratch)?;
        // What has just expired matters to goals, which are asked for when the match is over.
        let expired = if is_terminal { state.expired().collect() } else { Vec::new() };
        let state = TimedState::new(state.facts().collect(), expired);
        if let Some(&known) = self.nodes_of.get(&(state.clone(), is_terminal)) {
            return Ok(known);
        }
        let number = self.add(state.clone(), found_by);
        self.graph.nodes[number].kind = if is_terminal { TimedKind::Terminal } else { TimedKind::Unknown };
        self.nodes_of.insert((state, is_terminal), number);
        Ok(number)
    }

    fn add(&mut self, state: TimedState, found_by: Option<usize>) -> usize {
        let clock = |(fluent, lifetime): (FluentId, croupier_engine::Lifetime)| {
            Some(NodeClock { fluent, longest: lifetime.micros()? })
        };
        let clocks = state.facts().filter_map(clock).collect();
        let kind = TimedKind::Unknown;
        self.graph.nodes.push(TimedNode { state, kind, clocks, first_edge: 0, edges_count: 0, found_by });
        self.graph.nodes.len() - 1
    }

    /// Looks at the next state; false if there is too much to look at.
    fn expand(&mut self) -> Result<bool, RealTimeError> {
        let number = self.graph.expanded;
        let first_edge = self.graph.edges.len();
        let kind = match self.graph.nodes[number].kind {
            TimedKind::Unknown => match self.expand_running(number)? {
                Some(kind) => kind,
                None => return Ok(false),
            },
            known => known,
        };
        let edges_count = self.graph.edges.len() - first_edge;
        let node = &mut self.graph.nodes[number];
        (node.kind, node.first_edge, node.edges_count) = (kind, first_edge, edges_count);
        self.graph.expanded += 1;
        Ok(true)
    }

    fn expand_running(&mut self, number: usize) -> Result<Option<TimedKind>, RealTimeError> {
        let game = Arc::clone(&self.graph.game);
        let state = self.graph.nodes[number].state.clone();
        let legal = game.legal_moves(&state, &mut self.scratch)?;
        let random: Option<RoleId> = game.roles().random().filter(|&random| !legal[random].is_empty());
        if let Some(random) = random {
            for &played in &legal[random] {
                self.update(number, 0, vec![(random, played)])?;
            }
            return Ok(Some(TimedKind::Chance));
        }
        let Some(joint) = joint_moves(game.roles(), &legal) else { return Ok(None) };
        let expiry = state.next_expiry();
        let (instants, are_all) = instants(expiry);
        if !are_all && joint.len() > 1 {
            self.is_exhaustive = false;
        }
        if self.graph.edges.len() + instants.len().saturating_mul(joint.len()) > self.updates_max {
            return Ok(None);
        }
        for instant in instants {
            let expires = expiry == Some(instant);
            for moves in joint.iter().filter(|moves| expires || !moves.is_empty()) {
                self.update(number, instant, moves.clone())?;
            }
        }
        Ok(Some(match (expiry, joint.len()) {
            (Some(_), _) => TimedKind::Running,
            (None, 1) => TimedKind::Stalled,
            (None, _) => TimedKind::Waiting,
        }))
    }

    /// Adds an update of a node; where it leads to.
    fn update(&mut self, from: usize, micros: u64, moves: SomeMoves) -> Result<usize, RealTimeError> {
        let game = Arc::clone(&self.graph.game);
        let state = self.graph.nodes[from].state.clone();
        let edge = self.graph.edges.len();
        let to = match game.update(&state, micros, &moves, &mut self.scratch) {
            Ok(update) => self.node(&update.successor, Some(edge))?,
            Err(RealTimeError::Lifetime { .. }) => {
                let failed = self.add(TimedState::default(), Some(edge));
                self.graph.nodes[failed].kind = TimedKind::Failed;
                failed
            }
            Err(error) => return Err(error),
        };
        let clocks = self.graph.nodes[from].clocks.iter().enumerate();
        let ends = clocks.filter(|(_, clock)| clock.longest <= micros).map(|(place, _)| place).collect();
        // Between states a way around never leaves a lifetime running: that need not be known.
        let kept = Vec::new();
        self.graph.edges.push(TimedEdge { from, to, moves, ends, kept, longest: Some(micros) });
        Ok(to)
    }

    /// Plays on at random from a node; where that leads to, if it leads on. In some matches players prefer moves that were made least so far.
    fn step(&mut self, number: usize, walk: &mut RandomWalk) -> Result<Option<usize>, RealTimeError> {
        if matches!(self.graph.nodes[number].kind, TimedKind::Terminal | TimedKind::Failed) {
            return Ok(None);
        }
        let game = Arc::clone(&self.graph.game);
        let state = self.graph.nodes[number].state.clone();
        let legal = game.legal_moves(&state, &mut self.scratch)?;
        if let Some(random) = game.roles().random().filter(|&random| !legal[random].is_empty()) {
            self.graph.nodes[number].kind = TimedKind::Chance;
            let played = legal[random][draw_index(legal[random].len(), &mut walk.rng)];
            return self.update(number, 0, vec![(random, played)]).map(Some);
        }
        let movers: Vec<RoleId> = game.roles().players().filter(|&role| !legal[role].is_empty()).collect();
        let expiry = state.next_expiry();
        self.graph.nodes[number].kind = match (expiry, movers.is_empty()) {
            (Some(_), _) => TimedKind::Running,
            (None, true) => TimedKind::Stalled,
            (None, false) => TimedKind::Waiting,
        };
        let instant = match (expiry, walk.below(4)) {
            (None, _) if movers.is_empty() => return Ok(None),
            (None, _) => 1,
            (Some(expiry), 0) => expiry,
            (Some(expiry), 1) => (expiry - 1).max(1),
            (Some(expiry), 2) => 1 + walk.below(expiry),
            (Some(expiry), _) => 1 + walk.below(expiry.div_ceil(10)),
        };
        let needed = movers.get(walk.index(movers.len())).copied().filter(|_| expiry != Some(instant));
        let moving = movers.into_iter().filter(|&role| Some(role) == needed || walk.below(2) == 0);
        let moving: Vec<RoleId> = moving.collect();
        let moves: SomeMoves =
            moving.into_iter().map(|role| (role, walk.choose(role, &legal[role]))).collect();
        let instant = if moves.is_empty() { expiry.unwrap_or(instant) } else { instant };
        self.update(number, instant, moves).map(Some)
    }
}
