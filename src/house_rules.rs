//! How players that are absent, busy or at a loss are dealt with, in every command that plays matches.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use clap::Args;
use croupier_remote::{Absence, PlayerAddress};

use crate::{conduct::SeatConduct, interrupt::Interrupt};

/// Longest time for which a busy player can be waited for, in seconds.
const WAIT_S_MAX: u64 = 24 * 60 * 60;

/// How often whoever waits for an address looks whether the command is to end.
const SLICE: Duration = Duration::from_millis(50);

/// How players that are absent, busy or at a loss are dealt with.
#[derive(Args, Clone, Debug)]
pub(crate) struct HouseRules {
    /// Play even if a player cannot be reached or stays busy, with moves drawn for it; otherwise such a match is void
    #[arg(long)]
    allow_absent: bool,
    /// Seconds for which a player that is busy at START is asked again before it counts as absent
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(..=WAIT_S_MAX)
    )]
    busy_wait: u64,
    /// How many matches a player at an address is given at once; most players take one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    matches_at_once: u16,
    /// Percentage of a player's moves that may be drawn for it; above it the exit status is 1
    #[arg(
        long,
        value_name = "PERCENT",
        default_value_t = 10,
        value_parser = clap::value_parser!(u8).range(..=100)
    )]
    substituted_max: u8,
}

impl HouseRules {
    /// What becomes of a match without one of its players.
    pub(crate) fn absence(&self) -> Absence {
        if self.allow_absent { Absence::Played } else { Absence::Void }
    }

    /// How long somebody busy is waited for.
    pub(crate) fn busy_max(&self) -> Duration {
        Duration::from_secs(self.busy_wait)
    }

    /// How many matches there may be at one address.
    pub(crate) fn matches_at_once(&self) -> u64 {
        self.matches_at_once.into()
    }

    /// Whether so few of its moves were drawn for a player that its results are still its own.
    pub(crate) fn tolerates(&self, conduct: &SeatConduct) -> bool {
        u128::from(conduct.substituted()) * 100
            <= u128::from(conduct.moves) * u128::from(self.substituted_max)
    }
}

/// What goes on at each address.
#[derive(Debug, Default)]
pub(crate) struct Addresses {
    /// The matches that are being played there.
    playing: Mutex<BTreeMap<PlayerAddress, u64>>,
    freed: Condvar,
    /// Where another dialect may be worth a try, which was said.
    advised: Mutex<BTreeSet<PlayerAddress>>,
}

/// A match at some addresses, until it is dropped.
#[derive(Debug)]
pub(crate) struct Visit<'a> {
    addresses: &'a Addresses,
    places: BTreeSet<PlayerAddress>,
}

impl Addresses {
    /// Waits until there are fewer than `most` matches at each of these places; `None` if that was interrupted.
    pub(crate) fn visit(
        &self,
        places: BTreeSet<PlayerAddress>,
        most: u64,
        interrupt: &Interrupt,
    ) -> Option<Visit<'_>> {
        let mut playing = self.playing();
        while places.iter().any(|place| playing.get(place).is_some_and(|count| *count >= most)) {
            if interrupt.is_raised() {
                return None;
            }
            let waited = self.freed.wait_timeout(playing, SLICE);
            (playing, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        for place in &places {
            *playing.entry(place.clone()).or_default() += 1;
        }
        drop(playing);
        Some(Visit { addresses: self, places })
    }

    /// Notes that there is advice about a player at this address: whether it is the first.
    pub(crate) fn is_first_advice(&self, place: &PlayerAddress) -> bool {
        self.advised.lock().unwrap_or_else(PoisonError::into_inner).insert(place.clone())
    }

    fn playing(&self) -> MutexGuard<'_, BTreeMap<PlayerAddress, u64>> {
        // Counts are right after every statement, so a panic elsewhere damages none of them.
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        let mut playing = self.addresses.playing();
        for place in &self.places {
            if let Some(count) = playing.get_mut(place) {
                *count -= 1;
            }
        }
        self.addresses.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        sync::atomic::{AtomicU64, Ordering},
        thread,
        time::Duration,
    };

    use super::Addresses;
    use crate::interrupt::Interrupt;

    #[test]
    fn no_address_has_more_matches_than_it_takes_and_all_are_played() {
        let place = |port: u16| format!("http://127.0.0.1:{port}").parse().expect("an address");
        for most in [1, 2] {
            let (addresses, interrupt) = (Addresses::default(), Interrupt::default());
            let counts = [(); 3].map(|()| AtomicU64::new(0));
            let played = AtomicU64::new(0);
            let one = |index: usize| {
                let ports = [index % 3, (index + 1) % 3];
                let places: BTreeSet<_> = ports.map(|port| place(port as u16 + 1)).into();
                let visit = addresses.visit(places, most, &interrupt).expect("nobody interrupts");
                for port in ports {
                    assert!(counts[port].fetch_add(1, Ordering::SeqCst) < most);
                }
                thread::sleep(Duration::from_millis(1));
                for port in ports {
                    counts[port].fetch_sub(1, Ordering::SeqCst);
                }
                drop(visit);
                played.fetch_add(1, Ordering::SeqCst);
            };
            thread::scope(|scope| {
                for index in 0..24 {
                    scope.spawn(move || one(index));
                }
            });
            assert_eq!(played.into_inner(), 24);
        }
    }
}
