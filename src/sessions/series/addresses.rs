//! The addresses where matches are being played, and how many there are at each.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use croupier_remote::PlayerAddress;

use crate::sessions::interrupt::Interrupt;

/// How often whoever waits for an address looks whether the command is to end.
const SLICE: Duration = Duration::from_millis(50);

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
    use crate::sessions::interrupt::Interrupt;

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
