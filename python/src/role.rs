//! Roles by their names.

use croupier_engine::{RoleId, Roles};
use croupier_games::alike;
use pyo3::prelude::*;

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
