//! One thread's working memory for a game: caches the last results for further questions.

use super::{
    ByRole, Engines, GameError, GameNetwork, JointMove, Percepts, Roles, State, TapeMemory, move_term,
    order::CanonicalOrder,
};
use crate::{
    datalog::{Question, Reasoner, Session},
    id::{MoveId, PerceptId, RoleId, RuleId, TermId},
    tag::{GameTag, Mark},
};

/// Working memory for one thread, created by [`Game::scratch`](crate::Game::scratch) and valid for
/// that game only: in builds with `debug_assertions`, using it with another game or a fork panics.
///
/// It caches the last results, so asking several questions about one state costs one evaluation.
///
/// ```
/// use croupier_engine::{Game, Options};
///
/// # let rules = "(role me) (role you) (init (at 0)) (legal me (go left)) (legal me (go right)) (legal you wait)
/// #     (<= (next (at ?side)) (does me (go ?side))) (<= terminal (not (true (at 0)))) (<= (sees you moved) (does me (go ?s)))
/// #     (<= (goal me 100) (true (at left))) (<= (goal me 0) (not (true (at left)))) (goal you 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let is_over = || {
///     let mut scratch = game.scratch();
///     game.is_terminal(game.initial_state(), &mut scratch)
/// };
/// let answers = std::thread::scope(|scope| [scope.spawn(is_over), scope.spawn(is_over)].map(|thread| thread.join()));
/// assert!(answers.into_iter().all(|answer| matches!(answer, Ok(Ok(false)))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scratch {
    /// Tag of the game for which it is valid.
    mark: Mark,
    memory: BackendMemory,
    state: Option<State>,
    joint_move: Option<JointMove>,
    legal: Option<ByRole<Vec<MoveId>>>,
}

/// The memory of one backend.
#[derive(Debug)]
enum BackendMemory {
    Lifted { session: Box<Session>, order: CanonicalOrder },
    Grounded(Box<TapeMemory>),
}

impl Scratch {
    pub(super) fn new(engines: &Engines) -> Self {
        match &engines.network {
            Some(network) => Self::with(BackendMemory::Grounded(Box::new(TapeMemory::new(network))), engines),
            None => Self::lifted(engines),
        }
    }

    /// Memory of the reasoner, even if there is a network.
    pub(super) fn lifted(engines: &Engines) -> Self {
        let session = Box::new(Session::new(&engines.reasoner));
        Self::with(BackendMemory::Lifted { session, order: CanonicalOrder::default() }, engines)
    }

    fn with(memory: BackendMemory, engines: &Engines) -> Self {
        Self { mark: engines.marks.of_scratch(), memory, state: None, joint_move: None, legal: None }
    }

    /// Tag of the game for which it is valid.
    pub(super) fn mark(&self) -> &Mark {
        &self.mark
    }

    /// Rows examined by the lifted reasoner since this was created: a measure of work that is the same in every process.
    #[must_use]
    pub fn rows_looked_at(&self) -> u64 {
        match &self.memory {
            BackendMemory::Lifted { session, .. } => session.rows_looked_at(),
            BackendMemory::Grounded(_) => 0,
        }
    }

    /// Makes `state` the subject of further questions.
    #[track_caller]
    pub(super) fn load(&mut self, engines: &Engines, state: &State) {
        engines.marks.check_scratch(&self.mark);
        state.check(engines.marks.tag());
        if self.state.as_ref() == Some(state) {
            return;
        }
        match &mut self.memory {
            BackendMemory::Lifted { session, .. } => session.load_state(&engines.reasoner, state.fluents()),
            BackendMemory::Grounded(machine) => machine.load(engines.network(), state),
        }
        self.state = Some(state.clone());
        self.joint_move = None;
        self.legal = None;
    }

    /// Makes `joint_move` the subject of further questions.
    #[track_caller]
    pub(super) fn load_joint(&mut self, engines: &Engines, joint_move: &JointMove) {
        joint_move.check(engines.marks.tag());
        if self.joint_move.as_ref() == Some(joint_move) {
            return;
        }
        match &mut self.memory {
            BackendMemory::Lifted { session, .. } => {
                let moves = joint_move.moves.iter().map(|(role, &played)| (role, move_term(played)));
                session.load_joint(&engines.reasoner, moves);
            }
            BackendMemory::Grounded(machine) => machine.load_joint(engines.network(), joint_move),
        }
        self.joint_move = Some(joint_move.clone());
    }

    /// Makes a state in which nothing is played the subject of further questions.
    pub(super) fn unload_joint(&mut self, engines: &Engines) {
        match &mut self.memory {
            BackendMemory::Lifted { session, .. } => {
                session.load_joint(&engines.reasoner, std::iter::empty())
            }
            BackendMemory::Grounded(machine) => machine.unload_joint(),
        }
        self.joint_move = None;
    }

    /// Computes the answers to a question. After an error nothing is loaded.
    pub(super) fn derive(&mut self, engines: &Engines, question: Question) -> Result<(), GameError> {
        let result = match &mut self.memory {
            BackendMemory::Lifted { session, .. } => {
                session.derive(&engines.reasoner, question).map_err(GameError::from)
            }
            BackendMemory::Grounded(machine) => {
                machine.derive(question).then_some(()).ok_or(GameError::OutOfReach)
            }
        };
        result.inspect_err(|_| {
            self.state = None;
            self.joint_move = None;
            self.legal = None;
        })
    }

    /// The answer to [`Question::Terminal`].
    pub(super) fn is_terminal(&self, engines: &Engines) -> bool {
        match &self.memory {
            BackendMemory::Lifted { session, .. } => {
                session.answers(&engines.reasoner, Question::Terminal).next().is_some()
            }
            BackendMemory::Grounded(machine) => machine.is_terminal(),
        }
    }

    /// The legal moves of all roles in canonical order; legal moves of non-roles are ignored.
    pub(super) fn legal(&mut self, engines: &Engines, roles: &Roles) -> &ByRole<Vec<MoveId>> {
        let Self { memory, legal, .. } = self;
        legal.get_or_insert_with(|| match memory {
            BackendMemory::Lifted { session, order } => {
                lifted_legal(session, order, &engines.reasoner, roles, engines.marks.tag())
            }
            BackendMemory::Grounded(machine) => machine.legal(engines.network(), roles),
        })
    }

    /// Whether the legal moves are known already.
    pub(super) fn has_legal(&self) -> bool {
        self.legal.is_some()
    }

    /// The goal values of a role as printed, each with the first rule that gives it.
    pub(super) fn goals(&self, engines: &Engines, role: RoleId) -> Vec<(Option<RuleId>, String)> {
        let session = match &self.memory {
            BackendMemory::Lifted { session, .. } => session,
            BackendMemory::Grounded(machine) => return machine.goals(engines.network(), role),
        };
        let reasoner = &engines.reasoner;
        let role = reasoner.roles()[role.index()].raw();
        let rows = session.answers(reasoner, Question::Goal).enumerate().filter(|(_, row)| row[0] == role);
        let value = |row: &[u32]| reasoner.vocabulary().print(TermId::from_raw(row[1]));
        rows.map(|(number, row)| (session.goal_rule(number), value(row))).collect()
    }

    /// What a role is told, in canonical order.
    pub(super) fn percepts(&mut self, engines: &Engines, role: RoleId) -> Percepts {
        let (session, order) = match &mut self.memory {
            BackendMemory::Lifted { session, order } => (session, order),
            BackendMemory::Grounded(machine) => return machine.percepts(engines.network(), role),
        };
        let reasoner = &engines.reasoner;
        let role = reasoner.roles()[role.index()].raw();
        let rows = session.answers(reasoner, Question::Sees).filter(|row| row[0] == role);
        let terms = rows.map(|row| TermId::from_raw(row[1])).collect();
        let terms = order.sort(terms, reasoner.vocabulary()).into_iter();
        let percept = |term: TermId| PerceptId::of(term.index(), engines.marks.tag());
        Percepts { terms: terms.map(|term| percept(term).expect("terms stay below 2^32")).collect() }
    }

    /// The state given by the answers to [`Question::Next`].
    pub(super) fn successor(&mut self, engines: &Engines) -> State {
        let session = match &mut self.memory {
            BackendMemory::Lifted { session, .. } => session,
            BackendMemory::Grounded(machine) => return machine.successor(engines.network()),
        };
        let rows = session.answers(&engines.reasoner, Question::Next);
        let facts: Vec<TermId> = rows.map(|row| TermId::from_raw(row[0])).collect();
        let terms = session.terms();
        let hashed = facts.into_iter().map(|fact| {
            let fluent = terms.fluent(fact);
            (fluent, terms.fluent_hash(fluent))
        });
        State::of(hashed, engines.marks.tag())
    }
}

impl Engines {
    /// The network that a scratch of these engines runs.
    fn network(&self) -> &GameNetwork {
        self.network.as_deref().expect("a scratch with a machine was made for a network")
    }
}

fn lifted_legal(
    session: &Session,
    order: &mut CanonicalOrder,
    reasoner: &Reasoner,
    roles: &Roles,
    tag: GameTag,
) -> ByRole<Vec<MoveId>> {
    let mut terms = ByRole::from_fn(roles, |_| Vec::new());
    for row in session.answers(reasoner, Question::Legal) {
        if let Some(role) = reasoner.roles().iter().position(|role| role.raw() == row[0]) {
            let role = RoleId::new(role).expect("roles were counted when the game was made");
            terms[role].push(TermId::from_raw(row[1]));
        }
    }
    ByRole::from_fn(roles, |role| {
        let terms = order.sort(std::mem::take(&mut terms[role]), reasoner.vocabulary()).into_iter();
        terms.map(|term| MoveId::of(term.index(), tag).expect("terms stay below 2^32")).collect()
    })
}
