//! A value net: a network that values public belief states, and the game that it was made for.
//!
//! The file is as that of a [`Net`](crate::Net), with the input `beliefs`, the output `values`, and these names: `version` 1, `game`, `rules`,
//! `rules_sha256`, `observation` (`public`), `public` with what the first numbers of a row mean, `private` with an information set for each
//! other number, by role, and `beyond_shares`, whether values are what hands are worth beyond what they get if nobody bets more. Rows and values
//! are those of [`PublicSpace`]; a seat rejects a game in which it would number them otherwise.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use croupier_belief::{ByGame, Coverage, NamesByGame, Policy};
use croupier_engine::{Game, InformationSet, MoveId, RoleId, game::Looker};
use croupier_players::{Brought, BroughtStrategy, PlayerError, PlayerKind, StrategyFile, ValueSearch};
use croupier_public::{
    LookAhead, PublicError, PublicEyes, PublicLimits, PublicSpace, SearchingSeat, TreeDepth, ValueNetwork,
};
use serde::Deserialize;

use crate::{
    NetError,
    graph::Ends,
    names::{self, misread},
    net::names_text,
    network::{self, NeuralNetwork},
    renamed::{by_any_names, named},
};

/// What a network of values calls its rows.
const ENDS: Ends = Ends { input: "beliefs", output: "values" };

/// Histories that the public states of a game may have, all together, and those of a tree: as many as in training.
const HISTORIES_MAX: usize = 5_000_000;

/// The content of the file of a value net, and how a seat searches with it.
#[derive(Debug)]
pub struct ValueNet {
    names: ValueNames,
    network: Arc<NeuralNetwork>,
    search: ValueSearch,
    ahead: LookAhead,
    by_game: NamesByGame,
    /// Games in which it numbers everything alike, the oldest first.
    spaces: ByGame<Arc<PublicSpace>>,
}

/// The game of a value net, by the names of its numbers.
#[derive(Debug, Deserialize)]
struct ValueNames {
    game: String,
    #[serde(default)]
    rules: Option<String>,
    rules_sha256: String,
    public: Vec<String>,
    /// By role.
    private: BTreeMap<String, Vec<String>>,
    /// Whether values are beyond what hands get if nobody bets more.
    #[serde(default)]
    beyond_shares: bool,
    /// Turns with a choice that searches looked ahead when it was trained.
    #[serde(default = "ValueNames::choices")]
    choices: u32,
    /// How often their trees grew.
    #[serde(default)]
    growth: u32,
}

impl ValueNames {
    /// Where a file does not say.
    fn choices() -> u32 {
        2
    }

    /// How a seat searches that was told this: otherwise as when the net was trained.
    fn search(&self, told: ValueSearch) -> Result<ValueSearch, NetError> {
        let Self { choices, growth, .. } = *self;
        if !(1..=ValueSearch::CHOICES_MAX).contains(&choices) || growth > ValueSearch::GROWTH_MAX {
            let problem = format!("no search looks {choices} choices ahead and grows {growth} times");
            return Err(NetError::Names { problem });
        }
        Ok(ValueSearch {
            choices: told.choices.or(Some(choices)),
            // What neither grew nor grows need not be said.
            growth: told.growth.or(Some(growth)).filter(|&wanted| wanted > 0 || growth > 0),
            ..told
        })
    }
}

impl ValueNet {
    /// Reads the bytes of a file, for seats that search so.
    ///
    /// # Errors
    /// [`NetError`] if the content is not a net that values public beliefs.
    pub fn read(bytes: &[u8], search: ValueSearch) -> Result<Self, NetError> {
        let file = network::read(bytes)?;
        let json = names_text(&file)?;
        if names::observation(json)? != names::PUBLIC {
            return Err(NetError::NoValues);
        }
        let names: ValueNames =
            serde_json::from_str(json).map_err(|error| NetError::Names { problem: misread(&error) })?;
        let outputs = names.private.values().map(Vec::len).sum();
        let network = Arc::new(NeuralNetwork::new(&file, ENDS, names.public.len() + outputs, outputs)?);
        let search = names.search(search)?;
        let depth = TreeDepth {
            choices: search.choices.unwrap_or(names.choices) as usize,
            histories: HISTORIES_MAX,
            boards: TreeDepth::BOARDS,
        };
        let ahead = LookAhead { depth, iterations: search.iterations, growth: search.growth.unwrap_or(0) };
        Ok(Self { names, network, search, ahead, by_game: NamesByGame::default(), spaces: ByGame::default() })
    }

    /// The players that search with it.
    #[must_use]
    pub fn into_kind(self, file: &str) -> PlayerKind {
        let written = self.search.written(file);
        PlayerKind::Brought(Brought::new("resolve", &written, Arc::new(self)))
    }

    /// The space of a game, if it numbers everything as the file does.
    fn space(&self, game: &Arc<Game>) -> Result<Arc<PublicSpace>, PlayerError> {
        self.spaces.get_or_try(game, || {
            let (mut eyes, mut looker) =
                (PublicEyes::new(Arc::clone(game)).map_err(failed)?, Looker::new(game));
            let limits = PublicLimits { histories: HISTORIES_MAX };
            let space = PublicSpace::new(game, &mut eyes, &mut looker, &limits).map_err(failed)?;
            let roles = game.roles();
            let private = roles.players().map(|role| self.names.private.get(roles.name(role)));
            let are_alike = space.public_names() == self.names.public
                && self.names.private.len() == space.private_names().len()
                && private.zip(space.private_names()).all(|(theirs, ours)| theirs == Some(ours));
            if are_alike { Ok(Arc::new(space)) } else { Err(self.refusal()) }
        })
    }

    fn refusal(&self) -> PlayerError {
        let ValueNames { game, rules_sha256, .. } = &self.names;
        let problem = format!(
            "the net was made for {game} by other rules than these: play the rules with the SHA-256 {rules_sha256}, or train a net \
             on these"
        );
        PlayerError::Brought { problem }
    }

    fn own(&self, game: &Arc<Game>) -> Result<ValueStrategy, PlayerError> {
        let space = self.space(game)?;
        let seat = SearchingSeat::new(Arc::clone(game), space, self.ahead).map_err(failed)?;
        Ok(ValueStrategy {
            network: Arc::clone(&self.network),
            is_beyond_shares: self.names.beyond_shares,
            seat: Mutex::new(seat),
            coverage: Mutex::default(),
        })
    }
}

impl StrategyFile for ValueNet {
    fn strategy(
        &self,
        game: &Arc<Game>,
        _role: RoleId,
        _seed: Option<[u8; 32]>,
    ) -> Result<Arc<dyn BroughtStrategy>, PlayerError> {
        let names = || self.by_game.of(game, self.names.rules.as_ref()?);
        by_any_names(names, |names| {
            let written = self.own(names.written(game))?;
            Ok(named(game, names, Arc::new(written)))
        })
    }
}

fn failed(error: PublicError) -> PlayerError {
    PlayerError::Brought { problem: format!("the search with a value net fails: {error}") }
}

/// What a search with the network does.
#[derive(Debug)]
struct ValueStrategy {
    network: Arc<NeuralNetwork>,
    is_beyond_shares: bool,
    seat: Mutex<SearchingSeat>,
    coverage: Mutex<Coverage>,
}

/// The network, row by row.
struct Computed<'s>(&'s ValueStrategy);

impl ValueNetwork for Computed<'_> {
    fn values(&mut self, rows: usize, inputs: &[f32]) -> Result<Vec<f32>, PublicError> {
        let values: Vec<f32> = inputs
            .chunks_exact(inputs.len() / rows)
            .flat_map(|row| self.0.network.compute(row.to_vec()))
            .collect();
        match values.iter().all(|value| value.is_finite()) {
            true => Ok(values),
            false => Err(PublicError::PolicyFailed("the numbers of the net are not finite".to_owned())),
        }
    }

    fn is_beyond_shares(&self) -> bool {
        self.0.is_beyond_shares
    }
}

impl BroughtStrategy for ValueStrategy {
    fn try_probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Result<Vec<f64>, PlayerError> {
        if legal.len() < 2 {
            return Ok(vec![1.0; legal.len()]);
        }
        let mut seat = self.seat.lock().unwrap_or_else(PoisonError::into_inner);
        seat.probabilities(&mut Computed(self), known, legal).map_err(failed)
    }
}

impl Policy for ValueStrategy {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let answer = self.try_probabilities(known, legal);
        let mut coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        if legal.len() > 1 {
            coverage.met += 1;
            coverage.known += u64::from(answer.is_ok());
        }
        answer.unwrap_or_else(|error| {
            coverage.fault.get_or_insert_with(|| error.to_string());
            vec![1.0 / legal.len() as f64; legal.len()]
        })
    }

    fn coverage(&self) -> Option<Coverage> {
        Some(self.coverage.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}
