//! Lifetimes of fluents in real-time games, exact to the microsecond, and the decimals that represent them.

use std::{borrow::Cow, fmt, str::FromStr};

use thiserror::Error;

/// The word for a lifetime without end.
pub(crate) const INFINITY: &str = "infinity";

/// Microseconds in a second, the unit of the decimals in rules.
const SECOND: u64 = 1_000_000;

/// Whole seconds that a finite lifetime may have: some 31,000 years, so that sums of lifetimes are never too large.
const SECONDS_MAX: u64 = 1_000_000_000_000;

/// How long a fluent still holds: a positive number of whole microseconds, or for ever.
///
/// Rules write seconds, as decimals of at most six digits behind the point.
///
/// ```
/// use croupier_engine::Lifetime;
///
/// let timer: Lifetime = "1.50".parse()?;
/// assert_eq!(timer.micros(), Some(1_500_000));
/// assert_eq!(timer.after(500_000).map(|left| left.to_string()), Some("1".to_owned()));
/// assert_eq!(timer.after(1_500_000), None);
/// assert!(timer < Lifetime::INFINITY);
/// assert!("0".parse::<Lifetime>().is_err());
/// # Ok::<(), croupier_engine::LifetimeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lifetime(u64);

/// Why a name is no lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LifetimeError {
    /// Neither a decimal nor `infinity`.
    #[error("a lifetime is a number of seconds or `infinity`")]
    NotANumber,
    /// Zero, or below.
    #[error("a lifetime must be more than 0 seconds")]
    NotPositive,
    /// More than six digits behind the point.
    #[error("a lifetime has at most six digits after the point: the resolution is one microsecond")]
    TooFine,
    /// More seconds than are counted.
    #[error("a finite lifetime is at most 1000000000000 seconds; `infinity` never ends")]
    TooLong,
}

impl Lifetime {
    /// For ever.
    pub const INFINITY: Self = Self(u64::MAX);

    /// A lifetime of whole microseconds; `None` for zero and for more than are counted.
    #[must_use]
    pub fn of_micros(micros: u64) -> Option<Self> {
        (0 < micros && micros <= SECONDS_MAX * SECOND).then_some(Self(micros))
    }

    /// The microseconds; `None` for ever.
    #[must_use]
    pub fn micros(self) -> Option<u64> {
        (self != Self::INFINITY).then_some(self.0)
    }

    /// What is left after some microseconds; `None` if it has expired by then.
    #[must_use]
    pub fn after(self, micros: u64) -> Option<Self> {
        match self.micros() {
            None => Some(self),
            Some(left) => (left > micros).then(|| Self(left - micros)),
        }
    }
}

impl FromStr for Lifetime {
    type Err = LifetimeError;

    fn from_str(text: &str) -> Result<Self, LifetimeError> {
        if text == INFINITY {
            return Ok(Self::INFINITY);
        }
        let number = canonical_decimal(text).ok_or(LifetimeError::NotANumber)?;
        if number.starts_with('-') || number == "0" {
            return Err(LifetimeError::NotPositive);
        }
        let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
        if fraction.len() > 6 {
            return Err(LifetimeError::TooFine);
        }
        let seconds: u64 = whole.parse().map_err(|_| LifetimeError::TooLong)?;
        let parts: u64 = format!("{fraction:0<6}").parse().expect("six digits");
        let micros = seconds.checked_mul(SECOND).and_then(|micros| micros.checked_add(parts));
        micros.and_then(Self::of_micros).ok_or(LifetimeError::TooLong)
    }
}

/// As rules write it: `infinity`, or the shortest decimal of its seconds.
impl fmt::Display for Lifetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(micros) = self.micros() else { return f.write_str(INFINITY) };
        f.write_str(&seconds(micros))
    }
}

/// Microseconds as the shortest decimal of seconds.
#[must_use]
pub fn seconds(micros: u64) -> String {
    let (whole, parts) = (micros / SECOND, micros % SECOND);
    if parts == 0 {
        return whole.to_string();
    }
    let fraction = format!("{parts:06}");
    format!("{whole}.{}", fraction.trim_end_matches('0'))
}

/// The shortest way to write a decimal; `None` for what is none.
///
/// `1.0`, `1.00` and `01` are `1`; `-0.50` is `-0.5`.
pub(crate) fn canonical_decimal(text: &str) -> Option<Cow<'_, str>> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !fraction.is_none_or(is_number) {
        return None;
    }
    let shortest = whole.trim_start_matches('0');
    let shortest = if shortest.is_empty() { "0" } else { shortest };
    let fraction = fraction.unwrap_or_default().trim_end_matches('0');
    let sign = if is_negative && !(shortest == "0" && fraction.is_empty()) { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    let canonical = format!("{sign}{shortest}{point}{fraction}");
    Some(if canonical == text { Cow::Borrowed(text) } else { Cow::Owned(canonical) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_has_one_canonical_print() {
        let cases = [
            ("1.0", "1"),
            ("1.00", "1"),
            ("1", "1"),
            ("007", "7"),
            ("0.50", "0.5"),
            ("00.5", "0.5"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("-1.50", "-1.5"),
            ("90", "90"),
            ("1.1234567", "1.1234567"),
            ("0", "0"),
        ];
        for (text, canonical) in cases {
            assert_eq!(canonical_decimal(text).as_deref(), Some(canonical), "{text}");
        }
        for text in ["", "-", "a", "1a", "1.", ".5", "1.2.3", "--1", "+1", "infinity", "1e3"] {
            assert_eq!(canonical_decimal(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_lifetime_is_said_why() {
        let cases = [
            ("x", LifetimeError::NotANumber),
            ("0", LifetimeError::NotPositive),
            ("0.000", LifetimeError::NotPositive),
            ("-1", LifetimeError::NotPositive),
            ("0.0000001", LifetimeError::TooFine),
            ("1000000000000.000001", LifetimeError::TooLong),
            ("99999999999999999999999", LifetimeError::TooLong),
        ];
        for (text, error) in cases {
            assert_eq!(text.parse::<Lifetime>(), Err(error), "{text}");
        }
        assert_eq!(
            "1000000000000".parse::<Lifetime>().map(|time| time.to_string()),
            Ok("1000000000000".to_owned())
        );
        assert_eq!("0.000001".parse::<Lifetime>().map(Lifetime::micros), Ok(Some(1)));
        assert_eq!("0.1000000".parse::<Lifetime>().map(|time| time.to_string()), Ok("0.1".to_owned()));
    }
}
