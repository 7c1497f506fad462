//! The engine that evaluates a game, and why it was chosen.

use std::sync::Arc;

use super::{GameNetwork, NetworkSizes, Options, Roles, marks::Marks};
use crate::{
    check::CheckedRules,
    datalog::Reasoner,
    ground::GroundError,
    limits::{LimitError, Limits},
};

/// Which engine evaluates a game. All give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The network if grounding takes only a moment, otherwise the lifted reasoner.
    Auto,
    /// The lifted reasoner, which supports every game.
    Datalog,
    /// The network of gates, or an error if the game cannot be grounded within the limits; if terms may grow without
    /// bound, within the effort that [`Auto`](Self::Auto) spends.
    Propnet,
    /// The lifted reasoner with every possible relation computed on demand: usually slower than [`Backend::Datalog`],
    /// and meant for comparison with it.
    OnDemand,
}

impl Backend {
    /// The lifted reasoner of checked rules.
    pub(super) fn reasoner(self, rules: &CheckedRules, limits: &Limits) -> Result<Reasoner, LimitError> {
        match self {
            Self::Auto | Self::Datalog | Self::Propnet => Reasoner::new(rules, limits),
            Self::OnDemand => Reasoner::on_demand(rules, limits),
        }
    }
}

/// The engine that a game was built for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildReport {
    /// The lifted reasoner, as requested.
    Lifted,
    /// The lifted reasoner, because grounding stopped.
    NotGrounded(GroundError),
    /// A network of this size.
    Grounded(NetworkSizes),
}

/// The reasoner, and the network if the game has one.
#[derive(Debug)]
pub(super) struct Engines {
    pub(super) reasoner: Reasoner,
    pub(super) network: Option<Arc<GameNetwork>>,
    pub(super) report: BuildReport,
    pub(super) marks: Marks,
}

impl Engines {
    /// The same engines with separate terms.
    pub(super) fn fork(&self) -> Self {
        Self {
            reasoner: self.reasoner.fork(),
            network: self.network.clone(),
            report: self.report.clone(),
            marks: self.marks.fork(),
        }
    }

    /// Builds the engine that `backend` requests.
    pub(super) fn new(
        rules: &CheckedRules,
        reasoner: Reasoner,
        roles: &Roles,
        marks: Marks,
        options: &Options,
    ) -> Result<Self, GroundError> {
        let limits = &options.limits;
        let (network, report) = match options.backend {
            Backend::Datalog | Backend::OnDemand => (None, BuildReport::Lifted),
            Backend::Propnet => Self::report(GameNetwork::new(rules, &reasoner, roles, marks.tag(), limits)?),
            Backend::Auto => {
                let limits = limits.with_brief_grounding();
                match GameNetwork::new(rules, &reasoner, roles, marks.tag(), &limits) {
                    Ok(network) => Self::report(network),
                    Err(error) => (None, BuildReport::NotGrounded(error)),
                }
            }
        };
        Ok(Self { reasoner, network, report, marks })
    }

    fn report(network: GameNetwork) -> (Option<Arc<GameNetwork>>, BuildReport) {
        let sizes = network.sizes();
        (Some(Arc::new(network)), BuildReport::Grounded(sizes))
    }
}
