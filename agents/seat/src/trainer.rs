//! The trainer's view of a seat, as a referee asks for it: in text.

use croupier_engine::game::TermError;
use croupier_referee::{AgentError, FluentWords, SeatTrainer};
use croupier_trainer::Trainer;

/// [`Trainer`] as a referee asks for it.
#[derive(Debug)]
pub(crate) struct SharedTrainer(pub(crate) Trainer);

fn refused(error: &impl ToString) -> AgentError {
    AgentError(error.to_string())
}

impl SeatTrainer for SharedTrainer {
    fn turns(&self) -> usize {
        self.0.turns()
    }

    fn take(&mut self, own_move: &str, percepts: &[&str]) -> Result<(), TermError> {
        self.0.take(own_move, percepts)
    }

    fn belief(
        &mut self,
        words: &FluentWords<'_>,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<String, AgentError> {
        let belief = self.0.belief(words.look, words.holder, words.tells, is_over);
        let belief = belief.map_err(|error| refused(&error))?;
        serde_json::to_string(&belief).map_err(|error| refused(&error))
    }

    fn review(&mut self, is_over: &mut (dyn FnMut() -> bool + Send)) -> Result<String, AgentError> {
        let review = self.0.review(is_over).map_err(|error| refused(&error))?;
        serde_json::to_string(&review).map_err(|error| refused(&error))
    }
}
