//! A replayed match as JSON.

use croupier_engine::{Game, RoleId};
use croupier_referee::{Outcome, Replay, ReplayTurn};
use serde_json::{Map, Value, json};

use crate::conduct;

/// A match with everything, or with what a role did and saw.
pub(super) fn as_json(number: usize, replayed: &Replay, role: Option<RoleId>) -> Value {
    let header = replayed.header();
    let game = header.game();
    let players: Map<String, Value> = header
        .players()
        .iter()
        .map(|(role, description)| (header.role_name(role).to_owned(), json!(description)))
        .collect();
    let turns: Vec<Value> = replayed
        .turns()
        .iter()
        .map(|turn| role.map_or_else(|| turn_json(game, turn), |role| seen_json(game, turn, role)))
        .collect();
    let mut object = json!({
        "match": number,
        "match_id": header.match_id(),
        "game": header.setup().game_name,
        "players": players,
        "turns": turns,
    });
    match role {
        Some(role) => object["role"] = json!(header.role_name(role)),
        None => {
            object["outcome"] = outcome_json(replayed);
            let conducts = conduct::of_match(replayed.conducts(), header.roles());
            let conducts = conducts.iter().map(|(role, conduct)| (header.role_name(role), conduct));
            object["conduct"] =
                conducts.map(|(name, conduct)| (name.to_owned(), conduct.as_json())).collect();
        }
    }
    object
}

fn turn_json(game: &Game, turn: &ReplayTurn) -> Value {
    let name = |role| game.roles().name(role).to_owned();
    let moves = turn.joint_move.moves().iter().map(|(role, &id)| (name(role), json!(game.move_text(id))));
    let percepts = turn.percepts.iter().map(|(role, seen)| (name(role), json!(game.percept_terms(seen))));
    json!({
        "turn": turn.turn,
        "state": game.state_terms(&turn.state),
        "moves": moves.collect::<Map<_, _>>(),
        "percepts": percepts.collect::<Map<_, _>>(),
    })
}

fn seen_json(game: &Game, turn: &ReplayTurn, role: RoleId) -> Value {
    json!({
        "turn": turn.turn,
        "move": game.move_text(turn.joint_move.of(role)),
        "percepts": game.percept_terms(&turn.percepts[role]),
    })
}

fn outcome_json(replayed: &Replay) -> Value {
    let Some(outcome) = replayed.outcome() else { return Value::Null };
    let goals = outcome.goals().map(|goals| {
        let roles = replayed.header().roles();
        goals
            .iter()
            .map(|(role, goal)| (roles.name(role).to_owned(), json!(goal.value())))
            .collect::<Map<_, _>>()
    });
    let error = match outcome {
        Outcome::GameError { error, .. } => Some(error.to_string()),
        Outcome::Void { failure, .. } => Some(failure.as_str().to_owned()),
        _ => None,
    };
    let role = match outcome {
        Outcome::GameError { role, .. } => *role,
        Outcome::Void { role, .. } => Some(*role),
        _ => None,
    };
    json!({
        "status": outcome.status(),
        "turns": outcome.turns(),
        "goals": goals,
        "role": role.map(|role| replayed.header().role_name(role)),
        "error": error,
    })
}
