//! What can come of each state: the best and worst goals, and what play at random is worth.

use crate::graph::{StateGraph, StateKind};

/// A prime below 2^61: values of play at random are fractions modulo it, so two that differ there differ.
const PRIME: u64 = (1 << 61) - 1;

/// What each player can have at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GoalRange {
    pub(crate) least: i32,
    pub(crate) most: i32,
    /// The expectation if every role draws each of its moves with the same probability, modulo a prime.
    mean: u64,
}

/// The prospects of every state of a game, by player.
#[derive(Debug)]
pub(crate) struct GoalRanges {
    players: usize,
    all: Vec<GoalRange>,
}

impl GoalRanges {
    /// The prospects of a game whose matches all end, with one goal for each player; `None` of others, and if not all states are known.
    ///
    /// # Complexity
    /// Time and memory: joint moves times players.
    pub(crate) fn of(graph: &StateGraph) -> Option<Self> {
        let (order, players) = (graph.backwards()?, graph.players().len());
        let unknown = GoalRange { least: i32::MAX, most: i32::MIN, mean: 0 };
        let mut all = vec![unknown; graph.expanded() * players];
        for state in order.into_iter().map(|state| state as usize) {
            for player in 0..players {
                all[state * players + player] = match graph.kind(state) {
                    StateKind::Stuck => return None,
                    StateKind::Terminal => {
                        let goal = graph.goal(state, player)?;
                        GoalRange {
                            least: goal,
                            most: goal,
                            mean: u64::from(goal.rem_euclid(101).unsigned_abs()),
                        }
                    }
                    StateKind::Running => {
                        let targets = graph.targets(state).iter();
                        together(targets.map(|&target| all[target as usize * players + player]))
                    }
                };
            }
        }
        Some(Self { players, all })
    }

    pub(crate) fn of_state(&self, state: usize) -> &[GoalRange] {
        &self.all[state * self.players..][..self.players]
    }
}

/// The prospect before one of several that are equally likely.
fn together(prospects: impl ExactSizeIterator<Item = GoalRange>) -> GoalRange {
    let share = inverse(prospects.len() as u64);
    let first = GoalRange { least: i32::MAX, most: i32::MIN, mean: 0 };
    let all = prospects.fold(first, |all, one| GoalRange {
        least: all.least.min(one.least),
        most: all.most.max(one.most),
        mean: (all.mean + one.mean) % PRIME,
    });
    GoalRange { mean: times(all.mean, share), ..all }
}

fn times(one: u64, other: u64) -> u64 {
    u64::try_from(u128::from(one) * u128::from(other) % u128::from(PRIME)).expect("below the prime")
}

/// The inverse modulo the prime, by Fermat's little theorem.
fn inverse(number: u64) -> u64 {
    let (mut found, mut power, mut rest) = (1, number % PRIME, PRIME - 2);
    while rest > 0 {
        if rest & 1 == 1 {
            found = times(found, power);
        }
        power = times(power, power);
        rest >>= 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_times_its_inverse_is_one() {
        for number in [1, 2, 3, 52, 1_000_003, PRIME - 1] {
            assert_eq!(times(number, inverse(number)), 1, "{number}");
        }
    }
}
