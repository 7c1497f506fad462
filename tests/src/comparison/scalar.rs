//! One engine that answers for one state at a time, along the oracle's walks.

use std::{collections::BTreeSet, sync::Arc};

use croupier_engine::{ByRole, Game, GameError, GoalValue, JointMove, RoleId, Scratch, State, Status};

use super::{Difference, Mismatch, Moves, Position, Walks, fine, same};
use crate::oracle::{Consequence, Terms, View};

/// The goal that counts for each role, of those that the rules give it.
pub(super) type Goals = Vec<Option<GoalValue>>;

/// Compares everything along all walks, and gives the goals that count at every position.
///
/// # Errors
/// The first difference.
pub(super) fn compare(
    engine: &'static str,
    game: &Game,
    scratch: Scratch,
    walks: &Walks,
) -> Result<Vec<Goals>, Difference> {
    let names: Vec<_> = game.roles().all().map(|role| game.roles().name(role).to_owned()).collect();
    same("roles", &walks.roles, &names).map_err(|mismatch| Difference::new(engine, None, mismatch))?;
    let mut follower = Follower { game, scratch, state: game.initial_state().clone() };
    let mut goals = Vec::new();
    for ([walk, turn], position) in walks.positions() {
        if turn == 0 {
            follower.state = game.initial_state().clone();
        }
        let found = follower.follow(position);
        goals.push(found.map_err(|mismatch| Difference::new(engine, Some([walk, turn]), mismatch))?);
    }
    Ok(goals)
}

struct Follower<'g> {
    game: &'g Game,
    scratch: Scratch,
    state: State,
}

impl Follower<'_> {
    /// Compares a position, and goes on to the state behind it.
    fn follow(&mut self, position: &Position) -> Result<Goals, Mismatch> {
        let state = self.state.clone();
        self.compare_state(&state, &position.state)?;
        let goals = self.compare_view(&state, &position.view)?;
        if let Some((joint_move, consequence)) = &position.turn {
            self.state = self.compare_consequence(&state, joint_move, consequence)?;
        }
        Ok(goals)
    }

    /// The fluents, and that a state made of their prints is the same state.
    fn compare_state(&self, state: &State, expected: &Terms) -> Result<(), Mismatch> {
        let terms = self.game.state_terms(state);
        same_terms("fluents in canonical order", expected, &terms)?;
        let rebuilt = fine("state_of", self.game.state_of(expected.iter().map(String::as_str)))?;
        same("the state made of its fluents", &rebuilt, state)?;
        same("its stable hash", &rebuilt.stable_hash(), &state.stable_hash())
    }

    fn compare_view(&mut self, state: &State, view: &View) -> Result<Goals, Mismatch> {
        let game = self.game;
        let is_terminal = fine("is_terminal", game.is_terminal(state, &mut self.scratch))?;
        same("terminal", &view.is_terminal, &is_terminal)?;
        let mut goals = Goals::new();
        for role in game.roles().all() {
            let name = game.roles().name(role);
            let legal = fine("legal_moves", game.legal_moves(state, role, &mut self.scratch))?;
            let texts: Vec<_> = legal.iter().map(|&id| game.move_text(id)).collect();
            same_terms(&format!("legal moves of {name} in canonical order"), &view.legal[name], &texts)?;
            let is_player = Some(role) != game.roles().random();
            goals.push(if is_player { self.compare_goal(state, role, &view.goals[name])? } else { None });
        }
        self.compare_status(state, view)?;
        Ok(goals)
    }

    /// One value is the goal; several are read as one of them; what is no goal value is an error.
    fn compare_goal(
        &mut self,
        state: &State,
        role: RoleId,
        values: &Terms,
    ) -> Result<Option<GoalValue>, Mismatch> {
        let what = || format!("goal of {}", self.game.roles().name(role));
        let goal = match self.game.goal(state, role, &mut self.scratch) {
            Ok(goal) => goal,
            Err(GameError::GoalOutOfRange { value, .. }) if values.contains(&value) && !is_goal(&value) => {
                return Ok(None);
            }
            Err(error) => {
                return Err(Mismatch::new(what(), format!("{error}, where the oracle has {values:?}")));
            }
        };
        let is_one = goal.map_or(values.is_empty(), |value| values.contains(&value.to_string()));
        let detail = || format!("{goal:?}, where the oracle has {values:?}");
        if is_one { Ok(goal) } else { Err(Mismatch::new(what(), detail())) }
    }

    /// The one answer that a match is run by agrees with the single answers.
    fn compare_status(&mut self, state: &State, view: &View) -> Result<(), Mismatch> {
        let roles = self.game.roles();
        match self.game.status(state, &mut self.scratch) {
            Ok(Status::Running { legal }) => {
                same("status is terminal", &view.is_terminal, &false)?;
                for (role, moves) in legal.iter() {
                    let texts: Vec<_> = moves.iter().map(|&id| self.game.move_text(id)).collect();
                    same_terms("legal moves by status", &view.legal[roles.name(role)], &texts)?;
                }
                Ok(())
            }
            Ok(Status::Terminal { goals }) => {
                same("status is terminal", &view.is_terminal, &true)?;
                for (role, value) in goals.iter() {
                    let values = &view.goals[roles.name(role)];
                    if !values.contains(&value.to_string()) {
                        let detail = format!("{value}, where the oracle has {values:?}");
                        return Err(Mismatch::new("goal by status", detail));
                    }
                }
                Ok(())
            }
            Err(error) if is_due(&error, view) => Ok(()),
            Err(error) => Err(Mismatch::new("status", format!("{error}, where the oracle has {view:?}"))),
        }
    }

    fn compare_consequence(
        &mut self,
        state: &State,
        joint_move: &Moves,
        consequence: &Consequence,
    ) -> Result<State, Mismatch> {
        let engine_move = self.joint_move(state, joint_move)?;
        let turn = fine("turn", self.game.turn(state, &engine_move, &mut self.scratch))?;
        let full_sight = full_sight(joint_move);
        for role in self.game.roles().players() {
            let name = self.game.roles().name(role);
            let sees = match self.game.has_full_sight() {
                true => &full_sight,
                false => &consequence.sees[name],
            };
            let terms = self.game.percept_terms(&turn.percepts[role]);
            same_terms(&format!("percepts of {name} in canonical order"), sees, &terms)?;
            let alone = fine("percepts", self.game.percepts(state, &engine_move, role, &mut self.scratch))?;
            same("percepts asked for alone", &turn.percepts[role], &alone)?;
            let read = fine("percepts_of", self.game.percepts_of(sees.iter().map(String::as_str)))?;
            same("percepts read back from their prints", &turn.percepts[role], &read)?;
        }
        let successor = fine("successor", self.game.successor(state, &engine_move, &mut self.scratch))?;
        same("successor asked for alone", &turn.successor, &successor)?;
        let terms = self.game.state_terms(&successor);
        let what = || format!("successor after {joint_move:?}");
        same_terms("successor", &consequence.successor, &terms)
            .map_err(|mismatch| Mismatch { what: what(), ..mismatch })?;
        Ok(successor)
    }

    /// The engine's joint move, by the prints of the moves in capitals and with more blanks than needed.
    fn joint_move(&mut self, state: &State, texts: &Moves) -> Result<JointMove, Mismatch> {
        let moves = ByRole::try_from_fn(self.game.roles(), |role| {
            let text = texts[self.game.roles().name(role)].to_ascii_uppercase().replace(' ', "\n  ");
            fine("find_move", self.game.find_move(state, role, &text, &mut self.scratch))
        })?;
        let joint_move = fine("joint_move", self.game.joint_move(state, moves, &mut self.scratch))?;
        for (role, &id) in joint_move.moves().iter() {
            let text = self.game.move_text(id).to_string();
            same("the move found by its text", &texts[self.game.roles().name(role)], &text)?;
        }
        Ok(joint_move)
    }
}

/// What every role is told where the rules speak of no percepts.
pub(super) fn full_sight(joint_move: &Moves) -> Terms {
    joint_move.iter().map(|(role, played)| format!("(did {role} {played})")).collect()
}

/// Whether the oracle agrees that there is no status.
fn is_due(error: &GameError, view: &View) -> bool {
    match error {
        GameError::NoLegalMove { role } => !view.is_terminal && view.legal[role].is_empty(),
        GameError::NoGoal { role } => view.is_terminal && view.goals[role].is_empty(),
        GameError::GoalOutOfRange { role, value } => {
            view.is_terminal && view.goals[role].contains(value) && !is_goal(value)
        }
        _ => false,
    }
}

fn is_goal(value: &str) -> bool {
    value.parse::<i32>().is_ok()
}

/// The same terms in the order of a set of strings, which is that of their bytes.
fn same_terms(what: &str, oracle: &Terms, engine: &[Arc<str>]) -> Result<(), Mismatch> {
    if oracle.len() == engine.len() && oracle.iter().zip(engine).all(|(one, other)| **one == **other) {
        return Ok(());
    }
    let terms: BTreeSet<String> = engine.iter().map(ToString::to_string).collect();
    let missing: Vec<_> = oracle.difference(&terms).collect();
    let surplus: Vec<_> = terms.difference(oracle).collect();
    let detail = match missing.is_empty() && surplus.is_empty() {
        true => format!("the engine has them in the order {engine:?}"),
        false => format!("the engine lacks {missing:?} and has {surplus:?} too many"),
    };
    Err(Mismatch::new(what, detail))
}
