//! A simulated network: delay, jitter, loss and reordering, drawn from a seed.

use std::ops::RangeInclusive;

use croupier_engine::draw::draw;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// What becomes of a message that is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    /// It never arrives, as a datagram.
    Dropped,
    /// Delay in microseconds after which it is sent again, as TCP does.
    SentAgain(u64),
}

/// One direction of a network.
#[derive(Clone, Debug)]
pub(super) struct Network {
    /// Microseconds that a message takes, each as likely as any other.
    delay_us: RangeInclusive<u64>,
    /// How many of a thousand messages are lost.
    loss_permille: u64,
    loss: Loss,
    /// Whether messages wait for those before them.
    is_in_order: bool,
    last_us: u64,
    rng: ChaCha20Rng,
}

impl Network {
    /// A network without loss that may reorder.
    pub(super) fn new(delay_us: RangeInclusive<u64>, seed: u64) -> Self {
        let rng = ChaCha20Rng::seed_from_u64(seed);
        Self { delay_us, loss_permille: 0, loss: Loss::Dropped, is_in_order: false, last_us: 0, rng }
    }

    /// The same with this many of a thousand messages lost, and the order of their arrival.
    pub(super) fn losing(self, loss_permille: u64, loss: Loss, is_in_order: bool) -> Self {
        Self { loss_permille, loss, is_in_order, ..self }
    }

    fn below(&mut self, n: u64) -> u64 {
        draw(n, || self.rng.next_u64())
    }

    /// When a message arrives that is sent now; `None` if it never does.
    pub(super) fn arrival(&mut self, sent_us: u64) -> Option<u64> {
        let (least, most) = (*self.delay_us.start(), *self.delay_us.end());
        let mut sent_us = sent_us;
        while self.below(1000) < self.loss_permille {
            match self.loss {
                Loss::Dropped => return None,
                Loss::SentAgain(after_us) => sent_us += after_us,
            }
        }
        let mut arrival = sent_us + least + self.below(most - least + 1);
        if self.is_in_order {
            arrival = arrival.max(self.last_us);
            self.last_us = arrival;
        }
        Some(arrival)
    }
}
