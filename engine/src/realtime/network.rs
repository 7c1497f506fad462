//! The network of a real-time game: its fluents as bits, and which clocks an update sets and keeps.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::clocks::{CARRIED, ENDLESS, FRESH, HOLDS};
use crate::{
    check::CheckedRules,
    datalog::Vocabulary,
    game::{BuildReport, ByRole, Game, GameError, GameNetwork, GoalValue, Options, Roles},
    id::{FluentId, MoveId, RoleId, SymbolId, TermId},
    lifetime::Lifetime,
    limits::Limits,
    propnet::Tape,
    rules::EXPIRED,
    syntax,
    tag::GameTag,
};

/// A real-time game whose rules only set lifetimes and keep them: a network for what holds, and its effects on clocks.
///
/// Every fluent that a match can reach has a number, its clock's, and so have moves and percepts of each role.
#[derive(Debug)]
pub struct ClockNetwork {
    network: Arc<GameNetwork>,
    fluents: Vec<FluentId>,
    numbers: FxHashMap<FluentId, usize>,
    bases: Vec<ClockBases>,
    /// Clocks that can be set: the base of the condition, the fluent's index, and its new lifetime.
    fresh: Vec<Fresh>,
    /// Clocks that can be kept.
    carried: Vec<Carried>,
    moves: ByRole<Vec<TermId>>,
    percepts: ByRole<Vec<TermId>>,
}

/// The bases of a fluent on the tape.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClockBases {
    pub(super) holds: Option<usize>,
    pub(super) endless: Option<usize>,
    pub(super) expired: Option<usize>,
}

/// A clock that an update may set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fresh {
    pub(super) base: usize,
    pub(super) to: usize,
    pub(super) lifetime: Lifetime,
}

/// A clock that an update may keep, for its own fluent or for another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub(super) base: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl ClockNetwork {
    /// Grounds rewritten rules; fluents, moves and percepts become terms of `vocabulary`.
    pub(super) fn new(
        rules: CheckedRules,
        vocabulary: &Vocabulary,
        roles: &Roles,
        options: &Options,
    ) -> Result<Self, GameError> {
        let symbols = &rules.program().symbols;
        let [holds, endless, expired, fresh, carried] =
            [HOLDS, ENDLESS, EXPIRED, FRESH, CARRIED].map(|name| symbols.get(name));
        let game = Game::build(Arc::new(rules), options)?;
        let network = match (game.network(), game.build_report()) {
            (Some(network), _) => Arc::clone(network),
            (None, BuildReport::NotGrounded(error)) => return Err(error.clone().into()),
            (None, _) => return Err(GameError::OutOfReach),
        };
        let terms = Translation { from: game.vocabulary(), to: vocabulary, limits: &options.limits };
        let translated = |ids: Vec<usize>| -> Result<Vec<TermId>, GameError> {
            ids.into_iter().map(|id| terms.translate(TermId::new(id).expect("ids are terms"))).collect()
        };
        let moves = ByRole::try_from_fn(roles, |role| {
            translated(network.moves(role).iter().map(|id| id.index()).collect())
        })?;
        let percepts = ByRole::try_from_fn(roles, |role| {
            translated(network.percepts(role).iter().map(|id| id.index()).collect())
        })?;
        let mut found = Self {
            network: Arc::clone(&network),
            fluents: Vec::new(),
            numbers: FxHashMap::default(),
            bases: Vec::new(),
            fresh: Vec::new(),
            carried: Vec::new(),
            moves,
            percepts,
        };
        for (base, &fluent) in network.fluents().iter().enumerate() {
            let (function, parts) = terms.from.parts(terms.from.fluent_term(fluent));
            let is = |symbol: Option<SymbolId>| symbol == Some(function);
            let number = |found: &mut Self, part: usize| -> Result<usize, GameError> {
                Ok(found.number(vocabulary.fluent(terms.translate(parts[part])?)))
            };
            if is(fresh) {
                let lifetime = terms.from.print(parts[0]).parse().map_err(|_| GameError::OutOfReach)?;
                let to = number(&mut found, 1)?;
                found.fresh.push(Fresh { base, to, lifetime });
            } else if is(carried) {
                let (from, to) = (number(&mut found, 0)?, number(&mut found, 1)?);
                found.carried.push(Carried { base, from, to });
            } else {
                let number = number(&mut found, 0)?;
                let bases = &mut found.bases[number];
                let place = if is(holds) {
                    &mut bases.holds
                } else if is(endless) {
                    &mut bases.endless
                } else {
                    debug_assert!(is(expired), "rewritten rules have no other fluents");
                    &mut bases.expired
                };
                *place = Some(base);
            }
        }
        Ok(found)
    }

    fn number(&mut self, fluent: FluentId) -> usize {
        let next = self.fluents.len();
        let number = *self.numbers.entry(fluent).or_insert(next);
        if number == next {
            self.fluents.push(fluent);
            self.bases.push(ClockBases::default());
        }
        number
    }

    /// The tape on which many matches can be played at once.
    #[must_use]
    pub fn tape(&self) -> &Arc<Tape> {
        self.network.tape()
    }

    /// The fluents that a match can reach, by number of their clocks.
    #[must_use]
    pub fn fluents(&self) -> &[FluentId] {
        &self.fluents
    }

    /// The longest lifetime with an end that an update can set, in microseconds; `None` if there is none.
    #[must_use]
    pub fn longest_lifetime(&self) -> Option<u64> {
        self.fresh.iter().filter_map(|fresh| fresh.lifetime.micros()).max()
    }

    /// How many moves a role can ever make.
    #[must_use]
    pub fn moves_count(&self, role: RoleId) -> usize {
        self.moves[role].len()
    }

    /// A role's moves, by number.
    pub(super) fn moves(&self, role: RoleId) -> &[TermId] {
        &self.moves[role]
    }

    /// The move of a role that has a number.
    ///
    /// # Panics
    /// If there is no such move.
    #[must_use]
    pub fn move_of(&self, role: RoleId, number: usize) -> MoveId {
        MoveId::of(self.moves[role][number].index(), GameTag::NONE).expect("terms stay below 2^32")
    }

    /// The number of a role's move, if it can ever be legal.
    pub(super) fn move_number(&self, role: RoleId, played: MoveId) -> Option<usize> {
        self.moves[role].iter().position(|term| term.index() == played.index())
    }

    /// A role's percepts, by number.
    pub(super) fn percepts(&self, role: RoleId) -> &[TermId] {
        &self.percepts[role]
    }

    /// The goals that the rules name for a role; `None` for what is no goal in the reading of the game.
    pub fn goal_values(&self, role: RoleId) -> impl Iterator<Item = Option<GoalValue>> + '_ {
        self.network.goal_values(role)
    }

    /// The same as printed, by the place that counts first.
    pub(super) fn goals(&self, role: RoleId) -> &[String] {
        self.network.goals(role)
    }

    /// The number of a fluent, if a match can reach it.
    pub(super) fn clock_of(&self, fluent: FluentId) -> Option<usize> {
        self.numbers.get(&fluent).copied()
    }

    pub(super) fn bases(&self) -> &[ClockBases] {
        &self.bases
    }

    pub(super) fn fresh(&self) -> &[Fresh] {
        &self.fresh
    }

    pub(super) fn carried(&self) -> &[Carried] {
        &self.carried
    }
}

/// Terms of one vocabulary in another.
struct Translation<'v> {
    from: &'v Vocabulary,
    to: &'v Vocabulary,
    limits: &'v Limits,
}

impl Translation<'_> {
    fn translate(&self, term: TermId) -> Result<TermId, GameError> {
        let text = self.from.print(term);
        let term = syntax::read_ground_term(&text, self.limits).map_err(|_| GameError::OutOfReach)?;
        Ok(self.to.intern(&term)?)
    }
}
