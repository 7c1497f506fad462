//! From a game to its tree, breadth first: histories of one length are expanded on many threads, and taken in order.

use std::{
    ops::Range,
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

/// Histories whose moves and goals are asked for before any of them is taken into the tree.
const CHUNK: usize = 8_192;

/// Joint moves that are played before what they lead to is taken into the tree.
const BRANCHES: usize = 65_536;

/// What one thread looks at in one go: as much as a network looks at at once.
const BLOCK: usize = 512;

/// A history that is not expanded yet.
struct Open {
    /// Where it stands in the tree.
    node: NodeId,
    state: State,
    /// What each player knows.
    known: Vec<KnowledgeId>,
}

/// A joint move that is to be played, and the node after it.
struct Waiting {
    /// The place of the history among those that are expanded together.
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
}

pub(super) fn expand(
    game: &Game,
    limits: &TreeLimits,
    progress: &mut dyn FnMut(u64),
) -> Result<GameTree, TreeError> {
    let players: Vec<RoleId> = game.roles().players().collect();
    let knowledge = KnowledgeBuilder::new(players.len());
    let mut level =
        vec![Open { node: NodeId(0), state: game.initial_state().clone(), known: knowledge.initial() }];
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
    };
    let mut turns = 0;
    while !level.is_empty() {
        if turns > game.limits().turns {
            let limit = game.limits().turns as u64;
            return Err(GameError::from(LimitError::Turns { limit }).into());
        }
        let mut next = Vec::new();
        for chunk in level.chunks(CHUNK) {
            builder.expand(chunk, &mut next)?;
            progress(builder.histories);
        }
        level = next;
        turns += 1;
    }
    Ok(builder.finish())
}

impl Lookers<'_> {
    /// What each of some histories is, on the threads of the rayon pool that this is called in.
    fn statuses(&self, histories: &[Open]) -> Vec<Result<Status, GameError>> {
        let look = |histories: &[Open]| {
            let states: Vec<&State> = histories.iter().map(|open| &open.state).collect();
            self.with(|looker| looker.statuses(self.game, &states))
        };
        histories.par_chunks(BLOCK).flat_map_iter(look).collect()
    }

    /// What each joint move leads to, in order, or the first error.
    fn turns(&self, histories: &[Open], waiting: &[Waiting]) -> Result<Vec<Turn>, GameError> {
        let look = |waiting: &[Waiting]| {
            let mut states: Vec<&State> = Vec::new();
            let mut last = None;
            let mut branches: Vec<Branch<'_>> = Vec::with_capacity(waiting.len());
            for Waiting { history, joint_move, .. } in waiting {
                if last.replace(*history) != Some(*history) {
                    states.push(&histories[*history].state);
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
    /// Takes histories of one length into the tree, and what follows on them into `next`.
    ///
    /// Legal moves are counted before anything is played, so that time and memory follow the limit and not the number
    /// of joint moves.
    fn expand(&mut self, histories: &[Open], next: &mut Vec<Open>) -> Result<(), TreeError> {
        let mut waiting = Vec::new();
        let statuses = self.lookers.statuses(histories);
        for (history, (open, status)) in histories.iter().zip(statuses).enumerate() {
            match status? {
                Status::Terminal { goals } => {
                    let goals: Vec<GoalValue> = goals.iter().map(|(_, goal)| *goal).collect();
                    self.nodes[open.node.index()] = Some(Node::Terminal { outcome: self.outcome(goals) });
                }
                Status::Running { legal } => {
                    self.count(&legal)?;
                    let leaves = self.choices(open, &legal)?;
                    for (node, joint_move) in leaves.into_iter().zip(self.game.joint_moves(&legal)) {
                        waiting.push(Waiting { history, joint_move, node });
                        if waiting.len() == BRANCHES {
                            self.play(histories, std::mem::take(&mut waiting), next)?;
                        }
                    }
                }
            }
        }
        self.play(histories, waiting, next)
    }

    /// Plays the joint moves that are waiting.
    fn play(
        &mut self,
        histories: &[Open],
        waiting: Vec<Waiting>,
        next: &mut Vec<Open>,
    ) -> Result<(), TreeError> {
        let turns = self.lookers.turns(histories, &waiting)?;
        for (Waiting { history, joint_move, node }, turn) in waiting.into_iter().zip(turns) {
            let known = self.known(&histories[history].known, &joint_move, &turn);
            next.push(Open { node, state: turn.successor, known });
        }
        Ok(())
    }

    /// Counts the histories that follow on one by these moves, and makes sure that they and their nodes are within
    /// the limit.
    fn count(&mut self, legal: &ByRole<Vec<MoveId>>) -> Result<(), TreeError> {
        let choices = legal.iter().map(|(_, moves)| moves.len() as u64).filter(|&moves| moves > 1);
        let (mut leaves, mut nodes) = (1_u64, self.nodes.len() as u64);
        for moves in choices {
            leaves = leaves.saturating_mul(moves);
            nodes = nodes.saturating_add(leaves);
        }
        self.histories = self.histories.saturating_add(leaves);
        if self.histories.max(nodes) > self.limits.histories_max {
            return Err(self.too_large());
        }
        Ok(())
    }

    /// Makes the nodes of one turn. What it gives are the nodes after each joint move, in canonical order: the last
    /// role varies fastest, as each role's nodes hang on those of the role before it.
    fn choices(&mut self, open: &Open, legal: &ByRole<Vec<MoveId>>) -> Result<Vec<NodeId>, TreeError> {
        self.check_moves(open, legal)?;
        let mut leaves = vec![open.node];
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
                            let information_set = self.information_set(player, open.known[player]);
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
    fn check_moves(&mut self, open: &Open, legal: &ByRole<Vec<MoveId>>) -> Result<(), TreeError> {
        for player in 0..self.players.len() {
            // Equal lists are kept once, so places tell whether they are equal.
            let place = self.lists.intern(&legal[self.players[player]]);
            let known = self.known_moves.entry(open.known[player]).or_insert_with(|| place.clone());
            if *known != place {
                return Err(self.unknown_moves(player, open.known[player]));
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

    fn known(&mut self, before: &[KnowledgeId], joint_move: &JointMove, turn: &Turn) -> Vec<KnowledgeId> {
        let players = self.players.iter().zip(before);
        let after = players
            .map(|(&role, &before)| self.knowledge.extend(before, joint_move.of(role), &turn.percepts[role]));
        after.collect()
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
