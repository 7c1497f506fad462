//! The game that simulated matches play: a guess a turn, and a die that one player sees.

use std::sync::Arc;

use croupier_engine::{RoleId, Strictness, game::PerceptReading};
use croupier_referee::{
    Clocks, Header, MatchSetup, Message, Nonce, Nonces, Request, SealKey, Secrets, Seed, Substitution,
};
use croupier_tests::guessing::{guess, rules};

/// What signs the records of simulated matches: not derived from any seed, as on a server.
pub(crate) fn secrets(seed: u64) -> Secrets {
    let seed = Seed::from_text(&seed.to_string()).expect("a number is a seed");
    Secrets { seed, seal_key: SealKey::from_seed(&Seed::from_text("987654321").expect("a number is a seed")) }
}

/// A match of that game.
pub(crate) fn setup(match_id: &str, players: usize, turns: u32) -> MatchSetup {
    MatchSetup {
        match_id: match_id.to_owned(),
        series: None,
        session: None,
        rules: rules(players, turns),
        game_name: None,
        players: (0..players).map(|player| (format!("p{player}"), "simulated".to_owned())).collect(),
        clocks: Clocks::of(1_000, 1_000),
        percepts: PerceptReading::OldState,
        strictness: Strictness::Compatible,
        substitution: Substitution::Drawn,
        turns_max: 1_000,
        nonces: Nonces::Committed,
    }
}

pub(crate) fn header(players: usize, turns: u32) -> Arc<Header> {
    Arc::new(Header::compile(setup("m", players, turns)).expect("sound rules"))
}

/// What a player of that game replies.
pub(crate) fn reply(role: RoleId, to: Request) -> String {
    match to {
        Request::Start | Request::Reveal => "READY".to_owned(),
        Request::Play { turn } => guess(role.index(), turn),
    }
}

/// The nonce that a player of a match commits to, if it does.
pub(crate) fn nonce(role: RoleId) -> Nonce {
    Nonce([role.index() as u8; 32])
}

/// What a message is about: two different ones about the same to the same role are two different stories.
pub(crate) fn about(message: &Message) -> String {
    match message {
        Message::Start { .. } => "start".to_owned(),
        Message::Reveal { .. } => "reveal".to_owned(),
        Message::Play { turn, .. } => format!("play {turn}"),
        Message::Stop { .. } | Message::Abort { .. } => "end".to_owned(),
    }
}
