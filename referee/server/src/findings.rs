//! Findings about uploaded rules.

use croupier_engine::{
    Diagnostic, Limits, Severity, Strictness,
    stages::check::{check_text_until, obstacle},
};
use croupier_pages::RulesNote;
use serde::Serialize;
use utoipa::ToSchema;

/// A finding about rules, with the severity that applies on this server.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Finding {
    /// Which check it is of, as `croupier explain` takes it.
    code: &'static str,
    /// From 1.
    line: usize,
    message: String,
    /// `error`, `warning` or `note`.
    severity: &'static str,
}

impl Finding {
    /// The finding as a page shows it.
    pub(crate) fn into_note(self) -> RulesNote {
        let Self { code, line, message, severity } = self;
        RulesNote { severity, code: code.to_owned(), message, line }
    }
}

/// Findings about rules.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) list: Vec<Finding>,
    /// Whether they can be played, as far as the text shows.
    pub(crate) is_playable: bool,
}

/// Every finding about rules; nothing if `is_over` returned true before.
pub(crate) fn findings(rules: &str, is_over: &mut dyn FnMut() -> bool) -> Option<Findings> {
    let checked = check_text_until(rules, Strictness::Compatible, &Limits::STANDARD, is_over);
    let (checked, found) = checked.ok()?;
    Some(Findings::of(rules, &found, checked.is_some()))
}

impl Findings {
    /// The findings of a check of rules, which gave rules without errors or none.
    pub(crate) fn of(rules: &str, found: &[Diagnostic], is_sound: bool) -> Self {
        let ends: Vec<usize> = rules.match_indices('\n').map(|(end, _)| end).collect();
        let list = found.iter().map(|finding| Finding {
            code: finding.code,
            line: ends.partition_point(|&end| end < finding.span.start as usize) + 1,
            message: finding.message.clone(),
            severity: match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
        });
        Self { list: list.collect(), is_playable: is_sound && obstacle(found).is_none() }
    }
}
