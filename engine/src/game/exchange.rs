//! Values that can be exchanged for each other: cards of a deck, as long as nobody counts what they are worth.
//!
//! Goals break most symmetries of a card game: an ace beats a king. But goals decide nothing before the end, so what may be
//! done, what follows and what is told is the same whichever of the 52 cards is called the ace of spades. If one history of a match is
//! possible, so is the one in which two cards have changed places, and it is as likely, as long as the players choose uniformly. What somebody
//! can infer from one hand can so be read off what follows from any other: only the names differ.
//!
//! The symmetries of the rules without goals are searched (`symmetries.rs`). A generator that exchanges two constants and nothing else makes a
//! class of them; the image of a class under a generator is a class as well, and classes with a member in common are one, since `(a b)`
//! and `(b c)` generate `(a c)`. So three generators say of 52 cards that any permutation of them is a symmetry.

use std::collections::{BTreeMap, BTreeSet};

use super::{Game, RANDOM, move_term};
use crate::{
    id::{FluentId, MoveId, PerceptId, SymbolId, TermId},
    symmetry::{self, Bijection, KeptRelations, Point, PointId, ValueKind},
};

/// Maximum number of graph edges that the search visits: some tenths of a second.
const WORK: u64 = 100_000_000;

/// Maximum number of gates: preparing the rules of a larger network takes longer than it saves.
const GATES_MAX: usize = 1 << 17;

/// Classes of constants any permutation of which leaves the rules unchanged, except for goals.
///
/// A permutation acts on constants where they stand for the same thing: a number may be a card in one place and a turn in another.
///
/// ```
/// use croupier_engine::{Game, Options};
///
/// # let holdem = croupier_games::find("holdem").ok_or("the catalogue has it")?;
/// let game = Game::compile(holdem.rules, &Options::PLAY)?.game;
/// let values = game.exchangeable_values();
/// // The cards: before the showdown nobody asks what they are worth.
/// assert_eq!(values.class_sizes(), [52]);
/// let [aces, deuce] = ["(hand alice as)", "(hand alice 2c)"].map(|text| game.fluent_id(text));
/// let [aces, deuce] = [values.fluent_shape(&game, aces?), values.fluent_shape(&game, deuce?)];
/// assert_eq!(aces.form, deuce.form);
/// assert_ne!(aces.members, deuce.members);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ExchangeableValues {
    /// What finds the points of a value; `None` if there are no classes.
    identity: Option<Bijection>,
    /// By point, its class and its number in it.
    members: Vec<Option<ClassMember>>,
    sizes: Vec<usize>,
}

/// A value that can be exchanged for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassMember {
    /// The class.
    pub class: usize,
    /// Its number in the class, from 0.
    pub number: usize,
}

/// A move, percept or fluent as a form with exchangeable values in it. Values of the same form with other members of the same classes are its
/// images.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueShape {
    /// What remains if members are left out. Forms of values of one kind in one game can be compared.
    pub form: Vec<u32>,
    /// The members, from left to right.
    pub members: Vec<ClassMember>,
}

/// The constants of a class: symbols, in the sorts in which they are exchanged.
type SymbolClass = (BTreeSet<usize>, BTreeSet<SymbolId>);

impl Game {
    /// The values that can be exchanged for each other without changing anything but goals: none for a game without a network or with a
    /// large one, or if none were found quickly.
    ///
    /// # Complexity
    /// Some tenths of a second.
    #[must_use]
    pub fn exchangeable_values(&self) -> ExchangeableValues {
        let is_small = self.network().is_some_and(|network| network.tape().slots_count() <= GATES_MAX);
        if !is_small {
            return ExchangeableValues::default();
        }
        let limits = self.limits().with_brief_grounding();
        let found = symmetry::find(self.subject(&limits), RANDOM, KeptRelations::AllButGoals, WORK);
        // Where relations exceed the limits nothing is known, and nothing is lost.
        found.map(|group| ExchangeableValues::of(&group.generators)).unwrap_or_default()
    }
}

impl ExchangeableValues {
    fn of(generators: &[Bijection]) -> Self {
        let Some(first) = generators.first() else { return Self::default() };
        let points = first.points();
        let mut members = vec![None; points.len()];
        let mut sizes = Vec::new();
        let mut places: BTreeMap<(usize, SymbolId), PointId> = BTreeMap::new();
        for (id, point) in points.iter().enumerate() {
            if let Point::Constant { sort, symbol } = point {
                places.insert((*sort, *symbol), id);
            }
        }
        for (sorts, symbols) in classes(generators) {
            let point = |(number, sort, symbol)| Some((number, *places.get(&(sort, symbol))?));
            let numbered = symbols.iter().enumerate();
            let all =
                numbered.flat_map(|(number, &symbol)| sorts.iter().map(move |&sort| (number, sort, symbol)));
            let Some(all) = all.map(point).collect::<Option<Vec<(usize, PointId)>>>() else { continue };
            if all.iter().any(|&(_, id)| members[id].is_some()) {
                continue;
            }
            for (number, id) in all {
                members[id] = Some(ClassMember { class: sizes.len(), number });
            }
            sizes.push(symbols.len());
        }
        Self { identity: Some(first.identity()), members, sizes }
    }

    /// How many members each class has.
    #[must_use]
    pub fn class_sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The shape of a move.
    #[must_use]
    pub fn move_shape(&self, game: &Game, id: MoveId) -> ValueShape {
        id.check(game.tag());
        self.shape(game, move_term(id), ValueKind::Move)
    }

    /// The shape of a percept.
    #[must_use]
    pub fn percept_shape(&self, game: &Game, id: PerceptId) -> ValueShape {
        id.check(game.tag());
        self.shape(game, TermId::new(id.index()).expect("percepts are terms"), ValueKind::Percept)
    }

    /// The shape of a fluent.
    #[must_use]
    pub fn fluent_shape(&self, game: &Game, id: FluentId) -> ValueShape {
        id.check(game.tag());
        self.shape(game, game.vocabulary().fluent_term(id), ValueKind::Fluent)
    }

    fn shape(&self, game: &Game, term: TermId, kind: ValueKind) -> ValueShape {
        let mut shape = ValueShape::default();
        let Some(identity) = &self.identity else { return shape };
        let number = |index: usize| u32::try_from(index).expect("symbols and classes are below 2^32");
        let mut found = |symbol: SymbolId, arity: usize, point: Option<PointId>| match point
            .and_then(|point| self.members[point])
        {
            Some(member) => {
                shape.form.extend([0, number(member.class)]);
                shape.members.push(member);
            }
            None => shape.form.extend([1 + number(arity), number(symbol.index())]),
        };
        let vocabulary = game.vocabulary();
        identity.visit(term, kind, &|term| vocabulary.parts(term), &mut found);
        shape
    }
}

/// The classes that generators prove.
fn classes(generators: &[Bijection]) -> Vec<SymbolClass> {
    let mut classes: Vec<SymbolClass> = Vec::new();
    for class in generators.iter().filter_map(transposed) {
        add(&mut classes, class);
    }
    loop {
        let size = |classes: &[SymbolClass]| classes.iter().map(|(_, symbols)| symbols.len()).sum::<usize>();
        let before = (classes.len(), size(&classes));
        for class in classes.clone() {
            for image in generators.iter().filter_map(|generator| image(generator, &class)) {
                add(&mut classes, image);
            }
        }
        if (classes.len(), size(&classes)) == before {
            return classes;
        }
    }
}

/// Adds a class, and joins those that have a member in common.
fn add(classes: &mut Vec<SymbolClass>, mut class: SymbolClass) {
    classes.retain(|(sorts, symbols)| {
        let is_joined = *sorts == class.0 && !symbols.is_disjoint(&class.1);
        if is_joined {
            class.1.extend(symbols);
        }
        !is_joined
    });
    classes.push(class);
}

/// The two constants that a symmetry exchanges, if it changes nothing else, and no role.
fn transposed(generator: &Bijection) -> Option<SymbolClass> {
    let (points, images) = (generator.points(), generator.images());
    let (mut sorts, mut symbols) = (BTreeSet::new(), BTreeSet::new());
    for (id, &image) in images.iter().enumerate().filter(|&(id, &image)| id != image) {
        let (Point::Constant { sort, symbol }, Point::Constant { sort: place, .. }) =
            (&points[id], &points[image])
        else {
            return None;
        };
        if images[image] != id || place != sort {
            return None;
        }
        sorts.insert(*sort);
        symbols.insert(*symbol);
    }
    let is_role = generator.sort(ValueKind::Role).is_some_and(|roles| sorts.contains(&roles));
    (symbols.len() == 2 && !is_role).then_some((sorts, symbols))
}

/// The image of a class, if it is one in the same sorts.
fn image(generator: &Bijection, class: &SymbolClass) -> Option<SymbolClass> {
    let (sorts, symbols) = class;
    let (points, images) = (generator.points(), generator.images());
    let mut found = BTreeMap::new();
    for (id, point) in points.iter().enumerate() {
        let Point::Constant { sort, symbol } = point else { continue };
        if !sorts.contains(sort) || !symbols.contains(symbol) {
            continue;
        }
        match &points[images[id]] {
            // The same in every sort.
            Point::Constant { sort: place, symbol: image }
                if place == sort && found.get(symbol).is_none_or(|known| known == image) =>
            {
                found.insert(*symbol, *image);
            }
            _ => return None,
        }
    }
    Some((sorts.clone(), found.into_values().collect()))
}

#[cfg(test)]
mod tests {
    use super::{super::Options, Game};

    fn sizes(rules: &str) -> Vec<usize> {
        let mut sizes =
            Game::compile(rules, &Options::PLAY).unwrap().game.exchangeable_values().class_sizes().to_vec();
        sizes.sort_unstable();
        sizes
    }

    const DEAL: &str = "(role random) (role ann) (card a) (card b) (card c) (card d) (init deal)
        (<= (legal random (deal ?c)) (true deal) (card ?c)) (<= (legal ann noop) (true deal))
        (<= (legal random noop) (true (hand ?c))) (<= (legal ann (say ?c)) (true (hand ?d)) (card ?c))
        (<= (next (hand ?c)) (does random (deal ?c))) (<= (next end) (true (hand ?c))) (<= terminal (true end))
        (<= (sees ann (got ?c)) (does random (deal ?c)))
        (<= (next (hand ?c)) (true (hand ?c))) (<= (goal ann 100) (true (hand a))) (<= (goal ann 0) (not (true (hand a))))";

    #[test]
    fn goals_break_no_symmetry_and_everything_else_does() {
        // What is said has nothing to do with what is dealt, though the names are the same.
        assert_eq!(sizes(DEAL), [4, 4]);
        let marked = "(<= (sees ann smudge) (does random (deal b)))";
        assert_eq!(sizes(&format!("{DEAL} {marked}")), [3, 4]);
        let stopping = "(<= terminal (true (hand a)))";
        assert_eq!(sizes(&format!("{DEAL} {stopping}")), [3, 4]);
        let forbidden =
            DEAL.replace("(true (hand ?d)) (card ?c))", "(true (hand ?d)) (card ?c) (distinct ?c d))");
        assert_eq!(sizes(&forbidden), [3, 4]);
        // Two marked alike can still be exchanged, and so can the two that are not.
        let both =
            "(<= (sees ann smudge) (does random (deal b))) (<= (sees ann smudge) (does random (deal c)))";
        assert_eq!(sizes(&format!("{DEAL} {both}")), [2, 2, 4]);
    }
}
