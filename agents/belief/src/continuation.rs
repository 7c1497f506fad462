//! One turn from one state: the joint moves that agree with what a role did and was told.
//!
//! The opponent model is applied here (and, looking ahead, in `prediction`): each other role chooses
//! uniformly among its legal moves, so that every joint move with the role's own move is equally likely.

use croupier_engine::{
    ByRole, Game, GameError, JointMove, MoveId, Percepts, RoleId, Scratch, State,
    draw::{draw_index, shuffle},
};
use rand_core::Rng;
use rustc_hash::FxHashMap;

/// One turn of an information set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evidence<'e> {
    /// Who moved and was told.
    pub(crate) role: RoleId,
    /// The executed own move.
    pub(crate) own_move: MoveId,
    /// What the role was told.
    pub(crate) percepts: &'e Percepts,
}

/// The moves that each role can play.
pub(crate) type LegalMoves = ByRole<Vec<MoveId>>;

/// The joint moves of a state in which the own move is the executed one.
#[derive(Clone, Debug)]
pub(crate) struct Candidates<'c> {
    game: &'c Game,
    state: &'c State,
    evidence: Evidence<'c>,
    /// Legal moves by role, in canonical order; of the role itself only the executed one.
    legal: LegalMoves,
    /// Invariant: how many joint moves there are, or `u64::MAX` for that many or more; at least one.
    count: u64,
}

/// The joint moves from one state that agree with the evidence, or a fair sample of them, in one part or several.
#[derive(Clone, Debug)]
pub(crate) struct Continuations {
    /// Each as likely to hold the true one as its share of the shares says.
    pub(crate) parts: Vec<JointMoveClass>,
}

/// Joint moves that are equally likely.
#[derive(Clone, Debug)]
pub(crate) struct JointMoveClass {
    /// In canonical order if all are there.
    pub(crate) joint_moves: Vec<JointMove>,
    /// The probability in the state of the evidence and one of them, or an unbiased estimate of it.
    pub(crate) share: f64,
}

impl Continuations {
    fn one(joint_moves: Vec<JointMove>, share: f64) -> Self {
        Self { parts: vec![JointMoveClass { joint_moves, share }] }
    }
}

/// Whether the role would be told the observed percepts if `joint_move` were played in `state`.
pub(crate) fn agrees(
    game: &Game,
    state: &State,
    joint_move: &JointMove,
    evidence: Evidence<'_>,
    scratch: &mut Scratch,
) -> Result<bool, GameError> {
    Ok(game.percepts(state, joint_move, evidence.role, scratch)? == *evidence.percepts)
}

/// The legal moves in a state from which the match continued; `None` if it cannot have continued, because it was over or some
/// role had no legal move.
///
/// Goals are not computed: rules may fail to give any in a state that is not the true one.
pub(crate) fn played_on(
    playable: Result<Option<LegalMoves>, GameError>,
) -> Result<Option<LegalMoves>, GameError> {
    match playable {
        Err(GameError::NoLegalMove { .. }) => Ok(None),
        playable => playable,
    }
}

impl<'c> Candidates<'c> {
    /// The joint moves from `state` with the executed own move; `None` if it cannot have been played
    /// there, because the match is over or cannot go on, or the move is not legal.
    pub(crate) fn of(
        game: &'c Game,
        state: &'c State,
        evidence: Evidence<'c>,
        scratch: &mut Scratch,
    ) -> Result<Option<Self>, GameError> {
        let Some(legal) = played_on(game.playable_moves(state, scratch))? else { return Ok(None) };
        Ok(Self::among(game, state, legal, evidence))
    }

    /// The same from a state with known legal moves.
    pub(crate) fn among(
        game: &'c Game,
        state: &'c State,
        mut legal: LegalMoves,
        evidence: Evidence<'c>,
    ) -> Option<Self> {
        let own = &mut legal[evidence.role];
        if !own.contains(&evidence.own_move) {
            return None;
        }
        *own = vec![evidence.own_move];
        let count = Game::joint_moves_count(&legal);
        Some(Self { game, state, evidence, legal, count })
    }

    /// How many there are, agreeing or not; `u64::MAX` for that many or more.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The probability of each of them.
    pub(crate) fn probability(&self) -> f64 {
        1.0 / self.count as f64
    }

    /// All of them, agreeing or not, in canonical order.
    pub(crate) fn joint_moves(&self) -> impl Iterator<Item = JointMove> + use<> {
        self.game.joint_moves(&self.legal)
    }

    /// All that agree with the evidence.
    pub(crate) fn enumerate(&self, scratch: &mut Scratch) -> Result<Continuations, GameError> {
        let joint_moves = self.agreeing(self.game.joint_moves(&self.legal), scratch)?;
        let share = joint_moves.len() as f64 / self.count as f64;
        Ok(Continuations::one(joint_moves, share))
    }

    /// Those that agree with the evidence among `draws` drawn ones; at least one is drawn.
    ///
    /// Moves whose terms occur in the role's percepts are not left to luck: if they are not too many, all joint moves with
    /// them are examined, and only the others are sampled. This gives two parts, which are chosen by their shares.
    ///
    /// Shares are unbiased estimates of the true ones, because the number of draws does not depend
    /// on the results.
    pub(crate) fn sample(
        &self,
        draws: u64,
        telling: &mut Telling,
        rng: &mut impl Rng,
        scratch: &mut Scratch,
    ) -> Result<Continuations, GameError> {
        let draws = draws.max(1);
        let Some((named, rest)) = self.split(draws, telling) else {
            let joint_moves = self.agreeing((0..draws).map(|_| self.draw(&self.legal, rng)), scratch)?;
            let share = joint_moves.len() as f64 / draws as f64;
            return Ok(Continuations::one(joint_moves, share));
        };
        let count = self.count as f64;
        let named_joint_moves = self.agreeing(self.game.joint_moves(&named), scratch)?;
        let named_share = named_joint_moves.len() as f64 / count;
        let drawn = self.agreeing((0..draws).map(|_| self.draw(&rest, rng)), scratch)?;
        let rest_share = drawn.len() as f64 / draws as f64 * (Game::joint_moves_count(&rest) as f64 / count);
        let named = JointMoveClass { joint_moves: named_joint_moves, share: named_share };
        Ok(Continuations { parts: vec![named, JointMoveClass { joint_moves: drawn, share: rest_share }] })
    }

    /// The legal moves in two parts: at most `most` joint moves with a move whose terms were observed, and
    /// those without. `None` if one of the parts is everything.
    fn split(&self, most: u64, telling: &mut Telling) -> Option<(LegalMoves, LegalMoves)> {
        let others = self.legal.iter().filter(|(role, _)| *role != self.evidence.role);
        let (widest, moves) = others.max_by_key(|(_, moves)| moves.len())?;
        let (naming, silent): (Vec<MoveId>, Vec<MoveId>) =
            moves.iter().partition(|&&played| telling.names(self.game, played));
        if naming.is_empty() || silent.is_empty() {
            return None;
        }
        let (mut named, mut rest) = (self.legal.clone(), self.legal.clone());
        (named[widest], rest[widest]) = (naming, silent);
        (Game::joint_moves_count(&named) <= most).then_some((named, rest))
    }

    /// All of them, agreeing or not, in an order drawn by shuffling the moves of each role.
    pub(crate) fn shuffled(mut self, rng: &mut impl Rng) -> Box<dyn Iterator<Item = JointMove>> {
        for (_, moves) in self.legal.iter_mut() {
            shuffle(moves, rng);
        }
        Box::new(self.game.joint_moves(&self.legal))
    }

    fn agreeing(
        &self,
        joint_moves: impl Iterator<Item = JointMove>,
        scratch: &mut Scratch,
    ) -> Result<Vec<JointMove>, GameError> {
        let mut agreeing = Vec::new();
        for joint_move in joint_moves {
            if agrees(self.game, self.state, &joint_move, self.evidence, scratch)? {
                agreeing.push(joint_move);
            }
        }
        Ok(agreeing)
    }

    /// A joint move of these moves, each equally likely.
    fn draw(&self, legal: &LegalMoves, rng: &mut impl Rng) -> JointMove {
        let drawn = ByRole::from_fn(self.game.roles(), |role| {
            let moves = &legal[role];
            vec![moves[draw_index(moves.len(), rng)]]
        });
        self.game.joint_moves(&drawn).next().expect("every role has a move here")
    }
}

/// The moves whose terms a role observed: all arguments of some percept occur in them.
#[derive(Debug)]
pub(crate) struct Telling {
    /// The arguments of each percept that has any.
    arguments: Vec<Vec<String>>,
    known: FxHashMap<MoveId, bool>,
}

impl Telling {
    pub(crate) fn new(game: &Game, percepts: &Percepts) -> Self {
        let terms = game.percept_terms(percepts);
        let arguments = terms.iter().map(|term| names(term).skip(1).map(str::to_owned).collect());
        let arguments = arguments.filter(|names: &Vec<String>| !names.is_empty()).collect();
        Self { arguments, known: FxHashMap::default() }
    }

    fn names(&mut self, game: &Game, played: MoveId) -> bool {
        let arguments = &self.arguments;
        *self.known.entry(played).or_insert_with(|| {
            let text = game.move_text(played);
            arguments.iter().any(|wanted| wanted.iter().all(|name| names(&text).any(|known| known == name)))
        })
    }
}

/// The names in a printed term, from left to right.
fn names(term: &str) -> impl Iterator<Item = &str> {
    term.split([' ', '(', ')']).filter(|name| !name.is_empty())
}
