//! One thread's working memory for a game: what it last computed, ready to be asked again.

use super::{ByRole, JointMove, Percepts, Roles, State, move_term, order::CanonicalOrder};
use crate::{
    datalog::{LimitError, Question, Reasoner, Session},
    id::{MoveId, PerceptId, RoleId, RuleId, TermId},
};

/// Working memory for one thread, made by [`Game::scratch`](crate::Game::scratch) and good for
/// that game only.
///
/// It remembers what it last computed, so asking several questions about one state costs one evaluation.
#[derive(Debug)]
pub struct Scratch {
    session: Session,
    order: CanonicalOrder,
    state: Option<State>,
    joint_move: Option<JointMove>,
    legal: Option<ByRole<Vec<MoveId>>>,
}

impl Scratch {
    pub(super) fn new(reasoner: &Reasoner) -> Self {
        Self {
            session: Session::new(reasoner),
            order: CanonicalOrder::default(),
            state: None,
            joint_move: None,
            legal: None,
        }
    }

    /// Rows that were looked at since it was made: the work done, the same in every process.
    #[must_use]
    pub fn rows_looked_at(&self) -> u64 {
        self.session.rows_looked_at()
    }

    /// Makes `state` the one that questions are about.
    pub(super) fn load(&mut self, reasoner: &Reasoner, state: &State) {
        if self.state.as_ref() == Some(state) {
            return;
        }
        self.session.load_state(reasoner, state.fluents());
        self.state = Some(state.clone());
        self.joint_move = None;
        self.legal = None;
    }

    /// Makes `joint_move` the one that questions are about.
    pub(super) fn load_joint(&mut self, reasoner: &Reasoner, joint_move: &JointMove) {
        if self.joint_move.as_ref() == Some(joint_move) {
            return;
        }
        let moves = joint_move.moves.iter().map(|(role, &played)| (role, move_term(played)));
        self.session.load_joint(reasoner, moves);
        self.joint_move = Some(joint_move.clone());
    }

    /// Makes questions be about a state in which nothing is played.
    pub(super) fn unload_joint(&mut self, reasoner: &Reasoner) {
        self.session.load_joint(reasoner, std::iter::empty());
        self.joint_move = None;
    }

    /// Computes the answers to a question. After an error nothing is loaded.
    pub(super) fn derive(&mut self, reasoner: &Reasoner, question: Question) -> Result<(), LimitError> {
        self.session.derive(reasoner, question).inspect_err(|_| {
            self.state = None;
            self.joint_move = None;
            self.legal = None;
        })
    }

    pub(super) fn answers(&self, reasoner: &Reasoner, question: Question) -> impl Iterator<Item = &[u32]> {
        self.session.answers(reasoner, question)
    }

    /// The legal moves of all roles in canonical order; what is legal for others is ignored.
    pub(super) fn legal(&mut self, reasoner: &Reasoner, roles: &Roles) -> &ByRole<Vec<MoveId>> {
        let Self { session, order, legal, .. } = self;
        legal.get_or_insert_with(|| {
            let mut terms = ByRole::from_fn(roles, |_| Vec::new());
            for row in session.answers(reasoner, Question::Legal) {
                if let Some(role) = reasoner.roles().iter().position(|role| role.raw() == row[0]) {
                    let role = RoleId::new(role).expect("roles were counted when the game was made");
                    terms[role].push(TermId::from_raw(row[1]));
                }
            }
            let vocabulary = reasoner.vocabulary();
            ByRole::from_fn(roles, |role| {
                let terms = order.sort(std::mem::take(&mut terms[role]), vocabulary).into_iter();
                terms.map(|term| MoveId::new(term.index()).expect("terms stay below 2^32")).collect()
            })
        })
    }

    /// The goal values of a role as printed, each with the first rule that gives it.
    pub(super) fn goals(&self, reasoner: &Reasoner, role: RoleId) -> Vec<(Option<RuleId>, String)> {
        let role = reasoner.roles()[role.index()].raw();
        let rows =
            self.session.answers(reasoner, Question::Goal).enumerate().filter(|(_, row)| row[0] == role);
        let value = |row: &[u32]| reasoner.vocabulary().print(TermId::from_raw(row[1]));
        rows.map(|(number, row)| (self.session.goal_rule(number), value(row))).collect()
    }

    /// What a role is told, in canonical order.
    pub(super) fn percepts(&mut self, reasoner: &Reasoner, role: RoleId) -> Percepts {
        let role = reasoner.roles()[role.index()].raw();
        let rows = self.session.answers(reasoner, Question::Sees).filter(|row| row[0] == role);
        let terms = rows.map(|row| TermId::from_raw(row[1])).collect();
        let terms = self.order.sort(terms, reasoner.vocabulary()).into_iter();
        Percepts {
            terms: terms.map(|term| PerceptId::new(term.index()).expect("terms stay below 2^32")).collect(),
        }
    }

    /// The state that the answers to [`Question::Next`] are.
    pub(super) fn successor(&mut self, reasoner: &Reasoner) -> State {
        let rows = self.session.answers(reasoner, Question::Next);
        let facts: Vec<TermId> = rows.map(|row| TermId::from_raw(row[0])).collect();
        let terms = self.session.terms();
        let mut state = State { fluents: crate::bits::Bits::new(), hash: 0 };
        for fact in facts {
            let fluent = terms.fluent(fact);
            state.fluents.insert(fluent.index());
            state.hash ^= terms.fluent_hash(fluent);
        }
        state
    }
}
