//! The propositional backend: one state at a time on the tape, in terms of the game's own values.

use std::sync::Arc;

use super::{ByRole, JointMove, Percepts, RANDOM, Roles, State, fluents::ones};
use crate::{
    batch::{Lanes, Plane},
    bits::Bits,
    check::CheckedRules,
    datalog::{Question, Reasoner},
    ground::{GroundError, ground},
    id::{FluentId, MoveId, PerceptId, RoleId, RuleId, TermId},
    limits::Limits,
    propnet::{Network, Phase, Tape},
};

/// Lanes of a machine for one state.
const NARROW: usize = 1;

/// A game as a tape, and which of the game's values each wire of it is about.
#[derive(Clone, Debug)]
pub(super) struct Grounded {
    pub(super) tape: Arc<Tape>,
    pub(super) sizes: NetworkSizes,
    fluents: Vec<FluentId>,
    fluent_hashes: Vec<u64>,
    /// The base of each fluent that the network has.
    base_of: Vec<Option<u32>>,
    moves: Vec<Vec<MoveId>>,
    /// For each role, moves with their numbers, ascending.
    move_numbers: Vec<Vec<(MoveId, usize)>>,
    /// For each role, the print of each goal in the order in which the first that is true counts.
    goals: Vec<Vec<String>>,
    percepts: Vec<Vec<PerceptId>>,
}

/// How large a grounded game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkSizes {
    /// Ground atoms.
    pub atoms: usize,
    /// Ground rules.
    pub rules: usize,
    /// Fluents that can ever be true.
    pub fluents: usize,
    /// Moves that can ever be legal, of all roles together.
    pub moves: usize,
    /// Gates before what nothing needs is left out.
    pub gates: usize,
}

impl Grounded {
    /// Grounds checked rules and puts them on a tape.
    pub(super) fn new(
        rules: &CheckedRules,
        reasoner: &Reasoner,
        limits: &Limits,
    ) -> Result<Self, GroundError> {
        let vocabulary = reasoner.vocabulary();
        let mut program = ground(rules, reasoner.roles(), vocabulary, limits)?;
        // Whatever the rules say of it, chance wants nothing.
        for (role, goals) in reasoner.roles().iter().zip(&mut program.goals) {
            if vocabulary.print(*role) == RANDOM {
                goals.clear();
            }
        }
        let network = Network::of(&program);
        let fluents: Vec<FluentId> =
            program.fluents.iter().map(|fluent| vocabulary.fluent(fluent.term)).collect();
        let mut base_of = Vec::new();
        for (base, fluent) in (0..).zip(&fluents) {
            base_of.resize(base_of.len().max(fluent.index() + 1), None);
            base_of[fluent.index()] = Some(base);
        }
        let moves: Vec<Vec<MoveId>> = program
            .moves
            .iter()
            .map(|moves| moves.iter().map(|found| move_of(found.term)).collect())
            .collect();
        let number = |moves: &Vec<MoveId>| {
            let mut numbers: Vec<_> =
                moves.iter().copied().enumerate().map(|(number, id)| (id, number)).collect();
            numbers.sort_unstable();
            numbers
        };
        let percept = |term: TermId| PerceptId::new(term.index()).expect("terms stay below 2^32");
        Ok(Self {
            sizes: NetworkSizes {
                atoms: program.atoms_count,
                rules: program.rules_count(),
                fluents: fluents.len(),
                moves: moves.iter().map(Vec::len).sum(),
                gates: network.gates.gates_count(),
            },
            tape: Arc::new(Tape::new(&network)),
            fluent_hashes: fluents.iter().map(|&fluent| vocabulary.fluent_hash(fluent)).collect(),
            fluents,
            base_of,
            move_numbers: moves.iter().map(number).collect(),
            moves,
            goals: program
                .goals
                .iter()
                .map(|goals| goals.iter().map(|&(value, _)| vocabulary.print(value)).collect())
                .collect(),
            percepts: program
                .sees
                .iter()
                .map(|sees| sees.iter().map(|&(term, _)| percept(term)).collect())
                .collect(),
        })
    }

    /// For each base whether it is true in a state; `None` if the network does not have some fluent of it.
    pub(super) fn bases(&self, state: &State) -> Option<Vec<bool>> {
        let mut bases = vec![false; self.fluents.len()];
        for fluent in state.fluents() {
            let base = self.base_of.get(fluent.index()).copied().flatten()?;
            bases[base as usize] = true;
        }
        Some(bases)
    }

    /// The same as bits: bit `b % 64` of word `b / 64` for base `b`.
    pub(super) fn row(&self, state: &State) -> Option<Vec<u64>> {
        let mut row = vec![0; self.fluents.len().div_ceil(64)];
        for fluent in state.fluents() {
            let base = self.base_of(fluent)?;
            row[base / 64] |= 1 << (base % 64);
        }
        Some(row)
    }

    /// The state in which these bases are true.
    pub(super) fn state_of(&self, bases: impl Iterator<Item = usize>) -> State {
        State::of(bases.map(|base| (self.fluents[base], self.fluent_hashes[base])))
    }

    /// The state of a row of bits.
    pub(super) fn state_of_row(&self, row: &[u64]) -> State {
        self.state_of(ones(row))
    }

    /// The base of a fluent.
    pub(super) fn base_of(&self, fluent: FluentId) -> Option<usize> {
        self.base_of.get(fluent.index()).copied().flatten().map(|base| base as usize)
    }

    /// The number of a role's move.
    pub(super) fn move_number(&self, role: RoleId, played: MoveId) -> Option<usize> {
        let numbers = &self.move_numbers[role.index()];
        let place = numbers.binary_search_by_key(&played, |(id, _)| *id).ok()?;
        Some(numbers[place].1)
    }

    /// The move of a role with this number.
    pub(super) fn move_of(&self, role: RoleId, number: usize) -> MoveId {
        self.moves[role.index()][number]
    }

    /// The number of a role's percept.
    pub(super) fn percept_number(&self, role: RoleId, percept: PerceptId) -> Option<usize> {
        self.percepts[role.index()].iter().position(|known| *known == percept)
    }

    /// The fluents of the bases.
    pub(super) fn fluents(&self) -> &[FluentId] {
        &self.fluents
    }

    /// A role's moves, by number.
    pub(super) fn moves(&self, role: RoleId) -> &[MoveId] {
        &self.moves[role.index()]
    }

    /// A role's percepts, by number.
    pub(super) fn percepts(&self, role: RoleId) -> &[PerceptId] {
        &self.percepts[role.index()]
    }

    /// The percepts of a role with these numbers.
    pub(super) fn percepts_of(&self, role: RoleId, numbers: &Bits) -> Percepts {
        Percepts { terms: numbers.iter().map(|number| self.percepts[role.index()][number]).collect() }
    }

    /// The prints of a role's goals, by the index that the tape gives them.
    pub(super) fn goal_texts(&self, role: RoleId) -> &[String] {
        &self.goals[role.index()]
    }
}

/// What one thread computes of one state on the tape.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    lanes: Lanes<NARROW>,
    /// Whether the state is one that the network can hold.
    is_whole: bool,
    /// The phases whose results can be read.
    is_ready: [bool; 4],
}

impl Machine {
    pub(super) fn new(grounded: &Grounded) -> Self {
        Self { lanes: Lanes::new(Arc::clone(&grounded.tape)), is_whole: true, is_ready: [false; 4] }
    }

    /// Forgets everything and puts a state in; moves stay as they are.
    pub(super) fn load(&mut self, grounded: &Grounded, state: &State) {
        let bases = grounded.bases(state);
        self.is_whole = bases.is_some();
        if let Some(bases) = bases {
            self.lanes.fill(&bases);
        }
        self.is_ready = [false; 4];
    }

    /// Plays a move for each role.
    pub(super) fn load_joint(&mut self, grounded: &Grounded, joint_move: &JointMove) {
        self.unload_joint();
        for (role, id) in joint_move.moves().iter() {
            // A move that is never legal makes nothing happen.
            if let Some(number) = grounded.move_number(role, *id) {
                self.lanes.make(role.index(), number, Plane::ALL);
            }
        }
    }

    /// Plays nothing.
    pub(super) fn unload_joint(&mut self) {
        self.lanes.clear_moves();
        (self.is_ready[Phase::Next as usize], self.is_ready[Phase::Sees as usize]) = (false, false);
    }

    /// Computes the answers to a question; false if the network cannot hold the state.
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
    pub(super) fn legal(&self, grounded: &Grounded, roles: &Roles) -> ByRole<Vec<MoveId>> {
        ByRole::from_fn(roles, |role| {
            let moves = grounded.moves[role.index()].iter().enumerate();
            moves
                .filter(|(number, _)| self.lanes.legal(role.index(), *number).any())
                .map(|(_, &id)| id)
                .collect()
        })
    }

    /// The goals of a role as printed, each with its place among those that count first.
    pub(super) fn goals(&self, grounded: &Grounded, role: RoleId) -> Vec<(Option<RuleId>, String)> {
        let mut goals: Vec<(Option<RuleId>, String)> = Vec::new();
        for (index, text) in grounded.goals[role.index()].iter().enumerate() {
            if self.lanes.has_goal(role.index(), index).any() && !goals.iter().any(|(_, known)| known == text)
            {
                goals.push((RuleId::new(index), text.clone()));
            }
        }
        goals
    }

    /// What a role is told, in canonical order.
    pub(super) fn percepts(&self, grounded: &Grounded, role: RoleId) -> Percepts {
        let percepts = grounded.percepts[role.index()].iter().enumerate();
        let told = percepts.filter(|(number, _)| self.lanes.sees(role.index(), *number).any());
        Percepts { terms: told.map(|(_, &percept)| percept).collect() }
    }

    /// The state that follows.
    pub(super) fn successor(&self, grounded: &Grounded) -> State {
        grounded.state_of((0..grounded.fluents.len()).filter(|&base| self.lanes.next(base).any()))
    }
}

fn move_of(term: TermId) -> MoveId {
    MoveId::new(term.index()).expect("terms stay below 2^32")
}
