//! How a poker game is written down as a hand history: which terms are cards, chips and actions.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

use crate::term::{PatternTerm, TermError};

/// What `[hand_history]` of a `game.toml` says of a poker game, for the PHH format.
///
/// Source: J. Kim, "Recording and Describing Poker Hands", IEEE CoG 2024.
#[derive(Clone, Debug)]
pub struct HandHistory {
    /// The roles in the order of the format: the first is the one who acts first after the flop, so with two
    /// players the big blind.
    pub players: Vec<String>,
    /// Fields of the format that are the same in every hand, such as `variant` and `blinds_or_straddles`.
    pub fields: toml::Table,
    /// Cards dealt to the board at once, street by street.
    pub streets: Vec<usize>,
    hole: PatternTerm,
    board: PatternTerm,
    chips: Chips,
    race: Option<PatternTerm>,
    actions: Vec<(PatternTerm, PokerMove)>,
}

/// The fluent that says where the chips are.
#[derive(Clone, Debug)]
enum Chips {
    /// What a player has put in.
    Paid(PatternTerm),
    /// What a player has left, after the hand too, and what each began with.
    Stack(PatternTerm, BTreeMap<String, u64>),
}

/// What a move is in a hand history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PokerMove {
    /// `f`.
    Fold,
    /// `cc`.
    CheckOrCall,
    /// `cbr`, and the chips of this street after it.
    BetOrRaise,
}

/// Why a `[hand_history]` was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HandHistoryError {
    /// A pattern is not a term.
    #[error("the pattern `{pattern}` of the hand history is not a term: {source}")]
    Pattern {
        /// As written.
        pattern: String,
        /// What is wrong with it.
        source: TermError,
    },
    /// A pattern lacks a variable.
    #[error("the pattern `{pattern}` of the hand history needs ?{variable}")]
    Lacks {
        /// As written.
        pattern: String,
        /// Name of the variable.
        variable: &'static str,
    },
    /// It does not say where the chips are, or says it twice.
    #[error(
        "the hand history needs `paid`, or `stack` and a whole number of `starting_stacks` for each player"
    )]
    Chips,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandHistoryFile {
    players: Vec<String>,
    streets: Vec<usize>,
    hole: String,
    board: String,
    #[serde(default)]
    paid: Option<String>,
    #[serde(default)]
    stack: Option<String>,
    #[serde(default)]
    race: Option<String>,
    actions: BTreeMap<String, PokerMove>,
    fields: toml::Table,
}

impl HandHistory {
    pub(crate) fn new(file: HandHistoryFile) -> Result<Self, HandHistoryError> {
        let HandHistoryFile { players, streets, hole, board, paid, stack, race, actions, fields } = file;
        let (hole, board) = (pattern(&hole, &["player", "card"])?, pattern(&board, &["card"])?);
        let of_player = |text: String| pattern(&text, &["player", "chips"]);
        let chips = match (paid, stack) {
            (Some(paid), None) => Chips::Paid(of_player(paid)?),
            (None, Some(stack)) => {
                let begun = starting_stacks(&players, &fields).ok_or(HandHistoryError::Chips)?;
                Chips::Stack(of_player(stack)?, begun)
            }
            _ => return Err(HandHistoryError::Chips),
        };
        let race = race.map(|text| pattern(&text, &[])).transpose()?;
        let action = |(text, action): (String, PokerMove)| Ok((pattern(&text, &[])?, action));
        let actions = actions.into_iter().map(action).collect::<Result<_, _>>()?;
        Ok(Self { players, fields, streets, hole, board, chips, race, actions })
    }

    /// The player and the card, if the fluent says that a player holds a card.
    #[must_use]
    pub fn hole_card(&self, fluent: &str) -> Option<(String, String)> {
        let [player, card] = bound(&self.hole, fluent, ["player", "card"])?;
        Some((player, card_text(&card)))
    }

    /// The card, if the fluent says that it lies on the board.
    #[must_use]
    pub fn board_card(&self, fluent: &str) -> Option<String> {
        let [card] = bound(&self.board, fluent, ["card"])?;
        Some(card_text(&card))
    }

    /// The player and the chips, if the fluent says how many a player has put in.
    #[must_use]
    pub fn chips(&self, fluent: &str) -> Option<(String, u64)> {
        match &self.chips {
            Chips::Paid(paid) => chips_of(paid, fluent),
            Chips::Stack(stack, begun) => {
                let (player, left) = chips_of(stack, fluent)?;
                // After the hand a player may have more than before.
                let put_in = begun.get(&player)?.checked_sub(left)?;
                Some((player, put_in))
            }
        }
    }

    /// The player and the chips, if the fluent says how many a player has left, after the hand too.
    #[must_use]
    pub fn stack(&self, fluent: &str) -> Option<(String, u64)> {
        match &self.chips {
            Chips::Paid(_) => None,
            Chips::Stack(stack, _) => chips_of(stack, fluent),
        }
    }

    /// Whether a move of `random` is the draw for a chip race: it comes after the hand, and makes goals of chips that
    /// on average are worth the chips.
    #[must_use]
    pub fn is_race(&self, drawn: &str) -> bool {
        let term = PatternTerm::parse(drawn).ok();
        self.race.as_ref().zip(term).is_some_and(|(race, term)| race.matches(&term).is_some())
    }

    /// What a move is; `None` for one that is no action, such as waiting.
    #[must_use]
    pub fn poker_move(&self, played: &str) -> Option<PokerMove> {
        let term = PatternTerm::parse(played).ok()?;
        self.actions.iter().find(|(pattern, _)| pattern.matches(&term).is_some()).map(|(_, action)| *action)
    }
}

fn pattern(text: &str, variables: &[&'static str]) -> Result<PatternTerm, HandHistoryError> {
    let term = PatternTerm::parse(text)
        .map_err(|source| HandHistoryError::Pattern { pattern: text.to_owned(), source })?;
    match variables.iter().find(|variable| !term.mentions(variable)) {
        Some(variable) => Err(HandHistoryError::Lacks { pattern: text.to_owned(), variable }),
        None => Ok(term),
    }
}

fn chips_of(pattern: &PatternTerm, fluent: &str) -> Option<(String, u64)> {
    let [player, chips] = bound(pattern, fluent, ["player", "chips"])?;
    Some((player, chips.parse().ok()?))
}

/// What each player begins with, as the fields of the format have it.
fn starting_stacks(players: &[String], fields: &toml::Table) -> Option<BTreeMap<String, u64>> {
    let stacks = fields.get("starting_stacks")?.as_array()?;
    let chips = stacks.iter().map(|chips| u64::try_from(chips.as_integer()?).ok());
    let chips: Vec<u64> = chips.collect::<Option<_>>()?;
    (chips.len() == players.len()).then(|| players.iter().cloned().zip(chips).collect())
}

fn bound<const N: usize>(pattern: &PatternTerm, fluent: &str, variables: [&str; N]) -> Option<[String; N]> {
    let term = PatternTerm::parse(fluent).ok()?;
    let binding = pattern.matches(&term)?;
    Some(variables.map(|variable| {
        let part = binding.iter().find(|(name, _)| name == variable);
        part.map(|(_, part)| part.to_string()).unwrap_or_default()
    }))
}

/// A card as the format has it: `Td` for `td`.
fn card_text(card: &str) -> String {
    let mut chars = card.chars();
    chars.next().map(|rank| rank.to_ascii_uppercase()).into_iter().chain(chars).collect()
}
