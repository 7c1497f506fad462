//! Selects which of several moves to try next, given the results of each so far.

use croupier_engine::{MoveId, draw::draw_index};
use rand_core::Rng;
use rustc_hash::FxHashMap;

/// The tries of one role's moves at one place of a search.
///
/// Not every move is legal at each visit, because the states of an information set may differ
/// in the legal moves of other roles: a move's visits are compared with how often it was available.
///
/// # Sources
/// UCB1: P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time Analysis of the Multiarmed Bandit
/// Problem", Machine Learning 47, 2002, figure 1. Its rewards lie between 0 and 1; here goals are
/// scaled by the [`Span`] seen in the search, because a game may use a small part of the range; the bound
/// of the paper is therefore not claimed. Counting how often a move was available: P. Cowling, E. Powley and D. Whitehouse,
/// "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012, section IV. Tries whose result is
/// pending count as visits but not in the mean: A. Liu et al., "Watch the Unobserved: A Simple
/// Approach to Parallelizing Monte Carlo Tree Search", ICLR 2020.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bandit {
    arms: Vec<Arm>,
    /// The index in `arms` of each move that was ever legal here.
    places: FxHashMap<MoveId, usize>,
}

/// One move.
#[derive(Clone, Copy, Debug, Default)]
struct Arm {
    /// Completed tries.
    visits: u32,
    /// Pending tries.
    pending: u32,
    /// How often it could be tried.
    available: u32,
    /// The sum of the results of the visits.
    total: f64,
}

/// How moves are selected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectionRule {
    pub(crate) span: Span,
    /// The factor before `ln n / n_j` under the root.
    pub(crate) exploration: f64,
    /// Every move is tried at least this times `ln n` times, however bad its first tries were.
    pub(crate) tries_min: f64,
}

/// The least and the greatest value that a search has met for one role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    least: f64,
    greatest: f64,
}

/// Above every upper confidence bound.
const UNDUE: f64 = 1e9;

impl Bandit {
    /// The factor before `ln n / n_j` under the root: the square of 0.7, which Cowling, Powley and
    /// Whitehouse use in their section VI.
    pub(crate) const EXPLORATION: f64 = 0.49;

    /// Tries that a pool counts for, at most. With 8, and a quarter of the exploration, a pooled search wins 68 +- 4 % of 600 matches of
    /// liar's dice with two dice against one without a pool; with 32 it wins 67 +- 7 % of 200, and less in hold'em.
    const POOLED: f64 = 8.0;

    /// Starts a try of one of the legal moves, and returns its index among them: a move that was not tried yet, each equally
    /// likely, otherwise the move with the greatest upper confidence bound, the first of equals.
    ///
    /// `pool` holds the tries of these moves in all information sets that are played alike at first. They count as tries here, in
    /// proportion, as up to [`POOLED`](Self::POOLED) of them: the fewer a bandit has of its own, the more they say.
    pub(crate) fn begin(
        &mut self,
        legal: &[MoveId],
        mut pool: Option<&mut Self>,
        rule: SelectionRule,
        rng: &mut impl Rng,
    ) -> usize {
        self.offer(legal);
        if let Some(pool) = &mut pool {
            pool.offer(legal);
        }
        let chosen = self.next(legal, pool.as_deref(), rule, rng);
        self.arm_mut(legal[chosen]).pending += 1;
        if let Some(pool) = pool {
            pool.arm_mut(legal[chosen]).pending += 1;
        }
        chosen
    }

    /// Notes that these moves can be tried.
    fn offer(&mut self, legal: &[MoveId]) {
        for &played in legal {
            let next = self.arms.len();
            let place = *self.places.entry(played).or_insert(next);
            if place == next {
                self.arms.push(Arm::default());
            }
            self.arms[place].available += 1;
        }
    }

    fn arm(&self, played: MoveId) -> Arm {
        self.arms[self.places[&played]]
    }

    fn arm_mut(&mut self, played: MoveId) -> &mut Arm {
        &mut self.arms[self.places[&played]]
    }

    fn next(&self, legal: &[MoveId], pool: Option<&Self>, rule: SelectionRule, rng: &mut impl Rng) -> usize {
        let arms = || {
            legal
                .iter()
                .map(|&played| (self.arm(played), pool.map(|pool| pool.arm(played)).unwrap_or_default()))
        };
        let is_untried = |(own, pooled): &(Arm, Arm)| own.tries() + pooled.tries() == 0;
        let untried = arms().filter(is_untried).count();
        if untried > 0 {
            let chosen = draw_index(untried, rng);
            let mut places = arms().enumerate().filter(|(_, arms)| is_untried(arms)).map(|(place, _)| place);
            return places.nth(chosen).expect("untried moves were counted");
        }
        let pooled: u32 = arms().map(|(_, pooled)| pooled.tries()).sum();
        let share = Self::share(pooled);
        let mut best = (0, f64::NEG_INFINITY);
        for (place, (own, pooled)) in arms().enumerate() {
            let with = |own: u32, pooled: u32| f64::from(own) + share * f64::from(pooled);
            let visits = with(own.visits, pooled.visits);
            let mean = match visits > 0.0 {
                true => rule.span.share_or_least((own.total + share * pooled.total) / visits),
                false => 0.0,
            };
            let log = natural_logarithm(with(own.available, pooled.available) as u32);
            let tries = with(own.tries(), pooled.tries());
            let bound = match tries < rule.tries_min * log {
                true => UNDUE - tries,
                false => mean + (rule.exploration * log / tries).sqrt(),
            };
            if bound > best.1 {
                best = (place, bound);
            }
        }
        best.0
    }

    /// What each of so many tries of a pool counts for.
    fn share(pooled: u32) -> f64 {
        if pooled == 0 { 0.0 } else { (Self::POOLED / f64::from(pooled)).min(1.0) }
    }

    /// Completes a try with its result, or `None` if there is none.
    pub(crate) fn end(&mut self, played: MoveId, value: Option<f64>) {
        let arm = self.arm_mut(played);
        arm.pending -= 1;
        if let Some(value) = value {
            arm.visits += 1;
            arm.total += value;
        }
    }

    /// How often each move was tried, with the share of the pool.
    pub(crate) fn weights(&self, pool: Option<&Self>) -> Vec<(MoveId, f64)> {
        let pooled = |played: MoveId| pool.map_or(0, |pool| pool.tries(played).0);
        let total: u32 = self.places.keys().map(|&played| pooled(played)).sum();
        let share = Self::share(total);
        let weight =
            |&played: &MoveId| (played, f64::from(self.tries(played).0) + share * f64::from(pooled(played)));
        let mut weights: Vec<(MoveId, f64)> = self.places.keys().map(weight).collect();
        weights.sort_unstable_by_key(|&(played, _)| played);
        weights
    }

    /// How often a move was tried, and the sum of its results.
    pub(crate) fn tries(&self, played: MoveId) -> (u32, f64) {
        self.places.get(&played).map_or((0, 0.0), |&place| (self.arms[place].visits, self.arms[place].total))
    }
}

impl Arm {
    fn tries(self) -> u32 {
        self.visits + self.pending
    }
}

impl Span {
    /// Nothing was met.
    pub(crate) const EMPTY: Self = Self { least: f64::INFINITY, greatest: f64::NEG_INFINITY };

    /// What the language has.
    pub(crate) const LANGUAGE: Self = Self { least: 0.0, greatest: 100.0 };

    /// A goal as a share of the span, in which it has to be.
    pub(crate) fn share(self, goal: f64) -> f64 {
        (goal - self.least) / (self.greatest - self.least)
    }

    /// The same, or 0 if the span is empty or has a single goal.
    pub(crate) fn share_or_least(self, goal: f64) -> f64 {
        if self.greatest > self.least { self.share(goal) } else { 0.0 }
    }

    /// Takes in a value.
    pub(crate) fn note(&mut self, value: f64) {
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }
}

/// The natural logarithm of a positive number, by operations that give the same bits on every machine.
///
/// The one of the standard library may differ in its last bit between platforms, and a player must
/// not. With `n = m * 2^e` and `m` from 1 to 2 it is `e ln 2 + 2 artanh((m - 1) / (m + 1))`; the argument is at
/// most 1/3, so 18 terms leave an error below one in 10^17.
pub(crate) fn natural_logarithm(n: u32) -> f64 {
    let exponent = n.max(1).ilog2();
    let mantissa = f64::from(n.max(1)) / f64::from(1_u32 << exponent);
    let argument = (mantissa - 1.0) / (mantissa + 1.0);
    let square = argument * argument;
    let series = (0..18).rev().fold(0.0, |sum, term| sum * square + 1.0 / f64::from(2 * term + 1));
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * argument * series
}

#[cfg(test)]
mod tests {
    use croupier_engine::MoveId;
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    use super::{Bandit, SelectionRule, Span, natural_logarithm};

    fn moves(count: usize) -> Vec<MoveId> {
        (0..count).map(|index| MoveId::new(index).unwrap()).collect()
    }

    fn rule(span: Span) -> SelectionRule {
        SelectionRule { span, exploration: Bandit::EXPLORATION, tries_min: 0.0 }
    }

    /// How often each move is tried if its result is always the same.
    fn visits(values: &[f64], tries: u32) -> Vec<u32> {
        let (legal, mut bandit, mut span) = (moves(values.len()), Bandit::default(), Span::EMPTY);
        let mut rng = ChaCha8Rng::from_seed([1; 32]);
        for _ in 0..tries {
            let place = bandit.begin(&legal, None, rule(span), &mut rng);
            span.note(values[place]);
            bandit.end(legal[place], Some(values[place]));
        }
        legal.iter().map(|&played| bandit.tries(played).0).collect()
    }

    #[test]
    fn logarithm_agrees_with_the_one_of_the_platform() {
        for n in (1..5_000).chain([1 << 20, u32::MAX / 3, u32::MAX]) {
            let difference = natural_logarithm(n) - f64::from(n).ln();
            assert!(difference.abs() < 1e-14, "n = {n}: {difference:e}");
        }
    }

    #[test]
    fn every_move_is_tried_before_one_is_tried_again() {
        for tries in 1..=4 {
            let visits = visits(&[50.0, 100.0, 0.0, 50.0], tries);
            assert_eq!(visits.iter().sum::<u32>(), tries);
            assert!(visits.iter().all(|&visits| visits <= 1), "{visits:?}");
        }
    }

    #[test]
    fn the_best_arm_is_found_also_in_a_small_part_of_the_range() {
        // Goals 50, 51 and 52: on a scale of 100 the differences would drown in the exploration term.
        let visits = visits(&[50.0, 52.0, 51.0], 300);
        assert!(visits[1] > 200, "{visits:?}");
    }

    #[test]
    fn who_explores_little_does_not_give_up_a_move_that_fails_once() {
        // The first move fails at first, and then wins more than the other ever does; what was met is 0 and 20 until then.
        let (legal, mut bandit, mut span) = (moves(2), Bandit::default(), Span::EMPTY);
        let mut rng = ChaCha8Rng::from_seed([5; 32]);
        for _ in 0..1_000 {
            let little = Bandit::EXPLORATION / 4.0;
            let rule = SelectionRule { exploration: little, tries_min: Bandit::EXPLORATION, ..rule(span) };
            let place = bandit.begin(&legal, None, rule, &mut rng);
            let value = match (place, bandit.tries(legal[0]).0) {
                (0, 0) => 0.0,
                (0, _) => 100.0,
                _ => 20.0,
            };
            span.note(value);
            bandit.end(legal[place], Some(value));
        }
        assert!(bandit.tries(legal[0]).0 > 900, "{bandit:?}");
    }

    #[test]
    fn equal_arms_are_tried_equally_often() {
        assert_eq!(visits(&[100.0; 3], 90), [30, 30, 30]);
    }

    #[test]
    fn tries_without_a_result_spread_out_those_that_follow() {
        let (legal, mut bandit) = (moves(5), Bandit::default());
        let mut rng = ChaCha8Rng::from_seed([2; 32]);
        let mut tried: Vec<usize> =
            (0..5).map(|_| bandit.begin(&legal, None, rule(Span::EMPTY), &mut rng)).collect();
        tried.sort_unstable();
        assert_eq!(tried, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_move_is_measured_against_how_often_it_was_there() {
        // The second move is legal in one visit of ten and is always tried then before others have a claim: its own ten
        // chances count, not all hundred.
        let (legal, mut bandit, mut span) = (moves(2), Bandit::default(), Span::EMPTY);
        let mut rng = ChaCha8Rng::from_seed([3; 32]);
        span.note(0.0);
        span.note(100.0);
        for visit in 0..100 {
            let here = if visit % 10 == 9 { &legal[..] } else { &legal[..1] };
            let place = bandit.begin(here, None, rule(span), &mut rng);
            bandit.end(legal[place], Some(if place == 1 { 60.0 } else { 50.0 }));
        }
        assert!(bandit.tries(legal[1]).0 >= 5, "{bandit:?}");
        assert_eq!(bandit.tries(legal[0]).0 + bandit.tries(legal[1]).0, 100);
    }

    #[test]
    fn a_pool_decides_between_moves_until_own_tries_do() {
        // Of eight moves the last wins everywhere.
        let (legal, mut pool, mut span) = (moves(8), Bandit::default(), Span::EMPTY);
        let mut rng = ChaCha8Rng::from_seed([4; 32]);
        span.note(0.0);
        span.note(100.0);
        let searching = SelectionRule { exploration: Bandit::EXPLORATION / 4.0, ..rule(span) };
        let mut tries = |bandits: [&mut Bandit; 2], value: fn(usize) -> f64, count: u32| {
            let [own, pool] = bandits;
            let before: Vec<u32> = legal.iter().map(|&played| own.tries(played).0).collect();
            for _ in 0..count {
                let place = own.begin(&legal, Some(&mut *pool), searching, &mut rng);
                own.end(legal[place], Some(value(place)));
                pool.end(legal[place], Some(value(place)));
            }
            let tried = |(&played, before)| own.tries(played).0 - before;
            legal.iter().zip(before).map(tried).collect::<Vec<u32>>()
        };
        tries([&mut Bandit::default(), &mut pool], |place| if place == 7 { 100.0 } else { 0.0 }, 1_000);
        // Here all moves are equal at first, and then the first one wins.
        let mut own = Bandit::default();
        let equal = tries([&mut own, &mut pool], |_| 50.0, 40);
        assert!(equal[..7].iter().all(|&tried| tried < equal[7]), "{equal:?}");
        tries([&mut own, &mut pool], |place| if place == 0 { 100.0 } else { 0.0 }, 200);
        let later = tries([&mut own, &mut pool], |place| if place == 0 { 100.0 } else { 0.0 }, 50);
        assert!(later[0] >= 40, "{later:?}");
    }
}
