//! Our rates beside those of other people's programs for the same games, which Python runs on one thread.

use std::{env, fmt, path::PathBuf, process::Command};

use croupier_games::readable;
use serde::{Deserialize, Serialize};

use crate::{
    Outcome,
    bench::{Bench, NetworkFigures, Rate},
    published::{PUBLISHED, SOURCES},
    table::table,
};

/// The program that measures them.
const SCRIPT: &str = include_str!("peers.py");

/// Programs by somebody else, with what the script calls them: hand-written C++, and hand-written for JAX.
const PEERS: [(&str, &str); 2] = [(OPENSPIEL, "openspiel"), ("Pgx", "pgx")];

const OPENSPIEL: &str = "OpenSpiel";

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

/// How many standard errors two means may be apart: by chance that happens once in five hundred million times.
const ERRORS_MAX: f64 = 6.0;

/// With fewer playouts than these a mean is too far from a normal distribution to be judged.
const COUNT_MIN: f64 = 30.0;

/// The largest standard deviation that goals from 0 to 100 can have.
const DEVIATION_MAX: f64 = 50.0;

/// What a peer does in a second.
#[derive(Debug, Deserialize)]
struct PeerFigures {
    /// The version of its package.
    version: String,
    /// Random playouts, if enough of them ended.
    playouts: Option<Rate>,
    /// Moves and deals.
    turns: Rate,
    /// What came of them, if the rules are exactly ours.
    goals: Option<MeanGoal>,
}

/// What random play gives a player.
#[derive(Debug, Deserialize)]
struct MeanGoal {
    /// The player, by our name.
    role: String,
    mean: f64,
    /// In how many playouts; without end where it was computed.
    count: f64,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Playouts,
    Turns,
}

/// Our rate beside somebody else's.
#[derive(Debug, Serialize)]
struct Comparison {
    /// Whose, with the version if it ran here.
    peer: String,
    game: String,
    unit: Unit,
    ours: f64,
    theirs: f64,
    /// Ours over theirs.
    ratio: f64,
    /// The ratio that is aimed at.
    target: Option<f64>,
    /// Whether theirs is from another machine.
    is_published: bool,
}

/// Games that could not be compared, and why.
#[derive(Debug, Serialize)]
struct Missing {
    peer: &'static str,
    games: Vec<String>,
    reason: String,
}

/// All comparisons of a run.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Comparisons {
    made: Vec<Comparison>,
    missing: Vec<Missing>,
}

impl Comparisons {
    /// Runs the peers for about so long for each rate, on all games that they have, and adds what others published.
    ///
    /// # Errors
    /// If a game that should be the same is not.
    pub(crate) fn measure(bench: &Bench, seconds: f64) -> Outcome<Self> {
        let mut comparisons = Self::default();
        for (game, network) in bench.networks().filter(|(game, _)| *game == "tic-tac-toe") {
            demand_same_game(game, network, "the literature", &tic_tac_toe())?;
        }
        for (peer, key) in PEERS {
            for (game, network) in bench.networks() {
                match run(key, game, seconds) {
                    Ok(None) => {}
                    Ok(Some(theirs)) => {
                        theirs
                            .goals
                            .iter()
                            .try_for_each(|goals| demand_same_game(game, network, peer, goals))?;
                        comparisons.made.push(Comparison::of(peer, game, network, &theirs));
                    }
                    Err(reason) => comparisons.miss(peer, game, reason),
                }
            }
        }
        for published in PUBLISHED {
            let found = bench.networks().find(|(game, _)| *game == published.game);
            comparisons.made.extend(found.map(|(game, network)| {
                let rates = [network.playouts_per_second.best, published.playouts];
                Comparison {
                    is_published: true,
                    ..Comparison::new(published.peer, game, Unit::Playouts, rates)
                }
            }));
        }
        Ok(comparisons)
    }

    fn miss(&mut self, peer: &'static str, game: &str, reason: String) {
        match self.missing.iter_mut().find(|missing| missing.peer == peer && missing.reason == reason) {
            Some(missing) => missing.games.push(game.to_owned()),
            None => self.missing.push(Missing { peer, games: vec![game.to_owned()], reason }),
        }
    }

    /// For each peer the geometric mean of its ratios, in the order in which they were made.
    fn geometric_means(&self) -> Vec<(&str, f64)> {
        let mut peers: Vec<&str> = self.made.iter().map(|one| one.peer.as_str()).collect();
        peers.dedup();
        let mean = |peer| {
            let ratios = self.made.iter().filter(|one| one.peer == peer).map(|one| one.ratio.ln());
            let (sum, count) = ratios.fold((0.0, 0.0), |(sum, count), ratio| (sum + ratio, count + 1.0));
            (peer, f64::exp(sum / count))
        };
        peers.into_iter().map(mean).collect()
    }
}

impl Comparison {
    fn new(peer: impl Into<String>, game: &str, unit: Unit, [ours, theirs]: [f64; 2]) -> Self {
        let (peer, game, ratio) = (peer.into(), game.to_owned(), ours / theirs);
        Self { peer, game, unit, ours, theirs, ratio, target: None, is_published: false }
    }

    /// Playouts are compared, but turns where the lengths of games differ: in chess others know draws by repetition.
    fn of(peer: &str, game: &str, network: &NetworkFigures, theirs: &PeerFigures) -> Self {
        let (unit, rates) = match theirs.playouts {
            Some(playouts) if game != "chess" => (Unit::Playouts, [network.playouts_per_second, playouts]),
            _ => (Unit::Turns, [network.turns_per_second, theirs.turns]),
        };
        let target = TARGETS.iter().find(|(name, _)| *name == game && peer == OPENSPIEL);
        let version = format!("{peer} {}", theirs.version);
        let compared = Self::new(version, game, unit, rates.map(|rate| rate.best));
        Self { target: target.map(|(_, target)| *target), ..compared }
    }

    fn row(&self) -> Vec<String> {
        let unit = match self.unit {
            Unit::Playouts if self.is_published => "playouts/s, published, other machine",
            Unit::Playouts => "playouts/s",
            Unit::Turns => "turns/s",
        };
        let verdict = match self.target {
            None => String::new(),
            Some(target) if self.ratio >= target => format!("{target:.0}x: met"),
            Some(target) => format!("{target:.0}x: {:.0} % of it", 100.0 * self.ratio / target),
        };
        let rates = [readable(self.ours), readable(self.theirs), times(self.ratio), verdict];
        [self.peer.clone(), self.game.clone(), unit.to_owned()].into_iter().chain(rates).collect()
    }
}

/// Measures a game of a peer, about `seconds` for each rate; `None` if the peer does not have it.
///
/// # Errors
/// Why it could not be measured: the last line that the script complained with.
fn run(key: &str, game: &str, seconds: f64) -> Result<Option<PeerFigures>, String> {
    let mut python = Command::new(environment().join("bin").join("python"));
    let output = python.args(["-c", SCRIPT, key, &seconds.to_string(), game]).output();
    let output = output.map_err(|error| format!("`laboratory/install` installs what runs it ({error})"))?;
    if !output.status.success() {
        let complaints = String::from_utf8_lossy(&output.stderr);
        let last = complaints.lines().rev().find(|line| !line.trim().is_empty());
        return Err(last.map_or_else(|| output.status.to_string(), str::to_owned));
    }
    if output.stdout.is_empty() {
        return Ok(None);
    }
    serde_json::from_slice(&output.stdout)
        .map(Some)
        .map_err(|error| format!("no figures were printed: {error}"))
}

/// Where `laboratory/install` puts the peers.
fn environment() -> PathBuf {
    let set = |name| env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let cache = || set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
    set("CROUPIER_PEERS").unwrap_or_else(|| cache().unwrap_or_else(env::temp_dir).join("croupier-peers"))
}

/// What the first player of tic-tac-toe gets: of all orders in which nine marks can be made, weighted as they come up, 737/1260
/// end with a line of the first player and 8/63 with none; computed by full enumeration.
fn tic_tac_toe() -> MeanGoal {
    MeanGoal { role: "x".to_owned(), mean: 100.0 * 737.0 / 1260.0 + 50.0 * 8.0 / 63.0, count: f64::INFINITY }
}

/// Refuses somebody who plays another game under the same name: whose mean goal differs from ours by more than chance explains.
fn demand_same_game(game: &str, network: &NetworkFigures, whose: &str, goals: &MeanGoal) -> Outcome<()> {
    let MeanGoal { role, mean, count } = goals;
    let ours = network.mean_goals.get(role).ok_or_else(|| format!("{game} has no player {role}"))?;
    let errors_max = ERRORS_MAX * DEVIATION_MAX * (1.0 / network.playouts + 1.0 / count).sqrt();
    if network.playouts.min(*count) >= COUNT_MIN && (ours - mean).abs() > errors_max {
        return Err(format!(
            "{game}: {role} gets {ours:.3} on average here and {mean:.3} according to {whose}"
        )
        .into());
    }
    Ok(())
}

fn times(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}x") } else { format!("{ratio:.0}x") }
}

impl fmt::Display for Comparisons {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.made.iter().map(Comparison::row);
        writeln!(formatter, "{}", table("peer, game, unit, ours, theirs, ratio, target", rows))?;
        for (peer, ratio) in self.geometric_means() {
            writeln!(formatter, "- {peer}: {} on geometric mean", times(ratio))?;
        }
        for Missing { peer, games, reason } in &self.missing {
            writeln!(formatter, "- {peer} has no figure for {}: {reason}", games.join(", "))?;
        }
        SOURCES.iter().try_for_each(|(peer, source)| writeln!(formatter, "- {peer}: {source}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(mean: f64, playouts: f64) -> NetworkFigures {
        let rate = serde_json::json!({ "best": 3e6, "median": 2e6 });
        let figures = serde_json::json!({
            "grounding_seconds": 0.1, "ops_per_turn": 93, "tape_bytes": 2_000, "playouts": playouts,
            "playouts_per_second": rate, "turns_per_second": rate, "gate_lanes_per_second": rate, "mean_goals": { "x": mean },
        });
        serde_json::from_value(figures).expect("figures")
    }

    #[test]
    fn another_game_of_the_same_name_is_told_by_its_mean_goals() {
        let is_same = |mean, count| {
            demand_same_game("tic-tac-toe", &network(mean, count), "me", &tic_tac_toe()).is_ok()
        };
        // The standard error of 10,000 goals is 0.5 at most.
        assert!(is_same(64.84, 1e9) && is_same(67.0, 1e4) && !is_same(68.0, 1e4) && !is_same(61.6, 1e4));
        assert!(is_same(0.0, 20.0), "few goals prove nothing");
        let stranger = MeanGoal { role: "y".to_owned(), ..tic_tac_toe() };
        assert!(demand_same_game("tic-tac-toe", &network(64.84, 1e9), "me", &stranger).is_err());
    }

    #[test]
    fn rates_are_compared_and_means_are_geometric() {
        let rate: Rate = serde_json::from_str(r#"{"best":5e4,"median":4e4}"#).expect("a rate");
        let theirs = PeerFigures { version: "2".to_owned(), playouts: Some(rate), turns: rate, goals: None };
        let played = Comparison::of(OPENSPIEL, "tic-tac-toe", &network(64.84, 1e9), &theirs);
        assert_eq!(
            played.row(),
            ["OpenSpiel 2", "tic-tac-toe", "playouts/s", "3.00 M", "50.0 k", "60x", "60x: met"]
        );
        let chess = Comparison::of(OPENSPIEL, "chess", &network(50.0, 1e9), &theirs);
        assert_eq!(chess.row()[2..], ["turns/s", "3.00 M", "50.0 k", "60x", "4x: met"]);
        let slow = Comparison::new("OpenSpiel 2", "kuhn", Unit::Playouts, [15.0, 1.0]);
        let mut comparisons = Comparisons { made: vec![played, slow], missing: Vec::new() };
        assert_eq!(comparisons.geometric_means().len(), 1);
        assert!((comparisons.geometric_means()[0].1 - 30.0).abs() < 1e-9, "the square root of 60 times 15");
        ["kuhn", "leduc"].iter().for_each(|game| comparisons.miss("Pgx", game, "not there".to_owned()));
        assert!(comparisons.to_string().contains("- Pgx has no figure for kuhn, leduc: not there\n"));
    }
}
