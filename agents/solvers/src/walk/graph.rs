//! The states of a game as numbers, with what every joint move leads to.
//!
//! A game can have 10^10 histories and only a few hundred thousand states. Once these are numbered, a step of a history is
//! a look-up, and the rules are not asked again. Two facts about a state then save most of the work:
//!
//! - it is *settled* if every way to play on ends with the same goals: tic-tac-toe with one empty cell and no line through it;
//! - it is *quiet* for a player who never chooses again before it is settled.
//!
//! In phantom tic-tac-toe 19 of 20 histories lie beyond a settled state: players who try one cell after the other until
//! they find the only empty one.

use std::ops::Range;

use croupier_engine::{MoveId, Percepts, RoleId};

/// Most states that are numbered before a game counts as too large.
pub(super) const STATES_MAX: usize = 1 << 22;

/// A state of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StateId(pub(super) u32);

/// What a player does and is told in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StepId(pub(super) u32);

/// A list of legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MenuId(pub(super) u32);

/// The joint moves of a state by number.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeId(pub(super) u32);

/// A role's part of the joint moves of a state: they are numbered as in a number system whose digits are the places of the
/// roles' moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoleMoves {
    /// The legal moves.
    pub(super) menu: MenuId,
    /// How many there are.
    pub(super) count: u32,
    /// The distance between the joint moves with one of them and with the next.
    pub(super) stride: u32,
}

/// Where the goals of a settled state are, or that it is not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutcomeId(pub(super) u32);

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateInfo {
    /// Its first joint move.
    pub(super) first: EdgeId,
    /// Its result, if it is settled.
    pub(super) outcome: OutcomeId,
    /// A bit for each player that it is quiet for.
    pub(super) quiet: u64,
}

/// All states that can be reached.
#[derive(Debug)]
pub(super) struct StateGraph {
    pub(super) roles: usize,
    pub(super) players: Vec<RoleId>,
    pub(super) places: Vec<StateInfo>,
    /// By state and role; meaningless in terminal states.
    pub(super) choices: Vec<RoleMoves>,
    pub(super) menus: Vec<Box<[MoveId]>>,
    /// By joint move.
    pub(super) nexts: Vec<StateId>,
    /// By joint move and player.
    pub(super) steps: Vec<StepId>,
    pub(super) experiences: Vec<(MoveId, Percepts)>,
    /// By outcome and player.
    pub(super) goals: Vec<f64>,
    /// By state: how many histories go on from it to states that are settled, and itself.
    pub(super) histories: Vec<f64>,
}

impl OutcomeId {
    /// The state is not settled.
    pub(super) const OPEN: Self = Self(u32::MAX);
}

impl StateId {
    /// The state before the first turn.
    pub(super) const INITIAL: Self = Self(0);

    /// The index as a `usize`.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl StepId {
    /// The index as a `usize`.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl StateGraph {
    /// The joint moves of a state.
    pub(super) fn edges(&self, state: StateId) -> Range<usize> {
        let end = self.places.get(state.index() + 1).map_or(self.nexts.len(), |next| next.first.0 as usize);
        self.place(state).first.0 as usize..end
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// How many different steps players can take.
    pub(super) fn steps_count(&self) -> usize {
        self.experiences.len()
    }

    /// What is known of a state.
    #[inline]
    pub(super) fn place(&self, state: StateId) -> StateInfo {
        self.places[state.index()]
    }

    /// A role's part of the joint moves of a state that is not terminal.
    #[inline]
    pub(super) fn choice(&self, state: StateId, role: RoleId) -> RoleMoves {
        self.choices[state.index() * self.roles + role.index()]
    }

    /// The moves of a list.
    pub(super) fn moves(&self, menu: MenuId) -> &[MoveId] {
        &self.menus[menu.0 as usize]
    }

    /// The state after a joint move: the number of the state's first and the sum of its parts.
    #[inline]
    pub(super) fn next(&self, edge: EdgeId) -> StateId {
        self.nexts[edge.0 as usize]
    }

    /// What a player does and is told in a joint move.
    #[inline]
    pub(super) fn step(&self, edge: EdgeId, player: usize) -> StepId {
        self.steps[edge.0 as usize * self.players.len() + player]
    }

    /// What the step is.
    pub(super) fn experience(&self, step: StepId) -> &(MoveId, Percepts) {
        &self.experiences[step.index()]
    }

    /// A player's goal in a settled state.
    #[inline]
    pub(super) fn goal(&self, outcome: OutcomeId, player: usize) -> f64 {
        self.goals[outcome.0 as usize * self.players.len() + player]
    }

    /// How many histories go on from a state to states that are settled, and itself.
    pub(super) fn histories(&self, state: StateId) -> f64 {
        self.histories[state.index()]
    }
}

impl StateInfo {
    /// Whether all ways to play on end with the same goals.
    #[inline]
    pub(super) fn is_settled(self) -> bool {
        self.outcome != OutcomeId::OPEN
    }

    /// Whether a player never chooses again before the state is settled.
    #[inline]
    pub(super) fn is_quiet(self, player: usize) -> bool {
        self.quiet >> player & 1 == 1
    }
}
