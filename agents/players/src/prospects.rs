//! How a match ends from what is believed on, if everybody checks and calls.

use std::collections::BTreeMap;

use croupier_belief::Distribution;
use croupier_engine::{
    RoleId,
    batch::{Generator, Plane},
    stages::propnet::Phase,
};

use crate::{LuckError, LuckMeter, luck::W};

impl LuckMeter {
    /// How often each goal of `role` is reached in `passes` times 512 playouts from the states of a belief, each as often as it is
    /// likely. Players who can call or check do so, as in measuring luck; with two players that is the role's equity against the range
    /// of hands that the other may have.
    ///
    /// # Errors
    /// [`LuckError`] if playouts cannot be counted, or the states are of another game.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use croupier_belief::{ExactBelief, ExactOptions};
    /// use croupier_players::LuckMeter;
    /// # use croupier_engine::{Game, Options};
    ///
    /// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
    /// # let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
    /// # let alice = game.roles().find("alice").ok_or("a role")?;
    /// let mut belief = ExactBelief::new(Arc::clone(&game), alice, ExactOptions::STANDARD)?;
    /// belief.advance(game.move_id("noop")?, &game.percepts_of(["(hole queen)"])?)?;
    /// let goals = LuckMeter::new(&game)?.prospects(&belief.distribution(), alice, 8, [0; 32])?;
    /// // The queen loses a chip to the king as often as it wins one from the jack.
    /// assert_eq!(goals.keys().copied().collect::<Vec<_>>(), [25, 75]);
    /// assert!((goals[&25] as f64 / 4096.0 - 0.5).abs() < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prospects(
        &mut self,
        states: &Distribution,
        role: RoleId,
        passes: u64,
        seed: [u8; 32],
    ) -> Result<BTreeMap<i32, u64>, LuckError> {
        let network = std::sync::Arc::clone(&self.network);
        let values: Vec<Option<i32>> =
            network.goal_values(role).map(|goal| goal.map(|goal| goal.value())).collect();
        let lanes = passes * Plane::<W>::LANES as u64;
        let mut goals = BTreeMap::new();
        let mut states = states.iter();
        let (mut current, mut reached) = (states.next(), 0.0);
        for pass in 0..passes {
            for lane in 0..Plane::<W>::LANES {
                // The lanes are laid over the probabilities at equal distances: that is exacter than drawing.
                let point = ((pass * Plane::<W>::LANES as u64 + lane as u64) as f64 + 0.5) / lanes as f64;
                while let Some((_, probability)) = current
                    && reached + probability < point
                    && states.len() > 0
                {
                    reached += probability;
                    current = states.next();
                }
                let (state, _) = current.ok_or(LuckError::Unknown)?;
                let bases = network.bases(state).ok_or(LuckError::Unknown)?;
                self.lanes.set_state(lane, &bases);
            }
            self.play_out(None, &mut Generator::new(seed, pass))?;
            self.lanes.evaluate(Phase::Goal);
            for (index, has) in self.lanes.goals(role) {
                let goal = values[index as usize].ok_or(LuckError::OpenEnd)?;
                *goals.entry(goal).or_default() += u64::from(has.count());
            }
        }
        goals.retain(|_, count| *count > 0);
        match goals.values().sum::<u64>() == lanes {
            true => Ok(goals),
            false => Err(LuckError::OpenEnd),
        }
    }
}
