//! Kinds of players, and the models that they have of each other.

use std::{collections::BTreeMap, sync::Arc};

use croupier_belief::{Opponents, Policy, mixed};
use croupier_engine::{Game, RoleId};

use crate::{
    Baseline, BlueprintFile, BlueprintPlayer, Brought, BroughtPlayer, FirstLegalPlayer, MoveRules,
    NestedOptions, NestedPlayer, Player, PlayerError, PolicyPlayer, PolicyTable, RandomPlayer,
    ResolveOptions, ResolvePlayer, RulePlayer, SearchMethod, SearchOptions, SearchPlayer, Solutions,
    find_player,
    thinking::{AnswerPart, Thinking},
};

/// A kind of player with its options, and what it needs beside them: the content of its file, or shared solutions.
///
/// Kinds are not compared: two of one text may go by different files. [`to_string`](ToString::to_string) is the specification alone.
///
/// As text it is a name, followed by a colon and its options, separated by commas:
/// `belief:iterations=500,particles=100`. Omitted options have their default values. Upper case and
/// spaces are not accepted. `policy:`, `net:`, `rule:` and `resolve:value=` are followed by the name of a file, which the caller must
/// read: see [`KindFile`](crate::KindFile).
///
/// A player that searches may have models of the others: `model=quantal` of everyone, `model.bob=raise` of a role, an agent
/// with options in parentheses, as in `belief:model=(ismcts:iterations=50,particles=20)`.
///
/// ```
/// use croupier_players::{KindError, PlayerKind};
///
/// let kind: PlayerKind = "ismcts:iterations=500".parse()?;
/// assert_eq!(kind.name(), "ismcts");
/// assert!(matches!(kind, PlayerKind::Search(_, options) if options.iterations == 500));
/// let unknown = "ismct".parse::<PlayerKind>();
/// assert!(matches!(unknown, Err(KindError::UnknownName { .. })));
/// # Ok::<(), KindError>(())
/// ```
#[derive(Clone, Debug)]
pub enum PlayerKind {
    /// [`RandomPlayer`].
    Random,
    /// [`FirstLegalPlayer`].
    FirstLegal,
    /// [`SearchPlayer`].
    Search(SearchMethod, SearchOptions),
    /// [`NestedPlayer`].
    Nested(NestedOptions),
    /// [`ResolvePlayer`]; all players of this kind and its clones share their solutions.
    Resolve(ResolveOptions, Solutions),
    /// [`BlueprintPlayer`].
    Blueprint {
        /// The name of the file.
        file: String,
        /// The content of the file.
        blueprint: BlueprintFile,
    },
    /// [`PolicyPlayer`].
    Policy {
        /// The name that its table goes by.
        file: String,
        /// What to play where.
        table: Arc<PolicyTable>,
    },
    /// [`BroughtPlayer`]: a net, or a search with one.
    Brought(Brought),
    /// [`RulePlayer`] with preferences that have a name.
    Baseline(Baseline),
    /// [`RulePlayer`].
    Rule {
        /// The name that its preferences go by.
        file: String,
        /// The preferences.
        rules: Arc<MoveRules>,
    },
    /// A player that searches, with models of the others in its belief.
    Modelling {
        /// A kind for which [`takes_models`](Self::takes_models) holds.
        kind: Box<PlayerKind>,
        /// How the others are taken to choose.
        models: Models,
    },
}

impl PlayerKind {
    /// Its name, without options.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::FirstLegal => "first-legal",
            Self::Search(method, _) => method_name(*method),
            Self::Nested(_) => "hyperplay-ii",
            Self::Resolve(..) => "resolve",
            Self::Policy { .. } | Self::Blueprint { .. } => "policy",
            Self::Brought(brought) => brought.kind(),
            Self::Baseline(baseline) => baseline.name(),
            Self::Rule { .. } => "rule",
            Self::Modelling { kind, .. } => kind.name(),
        }
    }

    /// Whether models of the others make a difference to it: whether it searches from a belief.
    #[must_use]
    pub fn takes_models(&self) -> bool {
        matches!(self, Self::Search(..) | Self::Nested(_) | Self::Modelling { .. })
    }

    /// The same kind with a model of a role, or of every role that has none of its own.
    ///
    /// # Errors
    /// The kind itself, unchanged, if models make no difference to it.
    pub fn modelling(self, role: Option<&str>, model: Model) -> Result<Self, Self> {
        if !self.takes_models() {
            return Err(self);
        }
        let (kind, mut models) = match self {
            Self::Modelling { kind, models } => (kind, models),
            kind => (Box::new(kind), Models::default()),
        };
        match role {
            Some(role) => models.insert(role, model),
            None => models.insert_everyone(model),
        }
        Ok(Self::Modelling { kind, models })
    }

    /// The same with shared knowledge about games, if players of this kind use it.
    #[must_use]
    pub fn sharing(self, solutions: &Solutions) -> Self {
        match self {
            Self::Resolve(options, _) => Self::Resolve(options, solutions.clone()),
            Self::Modelling { kind, models } => {
                Self::Modelling { kind: Box::new(kind.sharing(solutions)), models }
            }
            other => other,
        }
    }

    /// The strategy for a game that is too large to be solved, if players of this kind have one.
    #[must_use]
    pub fn blueprint(&self, game: &Arc<Game>) -> Option<&BlueprintFile> {
        match self {
            Self::Blueprint { blueprint, .. } => Some(blueprint),
            Self::Resolve(_, solutions) => solutions.blueprint_file(game),
            _ => None,
        }
    }

    /// Whether its players, or those of its models, do work on all threads of the rayon pool: solve games, or unfold the moves
    /// that a blueprint is about.
    #[must_use]
    pub fn solves(&self) -> bool {
        match self {
            Self::Resolve(..) | Self::Blueprint { .. } => true,
            Self::Modelling { kind, models } => {
                let mut models = models.everyone.iter().chain(models.roles.values());
                kind.solves() || models.any(|model| matches!(model, Model::Agent(kind) if kind.solves()))
            }
            _ => false,
        }
    }

    /// A player of this kind for a role of a game.
    ///
    /// Its draws depend on `seed`; the players of a match should have different ones.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`], and [`PlayerError::Policy`], [`PlayerError::Blueprint`] or [`PlayerError::Brought`]
    /// if the kind's file is of another game.
    pub fn player(
        &self,
        game: Arc<Game>,
        role: RoleId,
        seed: [u8; 32],
    ) -> Result<Box<dyn Player>, PlayerError> {
        Ok(match self {
            Self::Random => Box::new(RandomPlayer::new(game, role, seed)?),
            Self::FirstLegal => Box::new(FirstLegalPlayer::new(game, role, seed)?),
            Self::Search(method, options) => {
                Box::new(SearchPlayer::new(game, role, *method, *options, seed)?)
            }
            Self::Nested(options) => Box::new(NestedPlayer::new(game, role, *options, seed)?),
            Self::Resolve(options, solutions) => {
                Box::new(ResolvePlayer::new(game, role, *options, solutions.clone(), seed)?)
            }
            Self::Blueprint { blueprint, .. } => Box::new(BlueprintPlayer::new(game, role, blueprint, seed)?),
            Self::Policy { table, .. } => Box::new(PolicyPlayer::new(game, role, Arc::clone(table), seed)?),
            Self::Brought(brought) => Box::new(BroughtPlayer::new(game, role, brought, seed)?),
            Self::Baseline(baseline) => {
                Box::new(RulePlayer::new(game, role, Arc::new(baseline.rules()), seed)?)
            }
            Self::Rule { rules, .. } => Box::new(RulePlayer::new(game, role, Arc::clone(rules), seed)?),
            Self::Modelling { kind, models } => return kind.modelling_player(models, game, role, seed),
        })
    }

    fn modelling_player(
        &self,
        models: &Models,
        game: Arc<Game>,
        role: RoleId,
        seed: [u8; 32],
    ) -> Result<Box<dyn Player>, PlayerError> {
        let opponents = models.opponents(&game, role)?;
        Ok(match self {
            Self::Search(method, options) => {
                Box::new(SearchPlayer::with_opponents(game, role, *method, *options, opponents, seed)?)
            }
            Self::Nested(options) => {
                Box::new(NestedPlayer::with_opponents(game, role, *options, opponents, seed)?)
            }
            kind => kind.player(game, role, seed)?,
        })
    }
}

pub(crate) fn method_name(method: SearchMethod) -> &'static str {
    match method {
        SearchMethod::MonteCarlo => "belief",
        SearchMethod::FullSight => "uct",
        SearchMethod::HyperPlay => "hyperplay",
        SearchMethod::SingleObserver => "ismcts",
        SearchMethod::MultipleObserver => "mo-ismcts",
        SearchMethod::PooledObserver => "pooled-ismcts",
    }
}

/// How one role is taken to choose.
///
/// Every model is mixed with [`Model::UNIFORM_SHARE`] of uniform play, so that no move that was in fact made is impossible.
#[derive(Clone, Debug, Default)]
pub enum Model {
    /// Each legal move with the same probability.
    #[default]
    Uniform,
    /// A quantal response: the more a move can be expected to give the role, the likelier it is. A short search over the role's own
    /// information sets ([`SearchMethod::SingleObserver`]) estimates the expectation. The search assumes that everyone else plays at
    /// random, so its estimates can be far from the true value of the move.
    ///
    /// # Sources
    /// R. McKelvey and T. Palfrey, "Quantal Response Equilibria for Normal Form Games", Games and Economic Behavior 10,
    /// 1995; here with a temperature of a third of the difference between the best and the worst
    /// move, at least one goal.
    Quantal,
    /// The behaviour of a player of this kind: its mixed strategy if it reports one, otherwise its choices with
    /// [`Model::SEEDS`] fixed seeds.
    Agent(Box<PlayerKind>),
}

/// How the other roles are taken to choose.
///
/// ```
/// use croupier_players::{Model, Models, PlayerKind};
///
/// let mut models = Models::of_everyone(Model::Quantal);
/// models.insert("bob", Model::Agent(Box::new(PlayerKind::FirstLegal)));
/// assert_eq!(models.to_string(), "model=quantal,model.bob=first-legal");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Models {
    /// Of every role that is not in `roles`.
    pub(crate) everyone: Option<Model>,
    /// By the name of the role.
    pub(crate) roles: BTreeMap<String, Model>,
}

impl Model {
    /// The share of uniform play in every model.
    pub const UNIFORM_SHARE: f64 = 0.1;

    /// Particles from which a quantal response is estimated.
    const QUANTAL_PARTICLES: usize = 32;

    /// Playouts from the end of each descent of a quantal response.
    const QUANTAL_PLAYOUTS: u32 = 32;

    /// The number of seeds with which an agent is asked if it does not report its strategy.
    pub const SEEDS: u8 = 4;

    /// The policy of `role` that beliefs use; `None` if it is uniform.
    ///
    /// # Errors
    /// [`PlayerError`] if there is no such player for this role.
    pub fn policy(&self, game: &Arc<Game>, role: RoleId) -> Result<Option<Arc<dyn Policy>>, PlayerError> {
        let thinkers: Vec<Box<dyn Player>> = match self {
            Self::Uniform => return Ok(None),
            Self::Agent(kind) if let PlayerKind::Brought(brought) = &**kind => {
                return Ok(Some(mixed(brought.strategy(game, role)?, Self::UNIFORM_SHARE)));
            }
            Self::Quantal => {
                let options = SearchOptions {
                    particles: Self::QUANTAL_PARTICLES,
                    playouts: Self::QUANTAL_PLAYOUTS,
                    ..SearchOptions::STANDARD
                };
                let (game, method) = (Arc::new(game.fork()), SearchMethod::SingleObserver);
                vec![Box::new(SearchPlayer::new(game, role, method, options, [0; 32])?)]
            }
            Self::Agent(kind) => {
                let player = |number: u8| kind.player(Arc::new(game.fork()), role, [number; 32]);
                (0..Self::SEEDS).map(player).collect::<Result<_, PlayerError>>()?
            }
        };
        let reading = if matches!(self, Self::Quantal) { AnswerPart::Estimates } else { AnswerPart::Choices };
        Ok(Some(mixed(Arc::new(Thinking::new(thinkers, reading)), Self::UNIFORM_SHARE)))
    }
}

impl Models {
    /// The same model of every other role.
    #[must_use]
    pub fn of_everyone(model: Model) -> Self {
        Self { everyone: Some(model), roles: BTreeMap::new() }
    }

    /// Sets the model of a role, replacing any earlier one.
    pub fn insert(&mut self, role: &str, model: Model) {
        self.roles.insert(role.to_owned(), model);
    }

    /// Sets the model of every role that has none of its own.
    pub fn insert_everyone(&mut self, model: Model) {
        self.everyone = Some(model);
    }

    /// Whether no role has a model.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.everyone.is_none() && self.roles.is_empty()
    }

    /// The policies of the others in a belief of `own`. A model of `own` does not count.
    ///
    /// # Errors
    /// [`PlayerError::ModelledRole`] if a role is not a player of the game, and the errors of [`Model::policy`].
    pub fn opponents(&self, game: &Arc<Game>, own: RoleId) -> Result<Opponents, PlayerError> {
        self.policies(game, |role| role != own)
    }

    /// The policies of all players, as a public belief has them.
    ///
    /// # Errors
    /// As [`opponents`](Self::opponents).
    pub fn of_all(&self, game: &Arc<Game>) -> Result<Opponents, PlayerError> {
        self.policies(game, |_| true)
    }

    fn policies(&self, game: &Arc<Game>, counts: impl Fn(RoleId) -> bool) -> Result<Opponents, PlayerError> {
        let roles = game.roles();
        if let Some(role) = self.roles.keys().find(|name| find_player(roles, name).is_none()) {
            return Err(PlayerError::ModelledRole { role: role.clone() });
        }
        let mut opponents = Opponents::uniform();
        for role in roles.players().filter(|&role| counts(role)) {
            // By its name, or by its number among the players.
            let numbered = || self.roles.iter().find(|(name, _)| find_player(roles, name) == Some(role));
            let named = self.roles.get(roles.name(role)).or_else(|| numbered().map(|(_, model)| model));
            let model = named.or(self.everyone.as_ref());
            if let Some(policy) = model.map(|model| model.policy(game, role)).transpose()?.flatten() {
                opponents = opponents.with(role, policy);
            }
        }
        Ok(opponents)
    }
}
