//! Evaluates many states of a network as rows of bits, for code that enumerates millions of histories.
//!
//! A [`Looker`](super::Looker) returns values of the game, which take microseconds to create. Here states, legal
//! moves and percepts stay in the bits of the lanes, as indices of the network.

use std::sync::Arc;

use super::{Game, GameNetwork, GoalValue, PerceptReading, State, looker::SLOTS_MAX};
use crate::{
    batch::{Lanes, Plane},
    id::RoleId,
    propnet::Phase,
};

/// Words of a plane: 512 lanes.
const W: usize = 8;

/// States of networks with more bases than these would be mostly zeros as rows.
const BASES_MAX: usize = 4_096;

/// One thread's working memory for many states of a game as rows of bits.
///
/// A state is a row of [`words`](Self::words), as [`GameNetwork::row`] gives it; the legal moves of a role are a row of
/// [`legal_words`](Self::legal_words) with a bit for each number of [`GameNetwork::moves`], and what a player is told is a
/// row of [`told_words`](Self::told_words) with a bit for each number of [`GameNetwork::percepts`].
///
/// ```
/// use croupier_engine::{Game, Options, game::{PlayedRows, RowLooker, RowStatus, RowStatuses}};
///
/// # let rules = "(role me) (init begun) (legal me left) (legal me right) (<= (sees me ?side) (does me ?side))
/// #     (<= (next (went ?side)) (does me ?side)) (<= terminal (not (true begun))) (goal me 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let network = game.network().ok_or("a small game is a network")?;
/// let mut looker = RowLooker::new(&game).ok_or("a small network")?;
/// let mut states = network.row(game.initial_state()).ok_or("the network has it")?;
/// let (mut statuses, mut played) = (RowStatuses::default(), PlayedRows::default());
/// looker.look(&states, 1, &mut statuses);
/// let me = game.roles().find("me").ok_or("a role")?;
/// assert_eq!((statuses.kinds[0], statuses.legal[me.index()][0]), (RowStatus::Running, 0b11));
/// // Both moves of the one state.
/// looker.play(&states, &[0, 0], &[0, 1], &mut played);
/// assert_eq!(played.told[0], [0b01, 0b10]);
/// looker.look(&played.states, 2, &mut statuses);
/// assert_eq!(statuses.goals[1].value(), 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowLooker {
    network: Arc<GameNetwork>,
    lanes: Box<Lanes<W>>,
    players: Vec<RoleId>,
    /// For each player the value of each goal of the network, if it is one from 0 to 100.
    values: Vec<Vec<Option<GoalValue>>>,
    /// The numbers of lanes.
    numbers: Vec<u32>,
}

/// The kind of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowStatus {
    /// Every role has a legal move.
    Running,
    /// The match is over, and every player has one goal.
    Terminal,
    /// Something is missing or duplicate: call [`Game::status`] for the error, or the result that takes precedence.
    Unclear,
}

/// The results for several states.
#[derive(Clone, Debug, Default)]
pub struct RowStatuses {
    /// By state.
    pub kinds: Vec<RowStatus>,
    /// By role, a row for each state.
    pub legal: Vec<Vec<u64>>,
    /// For each state as many goals as there are players; meaningless for states that are not terminal.
    pub goals: Vec<GoalValue>,
}

/// The results of several joint moves.
#[derive(Clone, Debug, Default)]
pub struct PlayedRows {
    /// A row for each joint move.
    pub states: Vec<u64>,
    /// By player, a row for each joint move.
    pub told: Vec<Vec<u64>>,
}

impl RowLooker {
    /// The number of states or joint moves evaluated at once.
    pub const BLOCK: usize = Plane::<W>::LANES;

    /// Working memory for one thread; `None` if a [`Looker`](super::Looker) is better: if the game has no network or a
    /// very large one, or percepts are evaluated in the new state.
    #[must_use]
    pub fn new(game: &Game) -> Option<Self> {
        let network = game.network().filter(|_| game.percept_reading() == PerceptReading::OldState)?;
        let tape = network.tape();
        if tape.bases_count() > BASES_MAX || tape.slots_count() > SLOTS_MAX {
            return None;
        }
        let players: Vec<RoleId> = game.roles().players().collect();
        Some(Self {
            values: players.iter().map(|&role| network.goal_values(role).collect()).collect(),
            lanes: Box::new(Lanes::new(Arc::clone(tape))),
            network: Arc::clone(network),
            players,
            numbers: (0..).take(Self::BLOCK).collect(),
        })
    }

    /// The number of words of a state.
    #[must_use]
    pub fn words(&self) -> usize {
        self.lanes.row_words()
    }

    /// The number of words of a role's legal moves.
    #[must_use]
    pub fn legal_words(&self, role: RoleId) -> usize {
        self.network.moves(role).len().div_ceil(64)
    }

    /// The number of words of what a role is told.
    #[must_use]
    pub fn told_words(&self, role: RoleId) -> usize {
        self.network.percepts(role).len().div_ceil(64)
    }

    /// Evaluates `count` states, at most a [`BLOCK`](Self::BLOCK).
    ///
    /// # Panics
    /// If there are fewer rows, or more than a block.
    pub fn look(&mut self, states: &[u64], count: usize, statuses: &mut RowStatuses) {
        let (lanes, all) = (&mut *self.lanes, Plane::first(count));
        lanes.load_rows(states, &self.numbers[..count]);
        lanes.evaluate(Phase::State);
        let terminal = all & lanes.terminal();
        let mut unclear = Plane::NONE;
        statuses.legal.resize(lanes.tape().roles_count(), Vec::new());
        for (role, legal) in lanes.tape().roles().zip(&mut statuses.legal) {
            legal.clear();
            lanes.append_legal_rows(role, all, legal);
            let moves = 0..self.network.moves(role).len();
            let some = moves.fold(Plane::NONE, |some, number| some | lanes.legal(role, number));
            unclear |= all & !terminal & !some;
        }
        statuses.goals.clear();
        statuses.goals.resize(count * self.players.len(), GoalValue::new(0));
        if terminal.any() {
            lanes.evaluate(Phase::Goal);
            unclear |= self.goals(terminal, &mut statuses.goals);
        }
        let kind = |lane| match (unclear.get(lane), terminal.get(lane)) {
            (true, _) => RowStatus::Unclear,
            (false, true) => RowStatus::Terminal,
            (false, false) => RowStatus::Running,
        };
        statuses.kinds.clear();
        statuses.kinds.extend((0..count).map(kind));
    }

    /// Writes the goals of terminal lanes, and returns those in which some player has no goal, several, or an invalid one.
    fn goals(&self, terminal: Plane<W>, goals: &mut [GoalValue]) -> Plane<W> {
        let mut unclear = Plane::NONE;
        for (player, (&role, values)) in self.players.iter().zip(&self.values).enumerate() {
            let mut seen = Plane::NONE;
            for (place, value) in values.iter().enumerate() {
                let has = self.lanes.has_goal(role, place) & terminal;
                unclear |= seen & has;
                seen |= has;
                let Some(value) = value else {
                    unclear |= has;
                    continue;
                };
                has.lanes().for_each(|lane| goals[lane * self.players.len() + player] = *value);
            }
            unclear |= terminal & !seen;
        }
        unclear
    }

    /// Plays joint moves, at most a [`BLOCK`](Self::BLOCK): each in the state of the row that `sources` gives, with one move index per
    /// role in `moves`.
    ///
    /// # Panics
    /// If a row or move does not exist, or there are more than a block.
    pub fn play(&mut self, states: &[u64], sources: &[u32], moves: &[u32], played: &mut PlayedRows) {
        let lanes = &mut *self.lanes;
        lanes.load_rows(states, sources);
        lanes.evaluate(Phase::State);
        lanes.clear_moves();
        let roles: Vec<RoleId> = lanes.tape().roles().collect();
        for (lane, numbers) in moves.chunks_exact(roles.len()).enumerate() {
            for (&role, &number) in roles.iter().zip(numbers) {
                lanes.make_in(lane, role, number as usize);
            }
        }
        lanes.evaluate(Phase::Next);
        let all = Plane::first(sources.len());
        played.states.clear();
        lanes.append_next_rows(all, &mut played.states);
        lanes.evaluate(Phase::Sees);
        played.told.resize(self.players.len(), Vec::new());
        for (&role, told) in self.players.iter().zip(&mut played.told) {
            told.clear();
            lanes.append_sees_rows(role, all, told);
        }
    }

    /// The state of a row.
    #[must_use]
    pub fn state(&self, row: &[u64]) -> State {
        self.network.state_of_row(row)
    }
}
