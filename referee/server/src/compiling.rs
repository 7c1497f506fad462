//! Rules from requests, checked and compiled once, within the budget of a check. The game waits on a shelf for the match that
//! is made of it.

use std::sync::Arc;

use croupier_engine::{
    CompileError, Diagnostic, Game, Limits,
    realtime::RealTimeGame,
    stages::{
        check::check_text_until,
        rules::is_real_time,
        syntax::{self, Syntax},
    },
};
use croupier_referee::Digest;

use crate::{
    connections::Connection,
    findings::Findings,
    problem::{ProblemCode, Result},
    referee::Referee,
    setup::StoredSetup,
};

/// The game of some rules.
enum Made {
    InTurns(Arc<Game>),
    InRealTime(Arc<RealTimeGame>),
}

/// The game of rules with the warnings about them, or why there is none; nothing if `is_over` returned true before.
fn compiled(
    rules: &str,
    is_over: &mut dyn FnMut() -> bool,
) -> Option<Result<(Made, Vec<Diagnostic>), CompileError>> {
    let options = StoredSetup::options();
    let (rules, found) = check_text_until(rules, options.strictness, &options.limits, is_over).ok()?;
    if is_over() {
        return None;
    }
    let made = match rules {
        None => return Some(Err(CompileError::Rules(found))),
        Some(rules) if rules.is_real_time() => {
            RealTimeGame::of_rules(rules, &options).map(|game| Made::InRealTime(Arc::new(game)))
        }
        Some(rules) => Game::of_rules(rules, &options).map(|game| Made::InTurns(Arc::new(game))),
    };
    // The budget is for building as well.
    (!is_over()).then(|| made.map(|made| (made, found)))
}

impl Referee {
    /// Checks and compiles rules that a request contains, and keeps their game for whoever asks for it next. All findings about
    /// them.
    ///
    /// # Errors
    /// [`Problem`] if they cannot be played, if that takes more than its budget, or the client at the other end of this connection has
    /// gone.
    pub(crate) async fn take_in(&self, rules: &str, connection: Option<Arc<Connection>>) -> Result<Findings> {
        let digest = Digest::of(rules.as_bytes());
        let rules = rules.to_owned();
        let work = move |is_over: &mut dyn FnMut() -> bool| {
            let compiled = compiled(&rules, is_over)?;
            let unplayable = |findings: Findings| {
                ProblemCode::BadRules.because("the rules cannot be played").with_findings(findings.list)
            };
            Some(match compiled {
                Ok((made, found)) => {
                    let findings = Findings::of(&rules, &found, true);
                    if findings.is_playable { Ok((made, findings)) } else { Err(unplayable(findings)) }
                }
                Err(CompileError::Rules(found)) => Err(unplayable(Findings::of(&rules, &found, false))),
                Err(error) => Err(ProblemCode::BadRules.because(error.to_string())),
            })
        };
        let (made, findings) = self.checks.run(connection, work).await??;
        match made {
            Made::InTurns(game) => drop(self.games.keep(digest, game)),
            Made::InRealTime(game) => drop(self.real_time_games.keep(digest, game)),
        }
        Ok(findings)
    }

    /// Whether rules are those of a real-time game: as the shelf with their game says, or else their text.
    pub(crate) fn is_real_time(&self, rules: &str) -> bool {
        let digest = Digest::of(rules.as_bytes());
        if self.real_time_games.get(digest).is_some() {
            return true;
        }
        let read = || syntax::read(rules, Syntax::Auto, &Limits::STANDARD).description;
        self.games.get(digest).is_none() && is_real_time(&read())
    }

    /// Takes in the rules of a request, unless their game is known.
    ///
    /// # Errors
    /// As [`take_in`](Self::take_in).
    pub(crate) async fn demand_game(&self, rules: &str, connection: Option<Arc<Connection>>) -> Result<()> {
        let digest = Digest::of(rules.as_bytes());
        if self.games.get(digest).is_some() || self.real_time_games.get(digest).is_some() {
            return Ok(());
        }
        self.take_in(rules, connection).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process, time::Duration};

    use croupier_engine::RoleId;
    use croupier_referee::{
        AgentError, AgentSeat, Agents, Insight, OwnHistory, ProvableMoves, SealKey, SeatTrainer,
        TimedInsight, realtime::RealTimeSeat,
    };
    use tokio::runtime::{Handle, Runtime};

    use super::*;
    use crate::{
        limits::{CHECK, Limits, RateLimits},
        seat::SeatSetup,
        store::{Store, StorePlace},
    };

    /// A coin that nobody sees, so that turns of this game are measured.
    const COIN: &str = "(role ann) (role random) (init start) (legal ann noop)
        (<= (legal random heads) (true start)) (<= (legal random tails) (true start))
        (<= (next over) (true start)) (<= terminal (true over)) (goal ann 50) (<= (sees ann nothing) (true never))";

    /// No agents.
    #[derive(Debug)]
    struct Nobody;

    impl Agents for Nobody {
        fn full_name(&self, agent: &str) -> Result<String, AgentError> {
            Err(AgentError(format!("there is no agent '{agent}'")))
        }

        fn seat(
            &self,
            agent: &str,
            _game: Arc<Game>,
            _own: &OwnHistory,
            _seed: [u8; 32],
        ) -> Result<Box<dyn AgentSeat>, AgentError> {
            Err(AgentError(format!("there is no agent '{agent}'")))
        }

        fn real_time_name(&self, agent: &str) -> Result<String, AgentError> {
            self.full_name(agent)
        }

        fn real_time_seat(
            &self,
            agent: &str,
            _game: Arc<RealTimeGame>,
            _role: RoleId,
            _seed: [u8; 32],
        ) -> Result<Box<dyn RealTimeSeat + Send>, AgentError> {
            Err(AgentError(format!("there is no agent '{agent}'")))
        }

        fn provable_moves(&self, _game: Arc<Game>, _role: RoleId) -> Box<dyn ProvableMoves> {
            unreachable!("nobody asks for them")
        }

        fn insight(&self, _game: Arc<Game>, _role: RoleId) -> Box<dyn Insight> {
            unreachable!("nobody asks for it")
        }

        fn timed_insight(&self, _game: Arc<RealTimeGame>, _role: RoleId) -> Box<dyn TimedInsight> {
            unreachable!("nobody asks for it")
        }

        fn trainer(&self, _game: Arc<Game>, _role: RoleId) -> Box<dyn SeatTrainer> {
            unreachable!("nobody asks for it")
        }
    }

    /// A referee whose checks have this budget, for as long as a test runs.
    fn with_referee<F: Future<Output = ()>>(
        name: &str,
        check: Duration,
        test: impl FnOnce(Arc<Referee>) -> F,
    ) {
        let folder = env::temp_dir().join(format!("croupier-compiling-{name}-{}", process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let runtime = Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let place = StorePlace::Sqlite(folder.join("croupier.db"));
            let store = Store::open(&place, "one".to_owned(), "http://one").await.expect("a store");
            let limits = Limits {
                matches_max: 1,
                threads: 1,
                allow_private: false,
                takes_seeds: false,
                open_seats: 1,
                open_tables: 1,
                connections_max: 1,
                body: Duration::from_secs(1),
                check,
                rates: RateLimits { address: 0, token: 0, refusal: 0, is_behind_proxy: false },
            };
            let key = SealKey::from_bytes(&[7; 32]);
            test(Referee::new(store, Handle::current(), key, &limits, Arc::new(Nobody))).await;
        });
        fs::remove_dir_all(folder).expect("the folder of the test");
    }

    #[test]
    fn rules_of_a_request_are_compiled_once_and_a_match_plays_the_game_that_was_checked() {
        with_referee("once", CHECK, |referee| async move {
            referee.take_in(COIN, None).await.expect("rules that can be played");
            let kept = referee.games.get(Digest::of(COIN.as_bytes())).expect("it is kept");
            let mut setup = StoredSetup::of_nobody();
            setup.seats.insert("ann".to_owned(), SeatSetup::Open);
            let header = referee.header("m", COIN.to_owned(), &setup).await.expect("a header");
            assert!(Arc::ptr_eq(header.game(), &kept));
        });
    }

    #[test]
    fn compiling_and_measuring_are_charged_to_the_budget_of_a_check() {
        with_referee("budget", Duration::ZERO, |referee| async move {
            let refused = referee.take_in(COIN, None).await.err().expect("too costly");
            assert_eq!(refused.code(), ProblemCode::TooCostly);
            assert!(referee.games.get(Digest::of(COIN.as_bytes())).is_none());
            // Only measuring is left to do for a game that is there.
            let game = Game::compile(COIN, &StoredSetup::options()).expect("sound rules").game;
            let _kept = referee.games.keep(Digest::of(COIN.as_bytes()), Arc::new(game));
            let refused = referee.measure(COIN.to_owned()).await.expect_err("too costly");
            assert_eq!(refused.code(), ProblemCode::TooCostly);
        });
    }
}
