//! What a seat shows of a real-time match, worked out from the frames of the seat, the rules and the clock, and nothing else.

use std::sync::Arc;

use croupier_engine::{
    Limits, Roles,
    realtime::{RealTimeGame, seconds},
};
use croupier_games::GameFacts;
use croupier_pages::StoryLine;
use croupier_picture::Picture;
use croupier_referee::{
    Agents, PossibleMoves, TimedInsight, TimedNews, TimedOutlook,
    realtime::wire::{RealTimeMessage, Seen},
};
use serde_json::Value;

use super::screen::{HandScreen, Onlooker, ScreenStep, Seating, as_facts};

/// Ends that a page counts down to at once.
const ENDS_SHOWN_MAX: usize = 3;

/// What a seat knows of the time in a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ScreenTime {
    /// Whether game time runs.
    pub(super) has_begun: bool,
    /// What ends next for certain unless somebody moves, in words, with its instant in microseconds of game time.
    pub(super) ends: Vec<(u64, String)>,
    /// When the match is over if nobody moves, where that is proved.
    pub(super) over_us: Option<u64>,
    /// Whether nothing of the table is proved, since somebody could act unseen.
    pub(super) is_unproved: bool,
    /// When the table changes by itself.
    pub(super) next_us: Option<u64>,
}

/// Reads the frames of a seat of a real-time match, one after the other, and follows the clock between them.
#[derive(Debug)]
pub(super) struct TimedScreenReader {
    roles: Roles,
    /// With the names of the people who play.
    facts: Arc<GameFacts>,
    seating: Seating,
    insight: Box<dyn TimedInsight>,
    screen: HandScreen,
    time: ScreenTime,
    /// The instant of the last frame, in microseconds.
    told_us: u64,
    steps: Vec<ScreenStep>,
}

impl TimedScreenReader {
    /// Nothing is read yet. The game shares no terms with the referee's.
    pub(super) fn new(
        game: Arc<RealTimeGame>,
        facts: Arc<GameFacts>,
        seating: Seating,
        agents: &dyn Agents,
    ) -> Self {
        let roles = game.roles().clone();
        let insight = agents.timed_insight(game, seating.role);
        let (screen, time) = (HandScreen::default(), ScreenTime::default());
        Self { roles, facts, seating, insight, screen, time, told_us: 0, steps: Vec::new() }
    }

    /// What the seat shows now.
    pub(super) fn screen(&self) -> HandScreen {
        HandScreen { time: Some(Arc::new(self.time.clone())), ..self.screen.clone() }
    }

    /// What happened, step by step, the beginning included.
    pub(super) fn into_steps(self) -> Vec<ScreenStep> {
        self.steps
    }

    /// Reads the frames that are new, and works out the table as it is at an instant, in microseconds of game time.
    pub(super) fn read(&mut self, frames: &[Arc<str>], now_us: u64) {
        for frame in frames.get(self.screen.frames..).unwrap_or_default() {
            self.screen.frames += 1;
            // An interrupted match has no other last frame.
            match RealTimeMessage::read_json(frame.as_bytes(), &Limits::STANDARD) {
                Ok(message) => self.take(message),
                Err(_) => tracing::warn!("a frame of a seat is not of a real-time match"),
            }
        }
        // Nothing is known of the time after the end, or before it was told of the present.
        let at_us = if self.screen.is_over { self.told_us } else { now_us.max(self.told_us) };
        let outlook = self.insight.outlook(at_us);
        self.look(outlook, None);
    }

    fn take(&mut self, message: RealTimeMessage) {
        match message {
            RealTimeMessage::Clock { now_us } => {
                self.time.has_begun = true;
                self.tell(now_us, "the match begins".to_owned());
            }
            RealTimeMessage::Event { at_us, seen } => {
                self.time.has_begun = true;
                let text = self.words(&seen);
                let news = self.news(at_us, seen);
                if self.insight.take(&news).is_err() {
                    tracing::warn!("a frame of a seat is not of its game");
                    return;
                }
                self.tell(at_us, text);
            }
            RealTimeMessage::Stop { at_us, .. } => {
                self.screen.is_over = true;
                self.tell(at_us, "the match is over".to_owned());
            }
            RealTimeMessage::Start { .. }
            | RealTimeMessage::Reveal { .. }
            | RealTimeMessage::Received { .. } => {}
        }
    }

    fn news(&self, at_us: u64, seen: Seen) -> TimedNews {
        match seen {
            Seen::Moves(moves) => {
                TimedNews { at_us, moves: moves.into_iter().collect(), percepts: Vec::new() }
            }
            Seen::Percepts { own_move, percepts } => {
                let own = self.roles.name(self.seating.role).to_owned();
                let moves = own_move.into_iter().map(|played| (own.clone(), played)).collect();
                TimedNews { at_us, moves, percepts }
            }
        }
    }

    /// What a seat was told, in words.
    fn words(&self, seen: &Seen) -> String {
        let words = &self.facts.words;
        let parts: Vec<String> = match seen {
            Seen::Moves(moves) => {
                let told = moves.iter();
                let said = |(role, played): (&String, &String)| {
                    format!("{}: {}", words.symbol_text(role), words.move_text(played))
                };
                told.map(said).collect()
            }
            Seen::Percepts { own_move, percepts } => {
                let own = own_move.iter().map(|played| format!("you: {}", words.move_text(played)));
                own.chain(percepts.iter().map(|percept| words.percept_text(percept))).collect()
            }
        };
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// A line of the story, and the table then.
    fn tell(&mut self, at_us: u64, text: String) {
        self.told_us = self.told_us.max(at_us);
        let text = format!("{} s {text}", seconds(at_us));
        let turn = self.steps.len();
        self.screen.story.push(StoryLine { turn, text: text.clone() });
        let outlook = self.insight.outlook(self.told_us);
        self.look(outlook, Some(text));
    }

    /// Shows what is known; a step of the story with these words is kept.
    fn look(&mut self, outlook: TimedOutlook, step: Option<String>) {
        let TimedOutlook { facts: known, ends, moves, next_us, over_us } = outlook;
        let scene = self.facts.scene_of(&as_facts(&known)).after(&self.screen.scene);
        let players: Vec<&str> = self.roles.players().map(|role| self.roles.name(role)).collect();
        let before = (!self.steps.is_empty()).then_some(&*self.screen.picture);
        let seat = (self.seating.onlooker == Onlooker::Seat).then(|| self.roles.name(self.seating.role));
        let picture = Picture::of(&self.facts, &scene, &players, seat, before);
        (self.screen.scene, self.screen.picture) = (Arc::new(scene), Arc::new(picture));
        self.time.is_unproved = known.is_vague;
        let is_live = self.time.has_begun && !self.screen.is_over;
        self.screen.moves = if is_live { moves } else { PossibleMoves::default() };
        self.screen.turns = self.steps.len();
        self.time.next_us = next_us.filter(|_| is_live);
        self.time.over_us = over_us.filter(|_| is_live);
        let named = ends.into_iter().map(|(at_us, fluent)| (at_us, self.lasting(&fluent)));
        let named = named.filter(|(_, words)| is_live && !words.is_empty());
        self.time.ends = named.take(ENDS_SHOWN_MAX).collect();
        if let Some(text) = step {
            let (turn, picture) = (self.steps.len(), Arc::clone(&self.screen.picture));
            self.steps.push(ScreenStep { turn, text, picture });
        }
    }

    /// What lasts, in words; what has none is bookkeeping.
    fn lasting(&self, fluent: &str) -> String {
        let words = &self.facts.words;
        let shown = words.table_lines([fluent]).join(" ");
        if shown.is_empty() { words.fluent_text(fluent) } else { shown }
    }
}

/// Whether the frames of a seat are those of a real-time match.
pub(super) fn are_timed(frames: &[Arc<str>]) -> bool {
    let first = frames.first().and_then(|frame| serde_json::from_str::<Value>(frame).ok());
    first.is_some_and(|first| first["time"] == "real")
}
