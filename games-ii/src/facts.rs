//! What is known of a game beside its rules: the contents of `game.toml`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    board::{Board, BoardError, BoardFile},
    depiction::{DepictionError, Depictions, DepictionsFile},
    drawn::Drawn,
    hand_history::{HandHistory, HandHistoryError, HandHistoryFile},
    phrase::{Phrase, PhraseError, phrases},
    players::{self, Column, ColumnError, ColumnFile},
    predicates,
    printable::printable,
    scene::{Facts, Scene},
    section::Section,
    session::SessionRules,
    term::{Binding, PatternTerm},
    typed::{TypedFile, TypedForms},
    value::{Value, ValueError},
    words::Words,
};

/// Facts about one game.
#[derive(Clone, Debug)]
pub struct GameFacts {
    /// What people call it.
    pub title: String,
    /// One sentence for the catalogue.
    pub summary: String,
    /// Where the rules are from.
    pub source: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// From goal values to the unit that the literature counts in.
    pub payoff: Option<Payoff>,
    /// Values that others have computed.
    pub known: Vec<Known>,
    /// The size of the game's tree.
    pub counts: Option<Counts>,
    /// How its terms are said in words.
    pub words: Words,
    /// Numbers that are worked out from what is true.
    pub(crate) values: Vec<Value>,
    /// What its table of players shows.
    pub(crate) columns: Vec<Column>,
    /// What goals are called: `(goal N)`, `(won N)`, `(lost N)` and `even`.
    pub(crate) goals: Vec<Phrase>,
    /// What is said of a player behind what a match was worth.
    pub(crate) results: Vec<Phrase>,
    /// Relations of the rules that are worked out when a match is over, as atoms.
    pub(crate) relations: Vec<PatternTerm>,
    /// What facts look like in a picture, where words do not say it.
    pub(crate) depictions: Depictions,
    /// The boards that it is played on.
    pub boards: Vec<Board>,
    /// How people write its moves beside the words for them.
    pub typed: TypedForms,
    /// How a match is written down as a hand of poker, if it is one.
    pub hand_history: Option<HandHistory>,
    /// How its matches follow one another in a session.
    pub session: SessionRules,
    /// The predicates that anything above is about.
    pub(crate) told: BTreeSet<String>,
}

/// The payoff of a goal value: `(goal - offset) / scale`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payoff {
    /// What the payoff is counted in, in the plural.
    pub unit: String,
    /// The goal value that is worth nothing.
    pub offset: f64,
    /// Goal values to one unit; not zero.
    pub scale: f64,
}

impl Payoff {
    /// A goal value, or a mean of some, in units.
    #[must_use]
    pub fn payoff(&self, goal: f64) -> f64 {
        (goal - self.offset) / self.scale
    }
}

/// A value that somebody else computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Of what.
    pub what: String,
    /// As the source gives it.
    pub value: String,
    /// Who computed it.
    pub source: String,
}

impl Known {
    fn printable(&self) -> Self {
        Self { what: printable(&self.what), value: printable(&self.value), source: printable(&self.source) }
    }
}

/// How many nodes of each kind the tree has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Counts {
    /// Histories in which chance has a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<u64>,
    /// Histories in which a player has a choice, once for each such player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<u64>,
    /// Histories that end in a terminal state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminal: Option<u64>,
    /// What players can tell apart where they have a choice, all players together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub information_sets: Option<u64>,
}

/// Why a `game.toml` was refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FactsError {
    /// It is not TOML, or not of the expected shape.
    #[error("{}", .0.to_string().trim_end())]
    Toml(#[from] toml::de::Error),
    /// A pattern or its words do not fit together.
    #[error(transparent)]
    Words(#[from] PhraseError),
    /// A board cannot be drawn.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A number cannot be worked out like this.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A column cannot be drawn.
    #[error(transparent)]
    Column(#[from] ColumnError),
    /// A fact cannot be drawn like this.
    #[error(transparent)]
    Depiction(#[from] DepictionError),
    /// A relation is no atom with variables.
    #[error("the relation `{0}` must be an atom, such as (best ?player ?category)")]
    Relation(String),
    /// A hand cannot be written down like this.
    #[error(transparent)]
    HandHistory(#[from] HandHistoryError),
    /// The payoff map divides by zero or by something that is no number.
    #[error("the scale of the payoff must be a number other than 0, and the offset a number")]
    Payoff,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactsFile {
    title: String,
    summary: String,
    source: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    payoff: Option<Payoff>,
    #[serde(default)]
    known: Vec<Known>,
    counts: Option<Counts>,
    #[serde(default)]
    symbols: Section,
    #[serde(default)]
    moves: Section,
    #[serde(default)]
    percepts: Section,
    #[serde(default)]
    table: Section,
    #[serde(default)]
    values: Section,
    #[serde(default)]
    column: Vec<ColumnFile>,
    #[serde(default)]
    goals: Section,
    #[serde(default)]
    results: Section,
    #[serde(default)]
    relations: Vec<String>,
    #[serde(default)]
    board: Vec<BoardFile>,
    #[serde(default)]
    typed: Vec<TypedFile>,
    #[serde(default)]
    scene: DepictionsFile,
    hand_history: Option<HandHistoryFile>,
    #[serde(default)]
    session: SessionRules,
}

impl GameFacts {
    /// What payoffs are counted in: `goals` where the literature has no unit of its own.
    #[must_use]
    pub fn unit(&self) -> &str {
        self.payoff.as_ref().map_or("goals", |payoff| &payoff.unit)
    }

    /// Reads a `game.toml`.
    ///
    /// # Errors
    /// [`FactsError`] if it is not TOML of the documented shape, or its words do not fit.
    pub fn parse(text: &str) -> Result<Self, FactsError> {
        let file: FactsFile = toml::from_str(text)?;
        if let Some(payoff) = &file.payoff
            && !(payoff.offset.is_finite() && payoff.scale.is_normal())
        {
            return Err(FactsError::Payoff);
        }
        let words = Words::new(&file.symbols.0, &file.moves.0, &file.percepts.0, &file.table.0)?;
        Ok(Self {
            title: printable(&file.title),
            summary: printable(&file.summary),
            source: file.source.map(|source| printable(&source)),
            tags: file.tags.iter().map(|tag| printable(tag)).collect(),
            payoff: file.payoff.map(|payoff| Payoff { unit: printable(&payoff.unit), ..payoff }),
            known: file.known.iter().map(Known::printable).collect(),
            counts: file.counts,
            words,
            values: Value::all(&file.values.0)?,
            columns: file.column.iter().map(Column::new).collect::<Result<_, _>>()?,
            goals: phrases(&file.goals.0)?,
            results: phrases(&file.results.0)?,
            relations: file.relations.iter().map(|text| relation(text)).collect::<Result<_, _>>()?,
            depictions: Depictions::new(&file.scene)?,
            boards: file.board.iter().map(Board::new).collect::<Result<_, _>>()?,
            typed: TypedForms::new(&file.typed)?,
            hand_history: file.hand_history.map(HandHistory::new).transpose()?,
            session: file.session,
            told: predicates::told(&toml::from_str(text)?),
        })
    }

    /// What can be said of a game that comes without a `game.toml`.
    #[must_use]
    pub fn unknown(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            summary: String::new(),
            source: None,
            tags: Vec::new(),
            payoff: None,
            known: Vec::new(),
            counts: None,
            words: Words::none(),
            values: Vec::new(),
            columns: Vec::new(),
            goals: Vec::new(),
            results: Vec::new(),
            relations: Vec::new(),
            depictions: Depictions::default(),
            boards: Vec::new(),
            typed: TypedForms::default(),
            hand_history: None,
            session: SessionRules::default(),
            told: BTreeSet::new(),
        }
    }
}

impl GameFacts {
    /// What somebody knows who knows these fluents to be true, and those to be possible.
    #[must_use]
    pub fn scene<'t>(
        &self,
        certain: impl IntoIterator<Item = &'t str>,
        open: impl IntoIterator<Item = &'t str>,
    ) -> Scene {
        let facts = Facts {
            certain: certain.into_iter().collect(),
            open: open.into_iter().collect(),
            ..Facts::default()
        };
        self.scene_of(&facts)
    }

    /// The same for more kinds of knowledge.
    #[must_use]
    pub fn scene_of(&self, facts: &Facts<'_>) -> Scene {
        let work_out = |scene: &mut Scene| {
            for value in &self.values {
                let worked_out = value.facts(scene);
                scene.certain.extend(worked_out);
            }
        };
        Scene::new(facts, work_out, |term| self.words.order(term))
    }

    /// What a fluent looks like in words if others may look the same, since they are about copies of one thing.
    #[must_use]
    pub fn look(&self, fluent: &str) -> Option<String> {
        self.words.look(fluent)
    }

    /// Whether anything that is shown can depend on a fluent. If the game does not say what is worth showing, everything can; otherwise what
    /// the `game.toml` never names is bookkeeping of the rules.
    ///
    /// ```
    /// let rummy = croupier_games::find("gin-rummy-small").ok_or("the catalogue has it")?.facts()?;
    /// assert!(rummy.tells("(hand bob 3s)") && !rummy.tells("(total bob 17)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tells(&self, fluent: &str) -> bool {
        let says = self.words.has_table() || !self.boards.is_empty();
        !says || predicates::first(fluent).is_some_and(|name| self.told.contains(&name))
    }

    /// The table as far as it is known, with a row for each of these roles if the game has columns for them.
    ///
    /// What stands on a board or in a column is not said again. If the game does not say what is worth showing, all that is
    /// known is. A list of what no player holds, such as the cards on the board, is in the order of [`Scene::after`].
    #[must_use]
    pub fn draw(&self, scene: &Scene, players: &[&str]) -> Drawn {
        let terms: Vec<PatternTerm> =
            players.iter().map(|name| PatternTerm::Symbol((*name).to_owned())).collect();
        let is_shown = |fact: &&PatternTerm| {
            self.boards.iter().any(|board| board.shows(fact))
                || self.columns.iter().any(|column| column.shows(fact, &terms))
        };
        let is_public_list = |fact: &PatternTerm| self.words.is_gathered(fact) && !fact.contains_any(&terms);
        let others = scene.shown.iter().filter(|fact| !is_shown(fact));
        let others = scene.as_they_came(others, is_public_list).into_iter();
        let lines = match self.words.has_table() || !self.boards.is_empty() {
            true => self.words.table_lines_in(others, scene),
            false => others.map(|fact| self.words.fluent_text(&fact.to_string())).collect(),
        };
        Drawn {
            boards: self.boards.iter().map(|board| board.draw(&self.words, scene)).collect(),
            players: players::rows(&self.columns, &self.words, scene, players),
            lines,
        }
    }

    /// Whether a board, or a column of players of these names, shows a fluent.
    #[must_use]
    pub fn draws(&self, fluent: &str, players: &[&str]) -> bool {
        let terms: Vec<PatternTerm> =
            players.iter().map(|name| PatternTerm::Symbol((*name).to_owned())).collect();
        PatternTerm::parse(fluent).is_ok_and(|fact| {
            self.boards.iter().any(|board| board.shows(&fact))
                || self.columns.iter().any(|column| column.shows(&fact, &terms))
        })
    }

    /// What of the table is new, in words.
    #[must_use]
    pub fn changes(&self, before: &Scene, after: &Scene) -> Vec<String> {
        let new = after.certain.iter().filter(|fact| !before.certain.contains(fact));
        self.words.table_lines_in(new, after)
    }

    /// What somebody who gets this goal does, as `[goals]` says it: "wins 2 points". `None` if it does not say.
    ///
    /// ```
    /// let hearts = croupier_games::find("hearts-small").ok_or("the catalogue has it")?.facts()?;
    /// assert_eq!(hearts.goal_text(20).as_deref(), Some("takes 8 points"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn goal_text(&self, goal: i32) -> Option<String> {
        let payoff = self.payoff.as_ref().map(|map| map.payoff(f64::from(goal)));
        let number = |payoff: f64| {
            let digits = if payoff.fract() == 0.0 { 0 } else { 2 };
            PatternTerm::Symbol(format!("{:.digits$}", payoff.abs()))
        };
        let of = |name: &str, number| PatternTerm::List(vec![PatternTerm::Symbol(name.to_owned()), number]);
        let as_payoff = payoff.map(|payoff| match payoff {
            _ if payoff > 0.0 => of("won", number(payoff)),
            _ if payoff < 0.0 => of("lost", number(payoff)),
            _ => PatternTerm::Symbol("even".to_owned()),
        });
        let as_goal = of("goal", PatternTerm::Symbol(goal.to_string()));
        let terms: Vec<PatternTerm> = [as_goal].into_iter().chain(as_payoff).collect();
        let nothing = Scene::nothing();
        let said = |phrase: &Phrase| terms.iter().find_map(|term| self.words.fill(phrase, term, &nothing));
        self.goals.iter().find_map(said)
    }

    /// What is said of a role behind what a match was worth to it: the hand that it won with, perhaps.
    #[must_use]
    pub fn result_text(&self, role: &str, scene: &Scene) -> Option<String> {
        let player = PatternTerm::Symbol(role.to_owned());
        let given: Binding<'_> = vec![("player".to_owned(), &player)];
        let lines = self.words.lines_of(&self.results, scene.certain.iter(), scene, &given);
        lines.into_iter().next()
    }

    /// Rules of a `query` for the relations that the table wants to know when a match is over; `None` if it wants none.
    /// Each answer is `(query FACT)`.
    #[must_use]
    pub fn query(&self) -> Option<String> {
        let rule = |atom: &PatternTerm| format!("(<= (query {atom}) {atom})\n");
        (!self.relations.is_empty()).then(|| self.relations.iter().map(rule).collect())
    }
}

/// An atom of a relation of the rules.
fn relation(text: &str) -> Result<PatternTerm, FactsError> {
    match PatternTerm::parse(text) {
        Ok(atom @ PatternTerm::List(_)) if !atom.variables().is_empty() => Ok(atom),
        _ => Err(FactsError::Relation(text.to_owned())),
    }
}

impl Counts {
    /// The counts that are given, by what they count.
    #[must_use]
    pub fn by_name(&self) -> BTreeMap<&'static str, u64> {
        let all = [
            ("chance nodes", self.chance),
            ("decision nodes", self.decision),
            ("terminal nodes", self.terminal),
            ("information sets", self.information_sets),
        ];
        all.into_iter().filter_map(|(name, count)| Some((name, count?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{FactsError, GameFacts};

    const HEAD: &str = "title = 'T'\nsummary = 'S'\n";

    fn parse(body: &str) -> Result<GameFacts, FactsError> {
        GameFacts::parse(&format!("{HEAD}{body}"))
    }

    #[test]
    fn terms_are_said_in_words_and_nested_names_too() {
        let facts = parse(concat!(
            "[symbols]\n\"(card ?rank ?suit)\" = '{rank} of {suit}'\nh = 'hearts'\n",
            "[moves]\nnoop = 'wait'\n\"(play ?card)\" = 'play the {card}'\n",
            "[percepts]\n\"(did ?who ?what)\" = '{who} chose: {what}'\n",
        ))
        .expect("sound facts");
        assert_eq!(facts.words.move_text("(play (card 10 h))"), "play the 10 of hearts");
        assert_eq!(facts.words.percept_text("(did bob (play (card 2 s)))"), "bob chose: play the 2 of s");
        assert_eq!(facts.words.percept_text("(unknown h)"), "(unknown h)");
    }

    #[test]
    fn full_sight_needs_no_pattern() {
        let facts =
            parse("[symbols]\nx = 'Cross'\n[moves]\n\"(mark ?c)\" = 'mark {c}'").expect("sound facts");
        assert_eq!(facts.words.percept_text("(did x (mark 5))"), "Cross plays mark 5");
    }

    #[test]
    fn the_table_keeps_the_order_of_the_file() {
        let facts = parse("[table]\n\"(z ?n)\" = 'z is {n}'\na = 'a'").expect("sound facts");
        assert_eq!(facts.words.table_lines(["a", "(hidden)", "(z 1)"]), ["z is 1", "a"]);
    }

    #[test]
    fn what_the_table_says_nothing_of_is_left_out() {
        let facts = parse("[table]\n\"(z 0)\" = ''\n\"(z ?n)\" = 'z is {n}'").expect("sound facts");
        assert_eq!(facts.words.table_lines(["(z 0)", "(z 1)"]), ["z is 1"]);
    }

    const SITUATION: &str =
        "[moves]\n'bet if (paid ?other 2)' = 'call'\n'bet if (not (paid ?other 2))' = 'open'\nbet = 'bet'
        [percepts]\n'(did ?who bet) if (paid ?other 2) (distinct ?who ?other)' = '{who} calls {other}'";

    #[test]
    fn words_fit_the_situation() {
        let facts = parse(SITUATION).expect("sound facts");
        let scene = facts.scene(["(paid bob 2)", "(paid alice 1)"], []);
        assert_eq!(facts.words.move_text_in("bet", &scene), "call");
        assert_eq!(facts.words.percept_text_in("(did alice bet)", &scene), "alice calls bob");
        // Nobody calls the own bet.
        assert_eq!(facts.words.percept_text_in("(did bob bet)", &scene), "bob plays call");
        assert_eq!(facts.words.move_text_in("bet", &facts.scene(["(paid alice 1)"], [])), "open");
    }

    #[test]
    fn words_do_not_tell_what_the_viewer_does_not_know() {
        let facts = parse(SITUATION).expect("sound facts");
        // Whether bob has put in 2 is hidden: neither that he has nor that he has not may be heard from the words.
        let scene = facts.scene(["(paid alice 1)"], ["(paid bob 2)"]);
        assert_eq!(facts.words.move_text_in("bet", &scene), "bet");
        assert_eq!(facts.words.percept_text_in("(did alice bet)", &scene), "alice plays bet");
    }

    #[test]
    fn goals_and_reasons_have_words() {
        let facts = parse(
            "[payoff]\nunit = 'points'\noffset = 50\nscale = 10\n[symbols]\n'(many six)' = 'sixes'
             [goals]\n'(goal 100)' = 'sweeps'\neven = 'breaks even'\n'(lost 1)' = 'loses a point'\n'(won ?n)' = 'wins {n}'
             [results]\n'(best ?player pair) if (rank ?player ?rank)' = 'with a pair of {(many ?rank)}'",
        )
        .expect("sound facts");
        let told: Vec<_> = [100, 80, 50, 40, 30].map(|goal| facts.goal_text(goal)).into();
        let told: Vec<Option<&str>> = told.iter().map(Option::as_deref).collect();
        assert_eq!(told, [Some("sweeps"), Some("wins 3"), Some("breaks even"), Some("loses a point"), None]);
        let scene = facts.scene(["(best bob pair)", "(rank bob six)", "(best alice pair)"], []);
        assert_eq!(facts.result_text("bob", &scene).as_deref(), Some("with a pair of sixes"));
        assert_eq!(facts.result_text("alice", &scene), None);
    }

    #[test]
    fn hostile_conditions_end() {
        let conditions = "(f ?a) (f ?b) (f ?c) (f ?d) (f ?e) (f ?g) (f ?h) (not (f ?a))";
        let facts =
            parse(&format!("[moves]\n'go if {conditions}' = 'never'\ngo = 'go'")).expect("sound facts");
        let many: Vec<String> = (0..2_000).map(|number| format!("(f {number})")).collect();
        assert_eq!(facts.words.move_text_in("go", &facts.scene(many.iter().map(String::as_str), [])), "go");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(matches!(parse("[moves]\n'bet (paid 2)' = 'call'"), Err(FactsError::Words(_))));
        assert!(matches!(parse("[moves]\n'bet if' = 'call'"), Err(FactsError::Words(_))));
        assert!(matches!(parse("[moves]\n'bet if (not (f ?x))' = '{x}'"), Err(FactsError::Words(_))));
        assert!(matches!(parse("relations = ['(best ?x']"), Err(FactsError::Relation(_))));
        assert!(matches!(parse("relations = ['wins']"), Err(FactsError::Relation(_))));
        assert!(matches!(parse("[moves]\n\"(deal ?card)\" = '{crad}'"), Err(FactsError::Words(_))));
        assert!(matches!(parse("[moves]\n\"(deal ?card\" = 'deal'"), Err(FactsError::Words(_))));
        assert!(matches!(parse("[moves]\na = '{card'"), Err(FactsError::Words(_))));
        assert!(matches!(parse("tagz = []"), Err(FactsError::Toml(_))));
        assert!(matches!(parse("[payoff]\nunit = 'chips'\noffset = 0\nscale = 0"), Err(FactsError::Payoff)));
    }
}
