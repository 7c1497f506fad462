//! A game as a network: its tape, and the indices of the game's values on the tape.

use std::sync::Arc;

use super::{ByRole, GoalValue, JointMove, Percepts, RANDOM, Roles, State};
use crate::{
    bits::{Bits, ones},
    check::CheckedRules,
    datalog::Reasoner,
    diagnostic::Strictness,
    ground::{GroundError, GroundProgram, ground},
    id::{FluentId, MoveId, PerceptId, RoleId, TermId},
    limits::Limits,
    propnet::{Network, Tape},
    tag::GameTag,
};

/// A game as a network: the tape that runs it, and the indices of the game's values on the tape.
///
/// Every fluent that a match can reach is a base of the tape. Every move that can ever be legal and every percept
/// that can ever be told has an index among those of its role. Other values have none.
///
/// ```
/// use croupier_engine::{Game, Options};
///
/// let rules = "(role alice) (init (coins 2)) (legal alice wait) (<= (next (coins 1)) (true (coins 2)))
///     (<= terminal (true (coins 1))) (goal alice 100)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let network = game.network().expect("a small game is a network");
/// let alice = game.roles().find("alice").expect("a role");
/// assert_eq!(network.fluents().len(), 2);
/// assert_eq!(game.move_text(network.moves(alice)[0]), "wait".into());
/// # Ok::<(), croupier_engine::CompileError>(())
/// ```
#[derive(Debug)]
pub struct GameNetwork {
    tape: Arc<Tape>,
    sizes: NetworkSizes,
    fluents: Vec<FluentId>,
    fluent_hashes: Vec<u64>,
    /// The base of each fluent that the network has.
    base_of: Vec<Option<u32>>,
    moves: ByRole<Vec<MoveId>>,
    /// For each role, moves with their numbers, ascending.
    move_numbers: ByRole<Vec<(MoveId, usize)>>,
    /// For each role, the printed goals in order of precedence.
    goals: ByRole<Vec<String>>,
    percepts: ByRole<Vec<PerceptId>>,
    strictness: Strictness,
    tag: GameTag,
}

/// The size of a grounded game.
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
    /// Gates before unused ones are removed.
    pub gates: usize,
}

impl GameNetwork {
    /// Grounds checked rules and compiles them to a tape.
    pub(super) fn new(
        rules: &CheckedRules,
        reasoner: &Reasoner,
        roles: &Roles,
        tag: GameTag,
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
            program.fluents.iter().map(|fluent| vocabulary.fluent(fluent.term).tagged(tag)).collect();
        let moves = ByRole::from_fn(roles, |role| {
            program.moves[role.index()].iter().map(|found| move_of(found.term, tag)).collect::<Vec<MoveId>>()
        });
        let print = |&(value, _): &(TermId, _)| vocabulary.print(value);
        Ok(Self {
            sizes: sizes(&program, &network),
            tape: Arc::new(Tape::new(&network)),
            fluent_hashes: fluents.iter().map(|&fluent| vocabulary.fluent_hash(fluent)).collect(),
            base_of: bases_by_fluent(&fluents),
            fluents,
            move_numbers: moves.map(|role| numbers(&moves[role])),
            moves,
            goals: ByRole::from_fn(roles, |role| program.goals[role.index()].iter().map(print).collect()),
            percepts: ByRole::from_fn(roles, |role| {
                program.sees[role.index()].iter().map(|&(term, _)| percept_of(term, tag)).collect()
            }),
            strictness: rules.strictness(),
            tag,
        })
    }

    /// The tape on which many matches can be played at once.
    #[must_use]
    pub fn tape(&self) -> &Arc<Tape> {
        &self.tape
    }

    /// The size of the ground game.
    #[must_use]
    pub fn sizes(&self) -> NetworkSizes {
        self.sizes
    }

    /// The fluents, by base.
    #[must_use]
    pub fn fluents(&self) -> &[FluentId] {
        &self.fluents
    }

    /// A role's moves, by index, in canonical order.
    #[must_use]
    pub fn moves(&self, role: RoleId) -> &[MoveId] {
        &self.moves[role]
    }

    /// A role's percepts, by index, in canonical order.
    #[must_use]
    pub fn percepts(&self, role: RoleId) -> &[PerceptId] {
        &self.percepts[role]
    }

    /// The printed values of a role's goals, by the index that [`Tape::goals`] assigns to them.
    #[must_use]
    pub fn goals(&self, role: RoleId) -> &[String] {
        &self.goals[role]
    }

    /// The same as values; `None` for what is no goal in the reading of the game.
    pub fn goal_values(&self, role: RoleId) -> impl Iterator<Item = Option<GoalValue>> + '_ {
        self.goals[role].iter().map(|text| GoalValue::read(text, self.strictness))
    }

    /// The base of a fluent, if a match can reach it.
    #[must_use]
    pub fn base(&self, fluent: FluentId) -> Option<usize> {
        fluent.check(self.tag);
        self.base_of.get(fluent.index()).copied().flatten().map(|base| base as usize)
    }

    /// The index of a role's move, if it can ever be legal.
    #[must_use]
    pub fn move_number(&self, role: RoleId, played: MoveId) -> Option<usize> {
        played.check(self.tag);
        let numbers = &self.move_numbers[role];
        let place = numbers.binary_search_by_key(&played, |(id, _)| *id).ok()?;
        Some(numbers[place].1)
    }

    /// The moves with these indices, one for each role in order.
    ///
    /// # Panics
    /// If a move does not exist, or there are fewer indices than roles.
    #[must_use]
    pub fn joint_move(&self, numbers: &[u32]) -> JointMove {
        JointMove { moves: self.moves.map(|role| self.moves[role][numbers[role.index()] as usize]) }
    }

    /// The indices of a role's percepts, if each can ever be told.
    #[must_use]
    pub fn percept_numbers(&self, role: RoleId, percepts: &Percepts) -> Option<Bits> {
        percepts.check(self.tag);
        let number = |percept| self.percepts[role].iter().position(|known| *known == percept);
        percepts.iter().map(number).collect()
    }

    /// A role's percepts with these indices.
    ///
    /// # Panics
    /// If a percept does not exist.
    #[must_use]
    pub fn percepts_of(&self, role: RoleId, numbers: &Bits) -> Percepts {
        Percepts { terms: numbers.iter().map(|number| self.percepts[role][number]).collect() }
    }

    /// For each base whether it is true in a state; `None` if the state has a fluent that no match can reach.
    #[must_use]
    pub fn bases(&self, state: &State) -> Option<Vec<bool>> {
        state.check(self.tag);
        let mut bases = vec![false; self.fluents.len()];
        for fluent in state.fluents() {
            bases[self.base(fluent)?] = true;
        }
        Some(bases)
    }

    /// The same as a row of bits, one for each base: bit `b % 64` of word `b / 64`.
    #[must_use]
    pub fn row(&self, state: &State) -> Option<Vec<u64>> {
        state.check(self.tag);
        let mut row = vec![0; self.fluents.len().div_ceil(64)];
        for fluent in state.fluents() {
            let base = self.base(fluent)?;
            row[base / 64] |= 1 << (base % 64);
        }
        Some(row)
    }

    /// The state represented by a row of bits.
    ///
    /// # Panics
    /// If a bit is set that does not represent a base.
    #[must_use]
    pub fn state_of_row(&self, row: &[u64]) -> State {
        self.state_of(ones(row))
    }

    /// The state in which these bases are true.
    pub(super) fn state_of(&self, bases: impl Iterator<Item = usize>) -> State {
        State::of(bases.map(|base| (self.fluents[base], self.fluent_hashes[base])), self.tag)
    }
}

fn sizes(program: &GroundProgram, network: &Network) -> NetworkSizes {
    NetworkSizes {
        atoms: program.atoms_count,
        rules: program.rules_count(),
        fluents: program.fluents.len(),
        moves: program.moves.iter().map(Vec::len).sum(),
        gates: network.gates.gates_count(),
    }
}

/// By the index of a fluent, its base.
fn bases_by_fluent(fluents: &[FluentId]) -> Vec<Option<u32>> {
    let mut bases = Vec::new();
    for (base, fluent) in (0..).zip(fluents) {
        bases.resize(bases.len().max(fluent.index() + 1), None);
        bases[fluent.index()] = Some(base);
    }
    bases
}

/// Moves with their numbers, ascending.
fn numbers(moves: &[MoveId]) -> Vec<(MoveId, usize)> {
    let mut numbers: Vec<_> = moves.iter().copied().zip(0..).collect();
    numbers.sort_unstable();
    numbers
}

fn move_of(term: TermId, tag: GameTag) -> MoveId {
    MoveId::of(term.index(), tag).expect("terms stay below 2^32")
}

fn percept_of(term: TermId, tag: GameTag) -> PerceptId {
    PerceptId::of(term.index(), tag).expect("terms stay below 2^32")
}
