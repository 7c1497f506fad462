//! A game without variables, and the words for it.

use croupier_engine::{
    CompileError, GameError, Limits,
    stages::datalog::Reasoner,
    stages::ground::{AtomNames, GroundProgram, ground_named},
};

use crate::{arguments::source::Source, output::failure::Failure};

/// A game without variables, and the words for it.
pub(super) struct Grounding {
    pub(super) name: String,
    pub(super) reasoner: Reasoner,
    pub(super) program: GroundProgram,
    pub(super) names: AtomNames,
    pub(super) has_full_sight: bool,
}

impl Grounding {
    pub(super) fn of(source: &Source) -> Result<Self, Failure> {
        let limits = Limits::STANDARD;
        let rules = source.checked_rules()?;
        if rules.is_real_time() {
            return Err(source.refusal(&CompileError::RealTime));
        }
        let fails = |error: GameError| source.refusal(&CompileError::Evaluation(error));
        let reasoner = Reasoner::new(&rules, &limits).map_err(|error| fails(error.into()))?;
        let (program, names) = ground_named(&rules, reasoner.roles(), reasoner.vocabulary(), &limits)
            .map_err(|error| fails(error.into()))?;
        Ok(Self {
            name: source.name.clone(),
            reasoner,
            program,
            names,
            has_full_sight: rules.has_full_sight(),
        })
    }

    /// The names of the roles.
    pub(super) fn roles(&self) -> Vec<String> {
        let vocabulary = self.reasoner.vocabulary();
        self.reasoner.roles().iter().map(|&role| vocabulary.print(role)).collect()
    }
}
