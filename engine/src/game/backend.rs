//! What evaluates a game, and why.

use super::{Grounded, NetworkSizes};
use crate::{
    check::CheckedRules,
    datalog::{LimitError, Reasoner},
    ground::GroundError,
    limits::Limits,
};

/// What shall evaluate a game. All give the same answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The network, if grounding takes a moment only; else the lifted reasoner.
    Auto,
    /// The lifted reasoner, which takes every game.
    Datalog,
    /// The network of gates, or an error if the game cannot be grounded within the limits.
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

/// What [`Backend::Auto`] spends on grounding: about a second.
const AUTO_FUEL: u64 = 30_000_000;
const AUTO_ROWS: u64 = 1_000_000;

/// The reasoner, and the network if there is one.
#[derive(Debug)]
pub(super) struct Engines {
    pub(super) reasoner: Reasoner,
    pub(super) grounded: Option<Grounded>,
    pub(super) report: BuildReport,
}

impl Engines {
    /// The same engines with terms of their own.
    pub(super) fn fork(&self) -> Self {
        Self { reasoner: self.reasoner.fork(), grounded: self.grounded.clone(), report: self.report.clone() }
    }

    /// Builds what `backend` asks for.
    pub(super) fn new(
        rules: &CheckedRules,
        reasoner: Reasoner,
        backend: Backend,
        limits: &Limits,
    ) -> Result<Self, GroundError> {
        let moment = Limits {
            ground_fuel: limits.ground_fuel.min(AUTO_FUEL),
            ground_rows: limits.ground_rows.min(AUTO_ROWS),
            ..*limits
        };
        let (grounded, report) = match backend {
            Backend::Datalog | Backend::OnDemand => (None, BuildReport::Lifted),
            Backend::Propnet => Self::report(Grounded::new(rules, &reasoner, limits)?),
            Backend::Auto => match Grounded::new(rules, &reasoner, &moment) {
                Ok(grounded) => Self::report(grounded),
                Err(error) => (None, BuildReport::NotGrounded(error)),
            },
        };
        Ok(Self { reasoner, grounded, report })
    }

    fn report(grounded: Grounded) -> (Option<Grounded>, BuildReport) {
        let sizes = grounded.sizes;
        (Some(grounded), BuildReport::Grounded(sizes))
    }
}
