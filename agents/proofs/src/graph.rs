//! Every state that a match can reach, once each, and what each joint move leads to.

use std::sync::Arc;

use croupier_engine::{
    Game, GoalValue, JointMove, RoleId, State,
    game::{GameNetwork, PlayedRows, RowLooker, RowStatus, RowStatuses},
};

use crate::{
    answer::Line,
    goals::are_sound,
    growth::{StateGrowth, is_too_slow},
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
    /// By role, the sets of legal moves that came up.
    menus: Vec<RowInterner>,
    /// By expanded state, the number of the set of each role.
    offered: Vec<u32>,
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
    /// Explores the states of a game until there are no more, or until a limit or the end of the time is reached or plainly will be. `has_passed`
    /// says whether a share of the time has passed. `None` if the game has no network, or one too large for rows.
    pub(crate) fn explore(
        game: &Arc<Game>,
        limits: &GraphLimits,
        has_passed: &dyn Fn(f64) -> bool,
    ) -> Option<Self> {
        let mut looker = RowLooker::new(game)?;
        let network = Arc::clone(game.network()?);
        let players: Vec<RoleId> = game.roles().players().collect();
        let mut states = RowInterner::new(looker.words());
        states.intern(&network.row(game.initial_state())?);
        let sights = players.iter().map(|&role| RowInterner::new(looker.told_words(role) + 1)).collect();
        let menus = game.roles().all().map(|role| RowInterner::new(looker.legal_words(role)));
        let legal = game.roles().all().map(|role| vec![0; looker.legal_words(role)]).collect();
        let mut graph = Self {
            game: Arc::clone(game),
            network,
            labels: vec![Vec::new(); players.len()],
            players,
            states,
            kinds: Vec::new(),
            menus: menus.collect(),
            offered: Vec::new(),
            goals: Vec::new(),
            faults: Vec::new(),
            before: vec![NOBODY],
            starts: vec![0],
            targets: Vec::new(),
            sights,
            legal,
        };
        let (mut statuses, mut played) = (RowStatuses::default(), PlayedRows::default());
        let mut growth = StateGrowth::NONE;
        while !graph.is_complete() && graph.fits(limits) && !has_passed(1.0) {
            let first = graph.kinds.len();
            let count = (graph.states.len() - first).min(RowLooker::BLOCK);
            looker.look(graph.states.rows(first, count), count, &mut statuses);
            let mut waiting = Waiting { first, ..Waiting::default() };
            for index in 0..count {
                graph.note(&statuses, index);
                if graph.kinds[first + index] == StateKind::Running {
                    let is_within = graph.enumerate(index, &mut waiting, limits, |graph, waiting| {
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
            let counts = [graph.expanded(), graph.known()];
            if growth.is_hopeless(counts, limits) || is_too_slow(counts, has_passed) {
                break;
            }
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
        for (role, (rows, all)) in statuses.legal.iter().zip(&mut self.legal).enumerate() {
            let words = all.len();
            let row = &rows[index * words..][..words];
            self.offered.push(self.menus[role].intern(row));
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
    }

    /// Lines the joint moves of a state up, in the order of the roles with the last varying fastest, and has them played whenever a block
    /// is full; false if there are more than fit.
    fn enumerate(
        &mut self,
        index: usize,
        waiting: &mut Waiting,
        limits: &GraphLimits,
        mut play: impl FnMut(&mut Self, &mut Waiting),
    ) -> bool {
        let legal = self.legal_moves(waiting.first + index);
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
        self.goals.truncate(state * self.players.len());
        self.starts.truncate(state + 1);
        // Joint moves that still wait were not played: their states lose their edges too.
        while self.starts.last().is_some_and(|&end| end > self.targets.len()) {
            self.starts.pop();
            self.kinds.pop();
            self.goals.truncate(self.kinds.len() * self.players.len());
        }
        self.offered.truncate(self.kinds.len() * self.legal.len());
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

    /// The states that were met: those that were expanded, and those after them.
    pub(crate) fn known(&self) -> usize {
        self.states.len()
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

    /// Whether a terminal state has a goal that is missing, double or invalid.
    pub(crate) fn is_faulty(&self, state: usize) -> bool {
        u32::try_from(state).is_ok_and(|state| self.faults.binary_search(&state).is_ok())
    }

    /// The number of the set of legal moves of a role: two states have the same if it has the same moves there.
    pub(crate) fn menu(&self, state: usize, role: RoleId) -> u32 {
        self.offered[state * self.legal.len() + role.index()]
    }

    /// The numbers of the legal moves of a role, ascending.
    pub(crate) fn own_moves(&self, state: usize, role: RoleId) -> impl Iterator<Item = u32> + '_ {
        bits(self.menus[role.index()].rows(self.menu(state, role) as usize, 1))
    }

    /// The legal moves of every role in an expanded state.
    fn legal_moves(&self, state: usize) -> Vec<Vec<u32>> {
        self.game.roles().all().map(|role| self.own_moves(state, role).collect()).collect()
    }

    /// Whether a role has more than one legal move.
    pub(crate) fn has_choice(&self, state: usize, role: RoleId) -> bool {
        self.own_moves(state, role).nth(1).is_some()
    }

    /// The expanded states of a kind.
    pub(crate) fn states(&self, kind: StateKind) -> impl Iterator<Item = usize> + Clone {
        (0..self.expanded()).filter(move |&state| self.kind(state) == kind)
    }

    /// The states in which the match goes on and a role has more than one legal move.
    pub(crate) fn choices(&self, role: RoleId) -> impl Iterator<Item = usize> + Clone {
        self.states(StateKind::Running).filter(move |&state| self.has_choice(state, role))
    }

    /// The roles that have more than one legal move.
    pub(crate) fn choosers(&self, state: usize) -> impl Iterator<Item = RoleId> + '_ {
        self.game.roles().all().filter(move |&role| self.has_choice(state, role))
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

    /// The edges of a running state by what one role does and what all others do.
    pub(crate) fn alternatives(&self, state: usize, role: RoleId) -> Alternatives {
        let counts: Vec<usize> =
            self.game.roles().all().map(|role| self.own_moves(state, role).count()).collect();
        let stride = counts[role.index() + 1..].iter().product();
        let own = counts[role.index()];
        Alternatives { first: self.starts[state], stride, own, others: self.edges(state).len() / own }
    }

    /// After how many turns each state can be reached first.
    pub(crate) fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.before.len()];
        for state in 1..depths.len() {
            depths[state] = depths[self.before[state] as usize] + 1;
        }
        depths
    }

    /// The expanded states, each after all that follow on it; `None` if a state comes again, or not all are expanded.
    pub(crate) fn backwards(&self) -> Option<Vec<u32>> {
        if !self.is_complete() {
            return None;
        }
        let mut entering = vec![0_u32; self.expanded()];
        self.targets.iter().for_each(|&target| entering[target as usize] += 1);
        let mut order: Vec<u32> =
            (0..).zip(&entering).filter(|&(_, &count)| count == 0).map(|(state, _)| state).collect();
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for &target in self.targets(state as usize) {
                entering[target as usize] -= 1;
                if entering[target as usize] == 0 {
                    order.push(target);
                }
            }
        }
        order.reverse();
        (order.len() == self.expanded()).then_some(order)
    }

    /// The numbers of the percepts that a player was told on some edge.
    pub(crate) fn told_somewhere(&self, player: usize) -> Vec<u64> {
        let sights = &self.sights[player];
        let mut ever = vec![0; sights.words() - 1];
        for row in sights.rows(0, sights.len()).chunks_exact(sights.words()) {
            ever.iter_mut().zip(&row[1..]).for_each(|(ever, word)| *ever |= word);
        }
        ever
    }

    /// The joint move of an edge of a state.
    pub(crate) fn joint_move(&self, state: usize, edge: usize) -> JointMove {
        let mut chosen = Vec::new();
        push_digits(edge - self.starts[state], &self.legal_moves(state), &mut chosen);
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

    /// The shortest line to a state, and an edge from there.
    pub(crate) fn line_along(&self, state: usize, edge: usize) -> Line {
        let mut moves = self.moves_along(&self.way_to(state));
        moves.push(self.joint_move(state, edge));
        Line { moves, returns_to: None }
    }

    /// The state that an edge begins in.
    pub(crate) fn source(&self, edge: usize) -> usize {
        self.starts.partition_point(|&start| start <= edge) - 1
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

/// The edges of a state in two dimensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternatives {
    first: usize,
    /// The joint moves of the roles that vary faster.
    stride: usize,
    /// How many moves the role has.
    pub(crate) own: usize,
    /// How many joint moves all others have.
    pub(crate) others: usize,
}

impl Alternatives {
    /// The edge on which the role makes the move in this place of its legal ones, and all others the joint move with this number.
    pub(crate) fn edge(&self, own: usize, others: usize) -> usize {
        self.first + (others / self.stride * self.own + own) * self.stride + others % self.stride
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
