//! The engine's resource limits, one argument from the parser to the reasoner, and the error when a limit is reached.

use std::fmt;

use crate::diagnostic::RulePlace;

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
    /// Facts of `role`.
    pub roles: usize,
    /// Literals of all alternatives of all rules, as bodies are multiplied out.
    pub alternatives: usize,
    /// Nesting of a ground term while the game runs.
    pub term_depth: usize,
    /// Symbols in one ground term at run time, each counted as often as it is printed.
    pub term_nodes: u32,
    /// Ground terms a game may ever build.
    pub terms: usize,
    /// Rows that the reasoner may examine for one state, and again for one joint move.
    pub fuel: u64,
    /// Rows the reasoner may derive for one state, and again for one joint move; they are kept in memory, and
    /// count once more for every eight columns that they have.
    pub rows: u64,
    /// Rows that the grounder may examine.
    pub ground_fuel: u64,
    /// Rows the grounder may derive: atoms, and instances of rules. They are kept in memory, and count once more
    /// for every eight columns that they have, so that a row that counts once takes about 60 bytes with its index.
    pub ground_rows: u64,
    /// Turns of one match or playout.
    pub turns: usize,
}

impl Limits {
    /// Deeper nesting is rejected whatever [`Limits::nesting`] says, so that code which traverses
    /// a term recursively has a bounded stack.
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
        roles: 256,
        alternatives: 2_000_000,
        term_depth: 64,
        term_nodes: 10_000,
        terms: 2_000_000,
        fuel: 200_000_000,
        rows: 8_000_000,
        ground_fuel: 1_000_000_000,
        ground_rows: 24_000_000,
        turns: 10_000,
    };

    /// The same with no more rows for grounding than take about a second.
    pub(crate) fn with_brief_grounding(self) -> Self {
        const FUEL: u64 = 30_000_000;
        const ROWS: u64 = 1_000_000;
        Self { ground_fuel: self.ground_fuel.min(FUEL), ground_rows: self.ground_rows.min(ROWS), ..self }
    }
}

/// A bound of [`Limits`] that was reached while rules were evaluated: which one, how large it is, and the rule that
/// needs more, where one does.
///
/// A text that exceeds a limit by itself is a [`Diagnostic`](crate::Diagnostic) with the code `limit` instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LimitError {
    /// [`Limits::fuel`], or [`Limits::ground_fuel`] while rules are grounded.
    RowsLookedAt {
        /// The bound, in rows.
        limit: u64,
        /// The rule that was being evaluated.
        rule: Option<RulePlace>,
    },
    /// [`Limits::rows`], or [`Limits::ground_rows`] while rules are grounded.
    RowsDerived {
        /// The bound, in rows.
        limit: u64,
        /// The rule that was being evaluated.
        rule: Option<RulePlace>,
    },
    /// [`Limits::term_depth`].
    TermNesting {
        /// The bound, in levels.
        limit: u64,
        /// The rule that builds the term.
        rule: Option<RulePlace>,
    },
    /// [`Limits::term_nodes`].
    TermSymbols {
        /// The bound, in symbols.
        limit: u64,
        /// The rule that builds the term.
        rule: Option<RulePlace>,
    },
    /// [`Limits::terms`].
    Terms {
        /// The bound, in terms.
        limit: u64,
        /// The rule that builds one term more.
        rule: Option<RulePlace>,
    },
    /// The number of roles, which is stored in 16 bits.
    Roles {
        /// The bound, in roles.
        limit: u64,
    },
    /// [`Limits::turns`].
    Turns {
        /// The bound, in turns.
        limit: u64,
    },
}

impl LimitError {
    /// The limited quantity, in words that name the unit.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self {
            Self::RowsLookedAt { .. } => "rows examined",
            Self::RowsDerived { .. } => "rows derived",
            Self::TermNesting { .. } => "nesting of a term",
            Self::TermSymbols { .. } => "symbols in a term",
            Self::Terms { .. } => "terms",
            Self::Roles { .. } => "roles",
            Self::Turns { .. } => "turns of a match",
        }
    }

    /// The bound, in that unit.
    #[must_use]
    pub fn limit(&self) -> u64 {
        match self {
            Self::RowsLookedAt { limit, .. }
            | Self::RowsDerived { limit, .. }
            | Self::TermNesting { limit, .. }
            | Self::TermSymbols { limit, .. }
            | Self::Terms { limit, .. }
            | Self::Roles { limit }
            | Self::Turns { limit } => *limit,
        }
    }

    /// The rule that needs more, where one does.
    #[must_use]
    pub fn rule(&self) -> Option<&RulePlace> {
        match self {
            Self::RowsLookedAt { rule, .. }
            | Self::RowsDerived { rule, .. }
            | Self::TermNesting { rule, .. }
            | Self::TermSymbols { rule, .. }
            | Self::Terms { rule, .. } => rule.as_ref(),
            Self::Roles { .. } | Self::Turns { .. } => None,
        }
    }

    /// How to fix it in the rules.
    #[must_use]
    pub fn cure(&self) -> &'static str {
        match self {
            Self::RowsLookedAt { .. } | Self::RowsDerived { .. } => {
                "add conditions that restrict the variables of the rule, or split it into smaller rules"
            }
            Self::TermNesting { .. } | Self::TermSymbols { .. } | Self::Terms { .. } => {
                "add a condition that binds the growing term by facts"
            }
            Self::Roles { .. } => "declare fewer roles",
            Self::Turns { .. } => "count turns in the state and end the match at a fixed number",
        }
    }

    /// The same, attributed to this rule, for an error without a rule.
    pub(crate) fn by(mut self, place: RulePlace) -> Self {
        match &mut self {
            Self::RowsLookedAt { rule, .. }
            | Self::RowsDerived { rule, .. }
            | Self::TermNesting { rule, .. }
            | Self::TermSymbols { rule, .. }
            | Self::Terms { rule, .. } => _ = rule.get_or_insert(place),
            Self::Roles { .. } | Self::Turns { .. } => {}
        }
        self
    }
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.unit())?;
        if let Some(rule) = self.rule() {
            write!(f, " for {}", rule.relation)?;
        }
        write!(f, ": limit {}, and the rules need more", self.limit())
    }
}

impl std::error::Error for LimitError {}
