//! Every state that a match can reach, once each, and what each joint move leads to.

use std::sync::Arc;

use croupier_engine::{
    Game, GoalValue, JointMove, RoleId, State,
    game::{GameNetwork, PlayedRows, RowLooker, RowStatus, RowStatuses},
};

use crate::{
    goals::are_sound,
    interner::{RowInterner, bits},
    limits::GraphLimits,
};

/// What a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateKind {
    /// Every role has a legal move.
    Running,
    /// The match is over.
    Terminal,
    /// The match is not over, and some role has no legal move.
    Stuck,
}

/// No goal, or several, or none that is a number.
const NO_GOAL: i32 = i32::MIN;

/// The first state has no state before it.
const NOBODY: u32 = u32::MAX;

/// The states of a game as far as they were explored, in the order of their distance from the first.
#[derive(Debug)]
pub(crate) struct StateGraph {
    game: Arc<Game>,
    network: Arc<GameNetwork>,
    players: Vec<RoleId>,
    states: RowInterner,
    /// Of the states that were expanded, which are the first ones.
    kinds: Vec<StateKind>,
    /// By expanded state, a bit for each role that has more than one legal move.
    choosers: Vec<u64>,
    /// By expanded state, as many goals as there are players.
    goals: Vec<i32>,
    /// Terminal states in which a player has no goal, several or an invalid one.
    faults: Vec<u32>,
    /// The state from which each was met first.
    before: Vec<u32>,
    /// Where the edges of each expanded state begin, and those of the last one end.
    starts: Vec<usize>,
    targets: Vec<u32>,
    /// By player, what it did and was told on each edge, as a number of its labels.
    labels: Vec<Vec<u32>>,
    sights: Vec<RowInterner>,
    /// By role, a bit for each move that is legal in some expanded state.
    legal: Vec<Vec<u64>>,
}

/// Joint moves that wait to be played, all in states of one block.
#[derive(Default)]
struct Waiting {
    /// The first state of the block.
    first: usize,
    sources: Vec<u32>,
    moves: Vec<u32>,
}

impl StateGraph {
    /// Explores the states of a game until there are no more, a limit is reached, or `is_over` says so. `None` if the game has no
    /// network, or one too large for rows.
    pub(crate) fn explore(
        game: &Arc<Game>,
        limits: &GraphLimits,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut looker = RowLooker::new(game)?;
        let network = Arc::clone(game.network()?);
        let players: Vec<RoleId> = game.roles().players().collect();
        let mut states = RowInterner::new(looker.words());
        states.intern(&network.row(game.initial_state())?);
        let sights = players.iter().map(|&role| RowInterner::new(looker.told_words(role) + 1)).collect();
        let legal = game.roles().all().map(|role| vec![0; looker.legal_words(role)]).collect();
        let mut graph = Self {
            game: Arc::clone(game),
            network,
            labels: vec![Vec::new(); players.len()],
            players,
            states,
            kinds: Vec::new(),
            choosers: Vec::new(),
            goals: Vec::new(),
            faults: Vec::new(),
            before: vec![NOBODY],
            starts: vec![0],
            targets: Vec::new(),
            sights,
            legal,
        };
        let (mut statuses, mut played) = (RowStatuses::default(), PlayedRows::default());
        while !graph.is_complete() && graph.fits(limits) && !is_over() {
            let first = graph.kinds.len();
            let count = (graph.states.len() - first).min(RowLooker::BLOCK);
            looker.look(graph.states.rows(first, count), count, &mut statuses);
            let mut waiting = Waiting { first, ..Waiting::default() };
            for index in 0..count {
                graph.note(&statuses, index);
                if graph.kinds[first + index] == StateKind::Running {
                    let is_within =
                        graph.enumerate(&statuses, index, &mut waiting, limits, |graph, waiting| {
                            graph.play(&mut looker, waiting, &mut played);
                        });
                    if !is_within {
                        graph.give_up(first + index);
                        return Some(graph);
                    }
                } else {
                    graph.starts.push(graph.starts[first + index]);
                }
            }
            graph.play(&mut looker, &mut waiting, &mut played);
        }
        Some(graph)
    }

    fn fits(&self, limits: &GraphLimits) -> bool {
        self.states.len() < limits.states && self.targets.len() < limits.edges
    }

    /// Takes in what a state of the block that was looked at is.
    fn note(&mut self, statuses: &RowStatuses, index: usize) {
        let state = self.kinds.len();
        let kind = match statuses.kinds[index] {
            RowStatus::Running => StateKind::Running,
            RowStatus::Terminal => StateKind::Terminal,
            RowStatus::Unclear => match self.game.is_terminal(&self.state(state), &mut self.game.scratch()) {
                Ok(true) => StateKind::Terminal,
                Ok(false) | Err(_) => StateKind::Stuck,
            },
        };
        let mut choosers = 0;
        for (role, (rows, all)) in statuses.legal.iter().zip(&mut self.legal).enumerate() {
            let words = all.len();
            let row = &rows[index * words..][..words];
            let count: u32 = row.iter().map(|word| word.count_ones()).sum();
            choosers |= u64::from(count > 1) << role.min(63);
            if kind == StateKind::Running {
                all.iter_mut().zip(row).for_each(|(all, word)| *all |= word);
            }
        }
        // Two rules may give the same goal.
        let is_unclear = kind == StateKind::Terminal && statuses.kinds[index] == RowStatus::Unclear;
        if is_unclear && !are_sound(&self.game, &self.state(state)) {
            self.faults.push(u32::try_from(state).expect("states are below 2^32"));
        }
        let goals = &statuses.goals[index * self.players.len()..][..self.players.len()];
        if kind == StateKind::Terminal && !is_unclear {
            self.goals.extend(goals.iter().map(|goal| goal.value()));
        } else if is_unclear {
            let state = self.state(state);
            for &role in &self.players {
                let goal = self.game.goal(&state, role, &mut self.game.scratch());
                self.goals.push(goal.ok().flatten().map_or(NO_GOAL, GoalValue::value));
            }
        } else {
            self.goals.extend(goals.iter().map(|_| NO_GOAL));
        }
        self.kinds.push(kind);
        self.choosers.push(choosers);
    }

    /// Lines the joint moves of a state up, in the order of the roles with the last varying fastest, and has them played whenever a block
    /// is full; false if there are more than fit.
    fn enumerate(
        &mut self,
        statuses: &RowStatuses,
        index: usize,
        waiting: &mut Waiting,
        limits: &GraphLimits,
        mut play: impl FnMut(&mut Self, &mut Waiting),
    ) -> bool {
        let legal: Vec<Vec<u32>> = (statuses.legal.iter().zip(&self.legal))
            .map(|(rows, all)| bits(&rows[index * all.len()..][..all.len()]).collect())
            .collect();
        let count = legal.iter().fold(1_usize, |count, moves| count.saturating_mul(moves.len()));
        let begun = self.starts[self.starts.len() - 1];
        if begun.saturating_add(count) > limits.edges {
            return false;
        }
        let source = u32::try_from(index).expect("a state of a block");
        for joint in 0..count {
            waiting.sources.push(source);
            push_digits(joint, &legal, &mut waiting.moves);
            if waiting.sources.len() == RowLooker::BLOCK {
                play(self, waiting);
            }
        }
        self.starts.push(begun + count);
        true
    }

    /// Plays the joint moves that wait.
    fn play(&mut self, looker: &mut RowLooker, waiting: &mut Waiting, played: &mut PlayedRows) {
        if waiting.sources.is_empty() {
            return;
        }
        let roles = self.legal.len();
        let block = self.states.rows(waiting.first, self.kinds.len() - waiting.first).to_vec();
        looker.play(&block, &waiting.sources, &waiting.moves, played);
        let words = self.states.words();
        for (lane, &source) in waiting.sources.iter().enumerate() {
            let known = self.states.len();
            let target = self.states.intern(&played.states[lane * words..][..words]);
            if self.states.len() > known {
                self.before.push(u32::try_from(waiting.first).expect("below 2^32") + source);
            }
            self.targets.push(target);
            let numbers = &waiting.moves[lane * roles..][..roles];
            for (player, &role) in self.players.iter().enumerate() {
                let sight = &mut self.sights[player];
                let told = sight.words() - 1;
                let mut row = vec![u64::from(numbers[role.index()])];
                row.extend_from_slice(&played.told[player][lane * told..][..told]);
                self.labels[player].push(sight.intern(&row));
            }
        }
        waiting.sources.clear();
        waiting.moves.clear();
    }

    /// Forgets what was noted of a state whose joint moves are too many, and of its edges.
    fn give_up(&mut self, state: usize) {
        self.kinds.truncate(state);
        self.choosers.truncate(state);
        self.goals.truncate(state * self.players.len());
        self.starts.truncate(state + 1);
        // Joint moves that still wait were not played: their states lose their edges too.
        while self.starts.last().is_some_and(|&end| end > self.targets.len()) {
            self.starts.pop();
            self.kinds.pop();
            self.choosers.pop();
            self.goals.truncate(self.kinds.len() * self.players.len());
        }
        let end = self.starts[self.starts.len() - 1];
        self.targets.truncate(end);
        self.labels.iter_mut().for_each(|labels| labels.truncate(end));
        let expanded = self.kinds.len();
        self.faults.retain(|&fault| (fault as usize) < expanded);
    }

    /// Whether every state that can be reached was expanded.
    pub(crate) fn is_complete(&self) -> bool {
        self.kinds.len() == self.states.len()
    }

    /// The states that were expanded are the first ones.
    pub(crate) fn expanded(&self) -> usize {
        self.kinds.len()
    }

    /// How many joint moves were played.
    pub(crate) fn edges_count(&self) -> usize {
        self.targets.len()
    }

    pub(crate) fn game(&self) -> &Arc<Game> {
        &self.game
    }

    pub(crate) fn network(&self) -> &Arc<GameNetwork> {
        &self.network
    }

    pub(crate) fn players(&self) -> &[RoleId] {
        &self.players
    }

    pub(crate) fn kind(&self, state: usize) -> StateKind {
        self.kinds[state]
    }

    /// Terminal states with a goal that is missing, double or invalid.
    pub(crate) fn faults(&self) -> &[u32] {
        &self.faults
    }

    /// A bit for each role that has more than one legal move.
    pub(crate) fn choosers(&self, state: usize) -> u64 {
        self.choosers[state]
    }

    /// The goal of a player, by its place among players, in a terminal state.
    pub(crate) fn goal(&self, state: usize, player: usize) -> Option<i32> {
        Some(self.goals[state * self.players.len() + player]).filter(|&goal| goal != NO_GOAL)
    }

    /// The bits of the bases that are true in a state.
    pub(crate) fn row(&self, state: usize) -> &[u64] {
        self.states.rows(state, 1)
    }

    pub(crate) fn state(&self, state: usize) -> State {
        self.network.state_of_row(self.row(state))
    }

    /// The edges of an expanded state.
    pub(crate) fn edges(&self, state: usize) -> std::ops::Range<usize> {
        self.starts[state]..self.starts[state + 1]
    }

    pub(crate) fn target(&self, edge: usize) -> usize {
        self.targets[edge] as usize
    }

    /// The states that follow on an expanded one, one for each joint move.
    pub(crate) fn targets(&self, state: usize) -> &[u32] {
        &self.targets[self.edges(state)]
    }

    /// What a player did and was told on an edge.
    pub(crate) fn label(&self, edge: usize, player: usize) -> u32 {
        self.labels[player][edge]
    }

    /// The number of the move that a player made, by what it did and was told.
    pub(crate) fn own_move(&self, label: u32, player: usize) -> u32 {
        let row = self.sights[player].rows(label as usize, 1);
        u32::try_from(row[0]).expect("moves are below 2^32")
    }

    /// By role, a bit for each move that is legal in some expanded state that is not terminal.
    pub(crate) fn legal_somewhere(&self) -> &[Vec<u64>] {
        &self.legal
    }

    /// The joint move of an edge of a state.
    pub(crate) fn joint_move(&self, state: usize, edge: usize) -> JointMove {
        let mut looker = RowLooker::new(&self.game).expect("as when it was explored");
        let mut statuses = RowStatuses::default();
        looker.look(self.row(state), 1, &mut statuses);
        let legal: Vec<Vec<u32>> = statuses.legal.iter().map(|row| bits(row).collect()).collect();
        let mut chosen = Vec::new();
        push_digits(edge - self.starts[state], &legal, &mut chosen);
        self.network.joint_move(&chosen)
    }

    /// The shortest line of states from the first to one.
    pub(crate) fn way_to(&self, state: usize) -> Vec<usize> {
        let mut way = vec![state];
        while let Some(&first) = way.last().filter(|&&state| self.before[state] != NOBODY) {
            way.push(self.before[first] as usize);
        }
        way.reverse();
        way
    }

    /// Joint moves that lead along states, each the first that does.
    pub(crate) fn moves_along(&self, way: &[usize]) -> Vec<JointMove> {
        let step = |pair: &[usize]| {
            let edge = self.edges(pair[0]).find(|&edge| self.target(edge) == pair[1]);
            self.joint_move(pair[0], edge.expect("each follows on the one before"))
        };
        way.windows(2).map(step).collect()
    }
}

/// Appends the move of each role in the joint move with this number: the last role varies fastest.
fn push_digits(joint: usize, legal: &[Vec<u32>], into: &mut Vec<u32>) {
    let begin = into.len();
    let mut rest = joint;
    for moves in legal.iter().rev() {
        into.push(moves[rest % moves.len()]);
        rest /= moves.len();
    }
    into[begin..].reverse();
}
