//! The trainer's view of the seats of running matches, where the terms of a session allow it: worked out beside the match, from the frames
//! of the seat and nothing else. No screen and no move waits for it, and what is out of date is dropped. After a match, the review of the
//! decisions of a seat, which is worked out when somebody asks for it.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use croupier_engine::Game;
use croupier_games::{GameFacts, SeatBelief, SeatReview};
use croupier_pages::Markup;
use croupier_picture::{ReviewView, TrainerView};
use croupier_referee::{FluentWords, SeatTrainer};
use tokio::{
    sync::{Semaphore, watch},
    task::spawn_blocking,
    time::timeout,
};

use super::{
    followed::FollowedValues,
    screen::{HandScreen, ToldFrame, role_of, rules_of},
    screens::{SeatFrames, own_game},
};
use crate::{
    problem::{Problem, ProblemCode, Result},
    referee::Referee,
    session::{EarlierFrames, Place},
};

/// Views that are worked out at once: they may take all of a processor for a second.
const AT_ONCE: usize = 1;

/// How long a review may take: what is not known by then is not shown.
const REVIEW_MAX: Duration = Duration::from_secs(30);

/// Reviews that are kept.
const REVIEWS_MAX: usize = 64;

/// The trainer's views of the seats of matches.
#[derive(Debug)]
pub(crate) struct SeatAdvice {
    /// By match and place, of matches that run.
    running: FollowedValues<(String, Place), Markup>,
    room: Arc<Semaphore>,
    /// Of matches that are over, the latest last. One is worked out at a time, apart from those of matches that run.
    reviews: Arc<tokio::sync::Mutex<VecDeque<PastReview>>>,
}

/// That somebody waits for a review: whoever goes away, or is told that it takes too long, lets go of it.
#[derive(Default)]
struct ReviewWish {
    is_over: Arc<AtomicBool>,
}

impl Drop for ReviewWish {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
    }
}

/// A review that was worked out, by match and role.
#[derive(Debug)]
struct PastReview {
    key: (String, String),
    markup: Markup,
}

impl Default for SeatAdvice {
    fn default() -> Self {
        Self {
            running: FollowedValues::default(),
            room: Arc::new(Semaphore::new(AT_ONCE)),
            reviews: Arc::default(),
        }
    }
}

/// A seat whose view is worked out.
#[derive(Debug)]
pub(super) struct AdvisedSeat {
    pub(super) frames: SeatFrames,
    pub(super) place: Place,
    /// With the names of the people who play.
    pub(super) facts: Arc<GameFacts>,
    /// What the seat shows, which is worked out first.
    pub(super) screen: watch::Receiver<Arc<HandScreen>>,
}

impl SeatAdvice {
    /// The view of a seat, whose guest has shown its key to get these frames; empty while there is none.
    pub(super) fn follow(
        self: &Arc<Self>,
        referee: &Arc<Referee>,
        seat: AdvisedSeat,
    ) -> watch::Receiver<Arc<Markup>> {
        let key = (seat.frames.match_id.clone(), seat.place);
        self.running.follow(key.clone(), |sender| {
            let (advice, referee) = (Arc::clone(self), Arc::clone(referee));
            referee.runtime.clone().spawn(async move {
                if let Err(problem) = advice.work_out(&referee, seat, &sender).await {
                    tracing::warn!(%problem, "a trainer's view cannot be worked out");
                }
                advice.running.forget(&key, &sender);
            });
        })
    }

    /// What each decision gave up in a match that is over, of which these are the frames of the seat.
    ///
    /// # Errors
    /// [`Problem`] if the frames are not those of a match, or it takes too long.
    pub(super) async fn review(
        &self,
        referee: &Arc<Referee>,
        told: EarlierFrames,
        facts: Arc<GameFacts>,
    ) -> Result<Markup> {
        let EarlierFrames { match_id, role, frames } = told;
        let key = (match_id, role);
        let mut kept = self.reviews.lock().await;
        if let Some(known) = kept.iter().find(|review| review.key == key) {
            return Ok(known.markup.clone());
        }
        let rules = rules_of(&frames).ok_or_else(Problem::lost)?;
        let game = Arc::new(own_game(referee, rules).await?.fork());
        let place = game.roles().find(&key.1).ok_or_else(Problem::lost)?;
        let trainer = referee.agents().trainer(Arc::clone(&game), place);
        let mut reader = AdviceReader { game, role: key.1.clone(), facts, trainer, frames: 0 };
        let wanted = ReviewWish::default();
        let is_unwanted = Arc::clone(&wanted.is_over);
        let work = spawn_blocking(move || {
            reader.take(&frames)?;
            reader.review(&mut || is_unwanted.load(Relaxed))
        });
        let markup = timeout(REVIEW_MAX, work).await.ok().transpose().map_err(|_| ProblemCode::Internal)?;
        let markup = markup.flatten().map(Markup::trusted);
        let markup =
            markup.ok_or_else(|| ProblemCode::Held.because("the decisions could not be reviewed in time"))?;
        kept.push_back(PastReview { key, markup: markup.clone() });
        if kept.len() > REVIEWS_MAX {
            kept.pop_front();
        }
        Ok(markup)
    }

    /// Works the view out whenever the screen is new, until the match is over or nobody is there to see it.
    async fn work_out(
        &self,
        referee: &Arc<Referee>,
        mut seat: AdvisedSeat,
        shown: &watch::Sender<Arc<Markup>>,
    ) -> Result<()> {
        let mut reader: Option<AdviceReader> = None;
        let mut seen = 0;
        let key = (seat.frames.match_id.clone(), seat.place);
        while self.running.is_wanted(&key, shown) {
            let Ok(screen) =
                seat.screen.wait_for(|screen| screen.frames > seen).await.map(|screen| Arc::clone(&screen))
            else {
                return Ok(());
            };
            seen = screen.frames;
            let frames: Vec<Arc<str>> =
                seat.frames.frames.borrow().frames.iter().take(seen).cloned().collect();
            let mut reading = match reader.take() {
                Some(reading) => reading,
                None => {
                    let rules = rules_of(&frames).ok_or(ProblemCode::Internal)?;
                    let game = Arc::new(own_game(referee, rules).await?.fork());
                    let role = role_of(&frames).ok_or(ProblemCode::Internal)?;
                    let own = game.roles().find(&role).ok_or(ProblemCode::Internal)?;
                    let trainer = referee.agents().trainer(Arc::clone(&game), own);
                    AdviceReader { game, role, facts: Arc::clone(&seat.facts), trainer, frames: 0 }
                }
            };
            // Never closed: without room it is worked out all the same.
            let room = Arc::clone(&self.room).acquire_owned().await;
            let is_over = screen.is_over;
            let newer = seat.screen.clone();
            let work = spawn_blocking(move || {
                let _room = room;
                let markup = reading.read(&frames, &screen, &mut || newer.borrow().frames > seen);
                (reading, markup)
            });
            let (read, markup) = work.await.map_err(|_| ProblemCode::Internal)?;
            if let Some(markup) = markup {
                shown.send_replace(Arc::new(markup));
            }
            reader = Some(read);
            if is_over {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Reads the frames of a seat for its trainer.
struct AdviceReader {
    game: Arc<Game>,
    role: String,
    facts: Arc<GameFacts>,
    trainer: Box<dyn SeatTrainer>,
    /// Frames that were read.
    frames: usize,
}

impl AdviceReader {
    /// The view after these frames; `None` if there is none, or `is_stale` says that nobody wants it any more.
    fn read(
        &mut self,
        frames: &[Arc<str>],
        screen: &HandScreen,
        is_stale: &mut (dyn FnMut() -> bool + Send),
    ) -> Option<Markup> {
        self.take(frames)?;
        let markup = match screen.is_over {
            true => self.review(is_stale),
            false => self.belief(screen, is_stale),
        };
        markup.map(Markup::trusted)
    }

    /// Takes in the frames that are new; `None` if they are not of the game.
    fn take(&mut self, frames: &[Arc<str>]) -> Option<()> {
        for frame in frames.get(self.frames..).unwrap_or_default() {
            self.frames += 1;
            let Some(ToldFrame { own_move: Some(own_move), percepts, .. }) = ToldFrame::read(frame) else {
                continue;
            };
            let percepts: Vec<&str> = percepts.iter().map(String::as_str).collect();
            self.trainer.take(&own_move, &percepts).ok()?;
        }
        Some(())
    }

    fn belief(&mut self, screen: &HandScreen, is_over: &mut (dyn FnMut() -> bool + Send)) -> Option<String> {
        let facts = &self.facts;
        let words = FluentWords {
            look: &|fluent| facts.look(fluent),
            holder: &|fluent| facts.holder_of(fluent),
            tells: &|fluent| facts.tells(fluent),
        };
        let belief = self.trainer.belief(&words, is_over).ok()?;
        let belief: SeatBelief = serde_json::from_str(&belief).ok()?;
        let roles = self.game.roles();
        let players: Vec<&str> = roles.players().map(|role| roles.name(role)).collect();
        let view = TrainerView::of(facts, &screen.scene, &players, &self.role, &belief);
        // A game that hides nothing has nothing to tell.
        (!view.is_certain()).then(|| view.html())
    }

    fn review(&mut self, is_over: &mut (dyn FnMut() -> bool + Send)) -> Option<String> {
        let review = self.trainer.review(is_over).ok()?;
        let review: SeatReview = serde_json::from_str(&review).ok()?;
        Some(ReviewView::of(&self.facts, &review).html())
    }
}
