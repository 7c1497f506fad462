//! The player that goes by a table.

use std::sync::Arc;

use croupier_belief::{Coverage, PolicyTable, TablePolicy};
use croupier_engine::{Game, InformationSet, MoveId, RoleId};

use crate::{Budget, Decision, Player, PlayerError, RandomPlayer, sight::Sight};

/// Plays by a [`PolicyTable`], and uniformly where the table has no entry.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, InformationSet, Options};
/// use croupier_players::{Budget, Player, PolicyPlayer, PolicyTable};
///
/// # let rules = "(role left) (init start) (legal left (take 2)) (legal left (take 10))
/// #     (<= (next (took ?n)) (does left (take ?n))) (<= terminal (true (took ?n))) (goal left 50)";
/// let game = Arc::new(Game::compile(rules, &Options::PLAY)?.game);
/// let left = game.roles().find("left").ok_or("a role of the game")?;
/// let mut table = PolicyTable::default();
/// table.insert("(left)".to_owned(), [("(take 2)".to_owned(), 1.0)].into())?;
/// let mut player = PolicyPlayer::new(Arc::clone(&game), left, Arc::new(table), [0; 32])?;
/// let decision = player.choose(&InformationSet::initial(left), &mut Budget::Own)?;
/// assert_eq!(game.move_text(decision.chosen), "(take 2)".into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PolicyPlayer {
    sight: Sight,
    policy: TablePolicy,
    coverage: Coverage,
}

impl PolicyPlayer {
    /// A player of `role` whose draws depend only on `seed` and the turn.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`], or [`PlayerError::Policy`] if the table is for another game.
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        table: Arc<PolicyTable>,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        let policy = table.into_policy(Arc::clone(&game))?;
        let sight = Sight::new(game, role, RandomPlayer::PARTICLES, seed)?;
        Ok(Self { sight, policy, coverage: Coverage::default() })
    }

    /// The probability of each legal move, or `None` if the table has no entry.
    fn probabilities(
        &mut self,
        known: &InformationSet,
        moves: &[MoveId],
    ) -> Result<Option<Vec<f64>>, PlayerError> {
        let table = self.policy.entry(known);
        let information_set = || self.sight.game.information_set_text(known);
        if moves.len() > 1 {
            self.coverage.note(table.is_some(), information_set);
        }
        let Some(table) = table else { return Ok(None) };
        let texts: Vec<Arc<str>> = moves.iter().map(|&legal| self.sight.game.move_text(legal)).collect();
        let is_legal = |played: &str| texts.iter().any(|text| **text == *played);
        if let Some((played, _)) = table.iter().find(|(played, p)| **p > 0.0 && !is_legal(played)) {
            let error =
                PlayerError::PolicyMove { information_set: information_set(), played: played.clone() };
            self.coverage.fault.get_or_insert_with(|| error.to_string());
            return Err(error);
        }
        Ok(Some(texts.iter().map(|text| table.get(&**text).copied().unwrap_or(0.0)).collect()))
    }
}

impl Player for PolicyPlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn coverage(&self) -> Option<Coverage> {
        Some(self.coverage.clone())
    }

    fn strategy(
        &mut self,
        known: &InformationSet,
        moves: &[MoveId],
    ) -> Result<Option<Vec<f64>>, PlayerError> {
        let even = || vec![1.0 / moves.len() as f64; moves.len()];
        Ok(Some(self.probabilities(known, moves)?.unwrap_or_else(even)))
    }

    fn choose(&mut self, known: &InformationSet, _budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        let moves = self.sight.choice(known)?.moves;
        let mut rng = self.sight.rng(known);
        Ok(match self.probabilities(known, &moves)? {
            Some(probabilities) => Decision::drawn(moves, probabilities, &mut rng),
            None => Decision::drawn_uniformly(moves, &mut rng),
        })
    }
}
