//! Which player somebody means: the same wherever a role is written.

use croupier_engine::{RoleId, Roles};

/// The player that a word means: its name in any case or, if no role is called so, its place among the players from 1, as in
/// `2` or `p2`.
///
/// ```
/// # use croupier_engine::{Game, Options};
/// use croupier_players::find_player;
///
/// # let rules = "(role random) (role ann) (role ben) (init on) (<= (legal ?r go) (role ?r)) (<= terminal (not (true on)))
/// #     (<= (goal ?r 50) (role ?r))";
/// # let game = Game::compile(rules, &Options::PLAY)?.game;
/// let player = |word| find_player(game.roles(), word).map(|role| game.roles().name(role));
/// assert_eq!([player("Ben"), player("2"), player("p2")], [Some("ben"); 3]);
/// assert_eq!([player("random"), player("0"), player("3")], [None; 3]);
/// # Ok::<(), croupier_engine::CompileError>(())
/// ```
#[must_use]
pub fn find_player(roles: &Roles, word: &str) -> Option<RoleId> {
    let word = word.to_lowercase();
    if let Some(role) = roles.find(&word) {
        return (roles.random() != Some(role)).then_some(role);
    }
    let place: usize = word.strip_prefix('p').unwrap_or(&word).parse().ok()?;
    roles.players().nth(place.checked_sub(1)?)
}
