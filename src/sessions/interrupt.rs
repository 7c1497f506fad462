//! SIGINT, SIGTERM and SIGHUP: the first lets a command keep what it has finished, the second ends it at once.

use std::{
    fs,
    io::{self, IsTerminal as _, Write as _},
    ops::ControlFlow,
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

use crate::{
    output::failure::{Failure, INTERRUPTED},
    sessions::{clock, terminal},
};

/// Signals that come within this time of the first are one: `timeout` and other programs send theirs to a process and once
/// more to its group.
const ONE_SIGNAL: Duration = Duration::from_millis(300);

/// Whether a command is to end, as a value that is passed down to whatever takes long.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<Signalled>);

#[derive(Debug, Default)]
struct Signalled {
    is_raised: AtomicBool,
    /// Whether there may be something to keep.
    is_held: AtomicBool,
}

impl Interrupt {
    /// Listens for signals from now on. Until [`hold`](Self::hold) is called they end the process at once.
    ///
    /// A terminal that is closed sends SIGHUP, and the shell in it sends it again: however often it comes, it counts once. Under
    /// `nohup` it stays ignored.
    ///
    /// # Errors
    /// If the operating system lets nobody listen.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let interrupt = Self::default();
        let hangup = (!is_hangup_ignored()).then_some(SIGHUP);
        let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup)).map_err(|error| {
            Failure::refuse("no-signals", format!("signals cannot be listened for: {error}"))
        })?;
        let signalled = interrupt.clone();
        thread::spawn(move || {
            let mut first = None;
            for signal in signals.forever() {
                let begun = *first.get_or_insert_with(clock::now);
                if !signalled.is_raised() || (signal != SIGHUP && begun.elapsed() > ONE_SIGNAL) {
                    signalled.raise();
                }
            }
        });
        Ok(interrupt)
    }

    /// From now on there may be something finished to keep: the first signal only asks the command to end.
    pub(crate) fn hold(&self) {
        self.0.is_held.store(true, Ordering::SeqCst);
    }

    /// Whether the command is to end.
    pub(crate) fn is_raised(&self) -> bool {
        self.0.is_raised.load(Ordering::Relaxed)
    }

    /// Whether a share of the time has passed that work may take from now on; all of it, once the command is to end.
    pub(crate) fn budget(&self, all: Duration) -> impl Fn(f64) -> bool + Sync + '_ {
        let begun = clock::now();
        move |share| self.is_raised() || begun.elapsed() >= all.mul_f64(share)
    }

    /// Whether work that reports its progress is to go on.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Somebody at the terminal wants the command to end, who has been asked whether that is meant.
    pub(crate) fn leave(&self) {
        self.0.is_raised.store(true, Ordering::SeqCst);
    }

    /// A signal came.
    fn raise(&self) {
        terminal::restore();
        let is_again = self.0.is_raised.swap(true, Ordering::SeqCst);
        let is_held = self.0.is_held.load(Ordering::SeqCst);
        // Nobody is left to be told if standard error is closed.
        let say = |text: &str| drop(writeln!(anstream::stderr(), "{text}"));
        if is_held && !is_again {
            say("interrupted: what is finished is kept; once more ends the command at once");
            return;
        }
        if !is_held {
            say("interrupted before anything was finished");
        }
        process::exit(INTERRUPTED.into());
    }
}

/// Whether the process was started to outlive its terminal, as `nohup` does it.
fn is_hangup_ignored() -> bool {
    match fs::read_to_string("/proc/self/status") {
        Ok(status) => ignores(&status, SIGHUP),
        // Where the system does not say: `nohup` takes the terminal away from the process.
        Err(_) => !(io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal()),
    }
}

/// Whether a process with this status, as Linux writes it, ignores a signal.
fn ignores(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| (mask >> (signal - 1)) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use signal_hook::consts::{SIGHUP, SIGTERM};

    use super::{Interrupt, ignores};

    #[test]
    fn the_status_of_a_process_says_which_signals_it_ignores() {
        let status = "Name:\tcroupier\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\nSigCgt:\t00000000000044c2\n";
        assert!(ignores(status, SIGHUP) && !ignores(status, SIGTERM));
        assert!(!ignores("Name:\tcroupier\n", SIGHUP));
    }

    #[test]
    fn the_first_signal_asks_a_command_that_has_something_to_keep_to_end() {
        let interrupt = Interrupt::default();
        let passed_down = interrupt.clone();
        interrupt.hold();
        assert!(!passed_down.is_raised());
        interrupt.raise();
        assert!(passed_down.is_raised());
    }
}
