//! A known name that an unknown one may have been meant to be.

use std::cmp::Reverse;

/// Maximum number of comparisons per text, so that a thousand unknown names among a thousand known ones
/// do not take seconds. With so many mistakes only the first ones are read anyway.
const COMPARISONS_MAX: usize = 10_000;

/// Maximum number of names considered, most of which are too long or too short to be compared.
const LOOKS_MAX: usize = 1_000_000;

/// Finds near names until its budget is spent.
pub(super) struct Near {
    comparisons_left: usize,
    looks_left: usize,
}

impl Near {
    pub(super) fn new() -> Self {
        Self { comparisons_left: COMPARISONS_MAX, looks_left: LOOKS_MAX }
    }

    /// The name among `known` with the fewest slips to `name`: one for up to five letters, two beyond.
    /// Names of one or two letters are like everything and get none.
    pub(super) fn find<'n>(
        &mut self,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        let slips_max = match name.len() {
            0..=2 => return None,
            3..=5 => 1,
            _ => 2,
        };
        let mut best: Option<(usize, Reverse<usize>, &str)> = None;
        for candidate in known {
            self.looks_left = self.looks_left.checked_sub(1)?;
            if candidate.len().abs_diff(name.len()) > slips_max || candidate.len() < 2 || candidate == name {
                continue;
            }
            self.comparisons_left = self.comparisons_left.checked_sub(1)?;
            let slips = strsim::osa_distance(name, candidate);
            // What differs in a digit alone is another name of the same family: row1 and row2.
            if slips > slips_max || differ_in_digits_alone(name, candidate) {
                continue;
            }
            let ranked = (slips, Reverse(shared_start(name, candidate)), candidate);
            if best.is_none_or(|best| ranked < best) {
                best = Some(ranked);
            }
        }
        best.map(|(_, _, candidate)| candidate)
    }

    /// The same as advice.
    pub(super) fn help<'n>(
        &mut self,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Option<String> {
        self.find(name, known).map(|near| format!("did you mean `{near}`?"))
    }
}

fn shared_start(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}

fn differ_in_digits_alone(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    letters(one) == letters(other)
}

#[cfg(test)]
mod tests {
    use super::Near;

    #[test]
    fn a_slip_is_found_and_a_family_is_not() {
        let known = ["cell", "control", "column", "row1", "row2", "x"];
        let find = |name| Near::new().find(name, known);
        assert_eq!(find("cel"), Some("cell"));
        assert_eq!(find("contorl"), Some("control"));
        assert_eq!(find("colum"), Some("column"));
        assert_eq!(find("row3"), None);
        assert_eq!(find("y"), None);
        assert_eq!(find("diagonal"), None);
    }
}
