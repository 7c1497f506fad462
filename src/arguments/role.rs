//! The argument ROLE.

use croupier_engine::{RoleId, Roles};
use croupier_games::alike;
use croupier_players::find_player;

use crate::output::failure::Failure;

/// The player that an argument means, by name or by number: every option that takes a role asks this.
///
/// # Errors
/// If the game has none.
pub(crate) fn player(roles: &Roles, word: &str) -> Result<RoleId, Failure> {
    find_player(roles, word).ok_or_else(|| {
        let names = || roles.players().map(|role| roles.name(role));
        let numbered: Vec<String> =
            names().zip(1..).map(|(name, number)| format!("{name} ({number})")).collect();
        let players = format!("its players are {}", numbered.join(", "));
        let help = match alike(&word.to_lowercase(), names()).first() {
            Some(near) => format!("did you mean '{near}'? {players}"),
            None => players,
        };
        Failure::refuse("unknown-role", format!("the game has no player '{word}'")).help(help)
    })
}
