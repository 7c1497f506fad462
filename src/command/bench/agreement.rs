//! Whether two ways to play give the same results, as far as chance lets one tell.

use croupier_engine::{ByPlayer, Game, GoalValue, Roles, batch::Tally, game::GameNetwork};

use super::stopwatch::as_float;
use crate::output::failure::Failure;

/// How many standard errors two means may be apart: by chance that happens once in five hundred million times.
const ERRORS_MAX: f64 = 6.0;

/// With fewer goals than these a mean is too far from a normal distribution to be judged.
const COUNT_MIN: f64 = 30.0;

/// Count, sum and sum of squares of goals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moments {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    /// Counts a goal that came up `times` times.
    pub(super) fn add(&mut self, goal: GoalValue, times: u64) {
        let (value, times) = (f64::from(goal.value()), as_float(times));
        self.count += times;
        self.sum += value * times;
        self.squares += value * value * times;
    }

    /// The mean; of nothing it is no number.
    pub(super) fn mean(self) -> f64 {
        self.sum / self.count
    }

    fn deviation(self) -> f64 {
        (self.squares / self.count - self.mean() * self.mean()).max(0.0).sqrt()
    }

    /// How many standard errors another mean of `count` goals of the same distribution is away; `None` if there
    /// are too few to tell. The deviation is taken from here, where there are many.
    pub(super) fn errors_to(self, mean: f64, count: f64) -> Option<f64> {
        let error = self.deviation() * (1.0 / self.count + 1.0 / count).sqrt();
        (self.count.min(count) >= COUNT_MIN).then(|| (self.mean() - mean).abs() / error.max(1e-9))
    }
}

/// The goals of each player in a batch.
///
/// # Errors
/// If a goal is no whole number.
pub(super) fn moments(
    game: &Game,
    network: &GameNetwork,
    tally: &Tally,
) -> Result<ByPlayer<Moments>, Failure> {
    ByPlayer::try_from_fn(game.roles(), |role| {
        let mut moments = Moments::default();
        let counts = tally.goals.get(role.index()).map_or(&[][..], Vec::as_slice);
        for (text, &count) in network.goals(role).iter().zip(counts).filter(|(_, count)| **count > 0) {
            let value = GoalValue::read(text, game.strictness());
            let value = value.ok_or_else(|| {
                Failure::refuse("rules-fail", format!("a playout ended with the goal {text}"))
            })?;
            moments.add(value, count);
        }
        Ok(moments)
    })
}

/// Refuses two ways to play whose mean goals differ by more than chance explains.
///
/// # Errors
/// If they do.
pub(super) fn demand_agreement(
    roles: &Roles,
    batch: &ByPlayer<Moments>,
    lifted: &ByPlayer<Moments>,
) -> Result<(), Failure> {
    for role in roles.players() {
        let (one, other) = (batch[role], lifted[role]);
        if one.errors_to(other.mean(), other.count).is_some_and(|errors| errors > ERRORS_MAX) {
            let (role, batch, lifted) = (roles.name(role), one.mean(), other.mean());
            let message = format!(
                "{role} gets {batch:.3} on average in batches and {lifted:.3} by the lifted reasoner"
            );
            return Err(Failure::refuse("wrong-answer", message)
                .help("one of the two plays another game: times of wrong answers mean nothing"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use croupier_engine::GoalValue;

    use super::Moments;

    fn moments(goals: &[(i32, u64)]) -> Moments {
        let mut moments = Moments::default();
        for &(value, times) in goals {
            moments.add(GoalValue::new(value), times);
        }
        moments
    }

    #[test]
    fn errors_are_those_of_a_difference_of_means() {
        // Deviation 50, and the variance of the difference 2500 * (1/10000 + 1/100) = 25.25.
        let errors = moments(&[(0, 5000), (100, 5000)]).errors_to(60.0, 100.0).expect("enough goals");
        assert!((errors - 10.0 / 25.25_f64.sqrt()).abs() < 1e-9, "{errors}");
    }

    #[test]
    fn few_goals_prove_nothing_and_goals_that_never_vary_prove_much() {
        assert_eq!(moments(&[(0, 5000), (100, 5000)]).errors_to(100.0, 3.0), None);
        assert!(moments(&[(50, 1000)]).errors_to(51.0, 100.0).expect("enough goals") > 100.0);
    }
}
