//! Our rates beside those of others.

use std::fmt;

use serde::Serialize;

use super::{
    agreement::{self, KnownMean},
    child::Trouble,
    figures::{Figures, NetworkFigures},
    peers::{Environment, Peer, PeerFigures},
    published::PUBLISHED,
    stopwatch::{Pace, Rate},
};
use crate::failure::Failure;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Unit {
    Playouts,
    Turns,
}

impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Playouts => "playouts/s",
            Self::Turns => "turns/s",
        })
    }
}

/// Our rate beside somebody else's.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Comparison {
    /// Whose, with the version if it ran here.
    pub(super) peer: String,
    /// The game.
    pub(super) game: String,
    /// What is counted.
    pub(super) unit: Unit,
    /// Our best.
    pub(super) ours: f64,
    /// Their best.
    pub(super) theirs: f64,
    /// Ours over theirs.
    pub(super) ratio: f64,
    /// The ratio that is aimed at.
    pub(super) target: Option<f64>,
    /// Whether theirs is from another machine.
    pub(super) is_published: bool,
}

/// What could not be compared, and why.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Missing {
    /// Whose program.
    pub(super) peer: String,
    /// The game; none if the peer as a whole is missing.
    pub(super) game: Option<String>,
    /// Why.
    pub(super) reason: String,
}

/// All comparisons of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Comparisons {
    /// Those that were made.
    pub(super) made: Vec<Comparison>,
    /// The others.
    pub(super) missing: Vec<Missing>,
}

/// How many times OpenSpiel's random playouts ours shall be, on games that both can run.
const TARGETS: &[(&str, f64)] = &[
    ("tic-tac-toe", 60.0),
    ("connect-four", 30.0),
    ("breakthrough", 25.0),
    ("kuhn", 30.0),
    ("leduc", 25.0),
    ("holdem", 5.0),
    ("chess", 4.0),
];

impl Comparisons {
    /// Runs a peer on all games that it has, telling `progress` which.
    ///
    /// # Errors
    /// If a game that should be the same is not, or a signal comes.
    pub(super) fn run(
        &mut self,
        peer: Peer,
        environment: &Environment,
        figures: &[Figures],
        pace: &Pace,
        progress: impl Fn(&str),
    ) -> Result<(), Failure> {
        for game in figures {
            let Ok(network) = &game.network else { continue };
            progress(&game.name);
            match environment.measure(&game.name, pace) {
                Ok(None) => {}
                Ok(Some(theirs)) => {
                    demand_same_game(peer, network, &theirs)?;
                    self.made.push(Comparison::of(peer, game, network, &theirs));
                }
                Err(Trouble::Interrupted) => return Err(Failure::Interrupted),
                Err(Trouble::Failed(reason)) => self.miss(peer, Some(game.name.clone()), reason),
            }
        }
        Ok(())
    }

    /// Notes that there is no figure.
    pub(super) fn miss(&mut self, peer: Peer, game: Option<String>, reason: String) {
        self.missing.push(Missing { peer: peer.to_string(), game, reason });
    }

    /// Adds what others published.
    pub(super) fn add_published(&mut self, figures: &[Figures]) {
        for published in PUBLISHED {
            let found = figures.iter().find(|game| game.name == published.game);
            let Some(Ok(network)) = found.map(|game| &game.network) else { continue };
            self.made.push(Comparison {
                peer: published.peer.to_owned(),
                game: published.game.to_owned(),
                unit: Unit::Playouts,
                ours: network.playouts.best,
                theirs: published.playouts,
                ratio: network.playouts.best / published.playouts,
                target: None,
                is_published: true,
            });
        }
    }

    /// For each peer the geometric mean of its ratios, in the order in which they were made.
    pub(super) fn geometric_means(&self) -> Vec<(&str, f64)> {
        let mut means: Vec<(&str, f64, f64)> = Vec::new();
        for one in &self.made {
            let known = means.iter().position(|(peer, ..)| *peer == one.peer);
            let place = known.unwrap_or_else(|| {
                means.push((&one.peer, 0.0, 0.0));
                means.len() - 1
            });
            means[place].1 += one.ratio.ln();
            means[place].2 += 1.0;
        }
        means.into_iter().map(|(peer, sum, count)| (peer, (sum / count).exp())).collect()
    }
}

impl Comparison {
    /// Playouts are compared, but turns where the lengths of games differ: in chess others know draws by repetition.
    fn of(peer: Peer, game: &Figures, network: &NetworkFigures, theirs: &PeerFigures) -> Self {
        let (unit, ours, theirs_best) = match theirs.playouts {
            Some(Rate { best, .. }) if game.name != "chess" => (Unit::Playouts, network.playouts.best, best),
            _ => (Unit::Turns, network.turns().best, theirs.turns.best),
        };
        let target = TARGETS.iter().find(|(name, _)| *name == game.name && peer == Peer::OpenSpiel);
        Self {
            peer: format!("{peer} {}", theirs.version),
            game: game.name.clone(),
            unit,
            ours,
            theirs: theirs_best,
            ratio: ours / theirs_best,
            target: target.map(|(_, target)| *target),
            is_published: false,
        }
    }

    /// Whether the target is met, in words.
    pub(super) fn verdict(&self) -> String {
        match self.target {
            None => String::new(),
            Some(target) if self.ratio >= target => format!("{target:.0}x: met"),
            Some(target) => format!("{target:.0}x: {:.0} % of it", 100.0 * self.ratio / target),
        }
    }
}

/// Refuses a peer that plays another game under the same name.
fn demand_same_game(peer: Peer, network: &NetworkFigures, theirs: &PeerFigures) -> Result<(), Failure> {
    let (Some(mean), Some(count)) = (theirs.mean, theirs.count) else { return Ok(()) };
    let known = KnownMean { whose: &peer.to_string(), mean: 50.0 + 50.0 * mean, count };
    agreement::demand_mean(network.game.roles(), &network.moments, known)
}
