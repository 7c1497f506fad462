//! How long before the deadline a move has to leave.

use std::time::Duration;

use croupier_seat::RESERVE;

/// Time kept for the way to the referee and for stopping late. It learns from turn to turn.
///
/// *Network latency.* A player is not told how long its replies travel. The time between its reply and the next message includes
/// both directions and the referee's work, so the shortest such time is an upper bound; the margin comes down to it,
/// because most matches have a turn in which no other player is slow. If the referee played another move than the
/// one that was sent, the reply came too late, and the margin is doubled and then kept.
///
/// *Stopping.* A player that is told to stop finishes its iteration; by how much it overran counts on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    way: Duration,
    /// Whether a move came too late once: then no short turn lowers the margin again.
    was_late: bool,
    overrun: Duration,
}

/// The initial margin, a share of the play clock ([`RESERVE`]), is never more than this, and never less than [`WAY_MIN`].
const WAY_FIRST_MAX: Duration = Duration::from_secs(1);

/// The least that is kept for the way: a busy machine wakes a thread late.
const WAY_MIN: Duration = Duration::from_millis(50);

/// The margin is at most the clock divided by this, so that there is time to compute.
const SHARE_MAX: u32 = 2;

impl Margin {
    /// The initial margin.
    #[must_use]
    pub fn initial(play_clock: Duration) -> Self {
        let way = play_clock.mul_f64(RESERVE).clamp(WAY_MIN, WAY_FIRST_MAX);
        Self { way, was_late: false, overrun: Duration::ZERO }
    }

    /// Time before the deadline at which a reply has to leave, within the clock of that reply.
    #[must_use]
    pub fn of_way(&self, clock: Duration) -> Duration {
        self.way.min(clock / SHARE_MAX)
    }

    /// Time before the deadline at which the player is told to stop.
    #[must_use]
    pub fn of_thinking(&self, clock: Duration) -> Duration {
        (self.way + self.overrun).min(clock / SHARE_MAX)
    }

    /// The next message came this long after a reply left.
    pub fn note_round(&mut self, round: Duration) {
        if !self.was_late {
            self.way = self.way.min(round.max(WAY_MIN));
        }
    }

    /// The referee played another move than the one that was sent.
    pub fn note_late(&mut self) {
        self.way *= 2;
        self.was_late = true;
    }

    /// The player stopped this long after it was told to.
    pub fn note_overrun(&mut self, overrun: Duration) {
        // Half of what is forgotten each turn, so that one slow turn does not cost the whole match.
        self.overrun = overrun.max((self.overrun + overrun) / 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn the_margin_comes_down_to_the_shortest_round_and_doubles_when_a_move_was_late() {
        let mut margin = Margin::initial(ms(10_000));
        assert_eq!(margin.of_way(ms(10_000)), ms(1000));
        margin.note_round(ms(4000));
        assert_eq!(margin.of_way(ms(10_000)), ms(1000));
        margin.note_round(ms(300));
        assert_eq!(margin.of_way(ms(10_000)), ms(300));
        margin.note_round(ms(1));
        assert_eq!(margin.of_way(ms(10_000)), WAY_MIN);
        margin.note_late();
        margin.note_late();
        margin.note_round(ms(1));
        assert_eq!(margin.of_way(ms(10_000)), WAY_MIN * 4);
    }

    #[test]
    fn the_margin_leaves_time_to_think() {
        let mut margin = Margin::initial(ms(100));
        assert_eq!(margin.of_way(ms(100)), ms(50));
        for _ in 0..20 {
            margin.note_late();
        }
        margin.note_overrun(ms(5000));
        assert_eq!(margin.of_thinking(ms(1000)), ms(500));
        assert_eq!(margin.of_way(ms(0)), ms(0));
    }

    #[test]
    fn an_overrun_counts_on_top_and_is_forgotten_by_halves() {
        let mut margin = Margin::initial(ms(1000));
        margin.note_overrun(ms(80));
        assert_eq!(margin.of_thinking(ms(1000)), ms(180));
        margin.note_overrun(ms(0));
        assert_eq!(margin.of_thinking(ms(1000)), ms(140));
    }
}
