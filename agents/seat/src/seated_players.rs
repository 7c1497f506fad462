//! The agents of a server of matches: every kind of player that reads no file.

use std::sync::Arc;

use croupier_engine::{Game, RoleId, game::TermError, realtime::RealTimeGame};
use croupier_players::{KindError, KindFile, KnownMoves, PlayerKind, Solutions, realtime::RealTimeKind};
use croupier_referee::{
    AgentError, AgentSeat, Agents, Insight, OwnHistory, ProvableMoves, SeatTrainer, TimedInsight,
    realtime::RealTimeSeat,
};
use croupier_trainer::{Trainer, TrainerOptions};

use crate::{
    insight::RoleInsight, knowledge::Knowledge, player_seat::PlayerSeat, real_time_seat::RealTimePlayerSeat,
    timed_insight::RoleTimedInsight, trainer::SharedTrainer,
};

/// The agents of a server of matches: every kind of player that reads no file. Solutions are shared by all matches.
#[derive(Debug)]
pub struct SeatedPlayers {
    solutions: Solutions,
}

impl SeatedPlayers {
    /// All kinds of players, which share these solutions.
    #[must_use]
    pub fn new(solutions: Solutions) -> Self {
        Self { solutions }
    }
}

/// The kind of player that a specification names.
fn kind(agent: &str) -> Result<PlayerKind, AgentError> {
    if KindFile::of(agent).map_err(|error| unfit(&error))?.is_some() {
        return Err(AgentError("a server cannot seat agents that read files".to_owned()));
    }
    agent.parse().map_err(|error| unfit(&error))
}

fn real_time_kind(agent: &str) -> Result<RealTimeKind, AgentError> {
    agent.parse().map_err(|error: KindError| unfit(&error))
}

fn unfit(error: &impl ToString) -> AgentError {
    AgentError(error.to_string())
}

impl Agents for SeatedPlayers {
    fn full_name(&self, agent: &str) -> Result<String, AgentError> {
        kind(agent).map(|kind| kind.to_string())
    }

    fn seat(
        &self,
        agent: &str,
        game: Arc<Game>,
        own: &OwnHistory,
        seed: [u8; 32],
    ) -> Result<Box<dyn AgentSeat>, AgentError> {
        let kind = kind(agent)?.sharing(&self.solutions);
        let knowledge = Knowledge::of(game, own).map_err(|error| unfit(&error))?;
        Ok(Box::new(PlayerSeat::new(&kind, knowledge, seed).map_err(|error| unfit(&error))?))
    }

    fn real_time_name(&self, agent: &str) -> Result<String, AgentError> {
        real_time_kind(agent).map(|kind| kind.to_string())
    }

    fn real_time_seat(
        &self,
        agent: &str,
        game: Arc<RealTimeGame>,
        role: RoleId,
        seed: [u8; 32],
    ) -> Result<Box<dyn RealTimeSeat + Send>, AgentError> {
        Ok(Box::new(RealTimePlayerSeat::new(real_time_kind(agent)?, game, role, seed)))
    }

    fn provable_moves(&self, game: Arc<Game>, role: RoleId) -> Box<dyn ProvableMoves> {
        Box::new(Provable(KnownMoves::new(game, role)))
    }

    fn insight(&self, game: Arc<Game>, role: RoleId) -> Box<dyn Insight> {
        Box::new(RoleInsight::new(game, role))
    }

    fn timed_insight(&self, game: Arc<RealTimeGame>, role: RoleId) -> Box<dyn TimedInsight> {
        Box::new(RoleTimedInsight::new(game, role))
    }

    fn trainer(&self, game: Arc<Game>, role: RoleId) -> Box<dyn SeatTrainer> {
        // The same draws every time: two who know the same see the same.
        let options = TrainerOptions::brief([0; 32]);
        Box::new(SharedTrainer(Trainer::new(game, role, options, self.solutions.clone())))
    }
}

/// [`KnownMoves`] as a referee asks for them.
#[derive(Debug)]
struct Provable(KnownMoves);

impl ProvableMoves for Provable {
    fn turns(&self) -> usize {
        self.0.turns()
    }

    fn take(&mut self, own_move: &str, percepts: &[&str]) -> Result<(), TermError> {
        self.0.take(own_move, percepts.iter().copied())
    }

    fn texts(&mut self) -> Option<Vec<String>> {
        self.0.texts()
    }
}
