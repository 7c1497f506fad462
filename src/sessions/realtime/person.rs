//! A person at the terminal in a real-time match: hears what the role hears, sees time run, and types moves.

use std::{
    io::{self, Write},
    sync::Arc,
    time::Duration,
};

use croupier_engine::{
    MoveId, RoleId,
    realtime::{RealTimeGame, RealTimeScratch, seconds},
};
use croupier_games::GameFacts;
use croupier_players::realtime::{TimedBelief, TimedPosition, TimedTurn, Walk};
use croupier_referee::realtime::{MoveStatus, Notice};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

use super::{
    status_line::StatusLine,
    story::{RealTimeStory, clock_text},
};
use crate::sessions::{
    interrupt::Interrupt,
    seat::{Choices, NamedMove, PersonCommand, Understood},
    terminal::{Input, Stream, stdin_line},
};

/// Matches that are kept to know what is legal and what runs out.
const PARTICLES: usize = 16;

/// Microseconds between two moves of others in those matches, on average.
const MEAN_US: u64 = 1_000_000;

/// Clocks that are shown at once.
const CLOCKS_SHOWN_MAX: usize = 3;

/// What a person typed.
pub(crate) enum Typed {
    /// A move, as the referee reads it.
    Move(String),
    /// To leave.
    Quit,
}

/// Somebody in a role of a real-time match.
pub(crate) struct RealTimePerson {
    role: RoleId,
    game: Arc<RealTimeGame>,
    scratch: RealTimeScratch,
    facts: Arc<GameFacts>,
    belief: TimedBelief,
    walk: Walk,
    told: Vec<TimedTurn>,
    /// Whether game time runs.
    has_begun: bool,
    /// The legal moves that were shown last.
    shown: Vec<MoveId>,
    /// The status line of the screen, where a line can be edited.
    status_line: Option<StatusLine>,
    interrupt: Interrupt,
}

impl RealTimePerson {
    /// A person who types on standard input.
    ///
    /// # Errors
    /// If the terminal does not give its keys.
    pub(crate) fn new(
        game: Arc<RealTimeGame>,
        facts: Arc<GameFacts>,
        role: RoleId,
        interrupt: Interrupt,
    ) -> io::Result<Self> {
        // What it is shown depends on what it was told alone, so any seed will do.
        let walk = Walk::new(Arc::clone(&game), ChaCha20Rng::from_seed([0; 32]), MEAN_US);
        Ok(Self {
            role,
            belief: TimedBelief::new(role, PARTICLES),
            walk,
            scratch: game.scratch(),
            game,
            facts,
            told: Vec::new(),
            has_begun: false,
            shown: Vec::new(),
            status_line: Stream::Output.is_edited().then(StatusLine::new).transpose()?,
            interrupt,
        })
    }

    /// Says a line, above what is typed.
    fn say(&mut self, text: &str) -> io::Result<()> {
        match &mut self.status_line {
            Some(status_line) => status_line.say(text),
            None => writeln!(Stream::Output.writer(), "{text}"),
        }
    }

    fn story(&self) -> RealTimeStory<'_> {
        RealTimeStory { game: &self.game, facts: &self.facts }
    }

    /// Shows what the role is told.
    pub(crate) fn hear(&mut self, notice: &Notice) -> io::Result<()> {
        self.has_begun |= !matches!(notice, Notice::Reveal { .. });
        match notice {
            Notice::Reveal { .. } => Ok(()),
            Notice::Start => {
                let name = self.story().role(self.game.roles().name(self.role));
                self.say(&format!(
                    "You are {name}. Type a move or its number and Enter whenever you like; `quit` leaves."
                ))
            }
            Notice::Event { at_us, own_move, percepts } => {
                if let Some(line) = self.story().notice_line(notice) {
                    self.say(&line)?;
                }
                let own_move = own_move.as_deref().and_then(|text| self.game.move_id(text).ok());
                if let Ok(percepts) = self.game.percepts_of(percepts.iter().map(|percept| &**percept)) {
                    self.told.push(TimedTurn { at_us: *at_us, own_move, percepts });
                }
                Ok(())
            }
            Notice::Received { status: MoveStatus::Legal, .. } | Notice::Stop { .. } => Ok(()),
            Notice::Received { at_us, status, .. } => {
                let why = match status {
                    MoveStatus::Second => "came second at its instant",
                    MoveStatus::Malformed => "could not be read",
                    MoveStatus::Legal | MoveStatus::Illegal => "was not legal",
                };
                self.say(&format!("{:>12}  your move {why}", clock_text(*at_us)))
            }
        }
    }

    /// Shows how long things still last, and what can be played, if that has changed or the terminal can be written over.
    pub(crate) fn show(&mut self, now_us: u64) -> io::Result<()> {
        if !self.has_begun {
            return Ok(());
        }
        let Ok(positions) = self.belief.positions(&self.told, now_us, &mut self.walk) else { return Ok(()) };
        let Some(position) = positions.first() else { return Ok(()) };
        let legal = self.game.legal_moves(&position.state, &mut self.scratch);
        let moves = legal.map(|legal| legal[self.role].clone()).unwrap_or_default();
        let has_changed = moves != self.shown;
        self.shown = moves;
        if !has_changed && self.status_line.is_none() {
            return Ok(());
        }
        let moves = self.shown.iter().enumerate().map(|(index, &played)| {
            format!("{} {}", index + 1, self.facts.words.move_text(&self.game.move_text(played)))
        });
        let moves = moves.collect::<Vec<_>>().join("   ");
        let moves = if moves.is_empty() { "no move for you now".to_owned() } else { moves };
        let mut parts = vec![clock_text(now_us / 100_000 * 100_000)];
        parts.extend(self.clocks(&positions, now_us));
        parts.push(moves);
        let status = parts.join(" | ");
        match &mut self.status_line {
            Some(status_line) => status_line.show(status),
            None => self.say(&status),
        }
    }

    /// What is left of what expires next, as far as the role can know it.
    fn clocks(&self, positions: &[TimedPosition], now_us: u64) -> Vec<String> {
        let left = |position: &TimedPosition| -> Vec<(u64, String)> {
            let facts =
                position.state.facts().filter_map(|(fluent, lifetime)| Some((fluent, lifetime.micros()?)));
            let mut left: Vec<(u64, String)> = facts
                .map(|(fluent, micros)| {
                    let text = self.facts.words.fluent_text(&self.game.fluent_text(fluent));
                    ((position.at_us + micros).saturating_sub(now_us), text)
                })
                .filter(|(_, text)| !text.is_empty())
                .collect();
            left.sort_unstable();
            left
        };
        let all: Vec<_> = positions.iter().map(left).collect();
        let known =
            all.first().into_iter().flatten().filter(|clock| all.iter().all(|other| other.contains(clock)));
        known
            .take(CLOCKS_SHOWN_MAX)
            .map(|(left, text)| format!("{text} {} s", seconds(left / 100_000 * 100_000)))
            .collect()
    }

    /// What was typed since it was last looked.
    pub(crate) fn typed(&mut self) -> io::Result<Option<Typed>> {
        let line = match &mut self.status_line {
            None => match stdin_line(Duration::ZERO) {
                Ok(Some(line)) => line?,
                Ok(None) | Err(_) => None,
            },
            Some(status_line) => match status_line.typed()? {
                None => None,
                Some(Input::Line(line)) => Some(line),
                Some(left) => {
                    if left == Input::Interrupted {
                        self.interrupt.leave();
                    }
                    return Ok(Some(Typed::Quit));
                }
            },
        };
        line.map_or(Ok(None), |line| self.understand(&line))
    }

    /// What a line says.
    fn understand(&mut self, line: &str) -> io::Result<Option<Typed>> {
        let game = Arc::clone(&self.game);
        let shown = |&id: &MoveId| {
            let term = game.move_text(id);
            let words = self.facts.words.move_text(&term);
            NamedMove { id, term, words }
        };
        let moves: Vec<_> = self.shown.iter().map(shown).collect();
        let choices = Choices::new(&moves, &self.facts.typed, &[]);
        let read = |text: &str| game.move_id(text).ok();
        Ok(match choices.understand(line, read) {
            Understood::Move(id) => Some(Typed::Move(game.move_text(id).to_string())),
            Understood::Command(PersonCommand::Quit) => Some(Typed::Quit),
            Understood::Nothing => None,
            Understood::Command(_) => {
                self.say("Type a move in words or by its number, at any time; `quit` leaves the match.")?;
                None
            }
            // Whether a term is a legal move when it arrives is for the referee to say.
            Understood::Nonsense(advice) | Understood::Ambiguous(advice) => {
                match read(&line.trim().to_lowercase()).filter(|_| line.contains('(')) {
                    Some(id) => Some(Typed::Move(game.move_text(id).to_string())),
                    None => {
                        self.say(&advice)?;
                        None
                    }
                }
            }
        })
    }
}
