//! Relations of the rules that a game's table wants to know when a match is over: what hand somebody holds.

use std::sync::Arc;

use croupier_belief::{Basis, Certainty, Outlook, Query};
use croupier_engine::{Game, State};
use croupier_games::{GameFacts, Scene};
use croupier_referee::Header;
use croupier_table::{Seen, scene_of_certainty, scene_of_state};

use crate::{arguments::records::unknowable, output::failure::Failure};

/// The rules of a game, asked for the relations of its `game.toml`; made once for matches in a row that share a game.
#[derive(Default)]
pub(crate) struct Relations {
    last: Option<(Arc<Game>, Option<Query>)>,
}

impl Relations {
    /// The end of a match, for somebody who knows the state.
    pub(crate) fn of_state(&mut self, header: &Header, facts: &GameFacts, state: &State) -> Scene {
        let game = header.game();
        // The table does without what the rules cannot say.
        let answers = self.query(header, facts).and_then(|query| query.answers_in(game, state).ok());
        let known = known(answers.unwrap_or_default());
        match known.is_empty() {
            true => scene_of_state(game, facts, state),
            false => {
                let terms = game.state_terms(state);
                facts.scene(terms.iter().map(|term| &**term).chain(known.iter().map(String::as_str)), [])
            }
        }
    }

    /// The end of a match, for a role that has seen it.
    pub(crate) fn of_seen(
        &mut self,
        header: &Header,
        facts: &GameFacts,
        seen: &mut Seen,
    ) -> Result<Scene, Failure> {
        let end = |game: &Game, outlook: &Outlook, certainty: &Certainty| {
            self.of_belief(header, game, facts, outlook, certainty)
        };
        seen.at_end(facts, end).map_err(unknowable)
    }

    /// The end of a match, for somebody who believes this of `game` and is certain of that.
    ///
    /// What the rules say of it is known where the states of the belief are all that are possible.
    fn of_belief(
        &mut self,
        header: &Header,
        game: &Game,
        facts: &GameFacts,
        outlook: &Outlook,
        certainty: &Certainty,
    ) -> Scene {
        let is_whole =
            matches!(outlook.basis, Basis::Histories(_)) || certainty.is_closed && certainty.open.is_empty();
        let belief = &outlook.distribution;
        let query = self.query(header, facts).filter(|_| is_whole);
        let answers = query.and_then(|query| query.answers(game, belief).ok());
        let certain = answers.unwrap_or_default().into_iter().filter(|(_, probability)| *probability >= 1.0);
        let known = known(certain.map(|(answer, _)| answer).collect());
        scene_of_certainty(game, facts, certainty, &known)
    }

    fn query(&mut self, header: &Header, facts: &GameFacts) -> Option<&Query> {
        let game = header.game();
        if !self.last.as_ref().is_some_and(|(last, _)| Arc::ptr_eq(last, game)) {
            let rules = facts.query();
            let query = rules.and_then(|text| Query::compile(game, &text).ok());
            self.last = Some((Arc::clone(game), query));
        }
        self.last.as_ref().and_then(|(_, query)| query.as_ref())
    }
}

/// The facts in answers `(query FACT)`.
fn known(answers: Vec<String>) -> Vec<String> {
    let fact = |answer: &String| Some(answer.strip_prefix("(query ")?.strip_suffix(')')?.to_owned());
    answers.iter().filter_map(fact).collect()
}
