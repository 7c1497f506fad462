//! The screens of the seats of matches that run: each is worked out once, however many pages show it, and no move waits for it.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use croupier_engine::Game;
use croupier_games::GameFacts;
use tokio::{
    sync::{Semaphore, watch},
    task::{JoinError, spawn_blocking},
    time::timeout,
};

use super::{
    followed::FollowedValues,
    screen::{HandScreen, Onlooker, ScreenReader, ScreenStep},
    seat_reader::SeatReader,
    timed_screen::TimedScreenReader,
    watched::WatchedTables,
};
use crate::{
    board::View,
    clock,
    problem::{ProblemCode, Result},
    realtime::GameClock,
    referee::Referee,
    session::{EarlierFrames, OwnFrames, Place, handle::PlayedHand},
    setup::Spectators,
    storing::until,
};

/// The frames that a screen is made of, and who looks at them.
#[derive(Clone, Debug)]
pub(super) struct SeatFrames {
    pub(super) match_id: String,
    /// What those who watch may see of the frames, if it is for them; otherwise they are for whoever sits there.
    policy: Option<Spectators>,
    pub(super) frames: watch::Receiver<View>,
    /// The clock of a real-time match, once it runs.
    pub(super) game_time: watch::Receiver<Option<GameClock>>,
}

impl From<OwnFrames> for SeatFrames {
    fn from(own: OwnFrames) -> Self {
        Self { match_id: own.match_id, policy: None, frames: own.frames, game_time: own.game_time }
    }
}

impl SeatFrames {
    fn onlooker(&self) -> Onlooker {
        match self.policy {
            Some(_) => Onlooker::Watcher,
            None => Onlooker::Seat,
        }
    }

    /// The frames of a player, of which those who watch are shown what `policy` and the rules open to them.
    pub(super) fn for_watchers(hand: &PlayedHand, policy: Spectators) -> Option<Self> {
        let frames = hand.for_watchers()?;
        let game_time = hand.handle.game_time.clone();
        Some(Self { match_id: hand.id.clone(), policy: Some(policy), frames, game_time })
    }
}

/// What a screen is drawn of.
struct DrawnSeat<'k> {
    key: &'k ScreenKey,
    own: SeatFrames,
    /// With the names of the people who play.
    facts: Arc<GameFacts>,
}

/// Where a screen is shown, and for whom.
struct ScreenDrawing<'k> {
    key: &'k ScreenKey,
    shown: &'k watch::Sender<Arc<HandScreen>>,
}

/// A match and a place; those who watch have none.
type ScreenKey = (String, Option<Place>);

/// Screens that are worked out at once.
const AT_ONCE: usize = 2;

/// If it takes longer to work out what a seat knows, its page shows the words first.
const PATIENCE: Duration = Duration::from_millis(40);

/// A table that changes by itself is drawn again after this at the earliest.
const REDRAWN: Duration = Duration::from_millis(50);

/// The screens of the seats of matches that run.
#[derive(Debug)]
pub(crate) struct Screens {
    running: FollowedValues<ScreenKey, HandScreen>,
    /// What those who watch see of matches that run.
    pub(crate) watched: Arc<WatchedTables>,
    room: Arc<Semaphore>,
    /// The last ones of matches that are over, by match and role, the latest last: a replay asks for turn after turn.
    past: Mutex<VecDeque<PastMatch>>,
}

/// A match that is over as a seat saw it.
#[derive(Clone, Debug)]
struct PastMatch {
    key: (String, String, Onlooker),
    screen: HandScreen,
    steps: Arc<Vec<ScreenStep>>,
}

/// Matches that are over of which all turns are kept.
const PAST_MAX: usize = 32;

impl Default for Screens {
    fn default() -> Self {
        Self {
            running: FollowedValues::default(),
            watched: Arc::default(),
            room: Arc::new(Semaphore::new(AT_ONCE)),
            past: Mutex::default(),
        }
    }
}

impl Screens {
    /// The screen of a seat, whose guest has shown its key to get these frames, or that of those who watch. `facts` has the names of the people.
    pub(super) fn follow(
        self: &Arc<Self>,
        referee: &Arc<Referee>,
        own: SeatFrames,
        place: Option<Place>,
        facts: Arc<GameFacts>,
    ) -> watch::Receiver<Arc<HandScreen>> {
        let key = (own.match_id.clone(), place);
        self.running.follow(key.clone(), |sender| {
            let (screens, referee) = (Arc::clone(self), Arc::clone(referee));
            referee.runtime.clone().spawn(async move {
                let drawn = screens.draw_either(&referee, DrawnSeat { key: &key, own, facts }, &sender);
                if let Err(problem) = drawn.await {
                    tracing::warn!(%problem, "a seat cannot be drawn");
                }
                screens.running.forget(&key, &sender);
            });
        })
    }

    /// Works a screen out, of either kind of match, until the match is over or nobody is there to see it.
    async fn draw_either(
        &self,
        referee: &Arc<Referee>,
        mut seat: DrawnSeat<'_>,
        shown: &watch::Sender<Arc<HandScreen>>,
    ) -> Result<()> {
        if let Some(policy) = seat.own.policy {
            let (id, frames) = (&seat.own.match_id, seat.own.frames);
            seat.own.frames = self.watched.follow(&referee.runtime, id, frames, policy);
        }
        let has_begun = |view: &View| !view.frames.is_empty() || view.is_over || view.is_interrupted;
        let Ok(first) = seat.own.frames.wait_for(has_begun).await.map(|view| view.frames.clone()) else {
            return Ok(());
        };
        if first.is_empty() {
            return Ok(());
        }
        let DrawnSeat { key, own, facts } = seat;
        let drawing = ScreenDrawing { key, shown };
        match SeatReader::of(referee, &first, facts, own.onlooker()).await? {
            SeatReader::InTurns(reader) => self.draw(*reader, own, drawing).await,
            SeatReader::InRealTime(reader) => self.draw_in_time(*reader, own, drawing).await,
        }
    }

    /// The same for a real-time match: the table changes as time passes, too.
    async fn draw_in_time(
        &self,
        mut reader: TimedScreenReader,
        mut own: SeatFrames,
        ScreenDrawing { key, shown }: ScreenDrawing<'_>,
    ) -> Result<()> {
        loop {
            let view = own.frames.borrow_and_update().clone();
            let game_time = *own.game_time.borrow_and_update();
            let now_us = game_time.map_or(0, |time| time.now_us());
            let room = Arc::clone(&self.room).acquire_owned().await;
            let frames = view.frames.clone();
            let work = spawn_blocking(move || {
                let _room = room;
                reader.read(&frames, now_us);
                reader
            });
            reader = work.await.map_err(|_| ProblemCode::Internal)?;
            let screen = reader.screen();
            let next_us = screen.time.as_ref().and_then(|time| time.next_us);
            let next = game_time.zip(next_us).map(|(time, at_us)| time.instant(at_us));
            let next = next.map(|next| next.max(clock::after(REDRAWN)));
            shown.send_replace(Arc::new(screen));
            if view.is_over || view.is_interrupted || !self.running.is_wanted(key, shown) {
                return Ok(());
            }
            tokio::select! {
                changed = own.frames.changed() => if changed.is_err() { return Ok(()) },
                () = ticks(&mut own.game_time) => {}
                () = until(next) => {}
            }
        }
    }

    /// Works a screen out, frame after frame, until the match is over or nobody is there to see it.
    async fn draw(
        &self,
        mut reader: ScreenReader,
        own: SeatFrames,
        ScreenDrawing { key, shown }: ScreenDrawing<'_>,
    ) -> Result<()> {
        let (mut frames, mut seen) = (own.frames, 0);
        loop {
            let is_news = |view: &View| view.frames.len() > seen || view.is_over || view.is_interrupted;
            let Ok(view) = frames.wait_for(is_news).await.map(|view| view.clone()) else {
                return Ok(());
            };
            if view.frames.len() == seen || !self.running.is_wanted(key, shown) {
                return Ok(());
            }
            seen = view.frames.len();
            let words = reader.words_first(&view.frames);
            let mut work = Box::pin(self.read(reader, view.frames.clone()));
            let read = match timeout(PATIENCE, &mut work).await {
                Ok(read) => read,
                Err(_) => {
                    shown.send_replace(Arc::new(words));
                    work.await
                }
            };
            reader = read.map_err(|_| ProblemCode::Internal)?;
            shown.send_replace(Arc::new(reader.screen()));
        }
    }

    /// Reads frames on a thread that may take its time.
    async fn read(&self, mut reader: ScreenReader, frames: Vec<Arc<str>>) -> Result<ScreenReader, JoinError> {
        // Never closed: without room it is read all the same.
        let room = Arc::clone(&self.room).acquire_owned().await;
        spawn_blocking(move || {
            let _room = room;
            reader.read(&frames);
            reader
        })
        .await
    }

    /// The screen of a seat in a match that is over, and its turns one by one; `told` is of this seat, whose guest has shown its key to
    /// get it, or what those who watch may see.
    ///
    /// # Errors
    /// [`Problem`](crate::problem::Problem) if the frames are not those of a match.
    pub(super) async fn past(
        &self,
        referee: &Arc<Referee>,
        told: EarlierFrames,
        facts: Arc<GameFacts>,
        onlooker: Onlooker,
    ) -> Result<(HandScreen, Arc<Vec<ScreenStep>>)> {
        let key = (told.match_id, told.role, onlooker);
        if let Some(known) = self.kept().iter().find(|past| past.key == key) {
            return Ok((known.screen.clone(), Arc::clone(&known.steps)));
        }
        let reader = SeatReader::of(referee, &told.frames, facts, onlooker).await?;
        // Never closed: without room it is read all the same.
        let room = Arc::clone(&self.room).acquire_owned().await;
        let read = spawn_blocking(move || {
            let _room = room;
            reader.read_whole(&told.frames)
        });
        let (screen, steps) = read.await.map_err(|_| ProblemCode::Internal)?;
        let steps = Arc::new(steps);
        let mut kept = self.kept();
        kept.push_back(PastMatch { key, screen: screen.clone(), steps: Arc::clone(&steps) });
        if kept.len() > PAST_MAX {
            kept.pop_front();
        }
        Ok((screen, steps))
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<PastMatch>> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until game time begins; for ever if it will not begin again.
async fn ticks(game_time: &mut watch::Receiver<Option<GameClock>>) {
    if game_time.changed().await.is_err() {
        std::future::pending().await
    }
}

/// The game of some rules as players have it, which is not the referee's.
pub(super) async fn own_game(referee: &Arc<Referee>, rules: String) -> Result<Arc<Game>> {
    let context = Arc::clone(&referee.context);
    let compiled =
        spawn_blocking(move || context.library.game(&rules)).await.map_err(|_| ProblemCode::Internal)?;
    compiled.map_err(|error| ProblemCode::BadRules.because(error.to_string()))
}
