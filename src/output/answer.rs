//! What a command found out.

/// What a command found out, for the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    /// A signal came before everything was found out.
    Interrupted,
}
