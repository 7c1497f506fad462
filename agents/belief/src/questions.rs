//! What is asked about the fluents of a state: which of them matter, and which of them look alike.

/// What a fluent looks like, if others may look the same: copies of one card in a hand do.
pub type Looks<'l> = &'l dyn Fn(&str) -> Option<String>;

/// Whether anybody asks about a fluent. Others are open unless it costs nothing to prove them.
pub type Asked<'a> = &'a dyn Fn(&str) -> bool;

/// What is asked about the fluents of a state.
#[derive(Clone, Copy)]
pub(crate) struct FluentQuestions<'q> {
    pub(crate) looks: Looks<'q>,
    pub(crate) asked: Asked<'q>,
}
