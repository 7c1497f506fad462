//! The best play against chance alone, if all beliefs that a player can reach can be enumerated.

use std::sync::Arc;

use croupier_engine::{Game, GameError, MoveId, Percepts, RoleId, Scratch};
use rustc_hash::FxHashMap;

use crate::{
    Budget, PlayerError,
    positions::{Outlook, PositionId, Positions},
    starts::Starts,
};

/// States that a player cannot tell apart, ascending, with their probabilities, which add up to one.
type Belief = Vec<(PositionId, f64)>;

/// The value of a move with the best play after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Worth {
    /// The mean goal.
    pub(crate) goal: f64,
    /// How probable it is that the match ends at once.
    pub(crate) ends: f64,
}

/// One player's decision problem from a belief to the end, as a partially observable Markov decision process: the
/// next move depends on the belief, and equal beliefs are merged however they were reached.
///
/// # Sources
/// K. J. Åström, "Optimal control of Markov processes with incomplete state information", Journal of Mathematical
/// Analysis and Applications 10, 1965: the belief is all that the best play depends on.
///
/// # Complexity
/// A look for each state of each belief that is met, each move and each outcome of chance; looks are bounded.
pub(crate) struct DecisionProblem<'p> {
    game: &'p Game,
    role: RoleId,
    positions: &'p mut Positions,
    scratch: &'p mut Scratch,
    looks_left: u32,
    outcomes: FxHashMap<(PositionId, MoveId), Arc<[MoveOutcome]>>,
    /// Everything that the player was told in some turn, by number.
    told: FxHashMap<Percepts, u32>,
    /// The values of beliefs in which the match continues.
    found: FxHashMap<Vec<(PositionId, u64)>, f64>,
    /// What the goal is at most.
    goal_max: f64,
}

/// The possible results of a move.
#[derive(Clone, Copy, Debug)]
struct MoveOutcome {
    probability: f64,
    told: u32,
    after: After,
}

#[derive(Clone, Copy, Debug)]
enum After {
    Over(f64),
    Running(PositionId),
}

/// The results of a move in one turn.
#[derive(Clone, Debug)]
struct Prospect {
    /// The index of the move.
    place: usize,
    /// The mean goal if the match ends with it, times the probability of that.
    goal: f64,
    ends: f64,
    /// The beliefs in which the match continues, by percepts, with their probabilities.
    cases: Vec<(f64, Belief)>,
}

impl Prospect {
    /// The less, the more the player is told.
    fn concentration(&self) -> f64 {
        self.cases.iter().map(|(probability, _)| probability * probability).sum()
    }
}

/// Goals of the language are at most this.
const GOAL_MAX: f64 = 100.0;

/// Turns that are looked ahead: a match that may take longer is searched instead.
const TURNS_MAX: u32 = 64;

/// Probabilities that differ by less are the same belief.
const RESOLUTION: f64 = (1_u64 << 40) as f64;

/// Goals that differ by less are equal: what sums of rounded numbers lose.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// What the goal of a role is at most: 100 by the language, more if a network says so, and unbounded where nobody knows.
fn goal_max(game: &Game, role: RoleId) -> f64 {
    let Some(network) = game.network() else { return f64::INFINITY };
    let values = network.goal_values(role).flatten().map(|goal| f64::from(goal.value()));
    values.fold(GOAL_MAX, f64::max)
}

/// Whether a role plays against chance alone.
pub(crate) fn is_alone(game: &Game, role: RoleId) -> bool {
    game.roles().players().all(|player| player == role)
}

impl<'p> DecisionProblem<'p> {
    /// A plan for the only player of a game, whose percepts `positions` must observe, with this many evaluations at most.
    pub(crate) fn new(
        game: &'p Game,
        role: RoleId,
        positions: &'p mut Positions,
        scratch: &'p mut Scratch,
        looks: u32,
    ) -> Self {
        // Sums follow the order of ids, which must not depend on what was asked before.
        positions.clear();
        let (outcomes, told, found) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        let goal_max = goal_max(game, role);
        Self { game, role, positions, scratch, looks_left: looks, outcomes, told, found, goal_max }
    }

    /// The value of each of `moves` in a belief, or `None` for those that cannot be the best; `None` if that
    /// takes too many evaluations, the match may take too long, or time runs out.
    pub(crate) fn worths(
        &mut self,
        starts: &Starts,
        moves: &[MoveId],
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<Option<Worth>>>, PlayerError> {
        let mut belief = Belief::new();
        for number in 0..starts.len() {
            let start = starts.get(number);
            let at = self.positions.id(&start.state);
            // The match is not over, or no move would be asked for.
            if let Outlook::Running(_) = self.positions.outlook(at, self.scratch)? {
                belief.push((at, start.weight));
            }
        }
        let belief = normalised(belief);
        let mut worths = vec![None; moves.len()];
        let mut best = f64::NEG_INFINITY;
        let Some(prospects) = self.prospects(&belief, moves)? else { return Ok(None) };
        for prospect in prospects {
            let Some(goal) = self.goal(&prospect, TURNS_MAX, best, budget)? else { return Ok(None) };
            if let Some(goal) = goal {
                best = best.max(goal);
                worths[prospect.place] = Some(Worth { goal, ends: prospect.ends });
            }
        }
        Ok(Some(worths))
    }

    /// The value of a belief.
    fn value(
        &mut self,
        belief: &Belief,
        turns: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Option<f64>, PlayerError> {
        let key: Vec<(PositionId, u64)> = belief.iter().map(|&(at, share)| (at, rounded(share))).collect();
        if let Some(&value) = self.found.get(&key) {
            return Ok(Some(value));
        }
        if turns == 0 || budget.is_over() {
            return Ok(None);
        }
        let Outlook::Running(legal) = self.positions.outlook(belief[0].0, self.scratch)? else {
            return Ok(None);
        };
        let Some(prospects) = self.prospects(belief, &legal[self.role])? else { return Ok(None) };
        let mut best = f64::NEG_INFINITY;
        for prospect in prospects {
            let Some(goal) = self.goal(&prospect, turns, best, budget)? else { return Ok(None) };
            best = best.max(goal.unwrap_or(f64::NEG_INFINITY));
        }
        self.found.insert(key, best);
        Ok(Some(best))
    }

    /// The value of a move, or nothing once it cannot exceed `bar`.
    fn goal(
        &mut self,
        prospect: &Prospect,
        turns: u32,
        bar: f64,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Option<f64>>, PlayerError> {
        let (mut goal, mut open) = (prospect.goal, 1.0 - prospect.ends);
        for (probability, belief) in &prospect.cases {
            if goal + open * self.goal_max <= bar + TOLERANCE {
                return Ok(Some(None));
            }
            let Some(value) = self.value(belief, turns - 1, budget)? else { return Ok(None) };
            goal += probability * value;
            open -= probability;
        }
        Ok(Some(Some(goal)))
    }

    /// The results of moves in one turn, the most promising first: those that win at once, then those that give most information.
    fn prospects(&mut self, belief: &Belief, moves: &[MoveId]) -> Result<Option<Vec<Prospect>>, PlayerError> {
        let mut prospects = Vec::with_capacity(moves.len());
        for (place, &own_move) in moves.iter().enumerate() {
            let Some(prospect) = self.prospect(belief, place, own_move)? else { return Ok(None) };
            prospects.push(prospect);
        }
        prospects.sort_by(|one, other| {
            let by_goal = other.goal.total_cmp(&one.goal);
            by_goal.then(one.concentration().total_cmp(&other.concentration()))
        });
        Ok(Some(prospects))
    }

    fn prospect(
        &mut self,
        belief: &Belief,
        place: usize,
        own_move: MoveId,
    ) -> Result<Option<Prospect>, PlayerError> {
        let (mut goal, mut ends) = (0.0, 0.0);
        let mut cases: Vec<(u32, Belief)> = Vec::new();
        for &(at, share) in belief {
            let Some(outcomes) = self.outcomes(at, own_move)? else { return Ok(None) };
            let looks = u32::try_from(outcomes.len()).unwrap_or(u32::MAX);
            let Some(left) = self.looks_left.checked_sub(looks) else { return Ok(None) };
            self.looks_left = left;
            for outcome in &*outcomes {
                let probability = share * outcome.probability;
                match outcome.after {
                    After::Over(value) => {
                        goal += probability * value;
                        ends += probability;
                    }
                    After::Running(next) => match cases.iter_mut().find(|(told, _)| *told == outcome.told) {
                        Some((_, case)) => case.push((next, probability)),
                        None => cases.push((outcome.told, vec![(next, probability)])),
                    },
                }
            }
        }
        let weighed =
            |(_, case): (u32, Belief)| (case.iter().map(|(_, share)| share).sum(), normalised(case));
        Ok(Some(Prospect { place, goal, ends, cases: cases.into_iter().map(weighed).collect() }))
    }

    /// The possible results of a move in a state; `None` if it is illegal there.
    fn outcomes(
        &mut self,
        at: PositionId,
        own_move: MoveId,
    ) -> Result<Option<Arc<[MoveOutcome]>>, GameError> {
        if let Some(outcomes) = self.outcomes.get(&(at, own_move)) {
            return Ok(Some(Arc::clone(outcomes)));
        }
        let Outlook::Running(legal) = self.positions.outlook(at, self.scratch)? else { return Ok(None) };
        let mut chosen = (*legal).clone();
        if !chosen[self.role].contains(&own_move) {
            return Ok(None);
        }
        chosen[self.role] = vec![own_move];
        let count = Game::joint_moves_count(&chosen);
        if count > u64::from(self.looks_left) || self.positions.is_full() {
            return Ok(None);
        }
        let mut outcomes = Vec::new();
        for joint_move in self.game.joint_moves(&chosen) {
            let passage = self.positions.passage(at, &joint_move, self.scratch)?;
            let after = match self.positions.outlook(passage.successor, self.scratch)? {
                Outlook::Over => {
                    After::Over(self.positions.goals(passage.successor, self.scratch)?[self.role.index()])
                }
                Outlook::Running(_) => After::Running(passage.successor),
            };
            let percepts = &passage.percepts[self.role.index()];
            let next = u32::try_from(self.told.len()).unwrap_or(u32::MAX);
            let told = match self.told.get(percepts) {
                Some(&told) => told,
                None => *self.told.entry(percepts.clone()).or_insert(next),
            };
            outcomes.push(MoveOutcome { probability: 1.0 / count as f64, told, after });
        }
        let outcomes: Arc<[MoveOutcome]> = outcomes.into();
        self.outcomes.insert((at, own_move), Arc::clone(&outcomes));
        Ok(Some(outcomes))
    }
}

/// Each state once, ascending, with probabilities of sum one.
fn normalised(mut belief: Belief) -> Belief {
    belief.sort_unstable_by_key(|&(at, _)| at);
    belief.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    let total: f64 = belief.iter().map(|(_, share)| share).sum();
    belief.iter_mut().for_each(|(_, share)| *share /= total);
    belief
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a probability in units of 2^-40"
)]
fn rounded(share: f64) -> u64 {
    (share * RESOLUTION).round() as u64
}
