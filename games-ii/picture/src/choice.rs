//! The choices of a person: legal moves as buttons, as cards and squares to touch, and as amounts in a range.

/// One thing that a person can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveChoice {
    /// Unique among the choices of a turn, and safe as the value of an `id` attribute.
    pub id: String,
    /// The key that chooses it: a letter or digit that no other choice has. None are left for some if there are very many.
    pub key: Option<char>,
    /// What a button says, such as `fold`, or `raise to` for an amount.
    pub label: String,
    /// Ids of what is touched for it, in order: a card or a square, or the square that a piece leaves and the square that it goes to.
    /// Empty if there is nothing to touch, and then a button is needed. Two choices may have the same: a promotion.
    pub elements: Vec<String>,
    /// What is played.
    pub moves: ChoiceMoves,
}

/// The moves of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceMoves {
    /// One move, as a term of the rules.
    One(String),
    /// One move for each amount: moves that differ in one number.
    Amounts(AmountRange),
}

/// Moves that differ in one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountRange {
    /// By amount, the least first. There are at least four, and there may be gaps.
    pub amounts: Vec<AmountMove>,
    /// What is said behind the amount, such as `chips`; empty as a rule.
    pub after: String,
    /// Amounts that people choose often, the least first.
    pub presets: Vec<AmountPreset>,
}

/// One amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountMove {
    /// The number.
    pub amount: i64,
    /// The move with this number, as a term of the rules.
    pub term: String,
    /// The move in words: `raise to 12`.
    pub label: String,
}

/// An amount with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountPreset {
    /// `minimum`, `half pot`, `pot` or `all in`.
    pub label: String,
    /// The amount, which is one of the range.
    pub amount: i64,
}
