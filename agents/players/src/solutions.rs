//! Games that players have solved, shared by all players of one kind.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use croupier_engine::{Game, InformationSet, MoveId, game::GameNetwork};
use croupier_solvers::Blueprint;

use crate::{
    Approach, Budget, Unsolved,
    blueprint::{BlueprintFile, Strategy},
    work::{SolutionRequest, StrategyWork, WorkStart},
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
    /// Blueprints of earlier work, for players with a clock.
    kept: Arc<[BlueprintFile]>,
    entries: Arc<Mutex<Vec<SolutionProgress>>>,
}

/// How far a game is solved.
#[derive(Debug)]
enum SolutionProgress {
    /// Work was started, but nobody is working on it now.
    Begun(Key, StrategyWork),
    /// All iterations are made.
    Done(Key, Arc<StrategyWork>),
    /// It cannot be solved within the bounds.
    Refused(Key, Unsolved),
}

#[derive(Clone, Debug)]
struct Key {
    network: Arc<GameNetwork>,
    histories_max: u64,
    iterations: u64,
    deal_iterations: u64,
}

/// A player's part of a solution.
#[derive(Debug)]
pub(crate) enum Solution {
    /// Nothing was tried.
    Unknown,
    /// Not all iterations are made.
    Begun(StrategyWork),
    /// All iterations are made.
    Done(Arc<StrategyWork>),
    /// The game cannot be solved within the bounds.
    Refused(Unsolved),
}

/// Games that are kept at once; the one that was put in first goes first.
const GAMES_MAX: usize = 8;

impl Key {
    fn of(wanted: &SolutionRequest) -> Option<Self> {
        let network = Arc::clone(wanted.game.network()?);
        let SolutionRequest { histories_max, iterations, deal_iterations, .. } = *wanted;
        Some(Self { network, histories_max, iterations, deal_iterations })
    }

    fn is(&self, other: &Self) -> bool {
        let bounds = |key: &Self| (key.histories_max, key.iterations, key.deal_iterations);
        Arc::ptr_eq(&self.network, &other.network) && bounds(self) == bounds(other)
    }
}

impl SolutionProgress {
    fn key(&self) -> &Key {
        match self {
            Self::Begun(key, _) | Self::Done(key, _) | Self::Refused(key, _) => key,
        }
    }
}

impl Solutions {
    /// None yet, and strategies for games that are too large to be solved here: bytes of blueprints; others are left out.
    #[must_use]
    pub fn with_blueprints(blueprints: impl IntoIterator<Item = &'static [u8]>) -> Self {
        let files = blueprints.into_iter().filter_map(|bytes| BlueprintFile::new(bytes.into()).ok());
        Self { blueprints: files.collect(), ..Self::default() }
    }

    /// The same with blueprints that were learnt earlier. A player with a clock plays the one of its game that was learnt from the most
    /// deals, unless it learns from more itself; one without a clock plays what follows from its options.
    #[must_use]
    pub fn with_kept(self, kept: impl IntoIterator<Item = BlueprintFile>) -> Self {
        Self { kept: kept.into_iter().collect(), ..self }
    }

    /// What was learnt of games from deals since, with the games.
    #[must_use]
    pub fn learnt(&self) -> Vec<(Arc<Game>, Blueprint)> {
        let entries = self.entries();
        let learnt = |entry: &SolutionProgress| match entry {
            SolutionProgress::Begun(_, work) => work.learnt(),
            SolutionProgress::Done(_, work) => work.learnt(),
            SolutionProgress::Refused(..) => None,
        };
        entries.iter().filter_map(learnt).collect()
    }

    /// The strategy for a game that was kept and learnt from the most deals, and from how many; none if the game's own blueprint was
    /// learnt from as many.
    pub(crate) fn kept(&self, game: &Arc<Game>) -> Option<(Arc<Strategy>, u64)> {
        let kept = self.kept.iter().filter(|file| file.is_of(game)).max_by_key(|file| file.deals())?;
        let own = self.blueprint_file(game).map_or(0, BlueprintFile::deals);
        (kept.deals() > own).then_some((kept.strategy(game).ok()?, kept.deals()))
    }

    /// The blueprint of a game, if there is one.
    pub(crate) fn blueprint_file(&self, game: &Arc<Game>) -> Option<&BlueprintFile> {
        self.blueprints.iter().find(|blueprint| blueprint.is_of(game))
    }

    /// The strategy of the blueprint of a game, if there is one.
    pub(crate) fn blueprint(&self, game: &Arc<Game>) -> Option<Arc<Strategy>> {
        self.blueprints.iter().find_map(|blueprint| blueprint.strategy(game).ok())
    }

    /// Advances a solution as far as the budget allows, continuing the work of others.
    pub(crate) fn advance(
        &self,
        solution: Solution,
        wanted: &SolutionRequest,
        budget: &mut Budget<'_>,
    ) -> Solution {
        let solution = match solution {
            Solution::Unknown => self.take(wanted),
            begun => begun,
        };
        let solution = match solution {
            Solution::Unknown => match StrategyWork::begin(wanted, budget) {
                WorkStart::Begun(work) => Solution::Begun(work),
                WorkStart::Interrupted => Solution::Unknown,
                WorkStart::Refused(why) => Solution::Refused(why),
            },
            begun => begun,
        };
        let solution = match solution {
            Solution::Begun(mut work) => match work.advance(wanted, budget) {
                true => Solution::Done(Arc::new(work)),
                false => Solution::Begun(work),
            },
            other => other,
        };
        if let Some(key) = Key::of(wanted) {
            match &solution {
                Solution::Done(work) => self.put(SolutionProgress::Done(key, Arc::clone(work))),
                Solution::Refused(why) => self.put(SolutionProgress::Refused(key, *why)),
                Solution::Unknown | Solution::Begun(_) => {}
            }
        }
        solution
    }

    /// Returns unfinished work for the next player.
    pub(crate) fn leave(&self, solution: Solution, wanted: &SolutionRequest) {
        if let (Solution::Begun(work), Some(key)) = (solution, Key::of(wanted)) {
            self.put(SolutionProgress::Begun(key, work));
        }
    }

    /// The same solution to be gone on with, if nobody else has it; others find it no longer.
    pub(crate) fn reopen(&self, solution: Solution, wanted: &SolutionRequest) -> Solution {
        let Solution::Done(work) = solution else { return solution };
        let Some(key) = Key::of(wanted) else { return Solution::Done(work) };
        let mut entries = self.entries();
        // One for the player and one for the entry.
        if Arc::strong_count(&work) > 2 {
            return Solution::Done(work);
        }
        entries.retain(|entry| !entry.key().is(&key));
        Arc::try_unwrap(work).map_or_else(Solution::Done, Solution::Begun)
    }

    fn take(&self, wanted: &SolutionRequest) -> Solution {
        let Some(key) = Key::of(wanted) else { return Solution::Unknown };
        let mut entries = self.entries();
        let Some(place) = entries.iter().position(|entry| entry.key().is(&key)) else {
            return Solution::Unknown;
        };
        match &entries[place] {
            SolutionProgress::Done(_, work) => Solution::Done(Arc::clone(work)),
            SolutionProgress::Refused(_, why) => Solution::Refused(*why),
            SolutionProgress::Begun(..) => match entries.remove(place) {
                SolutionProgress::Begun(_, work) => Solution::Begun(work),
                SolutionProgress::Done(..) | SolutionProgress::Refused(..) => unreachable!("it was begun"),
            },
        }
    }

    /// Puts an entry in, unless there is one that is further.
    fn put(&self, entry: SolutionProgress) {
        let mut entries = self.entries();
        let place = entries.iter().position(|known| known.key().is(entry.key()));
        let is_further = |known: &SolutionProgress| match (known, &entry) {
            (SolutionProgress::Begun(_, known), SolutionProgress::Begun(_, new)) => {
                known.iterations() >= new.iterations()
            }
            (known, _) => !matches!(known, SolutionProgress::Begun(..)),
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

    fn entries(&self) -> MutexGuard<'_, Vec<SolutionProgress>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Solution {
    /// The mixed strategy in an information set.
    pub(crate) fn strategy(&self, known: &InformationSet) -> Option<Vec<(MoveId, f64)>> {
        match self {
            Self::Begun(work) => work.strategy(known),
            Self::Done(work) => work.strategy(known),
            Self::Unknown | Self::Refused(_) => None,
        }
    }

    /// Whether it is by every history, so that deals make no difference.
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Self::Begun(work) => work.is_whole(),
            Self::Done(work) => work.is_whole(),
            Self::Unknown | Self::Refused(_) => false,
        }
    }

    /// In which way the game is solved, or why it is not.
    pub(crate) fn approach(&self, wanted: &SolutionRequest) -> Result<Approach, Unsolved> {
        match self {
            Self::Begun(work) => Ok(work.approach(wanted)),
            Self::Done(work) => Ok(work.approach(wanted)),
            Self::Unknown => Err(Unsolved::NotInTime),
            Self::Refused(why) => Err(*why),
        }
    }

    /// Why it says nothing about an information set.
    pub(crate) fn gap(&self) -> Unsolved {
        match self {
            Self::Done(_) => Unsolved::Unmet,
            Self::Begun(_) | Self::Unknown => Unsolved::NotInTime,
            Self::Refused(why) => *why,
        }
    }

    /// Deals that it was learnt from.
    pub(crate) fn deals(&self) -> u64 {
        match self {
            Self::Begun(work) => work.deals(),
            Self::Done(work) => work.deals(),
            Self::Unknown | Self::Refused(_) => 0,
        }
    }

    /// How many iterations are made.
    pub(crate) fn iterations(&self) -> u64 {
        match self {
            Self::Begun(work) => work.iterations(),
            Self::Done(work) => work.iterations(),
            Self::Unknown | Self::Refused(_) => 0,
        }
    }
}
