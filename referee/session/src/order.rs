//! A match that is to be created: everything that a driver needs for it.

use croupier_games::{Family, FamilyError, FamilyRules, ParameterValue, ParameterValues, find_family};
use croupier_referee::{Digest, Seed, SessionPlace};

use crate::event::{SeatHolder, SeatNumber};

/// The parameter of a family that takes how many players a match has.
pub(crate) const PLAYERS: &str = "players";

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
    /// Its parameters.
    pub values: ParameterValues,
}

impl FamilyMember {
    /// The game of a family for seats that bring these stakes, at a level from 1.
    #[must_use]
    pub fn of(family: &FamilyRules, level: usize, stakes: &[u64]) -> Self {
        let number = |stake: u64| u32::try_from(stake).unwrap_or(u32::MAX);
        let fixed = family.parameters.iter().map(|(name, text)| {
            let value = text.parse::<u32>().map_or_else(|_| text.as_str().into(), ParameterValue::from);
            (name.as_str(), value)
        });
        let level = family.level(level).into_iter().map(|(name, number)| (name, number.into()));
        let stacks: Vec<u32> = stakes.iter().map(|&stake| number(stake)).collect();
        let seats = [(PLAYERS, number(stakes.len() as u64).into()), (family.stacks.as_str(), stacks.into())];
        // A family spells its parameters as options are spelt.
        let values = fixed.chain(level).chain(seats).map(|(name, value)| (name.replace('_', "-"), value));
        Self { family: family.name.clone(), values: values.collect() }
    }

    /// The rules of this game.
    ///
    /// # Errors
    /// [`FamilyError`] if the family has no such game.
    pub fn rules(&self) -> Result<String, FamilyError> {
        self.family()?.rules(&self.values)
    }

    /// Its `game.toml`, if the family has one for its games.
    ///
    /// # Errors
    /// [`FamilyError`] if the family has no such game.
    pub fn facts(&self) -> Result<Option<String>, FamilyError> {
        self.family()?.facts(&self.values)
    }

    /// Whether the family has such a game.
    ///
    /// # Errors
    /// [`FamilyError`] if it has none.
    pub fn check(&self) -> Result<(), FamilyError> {
        self.family()?.check(&self.values)
    }

    fn family(&self) -> Result<&'static Family, FamilyError> {
        let unknown = || FamilyError::Unfit(format!("there is no family '{}'", self.family));
        find_family(&self.family).ok_or_else(unknown)
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
