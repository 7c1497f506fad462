//! Boards: which fluents are squares, and what stands in them; and boards drawn in text.

use serde::Deserialize;
use thiserror::Error;

use crate::{
    phrase::{Phrase, PhraseError, pattern, phrases},
    printable::printable,
    said::NamedTerm,
    scene::Scene,
    section::Section,
    term::PatternTerm,
    words::Words,
};

/// Squares in columns and rows, as `[[board]]` of a `game.toml` describes them.
#[derive(Clone, Debug)]
pub struct Board {
    /// What stands above it, where a game has several.
    title: Option<String>,
    /// From left to right, as the rules name them.
    pub(crate) columns: Vec<String>,
    /// From top to bottom, as the rules name them.
    pub(crate) rows: Vec<String>,
    /// What stands in a square of which nothing is true.
    empty: String,
    /// By how many characters each row stands further to the right than the one above, as on a board of hexagons.
    shift: usize,
    /// What its squares look like, where a picture is drawn.
    pub(crate) look: BoardLook,
    /// Roles that look at it from the other side, where a picture is drawn.
    turned: Vec<String>,
    /// Moves that touch squares, each with the role that may; empty for everybody.
    pub(crate) moves: Vec<(PatternTerm, String)>,
    /// The fluents that are about squares and what each puts there. They have `?column` and `?row`, or `?square`,
    /// whose name is that of its column and that of its row.
    pub(crate) squares: Vec<Phrase>,
}

/// Why a board was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// A pattern or its words do not fit together.
    #[error(transparent)]
    Words(#[from] PhraseError),
    /// A pattern does not say which square it is about.
    #[error("the square `{pattern}` needs ?column and ?row, or ?square")]
    NoPlace {
        /// As written.
        pattern: String,
    },
    /// There is nothing to draw.
    #[error("a board needs columns, rows and squares")]
    Empty,
}

/// A board as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardFile {
    title: Option<String>,
    columns: Vec<String>,
    rows: Vec<String>,
    #[serde(default = "dot")]
    empty: String,
    #[serde(default)]
    shift: usize,
    #[serde(default)]
    look: BoardLook,
    #[serde(default)]
    turned: Vec<String>,
    #[serde(default)]
    moves: Section,
    squares: Section,
}

/// What the squares of a board look like where a picture is drawn; `look` of a `[[board]]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardLook {
    /// Squares of one colour, or hexagons where rows are shifted.
    #[default]
    Plain,
    /// Squares of two colours in turn.
    Chequered,
    /// Holes in a frame that stands upright.
    Holes,
    /// The points of backgammon, from the upper edge.
    PointsDown,
    /// The points of backgammon, from the lower edge.
    PointsUp,
    /// No board: `[scene]` says what its fluents look like.
    None,
}

fn dot() -> String {
    "·".to_owned()
}

/// A square that may hold something, or not: nobody knows.
const UNKNOWN: &str = "?";

/// A board as far as somebody knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLayout {
    /// What stands above it; empty if nothing does.
    pub title: String,
    /// Its columns from left to right, as the rules name them and in words.
    pub columns: Vec<NamedTerm>,
    /// Its rows from top to bottom, likewise.
    pub rows: Vec<NamedTerm>,
    /// By how many characters each row stands further to the right than the one above.
    pub shift: usize,
    /// What its squares look like.
    pub look: BoardLook,
    /// Roles that look at it from the other side.
    pub turned: Vec<String>,
    /// Row by row.
    pub squares: Vec<Vec<SquareLayout>>,
}

/// What is known of a square.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SquareLayout {
    /// What is known to stand there, the last upon the others.
    pub marks: Vec<SquareMark>,
    /// Whether something else may stand upon that.
    pub is_open: bool,
}

/// Something that stands in a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareMark {
    /// The fluent that says so.
    pub fact: String,
    /// What stands there, in the words of the board.
    pub words: String,
}

impl Board {
    pub(crate) fn new(file: &BoardFile) -> Result<Self, BoardError> {
        if file.columns.is_empty() || file.rows.is_empty() || file.squares.0.is_empty() {
            return Err(BoardError::Empty);
        }
        let squares = phrases(&file.squares.0)?;
        for ((pattern, _), phrase) in file.squares.0.iter().zip(&squares) {
            let has = |place| phrase.pattern.mentions(place);
            if !(has("square") || has("column") && has("row")) {
                return Err(BoardError::NoPlace { pattern: pattern.clone() });
            }
        }
        Ok(Self {
            title: file.title.as_deref().map(printable),
            columns: file.columns.clone(),
            rows: file.rows.clone(),
            empty: printable(&file.empty),
            shift: file.shift,
            look: file.look,
            turned: file.turned.clone(),
            moves: file
                .moves
                .0
                .iter()
                .map(|(text, role)| Ok((pattern(text)?.0, role.clone())))
                .collect::<Result<_, PhraseError>>()?,
            squares,
        })
    }

    /// Whether a fact is about one of the squares.
    pub(crate) fn shows(&self, fact: &PatternTerm) -> bool {
        self.place(fact, |_| true).is_some()
    }

    /// The board: its title, a line for each row, and one below with the names of the columns.
    ///
    /// A square about which only something that may be true is known is drawn as a question mark.
    #[must_use]
    pub fn draw(&self, words: &Words, scene: &Scene) -> String {
        self.lines(&self.layout(words, scene))
    }

    /// What is known of its squares.
    #[must_use]
    pub fn layout(&self, words: &Words, scene: &Scene) -> BoardLayout {
        let unmarked = SquareLayout { marks: Vec::new(), is_open: scene.is_vague };
        let mut squares = vec![vec![unmarked; self.columns.len()]; self.rows.len()];
        // What may lie upon something certain hides whether that is seen.
        let open = scene.open.iter().map(|fact| (words.order(fact), true, fact));
        let mut facts: Vec<_> =
            scene.shown.iter().map(|fact| (words.order(fact), false, fact)).chain(open).collect();
        facts.sort();
        // By square, what the certain mark is an instance of: two of one pattern do not lie upon each other.
        let mut certain: Vec<Vec<Option<&Phrase>>> = vec![vec![None; self.columns.len()]; self.rows.len()];
        for (_, is_open, fact) in facts {
            let fits = |phrase: &Phrase| is_open || words.fill(phrase, fact, scene).is_some();
            let Some((phrase, row, column)) = self.place(fact, fits) else { continue };
            let square = &mut squares[row][column];
            if !is_open {
                certain[row][column] = Some(phrase);
                let said = words.fill(phrase, fact, scene).unwrap_or_default();
                square.marks.push(SquareMark { fact: fact.to_string(), words: said });
                square.is_open = false;
            } else if !certain[row][column].is_some_and(|other| std::ptr::eq(other, phrase)) {
                square.is_open = true;
            }
        }
        let named = |kind: &str, names: &[String]| -> Vec<NamedTerm> {
            let words = |name: &String| head(words, kind, name);
            names.iter().map(|name| NamedTerm { term: name.clone(), words: words(name) }).collect()
        };
        let (columns, rows) = (named("column", &self.columns), named("row", &self.rows));
        let title = self.title.clone().unwrap_or_default();
        BoardLayout {
            title,
            columns,
            rows,
            shift: self.shift,
            look: self.look,
            turned: self.turned.clone(),
            squares,
        }
    }

    /// What a fluent puts into which row and column.
    pub(crate) fn place(
        &self,
        term: &PatternTerm,
        fits: impl Fn(&Phrase) -> bool,
    ) -> Option<(&Phrase, usize, usize)> {
        self.squares.iter().filter(|phrase| fits(phrase)).find_map(|phrase| {
            let binding = phrase.pattern.matches(term)?;
            let part = |name: &str| Some(binding.iter().find(|(known, _)| known == name)?.1.to_string());
            let index = |names: &[String], part: &str| names.iter().position(|name| name == part);
            let (row, column) = match part("square") {
                None => (index(&self.rows, &part("row")?)?, index(&self.columns, &part("column")?)?),
                Some(square) => self.columns.iter().enumerate().find_map(|(column, name)| {
                    Some((index(&self.rows, square.strip_prefix(name.as_str())?)?, column))
                })?,
            };
            Some((phrase, row, column))
        })
    }

    fn lines(&self, known: &BoardLayout) -> String {
        let mark = |square: &SquareLayout| match (square.is_open, square.marks.last()) {
            (true, _) => UNKNOWN.to_owned(),
            (false, Some(mark)) => mark.words.clone(),
            (false, None) => self.empty.clone(),
        };
        let marks: Vec<Vec<String>> =
            known.squares.iter().map(|row| row.iter().map(mark).collect()).collect();
        let texts =
            |names: &[NamedTerm]| -> Vec<String> { names.iter().map(|name| name.words.clone()).collect() };
        let (columns, rows) = (texts(&known.columns), texts(&known.rows));
        let width =
            |texts: &mut dyn Iterator<Item = &str>| texts.map(|text| text.chars().count()).max().unwrap_or(1);
        let wide = width(&mut marks.iter().flatten().chain(&columns).map(String::as_str));
        let margin = width(&mut rows.iter().map(String::as_str));
        let mut text = self.title.as_ref().map(|title| format!("{title}\n")).unwrap_or_default();
        for (number, (row, marks)) in rows.iter().zip(&marks).enumerate() {
            let cells: Vec<String> = marks.iter().map(|mark| format!("{mark:<wide$}")).collect();
            let shift = " ".repeat(number * self.shift);
            let line = format!("{shift}{row:>margin$}  {}", cells.join(" "));
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let names: Vec<String> = columns.iter().map(|name| format!("{name:<wide$}")).collect();
        let shift = " ".repeat(rows.len() * self.shift);
        text.push_str(format!("{shift}{:margin$}  {}", "", names.join(" ")).trim_end());
        text.push('\n');
        text
    }
}

/// The name of a column or row in words.
fn head(words: &Words, kind: &str, name: &str) -> String {
    // Columns of boards are letters as a rule, and numbers elsewhere stay numbers.
    let term = format!("({kind} {name})");
    let special = Some(words.symbol_text(&term)).filter(|text| *text != term);
    special.unwrap_or_else(|| words.symbol_text(name))
}

#[cfg(test)]
mod tests {
    use crate::facts::GameFacts;

    fn facts(board: &str) -> Result<GameFacts, String> {
        let head = "title = 'T'\nsummary = 'S'\n[symbols]\ncross = 'X'\n[table]\n'(cell ?c ?r ?m)' = '{m} beside'\n[[board]]\n";
        GameFacts::parse(&format!("{head}{board}")).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_known_stands_in_its_square_and_what_may_be_is_a_question() {
        let facts = facts(
            "columns = ['1', '2']\nrows = ['20', '3']\n[board.squares]\n\
             '(cell ?column ?row ?mark)' = '{mark}'\n'(blank ?column ?row)' = '_'",
        );
        let facts = facts.expect("a sound board");
        let certain = ["(cell 1 20 cross)", "(blank 2 20)", "(cell 9 9 cross)", "(control x)"];
        let scene = facts.scene(certain, ["(cell 1 20 nought)", "(cell 2 3 cross)"]);
        assert_eq!(facts.boards[0].draw(&facts.words, &scene), "20  X _\n 3  · ?\n    1 2\n");
        // What stands on the board is no line beside it; what does not is not lost.
        assert_eq!(facts.draw(&scene, &[]).lines, ["X beside"]);
    }

    #[test]
    fn squares_have_names_and_rows_may_be_shifted() {
        let facts = facts(
            "title = 'The court'\ncolumns = ['a', 'b']\nrows = ['2', '1']\nshift = 1\nempty = '.'\n[board.squares]\n\
             '(on ?square queen)' = '♛'\n'(on ?square ?piece)' = '{piece}'",
        );
        let facts = facts.expect("a sound board");
        let drawn = facts.boards[0].draw(&facts.words, &facts.scene(["(on a2 queen)", "(on b1 man)"], []));
        assert_eq!(drawn, "The court\n2  ♛   .\n 1  .   man\n     a   b\n");
    }

    #[test]
    fn a_board_without_squares_or_a_square_without_place_is_refused() {
        let refused = |board: &str| facts(board).expect_err("an unsound board");
        assert!(
            refused("columns = []\nrows = ['1']\n[board.squares]\n'(c ?column ?row)' = 'x'")
                .contains("needs")
        );
        let told = refused("columns = ['1']\nrows = ['1']\n[board.squares]\n'(c ?column)' = 'x'");
        assert!(told.contains("`(c ?column)` needs ?column and ?row"), "{told}");
        let told = refused("columns = ['1']\nrows = ['1']\n[board.squares]\n'(c ?square)' = '{piece}'");
        assert!(told.contains("has no ?piece"), "{told}");
    }
}
