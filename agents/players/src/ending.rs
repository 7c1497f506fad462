//! What a state is worth in which a match ends, also where the rules give no goal or nothing to play.

use croupier_engine::{Game, GameError, Scratch, State};

/// What a role is taken to get where the rules give it no goal: the middle of what the language allows.
///
/// A referee gives nobody a goal there: this project's ends the match as a game error, and the `GameServer` of ggp-base
/// by an exception, before it records the goals of any role. So the end is neither won nor lost. At 0 a player would
/// flee from it as from a loss, at 100 it would seek it. What rule files forget is mostly the draw at a limit of turns, as
/// the chess of the public GGP repository does, and a draw is worth 50.
pub(crate) const STAND_IN: f64 = 50.0;

/// Ends that a search met and no match can have: of them the rules say too little.
///
/// A search goes on all the same. For each role an end is worth the goal that the rules give it there, and 50 where they
/// give none, or one that is no number from 0 to 100.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenEnds {
    /// How many there were, in descents and in playouts.
    pub count: u64,
    /// What was missing at the first.
    pub first: GameError,
}

/// What a state is worth to each role.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ending {
    /// By the index of the role; 0 for `random`.
    pub(crate) goals: Vec<f64>,
    /// What the rules leave out, if anything.
    pub(crate) fault: Option<GameError>,
}

impl Ending {
    /// What a state is worth in which a match ends, because it is over or because of `fault`.
    ///
    /// # Errors
    /// [`GameError::Limit`] and whatever else is not about goals.
    pub(crate) fn of(
        game: &Game,
        state: &State,
        mut fault: Option<GameError>,
        scratch: &mut Scratch,
    ) -> Result<Self, GameError> {
        let mut goals = vec![0.0; game.roles().len()];
        for role in game.roles().players() {
            goals[role.index()] = match game.goal(state, role, scratch) {
                Ok(Some(goal)) => f64::from(goal.value()),
                Ok(None) => {
                    let name = game.roles().name(role).to_owned();
                    fault.get_or_insert(GameError::NoGoal { role: name });
                    STAND_IN
                }
                Err(error @ (GameError::SeveralGoals { .. } | GameError::GoalOutOfRange { .. })) => {
                    fault.get_or_insert(error);
                    STAND_IN
                }
                Err(error) => return Err(error),
            };
        }
        Ok(Self { goals, fault })
    }
}

/// Takes in so many more ends of which the rules say too little.
pub(crate) fn note(ends: &mut Option<OpenEnds>, count: u64, first: GameError) {
    if count > 0 {
        ends.get_or_insert(OpenEnds { count: 0, first }).count += count;
    }
}

/// The ends of two searchers together.
pub(crate) fn together(one: Option<&OpenEnds>, other: Option<&OpenEnds>) -> Option<OpenEnds> {
    let mut ends = one.cloned();
    if let Some(OpenEnds { count, first }) = other {
        note(&mut ends, *count, first.clone());
    }
    ends
}
