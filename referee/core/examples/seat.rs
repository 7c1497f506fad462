//! A seat of your own: a player of Kuhn poker against one that says nothing sensible, and the record of their match.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;

use croupier_engine::{ByPlayer, Strictness, game::PerceptReading};
use croupier_referee::{
    Clocks, Header, MatchSetup, Message, Nonces, Seat, SeatReply, Secrets, Seed, Substitution, read_records,
    replay, run_match,
};

/// Bets with the king, and passes with anything else.
struct Cautious {
    has_king: bool,
}

impl Seat for Cautious {
    fn receive(&mut self, message: &Message) -> SeatReply {
        match message {
            Message::Start { .. } => SeatReply::text("READY"),
            Message::Play { turn, last, .. } => {
                let percepts = last.iter().flat_map(|last| &last.percepts);
                self.has_king |= percepts.into_iter().any(|percept| **percept == *"(hole king)");
                // Two cards are dealt; then alice moves in turns 2 and 4, and bob in turn 3.
                SeatReply::text(match turn {
                    0 | 1 | 3 => "noop",
                    _ if self.has_king => "bet",
                    _ => "pass",
                })
            }
            Message::Reveal { .. } | Message::Stop { .. } | Message::Abort { .. } => SeatReply::text("DONE"),
        }
    }
}

/// Has a move drawn for it in every turn.
struct Mumbler;

impl Seat for Mumbler {
    fn receive(&mut self, _: &Message) -> SeatReply {
        SeatReply::text("mumble")
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
    let player = |role: &str, player: &str| (role.to_owned(), player.to_owned());
    let header = Arc::new(Header::compile(MatchSetup {
        match_id: "example".to_owned(),
        series: None,
        session: None,
        rules: kuhn.rules.to_owned(),
        game_name: Some("kuhn".to_owned()),
        players: vec![player("alice", "cautious"), player("bob", "mumbler")],
        clocks: Clocks::of(10_000, 10_000),
        percepts: PerceptReading::OldState,
        strictness: Strictness::Compatible,
        substitution: Substitution::Drawn,
        turns_max: 100,
        nonces: Nonces::Clear,
    })?);
    let mut seats: ByPlayer<Box<dyn Seat>> =
        ByPlayer::from_fn(header.roles(), |role| match header.role_name(role) {
            "alice" => Box::new(Cautious { has_king: false }) as Box<dyn Seat>,
            _ => Box::new(Mumbler),
        });
    let secrets = Secrets::from_seed(Seed::from_text("42")?);
    let played = run_match(&header, secrets, &mut seats, |role, message| {
        println!("to {}: {message}", header.role_name(role));
    });
    for (role, conduct) in played.conducts.iter() {
        println!(
            "{}: {} moves, {} of them drawn",
            header.role_name(role),
            conduct.moves,
            conduct.substituted()
        );
    }

    // Anybody can recompute the whole match from its record.
    let records = read_records(&played.record)?;
    assert_eq!(replay(&records[0])?.outcome(), Some(&played.outcome));
    Ok(())
}
