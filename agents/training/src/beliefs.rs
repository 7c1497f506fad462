//! What the players of many matches believe, as probabilities.

use std::sync::Arc;

use croupier_belief::{Believer, Methods, Opponents, ParticleOptions};
use croupier_engine::{
    Game, InformationSet,
    batch::{Lanes, Plane},
    stages::propnet::Operand,
};
use rustc_hash::FxHashMap;

use crate::{
    Space, TrainingError,
    memory::{LANES, W},
    space::PlayerSpace,
};

/// Probabilities that are kept for information sets that come again: 64 MiB for each block of lanes.
const KEPT_MAX: usize = 1 << 24;

/// Beliefs of the players of up to 512 matches.
///
/// A belief is a function of the information set alone: particles are drawn from one seed in all lanes, matches and environments.
/// So it can be kept for the next time that somebody knows the same, which in small games is nearly always.
#[derive(Debug)]
pub(crate) struct Beliefs {
    game: Arc<Game>,
    options: ParticleOptions,
    players: usize,
    /// By lane and player, what it knows.
    known: Vec<InformationSet>,
    /// By lane and player, its belief at some earlier choice of the same match.
    believers: FxHashMap<usize, Believer>,
    /// By information set, the probability of each fluent.
    kept: FxHashMap<InformationSet, Arc<[f32]>>,
}

impl Clone for Beliefs {
    /// Beliefs follow from what is known, and are made again.
    fn clone(&self) -> Self {
        let (game, known) = (Arc::clone(&self.game), self.known.clone());
        let (believers, kept) = (FxHashMap::default(), self.kept.clone());
        Self { game, options: self.options, players: self.players, known, believers, kept }
    }
}

impl Beliefs {
    pub(crate) fn new(game: &Arc<Game>, space: &Space, particles: usize) -> Self {
        let initial = space.players.iter().map(|player| InformationSet::initial(player.role));
        let players = space.players.len();
        let known: Vec<InformationSet> = initial.cycle().take(LANES * players).collect();
        let options = ParticleOptions::for_play(particles);
        let (believers, kept) = (FxHashMap::default(), FxHashMap::default());
        Self { game: Arc::clone(game), options, players, known, believers, kept }
    }

    /// Takes in what happened to a player in some lanes, after moves were made and percepts computed.
    pub(crate) fn learn(&mut self, space: &Space, place: usize, lanes: &Lanes<W>, wanted: Plane<W>) {
        let PlayerSpace { role, ref moves, ref percepts, .. } = space.players[place];
        let network = &space.network;
        let mut made = vec![0; LANES];
        for &number in moves {
            (lanes.made(role, number) & wanted).lanes().for_each(|lane| made[lane] = number);
        }
        let mut told = vec![Vec::new(); LANES];
        for &number in percepts {
            (lanes.sees(role, number) & wanted).lanes().for_each(|lane| told[lane].push(number));
        }
        for lane in wanted.lanes() {
            let percepts = network.percepts_of(role, &told[lane].iter().copied().collect());
            let played = network.moves(role)[made[lane]];
            self.known[lane * self.players + place].turns.push((played, percepts));
        }
    }

    /// Forgets everything in some lanes.
    pub(crate) fn forget(&mut self, wanted: Plane<W>) {
        for seat in wanted.lanes().flat_map(|lane| lane * self.players..(lane + 1) * self.players) {
            self.known[seat].turns.clear();
            self.believers.remove(&seat);
        }
    }

    /// The probability of each fluent for a player in a lane.
    ///
    /// # Errors
    /// [`TrainingError::Belief`].
    pub(crate) fn probabilities(
        &mut self,
        space: &Space,
        lane: usize,
        place: usize,
    ) -> Result<Arc<[f32]>, TrainingError> {
        let seat = lane * self.players + place;
        let known = &self.known[seat];
        if let Some(kept) = self.kept.get(known) {
            return Ok(Arc::clone(kept));
        }
        let failed = |error: croupier_belief::BeliefError| TrainingError::Belief(error.to_string());
        let believer = match self.believers.entry(seat) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let methods = Methods { exact: None, sample: Some((self.options, [0; 32])) };
                let game = Arc::clone(&self.game);
                let believer = Believer::new(game, known.role, methods, &Opponents::uniform());
                entry.insert(believer.map_err(failed)?)
            }
        };
        let outlook = believer.follow(known).map_err(failed)?;
        let mut sums = vec![0.0; space.network.fluents().len()];
        for (state, probability) in outlook.distribution.iter() {
            let bases = state.fluents().filter_map(|fluent| space.network.base(fluent));
            bases.for_each(|base| sums[base] += probability);
        }
        let found: Arc<[f32]> = sums.into_iter().map(|sum: f64| sum.min(1.0) as f32).collect();
        if (self.kept.len() + 1) * found.len() > KEPT_MAX {
            self.kept.clear();
        }
        self.kept.insert(known.clone(), Arc::clone(&found));
        Ok(found)
    }

    /// Appends what is known in all lanes.
    pub(crate) fn append_words(&self, space: &Space, words: &mut Vec<u64>) {
        for known in &self.known {
            words.push(known.turns.len() as u64);
            for (played, percepts) in &known.turns {
                let number = space.network.move_number(known.role, *played).expect("a move that was made");
                let told =
                    space.network.percept_numbers(known.role, percepts).expect("percepts of the network");
                words.extend([number as u64, told.iter().count() as u64]);
                words.extend(told.iter().map(|percept| percept as u64));
            }
        }
    }

    /// Knows what [`append_words`](Self::append_words) appended, and takes it from the front. `None` if it is not that.
    pub(crate) fn restore(&mut self, space: &Space, turns_max: u32, words: &mut &[u64]) -> Option<()> {
        self.believers.clear();
        for known in &mut self.known {
            let tape = space.tape();
            let turns = next(words).filter(|&turns| turns <= u64::from(turns_max))?;
            known.turns.clear();
            for _ in 0..turns {
                let number = usize::try_from(next(words)?).ok()?;
                let played = *space.network.moves(known.role).get(number)?;
                let possible: &[Operand] = tape.sees(known.role);
                let count = next(words).filter(|&count| count <= possible.len() as u64)?;
                let number = |_| {
                    let number = usize::try_from(next(words)?).ok()?;
                    (number < possible.len()).then_some(number)
                };
                let told = (0..count).map(number).collect::<Option<_>>()?;
                known.turns.push((played, space.network.percepts_of(known.role, &told)));
            }
        }
        Some(())
    }
}

/// The next word, which is taken from the front.
fn next(words: &mut &[u64]) -> Option<u64> {
    let (&first, rest) = words.split_first()?;
    *words = rest;
    Some(first)
}
