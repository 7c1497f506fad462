//! Matches with players that do as they are told by a test.

use std::sync::Arc;

use croupier_engine::{ByPlayer, Strictness, game::PerceptReading};
use croupier_referee::{
    Clocks, Header, MatchSetup, Nonces, Played, SealCheck, Secrets, Seed, Substitution, header::GRACE_MS,
    protocol::WireForm, read_records, replay,
};
use croupier_remote::{Absence, DriverOptions, Observed, RemoteSeat, run_timed_match};
pub(crate) use croupier_tests::fake::{Act, Fake, nobody, response};

/// Two players and three turns; `right` can do nothing but wait, whatever it says.
pub(crate) const STEPS: &str = "(role left) (role right) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (legal left (go far)) (legal left (go near)) (legal right wait)
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 4)))
    (<= (next (far)) (does left (go far))) (goal right 50)
    (<= (goal left 100) (true (far))) (<= (goal left 0) (not (true (far))))";

pub(crate) fn header(rules: &str, match_id: &str, roles: &[&str], clocks: Clocks) -> Arc<Header> {
    Arc::new(
        Header::compile(MatchSetup {
            match_id: match_id.to_owned(),
            series: None,
            session: None,
            rules: rules.to_owned(),
            game_name: None,
            players: roles.iter().map(|&role| (role.to_owned(), "remote".to_owned())).collect(),
            clocks,
            percepts: PerceptReading::OldState,
            strictness: Strictness::Compatible,
            substitution: Substitution::Drawn,
            turns_max: 20,
            nonces: Nonces::Clear,
        })
        .unwrap(),
    )
}

/// Plays a match with everyone at an address who need not be there, and checks that its record replays to what happened.
pub(crate) fn play(header: &Arc<Header>, forms: &[(String, WireForm, &str)], seed: &str) -> Played {
    let manner = DriverOptions { absence: Absence::Played, ..DriverOptions::STANDARD };
    play_as(header, forms, seed, &manner, |_| {})
}

/// The same, driven in this manner.
pub(crate) fn play_as(
    header: &Arc<Header>,
    forms: &[(String, WireForm, &str)],
    seed: &str,
    manner: &DriverOptions<'_>,
    observe: impl FnMut(Observed<'_>),
) -> Played {
    let mut seats = ByPlayer::from_fn(header.roles(), |role| {
        let (address, form, name) = forms[role.index()].clone();
        Box::new(RemoteSeat::new(header, address.parse().unwrap(), form, name).unwrap())
    });
    let secrets = Secrets::from_seed(Seed::from_text(seed).unwrap());
    let played = run_timed_match(header, secrets, &mut seats, manner, observe);
    let records = read_records(&played.record).unwrap();
    let again = replay(&records[0]).unwrap();
    assert_eq!(again.outcome(), Some(&played.outcome));
    assert_eq!(again.conducts(), &played.conducts);
    assert_ne!(again.seal(), SealCheck::Missing);
    played
}

/// What the record says of the replies of a role: `(turn, status)`, and how long each took.
pub(crate) fn statuses(played: &Played, role: &str) -> Vec<(String, u64)> {
    let text = String::from_utf8(played.record.clone()).unwrap();
    let field = |line: &str, name: &str| -> Option<String> {
        let rest = line.split_once(&format!("\"{name}\":"))?.1;
        Some(rest.split([',', '}']).next()?.trim_matches('"').to_owned())
    };
    text.lines()
        .filter(|line| field(line, "event").as_deref() == Some("reply"))
        .filter(|line| field(line, "role").as_deref() == Some(role))
        .map(|line| (field(line, "status").unwrap(), field(line, "elapsed_ms").unwrap().parse().unwrap()))
        .collect()
}

/// The time after which a reply is late.
pub(crate) fn late_ms(clocks: Clocks) -> u64 {
    clocks.play_ms + GRACE_MS
}
