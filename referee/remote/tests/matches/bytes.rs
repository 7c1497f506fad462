//! What one player is sent does not depend on what another does.

use std::time::{Duration, Instant};

use croupier_referee::{Clocks, protocol::WireForm};

use crate::fake::{Act, Fake, STEPS, header, nobody, play, response, statuses};

const CLOCKS: Clocks = Clocks::of(300, 300);

/// A player of `left` that always goes far.
fn left() -> Fake {
    Fake::new(|body| Act::Say(if body.starts_with("(PLAY") { "(go far)" } else { "READY" }))
}

fn sent_to_left(other: fn(&str) -> Act) -> Vec<Vec<u8>> {
    let (left, right) = (left(), Fake::new(other));
    let header = header(STEPS, "steps.1", &["left", "right"], CLOCKS);
    let form = WireForm::STANDARD;
    play(&header, &[(left.address.clone(), form, "left"), (right.address.clone(), form, "right")], "1");
    left.requests()
}

#[test]
fn no_behaviour_of_a_player_changes_a_byte_of_what_another_is_sent() {
    let honest = sent_to_left(|_| Act::Say("wait"));
    let text: Vec<String> =
        honest.iter().map(|request| String::from_utf8(request.clone()).unwrap()).collect();
    assert_eq!(text.len(), 5, "START, three times PLAY, STOP: {text:?}");
    assert_eq!(
        text[1],
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: left\r\nContent-Type: text/acl\r\n\
         Content-Length: 24\r\n\r\n(PLAY steps.1 0 NIL NIL)"
    );
    assert!(text[2].ends_with("\r\n\r\n(PLAY steps.1 1 (go far) ((did left (go far)) (did right wait)))"));
    assert!(text[4].ends_with("\r\n\r\n(STOP steps.1 3 (go far) ((did left (go far)) (did right wait)))"));
    let others: [fn(&str) -> Act; 6] = [
        |_| Act::Say("(jump)"),
        |_| Act::Nothing,
        |_| Act::Write(Vec::new()),
        |_| Act::Write(b"HTTP/1.0 500 Broken\r\n\r\n(secret)".to_vec()),
        |_| Act::Flood(vec![b'('; 4096]),
        |_| Act::Drip(response("wait"), Duration::from_millis(1)),
    ];
    let threads = others.map(|other| std::thread::spawn(move || sent_to_left(other)));
    for thread in threads {
        assert_eq!(thread.join().unwrap(), honest);
    }
}

#[test]
fn a_player_that_starts_late_is_waited_for_and_one_that_never_does_costs_its_budget_only() {
    let late = nobody();
    let port: u16 = late.rsplit_once(':').unwrap().1.parse().unwrap();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(400));
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
        for stream in listener.incoming() {
            use std::io::{Read as _, Write as _};
            let mut stream = stream.unwrap();
            let mut buffer = [0; 4096];
            let _ = stream.read(&mut buffer);
            let _ = stream.write_all(&response("wait"));
        }
    });
    let left = left();
    let header = header(STEPS, "steps.2", &["left", "right"], CLOCKS);
    let form = WireForm::STANDARD;
    let played = play(&header, &[(left.address.clone(), form, "l"), (late, form, "r")], "1");
    assert!(statuses(&played, "right").iter().all(|(status, _)| status == "legal"));

    let begun = Instant::now();
    let played = play(&header, &[(left.address.clone(), form, "l"), (nobody(), form, "r")], "1");
    assert!(statuses(&played, "right").iter().all(|(status, _)| status == "connect_error"));
    assert!(
        statuses(&played, "left").iter().all(|(status, elapsed_ms)| status == "legal" && *elapsed_ms < 1000)
    );
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
}
