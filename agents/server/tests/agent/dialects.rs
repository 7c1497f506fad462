//! Our agent under our referee in every dialect, and many matches at once.

use std::{sync::Arc, thread};

use croupier_engine::{ByPlayer, Strictness, game::PerceptReading};
use croupier_referee::{
    Clocks, Header, MatchSetup, Nonces, Played, Secrets, Seed, Substitution, read_records, replay,
};
use croupier_remote::{DriverOptions, RemoteSeat, run_timed_match};

use crate::wire::Agent;

const KUHN: &str = include_str!("../../../../games-ii/kuhn/rules.gdl");
const HOLDEM: &str = include_str!("../../../../games-ii/holdem/rules.gdl");
const NOUGHTS: &str = include_str!("../../../../games-ii/tic-tac-toe/rules.gdl");

fn play(agent: &Agent, rules: &str, roles: [&str; 2], form: &str, match_id: &str) -> Played {
    let header = Arc::new(
        Header::compile(MatchSetup {
            match_id: match_id.to_owned(),
            series: None,
            session: None,
            rules: rules.to_owned(),
            game_name: None,
            players: roles.iter().map(|&role| (role.to_owned(), form.to_owned())).collect(),
            clocks: Clocks::of(20_000, 20_000),
            percepts: PerceptReading::OldState,
            strictness: Strictness::Compatible,
            substitution: Substitution::Drawn,
            turns_max: 500,
            nonces: Nonces::Clear,
        })
        .unwrap(),
    );
    let mut seats = ByPlayer::from_fn(header.roles(), |role| {
        let address = format!("http://{}", agent.address).parse().unwrap();
        Box::new(RemoteSeat::new(&header, address, form.parse().unwrap(), header.role_name(role)).unwrap())
    });
    let secrets = Secrets::from_seed(Seed::from_text("3").unwrap());
    let played = run_timed_match(&header, secrets, &mut seats, &DriverOptions::STANDARD, |_| {});
    let records = read_records(&played.record).unwrap();
    assert_eq!(replay(&records[0]).unwrap().outcome(), Some(&played.outcome));
    played
}

/// Everyone moved legally and in time until the rules ended the match.
fn assert_faultless(played: &Played, what: &str) {
    assert!(played.outcome.goals().is_some(), "{what}: {:?}", played.outcome);
    let text = String::from_utf8(played.record.clone()).unwrap();
    assert!(!text.contains("\"event\":\"substitute\""), "{what}: {text}");
}

#[test]
fn every_dialect_is_played_without_a_fault_by_one_agent_in_both_roles() {
    let agent = Agent::new("belief:iterations=20,particles=50");
    for form in ["gdl1", "gdl2", "gdl2-2011", "sees", "gdl1+infix", "gdl2+infix", "gdl1+spec-2006"] {
        let played = play(&agent, NOUGHTS, ["x", "o"], form, &format!("noughts.{form}").replace('+', "_"));
        assert_faultless(&played, form);
    }
    for form in ["gdl2", "gdl2-2011", "sees", "gdl2+infix", "gdl2-2011+infix", "sees+infix"] {
        let played = play(&agent, KUHN, ["alice", "bob"], form, &format!("kuhn.{form}").replace('+', "_"));
        assert_faultless(&played, form);
    }
}

#[test]
fn eight_matches_at_once_do_not_meet() {
    let agent = Arc::new(Agent::new("random"));
    let threads: Vec<_> = (0..8)
        .map(|index| {
            let agent = Arc::clone(&agent);
            thread::spawn(move || {
                let form = ["gdl2", "gdl2-2011"][index % 2];
                let played = play(&agent, HOLDEM, ["alice", "bob"], form, &format!("holdem.{index}"));
                assert_faultless(&played, form);
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(agent.ask("(INFO)"), "((name tested) (status available))");
}
