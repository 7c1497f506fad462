//! How signs such as ♥ are written: in colour where the terminal has colours, as letters where it has none.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

/// Red hearts, blue diamonds, green clubs: four colours, so that nobody who cannot tell red from another colour has to.
const SUITS: [(char, char, &str, &str); 4] = [
    ('♠', 's', "spades", "\u{1b}[1m"),
    ('♥', 'h', "hearts", "\u{1b}[1;31m"),
    ('♦', 'd', "diamonds", "\u{1b}[1;94m"),
    ('♣', 'c', "clubs", "\u{1b}[1;32m"),
];

const PLAIN: &str = "\u{1b}[0m";

/// What stands for other signs where there is nothing but ASCII.
const LETTERS: [(char, &str); 24] = [
    ('♔', "K"),
    ('♕', "Q"),
    ('♖', "R"),
    ('♗', "B"),
    ('♘', "N"),
    ('♙', "P"),
    ('♚', "k"),
    ('♛', "q"),
    ('♜', "r"),
    ('♝', "b"),
    ('♞', "n"),
    ('♟', "p"),
    ('●', "x"),
    ('○', "o"),
    ('·', "."),
    ('×', "*"),
    ('■', "#"),
    ('□', "."),
    ('★', "*"),
    ('–', "-"),
    ('…', "..."),
    ('→', "->"),
    ('’', "'"),
    ('−', "-"),
];

/// What a stream can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signs {
    has_colour: bool,
    has_unicode: bool,
}

impl Signs {
    /// What standard output can show.
    pub(crate) fn of_output() -> Self {
        Self::of(AutoStream::choice(&io::stdout()), io::stdout().is_terminal())
    }

    /// What standard error can show.
    pub(crate) fn of_errors() -> Self {
        Self::of(AutoStream::choice(&io::stderr()), io::stderr().is_terminal())
    }

    fn of(choice: ColorChoice, is_terminal: bool) -> Self {
        // `NO_COLOR`, `TERM=dumb` and their kin are looked at by anstream.
        let has_colour = choice != ColorChoice::Never && (is_terminal || choice != ColorChoice::Auto);
        let variables = ["LC_ALL", "LC_CTYPE", "LANG"].map(|name| std::env::var(name).ok());
        let locale = variables.into_iter().flatten().find(|locale| !locale.is_empty());
        Self { has_colour, has_unicode: is_unicode(locale.as_deref()) }
    }

    /// A text as it is written.
    pub(crate) fn written(self, text: &str) -> String {
        let mut written = String::with_capacity(text.len());
        for char in text.chars() {
            match SUITS.iter().find(|(sign, ..)| *sign == char) {
                Some(&(sign, letter, name, colour)) => {
                    let rank = rank(&written).to_owned();
                    if !self.has_colour {
                        if rank.is_empty() {
                            written.push_str(name)
                        } else {
                            written.push(letter)
                        }
                        continue;
                    }
                    written.truncate(written.len() - rank.len());
                    let sign = if self.has_unicode { sign } else { letter };
                    written.push_str(&format!("{colour}{rank}{sign}{PLAIN}"));
                }
                None => match LETTERS.iter().find(|(sign, _)| *sign == char && !self.has_unicode) {
                    Some((_, letter)) => written.push_str(letter),
                    None => written.push(char),
                },
            }
        }
        written
    }
}

/// The rank of a card whose suit comes next.
fn rank(text: &str) -> &str {
    const RANKS: &str = "23456789TJQKA";
    match text.chars().next_back() {
        _ if text.ends_with("10") => &text[text.len() - 2..],
        Some(last) if RANKS.contains(last) => &text[text.len() - 1..],
        _ => "",
    }
}

/// Whether a locale writes Unicode; without one most terminals of today do.
fn is_unicode(locale: Option<&str>) -> bool {
    let Some(locale) = locale else { return true };
    match locale.split_once('.') {
        Some((_, encoding)) => encoding.to_ascii_lowercase().replace('-', "").starts_with("utf8"),
        None => !["C", "POSIX"].contains(&locale),
    }
}

/// A writer of text for people.
pub(crate) struct Signed<W> {
    out: W,
    signs: Signs,
}

impl<W: Write> Signed<W> {
    pub(crate) fn new(out: W, signs: Signs) -> Self {
        Self { out, signs }
    }
}

impl<W: Write> Write for Signed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Formatted text comes in pieces that are text themselves.
        match std::str::from_utf8(bytes) {
            Ok(text) => self.out.write_all(self.signs.written(text).as_bytes())?,
            Err(_) => self.out.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{Signs, is_unicode};

    const HAND: &str = "Alice holds A♠10♥; all of ♦, and ● on ·";

    #[test]
    fn suits_are_coloured_on_a_terminal_that_has_colours() {
        let written = Signs { has_colour: true, has_unicode: true }.written(HAND);
        let cards = "\u{1b}[1mA♠\u{1b}[0m\u{1b}[1;31m10♥\u{1b}[0m";
        assert_eq!(written, format!("Alice holds {cards}; all of \u{1b}[1;94m♦\u{1b}[0m, and ● on ·"));
    }

    #[test]
    fn without_colour_suits_are_letters() {
        let written = Signs { has_colour: false, has_unicode: true }.written(HAND);
        assert_eq!(written, "Alice holds As10h; all of diamonds, and ● on ·");
    }

    #[test]
    fn without_unicode_everything_is_ascii() {
        for has_colour in [false, true] {
            let written = Signs { has_colour, has_unicode: false }.written(HAND);
            assert!(written.is_ascii() && written.ends_with("x on ."), "{written}");
        }
    }

    #[test]
    fn locales_say_whether_there_is_unicode() {
        for (locale, expected) in [
            (None, true),
            (Some("en_US.UTF-8"), true),
            (Some("C.utf8"), true),
            (Some("C"), false),
            (Some("POSIX"), false),
            (Some("de_DE.ISO-8859-1"), false),
            (Some("de_DE"), true),
        ] {
            assert_eq!(is_unicode(locale), expected, "{locale:?}");
        }
    }
}
