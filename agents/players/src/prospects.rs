//! How a match ends from what is believed on, if everybody checks and calls.

use std::collections::BTreeMap;

use croupier_belief::Distribution;
use croupier_engine::{
    RoleId,
    batch::{Generator, Plane},
    stages::propnet::Phase,
};

use crate::{LuckError, LuckMeter, luck::W};

/// How a match ended from one state, in as many playouts as the counts add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateEnds {
    /// How often each goal was reached.
    pub goals: BTreeMap<i32, u64>,
    /// Whether nothing was drawn, so that the match ends like this and in no other way.
    pub is_exact: bool,
}

impl LuckMeter {
    /// For each state of a belief, in its order, which goals `role` reaches. Players who can call or check do so, as in measuring
    /// luck; with two players that is the role's equity against the hand that the other has in the state.
    ///
    /// Every state is played out equally often, `times` at least unless nothing is drawn: then once is enough.
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
    /// let ends = LuckMeter::new(&game)?.ends(&belief.distribution(), alice, 256, [0; 32])?;
    /// let [state] = ends.as_slice() else { return Err("bob has no card yet".into()) };
    /// // The queen loses a chip to the king as often as it wins one from the jack.
    /// assert_eq!(state.goals.keys().copied().collect::<Vec<_>>(), [25, 75]);
    /// let playouts: u64 = state.goals.values().sum();
    /// assert!((state.goals[&25] as f64 / playouts as f64 - 0.5).abs() < 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ends(
        &mut self,
        states: &Distribution,
        role: RoleId,
        times: u64,
        seed: [u8; 32],
    ) -> Result<Vec<StateEnds>, LuckError> {
        let network = std::sync::Arc::clone(&self.network);
        let bases = states.iter().map(|(state, _)| network.bases(state).ok_or(LuckError::Unknown));
        let bases: Vec<_> = bases.collect::<Result<_, _>>()?;
        let values: Vec<Option<i32>> =
            network.goal_values(role).map(|goal| goal.map(|goal| goal.value())).collect();
        let lanes = Plane::<W>::LANES;
        let mut ends = vec![StateEnds { is_exact: true, ..StateEnds::default() }; bases.len()];
        let mut stream = 0;
        for round in 0..times.max(1) {
            if round > 0 && ends.iter().all(|ends| ends.is_exact) {
                break;
            }
            for first in (0..bases.len()).step_by(lanes) {
                let part = first..bases.len().min(first + lanes);
                // Lanes that are left over play the first state of the part, and are not counted.
                for lane in 0..lanes {
                    let state = if lane < part.len() { first + lane } else { first };
                    self.lanes.set_state(lane, &bases[state]);
                }
                let drawn = self.play_out_watched(&mut Generator::new(seed, stream))?;
                stream += 1;
                self.lanes.evaluate(Phase::Goal);
                let counted = Plane::first(part.len());
                for (index, has) in self.lanes.goals(role) {
                    let goal = values[index as usize].ok_or(LuckError::OpenEnd)?;
                    for lane in (has & counted).lanes() {
                        *ends[first + lane].goals.entry(goal).or_default() += 1;
                    }
                }
                for lane in (drawn & counted).lanes() {
                    ends[first + lane].is_exact = false;
                }
            }
            if ends.iter().any(|ends| ends.goals.values().sum::<u64>() != round + 1) {
                return Err(LuckError::OpenEnd);
            }
        }
        Ok(ends)
    }
}
