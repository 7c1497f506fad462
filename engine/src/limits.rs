//! What the engine refuses to exceed, as one argument from parser to reasoner.

/// Upper bounds on input and work. All are inclusive.
///
/// The observed maxima that [`Limits::STANDARD`] leaves room for are those of 614 public rule
/// sheets: 417,477 bytes, 88,612 tokens, nesting 27, symbols of 77 bytes, arity 50, 102 literals
/// and 26 variables in a rule, 8,370 rules and facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of a rules text, in bytes.
    pub source_bytes: usize,
    /// Parentheses and symbols in a rules text.
    pub tokens: usize,
    /// Parentheses open at once; at most [`Limits::NESTING_CEILING`] is honoured.
    pub nesting: usize,
    /// Length of one symbol, in bytes.
    pub symbol_bytes: usize,
    /// Arguments of one relation or function.
    pub arity: usize,
    /// Rules and facts after normalisation.
    pub rules: usize,
    /// Literals in the body of one normalised rule.
    pub literals: usize,
    /// Distinct variables in one normalised rule.
    pub variables: usize,
    /// Nesting of a ground term while the game runs.
    pub term_depth: usize,
    /// Symbols in one ground term while the game runs, each counted as often as it is printed.
    pub term_nodes: u32,
    /// Ground terms a game may ever build.
    pub terms: usize,
    /// Rows the reasoner may look at for one state, and again for one joint move.
    pub fuel: u64,
    /// Rows the reasoner may derive for one state, and again for one joint move; they are kept in memory, and
    /// count once more for every eight columns that they have.
    pub rows: u64,
    /// Rows the grounder may look at.
    pub ground_fuel: u64,
    /// Rows the grounder may derive: atoms, and instances of rules. They are kept in memory, and count once more
    /// for every eight columns that they have, so that a row that counts once takes about 60 bytes with its index.
    pub ground_rows: u64,
    /// Turns of one match or playout.
    pub turns: usize,
}

impl Limits {
    /// Nesting beyond this is refused whatever [`Limits::nesting`] says, so that code which walks
    /// a term by recursion has a bounded stack.
    pub const NESTING_CEILING: usize = 512;

    /// The values this project plays with.
    pub const STANDARD: Self = Self {
        source_bytes: 1 << 20,
        tokens: 250_000,
        nesting: 256,
        symbol_bytes: 256,
        arity: 128,
        rules: 20_000,
        literals: 256,
        variables: 64,
        term_depth: 64,
        term_nodes: 10_000,
        terms: 2_000_000,
        fuel: 200_000_000,
        rows: 8_000_000,
        ground_fuel: 1_000_000_000,
        ground_rows: 24_000_000,
        turns: 10_000,
    };
}
