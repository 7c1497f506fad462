//! What a role knew of the table, turn by turn of a match that was recorded.

use std::sync::Arc;

use croupier_belief::{BeliefError, Believer, Certainty, Methods, Opponents, Outlook};
use croupier_engine::{Game, InformationSet, RoleId};
use croupier_games::{GameFacts, Scene};
use croupier_referee::Replay;

use crate::{failure::Failure, records, relations::Relations, table::scene_of_certainty};

/// What a role knew of the table, turn by turn.
pub(crate) struct Seen {
    game: Arc<Game>,
    /// What the role knows at the end of the match, and what it knows so far.
    whole: InformationSet,
    known: InformationSet,
    believer: Believer,
}

impl Seen {
    /// What `role` knew in a match, worked out in `game`, which has the same rules.
    pub(crate) fn new(game: Arc<Game>, replayed: &Replay, role: RoleId) -> Result<Self, Failure> {
        let whole = records::information_set(&game, replayed, role, replayed.turns().len())?;
        let whole = whole.expect("the role is a player");
        // The same tables every time: what is drawn for them is no part of the match.
        let methods = Methods::brief([0; 32]);
        let believer = Believer::new(Arc::clone(&game), role, methods, &Opponents::uniform());
        let known = InformationSet::initial(role);
        Ok(Self { game, whole, known, believer: believer.map_err(unknowable)? })
    }

    /// What it knew after so many turns, which are no fewer than at the last question.
    pub(crate) fn after(&mut self, turns: usize, facts: &GameFacts) -> Result<Scene, Failure> {
        self.outlook(turns)?;
        Ok(scene_of_certainty(&self.game, facts, &self.certainty(facts), &[]))
    }

    /// What it knows when the match is over.
    pub(crate) fn at_end(
        &mut self,
        replayed: &Replay,
        facts: &GameFacts,
        relations: &mut Relations,
    ) -> Result<Scene, Failure> {
        let outlook = self.outlook(self.whole.turns.len())?;
        let certainty = self.certainty(facts);
        Ok(relations.of_belief(replayed.header(), &self.game, facts, &outlook, &certainty))
    }

    fn certainty(&self, facts: &GameFacts) -> Certainty {
        self.believer.certainty(&|fluent| facts.look(fluent))
    }

    fn outlook(&mut self, turns: usize) -> Result<Outlook, Failure> {
        let new = self.known.turns.len()..turns;
        self.known.turns.extend_from_slice(&self.whole.turns[new]);
        self.believer.follow(&self.known).map_err(unknowable)
    }
}

fn unknowable(error: BeliefError) -> Failure {
    Failure::refuse("no-belief", error.to_string()).help("leave out --table")
}
