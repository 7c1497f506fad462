//! How a session is played, as people say it on the command line: what its `game.toml` says is the default.

use clap::Args;

use crate::arguments::count::count;

/// How a session is played where it is not as the game says.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "The table")]
pub(crate) struct TableOptions {
    /// How many seats there are, where the game does not say it
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=64))]
    pub(crate) seats: Option<u32>,
    /// What every seat begins with, where the game is played for chips
    #[arg(long, value_name = "CHIPS", value_parser = count::<u32>(1..=1_000_000))]
    pub(crate) stack: Option<u32>,
    /// The small and the big blind, and those of the next levels: 1,2/2,4/4,8
    #[arg(long, value_name = "SMALL,BIG", value_parser = levels)]
    pub(crate) blinds: Option<Levels>,
    /// When the next level of blinds comes: 10m, 90s, or 8 for every eight matches
    #[arg(long, value_name = "TIME|MATCHES", value_parser = raise)]
    pub(crate) raise_blinds: Option<String>,
    /// When a seat that has nothing left may begin again: never, always, or 'until level 3'
    #[arg(long, value_name = "WHEN")]
    pub(crate) rebuy: Option<String>,
    /// What ends it: host, 'one left', 'matches = 9', 'any wins >= 5', 'any total >= 100', 'minutes = 60'
    #[arg(long, value_name = "CONDITION")]
    pub(crate) until: Option<String>,
}

/// What is posted at each level.
pub(crate) type Levels = Vec<Vec<u32>>;

/// Levels as they are typed: numbers with commas between them, and a stroke before the next level.
fn levels(text: &str) -> Result<Levels, String> {
    let level =
        |level: &str| level.split(',').map(|number| number.trim().parse().ok()).collect::<Option<Vec<u32>>>();
    let levels: Option<Levels> = text.split('/').map(level).collect();
    levels.filter(|levels| levels.iter().all(|level| level.len() == levels[0].len())).ok_or_else(|| {
        "blinds are numbers with commas between them, as 1,2, with a stroke before the next level: 1,2/2,4".to_owned()
    })
}

/// When blinds are raised, in the words of `[session]`.
fn raise(text: &str) -> Result<String, String> {
    let wrong =
        || "blinds are raised after a time, as 10m or 90s, or after a number of matches, as 8".to_owned();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let number: u32 = digits.parse().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
    match text[digits.len()..].trim() {
        "m" | "min" => Ok(format!("{number} min")),
        "s" if number.is_multiple_of(60) => Ok(format!("{} min", number / 60)),
        "h" => Ok(format!("{} min", u64::from(number) * 60)),
        "" | "matches" | "hands" => Ok(format!("{number} matches")),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::{levels, raise};

    #[test]
    fn levels_and_their_ends_are_read_as_people_write_them() {
        assert_eq!(levels("1,2"), Ok(vec![vec![1, 2]]));
        assert_eq!(levels("1, 2/2,4"), Ok(vec![vec![1, 2], vec![2, 4]]));
        assert!(levels("1,2/4").is_err() && levels("a").is_err() && levels("").is_err());
        assert_eq!(raise("10m").as_deref(), Ok("10 min"));
        assert_eq!(raise("8").as_deref(), Ok("8 matches"));
        assert_eq!(raise("120s").as_deref(), Ok("2 min"));
        assert!(raise("0").is_err() && raise("x").is_err() && raise("10 parsecs").is_err());
    }
}
