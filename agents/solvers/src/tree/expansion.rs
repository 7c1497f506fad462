//! From a game to its tree, breadth first: histories of one length are expanded on many threads, and taken in order.

use std::ops::Range;

use croupier_engine::{
    ByRole, Game, GameError, GoalValue, JointMove, LimitError, MoveId, RoleId, State, Turn,
};
use rustc_hash::FxHashMap;

use super::{
    GameTree, InformationSetId, Lists, MenuId, Node, NodeId, OutcomeId, SetEntry, TreeError, TreeLimits,
    estimate_histories,
    knowledge::{KnowledgeBuilder, KnowledgeId},
    look::{Found, look},
};

/// Histories that are expanded before any of them is taken into the tree.
const CHUNK: usize = 8_192;

/// A history that is not expanded yet.
struct Open {
    /// Where it stands in the tree.
    node: NodeId,
    state: State,
    /// What each player knows.
    known: Vec<KnowledgeId>,
}

/// A tree that grows.
struct Builder<'g> {
    game: &'g Game,
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
        let mut rest = level.into_iter();
        while rest.len() > 0 {
            let chunk: Vec<Open> = rest.by_ref().take(CHUNK).collect();
            let states: Vec<&State> = chunk.iter().map(|open| &open.state).collect();
            let found = look(game, &states)?;
            for (open, found) in chunk.into_iter().zip(found) {
                builder.take(open, found, &mut next)?;
            }
            progress(builder.histories);
        }
        level = next;
        turns += 1;
    }
    Ok(builder.finish())
}

impl Builder<'_> {
    fn take(&mut self, open: Open, found: Found, next: &mut Vec<Open>) -> Result<(), TreeError> {
        match found {
            Found::Terminal(goals) => {
                let goals: Vec<GoalValue> = goals.iter().map(|(_, goal)| *goal).collect();
                self.nodes[open.node.index()] = Some(Node::Terminal { outcome: self.outcome(goals) });
            }
            Found::Running { legal, turns } => {
                self.histories += turns.len() as u64;
                let leaves = self.choices(&open, &legal)?;
                if self.histories.max(self.nodes.len() as u64) > self.limits.histories_max {
                    return Err(self.too_large());
                }
                for (node, (joint_move, turn)) in leaves.into_iter().zip(turns) {
                    let known = self.known(&open.known, &joint_move, &turn);
                    next.push(Open { node, state: turn.successor, known });
                }
            }
        }
        Ok(())
    }

    /// Makes the nodes of one turn. What it gives are the nodes after each joint move, in canonical order: the last
    /// role varies fastest, as each role's nodes hang on those of the role before it.
    fn choices(&mut self, open: &Open, legal: &ByRole<Vec<MoveId>>) -> Result<Vec<NodeId>, TreeError> {
        self.check_moves(open, legal)?;
        let mut leaves = vec![open.node];
        for (role, moves) in legal.iter().filter(|(_, moves)| moves.len() > 1) {
            if leaves.len() as u64 > self.limits.histories_max {
                return Err(self.too_large());
            }
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
        match estimate_histories(self.game, &mut self.game.scratch()) {
            // Those that were looked at are there in any case.
            Ok(estimate) => TreeError::TooLarge {
                limit: self.limits.histories_max,
                estimate: estimate.max(self.histories as f64),
            },
            Err(error) => error.into(),
        }
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
