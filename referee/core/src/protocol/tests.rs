//! What the referee writes is what players read, in every dialect; and nothing that is no message is read as one.

use croupier_engine::{
    Limits,
    stages::syntax::{self, Syntax},
};
use proptest::prelude::*;

use super::*;
use crate::{
    digest::Digest,
    fixture,
    header::{Header, MatchSetup},
    view::{Message, Moment, OwnHistory, OwnTurn, message},
};

const LIMITS: &Limits = &Limits::STANDARD;

/// A game of full sight for two, with terms inside terms.
const OPEN: &str =
    "(role left) (role right) (init (step 1)) (legal left (say hello)) (legal right (pick (card 1 2)))
    (<= terminal (true (step 2))) (<= (next (step 2)) (true (step 1))) (goal left 50) (goal right 50) ; done";

fn open() -> Header {
    let players = ["left", "right"].map(|role| (role.to_owned(), "somebody".to_owned()));
    let setup = MatchSetup {
        match_id: "Open.7".to_owned(),
        rules: OPEN.to_owned(),
        game_name: None,
        players: players.into(),
        ..fixture::setup()
    };
    Header::compile(setup).unwrap()
}

fn form(text: &str) -> WireForm {
    text.parse().unwrap()
}

fn last(own_move: &str, percepts: &[&str]) -> OwnTurn {
    OwnTurn { own_move: own_move.into(), percepts: percepts.iter().map(|&text| text.into()).collect() }
}

fn play(turn: u32, last: Option<OwnTurn>) -> Message {
    Message::Play { match_id: "Open.7".to_owned(), turn, last }
}

/// What `left` is told after turn 0 of the open game.
fn told() -> Option<OwnTurn> {
    Some(last("(say hello)", &["(did left (say hello))", "(did right (pick (card 1 2)))"]))
}

#[test]
fn each_dialect_is_written_as_its_table_says() {
    let header = open();
    let stop = || Message::Stop { match_id: "Open.7".to_owned(), turn: 1, last: told() };
    let abort = || Message::Abort { match_id: "Open.7".to_owned() };
    for (name, message, text) in [
        ("gdl1", play(0, None), "(PLAY Open.7 NIL)"),
        ("gdl2", play(0, None), "(PLAY Open.7 0 NIL NIL)"),
        ("gdl2-2011", play(0, None), "(PLAY Open.7 NIL)"),
        ("sees", play(0, None), "(SEES Open.7 NIL)"),
        ("gdl2+infix", play(0, None), "play(Open.7, 0, nil, nil)"),
        ("gdl1", play(1, told()), "(PLAY Open.7 ((say hello) (pick (card 1 2))))"),
        (
            "gdl2",
            play(1, told()),
            "(PLAY Open.7 1 (say hello) ((did left (say hello)) (did right (pick (card 1 2)))))",
        ),
        (
            "gdl2-2011",
            play(1, told()),
            "(PLAY Open.7 ((did left (say hello)) (did right (pick (card 1 2)))))",
        ),
        ("sees", play(1, told()), "(SEES Open.7 ((did left (say hello)) (did right (pick (card 1 2)))))"),
        ("gdl1+infix", play(1, told()), "play(Open.7, [say(hello), pick(card(1, 2))])"),
        ("gdl1+spec-2006", play(1, told()), "(PLAY OPEN.7 ((SAY HELLO) (PICK (CARD 1 2))))"),
        ("gdl2", play(3, Some(last("noop", &[]))), "(PLAY Open.7 3 noop ())"),
        ("gdl1", stop(), "(STOP Open.7 ((say hello) (pick (card 1 2))))"),
        ("sees", stop(), "(STOP Open.7 ((did left (say hello)) (did right (pick (card 1 2)))))"),
        ("gdl2+infix", abort(), "abort(Open.7)"),
        ("gdl1", abort(), "(ABORT Open.7)"),
    ] {
        assert_eq!(compose(&header, &message, form(name)).unwrap(), text, "{name}");
    }
}

#[test]
fn rules_have_the_line_of_full_sight_for_players_of_gdl2_alone() {
    let header = open();
    let start = message(&header, &OwnHistory::initial(header.roles().find("left").unwrap()), Moment::Start);
    let text = |name: &str| compose(&header, &start, form(name)).unwrap();
    let line = "(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))";
    assert!(
        text("gdl2").ends_with(&format!("(goal left 50) (goal right 50) {line}) 5 2)")),
        "{}",
        text("gdl2")
    );
    assert!(text("gdl1").ends_with("(goal left 50) (goal right 50)) 5 2)"), "{}", text("gdl1"));
    assert!(text("gdl1+spec-2006").starts_with("(START OPEN.7 LEFT ((ROLE LEFT) (ROLE RIGHT) (INIT"));
    assert!(text("gdl1+spec-2006").ends_with("(GOAL RIGHT 50)) 5 2)"));
    assert!(text("gdl1+infix").starts_with("start(Open.7, left, [role(left), role(right), init(step(1)), "));

    let hidden = fixture::header();
    let start = message(&hidden, &OwnHistory::initial(hidden.roles().find("bob").unwrap()), Moment::Start);
    assert_eq!(compose(&hidden, &start, form("gdl1")), Err(ComposeError::HiddenInformation));
}

#[test]
fn rules_reach_every_player_in_strict_gdl() {
    let rules = "; succ\n(role left) (role right) (succ 1 2) (q 1) (q 2) (<= (legal left (k ?x)) (q ?x) (not (succ ?x ?_)))
        (legal right wait) (<= (next over) (not (not (does right wait)))) (<= terminal (true over))
        (<= (goal ?r 50) (role ?r))";
    let players = [("left", "p"), ("right", "q")].map(|(role, player)| (role.to_owned(), player.to_owned()));
    let setup = MatchSetup { rules: rules.to_owned(), players: players.to_vec(), ..open().setup().clone() };
    let header = Header::compile(setup).expect("rules of a game");
    let start = message(&header, &OwnHistory::initial(header.roles().find("left").unwrap()), Moment::Start);
    let wanted = "(<= (legal left (k ?x)) (q ?x) (not (some_succ ?x))) (<= (some_succ ?x) (succ ?x ?_)) \
                  (legal right wait) (<= (next over) (does right wait))";
    for name in ["gdl1", "gdl2", "gdl2-2011", "sees", "gdl1+spec-2006"] {
        let text = compose(&header, &start, form(name)).unwrap();
        assert!(text.to_lowercase().contains(wanted), "{name}: {text}");
    }
    let infix = compose(&header, &start, form("gdl2+infix")).unwrap();
    assert!(
        infix.contains("legal(left, k(X)) :- q(X) & ~some_succ(X), some_succ(X) :- succ(X, V___5f), "),
        "{infix}"
    );
    // The record keeps the rules as they were written, and their digest.
    assert_eq!(header.setup().rules, rules);
    assert_eq!(header.game_digest(), Digest::of(rules.as_bytes()));
}

#[test]
fn rules_in_infix_reach_a_player_of_2006_in_prefix() {
    let prefix = open();
    let read = syntax::read(&prefix.setup().rules, Syntax::Auto, &Limits::STANDARD).description;
    let setup = MatchSetup { rules: syntax::print_infix(&read), ..prefix.setup().clone() };
    let infix = Header::compile(setup).expect("the same game");
    let text = |header: &Header| {
        let role = header.roles().find("left").unwrap();
        let start = message(header, &OwnHistory::initial(role), Moment::Start);
        compose(header, &start, form("gdl1+spec-2006")).unwrap()
    };
    assert_eq!(text(&infix), text(&prefix));
}

#[test]
fn a_request_is_the_header_of_its_style_and_the_body() {
    assert_eq!(
        String::from_utf8(http_request("(INFO)", "me (1)\r\nX: y", HeaderStyle::GameServer)).unwrap(),
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: me(1)X:y\r\nContent-Type: text/acl\r\n\
         Content-Length: 6\r\n\r\n(INFO)"
    );
    let dresden = http_request("x", "y", HeaderStyle::GameController);
    assert!(String::from_utf8(dresden).unwrap().contains("\r\nSender: Gamecontroller\r\n"));
}

#[test]
fn forms_are_written_as_they_are_read() {
    for name in
        ["gdl1", "gdl2", "gdl2-2011", "sees", "gdl2+infix", "gdl1+spec-2006", "gdl2-2011+infix+gameserver"]
    {
        assert_eq!(form(name).to_string(), name);
    }
    for name in ["", "gdl3", "GDL2", "gdl2+", "gdl2+loud", "gdl2+spec-2006", "gdl1+infix+spec-2006"] {
        assert!(name.parse::<WireForm>().is_err(), "{name}");
    }
}

#[test]
fn messages_are_read_in_any_case_and_layout() {
    let read = |text: &str| read_message(text.as_bytes(), LIMITS);
    let terms = |text: &str, notation: Notation| match read(text).unwrap() {
        Incoming::Play(notice) | Incoming::Stop(notice) => {
            let told = notice.told(notation, LIMITS).unwrap();
            (notice.match_id, notice.turn, told.map(|told| (told.last_move, told.terms)))
        }
        other => panic!("{other:?}"),
    };
    let owned = |terms: &[&str]| terms.iter().map(|&term| term.to_owned()).collect::<Vec<String>>();
    // The specification's own example of a joint move of two.
    assert_eq!(
        terms("(PLAY match.test ((MOVE) NOOP))", Notation::Prefix),
        ("match.test".to_owned(), None, Some((None, owned(&["move", "noop"]))))
    );
    assert_eq!(
        terms("\t( play\r\nM1 ( ( mark 1\n2 )noop ) ) trailing", Notation::Prefix),
        ("M1".to_owned(), None, Some((None, owned(&["(mark 1 2)", "noop"]))))
    );
    assert_eq!(terms("(play m nil)", Notation::Prefix), ("m".to_owned(), None, None));
    assert_eq!(terms("(play m ())", Notation::Prefix), ("m".to_owned(), None, Some((None, vec![]))));
    assert_eq!(
        terms("(STOP m 4 (Bet 3) ((Seen A) b)) ; bye", Notation::Prefix),
        ("m".to_owned(), Some(4), Some((Some("(bet 3)".to_owned()), owned(&["(seen a)", "b"]))))
    );
    assert_eq!(
        terms("(play m 4 bet(3) (seen(a, b) c))", Notation::Infix),
        ("m".to_owned(), Some(4), Some((Some("(bet 3)".to_owned()), owned(&["(seen a b)", "c"]))))
    );
    assert_eq!(
        terms("play(m, [seen(a,b), c])", Notation::Infix),
        ("m".to_owned(), None, Some((None, owned(&["(seen a b)", "c"]))))
    );
    assert_eq!(read("(info)"), Ok(Incoming::Info));
    assert_eq!(read("info()"), Ok(Incoming::Info));
    assert_eq!(read("( ABORT m )"), Ok(Incoming::Abort { match_id: "m".to_owned() }));
}

#[test]
fn what_is_no_message_is_told_apart() {
    let error = |text: &[u8]| read_message(text, LIMITS).unwrap_err().code();
    for (text, code) in [
        ("", "empty"),
        (" ; nothing", "empty"),
        ("()", "empty"),
        ("hello", "not-a-list"),
        ("(PLAY m NIL", "not-a-list"),
        (")(", "not-a-list"),
        ("(DANCE m)", "unknown-kind"),
        ("((PLAY) m NIL)", "unknown-kind"),
        ("(PLAY)", "wrong-parts"),
        ("(PLAY m 1 NIL)", "wrong-parts"),
        ("(PLAY (m) NIL)", "unreadable-part"),
        ("(PLAY m minus NIL NIL)", "unreadable-part"),
        ("(PLAY m 99999999999 NIL NIL)", "unreadable-part"),
        ("(PLAY m noop)", "unreadable-part"),
        ("(START m r (role r) 10 -1)", "unreadable-part"),
        ("(START m ?r ((role r)) 10 10)", "unreadable-part"),
        ("(START m r rules 10 10)", "unreadable-part"),
    ] {
        assert_eq!(error(text.as_bytes()), code, "{text}");
    }
    assert_eq!(error(&vec![b'('; 1 << 20]), "not-a-list");
    assert_eq!(error(&vec![b'('; 2 << 20]), "too-long");
    assert_eq!(error(&[0xff, 0xfe, 0x00]), "not-a-list");
    let Ok(Incoming::Play(notice)) = read_message(b"(PLAY m ((f ?x)))", LIMITS) else { panic!("readable") };
    assert_eq!(notice.told(Notation::Prefix, LIMITS).unwrap_err().code(), "unreadable-part");
}

#[test]
fn a_reply_in_infix_is_judged_by_its_first_term() {
    for (text, prefix) in [
        ("bet(chips, 3) because", "(bet chips 3)"),
        (" noop", "noop"),
        ("noop.", "noop"),
        ("(bet chips 3)", "(bet chips 3)"),
        ("bet(", "bet"),
        ("", ""),
    ] {
        assert_eq!(reply_to_prefix(text, Notation::Infix, LIMITS), prefix, "{text:?}");
        assert_eq!(reply_to_prefix(text, Notation::Prefix, LIMITS), text);
    }
}

fn any_form() -> impl Strategy<Value = WireForm> {
    let names = [
        "gdl1",
        "gdl2",
        "gdl2-2011",
        "sees",
        "gdl1+infix",
        "gdl2+infix",
        "gdl2-2011+infix",
        "sees+infix",
        "gdl1+spec-2006",
    ];
    prop::sample::select(names.map(form).to_vec())
}

fn any_term() -> impl Strategy<Value = String> {
    let symbol =
        prop::sample::select(vec!["a", "b2", "x_y", "7", "nil0", "long_name"]).prop_map(str::to_owned);
    symbol.prop_recursive(3, 12, 3, |inner| {
        ("[a-z][a-z0-9_]{0,5}", prop::collection::vec(inner, 1..4))
            .prop_map(|(name, arguments)| format!("({name} {})", arguments.join(" ")))
    })
}

proptest! {
    /// What the referee writes, in any dialect, is what the player reads.
    #[test]
    fn players_read_what_the_referee_writes(
        form in any_form(),
        turn in 0_u32..100,
        moves in prop::option::of((any_term(), any_term())),
        is_stop: bool,
    ) {
        let header = open();
        let last = moves.clone().map(|(left, right)| OwnTurn {
            percepts: vec![format!("(did left {left})").into(), format!("(did right {right})").into()],
            own_move: left.into(),
        });
        let match_id = "Open.7".to_owned();
        let message = if is_stop {
            Message::Stop { match_id, turn, last: last.clone() }
        } else {
            Message::Play { match_id, turn, last: last.clone() }
        };
        let text = compose(&header, &message, form).unwrap();
        let notice = match read_message(text.as_bytes(), LIMITS).unwrap() {
            Incoming::Play(notice) if !is_stop => notice,
            Incoming::Stop(notice) if is_stop => notice,
            other => panic!("{text} was read as {other:?}"),
        };
        prop_assert!(notice.match_id.eq_ignore_ascii_case("Open.7"));
        prop_assert_eq!(notice.turn, (form.dialect == Dialect::Gdl2).then_some(turn));
        let told = notice.told(form.notation, LIMITS).unwrap();
        let expected = moves.map(|(left, right)| Told {
            last_move: (form.dialect == Dialect::Gdl2).then(|| left.clone()),
            terms: match form.dialect {
                Dialect::Gdl1 => vec![left, right],
                _ => vec![format!("(did left {left})"), format!("(did right {right})")],
            },
        });
        prop_assert_eq!(told, expected);
    }

    /// The rules of every form give the same game, but for the line of full sight.
    #[test]
    fn rules_survive_every_form(form in any_form()) {
        let header = open();
        let role = header.roles().find("right").unwrap();
        let text = compose(&header, &message(&header, &OwnHistory::initial(role), Moment::Start), form).unwrap();
        let Ok(Incoming::Start { role, rules, start_clock_s, play_clock_s, .. }) =
            read_message(text.as_bytes(), LIMITS)
        else {
            panic!("unreadable: {text}");
        };
        prop_assert_eq!((role.as_str(), start_clock_s, play_clock_s), ("right", 5, 2));
        let setup = MatchSetup { rules, ..header.setup().clone() };
        let again = Header::compile(setup).unwrap();
        prop_assert_eq!(again.rules_line(), header.rules_line());
        prop_assert_eq!(again.game().has_full_sight(), form.dialect == Dialect::Gdl1);
    }

    /// No bytes are too strange to be refused in words.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_message(&bytes, LIMITS);
    }

    #[test]
    fn anything_like_a_message_is_read_or_refused(
        text in r"[(\[]?(PLAY|START|stop|SEES|Preview)?([()\[\] ,;'?a-c0-9\n]|nil|NIL|<=|:-){0,60}"
    ) {
        match read_message(text.as_bytes(), LIMITS) {
            Ok(Incoming::Play(notice) | Incoming::Stop(notice)) => {
                let _ = notice.told(Notation::Prefix, LIMITS);
                let _ = notice.told(Notation::Infix, LIMITS);
            }
            Ok(_) => {}
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
        let _ = reply_to_prefix(&text, Notation::Infix, LIMITS);
    }
}
