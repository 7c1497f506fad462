//! From a network to its tree, breadth first: states, moves and percepts stay rows of bits on the lanes.
//!
//! Whatever is the same for many histories is computed once: a list of moves for each distinct row of legal moves, a set
//! of percepts for each distinct row of those. So each history costs only a few table look-ups.

use std::ops::{ControlFlow, Range};

use croupier_engine::{
    Game, MoveId, RoleId, State,
    game::{GameNetwork, RowLooker, RowStatus, RowStatuses},
};
use rustc_hash::FxHashMap;

use super::{
    GameTree, NodeId, TreeError, TreeLimits,
    builder::{BRANCHES, ContinuationCounts, Legal, TreeBuilder},
    knowledge::{KnowledgeId, PerceptsId},
    levels::{Growth, grow},
    lists::ListId,
    reduction::{Elements, IDENTITY, Reduction},
    subgame::{Beyond, Horizon, Root, origins},
};
use crate::lanes::{ByRow, Lookers, ones, percepts, position};

/// The histories of one length that are not expanded yet, as rows of bits.
#[derive(Default)]
struct RowLevel {
    /// The position of each in the tree.
    nodes: Vec<NodeId>,
    /// A row of bits for each.
    states: Vec<u64>,
    /// Each player's information set, as many as players for each history.
    known: Vec<KnowledgeId>,
    /// With a reduction: the symmetries that keep each history.
    keeping: Vec<Elements>,
    /// With a reduction: for each of `known` the symmetries that map the player's information set there.
    mapping: Vec<Elements>,
}

/// Joint moves that are to be played.
#[derive(Default)]
struct PendingMoves {
    /// The place of the history in its level.
    histories: Vec<u32>,
    /// The number of each role's move in the network.
    moves: Vec<u32>,
    /// The node after each.
    nodes: Vec<NodeId>,
}

/// A list of legal moves.
#[derive(Clone, Copy)]
struct Menu {
    id: ListId,
    /// Where its numbers begin.
    first: u32,
    count: u32,
    /// The position of its weights, if it is of chance.
    weights: u32,
}

/// A growing tree, and the working memory for its histories.
struct Expansion<'g, 'h> {
    builder: TreeBuilder<'g>,
    network: &'g GameNetwork,
    roles: Vec<RoleId>,
    lookers: Lookers<'g>,
    /// How many words a state has.
    words: usize,
    /// By role, the meanings of its rows of legal moves.
    menus: Vec<ByRow<Menu>>,
    /// The numbers of the moves of all menus.
    numbers: Vec<u32>,
    /// By player, the meanings of its rows of percepts.
    told: Vec<ByRow<PerceptsId>>,
    reduction: Reduction,
    /// The value of the last histories of a subgame.
    horizon: Option<&'g mut Horizon<'h>>,
    /// Menus of chance, reduced by the symmetries that preserve a history.
    reduced: FxHashMap<(ListId, Elements), Menu>,
}

/// The tree of a game; `None` if it has no network, or a very large one.
///
/// # Errors
/// As [`GameTree::new`].
pub(super) fn expand(
    game: &Game,
    limits: &TreeLimits,
    reduction: Reduction,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Option<Result<GameTree, TreeError>> {
    let expansion = Expansion::new(TreeBuilder::new(game, limits), reduction, None)?;
    let known = expansion.builder.knowledge.initial();
    let all = expansion.reduction.all();
    let level = RowLevel {
        nodes: vec![NodeId(0)],
        states: expansion.network.row(game.initial_state())?,
        keeping: vec![all],
        mapping: vec![all; known.len()],
        known,
    };
    Some(expansion.grow(level, progress))
}

/// The tree of a subgame; `None` as above, or if the network has no number for something.
///
/// # Errors
/// As [`GameTree::of_subgame`].
pub(super) fn expand_subgame(
    game: &Game,
    limits: &TreeLimits,
    roots: &[Root<'_>],
    horizon: &mut Horizon<'_>,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Option<Result<GameTree, TreeError>> {
    let (origins, known) = origins(roots);
    let total: f64 = roots.iter().map(|root| root.weight).sum();
    let probabilities = roots.iter().map(|root| root.weight / total).collect();
    let builder = TreeBuilder::with_roots(game, limits, probabilities, origins);
    let expansion = Expansion::new(builder, Reduction::none(), Some(horizon))?;
    let mut states = Vec::new();
    for root in roots {
        states.extend(expansion.network.row(&root.state)?);
    }
    let nodes = (0..roots.len()).map(NodeId::new).collect();
    let level = RowLevel { nodes, states, known, ..RowLevel::default() };
    Some(expansion.grow(level, progress))
}

impl<'g> Growth<'g> for Expansion<'g, '_> {
    type Level = RowLevel;

    fn builder(&mut self) -> &mut TreeBuilder<'g> {
        &mut self.builder
    }

    fn histories(level: &RowLevel) -> usize {
        level.nodes.len()
    }

    fn expand(
        &mut self,
        level: &RowLevel,
        chunk: Range<usize>,
        next: &mut RowLevel,
    ) -> Result<(), TreeError> {
        let statuses = self.look(level, &chunk)?;
        let mut menus = self.menus(&statuses);
        if !self.reduction.is_none() {
            self.reduce(&mut menus, &level.keeping[chunk.clone()]);
        }
        let chance = self.builder.game.roles().random().map(RoleId::index);
        let roles = self.roles.len();
        let running = menus.chunks_exact(roles).filter(|menus| menus[0].count > 0);
        let counts = running.map(|menus| menus.iter().map(|menu| menu.count as usize));
        self.builder.count(chunk.len(), counts)?;
        let players = self.builder.players.len();
        let (mut waiting, mut leaves, mut lists) = (PendingMoves::default(), Vec::new(), Vec::new());
        for (place, history) in chunk.enumerate() {
            let (block, lane) = (&statuses[place / RowLooker::BLOCK], place % RowLooker::BLOCK);
            let (node, menus) = (level.nodes[history], &menus[place * roles..(place + 1) * roles]);
            if menus[0].count == 0 {
                self.builder.end(node, &block.goals[lane * players..(lane + 1) * players]);
                continue;
            }
            lists.clear();
            lists.extend(menus.iter().map(|menu| menu.id));
            let known = &level.known[history * players..(history + 1) * players];
            let weights = chance.map_or(0, |chance| menus[chance].weights);
            let legal = Legal { lists: &lists, weights };
            self.builder.choices(node, known, legal, &mut leaves)?;
            waiting.add(history, menus, &self.numbers, &leaves);
            if waiting.nodes.len() >= BRANCHES {
                self.play(level, &mut waiting, next)?;
            }
        }
        self.play(level, &mut waiting, next)
    }

    fn cut(&mut self, level: &RowLevel) -> Result<bool, TreeError> {
        if self.horizon.is_none() || self.has_room(level)? {
            return Ok(false);
        }
        let mut open: Vec<usize> = Vec::new();
        for first in (0..level.nodes.len()).step_by(CUT_CHUNK) {
            self.end(level, first..level.nodes.len().min(first + CUT_CHUNK), &mut open)?;
        }
        let reach = self.builder.reach();
        let share = open.iter().map(|&history| reach[level.nodes[history].index()]).sum();
        let players = self.builder.players.len();
        for open in open.chunks(CUT_CHUNK) {
            let row = |history: usize| &level.states[history * self.words..(history + 1) * self.words];
            let states: Vec<State> =
                open.iter().map(|&history| self.network.state_of_row(row(history))).collect();
            let horizon = self.horizon.as_mut().expect("only subgames are cut");
            let goals = horizon(Beyond { share, states: &states }).ok_or(TreeError::Interrupted)?;
            for (&history, goals) in open.iter().zip(goals.chunks_exact(players)) {
                self.builder.end(level.nodes[history], goals);
            }
        }
        Ok(true)
    }
}

/// Histories that are ended together where a subgame is cut.
const CUT_CHUNK: usize = 4 * RowLooker::BLOCK;

impl<'g, 'h> Expansion<'g, 'h> {
    fn new(
        builder: TreeBuilder<'g>,
        reduction: Reduction,
        horizon: Option<&'g mut Horizon<'h>>,
    ) -> Option<Self> {
        let game = builder.game;
        let lookers = Lookers::new(game)?;
        Some(Self {
            network: lookers.network(),
            roles: game.roles().all().collect(),
            words: lookers.words(),
            menus: game.roles().all().map(|role| lookers.by_legal(role)).collect(),
            numbers: Vec::new(),
            told: builder.players.iter().map(|&role| lookers.by_told(role)).collect(),
            lookers,
            reduced: FxHashMap::default(),
            reduction,
            horizon,
            builder,
        })
    }

    /// The whole tree from its first level.
    fn grow(
        mut self,
        level: RowLevel,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<GameTree, TreeError> {
        grow(&mut self, level, progress)?;
        Ok(self.builder.finish(self.reduction.elements))
    }
}

impl Expansion<'_, '_> {
    /// Whether all that follows on a level is within the limit.
    fn has_room(&mut self, level: &RowLevel) -> Result<bool, TreeError> {
        let (roles, mut following) = (self.roles.len(), ContinuationCounts::default());
        for first in (0..level.nodes.len()).step_by(CUT_CHUNK) {
            let chunk = first..level.nodes.len().min(first + CUT_CHUNK);
            let statuses = self.look(level, &chunk)?;
            let menus = self.menus(&statuses);
            let running = menus.chunks_exact(roles).filter(|menus| menus[0].count > 0);
            following.add(&ContinuationCounts::of(
                running.map(|menus| menus.iter().map(|menu| menu.count as usize)),
            ));
            if !self.builder.has_room(&following) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Ends those of some histories that are over, and adds the others to `open`.
    fn end(&mut self, level: &RowLevel, chunk: Range<usize>, open: &mut Vec<usize>) -> Result<(), TreeError> {
        let players = self.builder.players.len();
        let statuses = self.look(level, &chunk)?;
        for (place, history) in chunk.enumerate() {
            let (block, lane) = (&statuses[place / RowLooker::BLOCK], place % RowLooker::BLOCK);
            if block.kinds[lane] == RowStatus::Terminal {
                self.builder.end(level.nodes[history], &block.goals[lane * players..(lane + 1) * players]);
            } else {
                open.push(history);
            }
        }
        Ok(())
    }

    /// What some histories of a level are.
    fn look(&self, level: &RowLevel, chunk: &Range<usize>) -> Result<Vec<RowStatuses>, TreeError> {
        let states = &level.states[chunk.start * self.words..chunk.end * self.words];
        Ok(self.lookers.look(states, chunk.len())?)
    }

    /// For each history of a chunk the legal moves of each role; empty if the match is over.
    fn menus(&mut self, statuses: &[RowStatuses]) -> Vec<Menu> {
        let mut menus = Vec::new();
        for block in statuses {
            for (lane, kind) in block.kinds.iter().enumerate() {
                for index in 0..self.roles.len() {
                    let menu = self.menu(self.roles[index], &block.legal[index], lane);
                    menus.push(Menu {
                        count: if *kind == RowStatus::Terminal { 0 } else { menu.count },
                        ..menu
                    });
                }
            }
        }
        menus
    }

    /// The meaning of a row of legal moves.
    fn menu(&mut self, role: RoleId, legal: &[u64], lane: usize) -> Menu {
        let Self { builder, network, numbers, .. } = self;
        let moves = network.moves(role);
        self.menus[role.index()].get(legal, lane, |row| {
            let first = position(numbers.len());
            numbers.extend(ones(row));
            let list: Vec<MoveId> = ones(row).map(|number| moves[number as usize]).collect();
            Menu { id: builder.lists.intern(&list), first, count: position(list.len()), weights: 0 }
        })
    }

    /// Leaves one move of chance for each class of those that the symmetries which keep a history exchange.
    fn reduce(&mut self, menus: &mut [Menu], keeping: &[Elements]) {
        let Some(chance) = self.builder.game.roles().random() else { return };
        let moves = self.network.moves(chance);
        let Self { builder, numbers, reduction, reduced, roles, .. } = self;
        for (menus, &group) in menus.chunks_exact_mut(roles.len()).zip(keeping) {
            let menu = &mut menus[chance.index()];
            if menu.count < 2 || group == IDENTITY {
                continue;
            }
            *menu = *reduced.entry((menu.id, group)).or_insert_with(|| {
                let of_menu = menu.first as usize..(menu.first + menu.count) as usize;
                let (left, sizes) = reduction.classes(group, &numbers[of_menu]);
                let list: Vec<MoveId> = left.iter().map(|&number| moves[number as usize]).collect();
                let first = position(numbers.len());
                numbers.extend(&left);
                let weights = builder.weights(sizes);
                Menu { id: builder.lists.intern(&list), first, count: position(left.len()), weights }
            });
        }
    }

    /// Plays the joint moves that are waiting.
    fn play(
        &mut self,
        level: &RowLevel,
        waiting: &mut PendingMoves,
        next: &mut RowLevel,
    ) -> Result<(), TreeError> {
        let chance = self.builder.game.roles().random().filter(|_| !self.reduction.is_none());
        let (roles, players) = (self.roles.len(), self.builder.players.len());
        let blocks = self.lookers.play(&level.states, &waiting.histories, &waiting.moves, roles);
        next.nodes.append(&mut waiting.nodes);
        for (block, played) in blocks.iter().enumerate() {
            next.states.extend_from_slice(&played.states);
            let first = block * RowLooker::BLOCK;
            let histories = &waiting.histories[first..waiting.histories.len().min(first + RowLooker::BLOCK)];
            for (lane, &history) in histories.iter().enumerate() {
                let moves = &waiting.moves[(first + lane) * roles..(first + lane + 1) * roles];
                let first_known = history as usize * players;
                let known = &level.known[first_known..first_known + players];
                if let Some(chance) = chance {
                    let before = level.keeping[history as usize];
                    next.keeping.push(self.reduction.keeping(before, moves[chance.index()]));
                }
                for (player, &before) in known.iter().enumerate() {
                    let TreeBuilder { game, players, knowledge, .. } = &mut self.builder;
                    let role = players[player];
                    let network = self.network;
                    let mut told = self.told[player].get(&played.told[player], lane, |row| {
                        knowledge.percepts(&percepts(network, role, row))
                    });
                    let own_move = network.moves(role)[moves[role.index()] as usize];
                    if chance.is_some() {
                        let mapping = level.mapping[first_known + player];
                        let (least, kept) = self.reduction.told(game, knowledge, told, mapping)?;
                        told = least;
                        next.mapping.push(kept);
                    }
                    next.known.push(knowledge.extend(before, own_move, told));
                }
            }
        }
        waiting.histories.clear();
        waiting.moves.clear();
        Ok(())
    }
}

impl PendingMoves {
    /// Adds the joint moves of a history, the last role varying fastest, with the nodes after them.
    fn add(&mut self, history: usize, menus: &[Menu], numbers: &[u32], leaves: &[NodeId]) {
        let roles = menus.len();
        self.nodes.extend_from_slice(leaves);
        self.histories.resize(self.histories.len() + leaves.len(), position(history));
        let begin = self.moves.len();
        self.moves.resize(begin + leaves.len() * roles, 0);
        let moves = &mut self.moves[begin..];
        let mut repeats = 1;
        for (role, menu) in menus.iter().enumerate().rev() {
            let of_role = &numbers[menu.first as usize..(menu.first + menu.count) as usize];
            let mut places = of_role.iter().flat_map(|&number| std::iter::repeat_n(number, repeats)).cycle();
            for joint_move in moves.chunks_exact_mut(roles) {
                joint_move[role] = places.next().expect("every role has a move");
            }
            repeats *= of_role.len();
        }
    }
}
