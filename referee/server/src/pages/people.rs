//! Tournaments and players, as people read them.

use actix_web::{
    get,
    web::{Data, Path},
};
use croupier_pages::{FixtureLine, NamedValue, PlayerPage, StandingLine, TournamentPage};

use super::{PageAnswer, page};
use crate::{
    api::Context,
    problem::Problem,
    setup::StoredSetup,
    store::{StoredMatch, Wanted},
    tournament_view::{FixtureView, StandingView, WholeTournament},
};

/// Matches of a player that are shown.
const MATCHES: u32 = 30;

#[get("/t/{id}")]
pub(super) async fn tournament(context: Data<Context>, id: Path<String>) -> PageAnswer {
    let WholeTournament { tournament, matches, matches_counted, standings, fixtures, .. } =
        context.whole_tournament(&id, 0).await?;
    let format = format!("{:?}", tournament.format).to_lowercase().replace('_', " ");
    let rounds = tournament.rounds.map(|rounds| format!(" in {rounds} rounds")).unwrap_or_default();
    let duplicate = if tournament.duplicate { ", every deal in every rotation of the seats" } else { "" };
    let lines = standings.iter().enumerate().map(|(index, standing)| standing_line(index + 1, standing));
    page(&TournamentPage {
        id: tournament.id,
        title: tournament.name,
        schedule: format!("{format}{rounds}{duplicate}"),
        done: matches_counted,
        all: matches,
        unit: "goals".to_owned(),
        standings: lines.collect(),
        fixtures: fixtures.into_iter().rev().map(fixture_line).collect(),
    })
}

fn standing_line(place: usize, standing: &StandingView) -> StandingLine {
    StandingLine {
        place,
        name: standing.entrant.clone(),
        matches: standing.seats,
        mean: standing.mean.map(|mean| format!("{mean:.2}")).unwrap_or_default(),
        interval: standing.interval.map(|[low, high]| format!("{low:.2} to {high:.2}")).unwrap_or_default(),
        points: standing.points.map(|points| points.to_string()),
    }
}

fn fixture_line(fixture: FixtureView) -> FixtureLine {
    FixtureLine {
        match_id: fixture.match_id,
        entrants: fixture.seats.into_values().collect(),
        status: fixture.status,
    }
}

#[get("/p/{name}")]
pub(super) async fn player(context: Data<Context>, name: Path<String>) -> PageAnswer {
    let store = context.referee.store();
    let is_registered = store.player(&name).await?.is_some();
    let is_agent = !is_registered && context.referee.agents().full_name(&name).is_ok();
    if !is_registered && !is_agent {
        return Err(Problem::absent("there is no such player"));
    }
    let ratings = store.ratings_of(&name).await?.into_iter().map(|rating| NamedValue {
        value: format!(
            "{:.1} ± {:.1} (Weng-Lin), {:.0} ± {:.0} (Glicko-2) after {} matches",
            rating.weng_lin.mu,
            rating.weng_lin.sigma,
            rating.glicko2.rating,
            rating.glicko2.deviation,
            rating.matches
        ),
        name: rating.pool,
    });
    let ratings = ratings.collect();
    let wanted = Wanted { game: None, player: Some(name.clone()), status: None };
    let matches = store.list(&wanted, None, MATCHES).await?.iter().map(match_line).collect();
    page(&PlayerPage { name: name.into_inner(), is_agent, ratings, matches })
}

fn match_line(stored: &StoredMatch) -> NamedValue {
    let setup = StoredSetup::read(&stored.setup).ok();
    let game = setup.as_ref().and_then(|setup| setup.game.clone()).unwrap_or_else(|| "a game".to_owned());
    let players = setup.map(|setup| setup.public_descriptions()).unwrap_or_default();
    let players: Vec<String> = players.into_values().collect();
    NamedValue {
        name: stored.id.clone(),
        value: format!("{game}: {} ({})", players.join(", "), stored.status),
    }
}
