//! The numbers of public states whose histories are pairs of hands.

use std::sync::{Arc, Mutex};

use croupier_engine::{Game, game::Symmetry};
use croupier_solvers::HandGame;
use rustc_hash::FxHashMap;

use crate::{
    PublicError, PublicEyes,
    dealt::{BoardComparisons, DealtState},
    names::SpaceNames,
};

/// How public states whose histories are pairs of hands are numbered: a fluent for each of the first numbers, and then how
/// strong hands are.
#[derive(Clone, Debug)]
pub(crate) struct DealtNumbers {
    game: Arc<HandGame>,
    comparisons: Arc<Mutex<BoardComparisons>>,
    /// By number of a fluent, its place.
    places: FxHashMap<u32, usize>,
}

impl DealtNumbers {
    /// The numbers of a game, and what they are: of what is public, and by player of private states. Fluents that depend on hands from the
    /// beginning are never public.
    ///
    /// # Errors
    /// [`PublicError::Deal`] if the game is of another kind.
    pub(crate) fn new(game: &Game, eyes: &mut PublicEyes) -> Result<(Self, SpaceNames), PublicError> {
        let hands = Arc::new(HandGame::new(game, &mut |told| eyes.public(told))?);
        let mut named = Vec::new();
        for (base, &fluent) in (0..).zip(hands.fluents()) {
            if !hands.is_dealt(base) {
                named.push((game.fluent_text(fluent).to_string(), base));
            }
        }
        named.sort_unstable();
        let places = named.iter().zip(0..).map(|((_, base), place)| (*base, place)).collect();
        let public = named.into_iter().map(|(name, _)| name).collect();
        let names_of = |_| (1..=DealtState::STRENGTHS).map(|place| format!("strength {place}")).collect();
        let private = hands.players().iter().map(names_of).collect();
        let (first, _) = hands.first();
        let (least, greatest) = hands.at_stake(first);
        let goals = (f64::from(least), f64::from(greatest));
        let names = SpaceNames { public, private, goals, sum: hands.sum_of_goals().map(f64::from) };
        let comparisons = Arc::new(Mutex::new(BoardComparisons::new(Arc::clone(&hands))));
        Ok((Self { game: hands, comparisons, places }, names))
    }

    /// How hands compare, for all who search.
    pub(crate) fn comparisons(&self) -> &Arc<Mutex<BoardComparisons>> {
        &self.comparisons
    }

    pub(crate) fn game(&self) -> &Arc<HandGame> {
        &self.game
    }

    /// Writes what is public into numbers that are 0.
    pub(crate) fn write(&self, state: &DealtState, row: &mut [f32]) {
        state.common().iter().filter_map(|base| self.places.get(base)).for_each(|&place| row[place] = 1.0);
    }

    /// By player, the places of its private states among all values.
    pub(crate) fn hands(&self, state: &DealtState) -> Vec<Vec<usize>> {
        let mut places = Vec::new();
        for (player, strengths) in state.strengths().into_iter().enumerate() {
            places.push(strengths.iter().map(|strength| player * DealtState::STRENGTHS + strength).collect());
        }
        places
    }

    /// To which place a symmetry takes each number of a row; `None` if it leads out of what is known.
    pub(crate) fn places_under(
        &self,
        game: &Game,
        symmetry: &Symmetry,
    ) -> Result<Option<Vec<usize>>, PublicError> {
        let mut images: Vec<usize> = vec![0; self.places.len()];
        let fluents = self.game.fluents();
        let bases: FxHashMap<_, u32> = fluents.iter().copied().zip(0..).collect();
        for (&base, &place) in &self.places {
            let image = bases.get(&symmetry.fluent(game, fluents[base as usize])?);
            let Some(&image) = image.and_then(|base| self.places.get(base)) else { return Ok(None) };
            images[place] = image;
        }
        let players = self.game.players();
        for &role in players {
            let Some(other) = players.iter().position(|&other| other == symmetry.role(role)) else {
                return Ok(None);
            };
            // The image of a hand is as strong.
            let first = self.places.len() + other * DealtState::STRENGTHS;
            images.extend(first..first + DealtState::STRENGTHS);
        }
        Ok(Some(images))
    }
}
