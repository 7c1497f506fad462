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

impl ReportFormat {
    /// JSON if `--json` says so, otherwise what `--format` says.
    pub(crate) fn or_json(self, is_json: bool) -> Self {
        if is_json { Self::Json } else { self }
    }
}
