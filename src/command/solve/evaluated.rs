//! The exploitability of a strategy that somebody else made.

use std::io::Write;

use super::Arguments;
use crate::{
    arguments::{
        entropy,
        existing::Existing,
        seating::{SeatSpec, player},
    },
    measurement::{Measurement, Thinking},
    output::{answer::Answer, failure::Failure},
    sessions::interrupt::Interrupt,
};

/// Prints what `croupier evaluate` says of the strategy in a file.
pub(super) fn run(
    arguments: &Arguments,
    file: &str,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let form = if file.ends_with(".onnx") { "net" } else { "policy" };
    let SeatSpec::Player(kind) = player(&format!("{form}:{file}"))? else {
        return Err(Failure::refuse("bad-agent", "a strategy in a file is a policy or a net"));
    };
    let measurement = Measurement {
        game: &arguments.game,
        kind: &kind,
        // Whoever goes by a file knows its strategy everywhere and is asked once.
        seed: &entropy::seed(Some("0"))?,
        seeds: 1,
        thinking: Thinking::Own,
        start_time: None,
        against_equilibrium: false,
        policy: None,
        existing: Existing::Refuse,
        tree: &arguments.tree,
        threads: &arguments.threads,
        as_json: arguments.json,
    };
    measurement.print(interrupt, out)?;
    Ok(Answer::Yes)
}
