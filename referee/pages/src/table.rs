//! The table: one page for whoever sits there, hosts it or watches, and its panels, which change by themselves.

use std::fmt;

use askama::Template;
use croupier_picture::{ChoiceMoves, MoveChoice};

use crate::markup::Markup;

/// A part of the table's page that changes by itself. The order is that of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Panel {
    /// The picture.
    Table,
    /// What may be chosen.
    Moves,
    /// The time that is left.
    Clock,
    /// What happened, in words.
    Story,
    /// What may be believed.
    Belief,
    /// Who sits where, and what was played.
    Session,
    /// What the host may do.
    Host,
    /// What was said.
    Chat,
}

impl Panel {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Table,
        Self::Moves,
        Self::Clock,
        Self::Story,
        Self::Belief,
        Self::Session,
        Self::Host,
        Self::Chat,
    ];

    /// The name of its events.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Moves => "moves",
            Self::Clock => "clock",
            Self::Story => "story",
            Self::Belief => "belief",
            Self::Session => "session",
            Self::Host => "host",
            Self::Chat => "chat",
        }
    }
}

impl fmt::Display for Panel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The contents of the panels; what is empty is not shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panels([Markup; Panel::ALL.len()]);

impl Panels {
    /// The contents of a panel.
    #[must_use]
    pub fn of(&self, panel: Panel) -> &Markup {
        &self.0[panel as usize]
    }

    /// Puts contents into a panel.
    pub fn set(&mut self, panel: Panel, contents: Markup) {
        self.0[panel as usize] = contents;
    }

    /// The panels that differ from those of `before`, in the order of the page.
    pub fn changes<'p>(&'p self, before: &'p Self) -> impl Iterator<Item = (Panel, &'p Markup)> {
        let all = Panel::ALL.into_iter().map(|panel| (panel, self.of(panel)));
        all.filter(|(panel, contents)| *contents != before.of(*panel))
    }
}

/// `/s/ID`.
#[derive(Clone, Debug, Template)]
#[template(path = "table.html")]
pub struct TablePage {
    /// The id of the session.
    pub id: String,
    /// What is played.
    pub title: String,
    /// As whom the reader is here, in words: `you are Ann`, `you watch`.
    pub reader: String,
    /// Where the stream of its panels is.
    pub stream: String,
    /// The place at the table from which the reader plays, if any.
    pub place: Option<u32>,
    /// Whether the reader hosts the table.
    pub is_host: bool,
    /// Whether people at the table chat.
    pub has_chat: bool,
    /// What a form must carry to be the reader's own.
    pub csrf: String,
    /// Which request the next one is: a form that comes twice asks once.
    pub key: String,
    /// What is wrong with what was asked for last.
    pub trouble: Option<String>,
    /// The panels as they are now; the stream sends what changes.
    pub panels: Panels,
}

impl TablePage {
    fn panel(&self, panel: Panel) -> &Markup {
        self.panels.of(panel)
    }
}

/// The panel of moves.
#[derive(Clone, Debug, Template)]
#[template(path = "moves.html")]
pub struct MovesPanel<'m> {
    /// Which match of the session is played, from 1.
    pub hand: u32,
    /// The turn that a move is for.
    pub turn: u32,
    /// What is going on, in words: `your turn`, `waiting for the others`.
    pub status: String,
    /// Whether the reader has something to choose.
    pub is_asked: bool,
    /// Whether the rules leave it open which of the moves are legal.
    pub in_the_dark: bool,
    /// What may be chosen.
    pub choices: &'m [MoveChoice],
}

/// More choices than these, if each can be touched on the table, are in a list that is closed at first.
const OPEN_MAX: usize = 12;

impl MovesPanel<'_> {
    fn buttons(&self) -> impl Iterator<Item = &MoveChoice> {
        self.choices.iter().filter(|choice| !self.is_folded(choice))
    }

    fn folded(&self) -> impl Iterator<Item = &MoveChoice> {
        self.choices.iter().filter(|choice| self.is_folded(choice))
    }

    /// Where a choice begins on the table, if it goes from one place to another.
    fn source_of<'c>(&self, choice: &'c MoveChoice) -> Option<&'c str> {
        (choice.elements.len() > 1).then(|| choice.elements[0].as_str())
    }

    /// Where a choice ends on the table.
    fn destination_of<'c>(&self, choice: &'c MoveChoice) -> Option<&'c str> {
        choice.elements.last().map(String::as_str)
    }

    /// Whether a choice is found on the table, and one of too many for buttons.
    fn is_folded(&self, choice: &MoveChoice) -> bool {
        !choice.elements.is_empty() && self.choices.len() > OPEN_MAX
    }
}

/// The panel of the clock.
#[derive(Clone, Debug, Template)]
#[template(path = "clock.html")]
pub struct ClockPanel {
    /// Milliseconds that are left.
    pub remaining_ms: u64,
    /// Milliseconds of the time bank, which begins then.
    pub bank_ms: u64,
    /// What tells this deadline from others.
    pub mark: String,
    /// What is counted down to, in words; empty for the clock of a move. What has a name is counted in tenths of a second.
    pub label: String,
}

/// A turn in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryLine {
    /// The turn, from 0.
    pub turn: usize,
    /// What happened.
    pub text: String,
}

/// The panel of the story.
#[derive(Clone, Debug, Template)]
#[template(path = "story.html")]
pub struct StoryPanel<'s> {
    /// Which match of the session is told, from 1.
    pub hand: u32,
    /// What happened so far.
    pub lines: &'s [StoryLine],
    /// How it ended, if it did.
    pub end: Option<&'s str>,
}
