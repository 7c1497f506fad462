//! A public state with a range for each player.

use std::sync::Arc;

use croupier_belief::{Opponents, Policy, PolicyQuestion};
use croupier_engine::{Game, InformationSet, MoveId, Percepts, game::Looker};

use crate::{PublicError, PublicEyes, PublicLimits, PublicNode};

/// A player with a choice, of whom a policy is asked.
#[derive(Clone, Copy, Debug)]
pub struct PublicChoice<'n> {
    /// All that it did and was told.
    pub known: &'n InformationSet,
    /// Its legal moves in canonical order.
    pub legal: &'n [MoveId],
}

/// How everybody chooses, and everybody knows it: asked once for all private states of a public state.
pub trait PublicPolicy {
    /// For each of those asked, the probability of each legal move: not negative, and adding up to one.
    ///
    /// # Errors
    /// [`PublicError::PolicyFailed`].
    fn probabilities(&mut self, asked: &[PublicChoice<'_>]) -> Result<Vec<Vec<f64>>, PublicError>;
}

/// Every legal move is equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformPlay;

impl PublicPolicy for UniformPlay {
    fn probabilities(&mut self, asked: &[PublicChoice<'_>]) -> Result<Vec<Vec<f64>>, PublicError> {
        Ok(asked.iter().map(|asked| vec![1.0 / asked.legal.len() as f64; asked.legal.len()]).collect())
    }
}

impl PublicPolicy for &Opponents {
    fn probabilities(&mut self, asked: &[PublicChoice<'_>]) -> Result<Vec<Vec<f64>>, PublicError> {
        for (role, policy) in self.iter().filter(|(_, policy)| policy.asks_at_once()) {
            let of_role = asked.iter().filter(|asked| asked.known.role == role);
            let questions = of_role.map(|asked| PolicyQuestion { known: asked.known, legal: asked.legal });
            policy.prepare(&questions.collect::<Vec<_>>());
        }
        Ok(asked.iter().map(|asked| Opponents::probabilities(self, asked.known, asked.legal)).collect())
    }
}

impl PublicPolicy for &dyn Policy {
    fn probabilities(&mut self, asked: &[PublicChoice<'_>]) -> Result<Vec<Vec<f64>>, PublicError> {
        Ok(asked.iter().map(|asked| Policy::probabilities(*self, asked.known, asked.legal)).collect())
    }
}

/// A public belief state: a public state, and a range for each player.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, Options, game::Looker};
/// use croupier_public::{PublicBelief, PublicEyes, PublicLimits, UniformPlay};
///
/// let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(&game))?, Looker::new(&game));
/// let mut belief = PublicBelief::initial(&game, &mut looker)?;
/// for told in [vec![], vec![], vec!["(did alice bet)"]] {
///     let told = game.percepts_of(told)?;
///     belief = belief.advance(&told, &mut UniformPlay, &mut eyes, &mut looker, &PublicLimits::STANDARD)?;
/// }
/// // Three cards of alice, of bob, and six deals.
/// assert_eq!((belief.node().private(0).len(), belief.node().histories().len()), (3, 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PublicBelief {
    node: PublicNode,
    /// By player and private state: the probability of its own moves, the greatest of each player being one.
    ranges: Vec<Vec<f64>>,
}

impl PublicBelief {
    /// Before the first move.
    ///
    /// # Errors
    /// [`PublicError::Game`] if the rules fail.
    pub fn initial(game: &Arc<Game>, looker: &mut Looker) -> Result<Self, PublicError> {
        let node = PublicNode::initial(game, looker)?;
        let ranges = node.players().iter().map(|_| vec![1.0]).collect();
        Ok(Self { node, ranges })
    }

    /// A public state with these ranges, by player and private state; where a player has no range above zero, everything is as likely.
    #[must_use]
    pub fn of(node: PublicNode, ranges: Vec<Vec<f64>>) -> Self {
        Self { node, ranges: normalised(ranges) }
    }

    /// The ranges of all players.
    #[must_use]
    pub fn ranges(&self) -> &[Vec<f64>] {
        &self.ranges
    }

    /// The public state.
    #[must_use]
    pub fn node(&self) -> &PublicNode {
        &self.node
    }

    /// A player's range, by its place among the players: for each private state the probability of its own moves, up to a common factor.
    #[must_use]
    pub fn range(&self, player: usize) -> &[f64] {
        &self.ranges[player]
    }

    /// How many equally likely histories would be as many: one over the sum of squared probabilities.
    #[must_use]
    pub fn effective_histories(&self) -> f64 {
        let squares = self.probabilities().into_iter().map(|probability| probability * probability);
        1.0 / squares.sum::<f64>()
    }

    /// The probability of each history, given what is public.
    #[must_use]
    pub fn probabilities(&self) -> Vec<f64> {
        let weight = |history: &crate::PublicHistory| {
            let ranges = history.private.iter().zip(&self.ranges).map(|(&set, range)| range[set as usize]);
            ranges.product::<f64>() * history.chance
        };
        let weights: Vec<f64> = self.node.histories().iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    }

    /// The probability of each private state of a player, given what is public.
    #[must_use]
    pub fn private_probabilities(&self, player: usize) -> Vec<f64> {
        let mut shares = vec![0.0; self.node.private(player).len()];
        for (history, probability) in self.node.histories().iter().zip(self.probabilities()) {
            shares[history.private[player] as usize] += probability;
        }
        shares
    }

    /// The public belief after one more turn in which everybody chose by `policy` and `told` became public.
    ///
    /// # Errors
    /// As [`PublicNode::after`]; [`PublicError::Impossible`] if this cannot become public, [`PublicError::Policy`] if the policy gives no
    /// distribution.
    pub fn advance(
        &self,
        told: &Percepts,
        policy: &mut dyn PublicPolicy,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
        limits: &PublicLimits,
    ) -> Result<Self, PublicError> {
        let node = self.node.after(told, eyes, looker, limits)?;
        let turn = self.node.told().len() + 1;
        self.with_ranges(node.ok_or(PublicError::Impossible { turn })?, &self.chosen(policy)?, turn)
    }

    /// By player and private state, how likely each legal move is under a policy.
    ///
    /// # Errors
    /// [`PublicError::Policy`] if it gives no distribution; its own errors.
    pub fn chosen(&self, policy: &mut dyn PublicPolicy) -> Result<Vec<Vec<Vec<f64>>>, PublicError> {
        let players = 0..self.node.players().len();
        let all = || players.clone().flat_map(|player| self.node.private(player));
        let asked: Vec<PublicChoice<'_>> = all()
            .filter(|state| state.has_choice())
            .map(|state| PublicChoice { known: &state.known, legal: &state.legal })
            .collect();
        let mut given = policy.probabilities(&asked)?.into_iter();
        let mut chosen = Vec::new();
        for player in players {
            let mut of_player = Vec::new();
            for state in self.node.private(player) {
                if !state.has_choice() {
                    of_player.push(vec![1.0; state.legal.len()]);
                    continue;
                }
                let probabilities = given.next().unwrap_or_default();
                let is_sound = probabilities.len() == state.legal.len()
                    && probabilities.iter().all(|&probability| probability >= 0.0)
                    && (probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-3;
                if !is_sound {
                    let role = self.node.role_name(player);
                    let (given, legal) = (probabilities.len(), state.legal.len());
                    return Err(PublicError::Policy { role, given, legal });
                }
                of_player.push(probabilities);
            }
            chosen.push(of_player);
        }
        Ok(chosen)
    }

    /// The next public state with the ranges that these choices lead to.
    fn with_ranges(
        &self,
        node: PublicNode,
        chosen: &[Vec<Vec<f64>>],
        turn: usize,
    ) -> Result<Self, PublicError> {
        let ranges = node.ranges_after(&self.ranges, chosen);
        if ranges.iter().any(|range| range.iter().all(|&reach| reach <= 0.0)) {
            return Err(PublicError::Impossible { turn });
        }
        let next = Self::of(node, ranges);
        // No single player's moves are impossible, and yet together they may be.
        match next.probabilities().iter().all(|probability| probability.is_finite()) {
            true => Ok(next),
            false => Err(PublicError::Impossible { turn }),
        }
    }
}

/// Ranges whose greatest number is one; where a player has none above zero, everything is as likely.
pub(crate) fn normalised(mut ranges: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for range in &mut ranges {
        let most = range.iter().copied().fold(0.0, f64::max);
        range.iter_mut().for_each(|reach| *reach = if most > 0.0 { *reach / most } else { 1.0 });
    }
    ranges
}
