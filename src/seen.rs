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
    /// What it knew of the table at the last question.
    scene: Scene,
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
        let believer = believer.map_err(unknowable)?;
        Ok(Self { game, whole, known, believer, scene: Scene::nothing() })
    }

    /// What it knew after so many turns, which are no fewer than at the last question.
    pub(crate) fn after(&mut self, turns: usize, facts: &GameFacts) -> Result<Scene, Failure> {
        // Lists are in the order of appearance, so every turn matters.
        let first = if facts.words.gather() { turns.min(self.known.turns.len() + 1) } else { turns };
        for turns in first..=turns {
            self.outlook(turns)?;
            let scene = scene_of_certainty(&self.game, facts, &self.certainty(facts), &[]);
            self.scene = scene.after(&self.scene);
        }
        Ok(self.scene.clone())
    }

    /// What it knows when the match is over.
    pub(crate) fn at_end(
        &mut self,
        replayed: &Replay,
        facts: &GameFacts,
        relations: &mut Relations,
    ) -> Result<Scene, Failure> {
        let turns = self.whole.turns.len();
        if facts.words.gather() {
            self.after(turns.saturating_sub(1), facts)?;
        }
        let outlook = self.outlook(turns)?;
        let certainty = self.certainty(facts);
        let end = relations.of_belief(replayed.header(), &self.game, facts, &outlook, &certainty);
        Ok(end.after(&self.scene))
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
