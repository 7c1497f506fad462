//! What each role may know of a match, from its record and the second interpreter, and the bytes that say exactly that.
//!
//! Nothing here calls the referee: the view, the words of every dialect and the headers are written down a second time.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{
    Limits,
    stages::syntax::{self, Syntax},
};
use croupier_tests::oracle::Oracle;
use serde_json::Value;

/// What one role did and perceived in one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) own_move: String,
    /// In the order of their bytes, each once.
    pub(crate) percepts: BTreeSet<String>,
}

/// Everything that a role may know: what it depends on and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) match_id: String,
    pub(crate) role: String,
    pub(crate) rules: String,
    pub(crate) start_ms: u64,
    pub(crate) play_ms: u64,
    pub(crate) commitment: String,
    pub(crate) public_key: String,
    /// What players have committed to, by role.
    pub(crate) nonces: BTreeMap<String, String>,
    pub(crate) turns: Vec<Turn>,
    /// `STOP` or `ABORT`.
    pub(crate) last: &'static str,
}

/// The lines of a record.
pub(crate) fn lines(record: &str) -> Vec<Value> {
    record.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What every player may know of a match, by role, from its whole record.
pub(crate) fn views(record: &str, source: &str, clocks_ms: [u64; 2]) -> BTreeMap<String, View> {
    let lines = lines(record);
    let sent = sent(source);
    let description = syntax::read(&sent, Syntax::Prefix, &Limits::STANDARD).description;
    let oracle = Oracle::new(&description, u64::MAX).unwrap();
    let genesis = lines.iter().find(|line| line["event"] == "genesis").unwrap();
    let end = lines.iter().find(|line| line["event"] == "end").unwrap();
    let committed = lines.iter().filter(|line| line["event"] == "ready");
    let committed = committed.filter_map(|line| {
        Some((line["role"].as_str()?.to_owned(), line["commitment"].as_str()?.to_owned()))
    });
    let nonces: BTreeMap<String, String> = committed.collect();
    let seal = lines.iter().find(|line| line["event"] == "seal").unwrap();
    let view = |role: &String| View {
        match_id: genesis["match_id"].as_str().unwrap().to_owned(),
        role: role.clone(),
        rules: sent.clone(),
        start_ms: clocks_ms[0],
        play_ms: clocks_ms[1],
        commitment: genesis["commitment"].as_str().unwrap().to_owned(),
        nonces: nonces.clone(),
        public_key: seal["public_key"].as_str().unwrap().to_owned(),
        turns: Vec::new(),
        last: if end["status"] == "terminal" { "STOP" } else { "ABORT" },
    };
    let players = oracle.roles().iter().filter(|role| *role != "random");
    let mut views: BTreeMap<String, View> = players.map(|role| (role.clone(), view(role))).collect();
    let mut state = oracle.initial_state().unwrap();
    for line in lines.iter().filter(|line| line["event"] == "turn") {
        let moves = line["moves"].as_object().unwrap().iter();
        let moves: BTreeMap<String, String> =
            moves.map(|(role, text)| (role.clone(), text.as_str().unwrap().to_owned())).collect();
        let consequence = oracle.consequence(&state, &moves).unwrap();
        for (role, view) in &mut views {
            let percepts = consequence.sees.get(role).cloned().unwrap_or_default();
            view.turns.push(Turn { own_move: moves[role].clone(), percepts });
        }
        state = consequence.successor;
    }
    views
}

/// Rules as players get them: small letters, single blanks, no remarks, and full sight where nothing is said of sight.
pub(crate) fn sent(source: &str) -> String {
    let mut text = String::new();
    for line in source.lines() {
        let line = line.split(';').next().unwrap_or_default().to_lowercase();
        let spaced = line.replace('(', " ( ").replace(')', " ) ");
        for word in spaced.split_whitespace() {
            if !(text.is_empty() || text.ends_with('(') || word == ")") {
                text.push(' ');
            }
            text.push_str(word);
        }
    }
    if !text.contains("(sees ") {
        text.push_str(" (<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))");
    }
    text
}

impl View {
    /// The bodies of all messages to a player that is called, in the words of its dialect.
    fn bodies(&self, dialect: &str, roles: &[String]) -> Vec<String> {
        let Self { match_id, role, rules, start_ms, play_ms, .. } = self;
        let start = format!("(START {match_id} {role} ({rules}) {} {})", start_ms / 1000, play_ms / 1000);
        let told = |kind: &str, turn: usize| {
            let last = turn.checked_sub(1).map(|before| &self.turns[before]);
            let list = match last {
                None => "NIL".to_owned(),
                Some(last) if dialect == "gdl1" => {
                    let of = |role: &String| {
                        let opening = format!("(did {role} ");
                        let told =
                            last.percepts.iter().find(|percept| percept.starts_with(&opening)).unwrap();
                        told[opening.len()..told.len() - 1].to_owned()
                    };
                    format!("({})", roles.iter().map(of).collect::<Vec<_>>().join(" "))
                }
                Some(last) => format!("({})", Vec::from_iter(last.percepts.iter().cloned()).join(" ")),
            };
            if dialect == "gdl2" {
                let own_move = last.map_or("NIL", |last| last.own_move.as_str());
                return format!("({kind} {match_id} {turn} {own_move} {list})");
            }
            let kind = if kind == "PLAY" && dialect == "sees" { "SEES" } else { kind };
            format!("({kind} {match_id} {list})")
        };
        let end = self.turns.len();
        let mut bodies = vec![start];
        // Whoever aborts a match has asked for a move before.
        let asked = if self.last == "ABORT" { end + 1 } else { end };
        bodies.extend((0..asked).map(|turn| told("PLAY", turn)));
        bodies.push(if self.last == "ABORT" { format!("(ABORT {match_id})") } else { told("STOP", end) });
        bodies
    }

    /// The bytes of all connections to a player that is called, in their order.
    pub(crate) fn requests(&self, dialect: &str, roles: &[String]) -> Vec<String> {
        let sender = if dialect == "gdl2-2011" { "Gamecontroller" } else { "GAMESERVER" };
        let request = |body: &String| {
            format!(
                "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: {sender}\r\nReceiver: {}\r\nContent-Type: text/acl\r\n\
                 Content-Length: {}\r\n\r\n{body}",
                self.role,
                body.len()
            )
        };
        self.bodies(dialect, roles).iter().map(request).collect()
    }

    /// The bodies of the responses to a player that polls after every frame, in their order.
    pub(crate) fn polled(&self, [signature, of_nonces]: [&str; 2]) -> Vec<String> {
        let Self { match_id, role, rules, start_ms, play_ms, commitment, public_key, .. } = self;
        let text = |text: &str| Value::from(text).to_string();
        let told = |turn: usize| match turn.checked_sub(1).map(|before| &self.turns[before]) {
            None => ("null".to_owned(), String::new()),
            Some(last) => {
                let percepts = last.percepts.iter().map(|percept| text(percept));
                (text(&last.own_move), percepts.collect::<Vec<_>>().join(","))
            }
        };
        let play = |turn: usize| {
            let (own_move, percepts) = told(turn);
            format!(
                "{{\"deadline_ms\":{play_ms},\"last_move\":{own_move},\"percepts\":[{percepts}],\"turn\":{turn},\"type\":\"play\"}}"
            )
        };
        let end = self.turns.len();
        let mut frames = vec![format!(
            "{{\"commitment\":\"{commitment}\",\"dialect\":\"gdl2\",\"match\":\"{match_id}\",\"nonces\":\"committed\",\
             \"play_clock_ms\":{play_ms},\"public_key\":\"{public_key}\",\"role\":\"{role}\",\"rules\":{},\
             \"signature\":\"{signature}\",\"start_clock_ms\":{start_ms},\"type\":\"start\"}}",
            text(rules)
        )];
        if self.nonces.contains_key(role) {
            let nonces = self.nonces.iter().map(|(role, digest)| format!("\"{role}\":\"{digest}\""));
            frames.push(format!(
                "{{\"commitments\":{{{}}},\"deadline_ms\":{start_ms},\"signature\":\"{of_nonces}\",\"type\":\"reveal\"}}",
                nonces.collect::<Vec<_>>().join(",")
            ));
        }
        frames.extend((0..end).map(play));
        let (own_move, percepts) = told(end);
        frames.push(format!(
            "{{\"last_move\":{own_move},\"percepts\":[{percepts}],\"turn\":{end},\"type\":\"stop\"}}"
        ));
        let count = frames.len();
        let pages = frames.iter().enumerate().map(|(index, frame)| {
            format!("{{\"after\":{},\"frames\":[{frame}],\"over\":{}}}", index + 1, index + 1 == count)
        });
        pages.collect()
    }
}

/// What spectators who came before the first turn are told, event by event.
pub(crate) fn spectated(record: &str, first: &str, is_open: bool) -> Vec<String> {
    let mut events = vec![first.to_owned()];
    for line in lines(record) {
        match line["event"].as_str().unwrap() {
            "genesis" if first.contains("waiting") => {
                events.push(format!("{{\"commitment\":{},\"event\":\"begin\"}}", line["commitment"]));
            }
            "turn" if is_open => {
                events.push(format!(
                    "{{\"event\":\"turn\",\"moves\":{},\"turn\":{}}}",
                    line["moves"], line["turn"]
                ));
            }
            "turn" => events.push(format!("{{\"event\":\"turn\",\"turn\":{}}}", line["turn"])),
            "end" => events.push(format!(
                "{{\"event\":\"end\",\"goals\":{},\"status\":{},\"turns\":{}}}",
                line["goals"], line["status"], line["turns"]
            )),
            _ => {}
        }
    }
    events
}
