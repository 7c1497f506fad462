//! What a role did and was told, as text: all that is kept of a match between its messages.

use std::ops::Range;

use croupier_engine::{Game, InformationSet, RoleId, game::TermError};

/// The turns of one role so far, in canonical text.
///
/// Text rather than indices of a [`Game`], so that it outlives the fork with which a player was computing: about ninety
/// bytes per turn of hold'em.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    /// The turn of the last message: the number of turns, unless messages without turn numbers were missed.
    learned: u32,
    /// For each turn the own move and then the percepts, without anything between them.
    text: String,
    /// Where each of these ends in `text`.
    text_ends: Vec<u32>,
    /// Where each turn ends in `text_ends`.
    turn_ends: Vec<u32>,
}

/// Maximum text of one match: no game of the catalogue needs a hundredth of it.
const TEXT_BYTES_MAX: usize = 16 << 20;

/// A match in which more was told than is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overfull;

impl Transcript {
    /// The turn of the last message; 0 before any.
    pub(crate) fn learned(&self) -> u32 {
        self.learned
    }

    pub(crate) fn turns_count(&self) -> usize {
        self.turn_ends.len()
    }

    /// Takes in the turns of `known` that are not here yet, with the message that told of the last.
    ///
    /// # Errors
    /// [`Overfull`]; then nothing is taken in.
    pub(crate) fn extend(
        &mut self,
        game: &Game,
        known: &InformationSet,
        learned: u32,
    ) -> Result<(), Overfull> {
        let (text_length, ends) = (self.text.len(), self.text_ends.len());
        let turns = self.turn_ends.len();
        for (own_move, percepts) in known.turns.iter().skip(turns) {
            let percepts = game.percept_terms(percepts);
            for term in [&game.move_text(*own_move)].into_iter().chain(&percepts) {
                self.text.push_str(term);
                self.text_ends.push(end(self.text.len()));
            }
            self.turn_ends.push(end(self.text_ends.len()));
            if self.text.len() > TEXT_BYTES_MAX {
                self.text.truncate(text_length);
                self.text_ends.truncate(ends);
                self.turn_ends.truncate(turns);
                return Err(Overfull);
            }
        }
        self.learned = learned;
        Ok(())
    }

    /// The own move of a turn, as it was executed.
    pub(crate) fn own_move(&self, turn: u32) -> Option<&str> {
        self.terms(usize::try_from(turn).ok()?).next()
    }

    /// The same as the engine has it, in the numbers of `game`.
    ///
    /// # Errors
    /// If a bound of the game's limits is reached; the texts come from a fork of it, and are terms.
    pub(crate) fn information_set(&self, game: &Game, role: RoleId) -> Result<InformationSet, TermError> {
        croupier_seat::information_set_of_turns(
            game,
            role,
            (0..self.turns_count()).map(|turn| {
                let mut terms = self.terms(turn);
                (terms.next().unwrap_or_default(), terms)
            }),
        )
    }

    /// The role's move and percepts in a turn; `None` if there is no such turn.
    fn terms(&self, turn: usize) -> impl Iterator<Item = &str> {
        let is_there = turn < self.turns_count();
        let terms = if is_there { part(&self.turn_ends, turn) } else { 0..0 };
        terms.map(|term| &self.text[part(&self.text_ends, term)])
    }
}

fn end(length: usize) -> u32 {
    u32::try_from(length).expect("a message and what is kept before it are short")
}

/// The part with this number of something that is cut at `ends`.
fn part(ends: &[u32], number: usize) -> Range<usize> {
    let start = if number == 0 { 0 } else { ends[number - 1] };
    start as usize..ends[number] as usize
}

#[cfg(test)]
mod tests {
    use croupier_engine::Options;

    use super::*;

    const RULES: &str = "(role r) (init (s 0)) (legal r (a 1)) (legal r b) (sees r (p 1)) (sees r q)
        (<= (next (s ?x)) (true (s ?x))) (<= terminal (true (s 1))) (goal r 50)";

    #[test]
    fn what_was_told_comes_back_in_the_numbers_of_any_fork() {
        let game = Game::compile(RULES, &Options::PLAY).unwrap().game;
        let role = game.roles().find("r").unwrap();
        let (one, other) = (game.fork(), game.fork());
        let told: [(&str, &[&str]); 4] =
            [("(a 1)", &["q", "(p 1)"]), ("b", &[]), ("(a (new term))", &["(p (new term))"]), ("b", &["q"])];
        let mut known = InformationSet::initial(role);
        let mut transcript = Transcript::default();
        for (turn, (own_move, percepts)) in (1..).zip(told) {
            known.turns.push(one.own_turn(own_move, percepts.iter().copied()).unwrap());
            transcript.extend(&one, &known, turn).unwrap();
        }
        assert_eq!((transcript.learned(), transcript.turns_count()), (4, 4));
        assert_eq!(transcript.own_move(2), Some("(a (new term))"));
        assert_eq!(transcript.own_move(4), None);
        // A fork that met other terms in another order numbers them differently, and says the same.
        other.move_id("(z z)").unwrap();
        let back = transcript.information_set(&other, role).unwrap();
        assert_eq!(other.information_set_text(&back), one.information_set_text(&known));
        assert_eq!(transcript.information_set(&one, role).unwrap(), known);
    }

    #[test]
    fn a_turn_that_is_too_long_is_not_taken_in_by_halves() {
        let game = Game::compile(RULES, &Options::PLAY).unwrap().game;
        let role = game.roles().find("r").unwrap();
        let mut known = InformationSet::initial(role);
        let mut transcript = Transcript::default();
        known.turns.push(game.own_turn("b", ["q"]).unwrap());
        transcript.extend(&game, &known, 1).unwrap();
        let percepts: Vec<String> = (0..90_000).map(|n| format!("(p {n:0>200})")).collect();
        known.turns.push(game.own_turn("b", percepts.iter().map(String::as_str)).unwrap());
        assert_eq!(transcript.extend(&game, &known, 2), Err(Overfull));
        assert_eq!((transcript.learned(), transcript.turns_count()), (1, 1));
        known.turns.pop();
        assert_eq!(transcript.information_set(&game, role).unwrap(), known);
    }
}
