//! A match as it is seen, turn by turn: by everybody together once it is over, and by each role.

use std::sync::Arc;

use croupier_engine::{Game, RoleId};
use croupier_games::Scene;
use croupier_picture::Picture;
use croupier_referee::Replay;
use croupier_table::scene_of_state;
use indicatif::ProgressBar;

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

/// A match as it was, for so many turns.
pub(super) fn whole(story: &Story<'_>, replayed: &Replay, turns: usize) -> MatchView {
    let (game, facts, players) = (story.game, story.facts, players(story));
    let first = replayed.turns().first().map_or_else(|| game.initial_state(), |turn| &turn.state);
    let mut scene = scene_of_state(game, facts, first);
    let mut pictures = vec![Picture::of(facts, &scene, &players, None, None)];
    let mut said = vec!["the match begins".to_owned()];
    for turn in replayed.turns().iter().take(turns) {
        scene = scene_of_state(game, facts, &turn.successor).after(&scene);
        pictures.push(Picture::of(facts, &scene, &players, None, pictures.last()));
        said.push(story.turn_text(turn, false));
    }
    MatchView { name: "everybody".to_owned(), pictures, said }
}

/// The network of a match, and who is told how far the views of its roles are.
#[derive(Clone, Copy)]
pub(super) struct SeatViews<'v> {
    pub(super) network: &'v Game,
    /// Counts turns.
    pub(super) bar: &'v ProgressBar,
}

/// A match as a role saw it, for so many turns.
pub(super) fn seen(
    story: &Story<'_>,
    replayed: &Replay,
    role: RoleId,
    turns: usize,
    views: SeatViews<'_>,
) -> Result<MatchView, Failure> {
    let (facts, players) = (story.facts, players(story));
    let seat = Some(story.game.roles().name(role));
    // Views are worked out side by side, and none may meet the terms of another.
    let mut seen = records::seen(Arc::new(views.network.fork()), replayed, role)?;
    let mut known = |turns: usize| -> Result<Scene, Failure> {
        seen.after(turns, facts).map_err(|error| records::unknowable(error).help("leave out --html"))
    };
    let mut scene = known(0)?;
    let mut pictures = vec![Picture::of(facts, &scene, &players, seat, None)];
    let mut said = vec!["the match begins".to_owned()];
    for (turn, number) in replayed.turns().iter().zip(1..).take(turns) {
        let told = story.seen_text(turn, role, &scene).unwrap_or_default();
        said.push(told.strip_prefix("sees: ").map_or_else(|| told.clone(), str::to_owned));
        scene = known(number)?;
        pictures.push(Picture::of(facts, &scene, &players, seat, pictures.last()));
        views.bar.inc(1);
    }
    Ok(MatchView { name: story.role(role), pictures, said })
}
