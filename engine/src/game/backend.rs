//! What evaluates a game, and why.

use std::sync::Arc;

use super::{GameNetwork, NetworkSizes, Options, Roles, marks::Marks};
use crate::{
    check::CheckedRules,
    datalog::Reasoner,
    ground::GroundError,
    limits::{LimitError, Limits},
};

/// What shall evaluate a game. All give the same answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The network, if grounding takes a moment only; else the lifted reasoner.
    Auto,
    /// The lifted reasoner, which takes every game.
    Datalog,
    /// The network of gates, or an error if the game cannot be grounded within the limits; where terms may grow without
    /// end, within what [`Auto`](Self::Auto) spends.
    Propnet,
    /// The lifted reasoner with every relation computed on demand that can be: slower than [`Backend::Datalog`] as
    /// a rule, and there to be compared with it.
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

/// What a game was built to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildReport {
    /// Nothing but the lifted reasoner was wanted.
    Lifted,
    /// The lifted reasoner, because grounding stopped.
    NotGrounded(GroundError),
    /// A network of this size.
    Grounded(NetworkSizes),
}

/// The reasoner, and the network if there is one.
#[derive(Debug)]
pub(super) struct Engines {
    pub(super) reasoner: Reasoner,
    pub(super) network: Option<Arc<GameNetwork>>,
    pub(super) report: BuildReport,
    pub(super) marks: Marks,
}

impl Engines {
    /// The same engines with terms of their own.
    pub(super) fn fork(&self) -> Self {
        Self {
            reasoner: self.reasoner.fork(),
            network: self.network.clone(),
            report: self.report.clone(),
            marks: self.marks.fork(),
        }
    }

    /// Builds what `backend` asks for.
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
