//! Values that are worked out once, however many pages follow them, and no longer than some page does.

use std::{hash::Hash, sync::Arc};

use dashmap::DashMap;
use tokio::sync::watch;

/// What pages follow, by what it is of.
#[derive(Debug)]
pub(super) struct FollowedValues<K: Eq + Hash, V>(DashMap<K, watch::Receiver<Arc<V>>>);

impl<K: Eq + Hash, V> Default for FollowedValues<K, V> {
    fn default() -> Self {
        Self(DashMap::new())
    }
}

impl<K: Clone + Eq + Hash, V: Default> FollowedValues<K, V> {
    /// The value of `key`; if nobody follows it yet, `begin` lets somebody work it out.
    pub(super) fn follow(
        &self,
        key: K,
        begin: impl FnOnce(watch::Sender<Arc<V>>),
    ) -> watch::Receiver<Arc<V>> {
        let new = self.0.entry(key).or_insert_with(|| {
            let (sender, receiver) = watch::channel(Arc::default());
            begin(sender);
            receiver
        });
        new.clone()
    }

    /// Whether a page follows the value. If none does, the value is forgotten, and whoever comes next begins it anew: no page is left
    /// with a value that nobody works out any more.
    pub(super) fn is_wanted(&self, key: &K, shown: &watch::Sender<Arc<V>>) -> bool {
        // One receiver is that of the map.
        self.0.remove_if(key, |_, _| shown.receiver_count() < 2).is_none()
    }

    /// Forgets a value that is worked out: those who follow it have its last one. Another that was begun since under the same key stays.
    pub(super) fn forget(&self, key: &K, shown: &watch::Sender<Arc<V>>) {
        self.0.remove_if(key, |_, receiver| receiver.same_channel(&shown.subscribe()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_follows_any_more_is_forgotten_and_begun_anew_for_the_next() {
        let values: FollowedValues<&str, u32> = FollowedValues::default();
        let mut sender = None;
        let first = values.follow("a", |new| sender = Some(new));
        let shown = sender.take().unwrap();
        let second = values.follow("a", |_| panic!("it is worked out already"));
        assert!(values.is_wanted(&"a", &shown));
        drop(first);
        assert!(values.is_wanted(&"a", &shown), "the second page is still there");
        drop(second);
        assert!(!values.is_wanted(&"a", &shown));
        let _third = values.follow("a", |new| sender = Some(new));
        values.forget(&"a", &shown);
        let new = sender.unwrap();
        assert!(values.is_wanted(&"a", &new), "a page that came later has a value of its own");
        values.forget(&"a", &new);
        values.follow("a", |_| ());
        assert_eq!(values.0.len(), 1);
    }
}
