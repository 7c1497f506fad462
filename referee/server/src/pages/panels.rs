//! The panels of a table for one reader: what is shown follows from what the reader's keys open, and from nothing else.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_games::{GameFacts, Scene};
use croupier_pages::{
    ChatPanel, ChatRow, ClockPanel, HandRow, HostPanel, HostSeat, Markup, MovesPanel, NextSession, Panel,
    Panels, SeatRow, SessionPanel, SharedLink, StoryPanel, TableControl, render,
};
use croupier_picture::{MoveChoice, Picture};
use croupier_referee::Digest;

use super::{opening, reader::TableReader, screen::HandScreen, timed_screen::ScreenTime};
use crate::{
    clock,
    problem::Result,
    realtime::GameClock,
    session::{
        ChatLine, SessionView, ToMove,
        view::{Occupant, SeatLine, SessionStatus},
    },
};

/// What stands above a table of which nothing is proved.
const UNPROVED: &str =
    "What you were told does not prove what is on the table. The story says what you were told.";

/// What a table shows to its reader at some time.
#[derive(Clone, Debug)]
pub(super) struct TableState {
    pub(super) view: Arc<SessionView>,
    /// The match that is shown, from 1, as far as the reader sees it.
    pub(super) hand: Option<ShownHand>,
    pub(super) chat: Arc<[ChatLine]>,
    /// The links, for the host.
    pub(super) links: Option<Arc<[SharedLink]>>,
    /// The way to the session that follows, once there is one.
    pub(super) next: Option<NextSession>,
}

impl TableState {
    /// Whether another one shows the very screen that this one shows.
    fn shows_screen_of(&self, other: &Self) -> bool {
        match (&self.hand, &other.hand) {
            (Some(one), Some(other)) => one.index == other.index && Arc::ptr_eq(&one.screen, &other.screen),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

/// A match of the session as a reader sees it.
#[derive(Clone, Debug)]
pub(super) struct ShownHand {
    pub(super) index: u64,
    pub(super) screen: Arc<HandScreen>,
    pub(super) to_move: ToMove,
    /// The clock of a real-time match, once it runs.
    pub(super) game_time: Option<GameClock>,
    pub(super) facts: Arc<GameFacts>,
    /// Whether the reader plays in it.
    pub(super) is_own: bool,
    /// The trainer's view, if the terms allow one and it is worked out.
    pub(super) advice: Option<Arc<Markup>>,
}

impl ShownHand {
    /// What a move is sent for, if one may be made now: the turn, or in real time, where nobody is asked, the frames that were seen.
    fn asked(&self) -> Option<u32> {
        match &self.screen.time {
            _ if !self.is_own || self.screen.is_over => None,
            Some(_) if self.screen.moves.texts.is_empty() => None,
            Some(_) => u32::try_from(self.screen.frames).ok(),
            None => self.to_move.turn,
        }
    }

    /// Whether the table is drawn as it is in the turn for which a move is awaited.
    fn is_current(&self) -> bool {
        self.screen.time.is_some() || self.to_move.turn.is_none_or(|turn| self.screen.turns == turn as usize)
    }

    /// What may be chosen now.
    pub(super) fn choices(&self) -> Vec<MoveChoice> {
        // What the match itself has worked out is what it takes; before that the page may have worked out the same.
        let moves: Vec<&str> = match self.to_move.possible.as_slice() {
            [] => self.screen.moves.texts.iter().map(|text| &**text).collect(),
            known => known.iter().map(String::as_str).collect(),
        };
        if !self.is_current() {
            // The words that fit an earlier table may say what is not so any more, such as an amount to call. Keys come with the table:
            // they follow its words, and none may come to mean another move under somebody's finger.
            let mut choices = Picture::default().choices(&self.facts, &Scene::nothing(), &moves);
            choices.iter_mut().for_each(|choice| choice.key = None);
            return choices;
        }
        self.screen.picture.choices(&self.facts, &self.screen.scene, &moves)
    }
}

/// What a reader has been shown, and the panels that it was shown in.
#[derive(Clone, Debug)]
pub(super) struct ShownPanels {
    pub(super) state: TableState,
    pub(super) panels: Panels,
}

/// All panels of a table. `before` are those that the reader has: a clock that runs there already is not sent again, and what nothing has
/// changed is not written anew.
///
/// # Errors
/// [`Problem`](crate::problem::Problem) if one cannot be written.
pub(super) fn panels(
    reader: &TableReader,
    state: &TableState,
    before: Option<&ShownPanels>,
) -> Result<Panels> {
    let mut panels = Panels::default();
    let nothing = Panels::default();
    let had = before.map_or(&nothing, |before| &before.panels);
    let has_view = before.is_some_and(|before| Arc::ptr_eq(&before.state.view, &state.view));
    let has_screen = before.is_some_and(|before| before.state.shows_screen_of(state));
    panels.set(Panel::Table, if has_screen { had.of(Panel::Table).clone() } else { table(state) });
    panels.set(Panel::Moves, moves(reader, state)?);
    panels.set(Panel::Clock, time(state, had)?);
    let has_story = has_view && has_screen;
    panels.set(Panel::Story, if has_story { had.of(Panel::Story).clone() } else { story(state)? });
    let advice = state.hand.as_ref().and_then(|hand| hand.advice.as_deref());
    panels.set(Panel::Belief, advice.cloned().unwrap_or_default());
    let has_session = has_view && before.is_some_and(|before| before.state.next == state.next);
    panels.set(
        Panel::Session,
        if has_session { had.of(Panel::Session).clone() } else { session(reader, state)? },
    );
    if reader.is_host {
        panels.set(Panel::Host, host(state)?);
    }
    if state.view.has_chat {
        let lines = state.chat.iter().map(|line| ChatRow {
            number: line.number,
            name: line.name.clone(),
            text: line.text.clone(),
        });
        panels.set(Panel::Chat, markup(&ChatPanel { lines: lines.collect() })?);
    }
    Ok(panels)
}

fn markup(template: &impl askama::Template) -> Result<Markup> {
    let html = render(template).map_err(|error| {
        tracing::error!(%error, "panel");
        crate::problem::ProblemCode::Internal
    })?;
    Ok(Markup::trusted(html))
}

fn table(state: &TableState) -> Markup {
    match &state.hand {
        Some(hand) if hand.screen.time.as_ref().is_some_and(|time| time.is_unproved) => {
            Markup::trusted(format!("<p class=\"quiet\">{UNPROVED}</p>{}", hand.screen.picture.html()))
        }
        Some(hand) => Markup::trusted(hand.screen.picture.html()),
        None => Markup::default(),
    }
}

/// What may be chosen, and what is waited for.
fn moves(reader: &TableReader, state: &TableState) -> Result<Markup> {
    let hand = state.hand.as_ref();
    let asked = hand.and_then(ShownHand::asked);
    let choices = match (hand, asked) {
        (Some(hand), Some(_)) => hand.choices(),
        _ => Vec::new(),
    };
    let in_the_dark = hand.is_some_and(|hand| {
        hand.to_move.legal.is_none() && hand.is_current() && !hand.screen.moves.are_alike
    });
    markup(&MovesPanel {
        hand: hand.map_or(0, |hand| u32::try_from(hand.index).unwrap_or(u32::MAX)),
        turn: asked.unwrap_or_default(),
        status: status(reader, state, asked.is_some(), choices.is_empty()),
        is_asked: asked.is_some(),
        in_the_dark,
        choices: &choices,
    })
}

/// What is going on, in words. Who is waited for is said where the reader's own information proves it.
fn status(reader: &TableReader, state: &TableState, is_asked: bool, is_empty: bool) -> String {
    let view = &state.view;
    let in_time = state.hand.as_ref().filter(|hand| !hand.screen.is_over);
    if let Some(time) = in_time.and_then(|hand| hand.screen.time.as_ref()) {
        return match (time.has_begun, is_asked) {
            (false, _) => "The match is about to begin",
            (true, true) => "Move whenever you like",
            (true, false) if reader.place.is_some() => "No move for you now",
            (true, false) => "The match runs",
        }
        .to_owned();
    }
    match (view.status, &state.hand) {
        (SessionStatus::Over, _) => view.ending.clone().unwrap_or_else(|| "The session is over.".to_owned()),
        (_, Some(_)) if is_asked && is_empty => "Your turn: working out your moves".to_owned(),
        (_, Some(hand)) if is_asked && !hand.is_current() => {
            "Your turn; the table is being worked out".to_owned()
        }
        (_, Some(_)) if is_asked => "Your turn".to_owned(),
        (SessionStatus::Waiting, _) if view.seats.iter().any(|seat| seat.occupant == Occupant::Free) => {
            "Waiting for people to take the free seats".to_owned()
        }
        (SessionStatus::Waiting, _) if reader.is_host => "Everybody is here: start when you like".to_owned(),
        (SessionStatus::Waiting, _) => "Waiting for the host to start".to_owned(),
        (SessionStatus::Paused, _) if view.hand.is_none() => "The session is paused".to_owned(),
        (_, Some(hand)) if hand.screen.frames == 0 && !hand.is_own => {
            "A hand is being played; those who watch see it later".to_owned()
        }
        (_, Some(hand)) if hand.screen.is_over => "This hand is over".to_owned(),
        (_, Some(hand)) => match hand.screen.to_move.as_deref() {
            Some([]) | None => "Waiting for the others".to_owned(),
            Some(names) => format!("Waiting for {}", names.join(" and ")),
        },
        (_, None) if view.hand.is_some() => {
            "A hand is being played. What it hides stays closed until the session is over.".to_owned()
        }
        (_, None) if view.lacks_seats => "Waiting for enough seats that can be dealt in".to_owned(),
        (_, None) => "Waiting for the next hand".to_owned(),
    }
}

fn time(state: &TableState, before: &Panels) -> Result<Markup> {
    let Some(hand) = &state.hand else { return Ok(Markup::default()) };
    if let Some(time) = &hand.screen.time {
        return countdowns(hand, time, before);
    }
    let (Some(turn), Some(until)) = (hand.to_move.turn, hand.to_move.clock_until) else {
        return Ok(Markup::default());
    };
    let mark = format!("{}-{turn}", hand.index);
    let known = before.of(Panel::Clock);
    if known.as_str().contains(&format!("data-mark=\"{mark}\"")) {
        return Ok(known.clone());
    }
    let left = |until: std::time::Instant| until.saturating_duration_since(clock::now());
    let (clock, all) = (left(until), hand.to_move.until.map_or(Duration::ZERO, left));
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let (remaining_ms, bank_ms) = (ms(clock), ms(all.saturating_sub(clock)));
    markup(&ClockPanel { remaining_ms, bank_ms, mark, label: String::new() })
}

/// What a real-time match counts down to: its beginning, what ends next, and its end if nobody moves.
fn countdowns(hand: &ShownHand, time: &ScreenTime, before: &Panels) -> Result<Markup> {
    let begins = hand.to_move.clock_until.filter(|_| !time.has_begun);
    let mut counted: Vec<(String, Instant)> =
        begins.into_iter().map(|at| ("the match begins".to_owned(), at)).collect();
    if let Some(clock) = &hand.game_time {
        let ends = time.ends.iter().map(|(at_us, words)| (words.clone(), clock.instant(*at_us)));
        let over = time.over_us.map(|at_us| ("the end, if nobody moves".to_owned(), clock.instant(at_us)));
        counted.extend(ends.chain(over));
    }
    let instants = (&time.ends, time.over_us, begins.is_some());
    let mark = Digest::of(format!("{}{instants:?}", hand.index).as_bytes()).to_string();
    let mark = &mark[..16];
    let known = before.of(Panel::Clock);
    if !counted.is_empty() && known.as_str().contains(&format!("data-mark=\"{mark}-0\"")) {
        return Ok(known.clone());
    }
    let mut panel = String::new();
    for (place, (label, at)) in counted.into_iter().enumerate() {
        let left = at.saturating_duration_since(clock::now());
        let remaining_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        let shown = ClockPanel { remaining_ms, bank_ms: 0, mark: format!("{mark}-{place}"), label };
        panel.push_str(markup(&shown)?.as_str());
    }
    Ok(Markup::trusted(panel))
}

fn story(state: &TableState) -> Result<Markup> {
    let Some(hand) = &state.hand else { return Ok(Markup::default()) };
    let result = state.view.hands.iter().find(|result| result.index == hand.index);
    let end = result.map(|result| changes(&state.view, &result.changes));
    markup(&StoryPanel {
        hand: u32::try_from(hand.index).unwrap_or(u32::MAX),
        lines: &hand.screen.story,
        end: end.as_deref(),
    })
}

/// What a match changed in the totals, in words.
pub(super) fn changes(view: &SessionView, changes: &std::collections::BTreeMap<u32, f64>) -> String {
    let name = |place: &u32| {
        let seat = view.seats.iter().find(|seat| seat.place == *place);
        seat.and_then(|seat| seat.name.clone()).unwrap_or_else(|| format!("seat {place}"))
    };
    let parts: Vec<String> =
        changes.iter().map(|(place, change)| format!("{} {}", name(place), signed(*change))).collect();
    format!("{} {}", parts.join(", "), view.terms.unit)
}

/// `+4`, `-2.50`, `0`.
fn signed(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        whole if whole.fract() == 0.0 => format!("{whole:+.0}"),
        part => format!("{part:+.2}"),
    }
}

fn session(reader: &TableReader, state: &TableState) -> Result<Markup> {
    let view = &state.view;
    let words = &reader.handle.facts.words;
    let row = |seat: &SeatLine| SeatRow {
        place: seat.place,
        name: seat.name.clone(),
        is_agent: seat.occupant == Occupant::Agent,
        is_own: reader.place == Some(seat.place),
        is_away: seat.is_away,
        has_button: seat.has_button,
        holds: match seat.stack {
            Some(stack) => stack.to_string(),
            None if seat.occupant == Occupant::Free => String::new(),
            None => signed(seat.total),
        },
        role: view.hand.as_ref().and_then(|hand| {
            let role = hand.roles.iter().find(|(_, place)| **place == seat.place).map(|(role, _)| role);
            role.map(|role| words.symbol_text(role))
        }),
    };
    let hands = view.hands.iter().rev().map(|hand| HandRow {
        index: u32::try_from(hand.index).unwrap_or(u32::MAX),
        result: changes(view, &hand.changes),
    });
    markup(&SessionPanel {
        id: &view.id,
        state: state_text(view).to_owned(),
        terms: view.terms.sentences.join(" "),
        seats: view.seats.iter().map(row).collect(),
        hands: hands.collect(),
        own: own_controls(reader, view),
        next: state.next.clone(),
    })
}

/// How far a session is, in a word.
pub(super) fn state_text(view: &SessionView) -> &'static str {
    match view.status {
        _ if view.is_ending => "playing the last hand",
        SessionStatus::Waiting => "waiting",
        SessionStatus::Playing => "playing",
        SessionStatus::Paused => "paused",
        SessionStatus::Over => "over",
    }
}

/// A button, whose request is the same however often it is sent from one state of the table.
fn control(view: &SessionView, does: &str, place: Option<u32>, label: &str) -> TableControl {
    let place = place.map(|place| place.to_string()).unwrap_or_default();
    TableControl::new(format!("{does}:{place}:{}", view.version), label)
}

fn own_controls(reader: &TableReader, view: &SessionView) -> Vec<TableControl> {
    let own = reader.place.and_then(|place| view.seats.iter().find(|seat| seat.place == place));
    let Some(seat) = own.filter(|_| view.status != SessionStatus::Over) else { return Vec::new() };
    let mut controls = Vec::new();
    let mut add = |does, label| controls.push(control(view, does, Some(seat.place), label));
    if seat.is_out {
        add("rebuy", "Buy in again");
    }
    match seat.is_away {
        true => add("come_back", "I am back"),
        false => add("sit_out", "Sit out"),
    }
    if !seat.is_leaving {
        add("leave", "Leave the table");
    }
    controls
}

fn host(state: &TableState) -> Result<Markup> {
    let view = &state.view;
    let add = |does, label| control(view, does, None, label);
    let controls = match view.status {
        _ if view.is_ending => Vec::new(),
        SessionStatus::Waiting => vec![add("start", "Start"), add("end", "End the session")],
        SessionStatus::Playing => vec![add("pause", "Pause"), add("end", "End the session")],
        SessionStatus::Paused => vec![add("resume", "Go on"), add("end", "End the session")],
        SessionStatus::Over => vec![add("rematch", "Play again")],
    };
    let is_over = view.status == SessionStatus::Over;
    let seats = view.seats.iter().filter(|_| !is_over).map(|seat| host_seat(view, seat));
    let links = state.links.iter().filter(|_| !is_over).flat_map(|links| links.iter().cloned()).collect();
    markup(&HostPanel {
        requests: controls,
        seats: seats.collect(),
        links,
        agents: opening::agents(view.terms.speed_permille.is_some()),
    })
}

fn host_seat(view: &SessionView, seat: &SeatLine) -> HostSeat {
    let add = |does, label| control(view, does, Some(seat.place), label);
    let controls = match seat.occupant {
        Occupant::Free => vec![add("seat_agent", "Seat a program"), add("invite", "New link")],
        Occupant::Agent => vec![add("kick", "Remove")],
        Occupant::Person => {
            vec![add("kick", "Remove"), add("renew", "New link"), add("hand_on", "Make host")]
        }
    };
    HostSeat {
        place: seat.place,
        name: seat.name.clone(),
        requests: controls,
        takes_agent: seat.occupant == Occupant::Free,
    }
}
