//! Whole real-time matches: what counts when, who is told, and that records replay.

use std::sync::Arc;

use croupier_engine::{ByPlayer, RoleId, Strictness};

use super::*;
use crate::{
    chance::{Nonce, Seed},
    digest::Digest,
    event::Failure,
    fixture::secrets,
    header::{SeriesPlace, SessionPlace},
    match_state::Secrets,
    replay::SealCheck,
};

pub(super) const CHICKEN: &str = "(role white) (role black)
    (init infinity (dir white straight)) (init infinity (dir black straight)) (init 1.0 timer)
    (<= (next ?t timer) (true ?t timer))
    (<= (next infinity (dir ?r swerve)) (does ?r swerve))
    (<= (next ?t (dir ?r ?d)) (true ?t (dir ?r ?d)) (not (does ?r swerve)))
    (<= (legal ?r swerve) (true ?t (dir ?r straight)))
    (<= terminal (expired timer))
    (<= (goal ?r 0) (true ?t (dir ?r straight)) (true ?s (dir ?p straight)) (distinct ?r ?p))
    (<= (goal ?r 80) (true ?t (dir ?r swerve)) (true ?s (dir ?p straight)))
    (<= (goal ?r 90) (true ?t (dir ?r swerve)) (true ?s (dir ?p swerve)) (distinct ?r ?p))
    (<= (goal ?p 100) (true ?t (dir ?r swerve)) (true ?s (dir ?p straight)))";

/// Chance lights one of four fuses; ann alone sees which, and ben that something was lit.
pub(super) const FUSE: &str = "(role ann) (role ben) (role random) (init infinity dark)
    (length 1) (length 1.5) (length 2) (length 2.5)
    (<= (legal random (light ?t)) (true infinity dark) (length ?t))
    (<= (legal ?r jump) (true ?t fuse) (player ?r)) (player ann) (player ben)
    (<= (next ?t fuse) (does random (light ?t)))
    (<= (next ?t fuse) (true ?t fuse) (not (does ben jump)))
    (<= (next infinity safe) (does ben jump)) (<= (next infinity safe) (true infinity safe))
    (<= (sees ann (fuse ?t)) (does random (light ?t))) (<= (sees ben lit) (does random (light ?t)))
    (<= (sees ann (jumped ?r)) (does ?r jump))
    (<= terminal (expired fuse)) (<= terminal (true infinity safe))
    (<= (goal ?r 100) (player ?r) (true infinity safe)) (<= (goal ?r 0) (player ?r) (not saved))
    (<= saved (true infinity safe))";

pub(super) fn header(rules: &str, tick_us: u64) -> Arc<RealTimeHeader> {
    let names = if rules.contains("ann") { ["ann", "ben"] } else { ["white", "black"] };
    let setup = RealTimeSetup {
        match_id: "m.1".to_owned(),
        series: None,
        session: None,
        rules: rules.to_owned(),
        game_name: None,
        players: names.map(|role| (role.to_owned(), "a script".to_owned())).to_vec(),
        strictness: Strictness::Compatible,
        tick_us,
        updates_max: 1000,
        time_max_us: 60_000_000,
        nonces_ms: None,
    };
    Arc::new(RealTimeHeader::compile(setup).expect("a sound setup"))
}

/// Sends these moves at these instants, and notes what it hears.
struct Script {
    moves: Vec<(u64, &'static str)>,
    heard: Vec<(u64, Notice)>,
}

impl RealTimeSeat for Script {
    fn plan(&mut self, now_us: u64, notice: Option<&Notice>) -> Plan {
        self.heard.extend(notice.map(|notice| (now_us, notice.clone())));
        self.moves.retain(|(at_us, _)| *at_us > now_us);
        match self.moves.first() {
            Some(&(at_us, text)) => Plan::Move { text: text.to_owned(), at_us },
            None => Plan::Wait,
        }
    }
}

type Heard = ByPlayer<Box<Script>>;

fn play(
    header: &Arc<RealTimeHeader>,
    seed: &str,
    moves: [&[(u64, &'static str)]; 2],
) -> (RealTimePlayed, Heard) {
    let mut moves = moves.into_iter();
    let mut seats = ByPlayer::from_fn(header.roles(), |_| {
        Box::new(Script { moves: moves.next().unwrap_or_default().to_vec(), heard: Vec::new() })
    });
    let secrets = Secrets::from_seed(Seed::from_text(seed).expect("a seed"));
    let played = run_real_time(header, secrets, &mut seats, |_| ());
    (played, seats)
}

/// What a role is told in a match in which the first role moves early and the other later.
pub(super) fn heard_in(header: &Arc<RealTimeHeader>, role: RoleId) -> Vec<Notice> {
    let word = if header.roles().find("ann").is_some() { "jump" } else { "swerve" };
    let (_, seats) = play(header, "7", [&[(201_000, word), (300_000, "(")], &[(420_000, word)]]);
    seats[role].heard.iter().map(|(_, notice)| notice.clone()).collect()
}

/// A record with moves of every kind.
pub(crate) fn mixed_record(match_id: &str) -> String {
    let setup = RealTimeSetup { match_id: match_id.to_owned(), ..header(FUSE, 50_000).setup().clone() };
    let header = Arc::new(RealTimeHeader::compile(setup).expect("a sound setup"));
    let ann = [(110_000, "jump"), (120_000, "jump"), (310_000, "(")];
    let (played, _) = play(&header, "7", [&ann, &[(410_000, "wait"), (900_000, "jump")]]);
    String::from_utf8(played.record).expect("text")
}

fn goals(played: &RealTimePlayed) -> Vec<i32> {
    let goals = played.end.outcome.goals().expect("it ended by the rules");
    goals.iter().map(|(_, goal)| goal.value()).collect()
}

fn replayed(played: &RealTimePlayed) -> RealTimeReplay {
    let records = read_real_time_records(&played.record).expect("well formed");
    assert!(is_real_time_record(&played.record));
    replay_real_time(&records[0]).expect("it replays")
}

#[test]
fn a_match_replays_to_its_states_and_its_end() {
    let header = header(CHICKEN, 1);
    let (played, seats) = play(&header, "1", [&[(250_000, "swerve")], &[(250_000, "SWERVE")]]);
    assert_eq!(goals(&played), [90, 90]);
    assert_eq!((played.end.at_us, played.end.updates), (1_000_000, 2));
    let replay = replayed(&played);
    assert_eq!((replay.end(), replay.seal()), (Some(&played.end), SealCheck::FromSeed));
    let instants: Vec<u64> = replay.updates().iter().map(|update| update.at_us).collect();
    assert_eq!(instants, [0, 250_000, 1_000_000]);
    let white = header.roles().find("white").expect("a role");
    let told: Vec<&Notice> = seats[white].heard.iter().map(|(_, notice)| notice).collect();
    let also: Vec<&Notice> =
        replay.notices().iter().filter(|(role, _)| *role == white).map(|(_, told)| told).collect();
    assert_eq!(told, also);
    let both = ["(did black swerve)".into(), "(did white swerve)".into()].to_vec();
    let event = Notice::Event { at_us: 250_000, own_move: Some("swerve".into()), percepts: both };
    assert_eq!(
        told[..3],
        [
            &Notice::Start,
            &Notice::Received { id: 0, at_us: 250_000, arrived_us: 250_000, status: MoveStatus::Legal },
            &event
        ]
    );
}

#[test]
fn moves_of_one_tick_are_one_joint_move() {
    let header = header(CHICKEN, 50_000);
    let (played, _) = play(&header, "1", [&[(201_000, "swerve")], &[(249_999, "swerve")]]);
    let replay = replayed(&played);
    let moves: Vec<_> = replay.updates().iter().map(|update| (update.at_us, update.moves.len())).collect();
    assert_eq!(moves, [(0, 0), (250_000, 2), (1_000_000, 0)]);
    // A tick that ends after the match does is too late; the last instant of the match is not.
    assert_eq!(goals(&play(&header, "1", [&[(950_001, "swerve")], &[]]).0), [80, 100]);
    assert_eq!(goals(&play(&header, "1", [&[(1_000_001, "swerve")], &[]]).0), [0, 0]);
}

#[test]
fn what_is_not_legal_at_its_instant_is_ignored_recorded_and_told_to_its_sender() {
    let header = header(CHICKEN, 1);
    let moves: [&[(u64, &'static str)]; 2] =
        [&[(100, "swerve"), (200, "swerve"), (300, "(turn left)"), (400, "((")], &[(100, "swerve")]];
    let (played, seats) = play(&header, "1", moves);
    assert_eq!(goals(&played), [90, 90]);
    let statuses = |role: &str| -> Vec<(u64, MoveStatus)> {
        let heard = seats[header.roles().find(role).expect("a role")].heard.iter();
        heard
            .filter_map(|(_, notice)| match notice {
                Notice::Received { id, status, .. } => Some((*id, *status)),
                _ => None,
            })
            .collect()
    };
    use MoveStatus::{Illegal, Legal, Malformed};
    assert_eq!(statuses("white"), [(0, Legal), (1, Illegal), (2, Illegal), (3, Malformed)]);
    assert_eq!(statuses("black"), [(0, Legal)]);
    replayed(&played);
}

#[test]
fn a_move_is_held_until_its_instant_and_the_same_id_is_the_same_move() {
    let header = header(CHICKEN, 50_000);
    let [white, black] = ["white", "black"].map(|role| header.roles().find(role).expect("a role"));
    let mut machine =
        RealTimeMatch::new(Arc::clone(&header), Secrets::from_seed(Seed::from_text("3").expect("a seed")));
    let sent = |role, id, at_us, not_before_us| RealTimeEvent::Move {
        role,
        id,
        text: "swerve".to_owned(),
        at_us,
        not_before_us,
    };
    let mut effects = machine.step(RealTimeEvent::Begin);
    for event in [
        sent(white, 4, 101_000, Some(430_000)),
        sent(white, 4, 102_000, None),
        sent(black, 4, 120_000, Some(80_000)),
        RealTimeEvent::Close { at_us: 400_000 },
        RealTimeEvent::Pause { at_us: 400_000, lasted_us: 70_000 },
        sent(white, 4, 401_000, None),
        RealTimeEvent::Close { at_us: 2_000_000 },
    ] {
        effects.extend(machine.step(event));
    }
    let received: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            RealTimeEffect::Send { role, message: Notice::Received { id: 4, at_us, arrived_us, status } } => {
                Some((*role, *at_us, *arrived_us, *status))
            }
            _ => None,
        })
        .collect();
    let legal = MoveStatus::Legal;
    assert_eq!(received, [(black, 150_000, 120_000, legal), (white, 450_000, 101_000, legal)]);
    let lines = effects.iter().filter_map(|effect| match effect {
        RealTimeEffect::Append(line) => Some(format!("{line}\n")),
        _ => None,
    });
    let record: String = lines.collect();
    assert!(record.contains("\"arrived_us\":101000") && record.contains("\"lasted_us\":70000"), "{record}");
    let end = machine.end().expect("it is over").clone();
    let replay = replayed(&RealTimePlayed { record: record.clone().into_bytes(), end });
    assert_eq!(replay.end(), machine.end());
    for (from, to) in
        [("\"arrived_us\":101000", "\"arrived_us\":501000"), ("\"lasted_us\":70000", "\"lasted_us\":7")]
    {
        let records = read_real_time_records(record.replacen(from, to, 1).as_bytes()).expect("well formed");
        assert!(replay_real_time(&records[0]).is_err(), "{from}");
    }
}

#[test]
fn chance_moves_at_once_and_players_hear_what_they_see() {
    let header = header(FUSE, 1);
    let mut lengths = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let (played, seats) = play(&header, &seed.to_string(), [&[], &[(1_700_000, "jump")]]);
        let [ann, ben] = ["ann", "ben"].map(|role| &seats[header.roles().find(role).expect("a role")].heard);
        let (0, Notice::Event { at_us: 0, own_move: None, percepts }) = &ann[1] else { panic!("{ann:?}") };
        let (0, Notice::Event { percepts: of_ben, .. }) = &ben[1] else { panic!("{ben:?}") };
        assert_eq!(of_ben.iter().map(|told| &**told).collect::<Vec<_>>(), ["lit"]);
        let length: f64 =
            percepts[0].trim_start_matches("(fuse ").trim_end_matches(')').parse().expect("a time");
        assert_eq!(goals(&played), if length > 1.7 { [100, 100] } else { [0, 0] });
        lengths.insert(percepts[0].to_string());
        replayed(&played);
        // Nothing told ben how long, not even an empty message at another time.
        assert!(ben.iter().all(|(at_us, notice)| *at_us == 0 || !format!("{notice:?}").contains("fuse")));
    }
    assert_eq!(lengths.len(), 4, "every fuse was lit");
}

#[test]
fn a_match_goes_on_from_any_line_to_the_same_record() {
    for (rules, word) in [(FUSE, "jump"), (CHICKEN, "swerve")] {
        let header = header(rules, 50_000);
        let moves: [&[(u64, &'static str)]; 2] = [&[(410_000, word), (700_000, word)], &[(900_000, word)]];
        let (played, _) = play(&header, "7", moves);
        let text = String::from_utf8(played.record.clone()).expect("text");
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let roles: Vec<RoleId> = header.roles().players().collect();
        for count in 1..=lines.len() {
            let records = read_real_time_records(lines[..count].concat().as_bytes()).expect("well formed");
            let secrets = Secrets::from_seed(Seed::from_text("7").expect("a seed"));
            let mut resumed = resume_real_time(&records[0], &header, secrets).expect("it goes on");
            let mut written = lines[..count].concat();
            // What was sent and not judged is sent again; ids tell what was.
            let mut effects = resumed.effects;
            for (role, moves) in roles.iter().zip(moves) {
                for (id, &(at_us, text)) in (0..).zip(moves) {
                    let text = text.to_owned();
                    let event = RealTimeEvent::Move { role: *role, id, text, at_us, not_before_us: None };
                    effects.extend(resumed.machine.step(event));
                }
            }
            effects.extend(resumed.machine.step(RealTimeEvent::Close { at_us: 60_000_000 }));
            for effect in effects {
                if let RealTimeEffect::Append(line) = effect {
                    written.push_str(&line);
                    written.push('\n');
                }
            }
            assert_eq!(written, text, "after {count} lines");
        }
    }
}

#[test]
fn matches_that_never_end_by_the_rules_end_by_their_limits() {
    let outcome = |rules: &str| {
        let (played, _) = play(&header(rules, 1), "1", [&[], &[]]);
        replayed(&played);
        played.end
    };
    let base = "(role ann) (role ben) (goal ann 0) (goal ben 0) (<= terminal (true infinity over))
        (<= (legal ann finish) (true infinity over))";
    let end = outcome(&format!("{base} (init 0.000001 f) (<= (next 0.000001 f) (expired f))"));
    assert_eq!((end.outcome.status(), end.updates, end.at_us), ("update_limit", 1000, 1000));
    let end = outcome(&format!("{base} (init 7 f) (<= (next 7 f) (expired f))"));
    assert_eq!((end.outcome.status(), end.updates, end.at_us), ("time_limit", 8, 60_000_000));
    let end = outcome(&format!("{base} (init infinity f) (<= (next infinity f) (true infinity f))"));
    assert_eq!((end.outcome.status(), end.updates), ("stalled", 0));
    let chance =
        "(role random) (init infinity f) (legal random again) (<= (next infinity f) (true infinity f))
        (<= (sees ann told) (true infinity over))";
    let end = outcome(&format!("{base} {chance}"));
    assert_eq!(end.outcome.status(), "update_limit");
    let end = outcome(&format!("{base} (init 1 f) (<= (next ?t f) (expired f) (late ?t)) (late 0)"));
    assert_eq!(end.outcome.status(), "game_error");
}

/// A match whose players may commit to nonces, with what it wrote and told.
struct Opened {
    state: RealTimeMatch,
    lines: Vec<String>,
    told: Vec<(RoleId, Notice)>,
}

impl Opened {
    fn new() -> Self {
        let setup = super::RealTimeSetup { nonces_ms: Some(5_000), ..header(FUSE, 1).setup().clone() };
        let header = Arc::new(RealTimeHeader::compile(setup).unwrap());
        let secrets = Secrets::from_seed(Seed::from_text("42").unwrap());
        let mut opened =
            Self { state: RealTimeMatch::new(header, secrets), lines: Vec::new(), told: Vec::new() };
        opened.step(RealTimeEvent::Begin);
        opened
    }

    fn step(&mut self, event: RealTimeEvent) {
        for effect in self.state.step(event) {
            match effect {
                RealTimeEffect::Append(line) => self.lines.push(line),
                RealTimeEffect::Send { role, message: notice } => self.told.push((role, notice)),
                RealTimeEffect::Signal(_) | RealTimeEffect::Finish { .. } => {}
            }
        }
    }

    fn role(&self, name: &str) -> RoleId {
        self.state.header().roles().find(name).unwrap()
    }

    fn commit(&mut self, name: &str, nonce: Nonce) {
        let (role, commitment) = (self.role(name), Some(nonce.commitment("m.1", name)));
        self.step(RealTimeEvent::Ready { role, commitment });
    }

    fn reveal(&mut self, name: &str, nonce: Nonce) {
        let role = self.role(name);
        self.step(RealTimeEvent::Reveal { role, nonce: Some(nonce) });
    }

    fn record(&self) -> super::RealTimeRecord {
        let text: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        read_real_time_records(text.as_bytes()).unwrap().remove(0)
    }
}

#[test]
fn in_real_time_too_nonces_are_fixed_before_any_is_disclosed_and_whoever_withholds_one_loses() {
    let (first, second) = (Nonce([1; 32]), Nonce([2; 32]));
    let mut draws = std::collections::BTreeSet::new();
    for order in [["ann", "ben"], ["ben", "ann"]] {
        let mut whole = Opened::new();
        order.iter().for_each(|name| {
            assert!(whole.told.is_empty());
            whole.commit(name, if *name == "ann" { first } else { second });
        });
        assert_eq!(whole.state.awaited(), Some(super::Awaited::Nonces));
        assert!(whole.told.iter().all(|(_, notice)| matches!(notice, Notice::Reveal { .. })));
        assert_eq!(whole.told.len(), 2);
        // Too late to commit to another.
        whole.commit("ben", Nonce([3; 32]));
        order.iter().for_each(|name| whole.reveal(name, if *name == "ann" { first } else { second }));
        assert!(whole.told.iter().any(|(_, notice)| *notice == Notice::Start));
        whole.step(RealTimeEvent::Close { at_us: 60_000_000 });
        let replayed = super::replay_real_time(&whole.record()).unwrap();
        assert_eq!(replayed.end(), whole.state.end());
        let drawn = whole.lines.iter().find(|line| line.contains("\"event\":\"draw\"")).unwrap();
        draws.insert(drawn.split("\"prev\"").next().unwrap().to_owned());
        // Cut off anywhere, it goes on in the same words.
        for cut in 1..=5 {
            let text: String = whole.lines[..cut].iter().map(|line| format!("{line}\n")).collect();
            let record = read_real_time_records(text.as_bytes()).unwrap().remove(0);
            let secrets = Secrets::from_seed(Seed::from_text("42").unwrap());
            let resumed = super::resume_real_time(&record, whole.state.header(), secrets).unwrap();
            let told = whole.told[..resumed.notices.len()].to_vec();
            assert_eq!(resumed.notices, told, "cut off after line {cut}");
            assert_eq!(resumed.machine.awaited().is_some(), cut < 5, "cut off after line {cut}");
        }
    }
    assert_eq!(draws.len(), 1, "the order changes nothing");
    for (said, why) in [(Some(Nonce([9; 32])), Failure::Malformed), (None, Failure::Timeout)] {
        let mut spoilt = Opened::new();
        spoilt.commit("ann", first);
        spoilt.commit("ben", second);
        spoilt.reveal("ann", first);
        match said {
            Some(nonce) => spoilt.reveal("ben", nonce),
            None => spoilt.step(RealTimeEvent::Late),
        }
        let by = vec![(spoilt.role("ben"), why)];
        assert_eq!(spoilt.state.end().unwrap().outcome, RealTimeOutcome::Withheld { by });
        assert!(!spoilt.lines.iter().any(|line| line.contains("\"event\":\"draw\"")), "nothing is dealt");
        let replayed = super::replay_real_time(&spoilt.record()).unwrap();
        assert_eq!(replayed.end(), spoilt.state.end());
    }
}

#[test]
fn a_match_of_a_session_names_its_place_and_a_session_no_other_format() {
    let place = SessionPlace { id: "friday".to_owned(), index: 2, before: Digest::of(b"the match before") };
    for nonces_ms in [None, Some(5_000)] {
        let own = header(FUSE, 1).setup().clone();
        let setup = RealTimeSetup { session: Some(place.clone()), nonces_ms, ..own.clone() };
        let header = Arc::new(RealTimeHeader::compile(setup.clone()).unwrap());
        let mut machine = RealTimeMatch::new(header, secrets("42"));
        let mut text = String::new();
        for event in [RealTimeEvent::Begin, RealTimeEvent::Late, RealTimeEvent::Abort { at_us: 3 }] {
            for effect in machine.step(event) {
                let RealTimeEffect::Append(line) = effect else { continue };
                text.push_str(&line);
                text.push('\n');
            }
        }
        let read = read_real_time_records(text.as_bytes()).unwrap();
        assert_eq!(read[0].genesis().setup, setup);
        assert!(replay_real_time(&read[0]).is_ok());
        for format in ["3", "5", "6"] {
            let other = text.replacen("\"format\":7", &format!("\"format\":{format}"), 1);
            let error = read_real_time_records(other.as_bytes()).unwrap_err().to_string();
            let reasons = ["unknown field session", "the field series is missing"];
            assert!(reasons.iter().any(|reason| error.contains(reason)), "{error}");
        }
        let nowhere = text.replacen("\"session\"", "\"sessions\"", 1);
        let error = read_real_time_records(nowhere.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "line 1: the field session is missing");
        let series = Some(SeriesPlace { id: "s".to_owned(), index: 1, total: 1 });
        let both = RealTimeHeader::compile(RealTimeSetup { series, ..setup });
        assert!(both.unwrap_err().to_string().contains("not both"));
    }
}
