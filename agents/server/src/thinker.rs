//! The thread of a match: compiles the rules, keeps what the role was told, chooses moves.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::Receiver,
    },
    time::{Duration, Instant},
};

use croupier_engine::{Game, InformationSet, Options};
use croupier_players::{Budget, FirstLegalPlayer, Player, PlayerError, PlayerKind};
use croupier_referee::protocol::{Notation, Told};
use tokio::sync::watch;

use crate::{
    answer::{Book, Progress},
    clock,
    repair::{MISSING_TURNS_MAX, fill_in},
    told::{Evidence, evidence},
};

/// What a match is played with.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) kind: PlayerKind,
    pub(crate) seed: [u8; 32],
    pub(crate) rules: String,
    pub(crate) role: String,
    pub(crate) notation: Notation,
    pub(crate) play_clock: Duration,
}

/// One turn to be thought about.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) turn: u32,
    /// Whether the dialect says which turn it is; else it is counted.
    pub(crate) is_numbered: bool,
    /// What the message says of the turn before; `None` in the first.
    pub(crate) told: Option<Told>,
    pub(crate) received: Instant,
    pub(crate) progress: watch::Sender<Progress>,
}

/// What a thread shares with those who ask it.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) book: Mutex<Book>,
    /// Set when nobody is interested any more.
    pub(crate) is_over: AtomicBool,
}

impl Shared {
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// The book; a thread that panicked while it had it cannot have left it half written.
    pub(crate) fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The work of a match's thread, until there are no turns any more or the match is over.
pub(crate) fn think(task: &Task, shared: &Shared, ready: &watch::Sender<Progress>, turns: &Receiver<Turn>) {
    // A panic of a player ends this match and no other; who waits hears of it by the closed channel.
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut thinker = match Thinker::new(task, shared) {
            Ok(thinker) => thinker,
            Err(code) => {
                tracing::warn!(code, "the match cannot be played");
                ready.send_replace(Progress::Failed(code));
                return;
            }
        };
        ready.send_replace(Progress::Done(croupier_referee::protocol::READY.into()));
        for turn in turns {
            if shared.is_over() {
                return;
            }
            thinker.answer(&turn);
        }
    }));
    if result.is_err() {
        tracing::error!("the player panicked: its match is lost");
    }
}

struct Thinker<'t> {
    task: &'t Task,
    shared: &'t Shared,
    game: Arc<Game>,
    known: InformationSet,
    /// The turn whose message was taken in last.
    learned: u32,
    player: Box<dyn Player>,
    /// What is played if the player does not come to an end.
    simple: FirstLegalPlayer,
}

impl<'t> Thinker<'t> {
    fn new(task: &'t Task, shared: &'t Shared) -> Result<Self, &'static str> {
        let compiled = Game::compile(&task.rules, &Options::PLAY).map_err(|_| "rules-refused")?;
        let game = Arc::new(compiled.game);
        let role = game.roles().find(&task.role).ok_or("unknown-role")?;
        let unplayable = |_: PlayerError| "unplayable-role";
        let player = task.kind.player(Arc::clone(&game), role, task.seed).map_err(unplayable)?;
        let simple = FirstLegalPlayer::new(Arc::clone(&game), role, task.seed).map_err(unplayable)?;
        Ok(Self { task, shared, known: InformationSet::initial(role), learned: 0, game, player, simple })
    }

    fn answer(&mut self, turn: &Turn) {
        let progress = match self.choose(turn) {
            Ok(text) => Progress::Done(text),
            Err(code) => {
                tracing::warn!(code, turn = turn.turn, "no move was found");
                let legal = match &*turn.progress.borrow() {
                    Progress::Legal(legal) => Some(Arc::clone(legal)),
                    Progress::Nothing | Progress::Done(_) | Progress::Failed(_) => None,
                };
                legal.map_or(Progress::Failed(code), Progress::Done)
            }
        };
        turn.progress.send_replace(progress);
    }

    fn choose(&mut self, turn: &Turn) -> Result<Arc<str>, &'static str> {
        let margin = self.shared.book().margin().of_thinking(self.task.play_clock);
        let deadline = turn.received + self.task.play_clock.saturating_sub(margin);
        let is_over = || self.shared.is_over() || clock::now() >= deadline;

        let since = self.evidence(turn)?;
        let mut known = self.known.clone();
        let is_complete = since.likely.iter().all(|turn| turn.own_move.is_some() && turn.percepts.is_some());
        if is_complete {
            known.turns.extend(
                since.likely.iter().filter_map(|turn| Some((turn.own_move?, turn.percepts.clone()?))),
            );
        }
        let legal =
            if is_complete { self.simple.choose(&known, &mut Budget::Own) } else { Err(unknown(turn.turn)) };
        let legal = match legal {
            Ok(decision) => decision.chosen,
            // What was told does not fit together: a message was missed, or another move was played than was sent.
            Err(PlayerError::Belief(_)) => {
                tracing::info!(
                    turn = turn.turn,
                    "messages were missed: filling in what agrees with the others"
                );
                known = self.repaired(since, turn.is_numbered, &is_over).ok_or("inconsistent-messages")?;
                self.simple.choose(&known, &mut Budget::Own).map_err(|error| code(&error))?.chosen
            }
            Err(error) => return Err(code(&error)),
        };
        self.learned = turn.turn;
        self.known = known;
        turn.progress.send_replace(Progress::Legal(self.text(legal)));

        let mut stop = is_over;
        let decision = self.player.choose(&self.known, &mut Budget::Until(&mut stop));
        let overrun = clock::now().saturating_duration_since(deadline);
        self.shared.book().margin_mut().note_overrun(overrun);
        decision.map(|decision| self.text(decision.chosen)).map_err(|error| code(&error))
    }

    fn text(&self, chosen: croupier_engine::MoveId) -> Arc<str> {
        self.task.notation.print_term(&self.game.move_text(chosen), self.game.limits()).into()
    }

    /// The turns since the last message, those that were missed included.
    fn evidence(&self, turn: &Turn) -> Result<Since, &'static str> {
        let passed = turn.turn.checked_sub(self.learned).ok_or("earlier-turn")?;
        if passed == 0 {
            return Ok(Since { likely: Vec::new(), sure: Vec::new() });
        }
        let told = turn.told.as_ref().ok_or("nothing-told")?;
        if passed as usize > MISSING_TURNS_MAX + 1 {
            return Err("too-many-missed");
        }
        let told = evidence(&self.game, self.known.role, told).map_err(|_| "unfit-message")?;
        if let Some((executed, sent)) = told.own_move.zip(self.sent(turn.turn - 1))
            && executed != sent
        {
            tracing::warn!(
                turn = turn.turn - 1,
                "the referee played another move: the reply was late or not taken"
            );
            self.shared.book().margin_mut().note_late();
        }
        let mut sure = vec![Evidence::missing(); passed as usize - 1];
        sure.push(told);
        let as_sent = |(of, turn): (u32, &Evidence)| Evidence {
            own_move: turn.own_move.or_else(|| self.sent(of)),
            percepts: turn.percepts.clone(),
        };
        Ok(Since { likely: (self.learned..).zip(&sure).map(as_sent).collect(), sure })
    }

    /// The move that was sent in a turn.
    fn sent(&self, turn: u32) -> Option<croupier_engine::MoveId> {
        let text = Arc::clone(self.shared.book().reply(turn)?);
        let canonical = self.task.notation.read_term(&text, self.game.limits())?;
        self.game.move_id(&canonical).ok()
    }

    /// What the role may know: with the moves that were sent; or with others; or, where turns are not numbered, with
    /// one turn more than there were messages.
    fn repaired(
        &self,
        since: Since,
        is_numbered: bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<InformationSet> {
        let Since { likely, sure } = since;
        let one_more: Vec<Evidence> = [Evidence::missing()].into_iter().chain(sure.iter().cloned()).collect();
        let mut attempts = vec![likely, sure];
        if !is_numbered && one_more.len() > 1 {
            attempts.push(one_more);
        }
        attempts.iter().find_map(|turns| fill_in(&self.game, &self.known, turns, is_over))
    }
}

/// The turns since the last message that was taken in.
struct Since {
    /// With the moves that were sent where no others are known.
    likely: Vec<Evidence>,
    /// What was told and nothing else.
    sure: Vec<Evidence>,
}

/// An error for what was not told, which is repaired like what was told wrongly.
fn unknown(turn: u32) -> PlayerError {
    PlayerError::Belief(croupier_belief::BeliefError::Inconsistent { turn: turn as usize })
}

/// A word for logs, which says nothing of the match.
fn code(error: &PlayerError) -> &'static str {
    match error {
        PlayerError::RandomRole | PlayerError::OtherRole => "wrong-role",
        PlayerError::NothingToPlay { .. } => "nothing-to-play",
        PlayerError::Belief(_) => "inconsistent-messages",
        PlayerError::PolicyMove { .. } => "bad-policy",
        PlayerError::Game(_) => "rules-fail",
    }
}
