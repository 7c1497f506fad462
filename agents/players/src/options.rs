//! The options of a player as text: `iterations=5,model=(belief:particles=7,iterations=3)`.

/// Splits a text at commas outside parentheses.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut pieces) = (0_usize, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                pieces.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// Names and values of the options in a text; parentheses around a value are removed.
pub(crate) fn options(text: &str) -> Vec<(&str, &str)> {
    pieces(text).into_iter().filter(|piece| !piece.is_empty()).map(option).collect()
}

fn option(piece: &str) -> (&str, &str) {
    let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
    let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')'));
    (name, inner.unwrap_or(value))
}

/// A whole number as people write it: `1000`, `1_000`, `1e3` or `2.5e3`.
///
/// ```
/// use croupier_players::whole_number;
///
/// assert_eq!(whole_number("1e6"), Some(1_000_000));
/// assert_eq!(whole_number("2.5e3"), Some(2_500));
/// assert_eq!(whole_number("10_000"), Some(10_000));
/// assert_eq!((whole_number("1e-3"), whole_number("ten"), whole_number("1e20")), (None, None, None));
/// ```
#[must_use]
pub fn whole_number(text: &str) -> Option<u64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: u32 =
        exponent.strip_prefix('+').unwrap_or(exponent).parse().ok().filter(|&power| power < 20)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_grouped = |digits: &str| digits.split('_').all(|group| !group.is_empty());
    if !is_grouped(whole) || (mantissa.contains('.') && !is_grouped(fraction)) {
        return None;
    }
    let digits: String = [whole, fraction].concat().chars().filter(|&char| char != '_').collect();
    let decimals = fraction.chars().filter(|&char| char != '_').count();
    // As many zeros behind the digits as the exponent asks for, or as many digits fewer, which have to be zeros.
    let power = usize::try_from(exponent).ok()?;
    let digits = match power.checked_sub(decimals) {
        Some(zeros) => digits + &"0".repeat(zeros),
        None => {
            let (kept, cut) = digits.split_at(digits.len() - (decimals - power));
            cut.bytes().all(|digit| digit == b'0').then(|| kept.to_owned())?
        }
    };
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{options, pieces, whole_number};

    #[test]
    fn whole_numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("0", Some(0)),
            ("007", Some(7)),
            ("1e0", Some(1)),
            ("1E+9", Some(1_000_000_000)),
            ("1.50e1", Some(15)),
            ("1000000.0", Some(1_000_000)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("1.5", None),
            ("1e", None),
            ("e3", None),
            ("", None),
            ("-1", None),
            ("+1", None),
            ("1__0", None),
            ("_1", None),
            (".5e1", None),
            ("1.e1", None),
            ("1e99999999999", None),
            ("0x10", None),
            (" 1", None),
            ("\u{661}", None),
        ] {
            assert_eq!(whole_number(text), number, "{text:?}");
        }
    }

    #[test]
    fn parentheses_keep_an_agent_with_its_options_together() {
        let text = "a=1,model=(belief:x=2,y=3),model.bob=policy:f.json";
        let expected = [("a", "1"), ("model", "belief:x=2,y=3"), ("model.bob", "policy:f.json")];
        assert_eq!(options(text), expected);
        assert_eq!(pieces("a,(b,(c,d),e),f"), ["a", "(b,(c,d),e)", "f"]);
        assert!(options("").is_empty());
    }
}
