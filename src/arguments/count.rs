//! Numbers of things as arguments, as people write them: `1000`, `1_000` or `1e3`.

use std::{net::IpAddr, ops::RangeInclusive, time::Duration};

use croupier_players::whole_number;

/// What reads a whole number within these bounds.
pub(crate) fn count<N>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync
where
    N: TryFrom<u64>,
{
    move |text| {
        let number = whole_number(text).filter(|number| range.contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            match *most {
                u64::MAX => format!("a whole number is expected, {least} or more, such as 100 or 1e6"),
                most => format!(
                    "a whole number from {least} to {most} is expected, such as {}",
                    example(*least, most)
                ),
            }
        })
    }
}

/// A number of minutes, more than none, as a time.
///
/// # Errors
/// What is expected instead.
pub(crate) fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse::<f64>().ok().filter(|minutes| *minutes > 0.0 && *minutes <= 100_000.0);
    minutes
        .map(|minutes| Duration::from_secs_f64(60.0 * minutes))
        .ok_or_else(|| "a number of minutes above 0 and up to 100000, such as 30 or 0.5".to_owned())
}

/// A probability.
///
/// # Errors
/// What is expected instead.
pub(crate) fn probability(text: &str) -> Result<f64, String> {
    let probability = text.parse::<f64>().ok().filter(|probability| (0.0..=1.0).contains(probability));
    probability.ok_or_else(|| "a probability from 0 to 1 is expected, such as 0.001".to_owned())
}

/// The address of a network interface.
///
/// # Errors
/// What is expected instead.
pub(crate) fn address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "an IP address is expected, such as 127.0.0.1, 0.0.0.0 or ::1".to_owned())
}

/// A number within bounds, in the shortest way to write it.
fn example(least: u64, most: u64) -> String {
    if most >= 1_000_000 && least <= 1_000_000 {
        "1e6".to_owned()
    } else {
        least.max(1).min(most).to_string()
    }
}

/// How many times faster than the clock a real-time game runs: from a hundredth to a thousand.
///
/// # Errors
/// What it must be, in words.
pub(crate) fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| (0.01..=1000.0).contains(speed));
    speed.ok_or_else(|| "a number from 0.01 to 1000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn what_is_no_number_or_too_large_is_told_with_its_bounds() {
        assert_eq!(count::<u32>(1..=1_000)("1e3"), Ok(1_000));
        let most = "a whole number from 1 to 1000 is expected, such as 1";
        assert_eq!(count::<u32>(1..=1_000)("ten"), Err(most.to_owned()));
        assert_eq!(count::<u32>(1..=1_000)("1e4"), Err(most.to_owned()));
        let open = "a whole number is expected, 0 or more, such as 100 or 1e6";
        assert_eq!(count::<usize>(0..=u64::MAX)("-1"), Err(open.to_owned()));
    }
}
