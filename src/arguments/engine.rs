//! The argument `--engine`: what evaluates the rules.

use clap::ValueEnum;
use croupier_engine::{
    Game, Options,
    game::{Backend, BuildReport},
    realtime::{RealTimeGame, RealTimeReport},
};

/// What evaluates the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The network of gates if grounding the rules takes a moment only, else the lifted reasoner
    Auto,
    /// The lifted reasoner, which takes every game
    Datalog,
    /// The network of gates, which runs hundreds of playouts at once, or an error if the rules are too large for it
    Propnet,
}

impl Engine {
    /// How a game is compiled for it.
    pub(crate) fn options(self) -> Options {
        let backend = match self {
            Self::Auto => Backend::Auto,
            Self::Datalog => Backend::Datalog,
            Self::Propnet => Backend::Propnet,
        };
        Options { backend, ..Options::PLAY }
    }
}

/// The name of what a game was built to.
pub(crate) fn chosen(game: &Game) -> &'static str {
    match game.build_report() {
        BuildReport::Grounded(_) => "propnet",
        BuildReport::Lifted | BuildReport::NotGrounded(_) => "datalog",
    }
}

/// What evaluates the rules of a real-time game, in words.
pub(crate) fn real_time_engine(game: &RealTimeGame) -> &'static str {
    match game.build_report() {
        RealTimeReport::Clocks => "a network with clocks beside it",
        RealTimeReport::Lifted => "the lifted reasoner",
        RealTimeReport::ReadsTimes(_) => {
            "the lifted reasoner, since rules do more with lifetimes than set and keep them"
        }
        RealTimeReport::UnsureLifetime => "the lifted reasoner, since a lifetime may be no number",
        RealTimeReport::NotGrounded(_) => "the lifted reasoner, since the rules are too large to ground",
    }
}
