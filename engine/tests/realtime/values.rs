//! Contests of two with hidden values from 0 to 10, in which each chooses when to act: their payoffs by playing them, and
//! their equilibria by fictitious play, which knows the payoffs alone.
//!
//! # Sources
//! G. W. Brown, "Iterative solution of games by fictitious play", in: Activity Analysis of Production and Allocation,
//! Wiley 1951.

use croupier_engine::realtime::RealTimeGame;

use crate::play::Play;

/// Values, and steps of a price or a cost: 0 to 10.
pub(crate) const STEPS: usize = 11;

const SECOND: u64 = 1_000_000;

/// The price at which to take, or the cost at which to give up; `None` for never.
pub(crate) type Choice = Option<usize>;

/// One of the games, whose only choice is when to act.
pub(crate) struct Contest<'g> {
    game: &'g RealTimeGame,
    act: &'static str,
    instant: fn(usize) -> u64,
}

impl<'g> Contest<'g> {
    /// The auction: a price is taken in the first microsecond after it was called, before anybody can do better.
    pub(crate) fn auction(game: &'g RealTimeGame) -> Self {
        Self { game, act: "take", instant: |price| (10 - price as u64) * SECOND + 1 }
    }

    /// The war: one gives up at the last instant of a cost, which costs no more than any before.
    pub(crate) fn war(game: &'g RealTimeGame) -> Self {
        Self { game, act: "give_up", instant: |cost| (cost as u64 + 1) * SECOND }
    }

    /// The whole match in which both stand by their choices, and the lot, if it comes to that, falls on `lucky`.
    pub(crate) fn play(&self, values: [usize; 2], choices: [Choice; 2], lucky: &str) -> Play<'g> {
        let [ann, bob] = values.map(|value| format!("(value {value})"));
        let mut play = Play::new(self.game, &[&ann, &bob, &format!("(award {lucky})")]);
        let mut moves: Vec<(u64, Vec<(&str, &str)>)> = Vec::new();
        for (role, choice) in ["ann", "bob"].into_iter().zip(choices) {
            let Some(step) = choice else { continue };
            let instant = (self.instant)(step);
            match moves.iter_mut().find(|(known, _)| *known == instant) {
                Some((_, together)) => together.push((role, self.act)),
                None => moves.push((instant, vec![(role, self.act)])),
            }
        }
        moves.sort_unstable();
        for (instant, together) in moves {
            play.at(instant, &together);
        }
        play.run_out();
        play
    }

    /// What one gains on average, in units of value, who chooses `mine` with `value` against a choice of the other. It is
    /// asserted not to depend on the other's value, nor on who is ann.
    fn gain(&self, value: usize, mine: Choice, theirs: Choice) -> f64 {
        let twice = |values, choices, role: usize| -> i32 {
            ["ann", "bob"].iter().map(|lucky| self.play(values, choices, lucky).goals()[role] - 50).sum()
        };
        let found = twice([value, 0], [mine, theirs], 0);
        assert_eq!(twice([value, 7], [mine, theirs], 0), found);
        assert_eq!(twice([3, value], [theirs, mine], 1), found);
        f64::from(found) / 10.0
    }

    /// All gains, by value and by the places of both choices.
    pub(crate) fn payoffs(&self, choices: &[Choice]) -> Payoffs {
        let gains = |value| -> Vec<Vec<f64>> {
            let row = |&mine| choices.iter().map(|&theirs| self.gain(value, mine, theirs)).collect();
            choices.iter().map(row).collect()
        };
        Payoffs { gains: (0..STEPS).map(gains).collect() }
    }
}

/// What a player gains by value, own choice and the other's choice.
pub(crate) struct Payoffs {
    gains: Vec<Vec<Vec<f64>>>,
}

/// How often each choice is made with each value.
pub(crate) struct Mixture {
    shares: Vec<Vec<f64>>,
}

impl Payoffs {
    /// What each choice is worth with a value, if the other's value is uniform and the other plays `mixture`.
    fn worths(&self, value: usize, mixture: &Mixture) -> Vec<f64> {
        let gains = &self.gains[value];
        let faced: Vec<f64> =
            (0..gains.len()).map(|choice| mixture.shares.iter().map(|shares| shares[choice]).sum()).collect();
        let worth = |row: &Vec<f64>| row.iter().zip(&faced).map(|(gain, share)| gain * share).sum::<f64>();
        gains.iter().map(|row| worth(row) / STEPS as f64).collect()
    }

    /// What both play on average, after so many rounds of each answering all that was played before.
    pub(crate) fn fictitious_play(&self, rounds: usize) -> Mixture {
        let choices = self.gains[0].len();
        let mut counts = Mixture { shares: vec![vec![1.0 / choices as f64; choices]; STEPS] };
        for _ in 0..rounds {
            let answers: Vec<usize> = (0..STEPS).map(|value| best(&self.worths(value, &counts))).collect();
            answers.into_iter().enumerate().for_each(|(value, answer)| counts.shares[value][answer] += 1.0);
        }
        for shares in &mut counts.shares {
            let total: f64 = shares.iter().sum();
            shares.iter_mut().for_each(|share| *share /= total);
        }
        counts
    }

    /// The most that any value can gain by another choice.
    pub(crate) fn regret(&self, mixture: &Mixture) -> f64 {
        let regret = |value: usize| {
            let worths = self.worths(value, mixture);
            let held: f64 =
                worths.iter().zip(&mixture.shares[value]).map(|(worth, share)| worth * share).sum();
            worths[best(&worths)] - held
        };
        (0..STEPS).map(regret).fold(0.0, f64::max)
    }

    /// What a player gains on average, before values are dealt.
    pub(crate) fn value(&self, mixture: &Mixture) -> f64 {
        let held = |value: usize| {
            let worths = self.worths(value, mixture);
            worths.iter().zip(&mixture.shares[value]).map(|(worth, share)| worth * share).sum::<f64>()
        };
        (0..STEPS).map(held).sum::<f64>() / STEPS as f64
    }
}

impl Mixture {
    /// The choices that a value makes at least this often, by their places, in order.
    pub(crate) fn support(&self, value: usize, least: f64) -> Vec<usize> {
        (0..self.shares[value].len()).filter(|&choice| self.shares[value][choice] >= least).collect()
    }
}

/// The place of the greatest, the first of several.
fn best(worths: &[f64]) -> usize {
    (0..worths.len()).rev().max_by(|&one, &other| worths[one].total_cmp(&worths[other])).expect("a choice")
}
