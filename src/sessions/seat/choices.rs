//! The moves that a person chooses from, and which of them a typed line names.
//!
//! A line is compared with the moves in one way after the other, from the strict to the generous: the number, the words or the
//! term as shown, the ways in which people write moves of the game (`Nf3`), names run together (`e2e4`), words that occur in
//! this order, the beginning of the words, the beginnings of some words, words in any order. The first way that one move alone
//! passes decides. Where none does, the first that several pass says which moves the line could be.

use std::sync::Arc;

use croupier_engine::MoveId;
use croupier_games::{TypedForms, printable};

/// How alike what was typed and a move must be for the move to be suggested.
const ALIKE: f64 = 0.75;

/// Moves that are named where a line could be several.
const NAMED_MAX: usize = 8;

/// Legal moves that are listed where nothing numbers them.
const LISTED_MAX: usize = 24;

/// Longest part of a line that is repeated, in characters.
const REPEATED_MAX: usize = 40;

/// A move with its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedMove {
    pub(crate) id: MoveId,
    /// As the rules have it.
    pub(crate) term: Arc<str>,
    /// As it is shown.
    pub(crate) words: String,
}

/// One move that may be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) id: MoveId,
    /// As it is shown.
    pub(crate) words: String,
    /// As the rules have it.
    term: String,
    /// How else people write it, without what is neither letter nor digit.
    forms: Vec<String>,
}

/// The moves, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    pub(crate) all: Vec<Choice>,
    /// A form of one of them, as people write it.
    pub(crate) example: Option<String>,
}

/// What a person may ask for instead of choosing a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PersonCommand {
    Help,
    Rules,
    History,
    /// With models of other roles, as ROLE=MODEL.
    Belief(Vec<String>),
    Table,
    Quit,
}

/// What a person meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Understood {
    Move(MoveId),
    Command(PersonCommand),
    Nothing,
    /// No move, and what to type instead.
    Nonsense(String),
    /// It fits several moves, which are named.
    Ambiguous(String),
}

impl PersonCommand {
    /// The words for each.
    const WORDS: [(&'static str, Self); 10] = [
        ("help", Self::Help),
        ("?", Self::Help),
        ("rules", Self::Rules),
        ("history", Self::History),
        ("belief", Self::Belief(Vec::new())),
        ("table", Self::Table),
        ("moves", Self::Table),
        ("quit", Self::Quit),
        ("exit", Self::Quit),
        ("q", Self::Quit),
    ];

    fn of(word: &str) -> Option<Self> {
        Self::WORDS.into_iter().find(|(name, _)| *name == word).map(|(_, command)| command)
    }

    /// `belief` with models: `belief --model alice=quantal`.
    fn with_models(line: &str) -> Option<Self> {
        let (first, rest) = line.split_once(char::is_whitespace)?;
        if !first.eq_ignore_ascii_case("belief") {
            return None;
        }
        let mut words = rest.split_whitespace();
        let mut models = Vec::new();
        while let Some(word) = words.next() {
            let model = match word.strip_prefix("--model") {
                Some("") => words.next()?,
                Some(rest) => rest.strip_prefix('=')?,
                None => word,
            };
            models.push(model.contains('=').then(|| model.to_owned())?);
        }
        Some(Self::Belief(models))
    }
}

impl Choices {
    /// The moves with their terms and words; what is known to be on the table decides how else they are written.
    pub(crate) fn new(moves: &[NamedMove], forms: &TypedForms, table: &[&str]) -> Self {
        let terms: Vec<&str> = moves.iter().map(|named| &*named.term).collect();
        let forms = forms.ways(&terms, table);
        let mut ways = forms.iter().filter_map(|ways| ways.first());
        let example = ways.clone().min_by_key(|way| way.len()).or_else(|| ways.next()).cloned();
        let choice = |named: &NamedMove, ways: &Vec<String>| Choice {
            id: named.id,
            words: named.words.clone(),
            term: printable(&named.term),
            forms: ways.iter().map(|way| plain(way)).collect(),
        };
        let all = moves.iter().zip(&forms).map(|(named, ways)| choice(named, ways)).collect();
        Self { all, example }
    }

    /// Each with its number, and its term where the words alone do not tell it from another.
    pub(crate) fn rows(&self) -> Vec<String> {
        let digits = self.all.len().to_string().len().max(2);
        let row = |(index, choice): (usize, &Choice)| {
            let is_clear = self.all.iter().filter(|other| other.words == choice.words).count() == 1;
            let term = if is_clear || choice.term == choice.words {
                String::new()
            } else {
                format!("  {}", choice.term)
            };
            format!("  {:>digits$}  {}{term}", index + 1, choice.words)
        };
        self.all.iter().enumerate().map(row).collect()
    }

    /// What Tab completes a line to.
    pub(crate) fn completions(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.all.iter().map(|choice| choice.words.clone()).collect();
        texts.extend(self.all.iter().map(|choice| choice.term.clone()).filter(|term| term.starts_with('(')));
        let commands = PersonCommand::WORDS.into_iter().map(|(word, _)| word.to_owned());
        texts.extend(commands.filter(|word| word.len() > 1));
        texts.dedup();
        texts
    }

    /// What a line says; `read` knows the moves of the game by their terms.
    pub(crate) fn understand(&self, line: &str, read: impl Fn(&str) -> Option<MoveId>) -> Understood {
        let line = line.trim();
        let typed = line.to_lowercase();
        if typed.is_empty() {
            return Understood::Nothing;
        }
        let numbered = typed.parse::<usize>().ok().and_then(|number| self.all.get(number.checked_sub(1)?));
        let said = || self.all.iter().find(|choice| choice.words.to_lowercase() == typed);
        let written = || {
            let id = read(&typed).or_else(|| read(&format!("({typed})")));
            self.all.iter().find(|choice| Some(choice.id) == id)
        };
        if let Some(choice) = numbered.or_else(said).or_else(written) {
            return Understood::Move(choice.id);
        }
        if let Some(command) = PersonCommand::of(&typed).or_else(|| PersonCommand::with_models(line)) {
            return Understood::Command(command);
        }
        let mut several: Vec<&Choice> = Vec::new();
        let has_names = !plain(line).is_empty();
        for passes in WAYS.iter().filter(|_| has_names) {
            let passing: Vec<&Choice> = self.all.iter().filter(|choice| passes(choice, line)).collect();
            match passing.as_slice() {
                [] => {}
                [only] => return Understood::Move(only.id),
                _ if several.is_empty() => several = passing,
                _ => {}
            }
            // Whoever writes as one writes the moves of this game means none that is written otherwise.
            if !several.is_empty() && several.iter().any(|choice| is_form(choice, line)) {
                break;
            }
        }
        match several.as_slice() {
            [] => Understood::Nonsense(self.advice(line)),
            _ => {
                Understood::Ambiguous(format!("'{}' could be: {}", shown(line), listed(&several, NAMED_MAX)))
            }
        }
    }

    /// The moves in words, for people who cannot see them numbered.
    pub(crate) fn list(&self) -> String {
        listed(&self.all.iter().collect::<Vec<_>>(), LISTED_MAX)
    }

    fn advice(&self, line: &str) -> String {
        let typed = line.to_lowercase();
        let likeness = |choice: &&Choice| strsim::jaro_winkler(&typed, &choice.words.to_lowercase());
        let likest = self.all.iter().max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
        let hint = match likest.filter(|choice| likeness(choice) >= ALIKE) {
            Some(choice) => format!("did you mean '{}'? ", choice.words),
            None => String::new(),
        };
        format!(
            "'{}' is not one of your moves; {hint}type a number from 1 to {}, the words, or `help`",
            shown(line),
            self.all.len()
        )
    }
}

/// `raise to 2, raise to 4 and 3 more`.
fn listed(choices: &[&Choice], named_max: usize) -> String {
    let named: Vec<&str> = choices.iter().take(named_max).map(|choice| choice.words.as_str()).collect();
    let more = choices.len() - named.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", named.join(", "))
}

fn shown(line: &str) -> String {
    printable(line).chars().take(REPEATED_MAX).collect()
}

/// Whether a move passes for what was typed, the strictest way first.
const WAYS: [fn(&Choice, &str) -> bool; 7] = [
    // Bishops are written B, and the pawns of a file b.
    |choice, line| choice.forms.contains(&plain(line)),
    is_form,
    |choice, line| {
        let typed = plain(line).to_lowercase();
        let names = names(&choice.term);
        let arguments = names.get(1..).unwrap_or_default().concat();
        [names.concat(), arguments, plain(&choice.words).to_lowercase()].contains(&typed)
    },
    |choice, line| in_order(choice, line, |name, typed| name == typed),
    |choice, line| {
        let typed = line.to_lowercase();
        let bare = choice.term.trim_start_matches('(');
        begins(&choice.words.to_lowercase(), &typed) || begins(bare, typed.trim_start_matches('('))
    },
    |choice, line| in_order(choice, line, begins),
    in_any_order,
];

/// Whether a text begins like this, and not in the middle of a number: 10 does not begin with 1.
fn begins(text: &str, typed: &str) -> bool {
    let is_digit = |char: Option<char>| char.is_some_and(|char| char.is_ascii_digit());
    let rest = text.strip_prefix(typed);
    rest.is_some_and(|rest| !(is_digit(typed.chars().next_back()) && is_digit(rest.chars().next())))
}

fn is_form(choice: &Choice, line: &str) -> bool {
    let typed = plain(line).to_lowercase();
    choice.forms.iter().any(|form| form.to_lowercase() == typed)
}

/// Whether all typed words fit words of the move, in their order.
fn in_order(choice: &Choice, line: &str, fits: fn(&str, &str) -> bool) -> bool {
    let typed = names(line);
    let passes = |text: &str| {
        let names = names(text);
        let mut rest = names.iter();
        typed.iter().all(|typed| rest.any(|name| fits(name, typed)))
    };
    passes(&choice.words) || passes(&choice.term)
}

fn in_any_order(choice: &Choice, line: &str) -> bool {
    let typed = names(line);
    let all = [names(&choice.words), names(&choice.term)].concat();
    typed.iter().all(|typed| all.contains(typed))
}

/// The words of a text in small letters, without what is between them.
fn names(text: &str) -> Vec<String> {
    let is_between = |char: char| char.is_whitespace() || "(),;:-.'\"`!?".contains(char);
    text.split(is_between).filter(|name| !name.is_empty()).map(str::to_lowercase).collect()
}

/// Letters and digits alone.
fn plain(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use croupier_engine::{Game, Options};
    use croupier_games::GameFacts;

    use super::{Choices, NamedMove, PersonCommand, Understood};

    fn shown(game: &Game, moves: &[(&str, &str)]) -> Vec<NamedMove> {
        let of = |(term, words): &(&str, &str)| {
            let id = game.move_id(term).expect("a term");
            NamedMove { id, term: game.move_text(id), words: (*words).to_owned() }
        };
        moves.iter().map(of).collect()
    }

    /// What a line means where these are the moves: terms with their words.
    fn understood(moves: &[(&str, &str)], line: &str) -> Result<String, String> {
        understood_with("", &[], moves, line)
    }

    fn understood_with(
        typed: &str,
        table: &[&str],
        moves: &[(&str, &str)],
        line: &str,
    ) -> Result<String, String> {
        let legal: String = moves.iter().map(|(term, _)| format!("(legal a {term})")).collect();
        let rules =
            format!("(role a) (init s) {legal} (<= terminal (true t)) (<= (next t) (true s)) (goal a 50)");
        let game = Game::compile(&rules, &Options::PLAY).expect("sound rules").game;
        let moves = shown(&game, moves);
        let facts = GameFacts::parse(&format!("title = 'T'\nsummary = 'S'\n{typed}")).expect("sound facts");
        let choices = Choices::new(&moves, &facts.typed, table);
        match choices.understand(line, |text| game.move_id(text).ok()) {
            Understood::Move(id) => Ok(game.move_text(id).to_string()),
            Understood::Nonsense(advice) | Understood::Ambiguous(advice) => Err(advice),
            other => Err(format!("{other:?}")),
        }
    }

    const BETS: [(&str, &str); 4] = [
        ("(raise 2)", "raise to two"),
        ("(raise 10)", "raise to ten"),
        ("quit", "give up"),
        ("(show king)", "show the king"),
    ];

    fn bet(line: &str) -> Option<String> {
        understood(&BETS, line).ok()
    }

    #[test]
    fn a_move_is_named_by_number_words_their_beginning_or_its_term() {
        assert_eq!(bet("2").as_deref(), Some("(raise 10)"));
        assert_eq!(bet(" Raise To Ten\n").as_deref(), Some("(raise 10)"));
        assert_eq!(bet("give").as_deref(), Some("quit"));
        assert_eq!(bet("( RAISE  10 )").as_deref(), Some("(raise 10)"));
        assert_eq!(bet("raise 10").as_deref(), Some("(raise 10)"));
        // A legal move comes before the word that leaves the match.
        assert_eq!(bet("quit").as_deref(), Some("quit"));
    }

    #[test]
    fn words_that_one_move_alone_has_name_it() {
        for (line, expected) in [
            ("10", "(raise 10)"),
            ("ten", "(raise 10)"),
            ("r 10", "(raise 10)"),
            ("two raise", "(raise 2)"),
            ("raise10", "(raise 10)"),
            ("king", "(show king)"),
            ("sh k", "(show king)"),
        ] {
            assert_eq!(bet(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn what_names_no_move_or_several_is_asked_again() {
        for line in [
            "0",
            "-1",
            "1 raise",
            "raise 1",
            "5",
            "raise",
            "(raise 3)",
            "(raise",
            "99999999999999999999999",
            "\u{1b}[2J",
            "((((",
            "-",
        ] {
            assert_eq!(bet(line), None, "{line:?}");
        }
        let said = |line| understood(&BETS, line).expect_err("no move");
        assert_eq!(said("raise"), "'raise' could be: raise to two, raise to ten");
        assert!(said("rise to ten").contains("did you mean 'raise to ten'?"), "{}", said("rise to ten"));
        assert_eq!(said("  "), format!("{:?}", Understood::Nothing));
        assert_eq!(said("?"), format!("{:?}", Understood::Command(PersonCommand::Help)));
        assert_eq!(said("belief"), format!("{:?}", Understood::Command(PersonCommand::Belief(Vec::new()))));
        let models = vec!["bob=policy:My.json".to_owned(), "carol=quantal".to_owned()];
        let models = format!("{:?}", Understood::Command(PersonCommand::Belief(models)));
        assert_eq!(said("belief --model bob=policy:My.json --model=carol=quantal"), models);
        assert_eq!(said("Belief bob=policy:My.json carol=quantal"), models);
        assert!(said("belief --model").contains("'belief --model'"), "{}", said("belief --model"));
    }

    #[test]
    fn squares_are_written_as_on_a_board() {
        let moves = [
            ("(move e2 e4)", "e2 to e4"),
            ("(move e4 e2)", "e4 to e2"),
            ("(move e2 e3)", "e2 to e3"),
            ("(fire 2 3)", "fire at column 2, row 3"),
        ];
        for (line, expected) in [
            ("e2e4", "(move e2 e4)"),
            ("e2-e4", "(move e2 e4)"),
            ("E4 E2", "(move e4 e2)"),
            ("e4 to e2", "(move e4 e2)"),
            ("23", "(fire 2 3)"),
            ("2,3", "(fire 2 3)"),
        ] {
            assert_eq!(understood(&moves, line).as_deref(), Ok(expected), "{line}");
        }
        assert!(understood(&moves, "e2").expect_err("two moves").contains("could be"));
    }

    #[test]
    fn forms_of_the_game_come_before_words_and_capitals_count_if_they_tell() {
        let typed = concat!(
            "[[typed]]\nmove = '(move ?from ?to)'\nwhile = ['(on ?from bishop)']\nas = ['B[x]{to}', 'B{from:1}[x]{to}']\n",
            "[[typed]]\nmove = '(move ?from ?to)'\nwhile = ['(on ?from pawn)']\nas = ['{from:1}[x]{to}', '{to}']\n",
        );
        let table = ["(on b2 pawn)", "(on a1 bishop)", "(on e1 bishop)"];
        let moves =
            [("(move b2 c3)", "b2 to c3"), ("(move a1 c3)", "a1 to c3"), ("(move e1 c3)", "e1 to c3")];
        let means = |line| understood_with(typed, &table, &moves, line);
        assert_eq!(means("bxc3").as_deref(), Ok("(move b2 c3)"));
        assert_eq!(means("c3").as_deref(), Ok("(move b2 c3)"));
        assert_eq!(means("Bac3+").as_deref(), Ok("(move a1 c3)"));
        assert_eq!(means("bec3").as_deref(), Ok("(move e1 c3)"));
        assert_eq!(means("Bxc3"), Err("'Bxc3' could be: a1 to c3, e1 to c3".to_owned()));
    }

    #[test]
    fn terms_stand_beside_words_that_do_not_tell_moves_apart() {
        let game = "(role a) (init s) (legal a (go 1)) (legal a (go 2)) (legal a stay) (<= terminal (true t)) (<= (next t) (true s)) (goal a 50)";
        let game = Game::compile(game, &Options::PLAY).expect("sound rules").game;
        let moves = shown(&game, &[("(go 1)", "go"), ("(go 2)", "go"), ("stay", "stay")]);
        let facts = GameFacts::unknown("T");
        let rows = Choices::new(&moves, &facts.typed, &[]).rows();
        assert_eq!(rows, ["   1  go  (go 1)", "   2  go  (go 2)", "   3  stay"]);
    }
}
