//! A small game and players that fail in every way, for the tests of this package.

use std::sync::Arc;

use croupier_engine::{ByPlayer, RoleId, Strictness, game::PerceptReading};

use crate::{
    chance::Seed,
    driver::{Played, Seat, SeatReply, run_match},
    event::{Failure, Reply},
    header::{Clocks, Header, MatchSetup, Nonces, Substitution},
    match_state::Secrets,
    view::Message,
};

/// Each player gets one of three cards, then both raise or hold at once, twice.
pub(crate) const CARDS: &str = "
; Three cards, two players.
(role alice) (role bob)   ; bob is second
(role random)
(player alice) (player bob)
(card 1) (card 2) (card 3)
(above 2 1) (above 3 1) (above 3 2)
(after deal first) (after first second) (after second over)
(INIT (round deal))
(<= (legal random (deal ?a ?b)) (true (round deal)) (card ?a) (card ?b) (distinct ?a ?b))
(<= (legal random noop) (not (true (round deal))))
(<= (legal ?p noop) (player ?p) (true (round deal)))
(<= (legal ?p raise) (player ?p) betting)
(<= (legal ?p hold) (player ?p) betting)
(<= betting (not (true (round deal))))
(<= (next (round ?n)) (true (round ?r)) (after ?r ?n))
(<= (next (hand alice ?a)) (does random (deal ?a ?b)))
(<= (next (hand bob ?b)) (does random (deal ?a ?b)))
(<= (next (hand ?p ?c)) (true (hand ?p ?c)))
(<= (next (raised ?p)) (does ?p raise))
(<= (next (raised ?p)) (true (raised ?p)))
(<= (sees alice (yours ?a)) (does random (deal ?a ?b)))
(<= (sees bob (yours ?b)) (does random (deal ?a ?b)))
(<= (sees ?p dealt) (player ?p) (true (round deal)))
(<= (sees ?p (heard ?q ?m)) (player ?p) (player ?q) betting (does ?q ?m))
(<= terminal (true (round over)))
(<= (beats ?p ?q) (true (hand ?p ?c)) (true (hand ?q ?d)) (above ?c ?d))
(<= (goal ?p 100) (beats ?p ?q) (true (raised ?p)))
(<= (goal ?p 75) (beats ?p ?q) (not (true (raised ?p))))
(<= (goal ?q 0) (beats ?p ?q) (true (raised ?q)))
(<= (goal ?q 25) (beats ?p ?q) (not (true (raised ?q))))
";

pub(crate) fn setup() -> MatchSetup {
    MatchSetup {
        match_id: "cards.1".to_owned(),
        series: None,
        session: None,
        rules: CARDS.to_owned(),
        game_name: Some("cards".to_owned()),
        players: vec![
            ("alice".to_owned(), "scripted".to_owned()),
            ("bob".to_owned(), "wrote \"x\"".to_owned()),
        ],
        clocks: Clocks::of(5500, 2000),
        percepts: PerceptReading::OldState,
        strictness: Strictness::Compatible,
        substitution: Substitution::Drawn,
        turns_max: 100,
        nonces: Nonces::Clear,
    }
}

pub(crate) fn header() -> Arc<Header> {
    Arc::new(Header::compile(setup()).unwrap())
}

pub(crate) fn secrets(seed: &str) -> Secrets {
    Secrets::from_seed(Seed::from_text(seed).unwrap())
}

/// Says what it was told to say, one reply a message.
#[derive(Default)]
pub(crate) struct Script(Vec<SeatReply>);

impl Seat for Script {
    fn receive(&mut self, _message: &Message) -> SeatReply {
        if self.0.is_empty() { SeatReply::text("done") } else { self.0.remove(0) }
    }
}

pub(crate) fn late(text: &str, elapsed_ms: u64) -> SeatReply {
    SeatReply::Reply { reply: Reply::Text(text.to_owned()), elapsed_ms }
}

pub(crate) fn play(
    header: &Arc<Header>,
    seed: &str,
    scripts: [Vec<SeatReply>; 2],
    observe: impl FnMut(RoleId, &Message),
) -> Played {
    let mut scripts = scripts.into_iter();
    let mut seats =
        ByPlayer::from_fn(header.roles(), |_| Box::new(Script(scripts.next().unwrap_or_default())));
    run_match(header, secrets(seed), &mut seats, observe)
}

/// Replies of every status: alice legal, illegal, malformed; bob late, unreachable, legal.
pub(crate) fn mixed() -> [Vec<SeatReply>; 2] {
    [
        vec![
            SeatReply::text("READY"),
            late("noop", 40),
            late("(raise (very much))", 3),
            SeatReply::text("(raise"),
        ],
        vec![
            SeatReply::failed(Failure::ConnectError),
            late("noop", 3001),
            SeatReply::failed(Failure::TooLarge),
            late("RAISE (of course)", 3000),
        ],
    ]
}

/// A record in which every kind of line but a game error stands.
pub(crate) fn mixed_record() -> String {
    String::from_utf8(play(&header(), "42", mixed(), |_, _| ()).record).unwrap()
}
