//! A real-time match in every order in which its events and the store's answers can come, with a crash after every one of them.
//!
//! What players are told must follow from the lines that are durable then, and a match that goes on from any of its lines
//! tells them the same again and ends in a record that replays.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{RoleId, Strictness};
use croupier_referee::{
    SealCheck, Secrets, Seed,
    realtime::{
        Notice, RealTimeEvent, RealTimeHeader, RealTimeMatch, RealTimeSetup, ResumedRealTime,
        read_real_time_records, replay_real_time, resume_real_time,
    },
};
use croupier_server::{Lines, RealTimeActor};

/// Chance lights a fuse that only ann sees; ben jumps in time or not.
const FUSE: &str = "(role ann) (role ben) (role random) (init infinity dark) (player ann) (player ben)
    (length 1) (length 2)
    (<= (legal random (light ?t)) (true infinity dark) (length ?t))
    (<= (legal ?r jump) (true ?t fuse) (player ?r))
    (<= (next ?t fuse) (does random (light ?t)))
    (<= (next ?t fuse) (true ?t fuse) (not (does ben jump)))
    (<= (next infinity safe) (does ben jump)) (<= (next infinity safe) (true infinity safe))
    (<= (sees ann (fuse ?t)) (does random (light ?t))) (<= (sees ben lit) (does random (light ?t)))
    (<= (sees ann (jumped ?r)) (does ?r jump))
    (<= terminal (expired fuse)) (<= terminal (true infinity safe))
    (<= (goal ?r 100) (player ?r) (true infinity safe)) (<= (goal ?r 0) (player ?r) (not saved))
    (<= saved (true infinity safe))";

fn header() -> Arc<RealTimeHeader> {
    let setup = RealTimeSetup {
        match_id: "m.1".to_owned(),
        series: None,
        session: None,
        rules: FUSE.to_owned(),
        game_name: None,
        players: ["ann", "ben"].map(|role| (role.to_owned(), "a script".to_owned())).to_vec(),
        strictness: Strictness::Compatible,
        tick_us: 1,
        updates_max: 100,
        time_max_us: 60_000_000,
        nonces_ms: None,
    };
    Arc::new(RealTimeHeader::compile(setup).expect("a sound setup"))
}

fn secrets() -> Secrets {
    Secrets::from_seed(Seed::from_text("7").expect("a seed"))
}

/// What happens in a match, in this order: a move of ann's that changes nothing, one that is nonsense, and ben's jump.
fn events(header: &RealTimeHeader) -> Vec<RealTimeEvent> {
    let role = |name: &str| header.roles().find(name).expect("a role");
    let moved = |name: &str, id, text: &str, at_us| RealTimeEvent::Move {
        role: role(name),
        id,
        text: text.to_owned(),
        at_us,
        not_before_us: None,
    };
    vec![
        RealTimeEvent::Begin,
        moved("ann", 1, "jump", 100_000),
        RealTimeEvent::Close { at_us: 100_000 },
        moved("ann", 2, "fly(", 200_000),
        RealTimeEvent::Close { at_us: 200_000 },
        moved("ben", 1, "jump", 500_000),
        RealTimeEvent::Close { at_us: 500_000 },
    ]
}

type Told = BTreeMap<RoleId, Vec<Notice>>;

fn tell(told: &mut Told, notices: Vec<(RoleId, Notice)>) {
    notices.into_iter().for_each(|(role, notice)| told.entry(role).or_default().push(notice));
}

/// Whether everybody was told the beginning of what is in `all`.
fn begins(told: &Told, all: &Told) -> bool {
    told.iter().all(|(role, notices)| all.get(role).is_some_and(|all| all.starts_with(notices)))
}

/// The lines of the match that is played without any delay, and what everybody is told.
fn whole(header: &Arc<RealTimeHeader>) -> (Vec<String>, Told) {
    let mut actor = RealTimeActor::new(RealTimeMatch::new(Arc::clone(header), secrets()));
    let (mut disk, mut told) = (Vec::new(), Told::new());
    for event in events(header) {
        actor.step(event);
        settle(&mut actor, &mut disk, &mut told);
    }
    assert!(actor.is_done(), "the fuse is out");
    (disk, told)
}

/// Stores everything that there is to be stored, and tells what follows.
fn settle(actor: &mut RealTimeActor, disk: &mut Vec<String>, told: &mut Told) {
    loop {
        let (notices, lines) = actor.advance();
        tell(told, notices);
        let Some(Lines { first, lines }) = lines else { return };
        assert_eq!(first, disk.len() as u64, "lines come in order");
        disk.extend(lines);
        actor.stored();
    }
}

fn resumed(header: &Arc<RealTimeHeader>, disk: &[String]) -> ResumedRealTime {
    let text: String = disk.iter().map(|line| format!("{line}\n")).collect();
    let record = read_real_time_records(text.as_bytes()).expect("whole lines").remove(0);
    resume_real_time(&record, header, secrets()).expect("the lines of this match")
}

/// For each number of durable lines, what the next referee says that everybody was told.
fn told_by(header: &Arc<RealTimeHeader>, disk: &[String]) -> Vec<Told> {
    let of = |lines: usize| {
        let mut told = Told::new();
        if lines > 0 {
            tell(&mut told, resumed(header, &disk[..lines]).notices);
        }
        told
    };
    (0..=disk.len()).map(of).collect()
}

#[test]
fn nobody_is_told_what_a_crash_could_undo_in_any_order() {
    let header = header();
    let (disk, told) = whole(&header);
    let all = told_by(&header, &disk);
    assert!(begins(&told, &all[disk.len()]) && begins(&all[disk.len()], &told), "the end is told");
    // A path is a choice at each place: the next event, or that the lines on their way are durable.
    let mut paths = 0;
    let mut pending: Vec<Vec<bool>> = vec![Vec::new()];
    while let Some(path) = pending.pop() {
        let mut events = events(&header).into_iter();
        let mut actor = RealTimeActor::new(RealTimeMatch::new(Arc::clone(&header), secrets()));
        let (mut on_the_way, mut durable, mut now) = (None, 0, Told::new());
        let mut is_stuck = false;
        for &is_event in &path {
            match is_event {
                true => match events.next() {
                    Some(event) => actor.step(event),
                    None => is_stuck = true,
                },
                false => match on_the_way.take() {
                    Some(Lines { first, lines }) => {
                        assert_eq!(lines, disk[first as usize..first as usize + lines.len()]);
                        durable = first as usize + lines.len();
                        actor.stored();
                    }
                    None => is_stuck = true,
                },
            }
            let (notices, lines) = actor.advance();
            tell(&mut now, notices);
            on_the_way = on_the_way.or(lines);
            // A crash here leaves these lines to the next referee.
            assert!(begins(&now, &all[durable]), "{path:?}: {now:?} with {durable} lines");
        }
        if is_stuck {
            continue;
        }
        if actor.is_done() {
            assert!((durable, &now) == (disk.len(), &told), "{path:?}");
            paths += 1;
            continue;
        }
        pending.extend([true, false].map(|choice| [&path[..], &[choice]].concat()));
    }
    // Every event but the first may come before or after what is on its way.
    assert!(paths > 40, "{paths} paths to the end");
}

#[test]
fn a_match_goes_on_from_each_of_its_lines_to_a_record_that_replays() {
    let header = header();
    let (disk, _) = whole(&header);
    for lines in 1..=disk.len() {
        let ResumedRealTime { machine, notices, effects, at_us } = resumed(&header, &disk[..lines]);
        let mut actor = RealTimeActor::go_on_with(machine, effects, lines as u64);
        let (mut stored, mut told) = (disk[..lines].to_vec(), Told::new());
        tell(&mut told, notices);
        settle(&mut actor, &mut stored, &mut told);
        // Who was not answered sends its moves again; what was judged is known by its number.
        for event in events(&header).into_iter().skip(1) {
            let event = match event {
                RealTimeEvent::Close { at_us: instant } => RealTimeEvent::Close { at_us: instant.max(at_us) },
                event => event,
            };
            actor.step(event);
            settle(&mut actor, &mut stored, &mut told);
        }
        assert!(actor.is_done(), "resumed after {lines} lines");
        let text: String = stored.iter().map(|line| format!("{line}\n")).collect();
        let record = read_real_time_records(text.as_bytes()).expect("a record").remove(0);
        let replay = replay_real_time(&record).expect("a match as its record says");
        assert_eq!(replay.seal(), SealCheck::FromSeed, "resumed after {lines} lines");
        let mut said = Told::new();
        tell(&mut said, replay.notices().to_vec());
        assert_eq!(said, told, "resumed after {lines} lines");
    }
}
