//! The values of a game: states, joint moves, percepts, goals, histories.

use std::fmt;

use super::fluents::Fluents;
use crate::{
    diagnostic::Strictness,
    game::{ByPlayer, ByRole},
    id::{FluentId, MoveId, PerceptId, RoleId},
    tag::GameTag,
};

/// The set of fluents that are true at one moment of a match.
///
/// States of one [`Game`](crate::Game) can be compared and hashed in any thread; the hash does
/// not depend on the order in which the game encountered its fluents. In builds with `debug_assertions`, using a state with
/// another game panics, except with forks.
///
/// ```
/// use croupier_engine::{Game, Options};
///
/// # let rules = "(role me) (role you) (init (at 0)) (legal me (go left)) (legal me (go right)) (legal you wait)
/// #     (<= (next (at ?side)) (does me (go ?side))) (<= terminal (not (true (at 0)))) (<= (sees you moved) (does me (go ?s)))
/// #     (<= (goal me 100) (true (at left))) (<= (goal me 0) (not (true (at left)))) (goal you 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let state = game.initial_state();
/// assert!(state.contains(game.fluent_id("(at 0)")?));
/// assert_eq!(game.state_terms(state), ["(at 0)".into()]);
/// assert_eq!(game.state_of(["(at 0)"])?, *state);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct State {
    pub(super) fluents: Fluents,
    pub(super) hash: u64,
    pub(super) tag: GameTag,
}

impl State {
    /// The state of distinct fluents, each with its stable hash, in the game with this tag.
    pub(super) fn of(fluents: impl Iterator<Item = (FluentId, u64)>, tag: GameTag) -> Self {
        let mut hash = 0;
        let fluents = Fluents::of(fluents.map(|(fluent, stable)| {
            hash ^= stable;
            fluent
        }));
        Self { fluents, hash, tag }
    }

    /// Whether `fluent` is true.
    #[must_use]
    pub fn contains(&self, fluent: FluentId) -> bool {
        fluent.check(self.tag);
        self.fluents.contains(fluent)
    }

    /// The fluents that are true, in no meaningful order: see
    /// [`Game::state_terms`](crate::Game::state_terms) for the canonical one.
    pub fn fluents(&self) -> impl Iterator<Item = FluentId> + '_ {
        self.fluents.iter().map(|fluent| fluent.tagged(self.tag))
    }

    /// A hash of the printed fluents, the same in every process.
    #[must_use]
    pub fn stable_hash(&self) -> u64 {
        self.hash
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.fluents == other.fluents
    }
}

impl Eq for State {}

impl std::hash::Hash for State {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

/// A legal move for each role in one state; created only by [`Game::joint_move`](crate::Game::joint_move) and
/// related functions.
///
/// ```
/// use croupier_engine::{ByRole, Game, Options};
///
/// # let rules = "(role me) (role you) (init (at 0)) (legal me (go left)) (legal me (go right)) (legal you wait)
/// #     (<= (next (at ?side)) (does me (go ?side))) (<= terminal (not (true (at 0)))) (<= (sees you moved) (does me (go ?s)))
/// #     (<= (goal me 100) (true (at left))) (<= (goal me 0) (not (true (at left)))) (goal you 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let mut scratch = game.scratch();
/// let state = game.initial_state();
/// let moves = ["(go left)", "wait"].map(|text| game.move_id(text));
/// let moves = ByRole::try_from_fn(game.roles(), |role| moves[role.index()].clone())?;
/// let joint_move = game.joint_move(state, moves, &mut scratch)?;
/// let turn = game.turn(state, &joint_move, &mut scratch)?;
/// let you = game.roles().find("you").ok_or("a role of the game")?;
/// assert_eq!(game.percept_terms(&turn.percepts[you]), ["moved".into()]);
/// assert_eq!(game.state_terms(&turn.successor), ["(at left)".into()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JointMove {
    pub(super) moves: ByRole<MoveId>,
}

impl JointMove {
    /// The move of one role.
    #[must_use]
    pub fn of(&self, role: RoleId) -> MoveId {
        self.moves[role]
    }

    /// The moves of all roles.
    #[must_use]
    pub fn moves(&self) -> &ByRole<MoveId> {
        &self.moves
    }
}

/// What one role is told in one turn: a set, kept in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percepts {
    pub(super) terms: Vec<PerceptId>,
}

impl Percepts {
    /// The set of these percepts, which must be in canonical order.
    pub(crate) fn of_sorted(terms: Vec<PerceptId>) -> Self {
        Self { terms }
    }

    /// The percepts in canonical order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = PerceptId> + '_ {
        self.terms.iter().copied()
    }

    /// Those of them for which something is true.
    #[must_use]
    pub fn only(&self, mut is_kept: impl FnMut(PerceptId) -> bool) -> Self {
        Self { terms: self.iter().filter(|&percept| is_kept(percept)).collect() }
    }

    /// The number of percepts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether the role is told nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// A player's score at the end of a match: 0 to 100 in the language, and any `i32` in the compatible reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalValue(i32);

impl GoalValue {
    /// A value.
    #[must_use]
    pub fn new(value: i32) -> Self {
        Self(value)
    }

    /// The value that a text writes, if it is a goal in this reading: a whole number from 0 to 100, and in the compatible reading
    /// any whole number that fits.
    ///
    /// ```
    /// use croupier_engine::{GoalValue, Strictness};
    ///
    /// assert_eq!(GoalValue::read("-20", Strictness::Compatible), Some(GoalValue::new(-20)));
    /// assert_eq!(GoalValue::read("-20", Strictness::Strict), None);
    /// assert_eq!(GoalValue::read("many", Strictness::Compatible), None);
    /// ```
    #[must_use]
    pub fn read(text: &str, strictness: Strictness) -> Option<Self> {
        let value = text.parse().ok().map(Self)?;
        (strictness == Strictness::Compatible || value.is_of_language()).then_some(value)
    }

    /// Whether it is from 0 to 100, as the language has it.
    #[must_use]
    pub fn is_of_language(self) -> bool {
        (0..=100).contains(&self.0)
    }

    /// The number.
    #[must_use]
    pub fn value(self) -> i32 {
        self.0
    }
}

impl fmt::Display for GoalValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether the match continues in a state, with the legal moves, or is over, with the goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every role has at least one legal move, in canonical order.
    Running {
        /// The legal moves of each role.
        legal: ByRole<Vec<MoveId>>,
    },
    /// The match is over.
    Terminal {
        /// The goal of each player.
        goals: ByPlayer<GoalValue>,
    },
}

/// The results of one joint move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// What each player is told.
    pub percepts: ByPlayer<Percepts>,
    /// The state after it.
    pub successor: State,
}

/// The true history of a match so far: the joint moves, and the state that they lead to from the initial one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// One joint move per turn.
    pub joint_moves: Vec<JointMove>,
    /// The state after the last of them.
    pub state: State,
}

/// A match so far as one role knows it: everything that it did and was told.
///
/// ```
/// use croupier_engine::{Game, InformationSet, Options};
///
/// # let rules = "(role me) (role you) (init (at 0)) (legal me (go left)) (legal me (go right)) (legal you wait)
/// #     (<= (next (at ?side)) (does me (go ?side))) (<= terminal (not (true (at 0)))) (<= (sees you moved) (does me (go ?s)))
/// #     (<= (goal me 100) (true (at left))) (<= (goal me 0) (not (true (at left)))) (goal you 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let you = game.roles().find("you").ok_or("a role of the game")?;
/// let mut known = InformationSet::initial(you);
/// known.turns.push(game.own_turn("wait", ["moved"])?);
/// assert_eq!(known.turns.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InformationSet {
    /// The role whose knowledge it is.
    pub role: RoleId,
    /// The role's executed move and its percepts in each turn.
    pub turns: Vec<(MoveId, Percepts)>,
}

impl InformationSet {
    /// What `role` knows before the first move: only the rules.
    #[must_use]
    pub fn initial(role: RoleId) -> Self {
        Self { role, turns: Vec::new() }
    }
}
