//! The screens of the seats of matches that run: each is worked out once, however many pages show it, and no move waits for it.

use std::{sync::Arc, time::Duration};

use croupier_games::GameFacts;
use dashmap::DashMap;
use tokio::{
    sync::{Semaphore, watch},
    task::{JoinError, spawn_blocking},
    time::timeout,
};

use super::screen::{HandScreen, ScreenReader, ScreenStep, rules_of};
use crate::{
    problem::{Problem, ProblemCode, Result},
    referee::Referee,
    session::{OwnFrames, Place},
};

/// Screens that are worked out at once.
const AT_ONCE: usize = 2;

/// If it takes longer to work out what a seat knows, its page shows the words first.
const PATIENCE: Duration = Duration::from_millis(40);

/// The screens of the seats of matches that run.
#[derive(Debug)]
pub(crate) struct Screens {
    /// By match and place.
    running: DashMap<(String, Place), watch::Receiver<Arc<HandScreen>>>,
    room: Arc<Semaphore>,
}

impl Default for Screens {
    fn default() -> Self {
        Self { running: DashMap::new(), room: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Screens {
    /// The screen of a seat, whose guest has shown its key to get these frames. `facts` has the names of the people.
    pub(super) fn follow(
        self: &Arc<Self>,
        referee: &Arc<Referee>,
        own: OwnFrames,
        place: Place,
        facts: Arc<GameFacts>,
    ) -> watch::Receiver<Arc<HandScreen>> {
        let key = (own.match_id.clone(), place);
        let entry = self.running.entry(key.clone());
        let new = entry.or_insert_with(|| {
            let (sender, receiver) = watch::channel(Arc::default());
            let (screens, referee) = (Arc::clone(self), Arc::clone(referee));
            referee.runtime.clone().spawn(async move {
                if let Err(problem) = screens.draw(&referee, own, facts, &sender).await {
                    tracing::warn!(%problem, "a seat cannot be drawn");
                }
                screens.running.remove(&key);
            });
            receiver
        });
        new.clone()
    }

    /// Works a screen out, frame after frame, until the match is over or nobody is there to see it.
    async fn draw(
        &self,
        referee: &Arc<Referee>,
        mut own: OwnFrames,
        facts: Arc<GameFacts>,
        shown: &watch::Sender<Arc<HandScreen>>,
    ) -> Result<()> {
        let mut reader: Option<ScreenReader> = None;
        let mut seen = 0;
        loop {
            let is_news = |view: &crate::board::View| {
                view.frames.len() > seen || view.is_over || view.is_interrupted
            };
            let view = tokio::select! {
                view = own.frames.wait_for(is_news) => match view {
                    Ok(view) => view.clone(),
                    Err(_) => return Ok(()),
                },
                () = shown.closed() => return Ok(()),
            };
            if view.frames.len() == seen {
                return Ok(());
            }
            seen = view.frames.len();
            let reading = match reader.take() {
                Some(reader) => reader,
                None => {
                    let rules = rules_of(&view.frames).ok_or(ProblemCode::Internal)?;
                    let game = referee.game(rules).await?;
                    ScreenReader::new(&game, Arc::clone(&facts), own.role, referee.agents())
                }
            };
            let words = reading.words_first(&view.frames);
            let mut work = Box::pin(self.read(reading, view.frames.clone()));
            let read = match timeout(PATIENCE, &mut work).await {
                Ok(read) => read,
                Err(_) => {
                    shown.send_replace(Arc::new(words));
                    work.await
                }
            };
            let read = read.map_err(|_| ProblemCode::Internal)?;
            shown.send_replace(Arc::new(read.screen()));
            reader = Some(read);
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

    /// The screen of a seat in a match that is over, and its turns one by one.
    ///
    /// # Errors
    /// [`Problem`] if the frames are not those of a match.
    pub(super) async fn past(
        &self,
        referee: &Arc<Referee>,
        frames: Vec<Arc<str>>,
        facts: Arc<GameFacts>,
    ) -> Result<(HandScreen, Vec<ScreenStep>)> {
        let rules = rules_of(&frames).ok_or_else(Problem::lost)?;
        let game = referee.game(rules).await?;
        let role = super::screen::role_of(&frames).and_then(|name| game.roles().find(&name));
        let role = role.ok_or_else(Problem::lost)?;
        let reader = ScreenReader::new(&game, facts, role, referee.agents());
        let reader = self.read(reader, frames).await.map_err(|_| ProblemCode::Internal)?;
        Ok((reader.screen(), reader.into_steps()))
    }
}
