//! A replayed match as JSON.

use croupier_engine::{Game, RoleId, Scratch};
use croupier_games::GameFacts;
use croupier_referee::{Outcome, Replay, ReplayTurn};
use serde_json::{Map, Value, json};

use super::own_moves::OwnMoves;
use crate::{
    conduct,
    failure::Failure,
    records::Networks,
    summary::{goals_json, payoffs_json, unit_json},
};

/// A match with everything, or with what a role did, saw and knew.
pub(super) fn as_json(
    number: usize,
    replayed: &Replay,
    facts: &GameFacts,
    role: Option<RoleId>,
    networks: &mut Networks,
) -> Result<Value, Failure> {
    let header = replayed.header();
    let game = header.game();
    let players: Map<String, Value> = header
        .players()
        .iter()
        .map(|(role, description)| (header.role_name(role).to_owned(), json!(description)))
        .collect();
    let turns: Vec<Value> = match role {
        None => {
            let mut scratch = game.scratch();
            let turns = replayed.turns().iter().map(|turn| turn_json(game, turn, &mut scratch));
            turns.collect::<Result<_, Failure>>()?
        }
        Some(role) => {
            let mut own_moves = OwnMoves::new(replayed, role, networks)?;
            replayed.turns().iter().map(|turn| seen_json(game, turn, role, &mut own_moves)).collect()
        }
    };
    let mut object = json!({
        "match": number,
        "match_id": header.match_id(),
        "game": header.setup().game_name,
        "players": players,
        "unit": unit_json(facts),
        "turns": turns,
    });
    match role {
        Some(role) => object["role"] = json!(header.role_name(role)),
        None => {
            object["outcome"] = outcome_json(replayed, facts);
            let conducts = conduct::of_match(replayed.conducts(), header.roles());
            let conducts = conducts.iter().map(|(role, conduct)| (header.role_name(role), conduct));
            object["conduct"] =
                conducts.map(|(name, conduct)| (name.to_owned(), conduct.as_json())).collect();
        }
    }
    Ok(object)
}

fn turn_json(game: &Game, turn: &ReplayTurn, scratch: &mut Scratch) -> Result<Value, Failure> {
    let name = |role| game.roles().name(role).to_owned();
    let moves = turn.joint_move.moves().iter().map(|(role, &id)| (name(role), json!(game.move_text(id))));
    let percepts = turn.percepts.iter().map(|(role, seen)| (name(role), json!(game.percept_terms(seen))));
    let legal = game.roles().all().map(|role| {
        let moves = game.legal_moves(&turn.state, role, scratch);
        let moves = moves.map_err(|error| Failure::refuse("bad-match", error.to_string()))?;
        let texts = moves.into_iter().map(|id| json!(game.move_text(id)));
        Ok((name(role), texts.collect::<Vec<Value>>().into()))
    });
    let legal: Map<String, Value> = legal.collect::<Result<_, Failure>>()?;
    Ok(json!({
        "turn": turn.turn,
        "state": game.state_terms(&turn.state),
        "legal": legal,
        "moves": moves.collect::<Map<_, _>>(),
        "percepts": percepts.collect::<Map<_, _>>(),
    }))
}

fn seen_json(game: &Game, turn: &ReplayTurn, role: RoleId, own_moves: &mut OwnMoves) -> Value {
    json!({
        "turn": turn.turn,
        "legal": own_moves.next(),
        "move": game.move_text(turn.joint_move.of(role)),
        "percepts": game.percept_terms(&turn.percepts[role]),
    })
}

fn outcome_json(replayed: &Replay, facts: &GameFacts) -> Value {
    let Some(outcome) = replayed.outcome() else { return Value::Null };
    let roles = replayed.header().roles();
    let error = match outcome {
        Outcome::GameError { error, .. } => Some(error.to_string()),
        Outcome::Void { failure, .. } => Some(failure.as_str().to_owned()),
        Outcome::Withheld { by } => by.first().map(|(_, failure)| failure.as_str().to_owned()),
        _ => None,
    };
    let role = match outcome {
        Outcome::GameError { role, .. } => *role,
        Outcome::Void { role, .. } => Some(*role),
        Outcome::Withheld { by } => by.first().map(|(role, _)| *role),
        _ => None,
    };
    json!({
        "status": outcome.status(),
        "turns": outcome.turns(),
        "goals": goals_json(roles, outcome.goals()),
        "payoffs": payoffs_json(roles, facts, outcome.goals()),
        "role": role.map(|role| replayed.header().role_name(role)),
        "error": error,
    })
}
