//! The value of a state in which a match ends, even if the rules give no goal or no legal move.

use croupier_engine::{ByRole, Game, GameError, MoveId, Scratch, State};

/// The goal assumed for a role if the rules give none: the middle of the range of the language.
///
/// A referee gives nobody a goal in such a state: this project's ends the match with a game error, and the `GameServer` of ggp-base
/// throws an exception before it records the goals of any role. So the end counts as neither won nor lost. With 0 a player would
/// avoid it like a loss, with 100 it would seek it. What rule files forget is usually the draw at the turn limit, as in
/// the chess of the public GGP repository, and a draw counts 50.
pub(crate) const STAND_IN: f64 = 50.0;

/// Ends that a search met and no match can have: of them the rules say too little.
///
/// A search continues anyway. For each role the value of the end is the goal that the rules give it, or 50 if they
/// give none, or one that is not a whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenEnds {
    /// How many there were, in descents and in playouts.
    pub count: u64,
    /// What was missing in the first of them.
    pub first: GameError,
}

/// The value of a state for each role.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FinalValues {
    /// By the index of the role; 0 for `random`.
    pub(crate) goals: Vec<f64>,
    /// What the rules fail to define, if anything.
    pub(crate) fault: Option<GameError>,
}

impl FinalValues {
    /// The value of a state in which a match ends, because it is over or because of `fault`.
    ///
    /// # Errors
    /// [`GameError::Limit`] and any error that is not about goals.
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

/// The legal moves of each role, or why nothing can be played: a fault of the rules, if the match is not over. Goals are not asked for:
/// rules may fail to give any in a state that the true one is not.
///
/// # Errors
/// Any error that is not about legal moves.
pub(crate) fn playable(
    game: &Game,
    state: &State,
    scratch: &mut Scratch,
) -> Result<Result<ByRole<Vec<MoveId>>, Option<GameError>>, GameError> {
    match game.playable_moves(state, scratch) {
        Ok(legal) => Ok(legal.ok_or(None)),
        Err(error @ GameError::NoLegalMove { .. }) => Ok(Err(Some(error))),
        Err(error) => Err(error),
    }
}

/// Adds this many more ends that the rules do not fully define.
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
