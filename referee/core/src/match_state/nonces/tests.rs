//! Who can choose what is dealt: all orders of commitments and nonces, and an operator that sits at the table.

use std::{collections::BTreeSet, sync::Arc};

use croupier_engine::{RoleId, Strictness, game::PerceptReading};

use crate::{
    chance::{Nonce, Seed},
    event::{Effect, Event, Failure, Outcome, Reply, Request},
    fixture::secrets,
    header::{Clocks, Header, MatchSetup, Nonces, Substitution},
    match_state::{MatchState, Secrets},
    record::{Entry, Record, TurnLine, read_records},
    replay::{replay, resume},
    view::Message,
};

const ALICE: Nonce = Nonce([0xa1; 32]);
const BOB: Nonce = Nonce([0xb0; 32]);

fn kuhn(nonces: Nonces) -> Arc<Header> {
    let setup = MatchSetup {
        match_id: "kuhn.1".to_owned(),
        series: None,
        session: None,
        rules: croupier_games::find("kuhn").unwrap().rules.to_owned(),
        game_name: Some("kuhn".to_owned()),
        players: ["alice", "bob"].map(|role| (role.to_owned(), "connects".to_owned())).to_vec(),
        clocks: Clocks::of(10_000, 5_000),
        percepts: PerceptReading::OldState,
        strictness: Strictness::Compatible,
        substitution: Substitution::Drawn,
        turns_max: 100,
        nonces,
    };
    Arc::new(Header::compile(setup).unwrap())
}

/// A match with what it wrote and said.
struct Table {
    state: MatchState,
    lines: Vec<String>,
    told: Vec<(RoleId, Message)>,
}

impl Table {
    fn new(header: &Arc<Header>, secrets: Secrets) -> Self {
        let state = MatchState::new(Arc::clone(header), secrets);
        let mut table = Self { state, lines: Vec::new(), told: Vec::new() };
        table.step(Event::Begin);
        table
    }

    fn role(&self, name: &str) -> RoleId {
        self.state.header().roles().find(name).unwrap()
    }

    fn step(&mut self, event: Event) {
        let effects = self.state.step(0, event);
        self.take_in(effects);
    }

    fn take_in(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Append(line) => self.lines.push(line),
                Effect::Send { role, message } => self.told.push((role, message)),
                Effect::Signal(_) | Effect::Finish { .. } => {}
            }
        }
    }

    fn say(&mut self, name: &str, to: Request, reply: Reply) {
        let role = self.role(name);
        self.step(Event::Reply { role, to, reply });
    }

    fn commit(&mut self, name: &str, nonce: Nonce) {
        self.say(name, Request::Start, Reply::Committed(nonce.commitment("kuhn.1", name)));
    }

    fn reveal(&mut self, name: &str, nonce: Nonce) {
        self.say(name, Request::Reveal, Reply::Revealed(nonce));
    }

    /// Moves of which none is legal: substitutes are played, to the end.
    fn play_on(&mut self) {
        while let Some((to @ Request::Play { .. }, _)) = self.state.request() {
            for role in self.state.awaited() {
                self.step(Event::Reply { role, to, reply: Reply::Failed(Failure::Timeout) });
            }
        }
    }

    fn record(&self) -> Record {
        let text: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        read_records(text.as_bytes()).unwrap().remove(0)
    }

    /// What was drawn in turns 0 and 1, the cards; nothing if nothing was dealt.
    fn deal(&self) -> Option<[u64; 2]> {
        let draw = |wanted: u32| {
            self.record().lines().iter().find_map(|line| match line.entry {
                Entry::Draw { step, index, .. } if step == wanted => Some(index),
                _ => None,
            })
        };
        Some([draw(0)?, draw(1)?])
    }

    fn asked_for_nonces(&self) -> Vec<&Message> {
        let asked = self.told.iter().map(|(_, message)| message);
        asked.filter(|message| matches!(message, Message::Reveal { .. })).collect()
    }
}

/// What happens at the table, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    AliceCommits,
    BobCommits,
    /// Bob is ready and contributes nothing.
    BobIsReady,
    AliceReveals,
    BobReveals,
    /// Bob says another nonce than the one he committed to.
    BobRevealsAnother,
    /// The clock of whatever is waited for runs out.
    Deadline,
}

const HAPPENINGS: [Happening; 7] = [
    Happening::AliceCommits,
    Happening::BobCommits,
    Happening::BobIsReady,
    Happening::AliceReveals,
    Happening::BobReveals,
    Happening::BobRevealsAnother,
    Happening::Deadline,
];

fn happen(table: &mut Table, happening: Happening) {
    match happening {
        Happening::AliceCommits => table.commit("alice", ALICE),
        Happening::BobCommits => table.commit("bob", BOB),
        Happening::BobIsReady => table.say("bob", Request::Start, Reply::Text("READY".to_owned())),
        Happening::AliceReveals => table.reveal("alice", ALICE),
        Happening::BobReveals => table.reveal("bob", BOB),
        Happening::BobRevealsAnother => table.reveal("bob", Nonce([9; 32])),
        Happening::Deadline => {
            if let Some((of, _)) = table.state.request() {
                table.step(Event::Deadline { of });
            }
        }
    }
}

/// All orders of some things.
fn orders(of: &[Happening]) -> Vec<Vec<Happening>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, first) in of.iter().enumerate() {
        let rest: Vec<Happening> = [&of[..place], &of[place + 1..]].concat();
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, *first);
            order
        }));
    }
    all
}

/// What has to come of an order, from the definition: each is heard for its first answer to what it is asked.
fn expected(
    order: &[Happening],
) -> (BTreeSet<&'static str>, Result<BTreeSet<&'static str>, Vec<&'static str>>) {
    use Happening::*;
    let mut position = order.iter();
    let (mut answered, mut committed) = (BTreeSet::new(), BTreeSet::new());
    while answered.len() < 2 {
        match position.next().unwrap() {
            AliceCommits if answered.insert("alice") => drop(committed.insert("alice")),
            BobCommits if answered.insert("bob") => drop(committed.insert("bob")),
            BobIsReady => drop(answered.insert("bob")),
            Deadline => answered = BTreeSet::from(["alice", "bob"]),
            _ => {}
        }
    }
    let (mut waited, mut withheld) = (committed.clone(), BTreeSet::new());
    for happening in position {
        match happening {
            AliceReveals => drop(waited.remove("alice")),
            BobReveals => drop(waited.remove("bob")),
            BobRevealsAnother if waited.remove("bob") => drop(withheld.insert("bob")),
            Deadline => withheld.append(&mut waited),
            _ => {}
        }
    }
    // Whoever is still waited for when nothing more happens is late in the end.
    withheld.append(&mut waited);
    let end = if withheld.is_empty() { Ok(committed.clone()) } else { Err(Vec::from_iter(withheld)) };
    (committed, end)
}

#[test]
fn in_every_order_of_commitments_and_nonces_all_are_fixed_before_any_is_disclosed_and_whoever_withholds_one_loses()
 {
    let header = kuhn(Nonces::Committed);
    let of = |nonces: &[(&str, Nonce)]| {
        let seed = Seed::from_text("42").unwrap();
        let chance = crate::Chance::new(&if nonces.is_empty() { seed } else { seed.joined(nonces) });
        [chance.draw(0, 3), chance.draw(1, 2)]
    };
    let mut ends = BTreeSet::new();
    for (number, order) in orders(&HAPPENINGS).into_iter().enumerate() {
        let mut table = Table::new(&header, secrets("42"));
        let mut fixed = None;
        for &happening in &order {
            happen(&mut table, happening);
            // What all have committed to is told to those who committed, at once and for good, and no nonce stands in it.
            let asked = table.asked_for_nonces();
            let first = asked.first().map(|message| format!("{message}"));
            assert_eq!(*fixed.get_or_insert_with(|| first.clone()), first.clone(), "{order:?}");
            if first.is_none() {
                fixed = None;
            }
            assert!(asked.windows(2).all(|pair| pair[0] == pair[1]), "{order:?}");
            let text = table.lines.join("\n") + &format!("{:?}", table.told);
            let is_disclosed = |nonce: Nonce| text.contains(&hex::encode(nonce.0));
            assert!(first.is_some() || !is_disclosed(ALICE) && !is_disclosed(BOB), "{order:?}");
            assert!(!format!("{:?}", table.told).contains(&hex::encode(ALICE.0)), "{order:?}");
        }
        let (committed, end) = expected(&order);
        happen(&mut table, Happening::Deadline);
        table.play_on();
        let asked: BTreeSet<&str> = table
            .told
            .iter()
            .filter(|(_, message)| matches!(message, Message::Reveal { .. }))
            .map(|(role, _)| header.role_name(*role))
            .collect();
        assert_eq!(asked, committed, "{order:?}");
        match (&end, table.state.outcome().unwrap()) {
            (Ok(contributors), Outcome::Terminal { .. }) => {
                let nonces: Vec<_> = [("alice", ALICE), ("bob", BOB)]
                    .into_iter()
                    .filter(|(role, _)| contributors.contains(role))
                    .collect();
                assert_eq!(table.deal(), Some(of(&nonces)), "{order:?}");
            }
            (Err(expected), Outcome::Withheld { by }) => {
                let by: Vec<&str> = by.iter().map(|(role, _)| header.role_name(*role)).collect();
                assert_eq!(by, *expected, "{order:?}");
                assert_eq!(table.deal(), None, "{order:?}: nothing is dealt");
                assert!(table.lines.iter().any(|line| line.contains("\"status\":\"withheld\"")));
            }
            (end, outcome) => panic!("{order:?}: {end:?}, {outcome:?}"),
        }
        ends.insert(end.map_err(|by| by.len()));
        // The record says all of it, and says it again after an interruption anywhere.
        if number % 331 == 0 {
            let replayed = replay(&table.record()).unwrap();
            assert_eq!(replayed.outcome(), table.state.outcome(), "{order:?}");
        }
    }
    // From nobody to both, and one or both withhold.
    assert!(ends.len() >= 5, "{ends:?}");
}

/// What the operator makes of a nonce: it knows the seed, and all nonces that were disclosed to its server.
fn wanted(seed: &Seed, nonces: &[(&str, Nonce)]) -> [u64; 2] {
    let chance = crate::Chance::new(&seed.joined(nonces));
    [chance.draw(0, 3), chance.draw(1, 2)]
}

/// The operator's nonces, as many as it likes to try.
fn tries() -> impl Iterator<Item = Nonce> {
    (0_u8..=255).map(|number| Nonce([number; 32]))
}

#[test]
fn an_operator_that_grinds_its_own_nonce_after_seeing_the_honest_one_chooses_no_deal() {
    let seed = Seed::from_text("42").unwrap();
    // As it was, the operator waits for the honest nonce, and then takes whichever of its own deals what it likes.
    let mut chosen = BTreeSet::new();
    for deal in [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]] {
        let mut table = Table::new(&kuhn(Nonces::Clear), secrets("42"));
        table.say("alice", Request::Start, Reply::Ready(ALICE));
        let best = tries().find(|nonce| wanted(&seed, &[("alice", ALICE), ("bob", *nonce)]) == deal).unwrap();
        table.say("bob", Request::Start, Reply::Ready(best));
        table.play_on();
        chosen.insert(table.deal());
        assert_eq!(table.deal(), Some(deal));
    }
    assert_eq!(chosen.len(), 6, "whatever it wanted");
    // Now the honest nonce is not to be had before its own is fixed: what it can do after that deals one hand, or none.
    let header = kuhn(Nonces::Committed);
    let mut ends = BTreeSet::new();
    for said in tries().chain([BOB]).map(Some).chain([None]) {
        let mut table = Table::new(&header, secrets("42"));
        table.commit("alice", ALICE);
        assert_eq!(table.state.request().map(|(request, _)| request), Some(Request::Start));
        assert!(table.told.iter().all(|(_, message)| matches!(message, Message::Start { .. })));
        table.commit("bob", BOB);
        table.reveal("alice", ALICE);
        // From here on it knows everything, and whatever it likes is possible.
        match said {
            Some(nonce) => table.reveal("bob", nonce),
            None => table.step(Event::Deadline { of: Request::Reveal }),
        }
        table.play_on();
        let status = table.state.outcome().unwrap().status();
        if let Outcome::Withheld { by } = table.state.outcome().unwrap() {
            assert_eq!(by.iter().map(|(role, _)| *role).collect::<Vec<_>>(), [table.role("bob")]);
        }
        ends.insert((status, table.deal()));
    }
    let honest = wanted(&seed, &[("alice", ALICE), ("bob", BOB)]);
    assert_eq!(ends, BTreeSet::from([("terminal", Some(honest)), ("withheld", None)]));
}

#[test]
fn a_commitment_that_is_copied_from_another_seat_can_not_be_opened() {
    let header = kuhn(Nonces::Committed);
    let mut table = Table::new(&header, secrets("42"));
    table.commit("alice", ALICE);
    table.say("bob", Request::Start, Reply::Committed(ALICE.commitment("kuhn.1", "alice")));
    table.reveal("alice", ALICE);
    table.reveal("bob", ALICE);
    let by = vec![(table.role("bob"), Failure::Malformed)];
    assert_eq!(table.state.outcome(), Some(&Outcome::Withheld { by }));
}

#[test]
fn a_match_that_stops_between_commitment_and_nonce_goes_on_in_the_same_words() {
    let header = kuhn(Nonces::Committed);
    let mut whole = Table::new(&header, secrets("42"));
    whole.commit("bob", BOB);
    whole.commit("alice", ALICE);
    whole.reveal("alice", ALICE);
    whole.reveal("bob", BOB);
    whole.play_on();
    let events = |table: &Table| {
        let entries = table.record().lines().iter().map(|line| line.entry.clone()).collect::<Vec<_>>();
        let kept = entries
            .into_iter()
            .filter(|entry| !matches!(entry, Entry::Own(TurnLine::Resume { .. }) | Entry::Seal { .. }));
        kept.collect::<Vec<_>>()
    };
    for cut in 1..=5 {
        let text: String = whole.lines[..cut].iter().map(|line| format!("{line}\n")).collect();
        let record = read_records(text.as_bytes()).unwrap().remove(0);
        let (state, effects) = resume(&record, &header, secrets("42")).unwrap();
        let mut table = Table { state, lines: whole.lines[..cut].to_vec(), told: Vec::new() };
        table.take_in(effects);
        table.step(Event::Resume { epoch: 2 });
        let asked = |name: &str| table.state.asked(table.role(name)).map(|message| message.to_string());
        let said = whole.asked_for_nonces()[0].to_string();
        match cut {
            3 => assert_eq!([asked("alice"), asked("bob")], [Some(said.clone()), Some(said)]),
            4 => assert_eq!([asked("alice"), asked("bob")], [None, Some(said)]),
            _ => {}
        }
        table.commit("bob", BOB);
        table.commit("alice", ALICE);
        table.reveal("alice", ALICE);
        table.reveal("bob", BOB);
        table.play_on();
        assert_eq!(events(&table), events(&whole), "cut off after line {cut}");
        assert_eq!(replay(&table.record()).unwrap().outcome(), whole.state.outcome());
    }
}

#[test]
fn a_match_that_shares_its_deal_takes_no_nonce_and_its_record_says_so() {
    let mut deals = BTreeSet::new();
    for nonce in [ALICE, BOB] {
        let mut table = Table::new(&kuhn(Nonces::Declined), secrets("42"));
        table.commit("alice", nonce);
        table.commit("bob", nonce);
        table.play_on();
        deals.insert(table.deal());
        assert!(table.lines[0].contains("\"nonces\":\"declined\""));
        assert!(table.asked_for_nonces().is_empty());
    }
    assert_eq!(deals.len(), 1);
}
