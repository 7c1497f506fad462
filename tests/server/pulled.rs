//! Matches whose players connect, by long poll, watched from all sides.

use std::{thread, time::Duration};

use croupier_referee::Nonce;
use serde_json::{Value, json};

use crate::{
    evidence::{Evidence, Finding, Watched, finding},
    house::House,
    vault::{CARDS, OPEN, ROLES, TURNS, rules},
    wire::{Answer, Asked, Stream, ask},
};

/// One player at its seat.
struct Sitter<'w> {
    house: &'w House,
    path: String,
    token: String,
    polls: Vec<Answer>,
}

impl<'w> Sitter<'w> {
    fn new(watched: &Watched<'w>, role: &str) -> Self {
        let token = watched.evidence.tokens.get(role).cloned().unwrap_or_default();
        Self { house: watched.house, path: watched.path(&format!("/seats/{role}")), token, polls: Vec::new() }
    }

    /// The next frame.
    fn poll(&mut self) -> Value {
        let path = format!("{}?after={}", self.path, self.polls.len());
        let answer = ask(self.house.address, Asked::get(&path, Some(&self.token)));
        let frame = answer.json()["frames"][0].clone();
        self.polls.push(answer);
        frame
    }

    fn say(&self, frame: &Value) {
        let body = frame.to_string();
        let asked = Asked { method: "POST", path: &self.path, token: Some(&self.token), body: &body };
        ask(self.house.address, asked);
    }

    /// Moves for the last time, while all wait for the last frame: after the end, it is with the record.
    fn play_last(sitters: &mut [Self; 2], turn: usize, moves: [&str; 2]) {
        let [first, second] = sitters;
        first.play(turn, moves[0]);
        let (house, path, token) = (second.house, second.path.clone(), second.token.clone());
        thread::scope(|scope| {
            scope.spawn(|| first.poll());
            scope.spawn(|| second.poll());
            thread::sleep(Duration::from_millis(30));
            let body = json!({ "type": "move", "turn": turn, "move": moves[1] }).to_string();
            ask(house.address, Asked { method: "POST", path: &path, token: Some(&token), body: &body });
        });
    }

    fn play(&self, turn: usize, own_move: &str) {
        self.say(&json!({ "type": "move", "turn": turn, "move": own_move }));
    }
}

/// Plays the vault with players that connect; they are looked at in turn 3.
pub(crate) fn play(house: &House, remark: &str) -> Result<Evidence, Finding> {
    let pull = json!({ "kind": "pull" });
    let asked = json!({
        "rules": rules(remark),
        "seats": { "alice": pull, "bob": pull },
        "seed": "5eedca4b0000000000000000000000000000000000000000000000000badcafe",
        "start_clock_ms": 20_000,
        "play_clock_ms": 20_000,
    });
    let mut watched = Watched::make(house, &asked)?;
    let spectator = Stream::follow(house.address, &watched.path("/events"), "text/event-stream");
    let mut sitters = ROLES.map(|role| Sitter::new(&watched, role));
    // Both connect, and the match begins when both are there.
    thread::scope(|scope| {
        for sitter in &mut sitters {
            scope.spawn(|| sitter.poll());
        }
    });
    // Both commit to a nonce, are told so, and reveal it.
    let nonces = [Nonce([0xc0; 32]), Nonce([0xc1; 32])];
    for ((sitter, role), nonce) in sitters.iter().zip(ROLES).zip(nonces) {
        let commitment = nonce.commitment(&watched.evidence.id, role).to_string();
        sitter.say(&json!({ "type": "ready", "commitment": commitment }));
        watched.evidence.nonces.push(commitment);
    }
    for sitter in &mut sitters {
        let told = sitter.poll();
        watched.evidence.nonces.extend(told["signature"].as_str().map(str::to_owned));
    }
    for (sitter, nonce) in sitters.iter().zip(nonces) {
        sitter.say(&json!({ "type": "reveal", "nonce": hex::encode(nonce.0) }));
    }
    for turn in 0..TURNS {
        for sitter in &mut sitters {
            if sitter.poll()["turn"] != turn {
                let what = format!("{:?}", sitter.polls.last());
                return Err(watched.abandon(finding("every seat is told everything", what)));
            }
        }
        if turn == 3 {
            watched.crawl();
        }
        let own_move =
            |index: usize| if turn == 0 { "wait".to_owned() } else { format!("(hide {})", CARDS[index]) };
        if turn + 1 == TURNS {
            Sitter::play_last(&mut sitters, turn, [&own_move(0), &own_move(1)]);
            break;
        }
        sitters.iter().enumerate().for_each(|(index, sitter)| sitter.play(turn, &own_move(index)));
    }
    let mut evidence = watched.end()?;
    evidence.polls = ROLES.iter().zip(sitters).map(|(role, it)| ((*role).to_owned(), it.polls)).collect();
    evidence.spectator = Some(spectator.end());
    Ok(evidence)
}

/// Plays a game without secrets, and looks at the feed while one of two has moved; what spectators see then.
pub(crate) fn play_openly(house: &House) -> Result<(Evidence, String), Finding> {
    let pull = json!({ "kind": "pull" });
    let asked = json!({
        "rules": OPEN,
        "seats": { "left": pull, "right": pull },
        "start_clock_ms": 20_000,
        "play_clock_ms": 20_000,
    });
    let watched = Watched::make(house, &asked)?;
    let mut spectator = Stream::follow(house.address, &watched.path("/events"), "application/x-ndjson");
    let mut sitters = ["left", "right"].map(|role| Sitter::new(&watched, role));
    thread::scope(|scope| {
        for sitter in &mut sitters {
            scope.spawn(|| sitter.poll());
        }
    });
    for sitter in &sitters {
        sitter.say(&json!({ "type": "ready" }));
    }
    for turn in 0..2 {
        sitters.iter_mut().for_each(|sitter| drop(sitter.poll()));
        sitters[0].play(turn, "paper");
        if turn == 0 {
            sitters[1].play(turn, "stone");
        }
    }
    // One of two has moved in turn 1: long enough for whatever is not supposed to come.
    thread::sleep(Duration::from_millis(30));
    let between = spectator.text();
    Sitter::play_last(&mut sitters, 1, ["paper", "stone"]);
    let mut evidence = watched.end()?;
    evidence.polls =
        ["left", "right"].iter().zip(sitters).map(|(role, it)| ((*role).to_owned(), it.polls)).collect();
    evidence.spectator = Some(spectator.end());
    Ok((evidence, between))
}
