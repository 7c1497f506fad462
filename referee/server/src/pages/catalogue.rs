//! The lobby, and the games.

use std::collections::BTreeSet;

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::CACHE_CONTROL,
    web::{Data, Path, Query},
};
use croupier_engine::{
    Limits,
    stages::syntax::{self, Description, Syntax, print_term},
};
use croupier_games::{Entry, GameFacts, catalogue, find, real_time_catalogue};
use croupier_pages::{GameCard, GamePage, GamesPage, LobbyPage, NamedValue, OpenTable};
use serde::Deserialize;

use super::{PageAnswer, page, panels::state_text};
use crate::{
    api::Context,
    problem::{Problem, Result},
    rights::Operation,
};

/// All games that a table can be opened for.
pub(super) async fn cards(context: &Context) -> Result<Vec<GameCard>> {
    let card = |entry: &Entry, is_real_time| {
        entry.facts().ok().map(|facts| GameCard::of(entry.name, &facts, is_real_time))
    };
    let in_turns = catalogue().iter().filter_map(|entry| card(entry, false));
    let in_time = real_time_catalogue().iter().filter_map(|entry| card(entry, true));
    let uploads = context.referee.store().uploads().await?.into_iter().map(|upload| GameCard {
        picture: None,
        uploaded_by: Some(upload.uploaded_by),
        ..GameCard::of(&upload.name, &GameFacts::unknown(&upload.name), false)
    });
    Ok(in_turns.chain(in_time).chain(uploads).collect())
}

#[get("/")]
pub(super) async fn lobby(request: HttpRequest, context: Data<Context>) -> PageAnswer {
    let can_open = may_open(&request, &context).await;
    let mut tables = context.referee.open_tables();
    tables.sort_by(|one, other| (other.created_ms, &other.id).cmp(&(one.created_ms, &one.id)));
    let tables = tables.iter().map(|view| OpenTable {
        id: view.id.clone(),
        title: view.title.clone(),
        state: state_text(view),
        seats: view.seats.iter().map(|seat| seat.name.clone()).collect(),
    });
    let tables = tables.collect();
    page(&LobbyPage { tables, games: cards(&context).await?, can_open })
}

/// Whether this client may open a table.
pub(super) async fn may_open(request: &HttpRequest, context: &Context) -> bool {
    let operation = Operation::OpenTable { is_open: context.open_tables > 0 };
    context.demand(request, operation).await.is_ok()
}

/// Which games are shown.
#[derive(Debug, Deserialize)]
pub(super) struct GamesQuery {
    tag: Option<String>,
}

#[get("/games")]
pub(super) async fn index(context: Data<Context>, query: Query<GamesQuery>) -> PageAnswer {
    let tag = query.into_inner().tag;
    let mut games = cards(&context).await?;
    let tags: BTreeSet<String> = games.iter().flat_map(|game| game.tags.clone()).collect();
    if let Some(tag) = &tag {
        games.retain(|game| game.tags.contains(tag));
    }
    page(&GamesPage { games, tags: tags.into_iter().collect(), tag })
}

#[get("/games/{name}")]
pub(super) async fn show(request: HttpRequest, context: Data<Context>, name: Path<String>) -> PageAnswer {
    let rules = context.referee.rules(&name).await?;
    let rules = rules.ok_or_else(|| Problem::absent("there is no such game"))?;
    let facts = find(&name).and_then(|entry| entry.facts().ok());
    let facts = facts.unwrap_or_else(|| GameFacts::unknown(&name));
    let card = cards(&context).await?.into_iter().find(|card| card.name == *name);
    let card = card.ok_or_else(|| Problem::absent("there is no such game"))?;
    let can_open = may_open(&request, &context).await;
    let players = roles(&rules).iter().map(|role| facts.words.symbol_text(role)).collect();
    let known = facts.known.iter().map(|known| NamedValue {
        name: known.what.clone(),
        value: format!("{} ({})", known.value, known.source),
    });
    let known = known.collect();
    page(&GamePage { card, players, source: facts.source, facts: known, rules, can_open })
}

/// The players that rules name, in their order. Rules that compute their roles name none.
pub(super) fn roles(rules: &str) -> Vec<String> {
    player_roles(&syntax::read(rules, Syntax::Auto, &Limits::STANDARD).description)
}

/// The same of rules that were read.
pub(super) fn player_roles(rules: &Description) -> Vec<String> {
    let heads =
        rules.clauses.iter().filter(|clause| clause.body.is_empty() && clause.head.name() == Some("role"));
    let names = heads.filter_map(|clause| clause.head.arguments().first()).map(print_term);
    names.filter(|role| role != "random").collect()
}

#[get("/games/{name}/picture.svg")]
pub(super) async fn picture(context: Data<Context>, name: Path<String>) -> PageAnswer {
    let entry = catalogue().iter().find(|entry| entry.name == *name);
    let entry = entry.ok_or_else(|| Problem::absent("there is no picture of this game"))?;
    let svg = context.posters.of(entry).await?;
    Ok(HttpResponse::Ok()
        .content_type("image/svg+xml")
        .insert_header((CACHE_CONTROL, "public, max-age=3600"))
        .body(svg))
}
