//! A person at the terminal: sees what the role may know, and chooses among its legal moves in words.

use std::{
    io::{self, BufRead, Read, Write},
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use croupier_belief::BeliefError;
use croupier_engine::{Game, GameError, MoveId, RoleId, Scratch, Status, game::TermError};
use croupier_games::{GameFacts, printable};
use croupier_referee::{Failure, LastTurn, Message, SeatReply, event::Reply};
use thiserror::Error;

use crate::{
    clock,
    outlook::{Basis, Believer, Methods},
    seat::{Knowledge, READY, Timing},
    story::Story,
    table::Table,
};

/// States that are asked for the legal moves; these are the same in all, unless the rules leave the role in
/// the dark.
const STATES_ASKED_MAX: usize = 500;

/// Longest line that is read from the terminal, in bytes.
const LINE_BYTES_MAX: u64 = 4096;

/// How often it is looked whether anybody still waits for what a person types.
const SLICE: Duration = Duration::from_millis(50);

/// How alike what was typed and a move must be for the move to be suggested.
const ALIKE: f64 = 0.75;

/// A person in a role.
pub(crate) struct Person {
    knowledge: Knowledge,
    facts: Arc<GameFacts>,
    scratch: Scratch,
    believer: Believer,
    timing: Timing,
    out: Box<dyn Write + Send>,
    has_left: bool,
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
    /// The moves that may be legal, in canonical order.
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
        (timing, out): (Timing, Box<dyn Write + Send>),
    ) -> Result<Self, BeliefError> {
        Ok(Self {
            knowledge: Knowledge::new(Arc::clone(game), role),
            facts,
            scratch: game.scratch(),
            believer: Believer::new(Arc::clone(game), role, Methods::brief(seed))?,
            timing,
            out,
            has_left: false,
            wanted: None,
        })
    }

    /// Whether the person wants to play no more.
    pub(crate) fn has_left(&self) -> bool {
        self.has_left
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
        let lines = self.story(&facts).percept_lines(percepts);
        if let Some(wanted) = self.wanted.take()
            && wanted != *own_move
        {
            let played = facts.words.move_text(&self.knowledge.game.move_text(*own_move));
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
        moves.sort_by_key(|&id| game.move_text(id));
        let is_exact = matches!(outlook.basis, Basis::Histories(_));
        let table = Table::of_belief(game, &self.facts, &outlook.distribution);
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
        let words: Vec<String> = situation.moves.iter().map(|&id| facts.words.move_text(&text(id))).collect();
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
        let Table { boards, lines } = &situation.table;
        writeln!(self.out)?;
        for board in boards {
            writeln!(self.out, "{board}")?;
        }
        if !lines.is_empty() {
            let reservation =
                if situation.is_exact { "" } else { " (as far as a sample of what is possible tells)" };
            writeln!(self.out, "On the table{reservation}: {}", lines.join("; "))?;
        }
        Ok(())
    }
}

/// What a person meant.
enum Understood {
    Move(MoveId),
    Quit,
    Nothing,
    Nonsense(String),
}

/// The move that a line names: by number, in words, by the beginning of its words, or as a term.
fn understand(line: &str, game: &Game, moves: &[MoveId], words: &[String]) -> Understood {
    let typed = line.trim().to_lowercase();
    if typed.is_empty() {
        return Understood::Nothing;
    }
    let numbered = typed.parse::<usize>().ok().and_then(|number| moves.get(number.checked_sub(1)?));
    let said = words.iter().position(|words| words.to_lowercase() == typed);
    let written = game.move_id(&typed).ok().filter(|id| moves.contains(id));
    if let Some(id) = numbered.copied().or(said.map(|index| moves[index])).or(written) {
        return Understood::Move(id);
    }
    if ["quit", "exit", "q"].contains(&typed.as_str()) {
        return Understood::Quit;
    }
    let begun: Vec<usize> =
        (0..words.len()).filter(|&index| words[index].to_lowercase().starts_with(&typed)).collect();
    if let [only] = begun.as_slice() {
        return Understood::Move(moves[*only]);
    }
    let likeness = |words: &String| strsim::jaro_winkler(&typed, &words.to_lowercase());
    let likest = words.iter().max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    let hint = match likest.filter(|words| likeness(words) >= ALIKE) {
        Some(words) => format!("did you mean '{words}'? "),
        None => String::new(),
    };
    let shown: String = printable(line.trim()).chars().take(40).collect();
    Understood::Nonsense(format!(
        "'{shown}' is not one of your moves; {hint}type a number from 1 to {}, the words, or `quit`",
        moves.len()
    ))
}

/// What is typed next; `None` at the end of the input, or when nobody wants it any more.
///
/// It is read on another thread, which is left behind in the latter case: no read of a terminal ends before a line does.
fn typed(is_over: &dyn Fn() -> bool) -> io::Result<Option<String>> {
    let (line, lines) = mpsc::channel();
    thread::spawn(move || line.send(read_line(&mut io::stdin().lock())));
    loop {
        match lines.recv_timeout(SLICE) {
            Ok(line) => return line,
            Err(RecvTimeoutError::Timeout) if !is_over() => {}
            Err(_) => return Ok(None),
        }
    }
}

/// A line without its newline; `None` at the end of the input. What is too long is cut.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let count = input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes)?;
    if count as u64 == LINE_BYTES_MAX && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok((count > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use croupier_engine::{Game, MoveId, Options};

    use super::{Understood, read_line, understand};

    const RULES: &str = "(role a) (init s) (legal a (raise 2)) (legal a (raise 10)) (legal a quit)
        (<= terminal (true t)) (<= (next t) (true s)) (goal a 50)";

    fn move_of(line: &str) -> Option<String> {
        let game = Game::compile(RULES, &Options::PLAY).expect("sound rules").game;
        let moves: Vec<MoveId> =
            ["(raise 10)", "(raise 2)", "quit"].map(|term| game.move_id(term).expect("a term")).into();
        let words = ["raise to ten", "raise to two", "give up"].map(str::to_owned);
        match understand(line, &game, &moves, &words) {
            Understood::Move(id) => Some(game.move_text(id).to_string()),
            Understood::Quit | Understood::Nothing | Understood::Nonsense(_) => None,
        }
    }

    #[test]
    fn a_move_is_named_by_number_words_their_beginning_or_its_term() {
        assert_eq!(move_of("2").as_deref(), Some("(raise 2)"));
        assert_eq!(move_of(" Raise To Ten\n").as_deref(), Some("(raise 10)"));
        assert_eq!(move_of("give").as_deref(), Some("quit"));
        assert_eq!(move_of("( RAISE  10 )").as_deref(), Some("(raise 10)"));
        // A legal move comes before the word that leaves the match.
        assert_eq!(move_of("quit").as_deref(), Some("quit"));
    }

    #[test]
    fn what_names_no_move_or_several_is_asked_again() {
        for line in
            ["", "0", "4", "-1", "raise", "(raise 3)", "(raise", "99999999999999999999999", "\u{1b}[2J"]
        {
            assert_eq!(move_of(line), None, "{line:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_cut_and_the_next_one_is_whole() {
        let mut input = [b"x".repeat(100_000), b"\n2\n".to_vec()].concat();
        let mut input = std::io::Cursor::new(&mut input);
        assert_eq!(read_line(&mut input).expect("memory").map(|line| line.len()), Some(4096));
        assert_eq!(read_line(&mut input).expect("memory").as_deref(), Some("2\n"));
        assert_eq!(read_line(&mut input).expect("memory"), None);
    }
}
