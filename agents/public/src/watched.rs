//! A game with one more role, who is told what is public, and the same game without it: what is known in one, in the terms of the other.

use std::sync::{Arc, Mutex, PoisonError};

use croupier_belief::{Opponents, Policy, PolicyQuestion};
use croupier_engine::{
    ByRole, Game, InformationSet, JointMove, MoveId, Options, Percepts, PublicSight, RoleId, SightError,
    game::Backend,
};
use rustc_hash::FxHashMap;

use crate::PublicError;

/// A game with a watcher.
#[derive(Debug)]
pub(crate) struct WatchedGame {
    pub(crate) game: Arc<Game>,
    pub(crate) watcher: RoleId,
    /// The only move of the watcher.
    pub(crate) noop: MoveId,
}

impl WatchedGame {
    /// The same rules with a watcher.
    ///
    /// # Errors
    /// [`PublicError::Sight`] if what is public cannot be read off the rules, or is all that there is.
    pub(crate) fn of(game: &Game) -> Result<Self, PublicError> {
        let written = game.rules().written();
        let sight = PublicSight::of_description(&written.description, game.limits());
        let sight = sight.map_err(PublicError::Sight)?;
        let options = Options {
            limits: *game.limits(),
            strictness: game.strictness(),
            percepts: game.percept_reading(),
            backend: Backend::Auto,
        };
        let not_understood = || PublicError::Sight(SightError::NotUnderstood);
        let compiled = Game::compile(sight.rules_with_players(), &options);
        let game = compiled.map_err(|_| not_understood())?.game;
        let watcher = game.roles().find(sight.watcher()).ok_or_else(not_understood)?;
        let noop = game.move_id("noop").map_err(|_| not_understood())?;
        Ok(Self { game: Arc::new(game), watcher, noop })
    }

    /// The policies of a game as those of the game with the watcher.
    pub(crate) fn opponents(&self, own: &Arc<Game>, opponents: &Opponents) -> Opponents {
        let back = Arc::new(Mutex::new(TermTranslation::new(Arc::clone(&self.game), Arc::clone(own))));
        let mut watched = Opponents::uniform();
        for (role, policy) in opponents.iter() {
            let Some(there) = self.game.roles().find(own.roles().name(role)) else { continue };
            let policy = TranslatedPolicy { role, policy: Arc::clone(policy), back: Arc::clone(&back) };
            watched = watched.with(there, Arc::new(policy));
        }
        watched
    }
}

/// Moves and percepts of one game in the terms of another that has them too, once they were asked for.
#[derive(Debug)]
pub(crate) struct TermTranslation {
    from: Arc<Game>,
    to: Arc<Game>,
    moves: FxHashMap<MoveId, MoveId>,
    percepts: FxHashMap<Percepts, Percepts>,
}

impl TermTranslation {
    pub(crate) fn new(from: Arc<Game>, to: Arc<Game>) -> Self {
        Self { from, to, moves: FxHashMap::default(), percepts: FxHashMap::default() }
    }

    /// A move; `None` if the other game has no room for one more term.
    pub(crate) fn played(&mut self, played: MoveId) -> Option<MoveId> {
        if let Some(&known) = self.moves.get(&played) {
            return Some(known);
        }
        let translated = self.to.move_id(&self.from.move_text(played)).ok()?;
        self.moves.insert(played, translated);
        Some(translated)
    }

    /// A set of percepts.
    pub(crate) fn told(&mut self, percepts: &Percepts) -> Option<Percepts> {
        if let Some(known) = self.percepts.get(percepts) {
            return Some(known.clone());
        }
        let texts = self.from.percept_terms(percepts);
        let translated = self.to.percepts_of(texts.iter().map(|text| &**text)).ok()?;
        self.percepts.insert(percepts.clone(), translated.clone());
        Some(translated)
    }

    /// What a role knows that is `role` in the other game.
    fn known(&mut self, role: RoleId, known: &InformationSet) -> Option<InformationSet> {
        let mut translated = InformationSet::initial(role);
        for (own, percepts) in &known.turns {
            translated.turns.push((self.played(*own)?, self.told(percepts)?));
        }
        Some(translated)
    }

    /// The moves that the roles of the other game make in a joint move.
    pub(crate) fn moves_of(&mut self, joint_move: &JointMove) -> Option<ByRole<MoveId>> {
        let (from, to) = (Arc::clone(&self.from), Arc::clone(&self.to));
        let found = ByRole::try_from_fn(to.roles(), |role| {
            let there = from.roles().find(to.roles().name(role)).ok_or(())?;
            self.played(joint_move.of(there)).ok_or(())
        });
        found.ok()
    }
}

/// A policy of one game, asked in the terms of another.
#[derive(Debug)]
struct TranslatedPolicy {
    /// The role in the game of the policy.
    role: RoleId,
    policy: Arc<dyn Policy>,
    back: Arc<Mutex<TermTranslation>>,
}

impl TranslatedPolicy {
    /// What is asked, in the terms of the policy; `None` if it cannot be said in them.
    fn question(&self, known: &InformationSet, legal: &[MoveId]) -> Option<(InformationSet, Vec<MoveId>)> {
        let mut back = self.back.lock().unwrap_or_else(PoisonError::into_inner);
        let legal: Option<Vec<MoveId>> = legal.iter().map(|&played| back.played(played)).collect();
        back.known(self.role, known).zip(legal)
    }
}

impl Policy for TranslatedPolicy {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let question = self.question(known, legal);
        // What cannot be said in the terms of the policy has no probability, and no particle that needs it stays.
        question.map_or_else(Vec::new, |(known, legal)| self.policy.probabilities(&known, &legal))
    }

    fn asks_at_once(&self) -> bool {
        self.policy.asks_at_once()
    }

    fn prepare(&self, questions: &[PolicyQuestion<'_>]) {
        let asked = questions.iter().filter_map(|asked| self.question(asked.known, asked.legal));
        let asked: Vec<(InformationSet, Vec<MoveId>)> = asked.collect();
        let questions = asked.iter().map(|(known, legal)| PolicyQuestion { known, legal });
        self.policy.prepare(&questions.collect::<Vec<_>>());
    }
}
