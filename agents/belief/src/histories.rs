//! Histories with their probabilities: the most likely ones, and a sampler.

use croupier_engine::{Game, History, JointMove};
use rand_core::Rng;

use crate::weighted::Weighted;

/// Histories that agree with what a role knows, and their probabilities.
///
/// ```
/// use std::sync::Arc;
/// use croupier_belief::{Detail, ExactBelief, ExactOptions, Histories};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// let bob = game.roles().find("bob").ok_or("the game has it")?;
/// let options = ExactOptions { detail: Detail::Histories, ..ExactOptions::STANDARD };
/// let mut belief = ExactBelief::new(Arc::clone(&game), bob, options)?;
/// belief.advance(game.move_id("noop")?, &game.percepts_of(["(dealt alice)"])?)?;
/// let histories = belief.histories().and_then(Histories::proportional).ok_or("histories were kept")?;
/// assert_eq!(histories.histories_count(), 3);
/// // Of equally likely deals the jack comes first.
/// let (first, probability) = histories.most_likely(&game, 1)[0];
/// assert!(first.state.contains(game.fluent_id("(hand alice jack)")?));
/// assert!((probability - 1.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Histories {
    histories: Weighted<History>,
}

impl Histories {
    /// Histories with probabilities proportional to `weights`; `None` if no weight is positive.
    #[must_use]
    pub fn proportional(weighted: impl IntoIterator<Item = (History, f64)>) -> Option<Self> {
        Weighted::proportional(weighted).map(|histories| Self { histories })
    }

    /// All of them, in an order that means nothing but is always the same.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&History, f64)> {
        self.histories.entries().iter().map(|(history, probability)| (history, *probability))
    }

    /// How many there are; at least one.
    #[must_use]
    pub fn histories_count(&self) -> usize {
        self.histories.entries().len()
    }

    /// The `count` most likely, or all if there are fewer; equally likely ones by the print of their moves.
    #[must_use]
    pub fn most_likely(&self, game: &Game, count: usize) -> Vec<(&History, f64)> {
        let mut ranked: Vec<(&History, f64)> = self.iter().collect();
        ranked.sort_by(|(_, likely), (_, more_likely)| more_likely.total_cmp(likely));
        // Only those that are as likely as the last one wanted have to be printed.
        let last = ranked.get(count.saturating_sub(1)).map_or(0.0, |(_, probability)| *probability);
        ranked.truncate(ranked.partition_point(|(_, probability)| *probability >= last));
        ranked.sort_by_cached_key(|(history, probability)| {
            let print = |joint_move: &JointMove| {
                joint_move.moves().iter().map(|(_, &played)| game.move_text(played)).collect::<Vec<_>>()
            };
            let moves: Vec<_> = history.joint_moves.iter().map(print).collect();
            // Positive doubles compare like their bits.
            (std::cmp::Reverse(probability.to_bits()), moves)
        });
        ranked.truncate(count);
        ranked
    }

    /// A history drawn with its probability.
    pub fn sample(&self, rng: &mut impl Rng) -> &History {
        &self.histories.entries()[self.histories.sample_position(rng)].0
    }
}
