//! Every known way to tell too much, switched on one after the other: the claims of this program notice each of them.

use std::sync::{Arc, PoisonError};

use croupier_engine::{Strictness, game::PerceptReading};
use croupier_referee::{
    Clocks, Effect, Event, Header, MatchSetup, MatchState, Nonces, Reply, Request, Secrets, Seed,
    Substitution, Timer,
    mutant::{Mutant, switch},
};

use crate::{
    evidence::{Evidence, Finding, finding},
    host::Host,
    house::{AS_IT_IS, House},
    judge, legal_moves, pulled,
    pushed::{self, Hidden},
    real_time,
    vault::rules,
};

/// No mutant outlives its turn, whatever happens.
struct Switched;

impl Switched {
    fn to(mutant: Mutant) -> Self {
        switch(Some(mutant));
        Self
    }
}

impl Drop for Switched {
    fn drop(&mut self) {
        switch(None);
    }
}

/// What is wrong while a mutant is on, from the cheapest look to the dearest; the first that finds something ends it.
fn findings(house: &House, host: &Host, name: &str) -> Result<Vec<Finding>, Finding> {
    let timers = timers();
    if !timers.is_empty() {
        return Ok(timers);
    }
    let found = real_time::findings();
    if !found.is_empty() {
        return Ok(found);
    }
    let one = pushed::play(house, host, name, Hidden::ONE)?;
    let found = judge::of_pushed(&one);
    if !found.is_empty() {
        return Ok(found);
    }
    let other: Evidence = pushed::play(house, host, name, Hidden::OTHER)?;
    let found = judge::of_pair(&one, &other, "alice");
    if !found.is_empty() {
        return Ok(found);
    }
    let found = judge::of_pulled(&pulled::play(house, name)?, false);
    if !found.is_empty() {
        return Ok(found);
    }
    let (_, between) = pulled::play_openly(house)?;
    let found = judge::feed_between(&between);
    if !found.is_empty() {
        return Ok(found);
    }
    legal_moves::findings(house)
}

/// Each request has one timer, which is set when it is sent and not touched by what others reply.
fn timers() -> Vec<Finding> {
    let setup = MatchSetup {
        match_id: "timers".to_owned(),
        series: None,
        session: None,
        rules: rules("timers"),
        game_name: None,
        players: ["alice", "bob"].map(|role| (role.to_owned(), "scripted".to_owned())).to_vec(),
        clocks: Clocks::of(1_000, 500),
        percepts: PerceptReading::OldState,
        strictness: Strictness::Compatible,
        substitution: Substitution::Drawn,
        turns_max: 10,
        nonces: Nonces::Clear,
    };
    let header = Arc::new(Header::compile(setup).unwrap());
    let mut state = MatchState::new(Arc::clone(&header), Secrets::from_seed(Seed::from_text("1").unwrap()));
    let mut timers: Vec<(Request, u64)> = Vec::new();
    let mut now_ms = 0;
    let mut effects = state.step(now_ms, Event::Begin);
    while state.outcome().is_none() {
        for role in state.awaited() {
            let Some((to, _)) = state.request() else { break };
            now_ms += 70;
            let text = if to == Request::Start { "READY" } else { "nonsense" };
            effects
                .extend(state.step(now_ms, Event::Reply { role, to, reply: Reply::Text(text.to_owned()) }));
        }
    }
    timers.extend(effects.iter().filter_map(|effect| match effect {
        Effect::Signal(Timer { of, at_ms }) => Some((*of, *at_ms)),
        _ => None,
    }));
    let requests: std::collections::BTreeSet<Request> = timers.iter().map(|(of, _)| *of).collect();
    let is_once = requests.len() == timers.len();
    let wrong = (!is_once).then(|| finding("nobody's clock depends on others", format!("{timers:?}")));
    wrong.into_iter().collect()
}

#[test]
fn every_one_of_the_40_leak_mutants_is_killed() {
    let _alone = AS_IT_IS.write().unwrap_or_else(PoisonError::into_inner);
    let (house, host) = (House::new("mutants"), Host::new());
    assert_eq!(findings(&house, &host, "no mutant"), Ok(Vec::new()), "nothing is wrong without a mutant");
    let mut survivors = Vec::new();
    for (mutant, what) in Mutant::ALL {
        let name = format!("M{}", mutant as usize);
        #[expect(clippy::disallowed_methods, reason = "printed, and judged by nobody")]
        let begun = std::time::Instant::now();
        let switched = Switched::to(mutant);
        let found = findings(&house, &host, &name);
        drop(switched);
        let killed_by = match &found {
            Err(finding) => Some(finding),
            Ok(findings) => findings.first(),
        };
        match killed_by {
            Some(by) => {
                println!("{name:4} {:5} ms  {what}: killed by \"{}\"", begun.elapsed().as_millis(), by.claim);
            }
            None => survivors.push(format!("{name}: {what}")),
        }
    }
    assert!(survivors.is_empty(), "these were not noticed: {survivors:#?}");
}
