//! SARIF 2.1.0, which editors and code hosts show beside the text.
//!
//! # Sources
//! OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", 2020.

use croupier_engine::Span;
use serde_json::{Value, json};

use super::lines::Lines;

/// A log of one run: the kinds of results, the files, and the results.
pub(crate) fn log(rules: Vec<Value>, artifacts: Vec<Value>, results: Vec<Value>) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "croupier", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "artifacts": artifacts,
            "results": results,
        }],
    })
}

/// A file that was looked at.
pub(crate) fn artifact(uri: &str, language: &str) -> Value {
    json!({ "location": { "uri": uri }, "sourceLanguage": language })
}

/// Where a range of a text is.
pub(crate) fn location(span: Span, lines: &Lines<'_>, uri: &str) -> Value {
    let ((start_line, start_column), (end_line, end_column)) = (lines.start(span), lines.end(span));
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri },
            "region": {
                "startLine": start_line,
                "startColumn": start_column,
                "endLine": end_line,
                "endColumn": end_column,
            },
        },
    })
}

/// A path as a relative or absolute URI reference: bytes that a URI cannot have are escaped.
pub(crate) fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut uri = String::with_capacity(path.len());
    // A colon in the first segment would make what stands before it a scheme.
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' => {
                uri.push(byte.into())
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    if uri.starts_with('/') { format!("file://{uri}") } else { uri }
}
