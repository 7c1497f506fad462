//! Every kernel in every width, for the processor's own vectors: the only file with unsafe code.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "instructions that not every processor has are used after asking for them")
)]

use super::{
    super::{Plane, Tally},
    Block, Choice, Generator, Rails, RoleChoice, advance, block, choice, evaluation, random, rows, ternary,
};
use crate::{
    id::RoleId,
    propnet::{Operand, Phase, Tape},
};

/// Passes a macro the list of all kernels: the name, arguments, result and function of each.
macro_rules! each_kernel {
    ($take:ident $($before:tt)*) => {
        $take! { $($before)*
            evaluate(tape: &Tape, phase: Phase, slots: &mut [[u64; W]]) -> () = evaluation::evaluate;
            evaluate_ternary(tape: &Tape, phase: Phase, rails: Rails<'_, W>) -> () = ternary::evaluate;
            choose(choice: &mut Choice<W>, slots: &mut [[u64; W]], wanted: Plane<W>, random: &mut Generator<W>)
                -> Plane<W> = choice::choose;
            count_moves(choice: &mut RoleChoice<W>, slots: &[[u64; W]], wanted: Plane<W>) -> () = choice::count;
            make_moves(choice: &mut RoleChoice<W>, slots: &mut [[u64; W]], numbers: &[Plane<W>]) -> ()
                = choice::make;
            advance(tape: &Tape, slots: &mut [[u64; W]], lanes: Plane<W>) -> () = advance::advance;
            load_rows(tape: &Tape, slots: &mut [[u64; W]], rows: &[u64], sources: &[u32]) -> () = rows::load;
            store_rows(operands: &[Operand], slots: &[[u64; W]], wanted: Plane<W>, rows: &mut [u64]) -> ()
                = rows::store;
            play(block: Block<'_, W>) -> Tally = block::play;
        }
    };
}

/// Declares the table.
macro_rules! declare {
    ($($kernel:ident($($argument:ident: $type:ty),*) -> $result:ty = $function:path;)*) => {
        /// The addresses of all kernels of one width for one kind of vector.
        #[derive(Debug)]
        pub struct Kernels<const W: usize> {
            $(pub(in crate::batch) $kernel: fn($($type),*) -> $result,)*
            /// Not a kernel, but code that only this package should compile.
            pub(in crate::batch) choice: fn(&Tape) -> Choice<W>,
            /// Likewise.
            pub(in crate::batch) choice_among: fn(&Tape, RoleId, &[u32]) -> RoleChoice<W>,
            /// Likewise.
            pub(in crate::batch) generator: fn([u8; 32], u64) -> Generator<W>,
        }
    };
}

/// A table for the features that every processor of the target has; NEON belongs to every 64-bit ARM.
macro_rules! portable {
    ($width:literal $($kernel:ident($($argument:ident: $type:ty),*) -> $result:ty = $function:path;)*) => {{
        static TABLE: Kernels<$width> = Kernels {
            $($kernel: $function,)*
            choice: choice::choice,
            choice_among: choice::choice_among,
            generator: random::generator,
        };
        &TABLE
    }};
}

/// A table for processors with some features.
///
/// Its functions are safe, although calling one without the features is wrong: only [`Width`] hands out the table,
/// after checking the processor.
#[cfg(target_arch = "x86_64")]
macro_rules! with_features {
    (
        $width:literal $features:literal
        $($kernel:ident($($argument:ident: $type:ty),*) -> $result:ty = $function:path;)*
    ) => {{
        const W: usize = $width;
        $(fn $kernel($($argument: $type),*) -> $result {
            #[target_feature(enable = $features)]
            fn compiled($($argument: $type),*) -> $result {
                $function($($argument),*)
            }

            // SAFETY: nobody has the address of this function but on a processor that says that it has the features.
            unsafe { compiled($($argument),*) }
        })*
        static TABLE: Kernels<W> = Kernels {
            $($kernel,)*
            choice: choice::choice,
            choice_among: choice::choice_among,
            generator: random::generator,
        };
        &TABLE
    }};
}

/// Whether the processor has everything that is named.
#[cfg(target_arch = "x86_64")]
macro_rules! has {
    ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
}

each_kernel!(declare);

/// Planes of a width that kernels are compiled for: those of 1 word, and those of 8.
///
/// Nothing else implements it. It is a bound where lanes are created, `where Plane<W>: Width<W>`.
pub trait Width<const W: usize>: sealed::Sealed {
    /// A table for each kind of vector that this processor has, from the widest on. What kernels compute does not
    /// depend on the table.
    #[doc(hidden)]
    fn tables() -> [Option<&'static Kernels<W>>; 3];
}

mod sealed {
    /// Keeps other packages from adding widths.
    pub trait Sealed {}
}

/// The kernels for the widest vectors of this processor.
pub(in crate::batch) fn kernels<const W: usize>() -> &'static Kernels<W>
where
    Plane<W>: Width<W>,
{
    Plane::tables().into_iter().flatten().next().expect("a table for every processor")
}

macro_rules! width {
    ($width:literal) => {
        impl sealed::Sealed for Plane<$width> {}

        impl Width<$width> for Plane<$width> {
            fn tables() -> [Option<&'static Kernels<$width>>; 3] {
                let portable = each_kernel!(portable $width);
                #[cfg(target_arch = "x86_64")]
                if has!("avx2" "bmi1" "bmi2" "popcnt" "lzcnt") {
                    let avx2 = each_kernel!(with_features $width "avx2,bmi1,bmi2,popcnt,lzcnt");
                    let avx512 = has!("avx512f" "avx512bw").then(|| {
                        let avx512: &Kernels<$width> = each_kernel!(
                            with_features $width "avx512f,avx512bw,avx2,bmi1,bmi2,popcnt,lzcnt"
                        );
                        avx512
                    });
                    return [avx512, Some(avx2), Some(portable)];
                }
                [None, None, Some(portable)]
            }
        }
    };
}

width!(1);
width!(8);
