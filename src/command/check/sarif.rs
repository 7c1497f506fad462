//! Findings in SARIF, which editors and code hosts show beside the text.

use std::collections::BTreeSet;

use croupier_engine::{
    Diagnostic,
    stages::check::{Explanation, find},
};
use serde_json::{Value, json};

use crate::{
    arguments::facts,
    output::{
        lines::Lines,
        render::level,
        sarif::{self, location, uri},
    },
};

/// A file, and what was found in it.
#[derive(Clone, Copy)]
pub(crate) struct CheckedFile<'c> {
    pub(crate) found: &'c [Diagnostic],
    pub(crate) text: &'c str,
    pub(crate) path: &'c str,
    pub(crate) language: &'static str,
}

/// A log of one run over some files.
pub(crate) fn log(files: &[CheckedFile<'_>], is_strict: bool) -> Value {
    let found = files.iter().flat_map(|file| file.found);
    let codes: BTreeSet<&str> = found.map(|diagnostic| diagnostic.code).collect();
    let codes: Vec<&str> = codes.into_iter().collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(code, is_strict)).collect();
    let results = files.iter().flat_map(|file| {
        let (lines, uri) = (Lines::of(file.text), uri(file.path));
        let codes = &codes;
        file.found.iter().map(move |diagnostic| result(diagnostic, codes, &lines, &uri))
    });
    let results: Vec<Value> = results.collect();
    let artifacts = files.iter().map(|file| sarif::artifact(&uri(file.path), file.language)).collect();
    sarif::log(rules, artifacts, results)
}

fn rule(name: &str, is_strict: bool) -> Value {
    let (weight, Explanation { meaning, cure, source, .. }) = match facts::codes::find(name) {
        Some(code) => (code.severity, code.explanation),
        None => {
            let code = find(name).expect("every finding is in the table");
            (if is_strict { code.strict } else { code.compatible }, code.explanation)
        }
    };
    json!({
        "id": name,
        "shortDescription": { "text": meaning },
        "help": { "text": format!("{cure} ({source})") },
        "defaultConfiguration": { "level": level(weight) },
    })
}

fn result(found: &Diagnostic, codes: &[&str], lines: &Lines<'_>, uri: &str) -> Value {
    let message = match &found.help {
        Some(help) => format!("{}; {help}", found.message),
        None => found.message.clone(),
    };
    let related: Vec<Value> = found
        .notes
        .iter()
        .map(|(span, note)| {
            let mut place = location(*span, lines, uri);
            place["message"] = json!({ "text": note });
            place
        })
        .collect();
    json!({
        "ruleId": found.code,
        "ruleIndex": codes.iter().position(|code| *code == found.code),
        "level": level(found.severity),
        "message": { "text": message },
        "locations": [location(found.span, lines, uri)],
        "relatedLocations": related,
    })
}

#[cfg(test)]
mod tests {
    use croupier_engine::Span;

    use super::*;

    #[test]
    fn places_are_lines_and_columns_in_characters() {
        let text = "(role größe)\n(p ?x)\n";
        let start = text.find("?x").expect("it is there");
        let found = Diagnostic::new(
            "variable-in-fact",
            croupier_engine::Severity::Error,
            Span::new(start, start + 2),
            "m",
        )
        .with_note(Span::new(6, 13), "a role");
        let file = CheckedFile { found: &[found], text, path: "my games/a:b.gdl", language: "gdl" };
        let log = log(&[file], true);
        let result = &log["runs"][0]["results"][0];
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20games/a%3Ab.gdl");
        let region = json!({ "startLine": 2, "startColumn": 4, "endLine": 2, "endColumn": 6 });
        assert_eq!(place["region"], region);
        let related = &result["relatedLocations"][0]["physicalLocation"]["region"];
        assert_eq!((&related["startColumn"], &related["endColumn"]), (&json!(7), &json!(12)));
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][0]["id"], "variable-in-fact");
    }
}
