//! A real-time game as its users see it.

use std::sync::Arc;

use super::{
    ClockNetwork, RealTimeError, RealTimeIllegalMove, RealTimeScratch, TimedState, clocks::with_clocks,
    lifted::LiftedRules,
};
use crate::{
    check::{CheckedRules, check_text},
    diagnostic::{Diagnostic, Severity, Span},
    game::{
        Backend, ByPlayer, ByRole, CompileError, Compiled, GameError, GoalValue, Options, Percepts, Roles,
        TermError, goal_among,
    },
    ground::GroundError,
    id::{FluentId, MoveId, PerceptId, RoleId, RuleId, TermId},
    limits::{LimitError, Limits},
    rules::with_canonical_decimals,
    syntax,
    tag::{GameTag, Mark},
};

/// The engine that a real-time game was compiled for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealTimeReport {
    /// The lifted reasoner, as requested.
    Lifted,
    /// The lifted reasoner, because a rule does more with a lifetime than set it or keep it; the rule's place.
    ReadsTimes(Span),
    /// The lifted reasoner, because grounding stopped.
    NotGrounded(GroundError),
    /// The lifted reasoner, because a lifetime could be something other than a number.
    UnsureLifetime,
    /// A network for the fluents, with clocks beside it.
    Clocks,
}

/// The result of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// What each player is told by the rules for `sees`.
    pub percepts: ByPlayer<Percepts>,
    /// The state after it.
    pub successor: TimedState,
}

/// The rules of a real-time game, ready to be played. Immutable; share it by `Arc` or reference.
#[derive(Debug)]
pub struct RealTimeGame {
    rules: Arc<CheckedRules>,
    lifted: LiftedRules,
    network: Option<Arc<ClockNetwork>>,
    report: RealTimeReport,
    roles: Roles,
    initial: TimedState,
    options: Options,
    has_full_sight: bool,
    /// The mark of its working memory; a fork has one of its own.
    mark: Mark,
}

impl RealTimeGame {
    /// Reads, checks and compiles a real-time rules text, in prefix or infix syntax.
    ///
    /// # Errors
    /// [`CompileError::Rules`] with every diagnostic if any is an error, or if the text has no lifetimes;
    /// [`CompileError::Evaluation`] if a limit is reached, or an initial lifetime is invalid.
    pub fn compile(text: &str, options: &Options) -> Result<Compiled<Self>, CompileError> {
        let checked = check_text(text, options.strictness, &options.limits);
        Compiled::of(checked, |rules| Self::of_rules(rules, options))
    }

    /// The game of rules that were checked before, for callers that need the rules first.
    ///
    /// # Errors
    /// [`CompileError::TurnBased`] if fluents have no lifetimes, [`CompileError::Evaluation`] as [`compile`](Self::compile).
    pub fn of_rules(rules: Arc<CheckedRules>, options: &Options) -> Result<Self, CompileError> {
        if rules.is_real_time() { Self::build(rules, options) } else { Err(CompileError::TurnBased) }
    }

    /// The same game with separate terms, for callers that create many and want to discard them: if rules carry times in
    /// fluents, every instant creates terms.
    ///
    /// Ids and states from before the fork are valid in both; later ones, and a scratch, are valid only in one.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            rules: Arc::clone(&self.rules),
            lifted: self.lifted.fork(),
            network: self.network.clone(),
            report: self.report.clone(),
            roles: self.roles.clone(),
            initial: self.initial.clone(),
            options: self.options,
            has_full_sight: self.has_full_sight,
            mark: Mark::default(),
        }
    }

    /// How many terms it has met; [`Limits::terms`] bounds them.
    #[must_use]
    pub fn terms_count(&self) -> usize {
        self.lifted.vocabulary().terms_count()
    }

    fn build(rules: Arc<CheckedRules>, options: &Options) -> Result<Self, CompileError> {
        let lifted = LiftedRules::new(&rules, &options.limits).map_err(GameError::from)?;
        let names = lifted.reasoner.roles().iter().map(|&role| lifted.vocabulary().print(role)).collect();
        let roles =
            Roles::new(names).ok_or(LimitError::Roles { limit: u16::MAX.into() }).map_err(GameError::from)?;
        let initial = lifted.initial(&mut lifted.memory()).map_err(|error| match error {
            RealTimeError::Game(error) => CompileError::Evaluation(error),
            other => {
                let found = Diagnostic::new("lifetime", Severity::Error, Span::new(0, 0), other.to_string());
                CompileError::Rules(vec![found])
            }
        })?;
        let (network, report) = Self::network_of(&rules, &lifted, &roles, options)?;
        let has_full_sight = rules.has_full_sight();
        let mark = Mark::default();
        Ok(Self { rules, lifted, network, report, roles, initial, options: *options, has_full_sight, mark })
    }

    /// The network of the rules, if one is requested and they only set and keep lifetimes.
    fn network_of(
        rules: &CheckedRules,
        lifted: &LiftedRules,
        roles: &Roles,
        options: &Options,
    ) -> Result<(Option<Arc<ClockNetwork>>, RealTimeReport), GameError> {
        if matches!(options.backend, Backend::Datalog | Backend::OnDemand) {
            return Ok((None, RealTimeReport::Lifted));
        }
        let clocked = match with_clocks(rules) {
            Ok(clocked) => clocked,
            Err(place) => return Ok((None, RealTimeReport::ReadsTimes(place))),
        };
        match ClockNetwork::new(clocked, lifted.vocabulary(), roles, options) {
            Ok(network) => Ok((Some(Arc::new(network)), RealTimeReport::Clocks)),
            Err(GameError::Ground(error)) if options.backend == Backend::Auto => {
                Ok((None, RealTimeReport::NotGrounded(error)))
            }
            Err(GameError::OutOfReach) if options.backend == Backend::Auto => {
                Ok((None, RealTimeReport::UnsureLifetime))
            }
            Err(error) => Err(error),
        }
    }

    /// Fresh working memory.
    #[must_use]
    pub fn scratch(&self) -> RealTimeScratch {
        match &self.network {
            Some(network) => RealTimeScratch::of_network(network, self.mark.clone()),
            None => self.lifted_scratch(),
        }
    }

    /// Working memory that uses the lifted reasoner even if there is a network, so that the two can be compared.
    #[must_use]
    pub fn lifted_scratch(&self) -> RealTimeScratch {
        RealTimeScratch::of_reasoner(&self.lifted, self.mark.clone())
    }

    /// The roles in the order of the rules.
    #[must_use]
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// Whether the rules have no `sees` at all, and so are read as if every role saw every move as `(did ROLE MOVE)`.
    #[must_use]
    pub fn has_full_sight(&self) -> bool {
        self.has_full_sight
    }

    /// The bounds that this game was compiled with.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.options.limits
    }

    /// The engine that the rules were compiled for, and if it is not a network, why.
    #[must_use]
    pub fn build_report(&self) -> &RealTimeReport {
        &self.report
    }

    /// The rules that it was compiled from.
    #[must_use]
    pub fn rules(&self) -> &Arc<CheckedRules> {
        &self.rules
    }

    /// The network of the fluents, if rules only set and keep lifetimes.
    #[must_use]
    pub fn network(&self) -> Option<&Arc<ClockNetwork>> {
        self.network.as_ref()
    }

    /// The state in which every match begins.
    #[must_use]
    pub fn initial_state(&self) -> &TimedState {
        &self.initial
    }

    /// Whether the match is over in `state`.
    ///
    /// # Errors
    /// [`RealTimeError::Game`] for a limit.
    pub fn is_terminal(
        &self,
        state: &TimedState,
        scratch: &mut RealTimeScratch,
    ) -> Result<bool, RealTimeError> {
        scratch.check(&self.mark);
        scratch.is_terminal(&self.lifted, state)
    }

    /// The legal moves of all roles in canonical order, perhaps none.
    ///
    /// # Errors
    /// [`RealTimeError::Game`] for a limit.
    pub fn legal_moves(
        &self,
        state: &TimedState,
        scratch: &mut RealTimeScratch,
    ) -> Result<ByRole<Vec<MoveId>>, RealTimeError> {
        scratch.check(&self.mark);
        let legal = scratch.legal(&self.lifted, &self.roles, state)?;
        Ok(ByRole::from_fn(&self.roles, |role| {
            legal[role.index()].iter().map(|&term| move_of(term)).collect()
        }))
    }

    /// The goal of each player in a state.
    ///
    /// If there are several values, the compatible reading takes the one whose rule comes first in the text.
    ///
    /// # Errors
    /// [`GameError::NoGoal`], [`GameError::SeveralGoals`], [`GameError::GoalOutOfRange`], [`GameError::Limit`].
    pub fn goals(
        &self,
        state: &TimedState,
        scratch: &mut RealTimeScratch,
    ) -> Result<ByPlayer<GoalValue>, RealTimeError> {
        ByPlayer::try_from_fn(&self.roles, |role| self.goal(state, role, scratch))
    }

    fn goal(
        &self,
        state: &TimedState,
        role: RoleId,
        scratch: &mut RealTimeScratch,
    ) -> Result<GoalValue, RealTimeError> {
        let (values, name) = (self.goals_with_rules(state, role, scratch)?, self.roles.name(role));
        let goal = goal_among(values, name, self.options.strictness)?;
        goal.ok_or_else(|| GameError::NoGoal { role: name.to_owned() }.into())
    }

    /// The goals of a role as printed, each with the first rule that gives it.
    pub(super) fn goals_with_rules(
        &self,
        state: &TimedState,
        role: RoleId,
        scratch: &mut RealTimeScratch,
    ) -> Result<Vec<(Option<RuleId>, String)>, RealTimeError> {
        scratch.check(&self.mark);
        scratch.goals(&self.lifted, state, role)
    }

    pub(super) fn mark(&self) -> &Mark {
        &self.mark
    }

    /// The state after `micros` microseconds in which nothing happened, and then the `moves` of some roles, none of
    /// them or several: definition 1 of the paper.
    ///
    /// Moves are assumed to be legal: see [`find_move`](Self::find_move) and [`legal_moves`](Self::legal_moves).
    ///
    /// # Errors
    /// [`RealTimeError`]: also where something expires before.
    pub fn update(
        &self,
        state: &TimedState,
        micros: u64,
        moves: &[(RoleId, MoveId)],
        scratch: &mut RealTimeScratch,
    ) -> Result<Update, RealTimeError> {
        scratch.check(&self.mark);
        if let Some(expiry) = state.next_expiry().filter(|&expiry| expiry < micros) {
            return Err(RealTimeError::SkipsExpiry { micros, expiry });
        }
        let (successor, told) = scratch.update(&self.lifted, &self.roles, state, micros, moves)?;
        let percepts = ByPlayer::from_fn(&self.roles, |role| {
            Percepts::of_sorted(told[role.index()].iter().map(|&term| percept_of(term)).collect())
        });
        Ok(Update { percepts, successor })
    }

    /// The legal move of `role` that `text` writes, in any case and spacing, and with any spelling of its numbers.
    ///
    /// # Errors
    /// [`RealTimeIllegalMove`], which says what is wrong with the text.
    pub fn find_move(
        &self,
        state: &TimedState,
        role: RoleId,
        text: &str,
        scratch: &mut RealTimeScratch,
    ) -> Result<MoveId, RealTimeIllegalMove> {
        let mut term =
            syntax::read_ground_term(text, self.limits()).map_err(RealTimeIllegalMove::Malformed)?;
        with_canonical_decimals(&mut term);
        let legal = self.legal_moves(state, scratch)?;
        let known = self.lifted.vocabulary().find(&term).map(move_of);
        known
            .filter(|found| legal[role].contains(found))
            .ok_or_else(|| RealTimeIllegalMove::not_legal(self.roles.name(role), &term))
    }

    /// The move written as `text`, whether it is ever legal or not; for moves that a referee reports as executed.
    ///
    /// # Errors
    /// [`TermError`] if it is not one ground term.
    pub fn move_id(&self, text: &str) -> Result<MoveId, TermError> {
        self.term(text).map(move_of)
    }

    /// The set of percepts that `texts` write.
    ///
    /// # Errors
    /// [`TermError`] for the first that is not one ground term.
    pub fn percepts_of<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Result<Percepts, TermError> {
        let terms = texts.into_iter().map(|text| self.term(text)).collect::<Result<Vec<_>, _>>()?;
        let mut printed: Vec<_> = terms.into_iter().map(|term| (self.print(term), term)).collect();
        printed.sort_unstable();
        printed.dedup();
        Ok(Percepts::of_sorted(printed.into_iter().map(|(_, term)| percept_of(term)).collect()))
    }

    fn term(&self, text: &str) -> Result<TermId, TermError> {
        let mut term = syntax::read_ground_term(text, self.limits()).map_err(TermError::Malformed)?;
        with_canonical_decimals(&mut term);
        let interned = self.lifted.intern(&term);
        interned.map_err(|error| TermError::Limit(GameError::from(error)))
    }

    /// The canonical print of a move.
    #[must_use]
    pub fn move_text(&self, id: MoveId) -> Arc<str> {
        self.print(TermId::new(id.index()).expect("moves are terms"))
    }

    /// The canonical print of a percept.
    #[must_use]
    pub fn percept_text(&self, id: PerceptId) -> Arc<str> {
        self.print(TermId::new(id.index()).expect("percepts are terms"))
    }

    /// The canonical print of a fluent, without its lifetime.
    #[must_use]
    pub fn fluent_text(&self, id: FluentId) -> Arc<str> {
        self.print(self.lifted.vocabulary().fluent_term(id))
    }

    fn print(&self, term: TermId) -> Arc<str> {
        self.lifted.vocabulary().print(term).into()
    }

    /// The percepts as printed, in canonical order.
    #[must_use]
    pub fn percept_terms(&self, percepts: &Percepts) -> Vec<Arc<str>> {
        percepts.iter().map(|percept| self.percept_text(percept)).collect()
    }

    /// Lifetime and fluent of each fact of a state as printed, ordered by fluent.
    #[must_use]
    pub fn state_terms(&self, state: &TimedState) -> Vec<(Arc<str>, Arc<str>)> {
        let mut terms: Vec<_> =
            state.facts().map(|(fluent, lifetime)| (self.fluent_text(fluent), lifetime)).collect();
        terms.sort_unstable();
        terms.into_iter().map(|(fluent, lifetime)| (lifetime.to_string().into(), fluent)).collect()
    }

    /// What expired in the update that made a state, as printed, in canonical order.
    #[must_use]
    pub fn expired_terms(&self, state: &TimedState) -> Vec<Arc<str>> {
        let mut terms: Vec<_> = state.expired().map(|fluent| self.fluent_text(fluent)).collect();
        terms.sort_unstable();
        terms
    }
}

fn move_of(term: TermId) -> MoveId {
    MoveId::of(term.index(), GameTag::NONE).expect("terms stay below 2^32")
}

fn percept_of(term: TermId) -> PerceptId {
    PerceptId::of(term.index(), GameTag::NONE).expect("terms stay below 2^32")
}
