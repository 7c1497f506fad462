//! How large a tree is, without enumerating it.

use std::fmt;

use croupier_engine::{ByRole, Game, MoveId, Scratch, draw::draw_index};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::TreeLimits;

/// Descents that an estimate is the mean of, if the work allows.
const DESCENTS: u32 = 200;

/// Work of one estimate, in rows examined by the lifted reasoner: some tenths of a second.
const WORK_MAX: u64 = 4_000_000;

/// Operations of a network on one state that take as long as examining a row.
const OPERATIONS_PER_ROW: u64 = 20;

/// The cost of a turn besides the evaluation of the rules, in rows.
const ROWS_PER_TURN: u64 = 20;

/// About how many histories a game has.
///
/// It is a mean of random descents, of a large variance where branches differ much; the descents are always the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeEstimate {
    histories: Magnitude,
    /// Whether some descent did not reach the end of a match, so that there may be far more.
    is_cut_short: bool,
}

/// The approximate number of histories of a game: the mean over random descents of the number that each represents.
///
/// The number of descents, and their length, is bounded by the work that they take; if the rules fail, a descent
/// ends. An estimate that is cut short in one of these ways covers only a part of the tree.
///
/// # Complexity
/// Some tenths of a second, and the state that the work ends in.
///
/// # Sources
/// D. E. Knuth: Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975).
#[must_use]
pub fn estimate_histories(game: &Game, scratch: &mut Scratch) -> TreeEstimate {
    estimate(game, scratch, DESCENTS, WORK_MAX)
}

/// Whether a few random descents suggest that a game has more than a hundred times as many histories as the limits allow,
/// so that there is no point in trying. A game that passes may still be too large.
///
/// # Complexity
/// Some milliseconds, and the state that the work ends in.
#[must_use]
pub fn is_far_beyond(game: &Game, limits: &TreeLimits, scratch: &mut Scratch) -> bool {
    let estimate = estimate(game, scratch, DESCENTS / 10, WORK_MAX / 20);
    estimate.log10() > (limits.histories_max as f64).log10() + 2.0
}

fn estimate(game: &Game, scratch: &mut Scratch, descents_max: u32, work_max: u64) -> TreeEstimate {
    let mut rng = ChaCha8Rng::from_seed([0; 32]);
    let operations_per_turn = game.network().map_or(0, |network| {
        let tape = network.tape();
        let [state, _, next, _] = tape.statistics().ops;
        (state + next + tape.bases_count()) as u64
    });
    let mut descents = Descents { game, scratch, operations_per_turn, work: 0, work_max };
    let (mut sum, mut done, mut is_cut_short) = (Magnitude::ZERO, 0, false);
    while done < descents_max {
        let Descent { histories, end } = descents.descend(&mut rng);
        is_cut_short |= end != DescentStop::Terminal;
        // A part of a descent counts only if there is no whole one.
        if end == DescentStop::Work && done > 0 {
            break;
        }
        sum = sum.plus(histories);
        done += 1;
    }
    TreeEstimate { histories: sum.over(f64::from(done)), is_cut_short }
}

/// A random descent.
struct Descent {
    /// The number of histories that it represents.
    histories: Magnitude,
    end: DescentStop,
}

/// Why a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DescentStop {
    /// The match was over.
    Terminal,
    /// There was no work left to do.
    Work,
    /// It reached the turn limit, or the rules failed.
    Fault,
}

/// Random descents, one after the other.
struct Descents<'d> {
    game: &'d Game,
    scratch: &'d mut Scratch,
    /// Of the network, if the game is one.
    operations_per_turn: u64,
    /// What all of them took, in rows, and may take.
    work: u64,
    work_max: u64,
}

impl Descents<'_> {
    fn descend(&mut self, rng: &mut ChaCha8Rng) -> Descent {
        let mut state = self.game.initial_state().clone();
        let (mut histories, mut stands_for) = (Magnitude::ONE, Magnitude::ONE);
        for _ in 0..self.game.limits().turns {
            if self.work >= self.work_max {
                return Descent { histories, end: DescentStop::Work };
            }
            let before = self.scratch.rows_looked_at();
            let legal = match self.game.playable_moves(&state, self.scratch) {
                Ok(Some(legal)) => legal,
                Ok(None) => return Descent { histories, end: DescentStop::Terminal },
                Err(_) => break,
            };
            let counts = legal.iter().map(|(_, moves)| moves.len() as f64);
            stands_for = counts.fold(stands_for, Magnitude::times);
            histories = histories.plus(stands_for);
            let chosen = legal.map(|role| vec![legal[role][draw_index(legal[role].len(), rng)]]);
            let joint_move = self.game.joint_moves(&chosen).next().expect("every role has a move here");
            let next = self.game.successor(&state, &joint_move, self.scratch);
            self.work += self.scratch.rows_looked_at() - before + self.turn_work(&legal);
            match next {
                Ok(next) => state = next,
                Err(_) => break,
            }
        }
        Descent { histories, end: DescentStop::Fault }
    }

    /// The cost of a turn besides the rows that it examines.
    fn turn_work(&self, legal: &ByRole<Vec<MoveId>>) -> u64 {
        let moves: u64 = legal.iter().map(|(_, moves)| moves.len() as u64).sum();
        ROWS_PER_TURN + (moves + self.operations_per_turn) / OPERATIONS_PER_ROW
    }
}

impl TreeEstimate {
    /// The decimal logarithm of the number of histories.
    #[must_use]
    pub fn log10(self) -> f64 {
        self.histories.log10()
    }

    /// Whether the estimate is of a part of the tree, since a whole descent would have taken too long or the rules
    /// fail in it.
    #[must_use]
    pub fn is_cut_short(self) -> bool {
        self.is_cut_short
    }

    /// The estimate, or what is known for certain, if that is more.
    #[must_use]
    pub(super) fn at_least(self, histories: u64) -> Self {
        let known = Magnitude::ONE.times(histories as f64);
        if known.log10() > self.log10() { Self { histories: known, is_cut_short: true } } else { self }
    }
}

impl fmt::Display for TreeEstimate {
    /// As in `about 1,234,000,000`, or `more than 10^12041`: to four digits as long as people can say the number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_cut_short { "more than " } else { "about " })?;
        let power = self.log10();
        if power >= SAID_POWER_MAX {
            return write!(f, "10^{}", power.floor());
        }
        let unit = 10.0_f64.powf((power.floor() - 3.0).max(0.0));
        let digits = format!("{:.0}", (10.0_f64.powf(power) / unit).round() * unit);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// Numbers from a million billions on are told by their power of ten.
const SAID_POWER_MAX: f64 = 15.0;

/// A positive number of any size, with the precision of an `f64`: `mantissa * 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Magnitude {
    /// Invariant: zero, or from one to below two.
    mantissa: f64,
    exponent: i64,
}

impl Magnitude {
    const ZERO: Self = Self { mantissa: 0.0, exponent: 0 };
    const ONE: Self = Self { mantissa: 1.0, exponent: 0 };

    fn of(mut mantissa: f64, mut exponent: i64) -> Self {
        while mantissa >= 2.0 {
            (mantissa, exponent) = (mantissa / 2.0, exponent + 1);
        }
        while mantissa > 0.0 && mantissa < 1.0 {
            (mantissa, exponent) = (mantissa * 2.0, exponent - 1);
        }
        if mantissa == 0.0 { Self::ZERO } else { Self { mantissa, exponent } }
    }

    fn times(self, factor: f64) -> Self {
        Self::of(self.mantissa * factor, self.exponent)
    }

    fn over(self, divisor: f64) -> Self {
        Self::of(self.mantissa / divisor, self.exponent)
    }

    fn plus(self, other: Self) -> Self {
        if self.mantissa == 0.0 || other.mantissa == 0.0 {
            return if self.mantissa == 0.0 { other } else { self };
        }
        let (small, large) = if self.exponent < other.exponent { (self, other) } else { (other, self) };
        // What is 2^100 times smaller is lost in rounding.
        let shift = i32::try_from(large.exponent - small.exponent).unwrap_or(i32::MAX).min(100);
        Self::of(large.mantissa + small.mantissa * 2.0_f64.powi(-shift), large.exponent)
    }

    fn log10(self) -> f64 {
        (self.mantissa.log2() + self.exponent as f64) * std::f64::consts::LOG10_2
    }
}

impl fmt::Display for Magnitude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.log10().floor();
        let digits = 10.0_f64.powf(self.log10() - whole);
        // What would be rounded up to 10.000.
        let (digits, whole) = if digits >= 9.9995 { (digits / 10.0, whole + 1.0) } else { (digits, whole) };
        write!(f, "{digits:.3}e{whole}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Magnitude, TreeEstimate};

    #[test]
    fn estimates_are_said_as_people_read_numbers() {
        let said = |histories: Magnitude, is_cut_short| TreeEstimate { histories, is_cut_short }.to_string();
        assert_eq!(said(Magnitude::ONE.times(1_234_567_890.0), false), "about 1,235,000,000");
        assert_eq!(said(Magnitude::ONE.times(58.0), false), "about 58");
        assert_eq!(said(Magnitude::ONE.times(123_456.0), false), "about 123,500");
        let large = (0..647).fold(Magnitude::ONE.times(5.873), |large, _| large.times(10.0));
        assert_eq!(said(large, true), "more than 10^647");
    }

    #[test]
    fn magnitudes_are_numbers_where_those_suffice_and_go_on_beyond_them() {
        let two = Magnitude::ONE.times(2.0);
        let sum = (1..=20)
            .fold((Magnitude::ZERO, Magnitude::ONE), |(sum, power), _| (sum.plus(power), power.times(3.0)));
        assert_eq!(sum.0, Magnitude::ONE.times(f64::from((3_u32.pow(20) - 1) / 2)));
        assert_eq!(two.plus(Magnitude::ONE).to_string(), "3.000e0");
        assert_eq!(Magnitude::ONE.times(1234.0).to_string(), "1.234e3");
        assert_eq!(Magnitude::ONE.times(99_999.0).to_string(), "1.000e5");
        let large = (0..10_000).fold(Magnitude::ONE, |large, _| large.times(1500.0));
        assert!((large.log10() - 10_000.0 * 1500.0_f64.log10()).abs() < 1e-6);
        assert!(large.to_string().ends_with("e31760"), "{large}");
        assert_eq!(large.plus(Magnitude::ONE), large);
    }
}
