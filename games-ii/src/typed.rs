//! How people write moves beside the words for them, as `[[typed]]` of a `game.toml` says: `Nf3`, `b3`.
//!
//! An entry has a pattern of moves, what must be on the table, and forms. A form is text with `{name}` for a part of the move,
//! `{name:2}` for one character of it, `{name:a}` for a number as a letter, and `[...]` around what may be left out. With the
//! knight on g1, `N[{from:1}][{from:2}][x]{to}` for `(move ?from ?to)` gives `Nf3`, `Ngf3`, `N1f3`, `Ng1f3` and each with an `x`.

use serde::Deserialize;

use crate::{
    phrase::PhraseError,
    term::{Binding, PatternTerm},
};

/// Parts of one form that may be left out; each doubles what it stands for.
const OPTIONAL_MAX: usize = 6;

/// The ways in which people write the moves of one game.
#[derive(Clone, Debug, Default)]
pub struct TypedForms {
    entries: Vec<TypedPattern>,
}

/// An entry as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TypedFile {
    #[serde(rename = "move")]
    pattern: String,
    #[serde(default, rename = "while")]
    given: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
    #[serde(rename = "as")]
    forms: Vec<String>,
}

#[derive(Clone, Debug)]
struct TypedPattern {
    pattern: PatternTerm,
    given: Vec<PatternTerm>,
    unless: Vec<PatternTerm>,
    /// Each without optional parts, the shortest first.
    forms: Vec<Vec<TypedPiece>>,
}

#[derive(Clone, Debug)]
enum TypedPiece {
    Text(String),
    Whole(String),
    /// One character of a name, from 1.
    Character(String, usize),
    /// A number as a letter: 1 is a.
    Letter(String),
}

impl TypedForms {
    pub(crate) fn new(files: &[TypedFile]) -> Result<Self, PhraseError> {
        Ok(Self { entries: files.iter().map(TypedPattern::new).collect::<Result<_, _>>()? })
    }

    /// What each of these moves may be written as, where these fluents are on the table. Empty for a move that no entry is about.
    ///
    /// ```
    /// let forms = croupier_games::find("chess").ok_or("the catalogue has it")?.facts()?.typed;
    /// let table = ["(cell g1 white knight)", "(cell e2 white pawn)"];
    /// let ways = forms.ways(&["(move g1 f3)", "(move e2 e4)"], &table);
    /// assert_eq!(ways[0][0], "Nf3");
    /// assert_eq!(ways[1][0], "e4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ways(&self, moves: &[&str], table: &[&str]) -> Vec<Vec<String>> {
        let parsed = |texts: &[&str]| -> Vec<PatternTerm> {
            texts.iter().filter_map(|text| PatternTerm::parse(text).ok()).collect()
        };
        let table = if self.entries.is_empty() { Vec::new() } else { parsed(table) };
        let ways = |text: &&str| {
            let Ok(term) = PatternTerm::parse(text) else { return Vec::new() };
            let mut ways: Vec<String> = Vec::new();
            for way in self.entries.iter().flat_map(|entry| entry.ways(&term, &table)) {
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
            ways
        };
        moves.iter().map(ways).collect()
    }
}

impl TypedPattern {
    fn new(file: &TypedFile) -> Result<Self, PhraseError> {
        let pattern = term(&file.pattern)?;
        let terms = |texts: &[String]| texts.iter().map(|text| term(text)).collect::<Result<Vec<_>, _>>();
        let (given, unless) = (terms(&file.given)?, terms(&file.unless)?);
        let mut forms = Vec::new();
        for text in &file.forms {
            for plain in without_options(&file.pattern, text)? {
                let pieces = pieces(&file.pattern, text, &plain)?;
                for name in pieces.iter().filter_map(TypedPiece::name) {
                    let is_bound = pattern.mentions(name) || given.iter().any(|term| term.mentions(name));
                    if !is_bound {
                        let (pattern, template) = (file.pattern.clone(), text.clone());
                        return Err(PhraseError::Unbound { pattern, template, variable: name.to_owned() });
                    }
                }
                forms.push(pieces);
            }
        }
        Ok(Self { pattern, given, unless, forms })
    }

    fn ways(&self, term: &PatternTerm, table: &[PatternTerm]) -> Vec<String> {
        let Some(binding) = self.pattern.matches(term) else { return Vec::new() };
        let Some(binding) = all_on(&self.given, table, &binding) else { return Vec::new() };
        let is_on = |pattern: &PatternTerm| {
            table.iter().any(|fluent| pattern.matches_with(fluent, &binding).is_some())
        };
        if self.unless.iter().any(is_on) {
            return Vec::new();
        }
        self.forms.iter().filter_map(|form| form.iter().map(|piece| piece.text(&binding)).collect()).collect()
    }
}

/// The first way to find all of these on the table.
fn all_on<'t>(
    patterns: &[PatternTerm],
    table: &'t [PatternTerm],
    binding: &Binding<'t>,
) -> Option<Binding<'t>> {
    let Some((first, rest)) = patterns.split_first() else { return Some(binding.clone()) };
    let found = table.iter().filter_map(|fluent| first.matches_with(fluent, binding));
    found.into_iter().find_map(|binding| all_on(rest, table, &binding))
}

impl TypedPiece {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Whole(name) | Self::Character(name, _) | Self::Letter(name) => Some(name),
        }
    }

    /// What stands here; `None` where there is no such character or number.
    fn text(&self, binding: &Binding<'_>) -> Option<String> {
        let bound =
            |name: &str| binding.iter().find(|(known, _)| known == name).map(|(_, term)| term.to_string());
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Whole(name) => bound(name),
            Self::Character(name, place) => Some(bound(name)?.chars().nth(place - 1)?.to_string()),
            Self::Letter(name) => {
                let number: u8 = bound(name)?.parse().ok().filter(|number| (1..=26).contains(number))?;
                Some(char::from(b'a' + number - 1).to_string())
            }
        }
    }
}

fn term(pattern: &str) -> Result<PatternTerm, PhraseError> {
    PatternTerm::parse(pattern).map_err(|source| PhraseError::Pattern { pattern: pattern.to_owned(), source })
}

/// The form with and without each part in brackets, first without them all.
fn without_options(pattern: &str, form: &str) -> Result<Vec<String>, PhraseError> {
    let open = || PhraseError::OpenBrace { pattern: pattern.to_owned(), template: form.to_owned() };
    let mut plain = vec![String::new()];
    let mut rest = form;
    let mut options = 0;
    while let Some((before, opened)) = rest.split_once('[') {
        let (option, after) = opened.split_once(']').ok_or_else(open)?;
        options += 1;
        if options > OPTIONAL_MAX {
            return Err(open());
        }
        plain.iter_mut().for_each(|text| text.push_str(before));
        let with: Vec<String> = plain.iter().map(|text| format!("{text}{option}")).collect();
        plain.extend(with);
        rest = after;
    }
    plain.iter_mut().for_each(|text| text.push_str(rest));
    Ok(plain)
}

fn pieces(pattern: &str, form: &str, plain: &str) -> Result<Vec<TypedPiece>, PhraseError> {
    let open = || PhraseError::OpenBrace { pattern: pattern.to_owned(), template: form.to_owned() };
    let mut pieces = Vec::new();
    let mut rest = plain;
    while let Some((before, opened)) = rest.split_once('{') {
        let (inside, after) = opened.split_once('}').ok_or_else(open)?;
        if !before.is_empty() {
            pieces.push(TypedPiece::Text(before.to_owned()));
        }
        pieces.push(match inside.split_once(':') {
            None => TypedPiece::Whole(inside.to_owned()),
            Some((name, "a")) => TypedPiece::Letter(name.to_owned()),
            Some((name, place)) => {
                let place = place.parse().ok().filter(|&place| place > 0).ok_or_else(open)?;
                TypedPiece::Character(name.to_owned(), place)
            }
        });
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(TypedPiece::Text(rest.to_owned()));
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::{TypedFile, TypedForms};
    use crate::phrase::PhraseError;

    fn forms(text: &str) -> Result<TypedForms, PhraseError> {
        #[derive(serde::Deserialize)]
        struct File {
            typed: Vec<TypedFile>,
        }
        let file: File = toml::from_str(text).expect("sound TOML");
        TypedForms::new(&file.typed)
    }

    #[test]
    fn optional_parts_letters_and_characters_are_written_out() {
        let forms =
            forms("[[typed]]\nmove = '(go ?from ?n)'\nas = ['[{from:1}x]{n:a}{n}']").expect("sound forms");
        assert_eq!(
            forms.ways(&["(go e4 2)", "(go e4 27)", "stay"], &[]),
            [vec!["b2", "exb2"], vec![], vec![]]
        );
    }

    #[test]
    fn what_is_on_the_table_decides_which_entry_counts() {
        let text = concat!(
            "[[typed]]\nmove = '(go ?a ?b)'\nwhile = ['(at ?a ?piece)']\nunless = ['(at ?b ?other)']\nas = ['{piece}{b}']\n",
            "[[typed]]\nmove = '(go ?a ?b)'\nwhile = ['(at ?b ?piece)']\nas = ['{a}x{b}']\n",
        );
        let forms = forms(text).expect("sound forms");
        assert_eq!(forms.ways(&["(go p q)", "(go q p)"], &["(at p rook)"]), [vec!["rookq"], vec!["qxp"]]);
    }

    #[test]
    fn moves_of_chess_are_written_by_the_laws_of_chess() {
        let forms = crate::find("chess").expect("a bundled game").facts().expect("sound facts").typed;
        let table = [
            "(cell e4 white pawn)",
            "(cell d5 black pawn)",
            "(cell g5 white pawn)",
            "(en_passant f6)",
            "(cell b7 white pawn)",
            "(cell a8 black rook)",
            "(cell e1 white king)",
            "(cell d1 white queen)",
        ];
        // Law C.8 and following: the piece unless it is a pawn, a cross for a capture, the square; promotion behind it.
        for (played, written, another) in [
            ("(move e4 e5)", "e5", "exe5"),
            ("(move e4 d5)", "exd5", "d5"),
            ("(move g5 f6)", "gxf6", "f6"),
            ("(promote b7 b8 queen)", "b8=Q", "b8=N"),
            ("(promote b7 a8 knight)", "bxa8=N", "a8=N"),
            ("(move e1 g1)", "O-O", "O-O-O"),
            ("(move e1 c1)", "O-O-O", "O-O"),
            ("(move e1 e2)", "Ke2", "e2"),
            ("(move d1 d5)", "Qxd5", "d5"),
        ] {
            let ways = &forms.ways(&[played], &table)[0];
            let has = |form: &str| ways.iter().any(|way| way == form);
            assert!(has(written) && !has(another), "{played}: {ways:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |form: &str| forms(&format!("[[typed]]\nmove = '(go ?a)'\nas = ['{form}']")).err();
        assert!(matches!(refused("{b}"), Some(PhraseError::Unbound { .. })));
        for form in ["{a", "[a", "{a:0}", "{a:x}", "[1][2][3][4][5][6][7]"] {
            assert!(matches!(refused(form), Some(PhraseError::OpenBrace { .. })), "{form}");
        }
    }
}
