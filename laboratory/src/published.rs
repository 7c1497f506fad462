//! Rates that others published and that cannot be measured here.

/// What somebody published of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Published {
    /// Whose program.
    pub(crate) peer: &'static str,
    /// The game by our name.
    pub(crate) game: &'static str,
    /// Random playouts a second on one thread; where a range is known, its upper end.
    pub(crate) playouts: f64,
}

/// Programs, and where their figures are from.
pub(crate) const SOURCES: &[(&str, &str)] = &[
    (
        SANCHO,
        "the fastest propnet player of General Game Playing, in Java; the upper ends of published ranges",
    ),
    (REGULAR_BOARDGAMES, "rules compiled to C++ (J. Kowalski et al., AAAI 2019 and IEEE CoG 2020)"),
];

const SANCHO: &str = "Sancho";
const REGULAR_BOARDGAMES: &str = "Regular Boardgames";

/// All figures. Chess of Regular Boardgames is left out: it was cut off after 200 turns.
pub(crate) const PUBLISHED: &[Published] = &[
    published(SANCHO, "tic-tac-toe", 201e3),
    published(SANCHO, "connect-four", 107e3),
    published(SANCHO, "breakthrough", 24e3),
    published(SANCHO, "reversi", 1.5e3),
    published(SANCHO, "amazons", 2.1e3),
    published(SANCHO, "chinese-checkers", 6.8e3),
    published(SANCHO, "hex", 0.9e3),
    published(SANCHO, "skirmish", 1.3e3),
    published(SANCHO, "gomoku", 20e3),
    published(SANCHO, "sudoku", 23e3),
    published(REGULAR_BOARDGAMES, "tic-tac-toe", 2.07e6),
    published(REGULAR_BOARDGAMES, "connect-four", 0.59e6),
    published(REGULAR_BOARDGAMES, "breakthrough", 31e3),
    published(REGULAR_BOARDGAMES, "reversi", 14e3),
    published(REGULAR_BOARDGAMES, "gomoku", 28e3),
    published(REGULAR_BOARDGAMES, "skirmish", 6.7e3),
];

const fn published(peer: &'static str, game: &'static str, playouts: f64) -> Published {
    Published { peer, game, playouts }
}
