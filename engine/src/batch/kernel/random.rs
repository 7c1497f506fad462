//! Random planes: a fast generator for each word, all seeded apart.

use super::{super::Plane, Width, kernels};

/// How many planes are made at once. Loops over a few words are unrolled before the compiler looks for vectors,
/// and it then misses rotations; loops over this many times `W` words are not.
const STRIDE: usize = 8;

/// Generators side by side, a word of a plane from each. Not for secrets.
///
/// # Sources
/// xoshiro256++ by D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators",
/// ACM TOMS 47(4), 2021; seeded by the output function of SplitMix64 (G. Steele, D. Lea, C. Flood,
/// "Fast splittable pseudorandom number generators", OOPSLA 2014), as its authors advise.
#[derive(Clone, Debug)]
pub struct Generator<const W: usize> {
    state: [[[u64; W]; STRIDE]; 4],
    planes: [[u64; W]; STRIDE],
    used: usize,
}

/// The golden ratio as SplitMix64 adds it.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl<const W: usize> Generator<W> {
    /// The generator of a block of work. No two blocks of a seed begin in the same state.
    #[must_use]
    pub fn new(seed: [u8; 32], block: u64) -> Self
    where
        Plane<W>: Width<W>,
    {
        (kernels().generator)(seed, block)
    }

    /// How many words [`words`](Self::words) gives.
    pub const WORDS: usize = 5 * STRIDE * W + 1;

    /// The complete state of the generator.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        let state = self.state.as_flattened().as_flattened();
        let planes = self.planes.as_flattened();
        state.iter().chain(planes).copied().chain([self.used as u64]).collect()
    }

    /// The generator that had these [`words`](Self::words); `None` if none has.
    #[must_use]
    pub fn from_words(words: &[u64]) -> Option<Self> {
        let (state, rest) = words.split_at_checked(4 * STRIDE * W)?;
        let (planes, used) = rest.split_at_checked(STRIDE * W)?;
        let used = match used {
            [used] => usize::try_from(*used).ok().filter(|used| *used <= STRIDE)?,
            _ => return None,
        };
        let mut found = Self { state: [[[0; W]; STRIDE]; 4], planes: [[0; W]; STRIDE], used };
        found.state.as_flattened_mut().as_flattened_mut().copy_from_slice(state);
        found.planes.as_flattened_mut().copy_from_slice(planes);
        Some(found)
    }

    /// What gives these planes, and then planes that are false everywhere.
    #[cfg(test)]
    pub(super) fn scripted(script: &[Plane<W>]) -> Self {
        let used = STRIDE - script.len();
        let mut planes = [[0; W]; STRIDE];
        for (plane, scripted) in planes[used..].iter_mut().zip(script) {
            *plane = scripted.0;
        }
        // A generator whose state is zero gives zero for ever.
        Self { state: [[[0; W]; STRIDE]; 4], planes, used }
    }

    /// The next plane: each bit is true with probability one half, independent of all others.
    #[inline(always)]
    pub(super) fn plane(&mut self) -> Plane<W> {
        if self.used == STRIDE {
            self.refill();
        }
        let plane = Plane(self.planes[self.used]);
        self.used += 1;
        plane
    }

    /// Makes the next planes.
    #[inline(always)]
    fn refill(&mut self) {
        let [a, b, c, d] = &mut self.state;
        step(
            self.planes.as_flattened_mut(),
            [a.as_flattened_mut(), b.as_flattened_mut(), c.as_flattened_mut(), d.as_flattened_mut()],
        );
        self.used = 0;
    }
}

/// The generator of a block of work.
pub(super) fn generator<const W: usize>(seed: [u8; 32], block: u64) -> Generator<W> {
    let (words, _) = seed.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let all = words.clone().fold(0, |all: u64, word| mix(all.wrapping_add(GOLDEN) ^ word));
    let mut state = [[[0; W]; STRIDE]; 4];
    let first = block.wrapping_mul((STRIDE * W) as u64);
    for ((part, word), number) in state.iter_mut().zip(words).zip(1_u64..) {
        let key = mix(word ^ mix(all.wrapping_add(GOLDEN.wrapping_mul(number))));
        for (value, index) in part.as_flattened_mut().iter_mut().zip(1_u64..) {
            // A counter through a bijection: two generators differ in every part.
            *value = mix(key.wrapping_add(GOLDEN.wrapping_mul(first.wrapping_add(index))));
        }
    }
    Generator { state, planes: [[0; W]; STRIDE], used: STRIDE }
}

/// One word from each generator, and its next state.
#[inline(always)]
fn step(out: &mut [u64], [a, b, c, d]: [&mut [u64]; 4]) {
    let count = out.len();
    let (a, b, c, d) = (&mut a[..count], &mut b[..count], &mut c[..count], &mut d[..count]);
    for word in 0..count {
        out[word] = a[word].wrapping_add(d[word]).rotate_left(23).wrapping_add(a[word]);
        let shifted = b[word] << 17;
        c[word] ^= a[word];
        d[word] ^= b[word];
        b[word] ^= c[word];
        a[word] ^= d[word];
        c[word] ^= shifted;
        d[word] = d[word].rotate_left(45);
    }
}

/// The output function of SplitMix64: a bijection whose values look random.
fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
