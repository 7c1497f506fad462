//! How the other roles are taken to choose.

use std::{collections::BTreeMap, fmt, sync::Arc};

use croupier_engine::{InformationSet, MoveId, RoleId};

/// How a role is taken to choose: a player's own policy, one that was learned, or any other.
///
/// It has to be a function of its arguments alone, or else beliefs are no longer the same for the same seed.
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
    /// not negative, and of sum one.
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64>;
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
/// let opponents = Opponents::uniform().with(alice, Arc::new(Arc::new(table).into_policy(Arc::clone(&game))));
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

    /// The same, but `role` has this policy. The policies of `random` and of the role whose belief it is are never
    /// asked.
    #[must_use]
    pub fn with(mut self, role: RoleId, policy: Arc<dyn Policy>) -> Self {
        self.policies.insert(role, policy);
        self
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

/// The same probability for each of so many moves.
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
