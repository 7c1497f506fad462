//! Evaluates the leaves of a search by random playouts from many states at once.

use std::sync::Arc;

use croupier_engine::{
    Game, GameError, LimitError, Scratch, State,
    batch::{Generator, Lanes, Plane, Width},
    game::GameNetwork,
    stages::propnet::Phase,
};
use rand_core::Rng;

use crate::{
    Budget, PlayerError,
    ending::{FinalValues, OpenEnds, note},
    lane_goals::{EndedLanes, LaneGoals, MeanGoals, lanes_of},
};

/// Random playouts for one player: on the tape if the game has one, otherwise one at a time.
///
/// In a playout every role plays each of its legal moves with the same probability in each turn, to the end.
#[derive(Debug)]
pub(crate) struct Leaves {
    game: Arc<Game>,
    playouts: u32,
    batch: Option<Batch>,
    /// Ends that were met and that no match can have.
    open_ends: Option<OpenEnds>,
}

/// What playouts on a tape need.
#[derive(Debug)]
struct Batch {
    network: Arc<GameNetwork>,
    goals: LaneGoals,
    narrow: Lanes<NARROW>,
    wide: Lanes<WIDE>,
}

const NARROW: usize = 1;
const WIDE: usize = 8;

impl Leaves {
    /// Most playouts from one leaf: those of a full batch.
    pub(crate) const PLAYOUTS_MAX: u32 = 64 * WIDE as u32;

    /// Most leaves of one call: more would make the descents of a search blind to each other's results.
    const LEAVES_MAX: u32 = 32;

    /// The number of playouts from each leaf, or one if the game has no tape: there each costs as much as the first.
    pub(crate) fn new(game: Arc<Game>, playouts: u32) -> Self {
        let batch = game.network().map(|network| Batch {
            network: Arc::clone(network),
            goals: LaneGoals::new(Arc::clone(&game), network),
            narrow: Lanes::new(Arc::clone(network.tape())),
            wide: Lanes::new(Arc::clone(network.tape())),
        });
        let mut leaves = Self { game, playouts: 1, batch, open_ends: None };
        leaves.set_playouts(playouts);
        leaves
    }

    /// Makes this many playouts from each leaf from now on; as always one if the game has no tape.
    pub(crate) fn set_playouts(&mut self, playouts: u32) {
        self.playouts = if self.batch.is_some() { playouts.clamp(1, Self::PLAYOUTS_MAX) } else { 1 };
    }

    /// Ends that were met and that no match can have.
    pub(crate) fn open_ends(&self) -> Option<&OpenEnds> {
        self.open_ends.as_ref()
    }

    /// How many leaves to evaluate in one call at most.
    pub(crate) fn width(&self) -> u32 {
        match self.batch {
            Some(_) => (Self::PLAYOUTS_MAX / self.playouts).clamp(1, Self::LEAVES_MAX),
            None => 1,
        }
    }

    /// How many leaves can be evaluated in one call, for callers that do not need the results of one leaf to choose the next.
    pub(crate) fn capacity(&self) -> usize {
        match self.batch {
            Some(_) => (Self::PLAYOUTS_MAX / self.playouts) as usize,
            None => 1,
        }
    }

    /// The value of each of at most [`capacity`](Self::capacity) states; `None` if time ran out first.
    ///
    /// # Errors
    /// [`GameError`] if the rules fail in a playout other than by a missing goal or legal move.
    pub(crate) fn means(
        &mut self,
        states: &[&State],
        rng: &mut impl Rng,
        budget: &mut Budget<'_>,
        scratch: &mut Scratch,
    ) -> Result<Option<Vec<MeanGoals>>, PlayerError> {
        let Some(batch) = &mut self.batch else {
            let mut means = Vec::with_capacity(states.len());
            for state in states {
                let FinalValues { goals, fault } = lifted(&self.game, state, rng, scratch)?;
                if let Some(fault) = fault {
                    note(&mut self.open_ends, 1, fault);
                }
                means.push(goals);
            }
            return Ok(Some(means));
        };
        let Batch { network, goals, narrow, wide } = batch;
        let starts = starts(network, states)?;
        let mut seed = [0; 32];
        rng.fill_bytes(&mut seed);
        let open_ends = &mut self.open_ends;
        let game = &self.game;
        let mut race = Race { game, starts, playouts: self.playouts as usize, goals, open_ends };
        if states.len() * race.playouts <= Plane::<NARROW>::LANES {
            race.run(narrow, seed, budget)
        } else {
            race.run(wide, seed, budget)
        }
    }
}

/// One playout by the game's own means, as [`Game::playout`] makes it with the same generator.
pub(crate) fn lifted(
    game: &Game,
    state: &State,
    rng: &mut impl Rng,
    scratch: &mut Scratch,
) -> Result<FinalValues, GameError> {
    let mut state = state.clone();
    for _ in 0..=game.limits().turns {
        match game.random_joint_move(&state, rng, scratch) {
            Ok(Some(joint_move)) => state = game.successor(&state, &joint_move, scratch)?,
            Ok(None) => return FinalValues::of(game, &state, None, scratch),
            Err(error @ GameError::NoLegalMove { .. }) => {
                return FinalValues::of(game, &state, Some(error), scratch);
            }
            Err(error) => return Err(error),
        }
    }
    Err(LimitError::Turns { limit: game.limits().turns as u64 }.into())
}

fn starts(network: &GameNetwork, states: &[&State]) -> Result<Vec<Vec<bool>>, GameError> {
    states.iter().map(|state| network.bases(state).ok_or(GameError::OutOfReach)).collect()
}

/// Playouts from some states, side by side until all are over.
///
/// Lanes that are over stay as they are, so that goals, which may cost more than a turn, are computed once.
struct Race<'r> {
    game: &'r Game,
    starts: Vec<Vec<bool>>,
    /// From each state; those of one state are neighbours.
    playouts: usize,
    goals: &'r LaneGoals,
    open_ends: &'r mut Option<OpenEnds>,
}

impl Race<'_> {
    fn run<const W: usize>(
        &mut self,
        lanes: &mut Lanes<W>,
        seed: [u8; 32],
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<MeanGoals>>, PlayerError>
    where
        Plane<W>: Width<W>,
    {
        let used = self.load(lanes);
        let mut random = Generator::<W>::new(seed, 0);
        // Lanes in which some role has no legal move: they stay as they are, as lanes do that are over.
        let mut stuck = Plane::NONE;
        for _ in 0..=self.game.limits().turns {
            lanes.evaluate(Phase::State);
            let running = used & !lanes.terminal() & !stuck;
            if !running.any() {
                lanes.evaluate(Phase::Goal);
                let (group, groups) = (self.playouts, self.starts.len());
                let ended = EndedLanes { here: used, stuck, group, groups };
                return Ok(Some(self.goals.means(lanes, ended, self.open_ends)));
            }
            if budget.is_over() {
                return Ok(None);
            }
            let without_move = lanes.choose(running, &mut random);
            stuck |= without_move;
            lanes.evaluate(Phase::Next);
            lanes.advance_in(running & !without_move);
        }
        let limit = self.game.limits().turns as u64;
        Err(GameError::from(LimitError::Turns { limit }).into())
    }

    /// Puts the states into lanes, and gives the lanes that have one.
    fn load<const W: usize>(&self, lanes: &mut Lanes<W>) -> Plane<W>
    where
        Plane<W>: Width<W>,
    {
        let mut used = Plane::NONE;
        for (number, start) in self.starts.iter().enumerate() {
            let here = lanes_of(number, self.playouts);
            lanes.set_states(here, start);
            used |= here;
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use croupier_engine::{Options, Status, game::Backend};
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    use super::*;

    const KUHN: &str = include_str!("../../../games-ii/kuhn/rules.gdl");

    fn game(backend: Backend) -> Arc<Game> {
        let options = Options { backend, ..Options::PLAY };
        Arc::new(Game::compile(KUHN, &options).expect("the rules are sound").game)
    }

    /// What alice can expect if all moves are equally likely, by enumeration.
    fn expected(game: &Game, state: &State, scratch: &mut Scratch) -> f64 {
        let alice = game.roles().find("alice").expect("a role");
        match game.status(state, scratch).expect("sound rules") {
            Status::Terminal { goals } => f64::from(goals[alice].value()),
            Status::Running { legal } => {
                let joint_moves: Vec<_> = game.joint_moves(&legal).collect();
                let values = joint_moves.iter().map(|joint_move| {
                    let next = game.successor(state, joint_move, scratch).expect("sound rules");
                    expected(game, &next, scratch)
                });
                values.sum::<f64>() / joint_moves.len() as f64
            }
        }
    }

    /// The states after the two cards are dealt.
    fn dealt(game: &Game, scratch: &mut Scratch) -> Vec<State> {
        let mut states = vec![game.initial_state().clone()];
        for _ in 0..2 {
            let mut next = Vec::new();
            for state in &states {
                let Status::Running { legal } = game.status(state, scratch).expect("sound rules") else {
                    continue;
                };
                for joint_move in game.joint_moves(&legal) {
                    next.push(game.successor(state, &joint_move, scratch).expect("sound rules"));
                }
            }
            states = next;
        }
        states
    }

    #[test]
    fn means_are_what_enumeration_expects_on_the_tape_and_without() {
        for backend in [Backend::Propnet, Backend::Datalog] {
            let game = game(backend);
            let mut scratch = game.scratch();
            let states = dealt(&game, &mut scratch);
            assert_eq!(states.len(), 6);
            // 80 playouts each take the wide lanes, 5 the narrow ones.
            for playouts in [80, 5] {
                let mut leaves = Leaves::new(Arc::clone(&game), playouts);
                let mut rng = ChaCha8Rng::from_seed([5; 32]);
                let rounds = if backend == Backend::Propnet { 4_000 / playouts } else { 4_000 };
                for state in &states {
                    let mut total = 0.0;
                    for _ in 0..rounds {
                        let means = leaves.means(&[state], &mut rng, &mut Budget::Own, &mut scratch);
                        let means = means.expect("sound rules").expect("no deadline");
                        assert_eq!(means[0][0] + means[0][1], 100.0, "what alice wins bob loses");
                        total += means[0][0];
                    }
                    let (mean, exact) = (total / f64::from(rounds), expected(&game, state, &mut scratch));
                    // A playout's standard deviation is below 40: five of 4,000 are 3.2.
                    assert!((mean - exact).abs() < 3.2, "{backend:?}: {mean}, not {exact}");
                }
            }
        }
    }

    #[test]
    fn states_side_by_side_have_means_of_their_own() {
        let game = game(Backend::Propnet);
        let mut scratch = game.scratch();
        let states = dealt(&game, &mut scratch);
        let mut leaves = Leaves::new(Arc::clone(&game), 80);
        let mut rng = ChaCha8Rng::from_seed([6; 32]);
        let all: Vec<&State> = states.iter().collect();
        let mut totals = vec![0.0; all.len()];
        for _ in 0..50 {
            let means = leaves.means(&all, &mut rng, &mut Budget::Own, &mut scratch);
            for (total, means) in totals.iter_mut().zip(means.expect("sound rules").expect("no deadline")) {
                *total += means[0] / 50.0;
            }
        }
        for (mean, state) in totals.iter().zip(&states) {
            let exact = expected(&game, state, &mut scratch);
            assert!((mean - exact).abs() < 3.2, "{mean}, not {exact}: {:?}", game.state_terms(state));
        }
    }

    #[test]
    fn a_deadline_ends_playouts_between_two_turns() {
        let game = game(Backend::Propnet);
        let mut scratch = game.scratch();
        let mut leaves = Leaves::new(Arc::clone(&game), 16);
        let mut rng = ChaCha8Rng::from_seed([7; 32]);
        let mut asked = 0;
        let mut is_over = || {
            asked += 1;
            asked > 3
        };
        let state = game.initial_state();
        let means = leaves.means(&[state], &mut rng, &mut Budget::Until(&mut is_over), &mut scratch);
        assert_eq!(means, Ok(None));
        assert_eq!(asked, 4);
    }
}
