//! A match as it is seen, turn by turn: by everybody together once it is over, and by each role.

use croupier_engine::RoleId;
use croupier_games::Scene;
use croupier_picture::Picture;
use croupier_referee::Replay;
use croupier_table::scene_of_state;

use super::super::Lookups;
use crate::{arguments::records, output::failure::Failure, sessions::story::Story};

/// What is seen of a match.
pub(super) struct MatchView {
    /// Who sees it, in words.
    pub(super) name: String,
    /// Before the first turn, and after each.
    pub(super) pictures: Vec<Picture>,
    /// What is told of the turn before each picture; empty if nothing is.
    pub(super) said: Vec<String>,
}

/// The players of a game, as the rules name them.
fn players<'s>(story: &Story<'s>) -> Vec<&'s str> {
    let roles = story.game.roles();
    roles.players().map(|role| roles.name(role)).collect()
}

/// A match as it was.
pub(super) fn whole(story: &Story<'_>, replayed: &Replay) -> MatchView {
    let (game, facts, players) = (story.game, story.facts, players(story));
    let first = replayed.turns().first().map_or_else(|| game.initial_state(), |turn| &turn.state);
    let mut scene = scene_of_state(game, facts, first);
    let mut pictures = vec![Picture::of(facts, &scene, &players, None, None)];
    let mut said = vec!["the match begins".to_owned()];
    for turn in replayed.turns() {
        scene = scene_of_state(game, facts, &turn.successor).after(&scene);
        pictures.push(Picture::of(facts, &scene, &players, None, pictures.last()));
        said.push(story.turn_text(turn, false));
    }
    MatchView { name: "everybody".to_owned(), pictures, said }
}

/// A match as a role saw it.
pub(super) fn seen(
    story: &Story<'_>,
    replayed: &Replay,
    role: RoleId,
    lookups: &mut Lookups,
) -> Result<MatchView, Failure> {
    let (facts, players) = (story.facts, players(story));
    let seat = Some(story.game.roles().name(role));
    let mut seen = records::seen(lookups.networks.of(replayed.header())?, replayed, role)?;
    let mut known = |turns: usize| -> Result<Scene, Failure> {
        seen.after(turns, facts).map_err(|error| records::unknowable(error).help("leave out --html"))
    };
    let mut scene = known(0)?;
    let mut pictures = vec![Picture::of(facts, &scene, &players, seat, None)];
    let mut said = vec!["the match begins".to_owned()];
    for (turn, number) in replayed.turns().iter().zip(1..) {
        let told = story.seen_text(turn, role, &scene).unwrap_or_default();
        said.push(told.strip_prefix("sees: ").map_or_else(|| told.clone(), str::to_owned));
        scene = known(number)?;
        pictures.push(Picture::of(facts, &scene, &players, seat, pictures.last()));
    }
    Ok(MatchView { name: story.role(role), pictures, said })
}
