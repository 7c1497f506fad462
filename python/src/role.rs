//! Roles by their names.

use std::collections::BTreeMap;

use croupier_engine::{ByPlayer, GoalValue, RoleId, Roles};
use croupier_games::alike;
use pyo3::{prelude::*, types::PyDict};

use crate::errors::RoleError;

/// The names of the players, in the order of the rules.
pub(crate) fn names(roles: &Roles) -> Vec<String> {
    roles.players().map(|role| roles.name(role).to_owned()).collect()
}

/// The player of this name.
///
/// # Errors
/// `RoleError`, which says which there are, if the game has none.
pub(crate) fn player(roles: &Roles, name: &str) -> PyResult<RoleId> {
    let sought = name.to_lowercase();
    let found = roles.find(&sought);
    if let Some(role) = found.filter(|role| roles.random() != Some(*role)) {
        return Ok(role);
    }
    let names = names(roles);
    let all = names.join(", ");
    let message = match (found, alike(&sought, names.iter().map(String::as_str)).first()) {
        (Some(_), _) => format!("'random' is chance: the referee draws its moves; the players are {all}"),
        (None, Some(near)) => {
            format!("the game has no player '{name}': did you mean '{near}'? The players are {all}")
        }
        (None, None) => format!("the game has no player '{name}'; the players are {all}"),
    };
    Err(RoleError::new_err((message, name.to_owned(), names)))
}

/// The value given for each role, whose name `find` parses.
///
/// # Errors
/// Those of `find`, and `RoleError` if a role is given two moves.
pub(crate) fn moves(
    roles: &Roles,
    written: Option<BTreeMap<String, String>>,
    find: impl Fn(&str) -> PyResult<RoleId>,
) -> PyResult<BTreeMap<RoleId, String>> {
    let mut by_role = BTreeMap::new();
    for (name, text) in written.unwrap_or_default() {
        let role = find(&name)?;
        if by_role.insert(role, text).is_some() {
            let message = format!("{} was given two moves", roles.name(role));
            return Err(RoleError::new_err((message, name, names(roles))));
        }
    }
    Ok(by_role)
}

/// Something about the goal of each player, by its name.
///
/// # Errors
/// If Python has no memory left.
pub(crate) fn by_player<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    roles: &Roles,
    goals: &ByPlayer<GoalValue>,
    value: impl Fn(i32) -> T,
) -> PyResult<Bound<'py, PyDict>> {
    let by_player = PyDict::new(py);
    for (role, goal) in goals.iter() {
        by_player.set_item(roles.name(role), value(goal.value()))?;
    }
    Ok(by_player)
}
