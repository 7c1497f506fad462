//! Symmetries that reduce a tree: those that exchange only choices of chance.

use croupier_engine::{
    Game, GameError,
    game::{Symmetries, Symmetry},
};

use super::knowledge::{KnowledgeBuilder, PerceptsId};

/// Some symmetries of a group, as bits of their positions.
pub(super) type Elements = u64;

/// Only the identity.
pub(super) const IDENTITY: Elements = 1;

/// Maximum number of symmetries used: as many as [`Elements`] has bits.
const ELEMENTS_MAX: usize = 64;

/// Maximum number of symmetries examined.
const GROUP_MAX: usize = 5_000;

/// A group of symmetries that keep every role and every move of the players.
#[derive(Debug, Default)]
pub(super) struct Reduction {
    /// The identity first; none if nothing is reduced.
    pub(super) elements: Vec<Symmetry>,
    /// By element, for each number of a move of chance the number of its image.
    moves: Vec<Vec<u32>>,
    /// By set of percepts, once it was needed, its image under each element.
    percepts: Vec<Option<Box<[PerceptsId]>>>,
}

impl Reduction {
    /// No symmetry but the identity.
    pub(super) fn none() -> Self {
        Self::default()
    }

    /// The largest suitable group found among the symmetries of a game; `None` if the game has no network, or chance has
    /// no part in it.
    pub(super) fn new(game: &Game, symmetries: &Symmetries) -> Result<Self, GameError> {
        let (Some(network), Some(chance)) = (game.network(), game.roles().random()) else {
            return Ok(Self::none());
        };
        let generators = symmetries.generators();
        let all = Symmetries::elements(generators, GROUP_MAX).unwrap_or_else(|| generators.to_vec());
        let mut group: Vec<Symmetry> = Vec::new();
        let mut chosen: Vec<Symmetry> = Vec::new();
        for symmetry in all {
            if group.contains(&symmetry) || !keeps_players(game, &symmetry)? {
                continue;
            }
            chosen.push(symmetry);
            match Symmetries::elements(&chosen, ELEMENTS_MAX) {
                Some(larger) => group = larger,
                None => _ = chosen.pop(),
            }
        }
        let mut moves = Vec::with_capacity(group.len());
        for symmetry in &group {
            let mut images = Vec::new();
            for (number, &played) in network.moves(chance).iter().enumerate() {
                let image = network.move_number(chance, symmetry.played(game, played)?).unwrap_or(number);
                images.push(u32::try_from(image).expect("moves are fewer than 2^32"));
            }
            moves.push(images);
        }
        if group.len() < 2 {
            return Ok(Self::none());
        }
        Ok(Self { elements: group, moves, percepts: Vec::new() })
    }

    /// Whether every history is kept.
    pub(super) fn is_none(&self) -> bool {
        self.elements.is_empty()
    }

    /// All elements.
    pub(super) fn all(&self) -> Elements {
        match self.elements.len() {
            0 => IDENTITY,
            count => Elements::MAX >> (ELEMENTS_MAX - count),
        }
    }

    /// Those of some elements that keep a move of chance.
    pub(super) fn keeping(&self, elements: Elements, number: u32) -> Elements {
        each(elements)
            .filter(|&element| self.image(element, number) == number)
            .fold(0, |kept, element| kept | 1 << element)
    }

    /// Of some moves of chance, ascending, the first of each class that a group of elements maps to each other, and the
    /// sizes of the classes.
    pub(super) fn classes(&self, group: Elements, numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let (mut firsts, mut sizes): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for &number in numbers {
            let images = each(group).map(|element| self.image(element, number));
            let first = images.min().unwrap_or(number);
            match firsts.iter().position(|&known| known == first) {
                Some(place) => sizes[place] += 1,
                None => {
                    firsts.push(first);
                    sizes.push(1);
                }
            }
        }
        (firsts, sizes)
    }

    /// The representative of a set of percepts after a sequence that some elements map to its representative: the smallest
    /// of its images under these, and the elements that give it.
    ///
    /// So all sequences of a class have the same representative: the elements that map one of them there are those that map another,
    /// composed with the element that maps the one to the other.
    pub(super) fn told(
        &mut self,
        game: &Game,
        knowledge: &mut KnowledgeBuilder,
        percepts: PerceptsId,
        elements: Elements,
    ) -> Result<(PerceptsId, Elements), GameError> {
        if self.percepts.get(percepts.index()).is_none_or(Option::is_none) {
            let known = knowledge.percepts_at(percepts).clone();
            let image = |symmetry: &Symmetry| Ok(knowledge.percepts(&symmetry.percepts(game, &known)?));
            let images = self.elements.iter().map(image).collect::<Result<Box<[PerceptsId]>, GameError>>()?;
            let places = self.percepts.len().max(percepts.index() + 1);
            self.percepts.resize(places, None);
            self.percepts[percepts.index()] = Some(images);
        }
        let images = self.percepts[percepts.index()].as_ref().expect("they were made just now");
        let least = each(elements).map(|element| images[element]).min().expect("some element maps it there");
        let kept = each(elements).filter(|&element| images[element] == least);
        Ok((least, kept.fold(0, |kept, element| kept | 1 << element)))
    }

    fn image(&self, element: usize, number: u32) -> u32 {
        self.moves.get(element).map_or(number, |images| images[number as usize])
    }
}

/// The positions of some elements, ascending.
pub(super) fn each(elements: Elements) -> impl Iterator<Item = usize> {
    let mut rest = elements;
    std::iter::from_fn(move || {
        let lowest = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(lowest)
    })
}

/// Whether a symmetry keeps all roles, and all moves of the players.
fn keeps_players(game: &Game, symmetry: &Symmetry) -> Result<bool, GameError> {
    let Some(network) = game.network().filter(|_| symmetry.keeps_roles()) else { return Ok(false) };
    for role in game.roles().players() {
        for &played in network.moves(role) {
            if symmetry.played(game, played)? != played {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
