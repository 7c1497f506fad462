//! A match whose players are called, watched from all sides.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};

use crate::{
    evidence::{Evidence, Finding, Watched, finding},
    host::{Host, Said},
    house::House,
    vault::{CARDS, ROLES, rules},
    wire::Stream,
};

/// Where players are raised to when the match may begin, and when it goes on in the middle.
const BEGIN: u32 = 1;
const GO_ON: u32 = 2;

/// What bob does, of which alice must not notice anything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hidden {
    /// Which card he hides from turn 1 on.
    pub(crate) card: usize,
    /// Whether his reply in turn 2 is nonsense, so that a move is drawn for him.
    pub(crate) is_wrong: bool,
    /// How long he thinks in turn 1.
    pub(crate) pause: Duration,
}

impl Hidden {
    pub(crate) const ONE: Self = Self { card: 0, is_wrong: true, pause: Duration::from_millis(70) };
    pub(crate) const OTHER: Self = Self { card: 3, is_wrong: false, pause: Duration::ZERO };
}

/// What the two players answer. Alice is wrong in turn 3, and waits in turn 3 until she has been looked at.
fn script(hidden: Hidden) -> crate::host::Script {
    let hide = |card: usize| format!("(hide {})", CARDS[card]);
    Arc::new(move |role: &str, number: usize| match (role, number) {
        (_, 0) => Said::At(BEGIN, "READY".to_owned()),
        (_, 1) => Said::Now("wait".to_owned()),
        ("alice", 2) => Said::Later(Duration::from_millis(5), hide(1)),
        ("alice", 4) => Said::At(GO_ON, "(hide the pain)".to_owned()),
        ("alice", _) => Said::Now(hide(1)),
        (_, 2) if !hidden.pause.is_zero() => Said::Later(hidden.pause, hide(hidden.card)),
        (_, 3) if hidden.is_wrong => Said::Now("(nonsense".to_owned()),
        (_, _) => Said::Now(hide(hidden.card)),
    })
}

/// Plays the vault with players that are called.
///
/// # Errors
/// What keeps the match from being played.
pub(crate) fn play(house: &House, host: &Host, remark: &str, hidden: Hidden) -> Result<Evidence, Finding> {
    play_in("gdl2", house, host, remark, hidden)
}

/// The same in the words of a dialect.
///
/// # Errors
/// What keeps the match from being played.
pub(crate) fn play_in(
    dialect: &'static str,
    house: &House,
    host: &Host,
    remark: &str,
    hidden: Hidden,
) -> Result<Evidence, Finding> {
    host.begin(script(hidden));
    let address = format!("http://{}", host.address);
    let seat = json!({ "kind": "push", "address": address, "dialect": dialect });
    let asked: Value = json!({
        "rules": rules(remark),
        "seats": { "alice": seat, "bob": seat },
        "seed": "5eedca4a0000000000000000000000000000000000000000000000000badcafe",
        "start_clock_ms": 20_000,
        "play_clock_ms": 20_000,
    });
    let mut watched = Watched::make(house, &asked)?;
    let stuck = || {
        finding(
            "every role is told everything, each message on a connection of its own",
            "a message has not come",
        )
    };
    if !host.await_messages(&ROLES, 1) {
        return Err(watched.abandon(stuck()));
    }
    let spectator = Stream::follow(house.address, &watched.path("/events"), "application/x-ndjson");
    host.raise(BEGIN);
    if !host.await_messages(&ROLES, 5) {
        return Err(watched.abandon(stuck()));
    }
    watched.crawl();
    host.raise(GO_ON);
    let mut evidence = watched.end()?;
    evidence.dialect = dialect;
    evidence.captures = host.captures(&ROLES).ok_or_else(stuck)?;
    evidence.spectator = Some(spectator.end());
    Ok(evidence)
}
