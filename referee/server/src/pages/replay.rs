//! `/s/ID/hands/N`: a match of a session that is over, turn by turn: as the reader's own seat saw it, and, once the session is over, as
//! it was.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse, get,
    web::{Data, Path, Query},
};
use croupier_games::{GameFacts, Scene};
use croupier_pages::{Markup, NamedValue, ReplayPage, ReplayStep};
use croupier_picture::{KeyMoment, Picture};
use croupier_referee::{Replay, ReplayTurn, read_records, replay};
use serde::Deserialize;
use tokio::task::spawn_blocking;

use super::{HTML, PageAnswer, page, panels::changes, reader::TableReader, screen::ScreenStep};
use crate::{
    api::Context,
    problem::{Problem, ProblemCode, Result},
    session::{Place, view::HandResult, view::SessionStatus},
};

/// What of a replay is shown.
#[derive(Debug, Deserialize)]
pub(super) struct ReplayQuery {
    seat: Option<Place>,
    turn: Option<usize>,
    /// `everyone`: as it was, and not as the own seat saw it.
    #[serde(rename = "as")]
    whose: Option<String>,
    /// `picture`: the picture alone; `review`: what the decisions of the own seat gave up.
    part: Option<String>,
}

/// A match as somebody may see it.
struct SeenHand {
    steps: Arc<Vec<ScreenStep>>,
    whose: String,
    view: String,
    badges: Vec<NamedValue>,
    downloads: Vec<NamedValue>,
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
    // A review of one's own decisions is advice for the next match: where the terms have no trainer, it comes when the session is over.
    let is_reviewed = !as_everyone && reader.place.is_some() && (is_over || view.terms.trainer);
    if query.part.as_deref() == Some("review") {
        let place = reader.place.filter(|_| is_reviewed).ok_or_else(unreviewed)?;
        let told = context.referee.earlier_frames(&reader.handle, &reader.guest, place, index).await?;
        let review = context.advice.review(&context.referee, told, reader.facts(&hand.roles)).await?;
        return Ok(HttpResponse::Ok().content_type(HTML).body(review.to_string()));
    }
    let seen = match (as_everyone, reader.place) {
        (true, _) if !is_over => return Err(closed()),
        (true, _) => as_it_was(&context, &reader, &hand).await?,
        (false, Some(place)) => as_seen(&context, &reader, &hand, place).await?,
        (false, None) => return Err(closed()),
    };
    let asked = query.turn.unwrap_or_default();
    let shown = seen.steps.iter().position(|step| step.turn >= asked);
    let shown = shown.unwrap_or(seen.steps.len().saturating_sub(1));
    let picture = seen.steps.get(shown).map(|step| Markup::trusted(step.picture.html())).unwrap_or_default();
    if query.part.is_some() {
        return Ok(HttpResponse::Ok().content_type(HTML).body(picture.to_string()));
    }
    let address = |rest: &str| format!("/s/{id}/hands/{index}{rest}");
    let others = others(&address(""), is_over, as_everyone, reader.place.is_some());
    let review = match is_reviewed {
        true => address(&format!("?part=review{}", seen.view)),
        false => String::new(),
    };
    page(&ReplayPage {
        moments: moments(&seen.steps),
        review,
        downloads: seen.downloads,
        index,
        hands: view.hands_played,
        title: view.title.clone(),
        whose: seen.whose,
        view: seen.view,
        others,
        badges: seen.badges,
        result: changes(&view, &hand.changes),
        steps: seen
            .steps
            .iter()
            .map(|step| ReplayStep { turn: step.turn, text: step.text.clone() })
            .collect(),
        shown,
        picture,
        id,
    })
}

/// Where the reader can see the match otherwise.
fn others(address: &str, is_over: bool, as_everyone: bool, has_seat: bool) -> Vec<NamedValue> {
    let named = |name: &str, value: String| vec![NamedValue { name: name.to_owned(), value }];
    match (is_over, as_everyone) {
        (true, false) => named("as everyone", format!("{address}?as=everyone")),
        (_, true) if has_seat => named("as your seat", address.to_owned()),
        _ => Vec::new(),
    }
}

/// The turns to jump to.
fn moments(steps: &[ScreenStep]) -> Vec<NamedValue> {
    let moments = KeyMoment::all(steps.iter().map(|step| &*step.picture)).into_iter();
    let turn = |moment: KeyMoment| {
        let turn = steps.get(moment.turn)?.turn;
        Some(NamedValue { name: moment.text, value: turn.to_string() })
    };
    moments.filter_map(turn).collect()
}

/// Why there is no review.
fn unreviewed() -> Problem {
    ProblemCode::Held.because("the decisions of a seat are shown to those who sat there, where the session has a trainer, or when it is over")
}

/// What a hand hides stays hidden until the session is over.
fn closed() -> Problem {
    ProblemCode::Held.because("the hands of a session are open to everybody when the session is over; until then, to those who sat there")
}

/// A match as a seat saw it.
async fn as_seen(
    context: &Context,
    reader: &TableReader,
    hand: &HandResult,
    place: Place,
) -> Result<SeenHand> {
    let referee = &context.referee;
    let told = referee.earlier_frames(&reader.handle, &reader.guest, place, hand.index).await?;
    let facts = reader.facts(&hand.roles);
    let (_, steps) = context.screens.past(referee, told, facts).await?;
    let view = format!("&seat={place}");
    Ok(SeenHand {
        steps,
        whose: "as your seat saw it".to_owned(),
        view,
        badges: Vec::new(),
        downloads: Vec::new(),
    })
}

/// A match as it was, from its record, which is replayed and so verified.
async fn as_it_was(context: &Context, reader: &TableReader, hand: &HandResult) -> Result<SeenHand> {
    let record = context.referee.store().record(&hand.match_id).await?;
    let facts = reader.facts(&hand.roles);
    let is_poker = facts.hand_history.is_some();
    let steps = spawn_blocking(move || replayed_steps(record.as_bytes(), &facts)).await.ok().flatten();
    let steps = steps.ok_or_else(Problem::lost)?;
    let badge = |name: &str, value: &str| NamedValue { name: name.to_owned(), value: value.to_owned() };
    let badges = vec![
        badge("replays", "the rules, the seed and the moves of the record lead to every line of it again"),
        badge("sealed", "the seed was fixed before the first move, and is the one that was committed to"),
    ];
    let (whose, view) = ("as everyone, after the end".to_owned(), "&as=everyone".to_owned());
    let (id, named) =
        (&hand.match_id, |name: &str, value: String| NamedValue { name: name.to_owned(), value });
    let mut downloads = vec![named("the record of the hand", format!("/v1/matches/{id}/record"))];
    downloads.extend(is_poker.then(|| named("the hand history (PHH)", format!("/v1/matches/{id}/hand"))));
    Ok(SeenHand { steps: Arc::new(steps), whose, view, badges, downloads })
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
