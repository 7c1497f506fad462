//! The public interface of a game: roles, states, legal moves, percepts, successors, goals.
//!
//! [`Game::compile`] is the only entry point. All visible results are in canonical order: the
//! byte order of canonical printed terms (lower case, single spaces).
//!
//! On the reasoner, [`Game::legal_moves`] loads the state into a `Session`, which appends each fluent's arguments to its
//! relation, and derives the components that `legal` needs, in order. `CanonicalOrder` (`order.rs`) sorts the result by
//! ranks that it caches between states.

mod backend;
mod error;
mod exchange;
mod fluents;
mod looker;
mod machine;
mod marks;
mod network;
mod options;
mod order;
mod perft;
mod probe;
mod renaming;
mod roles;
mod rows;
mod scratch;
mod symmetries;
mod text;
mod values;

pub(crate) use order::CanonicalOrder;

use std::sync::{Arc, OnceLock};

use rand_core::Rng;

use backend::Engines;
use machine::TapeMemory;
use marks::Marks;

pub use backend::{Backend, BuildReport};
pub use error::{CompileError, GameError, IllegalMove, TermError};
pub use exchange::{ClassMember, ExchangeableValues, ValueShape};
pub use looker::{Branch, Looker, ToldBranch, ToldQuestion};
pub use network::{GameNetwork, NetworkSizes};
pub use options::{Options, PerceptReading};
pub use perft::{DepthCounts, TreeCounts, count_tree, count_tree_until};
pub use renaming::Renaming;
pub use roles::{ByPlayer, ByRole, RANDOM, Roles};
pub use rows::{PlayedRows, RowLooker, RowStatus, RowStatuses};
pub use scratch::Scratch;
pub use symmetries::{Symmetries, Symmetry};
pub use values::{GoalValue, History, InformationSet, JointMove, Percepts, State, Status, Turn};

use crate::{
    check::{Checked, CheckedRules, check_text},
    datalog::{Question, ReasonerStatistics, Vocabulary},
    diagnostic::{Diagnostic, Strictness},
    draw::draw_index,
    id::{MoveId, RoleId, RuleId, TermId},
    limits::{LimitError, Limits},
    syntax,
    tag::GameTag,
};

/// A game, and the warnings about its text.
#[derive(Debug)]
pub struct Compiled<G = Game> {
    /// The game.
    pub game: G,
    /// Warnings, in the order of the text.
    pub warnings: Vec<Diagnostic>,
}

impl<G> Compiled<G> {
    /// The game that `build` makes of rules without errors, and the warnings about them.
    pub(crate) fn of(
        checked: Checked,
        build: impl FnOnce(Arc<CheckedRules>) -> Result<G, CompileError>,
    ) -> Result<Self, CompileError> {
        match checked {
            (Some(rules), warnings) => Ok(Self { game: build(rules)?, warnings }),
            (None, found) => Err(CompileError::Rules(found)),
        }
    }
}

/// The end of a playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The goal of each player.
    pub goals: ByPlayer<GoalValue>,
    /// The number of joint moves played.
    pub turns: usize,
}

/// The compiled rules of a game. Immutable; share it by `Arc` or reference.
///
/// ```
/// use croupier_engine::{Game, Options, Status};
///
/// # let rules = "(role me) (role you) (init (at 0)) (legal me (go left)) (legal me (go right)) (legal you wait)
/// #     (<= (next (at ?side)) (does me (go ?side))) (<= terminal (not (true (at 0)))) (<= (sees you moved) (does me (go ?s)))
/// #     (<= (goal me 100) (true (at left))) (<= (goal me 0) (not (true (at left)))) (goal you 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let mut scratch = game.scratch();
/// let Status::Running { legal } = game.status(game.initial_state(), &mut scratch)? else { panic!("it has begun") };
/// let me = game.roles().find("me").ok_or("a role of the game")?;
/// let moves: Vec<_> = legal[me].iter().map(|&id| game.move_text(id)).collect();
/// assert_eq!(moves, ["(go left)".into(), "(go right)".into()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Game {
    engines: Engines,
    roles: Roles,
    initial: State,
    has_full_sight: bool,
    shows_every_move: bool,
    options: Options,
    rules: Arc<CheckedRules>,
    /// Symmetries that can be found quickly, computed on first use; shared by forks.
    quick_symmetries: Arc<OnceLock<Vec<Symmetry>>>,
}

impl Game {
    /// Parses, checks and compiles the text of rules, in prefix or infix syntax; the syntax is detected.
    ///
    /// # Errors
    /// [`CompileError::Rules`] with every diagnostic if any is an error, [`CompileError::Evaluation`]
    /// if a limit is reached while the facts that hold in every state are computed.
    pub fn compile(text: &str, options: &Options) -> Result<Compiled, CompileError> {
        let checked = check_text(text, options.strictness, &options.limits);
        Compiled::of(checked, |rules| Self::of_rules(rules, options))
    }

    /// The game of rules that were checked before, for callers that need the rules first.
    ///
    /// # Errors
    /// [`CompileError::RealTime`] if fluents have lifetimes, [`CompileError::Evaluation`] as [`compile`](Self::compile).
    pub fn of_rules(rules: Arc<CheckedRules>, options: &Options) -> Result<Self, CompileError> {
        if rules.is_real_time() {
            return Err(CompileError::RealTime);
        }
        Ok(Self::build(rules, options)?)
    }

    /// The same game with separate terms: equivalent to compiling it again, in a fraction of the time.
    ///
    /// A game numbers terms as it encounters them. A fork inherits the existing numbers, and afterwards neither can observe which
    /// terms the other encounters. So ids, states and joint moves from before the fork are valid in both. A value with a later
    /// number has another meaning in the other game, or none, and is not rejected. A scratch is valid for one of the two only.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            engines: self.engines.fork(),
            roles: self.roles.clone(),
            initial: self.initial.clone(),
            has_full_sight: self.has_full_sight,
            shows_every_move: self.shows_every_move,
            options: self.options,
            rules: Arc::clone(&self.rules),
            quick_symmetries: Arc::clone(&self.quick_symmetries),
        }
    }

    /// The tags of values of this game and its forks, in builds that check.
    #[inline]
    fn tag(&self) -> GameTag {
        self.engines.marks.tag()
    }

    pub(crate) fn build(rules: Arc<CheckedRules>, options: &Options) -> Result<Self, GameError> {
        let reasoner = options.backend.reasoner(&rules, &options.limits)?;
        let vocabulary = reasoner.vocabulary();
        let names = reasoner.roles().iter().map(|&role| vocabulary.print(role)).collect();
        let roles = Roles::new(names).ok_or(LimitError::Roles { limit: u16::MAX.into() })?;
        let fluents: Vec<_> = reasoner.initial().iter().map(|&term| vocabulary.fluent(term)).collect();
        let marks = Marks::default();
        let hashed = fluents.iter().map(|&fluent| (fluent, vocabulary.fluent_hash(fluent)));
        let initial = State::of(hashed, marks.tag());
        let has_full_sight = rules.has_full_sight();
        let is_of_old_state = options.percepts == PerceptReading::OldState;
        let shows_every_move = rules.shows_every_move() && (has_full_sight || is_of_old_state);
        let engines = Engines::new(&rules, reasoner, &roles, marks, options)?;
        Ok(Self {
            engines,
            roles,
            initial,
            has_full_sight,
            shows_every_move,
            options: *options,
            rules,
            quick_symmetries: Arc::default(),
        })
    }

    /// The terms that the game has encountered.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        self.engines.reasoner.vocabulary()
    }

    /// Creates working memory.
    #[must_use]
    pub fn scratch(&self) -> Scratch {
        Scratch::new(&self.engines)
    }

    /// Creates working memory that uses the lifted reasoner even if the game has a network, so that the two can be compared on
    /// the same states, moves and percepts.
    #[must_use]
    pub fn lifted_scratch(&self) -> Scratch {
        Scratch::lifted(&self.engines)
    }

    /// The roles in the order of the rules.
    #[must_use]
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// Whether the rules define no `sees`, and so are read as if every role saw every move
    /// as `(did ROLE MOVE)`.
    #[must_use]
    pub fn has_full_sight(&self) -> bool {
        self.has_full_sight
    }

    /// Whether every role is told every move and nothing else: the rules define no `sees`, or only the rule that is then added. What a
    /// referee sends for such a game has that rule written out.
    #[must_use]
    pub fn shows_every_move(&self) -> bool {
        self.shows_every_move
    }

    /// The limits that this game was compiled with.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.options.limits
    }

    /// Size figures of the compiled rules.
    #[must_use]
    pub fn statistics(&self) -> ReasonerStatistics {
        self.engines.reasoner.statistics()
    }

    /// The engine that the rules were compiled for, and if it is not a network, why.
    #[must_use]
    pub fn build_report(&self) -> &BuildReport {
        &self.engines.report
    }

    /// The network, if the rules were compiled to one: the tape for many matches at once, and the indices of
    /// fluents, moves and percepts in it.
    #[must_use]
    pub fn network(&self) -> Option<&Arc<GameNetwork>> {
        self.engines.network.as_ref()
    }

    /// The state in which `sees` is evaluated.
    #[must_use]
    pub fn percept_reading(&self) -> PerceptReading {
        self.options.percepts
    }

    /// The state in which every match starts.
    #[must_use]
    pub fn initial_state(&self) -> &State {
        &self.initial
    }

    /// Whether the match is over in `state`.
    ///
    /// # Errors
    /// [`GameError::Limit`].
    pub fn is_terminal(&self, state: &State, scratch: &mut Scratch) -> Result<bool, GameError> {
        scratch.load(&self.engines, state);
        scratch.derive(&self.engines, Question::Terminal)?;
        Ok(scratch.is_terminal(&self.engines))
    }

    /// Whether the match is over, with the goals if it is and the legal moves if it is not.
    ///
    /// # Errors
    /// Every kind of [`GameError`].
    pub fn status(&self, state: &State, scratch: &mut Scratch) -> Result<Status, GameError> {
        if self.is_terminal(state, scratch)? {
            Ok(Status::Terminal { goals: self.goals(state, scratch)? })
        } else {
            Ok(Status::Running { legal: self.playable(state, scratch)?.clone() })
        }
    }

    /// The legal moves of all roles, at least one each; `None` if the match is over, whatever the goals.
    ///
    /// # Errors
    /// [`GameError::NoLegalMove`], [`GameError::Limit`].
    pub fn playable_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
    ) -> Result<Option<ByRole<Vec<MoveId>>>, GameError> {
        if self.is_terminal(state, scratch)? {
            return Ok(None);
        }
        self.playable(state, scratch).cloned().map(Some)
    }

    /// The goals of a terminal state.
    fn goals(&self, state: &State, scratch: &mut Scratch) -> Result<ByPlayer<GoalValue>, GameError> {
        ByPlayer::try_from_fn(&self.roles, |role| {
            let goal = self.goal(state, role, scratch)?;
            goal.ok_or_else(|| GameError::NoGoal { role: self.roles.name(role).to_owned() })
        })
    }

    /// The legal moves of all roles, at least one each.
    fn playable<'s>(
        &self,
        state: &State,
        scratch: &'s mut Scratch,
    ) -> Result<&'s ByRole<Vec<MoveId>>, GameError> {
        let legal = self.legal(state, scratch)?;
        match legal.iter().find(|(_, moves)| moves.is_empty()) {
            Some((role, _)) => Err(GameError::NoLegalMove { role: self.roles.name(role).to_owned() }),
            None => Ok(legal),
        }
    }

    fn legal<'s>(
        &self,
        state: &State,
        scratch: &'s mut Scratch,
    ) -> Result<&'s ByRole<Vec<MoveId>>, GameError> {
        scratch.load(&self.engines, state);
        if !scratch.has_legal() {
            scratch.derive(&self.engines, Question::Legal)?;
        }
        Ok(scratch.legal(&self.engines, &self.roles))
    }

    /// The legal moves of a role in canonical order, also in a terminal state; may be empty.
    ///
    /// # Errors
    /// [`GameError::Limit`].
    pub fn legal_moves(
        &self,
        state: &State,
        role: RoleId,
        scratch: &mut Scratch,
    ) -> Result<Vec<MoveId>, GameError> {
        Ok(self.legal(state, scratch)?[role].clone())
    }

    /// A player's goal in `state`, terminal or not; `None` if the rules give none, and for `random`.
    ///
    /// If there are several values, the compatible reading takes the one whose rule comes first in the text.
    ///
    /// # Errors
    /// [`GameError::SeveralGoals`], [`GameError::GoalOutOfRange`], [`GameError::Limit`].
    pub fn goal(
        &self,
        state: &State,
        role: RoleId,
        scratch: &mut Scratch,
    ) -> Result<Option<GoalValue>, GameError> {
        if self.roles.random() == Some(role) {
            return Ok(None);
        }
        scratch.load(&self.engines, state);
        scratch.derive(&self.engines, Question::Goal)?;
        let values = scratch.goals(&self.engines, role);
        goal_among(values, self.roles.name(role), self.options.strictness)
    }

    /// The legal move of `role` written as `text`, in any case and spacing.
    ///
    /// # Errors
    /// [`IllegalMove`], which says what is wrong with the text.
    pub fn find_move(
        &self,
        state: &State,
        role: RoleId,
        text: &str,
        scratch: &mut Scratch,
    ) -> Result<MoveId, IllegalMove> {
        if self.is_terminal(state, scratch)? {
            return Err(IllegalMove::Terminal);
        }
        let term = syntax::read_ground_term(text, self.limits()).map_err(IllegalMove::Malformed)?;
        let legal = &self.legal(state, scratch)?[role];
        // Looked up after the legal moves are known: a move that was never met is not among them.
        let known = self
            .engines
            .reasoner
            .vocabulary()
            .find(&term)
            .and_then(|term| MoveId::of(term.index(), self.tag()));
        let is_legal = |id: &MoveId| legal.contains(id);
        known.filter(is_legal).ok_or_else(|| self.not_legal(role, &syntax::print_term(&term)))
    }

    fn not_legal(&self, role: RoleId, text: &str) -> IllegalMove {
        let text = text.char_indices().take_while(|(start, _)| *start < 200).map(|(_, c)| c).collect();
        IllegalMove::NotLegal { role: self.roles.name(role).to_owned(), text }
    }

    /// A joint move, if every move in it is legal in `state`.
    ///
    /// # Errors
    /// [`IllegalMove`] for the first role whose move is not legal.
    pub fn joint_move(
        &self,
        state: &State,
        moves: ByRole<MoveId>,
        scratch: &mut Scratch,
    ) -> Result<JointMove, IllegalMove> {
        if self.is_terminal(state, scratch)? {
            return Err(IllegalMove::Terminal);
        }
        moves.iter().for_each(|(_, played)| played.check(self.tag()));
        let legal = self.legal(state, scratch)?;
        let illegal = moves.iter().find(|(role, played)| !legal[*role].contains(played));
        match illegal.map(|(role, &played)| (role, played)) {
            Some((role, played)) => Err(self.not_legal(role, &self.move_text(played))),
            None => Ok(JointMove { moves }),
        }
    }

    /// Every combination of the given legal moves, in canonical order: the last role varies fastest.
    ///
    /// `legal` must come from [`Game::status`] of the state that the joint moves are for.
    pub fn joint_moves(&self, legal: &ByRole<Vec<MoveId>>) -> impl Iterator<Item = JointMove> + use<> {
        legal.iter().filter_map(|(_, moves)| moves.first()).for_each(|played| played.check(self.tag()));
        let lists = legal.clone();
        let mut next = (!lists.iter().any(|(_, moves)| moves.is_empty())).then(|| lists.map(|_| 0));
        std::iter::from_fn(move || {
            let chosen = next.take()?;
            let moves = lists.map(|role| lists[role][chosen[role]]);
            let mut following = chosen;
            // Counts up with the last role as the lowest digit; an overflow of all ends it.
            let is_counted = following.iter_mut().rev().any(|(role, position)| {
                *position = (*position + 1) % lists[role].len();
                *position != 0
            });
            next = is_counted.then_some(following);
            Some(JointMove { moves })
        })
    }

    /// The number of joint moves that these legal moves form, or `u64::MAX` if there are at least that many.
    #[must_use]
    pub fn joint_moves_count(legal: &ByRole<Vec<MoveId>>) -> u64 {
        legal.iter().fold(1, |product: u64, (_, moves)| product.saturating_mul(moves.len() as u64))
    }

    /// A joint move in which each role chooses uniformly; `None` in a terminal state.
    ///
    /// # Errors
    /// [`GameError::NoLegalMove`], [`GameError::Limit`].
    pub fn random_joint_move(
        &self,
        state: &State,
        rng: &mut impl Rng,
        scratch: &mut Scratch,
    ) -> Result<Option<JointMove>, GameError> {
        if self.is_terminal(state, scratch)? {
            return Ok(None);
        }
        let legal = self.playable(state, scratch)?;
        let moves = ByRole::from_fn(&self.roles, |role| legal[role][draw_index(legal[role].len(), rng)]);
        Ok(Some(JointMove { moves }))
    }

    /// What `role` is told if `joint_move` is played in `state`.
    ///
    /// # Errors
    /// [`GameError::Limit`].
    pub fn percepts(
        &self,
        state: &State,
        joint_move: &JointMove,
        role: RoleId,
        scratch: &mut Scratch,
    ) -> Result<Percepts, GameError> {
        match self.options.percepts {
            PerceptReading::OldState => {
                scratch.load(&self.engines, state);
                scratch.load_joint(&self.engines, joint_move);
            }
            PerceptReading::NewState => {
                let successor = self.successor(state, joint_move, scratch)?;
                scratch.load(&self.engines, &successor);
                scratch.unload_joint(&self.engines);
            }
        }
        scratch.derive(&self.engines, Question::Sees)?;
        Ok(scratch.percepts(&self.engines, role))
    }

    /// The state after `joint_move` in `state`.
    ///
    /// # Errors
    /// [`GameError::Limit`].
    pub fn successor(
        &self,
        state: &State,
        joint_move: &JointMove,
        scratch: &mut Scratch,
    ) -> Result<State, GameError> {
        scratch.load(&self.engines, state);
        scratch.load_joint(&self.engines, joint_move);
        scratch.derive(&self.engines, Question::Next)?;
        Ok(scratch.successor(&self.engines))
    }

    /// The results of `joint_move` in `state`: the percepts of all players and the successor.
    ///
    /// # Errors
    /// [`GameError::Limit`].
    pub fn turn(
        &self,
        state: &State,
        joint_move: &JointMove,
        scratch: &mut Scratch,
    ) -> Result<Turn, GameError> {
        let successor = self.successor(state, joint_move, scratch)?;
        let percepts =
            ByPlayer::try_from_fn(&self.roles, |role| self.percepts(state, joint_move, role, scratch))?;
        Ok(Turn { percepts, successor })
    }

    /// Plays uniformly random moves from `state` to a terminal one.
    ///
    /// The same generator state gives the same playout in every process and thread.
    ///
    /// # Errors
    /// Every kind of [`GameError`].
    pub fn playout(
        &self,
        state: &State,
        rng: &mut impl Rng,
        scratch: &mut Scratch,
    ) -> Result<Playout, GameError> {
        let mut state = state.clone();
        for turns in 0..=self.limits().turns {
            let Some(joint_move) = self.random_joint_move(&state, rng, scratch)? else {
                return Ok(Playout { goals: self.goals(&state, scratch)?, turns });
            };
            state = self.successor(&state, &joint_move, scratch)?;
        }
        Err(LimitError::Turns { limit: self.limits().turns as u64 }.into())
    }
}

/// The goal that takes precedence among those that the rules give a role, each with the first rule that gives it.
pub(crate) fn goal_among(
    mut values: Vec<(Option<RuleId>, String)>,
    role: &str,
    strictness: Strictness,
) -> Result<Option<GoalValue>, GameError> {
    if values.len() > 1 && strictness == Strictness::Strict {
        let mut values: Vec<String> = values.into_iter().map(|(_, value)| value).collect();
        values.sort_unstable();
        return Err(GameError::SeveralGoals { role: role.to_owned(), values });
    }
    values.sort_unstable();
    let Some((_, value)) = values.into_iter().next() else { return Ok(None) };
    match GoalValue::read(&value, strictness) {
        Some(goal) => Ok(Some(goal)),
        None => Err(GameError::GoalOutOfRange { role: role.to_owned(), value }),
    }
}

/// The term of a move.
fn move_term(id: MoveId) -> TermId {
    TermId::new(id.index()).expect("moves are terms")
}

#[cfg(test)]
mod tests;
