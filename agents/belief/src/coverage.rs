//! How much of what was asked of a strategy it had an answer for.

/// How often a strategy from a file was looked up where there was a choice, and how often it had an entry.
///
/// Where it has none its user chooses in another way, mostly uniformly: without these counts a strategy for another game
/// would pass for uniform play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Look-ups in information sets with two or more legal moves.
    pub met: u64,
    /// Those for which the strategy had an entry.
    pub known: u64,
    /// The first information set without an entry.
    pub first_unknown: Option<String>,
    /// The first entry that cannot be played, as a sentence.
    pub fault: Option<String>,
}

impl Coverage {
    /// The share of known information sets below which a strategy knows few.
    pub const FEW: f64 = 0.9;

    /// Counts a look-up; `text` writes the information set.
    pub fn note(&mut self, is_known: bool, text: impl FnOnce() -> String) {
        self.met += 1;
        match is_known {
            true => self.known += 1,
            false => _ = self.first_unknown.get_or_insert_with(text),
        }
    }

    /// Adds later look-ups.
    pub fn add(&mut self, later: &Self) {
        self.met += later.met;
        self.known += later.known;
        let first = |own: &mut Option<String>, later: &Option<String>| {
            if own.is_none() {
                own.clone_from(later);
            }
        };
        first(&mut self.first_unknown, &later.first_unknown);
        first(&mut self.fault, &later.fault);
    }

    /// The sum, or `None` if there is nothing to add.
    #[must_use]
    pub fn sum(parts: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        parts.into_iter().flatten().reduce(|mut sum, part| {
            sum.add(&part);
            sum
        })
    }

    /// Whether something was looked up and nothing found.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.met > 0 && self.known == 0
    }

    /// Whether less than [`Coverage::FEW`] was found.
    #[must_use]
    pub fn is_few(&self) -> bool {
        (self.known as f64) < Self::FEW * self.met as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Coverage;

    #[test]
    fn nothing_known_is_none_and_less_than_nine_tenths_is_few() {
        let of = |known, met| Coverage { met, known, ..Coverage::default() };
        assert!(!of(0, 0).is_none() && !of(0, 0).is_few(), "nothing was looked up");
        assert!(of(0, 1).is_none() && of(0, 1).is_few());
        assert!(!of(1, 10).is_none() && of(8, 10).is_few() && !of(9, 10).is_few());
    }

    #[test]
    fn counts_add_up_and_the_first_unknown_one_is_kept() {
        let mut first = Coverage::default();
        first.note(true, || unreachable!("known ones are not printed"));
        let mut second = Coverage::default();
        second.note(false, || "(alice)".to_owned());
        second.note(false, || "(bob)".to_owned());
        let sum = Coverage::sum([Some(first), None, Some(second)]).expect("two parts");
        assert_eq!((sum.met, sum.known, sum.first_unknown.as_deref()), (3, 1, Some("(alice)")));
        assert_eq!(Coverage::sum([None, None]), None);
    }
}
