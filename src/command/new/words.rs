//! The `game.toml` of a family's game: that of the bundled game with the same rules, the family's own, or what fits of that of
//! a bundled game of the family.

use croupier_engine::{Limits, Strictness, stages::check::check_text};
use croupier_games::{Family, ParameterValues, catalogue};

use crate::arguments::facts::FactsFile;

/// Sections of words, which do not depend on the size of a game but for lines that fit nothing.
const SECTIONS: [&str; 4] = ["[symbols]", "[moves]", "[percepts]", "[table]"];

/// Words for rules of a family.
pub(super) fn of_family(family: &Family, values: &ParameterValues, rules: &str) -> String {
    let with_rules = |rules: &str| catalogue().iter().find(|entry| entry.rules == rules);
    if let Some(entry) = with_rules(rules) {
        return entry.facts_toml.to_owned();
    }
    if let Ok(Some(facts)) = family.facts(values) {
        return facts;
    }
    let standard = family.rules(&ParameterValues::new()).ok();
    let kin = standard.and_then(|rules| with_rules(&rules));
    let kin = kin.or_else(|| catalogue().iter().find(|entry| entry.name == family.name));
    let given = values.iter().map(|(name, value)| format!("{name} {value}"));
    let title = match given.collect::<Vec<_>>().join(", ") {
        given if given.is_empty() => family.name.to_owned(),
        given => format!("{} ({given})", family.name),
    };
    let mut text = format!("title = \"{title}\"\nsummary = \"{}\"\n", family.summary);
    if let Some(kin) = kin {
        text.push_str(&sections(kin.facts_toml));
    }
    fitting(text, rules)
}

/// The sections of words of a file.
fn sections(text: &str) -> String {
    let mut kept = String::new();
    let mut is_kept = false;
    for line in text.lines() {
        if line.starts_with('[') {
            is_kept = SECTIONS.contains(&line.trim_end());
        }
        if is_kept {
            kept.push_str(if line.starts_with('[') && !kept.ends_with("\n\n") { "\n" } else { "" });
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The text without the lines that fit nothing in the rules.
fn fitting(mut text: String, rules: &str) -> String {
    let rules = check_text(rules, Strictness::Compatible, &Limits::STANDARD);
    // A line that is gone may be what another one was about.
    for _ in 0..3 {
        let file = FactsFile { path: String::new(), text: text.clone() };
        let mut found = file.findings(&rules);
        if found.is_empty() {
            break;
        }
        found.reverse();
        for found in found {
            let position = (found.span.start as usize).min(text.len());
            let start = text[..position].rfind('\n').map_or(0, |newline| newline + 1);
            let end = text[position..].find('\n').map_or(text.len(), |newline| position + newline + 1);
            // Two findings of one line take it away once.
            if !text[start..end].starts_with('[') && text[start..end].contains('=') {
                text.replace_range(start..end, "");
            }
        }
    }
    text
}
