//! One thread's working memory for a real-time game.

use std::sync::Arc;

use super::{
    ClockChange, ClockNetwork, ClockSource, RealTimeError, TimedState,
    lifted::{LiftedMemory, LiftedRules},
};
use crate::{
    batch::{Lanes, Plane},
    game::{GameError, Roles},
    id::{FluentId, MoveId, RoleId, RuleId, TermId},
    lifetime::Lifetime,
    propnet::Phase,
    tag::Mark,
};

/// What the rules say to each role, by its number.
type ByNumber = Vec<Vec<TermId>>;

/// Working memory for one thread, made by [`RealTimeGame::scratch`](super::RealTimeGame::scratch) and good for that game
/// only.
#[derive(Debug)]
pub struct RealTimeScratch {
    /// Whose it is, in builds that check.
    mark: Mark,
    memory: TimedMemory,
}

#[derive(Debug)]
enum TimedMemory {
    Lifted(Box<LiftedMemory>),
    Network(Box<NetworkMemory>),
}

impl RealTimeScratch {
    pub(super) fn of_network(network: &Arc<ClockNetwork>, mark: Mark) -> Self {
        let lanes = Lanes::new(Arc::clone(network.tape()));
        let network = Arc::clone(network);
        let machine = NetworkMemory { network, lanes, bases: Vec::new(), loaded: None, has_goals: false };
        Self { mark, memory: TimedMemory::Network(Box::new(machine)) }
    }

    pub(super) fn of_reasoner(rules: &LiftedRules, mark: Mark) -> Self {
        Self { mark, memory: TimedMemory::Lifted(Box::new(rules.memory())) }
    }

    /// # Panics
    /// If it belongs to another game than `mark`, in builds that check.
    #[inline]
    #[track_caller]
    pub(super) fn check(&self, mark: &Mark) {
        let message = "this scratch belongs to another game: make one with `RealTimeGame::scratch` of the game that is \
            asked";
        mark.check(&self.mark, message);
    }

    pub(super) fn is_terminal(
        &mut self,
        rules: &LiftedRules,
        state: &TimedState,
    ) -> Result<bool, RealTimeError> {
        match &mut self.memory {
            TimedMemory::Lifted(memory) => rules.is_terminal(state, memory),
            TimedMemory::Network(machine) => machine.is_terminal(state),
        }
    }

    pub(super) fn legal(
        &mut self,
        rules: &LiftedRules,
        roles: &Roles,
        state: &TimedState,
    ) -> Result<ByNumber, RealTimeError> {
        match &mut self.memory {
            TimedMemory::Lifted(memory) => rules.legal(state, memory),
            TimedMemory::Network(machine) => machine.legal(roles, state),
        }
    }

    pub(super) fn goals(
        &mut self,
        rules: &LiftedRules,
        state: &TimedState,
        role: RoleId,
    ) -> Result<Vec<(Option<RuleId>, String)>, RealTimeError> {
        match &mut self.memory {
            TimedMemory::Lifted(memory) => rules.goals(state, role, memory),
            TimedMemory::Network(machine) => machine.goals(state, role),
        }
    }

    pub(super) fn update(
        &mut self,
        rules: &LiftedRules,
        roles: &Roles,
        state: &TimedState,
        micros: u64,
        moves: &[(RoleId, MoveId)],
    ) -> Result<(TimedState, ByNumber), RealTimeError> {
        match &mut self.memory {
            TimedMemory::Lifted(memory) => rules.update(state, micros, moves, memory),
            TimedMemory::Network(machine) => machine.update(roles, state, micros, moves),
        }
    }

    pub(super) fn changes(
        &mut self,
        left: &TimedState,
        moves: &[(RoleId, MoveId)],
    ) -> Result<Option<Vec<ClockChange>>, RealTimeError> {
        match &mut self.memory {
            TimedMemory::Lifted(_) => Ok(None),
            TimedMemory::Network(machine) => machine.changes(left, moves).map(Some),
        }
    }
}

/// Lanes of a machine for one state.
const NARROW: usize = 1;

/// One state at a time on the tape.
#[derive(Debug)]
struct NetworkMemory {
    network: Arc<ClockNetwork>,
    lanes: Lanes<NARROW>,
    bases: Vec<bool>,
    /// The state whose first phase is there, with its expired fluents or without.
    loaded: Option<(TimedState, bool)>,
    /// Whether its goals are there too: they take the slots of what only they needed, so they are computed once.
    has_goals: bool,
}

impl NetworkMemory {
    fn load(
        &mut self,
        facts: impl Iterator<Item = (FluentId, Lifetime)>,
        expired: impl Iterator<Item = FluentId>,
    ) -> Result<(), RealTimeError> {
        self.loaded = None;
        self.bases.clear();
        self.bases.resize(self.network.tape().bases_count(), false);
        for (fluent, lifetime) in facts {
            let clock = self.network.clock_of(fluent).ok_or(GameError::OutOfReach)?;
            let bases = self.network.bases()[clock];
            // What no rule asks for has no base.
            let wanted = [bases.holds, bases.endless.filter(|_| lifetime == Lifetime::INFINITY)];
            wanted.into_iter().flatten().for_each(|base| self.bases[base] = true);
        }
        for fluent in expired {
            let clock = self.network.clock_of(fluent).ok_or(GameError::OutOfReach)?;
            if let Some(base) = self.network.bases()[clock].expired {
                self.bases[base] = true;
            }
        }
        self.lanes.clear_moves();
        self.lanes.fill(&self.bases);
        self.lanes.evaluate(Phase::State);
        self.has_goals = false;
        Ok(())
    }

    fn load_state(&mut self, state: &TimedState, with_expired: bool) -> Result<(), RealTimeError> {
        if self.loaded.as_ref().is_some_and(|(loaded, expired)| loaded == state && *expired == with_expired) {
            return Ok(());
        }
        let expired: Vec<FluentId> = state.expired().filter(|_| with_expired).collect();
        self.load(state.facts(), expired.into_iter())?;
        self.loaded = Some((state.clone(), with_expired));
        Ok(())
    }

    fn is_terminal(&mut self, state: &TimedState) -> Result<bool, RealTimeError> {
        self.load_state(state, true)?;
        Ok(self.lanes.terminal().any())
    }

    fn legal(&mut self, roles: &Roles, state: &TimedState) -> Result<ByNumber, RealTimeError> {
        self.load_state(state, false)?;
        let legal = |role: RoleId| {
            let moves = self.network.moves(role).iter().enumerate();
            moves.filter(|(number, _)| self.lanes.legal(role, *number).any()).map(|(_, &term)| term).collect()
        };
        Ok(roles.all().map(legal).collect())
    }

    fn goals(
        &mut self,
        state: &TimedState,
        role: RoleId,
    ) -> Result<Vec<(Option<RuleId>, String)>, RealTimeError> {
        self.load_state(state, true)?;
        if !self.has_goals {
            self.lanes.evaluate(Phase::Goal);
            self.has_goals = true;
        }
        let mut goals: Vec<(Option<RuleId>, String)> = Vec::new();
        for (place, text) in self.network.goals(role).iter().enumerate() {
            if self.lanes.has_goal(role, place).any() && !goals.iter().any(|(_, known)| known == text) {
                goals.push((RuleId::new(place), text.clone()));
            }
        }
        Ok(goals)
    }

    fn update(
        &mut self,
        roles: &Roles,
        state: &TimedState,
        micros: u64,
        moves: &[(RoleId, MoveId)],
    ) -> Result<(TimedState, ByNumber), RealTimeError> {
        let (left, expired) = state.after(micros);
        self.load(left.iter().copied(), expired.iter().copied())?;
        self.play(moves);
        let facts = self.facts(&left);
        self.lanes.evaluate(Phase::Sees);
        let told = |role: RoleId| {
            let percepts = self.network.percepts(role).iter().enumerate();
            percepts
                .filter(|(number, _)| self.lanes.sees(role, *number).any())
                .map(|(_, &term)| term)
                .collect()
        };
        let told = roles.all().map(told).collect();
        Ok((TimedState::new(facts, expired), told))
    }

    fn changes(
        &mut self,
        left: &TimedState,
        moves: &[(RoleId, MoveId)],
    ) -> Result<Vec<ClockChange>, RealTimeError> {
        self.load(left.facts(), left.expired())?;
        self.play(moves);
        let fluents = self.network.fluents();
        let fresh = self.network.fresh().iter().filter(|fresh| self.lanes.next(fresh.base).any());
        let fresh = fresh.map(|fresh| (fresh.to, ClockSource::Set(fresh.lifetime)));
        let carried = self.network.carried().iter().filter(|carried| self.lanes.next(carried.base).any());
        let carried = carried.map(|carried| (carried.to, ClockSource::Kept(fluents[carried.from])));
        let changes = fresh.chain(carried);
        Ok(changes.map(|(to, source)| ClockChange { fluent: fluents[to], source }).collect())
    }

    /// Plays moves on what is loaded, so that the bases of the next state are there.
    fn play(&mut self, moves: &[(RoleId, MoveId)]) {
        for &(role, played) in moves {
            // A move that is never legal makes nothing happen.
            if let Some(number) = self.network.move_number(role, played) {
                self.lanes.make(role, number, Plane::ALL);
            }
        }
        self.lanes.evaluate(Phase::Next);
    }

    /// What holds next, with lifetimes that are set, or kept from what is left.
    fn facts(&self, left: &[(FluentId, Lifetime)]) -> Vec<(FluentId, Lifetime)> {
        let fluents = self.network.fluents();
        let fresh = self.network.fresh().iter().filter(|fresh| self.lanes.next(fresh.base).any());
        let mut facts: Vec<_> = fresh.map(|fresh| (fluents[fresh.to], fresh.lifetime)).collect();
        for carried in self.network.carried().iter().filter(|carried| self.lanes.next(carried.base).any()) {
            let first = left.partition_point(|(fluent, _)| *fluent < fluents[carried.from]);
            let kept = left[first..].iter().take_while(|(fluent, _)| *fluent == fluents[carried.from]);
            facts.extend(kept.map(|&(_, lifetime)| (fluents[carried.to], lifetime)));
        }
        facts
    }
}
