//! `croupier bench --server` in a build without the load generator: says what to build.

use std::io::Write;

use clap::Args;

use crate::{
    output::{answer::Answer, failure::Failure},
    sessions::interrupt::Interrupt,
};

/// The one option that is known here.
#[derive(Args, Debug)]
pub(super) struct LoadArguments {
    /// Measure a server under load instead of games: needs a build with `--features cluster`
    #[arg(long)]
    pub(super) server: bool,
}

pub(super) fn run(
    _: &LoadArguments,
    _: Option<f64>,
    _: bool,
    _: &Interrupt,
    _: &mut dyn Write,
) -> Result<Answer, Failure> {
    let what = "`croupier bench --server` is not in this build: it was made without the load generator";
    Err(Failure::refuse("not-built", what).help("cargo run --release --features cluster -- bench --server"))
}
