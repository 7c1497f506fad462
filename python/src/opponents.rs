//! How the players of an environment take each other to choose: functions that may change as they are trained, and what stays as it is.

use std::sync::Arc;

use croupier_belief::{Policy, PolicyQuestion};
use croupier_engine::{Game, RoleId};
use croupier_players::Model;
use croupier_training::{OpponentPolicies, OpponentPolicy, TrainingError};
use pyo3::{
    prelude::*,
    types::{PyDict, PyString},
};

use crate::{belief::WrittenModels, errors::refused, function::CalledPolicy, game::PyGame, role};

/// The policies that a caller wrote, and the functions among them.
#[derive(Default)]
pub(crate) struct WrittenOpponents {
    pub(crate) policies: OpponentPolicies,
    pub(crate) functions: Vec<Arc<CalledPolicy>>,
}

impl WrittenOpponents {
    /// Of everybody, or by role.
    ///
    /// # Errors
    /// As for `Belief(opponents=...)`.
    pub(crate) fn read(game: &Bound<'_, PyGame>, written: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut read = Self::default();
        let roles = game.get().data.game.roles();
        let Ok(by_role) = written.cast::<PyDict>() else {
            let everybody = roles.players().collect::<Vec<RoleId>>();
            if !read.add_function(game, written, everybody)? {
                read.add_models(&game.get().data.game, WrittenModels::read(game, written)?)?;
            }
            return Ok(read);
        };
        let models = PyDict::new(game.py());
        let mut functions: Vec<(Bound<'_, PyAny>, Vec<RoleId>)> = Vec::new();
        for (name, written) in by_role {
            let role = role::player(roles, &name.cast::<PyString>()?.to_cow()?)?;
            match functions.iter_mut().find(|(known, _)| known.is(&written)) {
                Some((_, of)) => of.push(role),
                None if CalledPolicy::is_one(&written) => functions.push((written, vec![role])),
                None => models.set_item(name, written)?,
            }
        }
        read.add_models(&game.get().data.game, WrittenModels::read(game, models.as_any())?)?;
        for (function, of) in functions {
            read.add_function(game, &function, of)?;
        }
        Ok(read)
    }

    /// Adds a function of some roles; false if it is none.
    fn add_function(
        &mut self,
        game: &Bound<'_, PyGame>,
        written: &Bound<'_, PyAny>,
        roles: Vec<RoleId>,
    ) -> PyResult<bool> {
        if !CalledPolicy::is_one(written) {
            return Ok(false);
        }
        let Some(function) = CalledPolicy::of(game, written)? else { return Ok(false) };
        let policy =
            AskedFunction { function: Arc::clone(&function), game: Arc::clone(&game.get().data.game) };
        self.functions.push(function);
        self.policies = std::mem::take(&mut self.policies).with(roles, Arc::new(policy));
        Ok(true)
    }

    fn add_models(&mut self, game: &Arc<Game>, written: WrittenModels) -> PyResult<()> {
        for (role, policy) in written.models.of_all(game).map_err(refused)?.iter() {
            let policy = Arc::new(Unchanging(Arc::clone(policy)));
            self.policies = std::mem::take(&mut self.policies).with([role], policy);
        }
        Ok(())
    }
}

/// A function of Python, mixed with the uniform play of every model.
#[derive(Debug)]
struct AskedFunction {
    function: Arc<CalledPolicy>,
    game: Arc<Game>,
}

impl OpponentPolicy for AskedFunction {
    fn probabilities(&self, questions: &[PolicyQuestion<'_>]) -> Result<Vec<Vec<f64>>, TrainingError> {
        let space = self.function.space(&self.game)?;
        let found = Python::attach(|py| self.function.ask(py, &space, questions));
        let mut found = found.map_err(|error| {
            let problem = error.to_string();
            self.function.raise(error);
            TrainingError::Policy(problem)
        })?;
        for row in &mut found {
            let uniform = Model::UNIFORM_SHARE / row.len() as f64;
            row.iter_mut().for_each(|own| *own = *own * (1.0 - Model::UNIFORM_SHARE) + uniform);
        }
        Ok(found)
    }
}

/// A table or an agent, which is mixed with uniform play already.
#[derive(Debug)]
struct Unchanging(Arc<dyn Policy>);

impl OpponentPolicy for Unchanging {
    fn probabilities(&self, questions: &[PolicyQuestion<'_>]) -> Result<Vec<Vec<f64>>, TrainingError> {
        self.0.prepare(questions);
        let answer = |question: &PolicyQuestion<'_>| self.0.probabilities(question.known, question.legal);
        Ok(questions.iter().map(answer).collect())
    }
}
