//! What a test says when something that it needs is not on this machine.

use std::{fs::OpenOptions, io::Write as _};

/// Notes that a test, or a part of one, is skipped and why: on standard output, which cargo shows of failing tests alone, and in the
/// file that `CROUPIER_SKIPPED` names, where `.ci/run` counts them.
///
/// A reason that begins with `corpus: ` is that other people's games or texts do not lie beside the checkout.
///
/// # Panics
/// If that file cannot be written.
#[expect(clippy::print_stdout, reason = "for whoever runs the test alone, with --nocapture")]
pub fn skipped(why: &str) {
    println!("skipped: {why}");
    if let Some(list) = std::env::var_os("CROUPIER_SKIPPED") {
        let name = std::thread::current().name().unwrap_or("a test").to_owned();
        let mut list =
            OpenOptions::new().create(true).append(true).open(list).expect("the list of what is skipped");
        // One write a line: tests run at the same time.
        list.write_all(format!("{name}: {why}\n").as_bytes()).expect("the list of what is skipped");
    }
}
