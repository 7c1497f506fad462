//! The game that simulated matches play: a guess a turn, and a die that one player sees.

use std::{fmt::Write as _, sync::Arc};

use croupier_engine::{RoleId, Strictness, game::PerceptReading};
use croupier_referee::{Clocks, Header, MatchSetup, Message, Request, SealKey, Secrets, Seed, Substitution};

/// What signs the records of simulated matches: not derived from any seed, as on a server.
pub(crate) fn secrets(seed: u64) -> Secrets {
    let seed = Seed::from_text(&seed.to_string()).expect("a number is a seed");
    Secrets { seed, seal_key: SealKey::from_seed(&Seed::from_text("987654321").expect("a number is a seed")) }
}

/// Players guess a number in every turn. The first sees the die; each sees what the player before it said.
pub(crate) fn rules(players: usize, turns: u32) -> String {
    let mut rules = String::from(
        "(role random) (init (turn 0)) (number 1) (number 2) (number 3)
         (<= (legal ?p (say ?n)) (player ?p) (number ?n)) (<= (legal random (roll ?n)) (number ?n))
         (<= (next (hit ?p)) (does ?p (say ?n)) (does random (roll ?n)))
         (<= (sees p0 (rolled ?n)) (does random (roll ?n)))
         (<= (sees ?p (said ?n)) (before ?q ?p) (does ?q (say ?n)))
         (<= (goal ?p 100) (true (hit ?p))) (<= (goal ?p 0) (player ?p) (not (true (hit ?p))))",
    );
    for player in 0..players {
        let after = (player + 1) % players;
        let line = format!("(role p{player}) (player p{player}) (before p{player} p{after})");
        rules.push_str(&line);
    }
    for turn in 0..turns {
        write!(rules, "(<= (next (turn {})) (true (turn {turn})))", turn + 1).expect("a text takes more");
    }
    write!(rules, "(<= terminal (true (turn {turns})))").expect("a text takes more");
    rules
}

/// A match of that game.
pub(crate) fn setup(match_id: &str, players: usize, turns: u32) -> MatchSetup {
    MatchSetup {
        match_id: match_id.to_owned(),
        series: None,
        rules: rules(players, turns),
        game_name: None,
        players: (0..players).map(|player| (format!("p{player}"), "simulated".to_owned())).collect(),
        clocks: Clocks { start_ms: 1_000, play_ms: 1_000 },
        percepts: PerceptReading::OldState,
        strictness: Strictness::Compatible,
        substitution: Substitution::Drawn,
        turns_max: 1_000,
    }
}

pub(crate) fn header(players: usize, turns: u32) -> Arc<Header> {
    Arc::new(Header::compile(setup("m", players, turns)).expect("sound rules"))
}

/// What a player of that game replies: a function of role and turn alone.
pub(crate) fn reply(role: RoleId, to: Request) -> String {
    match to {
        Request::Start => "READY".to_owned(),
        Request::Play { turn } => format!("(say {})", 1 + (role.index() + turn as usize) % 3),
    }
}

/// What a message is about: two different ones about the same to the same role are two different stories.
pub(crate) fn about(message: &Message) -> String {
    match message {
        Message::Start { .. } => "start".to_owned(),
        Message::Play { turn, .. } => format!("play {turn}"),
        Message::Stop { .. } | Message::Abort { .. } => "end".to_owned(),
    }
}
