//! One match as a state machine: events in, effects out.
//!
//! Turns count from 0. A turn is resolved when every player has replied or failed: `random`'s move is drawn, players that
//! gave no legal move get a drawn one, the joint move is played, and only then is anyone told.
//!
//! Each reply is an event. `reply.rs` reads its first expression and asks the game whether the move is legal; a line is
//! appended to the record in either case. A player that cannot be reached makes the match void if no move has been
//! requested yet and the driver says so ([`Event::Void`]). When all have replied or the deadline has passed, replacements
//! for missing and illegal moves are drawn from the domain `substitute`, and the move of `random` from `chance`: a fresh
//! ChaCha20 stream for the turn, one draw by Lemire's method. The game computes percepts and successor; the record line
//! of the turn holds the joint move and digests of the new state and of each player's percepts. Only then are the
//! messages of the next turn sent.
//!
//! Every substitution is counted, by the status of the reply, in the [`Conduct`] of its player. At the end the record
//! gets goals, the revealed seed and a seal.

mod ending;
#[cfg(feature = "mutants")]
mod leaks;
mod nonces;
mod reply;
mod standing;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, mem, sync::Arc};

use croupier_engine::{
    ByPlayer, ByRole, Game, GameError, JointMove, MoveId, Percepts, RoleId, Scratch, State, Status, Turn,
    game::IllegalMove,
};

pub use reply::{REPLY_BYTES_MAX, read_ready};
pub use standing::Standing;

pub use crate::record::Secrets;

pub(crate) use ending::error_word;
pub(crate) use nonces::{all, opened};
pub(crate) use reply::{READY, first_expression};

use crate::{
    chance::Nonce,
    conduct::{Conduct, Slip},
    digest::Digest,
    event::{Effect, Event, Failure, Outcome, Reply, Request, Timer},
    header::Header,
    record::{Entry, Ledger, TurnLine, Turns},
    view::{Message, Moment, OwnHistory, OwnTurn, message},
};

/// A match between its events.
///
/// ```
/// use std::sync::Arc;
/// use croupier_referee::{
///     Clocks, Effect, Event, Header, MatchSetup, MatchState, Nonces, Reply, Request, Secrets, Seed, Timer,
///     Substitution,
/// };
///
/// # use croupier_engine::{Strictness, game::PerceptReading};
/// # let rules = "(role ann) (role ben) (init begun) (legal ann left) (legal ann right) (legal ben wait)
/// #     (<= (next (went ?side)) (does ann ?side)) (<= (sees ben moved) (true begun)) (<= terminal (not (true begun)))
/// #     (<= (goal ann 100) (true (went left))) (<= (goal ann 0) (not (true (went left)))) (goal ben 50)";
/// # let setup = MatchSetup {
/// #     match_id: "friday.1".to_owned(),
/// #     series: None,
/// #     session: None,
/// #     rules: rules.to_owned(),
/// #     game_name: None,
/// #     players: ["ann", "ben"].map(|role| (role.to_owned(), "a person".to_owned())).to_vec(),
/// #     clocks: Clocks::of(10_000, 5_000),
/// #     percepts: PerceptReading::OldState,
/// #     strictness: Strictness::Compatible,
/// #     substitution: Substitution::Drawn,
/// #     turns_max: 100,
/// #     nonces: Nonces::Clear,
/// # };
/// # let header = Arc::new(Header::compile(setup)?);
/// let mut state = MatchState::new(header, Secrets::from_seed(Seed::from_text("42")?));
/// // The first line of the record comes before the messages, and then a timer.
/// let effects = state.step(0, Event::Begin);
/// assert!(matches!(effects.first(), Some(Effect::Append(_))));
/// assert!(matches!(effects.last(), Some(Effect::Signal(Timer { of: Request::Start, .. }))));
/// for role in state.awaited() {
///     let reply = Reply::Text("READY".to_owned());
///     state.step(20, Event::Reply { role, to: Request::Start, reply });
/// }
/// assert_eq!(state.request(), Some((Request::Play { turn: 0 }, 20)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MatchState {
    header: Arc<Header>,
    /// Its own working memory, once it was used.
    scratch: Option<Box<Scratch>>,
    ledger: Ledger,
    own: ByPlayer<OwnHistory>,
    conducts: ByPlayer<Conduct>,
    /// What players have committed to, if the match takes commitments.
    commitments: BTreeMap<RoleId, Digest>,
    phase: MatchPhase,
    /// The state that ended the match by the rules.
    last: Option<State>,
    /// The latest time that any event came at.
    now_ms: u64,
    /// Whether nobody has replied since the timer was armed.
    is_fresh: bool,
    /// The effects of the current step so far.
    effects: Vec<Effect>,
}

/// How far a match has come.
#[derive(Debug)]
enum MatchPhase {
    Created,
    Starting {
        sent_ms: u64,
        is_awaited: ByPlayer<bool>,
        nonces: BTreeMap<RoleId, Nonce>,
    },
    /// Each player that committed to a nonce is to disclose it.
    Revealing {
        sent_ms: u64,
        revealed: BTreeMap<RoleId, Result<Nonce, Failure>>,
    },
    Playing(PendingTurn),
    Finished(Outcome),
}

/// A turn that waits for replies.
#[derive(Debug)]
struct PendingTurn {
    turn: u32,
    state: State,
    legal: ByRole<Vec<MoveId>>,
    sent_ms: u64,
    answers: ByPlayer<PlayerAnswer>,
}

/// What a player has answered in a pending turn.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PlayerAnswer {
    Awaited,
    Move(MoveId),
    NoLegalMove(Slip),
}

impl MatchState {
    /// A match that has not begun.
    #[must_use]
    pub fn new(header: Arc<Header>, secrets: Secrets) -> Self {
        let ledger = Ledger::new::<Turns>(&header, secrets);
        Self::with_ledger(header, ledger)
    }

    pub(crate) fn with_ledger(header: Arc<Header>, ledger: Ledger) -> Self {
        Self {
            scratch: None,
            own: ByPlayer::from_fn(header.roles(), OwnHistory::initial),
            conducts: ByPlayer::from_fn(header.roles(), |_| Conduct::default()),
            commitments: BTreeMap::new(),
            header,
            ledger,
            phase: MatchPhase::Created,
            last: None,
            now_ms: 0,
            is_fresh: false,
            effects: Vec::new(),
        }
    }

    /// Processes `event` and returns the match's effects, in the order in which to carry them out.
    ///
    /// `now_ms` comes from any clock that does not run backwards; if it does, its highest value so far counts. A reply is late
    /// if it arrives more than its clock plus its grace after its request, whether or not the timer event came before.
    /// No order of events is an error: events that make no sense are ignored.
    pub fn step(&mut self, now_ms: u64, event: Event) -> Vec<Effect> {
        let mut scratch = self.scratch.take().unwrap_or_else(|| Box::new(self.header.game().scratch()));
        let effects = self.step_with(now_ms, event, &mut scratch);
        self.scratch = Some(scratch);
        effects
    }

    /// The same with borrowed working memory, for callers that keep thousands of matches: between events a match then
    /// takes only some kilobytes.
    pub fn step_with(&mut self, now_ms: u64, event: Event, scratch: &mut Scratch) -> Vec<Effect> {
        self.now_ms = self.now_ms.max(now_ms);
        match event {
            Event::Begin => self.begin(),
            Event::Reply { role, to, reply } => self.take_reply(role, to, reply),
            Event::Deadline { of } => self.fail_awaited(of),
            Event::Resume { epoch } => self.resume(epoch),
            Event::Abort => self.abort(),
            Event::Void { role, failure } => self.void(role, failure),
        }
        self.advance(scratch);
        mem::take(&mut self.effects)
    }

    /// The latest time of any event: a driver that resumes a match starts its clock there.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// Starts the clock of the pending request: a driver that had to make lines durable before it could send the messages
    /// calls this when it sends them. Returns the timer to wait for; nothing if somebody has replied already, because the clock then runs.
    ///
    /// Replies are recorded with the time since the request, so this leaves no trace in the record.
    pub fn sent_at(&mut self, now_ms: u64) -> Option<(Request, u64)> {
        let (request, _) = self.request().filter(|_| self.is_fresh)?;
        self.now_ms = self.now_ms.max(now_ms);
        self.restart_clock();
        Some((request, self.deadline_ms(request)))
    }

    /// The message that a player has been sent last and not replied to.
    #[must_use]
    pub fn asked(&self, role: RoleId) -> Option<Message> {
        if !self.awaited().contains(&role) {
            return None;
        }
        let moment = match self.request()?.0 {
            Request::Reveal => return self.reveal_message(role),
            Request::Start => Moment::Start,
            Request::Play { .. } => Moment::Play,
        };
        self.own.get(role).map(|own| message(&self.header, own, moment))
    }

    /// The header of the match.
    #[must_use]
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// How the match ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.phase {
            MatchPhase::Finished(outcome) => Some(outcome),
            MatchPhase::Created
            | MatchPhase::Starting { .. }
            | MatchPhase::Revealing { .. }
            | MatchPhase::Playing(_) => None,
        }
    }

    /// The state that ended the match by the rules, if one has; before that, states are nobody's business.
    #[must_use]
    pub fn last_state(&self) -> Option<&State> {
        self.last.as_ref()
    }

    /// A player's knowledge so far; `None` for `random`.
    #[must_use]
    pub fn own_history(&self, role: RoleId) -> Option<&OwnHistory> {
        self.own.get(role)
    }

    /// How every player answered so far.
    #[must_use]
    pub fn conducts(&self) -> &ByPlayer<Conduct> {
        &self.conducts
    }

    /// The request that replies are being waited for, and when it was sent.
    #[must_use]
    pub fn request(&self) -> Option<(Request, u64)> {
        match &self.phase {
            MatchPhase::Starting { sent_ms, .. } => Some((Request::Start, *sent_ms)),
            MatchPhase::Revealing { sent_ms, .. } => Some((Request::Reveal, *sent_ms)),
            MatchPhase::Playing(pending) => Some((Request::Play { turn: pending.turn }, pending.sent_ms)),
            MatchPhase::Created | MatchPhase::Finished(_) => None,
        }
    }

    /// The players who have not yet replied to [`request`](Self::request).
    #[must_use]
    pub fn awaited(&self) -> Vec<RoleId> {
        let awaited = |(role, is_awaited): (RoleId, bool)| is_awaited.then_some(role);
        match &self.phase {
            MatchPhase::Starting { is_awaited, .. } => {
                is_awaited.iter().map(|(role, &is_awaited)| (role, is_awaited)).filter_map(awaited).collect()
            }
            MatchPhase::Revealing { revealed, .. } => {
                self.commitments.keys().copied().filter(|role| !revealed.contains_key(role)).collect()
            }
            MatchPhase::Playing(pending) => {
                let answers = pending.answers.iter();
                answers
                    .map(|(role, answer)| (role, *answer == PlayerAnswer::Awaited))
                    .filter_map(awaited)
                    .collect()
            }
            MatchPhase::Created | MatchPhase::Finished(_) => Vec::new(),
        }
    }

    /// The legal moves of every role, including `random`, while moves are requested; `None` before and after.
    #[must_use]
    pub fn legal(&self) -> Option<&ByRole<Vec<MoveId>>> {
        match &self.phase {
            MatchPhase::Playing(pending) => Some(&pending.legal),
            MatchPhase::Created
            | MatchPhase::Starting { .. }
            | MatchPhase::Revealing { .. }
            | MatchPhase::Finished(_) => None,
        }
    }

    pub(crate) fn chain_head(&self) -> Option<Digest> {
        self.ledger.chain_head()
    }

    fn begin(&mut self) {
        if !matches!(self.phase, MatchPhase::Created) {
            return;
        }
        let genesis = self.ledger.genesis::<Turns>(&self.header);
        self.append(&genesis);
        self.send_all(Moment::Start);
        self.arm_timer(Request::Start);
        let is_awaited = ByPlayer::from_fn(self.header.roles(), |_| true);
        self.phase = MatchPhase::Starting { sent_ms: self.now_ms, is_awaited, nonces: BTreeMap::new() };
    }

    fn take_reply(&mut self, role: RoleId, to: Request, reply: Reply) {
        let Some((request, sent_ms)) = self.request().filter(|(request, _)| *request == to) else { return };
        if !self.awaited().contains(&role) {
            return;
        }
        self.is_fresh = false;
        let elapsed_ms = self.now_ms - sent_ms;
        let clocks = self.header.clocks();
        let most_ms = request.clock_ms(clocks) + clocks.grace_ms;
        let reply = if elapsed_ms > most_ms { Reply::Failed(Failure::Timeout) } else { reply };
        let role_name = self.header.role_name(role).to_owned();
        let entry = match &mut self.phase {
            MatchPhase::Starting { is_awaited, nonces, .. } => {
                is_awaited[role] = false;
                let (nonce, commitment) = nonces::given(self.header.setup().nonces, &reply);
                nonces.extend(nonce.map(|nonce| (role, nonce)));
                self.commitments.extend(commitment.map(|commitment| (role, commitment)));
                let failure = read_ready(reply, self.header.game().limits());
                self.conducts[role].not_ready = failure;
                Entry::Ready { role: role_name, failure, elapsed_ms: Some(elapsed_ms), nonce, commitment }
            }
            MatchPhase::Revealing { revealed, .. } => {
                let commitment = self.commitments.get(&role);
                let found = nonces::revealed(self.header.match_id(), &role_name, commitment, &reply);
                revealed.insert(role, found);
                Entry::Nonce { role: role_name, revealed: found, elapsed_ms: Some(elapsed_ms) }
            }
            MatchPhase::Playing(pending) => {
                let read = reply::read_move(self.header.game(), &pending.legal[role], reply);
                let (turn, status, own_move) = (pending.turn, read.status, read.text);
                pending.answers[role] = match read.legal_move {
                    Some(legal_move) => PlayerAnswer::Move(legal_move),
                    None => {
                        let is_illegal = status == crate::event::ReplyStatus::Illegal
                            && self.conducts[role].first.is_none();
                        let text = |&id: &MoveId| self.header.game().move_text(id).to_string();
                        let legal = pending.legal[role].iter().filter(|_| is_illegal).map(text).collect();
                        PlayerAnswer::NoLegalMove(Slip { turn, status, said: own_move.clone(), legal })
                    }
                };
                Entry::Own(TurnLine::Reply { turn, role: role_name, status, own_move, elapsed_ms })
            }
            MatchPhase::Created | MatchPhase::Finished(_) => return,
        };
        self.append(&entry);
        #[cfg(feature = "mutants")]
        self.leak_time();
    }

    fn fail_awaited(&mut self, of: Request) {
        for role in self.awaited() {
            self.take_reply(role, of, Reply::Failed(Failure::Timeout));
        }
    }

    fn resume(&mut self, epoch: u64) {
        let Some((request, _)) = self.request() else { return };
        self.append(&Entry::Own(TurnLine::Resume { epoch }));
        self.restart_clock();
        self.arm_timer(request);
    }

    fn restart_clock(&mut self) {
        match &mut self.phase {
            MatchPhase::Starting { sent_ms, .. }
            | MatchPhase::Revealing { sent_ms, .. }
            | MatchPhase::Playing(PendingTurn { sent_ms, .. }) => *sent_ms = self.now_ms,
            MatchPhase::Created | MatchPhase::Finished(_) => {}
        }
    }

    fn abort(&mut self) {
        match self.phase {
            MatchPhase::Created => {
                // Nobody was told anything: only its record says that it was to be, and reveals what would have been dealt.
                let outcome = Outcome::Aborted { turns: 0 };
                let lines =
                    [self.ledger.genesis::<Turns>(&self.header), ending::end_entry(&self.header, &outcome)];
                lines.iter().for_each(|line| self.append(line));
                self.effects.extend(self.ledger.closing_lines().into_iter().map(Effect::Append));
                self.conclude(outcome);
            }
            MatchPhase::Starting { .. } | MatchPhase::Revealing { .. } => {
                self.finish(Outcome::Aborted { turns: 0 })
            }
            MatchPhase::Playing(PendingTurn { turn, .. }) => self.finish(Outcome::Aborted { turns: turn }),
            MatchPhase::Finished(_) => {}
        }
    }

    fn void(&mut self, role: RoleId, failure: Failure) {
        if matches!(self.phase, MatchPhase::Starting { .. }) && self.own.get(role).is_some() {
            self.finish(Outcome::Void { role, failure });
        }
    }

    /// Continues until a reply is needed.
    fn advance(&mut self, scratch: &mut Scratch) {
        while self.awaited().is_empty() {
            match mem::replace(&mut self.phase, MatchPhase::Created) {
                MatchPhase::Starting { nonces, .. } if self.commitments.is_empty() => {
                    self.deal(&nonces, scratch)
                }
                MatchPhase::Starting { .. } => self.ask_for_nonces(),
                MatchPhase::Revealing { revealed, .. } => match nonces::all(&revealed) {
                    Ok(nonces) => self.deal(&nonces, scratch),
                    Err(by) => self.finish(Outcome::Withheld { by }),
                },
                MatchPhase::Playing(pending) => self.resolve(&pending, scratch),
                resting @ (MatchPhase::Created | MatchPhase::Finished(_)) => {
                    self.phase = resting;
                    return;
                }
            }
        }
    }

    /// Begins to play, on the deal that follows from the seed and these nonces.
    fn deal(&mut self, nonces: &BTreeMap<RoleId, Nonce>, scratch: &mut Scratch) {
        let roles = self.header.roles();
        let nonces: Vec<_> = nonces.iter().map(|(&role, &nonce)| (roles.name(role), nonce)).collect();
        self.ledger.join(&nonces);
        let initial = self.header.game().initial_state().clone();
        self.enter(0, initial, scratch);
    }

    /// Requests the moves of a turn, or ends the match.
    fn enter(&mut self, turn: u32, state: State, scratch: &mut Scratch) {
        let legal = match self.header.game().status(&state, scratch) {
            Err(error) => return self.fail(turn, error),
            Ok(Status::Terminal { goals }) => {
                self.last = Some(state);
                return self.finish(Outcome::Terminal { turns: turn, goals });
            }
            Ok(Status::Running { .. }) if turn >= self.header.setup().turns_max => {
                return self.finish(Outcome::TurnLimit { turns: turn });
            }
            Ok(Status::Running { legal }) => legal,
        };
        self.send_all(Moment::Play);
        #[cfg(feature = "mutants")]
        self.leak_size(&state);
        self.arm_timer(Request::Play { turn });
        let answers = ByPlayer::from_fn(self.header.roles(), |_| PlayerAnswer::Awaited);
        self.phase = MatchPhase::Playing(PendingTurn { turn, state, legal, sent_ms: self.now_ms, answers });
    }

    /// Plays the joint move of a turn that everyone has answered.
    fn resolve(&mut self, pending: &PendingTurn, scratch: &mut Scratch) {
        let header = Arc::clone(&self.header);
        let moves = ByRole::from_fn(header.roles(), |role| self.chosen_move(pending, role));
        match play(header.game(), &pending.state, moves, scratch) {
            Err(error) => self.fail(pending.turn, error),
            Ok((joint_move, turn)) => {
                let entry = turn_entry(&header, pending.turn, &joint_move, &turn);
                self.append(&entry);
                for (role, own) in self.own.iter_mut() {
                    own.turns.push(own_turn(header.game(), joint_move.of(role), &turn.percepts[role]));
                }
                self.enter(pending.turn + 1, turn.successor, scratch);
            }
        }
    }

    /// The move of one role: its own, drawn, or a substitute.
    fn chosen_move(&mut self, pending: &PendingTurn, role: RoleId) -> MoveId {
        let (turn, legal) = (pending.turn, &pending.legal[role]);
        let n = legal.len() as u64;
        let (entry, index) = match pending.answers.get(role) {
            Some(PlayerAnswer::Move(own_move)) => {
                self.conducts[role].count_move();
                return *own_move;
            }
            None => {
                let index = self.ledger.draw(turn, n);
                (Entry::Draw { step: turn, n, index }, index)
            }
            Some(PlayerAnswer::Awaited) => unreachable!("a turn is played when everyone has answered"),
            Some(PlayerAnswer::NoLegalMove(slip)) => {
                self.conducts[role].count_slip(slip);
                let name = self.header.role_name(role).to_owned();
                let of = turn;
                #[cfg(feature = "mutants")]
                let of = self.leaked_turn(of);
                let index = self.ledger.substitute(of, role, &name, n, self.header.setup().substitution);
                (Entry::Own(TurnLine::Substitute { turn, role: name, n, index }), index)
            }
        };
        self.append(&entry);
        legal[usize::try_from(index).expect("an index below the length of a list")]
    }

    fn fail(&mut self, turns: u32, error: GameError) {
        let role = match &error {
            GameError::NoLegalMove { role }
            | GameError::NoGoal { role }
            | GameError::SeveralGoals { role, .. }
            | GameError::GoalOutOfRange { role, .. } => self.header.roles().find(role),
            GameError::Limit { .. } | GameError::Ground(_) | GameError::OutOfReach => None,
        };
        self.finish(Outcome::GameError { turns, role, error });
    }

    /// Ends a match that has begun: tells everyone, and only then reveals the seed.
    fn finish(&mut self, outcome: Outcome) {
        let end = ending::end_entry(&self.header, &outcome);
        self.append(&end);
        let moment = match outcome {
            Outcome::Terminal { .. } => Moment::Stop,
            Outcome::TurnLimit { .. }
            | Outcome::GameError { .. }
            | Outcome::Aborted { .. }
            | Outcome::Void { .. }
            | Outcome::Withheld { .. } => Moment::Abort,
        };
        self.send_all(moment);
        #[cfg(feature = "mutants")]
        self.leak_goals(&outcome);
        self.effects.extend(self.ledger.closing_lines().into_iter().map(Effect::Append));
        self.conclude(outcome);
    }

    fn conclude(&mut self, outcome: Outcome) {
        assert!(!matches!(self.phase, MatchPhase::Finished(_)), "a match ends twice");
        self.effects.push(Effect::Finish { outcome: outcome.clone() });
        self.phase = MatchPhase::Finished(outcome);
    }

    fn append(&mut self, entry: &Entry) {
        self.effects.push(Effect::Append(self.ledger.line(entry)));
    }

    /// Tells every player, in the order of the rules.
    fn send_all(&mut self, moment: Moment) {
        for (role, own) in self.own.iter() {
            self.effects.push(Effect::Send { role, message: message(&self.header, own, moment) });
        }
        #[cfg(feature = "mutants")]
        self.leak(moment);
    }

    fn arm_timer(&mut self, of: Request) {
        self.is_fresh = true;
        let at_ms = self.deadline_ms(of);
        self.effects.push(Effect::Signal(Timer { of, at_ms }));
    }

    /// When the time for a request is over that is sent now.
    fn deadline_ms(&self, of: Request) -> u64 {
        let clocks = self.header.clocks();
        self.now_ms.saturating_add(of.clock_ms(clocks) + clocks.grace_ms)
    }
}

fn play(
    game: &Game,
    state: &State,
    moves: ByRole<MoveId>,
    scratch: &mut Scratch,
) -> Result<(JointMove, Turn), GameError> {
    let joint_move = match game.joint_move(state, moves, scratch) {
        Ok(joint_move) => joint_move,
        Err(IllegalMove::Game(error)) => return Err(error),
        Err(error) => unreachable!("every move was taken from the legal ones: {error}"),
    };
    let turn = game.turn(state, &joint_move, scratch)?;
    Ok((joint_move, turn))
}

fn turn_entry(header: &Header, turn: u32, joint_move: &JointMove, result: &Turn) -> Entry {
    let game = header.game();
    let name = |role| header.role_name(role).to_owned();
    let moves = joint_move.moves().iter();
    let moves: BTreeMap<String, String> =
        moves.map(|(role, &id)| (name(role), game.move_text(id).as_ref().to_owned())).collect();
    let percepts = result.percepts.iter();
    let percepts = percepts
        .map(|(role, percepts)| (name(role), Digest::of_terms(&game.percept_terms(percepts))))
        .collect();
    let state = Digest::of_terms(&game.state_terms(&result.successor));
    Entry::Own(TurnLine::Turn { turn, moves, state, percepts })
}

/// A turn of one role in text.
pub(crate) fn own_turn(game: &Game, own_move: MoveId, percepts: &Percepts) -> OwnTurn {
    OwnTurn { own_move: game.move_text(own_move), percepts: game.percept_terms(percepts) }
}
