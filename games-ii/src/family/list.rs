//! Which families there are.

use super::{Family, Parameter, ParameterKind};

macro_rules! family {
    ($name:literal, $summary:literal, [$($parameter:expr),+ $(,)?]) => {
        Family {
            name: $name,
            summary: $summary,
            parameters: &[$($parameter),+],
            template: include_str!(concat!("../families/", $name, ".gdl.jinja")),
            facts: None,
            terms: "",
        }
    };
    ($name:literal, $summary:literal, [$($parameter:expr),+ $(,)?], words) => {
        Family {
            facts: Some(include_str!(concat!("../families/", $name, ".toml.jinja"))),
            ..family!($name, $summary, [$($parameter),+])
        }
    };
    ($name:literal, $summary:literal, [$($parameter:expr),+ $(,)?], words and terms) => {
        Family {
            terms: include_str!(concat!("../families/", $name, ".txt")),
            ..family!($name, $summary, [$($parameter),+], words)
        }
    };
}

const fn number(name: &'static str, meaning: &'static str, range: (u32, u32), standard: u32) -> Parameter {
    Parameter {
        name,
        meaning,
        kind: ParameterKind::Number { range, standard: Some(standard), each_of: None },
    }
}

/// A number for each of `each_of`, or one for all of them.
const fn numbers(
    name: &'static str,
    meaning: &'static str,
    range: (u32, u32),
    standard: Option<u32>,
    each_of: &'static str,
) -> Parameter {
    Parameter { name, meaning, kind: ParameterKind::Number { range, standard, each_of: Some(each_of) } }
}

const fn word(name: &'static str, meaning: &'static str, choices: &'static [&'static str]) -> Parameter {
    Parameter { name, meaning, kind: ParameterKind::Word(choices) }
}

const BIG_BLINDS: &str = "big blinds of each player, or of alice, bob and so on";
const STACKS: &str = "the same in chips, with what each has left in the last state";
const SIZE: &str = "rows and columns of the board";
const STAKE: &str = "what the loser loses; a die is counted in the last state";
const VARIANT: &str = "who meets a mark tries again (classical), or the other is to move (abrupt)";
const FAMILIES: &[Family] = &[
    family!(
        "blind-breakthrough",
        "Breakthrough in which neither sees the other's pawns.",
        [number("size", SIZE, (4, 12), 6)]
    ),
    family!(
        "dark-hex",
        "Connect two sides of a board on which neither sees the other's marks.",
        [number("size", SIZE, (2, 11), 3), word("variant", VARIANT, &["classical", "abrupt"])],
        words
    ),
    family!(
        "goofspiel",
        "Hidden bids for prizes that are turned up in any order.",
        [number("cards", "cards of each player, and prizes", (2, 20), 13)]
    ),
    family!(
        "goofspiel-descending",
        "Hidden bids for prizes that come in a known order, the largest first.",
        [number("cards", "cards of each player, and prizes", (2, 20), 4)]
    ),
    family!(
        "hanabi",
        "Fireworks built together by players who see all cards but their own.",
        [
            number("players", "players", (2, 5), 2),
            number("colours", "colours of the cards", (1, 5), 2),
            number("ranks", "ranks of the cards", (2, 5), 5),
            number("hand", "cards in a hand", (1, 5), 2),
            number("hints", "hints at the start, and at most", (1, 8), 3),
            number("lives", "cards lost by playing them that end the game", (1, 9), 1),
        ]
    ),
    family!(
        "krieg-tic-tac-toe",
        "Marks on an unseen board, at the same time; attempts may fail.",
        [number("size", SIZE, (2, 12), 4), number("line", "marks in a row or a column that win", (2, 12), 3),]
    ),
    family!(
        "liars-dice",
        "Ever higher bids on the dice of all players, who see their own; the highest face may be wild.",
        [
            number("players", "players", (2, 6), 2),
            numbers(
                "dice",
                "dice of each player; who has none is not in the game",
                (0, 6),
                Some(1),
                "players"
            ),
            word("stake", STAKE, &["match", "die"]),
            number("faces", "faces of each die", (2, 6), 6),
            word("wild", "which face counts for every face: highest or none", &["highest", "none"]),
        ],
        words and terms
    ),
    family!(
        "monty-hall",
        "A car behind one of several doors, of which the host opens all but two.",
        [number("doors", "doors", (3, 1_000), 3)]
    ),
    family!(
        "no-limit-holdem",
        "One hand of Texas hold'em without limit, with side pots.",
        [
            number("players", "players", (2, 9), 2),
            numbers("big-blinds", BIG_BLINDS, (2, 200), Some(20), "players"),
            numbers("stacks", STACKS, (1, 10_000), None, "players"),
            number("small-blind", "chips of the small blind", (1, 5_000), 1),
            number("big-blind", "chips of the big blind", (2, 10_000), 2),
            word("bets", "half pot, pot and all in, or all amounts", &["fractions", "all"]),
        ],
        words and terms
    ),
    family!(
        "number-guessing",
        "A number that so many questions are just enough to find.",
        [number("questions", "questions that may be asked", (1, 8), 5)]
    ),
    family!(
        "phantom-tic-tac-toe",
        "Three in a line on a board on which neither sees the other's marks.",
        [word("variant", VARIANT, &["classical", "abrupt"])],
        words
    ),
];

/// All families, by name.
#[must_use]
pub fn families() -> &'static [Family] {
    FAMILIES
}
