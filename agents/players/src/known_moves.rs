//! The legal moves of a role, where what it did and was told proves them.

use std::sync::Arc;

use croupier_belief::{BeliefError, Detail, ExactBelief, ExactOptions};
use croupier_engine::{Game, InformationSet, MoveId, RoleId, Scratch, Status, game::TermError};

/// The legal moves of a role, worked out from its information set alone.
///
/// They are known if they are the same in every history that agrees with what the role did and was told and in which the match
/// goes on. They are then a function of what the role knows, so whoever is shown them learns nothing.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, Options};
/// use croupier_players::KnownMoves;
///
/// // The guesser may name either side, but only the side that lies there can be picked up.
/// let rules = "(role random) (role guesser) (init tossed) (side heads) (side tails)
///     (<= (legal random (toss ?side)) (true tossed) (side ?side)) (<= (legal random rest) (not (true tossed)))
///     (<= (legal guesser wait) (true tossed))
///     (<= (legal guesser (name ?side)) (true (lies ?any)) (side ?side))
///     (<= (legal guesser (pick ?side)) (true named) (true (lay ?side)))
///     (<= (next (lies ?side)) (does random (toss ?side)))
///     (<= (next (lay ?side)) (true (lies ?side))) (<= (next named) (true (lies ?side)))
///     (<= (next done) (true named)) (<= terminal (true done)) (goal guesser 50)
///     (<= (sees guesser landed) (does random (toss ?side)))";
/// let game = Arc::new(Game::compile(rules, &Options::PLAY)?.game);
/// let guesser = game.roles().find("guesser").ok_or("a role")?;
/// let mut known = KnownMoves::new(game, guesser);
/// assert_eq!(known.texts(), Some(vec!["wait".to_owned()]));
/// known.take("wait", ["landed"])?;
/// assert_eq!(known.texts(), Some(vec!["(name heads)".to_owned(), "(name tails)".to_owned()]));
/// known.take("(name heads)", [])?;
/// // Which side can be picked up would tell how the coin fell.
/// assert_eq!(known.texts(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct KnownMoves {
    game: Arc<Game>,
    role: RoleId,
    scratch: Scratch,
    turns: usize,
    /// `None` once the histories are too many, or contradict what was told.
    belief: Option<ExactBelief>,
}

impl KnownMoves {
    /// States and joint moves of a turn that are looked at: beyond these the moves are not known.
    const OPTIONS: ExactOptions =
        ExactOptions { detail: Detail::States, histories_max: 20_000, joint_moves_max: 500_000 };

    /// What `role` knows before the first move. Nothing is ever known of the moves of chance.
    #[must_use]
    pub fn new(game: Arc<Game>, role: RoleId) -> Self {
        let scratch = game.scratch();
        let belief = ExactBelief::new(Arc::clone(&game), role, Self::OPTIONS).ok();
        Self { game, role, scratch, turns: 0, belief }
    }

    /// What a role knows that did and was told `known`.
    #[must_use]
    pub fn of(game: Arc<Game>, known: &InformationSet) -> Self {
        let mut moves = Self::new(game, known.role);
        for (own_move, percepts) in &known.turns {
            moves.advance(|belief| belief.advance(*own_move, percepts));
        }
        moves
    }

    /// Turns that were taken in.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.turns
    }

    /// Takes in a turn: the executed move of the role, and what it was told.
    ///
    /// # Errors
    /// [`TermError`] if one of these is no term.
    pub fn take<'p>(
        &mut self,
        own_move: &str,
        percepts: impl IntoIterator<Item = &'p str>,
    ) -> Result<(), TermError> {
        let (own_move, percepts) = self.game.own_turn(own_move, percepts)?;
        self.advance(|belief| belief.advance(own_move, &percepts));
        Ok(())
    }

    fn advance(&mut self, step: impl FnOnce(&mut ExactBelief) -> Result<(), BeliefError>) {
        self.turns += 1;
        if self.belief.as_mut().is_some_and(|belief| step(belief).is_err()) {
            self.belief = None;
        }
    }

    /// The legal moves in canonical order; `None` if what the role knows does not prove them, or they are too costly to prove.
    pub fn ids(&mut self) -> Option<Vec<MoveId>> {
        let distribution = self.belief.as_ref()?.distribution();
        let mut known: Option<Vec<MoveId>> = None;
        for (state, _) in distribution.iter() {
            // Whoever is asked for a move knows that the match goes on.
            let Status::Running { legal } = self.game.status(state, &mut self.scratch).ok()? else {
                continue;
            };
            match &known {
                None => known = Some(legal[self.role].clone()),
                Some(moves) if *moves == legal[self.role] => {}
                Some(_) => return None,
            }
        }
        known
    }

    /// The same as text.
    pub fn texts(&mut self) -> Option<Vec<String>> {
        let moves = self.ids()?;
        Some(moves.into_iter().map(|id| self.game.move_text(id).to_string()).collect())
    }
}
