//! A server of matches in this process: its secrets, its agents, and how long it runs.

use std::{io, path::Path, sync::Arc, time::Duration};

use croupier_games::blueprints;
use croupier_players::Solutions;
use croupier_referee::{Agents, SealKey};
use croupier_seat::SeatedPlayers;
use croupier_server::Application;

use crate::{
    arguments::{entropy, key_file, token_file},
    output::failure::Failure,
    sessions::interrupt::Interrupt,
};

/// The key that signs its records, and the token of its operator, from files that are made if they are not there.
///
/// # Errors
/// If a file cannot be made or read, or is none of ours.
pub(crate) fn secrets(key: &Path, token: &Path) -> Result<(SealKey, String), Failure> {
    if !key.exists() {
        key_file::write_secret(key, &entropy::random_bytes()?)?;
    }
    if !token.exists() {
        token_file::write(token, &entropy::random_bytes()?)?;
    }
    Ok((key_file::secret(key)?, token_file::read(token)?))
}

/// The agents that it can seat, which share what comes with the program.
pub(crate) fn agents() -> Arc<dyn Agents> {
    Arc::new(SeatedPlayers::new(Solutions::with_blueprints(blueprints())))
}

/// Lets the server have as many open files as the system allows: a connection is one, and called players think on theirs.
pub(crate) fn raise_open_files(matches: u32) {
    // A system that knows no such limit sets none.
    let allowed = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::MAX);
    let wanted = 2 * u64::from(matches);
    if allowed < wanted {
        tracing::warn!(
            allowed,
            "the limit of open files is low for {matches} matches, whose players may need {wanted} connections; raise the hard \
             limit (ulimit -Hn, LimitNOFILE=) or take fewer --matches"
        );
    }
}

/// Waits until the process is told to stop.
pub(crate) async fn raised(interrupt: Interrupt) {
    while !interrupt.is_raised() {
        actix_rt::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Serves until the process is told to stop.
///
/// # Errors
/// If the system takes the listener away.
pub(crate) async fn serve_until_raised(application: Application, interrupt: &Interrupt) -> io::Result<()> {
    let stopper = application.stopper();
    let stopping = interrupt.clone();
    actix_rt::spawn(async move {
        raised(stopping).await;
        stopper.stop().await;
    });
    application.run_until_stopped().await
}
