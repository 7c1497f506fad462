//! How what was found about a game is printed.

use clap::ValueEnum;

/// How what was found is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    Text,
    /// One object with everything
    Json,
    /// SARIF 2.1.0, for editors and code hosts
    Sarif,
}
