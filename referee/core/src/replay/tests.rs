//! What a record of a match in turns gives back.

mod tampering;

use croupier_engine::Status;

use crate::{
    chance::Seed,
    driver::SeatReply,
    fixture::{header, mixed, mixed_record, play, setup},
    header::MatchSetup,
    match_state::Secrets,
    record::{SealKey, read_records},
};

use super::*;

#[test]
fn a_record_gives_the_match_back() {
    let header = header();
    let mut told = ByPlayer::from_fn(header.roles(), |_| Vec::new());
    let played = play(&header, "42", mixed(), |role, message| told[role].push(message.clone()));
    let record = &read_records(&played.record).unwrap()[0];
    let replay = replay(record).unwrap();
    assert_eq!(replay.outcome(), Some(&played.outcome));
    assert_eq!(replay.seal(), SealCheck::FromSeed);
    let game = replay.header().game();
    let mut scratch = game.scratch();
    let last = replay.turns().last().unwrap();
    assert!(matches!(game.status(&last.successor, &mut scratch), Ok(Status::Terminal { .. })));
    for (role, told) in told.iter() {
        assert_eq!(replay.messages(role), told);
        let known = replay.information_set(role, 3).unwrap();
        let own = replay.own_history(role, 3).unwrap();
        for ((own_move, percepts), turn) in known.turns.iter().zip(&own.turns) {
            assert_eq!(game.move_text(*own_move), turn.own_move);
            assert_eq!(game.percept_terms(percepts), turn.percepts);
        }
        assert_eq!((known.turns.len(), own.turns.len()), (3, 3));
    }
    assert!(replay.messages(game.roles().random().unwrap()).is_empty());
}

#[test]
fn a_key_of_ones_own_shows_who_sealed() {
    let header = header();
    let seal_key = SealKey::from_bytes(&[7; 32]);
    let public_key = seal_key.public_key();
    let secrets = Secrets { seed: Seed::from_text("1").unwrap(), seal_key };
    let mut seats = ByPlayer::from_fn(header.roles(), |_| Box::new(crate::fixture::Script::default()));
    let played = crate::run_match(&header, secrets, &mut seats, |_, _| ());
    let record = &read_records(&played.record).unwrap()[0];
    assert_eq!(replay(record).unwrap().seal(), SealCheck::Signed { public_key });
}

#[test]
fn what_a_record_that_is_cut_off_tells_is_the_beginning_of_what_was_told() {
    let record = mixed_record();
    let full = replay(&read_records(record.as_bytes()).unwrap()[0]).unwrap();
    let first_line = record.find('\n').unwrap();
    for end in (first_line + 1..record.len()).step_by(17) {
        let part = replay(&read_records(&record.as_bytes()[..end]).unwrap()[0]).unwrap();
        assert_eq!(part.turns(), &full.turns()[..part.turns().len()]);
        for role in full.header().roles().players() {
            assert!(full.messages(role).starts_with(part.messages(role)));
        }
    }
}

#[test]
fn replays_of_every_kind_of_end_are_good() {
    let short = Arc::new(Header::compile(MatchSetup { turns_max: 1, ..setup() }).unwrap());
    let leaving = |replies: usize| {
        let mut script: Vec<SeatReply> = ["ready", "noop", "raise"].map(SeatReply::text).to_vec();
        script.truncate(replies);
        script.push(SeatReply::Leave);
        [script, Vec::new()]
    };
    let mut files = vec![play(&short, "1", mixed(), |_, _| ()).record];
    files.extend((0..4).map(|replies| play(&header(), "1", leaving(replies), |_, _| ()).record));
    for file in files {
        let replayed = replay(&read_records(&file).unwrap()[0]);
        assert!(
            replayed.is_ok_and(|replay| replay.seal() == SealCheck::FromSeed),
            "{}",
            String::from_utf8_lossy(&file)
        );
    }
}
