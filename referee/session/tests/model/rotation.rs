//! Who has which role, when levels rise, and when a session ends.

use croupier_games::Until;
use croupier_session::{
    MatchGame, MatchOrder, SeatNumber, SessionEffect, SessionEnding, SessionEvent, SessionFault, SessionNews,
    SessionRefusal, SessionStage, SessionState,
};

use crate::tables::{FAMILY, ended, open, person, terms};

fn created(effects: &[SessionEffect]) -> Option<MatchOrder> {
    effects.iter().find_map(|effect| match effect {
        SessionEffect::Create(order) => Some((**order).clone()),
        _ => None,
    })
}

/// A session with everybody seated that has begun, and its first match.
fn begun(seats: usize, session: &str) -> (SessionState, MatchOrder) {
    let mut state = open(&terms(seats, session));
    for place in 0..seats {
        let event = SessionEvent::SeatTaken { seat: SeatNumber::at(place), holder: person(place) };
        state.step(&event).expect("a free seat");
    }
    let order = created(&state.step(&SessionEvent::Started).expect("it begins"));
    (state, order.expect("a match"))
}

/// The seats in the order of the roles, match after match, when the second role always wins.
fn seatings(seats: usize, session: &str, matches: usize) -> Vec<Vec<u32>> {
    let (mut state, mut order) = begun(seats, session);
    let mut seatings = Vec::new();
    for _ in 0..matches {
        seatings.push(order.seats.iter().map(|seat| seat.seat.0).collect());
        let over = SessionEvent::MatchOver(ended(&order, None));
        // Three matches without a result would pause the session.
        let effects = state.step(&over).expect("the running match");
        order = match created(&effects) {
            Some(order) => order,
            None => created(&state.step(&SessionEvent::Resumed).expect("paused")).expect("a match"),
        };
    }
    seatings
}

#[test]
fn seats_rotate_through_the_roles_or_keep_them() {
    assert_eq!(
        seatings(3, "rotate = 'each'", 4),
        [vec![1, 2, 3], vec![2, 3, 1], vec![3, 1, 2], vec![1, 2, 3]]
    );
    assert_eq!(seatings(3, "rotate = 'never'", 2), [vec![1, 2, 3], vec![1, 2, 3]]);
    assert_eq!(seatings(2, "rotate = 'pairs'", 3), [vec![1, 2], vec![2, 1], vec![1, 2]]);
}

#[test]
fn pairs_play_every_deal_in_each_seating_and_others_no_deal_twice() {
    let seeds = |rotate: &str| {
        let (mut state, mut order) = begun(2, rotate);
        let mut seeds = Vec::new();
        for _ in 0..4 {
            seeds.push(order.seed.reveal());
            let effects = state.step(&SessionEvent::MatchOver(ended(&order, Some(0)))).expect("running");
            order = created(&effects).expect("a match");
        }
        seeds
    };
    let pairs = seeds("rotate = 'pairs'");
    assert!(pairs[0] == pairs[1] && pairs[2] == pairs[3] && pairs[1] != pairs[2]);
    let mut each = seeds("rotate = 'each'");
    each.dedup();
    assert_eq!(each.len(), 4);
    let session = open(&terms(2, "")).commitment().to_string();
    assert!(!each.contains(&session));
}

#[test]
fn the_button_passes_over_who_is_out_and_who_sits_out() {
    let session = format!("away = 'sit out'{FAMILY}");
    let (mut state, order) = begun(4, &session);
    assert_eq!(state.button(), Some(SeatNumber(1)));
    state.step(&SessionEvent::SatOut { seat: SeatNumber(2) }).expect("a person");
    let order = created(&state.step(&SessionEvent::MatchOver(ended(&order, None))).expect("running"));
    let order = order.expect("a match");
    assert_eq!(order.seats.iter().map(|seat| seat.seat.0).collect::<Vec<_>>(), [3, 4, 1]);
    // The third role is seat 1: it wins everything, and nobody is left to play with.
    let effects = state.step(&SessionEvent::MatchOver(ended(&order, Some(2)))).expect("running");
    assert!(effects.contains(&SessionEffect::Tell(SessionNews::Waiting { needed: 2 })));
    let effects = state.step(&SessionEvent::CameBack { seat: SeatNumber(2) }).expect("away");
    let order = created(&effects).expect("two have something again");
    assert_eq!(order.seats.iter().map(|seat| seat.seat.0).collect::<Vec<_>>(), [1, 2]);
    let MatchGame::Member(member) = &order.game else { panic!("a game of the family") };
    assert_eq!((&member.values["big-blinds"], &member.values["players"]), (&vec![12, 4].into(), &2.into()));
    assert!(member.rules().is_ok_and(|rules| rules.contains("(stack alice 24)")));
}

#[test]
fn levels_rise_by_matches_and_by_minutes_of_play() {
    // A family that has nothing to do with poker: what rises is a parameter.
    let session = "[family]\nname = 'hanabi'\nstacks = 'hand'\nread = '(stack ?player ?chips)'\nstart = 4
        posts = ['lives']\nblinds = [[1], [2], [3]]\nraise = '2 matches'";
    let (mut state, mut order) = begun(2, session);
    let mut lives = Vec::new();
    for _ in 0..7 {
        let MatchGame::Member(member) = &order.game else { panic!("a game of the family") };
        lives.push((order.level, member.values["lives"].to_string()));
        let mut over = ended(&order, Some(0));
        over.last = vec!["(stack alice 4)".to_owned(), "(stack bob 4)".to_owned()];
        order = created(&state.step(&SessionEvent::MatchOver(over)).expect("running")).expect("a match");
    }
    let expected = [(1, "1"), (1, "1"), (2, "2"), (2, "2"), (3, "3"), (3, "3"), (3, "3")];
    assert_eq!(lives, expected.map(|(level, lives)| (level, lives.to_owned())));

    let session = "until = 'minutes = 2'";
    let (mut state, order) = begun(2, session);
    for now_ms in [1_000, 61_000, 61_000] {
        state.step(&SessionEvent::Tick { now_ms }).expect("forward");
    }
    assert_eq!(state.step(&SessionEvent::Tick { now_ms: 0 }), Err(SessionRefusal::ClockBack));
    // What passes while nobody drives the session, and while it is paused, is no play.
    state.step(&SessionEvent::Interrupted).expect("always");
    state.step(&SessionEvent::Tick { now_ms: 900_000 }).expect("forward");
    state.step(&SessionEvent::Paused).expect("playing");
    state.step(&SessionEvent::Tick { now_ms: 990_000 }).expect("forward");
    state.step(&SessionEvent::Resumed).expect("paused");
    assert_eq!(state.played_ms(), 60_000);
    state.step(&SessionEvent::Tick { now_ms: 1_050_000 }).expect("forward");
    assert_eq!((state.played_ms(), state.stage()), (120_000, SessionStage::Playing), "the match goes on");
    state.step(&SessionEvent::MatchOver(ended(&order, Some(0)))).expect("running");
    assert_eq!(state.ending(), Some(&SessionEnding::Minutes));
}

#[test]
fn a_session_ends_by_the_first_condition_that_holds() {
    for (until, matches, ending) in [
        ("matches = 2", 2, SessionEnding::Matches),
        ("any wins >= 3", 3, SessionEnding::Wins),
        ("any total >= 100", 2, SessionEnding::Total),
        ("any total <= -50", 1, SessionEnding::Total),
        ("any wins >= 9 or matches = 4", 4, SessionEnding::Matches),
    ] {
        let (mut state, mut order) = begun(2, &format!("rotate = 'never'\nuntil = '{until}'"));
        let over = loop {
            let effects = state.step(&SessionEvent::MatchOver(ended(&order, Some(0)))).expect("running");
            match created(&effects) {
                Some(next) => order = next,
                None => break state.matches_over(),
            }
        };
        assert_eq!((over, state.ending()), (matches, Some(&ending)), "{until}");
        assert!(Until::parse_all(until).is_ok());
    }
}

#[test]
fn chips_that_were_lost_or_made_stop_the_session() {
    let forged = [
        ("(stack alice 9)", SessionFault::Chips { found: 9, expected: 8 }),
        ("(stack alice 7)", SessionFault::Chips { found: 7, expected: 8 }),
        ("(pot 8)", SessionFault::Unread { index: 1, role: "alice".to_owned() }),
    ];
    for (fluent, fault) in forged {
        let (mut state, order) = begun(2, FAMILY);
        let mut over = ended(&order, Some(0));
        over.last[0] = fluent.to_owned();
        let effects = state.step(&SessionEvent::MatchOver(over)).expect("running");
        assert!(created(&effects).is_none());
        assert_eq!(state.ending(), Some(&SessionEnding::Fault { fault }));
        // Everybody has what they had before the match that cannot be trusted.
        assert!(state.seats().iter().all(|seat| seat.holds() == 4));
    }
    let (mut state, order) = begun(2, "");
    let mut over = ended(&order, Some(0));
    over.goals.as_mut().expect("goals").remove("alice");
    state.step(&SessionEvent::MatchOver(over)).expect("running");
    let fault = SessionFault::Goals { index: 1 };
    assert_eq!(state.ending(), Some(&SessionEnding::Fault { fault }));
}

#[test]
fn what_the_rules_take_out_of_play_may_be_lost_where_the_session_says_so() {
    let (mut state, order) = begun(2, &format!("{FAMILY}\nconserved = false"));
    let mut over = ended(&order, Some(0));
    over.last = vec!["(stack alice 4)".to_owned(), "(stack bob 3)".to_owned()];
    let order = created(&state.step(&SessionEvent::MatchOver(over)).expect("running")).expect("a match");
    let stakes: Vec<_> = order.seats.iter().map(|seat| (seat.seat.0, seat.stake)).collect();
    assert_eq!(stakes, [(2, Some(3)), (1, Some(4))]);
}

#[test]
fn a_link_in_the_middle_of_a_match_waits_for_its_end() {
    let (mut state, order) = begun(2, "");
    let seat = SeatNumber(1);
    assert_eq!(state.step(&SessionEvent::LinkAsked { seat }), Ok(Vec::new()));
    let effects = state.step(&SessionEvent::MatchOver(ended(&order, Some(0)))).expect("running");
    let link = effects.iter().position(|effect| *effect == SessionEffect::NewLink(seat));
    let create = effects.iter().position(|effect| matches!(effect, SessionEffect::Create(_)));
    assert!(link.is_some() && link < create, "before the next hand is dealt: {effects:?}");
}
