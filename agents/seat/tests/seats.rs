//! Players in seats: what they answer to messages, and when they stop.

use std::sync::Arc;

use croupier_engine::{Game, Options, RoleId};
use croupier_players::{PlayerKind, Solutions};
use croupier_referee::{Agents, Failure, Message, OwnHistory, OwnTurn, Reply};
use croupier_seat::{Knowledge, PlayerSeat, READY, RESERVE, SeatedPlayers, Time};

const SEED: [u8; 32] = [7; 32];

fn kuhn() -> (Arc<Game>, RoleId) {
    let rules = croupier_games::find("kuhn").expect("a game of the catalogue").rules;
    let game = Game::compile(rules, &Options::PLAY).expect("sound rules").game;
    let alice = game.roles().find("alice").expect("a role");
    (Arc::new(game), alice)
}

/// What alice did and was told while cards were dealt to her and then to Bob; after that she may bet.
fn dealt() -> [OwnTurn; 2] {
    let turn = |percepts| OwnTurn { own_move: "noop".into(), percepts };
    [turn(vec!["(hole king)".into()]), turn(vec!["(dealt bob)".into()])]
}

fn play(turn: u32, last: Option<OwnTurn>) -> Message {
    Message::Play { match_id: "m".to_owned(), turn, last }
}

fn start() -> Message {
    Message::Start {
        match_id: "m".to_owned(),
        role: "alice".to_owned(),
        rules: "()".into(),
        start_clock_s: 1,
        play_clock_s: 1,
    }
}

fn answer(seat: &mut PlayerSeat, message: &Message) -> Reply {
    seat.answer(message, &mut Time::Untimed(&mut || false))
}

#[test]
fn a_seat_that_resumes_plays_as_one_that_was_told_turn_by_turn_and_repeated_messages_change_nothing() {
    let (game, alice) = kuhn();
    let kind: PlayerKind = "random".parse().unwrap();
    let mut told = PlayerSeat::new(&kind, Knowledge::new(Arc::new(game.fork()), alice), SEED).unwrap();
    assert_eq!(answer(&mut told, &start()), Reply::Text(READY.to_owned()));
    assert_eq!(answer(&mut told, &play(0, None)), Reply::Text("noop".to_owned()));
    let [own_card, other_card] = dealt();
    assert_eq!(answer(&mut told, &play(1, Some(own_card))), Reply::Text("noop".to_owned()));
    let chosen = answer(&mut told, &play(2, Some(other_card.clone())));
    assert_eq!(answer(&mut told, &play(2, Some(other_card.clone()))), chosen, "a message that is sent again");
    let own = OwnHistory { role: alice, turns: dealt().into() };
    let mut resumed =
        PlayerSeat::new(&kind, Knowledge::of(Arc::new(game.fork()), &own).unwrap(), SEED).unwrap();
    assert_eq!(answer(&mut resumed, &play(2, Some(other_card))), chosen);
}

#[test]
fn a_message_that_contradicts_the_rules_is_an_error_of_the_player_that_the_seat_keeps() {
    let (game, alice) = kuhn();
    let mut seat = PlayerSeat::new(&"random".parse().unwrap(), Knowledge::new(game, alice), SEED).unwrap();
    let odd = OwnTurn { own_move: "noop".into(), percepts: vec!["(hole".into()] };
    assert_eq!(answer(&mut seat, &play(1, Some(odd))), Reply::Failed(Failure::PlayerError));
    let error = seat.error().unwrap().to_string();
    assert!(error.starts_with("the referee's message cannot be read"), "{error}");
}

#[test]
fn a_player_with_a_clock_stops_when_only_the_reserve_is_left_of_it() {
    let (game, alice) = kuhn();
    let kind: PlayerKind = "ismcts:iterations=1000000".parse().unwrap();
    let own = OwnHistory { role: alice, turns: dealt().into() };
    let mut seat = PlayerSeat::new(&kind, Knowledge::of(game, &own).unwrap(), SEED).unwrap();
    let mut asked = 0_u32;
    let mut has_passed = |share: f64| {
        asked += 1;
        // As if a hundredth of the time passed between two questions.
        f64::from(asked) / 100.0 >= share
    };
    let reply = seat.answer(&play(2, None), &mut Time::Limited(&mut has_passed));
    assert!(matches!(reply, Reply::Text(_)), "{reply:?}");
    assert!((f64::from(asked) / 100.0 - (1.0 - RESERVE)).abs() < 0.05, "{asked}");
}

#[test]
fn a_server_seats_agents_by_their_names_and_refuses_those_that_read_files() {
    let (game, alice) = kuhn();
    let agents = SeatedPlayers::new(Solutions::default());
    let full = agents.full_name("ismcts").unwrap();
    assert!(full.starts_with("ismcts") && full.len() > "ismcts".len(), "{full}");
    assert_eq!(agents.full_name(&full).unwrap(), full);
    let file = agents.full_name("policy:kuhn.json").unwrap_err().to_string();
    assert_eq!(file, "a server cannot seat agents that read files");
    assert!(agents.full_name("nobody").unwrap_err().to_string().contains("nobody"));
    let own = OwnHistory::initial(alice);
    let mut seat = agents.seat("random", Arc::new(game.fork()), &own, SEED).unwrap();
    assert_eq!(seat.answer(&play(0, None), &mut |_| false), Reply::Text("noop".to_owned()));
    let mut moves = agents.provable_moves(game, alice);
    moves.take("noop", &["(hole king)"]).unwrap();
    moves.take("noop", &["(dealt bob)"]).unwrap();
    assert_eq!((moves.turns(), moves.texts().unwrap().len()), (2, 2));
}
