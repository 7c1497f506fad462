//! Many matches, a step at a time.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, batch::Plane};
use rayon::prelude::*;

use crate::{
    Arrays, Features, SeatKind, Space, TrainingError,
    arrays::ArrayShape,
    beliefs::Beliefs,
    block::{Block, BlockChoice, BlockContext, BlockInference, Trace},
    events::LaneEvents,
    opponents::ModelledBeliefs,
    policies::OpponentPolicies,
    shapes::Shapes,
    size::{LANES, W, check_memory},
};

/// How matches are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvironmentSettings {
    /// How many matches are played at once.
    pub lanes: usize,
    /// What all draws follow from.
    pub seed: [u8; 32],
    /// What is observed.
    pub features: Features,
    /// By player, who moves; empty if all seats are open.
    pub seats: Vec<SeatKind>,
    /// Turn limit: a match that reaches it is ended, with goals 0.
    pub turns_max: u32,
    /// Whether the threads of the rayon pool share the work, if there are more than 512 lanes.
    pub is_parallel: bool,
    /// Whether the moves of each match are kept for [`VectorEnvironment::joint_moves`].
    pub traces: bool,
    /// Whether information sets are kept for [`VectorEnvironment::known`].
    pub knowledge: bool,
    /// Whether what players knew at the end of a match is kept for [`VectorEnvironment::write_finals`].
    pub finals: bool,
}

/// A match in each of many lanes. A step goes from one choice in an open seat to the next.
///
/// While no player in an open seat has a choice, moves are made automatically: those of chance and of random seats are drawn, forced
/// moves are played. When a match ends, the next one is played up to its first choice in the same step; a match that ends
/// without any choice is skipped.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, Options};
/// use croupier_training::{Arrays, EnvironmentSettings, Features, VectorEnvironment};
///
/// let rules = croupier_games::find("kuhn").ok_or("the catalogue has it")?.rules;
/// let game = Arc::new(Game::compile(rules, &Options::PLAY)?.game);
/// let settings = EnvironmentSettings {
///     lanes: 3, seed: [1; 32], features: Features::Turn, seats: Vec::new(), turns_max: 100, is_parallel: false, traces: false,
///     knowledge: false, finals: false,
/// };
/// let mut environment = VectorEnvironment::new(&game, settings)?;
/// let (players, moves, features) = (2, environment.space().moves_count(), environment.space().features_count());
/// let (mut seen, mut mask) = (vec![0; 3 * players * features], vec![0; 3 * players * moves]);
/// let (mut acting, mut goals) = (vec![0; 3 * players], vec![0.0; 3 * players]);
/// let (mut done, mut truncated, mut turn) = (vec![0; 3], vec![0; 3], vec![0; 3]);
/// environment.reset([1; 32], Arrays {
///     features: &mut seen, probabilities: &mut [], mask: &mut mask, acting: &mut acting, goals: &mut goals,
///     done: &mut done, truncated: &mut truncated, turn: &mut turn,
/// })?;
/// // Cards are dealt, and the first player has the choice in every lane.
/// assert_eq!(acting, [1, 0, 1, 0, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct VectorEnvironment {
    space: Space,
    settings: EnvironmentSettings,
    blocks: Vec<Block>,
    /// Beliefs under policies, for all blocks.
    modelled: Option<ModelledBeliefs>,
}

impl VectorEnvironment {
    /// Matches of a game; [`reset`](Self::reset) begins them.
    ///
    /// # Errors
    /// [`TrainingError`] if the game has no network, there is no lane, memory does not suffice, or no player ever has a choice.
    pub fn new(game: &Arc<Game>, settings: EnvironmentSettings) -> Result<Self, TrainingError> {
        Self::with_opponents(game, settings, OpponentPolicies::uniform())
    }

    /// The same, but in the beliefs of all players the others choose by these policies. Each policy is asked at most once a step, for all
    /// information sets that beliefs need and that it was not asked about since [`refresh_opponents`](Self::refresh_opponents). Beliefs are
    /// exact: every possibility is enumerated, up to the bounds of [`Methods::EXACT`](croupier_belief::Methods::EXACT).
    ///
    /// # Errors
    /// Those of [`new`](Self::new); [`TrainingError::NoBeliefs`] if features are no beliefs.
    pub fn with_opponents(
        game: &Arc<Game>,
        settings: EnvironmentSettings,
        opponents: OpponentPolicies,
    ) -> Result<Self, TrainingError> {
        if settings.lanes == 0 {
            return Err(TrainingError::NoLanes);
        }
        check_memory(game, settings.lanes, settings.features)?;
        let space = Space::new(game, settings.features)?;
        let players = space.players.len();
        if !settings.seats.is_empty() && settings.seats.len() != players {
            return Err(TrainingError::Seats { found: settings.seats.len(), players });
        }
        let has_choice = |player: usize| {
            settings.seats.get(player) != Some(&SeatKind::Random)
                && space.players[player].move_names.len() > 1
        };
        if !(0..players).any(has_choice) {
            return Err(TrainingError::NoChoice);
        }
        let Inference { block, modelled } = Inference::new(game, &space, opponents)?;
        let of_block =
            |first: usize| Block::new(&space, &settings, block.clone(), (settings.lanes - first).min(LANES));
        let blocks = (0..settings.lanes).step_by(LANES).map(of_block).collect();
        Ok(Self { space, settings, blocks, modelled })
    }

    /// Matches that one thread plays at once.
    pub const LANES: usize = LANES;

    /// The names of the numbers.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// How matches are played.
    #[must_use]
    pub fn settings(&self) -> &EnvironmentSettings {
        &self.settings
    }

    /// Starts all matches anew, as a new environment with this seed would, up to their first choices.
    ///
    /// # Errors
    /// [`TrainingError`] if an array has the wrong size, or the rules fail.
    pub fn reset(&mut self, seed: [u8; 32], arrays: Arrays<'_>) -> Result<(), TrainingError> {
        self.settings.seed = seed;
        self.each(arrays, |block, context, number, arrays| {
            block.begin(context, number as u64)?;
            block.write(context, arrays)?;
            Ok(0)
        })?;
        Ok(())
    }

    /// Makes a move in every open seat that has a choice, and continues to the next choices. `moves` has a column of the mask for
    /// each lane and player; those of players without a choice are ignored. If a column is not a legal move, one is drawn.
    /// Returns how many were drawn.
    ///
    /// # Errors
    /// [`TrainingError`] if an array has the wrong size, or the rules fail.
    pub fn step(&mut self, moves: &[i32], arrays: Arrays<'_>) -> Result<u64, TrainingError> {
        self.step_wanted(None, moves, arrays)
    }

    /// The same in some lanes; the others stay as they are, and are written again.
    ///
    /// # Errors
    /// [`TrainingError`] if an array has the wrong size, or the rules fail.
    pub fn step_in(
        &mut self,
        lanes: &[bool],
        moves: &[i32],
        arrays: Arrays<'_>,
    ) -> Result<u64, TrainingError> {
        self.check_lanes(lanes)?;
        self.step_wanted(Some(lanes), moves, arrays)
    }

    /// Draws a legal move for every player in every lane, each equally likely: a column of the mask for each lane and player. Draws
    /// follow from the seed and are independent of those of the matches.
    ///
    /// # Errors
    /// [`TrainingError`] if the array has the wrong size, or a player has no legal move.
    pub fn sample(&mut self, columns: &mut [i32]) -> Result<(), TrainingError> {
        let players = self.space.players.len();
        let wanted = self.settings.lanes * players;
        if columns.len() != wanted {
            return Err(TrainingError::Size { name: "columns", found: columns.len(), wanted });
        }
        let mut parts = columns.chunks_mut(LANES * players);
        self.blocks
            .iter_mut()
            .zip(&mut parts)
            .try_for_each(|(block, columns)| block.sample(&self.space, columns))
    }

    /// Starts the matches of some lanes anew, up to their first choices; the others stay as they are, and are written again.
    ///
    /// # Errors
    /// [`TrainingError`] if an array has the wrong size, or the rules fail.
    pub fn restart_in(&mut self, lanes: &[bool], arrays: Arrays<'_>) -> Result<(), TrainingError> {
        self.check_lanes(lanes)?;
        let count = self.settings.lanes;
        self.each(arrays, |block, context, number, arrays| {
            let here = number * LANES..count.min((number + 1) * LANES);
            block.restart(context, plane_of(&lanes[here]))?;
            block.write(context, arrays)?;
            Ok(0)
        })?;
        Ok(())
    }

    /// Writes what each player knew at the end of the last match of each lane, as features are written; zeros where none has
    /// ended. For features that are a player's own moves and percepts, if [`EnvironmentSettings::finals`] is set.
    ///
    /// # Errors
    /// [`TrainingError`] if the array has the wrong size, or nothing is kept.
    pub fn write_finals(&mut self, features: &mut [u8]) -> Result<(), TrainingError> {
        let shape = ArrayShape::of(&self.space);
        let row = shape.players * shape.features;
        let wanted = self.settings.lanes * row;
        if features.len() != wanted {
            return Err(TrainingError::Size { name: "finals", found: features.len(), wanted });
        }
        let mut parts = features.chunks_mut((LANES * row).max(1));
        self.blocks.iter_mut().zip(&mut parts).try_for_each(|(block, part)| block.write_finals(shape, part))
    }

    /// Forgets what the policies of the others answered: from the next step on they are asked anew, and every belief goes by their new answers,
    /// also for moves that were made before.
    pub fn refresh_opponents(&mut self) {
        if let Some(modelled) = &mut self.modelled {
            modelled.refresh();
        }
    }

    /// How many beliefs are kept for information sets that come again: those that differ only in values that can be exchanged are one
    /// ([`Game::exchangeable_values`]), unless others choose by policies.
    #[must_use]
    pub fn beliefs_kept(&self) -> usize {
        match &self.modelled {
            Some(modelled) => modelled.kept_count(),
            None => self.blocks.first().map_or(0, Block::beliefs_kept),
        }
    }

    /// Writes the beliefs at the current choices again, where the others choose by policies.
    ///
    /// # Errors
    /// [`TrainingError`] if an array has the wrong size, or a policy has no answer.
    pub fn write_beliefs(&mut self, arrays: Arrays<'_>) -> Result<(), TrainingError> {
        arrays.check(self.settings.lanes, ArrayShape::of(&self.space))?;
        self.write_modelled(arrays.probabilities)
    }

    fn check_lanes(&self, lanes: &[bool]) -> Result<(), TrainingError> {
        let (found, wanted) = (lanes.len(), self.settings.lanes);
        if found == wanted { Ok(()) } else { Err(TrainingError::Size { name: "lanes", found, wanted }) }
    }

    /// In some lanes, or in all.
    fn step_wanted(
        &mut self,
        lanes: Option<&[bool]>,
        moves: &[i32],
        arrays: Arrays<'_>,
    ) -> Result<u64, TrainingError> {
        let players = self.space.players.len();
        let count = self.settings.lanes;
        if moves.len() != count * players {
            let (found, wanted) = (moves.len(), count * players);
            return Err(TrainingError::Size { name: "moves", found, wanted });
        }
        self.each(arrays, |block, context, number, arrays| {
            let here = number * LANES..count.min((number + 1) * LANES);
            let moves = &moves[here.start * players..here.end * players];
            let wanted = lanes.map_or(Plane::ALL, |lanes| plane_of(&lanes[here]));
            let drawn = block.step(context, wanted, moves)?;
            block.write(context, arrays)?;
            Ok(drawn)
        })
    }

    /// All that its matches depend on, from one step to the next, but for [`EnvironmentSettings::traces`].
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        let mut words = Vec::new();
        self.blocks.iter().for_each(|block| block.append_words(&self.space, &mut words));
        words
    }

    /// Continues from the saved [`words`](Self::words) of an environment with the same game and settings.
    ///
    /// # Errors
    /// [`TrainingError::Words`] if they are of another one.
    pub fn restore(&mut self, mut words: &[u64]) -> Result<(), TrainingError> {
        let shape = ArrayShape::of(&self.space);
        let context = BlockContext { space: &self.space, settings: &self.settings, shape };
        for block in &mut self.blocks {
            block.restore(context, &mut words).ok_or(TrainingError::Words)?;
        }
        if words.is_empty() { Ok(()) } else { Err(TrainingError::Words) }
    }

    /// A player's information set in a lane, if [`EnvironmentSettings::knowledge`] is set. `player` is its index in
    /// [`Space::players`].
    #[must_use]
    pub fn known(&self, lane: usize, player: usize) -> Option<&InformationSet> {
        let is_played = lane < self.settings.lanes && player < self.space.players.len();
        is_played.then(|| self.blocks[lane / LANES].known(lane % LANES, player)).flatten()
    }

    /// The joint moves of a lane's match so far, by index for each role, if [`EnvironmentSettings::traces`] is set.
    #[must_use]
    pub fn joint_moves(&self, lane: usize) -> &[Vec<u32>] {
        self.trace(lane).map_or(&[], |trace| &trace.now)
    }

    /// The joint moves of the previous match of a lane, if [`EnvironmentSettings::traces`] is set.
    #[must_use]
    pub fn joint_moves_before(&self, lane: usize) -> &[Vec<u32>] {
        self.trace(lane).map_or(&[], |trace| &trace.before)
    }

    fn trace(&self, lane: usize) -> Option<&Trace> {
        self.blocks.get(lane / LANES).and_then(|block| block.trace(lane % LANES))
    }

    /// Has every block do something, on all threads.
    fn each(
        &mut self,
        mut arrays: Arrays<'_>,
        what: impl Fn(&mut Block, BlockContext<'_>, usize, Arrays<'_>) -> Result<u64, TrainingError> + Sync,
    ) -> Result<u64, TrainingError> {
        let done = self.each_block(arrays.lent(), what)?;
        self.write_modelled(arrays.probabilities)?;
        Ok(done)
    }

    /// Writes the beliefs under policies at all choices.
    fn write_modelled(&mut self, probabilities: &mut [f32]) -> Result<(), TrainingError> {
        let Some(modelled) = &mut self.modelled else { return Ok(()) };
        let (players, size) = (self.space.players.len(), self.space.features_count());
        modelled.forget_if_full();
        let (mut seats, mut places) = (Vec::new(), Vec::new());
        for (number, block) in self.blocks.iter().enumerate() {
            for BlockChoice { lane, place, key } in block.choices() {
                let lane = number * LANES + lane;
                seats.push(lane * players + place);
                places.push(modelled.place(&self.space, (lane, place), key)?);
            }
        }
        modelled.compute(&self.space, &places)?;
        for (&seat, &place) in seats.iter().zip(&places) {
            probabilities[seat * size..][..size].copy_from_slice(modelled.belief(place));
        }
        Ok(())
    }

    fn each_block(
        &mut self,
        arrays: Arrays<'_>,
        what: impl Fn(&mut Block, BlockContext<'_>, usize, Arrays<'_>) -> Result<u64, TrainingError> + Sync,
    ) -> Result<u64, TrainingError> {
        let shape = ArrayShape::of(&self.space);
        arrays.check(self.settings.lanes, shape)?;
        let context = BlockContext { space: &self.space, settings: &self.settings, shape };
        let parts = arrays.split(LANES, shape);
        if self.settings.is_parallel && self.blocks.len() > 1 {
            let blocks = self.blocks.par_iter_mut().zip(parts).enumerate();
            return blocks.map(|(number, (block, arrays))| what(block, context, number, arrays)).sum();
        }
        let blocks = self.blocks.iter_mut().zip(parts).enumerate();
        blocks.map(|(number, (block, arrays))| what(block, context, number, arrays)).sum()
    }
}

/// What infers beliefs, if features are beliefs: in each block, or for all of them.
struct Inference {
    block: BlockInference,
    modelled: Option<ModelledBeliefs>,
}

impl Inference {
    fn new(game: &Arc<Game>, space: &Space, opponents: OpponentPolicies) -> Result<Self, TrainingError> {
        let Features::Belief { particles } = space.features else {
            if opponents.is_uniform() {
                return Ok(Self { block: BlockInference::default(), modelled: None });
            }
            return Err(TrainingError::NoBeliefs);
        };
        if opponents.is_uniform() {
            let events = Some(LaneEvents::new(space, Shapes::new(game, space)));
            let beliefs = Some(Beliefs::new(game, particles));
            return Ok(Self { block: BlockInference { events, beliefs }, modelled: None });
        }
        // A policy may treat exchangeable values differently.
        let events = Some(LaneEvents::new(space, Shapes::default()));
        let block = BlockInference { events, beliefs: None };
        Ok(Self { block, modelled: Some(ModelledBeliefs::new(game, opponents)) })
    }
}

/// The lanes for which something is true.
fn plane_of(lanes: &[bool]) -> Plane<W> {
    let mut plane = Plane::NONE;
    lanes.iter().enumerate().for_each(|(lane, &is_wanted)| plane.set(lane, is_wanted));
    plane
}
