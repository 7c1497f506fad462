//! Histories as rows of bits, evaluated and played by many threads on lanes.

use std::sync::{Mutex, PoisonError};

use croupier_engine::{
    Game, GameError, Percepts, RoleId, Status,
    game::{GameNetwork, PlayedRows, RowLooker, RowStatus, RowStatuses},
    stages::bits::Bits,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Working memory for threads, each used by one thread at a time and then kept for the next.
#[derive(Debug)]
pub(crate) struct Lookers<'g> {
    game: &'g Game,
    network: &'g GameNetwork,
    words: usize,
    idle: Mutex<Vec<RowLooker>>,
}

/// Values for rows of bits of one length.
#[derive(Debug)]
pub(crate) struct ByRow<T> {
    words: usize,
    /// If rows have one word.
    short: FxHashMap<u64, T>,
    long: FxHashMap<Box<[u64]>, T>,
    last: Option<(u64, T)>,
}

impl<'g> Lookers<'g> {
    /// Creates a single one; `None` if the game has no network, or a very large one.
    pub(crate) fn new(game: &'g Game) -> Option<Self> {
        let looker = RowLooker::new(game)?;
        Some(Self { game, network: game.network()?, words: looker.words(), idle: Mutex::new(vec![looker]) })
    }

    /// The network of the game.
    pub(crate) fn network(&self) -> &'g GameNetwork {
        self.network
    }

    /// Every role, chance too.
    pub(crate) fn roles(&self) -> impl Iterator<Item = RoleId> + use<'g> {
        self.game.roles().all()
    }

    /// How many words a state has.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Values for rows of states.
    pub(crate) fn by_state<T: Copy>(&self) -> ByRow<T> {
        ByRow::new(self.words)
    }

    /// Values for rows of the legal moves of a role.
    pub(crate) fn by_legal<T: Copy>(&self, role: RoleId) -> ByRow<T> {
        ByRow::new(self.with(|looker| looker.legal_words(role)))
    }

    /// Values for rows of percepts of a role.
    pub(crate) fn by_told<T: Copy>(&self, role: RoleId) -> ByRow<T> {
        ByRow::new(self.with(|looker| looker.told_words(role)))
    }

    /// What `count` states are, by blocks, on the threads of the rayon pool that this is called in.
    ///
    /// # Errors
    /// If the rules fail in one of them.
    pub(crate) fn look(&self, states: &[u64], count: usize) -> Result<Vec<RowStatuses>, GameError> {
        let look = |block: usize| {
            let (first, mut statuses) = (block * RowLooker::BLOCK, RowStatuses::default());
            let count = (count - first).min(RowLooker::BLOCK);
            let states = &states[first * self.words..(first + count) * self.words];
            self.with(|looker| looker.look(states, count, &mut statuses));
            self.settle(states, &mut statuses)?;
            Ok(statuses)
        };
        (0..count.div_ceil(RowLooker::BLOCK)).into_par_iter().map(look).collect()
    }

    /// Asks the engine about states that lanes do not decide, and uses its answer.
    fn settle(&self, states: &[u64], statuses: &mut RowStatuses) -> Result<(), GameError> {
        for lane in 0..statuses.kinds.len() {
            if statuses.kinds[lane] != RowStatus::Unclear {
                continue;
            }
            let row = &states[lane * self.words..(lane + 1) * self.words];
            match self.game.status(&self.network.state_of_row(row), &mut self.game.scratch())? {
                Status::Terminal { goals } => {
                    statuses.kinds[lane] = RowStatus::Terminal;
                    let players = self.game.roles().players().count();
                    let places = &mut statuses.goals[lane * players..(lane + 1) * players];
                    places.iter_mut().zip(goals.iter()).for_each(|(place, (_, goal))| *place = *goal);
                }
                Status::Running { .. } => statuses.kinds[lane] = RowStatus::Running,
            }
        }
        Ok(())
    }

    /// The results of joint moves, by blocks: each is played in the state of the row that `sources` gives, with one move index
    /// per role in `moves`.
    pub(crate) fn play(
        &self,
        states: &[u64],
        sources: &[u32],
        moves: &[u32],
        roles: usize,
    ) -> Vec<PlayedRows> {
        let blocks = sources.par_chunks(RowLooker::BLOCK);
        let moves = moves.par_chunks(RowLooker::BLOCK * roles);
        let play = |(sources, moves): (&[u32], &[u32])| {
            let mut played = PlayedRows::default();
            self.with(|looker| looker.play(states, sources, moves, &mut played));
            played
        };
        blocks.zip(moves).map(play).collect()
    }

    fn with<T>(&self, look: impl FnOnce(&mut RowLooker) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut looker =
            taken.unwrap_or_else(|| RowLooker::new(self.game).expect("the game is a network that fits"));
        let found = look(&mut looker);
        idle().push(looker);
        found
    }
}

impl<T: Copy> ByRow<T> {
    fn new(words: usize) -> Self {
        Self { words, short: FxHashMap::default(), long: FxHashMap::default(), last: None }
    }

    /// The value of the row with a number, made by `make` if it is new.
    #[inline]
    pub(crate) fn get(&mut self, rows: &[u64], number: usize, make: impl FnOnce(&[u64]) -> T) -> T {
        let row = &rows[number * self.words..(number + 1) * self.words];
        if let [word] = *row {
            return match self.last {
                Some((last, value)) if last == word => value,
                _ => {
                    let value = *self.short.entry(word).or_insert_with(|| make(row));
                    self.last = Some((word, value));
                    value
                }
            };
        }
        match self.long.get(row) {
            Some(&known) => known,
            None => {
                let value = make(row);
                self.long.insert(row.into(), value);
                value
            }
        }
    }
}

/// The percepts that a row represents.
pub(crate) fn percepts(network: &GameNetwork, role: RoleId, row: &[u64]) -> Percepts {
    network.percepts_of(role, &ones(row).map(|number| number as usize).collect::<Bits>())
}

/// The places of the ones in a row, ascending.
pub(crate) fn ones(row: &[u64]) -> impl Iterator<Item = u32> + '_ {
    (0..).step_by(64).zip(row).flat_map(|(first, &word)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| first + bit)
    })
}

/// A place as it is kept.
pub(crate) fn position(index: usize) -> u32 {
    u32::try_from(index).expect("a count below 2^32")
}
