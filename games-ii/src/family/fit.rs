//! Whether parameters that are possible each for itself are a game together.

use super::parameter::ParameterSettings;

/// Chips that a table may have in all: as many numbers are in its rules.
const MOST_CHIPS: u32 = 10_000;

/// Why they are no game of the family.
pub(super) fn unfit(family: &str, settings: &ParameterSettings) -> Option<String> {
    match family {
        "hanabi" => too_many_cards(settings),
        "krieg-tic-tac-toe" => too_long_a_line(settings),
        "liars-dice" => too_few_dice(settings),
        "no-limit-holdem" => no_table(settings),
        _ => None,
    }
}

fn too_long_a_line(settings: &ParameterSettings) -> Option<String> {
    let (size, line) = (settings.number("size")?, settings.number("line")?);
    (line > size).then(|| format!("a line of {line} does not fit a board of size {size}"))
}

/// Of each rank there are two cards in a colour: three of the lowest, one of the highest.
fn too_many_cards(settings: &ParameterSettings) -> Option<String> {
    let deck = 2 * settings.number("colours")? * settings.number("ranks")?;
    let dealt = settings.number("players")? * settings.number("hand")?;
    (dealt >= deck).then(|| format!("of {deck} cards {dealt} are in hands, and none is left for the deck"))
}

fn too_few_dice(settings: &ParameterSettings) -> Option<String> {
    let seated = settings.numbers("dice")?.iter().filter(|dice| **dice > 0).count();
    (seated < 2).then(|| "two players or more need dice".to_owned())
}

fn no_table(settings: &ParameterSettings) -> Option<String> {
    let (small, big) = (settings.number("small-blind")?, settings.number("big-blind")?);
    if small > big {
        return Some(format!("a small blind of {small} is more than the big blind of {big}"));
    }
    let chips: u64 = match settings.numbers("stacks") {
        Some(stacks) => stacks.iter().copied().map(u64::from).sum(),
        None => u64::from(big) * settings.numbers("big-blinds")?.iter().copied().map(u64::from).sum::<u64>(),
    };
    (chips > u64::from(MOST_CHIPS))
        .then(|| format!("{chips} chips are too many: a table has at most {MOST_CHIPS}"))
}
