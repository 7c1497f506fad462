//! The loops over planes, compiled once for each width and each kind of vector.
//!
//! A kernel is a function whose speed depends on vector instructions that not every processor has: `evaluate`, `choose` and seven
//! more. This folder compiles each of them for planes of 1 and of 8 words, and for each kind of vector, into plain
//! functions without type parameters; [`Kernels`] is a table of their addresses. Nothing in this folder is visible
//! from outside, so no other package can compile a kernel again, and no build profile of another package
//! makes one slow.
//!
//! Everything that a kernel calls is `#[inline(always)]`, or a method of the standard library that is `#[inline]`: only inlined
//! code uses the vectors. Adapters such as `zip` and `fill` are not inlined, so loops here use indices.
//!
//! `.ci/instructions --apart` counts the instructions of kernels in a program that is built without link-time
//! optimisation, with sixteen codegen units; `tests/command/kernels.rs` counts copies of the kernels in the finished
//! program.
#![expect(
    clippy::explicit_counter_loop,
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    reason = "adapters of iterators and slices need not be inlined, and then lack the vectors"
)]

mod advance;
mod age;
mod block;
mod choice;
mod draw;
mod ended;
mod evaluation;
mod group;
mod random;
mod rows;
mod table;
mod ternary;
mod tree;

pub(super) use age::Age;
pub(super) use block::Block;
pub(super) use choice::{Choice, RoleChoice};
pub(super) use ended::UncountedLanes;
pub use random::Generator;
pub use table::Width;
pub(super) use table::{Kernels, kernels};
pub(super) use ternary::Rails;

#[cfg(test)]
mod tests;
