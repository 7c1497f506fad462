//! The sample match of the specification of 2006, appendix B, byte for byte.
//!
//! The specification is read from where it lies beside the checkout; without it the test says that it was skipped.

use std::fs;

use croupier_referee::Clocks;
use croupier_tests::corpus::workspace;

use crate::fake::{Act, Fake, header, play, response};

/// The match id of the sample; the appendix has messages of another match between its own.
const MATCH_ID: &str = "MATCH.3316980891";

/// The first expression of a text, which begins with a parenthesis or a letter.
fn expression(text: &str) -> &str {
    let text = text.trim_start_matches(['`', '\n', ' ']);
    let mut depth = 0;
    for (position, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 && (c == ')' || c == '\n') {
            return text[..position + usize::from(c == ')')].trim();
        }
    }
    text.trim()
}

/// The header lines and bodies of all messages that begin with `opening`.
fn messages<'t>(text: &'t str, opening: &str) -> Vec<(Vec<&'t str>, &'t str)> {
    let starts = text.match_indices(opening).map(|(start, _)| &text[start..]);
    starts
        .map(|text| {
            let head: Vec<&str> =
                text.lines().take_while(|line| !line.is_empty() && *line != "```").collect();
            let behind: usize = head.iter().map(|line| line.len() + 1).sum();
            (head, expression(&text[behind..]))
        })
        .collect()
}

#[test]
fn the_sample_match_of_the_specification_runs_byte_for_byte() {
    let file = workspace().join("../shared/seeds/gdl-specification-2006.txt");
    let Ok(text) = fs::read_to_string(&file) else {
        croupier_tests::skipped("corpus: the specification does not lie beside the checkout");
        return;
    };
    let appendix = &text[text.find("Sample Start Message").unwrap()..];
    let mut sent = messages(appendix, "POST / HTTP/1.0");
    sent.retain(|(_, body)| body.contains(MATCH_ID));
    let mut replies: Vec<&str> =
        messages(appendix, "HTTP/1.0 200 OK").iter().map(|(_, body)| *body).collect();
    replies.retain(|body| *body != "(MARK 2 2)");
    assert_eq!((sent.len(), replies.len()), (8, 8), "{replies:?}");

    let start = sent[0].1;
    let rules = &start[start.find("((ROLE").unwrap() + 1..start.rfind(')').unwrap()];
    let rules = rules[..rules.rfind(')').unwrap()].to_owned();
    let clocks = Clocks::of(30_000, 30_000);
    let header = header(&rules, MATCH_ID, &["robot"], clocks);

    let scripted: Vec<Vec<u8>> = replies.iter().map(|body| response(body)).collect();
    let turn = std::sync::atomic::AtomicUsize::new(0);
    let fake = Fake::new(move |_| {
        let turn = turn.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        Act::Write(scripted[turn].clone())
    });
    let played =
        play(&header, &[(fake.address.clone(), "gdl1+spec-2006".parse().unwrap(), "GAMEPLAYER")], "1");
    let robot = header.roles().find("robot").unwrap();
    assert_eq!(played.outcome.goals().map(|goals| goals[robot].value()), Some(100));

    let requests = fake.requests();
    assert_eq!(requests.len(), sent.len());
    for (index, (request, (head, body))) in requests.iter().zip(&sent).enumerate() {
        // The sample breaks the lines of START where we have blanks.
        let body = body.replace('\n', " ");
        let mut head: Vec<String> = head.iter().map(|&line| line.to_owned()).collect();
        if index == 0 {
            // It gives 1194 as the length of a text that has 1195 characters as it is printed there.
            assert_eq!(head.last().map(String::as_str), Some("Content-length: 1194"));
            *head.last_mut().unwrap() = format!("Content-length: {}", body.len());
            assert_eq!(body.len(), 1195);
        }
        let expected = format!("{}\r\n\r\n{body}", head.join("\r\n"));
        assert_eq!(String::from_utf8_lossy(request), expected, "message {index}");
    }
}
