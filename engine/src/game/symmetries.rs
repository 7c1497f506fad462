//! Symmetries of a game, and their action on its roles, moves, fluents and percepts.

use std::collections::BTreeSet;

use super::{
    ByRole, Game, GameError, GameNetwork, InformationSet, JointMove, Percepts, RANDOM, State, move_term,
};
use crate::{
    id::{FluentId, MoveId, PerceptId, RoleId, SymbolId, TermId},
    limits::Limits,
    symmetry::{self, Bijection, KeptRelations, Point, PointId, SearchedProgram, ValueKind},
};

/// Maximum number of graph edges that a search for symmetries visits: some seconds.
const WORK: u64 = 1_000_000_000;

/// The same for a quick search: some hundredths of a second.
const QUICK_WORK: u64 = 10_000_000;

/// Maximum number of gates for a quick search for symmetries: preparing the rules of a larger network for
/// the search takes longer than the search itself.
const QUICK_GATES_MAX: usize = 16_384;

/// Maximum number of symmetries that a quick search lists.
const QUICK_ELEMENTS_MAX: usize = 1_000;

/// The symmetries of a game: permutations of its values that leave its rules unchanged.
///
/// ```
/// use croupier_engine::{Game, Options};
///
/// # let leduc = croupier_games::find("leduc").ok_or("the catalogue has it")?;
/// let game = Game::compile(leduc.rules, &Options::PLAY)?.game;
/// let symmetries = game.symmetries()?;
/// // The two jacks can be exchanged, the two queens, and the two kings.
/// assert_eq!((symmetries.order(), symmetries.is_whole()), (8, true));
/// let jacks = symmetries.generators().iter().find(|found| found.changes(&game).contains(&"(deal jh) <-> (deal js)".into()));
/// let state = game.state_of(["(hand alice jh)", "(board ks)"])?;
/// let image = jacks.ok_or("a generator")?.state(&game, &state)?;
/// assert!(image.contains(game.fluent_id("(hand alice js)")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Symmetries {
    generators: Vec<Symmetry>,
    factors: Vec<u32>,
    is_whole: bool,
}

/// A permutation of the roles, moves, fluents and percepts of a game that maps every match to another match:
/// legal moves, successors, percepts, ends and goals are mapped to those of the images.
///
/// Goals keep their values; if roles are exchanged, the image of a role gets the goal of the role. This is exact if
/// players have one goal each, as the language requires.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetry {
    permutation: Bijection,
    roles: ByRole<RoleId>,
}

impl Symmetries {
    /// Symmetries that generate all others by composition; none if only the identity is a symmetry.
    #[must_use]
    pub fn generators(&self) -> &[Symmetry] {
        &self.generators
    }

    /// The number of symmetries, including the identity; at most `u128::MAX`.
    ///
    /// Symmetries that differ only in values that no match reaches are counted separately.
    #[must_use]
    pub fn order(&self) -> u128 {
        self.factors.iter().fold(1, |order: u128, &factor| order.saturating_mul(factor.into()))
    }

    /// Whether these are all symmetries of the kind that is searched for: permutations of the names of a sort and of
    /// the arguments of functions. If not, the search was cut short, and these are some of them.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// All symmetries that these generators generate, the identity first; `None` if there are more than `elements_max`.
    ///
    /// # Complexity
    /// Time: generators times the square of the elements.
    #[must_use]
    pub fn elements(generators: &[Symmetry], elements_max: usize) -> Option<Vec<Symmetry>> {
        let Some(first) = generators.first() else { return Some(Vec::new()) };
        let mut elements = vec![first.identity()];
        let mut known: BTreeSet<Vec<PointId>> = BTreeSet::new();
        known.insert(elements[0].permutation.images().to_vec());
        let mut expanded = 0;
        while expanded < elements.len() {
            for generator in generators {
                let next = elements[expanded].then(generator);
                if known.insert(next.permutation.images().to_vec()) {
                    if elements.len() >= elements_max {
                        return None;
                    }
                    elements.push(next);
                }
            }
            expanded += 1;
        }
        Some(elements)
    }
}

impl Game {
    /// The symmetries of the game: see [`Symmetries`].
    ///
    /// Everything that is the same in every state is evaluated first, so that orders which the rules only use to name things, such
    /// as an order of suits, do not break a symmetry.
    ///
    /// # Errors
    /// [`GameError::Limit`] if the relations that are the same in every state exceed the limits.
    ///
    /// # Complexity
    /// Usually nearly linear in the rules for each generator; bounded by some seconds.
    pub fn symmetries(&self) -> Result<Symmetries, GameError> {
        self.symmetries_within(WORK)
    }

    /// Symmetries that can be found quickly, for callers that benefit from them but cannot wait: none for a game without a network or
    /// with a large one; otherwise all that the quickly found ones generate, or, if there are more than a thousand, only their
    /// generators. They are computed once for a game and its forks.
    ///
    /// # Complexity
    /// Some hundredths of a second the first time.
    pub fn quick_symmetries(&self) -> &[Symmetry] {
        self.quick_symmetries.get_or_init(|| {
            let is_small = |network: &GameNetwork| network.tape().slots_count() <= QUICK_GATES_MAX;
            let found = self
                .network()
                .is_some_and(|network| is_small(network))
                .then(|| self.symmetries_within(QUICK_WORK));
            // Where relations exceed the limits nothing is known, and nothing is lost.
            let generators = found.and_then(Result::ok).unwrap_or_default().generators;
            Symmetries::elements(&generators, QUICK_ELEMENTS_MAX).unwrap_or(generators)
        })
    }

    fn symmetries_within(&self, work: u64) -> Result<Symmetries, GameError> {
        let limits = self.limits().with_brief_grounding();
        let found = symmetry::find(self.subject(&limits), RANDOM, KeptRelations::All, work)?;
        let generators = found.generators.into_iter().map(|permutation| self.symmetry(permutation));
        Ok(Symmetries { generators: generators.collect(), factors: found.factors, is_whole: found.is_whole })
    }

    /// The rules, to look for symmetries or renamings in.
    pub(super) fn subject<'g>(&'g self, limits: &'g Limits) -> SearchedProgram<'g> {
        SearchedProgram { program: self.rules.program(), dependencies: self.rules.graph(), limits }
    }

    fn symmetry(&self, permutation: Bijection) -> Symmetry {
        let roles = ByRole::from_fn(self.roles(), |role| {
            let term = self.engines.reasoner.roles()[role.index()];
            let image = self.image(&permutation, term, ValueKind::Role).unwrap_or(term);
            let position = self.engines.reasoner.roles().iter().position(|&known| known == image);
            position.and_then(RoleId::new).unwrap_or(role)
        });
        Symmetry { permutation, roles }
    }

    fn image(&self, permutation: &Bijection, term: TermId, kind: ValueKind) -> Result<TermId, GameError> {
        let vocabulary = self.engines.reasoner.vocabulary();
        let mut fault = None;
        let mut apply = |symbol: SymbolId, arguments: &[TermId]| match vocabulary.apply(symbol, arguments) {
            Ok(term) => Some(term),
            Err(error) => {
                fault.get_or_insert(error);
                None
            }
        };
        // A value that no rule makes stays as it is.
        let image = permutation.value(term, kind, &|term| vocabulary.parts(term), &mut apply, &Some);
        fault.map_or(Ok(image.unwrap_or(term)), |error| Err(error.into()))
    }
}

impl Symmetry {
    /// The symmetry that changes nothing.
    #[must_use]
    pub fn identity(&self) -> Self {
        let roles = self.roles.map(|role| role);
        Self { permutation: self.permutation.identity(), roles }
    }

    /// The composition: first this symmetry, then another.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let roles = self.roles.map(|role| next.roles[self.roles[role]]);
        Self { permutation: self.permutation.then(&next.permutation), roles }
    }

    /// The image of a role.
    #[must_use]
    pub fn role(&self, role: RoleId) -> RoleId {
        self.roles[role]
    }

    /// Whether every role is mapped to itself.
    #[must_use]
    pub fn keeps_roles(&self) -> bool {
        self.roles.iter().all(|(role, image)| role == *image)
    }

    /// The image of a move; a move that occurs in no rule is mapped to itself.
    ///
    /// # Errors
    /// [`GameError::Limit`] if the game has no room for more terms; the same holds for all images.
    pub fn played(&self, game: &Game, id: MoveId) -> Result<MoveId, GameError> {
        id.check(game.tag());
        let image = game.image(&self.permutation, move_term(id), ValueKind::Move)?;
        Ok(MoveId::of(image.index(), game.tag()).expect("terms stay below 2^32"))
    }

    /// The image of a fluent.
    ///
    /// # Errors
    /// As [`played`](Self::played).
    pub fn fluent(&self, game: &Game, id: FluentId) -> Result<FluentId, GameError> {
        id.check(game.tag());
        let vocabulary = game.engines.reasoner.vocabulary();
        let image = game.image(&self.permutation, vocabulary.fluent_term(id), ValueKind::Fluent)?;
        Ok(vocabulary.fluent(image).tagged(game.tag()))
    }

    /// The image of a percept.
    ///
    /// # Errors
    /// As [`played`](Self::played).
    pub fn percept(&self, game: &Game, id: PerceptId) -> Result<PerceptId, GameError> {
        id.check(game.tag());
        let term = TermId::new(id.index()).expect("percepts are terms");
        let image = game.image(&self.permutation, term, ValueKind::Percept)?;
        Ok(PerceptId::of(image.index(), game.tag()).expect("terms stay below 2^32"))
    }

    /// The image of a state: the images of its fluents.
    ///
    /// # Errors
    /// As [`played`](Self::played).
    pub fn state(&self, game: &Game, state: &State) -> Result<State, GameError> {
        let vocabulary = game.engines.reasoner.vocabulary();
        let image = |fluent| self.fluent(game, fluent);
        let fluents = state.fluents().map(image).collect::<Result<Vec<_>, GameError>>()?;
        let hashed = fluents.into_iter().map(|fluent| (fluent, vocabulary.fluent_hash(fluent)));
        Ok(State::of(hashed, game.tag()))
    }

    /// The image of a joint move: the image of each role plays the image of its move.
    ///
    /// # Errors
    /// As [`played`](Self::played).
    pub fn joint_move(&self, game: &Game, joint_move: &JointMove) -> Result<JointMove, GameError> {
        let mut moves = joint_move.moves.clone();
        for (role, &played) in joint_move.moves.iter() {
            moves[self.roles[role]] = self.played(game, played)?;
        }
        Ok(JointMove { moves })
    }

    /// The image of what one role is told, which is what the image of the role is told.
    ///
    /// # Errors
    /// As [`played`](Self::played).
    pub fn percepts(&self, game: &Game, percepts: &Percepts) -> Result<Percepts, GameError> {
        let images = percepts.iter().map(|percept| self.percept(game, percept));
        Ok(game.in_order(images.collect::<Result<Vec<_>, GameError>>()?))
    }

    /// The image of an information set: that of the image of the role.
    ///
    /// # Errors
    /// As [`played`](Self::played).
    pub fn information_set(&self, game: &Game, known: &InformationSet) -> Result<InformationSet, GameError> {
        let turn = |(own_move, percepts): &(MoveId, Percepts)| {
            Ok((self.played(game, *own_move)?, self.percepts(game, percepts)?))
        };
        let turns = known.turns.iter().map(turn).collect::<Result<_, GameError>>()?;
        Ok(InformationSet { role: self.roles[known.role], turns })
    }

    /// The changes that it makes, as patterns of terms in which `_` matches anything: `(deal js) <-> (deal jh)` exchanges two cards,
    /// `(mark a b) -> (mark b a)` the coordinates of a board. Ascending; empty for the identity.
    #[must_use]
    pub fn changes(&self, game: &Game) -> Vec<String> {
        let names = PointNames { game, permutation: &self.permutation, points: self.permutation.points() };
        let images = self.permutation.images();
        let mut changes = Vec::new();
        for (point, &image) in images.iter().enumerate() {
            let Some((from, to)) = names.change(point, images) else { continue };
            if images[image] != point {
                changes.push(format!("{from} -> {to}"));
            } else if names.change(image, images).is_none_or(|(other, _)| from <= other) {
                changes.push(format!("{from} <-> {to}"));
            }
        }
        changes.sort_unstable();
        changes.dedup();
        changes
    }
}

/// How points are written.
struct PointNames<'g> {
    game: &'g Game,
    permutation: &'g Bijection,
    points: &'g [Point],
}

impl PointNames<'_> {
    /// A point and its image as patterns, if they differ.
    fn change(&self, point: PointId, images: &[PointId]) -> Option<(String, String)> {
        match (&self.points[point], &self.points[images[point]]) {
            (Point::Constant { sort, symbol }, Point::Constant { sort: place, symbol: image }) => {
                // What happens to a role's name elsewhere is said once, of the role.
                let roles = self.permutation.sort(ValueKind::Role).filter(|roles| roles != sort);
                let is_said = roles.is_some_and(|roles| {
                    let is_role = |other: &Point| *other == Point::Constant { sort: roles, symbol: *symbol };
                    let role = self.points.iter().position(is_role);
                    role.is_some_and(|role| {
                        self.points[images[role]] == Point::Constant { sort: roles, symbol: *image }
                    })
                });
                let is_changed = symbol != image && !is_said;
                is_changed.then(|| (self.pattern(*sort, *symbol), self.pattern(*place, *image)))
            }
            (Point::Function { symbol, arguments, .. }, Point::Function { symbol: image, .. }) => {
                let letters: Vec<String> =
                    (0..arguments.len()).map(|number| LETTERS[number % LETTERS.len()].to_string()).collect();
                let mut moved = letters.clone();
                for (number, letter) in letters.iter().enumerate() {
                    if let Point::Argument { number: place, .. } = self.points[images[point + 1 + number]] {
                        moved[place].clone_from(letter);
                    }
                }
                let write =
                    |symbol, letters: &[String]| format!("({} {})", self.name(symbol), letters.join(" "));
                (symbol != image || moved != letters)
                    .then(|| (write(*symbol, &letters), write(*image, &moved)))
            }
            _ => None,
        }
    }

    /// A constant in its position in a move, a fluent, a percept or another function; on its own if it is a role.
    fn pattern(&self, sort: usize, symbol: SymbolId) -> String {
        let host = |point: &Point| match point {
            Point::Function { sort: own, symbol, arguments } => {
                let kinds = [ValueKind::Move, ValueKind::Fluent, ValueKind::Percept];
                let rank = kinds.iter().position(|&kind| self.permutation.sort(kind) == Some(*own));
                let place = arguments.iter().position(|&place| place == sort)?;
                Some((rank.unwrap_or(kinds.len()), *symbol, arguments.len(), place))
            }
            Point::Constant { .. } | Point::Argument { .. } => None,
        };
        let is_role = self.permutation.sort(ValueKind::Role) == Some(sort);
        let hosts = self.points.iter().filter_map(host).filter(|_| !is_role);
        match hosts.min_by_key(|(rank, ..)| *rank) {
            Some((_, function, arity, place)) => {
                let mut parts = vec!["_".to_owned(); arity];
                parts[place] = self.name(symbol);
                format!("({} {})", self.name(function), parts.join(" "))
            }
            None => self.name(symbol),
        }
    }

    fn name(&self, symbol: SymbolId) -> String {
        // The constant of a symbol of the rules is the term with its number.
        let term = TermId::new(symbol.index()).expect("symbols are fewer than terms");
        self.game.engines.reasoner.vocabulary().print(term)
    }
}

const LETTERS: [char; 8] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
