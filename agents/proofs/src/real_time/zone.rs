//! Sets of instants with bounds on their differences, in whole microseconds.

/// No bound.
const FAR: i64 = i64::MAX / 4;

/// What expires when, as far as bounds on differences say it: the present is number 0, and what will expire has the numbers from 1 on.
///
/// Bounds are as tight as they can be, so that a set lies in another if its bounds do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    size: usize,
    /// By two numbers, how much later the first can be than the second at most.
    bounds: Vec<i64>,
}

/// Where an instant of a later zone comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum InstantSource {
    /// It is the one with this number.
    Of(usize),
    /// It comes so long after the present.
    After(u64),
}

/// The part of a zone in which certain lifetimes end together, before all others, and the time that passes until then.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// By number from 1 on, whether it expires.
    pub(super) expires: Vec<bool>,
    /// The longest time until then; none if nothing bounds it.
    pub(super) longest: Option<u64>,
    /// The same instants, and the new present as the last one.
    zone: Zone,
}

impl Zone {
    /// The zone with nothing but the present, and what comes so long after it.
    pub(super) fn begin(lifetimes: &[u64]) -> Self {
        let sources: Vec<InstantSource> = lifetimes.iter().map(|&us| InstantSource::After(us)).collect();
        Self { size: 1, bounds: vec![0] }.with_present(0, &sources)
    }

    fn bound(&self, one: usize, other: usize) -> i64 {
        self.bounds[one * self.size + other]
    }

    /// The longest time that can be left until an instant.
    pub(super) fn longest_to(&self, number: usize) -> u64 {
        u64::try_from(self.bound(number, 0)).expect("what is to expire does so later")
    }

    /// Whether every choice of instants in here is one of another zone of the same size.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.size == other.size && self.bounds.iter().zip(&other.bounds).all(|(own, bound)| own <= bound)
    }

    /// Keeps what has `one` at most so much later than `other`; none if that is nothing.
    fn with_bound(mut self, one: usize, other: usize, bound: i64) -> Option<Self> {
        if bound >= self.bound(one, other) {
            return Some(self);
        }
        if bound + self.bound(other, one) < 0 {
            return None;
        }
        for from in 0..self.size {
            let to_one = self.bound(from, one);
            for to in 0..self.size {
                let around = sum(sum(to_one, bound), self.bound(other, to));
                let place = from * self.size + to;
                self.bounds[place] = self.bounds[place].min(around);
            }
        }
        Some(self)
    }

    /// The parts in which different lifetimes end first, or none does before a player moves; time passes in each.
    pub(super) fn splits(&self) -> Vec<Split> {
        let mut parts = vec![(self.with_later_present(), Vec::new())];
        let present = self.size;
        for number in 1..self.size {
            let mut next = Vec::new();
            for (zone, expires) in parts {
                let with = |is_expiring: bool| [&expires[..], &[is_expiring]].concat();
                let later = zone.clone().with_bound(present, number, -1);
                next.extend(later.map(|zone| (zone, with(false))));
                next.extend(zone.with_bound(number, present, 0).map(|zone| (zone, with(true))));
            }
            parts = next;
        }
        let split = |(zone, expires): (Self, Vec<bool>)| {
            let longest = u64::try_from(zone.bound(present, 0)).expect("the present is later");
            Split { expires, longest: (longest < FAR as u64).then_some(longest), zone }
        };
        parts.into_iter().map(split).collect()
    }

    /// The zone with another instant, a microsecond or more after the present, before which nothing expires.
    fn with_later_present(&self) -> Self {
        let (present, size) = (self.size, self.size + 1);
        let mut bounds = vec![FAR; size * size];
        for one in 0..self.size {
            for other in 0..self.size {
                bounds[one * size + other] = self.bound(one, other);
            }
        }
        bounds[present * size + present] = 0;
        let mut zone = Self { size, bounds };
        let mut limits = vec![(0, present, -1)];
        limits.extend((1..self.size).map(|number| (present, number, 0)));
        for (one, other, bound) in limits {
            zone = zone.with_bound(one, other, bound).expect("what is to expire does so later");
        }
        zone
    }

    /// The zone of some instants, seen from a present.
    fn with_present(&self, present: usize, sources: &[InstantSource]) -> Self {
        let size = sources.len() + 1;
        let mut from = vec![(present, 0)];
        from.extend(sources.iter().map(|source| match *source {
            InstantSource::Of(number) => (number, 0),
            InstantSource::After(us) => (present, i64::try_from(us).expect("lifetimes are counted")),
        }));
        let mut bounds = Vec::with_capacity(size * size);
        for &(one, later) in &from {
            bounds.extend(from.iter().map(|&(other, than)| sum(self.bound(one, other), later - than)));
        }
        Self { size, bounds }
    }

    /// The zone after an update that takes no time.
    pub(super) fn at_once(&self, sources: &[InstantSource]) -> Self {
        self.with_present(0, sources)
    }

    /// The same with nothing known of an instant but that it comes, and after how long at most.
    pub(super) fn forget(&mut self, number: usize, longest: u64) {
        let longest = i64::try_from(longest).expect("lifetimes are counted");
        for other in (0..self.size).filter(|&other| other != number) {
            self.bounds[number * self.size + other] = sum(longest, self.bound(0, other));
            self.bounds[other * self.size + number] = sum(self.bound(other, 0), -1);
        }
    }
}

impl Split {
    /// The zone after the update.
    pub(super) fn after(&self, sources: &[InstantSource]) -> Zone {
        self.zone.with_present(self.zone.size - 1, sources)
    }
}

fn sum(one: i64, other: i64) -> i64 {
    if one >= FAR || other >= FAR { FAR } else { one + other }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All choices of times that are left in a zone of two lifetimes.
    fn members(zone: &Zone) -> Vec<(i64, i64)> {
        let fits = |one: i64, other: i64| {
            let left = [0, one, other];
            (0..3).all(|a| (0..3).all(|b| left[a] - left[b] <= zone.bound(a, b)))
        };
        let all = (1..12).flat_map(|one| (1..12).map(move |other| (one, other)));
        all.filter(|&(one, other)| fits(one, other)).collect()
    }

    #[test]
    fn what_follows_on_a_zone_is_what_follows_on_its_members() {
        let mut zone = Zone::begin(&[5, 8]);
        assert_eq!(members(&zone), [(5, 8)]);
        // A move at any instant starts the second clock again.
        let keeps = [InstantSource::Of(1), InstantSource::After(4)];
        for _ in 0..3 {
            let known = members(&zone);
            let mut expected: Vec<(i64, i64)> = Vec::new();
            for &(one, other) in &known {
                expected.extend((1..one.min(other)).map(|time| (one - time, 4)));
            }
            expected.sort_unstable();
            expected.dedup();
            let quiet = zone.splits().into_iter().find(|split| split.expires == [false, false]);
            let quiet = quiet.expect("nothing expires at once");
            assert_eq!(
                quiet.longest.map(|us| us as i64),
                known.iter().map(|(one, other)| one.min(other) - 1).max()
            );
            zone = quiet.after(&keeps);
            assert_eq!(members(&zone), expected);
        }
        let ends: Vec<Vec<bool>> = zone.splits().into_iter().map(|split| split.expires).collect();
        // What is left of the first is 2 at most, of the second 4.
        assert_eq!(ends, [vec![false, false], vec![true, false]]);
        assert!(members(&zone).iter().all(|&(one, other)| one <= 2 && other == 4));
    }

    #[test]
    fn a_forgotten_instant_can_be_any() {
        let mut zone = Zone::begin(&[5, 8]);
        zone.forget(2, 9);
        assert_eq!(members(&zone), (1..10).map(|other| (5, other)).collect::<Vec<_>>());
        assert!(Zone::begin(&[5, 8]).is_within(&zone) && !zone.is_within(&Zone::begin(&[5, 8])));
    }
}
