//! A random course of play: instants around expiries, and some of the roles moving.

use std::collections::BTreeMap;

use crate::{
    generator::dice::Dice,
    oracle::{
        OracleError, Terms, View,
        realtime::{Consequence, RealTimeOracle, State},
    },
};

/// What is drawn from when nothing expires: so many microseconds.
const LONGEST: u64 = 3_000_000;

/// All that the oracle says of one state, and of the update that ended it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The fluents that are true.
    pub state: State,
    /// What expired in the update before.
    pub expired: Terms,
    /// What holds there.
    pub view: View,
    /// The update behind it; none at the end.
    pub update: Option<Update>,
}

/// One update of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Microseconds since the one before.
    pub elapsed: u64,
    /// The moves of those who move, by role.
    pub moves: BTreeMap<String, String>,
    /// What comes of it, or the lifetime that is none.
    pub consequence: Result<Consequence, OracleError>,
}

/// Plays at most so many updates. In each something expires, or somebody moves who may; `random` moves at once and alone.
/// The course ends before that where the match is over, where nothing can happen any more, and behind an error of the
/// last update.
///
/// # Errors
/// What the oracle says of the initial state or of a state that it gave itself.
pub fn course(oracle: &RealTimeOracle, seed: u64, updates: usize) -> Result<Vec<Position>, OracleError> {
    let mut dice = Dice::new(seed);
    let mut positions = Vec::new();
    let (mut state, mut expired) = (oracle.initial_state()?, Terms::new());
    loop {
        let view = oracle.view(&state, &expired)?;
        let is_last = view.is_terminal || positions.len() == updates;
        let drawn = if is_last { None } else { event(&mut dice, &state, &view) };
        let update = drawn.map(|(elapsed, moves)| {
            let consequence = oracle.update(&state, elapsed, &moves);
            Update { elapsed, moves, consequence }
        });
        positions.push(Position { state, expired, view, update: update.clone() });
        let Some(Update { consequence: Ok(consequence), .. }) = update else { return Ok(positions) };
        (state, expired) = (consequence.successor, consequence.expired);
    }
}

/// When something happens next, and who moves then; none where nothing can happen.
fn event(dice: &mut Dice, state: &State, view: &View) -> Option<(u64, BTreeMap<String, String>)> {
    let of_random = view.legal.get("random").filter(|moves| !moves.is_empty());
    if let Some(moves) = of_random {
        return Some((0, BTreeMap::from([("random".to_owned(), one_of(dice, moves))])));
    }
    let movers: Vec<(&String, &Terms)> = view.legal.iter().filter(|(_, moves)| !moves.is_empty()).collect();
    let expiry = RealTimeOracle::next_expiry(state);
    if movers.is_empty() || expiry.is_some() && dice.chance(30) {
        return expiry.map(|expiry| (expiry, BTreeMap::new()));
    }
    let last = expiry.unwrap_or(LONGEST);
    let elapsed = match dice.below(10) {
        0..=2 => last,
        3 | 4 => last.saturating_sub(1).max(1),
        // Just behind the update before, which may have been an expiry.
        5 => 1,
        6 | 7 => last.div_ceil(4),
        _ => 1 + dice.below(usize::try_from(last).expect("it fits 64 bits")) as u64,
    };
    let mut moves = BTreeMap::new();
    let certain = dice.below(movers.len());
    for (place, (role, legal)) in movers.into_iter().enumerate() {
        if place == certain || dice.chance(50) {
            moves.insert(role.clone(), one_of(dice, legal));
        }
    }
    Some((elapsed, moves))
}

fn one_of(dice: &mut Dice, moves: &Terms) -> String {
    let place = dice.below(moves.len());
    moves.iter().nth(place).expect("it is below the number of moves").clone()
}
