//! A program that somebody else wrote, run until it ends or a signal comes.

use std::{
    io::{self, BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use crate::interrupt::Interrupt;

/// How often it is looked whether a signal came.
const SLICE: Duration = Duration::from_millis(100);

/// Why a program gave no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// A signal came, and the program was ended.
    Interrupted,
    /// Why it could not be started, or the last line that it complained with.
    Failed(String),
}

/// What a program printed; every line is told to `hear` as it comes.
///
/// # Errors
/// [`Trouble`] if it cannot be started, fails, or is interrupted.
pub(super) fn run(
    command: &mut Command,
    interrupt: &Interrupt,
    hear: &dyn Fn(&str),
) -> Result<String, Trouble> {
    let mut child = start(command)?;
    let (said, lines) = mpsc::channel();
    let stdout = child.stdout.take();
    thread::spawn(move || {
        let Some(stdout) = stdout else { return };
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if said.send(line).is_err() {
                return;
            }
        }
    });
    let stderr = child.stderr.take();
    let complaints = thread::spawn(move || {
        let mut text = Vec::new();
        // What can be read of it is enough.
        let _ = stderr.map(|mut pipe| pipe.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    let mut printed = String::new();
    loop {
        match lines.recv_timeout(SLICE) {
            Ok(line) => {
                hear(&line);
                printed.push_str(&line);
                printed.push('\n');
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if interrupt.is_raised() {
            end(&mut child);
            return Err(Trouble::Interrupted);
        }
    }
    let status = child.wait().map_err(|error| Trouble::Failed(error.to_string()))?;
    if interrupt.is_raised() {
        return Err(Trouble::Interrupted);
    }
    if status.success() {
        return Ok(printed);
    }
    let complaints = complaints.join().unwrap_or_default();
    let last = complaints.lines().rev().find(|line| !line.trim().is_empty());
    Err(Trouble::Failed(last.map_or_else(|| status.to_string(), str::to_owned)))
}

fn start(command: &mut Command) -> Result<Child, Trouble> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(
        |error: io::Error| {
            let program = command.get_program().to_string_lossy().into_owned();
            Trouble::Failed(format!("{program} cannot be started: {error}"))
        },
    )
}

/// Ends a program that is no longer wanted.
fn end(child: &mut Child) {
    // It may have ended by the same signal.
    let _ = child.kill();
    let _ = child.wait();
}
