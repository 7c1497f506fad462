//! What a role can believe, for people: the methods that it is worked out by, and what is said of it. The command `croupier belief`
//! and the word `belief` at the prompt of a match say the same.

mod hands;
mod public;
mod report;

use std::sync::Arc;

use clap::ValueEnum;
use croupier_belief::{Believer, Coverage, Detail, ExactOptions, Methods, Opponents, ParticleOptions};
use croupier_engine::{Game, InformationSet, RoleId};
use croupier_games::{GameFacts, Scene, SeatReview};
use croupier_picture::TrainerView;
use croupier_public::{PublicBeliever, PublicLimits, PublicMethods};
use croupier_trainer::{Trainer, TrainerError, TrainerOptions};

pub(crate) use self::public::PublicTable;
pub(crate) use self::report::{LikelyAnswer, LikelyHistory, PlayedMove, RoleBelief};
use crate::{
    arguments::{
        entropy,
        seating::{guide, models, solutions},
    },
    output::{
        coverage::{StrategyCoverage, player_refusal},
        failure::Failure,
    },
    sessions::interrupt::Interrupt,
};

/// How a belief is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// `exact`, or `particle` where that is too much
    Auto,
    /// Every history that agrees with what the role knows
    Exact,
    /// Some of them, drawn at random
    Particle,
}

/// A question for a belief.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inquiry<'i> {
    pub(crate) method: Method,
    /// How many particles a sample has.
    pub(crate) particles: u32,
    /// What the sample is drawn with.
    pub(crate) seed: &'i str,
    /// How other roles are taken to choose, as ROLE=MODEL.
    pub(crate) models: &'i [String],
    /// Whether histories are kept.
    pub(crate) has_histories: bool,
    /// A file of a net that leads the sample.
    pub(crate) guide: Option<&'i str>,
}

impl<'i> Inquiry<'i> {
    /// Particles where nobody says how many.
    pub(crate) const PARTICLES: u32 = 2_000;

    /// The seed where nobody says which.
    pub(crate) const SEED: &'static str = "0";

    /// States that are shown where nobody says how many.
    pub(crate) const TOP: usize = 5;

    /// What is asked where nobody says more than how others are taken to choose.
    pub(crate) fn usual(models: &'i [String]) -> Self {
        Self {
            method: Method::Auto,
            particles: Self::PARTICLES,
            seed: Self::SEED,
            models,
            has_histories: false,
            guide: None,
        }
    }

    /// What works out the belief of a role, and how the others are taken to choose.
    pub(crate) fn believer(&self, game: &Arc<Game>, role: RoleId) -> Result<(Believer, Opponents), Failure> {
        let methods = self.methods(game.roles().name(role))?;
        let opponents = opponents(game, Some(role), self.models)?;
        let believer = Believer::new(Arc::clone(game), role, methods, &opponents);
        let believer = believer.map_err(|error| Failure::refuse("no-belief", error.to_string()))?;
        let guide = self.guide.map(|file| guide(file, game, role)).transpose()?;
        let believer = match guide {
            Some(guide) => believer.guided(guide),
            None => believer,
        };
        Ok((believer, opponents))
    }

    /// What works out the public belief state, and how everybody is known to choose.
    pub(crate) fn public_believer(&self, game: &Arc<Game>) -> Result<(PublicBeliever, Opponents), Failure> {
        let seed = entropy::seed(Some(self.seed))?.agent("public");
        let sample = (self.sample(), seed);
        let methods = match self.method {
            Method::Auto => PublicMethods { exact: Some(Self::PUBLIC), sample: Some(sample) },
            Method::Exact => PublicMethods { exact: Some(PublicLimits::STANDARD), sample: None },
            Method::Particle => PublicMethods { exact: None, sample: Some(sample) },
        };
        let opponents = opponents(game, None, self.models)?;
        let believer = PublicBeliever::new(Arc::clone(game), methods, &opponents);
        let believer = believer.map_err(|error| Failure::refuse("no-belief", error.to_string()))?;
        Ok((believer, opponents))
    }

    /// Histories of a public state that are enumerated before a sample is taken instead: some seconds of work.
    const PUBLIC: PublicLimits = PublicLimits { histories: Methods::EXACT.histories_max };

    fn sample(&self) -> ParticleOptions {
        ParticleOptions { particles: self.particles as usize, ..ParticleOptions::STANDARD }
    }

    /// What is drawn of the belief of a role that knows `scene` for certain.
    pub(crate) fn view(
        &self,
        game: &Arc<Game>,
        facts: &GameFacts,
        known: &InformationSet,
        scene: &Scene,
    ) -> Result<TrainerView, Failure> {
        let role = known.role;
        let name = game.roles().name(role);
        let seed = entropy::seed(Some(self.seed))?.agent(name);
        let options = TrainerOptions { methods: self.methods(name)?, ..TrainerOptions::thorough(seed) };
        let model =
            if self.models.is_empty() { "uniform play".to_owned() } else { self.models.join(" and ") };
        let trainer = Trainer::new(Arc::clone(game), role, options, solutions());
        let mut trainer = trainer.with_opponents(opponents(game, Some(role), self.models)?, &model);
        trainer.take_all(known);
        let (looks, holders) = (|fluent: &str| facts.look(fluent), |fluent: &str| facts.holder_of(fluent));
        let belief = trainer.belief(&looks, &holders, &|fluent| facts.tells(fluent), &mut || false);
        let belief = belief.map_err(|error| untrained(&error))?;
        let players: Vec<&str> = game.roles().players().map(|role| game.roles().name(role)).collect();
        Ok(TrainerView::of(facts, scene, &players, name, &belief))
    }

    fn methods(&self, role: &str) -> Result<Methods, Failure> {
        let seed = entropy::seed(Some(self.seed))?.agent(role);
        let detail = if self.has_histories { Detail::Histories } else { Detail::States };
        let sample = (self.sample(), seed);
        Ok(match self.method {
            Method::Auto => {
                Methods { exact: Some(ExactOptions { detail, ..Methods::EXACT }), sample: Some(sample) }
            }
            Method::Exact => {
                Methods { exact: Some(ExactOptions { detail, ..ExactOptions::STANDARD }), sample: None }
            }
            Method::Particle => Methods { exact: None, sample: Some(sample) },
        })
    }
}

/// What is said of the models in files, all together.
pub(crate) fn of_models<'c>(models: &[String], coverage: &'c Coverage) -> StrategyCoverage<'c> {
    StrategyCoverage { who: models.join(" and "), coverage, is_model: true }
}

/// Why a trainer has no answer.
pub(crate) fn untrained(error: &TrainerError) -> Failure {
    match error {
        TrainerError::Interrupted => Failure::Interrupted,
        other => Failure::refuse("no-belief", other.to_string()),
    }
}

/// What each decision of a role gave up in a match that it knows like this.
///
/// # Errors
/// If it cannot be told, or the user does not want to wait.
pub(crate) fn reviewed(
    game: &Arc<Game>,
    known: &InformationSet,
    options: TrainerOptions,
    interrupt: &Interrupt,
) -> Result<SeatReview, Failure> {
    let mut trainer = Trainer::new(Arc::clone(game), known.role, options, solutions());
    trainer.take_all(known);
    trainer.review(&mut || interrupt.is_raised()).map_err(|error| untrained(&error))
}

/// The policies of the modelled roles; `own` needs none.
fn opponents(game: &Arc<Game>, own: Option<RoleId>, arguments: &[String]) -> Result<Opponents, Failure> {
    let mut opponents = Opponents::uniform();
    for ((role, model), argument) in models(game.roles(), arguments)?.into_iter().zip(arguments) {
        let at = |failure: Failure| failure.at_argument("--model", argument);
        if Some(role) == own {
            return Err(at(Failure::refuse("bad-model", "a belief needs no model of its own role")));
        }
        let policy = model.policy(game, role);
        let policy = policy.map_err(|error| at(player_refusal(&error, "bad-model")))?;
        if let Some(policy) = policy {
            opponents = opponents.with(role, policy);
        }
    }
    Ok(opponents)
}
