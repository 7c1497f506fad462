//! What a role did and was told in words: the story that is told at its seat.

use croupier_games::{Scene, Words};

/// The move of a role that has nothing to do, by the custom of the language. It is not worth a word.
const IDLE: &str = "noop";

/// One turn of a role, as text.
#[derive(Clone, Copy, Debug)]
pub struct ToldTurn<'t> {
    /// The role, as the rules name it.
    pub role: &'t str,
    /// Its executed move.
    pub own_move: &'t str,
    /// What it was told.
    pub percepts: &'t [&'t str],
}

/// A turn in the words that fit what the role knew before it; `None` if it did nothing and was told nothing that has words.
///
/// ```
/// use croupier_games::Scene;
/// use croupier_pages::{ToldTurn, turn_text};
///
/// let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?.facts()?;
/// let told = |own_move, percepts| {
///     turn_text(&kuhn.words, ToldTurn { role: "bob", own_move, percepts }, &Scene::nothing())
/// };
/// assert_eq!(told("noop", &["(hole king)"]).as_deref(), Some("you are dealt the king"));
/// // Who is told of the own move is not told of it twice.
/// assert_eq!(told("bet", &["(did bob bet)"]).as_deref(), Some("Bob bets"));
/// assert_eq!(told("bet", &[]).as_deref(), Some("you play: bet"));
/// assert_eq!(told("noop", &["(did alice noop)"]), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn turn_text(words: &Words, told: ToldTurn<'_>, before: &Scene) -> Option<String> {
    let ToldTurn { role, own_move, percepts } = told;
    let waits = format!(" {IDLE})");
    let is_told = percepts.iter().any(|percept| tells_of(percept, role, own_move));
    let own =
        (own_move != IDLE && !is_told).then(|| format!("you play: {}", words.move_text_in(own_move, before)));
    let seen = percepts.iter().filter(|percept| !(percept.starts_with("(did ") && percept.ends_with(&waits)));
    let seen = seen.map(|percept| words.percept_text_in(percept, before)).filter(|text| !text.is_empty());
    let parts: Vec<String> = own.into_iter().chain(seen).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Whether a percept tells of a role's move: `(did alice pass)`, or `(plays alice ace)` of `(play ace)`.
fn tells_of(percept: &str, role: &str, played: &str) -> bool {
    let about = percept.split_once(' ').and_then(|(_, rest)| rest.strip_prefix(role)?.strip_prefix(' '));
    let Some(about) = about.and_then(|rest| rest.strip_suffix(')')) else { return false };
    about == played || played.split_once(' ').is_some_and(|(_, parts)| parts.strip_suffix(')') == Some(about))
}
