//! From a game to its tree, breadth first: histories of one length are expanded on many threads, and taken in order.

use std::{
    ops::{ControlFlow, Range},
    sync::{Mutex, PoisonError},
};

use croupier_engine::{
    ByRole, Game, GameError, GoalValue, JointMove, LimitError, MoveId, RoleId, State, Status, Turn,
    game::{Branch, Looker},
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    GameTree, InformationSetId, Lists, MenuId, Node, NodeId, OutcomeId, SetEntry, TreeError, TreeLimits,
    estimate_histories,
    knowledge::{KnowledgeBuilder, KnowledgeId},
};

/// Histories whose moves and goals are asked for before any of them is taken into the tree, at most.
const CHUNK_MAX: usize = 8_192;

/// Legal moves of those histories together, about: fewer histories are asked for where each has many.
const CHUNK_MOVES: usize = 4_000_000;

/// Joint moves that are played before what they lead to is taken into the tree.
const BRANCHES: usize = 65_536;

/// Histories that are asked for first in a level, of which nobody knows how many moves they have.
const CHUNK_FIRST: usize = 64;

/// What one thread looks at in one go: as much as a network looks at at once.
const BLOCK: usize = 512;

/// The histories of one length that are not expanded yet.
#[derive(Default)]
struct Level {
    /// Where each stands in the tree.
    nodes: Vec<NodeId>,
    states: Vec<State>,
    /// What each player knows, as many as players for each history.
    known: Vec<KnowledgeId>,
}

/// A joint move that is to be played, and the node after it.
struct Waiting {
    /// The place of the history in its level.
    history: usize,
    joint_move: JointMove,
    node: NodeId,
}

/// What threads look at histories with, each used by one thread at a time and kept for the next.
struct Lookers<'g> {
    game: &'g Game,
    idle: Mutex<Vec<Looker>>,
}

/// A tree that grows.
struct Builder<'g> {
    game: &'g Game,
    lookers: Lookers<'g>,
    limits: &'g TreeLimits,
    players: Vec<RoleId>,
    /// A node that is not looked at yet is none.
    nodes: Vec<Option<Node>>,
    sets: Vec<SetEntry>,
    known_sets: FxHashMap<KnowledgeId, InformationSetId>,
    /// What is legal for a player that knows this, a single move or many.
    known_moves: FxHashMap<KnowledgeId, Range<u32>>,
    menus: Vec<Range<u32>>,
    known_menus: FxHashMap<Vec<MoveId>, MenuId>,
    lists: Lists,
    goals: Vec<GoalValue>,
    known_goals: FxHashMap<Vec<GoalValue>, OutcomeId>,
    knowledge: KnowledgeBuilder,
    histories: u64,
    /// How many histories are asked for together next.
    chunk: usize,
}

pub(super) fn expand(
    game: &Game,
    limits: &TreeLimits,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<GameTree, TreeError> {
    let players: Vec<RoleId> = game.roles().players().collect();
    let knowledge = KnowledgeBuilder::new(players.len());
    let mut level = Level {
        nodes: vec![NodeId(0)],
        states: vec![game.initial_state().clone()],
        known: knowledge.initial(),
    };
    let mut builder = Builder {
        game,
        lookers: Lookers { game, idle: Mutex::default() },
        limits,
        players,
        nodes: vec![None],
        sets: Vec::new(),
        known_sets: FxHashMap::default(),
        known_moves: FxHashMap::default(),
        menus: Vec::new(),
        known_menus: FxHashMap::default(),
        lists: Lists::default(),
        goals: Vec::new(),
        known_goals: FxHashMap::default(),
        knowledge,
        histories: 1,
        chunk: CHUNK_FIRST,
    };
    let mut turns = 0;
    while !level.nodes.is_empty() {
        if turns > game.limits().turns {
            let limit = game.limits().turns as u64;
            return Err(GameError::from(LimitError::Turns { limit }).into());
        }
        let mut next = Level::default();
        let mut expanded = 0;
        builder.chunk = CHUNK_FIRST;
        while expanded < level.nodes.len() {
            let chunk = expanded..level.nodes.len().min(expanded + builder.chunk);
            expanded = chunk.end;
            builder.expand(&level, chunk, &mut next)?;
            if progress(builder.histories).is_break() {
                return Err(TreeError::Interrupted);
            }
        }
        level = next;
        turns += 1;
    }
    Ok(builder.finish())
}

impl Lookers<'_> {
    /// What each of some states is, on the threads of the rayon pool that this is called in.
    fn statuses(&self, states: &[State]) -> Vec<Result<Status, GameError>> {
        let look = |states: &[State]| {
            let states: Vec<&State> = states.iter().collect();
            self.with(|looker| looker.statuses(self.game, &states))
        };
        states.par_chunks(BLOCK).flat_map_iter(look).collect()
    }

    /// What each joint move leads to, in order, or the first error.
    fn turns(&self, level: &Level, waiting: &[Waiting]) -> Result<Vec<Turn>, GameError> {
        let look = |waiting: &[Waiting]| {
            let mut states: Vec<&State> = Vec::new();
            let mut last = None;
            let mut branches: Vec<Branch<'_>> = Vec::with_capacity(waiting.len());
            for Waiting { history, joint_move, .. } in waiting {
                if last.replace(*history) != Some(*history) {
                    states.push(&level.states[*history]);
                }
                branches.push(Branch { state: states.len() - 1, joint_move });
            }
            self.with(|looker| looker.turns(self.game, &states, &branches))
        };
        // All blocks are waited for, so that the error does not depend on which thread was first.
        let blocks: Vec<Result<Vec<Turn>, GameError>> = waiting.par_chunks(BLOCK).map(look).collect();
        let mut turns = Vec::with_capacity(waiting.len());
        for block in blocks {
            turns.append(&mut block?);
        }
        Ok(turns)
    }

    fn with<T>(&self, look: impl FnOnce(&mut Looker) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut looker = taken.unwrap_or_else(|| Looker::new(self.game));
        let answer = look(&mut looker);
        idle().push(looker);
        answer
    }
}

impl Builder<'_> {
    /// Takes some histories of a level into the tree, and what follows on them into `next`.
    ///
    /// Legal moves are counted before anything is played, so that time and memory follow the limit and not the number
    /// of joint moves.
    fn expand(&mut self, level: &Level, chunk: Range<usize>, next: &mut Level) -> Result<(), TreeError> {
        let statuses = self.lookers.statuses(&level.states[chunk.clone()]);
        self.count(&statuses)?;
        let mut waiting = Vec::new();
        for (history, status) in chunk.zip(statuses) {
            let node = level.nodes[history];
            match status? {
                Status::Terminal { goals } => {
                    let goals: Vec<GoalValue> = goals.iter().map(|(_, goal)| *goal).collect();
                    self.nodes[node.index()] = Some(Node::Terminal { outcome: self.outcome(goals) });
                }
                Status::Running { legal } => {
                    let known = self.known_of(level, history);
                    let leaves = self.choices(node, known, &legal)?;
                    for (node, joint_move) in leaves.into_iter().zip(self.game.joint_moves(&legal)) {
                        waiting.push(Waiting { history, joint_move, node });
                        if waiting.len() == BRANCHES {
                            self.play(level, std::mem::take(&mut waiting), next)?;
                        }
                    }
                }
            }
        }
        self.play(level, waiting, next)
    }

    /// Plays the joint moves that are waiting.
    fn play(&mut self, level: &Level, waiting: Vec<Waiting>, next: &mut Level) -> Result<(), TreeError> {
        let turns = self.lookers.turns(level, &waiting)?;
        for (Waiting { history, joint_move, node }, turn) in waiting.into_iter().zip(turns) {
            for (&role, &before) in self.players.iter().zip(self.known_of(level, history)) {
                let known = self.knowledge.extend(before, joint_move.of(role), &turn.percepts[role]);
                next.known.push(known);
            }
            next.nodes.push(node);
            next.states.push(turn.successor);
        }
        Ok(())
    }

    /// Counts the histories that follow on some by their legal moves, makes sure that they and their nodes are within
    /// the limit, and how many histories to ask for next.
    fn count(&mut self, statuses: &[Result<Status, GameError>]) -> Result<(), TreeError> {
        let (mut nodes, mut moves) = (self.nodes.len() as u64, 0);
        for status in statuses {
            let Ok(Status::Running { legal }) = status else { continue };
            let mut leaves = 1_u64;
            for (_, of_role) in legal.iter().filter(|(_, of_role)| of_role.len() > 1) {
                leaves = leaves.saturating_mul(of_role.len() as u64);
                nodes = nodes.saturating_add(leaves);
                moves += of_role.len();
            }
            self.histories = self.histories.saturating_add(leaves);
        }
        if self.histories.max(nodes) > self.limits.histories_max {
            return Err(self.too_large());
        }
        let moves_each = moves.div_ceil(statuses.len().max(1)).max(1);
        self.chunk = (CHUNK_MOVES / moves_each).clamp(1, (4 * self.chunk).min(CHUNK_MAX));
        Ok(())
    }

    /// What each player knows in a history.
    fn known_of<'l>(&self, level: &'l Level, history: usize) -> &'l [KnowledgeId] {
        let players = self.players.len();
        &level.known[history * players..(history + 1) * players]
    }

    /// Makes the nodes of one turn. What it gives are the nodes after each joint move, in canonical order: the last
    /// role varies fastest, as each role's nodes hang on those of the role before it.
    fn choices(
        &mut self,
        node: NodeId,
        known: &[KnowledgeId],
        legal: &ByRole<Vec<MoveId>>,
    ) -> Result<Vec<NodeId>, TreeError> {
        self.check_moves(known, legal)?;
        let mut leaves = vec![node];
        for (role, moves) in legal.iter().filter(|(_, moves)| moves.len() > 1) {
            let mut below = Vec::with_capacity(leaves.len() * moves.len());
            for leaf in leaves {
                let first_child = NodeId::new(self.nodes.len());
                self.nodes.extend(moves.iter().map(|_| None));
                below.extend((0..moves.len()).map(|place| NodeId::new(first_child.index() + place)));
                self.nodes[leaf.index()] =
                    Some(match self.players.iter().position(|&player| player == role) {
                        None => Node::Chance { menu: self.menu(moves), first_child },
                        Some(player) => {
                            let information_set = self.information_set(player, known[player]);
                            Node::Decision { information_set, first_child }
                        }
                    });
            }
            leaves = below;
        }
        Ok(leaves)
    }

    fn information_set(&mut self, player: usize, knowledge: KnowledgeId) -> InformationSetId {
        *self.known_sets.entry(knowledge).or_insert_with(|| {
            let id = InformationSetId::new(self.sets.len());
            let player = u32::try_from(player).expect("roles were counted when the game was made");
            self.sets.push(SetEntry { player, knowledge, moves: self.known_moves[&knowledge].clone() });
            id
        })
    }

    /// Makes sure that what each player knows tells what it may play.
    fn check_moves(&mut self, known: &[KnowledgeId], legal: &ByRole<Vec<MoveId>>) -> Result<(), TreeError> {
        for player in 0..self.players.len() {
            // Equal lists are kept once, so places tell whether they are equal.
            let place = self.lists.intern(&legal[self.players[player]]);
            let before = self.known_moves.entry(known[player]).or_insert_with(|| place.clone());
            if *before != place {
                return Err(self.unknown_moves(player, known[player]));
            }
        }
        Ok(())
    }

    fn menu(&mut self, moves: &[MoveId]) -> MenuId {
        if let Some(&known) = self.known_menus.get(moves) {
            return known;
        }
        let id = MenuId::new(self.menus.len());
        self.menus.push(self.lists.intern(moves));
        self.known_menus.insert(moves.to_vec(), id);
        id
    }

    fn outcome(&mut self, goals: Vec<GoalValue>) -> OutcomeId {
        let next = OutcomeId::new(self.known_goals.len());
        *self.known_goals.entry(goals).or_insert_with_key(|goals| {
            self.goals.extend_from_slice(goals);
            next
        })
    }

    fn unknown_moves(&mut self, player: usize, knowledge: KnowledgeId) -> TreeError {
        let role = self.players[player];
        let finished = std::mem::replace(&mut self.knowledge, KnowledgeBuilder::new(0)).finish();
        let known = croupier_engine::InformationSet { role, turns: finished.turns(knowledge) };
        TreeError::UnknownMoves {
            role: self.game.roles().name(role).to_owned(),
            information_set: self.game.information_set_text(&known),
        }
    }

    fn too_large(&self) -> TreeError {
        let estimate = estimate_histories(self.game, &mut self.game.scratch());
        TreeError::TooLarge { limit: self.limits.histories_max, estimate: estimate.at_least(self.histories) }
    }

    fn finish(self) -> GameTree {
        let nodes = self.nodes.into_iter().map(|node| node.expect("every history was looked at"));
        GameTree {
            players: self.players,
            nodes: nodes.collect(),
            sets: self.sets,
            menus: self.menus,
            moves: self.lists.moves,
            goals: self.goals,
            knowledge: self.knowledge.finish(),
            histories: self.histories,
        }
    }
}
