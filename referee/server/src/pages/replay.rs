//! `/s/ID/hands/N`: a match of a session that is over, turn by turn: as the reader's own seat saw it, and, once the session is over, as
//! it was. `/m/ID`: any other match that is over, as it was.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse, get,
    web::{Data, Path, Query},
};
use croupier_games::{GameFacts, Scene, find};
use croupier_pages::{Markup, NamedValue, ReplayPage, ReplayStep};
use croupier_picture::Picture;
use croupier_referee::{Replay, ReplayTurn, read_records, replay};
use serde::Deserialize;
use tokio::task::spawn_blocking;

use super::{
    HTML, PageAnswer, page,
    panels::changes,
    reader::{TableReader, closed},
    screen::ScreenStep,
    see_other,
};
use crate::{
    api::{Context, records::review},
    outcome::MatchOutcome,
    problem::{Problem, Result},
    session::{Place, view::HandResult, view::SessionStatus},
    setup::StoredSetup,
};

/// What of a replay is shown.
#[derive(Debug, Deserialize)]
pub(super) struct ReplayQuery {
    seat: Option<Place>,
    turn: Option<usize>,
    /// `everyone`: as it was, and not as the own seat saw it.
    #[serde(rename = "as")]
    whose: Option<String>,
    /// `picture`: the picture alone.
    part: Option<String>,
}

/// A match as somebody may see it.
struct SeenHand {
    steps: Arc<Vec<ScreenStep>>,
    whose: String,
    view: String,
    badges: Vec<NamedValue>,
}

#[get("/s/{id}/hands/{index}")]
pub(super) async fn show(
    request: HttpRequest,
    context: Data<Context>,
    path: Path<(String, u64)>,
    query: Query<ReplayQuery>,
) -> PageAnswer {
    let (id, index) = path.into_inner();
    let reader = TableReader::of(&request, &context, &id, query.seat).await?;
    let view = reader.view();
    let hand = view.hands.iter().find(|hand| hand.index == index).cloned();
    let hand = hand.ok_or_else(|| Problem::absent("no such hand of the session is over"))?;
    let is_over = view.status == SessionStatus::Over;
    let as_everyone = query.whose.as_deref() == Some("everyone") || (is_over && reader.place.is_none());
    let seen = match as_everyone {
        true if !is_over => return Err(closed()),
        true => as_it_was(&context, &hand.match_id, reader.facts(&hand.roles)).await?,
        false => as_seen(&context, &reader, &hand).await?,
    };
    let address = |index: u64, rest: &str| format!("/s/{id}/hands/{index}{rest}");
    let mut others = vec![link("to the table", format!("/s/{id}"))];
    let hands = (1..=view.hands_played).filter(|&hand| hand + 1 == index || hand == index + 1);
    others.extend(hands.map(|hand| link(&format!("hand {hand}"), address(hand, ""))));
    if is_over && !as_everyone {
        others.push(link("as everyone", address(index, "?as=everyone")));
    } else if as_everyone && reader.place.is_some() {
        others.push(link("as your seat", address(index, "")));
    }
    shown(
        &query,
        ReplayPage {
            address: address(index, ""),
            title: format!("{}, hand {index}", view.title),
            whose: seen.whose,
            view: seen.view,
            others,
            badges: seen.badges,
            result: changes(&view, &hand.changes),
            ..ReplayPage::default()
        },
        &seen.steps,
    )
}

#[get("/m/{id}")]
pub(super) async fn show_alone(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
    query: Query<ReplayQuery>,
) -> PageAnswer {
    let stored = review(&request, &context, &id).await?;
    let setup = StoredSetup::read(&stored.setup)?;
    if let Some(hand) = &setup.session {
        return Ok(see_other(&format!("/s/{}/hands/{}", hand.session, hand.index)));
    }
    let game = setup.game.as_deref().unwrap_or("a game of its own");
    let mut facts =
        find(game).and_then(|entry| entry.facts().ok()).unwrap_or_else(|| GameFacts::unknown(game));
    let mut players = setup.public_descriptions();
    let taken = context.referee.store().players_of(&id).await?;
    players.extend(taken.into_iter().filter_map(|(role, name)| Some((role, name?))));
    let people: Vec<(&str, &str)> =
        players.iter().map(|(role, name)| (role.as_str(), name.as_str())).collect();
    facts.words = facts.words.naming(&people);
    let (title, facts) = (facts.title.clone(), Arc::new(facts));
    let seen = as_it_was(&context, &id, facts).await?;
    let goals = stored.outcome.as_deref().map(MatchOutcome::read).and_then(|outcome| outcome.goals);
    let goals = goals.unwrap_or_default().into_iter();
    let goals = goals.map(|(role, goal)| format!("{} {goal}", players.get(&role).unwrap_or(&role)));
    shown(
        &query,
        ReplayPage {
            address: format!("/m/{}", *id),
            title,
            whose: "as everyone, after the end".to_owned(),
            others: vec![link("its record", format!("/v1/matches/{}/record", *id))],
            badges: seen.badges,
            result: goals.collect::<Vec<_>>().join(", "),
            ..ReplayPage::default()
        },
        &seen.steps,
    )
}

fn link(name: &str, address: String) -> NamedValue {
    NamedValue { name: name.to_owned(), value: address }
}

/// The turn of a replay that was asked for: the page, or the picture alone.
fn shown(query: &ReplayQuery, replay: ReplayPage, steps: &[ScreenStep]) -> PageAnswer {
    let asked = query.turn.unwrap_or_default();
    let shown = steps.iter().position(|step| step.turn >= asked);
    let shown = shown.unwrap_or(steps.len().saturating_sub(1));
    let picture = steps.get(shown).map(|step| Markup::trusted(step.picture.html())).unwrap_or_default();
    if query.part.is_some() {
        return Ok(HttpResponse::Ok().content_type(HTML).body(picture.to_string()));
    }
    let steps = steps.iter().map(|step| ReplayStep { turn: step.turn, text: step.text.clone() });
    page(&ReplayPage { steps: steps.collect(), shown, picture, ..replay })
}

/// A match as a seat saw it, or those who watch.
async fn as_seen(context: &Context, reader: &TableReader, hand: &HandResult) -> Result<SeenHand> {
    let past = reader.past_hand(context, hand, reader.facts(&hand.roles)).await?;
    let whose = match past.is_own {
        true => "as your seat saw it",
        false => "as those who watch saw it",
    };
    let view = reader.place.map(|place| format!("&seat={place}")).unwrap_or_default();
    Ok(SeenHand { steps: past.steps, whose: whose.to_owned(), view, badges: Vec::new() })
}

/// A match as it was, from its record, which is replayed and so verified.
async fn as_it_was(context: &Context, match_id: &str, facts: Arc<GameFacts>) -> Result<SeenHand> {
    let record = context.referee.store().record(match_id).await?;
    let steps = spawn_blocking(move || replayed_steps(record.as_bytes(), &facts)).await.ok().flatten();
    let steps = steps.ok_or_else(|| {
        Problem::absent(
            "this match has no replay in pictures: programs read its record at /v1/matches/ID/record",
        )
    })?;
    let badge = |name: &str, value: &str| NamedValue { name: name.to_owned(), value: value.to_owned() };
    let badges = vec![
        badge("replays", "the rules, the seed and the moves of the record lead to every line of it again"),
        badge("sealed", "the seed was fixed before the first move, and is the one that was committed to"),
    ];
    let (whose, view) = ("as everyone, after the end".to_owned(), "&as=everyone".to_owned());
    Ok(SeenHand { steps: Arc::new(steps), whose, view, badges })
}

/// The turns of a record that replays.
fn replayed_steps(record: &[u8], facts: &GameFacts) -> Option<Vec<ScreenStep>> {
    let records = read_records(record).ok()?;
    let replayed = replay(records.first()?).ok()?;
    let game = replayed.header().game();
    let players: Vec<&str> = game.roles().players().map(|role| game.roles().name(role)).collect();
    let look = |state: &croupier_engine::State, before: &Scene| {
        let terms = game.state_terms(state);
        facts.scene(terms.iter().map(|term| &**term), []).after(before)
    };
    let mut scene = look(game.initial_state(), &Scene::nothing());
    let mut picture = Arc::new(Picture::of(facts, &scene, &players, None, None));
    let mut steps = vec![ScreenStep { turn: 0, text: String::new(), picture: Arc::clone(&picture) }];
    for turn in replayed.turns() {
        let text = played(&replayed, facts, turn, &scene);
        scene = look(&turn.successor, &scene);
        picture = Arc::new(Picture::of(facts, &scene, &players, None, Some(&picture)));
        steps.push(ScreenStep { turn: turn.turn as usize + 1, text, picture: Arc::clone(&picture) });
    }
    Some(steps)
}

/// What everybody played in a turn, in words.
fn played(replayed: &Replay, facts: &GameFacts, turn: &ReplayTurn, before: &Scene) -> String {
    let game = replayed.header().game();
    let moves = turn.joint_move.moves().iter().filter_map(|(role, &id)| {
        let term = game.move_text(id);
        let name = facts.words.symbol_text(game.roles().name(role));
        (&*term != "noop").then(|| format!("{name}: {}", facts.words.move_text_in(&term, before)))
    });
    moves.collect::<Vec<_>>().join("; ")
}
