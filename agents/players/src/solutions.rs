//! Games that players have solved, shared by all players of one kind.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use croupier_engine::{Game, InformationSet, MoveId, game::GameNetwork};
use croupier_solvers::{Equilibrium, TreeError, TreeLimits, is_far_beyond};

use crate::{
    Budget,
    blueprint::{BlueprintFile, Strategy},
};

/// The solutions of games shared by players of one kind. A clone shares them.
///
/// A solution depends only on the rules, the limit of histories and the number of iterations, so it makes no difference who
/// computed it: the seats of a match that share one still learn nothing about each other. Only games with networks are
/// shared, because all forks of such a game number their moves and percepts alike.
///
/// No player waits for another. A player takes a solution out to work on it; another one that needs it meanwhile solves
/// the game for itself. (Waiting could deadlock: a thread that waits inside a rayon pool may be given the very work that
/// waits for it.)
#[derive(Clone, Debug, Default)]
pub struct Solutions {
    blueprints: Arc<[BlueprintFile]>,
    entries: Arc<Mutex<Vec<Entry>>>,
}

/// The state of a solution.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) game: Arc<Game>,
    pub(crate) histories_max: u64,
    /// Iterations when it is done.
    pub(crate) iterations: u64,
}

/// How far a game is solved.
#[derive(Debug)]
enum Entry {
    /// Work was started, but nobody is working on it now.
    Begun(Key, Box<Equilibrium>),
    /// All iterations are made.
    Done(Key, Arc<Equilibrium>),
    /// It has no tree within the bound.
    Refused(Key),
}

#[derive(Clone, Debug)]
struct Key {
    network: Arc<GameNetwork>,
    histories_max: u64,
    iterations: u64,
}

/// A player's part of a solution.
#[derive(Debug)]
pub(crate) enum Solution {
    /// Nothing was tried.
    Unknown,
    /// Not all iterations are made.
    Begun(Box<Equilibrium>),
    /// All iterations are made.
    Done(Arc<Equilibrium>),
    /// The game has no tree within the bound.
    Refused,
}

/// Games that are kept at once; the one that was put in first goes first.
const GAMES_MAX: usize = 8;

/// Sequences updated between two checks of the clock: some milliseconds.
const SEQUENCES_BETWEEN: usize = 200_000;

impl Key {
    fn of(wanted: &Wanted) -> Option<Self> {
        let network = Arc::clone(wanted.game.network()?);
        Some(Self { network, histories_max: wanted.histories_max, iterations: wanted.iterations })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.network, &other.network)
            && (self.histories_max, self.iterations) == (other.histories_max, other.iterations)
    }
}

impl Entry {
    fn key(&self) -> &Key {
        match self {
            Self::Begun(key, _) | Self::Done(key, _) | Self::Refused(key) => key,
        }
    }
}

impl Solutions {
    /// None yet, and strategies for games that are too large to be solved here: bytes of blueprints; others are left out.
    #[must_use]
    pub fn with_blueprints(blueprints: impl IntoIterator<Item = &'static [u8]>) -> Self {
        let files = blueprints.into_iter().filter_map(|bytes| BlueprintFile::new(bytes.into()).ok());
        Self { blueprints: files.collect(), entries: Arc::default() }
    }

    /// The blueprint of a game, if there is one.
    pub(crate) fn blueprint_file(&self, game: &Game) -> Option<&BlueprintFile> {
        self.blueprints.iter().find(|blueprint| blueprint.is_of(game))
    }

    /// The strategy of the blueprint of a game, if there is one.
    pub(crate) fn blueprint(&self, game: &Game) -> Option<Arc<Strategy>> {
        self.blueprints.iter().find_map(|blueprint| blueprint.strategy(game).ok())
    }

    /// Advances a solution as far as the budget allows, continuing the work of others.
    pub(crate) fn advance(&self, solution: Solution, wanted: &Wanted, budget: &mut Budget<'_>) -> Solution {
        let solution = match solution {
            Solution::Unknown => self.take(wanted),
            begun => begun,
        };
        let solution = match solution {
            Solution::Unknown => build(wanted, budget),
            begun => begun,
        };
        let solution = match solution {
            Solution::Begun(mut equilibrium) => match iterate(&mut equilibrium, wanted.iterations, budget) {
                true => Solution::Done(Arc::from(equilibrium)),
                false => Solution::Begun(equilibrium),
            },
            other => other,
        };
        if let Some(key) = Key::of(wanted) {
            match &solution {
                Solution::Done(equilibrium) => self.put(Entry::Done(key, Arc::clone(equilibrium))),
                Solution::Refused => self.put(Entry::Refused(key)),
                Solution::Unknown | Solution::Begun(_) => {}
            }
        }
        solution
    }

    /// Returns unfinished work for the next player.
    pub(crate) fn leave(&self, solution: Solution, wanted: &Wanted) {
        if let (Solution::Begun(equilibrium), Some(key)) = (solution, Key::of(wanted)) {
            self.put(Entry::Begun(key, equilibrium));
        }
    }

    fn take(&self, wanted: &Wanted) -> Solution {
        let Some(key) = Key::of(wanted) else { return Solution::Unknown };
        let mut entries = self.entries();
        let Some(place) = entries.iter().position(|entry| entry.key().is(&key)) else {
            return Solution::Unknown;
        };
        match &entries[place] {
            Entry::Done(_, equilibrium) => Solution::Done(Arc::clone(equilibrium)),
            Entry::Refused(_) => Solution::Refused,
            Entry::Begun(..) => match entries.remove(place) {
                Entry::Begun(_, equilibrium) => Solution::Begun(equilibrium),
                Entry::Done(..) | Entry::Refused(_) => unreachable!("it was begun"),
            },
        }
    }

    /// Puts an entry in, unless there is one that is further.
    fn put(&self, entry: Entry) {
        let mut entries = self.entries();
        let place = entries.iter().position(|known| known.key().is(entry.key()));
        let is_further = |known: &Entry| match (known, &entry) {
            (Entry::Begun(_, known), Entry::Begun(_, new)) => known.iterations() >= new.iterations(),
            (known, _) => !matches!(known, Entry::Begun(..)),
        };
        match place {
            Some(place) if is_further(&entries[place]) => {}
            Some(place) => entries[place] = entry,
            None => {
                if entries.len() == GAMES_MAX {
                    entries.remove(0);
                }
                entries.push(entry);
            }
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Kinds of players are compared by their text, not by their players' solutions.
impl PartialEq for Solutions {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Solution {
    /// The mixed strategy in an information set.
    pub(crate) fn strategy(&self, known: &InformationSet) -> Option<Vec<(MoveId, f64)>> {
        match self {
            Self::Begun(equilibrium) => equilibrium.strategy(known),
            Self::Done(equilibrium) => equilibrium.strategy(known),
            Self::Unknown | Self::Refused => None,
        }
    }

    /// How many iterations are made.
    pub(crate) fn iterations(&self) -> u64 {
        match self {
            Self::Begun(equilibrium) => equilibrium.iterations(),
            Self::Done(equilibrium) => equilibrium.iterations(),
            Self::Unknown | Self::Refused => 0,
        }
    }
}

fn build(wanted: &Wanted, budget: &mut Budget<'_>) -> Solution {
    let limits = TreeLimits { histories_max: wanted.histories_max };
    if is_far_beyond(&wanted.game, &limits, &mut wanted.game.scratch()) {
        return Solution::Refused;
    }
    match Equilibrium::new(&wanted.game, &limits, &mut |_| budget.flow()) {
        Ok(equilibrium) => Solution::Begun(Box::new(equilibrium)),
        Err(TreeError::Interrupted) => Solution::Unknown,
        // Rules that fail somewhere may still be playable: the search meets what the match meets.
        Err(TreeError::TooLarge { .. } | TreeError::UnknownMoves { .. } | TreeError::Game(_)) => {
            Solution::Refused
        }
    }
}

/// Runs iterations up to this number, as far as the budget allows; returns whether all were run.
pub(crate) fn iterate(equilibrium: &mut Equilibrium, iterations: u64, budget: &mut Budget<'_>) -> bool {
    let step = (SEQUENCES_BETWEEN / equilibrium.sequences_count()).max(1) as u64;
    while equilibrium.iterations() < iterations {
        if budget.is_over() {
            return false;
        }
        equilibrium.advance(step.min(iterations - equilibrium.iterations()));
    }
    true
}
