//! What stands below a match that is played on a page: what was proved of its record, and what there is to take away.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use croupier_games::{GameFacts, printable};
use croupier_referee::{Record, Replay, SealCheck};
use croupier_results::Hand;

/// What was proved of the record, each with the reason.
pub(super) fn badges(replayed: &Replay) -> String {
    let replays = (
        "replays",
        "the rules, the seed and the moves of the record lead to every line of it again".to_owned(),
    );
    let committed = (
        "sealed",
        "the seed was fixed before the first move, and is the one that was committed to".to_owned(),
    );
    let found = match replayed.seal() {
        SealCheck::Missing => vec![
            ("replays", "the rules, the draws and the moves of the record lead to every line of it again".to_owned()),
            ("cut off", "the record has no seal: it ends before the match did".to_owned()),
        ],
        SealCheck::FromSeed => vec![
            replays,
            committed,
            ("whole", "a seal that follows from the seed closes it: damage would show, but anybody can make such a seal".to_owned()),
        ],
        SealCheck::Signed { public_key } => vec![
            replays,
            committed,
            ("signed", format!("by the key {}: whose that is, its owner can say", hex::encode(public_key))),
        ],
    };
    let badge = |(name, reason): &(&str, String)| format!("<li><b>{name}</b> {}</li>", escaped(reason));
    let badges: String = found.iter().map(badge).collect();
    format!("<ul class=\"badges\" aria-label=\"What is proved\">{badges}</ul>")
}

/// The record of a match that is over, and its hand history if it is a hand of poker, as links that hold them: the page needs no
/// network. They tell what was hidden, so they are not for the page of one role.
pub(super) fn downloads(record: &Record, replayed: &Replay, facts: &GameFacts) -> String {
    let name: String = replayed.header().match_id().chars().map(in_file_name).collect();
    let lines: String = record.lines().iter().map(|line| format!("{}\n", line.text)).collect();
    let mut links = link("the record of the match", &format!("{name}.jsonl"), "application/x-ndjson", &lines);
    if let Ok(hand) = Hand::of(record, replayed, facts) {
        links.push_str(&link(
            "the hand history (PHH)",
            &format!("{name}.phh"),
            "application/toml",
            &hand.to_string(),
        ));
    }
    format!("<ul class=\"downloads\" aria-label=\"To take away\">{links}</ul>")
}

fn in_file_name(sign: char) -> char {
    if sign.is_ascii_alphanumeric() || "-._".contains(sign) { sign } else { '_' }
}

fn link(words: &str, file: &str, kind: &str, contents: &str) -> String {
    let contents = BASE64_STANDARD.encode(contents);
    format!("<li><a download=\"{file}\" href=\"data:{kind};base64,{contents}\">{words}</a></li>")
}

/// Text that is safe between tags and in attributes.
pub(super) fn escaped(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
