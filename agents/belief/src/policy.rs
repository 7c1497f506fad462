//! How the other roles are taken to choose.

use std::{collections::BTreeMap, fmt, sync::Arc};

use croupier_engine::{InformationSet, MoveId, RoleId};
use rustc_hash::FxHashSet;

use crate::Coverage;

/// How a role is taken to choose: a player's own policy, one that was learned, or any other.
///
/// It must be a function of its arguments alone; otherwise beliefs are not reproducible for the same seed.
///
/// ```
/// use croupier_belief::Policy;
/// use croupier_engine::{InformationSet, MoveId};
/// # use croupier_engine::{Game, Options};
///
/// #[derive(Debug)]
/// struct FirstLegal;
///
/// impl Policy for FirstLegal {
///     fn probabilities(&self, _: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
///         (0..legal.len()).map(|place| if place == 0 { 1.0 } else { 0.0 }).collect()
///     }
/// }
/// # let game = Game::compile("(role me) (legal me a) (legal me b) (goal me 0) terminal", &Options::PLAY)?.game;
/// # let me = game.roles().find("me").ok_or("a role of the game")?;
/// # let moves = [game.move_id("a")?, game.move_id("b")?];
/// assert_eq!(FirstLegal.probabilities(&InformationSet::initial(me), &moves), [1.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Policy: fmt::Debug + Send + Sync {
    /// The probability of each of `legal`, the role's legal moves in canonical order, when the role knows `known`:
    /// not negative, and adding up to one.
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64>;

    /// How often it had an entry, if it goes by a file. Cached answers are counted once.
    fn coverage(&self) -> Option<Coverage> {
        None
    }

    /// Whether many questions at once cost it less than one after the other: then beliefs [`prepare`](Self::prepare) it.
    fn asks_at_once(&self) -> bool {
        false
    }

    /// Says which questions are about to be asked. It changes no answer.
    fn prepare(&self, _questions: &[PolicyQuestion<'_>]) {}
}

/// A question to a [`Policy`].
#[derive(Clone, Copy, Debug)]
pub struct PolicyQuestion<'q> {
    /// What the role knows.
    pub known: &'q InformationSet,
    /// Its legal moves in canonical order.
    pub legal: &'q [MoveId],
}

/// The policies of the other roles. A role without one chooses uniformly, as chance does by the language.
///
/// ```
/// use std::sync::Arc;
/// use croupier_belief::{ExactBelief, ExactOptions, Opponents, PolicyTable};
/// # use croupier_engine::{Game, InformationSet, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// # let [alice, bob] = ["alice", "bob"].map(|name| game.roles().find(name));
/// # let (alice, bob) = alice.zip(bob).ok_or("the game has them")?;
/// let mut table = PolicyTable::default();
/// for (card, word) in [("jack", "pass"), ("king", "bet")] {
///     let mut known = InformationSet::initial(alice);
///     known.turns.push(game.own_turn("noop", [&*format!("(hole {card})")])?);
///     known.turns.push(game.own_turn("noop", ["(dealt bob)"])?);
///     table.insert_weights(&game, &known, [(game.move_id(word)?, 1.0)])?;
/// }
/// let opponents = Opponents::uniform().with(alice, Arc::new(Arc::new(table).into_policy(Arc::clone(&game))?));
/// let mut belief = ExactBelief::with_opponents(Arc::clone(&game), bob, &opponents, ExactOptions::STANDARD)?;
/// for percept in ["(dealt alice)", "(hole queen)", "(did alice bet)"] {
///     belief.advance(game.move_id("noop")?, &game.percepts_of([percept])?)?;
/// }
/// // Alice never bluffs, so whoever bets has the king.
/// assert_eq!(belief.distribution().probability(game.fluent_id("(hand alice king)")?), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Opponents {
    /// Invariant: ascending by role.
    policies: BTreeMap<RoleId, Arc<dyn Policy>>,
}

/// A role and its policy.
pub(crate) type Modelled = (RoleId, Arc<dyn Policy>);

impl Opponents {
    /// Everybody chooses uniformly.
    #[must_use]
    pub fn uniform() -> Self {
        Self::default()
    }

    /// Whether everybody chooses uniformly.
    #[must_use]
    pub fn are_uniform(&self) -> bool {
        self.policies.is_empty()
    }

    /// Whether `role` has a policy.
    #[must_use]
    pub fn are_of(&self, role: RoleId) -> bool {
        self.policies.contains_key(&role)
    }

    /// The same, but `role` has this policy. The policies of `random` and of the role that holds the belief are never
    /// used.
    #[must_use]
    pub fn with(mut self, role: RoleId, policy: Arc<dyn Policy>) -> Self {
        self.policies.insert(role, policy);
        self
    }

    /// The same, but with probability `share`, from 0 to 1, everyone with a policy chooses uniformly instead.
    ///
    /// A policy that never plays some move rules out every history with it, so a role that deviates from its model
    /// would leave an empty belief. A little uniform play prevents that: whatever is possible stays possible.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use croupier_belief::{ExactBelief, ExactOptions, Opponents, Policy};
    /// use croupier_engine::{InformationSet, MoveId};
    /// # use croupier_engine::{Game, Options};
    ///
    /// #[derive(Debug)]
    /// struct NeverBets(MoveId);
    ///
    /// impl Policy for NeverBets {
    ///     fn probabilities(&self, _: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
    ///         let others = legal.iter().filter(|played| **played != self.0).count() as f64;
    ///         legal.iter().map(|played| if *played == self.0 { 0.0 } else { 1.0 / others }).collect()
    ///     }
    /// }
    /// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
    /// # let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
    /// # let [alice, bob] = ["alice", "bob"].map(|name| game.roles().find(name));
    /// # let (alice, bob) = alice.zip(bob).ok_or("the game has them")?;
    /// let never = Arc::new(NeverBets(game.move_id("bet")?));
    /// let opponents = Opponents::uniform().with(alice, never).mixed(Opponents::UNIFORM_SHARE);
    /// let mut belief = ExactBelief::with_opponents(Arc::clone(&game), bob, &opponents, ExactOptions::STANDARD)?;
    /// // A bet after all: it says nothing, since she bets with either card as rarely.
    /// for percept in ["(dealt alice)", "(hole queen)", "(did alice bet)"] {
    ///     belief.advance(game.move_id("noop")?, &game.percepts_of([percept])?)?;
    /// }
    /// assert_eq!(belief.distribution().probability(game.fluent_id("(hand alice king)")?), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mixed(mut self, share: f64) -> Self {
        for policy in self.policies.values_mut() {
            *policy = mixed(Arc::clone(policy), share);
        }
        self
    }

    /// The probability with which a role with a guessed policy is assumed to choose uniformly instead.
    pub const UNIFORM_SHARE: f64 = 0.05;

    /// How likely a role that knows `known` chooses each of its legal moves, in canonical order.
    #[must_use]
    pub fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        self.policies
            .get(&known.role)
            .map_or_else(|| uniform(legal.len()), |policy| policy.probabilities(known, legal))
    }

    /// The roles that have a policy, in order, and their policies.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (RoleId, &Arc<dyn Policy>)> {
        self.policies.iter().map(|(&role, policy)| (role, policy))
    }

    /// How often the policies that go by files had an entry, all roles together; `None` if there are none.
    #[must_use]
    pub fn coverage(&self) -> Option<Coverage> {
        Coverage::sum(self.policies.values().map(|policy| policy.coverage()))
    }

    /// The roles with a policy that counts for a belief of `own`, in order.
    pub(crate) fn modelled(
        &self,
        own: RoleId,
        random: Option<RoleId>,
    ) -> impl Iterator<Item = (RoleId, &Arc<dyn Policy>)> {
        let counts = move |role: RoleId| role != own && Some(role) != random;
        self.policies.iter().map(|(&role, policy)| (role, policy)).filter(move |&(role, _)| counts(role))
    }
}

/// The policy that chooses uniformly with probability `share`, from 0 to 1, and otherwise by `policy`.
/// See [`Opponents::mixed`].
#[must_use]
pub fn mixed(policy: Arc<dyn Policy>, share: f64) -> Arc<dyn Policy> {
    Arc::new(Mixed { policy, share: share.clamp(0.0, 1.0) })
}

/// A policy that chooses uniformly now and then.
#[derive(Debug)]
struct Mixed {
    policy: Arc<dyn Policy>,
    /// How often, from 0 to 1.
    share: f64,
}

impl Policy for Mixed {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let uniform = self.share / legal.len() as f64;
        let own = self.policy.probabilities(known, legal);
        let own = own.into_iter().chain(std::iter::repeat(0.0)).take(legal.len());
        own.map(|probability| probability.max(0.0) * (1.0 - self.share) + uniform).collect()
    }

    fn coverage(&self) -> Option<Coverage> {
        self.policy.coverage()
    }

    fn asks_at_once(&self) -> bool {
        self.policy.asks_at_once()
    }

    fn prepare(&self, questions: &[PolicyQuestion<'_>]) {
        self.policy.prepare(questions);
    }
}

/// The questions without those that ask the same.
pub(crate) fn distinct<'q>(questions: impl Iterator<Item = PolicyQuestion<'q>>) -> Vec<PolicyQuestion<'q>> {
    let mut met = FxHashSet::default();
    questions.filter(|question| met.insert(question.known)).collect()
}

/// The same probability for each of this many moves.
pub(crate) fn uniform(moves: usize) -> Vec<f64> {
    vec![1.0 / moves as f64; moves]
}

/// How much more likely a policy makes a move than a uniform choice does; 0 for a move that is not legal.
pub(crate) fn preference(
    policy: &dyn Policy,
    known: &InformationSet,
    legal: &[MoveId],
    played: MoveId,
) -> f64 {
    let place = legal.iter().position(|known| *known == played);
    let probabilities = policy.probabilities(known, legal);
    let probability = place.and_then(|place| probabilities.get(place).copied());
    probability.map_or(0.0, |probability| probability.max(0.0) * legal.len() as f64)
}
