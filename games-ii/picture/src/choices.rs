//! Legal moves as choices: what is touched for each, which differ in an amount alone, and the keys.

use std::collections::{BTreeMap, BTreeSet};

use croupier_games::{GameFacts, Scene, TouchedSquare, parts_of_term};

use crate::{
    choice::{AmountMove, AmountPreset, AmountRange, ChoiceMoves, MoveChoice},
    element::{ElementKind, PlayerElement},
    ids::{Ids, id},
    picture::Picture,
};

/// So many moves that differ in one number are one choice; fewer are buttons.
const RANGE_MIN: usize = 4;

/// A move while choices are made.
struct Candidate<'m> {
    term: &'m str,
    label: String,
    elements: Vec<String>,
}

/// Moves that are the same but for a number.
#[derive(Default)]
struct Family {
    /// By amount, the number of the candidate and the words around the amount.
    members: BTreeMap<i64, (usize, Around)>,
}

/// Words before and after an amount.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Around {
    before: String,
    after: String,
}

impl Picture {
    /// The legal moves of the viewer, as this picture lets them be chosen, in the order in which people list moves.
    #[must_use]
    pub fn choices(&self, facts: &GameFacts, known: &Scene, moves: &[&str]) -> Vec<MoveChoice> {
        let mut moves = moves.to_vec();
        moves.sort_by_cached_key(|term| (facts.words.move_place(term), (*term).to_owned()));
        let candidates = moves.iter().map(|&term| Candidate {
            term,
            label: facts.words.move_text_in(term, known),
            elements: self.touched(facts, term),
        });
        let candidates: Vec<Candidate<'_>> = candidates.collect();
        let families = families(facts, known, &candidates);
        let mut ids = Ids::default();
        let mut choices = Vec::new();
        for (number, candidate) in candidates.iter().enumerate() {
            match families.iter().find(|family| family.has(number)) {
                None => choices.push(MoveChoice {
                    id: ids.take(&["choice", candidate.term]),
                    key: None,
                    label: candidate.label.clone(),
                    elements: candidate.elements.clone(),
                    moves: ChoiceMoves::One(candidate.term.to_owned()),
                }),
                Some(family) if family.is_first(number) => {
                    choices.push(self.range(known, family, &candidates, &mut ids));
                }
                Some(_) => {}
            }
        }
        give_keys(&mut choices);
        choices
    }

    /// What is touched for a move.
    fn touched(&self, facts: &GameFacts, term: &str) -> Vec<String> {
        let Some(viewer) = self.viewer.and_then(|viewer| self.players.get(viewer)) else { return Vec::new() };
        let squares = facts.squares_of_move(term, &viewer.role);
        let squares: Vec<String> = squares.iter().filter_map(|square| self.square(square)).collect();
        if !squares.is_empty() {
            return squares;
        }
        let parts = parts_of_term(term);
        let is_alone = parts.len() == 2;
        let own = || viewer.zones.iter().flat_map(|zone| &zone.elements);
        let cards = parts.iter().skip(1).filter_map(|part| {
            // A number may be anything, unless nothing else is said.
            let is_card = is_alone || part.parse::<i64>().is_err();
            let card =
                own().find(|element| element.term == *part && matches!(element.kind, ElementKind::Card(_)));
            card.filter(|_| is_card).map(|element| element.id.clone())
        });
        cards.collect()
    }

    /// The id of a square that a move touches; of a column alone, that of the square in which something would come to lie.
    fn square(&self, touched: &TouchedSquare) -> Option<String> {
        let board_id = id(&["p", "board", &touched.board.to_string()]);
        let board = self.boards.iter().find(|board| board.id == board_id)?;
        let of_row = |row: usize| match board.is_turned {
            false => board.squares.get(row)?.get(touched.column),
            true => board.squares.iter().rev().nth(row)?.iter().rev().nth(touched.column),
        };
        let lowest = || {
            (0..board.squares.len())
                .rev()
                .find(|&row| of_row(row).is_some_and(|square| square.pieces.is_empty()))
        };
        let row = touched.row.or_else(lowest).unwrap_or(0);
        of_row(row).map(|square| square.id.clone())
    }

    fn range(
        &self,
        known: &Scene,
        family: &Family,
        candidates: &[Candidate<'_>],
        ids: &mut Ids,
    ) -> MoveChoice {
        let around = family.members.values().next().map(|(_, around)| around.clone()).unwrap_or_default();
        let amount = |(&amount, (number, _)): (&i64, &(usize, Around))| AmountMove {
            amount,
            term: candidates[*number].term.to_owned(),
            label: candidates[*number].label.clone(),
        };
        let amounts: Vec<AmountMove> = family.members.iter().map(amount).collect();
        let presets = self.presets(known, &around, &amounts);
        MoveChoice {
            id: ids.take(&["choice", &around.before, &around.after]),
            key: None,
            label: around.before,
            elements: Vec::new(),
            moves: ChoiceMoves::Amounts(AmountRange { amounts, after: around.after, presets }),
        }
    }

    /// Amounts that people choose often: parts of the pot where one is known.
    fn presets(&self, known: &Scene, around: &Around, amounts: &[AmountMove]) -> Vec<AmountPreset> {
        let (Some(least), Some(most)) = (amounts.first(), amounts.last()) else { return Vec::new() };
        let viewer = self.viewer.and_then(|viewer| self.players.get(viewer));
        let to_call = known.number("to_call").unwrap_or(0);
        // `raise to` counts from nothing, `raise by` and `bet` from the bet that is there.
        let is_total = around.before.split_whitespace().next_back() == Some("to");
        let level = if is_total { self.level() } else { 0 };
        let mut presets = vec![AmountPreset { label: "minimum".to_owned(), amount: least.amount }];
        if let Some(pot) = known.number("pot") {
            let whole = pot.saturating_add(to_call);
            for (label, part) in [("half pot", whole / 2), ("pot", whole)] {
                let target = level.saturating_add(part);
                let below = amounts.iter().rev().find(|amount| amount.amount <= target);
                presets.extend(
                    below.map(|below| AmountPreset { label: label.to_owned(), amount: below.amount }),
                );
            }
        }
        let own = viewer.map_or(0, |viewer| if is_total { bet_of(viewer) } else { 0 });
        let is_all =
            viewer.is_some_and(|viewer| viewer.stack.is_some_and(|stack| most.amount >= stack + own));
        let label = if is_all { "all in" } else { "maximum" };
        presets.push(AmountPreset { label: label.to_owned(), amount: most.amount });
        let mut seen = BTreeSet::new();
        // The last name counts for an amount that is all there is.
        presets.retain(|preset| preset.label == label || preset.amount != most.amount);
        presets.retain(|preset| seen.insert(preset.amount));
        presets
    }

    /// The highest bet that lies before a player.
    fn level(&self) -> i64 {
        self.players.iter().map(bet_of).max().unwrap_or(0)
    }
}

/// The chips that lie before a player.
fn bet_of(player: &PlayerElement) -> i64 {
    let elements = player.zones.iter().flat_map(|zone| &zone.elements);
    let chips = elements.filter_map(|element| match element.kind {
        ElementKind::Chips(chips) => Some(chips),
        _ => None,
    });
    chips.max().unwrap_or(0)
}

impl Family {
    fn has(&self, number: usize) -> bool {
        self.members.values().any(|(member, _)| *member == number)
    }

    fn is_first(&self, number: usize) -> bool {
        self.members.values().map(|(member, _)| *member).min() == Some(number)
    }
}

/// The families of moves that nothing is touched for, each move in at most one: the largest.
fn families(facts: &GameFacts, known: &Scene, candidates: &[Candidate<'_>]) -> Vec<Family> {
    let mut all: BTreeMap<(String, String), Family> = BTreeMap::new();
    for (number, candidate) in
        candidates.iter().enumerate().filter(|(_, candidate)| candidate.elements.is_empty())
    {
        let tokens = tokens(candidate.term);
        for (place, token) in tokens.iter().enumerate() {
            let Ok(amount) = token.parse::<i64>() else { continue };
            let Some(around) = words_around(facts, known, candidate, token) else { continue };
            let rest: Vec<&str> =
                tokens[..place].iter().chain(&["#"]).chain(&tokens[place + 1..]).copied().collect();
            let key = (rest.join(" "), format!("{} # {}", around.before, around.after));
            all.entry(key).or_default().members.insert(amount, (number, around));
        }
    }
    let mut families: Vec<Family> = all.into_values().collect();
    families.sort_by_key(|family| std::cmp::Reverse(family.members.len()));
    let mut taken = BTreeSet::new();
    families.retain_mut(|family| {
        family.members.retain(|_, (number, _)| !taken.contains(number));
        let is_range = family.members.len() >= RANGE_MIN;
        if is_range {
            taken.extend(family.members.values().map(|(number, _)| *number));
        }
        is_range
    });
    families
}

/// The words around a number of a move; those of the term itself where the game has none for it.
fn words_around(facts: &GameFacts, known: &Scene, candidate: &Candidate<'_>, number: &str) -> Option<Around> {
    if let Some((before, after)) = facts.words_around(candidate.term, number, known) {
        return Some(Around { before: before.trim().to_owned(), after: after.trim().to_owned() });
    }
    let has_words = candidate.label != candidate.term;
    let others = tokens(candidate.term).into_iter().filter(|token| *token != number);
    (!has_words).then(|| Around { before: others.collect::<Vec<_>>().join(" "), after: String::new() })
}

fn tokens(term: &str) -> Vec<&str> {
    term.split(['(', ')', ' ']).filter(|token| !token.is_empty()).collect()
}

/// Gives choices keys: buttons a letter of their words if one is left, what is touched the digit that it ends with, or the next.
fn give_keys(choices: &mut [MoveChoice]) {
    let mut used = BTreeSet::new();
    let (buttons, touched): (Vec<&mut MoveChoice>, Vec<&mut MoveChoice>) =
        choices.iter_mut().partition(|choice| choice.elements.is_empty());
    for choice in buttons {
        let label = choice.label.to_lowercase();
        let initials = label.split_whitespace().filter_map(|word| word.chars().next());
        let letters = initials.chain(label.chars()).filter(char::is_ascii_lowercase);
        let mut keys = letters.chain('1'..='9').chain('a'..='z').chain(['0']);
        choice.key = keys.find(|key| !used.contains(key));
        used.extend(choice.key);
    }
    for choice in touched {
        let last = choice.label.split_whitespace().next_back().filter(|word| word.len() == 1);
        let digit = last.and_then(|word| word.chars().next()).filter(char::is_ascii_digit);
        choice.key = digit.into_iter().chain('1'..='9').find(|key| !used.contains(key));
        used.extend(choice.key);
    }
}
