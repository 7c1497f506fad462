//! What is proved about the value of a state.

use croupier_engine::{Game, RoleId, game::GameNetwork};

/// Between which goals of the first player the value of a state lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    least: f64,
    greatest: f64,
}

/// How bounds are derived: for one player, or for two whose goals have had the same sum in every end that was met.
///
/// Best play is then defined by the goal of the first player alone. Chance is bounded by its best and worst outcome, and moves that
/// several roles choose at the same time prove nothing.
///
/// # Sources
/// M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo Tree Search Solver", CG 2008, for wins and losses; T. Cazenave and
/// A. Saffidine, "Score Bounded Monte-Carlo Tree Search", CG 2010, section 3, for more goals than two, and for the moves that need not
/// be tried any more.
#[derive(Clone, Debug)]
pub(super) struct Proofs {
    /// How many roles there are, with `random`.
    roles: usize,
    /// The player whose goals bounds are about, and the other one.
    players: Option<(RoleId, Option<RoleId>)>,
    /// What is known before the search.
    open: Bounds,
    sum: Option<f64>,
    /// Whether two ends had different sums.
    is_refuted: bool,
}

impl Bounds {
    /// Nothing is known.
    const NONE: Self = Self { least: f64::NEG_INFINITY, greatest: f64::INFINITY };

    /// Whether the value is known.
    pub(super) fn is_exact(self) -> bool {
        self.least >= self.greatest
    }

    /// What both bounds say together.
    pub(super) fn within(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), greatest: self.greatest.min(other.greatest) }
    }
}

impl Proofs {
    /// What the rules say before any end is met.
    pub(super) fn new(game: &Game) -> Self {
        let players: Vec<RoleId> = game.roles().players().collect();
        let network = game.network().zip(players.first());
        let open = network.map_or(Bounds::NONE, |(network, &first)| range(network, first));
        let players = match players[..] {
            [one] => Some((one, None)),
            [one, other] => Some((one, Some(other))),
            _ => None,
        };
        Self { roles: game.roles().len(), players, open, sum: None, is_refuted: false }
    }

    /// As before any end was met.
    pub(super) fn clear(&mut self) {
        (self.sum, self.is_refuted) = (None, false);
    }

    /// Whether anything can be proved.
    pub(super) fn is_possible(&self) -> bool {
        self.players.is_some() && !self.is_refuted
    }

    /// What is known about a state before anything was tried in it.
    pub(super) fn open(&self) -> Bounds {
        self.open
    }

    /// Takes in the values of an end; true if everything that was proved has to be forgotten.
    pub(super) fn note_end(&mut self, values: &[f64]) -> bool {
        let Some((one, Some(other))) = self.players.filter(|_| !self.is_refuted) else { return false };
        let sum = values[one.index()] + values[other.index()];
        self.is_refuted = *self.sum.get_or_insert(sum) != sum;
        self.is_refuted
    }

    /// The bounds of an end.
    pub(super) fn of_end(&self, values: &[f64]) -> Bounds {
        match self.players.filter(|_| self.is_possible()) {
            Some((one, _)) => Bounds { least: values[one.index()], greatest: values[one.index()] },
            None => self.open,
        }
    }

    /// The bounds of a state in which one role chooses among these.
    pub(super) fn of_choice(&self, role: RoleId, choices: impl Iterator<Item = Bounds>) -> Bounds {
        let of_players = self.players.map(|(one, other)| (role == one, Some(role) == other));
        let join = |all: Bounds, choice: Bounds| {
            let (least, greatest) = match of_players {
                Some((true, _)) => (all.least.max(choice.least), all.greatest.max(choice.greatest)),
                Some((_, true)) => (all.least.min(choice.least), all.greatest.min(choice.greatest)),
                _ => (all.least.min(choice.least), all.greatest.max(choice.greatest)),
            };
            Bounds { least, greatest }
        };
        choices.reduce(join).unwrap_or(self.open)
    }

    /// Whether a choice of a role cannot give it more than what it is sure to get in this state.
    pub(super) fn is_no_better(&self, role: RoleId, choice: Bounds, state: Bounds) -> bool {
        match self.players {
            Some((one, _)) if role == one => choice.greatest <= state.least,
            Some((_, Some(other))) if role == other => choice.least >= state.greatest,
            _ => false,
        }
    }

    /// The value for each role, if the bounds say it.
    pub(super) fn values(&self, bounds: Bounds) -> Option<Vec<f64>> {
        let (one, other) = self.players.filter(|_| self.is_possible() && bounds.is_exact())?;
        let mut values = vec![0.0; self.roles];
        values[one.index()] = bounds.least;
        if let Some(other) = other {
            values[other.index()] = self.sum? - values[one.index()];
        }
        Some(values)
    }

    /// What a role gets at least, and exactly if that is known.
    pub(super) fn goals(&self, role: RoleId, bounds: Bounds) -> (f64, Option<f64>) {
        let unknown = (f64::NEG_INFINITY, None);
        let Some((one, _)) = self.players.filter(|_| self.is_possible()) else { return unknown };
        if role == one {
            let least = bounds.least;
            return (least, bounds.is_exact().then_some(least));
        }
        let Some(sum) = self.sum else { return unknown };
        let least = sum - bounds.greatest;
        (least, bounds.is_exact().then_some(least))
    }
}

/// The least and the greatest goal that the rules can give a role.
fn range(network: &GameNetwork, role: RoleId) -> Bounds {
    // A value that is no goal stands for one in the middle, as a missing one does.
    let values = network.goal_values(role).map(|value| value.map_or(50.0, |value| f64::from(value.value())));
    values.fold(Bounds { least: 50.0, greatest: 50.0 }, |range, value| Bounds {
        least: range.least.min(value),
        greatest: range.greatest.max(value),
    })
}
