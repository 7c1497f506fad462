//! What those who watch a match of a session are told, and when: frames like those of a seat, for the watcher of
//! [`PublicSight`], whose percepts are what all players are told alike.
//!
//! They are made of the frames of one player, whoever that is: from those of any other they would be the same. They are made beside the
//! match, which waits for nobody who watches.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_engine::{Limits, PublicSight, SightError};
use dashmap::DashMap;
use serde_json::{Value, json};
use tokio::{runtime::Handle, sync::watch};

use super::screen::rules_of;
use crate::{board::View, clock, session::EarlierFrames, setup::Spectators};

/// What those who watch see of matches that run: worked out once for each match, however many pages and programs follow it.
#[derive(Debug, Default)]
pub(crate) struct WatchedTables(DashMap<String, Arc<watch::Sender<View>>>);

impl WatchedTables {
    /// Follows what watchers may see of a match as `policy` says, until it is over. `board` has the frames of one of its players.
    pub(crate) fn follow(
        self: &Arc<Self>,
        runtime: &Handle,
        match_id: &str,
        board: watch::Receiver<View>,
        policy: Spectators,
    ) -> watch::Receiver<View> {
        let begin = || {
            let shown = Arc::new(watch::Sender::new(View::default()));
            let (tables, id, sender) = (Arc::clone(self), match_id.to_owned(), Arc::clone(&shown));
            runtime.spawn(async move {
                tables.show(&id, board, &sender, policy).await;
                tables.0.remove_if(&id, |_, shown| Arc::ptr_eq(shown, &sender));
            });
            shown
        };
        // Whoever comes while the entry is held is counted before it can be forgotten.
        self.0.entry(match_id.to_owned()).or_insert_with(begin).subscribe()
    }

    /// Whether nobody follows a match any more; then it is forgotten, and whoever comes next begins anew.
    fn is_left(&self, match_id: &str, sender: &Arc<watch::Sender<View>>) -> bool {
        let is_same = |shown: &Arc<watch::Sender<View>>| Arc::ptr_eq(shown, sender);
        self.0.remove_if(match_id, |_, shown| is_same(shown) && shown.receiver_count() == 0).is_some()
    }

    /// Shows what watchers may see, until the match is over or nobody watches.
    async fn show(
        &self,
        match_id: &str,
        mut board: watch::Receiver<View>,
        shown: &Arc<watch::Sender<View>>,
        policy: Spectators,
    ) {
        let mut watched = WatchedFrames { policy, ..WatchedFrames::default() };
        loop {
            let (view, now) = (board.borrow_and_update().clone(), clock::now());
            watched.take(&view, now);
            let (count, due) = watched.due(&view, now);
            shown.send_if_modified(|told| {
                let is_last = (view.is_over && count == watched.frames.len(), view.is_interrupted);
                let is_news = told.frames.len() < count || (told.is_over, told.is_interrupted) != is_last;
                told.frames
                    .extend_from_slice(watched.frames.get(told.frames.len()..count).unwrap_or_default());
                (told.is_over, told.is_interrupted) = is_last;
                is_news
            });
            if view.is_over || view.is_interrupted {
                return;
            }
            let later = async {
                match due {
                    Some(due) => tokio::time::sleep_until(due.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                changed = board.changed() => if changed.is_err() { return },
                () = later => {}
                () = shown.closed() => if self.is_left(match_id, shown) { return },
            }
        }
    }
}

/// What watchers may see of a match that is over; nothing if they may not.
pub(crate) fn of_earlier(told: &EarlierFrames, policy: Spectators) -> Option<EarlierFrames> {
    if policy == Spectators::Sealed {
        return None;
    }
    let sight = WatcherSight::of(&told.frames);
    let frames: Vec<Arc<str>> = told.frames.iter().filter_map(|frame| sight.frame(frame)).collect();
    let role = sight.role().unwrap_or(&told.role).to_owned();
    Some(EarlierFrames { match_id: told.match_id.clone(), role, frames: frames.into() })
}

/// The frames for watchers, and when each came.
#[derive(Debug)]
struct WatchedFrames {
    policy: Spectators,
    sight: Option<WatcherSight>,
    /// Frames of the player that were read.
    read: usize,
    frames: Vec<Arc<str>>,
    came: Vec<Instant>,
}

impl Default for WatchedFrames {
    fn default() -> Self {
        Self { policy: Spectators::Sealed, sight: None, read: 0, frames: Vec::new(), came: Vec::new() }
    }
}

impl WatchedFrames {
    fn take(&mut self, view: &View, now: Instant) {
        for frame in view.after(self.read) {
            let sight = self.sight.get_or_insert_with(|| WatcherSight::of(&view.frames));
            self.frames.extend(sight.frame(frame));
            self.came.resize(self.frames.len(), now);
        }
        self.read = view.frames.len();
    }

    /// How many frames may be shown now, and when there may be more although none comes.
    fn due(&self, view: &View, now: Instant) -> (usize, Option<Instant>) {
        let all = self.frames.len();
        match self.policy {
            Spectators::Sealed => (0, None),
            Spectators::Open => (all, None),
            _ if view.is_over => (all, None),
            Spectators::AfterHand => (0, None),
            Spectators::Delayed { turns, seconds } => {
                let delay = Duration::from_secs(seconds.into());
                let played = all.saturating_sub(turns as usize);
                let old = self.came.iter().take(played).take_while(|&&came| came + delay <= now).count();
                (old, self.came.get(old).filter(|_| old < played).map(|&came| came + delay))
            }
        }
    }
}

/// What watchers see of the frames of a match.
#[derive(Debug)]
enum WatcherSight {
    /// All that there is: everybody is told every move.
    All,
    /// What all players are told alike, with the rules that say so.
    Public(Box<PublicSight>),
    /// Nothing: what is public is not known.
    Nothing,
}

impl WatcherSight {
    fn of(frames: &[Arc<str>]) -> Self {
        let rules = rules_of(frames).unwrap_or_default();
        match PublicSight::of(&rules, &Limits::STANDARD) {
            Ok(sight) => Self::Public(Box::new(sight)),
            Err(SightError::NothingIsHidden) => Self::All,
            Err(SightError::NotUnderstood) => Self::Nothing,
        }
    }

    fn role(&self) -> Option<&str> {
        match self {
            Self::All | Self::Nothing => None,
            Self::Public(sight) => Some(sight.watcher()),
        }
    }

    /// A frame of a player as those who watch get it; `None` if it is of no concern to them. Nothing is in it but what is put there: what
    /// a frame may have besides stays with the player.
    fn frame(&self, frame: &Arc<str>) -> Option<Arc<str>> {
        let sight = match self {
            Self::All => return Some(Arc::clone(frame)),
            Self::Nothing => return None,
            Self::Public(sight) => sight,
        };
        let told: Value = serde_json::from_str(frame).ok()?;
        let kind = told["type"].as_str()?;
        let public = match kind {
            "start" => json!({ "type": kind, "role": sight.watcher(), "rules": sight.rules() }),
            "play" | "stop" => {
                let percepts = told["percepts"].as_array().into_iter().flatten().filter_map(Value::as_str);
                let percepts: Vec<&str> = percepts.collect();
                let played = told["last_move"].as_str().map(|_| "noop");
                json!({ "type": kind, "last_move": played, "percepts": sight.told(&percepts) })
            }
            "abort" => json!({ "type": kind }),
            _ => return None,
        };
        Some(public.to_string().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of both players of Kuhn's poker after the deal and a bet, and the last one too.
    fn frames(own: [&str; 2]) -> Vec<Arc<str>> {
        let rules = croupier_games::find("kuhn").unwrap().rules;
        let play = |kind: &str, last: Option<&str>, percepts: &[&str]| -> Arc<str> {
            json!({ "type": kind, "turn": 1, "last_move": last, "percepts": percepts }).to_string().into()
        };
        vec![
            json!({ "type": "start", "role": own[0], "rules": rules }).to_string().into(),
            play("play", None, &[]),
            play("play", Some("noop"), &[own[1]]),
            play("play", Some("noop"), &[]),
            play("play", Some(if own[0] == "alice" { "bet" } else { "noop" }), &["(did alice bet)"]),
            play("stop", Some(if own[0] == "bob" { "call" } else { "noop" }), &["(did bob call)"]),
        ]
    }

    fn watched(frames: &[Arc<str>]) -> Vec<Arc<str>> {
        let sight = WatcherSight::of(frames);
        frames.iter().filter_map(|frame| sight.frame(frame)).collect()
    }

    #[test]
    fn watchers_get_the_same_bytes_whichever_player_they_are_made_of_and_whatever_it_holds() {
        let of_alice = watched(&frames(["alice", "(hole king)"]));
        assert_eq!(of_alice, watched(&frames(["bob", "(dealt alice)"])));
        assert_eq!(of_alice, watched(&frames(["alice", "(hole jack)"])));
        let text = of_alice[1..].concat();
        assert!(
            text.contains("(did alice bet)") && !text.contains("hole") && !text.contains("king"),
            "{text}"
        );
    }

    #[test]
    fn a_match_is_worked_out_once_for_all_who_watch_and_forgotten_when_nobody_does() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let board = watch::Sender::new(View::default());
            let show = |frames: &[Arc<str>], is_over| {
                board.send_replace(View { frames: frames.to_vec(), is_over, is_interrupted: false });
            };
            let tables = Arc::new(WatchedTables::default());
            let follow = || tables.follow(&Handle::current(), "m", board.subscribe(), Spectators::Open);
            let (mut first, second) = (follow(), follow());
            assert!(first.same_channel(&second));
            let all = frames(["alice", "(hole king)"]);
            show(&all[..3], false);
            first.wait_for(|view| view.frames.len() == 3).await.unwrap();
            drop((first, second));
            while !tables.0.is_empty() {
                tokio::task::yield_now().await;
            }
            // Whoever comes later has all of it.
            let mut third = follow();
            show(&all, true);
            let last = third.wait_for(|view| view.is_over).await.unwrap().clone();
            assert_eq!(last.frames, watched(&all));
            while !tables.0.is_empty() {
                tokio::task::yield_now().await;
            }
        });
    }

    #[test]
    fn of_rules_that_are_not_understood_nothing_is_public() {
        let start: Arc<str> =
            json!({ "type": "start", "role": "ann", "rules": "(<= (role ?p) (p ?p)) (sees ann x)" })
                .to_string()
                .into();
        let told: Arc<str> =
            json!({ "type": "play", "last_move": "a", "percepts": ["x"] }).to_string().into();
        assert_eq!(watched(&[start, told]), Vec::<Arc<str>>::new());
    }

    #[test]
    fn what_is_shown_later_is_shown_after_so_many_turns_and_so_much_time() {
        let all = frames(["alice", "(hole king)"]);
        let begun = clock::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let shown = |policy, count: usize, seconds| {
            let mut watched = WatchedFrames { policy, ..WatchedFrames::default() };
            let view = |count: usize| View {
                frames: all[..count].to_vec(),
                is_over: count == all.len(),
                is_interrupted: false,
            };
            for read in 1..=count {
                watched.take(&view(read), at(read as u64));
            }
            watched.due(&view(count), at(seconds))
        };
        assert_eq!(shown(Spectators::Open, 4, 4), (4, None));
        assert_eq!(shown(Spectators::Sealed, 6, 60), (0, None));
        assert_eq!(
            (shown(Spectators::AfterHand, 5, 60), shown(Spectators::AfterHand, 6, 6)),
            ((0, None), (6, None))
        );
        let delayed = Spectators::Delayed { turns: 2, seconds: 10 };
        assert_eq!(shown(delayed, 4, 5), (0, Some(at(11))));
        assert_eq!(shown(delayed, 4, 11), (1, Some(at(12))));
        assert_eq!(shown(delayed, 4, 60), (2, None), "the turns are waited for besides");
        assert_eq!(shown(delayed, 6, 6), (6, None), "what is over is for everybody");
    }
}
