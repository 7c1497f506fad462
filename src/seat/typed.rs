//! What a person types at the terminal, and which move it names.

use std::{
    io::{self, BufRead, Read},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use croupier_engine::{Game, MoveId};
use croupier_games::printable;

/// Longest line that is read from the terminal, in bytes.
const LINE_BYTES_MAX: u64 = 4096;

/// How often it is looked whether anybody still waits for what a person types.
const SLICE: Duration = Duration::from_millis(50);

/// How alike what was typed and a move must be for the move to be suggested.
const ALIKE: f64 = 0.75;

/// What a person meant.
pub(super) enum Understood {
    Move(MoveId),
    Quit,
    Nothing,
    Nonsense(String),
}

/// The move that a line names: by number, in words, by the beginning of its words, or as a term.
pub(super) fn understand(line: &str, game: &Game, moves: &[MoveId], words: &[String]) -> Understood {
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
pub(super) fn typed(is_over: &dyn Fn() -> bool) -> io::Result<Option<String>> {
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
