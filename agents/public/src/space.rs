//! Public belief states as rows of numbers: what a value network reads, and what it says.

use std::sync::Arc;

use croupier_engine::{Game, game::Looker};
use croupier_solvers::{TreeLimits, estimate_histories, is_far_beyond};

use crate::{
    PublicError, PublicEyes, PublicLimits, PublicState,
    dealt::{BoardComparisons, DealtNumbers},
    dealt_tree::DealtTrees,
    listed::ListedNumbers,
    names::SpaceNames,
};

/// The numbers of the public belief states of a game.
///
/// A row has a number for each fluent that can be true in all histories of a public state, 0 or 1, and then, for each player, one for each
/// private state that it can have beside any public state: its share of the player's range. A row of values has a number for each of these
/// private states: the expected goal, from -1 for the least of the game to 1 for the greatest.
///
/// Where these fluents do not tell public states apart that have different futures, the row has a number for each percept that can be
/// public in each turn instead: all that everybody has seen. Otherwise it does not matter how the match came to where it is, and no network
/// has to learn that.
///
/// Private states of different public states have the same number if what the player was told alone, and, where that does not tell them
/// apart, when, and what it did, are the same: a card in the hand is the same private state whatever is bet. What a player is told in all
/// of its private states of a public state says nothing about which it is in, and is left out. Public states in which the match is over
/// are left out as well.
///
/// All public states are looked at for that, if they fit. Where they do not and chance only deals two players their hands and a board, as in
/// hold'em, the first numbers are for all fluents that do not depend on the hands from the beginning. Hands are then the private states, and
/// all that are as strong on the board have one number, in 64 parts from the weakest to the strongest: what counts is how strong a hand is, and
/// no network has to learn which cards make it so. And a value is not a share of what the game may bring but of what is at stake: 1 is the best
/// goal, and -1 the worst, if from there on nobody does more than it takes until the hands decide. Of fifty thousand pairs of hands or less all are
/// compared, so that what each hand gets then is known, with any ranges: a value is what it is worth beyond that
/// ([`has_shares`](PublicSpace::has_shares)).
#[derive(Clone, Debug)]
pub struct PublicSpace {
    numbering: Numbering,
    names: SpaceNames,
}

/// How public states are numbered.
#[derive(Clone, Debug)]
enum Numbering {
    /// All of them were looked at.
    Listed(ListedNumbers),
    /// Chance only deals hands and a board.
    Dealt(DealtNumbers),
}

/// The goals that values from -1 to 1 stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueUnit {
    /// The goal of -1.
    pub least: f64,
    /// The goal of 1.
    pub greatest: f64,
}

impl ValueUnit {
    /// A goal in the unit.
    #[must_use]
    pub fn scaled(&self, goal: f64) -> f64 {
        let Self { least, greatest } = *self;
        if greatest > least { (2.0 * goal - least - greatest) / (greatest - least) } else { 0.0 }
    }

    /// A value as a goal.
    #[must_use]
    pub fn goal(&self, value: f64) -> f64 {
        f64::midpoint(self.least, self.greatest) + value * (self.greatest - self.least) / 2.0
    }
}

impl PublicSpace {
    /// Histories that are looked at before the game is taken for one of hands and a board, if it is one.
    const LISTED_FIRST: usize = 200_000;

    /// The space of a game.
    ///
    /// # Errors
    /// [`PublicError::NeitherWay`] if all public states together have more histories than allowed, and chance does more than to deal hands
    /// and a board; as [`PublicNode::expand`](crate::PublicNode::expand).
    pub fn new(
        game: &Arc<Game>,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
        limits: &PublicLimits,
    ) -> Result<Self, PublicError> {
        let first = PublicLimits { histories: limits.histories.min(Self::LISTED_FIRST) };
        match Self::listed(game, eyes, looker, &first) {
            Err(error) if error.is_of_size() => {}
            found => return found,
        }
        match Self::by_hands(game, eyes) {
            Ok(found) if found.has_boards() => Ok(found),
            found => {
                let listed = Self::within_reach(game, looker, limits)
                    .and_then(|()| Self::listed(game, eyes, looker, limits));
                listed.or_else(|error| match (error.is_of_size(), found) {
                    (true, Err(PublicError::Deal(by_hands))) => {
                        Err(PublicError::NeitherWay { listed: Box::new(error), by_hands })
                    }
                    (true, found) => found,
                    (false, _) => Err(error),
                })
            }
        }
    }

    /// Refuses a game that is far too large at once: to count as far as the limit takes minutes.
    fn within_reach(game: &Game, looker: &mut Looker, limits: &PublicLimits) -> Result<(), PublicError> {
        let tree_limits = TreeLimits { histories_max: limits.histories as u64 };
        if !is_far_beyond(game, &tree_limits, looker.scratch()) {
            return Ok(());
        }
        let estimate = estimate_histories(game, looker.scratch());
        Err(PublicError::FarTooMany { estimate, most: limits.histories })
    }

    fn listed(
        game: &Arc<Game>,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
        limits: &PublicLimits,
    ) -> Result<Self, PublicError> {
        let (numbers, names) = ListedNumbers::new(game, eyes, looker, limits)?;
        Ok(Self { numbering: Numbering::Listed(numbers), names })
    }

    /// The space of a game in which chance only deals two players their hands and a board, however large or small it is.
    ///
    /// # Errors
    /// [`PublicError::Deal`] if it is another game.
    pub fn by_hands(game: &Game, eyes: &mut PublicEyes) -> Result<Self, PublicError> {
        let (numbers, names) = DealtNumbers::new(game, eyes)?;
        Ok(Self { numbering: Numbering::Dealt(numbers), names })
    }

    /// Whether private states are hands, beside a board.
    fn has_boards(&self) -> bool {
        matches!(&self.numbering, Numbering::Dealt(numbers) if numbers.game().has_boards())
    }

    /// Whether all public states were looked at. If not, hands stand for private states.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        matches!(self.numbering, Numbering::Listed(_))
    }

    /// Whether values are what private states are worth beyond what they get of what is at stake if nobody bets more.
    #[must_use]
    pub fn has_shares(&self) -> bool {
        matches!(&self.numbering, Numbering::Dealt(numbers) if BoardComparisons::has_shares(numbers.game()))
    }

    /// What makes the trees of a game of hands.
    pub(crate) fn dealt_trees(&self) -> Option<DealtTrees> {
        match &self.numbering {
            Numbering::Listed(_) => None,
            Numbering::Dealt(numbers) => Some(DealtTrees::new(numbers)),
        }
    }

    /// Numbers of a row that is read.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.names.public.len() + self.outputs()
    }

    /// Numbers of a row of values: private states of all players.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.names.private.iter().map(Vec::len).sum()
    }

    /// What the first numbers of a row are, if they are 1.
    #[must_use]
    pub fn public_names(&self) -> &[String] {
        &self.names.public
    }

    /// By player, one information set for each of its private states; or how strong hands are.
    #[must_use]
    pub fn private_names(&self) -> &[Vec<String>] {
        &self.names.private
    }

    /// The numbers of the private states of a public state, by player, among all values.
    ///
    /// # Errors
    /// [`PublicError::Unknown`] if it is not of this game.
    pub fn places(&self, state: &PublicState, eyes: &mut PublicEyes) -> Result<Vec<Vec<usize>>, PublicError> {
        match (&self.numbering, state) {
            (Numbering::Listed(numbers), PublicState::Listed(node)) => numbers.places(node, eyes),
            (Numbering::Dealt(numbers), PublicState::Dealt(state)) => Ok(numbers.hands(state)),
            _ => Err(PublicError::Unknown),
        }
    }

    /// Writes what is public into a row.
    pub(crate) fn write_public(&self, state: &PublicState, row: &mut [f32]) {
        match (&self.numbering, state) {
            (Numbering::Listed(numbers), PublicState::Listed(node)) => numbers.write(node, row),
            (Numbering::Dealt(numbers), PublicState::Dealt(state)) => numbers.write(state, row),
            _ => {}
        }
    }

    /// Writes ranges into the rest of a row, each with the sum one.
    pub(crate) fn write_ranges(&self, places: &[Vec<usize>], ranges: &[f64], row: &mut [f32]) {
        let row = &mut row[self.names.public.len()..];
        row.fill(0.0);
        let mut first = 0;
        for places in places {
            let range = &ranges[first..first + places.len()];
            let total: f64 = range.iter().sum();
            for (&place, reach) in places.iter().zip(range) {
                // Where nothing is possible, everything is as likely.
                let share = if total > 0.0 { reach / total } else { 1.0 / places.len() as f64 };
                row[place] += share as f32;
            }
            first += places.len();
        }
    }

    /// The row of a public state with these ranges, by player and private state.
    ///
    /// # Errors
    /// [`PublicError::Unknown`] if it is not of this game.
    pub fn row(
        &self,
        state: &PublicState,
        ranges: &[Vec<f64>],
        eyes: &mut PublicEyes,
    ) -> Result<Vec<f32>, PublicError> {
        let mut row = vec![0.0; self.inputs()];
        self.write_public(state, &mut row);
        self.write_ranges(&self.places(state, eyes)?, &ranges.concat(), &mut row);
        Ok(row)
    }

    /// For each symmetry of the rules that is found quickly, the identity too: to which place it takes each number of a row. The last
    /// [`outputs`](Self::outputs) of these are the places of values, as far from the first of them.
    ///
    /// A row and its values under a symmetry are as true as the original.
    ///
    /// # Errors
    /// [`PublicError::Game`] if the game has no room for more terms.
    pub fn symmetries(&self, game: &Game) -> Result<Vec<Vec<usize>>, PublicError> {
        let mut found = Vec::new();
        for symmetry in game.quick_symmetries() {
            found.extend(match &self.numbering {
                Numbering::Listed(numbers) => {
                    numbers.places_under(game, symmetry, self.names.public.len())?
                }
                Numbering::Dealt(numbers) => numbers.places_under(game, symmetry)?,
            });
        }
        found.sort_unstable();
        found.dedup();
        if found.is_empty() {
            found.push((0..self.inputs()).collect());
        }
        Ok(found)
    }

    /// What the goals of all players together always are; `None` if they are not always the same.
    #[must_use]
    pub fn sum_of_goals(&self) -> Option<f64> {
        self.names.sum
    }

    /// The goals that values stand for in a public state.
    #[must_use]
    pub fn unit(&self, state: &PublicState) -> ValueUnit {
        let (least, greatest) = match state {
            PublicState::Listed(_) => self.names.goals,
            PublicState::Dealt(state) => state.at_stake(),
        };
        ValueUnit { least, greatest }
    }
}
