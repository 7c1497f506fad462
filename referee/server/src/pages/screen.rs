//! What a seat shows of one match, worked out from the frames of the seat and nothing else.

use std::sync::Arc;

use croupier_engine::{Game, RoleId};
use croupier_games::{Facts, GameFacts, Scene};
use croupier_pages::{StoryLine, ToldTurn, turn_text};
use croupier_picture::Picture;
use croupier_referee::{Agents, Insight, PossibleMoves, ProvedFacts};
use serde_json::Value;

use super::timed_screen::ScreenTime;

/// What a seat shows of one match.
#[derive(Clone, Debug, Default)]
pub(super) struct HandScreen {
    /// Frames that it was made of.
    pub(super) frames: usize,
    /// Turns after which the table was as it is drawn: fewer than the story tells while the next is worked out.
    pub(super) turns: usize,
    /// What is on the table, drawn.
    pub(super) picture: Arc<Picture>,
    /// What is on the table.
    pub(super) scene: Arc<Scene>,
    /// What happened, in words.
    pub(super) story: Vec<StoryLine>,
    /// The moves that may be legal in this turn.
    pub(super) moves: PossibleMoves,
    /// Who has to choose, in words, where that is proved.
    pub(super) to_move: Option<Vec<String>>,
    /// Whether the match is over.
    pub(super) is_over: bool,
    /// In a real-time match, what is known of the time.
    pub(super) time: Option<Arc<ScreenTime>>,
}

/// A turn of a match as a replay shows it.
#[derive(Clone, Debug)]
pub(super) struct ScreenStep {
    /// How many turns were played.
    pub(super) turn: usize,
    /// What happened in the last of them.
    pub(super) text: String,
    /// What is on the table then.
    pub(super) picture: Arc<Picture>,
}

/// Whose frames are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seating {
    pub(super) role: RoleId,
    pub(super) onlooker: Onlooker,
}

/// Who looks at the frames of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Onlooker {
    /// Whoever sits there.
    Seat,
    /// Those who watch. Only of a game in which every role is told the same the role is a player's.
    Watcher,
}

/// Reads the frames of a seat, one after the other.
#[derive(Debug)]
pub(super) struct ScreenReader {
    game: Arc<Game>,
    /// With the names of the people who play.
    facts: Arc<GameFacts>,
    seating: Seating,
    insight: Box<dyn Insight>,
    screen: HandScreen,
    steps: Vec<ScreenStep>,
}

impl ScreenReader {
    /// Nothing is read yet. The game shares no working memory with the referee's.
    pub(super) fn new(game: &Game, facts: Arc<GameFacts>, seating: Seating, agents: &dyn Agents) -> Self {
        let game = Arc::new(game.fork());
        let insight = agents.insight(Arc::clone(&game), seating.role);
        Self { game, facts, seating, insight, screen: HandScreen::default(), steps: Vec::new() }
    }

    /// What the seat shows now.
    pub(super) fn screen(&self) -> HandScreen {
        self.screen.clone()
    }

    /// The turns so far, the state before the first included.
    pub(super) fn into_steps(self) -> Vec<ScreenStep> {
        self.steps
    }

    /// The same as [`screen`](Self::screen), with the words of the next frame before anything is worked out.
    pub(super) fn words_first(&self, frames: &[Arc<str>]) -> HandScreen {
        let mut screen = self.screen();
        screen.moves = PossibleMoves::default();
        screen.to_move = None;
        let next = frames.get(screen.frames).and_then(|frame| ToldFrame::read(frame));
        screen.story.extend(next.and_then(|told| self.line(&told)));
        screen
    }

    /// Reads the frames that are new.
    pub(super) fn read(&mut self, frames: &[Arc<str>]) {
        for frame in frames.get(self.screen.frames..).unwrap_or_default() {
            self.screen.frames += 1;
            if let Some(told) = ToldFrame::read(frame) {
                self.take(&told);
            }
        }
        self.screen.moves = match self.screen.is_over {
            true => PossibleMoves::default(),
            false => self.insight.moves(),
        };
        let (roles, words) = (self.game.roles(), &self.facts.words);
        let to_move = if self.screen.is_over { None } else { self.insight.to_move() };
        if let Some(proved) = &to_move {
            let mut picture = Picture::clone(&self.screen.picture);
            for player in &mut picture.players {
                player.is_to_act |= proved.iter().any(|&role| roles.name(role) == player.role);
            }
            self.screen.picture = Arc::new(picture);
        }
        let name = |role: RoleId| words.symbol_text(roles.name(role));
        self.screen.to_move = to_move.map(|proved| proved.into_iter().map(name).collect());
    }

    /// Takes in what a frame tells, and works out what follows for the table.
    fn take(&mut self, told: &ToldFrame) {
        self.screen.is_over |= told.is_last;
        let line = self.line(told);
        if let Some(own_move) = &told.own_move {
            let percepts: Vec<&str> = told.percepts.iter().map(String::as_str).collect();
            if self.insight.take(own_move, &percepts).is_err() {
                tracing::warn!("a frame of a seat is not of its game");
                return;
            }
        }
        let text = line.as_ref().map(|line| line.text.clone()).unwrap_or_default();
        self.screen.story.extend(line);
        let facts = Arc::clone(&self.facts);
        let known = self.insight.facts(&|fluent| facts.look(fluent), &|fluent| facts.tells(fluent));
        let scene = facts.scene_of(&as_facts(&known)).after(&self.screen.scene);
        let roles = self.game.roles();
        let is_there = |role: &RoleId| !self.is_added(*role);
        let players: Vec<&str> = roles.players().filter(is_there).map(|role| roles.name(role)).collect();
        let before = (!self.steps.is_empty()).then_some(&*self.screen.picture);
        let seat = (self.seating.onlooker == Onlooker::Seat).then(|| roles.name(self.seating.role));
        let picture = Picture::of(&facts, &scene, &players, seat, before);
        (self.screen.scene, self.screen.picture) = (Arc::new(scene), Arc::new(picture));
        self.screen.turns = self.insight.turns();
        let picture = Arc::clone(&self.screen.picture);
        self.steps.push(ScreenStep { turn: self.insight.turns(), text, picture });
    }

    /// Whether a role is the one that the rules of those who watch have besides the players.
    fn is_added(&self, role: RoleId) -> bool {
        self.seating.onlooker == Onlooker::Watcher && role == self.seating.role && !self.game.has_full_sight()
    }

    /// The turn that a frame tells of, in words.
    fn line(&self, told: &ToldFrame) -> Option<StoryLine> {
        let own_move = told.own_move.as_deref()?;
        let percepts: Vec<&str> = told.percepts.iter().map(String::as_str).collect();
        let turn =
            ToldTurn { role: self.game.roles().name(self.seating.role), own_move, percepts: &percepts };
        let text = turn_text(&self.facts.words, turn, &self.screen.scene)?;
        Some(StoryLine { turn: self.insight.turns() + 1, text })
    }
}

/// A frame that tells of a turn, or asks for the first move.
pub(super) struct ToldFrame {
    pub(super) own_move: Option<String>,
    pub(super) percepts: Vec<String>,
    is_last: bool,
}

impl ToldFrame {
    pub(super) fn read(frame: &str) -> Option<Self> {
        let frame: Value = serde_json::from_str(frame).ok()?;
        let is_last = match frame["type"].as_str()? {
            "play" => false,
            "stop" | "abort" => true,
            _ => return None,
        };
        let percepts = frame["percepts"].as_array().into_iter().flatten().filter_map(Value::as_str);
        Some(Self {
            own_move: frame["last_move"].as_str().map(str::to_owned),
            percepts: percepts.map(str::to_owned).collect(),
            is_last,
        })
    }
}

/// What is proved, as words take it.
pub(super) fn as_facts(known: &ProvedFacts) -> Facts<'_> {
    fn texts(fluents: &[Arc<str>]) -> Vec<&str> {
        fluents.iter().map(|fluent| &**fluent).collect()
    }
    Facts {
        certain: texts(&known.certain),
        open: texts(&known.open),
        alike: texts(&known.alike),
        copies: texts(&known.copies),
        is_vague: known.is_vague,
    }
}

/// The rules in the first frame of a seat.
pub(super) fn rules_of(frames: &[Arc<str>]) -> Option<String> {
    of_first(frames, "rules")
}

/// The role in the first frame of a seat.
pub(super) fn role_of(frames: &[Arc<str>]) -> Option<String> {
    of_first(frames, "role")
}

fn of_first(frames: &[Arc<str>], key: &str) -> Option<String> {
    let first: Value = serde_json::from_str(frames.first()?).ok()?;
    first[key].as_str().map(str::to_owned)
}
