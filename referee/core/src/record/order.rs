//! How the records of a file relate to each other: whether a match was removed, duplicated or moved.
//!
//! The seal of a record shows that this match was played as recorded. It says nothing about other matches; for that there are the
//! match id and its place in a series, which the seal covers. To hide a match, one would have to
//! renumber the others, which needs their key.

use std::{collections::BTreeMap, ops::RangeInclusive};

use thiserror::Error;

use super::{Kind, Record, Shared};
use crate::header::SeriesPlace;

/// Something in which the records of a file do not fit together. Records are counted from 1, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Disorder {
    /// Two records have the same match id: a match is duplicated, or one of them is not the match that it claims to be.
    #[error("match {number} has the same id as match {earlier}: {match_id}")]
    RepeatedId {
        /// The later record.
        number: usize,
        /// The earlier one.
        earlier: usize,
        /// The id of both.
        match_id: String,
    },
    /// Two records of different ids have the same place in one series.
    #[error("match {number} has the same place as match {earlier}: {index} of the series {series}")]
    RepeatedPlace {
        /// The later record.
        number: usize,
        /// The earlier one.
        earlier: usize,
        /// The series.
        series: String,
        /// The place of both.
        index: u64,
    },
    /// A record comes after one that follows it in their series.
    #[error("match {number} is {index} of the series {series}, but comes after {before}")]
    Swapped {
        /// The record.
        number: usize,
        /// The series.
        series: String,
        /// Its place there.
        index: u64,
        /// The place of the record of this series before it in the file.
        before: u64,
    },
    /// A series that has fewer matches to come than it had before. More of them is in order: a series can be extended.
    #[error(
        "match {number} is one of {total} in the series {series}, but an earlier match is one of {before}"
    )]
    Shrunk {
        /// The record.
        number: usize,
        /// The series.
        series: String,
        /// How many matches the record says that there are.
        total: u64,
        /// How many an earlier one said.
        before: u64,
    },
    /// Matches of a series are not there: they were not played to their end, or were taken out.
    #[error("the series {series} has {found} of {total} matches: {}", missing_text(.missing))]
    Missing {
        /// The series.
        series: String,
        /// How many matches it was to have.
        total: u64,
        /// How many of them are there.
        found: u64,
        /// The places of the others, in ascending order.
        missing: Vec<RangeInclusive<u64>>,
    },
}

/// Ranges of missing matches that are named; of more than these the number is.
const RANGES_SHOWN_MAX: usize = 6;

impl Disorder {
    /// Whether the file must have been altered. Otherwise an interrupted series may explain the problem.
    #[must_use]
    pub fn is_alteration(&self) -> bool {
        !matches!(self, Self::Missing { .. })
    }

    /// A word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::RepeatedId { .. } => "repeated-id",
            Self::RepeatedPlace { .. } => "repeated-place",
            Self::Swapped { .. } => "swapped",
            Self::Shrunk { .. } => "shrunk",
            Self::Missing { .. } => "missing",
        }
    }
}

/// Everything in which the records of a file do not fit together, in the order of the file, followed by what is missing.
///
/// Single matches have no place in a series: only their ids are compared. The content of each record is not checked
/// here; see [`replay`](fn@crate::replay).
///
/// # Complexity
/// One look-up per record, regardless of the length of the series.
#[must_use]
pub fn disorders<K: Kind>(records: &[Record<K>]) -> Vec<Disorder> {
    let mut disorders = Vec::new();
    let mut numbers = BTreeMap::new();
    let mut all: BTreeMap<&str, SeriesRecords> = BTreeMap::new();
    for (number, record) in (1..).zip(records) {
        let Shared { match_id, series, players, .. } = K::shared(&record.genesis().setup);
        // The ids of real-time matches did not depend on their players before they had series.
        let id = (match_id, series.is_none().then_some(players));
        let earlier = *numbers.entry(id).or_insert(number);
        if earlier != number {
            disorders.push(Disorder::RepeatedId { number, earlier, match_id: match_id.to_owned() });
        }
        if let Some(place) = series {
            let records = all
                .entry(&place.id)
                .or_insert_with(|| SeriesRecords { first: number, ..SeriesRecords::default() });
            let disorder = records.add(number, place);
            // A match that stands twice has its place twice, too.
            disorders.extend(disorder.filter(|_| earlier == number));
        }
    }
    let mut series: Vec<(&str, SeriesRecords)> = all.into_iter().collect();
    series.sort_by_key(|(_, records)| records.first);
    disorders.extend(series.into_iter().filter_map(|(id, records)| records.missing(id)));
    disorders
}

/// The records of one series that are in the file.
#[derive(Debug, Default)]
struct SeriesRecords {
    /// The number of the first record.
    first: usize,
    /// By place, the number of the record.
    places: BTreeMap<u64, usize>,
    last: u64,
    total: u64,
}

impl SeriesRecords {
    /// Adds a record, and returns the problems with its place.
    fn add(&mut self, number: usize, place: &SeriesPlace) -> Option<Disorder> {
        let SeriesPlace { id, index, total } = place;
        let (series, index, total) = (id.clone(), *index, *total);
        let (before, most) = (self.last, self.total);
        self.last = index;
        self.total = most.max(total);
        let earlier = *self.places.entry(index).or_insert(number);
        if earlier != number {
            return Some(Disorder::RepeatedPlace { number, earlier, series, index });
        }
        if index < before {
            return Some(Disorder::Swapped { number, series, index, before });
        }
        (total < most).then_some(Disorder::Shrunk { number, series, total, before: most })
    }

    fn missing(&self, id: &str) -> Option<Disorder> {
        let found = self.places.len() as u64;
        let mut missing = Vec::new();
        let mut next = 1;
        for &index in self.places.keys() {
            if next < index {
                missing.push(next..=index - 1);
            }
            next = index + 1;
        }
        if next <= self.total {
            missing.push(next..=self.total);
        }
        let (series, total) = (id.to_owned(), self.total);
        (!missing.is_empty()).then_some(Disorder::Missing { series, total, found, missing })
    }
}

/// `4 is missing`, `2 and 4 to 7 are missing`.
fn missing_text(missing: &[RangeInclusive<u64>]) -> String {
    let text = |range: &RangeInclusive<u64>| match range.end() - range.start() {
        0 => range.start().to_string(),
        1 => format!("{} and {}", range.start(), range.end()),
        _ => format!("{} to {}", range.start(), range.end()),
    };
    let mut parts: Vec<String> = missing.iter().take(RANGES_SHOWN_MAX).map(text).collect();
    if missing.len() > RANGES_SHOWN_MAX {
        parts.push("others".to_owned());
    }
    let is_one = matches!(missing, [range] if range.start() == range.end());
    let last = parts.pop().unwrap_or_default();
    let list = if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) };
    format!("{list} {} missing", if is_one { "is" } else { "are" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        fixture::{header, mixed, play},
        record::read_records,
    };

    const TOTAL: u64 = 4;

    /// The record of a match in a series.
    fn record(id: &str, index: u64, total: u64) -> Vec<u8> {
        let place = SeriesPlace { id: id.to_owned(), index, total };
        let header = header().with_place(format!("{id}-{index}"), place).unwrap();
        play(&header.into(), "42", mixed(), |_, _| ()).record
    }

    fn series(id: &str) -> Vec<Vec<u8>> {
        (1..=TOTAL).map(|index| record(id, index, TOTAL)).collect()
    }

    fn found(records: &[&Vec<u8>]) -> Vec<Disorder> {
        let bytes: Vec<u8> = records.iter().flat_map(|record| record.iter().copied()).collect();
        let records = read_records(&bytes).unwrap();
        assert!(records.iter().all(|record| crate::replay(record).is_ok()), "each is what it says");
        disorders(&records)
    }

    fn texts(records: &[&Vec<u8>]) -> Vec<String> {
        found(records).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_whole_series_is_in_order_and_so_are_several_and_matches_on_their_own() {
        let (one, other) = (series("a"), series("b"));
        let alone = play(&header(), "42", mixed(), |_, _| ()).record;
        assert_eq!(found(&one.iter().collect::<Vec<_>>()), []);
        assert_eq!(found(&one.iter().chain(&other).chain([&alone]).collect::<Vec<_>>()), []);
        assert_eq!(found(&[]), []);
    }

    #[test]
    fn every_match_that_is_dropped_is_missed() {
        let all = series("a");
        for kept in 1_u32..1 << TOTAL {
            let is_kept = |index: &u64| kept & (1 << (index - 1)) != 0;
            let records: Vec<_> = (1..=TOTAL).filter(is_kept).map(|index| &all[index as usize - 1]).collect();
            let dropped: Vec<u64> = (1..=TOTAL).filter(|index| !is_kept(index)).collect();
            let missing: Vec<u64> = found(&records)
                .iter()
                .flat_map(|disorder| match disorder {
                    Disorder::Missing { missing, found, total: TOTAL, .. } => {
                        assert_eq!(*found, records.len() as u64);
                        missing.iter().cloned().flatten().collect::<Vec<_>>()
                    }
                    other => panic!("{other}"),
                })
                .collect();
            assert_eq!(missing, dropped);
        }
    }

    #[test]
    fn every_match_that_stands_twice_is_named() {
        let all = series("a");
        for index in 0..all.len() {
            for place in 0..=all.len() {
                let mut records: Vec<_> = all.iter().collect();
                records.insert(place, &all[index]);
                let (earlier, number) =
                    if place <= index { (place + 1, index + 2) } else { (index + 1, place + 1) };
                let repeated = Disorder::RepeatedId { number, earlier, match_id: format!("a-{}", index + 1) };
                assert!(found(&records).contains(&repeated), "{index} {place}: {:?}", texts(&records));
            }
        }
    }

    #[test]
    fn every_order_but_the_right_one_is_noticed() {
        let all = series("a");
        let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..TOTAL {
            let longer = |order: &Vec<usize>| {
                let free = (0..TOTAL as usize).filter(|place| !order.contains(place));
                free.map(|place| [&order[..], &[place]].concat()).collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        assert_eq!(orders.len(), 24);
        for order in orders {
            let records: Vec<_> = order.iter().map(|&place| &all[place]).collect();
            let found = found(&records);
            let falls = order.windows(2).filter(|pair| pair[0] > pair[1]).count();
            assert_eq!(found.len(), falls, "{order:?}");
            assert!(found.iter().all(|disorder| disorder.code() == "swapped" && disorder.is_alteration()));
        }
    }

    #[test]
    fn a_match_of_another_series_does_not_stand_in_for_a_dropped_one() {
        let (one, other) = (series("a"), series("b"));
        for index in 0..one.len() {
            let mut records: Vec<_> = one.iter().collect();
            records[index] = &other[index];
            let place = index + 1;
            assert!(
                texts(&records).contains(&format!("the series a has 3 of 4 matches: {place} is missing")),
                "{:?}",
                texts(&records)
            );
        }
    }

    #[test]
    fn each_disorder_is_said_in_a_line() {
        let all = series("a");
        let said = |records: &[&Vec<u8>]| texts(records).join("; ");
        assert_eq!(
            said(&[&all[0], &all[2], &all[1], &all[3], &all[3]]),
            "match 3 is 2 of the series a, but comes after 3; match 5 has the same id as match 4: a-4"
        );
        assert_eq!(said(&[&all[0]]), "the series a has 1 of 4 matches: 2 to 4 are missing");
        assert_eq!(said(&[&all[0], &all[2]]), "the series a has 2 of 4 matches: 2 and 4 are missing");
        let long = record("l", 900, 1_000_000_000);
        assert_eq!(
            said(&[&long]),
            "the series l has 1 of 1000000000 matches: 1 to 899 and 901 to 1000000000 are missing"
        );
        // Another match in the place of the second, under another id; and a series that says less than it did.
        let place = SeriesPlace { id: "a".to_owned(), index: 2, total: TOTAL };
        let other = header().with_place("other".to_owned(), place).unwrap();
        let other = play(&other.into(), "42", mixed(), |_, _| ()).record;
        assert_eq!(
            said(&[&all[0], &all[1], &other, &all[2], &all[3]]),
            "match 3 has the same place as match 2: 2 of the series a"
        );
        let shrunk = record("a", 3, 3);
        assert_eq!(
            said(&[&all[0], &all[1], &shrunk, &all[3]]),
            "match 3 is one of 3 in the series a, but an earlier match is one of 4"
        );
        // A series that was extended is in order.
        let extended = [record("a", 1, 2), record("a", 2, 2), record("a", 3, 3)];
        assert_eq!(said(&extended.iter().collect::<Vec<_>>()), "");
    }

    #[test]
    fn a_match_of_a_series_is_written_in_format_2_and_one_on_its_own_as_ever() {
        let text = String::from_utf8(record("a", 2, TOTAL)).unwrap();
        let series = r#""series":{"id":"a","index":2,"total":4}"#;
        assert!(text.contains(series) && text.contains("\"format\":2"), "{text}");
        let alone = String::from_utf8(play(&header(), "42", mixed(), |_, _| ()).record).unwrap();
        assert!(!alone.contains("series") && alone.contains("\"format\":1"), "{alone}");
        // The place is under the seal: nothing else has to change for it to be found out.
        for forged in [text.replace("\"index\":2", "\"index\":3"), text.replace("\"total\":4", "\"total\":2")]
        {
            let records = read_records(forged.as_bytes()).unwrap();
            assert!(crate::replay(&records[0]).is_err());
        }
    }
}
