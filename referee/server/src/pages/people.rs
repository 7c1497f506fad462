//! Tournaments and players, as people read them.

use std::collections::BTreeMap;

use actix_web::{
    get,
    web::{Data, Path, Query},
};
use croupier_games::find;
use croupier_pages::{
    CrossLine, FixtureLine, NamedValue, PlayedLine, PlayerPage, RatingLine, StandingLine, TournamentPage,
};
use croupier_results::Mean;
use serde::Deserialize;

use super::{PageAnswer, page};
use crate::{
    api::Context,
    outcome::MatchOutcome,
    problem::{Problem, Result},
    setup::StoredSetup,
    store::{StoredMatch, StoredRating, Wanted},
    tournament_view::{FixtureView, StandingView, WholeTournament},
};

/// Matches of a player that are shown.
const MATCHES: u32 = 30;

/// How many standard deviations a 95 % interval reaches to each side.
const DEVIATIONS: f64 = 1.96;

/// Which matches of a tournament are shown.
#[derive(Debug, Deserialize)]
pub(super) struct FixturesQuery {
    /// The place in the schedule from which on, from 0.
    #[serde(default)]
    after: u64,
}

#[get("/t/{id}")]
pub(super) async fn tournament(
    context: Data<Context>,
    id: Path<String>,
    query: Query<FixturesQuery>,
) -> PageAnswer {
    let whole = context.whole_tournament(&id, query.after).await?;
    let WholeTournament { tournament, matches, matches_counted, standings, against, fixtures, next, .. } =
        whole;
    let format = format!("{:?}", tournament.format).to_lowercase();
    let format = format.replace("roundrobin", "round robin").replace("swiss", "Swiss system");
    let rounds = tournament.rounds.map(|rounds| format!(" in {rounds} rounds")).unwrap_or_default();
    let duplicate = if tournament.duplicate { ", every deal in every rotation of the seats" } else { "" };
    let lines = (1..).zip(&standings).map(|(place, standing)| standing_line(place, standing));
    let crosstable = (1..).zip(&standings).zip(&against).map(|((place, standing), means)| CrossLine {
        place,
        name: standing.entrant.clone(),
        means: means.iter().map(|mean| mean.map(mean_text)).collect(),
    });
    let is_over = tournament.status != "running";
    page(&TournamentPage {
        title: tournament.name,
        game: tournament.game.filter(|game| find(game).is_some()),
        schedule: format!("{format}{rounds}{duplicate}"),
        status: tournament.status,
        done: matches_counted,
        all: matches,
        standings: lines.collect(),
        crosstable: crosstable.collect(),
        fixtures: fixtures.into_iter().map(|fixture| fixture_line(fixture, is_over)).collect(),
        next: next.map(|next| format!("/t/{}?after={next}", tournament.id)),
        id: tournament.id,
    })
}

fn mean_text(mean: Mean) -> String {
    match mean.margin {
        Some(margin) => format!("{:.1} ± {margin:.1}", mean.mean),
        None => format!("{:.1}", mean.mean),
    }
}

fn standing_line(place: usize, standing: &StandingView) -> StandingLine {
    StandingLine {
        place,
        name: standing.entrant.clone(),
        matches: standing.seats,
        mean: standing.mean.map(|mean| format!("{mean:.2}")).unwrap_or_default(),
        interval: standing.interval.map(|[low, high]| format!("{low:.2} to {high:.2}")).unwrap_or_default(),
        won_drawn_lost: [standing.won, standing.drawn, standing.lost],
        points: standing.points.map(|points| points.to_string()),
    }
}

/// A match of a tournament. Its replay may be seen once its deal is over, and that of the first deal, whose seed all others follow
/// from, when the tournament is.
fn fixture_line(fixture: FixtureView, is_over: bool) -> FixtureLine {
    let FixtureView { place, deal, seats, match_id, status, goals, .. } = fixture;
    let is_open = goals.is_some() && (is_over || deal > 0);
    let goal = |role: &String| goals.as_ref()?.get(role).copied();
    FixtureLine {
        number: place + 1,
        address: match_id.filter(|_| is_open).map(|id| format!("/m/{id}")),
        entrants: seats.iter().map(|(role, name)| (name.clone(), goal(role))).collect(),
        status: words(&status),
    }
}

/// How far a match is, or how it ended, in words.
fn words(status: &str) -> String {
    match status {
        "terminal" => "played to the end".to_owned(),
        status => status.replace('_', " "),
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
    let ratings = store.ratings_of(&name).await?.into_iter().map(rating_line).collect();
    let wanted = Wanted { game: None, player: Some(name.clone()), status: None };
    let (mut matches, mut won_drawn_lost) = (Vec::new(), [0; 3]);
    for stored in store.list(&wanted, None, MATCHES).await? {
        let (line, rank) = played_line(&context, &name, &stored).await?;
        matches.push(line);
        if let Some(rank) = rank {
            won_drawn_lost[rank as usize] += 1;
        }
    }
    page(&PlayerPage { name: name.into_inner(), is_agent, ratings, won_drawn_lost, matches })
}

fn rating_line(rating: StoredRating) -> RatingLine {
    let value = |system: &str, mean: f64, deviation: f64, digits: usize| {
        let margin = DEVIATIONS * deviation;
        let (low, high) = (mean - margin, mean + margin);
        let value = format!("{mean:.digits$} ({low:.digits$} to {high:.digits$})");
        NamedValue { name: system.to_owned(), value }
    };
    RatingLine {
        values: vec![
            value("Glicko-2", rating.glicko2.rating, rating.glicko2.deviation, 0),
            value("Weng-Lin", rating.weng_lin.mu, rating.weng_lin.sigma, 1),
        ],
        game: rating.pool,
        matches: rating.matches,
    }
}

/// How a player did in a match: as a place in `won_drawn_lost`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    Won,
    Drawn,
    Lost,
}

impl Rank {
    /// That of a goal among all of a match.
    fn of(own: i32, goals: &[i32]) -> Self {
        let most = goals.iter().max().copied().unwrap_or(own);
        match (own == most, goals.iter().filter(|goal| **goal == most).count()) {
            (false, _) => Self::Lost,
            (true, 1) => Self::Won,
            (true, _) => Self::Drawn,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
        }
    }
}

/// The players of a match by role, with those who took open seats.
pub(super) async fn players(
    context: &Context,
    id: &str,
    setup: &StoredSetup,
) -> Result<BTreeMap<String, String>> {
    let mut players = setup.public_descriptions();
    let taken = context.referee.store().players_of(id).await?;
    players.extend(taken.into_iter().filter_map(|(role, name)| Some((role, name?))));
    Ok(players)
}

/// A match of a player, and how it did there, if that may be known.
async fn played_line(
    context: &Context,
    name: &str,
    stored: &StoredMatch,
) -> Result<(PlayedLine, Option<Rank>)> {
    let setup = StoredSetup::read(&stored.setup)?;
    let players = players(context, &stored.id, &setup).await?;
    let role = players.iter().find(|(_, who)| *who == name).map(|(role, _)| role.clone());
    let outcome = stored.outcome.as_deref().map(MatchOutcome::read);
    // A goal tells of cards that others still play with.
    let goals = outcome.as_ref().and_then(|outcome| outcome.goals.as_ref()).filter(|_| !stored.shared.deal);
    let own = goals.zip(role.as_ref()).and_then(|(goals, role)| goals.get(role).copied());
    let rank = own.zip(goals).map(|(own, goals)| Rank::of(own, &goals.values().copied().collect::<Vec<_>>()));
    let result = match own.zip(rank) {
        Some((own, rank)) => format!("{} with {own} goals", rank.word()),
        None => words(&stored.status),
    };
    let address = match &setup.session {
        Some(hand) => format!("/s/{}/hands/{}", hand.session, hand.index),
        None => format!("/m/{}", stored.id),
    };
    let line = PlayedLine {
        address: (outcome.is_some() && !stored.shared.seed).then_some(address),
        others: players
            .into_iter()
            .filter(|(other, _)| Some(other) != role.as_ref())
            .map(|(_, who)| who)
            .collect(),
        game: setup.game.unwrap_or_else(|| "a game".to_owned()),
        result,
    };
    Ok((line, rank))
}

#[cfg(test)]
mod tests {
    use super::Rank;

    #[test]
    fn the_best_goal_alone_wins() {
        assert_eq!(Rank::of(100, &[100, 0, 50]), Rank::Won);
        assert_eq!(Rank::of(50, &[50, 50, 0]), Rank::Drawn);
        assert_eq!(Rank::of(50, &[100, 50]), Rank::Lost);
        // Who plays alone is nobody's better.
        assert_eq!(Rank::of(0, &[0]), Rank::Won);
    }
}
