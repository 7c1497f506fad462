//! Reads the frames of a seat, of a match in turns or in real time.

use std::sync::Arc;

use croupier_engine::Roles;
use croupier_games::GameFacts;

use super::{
    screen::{HandScreen, Onlooker, ScreenReader, ScreenStep, Seating, role_of, rules_of},
    screens::own_game,
    timed_screen::{TimedScreenReader, are_timed},
};
use crate::{
    problem::{Problem, Result},
    referee::Referee,
};

/// What reads the frames of a seat.
#[derive(Debug)]
pub(super) enum SeatReader {
    InTurns(Box<ScreenReader>),
    InRealTime(Box<TimedScreenReader>),
}

impl SeatReader {
    /// A reader of the match whose first frames these are; none of them is read yet. `facts` has the names of the people.
    ///
    /// # Errors
    /// [`Problem`] if the frames are not those of a match.
    pub(super) async fn of(
        referee: &Arc<Referee>,
        frames: &[Arc<str>],
        facts: Arc<GameFacts>,
        onlooker: Onlooker,
    ) -> Result<Self> {
        let rules = rules_of(frames).ok_or_else(Problem::lost)?;
        let name = role_of(frames).ok_or_else(Problem::lost)?;
        let seating = |roles: &Roles| {
            let role = roles.find(&name).ok_or_else(Problem::lost)?;
            Ok::<_, Problem>(Seating { role, onlooker })
        };
        let agents = referee.agents();
        if are_timed(frames) {
            let game = referee.real_time_game(rules).await?;
            let seating = seating(game.roles())?;
            return Ok(Self::InRealTime(Box::new(TimedScreenReader::new(game, facts, seating, agents))));
        }
        let game = own_game(referee, rules).await?;
        let seating = seating(game.roles())?;
        Ok(Self::InTurns(Box::new(ScreenReader::new(&game, facts, seating, agents))))
    }

    /// Reads all frames of a match that is over: what the seat shows in the end, and what happened, step by step.
    pub(super) fn read_whole(self, frames: &[Arc<str>]) -> (HandScreen, Vec<ScreenStep>) {
        match self {
            Self::InTurns(mut reader) => {
                reader.read(frames);
                (reader.screen(), reader.into_steps())
            }
            Self::InRealTime(mut reader) => {
                reader.read(frames, 0);
                (reader.screen(), reader.into_steps())
            }
        }
    }
}
