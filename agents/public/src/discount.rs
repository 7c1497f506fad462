//! Discounted regrets: what CFR forgets, and how much more its later strategies count.

/// What follows an iteration.
///
/// # Sources
/// N. Brown, T. Sandholm: Solving Imperfect-Information Games via Discounted Regret Minimization, AAAI 2019, with the exponents 3/2, 0, 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Discount {
    /// Of regrets above zero.
    positive: f64,
    /// The weight of the iteration.
    pub(crate) weight: f64,
}

impl Discount {
    /// Of regrets below zero.
    const NEGATIVE: f64 = 0.5;

    /// After this iteration, from 1.
    pub(crate) fn after(iteration: u32) -> Self {
        let count = f64::from(iteration);
        let power = count * count.sqrt();
        Self { positive: power / (power + 1.0), weight: count * count }
    }

    pub(crate) fn apply(&self, regret: &mut f64) {
        *regret *= if *regret > 0.0 { self.positive } else { Self::NEGATIVE };
    }
}

/// The number from 0, of so many iterations, that is drawn in proportion to their weights where a number from 0 to 1 is drawn.
pub(crate) fn iteration_at(drawn: f64, all: u32) -> u32 {
    ((f64::from(all) * drawn.cbrt()) as u32).min(all - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_drawn_in_proportion_to_their_weights() {
        let (all, draws) = (5, 100_000);
        let total: f64 = (1..=all).map(|iteration| Discount::after(iteration).weight).sum();
        let mut counts = vec![0_u32; all as usize];
        for draw in 0..draws {
            counts[iteration_at(f64::from(draw) / f64::from(draws), all) as usize] += 1;
        }
        for (count, iteration) in counts.into_iter().zip(1..) {
            let (found, wanted) =
                (f64::from(count) / f64::from(draws), Discount::after(iteration).weight / total);
            assert!((found - wanted).abs() < 0.1, "iteration {iteration}: {found} and {wanted}");
        }
        assert_eq!(iteration_at(1.0, all), all - 1);
    }
}
