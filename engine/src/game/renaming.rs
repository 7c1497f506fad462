//! Games that differ only in names and in the order of what is written.

use super::{ByRole, Game, InformationSet, Percepts, RANDOM, move_term};
use crate::{
    id::{FluentId, MoveId, PerceptId, RoleId, SymbolId, TermId},
    symmetry::{self, Bijection, ValueKind},
};

/// Maximum number of graph edges that a search for a renaming visits: some seconds.
const WORK: u64 = 1_000_000_000;

/// How one game becomes another by other names, another order of arguments, and another order of rules and conditions: every match of
/// the one is a match of the other.
///
/// Numbers that are goals keep their names, and so do the relations of the language and the role of chance.
///
/// ```
/// use croupier_engine::{Game, Options};
///
/// let rules = "(role left) (init start) (legal left (take 2)) (legal left (take 10))
///     (<= (next (took ?n)) (does left (take ?n))) (<= terminal (true (took ?n)))
///     (<= (goal left 90) (true (took 10))) (<= (goal left 10) (true (took 2)))";
/// let renamed = rules.replace("left", "ann").replace("take", "grab").replace(" 2)", " few)").replace(" 10)", " many)");
/// let renamed = renamed.replace("(goal ann many)", "(goal ann 10)");
/// let [game, other] = [rules, &renamed].map(|rules| Game::compile(rules, &Options::PLAY).map(|compiled| compiled.game));
/// let (game, other) = (game?, other?);
/// let renaming = game.renaming_to(&other).ok_or("only names differ")?;
/// let take = game.move_id("(take 10)")?;
/// let grab = renaming.played(&game, &other, take).ok_or("a move of the rules")?;
/// assert_eq!(&*other.move_text(grab), "(grab many)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Renaming {
    bijection: Bijection,
    roles: ByRole<RoleId>,
}

impl Game {
    /// How this game becomes another one by other names and another order; `None` if it does not, or if that was not found within
    /// some seconds of work.
    ///
    /// Where symmetries leave a choice, any of the renamings is returned: strategies of one game are strategies of the other by each.
    ///
    /// # Complexity
    /// Usually nearly linear in the rules, with what is the same in every state evaluated.
    #[must_use]
    pub fn renaming_to(&self, other: &Self) -> Option<Renaming> {
        if self.roles().len() != other.roles().len() {
            return None;
        }
        let limits = [self, other].map(|game| game.limits().with_brief_grounding());
        let (one, image) = (self.subject(&limits[0]), other.subject(&limits[1]));
        let bijection = symmetry::renaming(one, image, RANDOM, WORK)?;
        let role = |role: RoleId| {
            let term = self.engines.reasoner.roles()[role.index()];
            let image = image_of(&bijection, [self, other], term, ValueKind::Role)?;
            RoleId::new(other.engines.reasoner.roles().iter().position(|&known| known == image)?)
        };
        let roles = ByRole::try_from_fn(self.roles(), |id| role(id).ok_or(()));
        roles.ok().map(|roles| Renaming { bijection, roles })
    }
}

impl Renaming {
    /// The way back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut roles = self.roles.clone();
        self.roles.iter().for_each(|(role, &image)| roles[image] = role);
        Self { bijection: self.bijection.inverse(), roles }
    }

    /// The image of a role.
    #[must_use]
    pub fn role(&self, role: RoleId) -> RoleId {
        self.roles[role]
    }

    /// The image in the game `to` of a move of the game `from`; `None` if no match has the move, or there is no room for more terms.
    #[must_use]
    pub fn played(&self, from: &Game, to: &Game, id: MoveId) -> Option<MoveId> {
        id.check(from.tag());
        let image = image_of(&self.bijection, [from, to], move_term(id), ValueKind::Move)?;
        MoveId::of(image.index(), to.tag())
    }

    /// The image of a fluent, as for [`played`](Self::played).
    #[must_use]
    pub fn fluent(&self, from: &Game, to: &Game, id: FluentId) -> Option<FluentId> {
        id.check(from.tag());
        let [words, others] = [from, to].map(|game| game.engines.reasoner.vocabulary());
        let image = image_of(&self.bijection, [from, to], words.fluent_term(id), ValueKind::Fluent)?;
        Some(others.fluent(image).tagged(to.tag()))
    }

    /// The image of what a role is told, as for [`played`](Self::played).
    #[must_use]
    pub fn percepts(&self, from: &Game, to: &Game, percepts: &Percepts) -> Option<Percepts> {
        let images = percepts.iter().map(|percept| {
            let term = TermId::new(percept.index())?;
            let image = image_of(&self.bijection, [from, to], term, ValueKind::Percept)?;
            PerceptId::of(image.index(), to.tag())
        });
        Some(to.in_order(images.collect::<Option<Vec<_>>>()?))
    }

    /// The image of an information set: that of the image of its role.
    #[must_use]
    pub fn information_set(&self, from: &Game, to: &Game, known: &InformationSet) -> Option<InformationSet> {
        let turn = |(own_move, percepts): &(MoveId, Percepts)| {
            Some((self.played(from, to, *own_move)?, self.percepts(from, to, percepts)?))
        };
        let turns = known.turns.iter().map(turn).collect::<Option<_>>()?;
        Some(InformationSet { role: self.roles[known.role], turns })
    }
}

fn image_of(bijection: &Bijection, games: [&Game; 2], term: TermId, kind: ValueKind) -> Option<TermId> {
    let [words, others] = games.map(|game| game.engines.reasoner.vocabulary());
    let mut apply = |symbol: SymbolId, arguments: &[TermId]| others.apply(symbol, arguments).ok();
    bijection.value(term, kind, &|term| words.parts(term), &mut apply, &|_| None)
}
