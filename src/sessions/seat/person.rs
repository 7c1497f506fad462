//! A person at the terminal: sees what the role may know, and chooses among its legal moves in words.

use std::{
    io::{self, Write},
    sync::Arc,
    time::Instant,
};

use croupier_belief::{BeliefError, Believer, Methods, Opponents};
use croupier_engine::{Game, GameError, MoveId, RoleId, Scratch, Status, game::TermError};
use croupier_games::{Drawn, GameFacts, Scene};
use croupier_referee::{Failure, Message, SeatReply, event::Reply};
use croupier_seat::{Knowledge, READY};
use croupier_table::{drawn, scene_of_certainty};
use thiserror::Error;

use super::{
    choices::{Choices, NamedMove, PersonCommand, Understood},
    terminal_seat::TerminalSeat,
    timing::Timing,
    told,
};
use crate::sessions::{
    belief::{Inquiry, RoleBelief, of_models},
    clock,
    story::Story,
    terminal::{Input, columns},
};

/// States that are asked for the legal moves; these are the same in all, unless the rules leave the role in
/// the dark.
const STATES_ASKED_MAX: usize = 500;

/// More moves than these stand in columns.
const ROWS_MAX: usize = 8;

/// Columns that the table of players may have where there is no terminal, its indentation included.
const PLAYERS_WIDTH: usize = 80;

/// Columns that the table of players is indented by.
const INDENT: usize = 2;

/// A person in a role.
pub(crate) struct Person {
    knowledge: Knowledge,
    facts: Arc<GameFacts>,
    scratch: Scratch,
    believer: Believer,
    /// What was asked for the belief last: the models of others, and what works it out.
    asked: Option<(Vec<String>, Believer, Opponents)>,
    timing: Timing,
    place: TerminalSeat,
    out: Box<dyn Write + Send>,
    /// What is told while somebody else sits at the screen.
    untold: Vec<String>,
    has_left: bool,
    /// What was known when a move was asked for last: words fit the situation.
    known: Scene,
    /// What happened in each turn, as it was told.
    history: Vec<String>,
    /// The move that was asked for last, to tell when another one was played.
    wanted: Option<Wanted>,
}

/// What a person wanted to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Move(MoveId),
    /// Nothing until the time was up.
    Late,
}

/// What a person does at its turn.
enum Chosen {
    Move(String),
    /// The time is up.
    Late,
    Leaves,
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
    table: Drawn,
    /// The moves that may be legal.
    choices: Choices,
    /// Whether the rules leave it open which of them are.
    in_the_dark: bool,
}

impl Person {
    /// A person at this place.
    ///
    /// # Errors
    /// If the role is chance.
    pub(crate) fn new(
        game: &Arc<Game>,
        role: RoleId,
        facts: Arc<GameFacts>,
        seed: [u8; 32],
        timing: Timing,
        place: TerminalSeat,
    ) -> Result<Self, BeliefError> {
        Ok(Self {
            knowledge: Knowledge::new(Arc::clone(game), role),
            facts,
            scratch: game.scratch(),
            believer: Believer::new(Arc::clone(game), role, Methods::brief(seed), &Opponents::uniform())?,
            asked: None,
            timing,
            out: place.writer(),
            place,
            untold: Vec::new(),
            has_left: false,
            known: Scene::nothing(),
            history: Vec::new(),
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
            Message::Start { .. } => self.welcome().is_ok(),
            Message::Play { .. } | Message::Stop { .. } => self.learn(message).is_ok(),
            Message::Reveal { .. } | Message::Abort { .. } => true,
        }
    }

    pub(crate) fn receive(&mut self, message: &Message, is_over: &dyn Fn() -> bool) -> SeatReply {
        let mut begun = clock::now();
        match self.answer(message, is_over, &mut begun) {
            Ok(Chosen::Move(text)) => self.timing.reply(Reply::Text(text), begun.elapsed()),
            Ok(Chosen::Late) => self.timing.reply(Reply::Failed(Failure::Timeout), begun.elapsed()),
            Ok(Chosen::Leaves) | Err(AskError::Terminal(_)) => {
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

    /// The reply to a message, whose time runs from `begun`.
    fn answer(
        &mut self,
        message: &Message,
        is_over: &dyn Fn() -> bool,
        begun: &mut Instant,
    ) -> Result<Chosen, AskError> {
        match message {
            Message::Start { .. } => self.welcome()?,
            Message::Play { .. } => {
                self.learn(message)?;
                return self.choose(is_over, begun);
            }
            Message::Stop { .. } => self.learn(message)?,
            Message::Reveal { .. } | Message::Abort { .. } => {}
        }
        Ok(Chosen::Move(READY.to_owned()))
    }

    fn name(&self) -> String {
        self.story(&self.facts).role(self.knowledge.known.role)
    }

    /// Tells a line, or keeps it until nobody else reads it.
    fn tell(&mut self, line: String) -> io::Result<()> {
        if self.place.is_seen_by_others(&self.name()) {
            self.untold.push(line);
            return Ok(());
        }
        writeln!(self.out, "{line}")
    }

    fn welcome(&mut self) -> io::Result<()> {
        let facts = Arc::clone(&self.facts);
        if let Some(index) = self.place.hand.filter(|&index| index > 1) {
            return self.tell(format!("Match {index}: you are {}.\n", self.name()));
        }
        self.tell(format!("You are {} in {}.", self.name(), facts.title))?;
        if !facts.summary.is_empty() {
            self.tell(facts.summary.clone())?;
        }
        let help = "Choose a move by its number or in words; `help` says what else you can type.";
        match self.timing {
            Timing::Untimed => self.tell(format!("{help}\n")),
            Timing::Clock(clock) => {
                self.tell(help.to_owned())?;
                let seconds = clock.as_millis().div_ceil(1000);
                self.tell(format!("You have {seconds} s for each move; then a legal one is drawn for you.\n"))
            }
        }
    }

    /// Takes in the turn before a message and shows what is new in it.
    fn learn(&mut self, message: &Message) -> Result<(), AskError> {
        if !self.knowledge.take_in(message)? {
            return Ok(());
        }
        let facts = Arc::clone(&self.facts);
        let Some((own_move, percepts)) = self.knowledge.known.turns.last() else { return Ok(()) };
        let story = self.story(&facts);
        let lines = told::seen_lines(&story, percepts, &self.known);
        let turn = told::turn_text(&story, &self.knowledge.known, &lines, &self.known);
        let why = match self.wanted.take() {
            Some(Wanted::Late) => Some("time is up"),
            Some(Wanted::Move(wanted)) if wanted != *own_move => {
                Some("your move came too late or was not legal")
            }
            _ => None,
        };
        self.history.extend(turn);
        if let Some(why) = why {
            let played = self.knowledge.game.move_text(*own_move);
            let played = facts.words.move_text_in(&played, &self.known);
            self.tell(format!("  {why}; played for you: {played}"))?;
        }
        for line in lines {
            self.tell(format!("  {line}"))?;
        }
        Ok(())
    }

    fn story<'s>(&'s self, facts: &'s GameFacts) -> Story<'s> {
        Story { game: &self.knowledge.game, facts }
    }

    /// What the role may play in any state that it holds possible, and whether it cannot know which of that is legal.
    fn moves(&mut self, states: &croupier_belief::Distribution) -> Result<(Vec<MoveId>, bool), GameError> {
        let Knowledge { game, known } = &self.knowledge;
        let mut moves: Vec<MoveId> = Vec::new();
        let mut in_the_dark = false;
        for (state, _) in states.iter().take(STATES_ASKED_MAX) {
            if let Status::Running { legal } = game.status(state, &mut self.scratch)? {
                in_the_dark |= !moves.is_empty() && moves != legal[known.role];
                let new: Vec<MoveId> =
                    legal[known.role].iter().filter(|id| !moves.contains(id)).copied().collect();
                moves.extend(new);
            }
        }
        Ok((moves, in_the_dark))
    }

    /// Shows the table and asks until there is a move; a role with one move is not asked.
    fn choose(&mut self, is_over: &dyn Fn() -> bool, begun: &mut Instant) -> Result<Chosen, AskError> {
        let outlook = self.believer.follow(&self.knowledge.known)?;
        let (mut moves, in_the_dark) = self.moves(&outlook.distribution)?;
        let game = Arc::clone(&self.knowledge.game);
        let facts = Arc::clone(&self.facts);
        let certainty =
            self.believer.certainty_about(&|fluent| facts.look(fluent), &|fluent| facts.tells(fluent));
        self.known = scene_of_certainty(&game, &facts, &certainty, &[]).after(&self.known);
        if let [only] = moves.as_slice() {
            return Ok(Chosen::Move(game.move_text(*only).to_string()));
        }
        moves.sort_by_cached_key(|&id| facts.words.move_place(&game.move_text(id)));
        let shown = |id| {
            let term = game.move_text(id);
            let words = facts.words.move_text_in(&term, &self.known);
            NamedMove { id, term, words }
        };
        let moves: Vec<NamedMove> = moves.into_iter().map(shown).collect();
        let known: Vec<Arc<str>> = certainty.proved.iter().map(|&fluent| game.fluent_text(fluent)).collect();
        let known: Vec<&str> = known.iter().map(|text| &**text).collect();
        let situation = Situation {
            table: drawn(&game, &facts, &self.known),
            choices: Choices::new(&moves, &facts.typed, &known),
            in_the_dark,
        };
        if self.place.people > 1
            && let Some(left) = self.take_over(is_over, begun)?
        {
            return Ok(left);
        }
        self.write_situation(&situation)?;
        self.ask(&situation, is_over, *begun)
    }

    /// Takes the keyboard from whoever had it, and catches up with what happened; whether the person leaves instead. Its time
    /// begins when it is there.
    fn take_over(
        &mut self,
        is_over: &dyn Fn() -> bool,
        begun: &mut Instant,
    ) -> Result<Option<Chosen>, AskError> {
        let name = self.name();
        if !self.place.is_seen_by_others(&name) {
            return Ok(None);
        }
        match self.place.hand_over(&name, is_over)? {
            Input::Line(_) | Input::TimeUp => {}
            left => return self.leave(&left).map(Some),
        }
        *begun = clock::now();
        for line in std::mem::take(&mut self.untold) {
            writeln!(self.out, "{line}")?;
        }
        Ok(None)
    }

    fn ask(
        &mut self,
        situation: &Situation,
        is_over: &dyn Fn() -> bool,
        begun: Instant,
    ) -> Result<Chosen, AskError> {
        let game = Arc::clone(&self.knowledge.game);
        let choices = &situation.choices;
        let completions = choices.completions();
        let prompt = match self.place.people {
            1 => "your move> ".to_owned(),
            _ => format!("{}'s move> ", self.name()),
        };
        let deadline = match self.timing {
            Timing::Untimed => None,
            Timing::Clock(allowed) => Some(begun + allowed),
        };
        loop {
            let line = match self.place.ask(&prompt, deadline, &completions, is_over)? {
                Input::Line(line) => line,
                Input::TimeUp => {
                    self.wanted = Some(Wanted::Late);
                    return Ok(Chosen::Late);
                }
                left => return self.leave(&left),
            };
            match choices.understand(&line, |text| game.move_id(text).ok()) {
                Understood::Move(id) => {
                    self.wanted = Some(Wanted::Move(id));
                    return Ok(Chosen::Move(game.move_text(id).to_string()));
                }
                Understood::Command(PersonCommand::Quit) => return self.leave(&Input::End),
                Understood::Command(command) => self.obey(command, situation)?,
                Understood::Nothing => {}
                Understood::Nonsense(advice) | Understood::Ambiguous(advice) => {
                    writeln!(self.out, "{advice}")?
                }
            }
        }
    }

    /// Leaves the match, and everything that comes after it if that is by control-C.
    fn leave(&mut self, how: &Input) -> Result<Chosen, AskError> {
        if *how == Input::Interrupted {
            self.place.interrupt.leave();
        }
        writeln!(self.out, "you leave the match")?;
        Ok(Chosen::Leaves)
    }

    /// Shows what was asked for.
    fn obey(&mut self, command: PersonCommand, situation: &Situation) -> Result<(), AskError> {
        let facts = Arc::clone(&self.facts);
        let known = &self.knowledge.known;
        let story = Story { game: &self.knowledge.game, facts: &facts };
        let out = &mut *self.out;
        match command {
            PersonCommand::Help => told::write_help(out, &situation.choices)?,
            PersonCommand::Rules => {
                told::write_rules(out, &story, known.role, &situation.choices, self.place.game.as_deref())?;
            }
            PersonCommand::History => told::write_history(out, &self.history)?,
            PersonCommand::Belief(models) => return self.write_belief(models, &facts),
            PersonCommand::Table => self.write_situation(situation)?,
            PersonCommand::Quit => {}
        }
        Ok(())
    }

    /// What the role can believe, as `croupier belief` says it of the record of the match.
    fn write_belief(&mut self, models: Vec<String>, facts: &GameFacts) -> Result<(), AskError> {
        let Knowledge { game, known } = &self.knowledge;
        if self.asked.as_ref().is_none_or(|(asked, ..)| *asked != models) {
            match Inquiry::usual(&models).believer(game, known.role) {
                Ok((believer, opponents)) => self.asked = Some((models, believer, opponents)),
                Err(failure) => return Ok(writeln!(self.out, "{}", failure.in_a_line())?),
            }
        }
        let Some((models, believer, opponents)) = &mut self.asked else { return Ok(()) };
        match believer.follow(known) {
            Ok(outlook) => {
                let certainty = believer.certainty(&|fluent| facts.look(fluent));
                let role = game.roles().name(known.role);
                let mut belief = RoleBelief::new(role, game, facts, &outlook, certainty);
                let coverage = opponents.coverage();
                belief.coverage = coverage.as_ref().map(|coverage| of_models(models, coverage));
                belief.top = Inquiry::TOP;
                belief.before = self.known.clone();
                belief.write(&mut self.out)?;
            }
            Err(error) => writeln!(self.out, "there is no such belief: {error}")?,
        }
        Ok(())
    }

    /// What the role knows of the table, and what it may play.
    fn write_situation(&mut self, situation: &Situation) -> io::Result<()> {
        let Drawn { boards, lines, .. } = &situation.table;
        writeln!(self.out)?;
        for board in boards {
            writeln!(self.out, "{board}")?;
        }
        if !lines.is_empty() {
            writeln!(self.out, "On the table: {}", lines.join("; "))?;
        }
        let width = self.place.stream.width().unwrap_or(PLAYERS_WIDTH);
        for line in situation.table.player_lines(width.saturating_sub(INDENT)) {
            writeln!(self.out, "{:INDENT$}{line}", "")?;
        }
        let rows = situation.choices.rows();
        let rows = match self.place.stream.width() {
            Some(width) if rows.len() > ROWS_MAX => columns(&rows, width),
            _ => rows,
        };
        for row in rows {
            writeln!(self.out, "{row}")?;
        }
        if situation.in_the_dark {
            writeln!(self.out, "Which of them are legal the rules do not tell you.")?;
        }
        Ok(())
    }
}
