//! Whole matches with players that fail in every way.

use std::collections::BTreeMap;

use croupier_engine::RoleId;

use crate::{
    conduct::Slip,
    event::{Failure, Outcome, ReplyStatus},
    fixture::{CARDS, header, late, mixed, mixed_record, play, setup},
    header::{Header, Substitution},
    record::{Entry, TurnLine, read_records},
    view::Message,
};

use super::*;

/// What a role is sent, made again from its moves and percepts alone: independent of the code under test.
struct OwnView {
    role: &'static str,
    turns: Vec<(String, Vec<String>)>,
}

impl OwnView {
    fn rules() -> String {
        let lines = CARDS.lines().map(|line| line.split(';').next().unwrap());
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        words.join(" ").to_lowercase()
    }

    fn turn(&self, kind: &str) -> String {
        let number = self.turns.len();
        match self.turns.last() {
            None => format!("({kind} cards.1 {number} NIL NIL)"),
            Some((own_move, percepts)) => {
                let mut percepts = percepts.clone();
                percepts.sort();
                format!("({kind} cards.1 {number} {own_move} ({}))", percepts.join(" "))
            }
        }
    }

    fn texts(mut self) -> Vec<String> {
        let all = std::mem::take(&mut self.turns);
        let mut texts = vec![format!("(START cards.1 {} ({}) 5 2)", self.role, Self::rules())];
        for turn in all {
            texts.push(self.turn("PLAY"));
            self.turns.push(turn);
        }
        texts.push(self.turn("STOP"));
        texts
    }
}

fn told(header: &Arc<Header>, seed: &str, role: &str) -> Vec<String> {
    let role: RoleId = header.roles().find(role).unwrap();
    let mut told = Vec::new();
    play(header, seed, mixed(), |receiver, message: &Message| {
        if receiver == role {
            told.push(message.to_string());
        }
    });
    told
}

#[test]
fn messages_hold_the_own_moves_and_the_sorted_percepts_and_nothing_else() {
    let header = header();
    let record = mixed_record();
    let record = &read_records(record.as_bytes()).unwrap()[0];
    let moves = |role: &str| -> Vec<String> {
        let turns = record.lines().iter();
        turns
            .filter_map(|line| match &line.entry {
                Entry::Own(TurnLine::Turn { moves, .. }) => Some(moves[role].clone()),
                _ => None,
            })
            .collect()
    };
    let deal = moves("random")[0].clone();
    let cards: Vec<&str> = deal.trim_matches(['(', ')']).split(' ').collect();
    for (role, card) in [("alice", cards[1]), ("bob", cards[2])] {
        let own = moves(role);
        let heard = |turn: usize| {
            vec![
                format!("(heard bob {})", moves("bob")[turn]),
                format!("(heard alice {})", moves("alice")[turn]),
            ]
        };
        let turns = vec![
            (own[0].clone(), vec![format!("(yours {card})"), "dealt".to_owned()]),
            (own[1].clone(), heard(1)),
            (own[2].clone(), heard(2)),
        ];
        assert_eq!(told(&header, "42", role), OwnView { role, turns }.texts(), "{role}");
    }
}

#[test]
fn the_same_seed_and_seats_give_the_same_bytes() {
    assert_eq!(mixed_record(), mixed_record());
    let other = play(&header(), "43", mixed(), |_, _| ()).record;
    assert_ne!(mixed_record().into_bytes(), other);
}

fn statuses(record: &str) -> Vec<String> {
    let record = &read_records(record.as_bytes()).unwrap()[0];
    let lines = record.lines().iter();
    lines
        .filter_map(|line| match &line.entry {
            Entry::Ready { role, failure, elapsed_ms, .. } => {
                let (status, elapsed_ms) = (failure.map_or("ready", Failure::as_str), elapsed_ms.unwrap());
                Some(format!("{role} {status} {elapsed_ms}"))
            }
            Entry::Own(TurnLine::Reply { role, status, own_move, elapsed_ms, .. }) => {
                let own_move = own_move.as_deref().unwrap_or("-");
                Some(format!("{role} {} {own_move} {elapsed_ms}", status.as_str()))
            }
            Entry::Own(TurnLine::Substitute { turn, role, n, .. }) => {
                Some(format!("{role} substitute of {n} in {turn}"))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn whoever_gives_no_legal_move_in_time_gets_one() {
    assert_eq!(
        statuses(&mixed_record()),
        [
            "alice ready 0",
            "bob connect_error 0",
            "alice legal noop 40",
            "bob timeout - 3000",
            "bob substitute of 1 in 0",
            "bob too_large - 0",
            "alice illegal (raise (very much)) 3",
            "alice substitute of 2 in 1",
            "bob substitute of 2 in 1",
            "alice malformed - 0",
            "bob legal raise 3000",
            "alice substitute of 2 in 2",
        ]
    );
}

/// What the record says: by role the moves that were asked for, and by status those that were played for it.
fn counted(record: &[u8], role: &str) -> (u64, Vec<(ReplyStatus, u64)>) {
    let record = &read_records(record).unwrap()[0];
    let (mut moves, mut replies, mut counts) = (0, BTreeMap::new(), BTreeMap::new());
    for line in record.lines() {
        match &line.entry {
            Entry::Own(TurnLine::Reply { turn, role: of, status, .. }) if of == role => {
                replies.insert(*turn, *status);
            }
            Entry::Own(TurnLine::Turn { .. }) => moves += 1,
            Entry::Own(TurnLine::Substitute { turn, role: of, .. }) if of == role => {
                *counts.entry(replies[turn]).or_default() += 1;
            }
            _ => {}
        }
    }
    (moves, counts.into_iter().collect())
}

#[test]
fn every_substitution_is_counted_by_what_the_reply_was() {
    let header = header();
    let played = play(&header, "42", mixed(), |_, _| ());
    let replayed = crate::replay(&read_records(&played.record).unwrap()[0]).unwrap();
    assert_eq!(replayed.conducts(), &played.conducts);
    for (role, conduct) in played.conducts.iter() {
        let found = conduct.substitutes.iter().map(|(status, times)| (*status, *times)).collect::<Vec<_>>();
        assert_eq!((conduct.moves, found), counted(&played.record, header.role_name(role)));
    }
    let [alice, bob] = ["alice", "bob"].map(|name| &played.conducts[header.roles().find(name).unwrap()]);
    assert_eq!((alice.not_ready, bob.not_ready), (None, Some(Failure::ConnectError)));
    assert_eq!((alice.substituted(), bob.substituted()), (2, 2));
    let game = replayed.header().game();
    let role = header.roles().find("alice").unwrap();
    let legal = game.legal_moves(&replayed.turns()[1].state, role, &mut game.scratch()).unwrap();
    let legal: Vec<String> = legal.iter().map(|&id| game.move_text(id).to_string()).collect();
    assert!(!legal.is_empty());
    let illegal =
        Slip { turn: 1, status: ReplyStatus::Illegal, said: Some("(raise (very much))".to_owned()), legal };
    assert_eq!(alice.first.as_ref(), Some(&illegal));
    let late = Slip { turn: 0, status: ReplyStatus::Failed(Failure::Timeout), said: None, legal: Vec::new() };
    assert_eq!(bob.first.as_ref(), Some(&late));
}

#[test]
fn who_always_says_the_same_nonsense_has_every_move_substituted() {
    for (said, status) in [
        ("(mark 99 99)", ReplyStatus::Illegal),
        ("busy", ReplyStatus::Illegal),
        ("(mark ?x ?y)", ReplyStatus::Failed(Failure::Malformed)),
        ("", ReplyStatus::Failed(Failure::Malformed)),
    ] {
        let header = header();
        let nonsense = [vec![SeatReply::text("READY")], vec![SeatReply::text(said); 3]].concat();
        let played = play(&header, "1", [nonsense.clone(), nonsense], |_, _| ());
        for (_, conduct) in played.conducts.iter() {
            assert_eq!((conduct.not_ready, conduct.moves), (None, 3), "{said}");
            assert_eq!(conduct.substitutes, BTreeMap::from([(status, 3)]), "{said}");
        }
    }
}

#[test]
fn substitutes_are_the_first_move_where_the_match_says_so() {
    let header = Arc::new(
        Header::compile(crate::MatchSetup { substitution: Substitution::First, ..setup() }).unwrap(),
    );
    for seed in ["1", "2", "3", "4"] {
        let record = play(&header, seed, mixed(), |_, _| ()).record;
        for line in read_records(&record).unwrap()[0].lines() {
            match &line.entry {
                Entry::Own(TurnLine::Substitute { index, .. }) => assert_eq!(*index, 0),
                Entry::Own(TurnLine::Turn { turn, moves, .. }) if *turn > 0 => {
                    assert_eq!(moves["alice"], "hold")
                }
                _ => {}
            }
        }
    }
}

#[test]
fn drawn_substitutes_and_deals_are_those_of_the_golden_vectors() {
    let draws: Vec<(u64, u64)> = read_records(mixed_record().as_bytes()).unwrap()[0]
        .lines()
        .iter()
        .filter_map(|line| match &line.entry {
            Entry::Draw { n, index, .. } | Entry::Own(TurnLine::Substitute { n, index, .. }) => {
                Some((*n, *index))
            }
            _ => None,
        })
        .collect();
    assert_eq!(draws[..2], [(1, 0), (6, 4)], "turn 0: bob's only move, and seed 42 draws 4 of 6");
}

#[test]
fn a_match_over_its_limit_of_turns_has_no_goals() {
    let header = Arc::new(Header::compile(crate::MatchSetup { turns_max: 2, ..setup() }).unwrap());
    let mut last = Vec::new();
    let played = play(&header, "1", mixed(), |_, message: &Message| last.push(message.to_string()));
    assert_eq!(played.outcome, Outcome::TurnLimit { turns: 2 });
    assert_eq!(last.pop().unwrap(), "(ABORT cards.1)");
}

#[test]
fn who_leaves_ends_the_match_and_the_seed_is_revealed_all_the_same() {
    let scripts =
        [vec![SeatReply::text("ready"), SeatReply::text("noop"), SeatReply::Leave], vec![late("READY", 7)]];
    let played = play(&header(), "1", scripts, |_, _| ());
    assert_eq!(played.outcome, Outcome::Aborted { turns: 1 });
    let records = read_records(&played.record).unwrap();
    let events: Vec<_> = records[0].lines().iter().rev().take(3).map(|line| line.entry.event()).collect();
    assert_eq!(events, ["seal", "reveal", "end"]);
}

#[test]
fn rules_that_fail_end_the_match_and_are_named() {
    let rules = CARDS.replace("(<= (legal ?p hold) (player ?p) betting)", "").replace(
        "(<= (legal ?p raise) (player ?p) betting)",
        "(<= (legal ?p raise) (player ?p) (true (round first)))",
    );
    let header = Arc::new(Header::compile(crate::MatchSetup { rules, ..setup() }).unwrap());
    let played = play(&header, "1", mixed(), |_, _| ());
    let Outcome::GameError { turns, role, .. } = played.outcome else { panic!("the rules fail") };
    assert_eq!((turns, role.map(|role| header.role_name(role))), (2, Some("alice")));
    let replayed = crate::replay(&read_records(&played.record).unwrap()[0]).unwrap();
    assert_eq!(replayed.turns().len(), 2);
}
