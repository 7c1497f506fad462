//! Secrets as words that stand nowhere else, looked for in every byte that leaves the process before the end of a match.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;

use crate::{
    evidence::{Evidence, Finding, finding},
    host::Host,
    house::{House, OPERATOR, as_it_is},
    ideal::View,
    pulled,
    pushed::{self, Hidden},
    vault::CARDS,
};

/// A secret as somebody might write it.
struct Canary {
    what: String,
    text: String,
}

/// Every secret of a match, in every way in which it may be written.
fn secrets(evidence: &Evidence) -> Vec<Canary> {
    let mut canaries: Vec<Canary> = Vec::new();
    let mut add = |what: &str, text: String| {
        let reversed = text.chars().rev().collect();
        for text in [text.to_uppercase(), text, reversed] {
            canaries.push(Canary { what: what.to_owned(), text });
        }
    };
    CARDS.iter().for_each(|card| add(card, (*card).to_owned()));
    add("the operator's token", OPERATOR.to_owned());
    evidence.tokens.iter().for_each(|(role, token)| add(&format!("the token of {role}"), token.clone()));
    let addresses = evidence.source_addresses();
    addresses.iter().for_each(|address| add("the address of a player", address.clone()));
    if let Ok(seed) = hex::decode(&evidence.seed) {
        let backwards: Vec<u8> = seed.iter().rev().copied().collect();
        for bytes in [&seed, &backwards] {
            add("the seed", hex::encode(bytes));
            add("the seed", base64(bytes));
            // As a list of bytes is printed, and as numbers of two halves.
            add("the seed", format!("{bytes:?}").trim_matches(['[', ']']).to_owned());
            for half in bytes.chunks_exact(16) {
                let half: [u8; 16] = half.try_into().unwrap();
                add("the seed", u128::from_le_bytes(half).to_string());
                add("the seed", u128::from_be_bytes(half).to_string());
            }
        }
    }
    canaries.retain(|canary| canary.text.len() >= 8);
    canaries
}

impl Evidence {
    /// Where players are called.
    fn source_addresses(&self) -> BTreeSet<String> {
        let lines = crate::ideal::lines(&self.record).into_iter();
        let players = lines.filter(|line| line["event"] == "genesis").map(|line| line["players"].to_string());
        let text = players.collect::<String>();
        let hosts =
            text.split("http://").skip(1).filter_map(|rest| rest.split('"').next().map(str::to_owned));
        hosts.collect()
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number =
            (0..3).fold(0_u32, |number, at| number << 8 | u32::from(three.get(at).copied().unwrap_or(0)));
        for at in 0..=three.len() {
            text.push(char::from(LETTERS[(number >> (18 - 6 * at) & 63) as usize]));
        }
    }
    text
}

/// Who got which bytes, and what of the secrets it may know.
struct Read {
    reader: String,
    bytes: Vec<u8>,
    known: BTreeSet<String>,
}

fn readings(evidence: &Evidence, views: &BTreeMap<String, View>) -> Vec<Read> {
    let known = |role: &str| -> BTreeSet<String> {
        let Some(view) = views.get(role) else { return BTreeSet::new() };
        let texts = view.turns.iter().flat_map(|turn| turn.percepts.iter().chain([&turn.own_move]));
        let texts: Vec<&String> = texts.collect();
        let cards = CARDS.iter().filter(|card| texts.iter().any(|text| text.contains(**card)));
        cards.map(|card| (*card).to_owned()).chain([format!("the token of {role}")]).collect()
    };
    let mut readings = Vec::new();
    let mut read = |reader: &str, bytes: &[u8], known: BTreeSet<String>| {
        readings.push(Read { reader: reader.to_owned(), bytes: bytes.to_vec(), known });
    };
    for capture in &evidence.captures {
        // Rules are for everybody: what they name is no secret, but what becomes of it.
        let rules = views.get(&capture.role).map_or("", |view| view.rules.as_str());
        let text = String::from_utf8_lossy(&capture.bytes).replace(rules, "");
        read(&capture.role, text.as_bytes(), known(&capture.role));
    }
    for (role, answers) in &evidence.polls {
        for answer in answers {
            let text = String::from_utf8_lossy(&answer.raw).replace(&views[role].rules, "");
            read(role, text.as_bytes(), known(role));
        }
    }
    for page in &evidence.pages {
        read(&page.actor, &page.answer.raw, known(&page.actor));
    }
    if let Some(answer) = &evidence.spectator {
        read("spectators", &answer.raw, BTreeSet::new());
    }
    read("whoever reads the log", &evidence.logged, BTreeSet::new());
    readings
}

/// Every secret that somebody got who should not, and how many bytes were looked at.
pub(crate) fn of(evidence: &Evidence, views: &BTreeMap<String, View>) -> (Vec<Finding>, usize) {
    let secrets = secrets(evidence);
    let patterns = AhoCorasick::new(secrets.iter().map(|canary| &canary.text)).unwrap();
    let (mut findings, mut bytes) = (Vec::new(), 0);
    for read in readings(evidence, views) {
        bytes += read.bytes.len();
        let found =
            patterns.find_overlapping_iter(&read.bytes).map(|found| &secrets[found.pattern().as_usize()]);
        let told: BTreeSet<&String> =
            found.map(|canary| &canary.what).filter(|what| !read.known.contains(*what)).collect();
        findings.extend(told.iter().map(|what| {
            finding("no secret reaches whoever may not know it", format!("{} got {what}", read.reader))
        }));
    }
    (findings, bytes)
}

#[test]
fn no_secret_is_in_any_byte_that_leaves_the_process_before_the_end() {
    let _guard = as_it_is();
    let (house, host) = (House::new("canaries"), Host::new());
    let mut bytes = 0;
    for evidence in [
        pushed::play(&house, &host, "canaries", Hidden::ONE).unwrap(),
        pulled::play(&house, "canaries").unwrap(),
    ] {
        let views = crate::ideal::views(&evidence.record, &evidence.source, evidence.clocks_ms);
        let (findings, looked_at) = of(&evidence, &views);
        assert!(findings.is_empty(), "{findings:?}");
        bytes += looked_at;
    }
    println!("{bytes} bytes looked at");
    assert!(bytes > 50_000, "{bytes}");
}

#[test]
fn every_way_of_writing_a_secret_is_found() {
    let evidence = Evidence {
        seed: "5eedca4c0000000000000000000000000000000000000000000000000badcafe".to_owned(),
        tokens: BTreeMap::from([("bob".to_owned(), "token-of-bob".to_owned())]),
        ..Evidence::default()
    };
    for canary in secrets(&evidence) {
        let logged = format!("before {} after", canary.text).into_bytes();
        let evidence = Evidence { logged, ..evidence.clone() };
        let (findings, _) = of(&evidence, &BTreeMap::new());
        assert!(findings.iter().any(|finding| finding.what.ends_with(&canary.what)), "{}", canary.text);
    }
    assert_eq!(base64(b"any carnal pleasu"), "YW55IGNhcm5hbCBwbGVhc3U");
}
