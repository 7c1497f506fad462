//! Recovery when no particle is left, in escalating steps, for both kinds of filter.

use croupier_engine::{Game, GameError, InformationSet};

use crate::{
    BeliefError, FilterReport, ParticleOptions,
    particle::{CONFLICTS_MAX, stream},
    rescue::{WitnessQuery, witnesses},
    search::{FoundHistories, SearchLimits, consistent_histories},
};

/// A filter that has no particle for the last turn.
pub(super) trait Depleted {
    /// The game.
    fn game(&self) -> &Game;

    /// Size and bounds.
    fn options(&self) -> ParticleOptions;

    /// Where all draws come from.
    fn seed(&self) -> [u8; 32];

    /// Statistics of recoveries so far.
    fn report_mut(&mut self) -> &mut FilterReport;

    /// The earliest turn whose particles are kept.
    fn first_turn(&self) -> usize;

    /// Draws all turns from one on again, which is the first or one that is kept; whether some particle survived.
    fn redraw(&mut self, known: &InformationSet, from: usize, attempt: u32) -> Result<bool, GameError>;

    /// Makes these histories the particles, all that there are or not; false if none of them can be one.
    fn begin_anew(&mut self, found: &FoundHistories) -> Result<bool, GameError>;
}

/// Marks the streams of draws from the first turn on by which particles are replenished.
const REPLENISHING: u32 = 1 << 20;

/// The attempt number used for draws when replenishing after this many turns.
pub(super) fn replenishing(turns: usize) -> u32 {
    REPLENISHING | u32::try_from(turns % REPLENISHING as usize).unwrap_or(0)
}

/// The number of histories requested from the SAT solver: each costs some milliseconds, and later turns spread them.
const WITNESSES_MAX: usize = 100;

/// The attempt that the solver and the search draw with; rejuvenations count from one.
const SEARCH_ATTEMPT: u32 = u32::MAX;

/// Finds particles that agree with `known`: first by drawing earlier turns again, then with a SAT solver, then by enumerating
/// histories.
///
/// # Errors
/// [`BeliefError::Inconsistent`] if there are certainly none, [`BeliefError::Depleted`] if none was found within the
/// limits, [`BeliefError::Game`] if the rules fail.
pub(super) fn rescue(filter: &mut impl Depleted, known: &InformationSet) -> Result<(), BeliefError> {
    let turn = known.turns.len() - 1;
    let options = filter.options();
    for attempt in 1..=options.rejuvenations_max {
        filter.report_mut().rejuvenations += 1;
        // Each attempt goes back twice as far, and to the beginning where that is not kept.
        let back = 1_usize.checked_shl(attempt - 1).unwrap_or(usize::MAX);
        let wanted = turn.saturating_sub(back);
        let from = if wanted < filter.first_turn() { 0 } else { wanted };
        if filter.redraw(known, from, attempt)? {
            return Ok(());
        }
    }
    let mut rng = stream(filter.seed(), turn, SEARCH_ATTEMPT);
    if filter.game().network().is_some() {
        filter.report_mut().solver_rescues += 1;
    }
    let histories = options.particles.min(WITNESSES_MAX);
    let wanted = WitnessQuery { histories, last: None, conflicts: CONFLICTS_MAX };
    let found = witnesses(filter.game(), known, wanted, &mut rng)?;
    if found.paths.is_empty() && found.is_exhausted {
        return Err(BeliefError::Inconsistent { turn });
    }
    if filter.begin_anew(&found)? {
        return Ok(());
    }
    filter.report_mut().searches += 1;
    let joint_moves_max = options.search_joint_moves_max;
    let limits = SearchLimits { histories: options.particles, joint_moves: joint_moves_max };
    let mut scratch = filter.game().scratch();
    let found = consistent_histories(filter.game(), known, limits, &mut rng, &mut scratch)?;
    filter.report_mut().joint_moves_looked_at += found.joint_moves_looked_at;
    if filter.begin_anew(&found)? {
        return Ok(());
    }
    let rejuvenations = options.rejuvenations_max;
    Err(match found.is_exhausted {
        true => BeliefError::Inconsistent { turn },
        false => BeliefError::Depleted { turn, rejuvenations, joint_moves_max },
    })
}
