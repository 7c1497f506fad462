//! The matches of one call: the same seats and rules, a seed for each, the same results on any threads.

use std::{io::Write, ops::Range, sync::Arc};

use croupier_engine::{ByPlayer, Game, RoleId};
use croupier_games::GameFacts;
use croupier_referee::{Header, HeaderError, Outcome, SealKey, Secrets, Seed, run_match};
use indicatif::ProgressBar;
use rayon::{ThreadPool, prelude::*};

use crate::{
    failure::Failure,
    human::Person,
    seat::{Occupant, PlayerSeat, Timing},
    seating::Sitter,
};

/// Matches between two writes of the record, which bounds what is held in memory.
const BLOCK: u64 = 128;

/// What all matches of a series have in common.
pub(super) struct Series {
    /// The match, but for its id.
    pub(super) header: Header,
    /// The game as each seat has it, compiled from what players are sent.
    pub(super) games: ByPlayer<Arc<Game>>,
    pub(super) sitters: ByPlayer<Sitter>,
    pub(super) facts: Arc<GameFacts>,
    pub(super) seed: Seed,
    /// The key that signs the records, if somebody has one.
    pub(super) seal_key: Option<SealKey>,
    pub(super) timing: Timing,
    /// Where people read what they are told.
    pub(super) people_read: fn() -> Box<dyn Write>,
}

/// A match that is over.
pub(super) struct Ended {
    pub(super) match_id: String,
    /// The lines of its record.
    pub(super) record: Vec<u8>,
    pub(super) outcome: Outcome,
    /// Which players gave no move, how often, and why the first time.
    pub(super) failures: Vec<(RoleId, u32, String)>,
    /// Whether somebody at the terminal wants to play no more.
    pub(super) is_left: bool,
}

impl Series {
    /// Whether somebody at the terminal plays.
    pub(super) fn has_people(&self) -> bool {
        self.sitters.iter().any(|(_, sitter)| *sitter == Sitter::Human)
    }

    /// Plays `matches` matches and gives each to `take`, in order. Matches with people are played one
    /// after another, and end with the one that somebody leaves.
    ///
    /// # Errors
    /// If a match cannot begin, or `take` fails.
    pub(super) fn play(
        &self,
        matches: u64,
        pool: &ThreadPool,
        bar: &ProgressBar,
        mut take: impl FnMut(Ended) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.has_people() {
            for index in 0..matches {
                let ended = self.play_match(index)?;
                let is_left = ended.is_left;
                take(ended)?;
                if is_left {
                    break;
                }
            }
            return Ok(());
        }
        let mut start = 0;
        while start < matches {
            let end = matches.min(start + BLOCK);
            for ended in self.play_block(start..end, pool, bar)? {
                take(ended)?;
            }
            start = end;
        }
        Ok(())
    }

    fn play_block(
        &self,
        block: Range<u64>,
        pool: &ThreadPool,
        bar: &ProgressBar,
    ) -> Result<Vec<Ended>, Failure> {
        let one = |index| {
            let ended = self.play_match(index);
            bar.inc(1);
            ended
        };
        let indexes: Vec<u64> = block.collect();
        pool.install(|| indexes.into_par_iter().with_max_len(1).map(one).collect())
    }

    /// The match of this index, which depends on nothing but the series and the index.
    fn play_match(&self, index: u64) -> Result<Ended, Failure> {
        let unplayable = |error: HeaderError| Failure::refuse("bad-match", error.to_string());
        let match_id = format!("{}-{}", self.header.match_id(), index + 1);
        let header = Arc::new(self.header.with_match_id(match_id.clone()).map_err(unplayable)?);
        let seed = self.seed.for_match(index);
        let mut seats = ByPlayer::try_from_fn(header.roles(), |role| {
            self.occupant(role, seed.agent(header.role_name(role))).map(Box::new)
        })?;
        let secrets = match &self.seal_key {
            Some(seal_key) => Secrets { seed, seal_key: seal_key.clone() },
            None => Secrets::from_seed(seed),
        };
        let played = run_match(&header, secrets, &mut seats, |_, _| {});

        let mut failures = Vec::new();
        let mut is_left = false;
        for (role, seat) in seats.iter() {
            match &**seat {
                Occupant::Player(player) => {
                    let failed = player.failures();
                    failures.extend(failed.map(|(times, error)| (role, *times, error.to_string())));
                }
                Occupant::Person(person) => is_left |= person.has_left(),
            }
        }
        Ok(Ended { match_id, record: played.record, outcome: played.outcome, failures, is_left })
    }

    fn occupant(&self, role: RoleId, seed: [u8; 32]) -> Result<Occupant, Failure> {
        let game = &self.games[role];
        match &self.sitters[role] {
            Sitter::Player(kind) => PlayerSeat::new(kind, game, role, seed, self.timing)
                .map(Occupant::Player)
                .map_err(|error| Failure::refuse("bad-match", error.to_string())),
            Sitter::Human => {
                let facts = Arc::clone(&self.facts);
                let terminal = (self.timing, (self.people_read)());
                Person::new(game, role, facts, seed, terminal)
                    .map(|person| Occupant::Person(Box::new(person)))
                    .map_err(|error| Failure::refuse("bad-match", error.to_string()))
            }
        }
    }
}
