//! Agents of this server: they compute on a fixed number of separate threads, never on those that serve requests.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use croupier_engine::{CompileError, Game, Options};
use croupier_referee::{AgentError, AgentSeat, Agents, Digest, Failure, Message, OwnHistory, Reply};
use dashmap::DashMap;
use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::{clock, scratches::Scratches, shelf::Shelf};

/// An agent in a role of one match, and the game that its own was forked from: others who play the same fork theirs, too.
#[derive(Debug)]
pub(crate) struct SeatedAgent {
    seat: Box<dyn AgentSeat>,
    _shared: Arc<Game>,
}

impl SeatedAgent {
    /// The reply to a message, by the deadline.
    fn answer(&mut self, message: &Message, begun: Instant, deadline: Instant) -> Reply {
        let allowed = deadline.saturating_duration_since(begun);
        let mut has_passed = |share: f64| begun.elapsed() >= allowed.mul_f64(share);
        self.seat.answer(message, &mut has_passed)
    }
}

/// The games of agents, each compiled once from what players are sent, and working memory for those of the referee.
#[derive(Debug)]
pub(crate) struct Library {
    games: Shelf<Game>,
    /// The games that are being compiled: who asks for one meanwhile waits for it.
    compiling: DashMap<Digest, Arc<Mutex<()>>>,
    /// The agents that can be seated.
    pub(crate) agents: Arc<dyn Agents>,
    /// For the games of the referee, which share no numbers of terms with those of agents.
    pub(crate) scratches: Scratches,
}

impl Library {
    pub(crate) fn new(agents: Arc<dyn Agents>) -> Self {
        Self { games: Shelf::default(), compiling: DashMap::new(), agents, scratches: Scratches::default() }
    }

    /// The agent of this specification, after it did and was told `own`; its game shares no numbers of terms with the referee or another
    /// player.
    ///
    /// # Errors
    /// What keeps it from playing.
    pub(crate) fn seat(
        &self,
        agent: &str,
        rules_line: &str,
        own: &OwnHistory,
        seed: [u8; 32],
    ) -> Result<SeatedAgent, AgentError> {
        let shared = self.game(rules_line).map_err(|error| AgentError(error.to_string()))?;
        let seat = self.agents.seat(agent, Arc::new(shared.fork()), own, seed)?;
        Ok(SeatedAgent { seat, _shared: shared })
    }

    /// A game as players have it: with the network, which beliefs are worked out on, where it has one.
    ///
    /// # Errors
    /// [`CompileError`] if the rules cannot be played.
    pub(crate) fn game(&self, rules_line: &str) -> Result<Arc<Game>, CompileError> {
        let digest = Digest::of(rules_line.as_bytes());
        if let Some(known) = self.games.get(digest) {
            return Ok(known);
        }
        let turn = Arc::clone(&self.compiling.entry(digest).or_default());
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = self.games.get(digest) {
            return Ok(known);
        }
        let compiled = Game::compile(rules_line, &Options::PLAY);
        let kept = compiled.map(|compiled| self.games.keep(digest, Arc::new(compiled.game)));
        self.compiling.remove(&digest);
        kept
    }
}

/// Lets an agent answer, as soon as one of the threads is free.
pub(crate) async fn think(
    mut seated: SeatedAgent,
    message: Message,
    deadline: Instant,
    threads: Arc<Semaphore>,
) -> (Option<SeatedAgent>, Reply) {
    let Ok(_permit) = threads.acquire().await else { return (None, Reply::Failed(Failure::PlayerError)) };
    let thought = spawn_blocking(move || {
        let reply = seated.answer(&message, clock::now(), deadline);
        (seated, reply)
    });
    match thought.await {
        Ok((seated, reply)) => (Some(seated), reply),
        // A panic fails this reply; the match continues.
        Err(_) => (None, Reply::Failed(Failure::PlayerError)),
    }
}
