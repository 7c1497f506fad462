//! A finished match as a hand of poker, in the PHH format.
//!
//! Source: J. Kim, "Recording and Describing Poker Hands", IEEE CoG 2024, and the specification at
//! <https://phh.readthedocs.io>. Fields that begin with an underscore are ours, as it allows.

use std::{
    collections::BTreeMap,
    fmt::{self, Display, Formatter},
    sync::Arc,
};

use croupier_engine::{ByPlayer, ByRole, Game, RoleId, game::IllegalMove};
use croupier_games::{GameFacts, HandHistory, PokerMove};
use croupier_referee::{Record, Replay, ReplayTurn, record::Entry};
use thiserror::Error;
use toml::{Table, Value};

/// A finished match as a hand of poker. It shows every card.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// The fields of the format, in its order.
    fields: Table,
}

/// Why a match cannot be written as a hand.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HandError {
    /// The facts of the game have no `[hand_history]`.
    #[error("this game has no format for hand histories")]
    NoPoker,
    /// Cards that are hidden still would be shown.
    #[error("the match is not over")]
    Unfinished,
    /// The goals of a chip race cannot be averaged.
    #[error(transparent)]
    Race(#[from] IllegalMove),
}

impl Hand {
    /// The hand of a record and its replay.
    ///
    /// # Errors
    /// If the game's `game.toml` does not describe it as poker, or the match is not over.
    pub fn of(record: &Record, replayed: &Replay, facts: &GameFacts) -> Result<Self, HandError> {
        let form = facts.hand_history.as_ref().ok_or(HandError::NoPoker)?;
        let header = replayed.header();
        let mut fields = form.fields.clone();
        fields.insert("actions".to_owned(), strings(Actions::of(form, replayed).actions));
        let role = |name: &String| header.roles().find(name);
        let described = form.players.iter().filter_map(role).map(|role| header.players()[role].clone());
        fields.insert("players".to_owned(), strings(described.collect()));
        if let Some(finishing) = finishing_stacks(form, facts, replayed)? {
            let chips = finishing.into_iter().map(Value::Integer);
            fields.insert("finishing_stacks".to_owned(), Value::Array(chips.collect()));
        }
        let mut own = |field: &str, text: String| fields.insert(field.to_owned(), Value::String(text));
        own("_croupier_match", header.match_id().to_owned());
        own("_croupier_rules_sha256", header.game_digest().to_string());
        let revealed = record.lines().iter().find_map(|line| match &line.entry {
            Entry::Reveal { seed, .. } => Some(seed.reveal()),
            _ => None,
        });
        if let Some(seed) = revealed {
            own("_croupier_seed", seed);
        }
        Ok(Self { fields })
    }

    /// The fields of the format, in its order.
    #[must_use]
    pub fn fields(&self) -> &Table {
        &self.fields
    }

    /// The hand as one of several in a file of many hands (`.phhs`): below its number, followed by an empty line.
    #[must_use]
    pub fn numbered(&self, number: usize) -> String {
        format!("[{number}]\n{self}\n")
    }
}

/// TOML, as a file of one hand (`.phh`) has it.
impl Display for Hand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.fields.fmt(f)
    }
}

/// What each player has after the hand, in the order of the format; `None` if the game does not say what goals are worth.
fn finishing_stacks(
    form: &HandHistory,
    facts: &GameFacts,
    replayed: &Replay,
) -> Result<Option<Vec<i64>>, HandError> {
    let goals = settled(form, replayed)?.ok_or(HandError::Unfinished)?;
    if let Some(stacks) = stacks_left(form, replayed) {
        return Ok(Some(stacks));
    }
    let Some(payoff) = &facts.payoff else { return Ok(None) };
    let header = replayed.header();
    let role = |name: &String| header.roles().find(name);
    let won = form.players.iter().filter_map(role).map(|role| payoff.payoff(goals[role]));
    let stacks = form.fields.get("starting_stacks").and_then(Value::as_array);
    let stacks = stacks.into_iter().flatten().filter_map(Value::as_integer);
    #[expect(clippy::cast_possible_truncation, reason = "chips are small whole numbers")]
    let finishing = stacks.zip(won).map(|(stack, won)| stack + won.round() as i64);
    Ok(Some(finishing.collect()))
}

/// What the last state says that each player has, if it says that.
fn stacks_left(form: &HandHistory, replayed: &Replay) -> Option<Vec<i64>> {
    let last = &replayed.turns().last()?.successor;
    let terms = replayed.header().game().state_terms(last);
    let stacks: BTreeMap<String, u64> = terms.iter().filter_map(|fluent| form.stack(fluent)).collect();
    form.players.iter().map(|name| i64::try_from(*stacks.get(name)?).ok()).collect()
}

/// The goals, `None` if the match is not over. After a chip race they are the mean over all its draws, which
/// represents the chips won exactly.
fn settled(form: &HandHistory, replayed: &Replay) -> Result<Option<ByPlayer<f64>>, IllegalMove> {
    let (game, roles) = (replayed.header().game(), replayed.header().roles());
    let Some(goals) = replayed.outcome().and_then(|outcome| outcome.goals()) else { return Ok(None) };
    let chance = roles.random().zip(replayed.turns().last());
    let race = chance.filter(|(random, turn)| form.is_race(&game.move_text(turn.joint_move.of(*random))));
    let Some((random, turn)) = race else {
        return Ok(Some(ByPlayer::from_fn(roles, |role| f64::from(goals[role].value()))));
    };
    averaged(game, turn, random).map(Some)
}

/// The goals after a turn, on average over the moves of `random`.
fn averaged(game: &Game, turn: &ReplayTurn, random: RoleId) -> Result<ByPlayer<f64>, IllegalMove> {
    let (roles, mut scratch) = (game.roles(), game.scratch());
    let draws = game.legal_moves(&turn.state, random, &mut scratch)?;
    let mut sums = ByPlayer::from_fn(roles, |_| 0.0);
    let share = f64::from(u32::try_from(draws.len()).unwrap_or(u32::MAX)).recip();
    for &draw in &draws {
        let moves =
            ByRole::from_fn(roles, |role| if role == random { draw } else { turn.joint_move.of(role) });
        let joint_move = game.joint_move(&turn.state, moves, &mut scratch)?;
        let ended = game.successor(&turn.state, &joint_move, &mut scratch)?;
        for role in roles.players() {
            let goal = game.goal(&ended, role, &mut scratch)?;
            sums[role] += share * goal.map_or(0.0, |goal| f64::from(goal.value()));
        }
    }
    Ok(sums)
}

/// Characters of two cards: a hand of hold'em.
const HAND: usize = 4;

fn strings(texts: Vec<String>) -> Value {
    Value::Array(texts.into_iter().map(Value::String).collect())
}

/// Collects the actions of a hand.
struct Actions<'f> {
    form: &'f HandHistory,
    /// The cards of each player.
    hole: BTreeMap<usize, String>,
    /// The players who have not folded, in the order of the format.
    in_hand: Vec<usize>,
    /// Who bet or raised last on this street: is the first to show.
    aggressor: Option<usize>,
    /// Cards that were dealt since the last action.
    board: Vec<String>,
    /// Streets whose cards have been written.
    streets: usize,
    /// What each player has put in, now and when the street began.
    paid: BTreeMap<String, u64>,
    paid_before: BTreeMap<String, u64>,
    actions: Vec<String>,
}

impl<'f> Actions<'f> {
    fn of(form: &'f HandHistory, replayed: &Replay) -> Self {
        let mut actions = Self {
            form,
            hole: BTreeMap::new(),
            in_hand: (0..form.players.len()).collect(),
            aggressor: None,
            board: Vec::new(),
            streets: 0,
            paid: BTreeMap::new(),
            paid_before: BTreeMap::new(),
            actions: Vec::new(),
        };
        let game = replayed.header().game();
        actions.count(&game.state_terms(game.initial_state()));
        for turn in replayed.turns() {
            actions.take(replayed, turn);
        }
        actions.show();
        actions
    }

    fn take(&mut self, replayed: &Replay, turn: &ReplayTurn) {
        let game = replayed.header().game();
        let new = turn.successor.fluents().filter(|fluent| !turn.state.contains(*fluent));
        let new: Vec<_> = new.map(|fluent| game.fluent_text(fluent)).collect();
        self.count(&new);
        for (index, name) in self.form.players.iter().enumerate() {
            let Some(role) = game.roles().find(name) else { continue };
            let Some(action) = self.form.poker_move(&game.move_text(turn.joint_move.of(role))) else {
                continue;
            };
            let player = index + 1;
            self.actions.push(match action {
                PokerMove::Fold => {
                    self.in_hand.retain(|other| *other != index);
                    format!("p{player} f")
                }
                PokerMove::CheckOrCall => format!("p{player} cc"),
                PokerMove::BetOrRaise => {
                    self.aggressor = Some(index);
                    let before = self.paid_before.get(name).copied().unwrap_or(0);
                    let chips = self.paid.get(name).copied().unwrap_or(0) - before;
                    format!("p{player} cbr {chips}")
                }
            });
        }
        self.deal(&new);
    }

    fn count(&mut self, fluents: &[Arc<str>]) {
        self.paid.extend(fluents.iter().filter_map(|fluent| self.form.chips(fluent)));
    }

    /// Writes dealt cards as soon as they are complete: a hand, the flop, the turn, the river.
    fn deal(&mut self, new: &[Arc<str>]) {
        for (player, card) in new.iter().filter_map(|fluent| self.form.hole_card(fluent)) {
            let Some(index) = self.form.players.iter().position(|name| *name == player) else { continue };
            self.hole.entry(index).or_default().push_str(&card);
            if self.hole.len() == self.form.players.len()
                && self.hole.values().all(|cards| cards.len() == HAND)
            {
                for (index, cards) in &self.hole {
                    self.actions.push(format!("d dh p{} {cards}", index + 1));
                }
            }
        }
        self.board.extend(new.iter().filter_map(|fluent| self.form.board_card(fluent)));
        if self.form.streets.get(self.streets).is_some_and(|&cards| self.board.len() == cards) {
            self.actions.push(format!("d db {}", std::mem::take(&mut self.board).concat()));
            self.streets += 1;
            self.paid_before.clone_from(&self.paid);
            self.aggressor = None;
        }
    }

    /// Shows the hands of all remaining players, if there are several.
    fn show(&mut self) {
        if let [_, _, ..] = self.in_hand[..] {
            let first = self.in_hand.iter().position(|index| Some(*index) == self.aggressor).unwrap_or(0);
            self.in_hand.rotate_left(first);
            for index in &self.in_hand {
                let cards = self.hole.get(index).map_or("", String::as_str);
                self.actions.push(format!("p{} sm {cards}", index + 1));
            }
        }
    }
}
