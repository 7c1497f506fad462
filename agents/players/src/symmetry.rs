//! Moves that a player can treat as equivalent: symmetries of the rules exchange them and preserve everything else that it knows.

use croupier_engine::{Game, GameError, InformationSet, MoveId, RoleId, game::Symmetry};

/// Symmetries of a game that keep one role and exchange some of its moves.
#[derive(Debug, Default)]
pub(crate) struct KnownSymmetries {
    /// Their places among [`Game::quick_symmetries`].
    places: Vec<usize>,
}

/// Legal moves by classes of such as can be exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveClasses {
    /// For each move the place of the first of its class.
    firsts: Vec<usize>,
}

impl KnownSymmetries {
    /// Those that are found quickly and exchange moves of a role.
    pub(crate) fn new(game: &Game, role: RoleId) -> Result<Self, GameError> {
        let Some(network) = game.network() else { return Ok(Self::default()) };
        let mut places = Vec::new();
        // Any part of a group will do, since classes are made of what each of its elements exchanges.
        for (place, symmetry) in game.quick_symmetries().iter().enumerate() {
            if symmetry.role(role) == role && exchanges(symmetry, game, network.moves(role))? {
                places.push(place);
            }
        }
        Ok(Self { places })
    }

    /// The equivalence classes of moves for a player with this knowledge, in the game of the symmetries or a fork of it.
    ///
    /// A symmetry that preserves everything a player knows maps the matches that it considers possible to each other, so two
    /// moves that it exchanges have the same value against opponents whose play does not depend on names either.
    pub(crate) fn classes(
        &self,
        game: &Game,
        known: &InformationSet,
        moves: &[MoveId],
    ) -> Result<MoveClasses, GameError> {
        let mut classes = MoveClasses { firsts: (0..moves.len()).collect() };
        for symmetry in self.places.iter().map(|&place| &game.quick_symmetries()[place]) {
            if !keeps(symmetry, game, known)? {
                continue;
            }
            for (place, &played) in moves.iter().enumerate() {
                let image = symmetry.played(game, played)?;
                if let Some(other) = moves.iter().position(|&legal| legal == image) {
                    classes.join(place, other);
                }
            }
        }
        Ok(classes)
    }
}

/// Whether a symmetry maps one of some moves to another.
fn exchanges(symmetry: &Symmetry, game: &Game, moves: &[MoveId]) -> Result<bool, GameError> {
    for &played in moves {
        if symmetry.played(game, played)? != played {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a symmetry maps everything that was done and told to itself.
fn keeps(symmetry: &Symmetry, game: &Game, known: &InformationSet) -> Result<bool, GameError> {
    for (own_move, percepts) in &known.turns {
        if symmetry.played(game, *own_move)? != *own_move || symmetry.percepts(game, percepts)? != *percepts {
            return Ok(false);
        }
    }
    Ok(true)
}

impl MoveClasses {
    /// Makes one class of those of two moves.
    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.firsts[one], self.firsts[other]);
        let (first, later) = (one.min(other), one.max(other));
        self.firsts.iter_mut().filter(|place| **place == later).for_each(|place| *place = first);
    }

    /// The place of the first move of the class of the move in a place.
    pub(crate) fn representative(&self, place: usize) -> usize {
        self.firsts[place]
    }

    /// The places of the first moves of all classes, ascending.
    pub(crate) fn representatives(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.firsts.len()).filter(|&place| self.firsts[place] == place)
    }

    /// The places of all moves that can be exchanged with the one in a place, ascending.
    pub(crate) fn of(&self, place: usize) -> Vec<usize> {
        let first = self.firsts[place];
        (0..self.firsts.len()).filter(|&other| self.firsts[other] == first).collect()
    }
}
