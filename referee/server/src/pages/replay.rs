//! `/s/ID/hands/N`: a match of a session that is over, turn by turn: as the reader's own seat saw it, and, once the session is over, as
//! it was. `/m/ID`: any other match that is over, as it was.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse, get,
    web::{Data, Path, Query},
};
use croupier_engine::realtime::seconds;
use croupier_games::{GameFacts, Scene, find};
use croupier_pages::{Markup, NamedValue, ReplayPage, ReplayStep};
use croupier_picture::{KeyMoment, Picture};
use croupier_referee::{
    Replay, ReplayTurn, read_records,
    realtime::{is_real_time_record, read_real_time_records, replay_real_time},
    replay,
};
use serde::Deserialize;

use super::{
    HTML, PageAnswer, page,
    panels::changes,
    people::players,
    reader::{TableReader, closed},
    screen::ScreenStep,
    see_other,
};
use crate::{
    api::{Context, records::review},
    outcome::MatchOutcome,
    problem::{Problem, ProblemCode, Result},
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
    /// `picture`: the picture alone; `review`: what the decisions of the own seat gave up.
    part: Option<String>,
}

/// A match as somebody may see it.
struct SeenHand {
    turns: SeenTurns,
    whose: String,
    view: String,
    badges: Vec<NamedValue>,
    downloads: Vec<NamedValue>,
}

/// The turns of a match, from the beginning.
enum SeenTurns {
    /// As a seat saw them.
    Seat(Arc<Vec<ScreenStep>>),
    /// As they were: of each what happened, then the picture in HTML, then why one might jump to it, if for anything.
    Record(Arc<[Arc<str>]>),
}

/// Texts of each turn of a record.
const PARTS: usize = 3;

impl SeenTurns {
    fn steps(&self) -> Vec<ReplayStep> {
        match self {
            Self::Seat(steps) => {
                steps.iter().map(|step| ReplayStep { turn: step.turn, text: step.text.clone() }).collect()
            }
            Self::Record(texts) => {
                let told = texts.iter().step_by(PARTS).enumerate();
                told.map(|(turn, text)| ReplayStep { turn, text: text.to_string() }).collect()
            }
        }
    }

    /// The turns to jump to.
    fn moments(&self) -> Vec<NamedValue> {
        match self {
            Self::Seat(steps) => {
                let moments = KeyMoment::all(steps.iter().map(|step| &*step.picture)).into_iter();
                let turn =
                    |moment: KeyMoment| Some(link(&moment.text, steps.get(moment.turn)?.turn.to_string()));
                moments.filter_map(turn).collect()
            }
            Self::Record(texts) => {
                let named = texts.iter().skip(PARTS - 1).step_by(PARTS).enumerate();
                let named = named.filter(|(_, text)| !text.is_empty());
                named.map(|(turn, text)| link(text, turn.to_string())).collect()
            }
        }
    }

    /// What was on the table at a step.
    fn picture(&self, step: usize) -> Markup {
        let html = match self {
            Self::Seat(steps) => steps.get(step).map(|step| step.picture.html()),
            Self::Record(texts) => texts.get(PARTS * step + 1).map(|html| html.to_string()),
        };
        html.map(Markup::trusted).unwrap_or_default()
    }
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
    let reviewed = reader.place.filter(|_| !as_everyone && (is_over || view.terms.trainer));
    if query.part.as_deref() == Some("review") {
        return reviewed_decisions(&context, &reader, &hand, reviewed).await;
    }
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
            review: reviewed
                .map(|_| address(index, &format!("?part=review{}", seen.view)))
                .unwrap_or_default(),
            view: seen.view,
            others,
            badges: seen.badges,
            downloads: seen.downloads,
            result: changes(&view, &hand.changes),
            ..ReplayPage::default()
        },
        &seen.turns,
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
    let players = players(&context, &id, &setup).await?;
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
            badges: seen.badges,
            downloads: seen.downloads,
            result: goals.collect::<Vec<_>>().join(", "),
            ..ReplayPage::default()
        },
        &seen.turns,
    )
}

fn link(name: &str, address: String) -> NamedValue {
    NamedValue { name: name.to_owned(), value: address }
}

/// The turn of a replay that was asked for: the page, or the picture alone.
fn shown(query: &ReplayQuery, replay: ReplayPage, turns: &SeenTurns) -> PageAnswer {
    let (asked, steps) = (query.turn.unwrap_or_default(), turns.steps());
    let shown = steps.iter().position(|step| step.turn >= asked);
    let shown = shown.unwrap_or(steps.len().saturating_sub(1));
    let picture = turns.picture(shown);
    if query.part.is_some() {
        return Ok(HttpResponse::Ok().content_type(HTML).body(picture.to_string()));
    }
    page(&ReplayPage { steps, shown, picture, moments: turns.moments(), ..replay })
}

/// What the decisions of a seat gave up, as a part of the page of its match.
async fn reviewed_decisions(
    context: &Context,
    reader: &TableReader,
    hand: &HandResult,
    place: Option<Place>,
) -> PageAnswer {
    let place = place.ok_or_else(|| {
        ProblemCode::Held.because("the decisions of a seat are shown to those who sat there, where the session has a trainer, or when it is over")
    })?;
    let told = context.referee.earlier_frames(&reader.handle, &reader.guest, place, hand.index).await?;
    let review = context.advice.review(&context.referee, told, reader.facts(&hand.roles)).await?;
    Ok(HttpResponse::Ok().content_type(HTML).body(review.to_string()))
}

/// A match as a seat saw it, or those who watch.
async fn as_seen(context: &Context, reader: &TableReader, hand: &HandResult) -> Result<SeenHand> {
    let past = reader.past_hand(context, hand, reader.facts(&hand.roles)).await?;
    let whose = match past.is_own {
        true => "as your seat saw it",
        false => "as those who watch saw it",
    };
    let view = reader.place.map(|place| format!("&seat={place}")).unwrap_or_default();
    Ok(SeenHand {
        turns: SeenTurns::Seat(past.steps),
        whose: whose.to_owned(),
        view,
        badges: Vec::new(),
        downloads: Vec::new(),
    })
}

/// A match as it was, from its record, which is replayed and so verified: once, however many look at it.
async fn as_it_was(context: &Context, match_id: &str, facts: Arc<GameFacts>) -> Result<SeenHand> {
    let is_poker = facts.hand_history.is_some();
    let record = async { Ok(context.referee.store().record(match_id).await?) };
    let replayed = context.referee.replays.of(format!("{match_id} pictures"), record, move |record| {
        let record = record.as_bytes();
        let texts = match is_real_time_record(record) {
            true => timed_texts(record, &facts),
            false => replayed_texts(record, &facts),
        };
        texts.ok_or_else(|| {
            let detail =
                "this match has no replay in pictures: programs read its record at /v1/matches/ID/record";
            Problem::absent(detail)
        })
    });
    let turns = SeenTurns::Record(replayed.await?);
    let badge = |name: &str, value: &str| NamedValue { name: name.to_owned(), value: value.to_owned() };
    let badges = vec![
        badge("replays", "the rules, the seed and the moves of the record lead to every line of it again"),
        badge("sealed", "the seed was fixed before the first move, and is the one that was committed to"),
    ];
    let (whose, view) = ("as everyone, after the end".to_owned(), "&as=everyone".to_owned());
    let mut downloads = vec![link("the record of the match", format!("/v1/matches/{match_id}/record"))];
    downloads
        .extend(is_poker.then(|| link("the hand history (PHH)", format!("/v1/matches/{match_id}/hand"))));
    Ok(SeenHand { turns, whose, view, badges, downloads })
}

/// The turns of a record that replays, as [`SeenTurns::Record`] has them.
fn replayed_texts(record: &[u8], facts: &GameFacts) -> Option<Arc<[Arc<str>]>> {
    let records = read_records(record).ok()?;
    let replayed = replay(records.first()?).ok()?;
    let game = replayed.header().game();
    let players: Vec<&str> = game.roles().players().map(|role| game.roles().name(role)).collect();
    let look = |state: &croupier_engine::State, before: &Scene| {
        let terms = game.state_terms(state);
        facts.scene(terms.iter().map(|term| &**term), []).after(before)
    };
    let mut scene = look(game.initial_state(), &Scene::nothing());
    let mut pictures = vec![Picture::of(facts, &scene, &players, None, None)];
    let mut told = vec![String::new()];
    for turn in replayed.turns() {
        told.push(played(&replayed, facts, turn, &scene));
        scene = look(&turn.successor, &scene);
        pictures.push(Picture::of(facts, &scene, &players, None, pictures.last()));
    }
    Some(in_parts(&pictures, told))
}

/// The turns with these pictures, and with what happened before each.
fn in_parts(pictures: &[Picture], told: Vec<String>) -> Arc<[Arc<str>]> {
    let mut moments = KeyMoment::all(pictures).into_iter().peekable();
    let parts = pictures.iter().zip(told).enumerate().flat_map(|(turn, (picture, told))| {
        let moment = moments.next_if(|moment| moment.turn == turn);
        [told, picture.html(), moment.map(|moment| moment.text).unwrap_or_default()]
    });
    parts.map(Arc::from).collect()
}

/// The same of the updates of a real-time record.
fn timed_texts(record: &[u8], facts: &GameFacts) -> Option<Arc<[Arc<str>]>> {
    let records = read_real_time_records(record).ok()?;
    let replayed = replay_real_time(records.first()?).ok()?;
    let game = replayed.header().game();
    let players: Vec<&str> = game.roles().players().map(|role| game.roles().name(role)).collect();
    let (mut scene, mut pictures, mut told) = (Scene::nothing(), Vec::<Picture>::new(), Vec::new());
    for update in replayed.updates() {
        let terms = game.state_terms(&update.state);
        scene = facts.scene(terms.iter().map(|(_, fluent)| &**fluent), []).after(&scene);
        pictures.push(Picture::of(facts, &scene, &players, None, pictures.last()));
        let words = &facts.words;
        let moves = update
            .moves
            .iter()
            .map(|(role, played)| format!("{}: {}", words.symbol_text(role), words.move_text(played)));
        let ended = game.expired_terms(&update.state);
        let ended = ended.iter().map(|fluent| words.fluent_text(fluent)).filter(|text| !text.is_empty());
        let happened: Vec<String> = moves.chain(ended.map(|text| format!("no longer: {text}"))).collect();
        told.push(format!("{} s {}", seconds(update.at_us), happened.join("; ")));
    }
    Some(in_parts(&pictures, told))
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
