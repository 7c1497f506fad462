//! How long moves take to the referee, and so when to send one that is meant for an instant.

use std::collections::VecDeque;

/// A player's estimate of the delay to the referee.
///
/// A sample is the difference between the instant at which the referee received a move, on its clock, and the one at
/// which it was sent, on the player's own: the delay of the network and the distance of the clocks in one number, so that clocks
/// need not agree. The paper keeps one; this keeps a window of the youngest.
///
/// There are two ways to hit an instant *t*:
///
/// - [`send_us`](Self::send_us) subtracts the *smallest* delay, as the paper does. The move is never early unless the network gets
///   faster, exact if its delay is stable, and otherwise late by the jitter.
/// - [`send_held_us`](Self::send_held_us) subtracts the *largest* delay of the window, and the move carries
///   `not_before_us`: the referee holds it until *t*, so arriving early only costs the chance to change one's mind.
///
/// # Examples
/// ```
/// use croupier_referee::realtime::client::Lag;
///
/// let mut lag = Lag::new(8);
/// assert_eq!(lag.send_us(5_000_000), 5_000_000);
/// // The own clock is a second ahead, and moves took 120 ms and 180 ms.
/// lag.take(3_000_000, 2_120_000);
/// lag.take(4_000_000, 3_180_000);
/// assert_eq!(lag.send_us(5_000_000), 5_880_000);
/// assert_eq!(lag.send_held_us(5_000_000), 5_820_000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lag {
    samples: VecDeque<i64>,
    samples_max: usize,
}

impl Lag {
    /// No samples yet; keeps this many samples, at least one.
    #[must_use]
    pub fn new(samples_max: usize) -> Self {
        Self { samples: VecDeque::new(), samples_max: samples_max.max(1) }
    }

    /// Takes in an acknowledgement: when a move was sent, on the own clock, and when it arrived, on the referee's.
    pub fn take(&mut self, sent_us: u64, arrived_us: u64) {
        if self.samples.len() == self.samples_max {
            self.samples.pop_front();
        }
        self.samples.push_back(signed(arrived_us).saturating_sub(signed(sent_us)));
    }

    /// The least difference of the window; `None` without samples.
    ///
    /// # Complexity
    /// Linear in the window.
    #[must_use]
    pub fn least_us(&self) -> Option<i64> {
        self.samples.iter().min().copied()
    }

    /// The greatest difference of the window; `None` without samples.
    ///
    /// # Complexity
    /// Linear in the window.
    #[must_use]
    pub fn greatest_us(&self) -> Option<i64> {
        self.samples.iter().max().copied()
    }

    /// When to send a move, on the own clock, that is to arrive at an instant on the referee's, if the network is as quick as
    /// it ever was. Without samples the clocks are taken to agree, and the network to take no time.
    #[must_use]
    pub fn send_us(&self, meant_us: u64) -> u64 {
        own_us(meant_us, self.least_us())
    }

    /// When to send a move, on the own clock, that the referee holds until an instant on its clock: early enough for a network
    /// as slow as it was in the window.
    #[must_use]
    pub fn send_held_us(&self, meant_us: u64) -> u64 {
        own_us(meant_us, self.greatest_us())
    }
}

fn signed(us: u64) -> i64 {
    i64::try_from(us).unwrap_or(i64::MAX)
}

/// The own time from which it takes so much to an instant of the referee's.
fn own_us(meant_us: u64, takes_us: Option<i64>) -> u64 {
    u64::try_from(signed(meant_us).saturating_sub(takes_us.unwrap_or(0))).unwrap_or(0)
}
