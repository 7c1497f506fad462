//! Commands that this program was built without: they say how to get them.

use clap::Args;

use crate::output::failure::Failure;

/// Whatever was typed: this build knows no options of the command.
#[derive(Args)]
#[command(
    disable_help_flag = true,
    after_help = "This croupier was built without the network. Build it with:\n  \
                  cargo build --release --features network"
)]
pub(crate) struct Arguments {
    /// What the command takes where it is built in
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true, num_args = 0..)]
    _given: Vec<String>,
}

/// Why a command cannot run, and what to type instead.
pub(crate) fn failure(command: &str) -> Failure {
    Failure::refuse(
        "not-built",
        format!("`croupier {command}` is not in this build: it was made without the network"),
    )
    .help(format!("cargo run --release --features network -- {command}"))
}
