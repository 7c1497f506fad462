//! A person at the terminal: sees what the role may know, and chooses among its legal moves in words.

use std::{
    io::{self, Write},
    sync::Arc,
};

use croupier_belief::{Basis, BeliefError, Believer, Methods, Opponents};
use croupier_engine::{Game, GameError, MoveId, RoleId, Scratch, Status, game::TermError};
use croupier_games::{GameFacts, Scene, printable};
use croupier_referee::{Failure, LastTurn, Message, SeatReply, event::Reply};
use thiserror::Error;

use super::{
    knowledge::{Knowledge, READY},
    timing::Timing,
    typed::{Understood, typed, understand},
};
use crate::{
    clock,
    story::Story,
    table::{Table, scene_of_belief},
};

/// States that are asked for the legal moves; these are the same in all, unless the rules leave the role in
/// the dark.
const STATES_ASKED_MAX: usize = 500;

/// Columns that the table of players may have.
const PLAYERS_COLUMNS: usize = 78;

/// A person in a role.
pub(crate) struct Person {
    knowledge: Knowledge,
    facts: Arc<GameFacts>,
    scratch: Scratch,
    believer: Believer,
    timing: Timing,
    out: Box<dyn Write + Send>,
    has_left: bool,
    /// What was known when a move was asked for last: words fit the situation.
    known: Scene,
    /// The move that was asked for last, to tell when another one was played.
    wanted: Option<MoveId>,
}

/// Why a person cannot be asked.
#[derive(Debug, Error)]
enum AskError {
    #[error("the terminal is gone")]
    Terminal(#[from] io::Error),
    #[error(transparent)]
    Message(#[from] TermError),
    #[error(transparent)]
    Belief(#[from] BeliefError),
    #[error(transparent)]
    Game(#[from] GameError),
}

/// What is shown before a move.
struct Situation {
    /// What the role knows of the table.
    table: Table,
    /// Whether that is known, or what a sample says.
    is_exact: bool,
    /// The moves that may be legal, in the order of the game's words.
    moves: Vec<MoveId>,
    /// Whether the rules leave it open which of them are.
    in_the_dark: bool,
}

impl Person {
    /// A person who is shown what `out` takes.
    ///
    /// # Errors
    /// If the role is chance.
    pub(crate) fn new(
        game: &Arc<Game>,
        role: RoleId,
        facts: Arc<GameFacts>,
        seed: [u8; 32],
        timing: Timing,
        out: Box<dyn Write + Send>,
    ) -> Result<Self, BeliefError> {
        Ok(Self {
            knowledge: Knowledge::new(Arc::clone(game), role),
            facts,
            scratch: game.scratch(),
            believer: Believer::new(Arc::clone(game), role, Methods::brief(seed), &Opponents::uniform())?,
            timing,
            out,
            has_left: false,
            known: Scene::nothing(),
            wanted: None,
        })
    }

    /// Whether the person wants to play no more.
    pub(crate) fn has_left(&self) -> bool {
        self.has_left
    }

    /// Takes in a message that nobody waits for an answer to; whether it could be read and shown.
    pub(crate) fn take_in(&mut self, message: &Message) -> bool {
        match message {
            Message::Start { .. } => self.write_welcome().is_ok(),
            Message::Play { last, .. } | Message::Stop { last, .. } => self.learn(last.as_ref()).is_ok(),
            Message::Abort { .. } => true,
        }
    }

    pub(crate) fn receive(&mut self, message: &Message, is_over: &dyn Fn() -> bool) -> SeatReply {
        let begun = clock::now();
        match self.answer(message, is_over) {
            Ok(Some(text)) => self.timing.reply(Reply::Text(text), begun.elapsed()),
            Ok(None) => {
                self.has_left = true;
                SeatReply::Leave
            }
            Err(AskError::Terminal(_)) => {
                self.has_left = true;
                SeatReply::Leave
            }
            Err(error) => {
                // The match goes on with a substitute; the person is told why, if that is still possible.
                let _ = writeln!(self.out, "you cannot be asked for a move: {error}");
                self.timing.reply(Reply::Failed(Failure::PlayerError), begun.elapsed())
            }
        }
    }

    /// The reply to a message, or `None` if the person leaves.
    fn answer(&mut self, message: &Message, is_over: &dyn Fn() -> bool) -> Result<Option<String>, AskError> {
        match message {
            Message::Start { .. } => {
                self.write_welcome()?;
                Ok(Some(READY.to_owned()))
            }
            Message::Play { last, .. } => {
                self.learn(last.as_ref())?;
                let situation = self.situation()?;
                self.choose(&situation, is_over)
            }
            Message::Stop { last, .. } => {
                self.learn(last.as_ref())?;
                Ok(Some(READY.to_owned()))
            }
            Message::Abort { .. } => Ok(Some(READY.to_owned())),
        }
    }

    fn write_welcome(&mut self) -> io::Result<()> {
        let facts = Arc::clone(&self.facts);
        let name = self.story(&facts).role(self.knowledge.known.role);
        writeln!(self.out, "You are {name} in {}.", facts.title)?;
        if !facts.summary.is_empty() {
            writeln!(self.out, "{}", facts.summary)?;
        }
        writeln!(self.out, "Choose a move by its number or in words; `quit` leaves the match.\n")
    }

    /// Takes in the turn before a message and shows what is new in it.
    fn learn(&mut self, last: Option<&LastTurn>) -> Result<(), AskError> {
        self.knowledge.learn(last)?;
        if last.is_none() {
            return Ok(());
        }
        let facts = Arc::clone(&self.facts);
        let Some((own_move, percepts)) = self.knowledge.known.turns.last() else { return Ok(()) };
        let lines = self.story(&facts).percept_lines(percepts, &self.known);
        if let Some(wanted) = self.wanted.take()
            && wanted != *own_move
        {
            let played = self.knowledge.game.move_text(*own_move);
            let played = facts.words.move_text_in(&played, &self.known);
            writeln!(self.out, "  your move came too late or was not legal; played for you: {played}")?;
        }
        for line in lines {
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }

    fn story<'s>(&'s self, facts: &'s GameFacts) -> Story<'s> {
        Story { game: &self.knowledge.game, facts }
    }

    /// What the role knows, and what it may play in any state that it holds possible.
    fn situation(&mut self) -> Result<Situation, AskError> {
        let Knowledge { game, known } = &self.knowledge;
        let outlook = self.believer.follow(known)?;
        let mut moves: Vec<MoveId> = Vec::new();
        let mut in_the_dark = false;
        for (state, _) in outlook.distribution.iter().take(STATES_ASKED_MAX) {
            if let Status::Running { legal } = game.status(state, &mut self.scratch)? {
                in_the_dark |= !moves.is_empty() && moves != legal[known.role];
                let new: Vec<MoveId> =
                    legal[known.role].iter().filter(|id| !moves.contains(id)).copied().collect();
                moves.extend(new);
            }
        }
        moves.sort_by_cached_key(|&id| self.facts.words.move_place(&game.move_text(id)));
        let is_exact = matches!(outlook.basis, Basis::Histories(_));
        self.known = scene_of_belief(game, &self.facts, &outlook.distribution, &[]);
        let table = Table::of_scene(game, &self.facts, &self.known);
        Ok(Situation { table, is_exact, moves, in_the_dark })
    }

    /// Shows the table and asks until there is a move; a role with one move is not asked.
    fn choose(
        &mut self,
        situation: &Situation,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<String>, AskError> {
        let game = Arc::clone(&self.knowledge.game);
        let facts = Arc::clone(&self.facts);
        let text = |id: MoveId| game.move_text(id);
        if let [only] = situation.moves.as_slice() {
            return Ok(Some(text(*only).to_string()));
        }
        self.write_table(situation)?;
        let words: Vec<String> =
            situation.moves.iter().map(|&id| facts.words.move_text_in(&text(id), &self.known)).collect();
        for (number, (words, &id)) in words.iter().zip(&situation.moves).enumerate() {
            let term = printable(&text(id));
            let term = if term == *words { String::new() } else { format!("  {term}") };
            writeln!(self.out, "  {:>2}  {words}{term}", number + 1)?;
        }
        if situation.in_the_dark {
            writeln!(self.out, "Which of them are legal the rules do not tell you.")?;
        }
        loop {
            write!(self.out, "your move> ")?;
            self.out.flush()?;
            let Some(line) = typed(is_over)? else {
                writeln!(self.out, "\nyou leave the match")?;
                return Ok(None);
            };
            match understand(&line, &game, &situation.moves, &words) {
                Understood::Move(id) => {
                    self.wanted = Some(id);
                    return Ok(Some(text(id).to_string()));
                }
                Understood::Quit => {
                    writeln!(self.out, "you leave the match")?;
                    return Ok(None);
                }
                Understood::Nothing => {}
                Understood::Nonsense(advice) => writeln!(self.out, "{advice}")?,
            }
        }
    }

    /// What the role knows of the table.
    fn write_table(&mut self, situation: &Situation) -> io::Result<()> {
        let Table { boards, lines, .. } = &situation.table;
        writeln!(self.out)?;
        for board in boards {
            writeln!(self.out, "{board}")?;
        }
        if !lines.is_empty() {
            let reservation =
                if situation.is_exact { "" } else { " (as far as a sample of what is possible tells)" };
            writeln!(self.out, "On the table{reservation}: {}", lines.join("; "))?;
        }
        for line in situation.table.player_lines(PLAYERS_COLUMNS) {
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }
}
