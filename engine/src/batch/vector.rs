//! The processor's own vectors, chosen at run time: the only file with unsafe code.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "instructions that not every processor has are used after asking for them")
)]

/// Work that is to be compiled for each kind of vector.
///
/// Whatever `run` calls is compiled with it only as far as it is inlined.
pub(super) trait Kernel {
    /// What the work results in.
    type Output;

    /// Does it. Implementations are `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Whether the processor has everything that is named.
#[cfg(target_arch = "x86_64")]
macro_rules! has {
    ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
}

/// Runs a kernel with the widest vectors that this processor has. The result does not depend on them.
pub(super) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if has!("avx2" "bmi1" "bmi2" "popcnt" "lzcnt") {
        if has!("avx512f" "avx512bw") {
            // SAFETY: the processor has just said that it has all that the function is compiled for.
            return unsafe { run_avx512(kernel) };
        }
        // SAFETY: as above.
        return unsafe { run_avx2(kernel) };
    }
    // Elsewhere the target's own vectors are used already: NEON belongs to every 64-bit ARM.
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
