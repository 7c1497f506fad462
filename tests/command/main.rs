//! The command line as its users meet it.

mod agent;
mod approaches;
mod authorship;
mod bench;
mod bounds;
mod browser;
mod command_line;
mod conduct;
mod converting;
mod coverage;
mod determinism;
mod evaluate;
mod exports;
mod extensive;
mod folders;
mod full_sight;
mod goals;
mod hostile;
mod interrupts;
mod kept;
mod kernels;
mod legal_moves;
mod load;
mod luck;
mod nets;
mod operation;
mod options;
mod people_pages;
mod pictures;
mod pondering;
mod promises;
mod public;
mod real_time;
mod real_time_rules;
mod real_time_server;
mod replicas;
mod reviews;
mod routes;
mod saying;
mod schemas;
mod serve;
mod server;
mod sessions;
mod signatures;
mod sitter;
mod slow_network;
mod solve;
mod spectators;
mod stable_models;
mod symmetries;
mod tables;
mod tables_by_link;
mod telling;
#[cfg(unix)]
mod terminal;
mod tournament;
mod tournaments;
#[cfg(target_os = "linux")]
mod timed_tables;
mod torn;
mod verdict;
mod verifier;
mod watching;
mod withheld;
mod writing;
mod written_rules;

use croupier_tests::command::Program;

/// The command line, in a folder of this test's own.
fn program(test: &str) -> Program {
    Program::new(env!("CARGO_BIN_EXE_croupier"), env!("CARGO_TARGET_TMPDIR"), test)
}
