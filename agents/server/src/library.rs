//! The games of all matches: equal rules are kept and compiled once.

use std::{
    collections::VecDeque,
    panic::catch_unwind,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Instant,
};

use croupier_engine::{Game, Options};
use croupier_referee::Digest;
use dashmap::DashMap;
use thiserror::Error;
use tokio::sync::watch;

use crate::{
    no_move::NoMove,
    pool::{Pool, Urgency},
};

/// The rules of some matches, and their game once it is compiled.
///
/// No player computes with this game: each takes a fork of it, so no match can observe which terms another has encountered, and a
/// game that is kept for long does not grow.
#[derive(Debug)]
pub(crate) struct SharedGame {
    rules: Box<str>,
    digest: Digest,
    stage: watch::Sender<CompileStage>,
}

/// How far the compiling of a game has come.
#[derive(Clone, Debug)]
enum CompileStage {
    /// It is not compiled, or not any more.
    Text,
    /// A thread is at it, or will be.
    Asked,
    /// The game.
    Compiled(Arc<Game>),
    /// The rules give none.
    Refused,
}

/// All rules that open matches are played by.
#[derive(Debug)]
pub(crate) struct Library {
    games: DashMap<[u8; 32], Weak<SharedGame>>,
    /// Compiled games, the most recently used at the end.
    compiled: Arc<Mutex<VecDeque<Weak<SharedGame>>>>,
    compilers: Pool<Arc<SharedGame>>,
}

/// Maximum number of compiled games kept: others are compiled again when needed.
const COMPILED_MAX: usize = 16;

/// Texts of rules that are kept, in bytes.
const RULES_BYTES_MAX: usize = 64 << 20;

/// There is no room for more rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the rules of all matches use too much memory")]
pub(crate) struct NoRoom;

impl SharedGame {
    fn compile(&self) {
        // A panic of the compiler is our mistake; it costs these matches, and not the thread that the others need too.
        let rules: &str = &self.rules;
        let compiled = catch_unwind(|| Game::compile(rules, &Options::PLAY));
        self.stage.send_replace(match compiled {
            Ok(Ok(compiled)) => CompileStage::Compiled(Arc::new(compiled.game)),
            Ok(Err(_)) => CompileStage::Refused,
            Err(_) => {
                tracing::error!("the compiler panicked: these rules are refused");
                CompileStage::Refused
            }
        });
    }
}

impl Library {
    /// No games, and this many threads to compile them.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn new(threads: usize) -> std::io::Result<Self> {
        let library = Self { games: DashMap::new(), compiled: Arc::default(), compilers: Pool::new(threads) };
        let kept = Arc::clone(&library.compiled);
        library.compilers.start("compiler", move |game: Arc<SharedGame>| {
            game.compile();
            keep(&kept, &game);
        })?;
        Ok(library)
    }

    /// The game of these rules, which is kept as long as it is in use.
    ///
    /// # Errors
    /// [`NoRoom`] if the texts of all rules would be longer than may be.
    pub(crate) fn game(&self, rules: &str) -> Result<Arc<SharedGame>, NoRoom> {
        let digest = Digest::of(rules.as_bytes());
        if let Some(game) = self.find(digest) {
            return Ok(game);
        }
        self.games.retain(|_, game| game.strong_count() > 0);
        let kept = self.games.iter().filter_map(|game| game.upgrade());
        let bytes: usize = kept.map(|game| game.rules.len()).sum();
        if bytes + rules.len() > RULES_BYTES_MAX {
            return Err(NoRoom);
        }
        let (stage, _) = watch::channel(CompileStage::Text);
        let game = Arc::new(SharedGame { rules: rules.into(), digest, stage });
        self.games.insert(digest.0, Arc::downgrade(&game));
        Ok(game)
    }

    fn find(&self, digest: Digest) -> Option<Arc<SharedGame>> {
        self.games.get(&digest.0).and_then(|game| game.upgrade())
    }

    /// The compiled game, by deadline; those with the nearest deadline are compiled first.
    ///
    /// # Errors
    /// [`NoMove`]: why there is none.
    pub(crate) async fn compiled(
        &self,
        shared: &Arc<SharedGame>,
        deadline: Instant,
    ) -> Result<Arc<Game>, NoMove> {
        let mut stages = shared.stage.subscribe();
        loop {
            let must_ask = shared.stage.send_if_modified(|stage| {
                let is_text = matches!(stage, CompileStage::Text);
                if is_text {
                    *stage = CompileStage::Asked;
                }
                is_text
            });
            if must_ask {
                self.compilers.push(Arc::clone(shared), Urgency::Needed, deadline);
            }
            let stage = stages.wait_for(|stage| !matches!(stage, CompileStage::Asked)).await;
            match stage.map(|stage| stage.clone()) {
                Ok(CompileStage::Compiled(game)) => {
                    keep(&self.compiled, shared);
                    return Ok(game);
                }
                Ok(CompileStage::Text | CompileStage::Asked) => {}
                Ok(CompileStage::Refused) | Err(_) => return Err(NoMove::RulesRefused),
            }
        }
    }

    /// Compiles no more.
    pub(crate) fn close(&self) {
        self.compilers.close();
    }
}

/// Records the use of a compiled game, and drops the least recently used one if there are too many.
fn keep(compiled: &Mutex<VecDeque<Weak<SharedGame>>>, game: &Arc<SharedGame>) {
    let mut compiled: MutexGuard<'_, _> = compiled.lock().unwrap_or_else(PoisonError::into_inner);
    compiled.retain(|kept| kept.upgrade().is_some_and(|kept| kept.digest != game.digest));
    compiled.push_back(Arc::downgrade(game));
    if compiled.len() > COMPILED_MAX
        && let Some(oldest) = compiled.pop_front().and_then(|oldest| oldest.upgrade())
    {
        oldest.stage.send_if_modified(|stage| {
            let is_compiled = matches!(stage, CompileStage::Compiled(_));
            if is_compiled {
                *stage = CompileStage::Text;
            }
            is_compiled
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock;

    fn rules(name: &str) -> String {
        format!(
            "(role {name}) (init (s 0)) (legal {name} a) (<= (next (s ?x)) (true (s ?x))) (<= terminal (true (s 1)))
            (goal {name} 50)"
        )
    }

    fn is_compiled(game: &SharedGame) -> bool {
        matches!(*game.stage.borrow(), CompileStage::Compiled(_))
    }

    fn compiled(library: &Library, game: &Arc<SharedGame>) -> Result<Arc<Game>, NoMove> {
        let deadline = clock::now() + Duration::from_secs(60);
        actix_rt::System::new().block_on(library.compiled(game, deadline))
    }

    #[test]
    fn equal_rules_are_compiled_once_and_forgotten_with_their_last_match() {
        let library = Library::new(2).unwrap();
        let (one, other) = (library.game(&rules("r")).unwrap(), library.game(&rules("r")).unwrap());
        assert!(Arc::ptr_eq(&one, &other));
        let game = compiled(&library, &one).unwrap();
        assert!(Arc::ptr_eq(&game, &compiled(&library, &other).unwrap()));
        assert!(!Arc::ptr_eq(&one, &library.game(&rules("q")).unwrap()));
        let weak = Arc::downgrade(&one);
        drop((one, other));
        // The thread that compiled it may be about to let go of it.
        let begun = clock::now();
        while weak.strong_count() > 0 {
            assert!(begun.elapsed() < Duration::from_secs(60), "somebody keeps it");
        }
        library.game(&rules("p")).unwrap();
        assert_eq!(library.games.len(), 1);
    }

    #[test]
    fn rules_that_give_no_game_are_refused_each_time() {
        let library = Library::new(1).unwrap();
        let game = library.game("(role r) (<= (p ?x) (not (q ?y)))").unwrap();
        for _ in 0..2 {
            assert_eq!(compiled(&library, &game).unwrap_err(), NoMove::RulesRefused);
        }
    }

    #[test]
    fn of_many_games_those_that_were_asked_for_last_stay_compiled() {
        let library = Library::new(1).unwrap();
        let games: Vec<_> =
            (0..=COMPILED_MAX).map(|number| library.game(&rules(&format!("r{number}"))).unwrap()).collect();
        for game in &games[..COMPILED_MAX] {
            compiled(&library, game).unwrap();
        }
        compiled(&library, &games[0]).unwrap();
        compiled(&library, &games[COMPILED_MAX]).unwrap();
        let kept: Vec<bool> = games.iter().map(|game| is_compiled(game)).collect();
        assert!(kept[0] && !kept[1] && kept[2..].iter().all(|&kept| kept), "{kept:?}");
        assert!(compiled(&library, &games[1]).is_ok(), "it is compiled again");
    }

    #[test]
    fn the_text_of_all_rules_is_bounded() {
        let library = Library::new(1).unwrap();
        let long = |name: &str| format!("{}; {}", rules(name), "x".repeat(RULES_BYTES_MAX / 4));
        let kept: Vec<_> = ["a", "b", "c"].map(|name| library.game(&long(name)).unwrap()).into();
        assert_eq!(library.game(&long("d")).err(), Some(NoRoom));
        assert!(library.game(&long("a")).is_ok(), "it is there already");
        drop(kept);
        assert!(library.game(&long("d")).is_ok());
    }
}
