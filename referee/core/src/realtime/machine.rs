//! One real-time match as a machine: moves with their instants in, effects out.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    sync::Arc,
};

use croupier_engine::{
    ByPlayer, MoveId, RoleId,
    realtime::{RealTimeError, RealTimeIllegalMove, RealTimeScratch, TimedState, Update},
};

use super::{
    MoveStatus, Notice, RealTime, RealTimeEffect, RealTimeEnd, RealTimeEvent, RealTimeHeader, RealTimeLine,
    RealTimeOutcome, ReplayUpdate, opening::Opening,
};
use crate::{
    digest::Digest,
    match_state::error_word,
    record::{Entry, Ledger, Secrets},
};

/// Most moves of `random` in a row, without any time between them.
const CHANCE_RUN_MAX: u32 = 10_000;

/// Longest move that is read, in bytes.
const MOVE_BYTES_MAX: usize = 1 << 16;

/// A real-time match between its events.
#[derive(Debug)]
pub struct RealTimeMatch {
    pub(super) header: Arc<RealTimeHeader>,
    scratch: Box<RealTimeScratch>,
    pub(super) ledger: Ledger,
    pub(super) phase: RealTimePhase,
    pub(super) effects: Vec<RealTimeEffect>,
}

/// How far a real-time match has come.
#[derive(Debug)]
pub(super) enum RealTimePhase {
    Created,
    /// Players commit to nonces, and disclose them, before game time begins.
    Opening(Opening),
    Running(RunningState),
    Finished(RealTimeEnd),
}

/// What there is of a match while game time runs.
#[derive(Clone, Debug)]
pub(super) struct RunningState {
    state: TimedState,
    /// The instant of the last update.
    at_us: u64,
    updates: u32,
    /// Moves that were not judged yet, by instant and in the order of their arrival.
    offers: BTreeMap<u64, Vec<Offer>>,
    /// The ids that players gave to the moves received so far.
    ids: BTreeSet<(RoleId, u64)>,
}

/// A move as it was sent.
#[derive(Clone, Debug)]
struct Offer {
    role: RoleId,
    id: u64,
    text: String,
    arrived_us: u64,
}

/// What happens next in a match.
struct Due {
    at_us: u64,
    offers: Vec<Offer>,
    expires: bool,
}

impl RealTimeMatch {
    /// A match that has not begun.
    #[must_use]
    pub fn new(header: Arc<RealTimeHeader>, secrets: Secrets) -> Self {
        let ledger = Ledger::new::<RealTime>(&header, secrets);
        Self::with_ledger(header, ledger)
    }

    pub(super) fn with_ledger(header: Arc<RealTimeHeader>, ledger: Ledger) -> Self {
        let scratch = Box::new(header.game().scratch());
        Self { header, scratch, ledger, phase: RealTimePhase::Created, effects: Vec::new() }
    }

    pub(super) fn chain_head(&self) -> Option<Digest> {
        self.ledger.chain_head()
    }

    /// The header of the match.
    #[must_use]
    pub fn header(&self) -> &Arc<RealTimeHeader> {
        &self.header
    }

    /// How the match ended, if it has.
    #[must_use]
    pub fn end(&self) -> Option<&RealTimeEnd> {
        match &self.phase {
            RealTimePhase::Finished(end) => Some(end),
            RealTimePhase::Created | RealTimePhase::Opening(_) | RealTimePhase::Running(_) => None,
        }
    }

    /// The state after the last update, and its instant; for the referee's eyes.
    #[must_use]
    pub fn state(&self) -> Option<(&TimedState, u64)> {
        match &self.phase {
            RealTimePhase::Running(running) => Some((&running.state, running.at_us)),
            RealTimePhase::Created | RealTimePhase::Opening(_) | RealTimePhase::Finished(_) => None,
        }
    }

    /// The instant of the next event if nobody sends another move: a move that was sent, or the end of a
    /// lifetime or of the match. `None` before the match and after it.
    #[must_use]
    pub fn next_us(&self) -> Option<u64> {
        let RealTimePhase::Running(running) = &self.phase else { return None };
        let offer = running.offers.keys().next().copied();
        let expiry = running.expiry_us();
        Some(offer.into_iter().chain(expiry).fold(self.header.setup().time_max_us, u64::min))
    }

    /// Processes `event` and returns the match's effects, in the order in which to carry them out. Events that make no sense are ignored.
    pub fn step(&mut self, event: RealTimeEvent) -> Vec<RealTimeEffect> {
        match event {
            RealTimeEvent::Begin => self.begin(),
            RealTimeEvent::Ready { role, commitment } => self.ready(role, commitment),
            RealTimeEvent::Reveal { role, nonce } => self.reveal(role, nonce),
            RealTimeEvent::Late => self.late(),
            RealTimeEvent::Move { role, id, text, at_us, not_before_us } => {
                self.offer(Offer { role, id, text, arrived_us: at_us }, not_before_us);
            }
            RealTimeEvent::Close { at_us } => self.close(at_us),
            RealTimeEvent::Pause { at_us, lasted_us } => self.pause(at_us, lasted_us),
            RealTimeEvent::Abort { at_us } => self.abort(at_us),
        }
        mem::take(&mut self.effects)
    }

    fn begin(&mut self) {
        if !matches!(self.phase, RealTimePhase::Created) {
            return;
        }
        let genesis = self.ledger.genesis::<RealTime>(&self.header);
        self.append(&genesis);
        match self.header.setup().nonces_ms {
            Some(_) => self.phase = RealTimePhase::Opening(Opening::default()),
            None => self.start(),
        }
    }

    /// Begins game time.
    pub(super) fn start(&mut self) {
        let message = |role| RealTimeEffect::Send { role, message: Notice::Start };
        self.effects.extend(self.header.roles().players().map(message));
        let state = self.header.game().initial_state().clone();
        let first = ReplayUpdate { at_us: 0, moves: Vec::new(), state: state.clone() };
        self.effects.push(RealTimeEffect::Signal(first));
        let (offers, ids) = (BTreeMap::new(), BTreeSet::new());
        self.phase = RealTimePhase::Running(RunningState { state, at_us: 0, updates: 0, offers, ids });
        self.settle();
    }

    fn offer(&mut self, offer: Offer, not_before_us: Option<u64>) {
        let is_player = self.header.roles().players().any(|role| role == offer.role);
        let RealTimePhase::Running(running) = &mut self.phase else { return };
        if is_player && running.ids.insert((offer.role, offer.id)) {
            let earliest = offer.arrived_us.max(running.at_us).max(not_before_us.unwrap_or(0));
            running.offers.entry(self.header.instant_of(earliest)).or_default().push(offer);
        }
    }

    fn pause(&mut self, at_us: u64, lasted_us: u64) {
        if let RealTimePhase::Running(_) = self.phase {
            self.append(&Entry::Own(RealTimeLine::Pause { at_us, lasted_us }));
        }
    }

    /// Plays what happens up to an instant, and at it.
    fn close(&mut self, at_us: u64) {
        while let Some(instant) = self.take_instant(at_us) {
            self.resolve(instant);
        }
        let limit = self.header.setup().time_max_us;
        if let RealTimePhase::Running(running) = &mut self.phase
            && at_us >= limit
        {
            running.at_us = limit;
            self.finish(RealTimeOutcome::TimeLimit);
        }
    }

    /// The next instant at which something happens, if it is not after another.
    fn take_instant(&mut self, until_us: u64) -> Option<Due> {
        let RealTimePhase::Running(running) = &mut self.phase else { return None };
        let expiry = running.expiry_us();
        let offer = running.offers.keys().next().copied();
        let at_us = expiry.into_iter().chain(offer).min()?;
        if at_us > until_us.min(self.header.setup().time_max_us) {
            return None;
        }
        let offers = running.offers.remove(&at_us).unwrap_or_default();
        Some(Due { at_us, offers, expires: expiry == Some(at_us) })
    }

    fn resolve(&mut self, instant: Due) {
        let Due { at_us, offers, expires } = instant;
        match self.judge(at_us, offers) {
            Err(error) => self.finish(RealTimeOutcome::GameError(error)),
            Ok(moves) if moves.is_empty() && !expires => {}
            Ok(moves) => {
                if self.update(at_us, &moves) {
                    self.settle();
                }
            }
        }
    }

    /// The legal moves among those of one instant; all are recorded and answered.
    fn judge(&mut self, at_us: u64, offers: Vec<Offer>) -> Result<Vec<(RoleId, MoveId)>, RealTimeError> {
        let mut moves: Vec<(RoleId, MoveId)> = Vec::new();
        if offers.is_empty() {
            return Ok(moves);
        }
        let RealTimePhase::Running(running) = &self.phase else { return Ok(moves) };
        let state = running.state.clone();
        let header = Arc::clone(&self.header);
        for Offer { role, id, text, arrived_us } in offers {
            let found = match text.len() <= MOVE_BYTES_MAX {
                true => header.game().find_move(&state, role, &text, &mut self.scratch),
                false => Err(RealTimeIllegalMove::Malformed("too long".to_owned())),
            };
            let is_second = moves.iter().any(|(other, _)| *other == role);
            let (status, text) = match found {
                Ok(found) => {
                    let written = header.game().move_text(found);
                    if !is_second {
                        moves.push((role, found));
                    }
                    (
                        if is_second { MoveStatus::Second } else { MoveStatus::Legal },
                        Some(written.to_string()),
                    )
                }
                Err(RealTimeIllegalMove::NotLegal { text, .. }) => (MoveStatus::Illegal, Some(text)),
                Err(RealTimeIllegalMove::Malformed(_)) => (MoveStatus::Malformed, None),
                Err(RealTimeIllegalMove::State(error)) => return Err(error),
            };
            let name = header.roles().name(role).to_owned();
            let judged = RealTimeLine::Move { at_us, arrived_us, role: name, id, status, text };
            self.append(&Entry::Own(judged));
            self.tell(role, Notice::Received { id, at_us, arrived_us, status });
        }
        moves.sort_unstable_by_key(|(role, _)| *role);
        Ok(moves)
    }

    /// Plays moves at an instant, or lets something expire; returns whether the match continues.
    fn update(&mut self, at_us: u64, moves: &[(RoleId, MoveId)]) -> bool {
        let header = Arc::clone(&self.header);
        let game = header.game();
        let RealTimePhase::Running(running) = &mut self.phase else { return false };
        assert!(at_us >= running.at_us, "game time runs backwards");
        let elapsed = at_us - running.at_us;
        let Update { percepts, successor } =
            match game.update(&running.state, elapsed, moves, &mut self.scratch) {
                Ok(update) => update,
                Err(error) => {
                    running.at_us = at_us;
                    self.finish(RealTimeOutcome::GameError(error));
                    return false;
                }
            };
        let number = running.updates;
        running.state = successor;
        running.at_us = at_us;
        running.updates += 1;
        let name = |role: RoleId| header.roles().name(role).to_owned();
        let moved: Vec<_> =
            moves.iter().map(|&(role, played)| (name(role), game.move_text(played).to_string())).collect();
        let told = ByPlayer::from_fn(header.roles(), |role| game.percept_terms(&percepts[role]));
        #[cfg(feature = "mutants")]
        let told = super::leaks::percepts(header.roles(), told);
        let percepts = told.iter().map(|(role, told)| (name(role), Digest::of_terms(told))).collect();
        let (state, successor) = (state_digest(&header, &running.state), running.state.clone());
        let played = moved.iter().cloned().collect();
        self.append(&Entry::Own(RealTimeLine::Update {
            update: number,
            at_us,
            moves: played,
            state,
            percepts,
        }));
        self.effects.push(RealTimeEffect::Signal(ReplayUpdate { at_us, moves: moved, state: successor }));
        for (role, percepts) in told.iter() {
            let own_move =
                moves.iter().find(|(mover, _)| *mover == role).map(|&(_, played)| game.move_text(played));
            let is_told = own_move.is_some() || !percepts.is_empty();
            #[cfg(feature = "mutants")]
            let is_told = is_told || super::leaks::tells_everything();
            if is_told {
                self.tell(role, Notice::Event { at_us, own_move, percepts: percepts.clone() });
            }
        }
        true
    }

    /// Lets `random` move as long as it can, and ends the match if it is over.
    fn settle(&mut self) {
        for _ in 0..=CHANCE_RUN_MAX {
            match self.chance() {
                Err(error) => return self.finish(RealTimeOutcome::GameError(error)),
                Ok(None) => return,
                Ok(Some(drawn)) => {
                    let RealTimePhase::Running(running) = &self.phase else { return };
                    let at_us = running.at_us;
                    if !self.update(at_us, &[drawn]) {
                        return;
                    }
                }
            }
        }
        self.finish(RealTimeOutcome::EndlessChance);
    }

    /// The move of `random` now, if the match continues and it has a legal one.
    fn chance(&mut self) -> Result<Option<(RoleId, MoveId)>, RealTimeError> {
        let header = Arc::clone(&self.header);
        let game = header.game();
        let RealTimePhase::Running(running) = &self.phase else { return Ok(None) };
        let (state, updates) = (&running.state, running.updates);
        if game.is_terminal(state, &mut self.scratch)? {
            let goals = game.goals(state, &mut self.scratch)?;
            self.finish(RealTimeOutcome::Terminal { goals });
            return Ok(None);
        }
        if updates >= header.setup().updates_max {
            self.finish(RealTimeOutcome::UpdateLimit);
            return Ok(None);
        }
        let legal = game.legal_moves(state, &mut self.scratch)?;
        let can_move = legal.iter().any(|(_, moves)| !moves.is_empty());
        if state.next_expiry().is_none() && !can_move {
            self.finish(RealTimeOutcome::Stalled);
            return Ok(None);
        }
        let Some(random) = header.roles().random().filter(|&random| !legal[random].is_empty()) else {
            return Ok(None);
        };
        let n = legal[random].len() as u64;
        let index = self.ledger.draw(updates, n);
        self.append(&Entry::Draw { step: updates, n, index });
        let index = usize::try_from(index).expect("an index of a list");
        Ok(Some((random, legal[random][index])))
    }

    fn abort(&mut self, at_us: u64) {
        match &mut self.phase {
            RealTimePhase::Created => {
                // Nobody is told anything: only its record says that it was to be, and reveals what would have been dealt.
                self.begin();
                self.finish(RealTimeOutcome::Aborted);
                self.effects.retain(|effect| {
                    matches!(effect, RealTimeEffect::Append(_) | RealTimeEffect::Finish { .. })
                });
            }
            RealTimePhase::Opening(_) => self.finish(RealTimeOutcome::Aborted),
            RealTimePhase::Running(_) => {
                self.close(at_us);
                if let RealTimePhase::Running(running) = &mut self.phase {
                    running.at_us = running.at_us.max(at_us);
                    self.finish(RealTimeOutcome::Aborted);
                }
            }
            RealTimePhase::Finished(_) => {}
        }
    }

    pub(super) fn finish(&mut self, outcome: RealTimeOutcome) {
        let (at_us, updates) = match &self.phase {
            RealTimePhase::Running(running) => (running.at_us, running.updates),
            RealTimePhase::Opening(_) => (0, 0),
            RealTimePhase::Created | RealTimePhase::Finished(_) => return,
        };
        let end = RealTimeEnd { at_us, updates, outcome };
        self.append(&Entry::Own(end_line(&self.header, &end)));
        let header = Arc::clone(&self.header);
        let goals = end.outcome.goals().map(|goals| {
            let goals = goals.iter();
            goals.map(|(role, goal)| (header.roles().name(role).to_owned(), goal.value())).collect::<Vec<_>>()
        });
        for role in header.roles().players() {
            self.tell(role, Notice::Stop { at_us: end.at_us, goals: goals.clone() });
        }
        let closing = self.ledger.closing_lines();
        self.effects.extend(closing.into_iter().map(RealTimeEffect::Append));
        self.effects.push(RealTimeEffect::Finish { outcome: end.clone() });
        self.phase = RealTimePhase::Finished(end);
    }

    pub(super) fn tell(&mut self, role: RoleId, notice: Notice) {
        #[cfg(feature = "mutants")]
        let notice = {
            let updates = if let RealTimePhase::Running(running) = &self.phase { running.updates } else { 0 };
            let others = self.header.roles().players().filter(|&other| other != role);
            self.effects.extend(super::leaks::receipts(others, &notice));
            super::leaks::notice(notice, updates)
        };
        self.effects.push(RealTimeEffect::Send { role, message: notice });
    }

    pub(super) fn append(&mut self, entry: &Entry<RealTime>) {
        self.effects.push(RealTimeEffect::Append(self.ledger.line(entry)));
    }
}

impl RunningState {
    /// The instant at which the next lifetime ends.
    fn expiry_us(&self) -> Option<u64> {
        self.state.next_expiry().map(|micros| self.at_us.saturating_add(micros))
    }
}

/// The line that ends a match, but for its seal.
fn end_line(header: &RealTimeHeader, end: &RealTimeEnd) -> RealTimeLine {
    let goals = end.outcome.goals().map(|goals| {
        let goals = goals.iter();
        goals.map(|(role, goal)| (header.roles().name(role).to_owned(), i64::from(goal.value()))).collect()
    });
    // A word rather than the text of the error, so that records outlive its wording.
    let error = match &end.outcome {
        RealTimeOutcome::GameError(RealTimeError::Lifetime { .. }) => Some("lifetime"),
        RealTimeOutcome::GameError(RealTimeError::SkipsExpiry { .. }) => Some("limit"),
        RealTimeOutcome::GameError(RealTimeError::Game(error)) => Some(error_word(error)),
        _ => None,
    };
    let (status, error) = (end.outcome.status().to_owned(), error.map(str::to_owned));
    RealTimeLine::End { updates: end.updates, at_us: end.at_us, status, goals, error }
}

/// The digest of a state: each lifetime with its fluent, one per line, followed by what has just expired.
fn state_digest(header: &RealTimeHeader, state: &TimedState) -> Digest {
    let game = header.game();
    let facts = game.state_terms(state).into_iter().map(|(lifetime, fluent)| format!("{lifetime} {fluent}"));
    let expired = game.expired_terms(state).into_iter().map(|fluent| format!("expired {fluent}"));
    Digest::of_terms(&facts.chain(expired).collect::<Vec<_>>())
}
