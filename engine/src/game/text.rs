//! Converts printed terms to values of a game and back.

use std::{collections::BTreeSet, sync::Arc};

use super::{Game, InformationSet, Percepts, State, TermError, move_term};
use crate::{
    game::GameError,
    id::{FluentId, MoveId, PerceptId, TermId},
    syntax,
};

impl Game {
    /// The canonical print of a move.
    #[must_use]
    pub fn move_text(&self, id: MoveId) -> Arc<str> {
        id.check(self.tag());
        self.print(move_term(id))
    }

    /// The canonical print of a percept.
    #[must_use]
    pub fn percept_text(&self, id: PerceptId) -> Arc<str> {
        id.check(self.tag());
        self.print(TermId::new(id.index()).expect("percepts are terms"))
    }

    /// The canonical print of a fluent.
    #[must_use]
    pub fn fluent_text(&self, id: FluentId) -> Arc<str> {
        id.check(self.tag());
        self.print(self.engines.reasoner.vocabulary().fluent_term(id))
    }

    fn print(&self, term: TermId) -> Arc<str> {
        self.engines.reasoner.vocabulary().print(term).into()
    }

    /// The fluents of a state as printed, in canonical order.
    #[must_use]
    pub fn state_terms(&self, state: &State) -> Vec<Arc<str>> {
        state.check(self.tag());
        let mut terms: Vec<_> = state.fluents().map(|fluent| self.fluent_text(fluent)).collect();
        terms.sort_unstable();
        terms
    }

    /// The percepts as printed, in canonical order.
    #[must_use]
    pub fn percept_terms(&self, percepts: &Percepts) -> Vec<Arc<str>> {
        percepts.iter().map(|percept| self.percept_text(percept)).collect()
    }

    /// An information set as one term: the role, then for each turn a list of the role's move and the percepts in
    /// canonical order, as in `(alice (noop (hole king)) (noop (dealt bob)))`.
    ///
    /// The term means the same in every process, and two information sets of a game have the same text only if they are equal.
    #[must_use]
    pub fn information_set_text(&self, known: &InformationSet) -> String {
        let mut text = format!("({}", self.roles().name(known.role));
        for (own_move, percepts) in &known.turns {
            text.push_str(" (");
            text.push_str(&self.move_text(*own_move));
            for percept in percepts.iter() {
                text.push(' ');
                text.push_str(&self.percept_text(percept));
            }
            text.push(')');
        }
        text.push(')');
        text
    }

    /// The move written as `text`, whether it is ever legal or not; for moves that a referee reports as executed.
    ///
    /// # Errors
    /// [`TermError`] if it is not one ground term.
    pub fn move_id(&self, text: &str) -> Result<MoveId, TermError> {
        Ok(MoveId::of(self.term(text)?.index(), self.tag()).expect("terms stay below 2^32"))
    }

    /// The fluent written as `text`, whether it can ever hold or not.
    ///
    /// # Errors
    /// [`TermError`] if it is not one ground term.
    pub fn fluent_id(&self, text: &str) -> Result<FluentId, TermError> {
        Ok(self.engines.reasoner.vocabulary().fluent(self.term(text)?).tagged(self.tag()))
    }

    /// The set of percepts written as `texts`.
    ///
    /// # Errors
    /// [`TermError`] for the first that is not one ground term.
    pub fn percepts_of<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Result<Percepts, TermError> {
        let percept = |text| {
            let term = self.term(text)?;
            Ok(PerceptId::of(term.index(), self.tag()).expect("terms stay below 2^32"))
        };
        let percepts = texts.into_iter().map(percept).collect::<Result<Vec<_>, TermError>>()?;
        Ok(self.in_order(percepts))
    }

    /// The set of these percepts.
    pub(super) fn in_order(&self, percepts: impl IntoIterator<Item = PerceptId>) -> Percepts {
        let mut terms: Vec<_> =
            percepts.into_iter().map(|percept| (self.percept_text(percept), percept)).collect();
        terms.sort_unstable();
        terms.dedup();
        Percepts { terms: terms.into_iter().map(|(_, percept)| percept).collect() }
    }

    /// One turn as a role knows it: its own move and its percepts, parsed from text.
    ///
    /// # Errors
    /// [`TermError`] for the first that is not one ground term.
    pub fn own_turn<'t>(
        &self,
        own_move: &str,
        percepts: impl IntoIterator<Item = &'t str>,
    ) -> Result<(MoveId, Percepts), TermError> {
        Ok((self.move_id(own_move)?, self.percepts_of(percepts)?))
    }

    /// The state in which exactly the fluents written as `terms` are true.
    ///
    /// # Errors
    /// [`TermError`] for the first that is not one ground term.
    pub fn state_of<'t>(&self, terms: impl IntoIterator<Item = &'t str>) -> Result<State, TermError> {
        let fluents: BTreeSet<FluentId> =
            terms.into_iter().map(|text| self.fluent_id(text)).collect::<Result<_, TermError>>()?;
        let vocabulary = self.engines.reasoner.vocabulary();
        let hashed = fluents.into_iter().map(|fluent| (fluent, vocabulary.fluent_hash(fluent)));
        Ok(State::of(hashed, self.tag()))
    }

    fn term(&self, text: &str) -> Result<TermId, TermError> {
        let term = syntax::read_ground_term(text, self.limits()).map_err(TermError::Malformed)?;
        self.engines
            .reasoner
            .vocabulary()
            .intern(&term)
            .map_err(|error| TermError::Limit(GameError::from(error)))
    }
}
