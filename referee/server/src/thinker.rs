//! In-process players: they compute on a fixed number of separate threads, never on those that serve requests.

use std::{sync::Arc, time::Instant};

use croupier_engine::{CompileError, Game, InformationSet, Options, RoleId};
use croupier_games::blueprints;
use croupier_players::{Budget, Player, PlayerKind, Solutions};
use croupier_referee::{Digest, Failure, LastTurn, Message, OwnHistory, Reply};
use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::{clock, scratches::Scratches, shelf::Shelf};

/// Part of the play clock that a player leaves unused, so that its move is there in time.
const RESERVE: f64 = 0.15;

/// A game of a player's own, and the one that it was forked from: others who play the same fork theirs, too.
#[derive(Debug)]
pub(crate) struct OwnGame {
    game: Arc<Game>,
    _shared: Arc<Game>,
}

/// A player of a role in one match: it gets only the rules, the role and what it was told.
#[derive(Debug)]
pub(crate) struct Thinker {
    own: OwnGame,
    player: Box<dyn Player>,
    known: InformationSet,
}

impl Thinker {
    /// A player that did and was told this so far.
    ///
    /// # Errors
    /// What keeps it from playing, in words.
    pub(crate) fn new(
        kind: &PlayerKind,
        own: OwnGame,
        history: &OwnHistory,
        seed: [u8; 32],
    ) -> Result<Self, String> {
        let role: RoleId = history.role;
        let player = kind.player(Arc::clone(&own.game), role, seed).map_err(|error| error.to_string())?;
        let mut thinker = Self { own, player, known: InformationSet::initial(role) };
        for turn in &history.turns {
            let last = LastTurn { own_move: Arc::clone(&turn.own_move), percepts: turn.percepts.clone() };
            thinker.learn(&last).map_err(|_| "what it was told cannot be read".to_owned())?;
        }
        Ok(thinker)
    }

    fn learn(&mut self, last: &LastTurn) -> Result<(), Failure> {
        let percepts = last.percepts.iter().map(|percept| &**percept);
        let turn = self.own.game.own_turn(&last.own_move, percepts).map_err(|_| Failure::PlayerError)?;
        self.known.turns.push(turn);
        Ok(())
    }

    /// The reply to a message, by the deadline.
    fn answer(&mut self, message: &Message, begun: Instant, deadline: Instant) -> Reply {
        let allowed = deadline.saturating_duration_since(begun).mul_f64(1.0 - RESERVE);
        let Message::Play { last, .. } = message else {
            if let Message::Start { .. } = message {
                self.player.prepare(&mut Budget::Until(&mut || begun.elapsed() >= allowed));
            }
            return Reply::Text("READY".to_owned());
        };
        let turns = self.known.turns.len();
        let chosen = last
            .as_ref()
            .filter(|_| message_turn(message) as usize > turns)
            .map_or(Ok(()), |last| self.learn(last))
            .and_then(|()| {
                let mut is_over = || begun.elapsed() >= allowed;
                let decision = self.player.choose(&self.known, &mut Budget::Until(&mut is_over));
                decision.map_err(|_| Failure::PlayerError)
            });
        match chosen {
            Ok(decision) => Reply::Text(self.own.game.move_text(decision.chosen).to_string()),
            Err(failure) => Reply::Failed(failure),
        }
    }
}

fn message_turn(message: &Message) -> u32 {
    match message {
        Message::Play { turn, .. } => *turn,
        Message::Start { .. } | Message::Reveal { .. } | Message::Stop { .. } | Message::Abort { .. } => 0,
    }
}

/// The games of players, each compiled once from what players are sent, and working memory for those of the referee.
#[derive(Debug)]
pub(crate) struct Library {
    games: Shelf<Game>,
    /// Shared knowledge of players about games: bundled strategies, and solutions.
    pub(crate) solutions: Solutions,
    /// For the games of the referee, which share no numbers of terms with those of players.
    pub(crate) scratches: Scratches,
}

impl Library {
    pub(crate) fn new() -> Self {
        Self {
            games: Shelf::default(),
            solutions: Solutions::with_blueprints(blueprints()),
            scratches: Scratches::default(),
        }
    }

    /// A game of a player's own: it shares no numbers of terms with the referee or another player.
    ///
    /// # Errors
    /// Why the rules cannot be compiled.
    pub(crate) fn game(&self, rules_line: &str) -> Result<OwnGame, CompileError> {
        let digest = Digest::of(rules_line.as_bytes());
        let shared = match self.games.get(digest) {
            Some(known) => known,
            None => self.games.keep(digest, Arc::new(Game::compile(rules_line, &Options::PLAY)?.game)),
        };
        Ok(OwnGame { game: Arc::new(shared.fork()), _shared: shared })
    }
}

/// Lets a player answer, as soon as one of the threads is free.
pub(crate) async fn think(
    mut thinker: Box<Thinker>,
    message: Message,
    deadline: Instant,
    threads: Arc<Semaphore>,
) -> (Option<Box<Thinker>>, Reply) {
    let Ok(_permit) = threads.acquire().await else { return (None, Reply::Failed(Failure::PlayerError)) };
    let thought = spawn_blocking(move || {
        let reply = thinker.answer(&message, clock::now(), deadline);
        (thinker, reply)
    });
    match thought.await {
        Ok((thinker, reply)) => (Some(thinker), reply),
        // A panic fails this reply; the match continues.
        Err(_) => (None, Reply::Failed(Failure::PlayerError)),
    }
}
