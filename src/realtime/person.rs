//! A person at the terminal in a real-time match: hears what the role hears, sees time run, and types moves.

use std::{
    io::{self, BufRead, IsTerminal, Write},
    sync::{Arc, mpsc},
    thread,
};

use croupier_engine::{
    MoveId, RoleId,
    realtime::{RealTimeGame, RealTimeScratch, seconds},
};
use croupier_games::{GameFacts, printable};
use croupier_players::realtime::{TimedBelief, TimedPosition, Told, Walk};
use croupier_referee::realtime::{MoveStatus, Notice};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

use super::story::{RealTimeStory, clock_text};

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
    pub(crate) role: RoleId,
    game: Arc<RealTimeGame>,
    scratch: RealTimeScratch,
    facts: Arc<GameFacts>,
    belief: TimedBelief,
    walk: Walk,
    told: Vec<Told>,
    lines: mpsc::Receiver<String>,
    /// The legal moves that were shown last.
    shown: Vec<MoveId>,
    is_terminal: bool,
    /// Whether the line of clocks stands above the line that is typed in.
    has_status: bool,
}

impl RealTimePerson {
    /// A person who types on standard input.
    pub(crate) fn new(game: Arc<RealTimeGame>, facts: Arc<GameFacts>, role: RoleId) -> Self {
        let (line, lines) = mpsc::channel();
        // No read of a terminal ends before a line does, so it is left behind at the end of the match.
        thread::spawn(move || {
            for typed in io::stdin().lock().lines().map_while(Result::ok) {
                if line.send(typed).is_err() {
                    return;
                }
            }
        });
        // What it is shown depends on what it was told alone, so any seed will do.
        let walk = Walk::new(Arc::clone(&game), ChaCha20Rng::from_seed([0; 32]), MEAN_US);
        Self {
            role,
            belief: TimedBelief::new(role, PARTICLES),
            walk,
            scratch: game.scratch(),
            game,
            facts,
            told: Vec::new(),
            lines,
            shown: Vec::new(),
            is_terminal: io::stdout().is_terminal(),
            has_status: false,
        }
    }

    fn story(&self) -> RealTimeStory<'_> {
        RealTimeStory { game: &self.game, facts: &self.facts }
    }

    /// Shows what the role is told.
    pub(crate) fn hear(&mut self, notice: &Notice) -> io::Result<()> {
        let mut out = io::stdout().lock();
        self.take_status_away(&mut out)?;
        match notice {
            Notice::Start => {
                let name = self.story().role(self.game.roles().name(self.role));
                writeln!(
                    out,
                    "You are {name}. Type a move or its number and Enter whenever you like; `quit` leaves."
                )?;
            }
            Notice::Event { at_us, own_move, percepts } => {
                if let Some(line) = self.story().notice_line(notice) {
                    writeln!(out, "{line}")?;
                }
                let own_move = own_move.as_deref().and_then(|text| self.game.move_id(text).ok());
                if let Ok(percepts) = self.game.percepts_of(percepts.iter().map(|percept| &**percept)) {
                    self.told.push(Told { at_us: *at_us, own_move, percepts });
                }
            }
            Notice::Received { status: MoveStatus::Legal, .. } => {}
            Notice::Received { at_us, status, .. } => {
                let why = match status {
                    MoveStatus::Second => "came second at its instant",
                    MoveStatus::Malformed => "could not be read",
                    MoveStatus::Legal | MoveStatus::Illegal => "was not legal",
                };
                writeln!(out, "{:>12}  your move {why}", clock_text(*at_us))?;
            }
            Notice::Stop { .. } => {}
        }
        out.flush()
    }

    /// Shows how long things still last, and what can be played, if that has changed or the terminal can be written over.
    pub(crate) fn show(&mut self, now_us: u64) -> io::Result<()> {
        let Ok(positions) = self.belief.positions(&self.told, now_us, &mut self.walk) else { return Ok(()) };
        let Some(position) = positions.first() else { return Ok(()) };
        let legal = self.game.legal_moves(&position.state, &mut self.scratch);
        let moves = legal.map(|legal| legal[self.role].clone()).unwrap_or_default();
        let has_changed = moves != self.shown;
        self.shown = moves;
        if !has_changed && !self.is_terminal {
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
        let mut out = io::stdout().lock();
        let status = parts.join(" | ");
        match (self.is_terminal, self.has_status) {
            (false, _) => writeln!(out, "{status}")?,
            (true, false) => write!(out, "{status}\n> ")?,
            // What is being typed stays: the cursor goes one line up and comes back.
            (true, true) => write!(out, "\x1b7\x1b[1A\r\x1b[K{status}\x1b8")?,
        }
        self.has_status = self.is_terminal;
        out.flush()
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
        let Ok(line) = self.lines.try_recv() else { return Ok(None) };
        // Enter has moved the cursor to a new line.
        if std::mem::take(&mut self.has_status) {
            let mut out = io::stdout().lock();
            write!(out, "\x1b[1A\r\x1b[K\x1b[1A\r\x1b[K")?;
            out.flush()?;
        }
        let typed = line.trim().to_lowercase();
        if typed.is_empty() {
            return Ok(None);
        }
        if ["quit", "exit", "q"].contains(&typed.as_str()) {
            return Ok(Some(Typed::Quit));
        }
        let numbered =
            typed.parse::<usize>().ok().and_then(|number| self.shown.get(number.checked_sub(1)?).copied());
        let words =
            |played: &MoveId| self.facts.words.move_text(&self.game.move_text(*played)).to_lowercase();
        let named: Vec<MoveId> =
            self.shown.iter().copied().filter(|played| words(played).starts_with(&typed)).collect();
        let exact = self.shown.iter().copied().find(|played| words(played) == typed);
        let begun = if named.len() == 1 { named.first().copied() } else { None };
        if let Some(played) = numbered.or(exact).or(begun) {
            return Ok(Some(Typed::Move(self.game.move_text(played).to_string())));
        }
        if self.game.move_id(&typed).is_ok() {
            return Ok(Some(Typed::Move(typed)));
        }
        let mut out = io::stdout().lock();
        self.take_status_away(&mut out)?;
        writeln!(out, "'{}' is no move: type a number, its words, or `quit`", printable(line.trim()))?;
        Ok(None)
    }

    /// Clears the line that is typed in and the one of clocks above it, for what is said next.
    fn take_status_away(&mut self, out: &mut impl Write) -> io::Result<()> {
        match std::mem::take(&mut self.has_status) {
            true => write!(out, "\r\x1b[K\x1b[1A\r\x1b[K"),
            false => Ok(()),
        }
    }
}
