//! `/s/ID`: the table for whoever sits there, hosts it or watches, and the stream of what changes.

use std::{future::pending, sync::Arc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::SET_COOKIE,
    web::{Bytes, Data, Path, Query},
};
use croupier_pages::{Markup, NextSession, Panels, TablePage};
use futures_util::stream;
use serde::Deserialize;
use tokio::{sync::watch, time::sleep};

use super::{
    PageAnswer,
    advice::AdvisedSeat,
    links::ShownLinks,
    next::address,
    page,
    panels::{ShownHand, ShownPanels, TableState, panels},
    reader::TableReader,
    screen::HandScreen,
};
use crate::{
    api::Context,
    forms::{form_key, form_token},
    metrics::{Counted, metrics},
    problem::Result,
    realtime::GameClock,
    session::{
        Place, ToMove,
        view::{HandResult, SessionStatus},
    },
    setup::Spectators,
};

/// The interval of lines that say nothing, so that nobody between takes the stream for dead.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// For how long changes are gathered before a page is told of them.
const GATHERED: Duration = Duration::from_millis(3);

/// Which of the seats that a browser has a page is of.
#[derive(Debug, Deserialize)]
pub(super) struct SeatQuery {
    pub(super) seat: Option<Place>,
}

/// The part of an address that says so; of whoever has no seat, nothing.
pub(super) fn seat_query(place: Option<Place>) -> String {
    place.map(|place| format!("?seat={place}")).unwrap_or_default()
}

#[get("/s/{id}")]
pub(super) async fn show(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
    query: Query<SeatQuery>,
) -> PageAnswer {
    let reader = TableReader::of(&request, &context, &id, query.seat).await?;
    let form = form_token(&request, &context.referee, context.is_encrypted)?;
    let mut table = TableStream::new(&request, reader, context.clone());
    let shown = table.look().await?;
    let reader = &table.reader;
    let view = reader.view();
    let seat = seat_query(reader.place);
    let mut response = page(&TablePage {
        id: view.id.clone(),
        title: view.title.clone(),
        reader: reader.words(),
        stream: format!("/s/{}/stream{seat}", view.id),
        place: reader.place,
        is_host: reader.is_host,
        has_chat: view.has_chat,
        csrf: form.value,
        key: form_key()?,
        trouble: None,
        panels: shown.panels,
    })?;
    if let Some(cookie) = form.cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

#[get("/s/{id}/stream")]
pub(super) async fn follow(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
    query: Query<SeatQuery>,
) -> PageAnswer {
    context.drain.refuse()?;
    let reader = TableReader::of(&request, &context, &id, query.seat).await?;
    let table = TableStream::new(&request, reader, context);
    let body = stream::unfold(table, |mut table| async {
        let event = table.next().await?;
        Some((Ok::<_, actix_web::Error>(event), table))
    });
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body))
}

/// The match that a stream shows.
struct Sight {
    index: u64,
    screen: watch::Receiver<Arc<HandScreen>>,
    to_move: watch::Receiver<ToMove>,
    /// The clock of a real-time match, once it runs.
    game_time: watch::Receiver<Option<GameClock>>,
    facts: Arc<croupier_games::GameFacts>,
    is_own: bool,
    /// The trainer's view of the seat, if the terms allow one.
    advice: Option<watch::Receiver<Arc<Markup>>>,
}

/// What one page is told: first everything, then what changes.
pub(super) struct TableStream {
    reader: TableReader,
    context: Data<Context>,
    /// Where links of this server begin.
    origin: String,
    links: ShownLinks,
    sight: Option<Sight>,
    /// What the page has; nothing before the first event, so that a page that comes back begins with all of it.
    shown: Option<ShownPanels>,
    events: u64,
    /// Changes when a session begins, which may be the one that follows.
    begun: watch::Receiver<()>,
    next: Option<NextSession>,
    _counted: Counted,
}

impl TableStream {
    fn new(request: &HttpRequest, reader: TableReader, context: Data<Context>) -> Self {
        let connection = request.connection_info();
        let origin = format!("{}://{}", connection.scheme(), connection.host());
        let _counted = Counted::in_gauge(&metrics().spectators);
        let begun = context.referee.sessions_begun();
        let (links, shown) = (ShownLinks::default(), None);
        Self { reader, context, origin, links, sight: None, shown, events: 0, begun, next: None, _counted }
    }

    /// The panels as they are now.
    pub(super) async fn look(&mut self) -> Result<ShownPanels> {
        self.find_hand().await;
        self.find_next().await;
        let mut reader = self.reader.clone();
        let state = self.state();
        // The host's role may have been handed on since.
        reader.is_host &= reader.handle.demand_host(&reader.guest).is_ok();
        let panels = panels(&reader, &state, self.shown.as_ref())?;
        Ok(ShownPanels { state, panels })
    }

    fn state(&mut self) -> TableState {
        let handle = &mut self.reader.handle;
        let links = self.reader.is_host.then(|| self.context.referee.links(handle, &self.reader.guest).ok());
        let links = links.flatten().map(|links| self.links.of(&links, &self.origin));
        let hand = self.sight.as_mut().map(|sight| ShownHand {
            index: sight.index,
            screen: Arc::clone(&sight.screen.borrow_and_update()),
            to_move: sight.to_move.borrow_and_update().clone(),
            game_time: *sight.game_time.borrow(),
            facts: Arc::clone(&sight.facts),
            is_own: sight.is_own,
            advice: sight.advice.as_mut().map(|advice| Arc::clone(&advice.borrow_and_update())),
        });
        TableState {
            view: Arc::clone(&handle.view.borrow_and_update()),
            hand,
            chat: Arc::clone(&handle.chat.borrow_and_update()),
            links,
            next: self.next.clone(),
        }
    }

    /// Turns to the match that is being played, if the reader may see it; between two matches the last one stays in sight.
    async fn find_hand(&mut self) {
        let hand = self.reader.handle.hand.borrow_and_update().as_ref().map(|hand| hand.index);
        if let Some(index) = hand {
            if self.sight.as_ref().is_some_and(|sight| sight.index == index) {
                return;
            }
            if let Some(sight) = self.own_hand().or_else(|| self.watched_hand()) {
                self.sight = Some(sight);
                // A screen that is just begun has nothing to show: what a page is first shown is worth a moment.
                if let Some(sight) = &mut self.sight {
                    let ready = sight.screen.wait_for(|screen| screen.frames > 0);
                    let _ = tokio::time::timeout(FIRST_LOOK, ready).await;
                }
                return;
            }
        }
        if self.sight.is_none() {
            self.sight = self.last_hand().await;
        }
    }

    /// Looks for the session that follows one that is over. Who was there when it began goes on to it, and who comes to look back later
    /// does not.
    async fn find_next(&mut self) {
        self.begun.borrow_and_update();
        let reader = &self.reader;
        if self.next.is_none() && reader.view().status == SessionStatus::Over {
            let next = self.context.referee.rematch_of(&reader.handle.id).await.ok().flatten();
            let is_new = self.events > 0;
            self.next =
                next.map(|_| NextSession { address: address(&reader.handle.id, reader.place), is_new });
        }
    }

    /// The match in which the reader has a seat.
    fn own_hand(&self) -> Option<Sight> {
        let reader = &self.reader;
        let place = reader.place?;
        let own = reader.handle.frames(&reader.guest, place).ok()?;
        let facts = reader.facts(&reader.view().hand.as_ref()?.roles);
        let (index, to_move, game_time) = (own.index, own.to_move.clone(), own.game_time.clone());
        let named = Arc::clone(&facts);
        let frames = super::screens::SeatFrames::from(own);
        let (context, referee) = (&self.context, &self.context.referee);
        let screen = context.screens.follow(referee, frames.clone(), Some(place), named);
        let advice = reader.view().terms.trainer.then(|| {
            let seat = AdvisedSeat { frames, place, facts: Arc::clone(&facts), screen: screen.clone() };
            context.advice.follow(referee, seat)
        });
        Some(Sight { index, screen, to_move, game_time, facts, is_own: true, advice })
    }

    /// The match as those see it who have no seat in it.
    fn watched_hand(&self) -> Option<Sight> {
        let reader = &self.reader;
        let view = reader.view();
        let policy = view.terms.spectators;
        if policy == Spectators::Sealed {
            return None;
        }
        let hand = reader.handle.hand.borrow().clone()?;
        let facts = reader.facts(&view.hand.as_ref()?.roles);
        let frames = super::screens::SeatFrames::for_watchers(&hand, policy)?;
        let named = Arc::clone(&facts);
        let screen = self.context.screens.follow(&self.context.referee, frames, None, named);
        let (_, to_move) = watch::channel(ToMove::default());
        let game_time = hand.handle.game_time.clone();
        Some(Sight { index: hand.index, screen, to_move, game_time, facts, is_own: false, advice: None })
    }

    /// The last match that is over, as the reader saw it.
    async fn last_hand(&self) -> Option<Sight> {
        let reader = &self.reader;
        let view = reader.view();
        let has_seat = |hand: &&HandResult| hand.roles.values().any(|other| reader.place == Some(*other));
        let own = view.hands.iter().rev().find(has_seat);
        let last = own.or_else(|| view.hands.iter().max_by_key(|hand| hand.index))?;
        let facts = reader.facts(&last.roles);
        let past = reader.past_hand(&self.context, last, Arc::clone(&facts)).await.ok()?;
        let (_, screen) = watch::channel(Arc::new(past.screen));
        let (_, to_move) = watch::channel(ToMove::default());
        let (_, game_time) = watch::channel(None);
        let is_own = past.is_own;
        Some(Sight { index: last.index, screen, to_move, game_time, facts, is_own, advice: None })
    }

    /// The next events; `None` when the stream ends, and the page comes back by itself.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let shown = self.look().await.ok()?;
            let text = self.events(&shown.panels);
            self.shown = Some(shown);
            if let Some(text) = text {
                return Some(text);
            }
            if !self.wait().await? {
                return Some(Bytes::from_static(b": still here\n\n"));
            }
            // A move changes several things, one after the other: they are looked at together.
            sleep(GATHERED).await;
        }
    }

    /// The panels that are new, as events of which the last has an id: all of one moment, or none.
    fn events(&mut self, panels: &Panels) -> Option<Bytes> {
        let mut text = String::new();
        let nothing = Panels::default();
        let had = self.shown.as_ref().map_or(&nothing, |shown| &shown.panels);
        for (panel, contents) in panels.changes(had) {
            text.push_str("event: ");
            text.push_str(panel.as_str());
            for line in contents.as_str().lines() {
                text.push_str("\ndata: ");
                text.push_str(line);
            }
            // An event without data is none.
            if contents.is_empty() {
                text.push_str("\ndata: <!---->");
            }
            text.push_str("\n\n");
        }
        if text.is_empty() {
            return None;
        }
        if self.events == 0 {
            text.insert_str(0, RETRY);
        }
        self.events += 1;
        let (index, frames) =
            self.sight.as_ref().map_or((0, 0), |sight| (sight.index, sight.screen.borrow().frames));
        // Before the blank line that ends the last event.
        text.truncate(text.len() - 1);
        text.push_str(&format!("id: {index}.{frames}.{}\n\n", self.events));
        Some(text.into())
    }

    /// Waits until something may have changed: whether it has; false if it is time for a sign of life, `None` at the end.
    async fn wait(&mut self) -> Option<bool> {
        let handle = &mut self.reader.handle;
        let is_over = handle.view.borrow().status == SessionStatus::Over;
        let (screen, to_move, advice) = match &mut self.sight {
            Some(sight) => (Some(&mut sight.screen), Some(&mut sight.to_move), sight.advice.as_mut()),
            None => (None, None, None),
        };
        tokio::select! {
            changed = handle.view.changed(), if !is_over => changed.is_ok().then_some(true),
            () = changed(Some(&mut handle.hand)) => Some(true),
            () = changed(Some(&mut handle.chat)) => Some(true),
            () = changed(Some(&mut handle.secrets)) => Some(true),
            () = changed(Some(&mut self.begun)), if is_over => Some(true),
            () = changed(screen) => Some(true),
            () = changed(to_move) => Some(true),
            () = changed(advice) => Some(true),
            () = sleep(HEARTBEAT) => Some(false),
            () = self.context.drain.begun() => None,
        }
    }
}

/// How soon a browser whose stream has ended asks again, in milliseconds.
const RETRY: &str = "retry: 1000\n\n";

/// How long a page waits for the first picture of a match.
const FIRST_LOOK: Duration = Duration::from_millis(400);

/// Waits until a value changes; for ever if nobody changes it any more.
async fn changed<T>(value: Option<&mut watch::Receiver<T>>) {
    if let Some(value) = value
        && value.changed().await.is_ok()
    {
        return;
    }
    pending().await
}
