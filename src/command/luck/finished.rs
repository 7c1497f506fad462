//! A match that is over, and the luck in it.

use croupier_engine::{ByPlayer, Game, RoleId};
use croupier_players::{Luck, LuckError, LuckMeter};
use croupier_referee::{Replay, ReplayTurn, Seed};

use crate::failure::Failure;

/// What the draws of playouts are named for; no role can be called that.
const DOMAIN: &str = "(luck)";

/// A match that is over.
pub(super) struct Finished {
    /// What its deal follows from.
    pub(super) seed: String,
    /// What each player is called, what it got, and how lucky it was; `None` if the match has no goals.
    pub(super) players: Option<Vec<(String, f64, Luck)>>,
}

impl Finished {
    /// What a match comes to, in terms of a game that is a network.
    ///
    /// # Errors
    /// If luck cannot be told.
    pub(super) fn of(replayed: &Replay, game: &Game) -> Result<Self, Failure> {
        let goals = replayed.outcome().and_then(|outcome| outcome.goals());
        let (Some(seed), Some(goals)) = (replayed.seed(), goals) else {
            return Ok(Self { seed: String::new(), players: None });
        };
        let luck = luck(replayed, game, seed).map_err(|error| {
            Failure::refuse("luck-unknown", error.to_string())
                .help("the means without it are those that `play` and `tournament` print")
        })?;
        let names = replayed.header().players().iter();
        let players = names.map(|(role, name)| (name.clone(), f64::from(goals[role].value()), luck[role]));
        Ok(Self { seed: seed.reveal(), players: Some(players.collect()) })
    }
}

fn luck(replayed: &Replay, game: &Game, seed: &Seed) -> Result<ByPlayer<Luck>, LuckError> {
    let mut meter = LuckMeter::new(game)?;
    let network = game.network().ok_or(LuckError::NoNetwork)?;
    let joint_move = |turn: &ReplayTurn| {
        let number = |role: RoleId| {
            let text = replayed.header().game().move_text(turn.joint_move.of(role));
            network.move_number(role, game.move_id(&text).ok()?).and_then(|number| u32::try_from(number).ok())
        };
        let numbers = game.roles().all().map(number).collect::<Option<Vec<u32>>>();
        numbers.map(|numbers| network.joint_move(&numbers)).ok_or(LuckError::Unknown)
    };
    let joint_moves = replayed.turns().iter().map(joint_move).collect::<Result<Vec<_>, _>>()?;
    meter.measure(&joint_moves, seed.agent(DOMAIN))
}
