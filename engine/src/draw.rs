//! One unbiased number below `n` from a stream of random words.
//!
//! # Sources
//! D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019, algorithm 5.
//! It is implemented here because the samplers of general libraries change between releases, and
//! a match must stay reproducible for ever.

use rand_core::Rng;

/// A number in `0.0..1.0` with 53 random bits, for beliefs and searches; referees draw only integers.
pub fn unit_interval(rng: &mut impl Rng) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "53 bits are what a double holds")]
    let numerator = (rng.next_u64() >> 11) as f64;
    numerator / 9_007_199_254_740_992.0
}

/// The index of the weight in which a point falls, if the weights are laid end to end from zero: for a point drawn uniformly up to their
/// sum, each index is as likely as its weight. If rounding puts a point after all of them, the result is
/// the last index with a positive weight. `None` if no weight is positive.
pub fn weighted_place<T>(mut point: T, weights: impl Iterator<Item = T>) -> Option<usize>
where
    T: Copy + Default + PartialOrd + std::ops::SubAssign,
{
    let mut last = None;
    for (place, weight) in weights.enumerate() {
        point -= weight;
        if point < T::default() {
            return Some(place);
        }
        if weight > T::default() {
            last = Some(place);
        }
    }
    last
}

/// An unsigned integer that [`draw`] can work with; `u8` and `u16` are there to be tested exhaustively.
pub trait Word: Copy + PartialOrd {
    /// The number one.
    const ONE: Self;
    /// `(2^w - n) mod n`, where `w` is the width of the word.
    fn threshold(n: Self) -> Self;
    /// High and low half of the product at double width.
    fn widening_product(self, n: Self) -> (Self, Self);
}

macro_rules! word {
    ($narrow:ty, $wide:ty) => {
        impl Word for $narrow {
            const ONE: Self = 1;

            fn threshold(n: Self) -> Self {
                n.wrapping_neg() % n
            }

            #[expect(
                clippy::cast_possible_truncation,
                reason = "the halves of the product are what is wanted"
            )]
            fn widening_product(self, n: Self) -> (Self, Self) {
                let product = <$wide>::from(self) * <$wide>::from(n);
                ((product >> <$narrow>::BITS) as $narrow, product as $narrow)
            }
        }
    };
}

word!(u8, u16);
word!(u16, u32);
word!(u32, u64);
word!(u64, u128);

/// A number below `n`, each equally likely when the words are uniform.
///
/// `n = 1` gives 0 and consumes nothing. Otherwise words are consumed until one is accepted, which
/// happens with a probability above one half each time.
///
/// # Panics
/// If `n` is zero.
///
/// ```
/// use croupier_engine::draw::draw;
///
/// // 256 = 36 * 7 + 4, so four of the 256 words are refused, and each number below 7 has 36 of the others.
/// let mut counts = [0; 7];
/// for word in 0..=u8::MAX {
///     let mut words = [word, 128].into_iter();
///     let drawn = draw(7_u8, || words.next().unwrap_or(128));
///     counts[usize::from(drawn)] += usize::from(words.len() == 1);
/// }
/// assert_eq!(counts, [36; 7]);
/// ```
pub fn draw<W: Word>(n: W, mut next_word: impl FnMut() -> W) -> W {
    assert!(n >= W::ONE, "a draw needs something to choose from");
    if n <= W::ONE {
        return W::widening_product(W::ONE, n).0;
    }
    let threshold = W::threshold(n);
    loop {
        let (high, low) = next_word().widening_product(n);
        if low >= threshold {
            return high;
        }
    }
}

/// An index below `len` from a generator; for playouts and search.
///
/// # Panics
/// If `len` is zero.
///
/// ```
/// use croupier_engine::draw::draw_index;
/// use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
///
/// // The same generator draws the same, in every process.
/// let drawn = |seed| draw_index(52, &mut ChaCha20Rng::seed_from_u64(seed));
/// assert_eq!(drawn(7), drawn(7));
/// assert!((0..100).all(|seed| drawn(seed) < 52));
/// ```
pub fn draw_index(len: usize, rng: &mut impl Rng) -> usize {
    let index = draw(len as u64, || rng.next_u64());
    usize::try_from(index).expect("a number below a usize fits one")
}

/// Puts `items` in random order: every order is as likely as any other (R. Durstenfeld, Algorithm 235, CACM 7(7), 1964).
pub fn shuffle<T>(items: &mut [T], rng: &mut impl Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, draw_index(last + 1, rng));
    }
}

#[cfg(test)]
mod tests {
    use super::draw;

    /// How often each answer occurs if every possible word comes first once, excluding rejected words.
    /// The word of all ones is never rejected: its low half is `2^w - n`.
    macro_rules! counts {
        ($word:ty, $n:expr) => {{
            let mut counts = vec![0_u32; usize::from($n)];
            for word in 0..=<$word>::MAX {
                let mut words_used = 0;
                let answer = draw($n, || {
                    words_used += 1;
                    if words_used == 1 { word } else { <$word>::MAX }
                });
                if words_used == 1 {
                    counts[usize::from(answer)] += 1;
                }
            }
            counts
        }};
    }

    #[test]
    fn every_answer_is_equally_likely_for_all_8_bit_words() {
        for n in 2..=u8::MAX {
            assert_eq!(counts!(u8, n), vec![256 / u32::from(n); usize::from(n)], "n = {n}");
        }
    }

    #[test]
    fn every_answer_is_equally_likely_for_all_16_bit_words() {
        for n in 2..=u16::MAX {
            assert_eq!(counts!(u16, n), vec![65_536 / u32::from(n); usize::from(n)], "n = {n}");
        }
    }

    #[test]
    fn one_choice_consumes_nothing() {
        assert_eq!(draw(1_u64, || panic!("no word is needed")), 0);
    }

    #[test]
    fn modulo_would_fail_the_same_test() {
        let mut counts = [0; 6];
        for word in 0..=u8::MAX {
            counts[usize::from(word % 6)] += 1;
        }
        assert_ne!(counts[0], counts[5]);
    }
}
