//! Histories that agree with an information set, from the models of a SAT solver.

use croupier_engine::{
    Game, GameError, InformationSet, JointMove, RoleId, Scratch, State,
    game::{GameNetwork, PerceptReading},
};
use rand_core::Rng;

use crate::{
    continuation::{Candidates, Evidence, agrees},
    rescue::{
        clauses::{Clauses, Solved},
        unroll::{KnownTurn, NODES_MAX, unroll},
    },
    search::{FoundHistories, Path},
};

/// Which histories are sought, and with how much work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WitnessQuery {
    /// Histories; the search ends with that many.
    pub(crate) histories: usize,
    /// A base of the tape and whether it should be true after the last turn.
    pub(crate) last: Option<(usize, bool)>,
    /// Conflicts of the solver, for each history.
    pub(crate) conflicts: u32,
}

/// Searches for histories with the role's moves and percepts of `known`; the result is empty, and proves nothing, for a game
/// without a network or one that is too large to be unrolled.
///
/// Each history is a different model: the solver tries random moves first, and models that were found are forbidden. They are not a
/// fair sample; their probabilities give their weights.
///
/// # Errors
/// [`GameError`] if the rules fail.
pub(crate) fn witnesses(
    game: &Game,
    known: &InformationSet,
    wanted: WitnessQuery,
    rng: &mut impl Rng,
) -> Result<FoundHistories, GameError> {
    let mut found = FoundHistories::default();
    let network = game.network().filter(|_| game.percept_reading() == PerceptReading::OldState);
    let Some(network) = network else { return Ok(found) };
    let Some(turns) = known_turns(network, known) else { return Ok(found) };
    let Some(unrolled) = unroll(network.tape(), known.role, &turns, NODES_MAX) else { return Ok(found) };
    let mut clauses = Clauses::new(&unrolled, wanted.last);
    let mut scratch = game.scratch();
    while found.paths.len() < wanted.histories {
        match clauses.solve(wanted.conflicts, rng) {
            Solved::Model(model) => {
                let joint_moves = turns
                    .iter()
                    .zip(&model)
                    .map(|(turn, made)| network.joint_move(&numbers(known.role, turn, made)));
                let joint_moves: Vec<JointMove> = joint_moves.collect();
                found.paths.extend(path(game, known, joint_moves, &mut scratch)?);
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

/// The turns in numbers of the network; `None` if it has no number for something.
pub(super) fn known_turns(network: &GameNetwork, known: &InformationSet) -> Option<Vec<KnownTurn>> {
    let turns = known.turns.iter().map(|(own_move, percepts)| {
        let own_move = network.move_number(known.role, *own_move)?;
        Some(KnownTurn { own_move, percepts: network.percept_numbers(known.role, percepts)? })
    });
    turns.collect()
}

/// The moves of all roles in one turn: the own one, and those of the others by their order.
fn numbers(own_role: RoleId, turn: &KnownTurn, made: &[u32]) -> Vec<u32> {
    let mut numbers = made.to_vec();
    numbers.insert(own_role.index(), u32::try_from(turn.own_move).expect("moves are below 2^32"));
    numbers
}

/// The history of these moves; `None` if it does not agree with what is known after all, which can happen if loops were
/// too long to be unrolled.
fn path(
    game: &Game,
    known: &InformationSet,
    joint_moves: Vec<JointMove>,
    scratch: &mut Scratch,
) -> Result<Option<Path>, GameError> {
    let mut path = Path { steps: Vec::new(), probabilities: Vec::new() };
    let mut state = game.initial_state().clone();
    for ((own_move, percepts), joint_move) in known.turns.iter().zip(joint_moves) {
        let evidence = Evidence { role: known.role, own_move: *own_move, percepts };
        let Some(candidates) = Candidates::of(game, &state, evidence, scratch)? else { return Ok(None) };
        path.probabilities.push(candidates.probability());
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
