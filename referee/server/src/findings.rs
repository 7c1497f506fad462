//! Findings about uploaded rules.

use croupier_engine::{Limits, Severity, Strictness, stages::check::check_text};
use serde_json::{Value, json};

/// Findings about rules.
pub(crate) struct Findings {
    /// One object a finding.
    pub(crate) list: Vec<Value>,
    /// Whether they can be played.
    pub(crate) is_sound: bool,
}

/// Every finding about rules, with the severity that applies on this server.
pub(crate) fn findings(rules: &str) -> Findings {
    let (checked, found) = check_text(rules, Strictness::Compatible, &Limits::STANDARD);
    let list = found.iter().map(|finding| {
        let before = &rules[..(finding.span.start as usize).min(rules.len())];
        json!({
            "code": finding.code,
            "severity": match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            "message": finding.message,
            "line": before.matches('\n').count() + 1,
        })
    });
    Findings { list: list.collect(), is_sound: checked.is_some() }
}
