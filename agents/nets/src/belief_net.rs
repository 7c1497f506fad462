//! A belief net: a network that says how likely each fluent is, given what a player knows, and the game that it was made for.
//!
//! The file is as that of a [`Net`](crate::Net), with `fluents` in its names: the meaning of its outputs, whose logistic function is the
//! probability of each.

use std::sync::Arc;

use croupier_belief::{Guide, Names as RuleNames};
use croupier_engine::{FluentId, Game, InformationSet, RoleId};
use croupier_players::PlayerError;

use crate::{
    Names, NetError, names::SpaceError, net::named_network, network::NeuralNetwork, renamed::by_any_names,
    rows::PlayerRows,
};

/// The content of the file of a belief net.
#[derive(Debug)]
pub struct BeliefNet {
    names: Names,
    fluents: Vec<String>,
    network: Arc<NeuralNetwork>,
}

impl BeliefNet {
    /// Reads the bytes of a file.
    ///
    /// ```
    /// use croupier_nets::{BeliefNet, NetError};
    ///
    /// let error = BeliefNet::read(b"a text").expect_err("no net");
    /// assert!(matches!(error, NetError::NotOnnx { .. }));
    /// ```
    ///
    /// # Errors
    /// [`NetError`] if the content is not a net that says what is true.
    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        let (names, network) = named_network(bytes)?;
        let fluents = names.fluents.clone().ok_or(NetError::NoBeliefs)?;
        Ok(Self { names, fluents, network: Arc::new(network) })
    }

    /// What it estimates of a game for a role.
    ///
    /// # Errors
    /// [`PlayerError`] if the game is another than its own, whatever the names, or the role is chance.
    pub fn guide(&self, game: &Arc<Game>, role: RoleId) -> Result<NetGuide, PlayerError> {
        let names = || RuleNames::of(game, self.names.rules.as_ref()?);
        by_any_names(names, |names| self.named(game, names, role))
    }

    /// The same, if the net knows the game by these names.
    fn named(&self, game: &Arc<Game>, names: RuleNames, role: RoleId) -> Result<NetGuide, PlayerError> {
        let refused = |error: SpaceError| PlayerError::Brought { problem: error.to_string() };
        let written = names.written(game);
        let space = Arc::new(self.names.space(written).map_err(refused)?);
        let rows = PlayerRows::of(space, names.written_role(role)).ok_or(PlayerError::RandomRole)?;
        let fluent = |text: &String| names.own_fluent(game, written.fluent_id(text).ok()?);
        let fluents = self.fluents.iter().map(fluent).collect();
        let network = Arc::clone(&self.network);
        Ok(NetGuide { game: Arc::clone(game), names, network, rows, fluents })
    }
}

/// What a [`BeliefNet`] estimates of a game for one role.
#[derive(Debug)]
pub struct NetGuide {
    game: Arc<Game>,
    names: RuleNames,
    network: Arc<NeuralNetwork>,
    rows: PlayerRows,
    /// By output; nothing where the game has no such fluent.
    fluents: Vec<Option<FluentId>>,
}

impl Guide for NetGuide {
    /// Nothing where the network has no answer.
    fn probabilities(&self, known: &InformationSet) -> Vec<(FluentId, f64)> {
        let written = self.names.written_set(&self.game, known);
        let Some(Ok(row)) = written.map(|known| self.rows.row(&known)) else { return Vec::new() };
        let logits = self.network.compute(row);
        let estimates = self.fluents.iter().zip(logits).filter(|(_, logit)| logit.is_finite());
        let logistic = |logit: f32| 1.0 / (1.0 + libm::exp(-f64::from(logit)));
        estimates.filter_map(|(fluent, logit)| Some(((*fluent)?, logistic(logit)))).collect()
    }
}
