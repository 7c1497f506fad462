//! What a role knows of its legal moves, turn by turn.

use std::sync::Arc;

use croupier_belief::{Believer, Methods, Opponents};
use croupier_engine::{Game, InformationSet, RoleId, Scratch};
use croupier_referee::Replay;

use crate::{
    arguments::records::{self, Networks},
    output::failure::Failure,
};

/// States held possible that are asked for the legal moves; where the rules are as they should be, these are the same in all.
const STATES_ASKED: usize = 100;

/// What a role knows of its legal moves, turn by turn.
pub(super) struct OwnMoves {
    game: Arc<Game>,
    scratch: Scratch,
    /// What the role knows at the end of the match, and what it knows so far.
    whole: InformationSet,
    known: InformationSet,
    /// Nothing after a turn at which the belief was given up.
    believer: Option<Believer>,
}

impl OwnMoves {
    pub(super) fn new(replayed: &Replay, role: RoleId, networks: &mut Networks) -> Result<Self, Failure> {
        let game = networks.of(replayed.header())?;
        let whole = records::information_set(&game, replayed, role, replayed.turns().len())?;
        let whole = whole.expect("the role is a player");
        // The same moves every time: what is drawn for them is no part of the match.
        let methods = Methods::brief([0; 32]);
        let believer = Believer::new(Arc::clone(&game), role, methods, &Opponents::uniform()).ok();
        let scratch = game.scratch();
        Ok(Self { game, scratch, whole, known: InformationSet::initial(role), believer })
    }

    /// The legal moves of the next turn; `None` if the role cannot know them, or its belief is more than is worked out here.
    pub(super) fn next(&mut self) -> Option<Vec<Arc<str>>> {
        let moves = self.moves();
        if let Some(turn) = self.whole.turns.get(self.known.turns.len()) {
            self.known.turns.push(turn.clone());
        }
        moves
    }

    fn moves(&mut self) -> Option<Vec<Arc<str>>> {
        let outlook = self.believer.as_mut()?.follow(&self.known).ok();
        let Some(outlook) = outlook else {
            self.believer = None;
            return None;
        };
        let mut found = None;
        for (state, _) in outlook.distribution.iter().take(STATES_ASKED) {
            let moves = self.game.legal_moves(state, self.known.role, &mut self.scratch).ok()?;
            match &found {
                None => found = Some(moves),
                Some(known) if *known != moves => return None,
                Some(_) => {}
            }
        }
        Some(found?.into_iter().map(|id| self.game.move_text(id)).collect())
    }
}
