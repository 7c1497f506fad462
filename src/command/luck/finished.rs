//! A match that is over, and the luck in it.

use croupier_engine::{ByPlayer, Game, GoalValue, JointMove, RoleId, game::GameNetwork};
use croupier_players::{Luck, LuckError, LuckMeter};
use croupier_referee::{Outcome, Replay, ReplayTurn, Seed};

/// What the draws of playouts are named for; no role can be called that.
const DOMAIN: &str = "(luck)";

/// A match that is over, and has goals.
pub(super) struct Finished {
    /// What its deal follows from.
    pub(super) seed: String,
    /// What each player is called, what it got, and how lucky it was.
    pub(super) players: Vec<(String, f64, Luck)>,
}

/// The seed and the goals of a match, if it is over and has some.
pub(super) fn ending(replayed: &Replay) -> Option<(&Seed, &ByPlayer<GoalValue>)> {
    replayed.seed().zip(replayed.outcome().and_then(Outcome::goals))
}

/// Measures matches of a game that is a network, one after another.
pub(super) struct Meter<'g> {
    game: &'g Game,
    network: &'g GameNetwork,
    luck: LuckMeter,
}

impl<'g> Meter<'g> {
    /// For matches of a game.
    ///
    /// # Errors
    /// If it is no network.
    pub(super) fn new(game: &'g Game) -> Result<Self, LuckError> {
        let network = game.network().ok_or(LuckError::NoNetwork)?;
        Ok(Self { game, network, luck: LuckMeter::new(game)? })
    }

    /// What a match with this seed and these goals comes to.
    ///
    /// # Errors
    /// If luck cannot be told.
    pub(super) fn finished(
        &mut self,
        replayed: &Replay,
        seed: &Seed,
        goals: &ByPlayer<GoalValue>,
    ) -> Result<Finished, LuckError> {
        let joint_move = |turn: &ReplayTurn| self.joint_move(replayed.header().game(), &turn.joint_move);
        let joint_moves = replayed.turns().iter().map(joint_move).collect::<Option<Vec<JointMove>>>();
        let luck = self.luck.measure(&joint_moves.ok_or(LuckError::Unknown)?, seed.agent(DOMAIN))?;
        let names = replayed.header().players().iter();
        let players = names.map(|(role, name)| (name.clone(), f64::from(goals[role].value()), luck[role]));
        Ok(Finished { seed: seed.reveal(), players: players.collect() })
    }

    /// A joint move of the game as it was replayed, in terms of the network.
    fn joint_move(&self, of: &Game, played: &JointMove) -> Option<JointMove> {
        let number = |role: RoleId| {
            let text = of.move_text(played.of(role));
            let number = self.network.move_number(role, self.game.move_id(&text).ok()?)?;
            u32::try_from(number).ok()
        };
        let numbers = self.game.roles().all().map(number).collect::<Option<Vec<u32>>>()?;
        Some(self.network.joint_move(&numbers))
    }
}
