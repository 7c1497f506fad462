//! Small sessions, what can happen to them, and how their matches can end.

use std::collections::BTreeMap;

use croupier_games::{Payoff, SessionRules};
use croupier_referee::{Digest, Seed};
use croupier_session::{
    MatchOrder, MatchOver, SeatHolder, SeatNumber, SessionEvent, SessionState, SessionTerms,
};

pub(crate) const ROLES: [&str; 4] = ["alice", "bob", "carol", "dave"];

/// Terms of a session with so many seats, by `[session]` of a `game.toml`.
pub(crate) fn terms(seats: usize, session: &str) -> SessionTerms {
    let session: SessionRules = toml::from_str(session).expect("sound rules");
    SessionTerms {
        id: "friday".to_owned(),
        game: "a game".to_owned(),
        rules: session.family.is_none().then(|| Digest::of(b"(role alice)")),
        roles: ROLES[..seats].iter().map(|role| (*role).to_owned()).collect(),
        seats,
        payoff: Some(Payoff { unit: "chips".to_owned(), offset: 50.0, scale: 1.0 }),
        session,
    }
}

/// A family whose matches leave chips.
pub(crate) const FAMILY: &str = "
    [family]
    name = 'no-limit-holdem'
    stacks = 'big-blinds'
    read = '(stack ?player ?chips)'
    start = 4";

pub(crate) fn open(terms: &SessionTerms) -> SessionState {
    SessionState::open(terms.clone(), Seed::from_text("42").expect("a seed")).expect("sound terms")
}

pub(crate) fn person(place: usize) -> SeatHolder {
    SeatHolder::Person { name: ["Ann", "Ben", "Cem", "Dora"][place].to_owned() }
}

/// What can happen to a session; most of it cannot happen at most times.
pub(crate) fn events(session: &SessionState) -> Vec<SessionEvent> {
    let mut events = vec![
        SessionEvent::Started,
        SessionEvent::Paused,
        SessionEvent::Resumed,
        SessionEvent::Ended,
        SessionEvent::Rematched,
    ];
    for place in 0..session.seats().len() {
        let seat = SeatNumber::at(place);
        events.extend([
            SessionEvent::SeatTaken { seat, holder: person(place) },
            SessionEvent::SeatLeft { seat },
            SessionEvent::SatOut { seat },
            SessionEvent::CameBack { seat },
            SessionEvent::Rebought { seat },
        ]);
    }
    // What differs by its seat only in whose it is: one seat is enough.
    let seat = SeatNumber::at(0);
    events.extend([
        SessionEvent::Kicked { seat },
        SessionEvent::HostHanded { seat },
        SessionEvent::LinkAsked { seat },
        SessionEvent::SeatLeft { seat: SeatNumber(0) },
        SessionEvent::MatchOver(MatchOver { index: 99, goals: None, last: Vec::new(), record: None }),
    ]);
    if let Some(order) = session.running() {
        events.extend([None, Some(0), Some(1)].map(|winner| SessionEvent::MatchOver(ended(order, winner))));
    }
    events
}

/// A match that the seat at this place of the order wins, with all that the others brought; or one without a result.
pub(crate) fn ended(order: &MatchOrder, winner: Option<usize>) -> MatchOver {
    let record = Digest::of(format!("record of {}", order.match_id).as_bytes());
    let Some(winner) = winner else {
        return MatchOver { index: order.index, goals: None, last: Vec::new(), record: None };
    };
    let stakes: u64 = order.seats.iter().filter_map(|seat| seat.stake).sum();
    let goal = |place: usize| if place == winner { 100 } else { 0 };
    let goals: BTreeMap<String, i64> =
        order.seats.iter().enumerate().map(|(place, seat)| (seat.role.clone(), goal(place))).collect();
    let left = |place: usize| if place == winner { stakes } else { 0 };
    let last =
        order.seats.iter().enumerate().map(|(place, seat)| format!("(stack {} {})", seat.role, left(place)));
    MatchOver { index: order.index, goals: Some(goals), last: last.collect(), record: Some(record) }
}
