//! The propositional backend: one state at a time on the tape, in terms of the game's own values.

use std::sync::Arc;

use super::{ByRole, GameNetwork, JointMove, Percepts, Roles, State};
use crate::{
    batch::{Lanes, Plane},
    datalog::Question,
    id::{MoveId, RoleId, RuleId},
    propnet::Phase,
};

/// Lanes of a machine that runs a single state.
const NARROW: usize = 1;

/// One thread's results for one state on the tape.
#[derive(Clone, Debug)]
pub(super) struct TapeMemory {
    lanes: Lanes<NARROW>,
    /// Whether the network can represent the state.
    is_whole: bool,
    /// The phases whose results are available.
    is_ready: [bool; 4],
}

impl TapeMemory {
    pub(super) fn new(network: &GameNetwork) -> Self {
        Self { lanes: Lanes::new(Arc::clone(network.tape())), is_whole: true, is_ready: [false; 4] }
    }

    /// Resets everything and loads a state; moves are kept.
    pub(super) fn load(&mut self, network: &GameNetwork, state: &State) {
        let bases = network.bases(state);
        self.is_whole = bases.is_some();
        if let Some(bases) = bases {
            self.lanes.fill(&bases);
        }
        self.is_ready = [false; 4];
    }

    /// Plays a move for each role.
    pub(super) fn load_joint(&mut self, network: &GameNetwork, joint_move: &JointMove) {
        self.unload_joint();
        for (role, id) in joint_move.moves().iter() {
            // A move that is never legal makes nothing happen.
            if let Some(number) = network.move_number(role, *id) {
                self.lanes.make(role, number, Plane::ALL);
            }
        }
    }

    /// Plays no move.
    pub(super) fn unload_joint(&mut self) {
        self.lanes.clear_moves();
        (self.is_ready[Phase::Next as usize], self.is_ready[Phase::Sees as usize]) = (false, false);
    }

    /// Computes the results for a question; false if the network cannot represent the state.
    pub(super) fn derive(&mut self, question: Question) -> bool {
        if self.is_whole {
            self.require(match question {
                Question::Terminal | Question::Legal => Phase::State,
                Question::Goal => Phase::Goal,
                Question::Next => Phase::Next,
                Question::Sees => Phase::Sees,
            });
        }
        self.is_whole
    }

    fn require(&mut self, phase: Phase) {
        if self.is_ready[phase as usize] {
            return;
        }
        match phase {
            Phase::State => {}
            Phase::Goal | Phase::Next => self.require(Phase::State),
            Phase::Sees => self.require(Phase::Next),
        }
        self.lanes.evaluate(phase);
        // What a phase leaves is overwritten by those behind it, but for goals, which spare the state's answers,
        // and percepts, which spare what is next.
        self.is_ready = match phase {
            Phase::State => [true, false, false, false],
            Phase::Goal => [true, true, false, false],
            Phase::Next => [false, false, true, false],
            Phase::Sees => [false, false, true, true],
        };
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.lanes.terminal().any()
    }

    /// The legal moves of all roles in canonical order.
    pub(super) fn legal(&self, network: &GameNetwork, roles: &Roles) -> ByRole<Vec<MoveId>> {
        ByRole::from_fn(roles, |role| {
            let moves = network.moves(role).iter().enumerate();
            moves.filter(|(number, _)| self.lanes.legal(role, *number).any()).map(|(_, &id)| id).collect()
        })
    }

    /// The goals of a role as printed, each with its precedence.
    pub(super) fn goals(&self, network: &GameNetwork, role: RoleId) -> Vec<(Option<RuleId>, String)> {
        let mut goals: Vec<(Option<RuleId>, String)> = Vec::new();
        for (index, text) in network.goals(role).iter().enumerate() {
            if self.lanes.has_goal(role, index).any() && !goals.iter().any(|(_, known)| known == text) {
                goals.push((RuleId::new(index), text.clone()));
            }
        }
        goals
    }

    /// What a role is told, in canonical order.
    pub(super) fn percepts(&self, network: &GameNetwork, role: RoleId) -> Percepts {
        let percepts = network.percepts(role).iter().enumerate();
        let told = percepts.filter(|(number, _)| self.lanes.sees(role, *number).any());
        Percepts { terms: told.map(|(_, &percept)| percept).collect() }
    }

    /// The successor state.
    pub(super) fn successor(&self, network: &GameNetwork) -> State {
        network.state_of((0..network.fluents().len()).filter(|&base| self.lanes.next(base).any()))
    }
}
