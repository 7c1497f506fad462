//! A match that is to be created: everything that a driver needs for it.

use std::collections::BTreeMap;

use croupier_games::{FamilyError, FamilyRules, find_family};
use croupier_referee::{Digest, Seed, SessionPlace};

use crate::{
    event::{SeatHolder, SeatNumber},
    terms::PLAYERS,
};

/// A match that is to be created. The same index always means the same match: creating it twice is creating it once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchOrder {
    /// Which match of the session it is, from 1.
    pub index: u64,
    /// Its id.
    pub match_id: String,
    /// Its place in the session, for its record.
    pub place: SessionPlace,
    /// What is played.
    pub game: MatchGame,
    /// Who plays which role, in the order of the roles. The first has the button.
    pub seats: Vec<OrderedSeat>,
    /// What chance draws from. It is as secret as the cards.
    pub seed: Seed,
    /// The level, from 1.
    pub level: usize,
}

/// What is played in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchGame {
    /// The game of the session.
    Same,
    /// A game of a family.
    Member(FamilyMember),
}

/// A seat in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderedSeat {
    /// The role.
    pub role: String,
    /// The seat.
    pub seat: SeatNumber,
    /// Who sits there.
    pub holder: SeatHolder,
    /// Whether they are away, so that the session's rule plays for them from the start.
    pub is_away: bool,
    /// What the seat brings into the match, in a session of a family.
    pub stake: Option<u64>,
}

/// A game of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyMember {
    /// The family.
    pub family: String,
    /// Its numbers, one or several for each parameter.
    pub numbers: BTreeMap<String, Vec<u32>>,
    /// Its words, for parameters that take one.
    pub words: BTreeMap<String, String>,
}

impl FamilyMember {
    /// The game of a family for seats that bring these stakes, at a level from 1.
    #[must_use]
    pub fn of(family: &FamilyRules, level: usize, stakes: &[u64]) -> Self {
        let (mut numbers, mut words) = (BTreeMap::new(), BTreeMap::new());
        for (name, text) in &family.parameters {
            match text.parse() {
                Ok(number) => drop(numbers.insert(name.clone(), vec![number])),
                Err(_) => drop(words.insert(name.clone(), text.clone())),
            }
        }
        numbers.extend(family.level(level).into_iter().map(|(name, number)| (name.to_owned(), vec![number])));
        let number = |stake: u64| u32::try_from(stake).unwrap_or(u32::MAX);
        numbers.insert(PLAYERS.to_owned(), vec![number(stakes.len() as u64)]);
        numbers.insert(family.stacks.clone(), stakes.iter().map(|&stake| number(stake)).collect());
        Self { family: family.name.clone(), numbers, words }
    }

    /// The rules of this game.
    ///
    /// # Errors
    /// [`FamilyError`] if the family has no such game.
    pub fn rules(&self) -> Result<String, FamilyError> {
        let unfit = |reason: String| Err(FamilyError::Unfit(reason));
        let Some(family) = find_family(&self.family) else {
            return unfit(format!("there is no family '{}'", self.family));
        };
        if let Some(name) = self.words.keys().next() {
            return Err(FamilyError::UnknownParameter { family: family.name, name: name.clone() });
        }
        family.rules(&self.numbers)
    }
}

impl MatchOrder {
    /// The players as the record of the match names them: each role with who plays it.
    #[must_use]
    pub fn players(&self) -> Vec<(String, String)> {
        self.seats.iter().map(|seat| (seat.role.clone(), seat.holder.described())).collect()
    }

    /// The role of a seat, if it is dealt in.
    #[must_use]
    pub fn role_of(&self, number: SeatNumber) -> Option<&str> {
        self.seats.iter().find(|seat| seat.seat == number).map(|seat| seat.role.as_str())
    }

    /// What the match before it left behind: the digest of its record.
    #[must_use]
    pub fn before(&self) -> Digest {
        self.place.before
    }
}
