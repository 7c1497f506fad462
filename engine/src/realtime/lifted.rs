//! Real-time rules on the lifted reasoner: the obvious way, which takes every game.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{
    RealTimeError, TimedState,
    numbers::{Numbers, Placeholders},
};
use crate::{
    check::CheckedRules,
    datalog::{Question, Reasoner, Session, Vocabulary},
    game::{CanonicalOrder, GameError},
    id::{FluentId, MoveId, RoleId, RuleId, SymbolId, TermId},
    lifetime::Lifetime,
    limits::{LimitError, Limits},
    rules::{EXPIRED, LASTING},
    syntax,
};

/// A reasoner whose fluents contain their lifetimes.
#[derive(Debug)]
pub(super) struct LiftedRules {
    pub(super) reasoner: Reasoner,
    numbers: Mutex<Numbers>,
    lasting: Option<SymbolId>,
    expired: Option<SymbolId>,
}

/// One thread's working memory.
#[derive(Debug)]
pub(super) struct LiftedMemory {
    session: Session,
    order: CanonicalOrder,
    used: Placeholders,
    fluents: Vec<FluentId>,
    /// The state that is loaded, with its expired fluents or without, if no move is.
    loaded: Option<(TimedState, bool)>,
}

impl LiftedRules {
    pub(super) fn new(rules: &CheckedRules, limits: &Limits) -> Result<Self, LimitError> {
        let reasoner = Reasoner::new(rules, limits)?;
        let symbols = &rules.program().symbols;
        let numbers = Mutex::new(Numbers::of(symbols, reasoner.vocabulary())?);
        Ok(Self { reasoner, numbers, lasting: symbols.get(LASTING), expired: symbols.get(EXPIRED) })
    }

    /// The same with terms of its own.
    pub(super) fn fork(&self) -> Self {
        let numbers = Mutex::new(self.numbers().clone());
        Self { reasoner: self.reasoner.fork(), numbers, lasting: self.lasting, expired: self.expired }
    }

    pub(super) fn vocabulary(&self) -> &std::sync::Arc<Vocabulary> {
        self.reasoner.vocabulary()
    }

    pub(super) fn memory(&self) -> LiftedMemory {
        LiftedMemory {
            session: Session::new(&self.reasoner),
            order: CanonicalOrder::default(),
            used: Placeholders::default(),
            fluents: Vec::new(),
            loaded: None,
        }
    }

    /// Parses a term; the times in it count as lifetimes from now on, like those of rules.
    pub(super) fn intern(&self, term: &syntax::Term) -> Result<TermId, LimitError> {
        self.numbers().add_written(term, self.vocabulary())?;
        self.vocabulary().intern(term)
    }

    fn numbers(&self) -> MutexGuard<'_, Numbers> {
        // Every change leaves the numbers whole.
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state in which a match begins.
    pub(super) fn initial(&self, memory: &mut LiftedMemory) -> Result<TimedState, RealTimeError> {
        let rows: Vec<u32> = self.reasoner.initial().iter().map(|term| term.raw()).collect();
        let facts = self.facts("init", rows, memory)?;
        Ok(TimedState::new(facts, Vec::new()))
    }

    /// Makes a state the subject of further questions, with or without what has just expired.
    fn load_state(
        &self,
        state: &TimedState,
        with_expired: bool,
        memory: &mut LiftedMemory,
    ) -> Result<(), RealTimeError> {
        let with_expired = with_expired && self.expired.is_some() && state.expired().len() > 0;
        if memory.loaded.as_ref().is_some_and(|(loaded, expired)| loaded == state && *expired == with_expired)
        {
            return Ok(());
        }
        let facts: Vec<_> = state.facts().collect();
        let expired: Vec<_> = state.expired().filter(|_| with_expired).collect();
        self.load(&facts, &expired, memory)?;
        memory.loaded = Some((state.clone(), with_expired));
        Ok(())
    }

    /// Loads fluents with lifetimes, and fluents that have expired.
    fn load(
        &self,
        facts: &[(FluentId, Lifetime)],
        expired: &[FluentId],
        memory: &mut LiftedMemory,
    ) -> Result<(), RealTimeError> {
        let LiftedMemory { session, used, fluents, loaded, .. } = memory;
        *loaded = None;
        used.clear();
        fluents.clear();
        let mut numbers = self.numbers();
        let terms = session.terms();
        if let Some(lasting) = self.lasting {
            for &(fluent, lifetime) in facts {
                let time = numbers.term(lifetime, used, self.vocabulary()).map_err(GameError::from)?;
                if fluent.index() >= terms.fluents_count() || !terms.knows(time) {
                    terms.catch_up();
                }
                let parts = [time.raw(), terms.fluent_term(fluent).raw()];
                let term = terms.intern(lasting, parts.into_iter()).map_err(GameError::from)?;
                fluents.push(terms.fluent(term));
            }
        }
        if let Some(mark) = self.expired {
            for &fluent in expired {
                if fluent.index() >= terms.fluents_count() {
                    terms.catch_up();
                }
                let part = terms.fluent_term(fluent).raw();
                let term = terms.intern(mark, std::iter::once(part)).map_err(GameError::from)?;
                fluents.push(terms.fluent(term));
            }
        }
        session.load_state(&self.reasoner, fluents.iter().copied());
        Ok(())
    }

    fn derive(&self, question: Question, memory: &mut LiftedMemory) -> Result<(), RealTimeError> {
        let result = memory.session.derive(&self.reasoner, question);
        result.map_err(|limit| {
            memory.loaded = None;
            GameError::from(limit).into()
        })
    }

    pub(super) fn is_terminal(
        &self,
        state: &TimedState,
        memory: &mut LiftedMemory,
    ) -> Result<bool, RealTimeError> {
        self.load_state(state, true, memory)?;
        self.derive(Question::Terminal, memory)?;
        Ok(memory.session.answers(&self.reasoner, Question::Terminal).next().is_some())
    }

    /// The goal values of a role as printed, each with the first rule that gives it.
    pub(super) fn goals(
        &self,
        state: &TimedState,
        role: RoleId,
        memory: &mut LiftedMemory,
    ) -> Result<Vec<(Option<RuleId>, String)>, RealTimeError> {
        self.load_state(state, true, memory)?;
        self.derive(Question::Goal, memory)?;
        let wanted = self.reasoner.roles()[role.index()].raw();
        let session = &memory.session;
        let rows = session.answers(&self.reasoner, Question::Goal).enumerate();
        let goals: Vec<(Option<RuleId>, TermId)> = rows
            .filter(|(_, row)| row[0] == wanted)
            .map(|(number, row)| (session.goal_rule(number), TermId::from_raw(row[1])))
            .collect();
        let mut printed = Vec::with_capacity(goals.len());
        for (rule, value) in goals {
            let value = self.written(value, memory)?;
            printed.push((rule, self.vocabulary().print(value)));
        }
        Ok(printed)
    }

    /// The legal moves of each role, by its number, in canonical order.
    pub(super) fn legal(
        &self,
        state: &TimedState,
        memory: &mut LiftedMemory,
    ) -> Result<Vec<Vec<TermId>>, RealTimeError> {
        self.load_state(state, false, memory)?;
        self.derive(Question::Legal, memory)?;
        self.by_role(Question::Legal, memory)
    }

    /// The answers to a question for each role, in canonical order.
    fn by_role(
        &self,
        question: Question,
        memory: &mut LiftedMemory,
    ) -> Result<Vec<Vec<TermId>>, RealTimeError> {
        let roles = self.reasoner.roles();
        let mut found = vec![Vec::new(); roles.len()];
        for row in memory.session.answers(&self.reasoner, question) {
            if let Some(role) = roles.iter().position(|role| role.raw() == row[0]) {
                found[role].push(TermId::from_raw(row[1]));
            }
        }
        for terms in &mut found {
            for term in terms.iter_mut() {
                *term = self.written(*term, memory)?;
            }
            *terms = memory.order.sort(std::mem::take(terms), self.vocabulary());
            terms.dedup();
        }
        Ok(found)
    }

    fn written(&self, term: TermId, memory: &mut LiftedMemory) -> Result<TermId, RealTimeError> {
        let LiftedMemory { session, used, .. } = memory;
        self.numbers().written(term, used, session.terms()).map_err(|limit| GameError::from(limit).into())
    }

    /// The results when some roles move after some time: the new state, and what each role is told.
    pub(super) fn update(
        &self,
        state: &TimedState,
        micros: u64,
        moves: &[(RoleId, MoveId)],
        memory: &mut LiftedMemory,
    ) -> Result<(TimedState, Vec<Vec<TermId>>), RealTimeError> {
        let (left, expired) = state.after(micros);
        self.load(&left, &expired, memory)?;
        let played =
            moves.iter().map(|&(role, played)| (role, TermId::new(played.index()).expect("moves are terms")));
        memory.session.load_joint(&self.reasoner, played);
        self.derive(Question::Next, memory)?;
        let rows = memory.session.answers(&self.reasoner, Question::Next).map(|row| row[0]).collect();
        let facts = self.facts("next", rows, memory)?;
        self.derive(Question::Sees, memory)?;
        let told = self.by_role(Question::Sees, memory)?;
        Ok((TimedState::new(facts, expired), told))
    }

    /// The fluents and lifetimes that some conclusions are.
    fn facts(
        &self,
        rule: &'static str,
        rows: Vec<u32>,
        memory: &mut LiftedMemory,
    ) -> Result<Vec<(FluentId, Lifetime)>, RealTimeError> {
        let mut facts = Vec::with_capacity(rows.len());
        for row in rows {
            let terms = memory.session.terms();
            if !terms.knows(TermId::from_raw(row)) {
                terms.catch_up();
            }
            let (_, parts) = terms.parts(row);
            let &[time, fluent] = parts else { continue };
            let (time, fluent) = (TermId::from_raw(time), TermId::from_raw(fluent));
            let lifetime = self.numbers().lifetime(time, &memory.used);
            let fluent = self.written(fluent, memory)?;
            let Some(lifetime) = lifetime else {
                let (fluent, value) = (self.vocabulary().print(fluent), self.vocabulary().print(time));
                return Err(RealTimeError::Lifetime { rule, fluent, value });
            };
            facts.push((memory.session.terms().fluent(fluent), lifetime));
        }
        Ok(facts)
    }
}
