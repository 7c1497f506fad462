//! What a role knew of the table, turn by turn of a match.

use std::sync::Arc;

use croupier_belief::{BeliefError, Believer, Certainty, Methods, Opponents, Outlook};
use croupier_engine::{Game, InformationSet};
use croupier_games::{GameFacts, Scene};

use crate::scene_of_certainty;

/// What a role knew of the table, turn by turn.
#[derive(Debug)]
pub struct Seen {
    game: Arc<Game>,
    /// What the role knows at the end, and what it knows so far.
    whole: InformationSet,
    known: InformationSet,
    believer: Believer,
    /// What it knew of the table at the last question.
    scene: Scene,
}

impl Seen {
    /// What a role of `game` knew in a match at whose end it knows `whole`.
    ///
    /// # Errors
    /// [`BeliefError`] if the role can have no belief.
    pub fn new(game: Arc<Game>, whole: InformationSet) -> Result<Self, BeliefError> {
        let role = whole.role;
        // The same tables every time: what is drawn for them is no part of the match.
        let methods = Methods::brief([0; 32]);
        let believer = Believer::new(Arc::clone(&game), role, methods, &Opponents::uniform())?;
        Ok(Self { game, whole, known: InformationSet::initial(role), believer, scene: Scene::nothing() })
    }

    /// What it knew after so many turns, which are no fewer than at the last question.
    ///
    /// # Errors
    /// [`BeliefError`] if nothing is consistent with what it was told.
    pub fn after(&mut self, turns: usize, facts: &GameFacts) -> Result<Scene, BeliefError> {
        // Lists are in the order of appearance, so every turn matters.
        let first = if facts.words.gather() { turns.min(self.known.turns.len() + 1) } else { turns };
        for turns in first..=turns {
            self.follow(turns)?;
            let scene = scene_of_certainty(&self.game, facts, &self.certainty(facts), &[]);
            self.scene = scene.after(&self.scene);
        }
        Ok(self.scene.clone())
    }

    /// What it knows at the end, where a scene is made of what it believes and what it is certain of by `scene_of`.
    ///
    /// # Errors
    /// Those of [`after`](Self::after).
    pub fn at_end(
        &mut self,
        facts: &GameFacts,
        scene_of: impl FnOnce(&Game, &Outlook, &Certainty) -> Scene,
    ) -> Result<Scene, BeliefError> {
        let turns = self.whole.turns.len();
        if facts.words.gather() {
            self.after(turns.saturating_sub(1), facts)?;
        }
        let outlook = self.follow(turns)?;
        Ok(scene_of(&self.game, &outlook, &self.certainty(facts)).after(&self.scene))
    }

    fn certainty(&self, facts: &GameFacts) -> Certainty {
        self.believer.certainty_about(&|fluent| facts.look(fluent), &|fluent| facts.tells(fluent))
    }

    fn follow(&mut self, turns: usize) -> Result<Outlook, BeliefError> {
        let new = self.known.turns.len()..turns;
        self.known.turns.extend_from_slice(&self.whole.turns[new]);
        self.believer.follow(&self.known)
    }
}
