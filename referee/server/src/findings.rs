//! Findings about uploaded rules.

use croupier_engine::{
    Diagnostic, Limits, Severity, Strictness,
    stages::check::{check_text_until, obstacle},
};
use serde_json::{Value, json};

/// Findings about rules.
pub(crate) struct Findings {
    /// One object a finding.
    pub(crate) list: Vec<Value>,
    /// Whether they can be played, as far as the text shows.
    pub(crate) is_playable: bool,
}

/// Every finding about rules, with the severity that applies on this server; nothing if `is_over` returned true before.
pub(crate) fn findings(rules: &str, is_over: &mut dyn FnMut() -> bool) -> Option<Findings> {
    let checked = check_text_until(rules, Strictness::Compatible, &Limits::STANDARD, is_over);
    let (checked, found) = checked.ok()?;
    Some(Findings::of(rules, &found, checked.is_some()))
}

impl Findings {
    /// The findings of a check of rules, which gave rules without errors or none.
    pub(crate) fn of(rules: &str, found: &[Diagnostic], is_sound: bool) -> Self {
        let ends: Vec<usize> = rules.match_indices('\n').map(|(end, _)| end).collect();
        let list = found.iter().map(|finding| {
            let line = ends.partition_point(|&end| end < finding.span.start as usize) + 1;
            json!({
                "code": finding.code,
                "severity": match finding.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                    Severity::Note => "note",
                },
                "message": finding.message,
                "line": line,
            })
        });
        Self { list: list.collect(), is_playable: is_sound && obstacle(found).is_none() }
    }
}
