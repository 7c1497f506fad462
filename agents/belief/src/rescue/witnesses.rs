//! Histories that agree with an information set, from the models of a SAT solver.

use croupier_engine::{Game, GameError, InformationSet, JointMove, Scratch, State, game::PerceptReading};
use rand_core::Rng;

use crate::{
    continuation::{Candidates, Evidence, agrees},
    rescue::{
        clauses::{Clauses, Solved},
        unroll::{KnownTurn, unroll},
    },
    search::Path,
};

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Histories; the search ends with that many.
    pub(crate) histories: usize,
    /// A base of the tape and whether it shall be true after the last turn.
    pub(crate) last: Option<(usize, bool)>,
    /// Conflicts of the solver, for each history.
    pub(crate) conflicts: u32,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Consistent histories, all different.
    pub(crate) paths: Vec<Path>,
    /// Whether there is no other: this is certain.
    pub(crate) is_exhausted: bool,
}

/// Looks for histories with the own moves and percepts of `known`; nothing is found, and nothing claimed, for a game
/// that is no network or too large to be unrolled.
///
/// Each history is another model: the solver guesses at random moves first, and models that were found are forbidden. They are no fair sample; their probabilities say what each is worth.
///
/// # Errors
/// [`GameError`] where the rules fail.
pub(crate) fn witnesses(
    game: &Game,
    known: &InformationSet,
    wanted: Wanted,
    rng: &mut impl Rng,
) -> Result<Found, GameError> {
    let mut found = Found::default();
    let Some(turns) = known_turns(game, known) else { return Ok(found) };
    let tape = game.tape().filter(|_| game.percept_reading() == PerceptReading::OldState);
    let Some(tape) = tape else { return Ok(found) };
    let Some(unrolled) = unroll(tape, known.role.index(), &turns) else { return Ok(found) };
    let mut clauses = Clauses::new(&unrolled, wanted.last);
    let mut scratch = game.scratch();
    while found.paths.len() < wanted.histories {
        match clauses.solve(wanted.conflicts, rng) {
            Solved::Model(model) => {
                let numbers =
                    turns.iter().zip(&model).map(|(turn, made)| numbers(known.role.index(), turn, made));
                let numbers: Vec<Vec<u32>> = numbers.collect();
                found.paths.extend(path(game, known, &numbers, &mut scratch)?);
                clauses.forbid(&model);
            }
            Solved::Impossible => {
                found.is_exhausted = true;
                break;
            }
            Solved::GivenUp => break,
        }
    }
    Ok(found)
}

fn known_turns(game: &Game, known: &InformationSet) -> Option<Vec<KnownTurn>> {
    let turns = known.turns.iter().map(|(own_move, percepts)| {
        let own_move = game.tape_move(known.role, *own_move)?;
        Some(KnownTurn { own_move, percepts: game.tape_percepts(known.role, percepts)? })
    });
    turns.collect()
}

/// The moves of all roles in one turn: the own one, and those of the others by their order.
fn numbers(own_role: usize, turn: &KnownTurn, made: &[u32]) -> Vec<u32> {
    let mut numbers = made.to_vec();
    numbers.insert(own_role, u32::try_from(turn.own_move).expect("moves are below 2^32"));
    numbers
}

/// The history of these moves; `None` if it does not agree with what is known after all, as can be where loops were
/// too long to be unrolled.
fn path(
    game: &Game,
    known: &InformationSet,
    numbers: &[Vec<u32>],
    scratch: &mut Scratch,
) -> Result<Option<Path>, GameError> {
    let mut path = Path { steps: Vec::new(), probabilities: Vec::new() };
    let mut state = game.initial_state().clone();
    for ((own_move, percepts), numbers) in known.turns.iter().zip(numbers) {
        let evidence = Evidence { role: known.role, own_move: *own_move, percepts };
        let Some(candidates) = Candidates::of(game, &state, evidence, scratch)? else { return Ok(None) };
        path.probabilities.push(candidates.probability());
        let Some(joint_move) = game.joint_move_of_tape(numbers) else { return Ok(None) };
        if !is_legal(game, &state, &joint_move, scratch)?
            || !agrees(game, &state, &joint_move, evidence, scratch)?
        {
            return Ok(None);
        }
        state = game.successor(&state, &joint_move, scratch)?;
        path.steps.push((joint_move, state.clone()));
    }
    Ok(Some(path))
}

fn is_legal(
    game: &Game,
    state: &State,
    joint_move: &JointMove,
    scratch: &mut Scratch,
) -> Result<bool, GameError> {
    for (role, played) in joint_move.moves().iter() {
        if !game.legal_moves(state, role, scratch)?.contains(played) {
            return Ok(false);
        }
    }
    Ok(true)
}
