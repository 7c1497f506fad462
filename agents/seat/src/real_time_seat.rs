//! A player of `croupier-players` in a role of a real-time match.

use std::sync::Arc;

use croupier_engine::{RoleId, game::TermError, realtime::RealTimeGame};
use croupier_players::realtime::{Intent, RealTimeKind, RealTimePlayer, TimedTurn};
use croupier_referee::realtime::{Notice, Plan, RealTimeSeat};

/// A program in a role. It is told what players are told, as text, and has a game that is not the referee's.
#[derive(Debug)]
pub struct RealTimePlayerSeat {
    player: RealTimePlayer,
    error: Option<String>,
}

impl RealTimePlayerSeat {
    /// A program in a role of one match.
    #[must_use]
    pub fn new(kind: RealTimeKind, game: Arc<RealTimeGame>, role: RoleId, seed: [u8; 32]) -> Self {
        Self { player: kind.player(game, role, seed), error: None }
    }

    /// Why it no longer plays, if it failed.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    fn take_in(&mut self, notice: &Notice) -> Result<(), TermError> {
        let Notice::Event { at_us, own_move, percepts } = notice else { return Ok(()) };
        let game = self.player.game();
        let own_move = own_move.as_deref().map(|text| game.move_id(text)).transpose()?;
        let percepts = game.percepts_of(percepts.iter().map(|percept| &**percept))?;
        self.player.hear(TimedTurn { at_us: *at_us, own_move, percepts });
        Ok(())
    }

    fn intend(&mut self, now_us: u64) -> Plan {
        match self.player.plan(now_us) {
            Ok(Intent::Wait) => Plan::Wait,
            Ok(Intent::Think { at_us }) => Plan::Think { at_us },
            Ok(Intent::Move { played, at_us }) => {
                Plan::Move { text: self.player.game().move_text(played).to_string(), at_us }
            }
            Err(error) => {
                self.error = Some(error.to_string());
                Plan::Wait
            }
        }
    }
}

impl RealTimeSeat for RealTimePlayerSeat {
    fn plan(&mut self, now_us: u64, notice: Option<&Notice>) -> Plan {
        if self.error.is_some() {
            return Plan::Wait;
        }
        match notice {
            None => self.intend(now_us),
            Some(Notice::Stop { .. } | Notice::Reveal { .. }) => Plan::Wait,
            // More may be told at this instant: it thinks when all of it is in.
            Some(Notice::Start | Notice::Received { .. }) => Plan::Think { at_us: now_us },
            Some(event @ Notice::Event { .. }) => match self.take_in(event) {
                Ok(()) => Plan::Think { at_us: now_us },
                Err(error) => {
                    self.error = Some(error.to_string());
                    Plan::Wait
                }
            },
        }
    }
}
